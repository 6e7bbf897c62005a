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

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use motherlode::{Diagnostics, Game, Match, MatchError, Pack, ScriptFault};

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

const PROMPTS: &str = r#"
[pick]
text = "Pick."
labels = { fine = "Fine", attack = "Attack" }

[whom]
text = "Whom?"
choices = "player"
labels = { nobody = "Nobody" }

[sure]
text = "Sure?"
auto = true
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
                let fault = &list[0];
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

/// Plays `act` of a script whose offer lists numbers: `attacks[n](player)` is called for the n-th, each on a line of its own.
fn numbered(attacks: &[String]) -> (Match, Vec<u32>) {
    let mut script = String::from("local attacks = {\n");
    let mut lines = Vec::new();
    for attack in attacks {
        writeln!(script, "    function(player) {attack} end,").unwrap();
        lines.push(script.matches('\n').count() as u32);
    }
    script.push_str(
        r#"}
return {
    act = {
        offer = function() for n = 1, #attacks do choice(n) end choice("fine") end,
        act = function(player, n)
            gain(player, "gold", 1)
            if n ~= "fine" then attacks[n](player) end
        end,
    },
}
"#,
    );
    let game = Game::load(&pack(ACT, &script)).unwrap_or_else(|e| panic!("{e}"));
    let m = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).unwrap();
    (m, lines)
}

/// Every attack ends in an error at its line and leaves no trace; what ends without one is listed.
fn refused(attacks: &[String]) -> (Vec<String>, String) {
    let (mut m, lines) = numbered(attacks);
    let mut through = Vec::new();
    let mut faults = String::new();
    m.set_logging(true);
    for (n, attack) in attacks.iter().enumerate() {
        let before = position(&mut m);
        let snapshot = m.snapshot();
        match m.answer(n) {
            Ok(()) => {
                through.push(attack.clone());
                m.restore(&snapshot).unwrap();
            }
            Err(error) => match script_fault(error) {
                Ok(fault) => {
                    let bad = ["engine/", "panicked", "-2147483648", "out of bounds"];
                    let bad = bad.iter().any(|bad| fault.message.contains(bad) && !attack.contains(bad));
                    if fault.file != SCRIPT || fault.line != lines[n] || bad {
                        writeln!(faults, "{attack}: {}:{}: {}", fault.file, fault.line, fault.message).unwrap();
                    }
                }
                Err(message) => writeln!(faults, "{attack}: {message}").unwrap(),
            },
        }
        if position(&mut m) != before {
            writeln!(faults, "{attack}: left a trace").unwrap();
        }
    }
    m.answer(attacks.len()).unwrap();
    (through, faults)
}

const VALUES: [&str; 15] = [
    "0.5", "0/0", "math.huge", "-math.huge", "9007199254740993", "4294967295", "-1", "-2147483648", "2147483647",
    "\"12\"", "\"0x10\"", "nil", "{}", "true", "pairs",
];

const CALLS: [&str; 57] = [
    "set(player, \"gold\", X)",
    "gain(player, \"gold\", X)",
    "pay(player, \"gold\", X)",
    "set(game, \"clock\", X)",
    "gain(game, \"clock\", X)",
    "set(1, \"ore\", X)",
    "get(X, \"gold\")",
    "get(X, \"mark\")",
    "get(X, \"ore\")",
    "get(player, X)",
    "set(X, \"gold\", 1)",
    "set(player, X, 1)",
    "gain(X, \"gold\", 1)",
    "has(X, \"gold\", 1)",
    "value(\"ore\", X)",
    "value(X, \"gold\")",
    "name_of(\"ore\", X)",
    "option(X)",
    "random(X)",
    "shuffle(X)",
    "shuffle(\"hand\", X)",
    "count(X)",
    "count(\"hand\", X)",
    "top(X)",
    "top(\"hand\", X)",
    "cards(X)",
    "cards(\"hand\", X)",
    "at(X, 1)",
    "move(X, \"pile\")",
    "move(1, X)",
    "move(1, \"hand\", X)",
    "move_under(X, \"pile\")",
    "draw(X, nil, \"pile\")",
    "draw(\"deck\", nil, X)",
    "draw(\"deck\", nil, \"hand\", X)",
    "zone_of(X)",
    "holder_of(X)",
    "is_at(X, \"deck\")",
    "id(X)",
    "kind(X)",
    "owner(X)",
    "attr(1, X)",
    "tokens(X)",
    "def(\"cards\", X, \"cost\")",
    "def(\"cards\", \"red\", X)",
    "number_of(\"cards\", X)",
    "turn_up(X)",
    "is_up(X)",
    "show(1, X)",
    "show(X, 1)",
    "eliminate(X)",
    "pass(X)",
    "do_verb(X, player, {})",
    "longest(X, \"ore\")",
    "choose(X, \"pick\", { 1, 2 })",
    "choose(player, X, { 1, 2 })",
    "log(X)",
];

/// What is no error: a value that is right for the call, or a missing argument that may be missing.
const RIGHT: [&str; 3] = ["gain(player, \"gold\", -1)", "pay(player, \"gold\", -1)", "random(2147483647)"];

#[test]
fn wrong_numbers_and_names_are_refused() {
    let outcome = guarded(|| {
        let mut wrong = String::new();
        for calls in CALLS.chunks(8) {
            let attacks: Vec<String> =
                calls.iter().flat_map(|call| VALUES.iter().map(|value| call.replace('X', value))).collect();
            let (through, faults) = refused(&attacks);
            wrong.push_str(&faults);
            for attack in through.iter().filter(|attack| !RIGHT.contains(&attack.as_str())) {
                writeln!(wrong, "{attack}: went through").unwrap();
            }
        }
        wrong
    });
    assert_eq!(outcome.unwrap(), "");
}

const ACT: &str = "[act]\nname = \"Act\"\nturns = \"around\"\nprompt = \"pick\"\n";

#[test]
fn questions_that_cannot_be_asked() {
    let attacks = [
        ("choose(player, \"pick\", {})", "no choices for prompt `pick`"),
        ("choose(player, \"pick\", 5)", "expected a list of choices"),
        ("choose(player, \"pik\", { 1, 2 })", "no prompt `pik`; did you mean `pick`?"),
        ("choose(0, \"pick\", { 1, 2 })", "no player 0"),
        ("choose(3, \"pick\", { 1, 2 })", "no player 3"),
        ("choose(game, \"pick\", { 1, 2 })", "no player 17"),
        ("choose(player, \"pick\", table.create(5000, 1))", "more than 4095 choices"),
        ("choose(player, \"pick\", { \"fien\", \"fine\" })", "no label `fien`; did you mean `fine`?"),
        ("choose(player, \"pick\", { 1, 1.5 })", "`1.5` is no choice"),
        ("choose(player, \"pick\", { 1, -1 })", "`-1` is no choice"),
        ("choose(player, \"pick\", { 1, 4294967295 })", "`4294967295` is no choice"),
        ("choose(player, \"pick\", { 1, 0 / 0 })", "is no choice"),
        ("choose(player, \"pick\", { 1, true })", "`true` is no choice"),
        ("choose(player, \"pick\", { 1, {} })", "is no choice"),
        ("table.sort({ 2, 1 }, function() return choose(player, \"pick\", { 1, 2 }) == 1 end)", "cannot ask here"),
        ("string.gsub(\"x\", \"x\", function() choose(player, \"pick\", { 1, 2 }) end)", "cannot ask here"),
        ("for n = 1, 5000 do choice(n) end", "more than 4095 choices"),
        ("for _ = 1, 4095 do choice(1) end choice_zone(\"deck\")", "more than 4095 choices"),
        ("for _ = 1, 4095 do choice(1) end choice_cells(\"board\", \"ore\", 0)", "more than 4095 choices"),
        ("error({})", "raised a table in place of a text"),
        ("error()", "raised a nil in place of a text"),
        ("error(7)", "7"),
        ("error(\"of my own\")", "of my own"),
        ("error(\"scripts/hostile/phases.luau:99: lies\", 0)", "lies"),
        ("error(string.rep(\"x\", 1000000))", "xxx"),
        ("assert(false, \"asserted\")", "asserted"),
        ("player.x = 1", "attempt to index number"),
    ];
    let source: Vec<String> = attacks.iter().map(|(attack, _)| (*attack).to_owned()).collect();
    let (through, faults) = refused(&source);
    assert_eq!((through, faults.as_str()), (Vec::new(), ""));
    let (mut m, _) = numbered(&source);
    for (n, (attack, text)) in attacks.iter().enumerate() {
        let error = m.answer(n).unwrap_err().to_string();
        assert!(error.contains(text) && error.len() < 5000, "{attack}: expected `{text}`, got `{error}`");
    }
}

#[test]
fn asking_inside_pcall_is_asking() {
    let attacks = [
        "pcall(function() gain(player, \"gold\", choose(player, \"pick\", { 5, 6 })) end)".to_owned(),
        "for _ = 1, 2000 do choose(player, \"pick\", { 1, 2 }) end".to_owned(),
    ];
    let (mut m, _) = numbered(&attacks);
    m.answer(0).unwrap();
    assert_eq!(m.choices(), [5, 6]);
    m.answer(1).unwrap();
    assert_eq!(m.counter(1, 0), Some(3 + 1 + 6));
    // Too many questions in one hook: the answer that leads to one more is refused.
    m.answer(1).unwrap();
    let mut asked = 0;
    let error = loop {
        match m.answer(0) {
            Ok(()) => asked += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((asked, error.to_string().as_str()), (999, "a hook asked more than 1000 times"));
    let hash = m.state().hash();
    assert!(m.answer(1).is_err());
    assert_eq!((m.state().hash(), m.choices()), (hash, [1, 2].as_slice()));
}

/// Hooks that must not ask, in a pack where that is all they do.
#[test]
fn hooks_that_must_not_ask() {
    let ask = "choose(1, \"pick\", { 1, 2 })";
    for (hook, player) in [("applies", ""), ("order", ""), ("skip", "player"), ("offer", "player")] {
        let offer = if hook == "offer" { String::new() } else { "offer = function() choice(1) end,".to_owned() };
        let script = format!("return {{ act = {{\n    {hook} = function({player}) {ask} end,\n    {offer} act = function() end,\n}} }}");
        for inside in [script.clone(), script.replace(ask, &format!("pcall(function() {ask} end)"))] {
            let game = Game::load(&pack(ACT, &inside)).unwrap();
            let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
            let fault = script_fault(error).unwrap();
            assert_eq!((fault.hook.as_str(), fault.line), (format!("act.{hook}").as_str(), 2), "{fault}");
            assert!(fault.message.contains("must not ask"), "{fault}");
        }
    }
}

/// What hooks return is checked, too.
#[test]
fn wrong_returns() {
    let order = |list: &str| format!("return {{ act = {{\n    order = function()\n        return {list}\n    end,\n    offer = function() choice(1) end, act = function() end,\n}} }}");
    for list in ["{ 3 }", "{ 1, 1 }", "{ 0 }", "{ 1.5 }", "{ \"1\" }", "5", "\"x\"", "true", "pairs", "table.create(5000, 1)"] {
        let game = Game::load(&pack(ACT, &order(list))).unwrap();
        let Err(error) = Match::new(&game, &game.setup(None, &[], 1).unwrap()) else { panic!("{list} is no order") };
        let fault = script_fault(error).unwrap();
        assert_eq!((fault.hook.as_str(), fault.file.as_str()), ("act.order", SCRIPT), "{list}: {fault}");
        assert!(fault.message.contains("order"), "{list}: {fault}");
    }
    let game = Game::load(&pack(ACT, &order("{}"))).unwrap();
    let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("without a decision: does it ever end?") || error.to_string().contains("did not end within"), "{error}");
}

#[test]
fn sealed_hooks_keep_to_their_own() {
    let phases = "[sealed]\nname = \"Sealed\"\nturns = \"sealed\"\n";
    let attacks = [
        ("gain(3 - player, \"gold\", 1)", "counter `gold` of"),
        ("set(game, \"clock\", 1)", "counter `clock`"),
        ("set(1, \"ore\", 1)", "counter `ore`"),
        ("set(1, \"mark\", 1)", "counter `mark`"),
        ("move(top(\"deck\"), \"hand\", player)", "not token Blue"),
        ("move(1, \"hand\", 3 - player)", "not token Red"),
        ("random(6)", "draws no random numbers"),
        ("shuffle(\"hand\", player)", "draws no random numbers"),
        ("end_phase()", "the flow of the game"),
        ("end_game()", "the flow of the game"),
        ("end_after_round()", "the flow of the game"),
        ("eliminate(player)", "the flow of the game"),
        ("pass(player)", "the flow of the game"),
        ("turn_up(1)", "not token Red"),
        ("show(1, player)", "not token Red"),
        ("choose(3 - player, \"pick\", { 1, 2 })", "asks its own player only"),
        ("choose(3, \"pick\", { 1, 2 })", "no player 3"),
        ("error(\"mine\")", "mine"),
        ("while true do end", "spent its budget"),
    ];
    for (attack, text) in attacks {
        let script = format!(
            "return {{ sealed = {{ turn = function(player)\n    if choose(player, \"pick\", {{ \"fine\", \"attack\" }}) == \"attack\" then\n        gain(player, \"gold\", 1)\n        {attack}\n    end\n    gain(player, \"gold\", 1)\nend }} }}"
        );
        let game = Game::load(&pack(phases, &script)).unwrap();
        let mut m = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).unwrap();
        for seat in [1, 0] {
            m.focus(seat).unwrap();
            let before = position(&mut m);
            let fault = script_fault(m.answer(1).unwrap_err()).unwrap();
            assert!(fault.message.contains(text), "{attack}: {fault}");
            assert_eq!((fault.file.as_str(), fault.player), (SCRIPT, Some(i32::from(seat) + 1)), "{attack}");
            assert_eq!(position(&mut m), before, "{attack}");
            assert_eq!(m.round(), 1);
            m.answer_as(seat, 0).unwrap();
        }
        assert_eq!((m.counter(1, 0), m.counter(2, 0), m.round()), (Some(4), Some(4), 2), "{attack}");
    }
}

fn load_fault(script: &str) -> (String, u32, String) {
    let script = script.to_owned();
    let outcome = guarded(move || match Game::load(&pack(ACT, &script)) {
        Ok(_) => ("loaded".to_owned(), 0, String::new()),
        Err(Diagnostics { list, .. }) => {
            assert!(list.len() <= 60, "{} faults", list.len());
            (list[0].code.to_owned(), list[0].line, list[0].message.clone())
        }
    });
    outcome.unwrap()
}

#[test]
fn bombs_for_the_parser() {
    let full = 64 << 10;
    for (part, end) in [("(", ""), ("{", ""), ("-", "1"), ("not ", "1"), ("a.", "b"), ("a(", ""), ("if 1 then ", ""), ("function a() ", ""), ("a..", "b"), ("f\"\"", ""), ("`{", ""), ("[[", ""), ("--[[", ""), ("1+", "1"), ("1^", "1"), ("a,", "b"), ("do ", ""), ("local a ", ""), ("return {", ""), ("\n", ""), ("a=1;", ""), ("local function x() end ", "")] {
        let bomb = format!("return {}{end}", part.repeat(full / part.len() - 10));
        let (code, line, message) = load_fault(&bomb);
        assert!(code != "loaded" && line >= 1 && !message.is_empty(), "{part}: {code} {message}");
        let bomb = format!("{}{end}", part.repeat(full / part.len() - 10));
        let (code, _, _) = load_fault(&bomb);
        assert_ne!(code, "loaded", "{part}");
    }
}

#[test]
fn files_that_are_no_scripts() {
    let (code, _, message) = load_fault("\u{1b}Lua\u{0}\u{1}\u{2}");
    assert_eq!(code, "script", "{message}");
    let (code, _, message) = load_fault("\u{6}\u{3}\u{0}\u{0}\u{0}");
    assert_eq!(code, "script", "{message}");
    let (code, line, message) = load_fault("local x = 1\n");
    assert_eq!((code.as_str(), line, message.as_str()), ("script", 1, "a script returns a table"));
    assert_eq!(load_fault("\n\nreturn 5").1, 3);
    assert_eq!(load_fault("return { act = { act = 5 } }").0, "script");
    assert_eq!(load_fault("return { act = { [1] = function() end } }").0, "script");
    assert_eq!(load_fault("return { [{}] = {} }").0, "script");
    assert_eq!(load_fault("return { atc = {} }").2, "no phase `atc` is declared");
    let many = "local t = {} for i = 1, 300000 do t[\"k\" .. i] = 1 end return t";
    assert_eq!(load_fault(many).0, "script");
    let many = "local t = {} for i = 1, 300000 do t[\"k\" .. i] = print end return { act = t }";
    assert_ne!(load_fault(many).0, "loaded");
    let (code, _, message) = load_fault("choose(1, \"pick\", { 1, 2 })\nreturn {}");
    assert_eq!(code, "script", "{message}");
    let (code, _, message) = load_fault("choice(1)\nset(1, \"gold\", 1000)\nreturn {}");
    assert_eq!((code.as_str(), message.as_str()), ("script", "counter `gold` cannot go above 100, it would be 1000"));
    // Faults in strange places of a pack's own making.
    let (code, line, _) = load_fault("return {}\n--[[ never ends");
    assert_eq!((code.as_str(), line), ("script", 2));
}

/// Addresses and hash order would make two runs differ.
#[test]
fn nothing_differs_from_run_to_run() {
    let attacks = [
        "string.format(\"%s\", {})",
        "string.format(\"%*\", pairs)",
        "local _ = `{({})}`",
        "(\"%s\"):format(player == 1 and {} or {})",
    ];
    let attacks: Vec<String> = attacks.iter().map(|a| (*a).to_owned()).collect();
    assert_eq!(refused(&attacks), (Vec::new(), String::new()));
    let harmless = [
        "assert(tostring({}) == \"table\" and tostring(pairs) == \"function\")".to_owned(),
        "assert(tostring(1) == \"1\" and tostring(nil) == \"nil\" and `{1} {true}` == \"1 true\")".to_owned(),
    ];
    assert_eq!(refused(&harmless).0.len(), 2);
}

/// A file on disk is as good as one in memory, and larger ones are not even read.
#[test]
fn files_that_are_too_large() {
    let root = tempfile::tempdir().unwrap();
    for (folder, file, text) in [("content", "game.toml", GAME), ("content", "phases.toml", ACT)] {
        std::fs::create_dir_all(root.path().join(folder).join("hostile")).unwrap();
        std::fs::write(root.path().join(folder).join("hostile").join(file), text).unwrap();
    }
    let scripts = root.path().join("scripts").join("hostile");
    std::fs::create_dir_all(&scripts).unwrap();
    std::fs::write(scripts.join("phases.luau"), "-".repeat((64 << 10) + 1)).unwrap();
    let pack = Pack::open(root.path(), "hostile").unwrap();
    let faults = Game::load(&pack).unwrap_err();
    assert!(faults.list.iter().any(|f| f.code == "too-large" && f.file == SCRIPT), "{faults}");
    // The same from memory: the limit belongs to the game, not to the disk.
    let script = format!("return {{}} --{}", "-".repeat(1 << 20));
    assert_ne!(load_fault(&script).0, "loaded");
    let line = format!("local x = {}1 return {{}}", "1 + ".repeat(10_000));
    assert_ne!(load_fault(&line).0, "loaded");
}

/// A VM without memory is replaced; options, transcript and limits stay.
#[test]
fn an_exhausted_match_goes_on() {
    let (mut m, _) = numbered(&["string.rep(\"x\", 1000000000)".into(), "gain(player, \"gold\", option(\"limit\")) log(\"line\", 1, 2, 3, 4, 1)".into()]);
    m.set_logging(true);
    m.limits_mut().steps = 1_000_000;
    for _ in 0..3 {
        assert!(m.answer(0).unwrap_err().to_string().contains("ran out of memory"));
        m.answer(1).unwrap();
        assert!(m.take_log().iter().any(|line| line == "Line 1 Bob Red a2 gold."), "the transcript goes on");
        assert_eq!(m.limits_mut().steps, 1_000_000);
    }
    let mut fork = m.fork().unwrap();
    assert!(fork.answer(0).is_err());
    fork.answer(1).unwrap();
    assert!(m.answer(0).is_err());
    m.answer(1).unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
    m.restart(&m.setup().clone()).unwrap();
    assert!(m.answer(0).is_err());
    m.restart(&m.setup().clone()).unwrap();
    m.answer(1).unwrap();
}

/// Many cheap hooks in a row are as endless as one.
#[test]
fn hooks_without_a_decision_end() {
    let game = Game::load(&pack("[act]\nname = \"Act\"\nturns = \"around\"\n", "return { act = { turn = function() end } }")).unwrap();
    let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("hooks ran in phase `act` without a decision"), "{error}");
    let heavy = "return { act = { turn = function() for _ = 1, 1000000 do end end } }";
    let game = Game::load(&pack("[act]\nname = \"Act\"\nturns = \"around\"\n", heavy)).unwrap();
    let start = Instant::now();
    let error = Match::new(&game, &game.setup(None, &[], 1).unwrap()).map(|_| ()).unwrap_err();
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(error.to_string().contains("without a decision") || error.to_string().contains("spent its budget"), "{error}");
}
