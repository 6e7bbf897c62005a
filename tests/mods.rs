//! Example mods of `tests/mods/`: each is checked, tested and played, alone and together. Replays and reports name the mods.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::{Game, Line, Match, Mod, Pack, Replay};
use motherlode_check::check;
use motherlode_fixtures::{mod_of, pack};
use motherlode_play::Simulation;
use motherlode_play::rule_test::{TestFiles, TestFilter, TestResult};

use crate::conservation::{check_crystals, check_relics};
use crate::imperial_miners;
use crate::lagoon::Table;
use crate::shipped::{Player, load, load_modded, root};

fn folder() -> PathBuf {
    root().join("tests/mods")
}

/// Ids of all example mods.
fn ids() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut ids: Vec<String> = entries.collect();
    ids.sort();
    ids
}

fn open(id: &str) -> Mod {
    Mod::open(&folder().join(id)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// A mod with its dependencies.
fn with_needs(id: &str) -> Vec<Mod> {
    match id {
        "cheap_watchtowers" => vec![open("watchtowers"), open(id)],
        _ => vec![open(id)],
    }
}

fn game(id: &str, mods: Vec<Mod>) -> Game {
    let pack = Pack::with_mods(root(), id, mods).unwrap_or_else(|faults| panic!("{faults}"));
    let checked = check(&pack).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(checked.warnings.is_empty(), "{id}: {}", checked.warnings);
    checked.game
}

/// Plays a whole match with random answers.
fn play(game: &Game, seed: u64) -> Match {
    played_by(game, None, seed)
}

fn played_by(game: &Game, players: Option<u8>, seed: u64) -> Match {
    let mut m = Match::new(game, &game.setup(players, &[], seed).unwrap()).unwrap();
    let mut player = Player::new(seed);
    while m.decision().is_some() {
        player.step(&mut m);
    }
    m
}

/// Zips a folder including the folder itself, as people do.
pub fn zip(folder: &Path, to: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(to).unwrap());
    add(&mut zip, folder, folder.file_name().unwrap().to_str().unwrap());
    zip.finish().unwrap();
}

fn add(zip: &mut zip::ZipWriter<fs::File>, folder: &Path, name: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{name}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            add(zip, &path, &name);
        } else {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(&fs::read(&path).unwrap()).unwrap();
        }
    }
}

#[test]
fn a_zip_of_an_example_plays_the_same_match() {
    let own = tempfile::tempdir().unwrap();
    for id in ids() {
        let zips: Vec<Mod> = with_needs(&id)
            .iter()
            .map(|one| {
                let to = own.path().join(format!("{}.zip", one.id()));
                zip(&folder().join(one.id()), &to);
                Mod::open(&to).unwrap_or_else(|faults| panic!("{faults}"))
            })
            .collect();
        let of = zips[0].game().to_owned();
        let (one, other) = (game(&of, with_needs(&id)), game(&of, zips));
        assert_eq!((one.mods(), one.fingerprint()), (other.mods(), other.fingerprint()), "{id}");
        let file = |game: &Game| serde_json::to_vec(&Replay::record(&play(game, 11))).unwrap();
        assert_eq!(file(&one), file(&other), "{id}");
    }
}

#[test]
fn every_example_mod_loads_and_plays() {
    assert!(ids().len() >= 9, "{:?}", ids());
    for id in ids() {
        let mods = with_needs(&id);
        let game = game(mods[0].game(), mods.clone());
        let players = &game.declarations().players;
        for players in players.min..=players.max {
            for seed in 0..10 {
                let m = played_by(&game, Some(players), seed);
                assert!(m.outcome().is_some(), "{id}, {players} players, seed {seed}");
            }
        }
    }
}

/// Plays whole random games for all numbers of players and passes every position with a label.
fn positions(game: &Game, mut look: impl FnMut(&Match, &[i32], &str)) {
    let players = &game.declarations().players;
    for players in players.min..=players.max {
        for seed in 0..6 {
            let mut m = Match::new(game, &game.setup(Some(players), &[], seed).unwrap()).unwrap();
            let (mut player, mut step, tokens) = (Player::new(seed), 0, Table(&m).tokens());
            while !m.is_over() {
                player.step(&mut m);
                step += 1;
                look(&m, &tokens, &format!("{players} players, seed {seed}, step {step}"));
            }
        }
    }
}

#[test]
fn games_with_mods_conserve_their_tokens() {
    let lagoon = game("miners_lagoon", vec![open("steam_dredge")]);
    positions(&lagoon, |m, tokens, what| Table(m).check(tokens, what));
    let krysis = game("krysis", vec![open("heavy_hands")]);
    positions(&krysis, |m, _, what| {
        check_crystals(m, false, what);
        check_relics(m, what);
    });
    let miners = game("imperial_miners", vec![open("phoenicians")]);
    positions(&miners, |m, _, what| {
        if m.is_over() || what.ends_with('0') {
            imperial_miners::check_table(m, 136 + 23, what);
        }
    });
    imperial_miners::cards_say_what_their_verbs_say(miners.declarations());
}

#[test]
fn the_cards_of_the_mods_come_into_play() {
    let told = |id: &str, of: &str, wanted: &[&str]| {
        let game = game(of, vec![open(id)]);
        let mut missing: Vec<&str> = wanted.to_vec();
        for seed in 0..200 {
            let mut m = Match::new(&game, &game.setup(None, &[], seed).unwrap()).unwrap();
            m.set_logging(true);
            let mut player = Player::new(seed);
            while !m.is_over() {
                player.step(&mut m);
            }
            let log = m.take_log();
            let lines: Vec<&str> = log.iter().filter_map(Line::public).collect();
            missing.retain(|words| !lines.iter().any(|line| line.contains(words)));
            if missing.is_empty() {
                return;
            }
        }
        panic!("{id}: nobody reads {missing:?} in 200 games");
    };
    let dredge =
        ["set a miner to the Tide Mill", "set a miner to the Salvage Raft", "bring up one gold from the lagoon"];
    told("steam_dredge", "miners_lagoon", &dredge);
    let market = ["activates Grand Market", "activates Pledge House", "activates Amphora Store"];
    told("phoenicians", "imperial_miners", &market);
}

#[test]
fn the_rule_tests_of_every_example_mod_pass() {
    for id in ids() {
        let mods = with_needs(&id);
        let own = mods.last().unwrap().clone();
        let game = game(own.game(), mods);
        assert!(!own.tests().is_empty(), "{id} has no rule tests");
        let results = TestFiles::of(own.tests().to_vec()).run(&game, TestFilter::All);
        let failed: Vec<&TestResult> = results.iter().filter(|result| !result.passed).collect();
        assert!(!results.is_empty() && failed.is_empty(), "{id}: {failed:#?}");
    }
}

#[test]
fn all_mods_of_a_game_combine_in_any_order() {
    let mods: Vec<Mod> = ids().iter().map(|id| open(id)).filter(|one| one.game() == "photon").collect();
    let one = game("photon", mods.clone());
    let other = game("photon", mods.into_iter().rev().collect());
    let names: Vec<String> = one.mods().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["dear_mines 1.1.0", "lucky_strike 1.0.0", "watchtowers 1.0.0", "cheap_watchtowers 0.2.0"]);
    assert_eq!((one.mods(), one.fingerprint()), (other.mods(), other.fingerprint()));
    assert_eq!(play(&one, 7).state().hash(), play(&other, 7).state().hash());
    assert_ne!(one.fingerprint(), load(root(), "photon").fingerprint());
}

#[test]
fn replays_and_reports_name_the_mods() {
    let plain = load(root(), "photon");
    let modded = game("photon", vec![open("lucky_strike")]);
    let file = tempfile::NamedTempFile::new().unwrap();
    Replay::record(&play(&modded, 3)).save(file.path()).unwrap();
    let replay = Replay::load(file.path()).unwrap();
    assert_eq!(replay.mods, modded.mods());
    replay.verify(&modded).unwrap();
    let error = replay.verify(&plain).unwrap_err().to_string();
    assert_eq!(
        error,
        "the match was played with the mods lucky_strike 1.0.0, not without mods: `lucky_strike` is missing"
    );
    let without = Replay::record(&play(&plain, 3));
    assert!(!serde_json::to_string(&without).unwrap().contains("mods"), "a match without mods is recorded as ever");
    let error = without.verify(&modded).unwrap_err().to_string();
    assert_eq!(
        error,
        "the match was played without mods, not with the mods lucky_strike 1.0.0: `lucky_strike` was not active"
    );
    let setup = modded.setup(None, &[], 1).unwrap();
    let report = Simulation { games: 50, threads: 2, ..Simulation::new(&modded, setup) }.run(|_| {}).unwrap();
    assert_eq!((report.mods.as_slice(), report.finished), (modded.mods(), 50));
}

/// The command-line path of an example mod.
pub fn example(id: &str) -> String {
    Path::new("tests/mods").join(id).display().to_string()
}

/// A space of Imperial Miners that triggers itself, through `again` or by moving on, ends in an error that names the
/// place. The match is unchanged.
#[test]
fn spaces_that_trigger_themselves_end_in_an_error() {
    let boards = {
        let game = load(root(), "imperial_miners");
        let d = game.declarations();
        let boards: Vec<(String, usize)> = d.definitions
            [d.kinds["boards"].first..d.kinds["boards"].first + d.kinds["boards"].len]
            .iter()
            .map(|board| (board.id.clone(), board.verbs.len()))
            .collect();
        boards
    };
    for verb in ["again = {}", "advance = { n = 9 }"] {
        let mut content = String::new();
        for (board, spaces) in &boards {
            content += &format!("[{board}]\nspace = [{}]\n", vec![format!("[{{ {verb} }}]"); *spaces].join(", "));
        }
        let loops = mod_of("loops", "imperial_miners", &[("boards", &content)], &[]);
        let game = load_modded(root(), "imperial_miners", vec![loops]);
        let mut failed = 0;
        for seed in 0..20 {
            let mut m = Match::new(&game, &game.setup(Some(2), &[], seed).unwrap()).unwrap();
            for step in 0.. {
                let (hash, choices) = (m.state().hash(), m.choices().to_vec());
                if m.decision().is_none() {
                    break;
                }
                let Err(error) = m.answer((seed as usize * 31 + step * 17) % choices.len()) else { continue };
                let error = error.to_string();
                assert!(error.contains("spent its budget") || error.contains("stack overflow"), "{verb}: {error}");
                assert!(error.contains("scripts/imperial_miners/"), "{verb}: {error}");
                assert_eq!((m.state().hash(), m.choices()), (hash, choices.as_slice()), "as it was");
                failed += 1;
                break;
            }
        }
        assert!(failed > 0, "{verb}: no match came to such a space");
    }
}

const COUNTING: &str = "name = \"Counting\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 1 }\nseats = [{ name = \"A\" }]\n\
    outcome = { score = \"gold\" }\n[counters.gold]\nper = \"player\"\n";

/// A game whose `lib.luau` calls its own functions: directly, through a table, and in a function that it stores.
const COUNTING_LIB: &str = "local tools = {}\n\
    local function step(n) return n + 1 end\n\
    function tools.twice(n) return step(step(n)) end\n\
    local function far(n) return tools.twice(tools.twice(n)) end\n\
    local function down(n) return if n <= 0 then 0 else 1 + down(n - 1) end\n\
    return { step = step, twice = tools.twice, far = far, down = down }\n";

fn counting(expression: &str, mods: &[(&str, &str)]) -> i32 {
    counting_with(&[("lib", COUNTING_LIB)], expression, mods)
}

/// The result of an expression in a game with these files of `lib`.
fn counting_with(lib: &[(&str, &str)], expression: &str, mods: &[(&str, &str)]) -> i32 {
    let run = format!("return {{ go = {{ run = function() set(1, \"gold\", {expression}) end_game() end }} }}");
    let content = [("game", COUNTING), ("phases", "[go]\n")];
    let scripts = [&[("phases", run.as_str())], lib].concat();
    let mods = mods.iter().map(|(id, lib)| mod_of(id, "counting", &[], &[("lib", lib)]));
    let pack = pack("counting", &content, &scripts).over(mods.collect());
    let game = Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"));
    let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    m.outcome().unwrap().scores[0]
}

/// Files of the folder `lib` call one another: they, too, run the functions of mods.
#[test]
fn callers_in_other_files_of_lib_run_the_functions_of_mods() {
    let lib = [
        ("lib/far", "return { far = function(n) return lib.step(lib.step(n)) end }"),
        ("lib/step", "return { step = function(n) return n + 1 end }"),
        ("lib/then", "local step = lib.step return { kept = function(n) return step(n) end }"),
    ];
    let ten = "return { step = wrap(function(step, n) return step(n) + 10 end) }";
    assert_eq!(counting_with(&lib, "lib.far(0)", &[]), 2);
    assert_eq!(counting_with(&lib, "lib.far(0)", &[("ten", ten)]), 22, "looked up");
    assert_eq!(counting_with(&lib, "lib.kept(0)", &[("ten", ten)]), 11, "kept in a variable");
}

/// Functions of `lib.luau` are bound late: callers inside the file run the functions of mods, too.
#[test]
fn callers_inside_lib_run_the_functions_of_mods() {
    assert_eq!(counting("lib.far(0)", &[]), 4);
    let ten = "return { step = wrap(function(step, n) return step(n) + 10 end) }";
    assert_eq!(counting("lib.step(0)", &[("ten", ten)]), 11);
    assert_eq!(counting("lib.far(0)", &[("ten", ten)]), 44, "a wrap, seen through two callers");
    let none = "return { step = replace(function(n) return n end) }";
    assert_eq!(counting("lib.far(7)", &[("none", none)]), 7, "a replacement");
    let twice = "return { twice = wrap(function(twice, n) return twice(n) * 2 end) }";
    assert_eq!(counting("lib.far(0)", &[("twice", twice)]), 12, "a field of a table: (0 + 2) * 2 = 4, (4 + 2) * 2");
    assert_eq!(counting("lib.far(0)", &[("ten", ten), ("twice", twice)]), 132, "two mods");
    assert_eq!(counting("lib.far(0)", &[("twice", twice), ("ten", ten)]), 132, "in the other order");
    let down = "return { down = wrap(function(down, n) return down(n) + 100 end) }";
    assert_eq!(counting("lib.down(2)", &[("down", down)]), 302, "a function that calls itself");
    let base = "local step = lib.step\nreturn { step = replace(function(n) return step(n) + 10 end) }";
    assert_eq!(counting("lib.far(0)", &[("base", base)]), 44, "a mod keeps the function that it took from beneath");
}
