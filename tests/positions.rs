//! Positions of matches, written as rule tests and run.

use motherlode::SourceFile;
use motherlode_play::rule_test::{TestFiles, TestFilter, position};

use crate::shipped::{Player, Variant};

const GAMES: [Variant; 5] = [
    Variant::of("photon", 4, &[]),
    Variant::of("atacama", 2, &[]),
    Variant::of("krysis", 3, &[]),
    Variant::of("miners_lagoon", 3, &[]),
    Variant::of("imperial_miners", 2, &[]),
];

/// Positions of each game. `LODE_POSITIONS=N` takes more.
fn many() -> usize {
    std::env::var("LODE_POSITIONS").ok().and_then(|many| many.parse().ok()).unwrap_or(4)
}

#[test]
fn positions_of_all_games_become_rule_tests_that_pass() {
    for variant in GAMES {
        let id = &variant.game().declarations().id;
        let (mut exact, mut all) = (0, 0);
        for seed in (1..).take(many()) {
            let mut m = variant.begin(seed);
            let mut player = Player::new(seed);
            for _ in 0..player.below(120) {
                if m.is_over() {
                    break;
                }
                player.step(&mut m);
            }
            let written = position(&m).unwrap_or_else(|error| panic!("{id}, seed {seed}: {error}"));
            let text = format!("return {{\n{}}}\n", written.text);
            let file = SourceFile { path: format!("tests/{id}/position.luau"), text: text.clone() };
            let results = TestFiles::of([file]).run(variant.game(), TestFilter::All);
            assert!(results.len() == 1 && results[0].passed, "{id}, seed {seed}: {results:?}\n{text}");
            // The test lists unset values in a comment.
            assert_eq!(text.contains("-- not set:"), !written.unset.is_empty());
            if !written.unset.is_empty() {
                println!("{id}, seed {seed}, after {} answers: {:?}", m.answers().len(), written.unset);
            }
            all += 1;
            // No accessor removes a player from the game; only play does.
            exact += usize::from(written.unset.iter().all(|one| one.ends_with("is out of the game")));
        }
        println!("{id}: {exact} of {all} positions are set up exactly");
        assert!(exact * 4 >= all * 3, "{id}: {exact} of {all}");
    }
}
