//! Explicit chance: every random result is chosen from outside.

use super::*;
use motherlode::{ChanceOutcome, ExplicitChance, Setup, Snapshot};

/// A shuffled deck of three red and two blue cards, from which two are drawn. Then a die, a question, and a coin.
const DICE: &str = "return { a = { turn = function(p)
    for _ = 1, 2 do draw(\"deck\", game, \"table\") end
    local die = random(6)
    log(\"rolled\", die)
    local said = choose(p, \"pick\", { \"more\", \"done\" })
    local coin = random(2)
    set(game, \"log\", die * 10 + coin)
    if said == \"more\" then set(game, \"log\", 0) end
    end_game()
end } }";

fn dice() -> Match {
    let deck = DECK.replace("zone = \"deck\"", "zone = \"deck\"\nshuffle = true");
    let game =
        format!("{deck}[zones.table]\nper = \"game\"\ntext = \"Table\"\nholds = \"cards\"\nvisible = \"public\"\n");
    let pieces = Pieces {
        game: &game,
        phases: "[a]\nturns = \"once\"\n",
        texts: "rolled = \"{1}\"\n",
        phases_luau: DICE,
        ..Pieces::default()
    };
    pieces.play(1)
}

/// Visits every course of the game, with its probability.
fn walk(m: &mut Match, chance: &ExplicitChance, at: &Snapshot, share: f64, end: &mut dyn FnMut(&Match, f64)) {
    let outcomes = chance.outcomes();
    let whole: u32 = outcomes.iter().map(|outcome| outcome.weight).sum();
    for ChanceOutcome { id, weight } in &outcomes {
        let mut next = chance.clone();
        next.restore(m, at).unwrap();
        next.choose(m, *id).unwrap();
        let after = m.snapshot();
        walk(m, &next, &after, share * f64::from(*weight) / f64::from(whole), end);
    }
    if !outcomes.is_empty() {
        return;
    }
    chance.restore(m, at).unwrap();
    if m.is_over() {
        return end(m, share);
    }
    let mut next = chance.clone();
    let done = choices(m).iter().position(|choice| choice == "done").unwrap();
    next.answer(m, 0, done).unwrap();
    let after = m.snapshot();
    walk(m, &next, &after, share, end);
}

#[test]
fn the_probabilities_of_all_courses_are_those_of_the_game() {
    let mut m = dice();
    let chance = ExplicitChance::begin(&mut m).unwrap();
    let begun = m.snapshot();
    let (mut both_red, mut six, mut sum, mut ends) = (0.0, 0.0, 0.0, 0);
    walk(&mut m, &chance, &begun, 1.0, &mut |m, share| {
        ends += 1;
        sum += share;
        both_red += if ids(m, "table", 0) == ["red", "red"] { share } else { 0.0 };
        six += if value(m, "log", 0) == 62 { share } else { 0.0 };
    });
    // Ten orders of three red and two blue cards, six sides, two sides.
    assert_eq!(ends, 10 * 6 * 2);
    assert!((sum - 1.0).abs() < 1e-12 && (both_red - 0.3).abs() < 1e-12 && (six - 1.0 / 12.0).abs() < 1e-12);
}

#[test]
fn draws_come_one_at_a_time_and_copies_share_an_outcome() {
    let mut m = dice();
    let mut chance = ExplicitChance::begin(&mut m).unwrap();
    let weights = |chance: &ExplicitChance| chance.outcomes().iter().map(|one| one.weight).collect::<Vec<_>>();
    assert_eq!((chance.count(), weights(&chance)), (2, vec![3, 2]));
    let blue = chance.outcomes()[1].id;
    chance.choose(&mut m, blue).unwrap();
    assert_eq!(weights(&chance), [3, 1]);
    // With the second blue card, only red ones are left.
    let blue = chance.outcomes()[1].id;
    chance.choose(&mut m, blue).unwrap();
    assert_eq!(weights(&chance), [1; 6], "the die");
    chance.choose(&mut m, 4).unwrap();
    assert!(!chance.is_open() && chance.outcomes().is_empty());
    assert_eq!(ids(&m, "table", 0), ["blue", "blue"]);
    // The hook runs again up to its question, with the same results.
    let (at, before) = (m.snapshot(), m.observe(None));
    chance.restore(&mut m, &at).unwrap();
    assert_eq!(m.observe(None), before);
    chance.answer(&mut m, 0, 1).unwrap();
    assert_eq!(weights(&chance), [1, 1], "the coin");
    assert_eq!(m.observe(None), before, "the match waits before the step");
    chance.choose(&mut m, 1).unwrap();
    assert_eq!((value(&m, "log", 0), m.is_over()), (41, true));
}

#[test]
fn a_wrong_outcome_changes_nothing() {
    let mut m = dice();
    let mut chance = ExplicitChance::begin(&mut m).unwrap();
    for wrong in [0, 2, 6, u32::MAX] {
        assert_eq!(chance.choose(&mut m, wrong), Err(MatchError::BadOutcome { outcome: wrong }));
    }
    assert_eq!(chance.answer(&mut m, 0, 0), Err(MatchError::OpenDraw));
    while let Some(first) = chance.outcomes().first() {
        chance.choose(&mut m, first.id).unwrap();
    }
    assert_eq!(chance.choose(&mut m, 1), Err(MatchError::NoDraw));
    assert_eq!(chance.answer(&mut m, 0, 9), Err(MatchError::BadChoice { index: 9, count: 2 }));
    assert!(!chance.is_open());
    chance.answer(&mut m, 0, 1).unwrap();
    assert_eq!(chance.choose(&mut m, 7), Err(MatchError::BadOutcome { outcome: 7 }));
    chance.choose(&mut m, 2).unwrap();
    assert_eq!(value(&m, "log", 0), 12);
}

#[test]
fn the_seed_decides_nothing() {
    for variant in crate::shipped::VARIANTS {
        let play = |seed: u64| {
            let setup = Setup { seed, ..variant.setup(0) };
            let mut m = Match::new(variant.game(), &setup).unwrap();
            let mut chance = ExplicitChance::begin(&mut m).unwrap();
            let (mut number, mut seen) = (0u32, Vec::new());
            while chance.is_open() || !m.is_over() && seen.len() < 400 {
                number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = |count: usize| (number >> 8) as usize % count;
                if chance.is_open() {
                    let outcome = chance.outcomes()[at(chance.count())];
                    chance.choose(&mut m, outcome.id).unwrap();
                } else {
                    let (seat, count) = (m.decision().unwrap().seat, m.choices().len());
                    chance.answer(&mut m, seat, at(count)).unwrap();
                }
                if !chance.is_open() {
                    seen.push(m.observe(None));
                }
            }
            seen
        };
        assert_eq!(play(1), play(2), "{}", variant.game().declarations().id);
    }
}

#[test]
fn matches_with_and_without_explicit_chance_share_a_machine() {
    let mut m = dice();
    let (setup, plain) = (m.setup().clone(), m.snapshot());
    m.answer(1).unwrap();
    let end = m.observe(None);
    let other = |m: &mut Match| {
        ExplicitChance::leave(m);
        m.resume(&setup, &plain).unwrap();
        m.answer(1).unwrap();
        assert!(m.is_over());
        assert_eq!(m.observe(None), end);
    };
    let mut chance = ExplicitChance::begin(&mut m).unwrap();
    assert!(!chance.has_begun(), "the shuffle comes first");
    let mut at = m.snapshot();
    while chance.is_open() {
        other(&mut m);
        chance.resume(&mut m, &setup, Some(&at)).unwrap();
        let outcome = chance.outcomes().last().unwrap().id;
        chance.choose(&mut m, outcome).unwrap();
        at = m.snapshot();
    }
    assert!(chance.has_begun());
    other(&mut m);
    chance.resume(&mut m, &setup, Some(&at)).unwrap();
    chance.answer(&mut m, 0, 1).unwrap();
    assert!(chance.has_begun() && chance.is_open(), "the match waits before the coin");
    other(&mut m);
    chance.resume(&mut m, &setup, Some(&at)).unwrap();
    chance.choose(&mut m, 2).unwrap();
    assert_eq!(value(&m, "log", 0), 62);
}
