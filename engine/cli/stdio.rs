//! `lode stdio`: a seat for a program in any language, one JSON object a line.

use std::io::{BufRead, Read, Write};
use std::rc::Rc;

use motherlode::{Choice, Chosen, Decision, Game, Match, Setup, Snapshot};
use serde_json::{Map, Value, json};

use crate::balance::seated;
use crate::fault::Fault;
use crate::paint;
use crate::project::{self, GlobalArgs, nearest};
use crate::seats::Seats;
use crate::setup::{SetupArgs, fresh_seed};

/// What `lode stdio --help` says.
pub const HELP: &str = r#"Be a seat from another program: one JSON object a line on the standard streams.

The engine writes
  {"type":"start","protocol":2,"game","name","engine","fingerprint","mods":[{"id","version","fingerprint"}],
   "setup":{"players","options","seed"},"seats":[{"seat","name","kind"}]}
  {"type":"decision","n","seat","phase","prompt","text","choices":[{"i","id","label",...}],"pending":[seats],"observation":{...}}
  {"type":"log","text"}                        a line of the transcript; with "seat" if that seat alone may read it
  {"type":"observation","seat","observation"}  the answer to observe; seat null is the whole state
  {"type":"snapshot","snapshot":K}             the answer to snapshot
  {"type":"reject","reason"}                   the line could not be used; the decision stands
  {"type":"end","outcome":{"scores","ranks","reason","rounds"}}    with "teams" (a number a seat) if there are teams, and
                                               with "won":true or false in a cooperative game: all ranks are then 1 or 2
  {"type":"error","reason"}                    the match cannot go on

The program writes
  {"choose":3}             choice number i of the decision, or its id: {"choose":"label:raid"}
  {"choose":3,"seat":2}    for another seat in "pending": in a simultaneous phase, and where several players are asked at once
  {"choose":3,"n":17}      only if this is still decision n
  {"ask":2}                asks the decision of another seat in "pending" in place of this one
  {"undo":1}               back by so many answers of the program's seats; the decision is asked again
  {"observe":0}            what this seat may know; {"observe":"all"}: everything by names
  {"snapshot":true}        keeps this position; {"restore":K} goes back to it and asks again
  {"quit":true}            ends at once, like the end of input

A choice has a number "i" and an "id" that is the same in every run and with every seed:
  "label:raid"             a label of the prompt
  "definition:barn"      something that is not a token; with "definition":"barn"
  "token:tools.drill@shop" a token by kind, id and zone (with ".2" behind it: of player 2); with "definition":"drill","token":7.
                           Behind it in brackets, if it applies: [of=2,face=up,load=3], whose set it belongs to, its face and
                           those of its counters that are seen and not 0. Equal copies in a zone have the same id: either will do
  "place:row#3"            a token that the seat cannot identify, by its place from the bottom ("place:hand.2#3": of player 2's
                           hand); with "zone":"row","place":3 and, if it is a player's, "seat":1
  "cell:b3"                a cell of the board; with "cell":"b3". On the board of a player: "cell:b3.2", and with "seat":1
  "player:2"               a player, from 1 as in texts; with "seat":1
  "number:7"               a number; with "number":7
A new protocol number means that messages have changed in a way that may break a program.

An observation is what its "seat" may know (null: everything):
  {"seat","round","phase","player","game":{counters},"players":[{"seat","name","in","counters":{...},"zones":{...}}],
   "zones":{name:{"count","tokens":[ids from the bottom],"numbers":[...],"up":[...],"backs":[...],"shown":[[seats]],
   "marks":{place:{counters}},"known":[ids]}},"tokens":{number:{counters}},"gone":[ids],"supply":{kind:number},
   "watched":[{"tokens":[ids],"places":[places]}],
   "turns":{"order":[seats],"at":place in the order,"passed":[seats],"repeated","idle","next":seat,"last"},
   "grids":{name:{"cells":{cell:{counters}}}}}    a list of such boards, one a seat, if every player has one
  Empty lists and tables are left out, except "count" and "tokens". "backs" are kinds of hidden tokens ("sets.2": of player 2's
  set), "shown" seats to which a token was shown, "marks" public counters of hidden tokens that are not as at the start, "known"
  tokens that the seat knows to be where it cannot count, "gone" tokens that have left the game, "supply" tokens that have not
  come into play, "watched" hidden tokens that have these places in any order ("hand.2#1"; "?" is any place that the seat
  cannot count, "-" is no zone).
  "player" is the seat whose turn it is. null is what the seat cannot see. A counter is a number, the name of its value (also
  of a cell or the id of a token, "none" for none), or {"seat":1} if it means a player ({"seat":null}: nobody). The members
  of a family of counters or zones stand in a table: "raw":{"gold":1,"iron":0}. What does not exist in this setup is absent,
  and so is what is internal, except from what "observe":"all" shows.

Seats count from 0, rounds and players in texts and ids from 1. A line is at most 1 MiB long. After the end of the match the
program may still observe, undo and restore, until it quits or closes its output."#;

/// Number of the protocol: one more whenever messages change in a way that may break a program.
const PROTOCOL: u32 = 2;

/// Longest line that is read, in bytes.
const LONGEST_LINE: usize = 1 << 20;

/// Most positions that are kept for a program.
const MOST_SNAPSHOTS: usize = 4096;

/// Words that a line may carry.
const COMMANDS: [&str; 7] = ["choose", "ask", "undo", "observe", "snapshot", "restore", "quit"];

/// Play from another program: a line protocol in JSON
#[derive(Debug, clap::Args)]
#[command(long_about = HELP)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    #[command(flatten)]
    setup: SetupArgs,
    /// Who sits where: program, or a bot (see --bots of `lode sim`); seats left out are random [default: all program]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
}

/// Plays one match with the program at the other end.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let setup = args.setup.setup(&game, fresh_seed())?;
    let all = vec!["program"; usize::from(setup.players)].join(",");
    let seats = seated(global, &game, args.seats.as_deref().unwrap_or(&all))?;
    let seats = Seats::new(&seats, "program", &game, &setup)?;
    let ended = play(&game, &setup, seats, out);
    // Whatever ends the match early, the program is told.
    if let Err(fault) = &ended
        && let Some(reason) = fault.reason()
    {
        writeln!(out, "{}", json!({ "type": "error", "reason": reason }))?;
        out.flush()?;
    }
    ended
}

fn play(game: &Game, setup: &Setup, seats: Seats, out: &mut dyn Write) -> Result<(), Fault> {
    let played = Match::telling(game, setup)?;
    let mut lines = Lines { input: std::io::stdin().lock() };
    Session { game, played, seats, answered: Vec::new(), kept: Vec::new(), asked: Value::Null, out }.play(&mut lines)
}

struct Session<'a> {
    game: &'a Game,
    played: Match,
    seats: Seats,
    /// The position before each answer of the program.
    answered: Vec<Rc<Snapshot>>,
    /// Positions kept at the program's wish, each with the number of its answers then.
    kept: Vec<(Snapshot, Vec<Rc<Snapshot>>)>,
    /// The seat that was asked last.
    asked: Value,
    out: &'a mut dyn Write,
}

/// What follows a line.
enum Next {
    /// The same decision stands; nothing is said about it.
    Stands,
    /// The position is another one.
    Moved,
    /// The program leaves.
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
                    Next::Stands => {}
                    Next::Moved => break,
                    Next::Quit => return Ok(()),
                }
            }
        }
    }

    fn say(&mut self, message: &Value) -> Result<(), Fault> {
        // In one piece: piece by piece, a large message would pass all that guards a terminal many thousand times.
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
        });
        self.say(&message)
    }

    fn log(&mut self) -> Result<(), Fault> {
        for line in self.played.take_log() {
            match (line.seat().filter(|&seat| self.seats.is_guest(seat)), line.public()) {
                (Some(seat), _) => self.say(&json!({ "type": "log", "text": line.text(), "seat": seat }))?,
                (None, Some(text)) => self.say(&json!({ "type": "log", "text": text }))?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn ask(&mut self, decision: Decision) -> Result<(), Fault> {
        let pending = self.pending();
        let choices = self.played.legal_of(decision.seat)?;
        self.asked = decision.seat.into();
        let message = json!({
            "type": "decision",
            "n": self.played.answers().len(),
            "seat": decision.seat,
            "phase": decision.phase(self.game),
            "prompt": decision.prompt(self.game),
            "text": decision.text(self.game),
            "choices": choices.iter().enumerate().map(|(index, choice)| self.choice(index, choice)).collect::<Vec<_>>(),
            "pending": pending.iter().map(|decision| decision.seat).collect::<Vec<_>>(),
            "observation": self.played.observe(Some(decision.seat)),
        });
        self.say(&message)
    }

    /// A choice as it is offered.
    fn choice(&self, index: usize, choice: &Choice) -> Value {
        let mut value = json!({ "i": index, "id": choice.key(), "label": choice.label });
        let id = |definition: usize| self.game.declarations().definitions[definition].id.as_str();
        match choice.what {
            Chosen::Label => {}
            Chosen::Definition { definition } => value["definition"] = id(definition).into(),
            Chosen::Token { token, definition } => {
                value["definition"] = id(definition).into();
                value["token"] = token.into();
            }
            Chosen::Hidden { zone, seat, place } => {
                if let Some((name, _)) = zone.and_then(|zone| self.game.declarations().zones.get_index(zone)) {
                    value["zone"] = name.as_str().into();
                    value["place"] = place.into();
                }
                if let Some(seat) = seat {
                    value["seat"] = seat.into();
                }
            }
            Chosen::Cell { seat, .. } => {
                value["cell"] = choice.id.as_str().into();
                if let Some(seat) = seat {
                    value["seat"] = seat.into();
                }
            }
            Chosen::Player { seat } => value["seat"] = seat.into(),
            Chosen::Number(number) => value["number"] = number.into(),
        }
        value
    }

    fn end(&mut self) -> Result<(), Fault> {
        let outcome = self.played.outcome();
        self.say(&json!({ "type": "end", "outcome": outcome }))
    }

    fn reject(&mut self, reason: impl Into<String>) -> Result<Next, Fault> {
        self.say(&json!({ "type": "reject", "reason": reason.into() }))?;
        Ok(Next::Stands)
    }

    /// Decisions of the program's seats that may be answered now.
    fn pending(&mut self) -> Vec<Decision> {
        self.played.pending().into_iter().filter(|decision| self.seats.is_guest(decision.seat)).collect()
    }

    fn bot(&mut self, decision: Decision) -> Result<(), Fault> {
        let index = self.seats.choose(&self.played, decision)?;
        Ok(self.played.answer(index)?)
    }

    /// Reads a line and does what it says.
    fn line(&mut self, lines: &mut Lines<impl BufRead>) -> Result<Next, Fault> {
        let line = match lines.next()? {
            Line::End => return Ok(Next::Quit),
            Line::TooLong => return self.reject(format!("the line is longer than {LONGEST_LINE} bytes")),
            Line::Text(line) => line,
        };
        let Ok(line) = std::str::from_utf8(&line) else { return self.reject("the line is not UTF-8") };
        if line.trim().is_empty() {
            return self.reject(r#"the line is empty; answer with {"choose":0}"#);
        }
        let words = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(words)) => words,
            Ok(_) => return self.reject(r#"a line is a JSON object, such as {"choose":0}"#),
            Err(error) => return self.reject(format!("the line is not valid JSON: {error}")),
        };
        match command(&words) {
            Ok((name, value)) => self.obey(name, value, &words),
            Err(reason) => self.reject(reason),
        }
    }

    fn obey(&mut self, name: &str, value: &Value, words: &Map<String, Value>) -> Result<Next, Fault> {
        match name {
            "choose" => self.choose(value, words),
            "ask" => match self.pending_seat(Some(value)) {
                Ok(decision) => {
                    self.ask(decision)?;
                    Ok(Next::Stands)
                }
                Err(reason) => self.reject(reason),
            },
            "undo" => self.undo(value),
            "observe" => self.observe(value),
            "snapshot" if value == &Value::Bool(true) => self.snapshot(),
            "restore" => self.restore(value),
            "quit" if value == &Value::Bool(true) => Ok(Next::Quit),
            _ => self.reject(format!("`{name}` takes true")),
        }
    }

    fn choose(&mut self, value: &Value, words: &Map<String, Value>) -> Result<Next, Fault> {
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
                self.answered.push(Rc::new(before));
                Ok(Next::Moved)
            }
            Err(error) => self.reject(error.to_string()),
        }
    }

    /// The decision of a seat that was named, or else the one that was asked last.
    fn pending_seat(&mut self, seat: Option<&Value>) -> Result<Decision, String> {
        let pending = self.pending();
        if pending.is_empty() {
            return Err("the match is over".to_string());
        }
        let seat = seat.unwrap_or(&self.asked);
        let found = pending.iter().find(|decision| seat.as_u64() == Some(u64::from(decision.seat)));
        found.copied().ok_or_else(|| {
            let seats: Vec<String> = pending.iter().map(|decision| decision.seat.to_string()).collect();
            format!("seat {seat} has nothing to decide now, only {}", seats.join(", "))
        })
    }

    fn undo(&mut self, value: &Value) -> Result<Next, Fault> {
        let steps = value.as_u64().and_then(|steps| usize::try_from(steps).ok());
        let (steps, most) = match (steps, self.answered.len()) {
            (None | Some(0), _) => return self.reject("`undo` takes a number of answers from 1"),
            (Some(steps), most) => (steps, most),
        };
        if steps > most {
            return self.reject(match most {
                0 => "there is nothing to undo".to_owned(),
                _ => format!("only {} can be undone", crate::paint::plural(most, "answer")),
            });
        }
        let position = &self.answered[most - steps];
        if let Err(error) = self.played.restore(position) {
            return self.reject(error.to_string());
        }
        self.answered.truncate(most - steps);
        self.forget();
        Ok(Next::Moved)
    }

    fn observe(&mut self, value: &Value) -> Result<Next, Fault> {
        let players = self.played.setup().players;
        let seat = match value {
            Value::String(all) if all == "all" => None,
            _ => match value.as_u64().and_then(|seat| u8::try_from(seat).ok()).filter(|&seat| seat < players) {
                Some(seat) => Some(seat),
                None => return self.reject(format!("`observe` takes a seat from 0 to {}, or \"all\"", players - 1)),
            },
        };
        let observation = self.played.observe(seat);
        self.say(&json!({ "type": "observation", "seat": seat, "observation": observation }))?;
        Ok(Next::Stands)
    }

    fn snapshot(&mut self) -> Result<Next, Fault> {
        if self.kept.len() >= MOST_SNAPSHOTS {
            return self.reject(format!("no more than {MOST_SNAPSHOTS} snapshots are kept"));
        }
        self.kept.push((self.played.snapshot(), self.answered.clone()));
        self.say(&json!({ "type": "snapshot", "snapshot": self.kept.len() - 1 }))?;
        Ok(Next::Stands)
    }

    fn restore(&mut self, value: &Value) -> Result<Next, Fault> {
        let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
        let Some((position, answered)) = index.and_then(|index| self.kept.get(index)) else {
            return self.reject(format!("there is no snapshot {value}"));
        };
        if let Err(error) = self.played.restore(position) {
            return self.reject(error.to_string());
        }
        self.answered = answered.clone();
        self.forget();
        Ok(Next::Moved)
    }

    /// Coming to a position again is not news.
    fn forget(&mut self) {
        self.played.take_log();
    }
}

/// The command of a line and its argument.
fn command(words: &Map<String, Value>) -> Result<(&'static str, &Value), String> {
    let mut found = COMMANDS.iter().filter_map(|name| Some((*name, words.get(*name)?)));
    let first = found.next();
    if let Some(unknown) =
        words.keys().find(|key| !COMMANDS.contains(&key.as_str()) && !["seat", "n"].contains(&key.as_str()))
    {
        let hint =
            nearest(unknown, COMMANDS).map_or_else(|| COMMANDS.join(", "), |near| format!("did you mean `{near}`?"));
        return Err(format!("unknown word `{unknown}`; {hint}"));
    }
    match (first, found.next()) {
        (Some(("choose", value)), None) => Ok(("choose", value)),
        (Some((name, value)), None) if words.len() == 1 => Ok((name, value)),
        (Some((name, _)), None) => Err(format!("`seat` and `n` go with `choose`, not with `{name}`")),
        (Some((one, _)), Some((other, _))) => Err(format!("`{one}` and `{other}` are two lines")),
        (None, _) => Err(format!("a line needs one of {}", COMMANDS.join(", "))),
    }
}

/// The index of a choice given by its number or its id.
fn index_of(choices: &[Choice], value: &Value) -> Result<usize, String> {
    let last = choices.len().saturating_sub(1);
    match value {
        Value::String(id) => choices.iter().position(|choice| choice.key() == id).ok_or_else(|| {
            // Or the name alone, without what sort of choice it is.
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

    /// Passes over the rest of a line without keeping it.
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
