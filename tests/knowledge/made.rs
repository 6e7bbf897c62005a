//! Small random games with zones of every visibility, counters of every holder, faces, sets of players, `show` and
//! simultaneous phases.
//!
//! Their scripts hide random facts, and every answer is judged by a mixture of hidden facts. So any leak to a bot shows
//! in its choice.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The text of a game: content files and scripts.
pub struct GeneratedGame {
    pub content: Vec<(&'static str, String)>,
    pub scripts: Vec<(&'static str, String)>,
    pub players: u8,
}

/// A zone of a generated game.
struct Zone {
    name: &'static str,
    is_player: bool,
    holds: Vec<&'static str>,
    visible: &'static str,
    is_open: bool,
}

const CARDS: &str = "red = { name = \"Red\", copies = 2, warm = true }\nblue = { name = \"Blue\", copies = 2 }\ngreen = { name = \"Green\" }\n";
const SETS: &str = "ox = { name = \"Ox\" }\nowl = { name = \"Owl\", copies = 2 }\n";
const CHIPS: &str = "coin = { name = \"Coin\", copies = 3 }\ngem = { name = \"Gem\", copies = 2 }\n";

/// Generates the game of a seed.
pub fn made(seed: u64) -> GeneratedGame {
    let rng = &mut StdRng::seed_from_u64(seed);
    let players = rng.random_range(2..=3);
    let zones = zones(rng);
    let mut game = format!(
        "name = \"Made\"\nversion = \"1.0.0\"\nplayers = {{ min = {players}, max = {players} }}\nrounds = 3\n\
         seats = [{{ name = \"A\" }}, {{ name = \"B\" }}, {{ name = \"C\" }}]\n[outcome]\nscore = \"points\"\n\
         [counters.points]\nper = \"player\"\n"
    );
    if players == 2 {
        game = game.replace(", { name = \"C\" }", "");
    }
    counters(&mut game, rng);
    for zone in &zones {
        let per = if zone.is_player { "player" } else { "game" };
        let looks = if zone.is_open { "open" } else { "secret" };
        game += &format!(
            "[zones.{}]\nper = \"{per}\"\nholds = {:?}\nvisible = \"{}\"\nlooks = \"{looks}\"\n",
            zone.name, zone.holds, zone.visible
        );
    }
    let shuffle: bool = rng.random();
    game += &format!(
        "[kinds.cards]\nzone = \"stock\"\nshuffle = {shuffle}\nattributes.warm = {{ type = \"boolean\", default = false }}\n[kinds.sets]\nper = \"player\"\nzone = \"purse\"\n[kinds.chips]\ntokens = true\n"
    );
    let repeated = rng.random_range(3..9);
    let hidden: String = (0..repeated).map(|_| format!("    hide(function() {} end)\n", act(rng, &zones))).collect();
    let facts: String = (0..3).map(|_| format!(" + fact(function() return {} end)", fact(rng, &zones))).collect();
    let lib = LIB.to_owned();
    let phases = PHASES.replace("HIDDEN\n", &hidden).replace("FACTS", &facts);
    GeneratedGame {
        content: vec![
            ("game", game),
            ("cards", CARDS.to_owned()),
            ("sets", SETS.to_owned()),
            ("chips", CHIPS.to_owned()),
            ("phases", "[mess]\n[offered]\nturns = \"once\"\nprompt = \"n\"\n[asked]\nturns = \"once\"\n[sealed]\nturns = \"sealed\"\n".to_owned()),
            ("prompts", "[n]\ntext = \"Which?\"\nchoices = \"number\"\n[s]\ntext = \"Which, in secret?\"\nchoices = \"number\"\nsecret = true\n".to_owned()),
            ("texts", "told = \"It is {1}.\"\n".to_owned()),
        ],
        scripts: vec![("lib", lib), ("phases", phases)],
        players,
    }
}

fn zones(rng: &mut StdRng) -> Vec<Zone> {
    let of_game = ["public", "count", "nobody", "face"];
    let of_player = ["public", "owner", "secret", "others", "count", "nobody", "face"];
    let names = [("stock", false), ("bag", false), ("row", false), ("purse", true), ("pocket", true)];
    let zone = |(name, is_player): (&'static str, bool)| {
        let mut holds = vec!["cards"];
        holds.extend(["sets", "chips"].into_iter().filter(|&kind| kind == "sets" && name == "purse" || rng.random()));
        let visible = *(if is_player { of_player.as_slice() } else { &of_game }).choose(rng).unwrap();
        Zone { name, is_player, holds, visible, is_open: rng.random_bool(0.3) }
    };
    names.map(zone).into()
}

fn counters(game: &mut String, rng: &mut StdRng) {
    for (name, per, more) in [
        ("omen", "game", "max = 3"),
        ("plan", "player", "max = 3"),
        ("mark", "cards", "max = 3"),
        ("spent", "sets", "max = 1"),
        ("worth", "chips", "max = 3"),
        ("ore", "board", "max = 3"),
        ("target", "game", "values = \"token\""),
    ] {
        let visible = ["public", "owner", "nobody"].choose(rng).unwrap();
        let visible = if *visible == "owner" && per == "game" { "nobody" } else { visible };
        *game += &format!("[counters.{name}]\nper = \"{per}\"\n{more}\nvisible = \"{visible}\"\n");
        if visible != "public" {
            let dealt = if name == "target" { "range" } else { ["range", "pool"].choose(rng).unwrap() };
            *game += &format!("redeal = \"{dealt}\"\n");
        }
    }
    *game += "[counters.warmth]\nper = \"cards\"\ntells = \"warm\"\n";
    let per = ["game", "player"].choose(rng).unwrap();
    *game += &format!("[grids.board]\nper = \"{per}\"\nshape = \"square\"\ncolumns = 2\nrows = 1\n");
}

/// A zone as arguments: name and owner. Sometimes the script draws the owner.
fn place(rng: &mut StdRng, zones: &[Zone]) -> String {
    let zone = zones.choose(rng).unwrap();
    let holder = match rng.random_range(0..3) {
        _ if !zone.is_player => "game",
        0 => "random_hidden(player_count())",
        1 => "1",
        _ => "2",
    };
    format!("\"{}\", {holder}", zone.name)
}

/// A statement that hides information.
fn act(rng: &mut StdRng, zones: &[Zone]) -> String {
    let from = place(rng, zones);
    let to = place(rng, zones);
    match rng.random_range(0..16) {
        0 => "set(game, \"omen\", random_hidden(4) - 1)".to_owned(),
        1 => "set(random_hidden(player_count()), \"plan\", random_hidden(4) - 1)".to_owned(),
        2 => "local t = tokens(\"cards\")[random_hidden(5)] set(t, \"mark\", random_hidden(4) - 1)".to_owned(),
        3 => "local t = tokens(\"sets\")[random_hidden(6)] set(t, \"spent\", random_hidden(2) - 1)".to_owned(),
        4 => "local t = tokens(\"chips\")[random_hidden(5)] set(t, \"worth\", random_hidden(4) - 1)".to_owned(),
        5 => "set(cells(\"board\", 1)[1], \"ore\", random_hidden(4) - 1)".to_owned(),
        6 => "set(game, \"target\", random_hidden(#tokens(\"cards\")))".to_owned(),
        7 => format!("shuffle({from})"),
        8 => format!("turn_up(some({from}))"),
        9 => format!("show(some({from}), random_hidden(player_count()))"),
        10 => format!("move(tokens(\"chips\")[random_hidden(5)], {to})"),
        11 => format!("for _ = 1, random_hidden(3) do move(top({from}), {to}) end"),
        12 | 13 => format!("tell(some({from}), \"warmth\")"),
        14 => {
            let above = ["nil", "0", "1"][(from.len() + to.len()) % 3];
            format!("move_under(some({from}), {to}, {above})")
        }
        _ => format!("move(some({from}), {to})"),
    }
}

/// A numeric expression that reads hidden information.
fn fact(rng: &mut StdRng, zones: &[Zone]) -> String {
    let at = place(rng, zones);
    match rng.random_range(0..12) {
        0 => "get(game, \"omen\")".to_owned(),
        1 => "get(2, \"plan\")".to_owned(),
        2 => format!("get(top({at}), \"mark\")"),
        3 => format!("if is_up(top({at})) then 1 else 0"),
        4 => format!("if knows(2, top({at})) then 1 else 0"),
        5 => format!("number_of(kind(top({at})), id(top({at})))"),
        6 => format!("if kind(top({at})) == \"cards\" then 1 else 0"),
        7 => "get(game, \"target\")".to_owned(),
        8 => "get(tokens(\"chips\")[1], \"worth\")".to_owned(),
        9 => format!("if zone_of(tokens(\"cards\")[1]) == \"{}\" then 1 else 0", zones.choose(rng).unwrap().name),
        10 => "get(cells(\"board\", 1)[1], \"ore\")".to_owned(),
        _ => format!("count({at})"),
    }
}

const LIB: &str = r#"
local lib = {}

-- Does what can be done.
function lib.hide(act)
    pcall(act)
end

function lib.some(zone, holder)
    return at(zone, random_hidden(count(zone, holder)), holder)
end

function lib.fact(tell)
    local ok, value = pcall(tell)
    return if ok then value else 0
end

return lib
"#;

const PHASES: &str = r#"
local hide, some, fact = lib.hide, lib.some, lib.fact

local function truth()
    return (0 FACTS) % 4 + 1
end

local function judge(player, n)
    if n == truth() then
        gain(player, "points", 1)
    end
end

local function list()
    choice_numbers(1, 4)
end

return {
    mess = { run = function()
HIDDEN
    end },
    offered = { offer = list, act = judge },
    asked = { turn = function(player)
        list()
        judge(player, ask(player, "n"))
    end },
    sealed = { turn = function(player)
        list()
        judge(player, ask(player, "s"))
    end },
}
"#;
