//! Cards built from verbs need no script: a copy of a shipped card, an additional building, and random cards.

use motherlode::{Game, Mod, Pack, SourceFile};
use motherlode_check::check;
use motherlode_fixtures::mod_of;
use motherlode_play::Simulation;
use motherlode_play::rule_test::{TestFiles, TestFilter};

use crate::shipped::root;

mod random_cards;

/// A shipped game with mods, which must load without an error.
fn game_with(game: &str, mods: Vec<Mod>) -> Game {
    let pack = Pack::with_mods(root(), game, mods).unwrap_or_else(|faults| panic!("{faults}"));
    check(&pack).unwrap_or_else(|faults| panic!("{faults}")).game
}

/// Plays this many games of random bots over all numbers of players. None may abort.
fn play_games(game: &Game, games: u64, seed: u64) {
    let players = &game.declarations().players;
    let numbers = u64::from(players.max - players.min) + 1;
    for n in players.min..=players.max {
        let setup = game.setup(Some(n), &[], seed).unwrap();
        let games = games.div_ceil(numbers);
        let report = Simulation { games, threads: 2, ..Simulation::new(game, setup) }.run(|_| {}).unwrap();
        assert_eq!(report.finished, games, "{n} players: {:?}", report.aborted);
    }
}

#[test]
fn a_copy_of_copper_loader_under_another_name_needs_no_script() {
    let equipment = "[tin_press]\nname = \"Tin Press\"\ncopies = 6\ncost = 3\nvp = 2\n\
                     operate = [{ pay = { raw.copper = 1 } }, { gain = { money = 2 } }]\n";
    let press = mod_of("press", "miners_lagoon", &[("equipment", equipment)], &[]);
    let game = game_with("miners_lagoon", vec![press]);
    let card = game.declarations().definitions.iter().find(|one| one.id == "tin_press").unwrap();
    assert_eq!(card.text, "With a miner: Pay 1 raw copper: take $2.");
    play_games(&game, 1000, 1);
}

#[test]
fn a_third_building_of_photon_has_its_declared_effect() {
    let quarry = "[quarry]\nname = \"Quarry\"\ncost = { gold = 3 }\nbuilds = { new.quarry = 1 }\noutput = 2\n";
    let game = game_with("photon", vec![mod_of("quarries", "photon", &[("buildings", quarry)], &[])]);
    let test = r#"return {
        ["P-50 a quarry brings two, and can be blown up"] = function(t)
            t.setup { players = 2, seed = 1 }
            t.set(1, "gold", 3)
            t.set(2, "gold", 0)
            t.set(2, "mercenaries", 3)
            t.go("building")
            t.answer(1, "quarry")
            t.expect(1, "new.quarry", 1)
            t.go("opening", { round = 2 })
            t.expect(1, "open.quarry", 1)
            t.go("collection", { round = 2 })
            t.expect(1, "gold", 2)
            t.set(1, "open.mine", 1)
            t.set(1, "open.quarry", 2)
            t.set(2, "mercenaries", 1)
            t.go("action", { round = 3 })
            t.answer(1, "defend")
            t.answer(2, "photon")
            t.choices(2, { "mine", "quarry" })
            t.answer(2, "quarry")
            t.expect(1, "open.quarry", 1)
            t.left()
        end,
    }"#;
    let file = SourceFile { path: "quarry.luau".to_owned(), text: test.to_owned() };
    let results = TestFiles::of(vec![file]).run(&game, TestFilter::All);
    assert!(results.len() == 1 && results.iter().all(|result| result.passed), "{results:#?}");
    play_games(&game, 300, 2);
}
