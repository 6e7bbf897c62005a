use std::fs;
use std::path::{Path, PathBuf};

use motherlode_fixtures::copy;
use serde_json::Value;

use super::program::{Run, lode, packs, run};
use crate::shipped::SHIPPED;

/// An editable copy of the test games.
pub fn workshop() -> tempfile::TempDir {
    let own = tempfile::tempdir().unwrap();
    copy(&packs(), own.path(), &["content", "scripts", "tests"]);
    own
}

fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn every_file(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(every_file(&path));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path, bytes));
        }
    }
    found.sort();
    found
}

#[test]
fn show_draws_every_deck_with_its_curve() {
    lode(&["show", "harvest"])
        .code(0)
        .says("Seeds")
        .says("2 definitions, 4 tokens")
        .says("content/harvest/seeds.toml")
        .says("wheat");
    lode(&["show", "harvest", "seeds"]).code(0).says("Rye");
}

#[test]
fn every_shipped_game_can_be_shown() {
    for id in SHIPPED {
        let text = run(&shipped(), &["show", id], b"").code(0);
        let data = run(&shipped(), &["show", id, "--format", "json"], b"").code(0);
        let decks: Value = serde_json::from_str(&data.out).unwrap();
        for deck in decks.as_array().unwrap() {
            for card in deck["cards"].as_array().unwrap() {
                assert!(text.out.contains(card["id"].as_str().unwrap()), "{card}");
                let (file, line) = (card["place"]["file"].as_str().unwrap(), card["place"]["line"].as_u64().unwrap());
                let file = fs::read_to_string(shipped().join(file)).unwrap();
                let line = file.lines().nth(usize::try_from(line).unwrap() - 1).unwrap();
                assert!(line.contains(card["id"].as_str().unwrap()) || line.starts_with("product"), "{line}");
            }
        }
    }
}

/// Checks that each line fits the terminal. Every character in these games is one column wide.
#[track_caller]
fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn decks_and_cards_fit_the_terminal_and_cut_no_words() {
    for id in SHIPPED {
        let decks = run(&shipped(), &["show", id], b"").code(0);
        fits(&decks.out);
        for definition in &crate::shipped::load(&shipped(), id).declarations().definitions {
            assert!(decks.out.contains(&definition.name), "{}", definition.name);
        }
    }
    let card = run(&shipped(), &["show", "imperial_miners", "forum"], b"").code(0);
    fits(&card.out);
    card.says("scripts/imperial_miners/mine_level_3.luau:").says(" first     function ").says(" default");
}

#[test]
fn a_card_is_shown_with_its_definition_and_its_function() {
    let own = tempfile::tempdir().unwrap();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    fs::create_dir_all(own.path().join("content")).unwrap();
    fs::create_dir_all(own.path().join("scripts")).unwrap();
    lode(&["new", "game", "mine"]).code(0);
    lode(&["show", "mine", "toll"])
        .code(0)
        .says("cards.toll")
        .says("content/mine/cards.toml:9")
        .says("Pay half of your coins")
        .says("scripts/mine/cards.luau:3");
    lode(&["show", "mine", "cards.nugget"]).code(0).says("gain 2 coins  mine   cards.toml:7");
    let data = lode(&["show", "mine", "toll", "--format", "json"]).code(0);
    let data: Value = serde_json::from_str(&data.out).unwrap();
    assert_eq!(data[0]["functions"]["play"]["line"], 3);
    assert_eq!(data[0]["place"]["line"], 9);
    lode(&["show", "mine", "tol"]).code(2).complains("did you mean `toll`?");
    lode(&["show", "mine", "card.toll"]).code(2).complains("did you mean `cards`?");
}

fn lode_in(folder: &Path, arguments: &[&str]) -> Run {
    run(folder, arguments, b"")
}

#[test]
fn a_new_game_is_checked_played_and_tested() {
    let own = workshop();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    lode(&["new", "game", "gold_rush"]).code(0).says("created content/gold_rush/game.toml");
    lode(&["check", "gold_rush"]).code(0).says("gold_rush: ok");
    lode(&["test", "gold_rush"]).code(0).says("4 passed");
    lode(&["sim", "gold_rush", "--games", "20"]).code(0);
    lode(&["rules", "gold_rush", "G-2"]).code(0).says("discard it");
    let before = every_file(own.path());
    lode(&["new", "game", "gold_rush"]).code(2).complains("there is already a game `gold_rush`");
    lode(&["new", "game", "Gold"]).code(2).complains("snake_case");
    assert_eq!(before, every_file(own.path()));
}

#[test]
fn everything_new_passes_the_check_and_touches_nothing_else() {
    let own = workshop();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    lode(&["new", "game", "mine"]).code(0);
    let old = |path: &str| fs::read_to_string(own.path().join(path)).unwrap();
    let (cards, phases, script) =
        (old("content/mine/cards.toml"), old("content/mine/phases.toml"), old("scripts/mine/phases.luau"));
    lode(&["new", "card", "mine", "cards", "pickaxe"])
        .code(0)
        .says("added to content/mine/cards.toml")
        .says("`pickaxe` starts in `deck` with 1 copy; it does nothing yet");
    assert!(old("content/mine/cards.toml").starts_with(&cards));
    lode(&["new", "card", "mine", "cards", "lamp", "--script"]).code(0).says("added to scripts/mine/cards.luau");
    lode(&["new", "kind", "mine", "events"]).code(0).says("created content/mine/events.toml");
    lode(&["new", "definition", "mine", "events", "flood"]).code(0);
    lode(&["new", "phase", "mine", "evening"]).code(0);
    assert!(old("content/mine/phases.toml").starts_with(&phases));
    let rest = script.trim_end().strip_suffix('}').unwrap();
    assert!(old("scripts/mine/phases.luau").starts_with(rest), "existing text stays");
    lode(&["new", "verb", "mine", "dig"]).code(0).says("created content/mine/verbs.toml");
    lode(&["new", "verb", "mine", "dig_deeper"]).code(0).says("added to content/mine/verbs.toml");
    lode(&["check", "mine"]).code(0);
    lode(&["test", "mine"]).code(0).says("4 passed");
    lode(&["show", "mine", "lamp"]).code(0).says("scripts/mine/cards.luau:");
}

#[test]
fn new_refuses_existing_items_and_changes_nothing() {
    let own = workshop();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    let before = every_file(own.path());
    lode(&["new", "card", "harvest", "seeds", "rye"]).code(2).complains("there is already a definition of seeds `rye`");
    lode(&["new", "card", "harvest", "sedes", "oat"]).code(2).complains("did you mean `seeds`?");
    lode(&["new", "card", "harvest", "seeds", "oat", "--script"]).code(2).complains("declares no hooks");
    lode(&["new", "kind", "harvest", "seeds"]).code(2).complains("already");
    lode(&["new", "phase", "harvest", "deal"]).code(2).complains("already");
    lode(&["new", "verb", "harvest", "gain"]).code(2).complains("already");
    lode(&["new", "verb", "harvest", "Dig"]).code(2).complains("snake_case");
    lode(&["new", "card", "harvest", "seeds", "oat", "--dry-run"])
        .code(0)
        .says("would add to content/harvest/seeds.toml")
        .says("+ [oat]");
    assert_eq!(before, every_file(own.path()));
}

#[test]
fn new_refuses_invalid_names_first() {
    let own = workshop();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    // `new` does not check the game itself, so a broken game does not stop it.
    fs::write(own.path().join("content/harvest/game.toml"), "name = ").unwrap();
    let before = every_file(own.path());
    let refuse = |arguments: &[&str], name: &str, why: &str| {
        let refused = lode(&[&["new"], arguments].concat()).code(2);
        let message = format!("cannot have the name `{name}`, which {why}: choose another name");
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
        refused.complains(&message);
    };
    for noun in ["phase", "verb", "kind"] {
        refuse(&[noun, "harvest", "end"], "end", "is a keyword of Luau");
    }
    refuse(&["card", "harvest", "seeds", "repeat"], "repeat", "is a keyword of Luau");
    refuse(&["seed", "harvest", "nil"], "nil", "is a keyword of Luau");
    for name in ["game", "phases", "prompts", "texts", "verbs"] {
        refuse(&["kind", "harvest", name], name, &format!("is reserved by the engine for the file `{name}.toml`"));
    }
    refuse(&["kind", "harvest", "lib"], "lib", "is reserved by the engine for the script `lib.luau`");
    refuse(&["kind", "harvest", "player"], "player", "is reserved by the engine for a type of values");
    refuse(&["kind", "harvest", "nul"], "nul", "names a device on Windows");
    for name in ["con", "nul", "aux", "prn", "com1"] {
        refuse(&["game", name], name, "names a device on Windows");
        refuse(&["mod", name, "--game", "harvest"], name, "names a device on Windows");
    }
    refuse(&["game", "then"], "then", "is a keyword of Luau");
    refuse(&["game", "mods"], "mods", "is reserved by the engine for a folder");
    assert_eq!(before, every_file(own.path()));
}

/// Kinds with exactly one definition for each board place or piece: the scripts refuse more.
const COMPLETE: [&str; 5] =
    ["atacama.hexagon_rows", "krysis.crystals", "miners_lagoon.cubes", "miners_lagoon.minerals", "miners_lagoon.spots"];

/// An editable copy of the shipped games.
fn games() -> tempfile::TempDir {
    let own = tempfile::tempdir().unwrap();
    copy(&shipped(), own.path(), &["content", "scripts"]);
    own
}

#[test]
fn new_cards_fit_every_kind_of_every_shipped_game() {
    let own = games();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    for id in SHIPPED {
        let game = crate::shipped::load(own.path(), id);
        for (kind, declared) in &game.declarations().kinds {
            if COMPLETE.contains(&format!("{id}.{kind}").as_str()) {
                let before = every_file(own.path());
                lode(&["new", "card", id, kind, &format!("new_{kind}")]).code(1).complains("error[script]");
                assert_eq!(before, every_file(own.path()), "nothing is written that cannot be played");
                continue;
            }
            lode(&["new", "card", id, kind, &format!("new_{kind}")]).code(0).says(&format!("content/{id}/{kind}.toml"));
            if !declared.hooks.is_empty() {
                lode(&["new", "card", id, kind, &format!("newer_{kind}"), "--script"]).code(0);
            }
        }
        lode(&["new", "phase", id, "brand_new"]).code(0);
        lode(&["new", "verb", id, "brand_new"]).code(0);
        lode(&["check", id]).code(0);
    }
}

#[test]
fn games_are_played_with_a_new_card_of_every_kind() {
    for id in SHIPPED {
        let own = games();
        let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
        let game = crate::shipped::load(own.path(), id);
        for kind in game.declarations().kinds.keys() {
            if !COMPLETE.contains(&format!("{id}.{kind}").as_str()) {
                lode(&["new", "card", id, kind, &format!("new_{kind}")]).code(0);
            }
        }
        let players = &game.declarations().players;
        for players in players.min..=players.max {
            lode(&["sim", id, "--games", "20", "--seed", "1", "--players", &players.to_string()]).code(0);
        }
    }
}

#[test]
fn a_kind_accepts_its_singular_name() {
    let own = games();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    let dry = |arguments: &[&str]| lode(&[&["new"], arguments, &["--dry-run"]].concat()).code(0).out;
    let pump = dry(&["equipment", "miners_lagoon", "steam_pump"]);
    assert_eq!(pump, dry(&["card", "miners_lagoon", "equipment", "steam_pump"]));
    for line in [
        "cost = 3                                 # a whole number, 0 to 20",
        "# plain = false                          # Has no effect (L-148): true or false",
        "# operate = [\"discard_deal\", { gain = { money = 2 } }]",
    ] {
        assert!(pump.contains(line), "{line}\n{pump}");
    }
    assert!(dry(&["gallery", "miners_lagoon", "wide"]).contains("content/miners_lagoon/galleries.toml"));
    assert!(dry(&["event", "imperial_miners", "rain"]).contains("content/imperial_miners/events.toml"));
    lode(&["new", "equipmnt", "miners_lagoon", "x"])
        .code(2)
        .complains("did you mean `equipment`?")
        .complains("  galleries     Galleries");
    lode(&["new", "crad", "photon", "x"]).code(2).complains("did you mean `card`?");
    lode(&["new", "vreb"]).code(2).complains("is not one of game, mod, kind, card, phase, verb; did you mean `verb`?");
    for (noun, near) in [("gaem", "game"), ("crad", "card")] {
        lode(&["new", noun, "x"]).code(2).complains(&format!("did you mean `{near}`?"));
    }
    lode(&["new", "crad", "photon", "cards", "x"]).code(2).complains("did you mean `card`?");
    lode(&["new", "equipment", "miners_lagoon"])
        .code(2)
        .complains("ID is missing: use `lode new equipment [OPTIONS] <GAME> <ID>`");
    lode(&["new", "equipment", "miners_lagoon", "x", "--scrpt"])
        .code(2)
        .complains("`lode new equipment` has no option `--scrpt`; did you mean `--script`?");
    lode(&["new", "equipment", "nowhere", "x"]).code(2).complains("there is no game `nowhere`");
}

#[test]
fn schemas_and_types_leave_existing_files_alone() {
    let own = workshop();
    let lode = |arguments: &[&str]| lode_in(own.path(), arguments);
    let printed = lode(&["schema", "harvest"]).code(0);
    let printed: Value = serde_json::from_str(&printed.out).unwrap();
    let counters = &printed["harvest"]["game.toml"]["properties"]["outcome"]["properties"]["score"];
    assert_eq!(counters["enum"], serde_json::json!(["corn", "bid", "plot"]));
    lode(&["schema", "harvest", "--out", "editor"]).code(0).says("editor/harvest/seeds.schema.json");
    let types = fs::read_to_string(own.path().join("editor/lode.d.luau")).unwrap();
    assert!(types.contains("export type Zone = \"deck\" | \"hand\""), "{types}");
    assert!(types.contains("(holder: Holder, counter: Counter) -> number"), "{types}");
    let settings = fs::read_to_string(own.path().join("editor/taplo.toml")).unwrap();
    assert!(settings.contains("path = \"editor/harvest/seeds.schema.json\""), "{settings}");
    lode(&["schema", "harvest", "--out", "editor"]).code(0);
    fs::write(own.path().join("editor/taplo.toml"), "mine").unwrap();
    lode(&["schema", "harvest", "--out", "editor"]).code(2).complains("was not made by `lode schema`");
    assert_eq!(fs::read_to_string(own.path().join("editor/taplo.toml")).unwrap(), "mine");
    lode(&["schema", "--install"]).code(0).says(".editor/harvest/seeds.schema.json").says(".vscode/settings.json");
    let settings = fs::read_to_string(own.path().join(".taplo.toml")).unwrap();
    assert!(settings.contains("path = \".editor/harvest/seeds.patch.schema.json\""), "{settings}");
    let types = fs::read_to_string(own.path().join(".editor/lode.d.luau")).unwrap();
    assert!(types.contains("export type Script_harvest_phases = "), "{types}");
    let whole = fs::read_to_string(own.path().join(".editor/harvest/seeds.schema.json")).unwrap();
    let patch = fs::read_to_string(own.path().join(".editor/harvest/seeds.patch.schema.json")).unwrap();
    assert!(whole.contains("\"required\"") && !patch.contains("\"required\""), "{patch}");
}
