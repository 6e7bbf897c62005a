//! Hostile scripts: each attack ends in a clean error that names its place, or the game goes on. A refused answer changes nothing.
//!
//! `fixtures/hostile/*/*.luau` holds one attack per file, in folders by target. `fixture.rs` documents the file format. The tests try
//! each attack in every place for mod code (`place.rs`), in native and in interpreted matches (`suite.rs`), and with
//! every command that runs scripts (`commands.rs`).
//!
//! A test run tries a seeded sample. `LODE_HOSTILE=all cargo test --test tests hostile::suite
//! hostile::commands -- --nocapture` tries everything, enforces [`LIMIT`] and prints the slowest cases.
//! `LODE_HOSTILE=loops/` tries the fixtures whose path contains `loops/`.

mod budgets;
mod calls;
mod commands;
mod events;
mod fixture;
mod loading;
mod meter;
mod place;
mod suite;

use std::fmt::Write as _;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use motherlode::{Diagnostics, Game, Match, MatchError, Pack, ScriptFault, Severity};

/// Stack size of worker threads. Parsers and patterns recurse in C++.
const STACK: usize = 8 << 20;
/// Maximum time of one attack, on a slow and busy machine without optimisation.
const PATIENCE: Duration = Duration::from_secs(30);
/// Maximum processor time of one attack, beyond the game's own. Only a run by hand measures this.
const LIMIT: Duration = Duration::from_secs(2);

const GAME: &str = r#"
name = "Hostile"
version = "1.0.0"
text = "A game with one of everything."
players = { min = 2, max = 3, default = 2 }
rounds = 4

[[seats]]
name = "Ada"
[[seats]]
name = "Bob"
[[seats]]
name = "Cy"

[options.context]
text = "Where the attack runs"
default = "wrap"
values = { act = "In act", turn = "In a turn", sealed = "In a sealed turn", run = "In run", offer = "In offer", skip = "In skip", order = "In order", can = "Where a verb can act", verb = "In a verb", lib = "In a shared function", wrap = "Around a function" }

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

[counters.armed]
text = "Armed"
per = "game"
max = 1

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

/// One phase for each hook place, after a phase that asks whether to attack there. The first three ask for themselves.
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

[gate]
name = "Gate"
turns = "once"
prompt = "pick"

[run]
name = "Run"

[offer]
name = "Offer"
turns = "once"
prompt = "pick"

[skip]
name = "Skip"
turns = "once"

[order]
name = "Order"
turns = "once"

[can]
name = "Can"

[verb]
name = "Verb"

[lib]
name = "Lib"

[wrap]
name = "Wrap"
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

/// Hooks around `attack`: a good and a bad choice in every context.
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
local function both()
    choice("fine")
    choice("attack")
end
local function armed() return has(game, "armed", 1) end
local function at(place)
    return function() return option("context") == place end
end
return {
    act = {
        applies = at("act"),
        offer = both,
        act = function(player, x)
            gain(player, "gold", 1)
            if x == "attack" then attack(player) end
        end,
    },
    turn = { applies = at("turn"), turn = pick },
    sealed = { applies = at("sealed"), turn = pick },
    gate = {
        order = function()
            local all = players()
            return { all[1 + round() % #all] }
        end,
        offer = both,
        act = function(player, x) set(game, "armed", if x == "attack" then 1 else 0) end,
    },
    run = { applies = at("run"), run = function() if armed() then return attack(1) end end },
    offer = {
        applies = at("offer"),
        offer = function(player)
            both()
            if armed() then return attack(player) end
        end,
        act = function() end,
    },
    skip = {
        applies = at("skip"),
        skip = function(player)
            if armed() then return attack(player) end
            return true
        end,
        turn = function() end,
    },
    order = {
        applies = at("order"),
        order = function()
            if armed() then return attack(1) or {} end
            return {}
        end,
        turn = function() end,
    },
    can = { applies = at("can"), run = function() if armed() then can_do("dig", 1, {}) end end },
    verb = { applies = at("verb"), run = function() if armed() then do_verb("strike", 1, {}) end end },
    lib = { applies = at("lib"), run = function() if armed() then return lib.attack(1) end end },
    wrap = { applies = at("wrap"), run = function() end },
}
"#;

const SCRIPT: &str = "scripts/hostile/phases.luau";

fn pack(phases: &str, script: &str) -> Pack {
    let content = [("game", GAME), ("cards", CARDS), ("phases", phases), ("prompts", PROMPTS), ("texts", TEXTS)];
    motherlode_fixtures::pack("hostile", &content, &[("phases", script)])
}

/// The script fault of an error, or the reason why the error is none.
fn script_fault(error: MatchError) -> Result<ScriptFault, String> {
    match error {
        MatchError::Script(fault) => Ok(*fault),
        other => Err(format!("not a script's error: {other:?}")),
    }
}

/// All state that a refused answer must leave unchanged.
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

/// Runs work on its own stack; `Err` if it panics or does not end.
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
