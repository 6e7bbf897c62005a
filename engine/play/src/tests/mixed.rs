//! Mixed strategies in simultaneous phases.

use motherlode::{Game, Match};

use crate::{Bot, LearnedBot, Training, Value, ValueError, samples};

/// The text of a value trained with mixed strategies.
fn trained(game: &Game) -> String {
    let setup = game.setup(None, &[], 5).unwrap();
    let training =
        Training { games: 60, iterations: 2, matches: 4, searches: 4, is_mixed: true, ..Training::new(game, setup) };
    training.run(|_| true).unwrap().text
}

/// How often the first seat takes each choice in 400 matches.
fn shares(game: &Game, text: &str) -> Vec<f64> {
    let value = Value::read(game, text).unwrap();
    let mut taken = Vec::new();
    for seed in 0..400 {
        let mut bot = LearnedBot::new("learned".into(), &value, None, seed);
        let mut m = Match::new(game, &game.setup(None, &[], seed).unwrap()).unwrap();
        m.focus(0).unwrap();
        taken.resize(m.choices().len(), 0);
        let decision = m.decision().unwrap();
        taken[bot.choose(&m, decision).unwrap()] += 1;
    }
    taken.into_iter().map(|count: u32| f64::from(count) / 400.0).collect()
}

#[test]
fn a_mixed_strategy_is_near_the_equilibrium() {
    let game = samples::signs();
    // Rock, paper and scissors, and a sign that loses to all of them.
    let taken = shares(&game, &trained(&game));
    assert!(taken[..3].iter().all(|share| (0.25..0.42).contains(share)), "{taken:?}");
    assert_eq!(taken[3], 0.0, "{taken:?}");
}

#[test]
fn a_mixed_strategy_takes_what_is_always_best() {
    // More points, by two questions.
    let game = samples::asking("sealed");
    let taken = shares(&game, &trained(&game));
    assert_eq!(taken, [0.0, 1.0]);
}

#[test]
fn limits_hold_for_mixed_strategies() {
    let game = samples::signs();
    let value = Value::read(&game, &trained(&game)).unwrap();
    let mut bot = LearnedBot::new("learned".into(), &value, None, 1);
    let mut m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    for seat in [0, 1] {
        m.focus(seat).unwrap();
        let decision = m.decision().unwrap();
        for _ in 0..20 {
            assert!([0, 3].contains(&bot.choose_among(&m, decision, &[0, 3]).unwrap()));
        }
    }
}

#[test]
fn a_file_says_whether_strategies_are_mixed() {
    let game = samples::signs();
    let text = trained(&game);
    let line = "\nstrategies mixed\n";
    assert_eq!(text.matches(line).count(), 1);
    assert!(Value::read(&game, &text).unwrap().origins().all(|origin| origin.is_mixed));
    assert!(text.contains("made by lode train signs --games 60 --iterations 2 --mixed --matches 4 --seed 5"), "{text}");
    let pure = text.replace(line, "\n");
    assert!(Value::read(&game, &pure).unwrap().origins().all(|origin| !origin.is_mixed));
    let damaged = Value::read(&game, &text.replace(line, "\nstrategies mixd\n")).err();
    let expected = ValueError::Damaged { line: 8, message: "expected `mixed`".into() };
    assert_eq!(damaged, Some(expected));
}
