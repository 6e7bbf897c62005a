//! Hostile scripts: each ends in a clean error that names its place, and the match goes on as if it had not been.
//!
//! `fixtures/hostile/*.luau` holds one attack a file, the body of a function. Its first lines say what it is:
//!
//! ```text
//! -- An endless loop.                  what it does
//! -- expect: spent its budget of       part of the error's text; `|` between texts of which one is there
//! -- in: act turn                      contexts; without this line: act, turn, sealed and load
//! -- line: 5                           line of the error, or `4 to 7`, or `any`
//! -- line load: 1                      the same while the script loads
//! ```
//!
//! The contexts: `act` of an offer, a `turn` that is a coroutine, a sealed turn, a function called while the script loads, and
//! the top of the script itself.

mod calls;
mod loading;
mod meter;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use motherlode::{Diagnostics, Game, Match, MatchError, Pack, ScriptFault, Severity};

/// Worker threads get this much, because parsers and patterns recurse in C++.
const STACK: usize = 8 << 20;
/// No attack may take longer, on a slow and busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(30);
/// What is worth a line in the test's output.
const SLOW: Duration = Duration::from_secs(1);

const GAME: &str = r#"
name = "Hostile"
version = "1.0.0"
text = "A game with one of everything."
players = { min = 2, max = 3, default = 2 }

[[seats]]
name = "Ada"
[[seats]]
name = "Bob"
[[seats]]
name = "Cy"

[options.context]
text = "Where the attack runs"
default = "act"
values = { act = "In act", turn = "In a turn", sealed = "In a sealed turn" }

[options.limit]
text = "A number"
default = 4
min = 1
max = 9

[counters.gold]
text = "Gold"
per = "player"
start = 3
max = 100

[counters.clock]
text = "Clock"
per = "game"
max = 2000000000

[counters.mark]
text = "Mark"
per = "cards"

[counters.ore]
text = "Ore"
per = "board"
values = ["none", "gold", "silver"]

[counters.field]
text = "Field"
per = "own"

[zones.deck]
text = "Deck"
per = "game"
holds = "cards"
visible = "count"
reshuffle = "pile"

[zones.pile]
text = "Pile"
per = "game"
holds = "cards"

[zones.hand]
text = "Hand"
per = "player"
holds = "cards"
visible = "owner"
size = 3

[grids.board]
text = "Board"
shape = "square"
columns = 3
rows = 3

[grids.own]
text = "Own"
shape = "hex"
side = 2
per = "player"

[kinds.cards]
text = "Cards"
zone = "deck"
[kinds.cards.attributes]
cost = { type = "integer", max = 9, default = 1 }
list = { type = "list", of = "integer" }
gives = { type = "amounts", values = ["gold"] }
[kinds.cards.hooks]
operate = ["player"]

[outcome]
score = "gold"
"#;

const CARDS: &str = r#"
[red]
name = "Red"
copies = 3
list = [1, 2]
gives = { gold = 1 }
operate = [{ gain = { gold = 1 } }]

[blue]
name = "Blue"
copies = 2
list = []
gives = {}
"#;

const PHASES: &str = r#"
[act]
name = "Act"
turns = "around"
prompt = "pick"

[turn]
name = "Turn"
turns = "around"

[sealed]
name = "Sealed"
turns = "sealed"
"#;

const ACT: &str = "[act]\nname = \"Act\"\nturns = \"around\"\nprompt = \"pick\"\n";

const PROMPTS: &str = r#"
[pick]
text = "Pick."
auto = false
labels = { fine = "Fine", attack = "Attack" }

[whom]
text = "Whom?"
auto = false
choices = "player"
labels = { nobody = "Nobody" }

[sure]
text = "Sure?"
labels = { yes = "Yes" }
"#;

const TEXTS: &str = "line = \"Line {1} {2:player} {3:token} {4:cell board} {5:counter ore}.\"\n";

/// Hooks around `attack`: a good choice and a bad one in every context.
const HOOKS: &str = r#"
local function pick(player)
    local n = #players()
    if choose(player, "pick", { "fine", "attack" }) == "attack" then
        gain(player, "gold", n)
        attack(player)
    else
        gain(player, "gold", 1)
    end
end
return {
    act = {
        applies = function() return option("context") == "act" end,
        offer = function() choice("fine") choice("attack") end,
        act = function(player, x)
            gain(player, "gold", 1)
            if x == "attack" then attack(player) end
        end,
    },
    turn = {
        applies = function() return option("context") == "turn" end,
        turn = pick,
    },
    sealed = {
        applies = function() return option("context") == "sealed" end,
        turn = pick,
    },
}
"#;

const SCRIPT: &str = "scripts/hostile/phases.luau";

fn pack(phases: &str, script: &str) -> Pack {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    Pack::from_files(
        "hostile",
        [
            file("content/hostile/game.toml", GAME),
            file("content/hostile/cards.toml", CARDS),
            file("content/hostile/phases.toml", phases),
            file("content/hostile/prompts.toml", PROMPTS),
            file("content/hostile/texts.toml", TEXTS),
            file(SCRIPT, script),
        ],
    )
}

/// The error of the script, or the reason why this is none.
fn script_fault(error: MatchError) -> Result<ScriptFault, String> {
    match error {
        MatchError::Script(fault) => Ok(*fault),
        other => Err(format!("not a script's error: {other:?}")),
    }
}

/// Everything that must be as it was after a refused answer.
fn position(m: &mut Match) -> String {
    let pending = m.pending();
    format!(
        "{:?} {pending:?} {:?} {} {:?} {:?} {:?}",
        m.decision(),
        m.choices(),
        m.state().hash(),
        m.answers(),
        m.round(),
        m.observe(None)
    )
}

/// Runs something with a stack of its own; `Err` if it panicked or did not end.
fn guarded<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    let (send, receive) = mpsc::channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let _ = send.send(work());
    });
    thread.map_err(|e| e.to_string())?;
    match receive.recv_timeout(PATIENCE) {
        Ok(value) => Ok(value),
        Err(mpsc::RecvTimeoutError::Timeout) => Err("did not end".into()),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("panicked".into()),
    }
}

struct Attack {
    name: String,
    source: String,
    contexts: Vec<String>,
}

impl Attack {
    fn read(path: &Path) -> Self {
        let source = std::fs::read_to_string(path).unwrap();
        let head = |key: &str| {
            let key = format!("-- {key}: ");
            source.lines().find_map(|line| line.strip_prefix(&key)).map(str::to_owned)
        };
        let contexts = head("in").unwrap_or_else(|| "act turn sealed load".into());
        Self {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            contexts: contexts.split(' ').map(str::to_owned).collect(),
            source,
        }
    }

    /// What a line of the head says in this context.
    fn head(&self, key: &str, context: &str) -> &str {
        let find = |key: &str| self.source.lines().find_map(|line| line.strip_prefix("-- ")?.strip_prefix(key));
        let own = find(&format!("{key} {context}: "));
        own.or_else(|| find(&format!("{key}: "))).expect("a fixture says what it expects, and at what line")
    }

    fn judge(&self, context: &str, file: &str, line: u32, message: &str) -> Result<(), String> {
        let expected = self.head("expect", context);
        if !expected.split('|').any(|text| message.contains(text)) {
            return Err(format!("expected `{expected}`, got `{message}` at {file}:{line}"));
        }
        let wanted = self.head("line", context);
        let (first, last) = wanted.split_once(" to ").unwrap_or((wanted, wanted));
        let fits = wanted == "any" || (first.parse::<u32>().unwrap()..=last.parse().unwrap()).contains(&line);
        if file != SCRIPT || !fits {
            return Err(format!("expected line {wanted} of {SCRIPT}, got {file}:{line}: {message}"));
        }
        Ok(())
    }

    fn run(&self, context: &str) -> Result<(), String> {
        match context {
            "load" => self.load(&format!("local function attack(player) {}\nend\nattack(1)\nreturn {{}}", self.source)),
            "top" => self.load(&self.source),
            _ => self.play(context),
        }
    }

    fn load(&self, script: &str) -> Result<(), String> {
        let context = if script == self.source { "top" } else { "load" };
        match Game::load(&pack(PHASES, script)) {
            Ok(_) => Err("the script loaded".into()),
            Err(Diagnostics { list, .. }) => {
                let fault = list.iter().find(|fault| fault.severity == Severity::Error).unwrap_or(&list[0]);
                self.judge(context, &fault.file, fault.line, &fault.message)
            }
        }
    }

    /// Attacks twice, goes on with a good choice in between, and plays on to the next seat's decision.
    fn play(&self, context: &str) -> Result<(), String> {
        let script = format!("local function attack(player) {}\nend{HOOKS}", self.source);
        let game = Game::load(&pack(PHASES, &script)).map_err(|d| d.to_string())?;
        let setup = game.setup(Some(2), &[("context".into(), context.into())], 7).unwrap();
        let mut m = Match::new(&game, &setup).map_err(|e| e.to_string())?;
        m.set_logging(true);
        let harmless = self.head("expect", context) == "nothing";
        for turn in 0..3 {
            let before = position(&mut m);
            let snapshot = m.snapshot();
            let seat = m.decision().ok_or("there is no decision")?.seat;
            let start = Instant::now();
            let outcome = m.answer(1);
            if start.elapsed() > SLOW {
                println!("slow: {} in {context} took {:?}", self.name, start.elapsed());
            }
            match outcome {
                Ok(()) if harmless => m.restore(&snapshot).map_err(|e| format!("restore: {e}"))?,
                Ok(()) => return Err("the attack went through".into()),
                Err(_) if harmless => return Err("a harmless script failed".into()),
                Err(error) => {
                    let fault = script_fault(error)?;
                    self.judge(context, &fault.file, fault.line, &fault.message)?;
                    let hook = if context == "act" { "act" } else { "turn" };
                    if fault.hook != format!("{context}.{hook}") || fault.player != Some(i32::from(seat) + 1) {
                        return Err(format!("wrong hook or player: {fault:?}"));
                    }
                }
            }
            let after = position(&mut m);
            if after != before {
                return Err(format!("turn {turn}: the attack left a trace:\n{before}\n{after}"));
            }
            m.restore(&snapshot).map_err(|e| format!("restore: {e}"))?;
            m.answer(0).map_err(|e| format!("turn {turn}: the good choice after the attack: {e}"))?;
        }
        Ok(())
    }
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/hostile"));
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    assert!(all.len() > 100, "the fixtures are there");
    all
}

/// Runs one of four parts of the fixtures, so that they share the cores.
fn part(n: usize) {
    let mut faults = String::new();
    let only = std::env::var("HOSTILE").unwrap_or_default();
    for path in fixtures().iter().skip(n).step_by(4) {
        let attack = Attack::read(path);
        if !attack.name.contains(&only) {
            continue;
        }
        let name = attack.name.clone();
        for context in attack.contexts.clone() {
            let attack = Attack::read(path);
            let inside = context.clone();
            if let Err(message) = guarded(move || attack.run(&inside)).and_then(|outcome| outcome) {
                writeln!(faults, "{name} in {context}: {message}").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn attacks_end_in_clean_errors_1() {
    part(0);
}

#[test]
fn attacks_end_in_clean_errors_2() {
    part(1);
}

#[test]
fn attacks_end_in_clean_errors_3() {
    part(2);
}

#[test]
fn attacks_end_in_clean_errors_4() {
    part(3);
}
