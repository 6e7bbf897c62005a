//! Mistakes in a new game: `lode check` names their causes, first and at their places.

use std::fs;
use std::path::Path;

use super::program::{Run, run};

/// A new game `tip` in a folder of its own.
struct NewGame(tempfile::TempDir);

impl NewGame {
    fn new() -> Self {
        let own = Self(tempfile::tempdir().unwrap());
        own.lode(&["new", "game", "tip"]).code(0);
        own
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn lode(&self, arguments: &[&str]) -> Run {
        run(self.path(), arguments, b"")
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path().join(path), text).unwrap();
    }

    /// Replaces a part of a file, which it must have.
    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path().join(path)).unwrap();
        assert!(text.contains(from), "{text}");
        self.write(path, &text.replacen(from, to, 1));
    }
}

const PHASES: &str = "scripts/tip/phases.luau";

#[test]
fn a_verb_without_a_function_is_one_fault_at_its_declaration() {
    let game = NewGame::new();
    game.write("content/tip/verbs.toml", "[tip]\ntext = \"Tip {n}\"\nargs.n = { type = \"integer\" }\n");
    game.write("content/tip/reactions.toml", "[listeners.bell]\non = \"turn_begins\"\ndo = [{ tip = { n = 2 } }]\n");
    game.lode(&["check"])
        .code(1)
        .says("error[missing-script]: verb `tip` has no function in verbs.luau")
        .says("content/tip/verbs.toml:1:2")
        .says("write `tip = function(player, args) ... end` in scripts/tip/verbs.luau")
        .says("tip: 1 error");
}

#[test]
fn the_cause_of_many_faults_comes_first() {
    let game = NewGame::new();
    game.edit("content/tip/game.toml", "play = [\"player\"]", "plai = [\"player\"] extra");
    let run = game.lode(&["check"]).code(1);
    let (cause, other) = (run.out.find("content/tip/game.toml").unwrap(), run.out.find("content/tip/cards.toml"));
    assert!(other.is_none_or(|other| cause < other), "{}", run.out);
}

#[test]
fn a_missing_game_file_is_named() {
    let game = NewGame::new();
    fs::remove_file(game.path().join("content/tip/game.toml")).unwrap();
    game.lode(&["check"]).code(2).complains("tip` has no game.toml: every game needs this file");
    game.lode(&["play", "tip"]).code(2).complains("tip` has no game.toml");
}

#[test]
fn the_answer_that_fails_is_printed() {
    let game = NewGame::new();
    game.edit(PHASES, "gain(player, \"coins\", 1)", "error(\"no coin\")");
    game.lode(&["check"]).code(1).says("fails-in-play").says("no coin");
    game.lode(&["play", "tip", "--seats", "random", "--seed", "1"])
        .code(1)
        .says("A coin, which fails")
        .complains("no coin");
}

#[test]
fn a_counter_of_another_holder_is_explained() {
    let game = NewGame::new();
    game.edit(PHASES, "gain(player, \"coins\", 1)", "gain(player, \"coins\", get(game, \"coins\"))");
    game.lode(&["check"])
        .code(1)
        .says("error[wrong-holder]: `coins` in `get` is a counter of the players, not of `game`");
    // A holder that the check does not know.
    game.edit(PHASES, "get(game, \"coins\")", "get(#players() + 15, \"coins\")");
    game.lode(&["check"])
        .code(1)
        .says("`coins` is a counter of the players, and `game` is not one: give a player from 1 to 2");
}

#[test]
fn an_order_without_a_result_fails() {
    let game = NewGame::new();
    game.edit(PHASES, "offer = function()", "order = function() end,\n        offer = function()");
    game.lode(&["check"]).code(1).says("`order` returned nothing: return a list of players");
}

#[test]
fn the_files_of_rule_tests_are_checked() {
    let game = NewGame::new();
    let (basic, broken) = ("tests/tip/basic.luau", "tests/tip/broken.luau");
    game.edit(basic, "t.expect(1, \"coins\", 1)", "t.expect(1, \"coin\", 1) t.expekt() t.put(\"dek\", cards)");
    game.edit(basic, "t.left()", "t.error(\"no counter\", function() t.state(1, \"coinz\") end) t.left()");
    game.write(broken, "return {\n    [\"T-1\"] = function(t)\n        t.setup(\n    end,\n}\n");
    game.lode(&["check"])
        .code(1)
        .says("error[script]: Expected identifier when parsing expression, got 'end'")
        .says("tests/tip/broken.luau:4:5")
        .says("error[unknown-counter]: unknown counter `coin` in `t.expect`")
        .says("did you mean `coins`?")
        .says("tests/tip/basic.luau:6:21")
        .says("error[unknown-function]: unknown method `t.expekt`")
        .says("error[unknown-zone]: unknown zone `dek` in `t.put`")
        .says("error[unknown-name]: unknown name `cards`: tests have no such variable")
        .keeps_quiet_about("coinz");
    game.lode(&["test"]).code(1).says("tests/tip/broken.luau:4:5");
}

#[test]
fn an_import_names_the_misspelt_verb() {
    let game = NewGame::new();
    game.write("cards.csv", "id,name,play\nnugget,Nugget,gian 2 coins\n");
    game.lode(&["cards", "import", "tip", "cards.csv"]).code(1).says("unknown verb `gian`: did you mean `gain`?");
}

#[test]
fn machine_code_names_the_line_and_the_function_of_the_engine() {
    let game = NewGame::new();
    game.edit(PHASES, "gain(player, \"coins\", 1)", "gain(player, \"coins\", (2 ^ round()) // 1)");
    game.edit(PHASES, "if card then", "local text = `{round()}`\n            if card and text ~= \"\" then");
    let run = game.lode(&["check", "--native"]).code(0);
    run.says("Tip: of ").says("phases.luau:10: a power: `^`").says("phases.luau:15: a text with values in it");
    game.edit(PHASES, "(2 ^ round()) // 1", "#ask_all(players(), \"turn\", { \"coin\" })");
    let run = game.lode(&["check", "--native"]).code(0);
    run.says("phases.luau:10: in `ask_all`: a function of the library").keeps_quiet_about("prelude");
}
