//! Checks of whole games: correct scripts pass, and the first decisions of random games find what fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use motherlode::{Actions, Game, Match, Pack};
use motherlode_check::check;
use motherlode_play::play_beginnings;
use motherlode_table::{Faces, View};
use serde_json::Value;

use crate::cli::program::{Run, run};
use crate::shipped::{SHIPPED, load, load_texts, root};

fn fixtures() -> PathBuf {
    root().join("tests/fixtures/correct")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The files of the game below all scripts.
fn game() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for folder in ["content/demo", "scripts/demo"] {
        for path in sorted(&fixtures().join("game").join(folder)) {
            let name = path.file_name().unwrap().to_str().unwrap();
            files.insert(format!("{folder}/{name}"), fs::read_to_string(&path).unwrap());
        }
    }
    files
}

/// The game with a script as its `phases.luau`. Further files follow under comments with their names (`-- lib.luau`).
fn game_with(script: &str) -> BTreeMap<String, String> {
    let mut files = game();
    let mut own: BTreeMap<String, String> = BTreeMap::new();
    let mut path = "scripts/demo/phases.luau".to_owned();
    for line in script.lines() {
        let name = line.strip_prefix("-- ").filter(|name| !name.contains(' '));
        match name.filter(|name| name.ends_with(".luau") || name.ends_with(".toml")) {
            Some(name) => path = format!("{}/demo/{name}", if name.ends_with(".toml") { "content" } else { "scripts" }),
            None => *own.entry(path.clone()).or_default() += &format!("{line}\n"),
        }
    }
    files.append(&mut own);
    files
}

/// Runs `lode` on the game with a script.
fn lode_with(script: &str, arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path(), game_with(script));
    run(folder.path(), arguments, b"")
}

/// Writes files below a folder.
fn write_all(folder: &Path, files: BTreeMap<String, String>) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// A script whose hook `act` has this body.
fn acting(body: &str) -> String {
    let offer = "offer = function(player) choice('work') choice('rest') end";
    format!("return {{ play = {{ {offer},\nact = function(player, answer)\n{body}\nend }} }}\n")
}

#[test]
fn correct_scripts_have_no_error() {
    let scripts = sorted(&fixtures().join("scripts"));
    assert!(scripts.len() >= 40, "{} scripts", scripts.len());
    let mut wrong = String::new();
    for path in scripts {
        let found = match check(&Pack::from_files("demo", game_with(&fs::read_to_string(&path).unwrap()))) {
            Ok(checked) => play_beginnings(&checked.game).faults.iter().map(|fault| fault.error.to_string()).collect(),
            Err(faults) => faults
                .list
                .iter()
                .filter(|one| one.severity == motherlode::Severity::Error)
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        };
        wrong.extend(found.iter().map(|fault| format!("{}: {fault}\n", path.display())));
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_shipped_games_begin_without_a_fault() {
    for id in SHIPPED {
        let found = play_beginnings(&load(root(), id));
        assert!(found.faults.is_empty(), "{id}: {:?}", found.faults);
        assert!(found.games > 5 && found.has_asked, "{id}");
    }
}

#[test]
fn check_reports_what_fails_in_the_first_decisions() {
    for (body, message) in [
        ("gain(player, 'go' .. answer, 1)", "no counter `go"),
        ("while answer == 'work' do end", "spent its budget of"),
        ("local list = {} move(list[1], 'bin')", "move"),
        ("choose(player, 'who', {})", "choose"),
        ("error('no answer')", "no answer"),
    ] {
        let run = lode_with(&acting(body), &["check", "demo"]).code(1);
        run.says("error[fails-in-play]").says("scripts/demo/phases.luau:3:1").says(message);
    }
    let returned = "return { play = { offer = function() return { 'work', 'rest' } end, act = function() end } }";
    lode_with(returned, &["check", "demo"]).code(1).says("`offer` returned a list of values other than whole numbers");
    let two =
        "return { play = { offer = function() choice('work') choice('rest') return 1, 2 end, act = function() end } }";
    let shows = "\n-- prompts.toml\n[act]\ntext = \"{1} of {2}\"\nlabels = { work = \"Work\", rest = \"Rest\" }\n";
    lode_with(&format!("{two}{shows}"), &["check", "demo"])
        .code(1)
        .says("shows 2 values: `offer` returns them, as a list");
    let silent = "return { play = { offer = function() end, act = function() end } }";
    lode_with(silent, &["check", "demo"]).code(0).says("warning[no-decision]: no random game asks a player");
}

#[test]
fn a_misspelt_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = game_with(&acting(""));
    files.extend(["tests/dmeo/basic.luau", "scripts/quarry/phases.luau"].map(|path| (path.into(), "return {}".into())));
    write_all(folder.path(), files);
    let found = run(folder.path(), &["check", "demo"], b"")
        .code(0)
        .says("warning[misspelt-folder]: nothing reads this folder: no game has the id `dmeo`")
        .says("rename it to `tests/demo`");
    assert!(!found.out.contains("quarry"), "{}", found.out);
    fs::remove_dir_all(folder.path().join("scripts/quarry")).unwrap();
    fs::rename(folder.path().join("scripts/demo"), folder.path().join("scripts/demmo")).unwrap();
    run(folder.path(), &["check", "demo"], b"").code(1).says("rename it to `scripts/demo`");
}

#[test]
fn a_fault_of_many_games_is_reported_once_and_reproduced() {
    let script =
        acting("if player_count() == 3 and option('map') == 'sea' and answer == 'rest' then error('only three') end");
    let found = lode_with(&script, &["check", "demo", "--format", "json"]).code(1);
    let list: Value = serde_json::from_str(&found.out).unwrap();
    let faults: Vec<&Value> = list.as_array().unwrap().iter().filter(|one| one["severity"] == "error").collect();
    let [fault] = faults[..] else { panic!("{faults:?}") };
    assert_eq!((&fault["code"], &fault["line"]), (&"fails-in-play".into(), &3.into()));
    let help = fault["help"].as_str().unwrap();
    let command = help.split('`').nth(1).unwrap_or_else(|| panic!("{help}"));
    assert!(help.contains("random games fail here") && command.contains("--players 3"), "{help}");
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    lode_with(&script, &arguments).code(1).complains("only three");
    assert_eq!(lode_with(&script, &["check", "demo", "--format", "json"]).out, found.out, "the same on every run");
}

#[test]
fn hostile_scripts_end_the_check() {
    for body in [
        "local list = {} while true do list[#list + 1] = string.rep('x', 60000) end",
        "local function deep() return deep() + 1 end deep()",
        "for i = 1, 1e9 do choice('work') end",
        "while true do choose(player, 'act', { 'work', 'rest' }) end",
        "end_phase() pcall(function() while true do end end)",
    ] {
        let begin = std::time::Instant::now();
        lode_with(&acting(body), &["check", "demo"]);
        assert!(begin.elapsed().as_secs() < 30, "{body}: {:?}", begin.elapsed());
    }
}

/// The actions of a game with a label that has values.
#[test]
fn actions_are_numbered_before_play() {
    let files = game_with(
        "return { play = { offer = function() choice({ 'swap', 1, 9 }) choice({ 'pay', 3 }) choice('rest') end, act = function() end } }",
    );
    let game = Game::load(&Pack::from_files("demo", files)).unwrap_or_else(|faults| panic!("{faults}"));
    let actions = Actions::new(&game).unwrap();
    // Labels, 81 pairs of cells, 10 numbers; 3 players and a label; 8 cards in hand, in the bin and elsewhere, hidden
    // ones in the deck and in two other hands, one that cannot be seen, and a label; 9 cells; 10 numbers.
    assert_eq!(actions.len(), 2 + 81 + 10 + 3 + 1 + 3 * 8 + 3 * 8 + 1 + 1 + 9 + 10);
    assert_eq!(actions.name(actions.len()), None);
    let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let legal: Vec<String> = m.legal().iter().map(|choice| choice.key().to_owned()).collect();
    assert_eq!(legal, ["label:swap a1 c3", "label:pay 3", "label:rest"], "values are named");
    let numbers = actions.of(&m, 0).unwrap();
    let names = numbers.iter().map(|number| actions.name(number.unwrap() as usize).unwrap());
    assert_eq!(names.collect::<Vec<_>>(), legal);
}

#[test]
fn lode_actions_lists_them_and_says_what_is_missing() {
    let script = acting("");
    let list = lode_with(&script, &["actions", "demo"]).code(0);
    list.says("demo: 166 actions").says("  0  label:work").says("label:swap c3 a1");
    let json = lode_with(&script, &["actions", "demo", "--format", "json"]).code(0);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json[2]["name"], "label:swap a1 a1");
    let open = "\n-- prompts.toml\n[act]\ntext = \"Act.\"\nlabels = { work = \"Work\", rest = \"Rest\", pay = \"Pay {1}\" }\n[many]\ntext = \"How many?\"\n";
    lode_with(&format!("{script}{open}"), &["actions", "demo"])
        .code(1)
        .complains("set `values.pay` of prompt `act`")
        .complains("set `choices` of prompt `many` to a range");
}

#[test]
fn values_outside_their_set_are_refused() {
    let check = |script: &str| lode_with(script, &["check", "demo"]).code(1);
    check("return { play = { offer = function() choice({ 'pay', 12 }) choice('rest') end, act = function() end } }")
        .says("label `pay` of prompt `act` is offered with 12, which is not a number of the range: use 0 to 9");
    check(
        "return { play = { offer = function() choice({ 'swap', 1, 10 }) choice('rest') end, act = function() end } }",
    )
    .says("is offered with 10, which is not a cell of `board`: use 1 to 9");
    check(&acting("choose(player, 'many', { 3, 10 })"))
        .says("prompt `many` offers 10, which is not a number of the range");
    let wrong =
        "\n-- prompts.toml\n[act]\ntext = \"Act.\"\nlabels = { work = \"Work\", rest = \"Rest\", pay = \"Pay {1}\" }\n";
    for (values, message) in [
        ("pay = [\"0..9\", \"0..9\"]", "lists 2, but the label `Pay {1}` shows 1"),
        ("pay = [\"9..0\"]", "`9..0` is not a range"),
        ("pay = [\"0..2000000\"]", "`0..2000000` is not a range"),
        ("pay = [\"number\"]", "is any number"),
        ("pay = [\"token\"]", "is tokens, which may be hidden"),
        ("pay = [\"bord\"]", "did you mean `board`?"),
        ("pya = [\"0..9\"]", "did you mean `pay`?"),
    ] {
        check(&format!("{}{wrong}values = {{ {values} }}\n", acting(""))).says(message);
    }
}

#[test]
fn a_wrong_choice_is_blamed_on_the_line_that_lists_it() {
    let lib = "\n-- lib.luau\nreturn {\n    list = function(n)\n        choice('rest')\n        choice({ 'pay', n })\n    end,\n}\n";
    let act = "act = function(player) lib.list(11)\nask(player, 'act') end";
    let says = "label `pay` of prompt `act` is offered with 11, which is not a number of the range: use 0 to 9";
    for play in [
        format!("offer = function()\nlib.list(11) end, {act}"),
        format!("offer = function() choice('work') choice('rest') end,\n{act}"),
    ] {
        let run = lode_with(&format!("return {{ play = {{ {play} }} }}{lib}"), &["check", "demo"]).code(1);
        run.says("scripts/demo/lib.luau:4:").says(says);
    }
    let number = "offer = function()\nlib.list(10) choice('rest')\nend, act = function(player) choice(3)\nchoice(10) ask(player, 'many') end";
    let number = number.replace("lib.list(10) ", "choice('work')");
    lode_with(&format!("return {{ play = {{ {number} }} }}"), &["check", "demo"])
        .code(1)
        .says("scripts/demo/phases.luau:4:1")
        .says("prompt `many` offers 10");
}

#[test]
fn a_table_in_lib_is_reported_at_the_field_of_the_returned_table() {
    let lib = "\n-- lib.luau\n-- cells by name\nlocal cells = {}\nif cells == nil then\nend\nreturn {\n    cells = cells,\n}\n";
    lode_with(&format!("{}{lib}", acting("")), &["check", "demo"])
        .code(1)
        .says("scripts/demo/lib.luau:6:")
        .says("`cells`: expected a function, found a table")
        .says("return a function that returns the table");
}

#[test]
fn negative_counters_of_cells_are_drawn() {
    let game = "name = \"Heat\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 1 }\nseats = [{ name = \"Ann\" }]\n\
        counters.won = { per = \"player\" }\ncounters.heat = { per = \"board\", min = -9, start = -3 }\n\
        grids.board = { shape = \"square\", columns = 2, rows = 1 }\noutcome = { score = \"won\" }\n";
    let phases = "[play]\nturns = \"around\"\nprompt = \"pick\"\n";
    let prompts = "[pick]\ntext = \"Pick.\"\nlabels = { done = \"Done\", more = \"More\" }\n";
    let script = "return { play = { offer = function() choice('done') choice('more') end, act = function() end } }";
    let game = load_texts("heat", &[("game", game), ("phases", phases), ("prompts", prompts)], &[("phases", script)]);
    let m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    let view = View::of(&m, &Faces::new(&game), Some(0));
    let cell = &view.boards[0].cells[0];
    assert_eq!(cell.marks[0].text, "-3");
    assert!(cell.words.len() == 1 && cell.words[0].contains("-3"), "{:?}", cell.words);
}

#[test]
fn phase_tells_the_phase_that_is_played() {
    lode_with(&acting("error('the phase is ' .. phase())"), &["check", "demo"]).code(1).says("the phase is play");
}

#[test]
fn random_games_of_the_coverage_redeal() {
    let game = load(&root().join("tests/fixtures/fuzz"), "wild").counted();
    motherlode_play::coverage::play_randomly(&game, 1, 1, |_| true);
    let rows = motherlode_play::coverage::rows(&game, &game.coverage());
    let functions = rows.iter().find(|row| row.sort == "functions").unwrap();
    assert!(functions.never.iter().all(|one| !one.name.ends_with("redeal")), "{:?}", functions.never);
}

#[test]
fn coverage_counts_what_attributes_name() {
    let game = "name = \"Gifts\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 1 }\nseats = [{ name = \"Ann\" }]\n\
        counters.won = { per = \"player\" }\noutcome = { score = \"won\" }\nzones.deck = { per = \"game\", holds = \"cards\" }\n\
        kinds.gifts.tokens = false\nkinds.cards.zone = \"deck\"\n\
        kinds.cards.attributes.gives = { type = \"list\", of = \"gifts\", default = [] }\n";
    let cards = "[box]\nname = \"Box\"\ngives = [\"ring\"]\n[bag]\nname = \"Bag\"\ngives = [\"coin\"]\n";
    let gifts = "[ring]\nname = \"Ring\"\n[coin]\nname = \"Coin\"\n";
    let phases = "[play]\nturns = \"once\"\nprompt = \"which\"\n";
    let prompts = "[which]\ntext = \"Which?\"\nchoices = \"gifts\"\n";
    let script = "return { play = { offer = function() choice(1) choice(2) end, act = function() end } }";
    let content = [("game", game), ("cards", cards), ("gifts", gifts), ("phases", phases), ("prompts", prompts)];
    let game = load_texts("gifts", &content, &[("phases", script)]);
    let chosen = game.declarations().definitions.iter().position(|one| one.id == "box").unwrap();
    let found = motherlode::tools::Coverage { definitions: BTreeSet::from([chosen]), ..Default::default() };
    let rows = motherlode_play::coverage::rows(&game, &found);
    let cards = rows.iter().find(|row| row.sort == "cards").unwrap();
    let never: Vec<&str> = cards.never.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(never, ["gifts.coin", "cards.bag"]);
}
