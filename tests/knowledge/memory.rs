//! What players were told and saw stays true in every determinization.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::Match;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{hints, lists, upcard};
use crate::shipped::{Player, Variant};

/// Plays games and calls `check` with each position, a redeal of it and the seat of the redeal.
fn redeal_along(variant: Variant, games: u64, mut check: impl FnMut(&Match, &Match, u8)) {
    for seed in 0..games {
        let (mut m, mut other) = (variant.begin(seed), variant.begin(seed));
        let mut player = Player::new(seed);
        while !m.is_over() {
            for seat in 0..m.setup().players {
                for deal in 0..4 {
                    other.restore(&m.snapshot()).unwrap();
                    other.redeal(seat, &mut Pcg64Mcg::seed_from_u64(deal)).unwrap();
                    assert_eq!(other.observe(Some(seat)), m.observe(Some(seat)), "{variant}, seat {seat}");
                    check(&m, &other, seat);
                }
            }
            player.step(&mut m);
        }
    }
}

/// The tokens of a player's pile in a zone.
fn pile(m: &Match, zone: &str, holder: i32) -> Vec<i32> {
    m.zone(m.game().declarations().zones.get_index_of(zone).unwrap(), holder).unwrap()
}

/// The id of a token's definition.
fn id(m: &Match, token: i32) -> &str {
    let info = m.game().layout().tokens[token as usize - 1];
    &m.game().declarations().definitions[info.definition].id
}

#[test]
fn statements_hold_in_every_redeal() {
    let mut dealt: BTreeSet<Vec<i32>> = BTreeSet::new();
    let mut told = 0;
    redeal_along(Variant::new(hints, 2, &[]), 20, |_, deal, seat| {
        let d = deal.game().declarations();
        let hand = pile(deal, "hand", i32::from(seat) + 1);
        for name in ["shade", "height"] {
            let counter = d.counters.get_index_of(name).unwrap();
            let statements = d.counters[counter].tells.as_ref().unwrap();
            for &token in &hand {
                let info = deal.game().layout().tokens[token as usize - 1];
                let ruled_out = deal.counter(token, counter).unwrap();
                assert_eq!(ruled_out & statements.bits[info.definition], 0, "{name} of {}", id(deal, token));
                told += usize::from(ruled_out != 0);
            }
        }
        dealt.insert(hand);
    });
    assert!(told > 500 && dealt.len() > 200, "{told} statements, {} hands", dealt.len());
}

#[test]
fn a_taken_card_is_remembered() {
    let mut taken = 0;
    redeal_along(Variant::new(upcard, 3, &[]), 10, |m, deal, seat| {
        // The history of the true match says who took which card.
        for watched in m.observe(Some(seat)).watched.iter().filter(|one| one.tokens.len() == 1) {
            let place = &watched.places[0];
            let Some(player) = place.strip_prefix("hand.").and_then(|rest| rest.split('#').next()) else { continue };
            let hand = pile(deal, "hand", player.parse().unwrap());
            assert_eq!(id(deal, hand[0]), watched.tokens[0]);
            taken += 1;
        }
    });
    assert!(taken > 100, "{taken}");
}

#[test]
fn a_hidden_deck_is_one_of_the_lists() {
    let (mut found, mut single) = (BTreeMap::new(), 0);
    redeal_along(Variant::new(lists, 2, &[]), 30, |m, deal, seat| {
        let d = deal.game().declarations();
        let other = 2 - i32::from(seat);
        let list = deal.counter(other, d.counters.get_index_of("list").unwrap()).unwrap() as usize;
        let outside = ["deck", "hand", "table"].map(|zone| pile(deal, zone, other)).concat();
        for (at, definition) in d.definitions.iter().enumerate() {
            let copies = motherlode::tools::list_copies(d, definition)[list];
            let dealt = outside.iter().filter(|&&token| {
                deal.game().layout().tokens[token as usize - 1].definition == at
            });
            assert_eq!(dealt.count(), copies, "{} in list {list}", definition.id);
        }
        *found.entry(list).or_insert(0) += 1;
        let shown: BTreeSet<&str> = pile(m, "table", other).iter().map(|&token| id(m, token)).collect();
        if shown.contains("flame") && shown.contains("wave") {
            assert_eq!(list, 2, "only the storm has both");
            single += 1;
        }
    });
    assert!(found.values().all(|&times| times > 100) && found.len() == 3 && single > 10, "{found:?}, {single}");
}
