//! Hidden information must change neither a seat's observation nor its choices.
//!
//! The test redeals the hidden state and compares. A redeal keeps the seat's choices, so a leak in the choices takes
//! more than one redeal to show. Two leaky games prove that the test finds leaks.

use motherlode::declare::Holder;
use motherlode::{Match, MatchError};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::cards::{all, cards};
use crate::shipped::{Player, dealt, is_mid_hook, is_sealed, seeds};

/// Counts of a leak test, which show that the test compared something.
#[derive(Debug, Default)]
struct Leaks {
    positions: usize,
    /// Positions changed by the redeal (apart from the generator).
    changed: usize,
    /// Such positions where the offer was listed again.
    offers: usize,
    /// The first leak.
    found: Option<String>,
}

/// Redeals the state hidden from each seat: neither observation nor choices may change.
///
/// Writing a counter of the first player onto itself makes the engine list the offer again.
fn leaks_of(m: &Match, other: &mut Match, chance: &mut Pcg64Mcg, met: &mut Leaks) {
    let Some(decision) = m.decision() else { return };
    let snapshot = m.snapshot();
    let sealed = is_sealed(m, decision);
    for seat in 0..m.setup().players {
        other.restore(&snapshot).unwrap();
        let mine: Option<Vec<_>> = if sealed || seat == decision.seat { other.legal_of(seat).ok() } else { None };
        let before = (other.observe(Some(seat)), mine);
        let deals = match other.redeal(seat, chance) {
            Ok(deals) => deals,
            Err(MatchError::NoDeal { tries }) => tries,
            Err(error) => panic!("{error}"),
        };
        let told = deals > 1 && before.1.is_some() && (sealed || !is_mid_hook(m, decision));
        let changed = dealt(other) != dealt(m);
        if !sealed && !is_mid_hook(m, decision) {
            let first = m.game().declarations().counters.values().position(|c| c.per == Holder::Player);
            let counter = first.expect("the game has a counter of players");
            let value = other.counter(1, counter).expect("player 1 has it");
            other.edit().set_counter(1, counter, value).unwrap();
            met.offers += usize::from(changed && seat == decision.seat);
        }
        if sealed && before.1.is_none() && (other.round(), other.phase()) != (m.round(), m.phase()) {
            // This seat has answered, and in the redeal the other seat has no choice, so the match went on.
            continue;
        }
        let mine = before.1.as_ref().and_then(|_| other.legal_of(seat).ok());
        met.positions += 1;
        met.changed += usize::from(changed);
        let after = (other.observe(Some(seat)), mine);
        if (after != before || told) && met.found.is_none() {
            met.found = Some(format!(
                "seat {seat} in round {}, phase {}, prompt {}, deal {deals}:\n{before:?}\n{after:?}",
                m.round(),
                m.phase(),
                decision.prompt(m.game())
            ));
        }
    }
}

#[test]
fn hidden_information_changes_neither_observations_nor_choices() {
    for variant in all() {
        let mut met = Leaks::default();
        let (mut m, mut other) = (variant.begin(0), variant.begin(0));
        let mut chance = Pcg64Mcg::seed_from_u64(1);
        for seed in seeds(3) {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            let mut step = seed;
            while !m.is_over() {
                if step % 2 == 0 {
                    leaks_of(&m, &mut other, &mut chance, &mut met);
                }
                player.step(&mut m);
                step += 1;
            }
        }
        assert!(met.positions > 20, "{variant}: {met:?}");
        assert_eq!(met.found, None, "{variant}");
    }
}

/// Runs the leak test on card games.
fn leaks_in_cards(bid: &str, offer: &str) -> Leaks {
    let game = cards(bid, offer);
    let mut met = Leaks::default();
    let mut chance = Pcg64Mcg::seed_from_u64(1);
    for seed in 0..10 {
        let players = 2 + (seed % 3) as u8;
        let setup = game.setup(Some(players), &[], seed).unwrap();
        let (mut m, mut other) = (Match::new(&game, &setup).unwrap(), Match::new(&game, &setup).unwrap());
        let mut player = Player::new(seed);
        while !m.is_over() {
            leaks_of(&m, &mut other, &mut chance, &mut met);
            player.step(&mut m);
        }
    }
    met
}

#[test]
fn hidden_cards_and_purses_do_not_leak() {
    let met = leaks_in_cards("player", "player");
    assert_eq!(met.found, None);
    assert!(met.changed > 1_000 && met.offers > 100, "the redeal changed too little to prove anything: {met:?}");
}

#[test]
fn the_leak_test_finds_leaks() {
    let by_the_other =
        "if attr(assert(top(\"hand\", next_player(player))), \"worth\") > 1 then player else next_player(player)";
    let met = leaks_in_cards("player", by_the_other);
    assert!(met.found.is_some_and(|leak| leak.contains("phase playing, prompt card")), "the other's hand");
    let met = leaks_in_cards("next_player(player)", "player");
    assert!(met.found.is_some_and(|leak| leak.contains("phase bidding, prompt bid")), "the other's purse");
}
