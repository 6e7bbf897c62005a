//! The history of the speed, and the rule that finds a loss.

use std::fs;

use crate::history::{Entry, FILE, ROUNDS, Round, Spread, Verdict, add, format, losses, parse, summary, verdict};
use crate::shipped::root;

/// The kept history.
pub fn kept() -> Vec<Entry> {
    parse(&fs::read_to_string(root().join(FILE)).unwrap()).unwrap()
}

/// Rounds of one game with these ratios.
fn rounds(ratios: impl IntoIterator<Item = f64>) -> Vec<Round> {
    ratios.into_iter().map(|ratio| Round::from([("photon".to_owned(), ratio)])).collect()
}

/// Verdict on a loss in each round.
fn judge(losses_of_rounds: [f64; ROUNDS]) -> Verdict {
    // The noise of the machine slows both programs of a round down.
    let base: Vec<f64> = (0..ROUNDS).map(|round| 4.0 + round as f64).collect();
    let new = base.iter().zip(losses_of_rounds).map(|(base, loss)| base * (1.0 + loss));
    verdict(losses(&rounds(base.clone()), &rounds(new))["photon"])
}

#[test]
fn the_history_is_readable_and_sorted() {
    let entries = kept();
    assert!(entries.is_sorted_by_key(|entry| &entry.date), "{FILE} is not sorted by date: sort its lines");
    for (number, entry) in (1..).zip(&entries) {
        assert!(entry.rounds >= ROUNDS && entry.commit.len() >= 7 && !entry.games.is_empty(), "{FILE}:{number}");
        for (game, Spread { low, median, high }) in &entry.games {
            assert!(0.0 < *low && low <= median && median <= high, "{FILE}:{number}: {game}");
        }
    }
    assert_eq!(format(&entries).unwrap(), fs::read_to_string(root().join(FILE)).unwrap());
}

#[test]
fn a_broken_line_of_the_history_is_named() {
    let good = r#"{"date":"2026-11-25","commit":"1a5c6ee","machine":"m","rounds":10,"games":{}}"#;
    assert_eq!(parse(good).unwrap().len(), 1);
    for broken in [good.replace("rounds", "round"), good.replace("10", "-1"), good[1..].to_owned()] {
        let error = parse(&format!("{good}\n{broken}\n")).unwrap_err();
        assert!(error.starts_with("benches/history.jsonl:2: ") && error.contains("--record"), "{error}");
    }
}

#[test]
fn an_entry_takes_the_place_of_its_commit() {
    let entry = |date: &str, commit: &str, rounds| Entry {
        date: date.to_owned(),
        commit: commit.to_owned(),
        machine: "m".to_owned(),
        rounds,
        games: summary(&rounds_of_photon()),
    };
    let mut entries = vec![entry("2026-11-24", "b", 10)];
    for new in [entry("2026-11-25", "c", 10), entry("2026-11-23", "a", 10), entry("2026-11-24", "b", 20)] {
        add(&mut entries, new);
    }
    let kept: Vec<_> = entries.iter().map(|entry| (entry.commit.as_str(), entry.rounds)).collect();
    assert_eq!(kept, [("a", 10), ("b", 20), ("c", 10)]);
    assert_eq!(parse(&format(&entries).unwrap()).unwrap(), entries);
}

/// Rounds with an outlier, as a busy machine makes them.
fn rounds_of_photon() -> Vec<Round> {
    rounds([5.0, 4.0, 6.0, 90.0])
}

#[test]
fn a_summary_has_the_median_and_the_quartiles() {
    assert_eq!(summary(&rounds_of_photon())["photon"], Spread { low: 5.0, median: 6.0, high: 90.0 });
    assert_eq!(summary(&rounds((0..8).map(f64::from)))["photon"], Spread { low: 2.0, median: 4.0, high: 6.0 });
    assert!(summary(&[]).is_empty());
}

#[test]
fn a_loss_above_5_percent_fails_unless_noise_explains_it() {
    assert_eq!(judge([0.0; ROUNDS]), Verdict::Fine);
    assert_eq!(judge([0.04; ROUNDS]), Verdict::Fine);
    assert_eq!(judge([0.06; ROUNDS]), Verdict::Slower);
    assert_eq!(judge([-0.3; ROUNDS]), Verdict::Fine);
    // Single rounds do not decide, in either direction.
    assert_eq!(judge([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5]), Verdict::Fine);
    assert_eq!(judge([-0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]), Verdict::Slower);
    // The median is above the limit, the lower quartile is not.
    assert_eq!(judge([0.0, 0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]), Verdict::Unclear);
}

#[test]
fn only_games_of_both_programs_are_compared() {
    let new = [Round::from([("photon".to_owned(), 1.0), ("new".to_owned(), 9.0)])];
    let losses = losses(&rounds([1.0]), &new);
    assert_eq!(losses.into_keys().collect::<Vec<_>>(), ["photon"]);
}
