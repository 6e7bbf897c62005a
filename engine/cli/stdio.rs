//! `lode stdio`: plays a match with a program in any language, one JSON object per line.

use std::io::{BufRead, Read, Write};
use std::rc::Rc;

use motherlode::declare::Goal;
use motherlode::tools::StateHash;
use motherlode::{Actions, Choice, ChoiceItem, Decision, Game, Match, Refusal, Setup, Snapshot};
use motherlode_play::utility_now;
use serde_json::{Map, Value, json};

use crate::balance::expand_seats;
use crate::fault::Fault;
use crate::paint;
use crate::project::{self, GlobalArgs, nearest};
use crate::seats::Seats;
use crate::setup::{SetupArgs, fresh_seed};

/// The text of `lode stdio --help`.
pub const HELP: &str = include_str!("stdio/help.txt");

/// Number of the protocol; grows with each change of messages that can break programs.
const PROTOCOL: u32 = 2;

/// Longest line of input, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// Maximum snapshots of a program.
const MAX_SNAPSHOTS: usize = 4096;

/// The commands of the protocol.
const COMMANDS: [&str; 9] = ["choose", "ask", "why", "undo", "observe", "history", "snapshot", "restore", "quit"];

/// Play from another program, with one JSON object per line
#[derive(Debug, clap::Args)]
#[command(long_about = HELP)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    #[command(flatten)]
    setup: SetupArgs,
    /// Player of each seat: program, or a bot as for --bots of `lode sim`; missing seats are random [default: all program]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
}

/// Plays one match with the program at the other end of the streams.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.setup.setup(&game, fresh_seed())?;
    let all = vec!["program"; usize::from(setup.players)].join(",");
    let seats = expand_seats(global, &game, args.seats.as_deref().unwrap_or(&all))?;
    let seats = Seats::new(&seats, "program", &game, &setup)?;
    let ended = play(&game, &setup, seats, out);
    // Tell the program why the match ended early.
    if let Err(fault) = &ended
        && let Some(reason) = fault.reason()
    {
        writeln!(out, "{}", json!({ "type": "error", "reason": reason }))?;
        out.flush()?;
    }
    ended
}

fn play(game: &Game, setup: &Setup, seats: Seats, out: &mut dyn Write) -> Result<(), Fault> {
    let played = Match::with_transcript(game, setup)?;
    let mut lines = Lines { input: std::io::stdin().lock() };
    let rewarded = vec![0.0; usize::from(setup.players)];
    let (actions, undo_points, snapshots) = (Actions::new(game).ok(), Vec::new(), Vec::new());
    Session { game, played, actions, seats, undo_points, snapshots, asked: Value::Null, rewarded, out }.play(&mut lines)
}

/// A match with a program.
struct Session<'a> {
    game: &'a Game,
    played: Match,
    /// The numbers of actions; `None`: some prompt accepts any number.
    actions: Option<Actions>,
    seats: Seats,
    /// The position before each answer of the program.
    undo_points: Vec<Rc<Snapshot>>,
    /// Snapshots that the program asked for, each with the undo points of its position.
    snapshots: Vec<(Snapshot, Vec<Rc<Snapshot>>)>,
    /// The seat of the last decision sent.
    asked: Value,
    /// The utility that each seat was told, as the sum of its rewards.
    rewarded: Vec<f64>,
    out: &'a mut dyn Write,
}

/// The effect of a line.
enum Effect {
    /// The position is unchanged.
    Unchanged,
    /// The position has changed.
    Moved,
    /// The program quits.
    Quit,
}

impl Session<'_> {
    fn play(&mut self, lines: &mut Lines<impl BufRead>) -> Result<(), Fault> {
        self.start()?;
        loop {
            self.log()?;
            match self.played.decision() {
                Some(decision) if !self.seats.is_guest(decision.seat) => {
                    self.bot(decision)?;
                    continue;
                }
                Some(decision) => self.ask(decision)?,
                None => {
                    self.end()?;
                    if self.seats.guests() == 0 {
                        return Ok(());
                    }
                }
            }
            loop {
                match self.line(lines)? {
                    Effect::Unchanged => {}
                    Effect::Moved => break,
                    Effect::Quit => return Ok(()),
                }
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), Fault> {
        // Write in one piece, because the output filter has a cost per call.
        self.out.write_all(format!("{message}\n").as_bytes())?;
        self.out.flush()?;
        Ok(())
    }

    fn start(&mut self) -> Result<(), Fault> {
        let declared = self.game.declarations();
        let seat = |(kind, seat): (String, u8)| json!({ "seat": seat, "name": paint::seat_name(declared, seat), "kind": kind });
        let seats: Vec<Value> = self.seats.names().into_iter().zip(0..).map(seat).collect();
        let message = json!({
            "type": "start",
            "protocol": PROTOCOL,
            "game": declared.id,
            "name": declared.name,
            "engine": env!("CARGO_PKG_VERSION"),
            "fingerprint": self.game.fingerprint(),
            "mods": self.game.mods(),
            "setup": self.played.setup(),
            "seats": seats,
            "utility": self.utility(),
        });
        self.send(&message)
    }

    /// The declared utility of the players.
    fn utility(&self) -> Value {
        let declared = &self.game.declarations().outcome;
        let mut utility = json!({ "goal": declared.goal.name(), "zero_sum": declared.zero_sum });
        if let Some((least, most)) = declared.range {
            utility["range"] = json!([least, most]);
        }
        self.with_unit(utility)
    }

    /// A message with the number of steps in a point, if it has scores that may be fractions.
    fn with_unit(&self, mut message: Value) -> Value {
        let d = self.game.declarations();
        let unit = d.counters[d.outcome.score].unit;
        if unit > 0 && (d.outcome.goal != Goal::Rank || message.get("range").is_some()) {
            message["unit"] = unit.into();
        }
        message
    }

    /// The change of a seat's utility since its last reward.
    fn reward(&mut self, seat: u8) -> Value {
        let told = &mut self.rewarded[usize::from(seat)];
        let now = utility_now(&self.played, seat).unwrap_or(*told);
        let change = now - std::mem::replace(told, now);
        // A score is a whole number.
        if change.fract() == 0.0 { (change as i64).into() } else { change.into() }
    }

    fn log(&mut self) -> Result<(), Fault> {
        for line in self.played.take_log() {
            match (line.seat().filter(|&seat| self.seats.is_guest(seat)), line.public()) {
                (Some(seat), _) => self.send(&json!({ "type": "log", "text": line.text(), "seat": seat }))?,
                (None, Some(text)) => self.send(&json!({ "type": "log", "text": text }))?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn ask(&mut self, decision: Decision) -> Result<(), Fault> {
        let pending = self.pending();
        let choices = self.played.legal_of(decision.seat)?;
        let actions = self.actions.as_ref().map(|actions| actions.of(&self.played, decision.seat));
        let actions = actions.transpose()?.unwrap_or_default();
        self.asked = decision.seat.into();
        let message = json!({
            "type": "decision",
            "n": self.played.answers().len(),
            "seat": decision.seat,
            "phase": decision.phase(self.game),
            "prompt": decision.prompt(self.game),
            "text": decision.text(self.game),
            "choices": choices
                .iter()
                .enumerate()
                .map(|(index, choice)| self.choice(index, choice, actions.get(index).copied().flatten()))
                .collect::<Vec<_>>(),
            "pending": pending.iter().map(|decision| decision.seat).collect::<Vec<_>>(),
            "observation": self.played.observe(Some(decision.seat)),
            "reward": self.reward(decision.seat),
        });
        let message = self.with_unit(message);
        self.send(&message)
    }

    /// A choice of a decision message.
    fn choice(&self, index: usize, choice: &Choice, action: Option<u32>) -> Value {
        let mut value = json!({ "i": index, "id": choice.key(), "label": choice.label });
        if let Some(action) = action {
            value["action"] = action.into();
        }
        let id = |definition: usize| self.game.declarations().definitions[definition].id.as_str();
        match choice.what {
            ChoiceItem::Label => {}
            ChoiceItem::Definition { definition } => value["definition"] = id(definition).into(),
            ChoiceItem::Token { token, definition } => {
                value["definition"] = id(definition).into();
                value["token"] = token.into();
            }
            ChoiceItem::Hidden { zone, seat, place } => {
                if let Some((name, _)) = zone.and_then(|zone| self.game.declarations().zones.get_index(zone)) {
                    value["zone"] = name.as_str().into();
                    value["place"] = place.into();
                }
                if let Some(seat) = seat {
                    value["seat"] = seat.into();
                }
            }
            ChoiceItem::Cell { seat, .. } => {
                value["cell"] = choice.id.as_str().into();
                if let Some(seat) = seat {
                    value["seat"] = seat.into();
                }
            }
            ChoiceItem::Player { seat } => value["seat"] = seat.into(),
            ChoiceItem::Number(number) => value["number"] = number.into(),
        }
        value
    }

    fn end(&mut self) -> Result<(), Fault> {
        let outcome = self.played.outcome();
        let rewards: Vec<Value> = (0..self.played.setup().players).map(|seat| self.reward(seat)).collect();
        let message = self.with_unit(json!({ "type": "end", "outcome": outcome, "rewards": rewards }));
        self.send(&message)
    }

    fn reject(&mut self, reason: impl Into<String>) -> Result<Effect, Fault> {
        self.send(&json!({ "type": "reject", "reason": reason.into() }))?;
        Ok(Effect::Unchanged)
    }

    /// The current decisions of the program's seats.
    fn pending(&mut self) -> Vec<Decision> {
        self.played.pending().into_iter().filter(|decision| self.seats.is_guest(decision.seat)).collect()
    }

    fn bot(&mut self, decision: Decision) -> Result<(), Fault> {
        let index = self.seats.choose(&self.played, decision)?;
        Ok(self.played.answer(index)?)
    }

    /// Reads a line and executes its command.
    fn line(&mut self, lines: &mut Lines<impl BufRead>) -> Result<Effect, Fault> {
        let line = match lines.next()? {
            Line::End => return Ok(Effect::Quit),
            Line::TooLong => return self.reject(format!("the line is longer than {LONGEST_LINE} bytes")),
            Line::Text(line) => line,
        };
        let Ok(line) = std::str::from_utf8(&line) else { return self.reject("the line is not UTF-8") };
        if line.trim().is_empty() {
            return self.reject(r#"the line is empty: answer with a choice, such as {"choose":0}"#);
        }
        let words = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(words)) => words,
            Ok(_) => return self.reject(r#"the line is not a JSON object: use one such as {"choose":0}"#),
            Err(error) => {
                let at = error.column();
                return self.reject(format!(
                    "the line is not valid JSON at column {at}: use an object such as {{\"choose\":0}}"
                ));
            }
        };
        match command(&words) {
            Ok((name, value)) => self.execute(name, value, &words),
            Err(reason) => self.reject(reason),
        }
    }

    fn execute(&mut self, name: &str, value: &Value, words: &Map<String, Value>) -> Result<Effect, Fault> {
        match name {
            "choose" => self.choose(value, words),
            "ask" => match self.pending_seat(Some(value)) {
                Ok(decision) => {
                    self.ask(decision)?;
                    Ok(Effect::Unchanged)
                }
                Err(reason) => self.reject(reason),
            },
            "why" => match self.pending_seat(Some(value)) {
                Ok(decision) => self.explain(decision.seat),
                Err(reason) => self.reject(reason),
            },
            "undo" => self.undo(value),
            "observe" => self.observe(value),
            "history" => self.history(value, words.get("since")),
            "snapshot" if value == &Value::Bool(true) => self.snapshot(),
            "restore" => self.restore(value),
            "quit" if value == &Value::Bool(true) => Ok(Effect::Quit),
            _ => self.reject(format!("`{name}` takes true")),
        }
    }

    fn choose(&mut self, value: &Value, words: &Map<String, Value>) -> Result<Effect, Fault> {
        let decision = match self.pending_seat(words.get("seat")) {
            Ok(decision) => decision,
            Err(reason) => return self.reject(reason),
        };
        let now = self.played.answers().len();
        if let Some(n) = words.get("n")
            && n.as_u64() != u64::try_from(now).ok()
        {
            return self.reject(format!("this is decision {now}, not {n}"));
        }
        let choices = self.played.legal_of(decision.seat)?;
        let index = match index_of(&choices, value) {
            Ok(index) => index,
            Err(reason) => return self.reject(reason),
        };
        let before = self.played.snapshot();
        match self.played.answer_as(decision.seat, index) {
            Ok(()) => {
                self.undo_points.push(Rc::new(before));
                Ok(Effect::Moved)
            }
            Err(error) => self.reject(error.to_string()),
        }
    }

    /// The decision of the named seat, or else of the seat asked last.
    fn pending_seat(&mut self, seat: Option<&Value>) -> Result<Decision, String> {
        let pending = self.pending();
        if pending.is_empty() {
            return Err("the match is over".to_string());
        }
        let seat = seat.unwrap_or(&self.asked);
        let found = pending.iter().find(|decision| seat.as_u64() == Some(u64::from(decision.seat)));
        found.copied().ok_or_else(|| {
            let seats: Vec<String> = pending.iter().map(|decision| decision.seat.to_string()).collect();
            format!("seat {seat} has nothing to decide now: use {}", seats.join(", "))
        })
    }

    /// Sends the choices that a seat does not have, each with the reason.
    fn explain(&mut self, seat: u8) -> Result<Effect, Fault> {
        let refusals = match self.played.refusals(seat) {
            Ok(refusals) => refusals,
            Err(error) => return self.reject(error.to_string()),
        };
        let one = |refusal: Refusal| json!({ "id": refusal.id, "label": refusal.label, "reason": refusal.reason });
        let refused: Vec<Value> = refusals.into_iter().map(one).collect();
        self.send(&json!({ "type": "why", "seat": seat, "refused": refused }))?;
        Ok(Effect::Unchanged)
    }

    fn undo(&mut self, value: &Value) -> Result<Effect, Fault> {
        let steps = value.as_u64().and_then(|steps| usize::try_from(steps).ok());
        let (steps, most) = match (steps, self.undo_points.len()) {
            (None | Some(0), _) => return self.reject("`undo` takes a number of answers, at least 1"),
            (Some(steps), most) => (steps, most),
        };
        if steps > most {
            return self.reject(match most {
                0 => "there is nothing to undo".to_owned(),
                _ => format!("only {} can be undone", crate::paint::plural(most, "answer")),
            });
        }
        let position = &self.undo_points[most - steps];
        if let Err(error) = self.played.restore(position) {
            return self.reject(error.to_string());
        }
        self.undo_points.truncate(most - steps);
        self.drop_log();
        Ok(Effect::Moved)
    }

    fn observe(&mut self, value: &Value) -> Result<Effect, Fault> {
        let players = self.played.setup().players;
        let seat = match value {
            Value::String(all) if all == "all" => None,
            _ => match value.as_u64().and_then(|seat| u8::try_from(seat).ok()).filter(|&seat| seat < players) {
                Some(seat) => Some(seat),
                None => return self.reject(format!("`observe` takes a seat from 0 to {}, or \"all\"", players - 1)),
            },
        };
        let observation = self.played.observe(seat);
        self.send(&json!({ "type": "observation", "seat": seat, "observation": observation }))?;
        Ok(Effect::Unchanged)
    }

    fn history(&mut self, value: &Value, since: Option<&Value>) -> Result<Effect, Fault> {
        let players = self.played.setup().players;
        let seat = value.as_u64().and_then(|seat| u8::try_from(seat).ok()).filter(|&seat| seat < players);
        let Some(seat) = seat else {
            return self.reject(format!("`history` takes a seat from 0 to {}", players - 1));
        };
        let since = since.map_or(Some(0), |since| since.as_u64().and_then(|since| usize::try_from(since).ok()));
        let Some(since) = since else { return self.reject("`since` takes a number of entries") };
        // Recording begins with the first request, because few programs need it.
        if let Err(error) = self.played.record_history() {
            return self.reject(error.to_string());
        }
        let entries: Vec<_> = self.played.history(seat).into_iter().flatten().skip(since).collect();
        let key = self.played.history_key(seat).map(StateHash);
        let message = json!({ "type": "history", "seat": seat, "since": since, "entries": entries, "key": key });
        self.send(&message)?;
        Ok(Effect::Unchanged)
    }

    fn snapshot(&mut self) -> Result<Effect, Fault> {
        if self.snapshots.len() >= MAX_SNAPSHOTS {
            return self.reject(format!("the limit is {MAX_SNAPSHOTS} snapshots"));
        }
        self.snapshots.push((self.played.snapshot(), self.undo_points.clone()));
        self.send(&json!({ "type": "snapshot", "snapshot": self.snapshots.len() - 1 }))?;
        Ok(Effect::Unchanged)
    }

    fn restore(&mut self, value: &Value) -> Result<Effect, Fault> {
        let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
        let Some((position, undo_points)) = index.and_then(|index| self.snapshots.get(index)) else {
            return self.reject(format!("there is no snapshot {value}"));
        };
        if let Err(error) = self.played.restore(position) {
            return self.reject(error.to_string());
        }
        self.undo_points = undo_points.clone();
        self.drop_log();
        Ok(Effect::Moved)
    }

    /// Drops the log lines of a position that the program already knows.
    fn drop_log(&mut self) {
        self.played.take_log();
    }
}

/// The command of a line and its argument.
fn command(words: &Map<String, Value>) -> Result<(&'static str, &Value), String> {
    let mut found = COMMANDS.iter().filter_map(|name| Some((*name, words.get(*name)?)));
    let first = found.next();
    if let Some(unknown) =
        words.keys().find(|key| !COMMANDS.contains(&key.as_str()) && !["seat", "n", "since"].contains(&key.as_str()))
    {
        let hint = nearest(unknown, COMMANDS)
            .map_or_else(|| format!("use one of {}", COMMANDS.join(", ")), |near| format!("did you mean `{near}`?"));
        return Err(format!("unknown word `{unknown}`; {hint}"));
    }
    match (first, found.next()) {
        (Some((name, _)), None) if name != "history" && words.contains_key("since") => {
            Err(format!("`{name}` takes no `since`: use it with `history`"))
        }
        (Some(("choose", value)), None) => Ok(("choose", value)),
        (Some(("history", value)), None) if !words.contains_key("seat") && !words.contains_key("n") => {
            Ok(("history", value))
        }
        (Some((name, value)), None) if words.len() == 1 => Ok((name, value)),
        (Some((name, _)), None) => Err(format!("`{name}` takes no `seat` or `n`: use them with `choose`")),
        (Some((one, _)), Some((other, _))) => Err(format!("`{one}` and `{other}` need separate lines")),
        (None, _) => Err(format!("the line has no command: use one of {}", COMMANDS.join(", "))),
    }
}

/// The index of a choice given by its number or its id.
fn index_of(choices: &[Choice], value: &Value) -> Result<usize, String> {
    let last = choices.len().saturating_sub(1);
    match value {
        Value::String(id) => choices.iter().position(|choice| choice.key() == id).ok_or_else(|| {
            // Suggest a choice by its name without its type.
            let named = || choices.iter().find(|choice| choice.id == *id).map(Choice::key);
            let hint = nearest(id, choices.iter().map(Choice::key))
                .or_else(named)
                .map_or_else(|| format!("choose a number from 0 to {last}"), |near| format!("did you mean `{near}`?"));
            format!("there is no choice `{id}`; {hint}")
        }),
        Value::Number(number) => {
            let index =
                number.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|&index| index < choices.len());
            index.ok_or_else(|| format!("there is no choice {number}; choose a number from 0 to {last}"))
        }
        _ => Err(format!("`choose` takes a number from 0 to {last}, or the id of a choice")),
    }
}

/// Lines of input with a limit on their length.
struct Lines<R> {
    input: R,
}

/// A line of input.
enum Line {
    Text(Vec<u8>),
    TooLong,
    End,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Line, Fault> {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(Line::End);
        }
        if line.last() == Some(&b'\n') || line.len() <= LONGEST_LINE {
            return Ok(Line::Text(line));
        }
        self.skip_line()?;
        Ok(Line::TooLong)
    }

    /// Skips the rest of a line.
    fn skip_line(&mut self) -> Result<(), Fault> {
        loop {
            let held = self.input.fill_buf()?;
            let (end, length) = match held.iter().position(|&byte| byte == b'\n') {
                Some(at) => (true, at + 1),
                None => (held.is_empty(), held.len()),
            };
            self.input.consume(length);
            if end {
                return Ok(());
            }
        }
    }
}
