//! What players were told and saw stays true in every determinization.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::{Game, Match};
use motherlode_play::bot;
use motherlode_table::{Faces, View};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{hints, lists, rummy, upcard};
use crate::docs::pages;
use crate::shipped::{Player, Variant, load};

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

/// A hand is sorted after every card that it gets. A card that all saw go into it is in it in every redeal, at a place
/// that only its player knows; the other cards of the hand may be any cards.
#[test]
fn a_card_that_went_into_a_hand_is_still_there_after_a_sort() {
    let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut watched, mut others) = (0, BTreeSet::new());
    redeal_along(Variant::new(rummy, 3, &[]), 20, |m, deal, seat| {
        for known in m.observe(Some(seat)).watched {
            let held = known.places.iter().filter_map(|place| place.strip_prefix("hand."));
            for player in held.filter_map(|player| player.parse::<i32>().ok()) {
                assert_ne!(player, i32::from(seat) + 1, "a player sees the places in the own hand: {known:?}");
                let [hand, real] = [pile(deal, "hand", player), pile(m, "hand", player)];
                let ids: Vec<&str> = hand.iter().map(|&token| id(deal, token)).collect();
                if let [only] = known.tokens.as_slice() {
                    assert!(ids.contains(&only.as_str()), "{only} is in the hand: {ids:?}");
                    assert!(real.iter().any(|&token| id(m, token) == only));
                    let at = ids.iter().position(|id| id == only).unwrap();
                    *places.entry((ids.len(), at)).or_insert(0) += 1;
                    watched += 1;
                    others.insert(ids.join(" "));
                }
            }
        }
    });
    assert!(watched > 300, "{watched}");
    assert!((0..3).all(|at| places.get(&(3, at)).is_some_and(|&times| times * 6 > watched / 4)), "{places:?}");
    assert!(others.len() > 60, "{} hands", others.len());
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
            let dealt =
                outside.iter().filter(|&&token| deal.game().layout().tokens[token as usize - 1].definition == at);
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

/// The game of a recipe.
fn recipe(page: &str, id: &str) -> Game {
    let folder = tempfile::tempdir().unwrap();
    let page = pages().into_iter().find(|one| one.path == page).unwrap();
    let mut rest = page.source.as_str();
    while let Some((_, after)) = rest.split_once("\n```") {
        let (head, body) = after.split_once('\n').unwrap();
        let (text, next) = body.split_once("\n```").unwrap();
        if let Some((_, path)) = head.split_once(' ').filter(|(_, path)| path.contains('/')) {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{text}\n")).unwrap();
        }
        rest = next;
    }
    load(folder.path(), id)
}

/// A redeal lists an offer again until it is the same. If labels told hidden facts, it would need several deals.
#[test]
fn a_plan_of_hints_plays_well_without_hidden_facts() {
    const PLAN: &str = "plan:play_sure/*_sure/*_next/discard_useless/discard_spare/discard/rank/colour";
    let game = recipe("recipes/hints.md", "fireworks");
    let (mut points, games) = (0, 40);
    for seed in 0..games {
        let setup = game.setup(Some(2), &[], seed).unwrap();
        let (mut m, mut other) = (Match::new(&game, &setup).unwrap(), Match::new(&game, &setup).unwrap());
        let mut bot = bot(PLAN, &game, seed).unwrap();
        while let Some(decision) = m.decision() {
            for seat in 0..2 {
                other.restore(&m.snapshot()).unwrap();
                let deals = other.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap();
                assert!(seat != decision.seat || deals == 1, "seed {seed}: {deals} deals");
                assert_eq!(other.observe(Some(seat)), m.observe(Some(seat)));
            }
            let choice = bot.choose(&m, decision).unwrap();
            m.answer(choice).unwrap();
        }
        points += m.outcome().unwrap().scores[0];
    }
    assert!(points >= 16 * games as i32, "{points} points in {games} games");
}

#[test]
fn players_see_what_they_were_told_by_place() {
    let game = recipe("recipes/hints.md", "fireworks");
    let setup = game.setup(Some(2), &[], 5).unwrap();
    let mut m = Match::new(&game, &setup).unwrap();
    let hint = m.legal_of(0).unwrap().iter().position(|choice| choice.key().contains("rank")).unwrap();
    m.answer(hint).unwrap();
    let seen = m.observe(Some(1));
    let hand = &seen.players[1].zones["hand"];
    assert!(hand.tokens.iter().all(Option::is_none) && hand.marks.len() == 5, "{hand:?}");
    let open: Vec<String> = serde_json::from_value(serde_json::to_value(&hand.marks["1"]["rank"]).unwrap()).unwrap();
    assert!(open.len() == 1 || open.len() == 4, "{open:?}");
    let faces = Faces::new(&game);
    let view = View::of(&m, &faces, Some(1));
    let cards = &view.piles.iter().find(|pile| pile.id == "hand" && pile.seat == Some(1)).unwrap().cards;
    assert!(cards.iter().all(|card| card.face.is_none() && card.details[0].starts_with("rank ")), "{cards:?}");
}
