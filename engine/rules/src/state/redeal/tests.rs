use super::*;
use crate::state::PositionMut;
use crate::state::fixture::Table;
use crate::state::layout::word;
use crate::state::observe::Observation;
use proptest::prelude::*;
use rand::SeedableRng;

fn redealt(table: &Table, seat: u8, seed: u64) -> Table {
    let mut table = table.clone();
    let rng = &mut Pcg64Mcg::seed_from_u64(seed);
    redeal(&table.declared, &table.layout, &table.options, &mut table.words, seat, rng, &mut HiddenParts::default());
    table
}

fn observe(table: &Table, seat: u8) -> Observation {
    Observation::new(&table.sight(Some(seat)), &table.options, None)
}

#[test]
fn hidden_cards_are_dealt_again() {
    let mut table = Table::new(3);
    table.put("jack", "hand", 2);
    table.put("king", "hand", 1);
    let jack_at = |seed| {
        let dealt = redealt(&table, 0, seed);
        dealt.sight(None).pile_of(dealt.first("jack")).unwrap()
    };
    let deck = table.layout.pile(0, 0).unwrap();
    let places: Vec<usize> = (0..50).map(jack_at).collect();
    let in_deck = places.iter().filter(|&&pile| pile == deck).count();
    assert!((30..50).contains(&in_deck), "four of five hidden cards lie in the deck: {in_deck}");
    for seed in 0..20 {
        let after = redealt(&table, 0, seed);
        assert_eq!(after.sight(None).pile_of(table.first("king")), table.sight(None).pile_of(table.first("king")));
        assert_eq!(redealt(&table, 0, seed).words, after.words, "the same generator deals the same");
    }
}

#[test]
fn backs_differ() {
    let mut table = Table::new(3);
    for player in 1..=3 {
        table.move_to(table.figure(player), "hand", player);
    }
    for seed in 0..20 {
        let after = redealt(&table, 0, seed);
        for player in 1..=3 {
            let figure = table.figure(player);
            assert_eq!(after.sight(None).pile_of(figure), table.sight(None).pile_of(figure));
        }
    }
}

#[test]
fn known_cards_stay() {
    let mut table = Table::new(2);
    for id in ["ace", "king", "jack"] {
        table.put(id, "hand", 2);
    }
    table.see("ace", 1 << 1);
    table.see("king", 1 << 2);
    let ace = table.first("ace");
    for seed in 0..20 {
        let after = redealt(&table, 0, seed);
        let hand = after.sight(None).pile_of(ace).unwrap();
        assert_eq!(after.sight(None).tokens(hand)[0], ace);
        let second = after.sight(None).tokens(hand)[1];
        assert_eq!(after.sight(None).seen(second), 0, "nobody knows that player 2 has seen one");
    }
}

#[test]
fn only_the_others_know_a_rack() {
    let mut table = Table::new(3);
    let jack = table.put("jack", "rack", 1);
    let rack = table.sight(None).pile_of(jack).unwrap();
    let in_rack = |table: &Table, seat| {
        (0..20).filter(|&seed| redealt(table, seat, seed).sight(None).pile_of(jack) == Some(rack)).count()
    };
    assert!(in_rack(&table, 0) < 15, "the holder may have any card");
    assert_eq!((in_rack(&table, 1), in_rack(&table, 2)), (20, 20));
    assert!((1..3).all(|seat| observe(&table, seat).players[0].zones["rack"].tokens == [Some("jack".into())]));
    assert_eq!(observe(&table, 0).players[0].zones["rack"].tokens, [None]);
    // The others remember a card that leaves the rack.
    let mut moved = table.clone();
    let deck = moved.layout.pile(0, 0).unwrap();
    assert!(PositionMut::new(&moved.layout, &mut moved.words).carry(jack, deck, false, false));
    assert!((1..3).all(|seat| moved.sight(Some(seat)).identifies(jack)) && !moved.sight(Some(0)).identifies(jack));
}

#[test]
fn hidden_sums_are_split_again() {
    let mut table = Table::new(4);
    for (player, debt) in [(1, 7), (2, 20), (3, 1), (4, 0)] {
        table.set("debt", player, debt);
        table.set("plan", player, player);
    }
    table.set("omen", 0, 5);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..50 {
        let after = redealt(&table, 0, seed);
        let debts: Vec<i32> = (1..=4).map(|player| after.get("debt", player)).collect();
        assert_eq!(debts[0], 7);
        assert_eq!(debts[1..].iter().sum::<i32>(), 21);
        assert!(debts.iter().all(|debt| (0..=20).contains(debt)));
        assert_eq!((1..=4).map(|player| after.get("plan", player)).collect::<Vec<_>>(), [1, 2, 3, 4]);
        seen.insert(debts);
    }
    assert!(seen.len() > 30);
}

#[test]
fn a_counter_without_a_pool_is_dealt_within_its_range() {
    let mut table = Table::new(2);
    table.set("omen", 0, 5);
    let mut fallen = [0; 10];
    (0..2_000).for_each(|seed| fallen[redealt(&table, 0, seed).get("omen", 0) as usize] += 1);
    assert!(fallen.iter().all(|&times| (140..260).contains(&times)), "{fallen:?}");
    table.declared.counters["omen"].only.players = vec![3];
    assert_eq!(redealt(&table, 0, 1).get("omen", 0), 5, "it does not exist with two players");
    table.declared.counters["omen"].only.players.clear();
    table.declared.counters["omen"].redeal = Some(Redeal::Hook);
    assert_eq!(redealt(&table, 0, 1).get("omen", 0), 0, "what a hook deals is blank");
}

#[test]
fn tokens_change_places_within_their_class() {
    let mut table = Table::new(2);
    for (token, class) in [(1, 2), (4, 2), (2, 3), (5, 3), (3, ALONE), (6, ALONE)] {
        PositionMut::new(&table.layout, &mut table.words).set_class(token, class);
    }
    let deck = table.layout.pile(0, 0).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let after = redealt(&table, 0, seed);
        let dealt = after.sight(None).tokens(deck).to_vec();
        assert_eq!((dealt[2], dealt[5]), (3, 6));
        assert!([1, 4].contains(&dealt[0]) && [2, 5].contains(&dealt[1]), "{dealt:?}");
        seen.insert(dealt);
    }
    assert_eq!(seen.len(), 4);
}

#[test]
fn piles_that_nobody_counts_share_their_tokens() {
    let mut table = Table::new(3);
    for token in 1..=4 {
        table.move_to(token, "vault", 2);
    }
    PositionMut::new(&table.layout, &mut table.words).set_class(1, ALONE);
    let vaults = |seed| {
        let after = redealt(&table, 0, seed);
        after.assert_sound();
        let vault = |player| after.layout.pile(after.declared.zones.get_index_of("vault").unwrap(), player).unwrap();
        assert_eq!(after.sight(None).pile_of(1), Some(vault(2)), "everybody has watched it");
        [2, 3].map(|player| after.sight(None).tokens(vault(player)).len())
    };
    let found: std::collections::BTreeSet<[usize; 2]> = (0..200).map(vaults).collect();
    let all = (0..=3).flat_map(|two| (0..=3 - two).map(move |three| [two + 1, three]));
    assert_eq!(found, all.collect(), "the rest lies in the pit");
}

#[test]
fn hidden_faces_and_marks_are_blank() {
    let mut table = Table::new(3);
    table.words[table.layout.token_seen] |= 1;
    for (token, zone, holder) in [(2, "pit", 0), (3, "hand", 2)] {
        table.move_to(token, zone, holder);
        table.set("load", token, 2);
    }
    let loads = |seed| {
        let after = redealt(&table, 0, seed);
        let of = |zone: &str, holder| {
            let pile = after.layout.pile(after.declared.zones.get_index_of(zone).unwrap(), holder).unwrap();
            let tokens = after.sight(None).tokens(pile).iter();
            tokens.map(|&token| after.get("load", token)).sum::<i32>()
        };
        assert!((1..=6).all(|token| after.sight(None).seen(token) == 0));
        [of("pit", 0), of("vault", 2), of("hand", 2)]
    };
    assert!((0..20).all(|seed| loads(seed) == [0, 0, 2]), "a mark lies on its place in a hand");
}

#[test]
fn a_value_that_names_a_hidden_token_follows_its_place() {
    let mut table = Table::new(2);
    table.move_to(5, "hand", 2);
    table.set("target", 0, 5);
    let hand = table.layout.pile(table.declared.zones.get_index_of("hand").unwrap(), 2).unwrap();
    for seed in 0..20 {
        let after = redealt(&table, 0, seed);
        assert_eq!(after.sight(None).tokens(hand), [after.get("target", 0)]);
    }
}

#[test]
fn tokens_not_yet_in_play_may_be_the_hidden_ones() {
    let mut table = Table::new(2);
    table.layout.backs[0].unplaced = true;
    for token in 1..=6 {
        PositionMut::new(&table.layout, &mut table.words).lift(token);
    }
    table.move_to(6, "pit", 0);
    let in_play = |table: &Table, seed| {
        let after = redealt(table, 0, seed);
        after.assert_sound();
        let mut placed = (1..=6).filter(|&token| after.sight(None).pile_of(token).is_some());
        (placed.next().unwrap(), placed.next())
    };
    let dealt: std::collections::BTreeSet<_> = (0..60).map(|seed| in_play(&table, seed)).collect();
    assert_eq!(dealt, (1..=6).map(|token| (token, None)).collect());
    table.layout.backs[0].unplaced = false;
    assert_eq!(in_play(&table, 1), (6, None), "the others have left the game");
}

#[test]
fn only_seats_at_the_table_take_part() {
    let mut table = Table::new(2);
    table.set("debt", 2, 9);
    for seed in 0..10 {
        let after = redealt(&table, 0, seed);
        assert_eq!((after.get("debt", 2), after.get("debt", 3), after.get("debt", 4)), (9, 0, 0));
    }
}

#[test]
fn named_values_are_shuffled() {
    let mut table = Table::new(2);
    table.set("trap", table.cell("board", "a1"), 1);
    table.set("trap", table.cell("board", "c2"), 2);
    let traps = |table: &Table| {
        let mut traps: Vec<i32> =
            ["a1", "c1", "a2", "b2", "c2"].map(|cell| table.get("trap", table.cell("board", cell))).to_vec();
        traps.sort_unstable();
        traps
    };
    let moved = (0..20).filter(|&seed| redealt(&table, 1, seed).get("trap", 1) != 1).count();
    assert!(moved > 5);
    for seed in 0..20 {
        assert_eq!(traps(&redealt(&table, 1, seed)), [0, 0, 0, 1, 2]);
        assert_eq!(redealt(&table, 1, seed).get("trap", table.cell("board", "b1")), 0, "a hole stays empty");
    }
}

#[test]
fn chance_begins_anew() {
    let mut table = Table::new(2);
    let (deck, position) = (table.layout.pile(0, 0).unwrap(), &mut PositionMut::new(&table.layout, &mut table.words));
    position.shuffle(deck);
    position.random(6, 0);
    assert_eq!(position.draws(), 2);
    let after = redealt(&table, 0, 1);
    assert_ne!(after.words[word::SEED_LOW], table.words[word::SEED_LOW]);
    assert_eq!(Position::new(&after.layout, &*after.words).draws(), 0, "not even how much was drawn can be told");
}

proptest! {
    #[test]
    fn nothing_leaks(position in any::<u64>(), deal in any::<u64>(), seat in 0_u8..4) {
        let table = Table::random(position);
        let after = redealt(&table, seat, deal);
        after.assert_sound();
        prop_assert_eq!(observe(&table, seat), observe(&after, seat));
        for (index, counter) in table.declared.counters.values().enumerate() {
            let sum = |table: &Table| -> i64 {
                table.sight(None).holders(index)
                    .map(|holder| i64::from(table.sight(None).counter(index, holder).unwrap())).sum()
            };
            let kept = matches!(counter.dealt(), Redeal::Pool | Redeal::Keep);
            prop_assert!(!kept || sum(&table) == sum(&after));
            for holder in after.sight(None).holders(index) {
                let value = after.sight(None).counter(index, holder).unwrap();
                prop_assert!((counter.min..=counter.max).contains(&value));
            }
        }
    }

    #[test]
    fn indistinguishable_positions_give_equal_deals(
        position in any::<u64>(), one in any::<u64>(), other in any::<u64>(), seat in 0_u8..4,
    ) {
        let table = Table::random(position);
        let elsewhere = redealt(&table, seat, one);
        prop_assert_eq!(redealt(&elsewhere, seat, other).words, redealt(&table, seat, other).words);
    }
}
