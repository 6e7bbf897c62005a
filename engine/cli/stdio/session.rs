//! A session: a match with a program.

use std::io::{BufRead, Write};
use std::rc::Rc;

use motherlode::declare::Goal;
use motherlode::tools::StateHash;
use motherlode::{Actions, Decision, Game, Refusal};
use motherlode_play::utility_now;
use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::paint;
use crate::seats::Seats;
use crate::stdio::command::{command, index_of};
use crate::stdio::course::{Bookmark, Course};
use crate::stdio::lines::{LONGEST_LINE, Line, Lines};
use crate::stdio::message::{chance_message, choice_value};
use crate::stdio::observer::Observer;

/// Number of the protocol; grows with each change of messages that can break programs.
const PROTOCOL: u32 = 3;

/// Maximum snapshots of a program.
const MAX_SNAPSHOTS: usize = 4096;

/// A match with a program.
pub struct Session<'a> {
    pub game: &'a Game,
    pub course: Course,
    /// The numbers of actions; `None`: some prompt accepts any number.
    pub actions: Option<Actions>,
    pub seats: Seats,
    /// The observations in decisions.
    pub observer: Observer,
    /// The position before each answer of the program.
    pub undo_points: Vec<Rc<Bookmark>>,
    /// Snapshots that the program asked for, each with the undo points of its position.
    pub snapshots: Vec<(Bookmark, Vec<Rc<Bookmark>>)>,
    /// The seat of the last decision sent.
    pub asked: Value,
    /// The utility that each seat was told, as the sum of its rewards.
    pub rewarded: Vec<f64>,
    /// Whether log lines are sent. Histories need the log of the match even if they are not.
    pub sends_log: bool,
    pub out: &'a mut dyn Write,
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
    /// Plays until the program quits.
    pub fn play(&mut self, lines: &mut Lines<impl BufRead>) -> Result<(), Fault> {
        self.start()?;
        loop {
            self.log()?;
            match self.course.m.decision() {
                _ if self.course.open_draw().is_some() => self.ask_chance()?,
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
        let mut message = json!({
            "type": "start",
            "protocol": PROTOCOL,
            "game": declared.id,
            "name": declared.name,
            "engine": env!("CARGO_PKG_VERSION"),
            "fingerprint": self.game.fingerprint(),
            "mods": self.game.mods(),
            "setup": self.course.m.setup(),
            "seats": seats,
            "utility": self.utility(),
        });
        if let Some(parts) = self.observer.parts() {
            message["tensor"] = parts;
        }
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
        let now = utility_now(&self.course.m, seat).unwrap_or(*told);
        let change = now - std::mem::replace(told, now);
        // A score is a whole number.
        if change.fract() == 0.0 { (change as i64).into() } else { change.into() }
    }

    fn log(&mut self) -> Result<(), Fault> {
        let mut log = self.course.m.take_log();
        if !self.sends_log {
            log.clear();
        }
        for line in log {
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
        let choices = self.course.m.legal_of(decision.seat)?;
        let actions = self.actions.as_ref().map(|actions| actions.of(&self.course.m, decision.seat));
        let actions = actions.transpose()?.unwrap_or_default();
        self.asked = decision.seat.into();
        let mut message = json!({
            "type": "decision",
            "n": self.course.m.answers().len(),
            "seat": decision.seat,
            "phase": decision.phase(self.game),
            "prompt": decision.prompt(self.game),
            "text": decision.text(self.game),
            "choices": choices
                .iter()
                .enumerate()
                .map(|(index, choice)| choice_value(self.game, index, choice, actions.get(index).copied().flatten()))
                .collect::<Vec<_>>(),
            "pending": pending.iter().map(|decision| decision.seat).collect::<Vec<_>>(),
            "reward": self.reward(decision.seat),
        });
        if let Some((key, observation)) = self.observer.observe(&self.course.m, decision.seat) {
            message[key] = observation;
        }
        let message = self.with_unit(message);
        self.send(&message)
    }

    fn end(&mut self) -> Result<(), Fault> {
        let outcome = self.course.m.outcome();
        let rewards: Vec<Value> = (0..self.course.m.setup().players).map(|seat| self.reward(seat)).collect();
        let message = self.with_unit(json!({ "type": "end", "outcome": outcome, "rewards": rewards }));
        self.send(&message)
    }

    fn reject(&mut self, reason: impl Into<String>) -> Result<Effect, Fault> {
        self.send(&json!({ "type": "reject", "reason": reason.into() }))?;
        Ok(Effect::Unchanged)
    }

    /// The current decisions of the program's seats.
    fn pending(&mut self) -> Vec<Decision> {
        self.course.m.pending().into_iter().filter(|decision| self.seats.is_guest(decision.seat)).collect()
    }

    fn bot(&mut self, decision: Decision) -> Result<(), Fault> {
        let index = self.seats.choose(&self.course.m, decision)?;
        Ok(self.course.answer_as(decision.seat, index)?)
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
            "chance" => self.choose_outcome(value),
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
            "restore" => self.restore(value, words.get("seed")),
            "redeal" => self.redeal(value, words.get("seed")),
            "reset" => self.reset(value),
            "quit" if value == &Value::Bool(true) => Ok(Effect::Quit),
            _ => self.reject(format!("`{name}` takes true")),
        }
    }

    fn choose(&mut self, value: &Value, words: &Map<String, Value>) -> Result<Effect, Fault> {
        let decision = match self.pending_seat(words.get("seat")) {
            Ok(decision) => decision,
            Err(reason) => return self.reject(reason),
        };
        let now = self.course.m.answers().len();
        if let Some(n) = words.get("n")
            && n.as_u64() != u64::try_from(now).ok()
        {
            return self.reject(format!("this is decision {now}, not {n}"));
        }
        let choices = self.course.m.legal_of(decision.seat)?;
        let index = match index_of(&choices, value) {
            Ok(index) => index,
            Err(reason) => return self.reject(reason),
        };
        let before = self.course.keep();
        match self.course.answer_as(decision.seat, index) {
            Ok(()) => {
                self.undo_points.push(Rc::new(before));
                Ok(Effect::Moved)
            }
            Err(error) => self.reject(error.to_string()),
        }
    }

    /// Sends the open draw.
    fn ask_chance(&mut self) -> Result<(), Fault> {
        if let Some(chance) = self.course.open_draw() {
            let message = chance_message(self.game, &self.course.m, chance);
            self.send(&message)?;
        }
        Ok(())
    }

    fn choose_outcome(&mut self, value: &Value) -> Result<Effect, Fault> {
        let Some(outcome) = value.as_u64().and_then(|outcome| u32::try_from(outcome).ok()) else {
            return self.reject("`chance` takes the number of an outcome");
        };
        let before = self.course.keep();
        match self.course.choose_outcome(outcome) {
            Ok(()) => {
                self.undo_points.push(Rc::new(before));
                Ok(Effect::Moved)
            }
            Err(error) => self.reject(error.to_string()),
        }
    }

    /// The decision of the named seat, or else of the seat asked last.
    fn pending_seat(&mut self, seat: Option<&Value>) -> Result<Decision, String> {
        if self.course.open_draw().is_some() {
            return Err(r#"a draw is open: choose an outcome, as in {"chance":1}"#.to_string());
        }
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
        let refusals = match self.course.m.refusals(seat) {
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
        if let Err(error) = self.course.restore(position) {
            return self.reject(error.to_string());
        }
        self.undo_points.truncate(most - steps);
        self.drop_log();
        Ok(Effect::Moved)
    }

    fn observe(&mut self, value: &Value) -> Result<Effect, Fault> {
        let players = self.course.m.setup().players;
        let seat = match value {
            Value::String(all) if all == "all" => None,
            _ => match self.seat(value) {
                Some(seat) => Some(seat),
                None => return self.reject(format!("`observe` takes a seat from 0 to {}, or \"all\"", players - 1)),
            },
        };
        let observation = self.course.m.observe(seat);
        self.send(&json!({ "type": "observation", "seat": seat, "observation": observation }))?;
        Ok(Effect::Unchanged)
    }

    fn history(&mut self, value: &Value, since: Option<&Value>) -> Result<Effect, Fault> {
        let players = self.course.m.setup().players;
        let Some(seat) = self.seat(value) else {
            return self.reject(format!("`history` takes a seat from 0 to {}", players - 1));
        };
        let since = since.map_or(Some(0), |since| since.as_u64().and_then(|since| usize::try_from(since).ok()));
        let Some(since) = since else { return self.reject("`since` takes a number of entries") };
        // Recording begins with the first request, because few programs need it.
        if let Err(error) = self.course.m.record_history() {
            return self.reject(error.to_string());
        }
        let entries: Vec<_> = self.course.m.history(seat).into_iter().flatten().skip(since).collect();
        let key = self.course.m.history_key(seat).map(StateHash);
        let message = json!({ "type": "history", "seat": seat, "since": since, "entries": entries, "key": key });
        self.send(&message)?;
        Ok(Effect::Unchanged)
    }

    fn snapshot(&mut self) -> Result<Effect, Fault> {
        if self.snapshots.len() >= MAX_SNAPSHOTS {
            return self.reject(format!("the limit is {MAX_SNAPSHOTS} snapshots"));
        }
        self.snapshots.push((self.course.keep(), self.undo_points.clone()));
        self.send(&json!({ "type": "snapshot", "snapshot": self.snapshots.len() - 1 }))?;
        Ok(Effect::Unchanged)
    }

    fn restore(&mut self, value: &Value, seed: Option<&Value>) -> Result<Effect, Fault> {
        let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
        let Some((kept, undo_points)) = index.and_then(|index| self.snapshots.get(index)) else {
            return self.reject(format!("there is no snapshot {value}"));
        };
        let seed = match seed.map(|seed| seed.as_u64().ok_or(seed)).transpose() {
            Ok(seed) => seed,
            Err(seed) => return self.reject(format!("`seed` takes a number from 0, not {seed}")),
        };
        if seed.is_some() && self.course.chance.is_some() {
            return self.reject("explicit chance has no seed");
        }
        let before = self.course.keep();
        if let Err(error) = self.course.restore(kept) {
            return self.reject(error.to_string());
        }
        if let Some(seed) = seed
            && let Err(error) = self.course.m.edit().reseed(seed)
        {
            self.course.restore(&before)?;
            return self.reject(error.to_string());
        }
        self.undo_points = undo_points.clone();
        self.drop_log();
        Ok(Effect::Moved)
    }

    /// Redeals all that a seat does not know.
    fn redeal(&mut self, value: &Value, seed: Option<&Value>) -> Result<Effect, Fault> {
        let Some(seat) = self.seat(value) else {
            return self.reject(format!("`redeal` takes a seat from 0 to {}", self.course.m.setup().players - 1));
        };
        let Some(seed) = seed.and_then(Value::as_u64) else {
            return self.reject("`redeal` takes a `seed`: a number from 0");
        };
        let before = self.course.keep();
        match self.course.redeal(seat, seed) {
            Ok(()) => {
                self.undo_points.push(Rc::new(before));
                self.drop_log();
                Ok(Effect::Moved)
            }
            Err(error) => self.reject(error.to_string()),
        }
    }

    /// Begins another match of the same setup.
    fn reset(&mut self, value: &Value) -> Result<Effect, Fault> {
        let seed = match value {
            Value::Bool(true) => self.course.m.setup().seed,
            _ => match value.as_u64() {
                Some(seed) => seed,
                None => return self.reject("`reset` takes true, or the seed of the next match: a number from 0"),
            },
        };
        self.course.restart(seed)?;
        self.seats.reseed(seed);
        self.undo_points.clear();
        self.snapshots.clear();
        self.rewarded.fill(0.0);
        self.start()?;
        Ok(Effect::Moved)
    }

    /// The seat of this number.
    fn seat(&self, value: &Value) -> Option<u8> {
        let players = self.course.m.setup().players;
        value.as_u64().and_then(|seat| u8::try_from(seat).ok()).filter(|&seat| seat < players)
    }

    /// Drops the log lines of a position that the program already knows.
    fn drop_log(&mut self) {
        self.course.m.take_log();
    }
}
