//! Tests after the worked examples of the rules (`T-C3`), and playouts.

use super::super::{Twin, answer, labels};
use super::actions::Must;
use super::mine::{ALL, add, number};
use super::scoring::relic_points;
use super::*;
use crate::twins::SplitMix64;

/// Numbers of agents.
const OX_DROVER: u8 = 8;
const KNIFE_DANCER: u8 = 10;
const HAMMER_GIANT: u8 = 17;
/// Numbers of relics.
const MAUL: u8 = 0;
const SLED: u8 = 3;

fn game(players: usize) -> Krysis {
    Krysis::new(Setup { players, ..Setup::default() }, 1)
}

/// Answers the bid of every seat with these crystals.
fn bid(game: &mut Krysis, bids: &[Crystals]) {
    for (seat, crystals) in bids.iter().enumerate() {
        for (colour, n) in crystals.iter().enumerate() {
            if game.seats[seat].home[colour] > 0 {
                assert_eq!((game.seat, game.question), (seat, Question::Bid(colour)));
                answer(game, &n.to_string());
            }
        }
    }
}

/// Game in its action phase: seats act in order, with these (load, combat) and campsites.
fn acting(seats: &[(u8, u8, Crystals)]) -> Krysis {
    let mut game = game(seats.len());
    for (seat, &(load, combat, camp)) in game.seats.iter_mut().zip(seats) {
        (seat.load, seat.combat, seat.camp) = (load, combat, camp);
        seat.camp_relics.clear();
    }
    (game.order, game.turn) = ([0, 1, 2, 3], 0);
    game.act();
    game
}

fn take(game: &mut Krysis, crystals: &[u8]) {
    crystals.iter().for_each(|n| answer(game, &n.to_string()));
}

#[test]
fn t_c1_overtime_is_worth_six() {
    let mut game = acting(&[(0, 0, [0; 3]); 2]);
    let mut mixes = Vec::new();
    answer(&mut game, "overtime");
    for red in labels(&game) {
        let mut game = game.clone();
        answer(&mut game, &red);
        let blue = if game.question == Question::OvertimeBlue { labels(&game) } else { vec!["0".to_owned()] };
        mixes.extend(blue.into_iter().map(|blue| (red.clone(), blue)));
    }
    let all = [("0", "0"), ("0", "1"), ("0", "2"), ("0", "3"), ("1", "0"), ("1", "1"), ("2", "0")];
    assert_eq!(mixes, all.map(|(red, blue)| (red.to_owned(), blue.to_owned())));
}

#[test]
fn q13_overtime_of_a_poor_supply() {
    for (supply, camp) in [([1, 1, 0], [1, 1, 0]), ([0, 2, 1], [0, 2, 1]), ([0, 0, 2], [0, 0, 2]), ([0; 3], [0; 3])] {
        let mut game = acting(&[(0, 0, [0; 3]); 2]);
        game.supply = supply;
        answer(&mut game, "overtime");
        assert_eq!((game.seat, game.seats[0].camp, game.supply), (1, camp, [0; 3]));
    }
}

#[test]
fn q13_mining_from_a_poor_supply() {
    let mut game = game(2);
    game.seats[0].camp = [0; 3];
    game.supply = [0, 1, 3];
    game.take_from_supply(0, &[2, 1, 1]);
    assert_eq!((game.seats[0].camp, game.supply), ([0, 1, 3], [0; 3]));
}

#[test]
fn t_c2_t_c8_who_has_loaded_is_raided_without_combat() {
    let mut game = acting(&[(1, 0, [3, 3, 0]), (4, 0, [0; 3])]);
    assert_eq!(labels(&game), ["load_home", "load_bank", "overtime"]);
    answer(&mut game, "load_home");
    take(&mut game, &[1]);
    assert_eq!(labels(&game), ["leave", "1", "overtime"]);
    answer(&mut game, "1");
    take(&mut game, &[2, 2]);
    answer(&mut game, "camp");
    assert_eq!((game.seats[0].camp, game.seats[1].camp), ([0, 1, 0], [2, 2, 0]));
}

#[test]
fn t_c6_t_c8_who_works_overtime_is_on_guard() {
    for (combat, raids) in [(5, false), (6, true)] {
        let mut game = acting(&[(0, 5, [0; 3]), (0, combat, [0; 3])]);
        answer(&mut game, "overtime");
        answer(&mut game, "2");
        assert_eq!(labels(&game).contains(&"1".to_owned()), raids);
    }
}

#[test]
fn t_c7_the_victim_acts_with_its_whole_team_afterwards() {
    let mut game = acting(&[(2, 4, [0; 3]), (3, 3, [0, 5, 0])]);
    answer(&mut game, "2");
    take(&mut game, &[2]);
    answer(&mut game, "bank");
    assert_eq!((game.seat, game.seats[0].vp, game.seats[1].camp), (1, 4, [0, 3, 0]));
    // The raider's own campsite is unguarded now (C-46e).
    assert_eq!(labels(&game), ["load_home", "load_bank", "1", "overtime"]);
}

#[test]
fn t_c3_the_order_of_bids() {
    for (by_number, order) in [(false, [1, 0, 3, 2]), (true, [1, 2, 0, 3])] {
        let mut game = game(4);
        game.setup.bid_by_number = by_number;
        for (seat, rank) in [1, 4, 2, 3].into_iter().enumerate() {
            game.seats[seat].rank = rank;
        }
        let supply = game.supply;
        bid(&mut game, &[[1, 0, 1], [0, 2, 0], [0, 0, 2], [1, 0, 0]]);
        assert_eq!(game.order, order);
        assert_eq!(number(&game.supply), number(&supply) + 7, "all bids are paid");
    }
}

#[test]
fn t_c4_t_c5_of_equals_the_miner_ahead_is_first() {
    let mut game = game(4);
    for (seat, rank) in [3, 1, 4, 2].into_iter().enumerate() {
        game.seats[seat].rank = rank;
    }
    bid(&mut game, &[[0; 3]; 4]);
    assert_eq!(game.order, [2, 0, 3, 1]);
    for space in ["a2", "c2", "b2"] {
        answer(&mut game, space);
    }
    // The last seat has no choice.
    assert_eq!(game.seats.map(|seat| seat.rank), [3, 4, 1, 2]);
    for (seat, initiative) in [11, 9, 14, 11].into_iter().enumerate() {
        game.seats[seat].initiative = initiative;
        game.seats[seat].hand = Pile::EMPTY;
        (0..4).for_each(|_| game.seats[seat].hand.push(OX_DROVER));
    }
    game.pick_agent(0);
    while game.question == Question::Agent {
        answer(&mut game, "ox_drover");
    }
    assert_eq!(game.order, [2, 0, 3, 1]);
}

#[test]
fn t_c9_a_load_is_sold() {
    let mut game = acting(&[(4, 0, [3, 2, 0]), (0, 0, [0; 3])]);
    game.seats[0].camp_relics.push(MAUL);
    answer(&mut game, "load_bank");
    take(&mut game, &[3, 0]);
    answer(&mut game, "done");
    assert_eq!((game.seats[0].vp, game.seats[0].camp, game.seats[0].camp_relics.len()), (9, [0, 2, 0], 1));
}

#[test]
fn q5_q10_loot_is_divided() {
    let mut game = acting(&[(6, 1, [0; 3]), (0, 0, [1, 1, 1])]);
    for relic in [MAUL, SLED, SLED] {
        game.seats[1].camp_relics.push(relic);
    }
    answer(&mut game, "2");
    take(&mut game, &[1, 1, 1]);
    for _ in 0..3 {
        let first = labels(&game).remove(0);
        answer(&mut game, &first);
    }
    answer(&mut game, "split");
    // For each colour: the number for home, then for the bank. Red goes home, blue to the bank, white to the campsite.
    take(&mut game, &[1, 0, 1, 0, 0]);
    for label in ["bronze_maul", "done", "reed_sled", "done"] {
        answer(&mut game, label);
    }
    let own = &game.seats[0];
    assert_eq!((own.home, own.camp, own.vp), ([2, 2, 3], [0, 0, 1], 4));
    assert_eq!(
        (own.home_relics.cards(), own.camp_relics.cards(), game.gone.cards()),
        (&[MAUL][..], &[SLED][..], &[SLED][..])
    );
}

#[test]
fn t_c10_a_raid_without_load_takes_nothing() {
    let mut game = acting(&[(0, 9, [0; 3]), (0, 3, [5, 0, 0])]);
    answer(&mut game, "2");
    assert!(game.seat == 1 && !game.seats[0].guarded && game.seats[1].camp == [5, 0, 0]);
}

#[test]
fn c62_t_c15_relics_in_use() {
    let mut game = game(2);
    bid(&mut game, &[[0; 3]; 2]);
    answer(&mut game, "c2");
    answer(&mut game, "d2");
    for seat in 0..2 {
        game.seats[seat].hand = Pile::EMPTY;
        for _ in 0..6 {
            game.seats[seat].hand.push(if seat == 0 { KNIFE_DANCER } else { HAMMER_GIANT });
        }
        game.seats[seat].camp_relics.clear();
    }
    for relic in [MAUL, SLED, SLED, SLED] {
        game.seats[0].camp_relics.push(relic);
    }
    for _ in 0..3 {
        answer(&mut game, "knife_dancer");
        answer(&mut game, "hammer_giant");
    }
    for relic in ["reed_sled", "bronze_maul", "reed_sled"] {
        answer(&mut game, relic);
    }
    // Three relics are the limit; the initiative comes from the agents (C-64).
    let own = &game.seats[0];
    assert_eq!((game.question, own.load, own.combat, own.initiative), (Question::Action, 2, 28, 24));
    answer(&mut game, "load_home");
    while game.round == 1 && game.question != Question::Stack {
        let last = labels(&game).pop().unwrap_or_default();
        answer(&mut game, &last);
    }
    assert_eq!((game.gone.len(), game.seats[0].gear.len(), game.seats[0].load), (3, 0, 0));
}

#[test]
fn t_c11_t_c12_hands_last_for_five_rounds() {
    let mut chance = SplitMix64::new(3);
    let mut game = game(3);
    while game.question != Question::Over {
        game.answer(chance.below(game.choices.len()));
        if game.question == Question::Stack {
            assert!(game.choices.len() == 2, "an empty stack cannot be chosen");
        }
        if matches!(game.question, Question::Bid(_)) {
            assert!(game.seats[..3].iter().all(|seat| seat.hand.len() == 6));
        }
    }
    assert!(game.seats[..3].iter().all(|seat| seat.hand.len() == 3 && seat.discard.len() == 15));
}

#[test]
fn t_c13_t_c14_the_end() {
    let mut game = game(2);
    for (seat, rank) in game.seats.iter_mut().zip([2, 4]) {
        (seat.home, seat.camp, seat.vp, seat.rank) = ([2, 0, 1], [0, 3, 0], 21, rank);
    }
    game.end();
    assert_eq!((game.scores(), game.ranks()), (vec![28, 28], vec![2, 1]));
}

#[test]
fn c73_relics_are_grouped_to_the_best_advantage() {
    assert_eq!(relic_points(&[]), 0);
    assert_eq!(relic_points(&[2]), 1);
    assert_eq!(relic_points(&[0, 0, 0, 0]), 16);
    assert_eq!(relic_points(&[0, 1, 2, 3, 4, 5]), 36);
    // Three different relics and two, not two pairs and a single relic.
    assert_eq!(relic_points(&[0, 0, 1, 1, 2]), 13);
    assert_eq!(relic_points(DECK.cards()), 144);
}

#[test]
fn t_c16_the_start() {
    let game = game(4);
    for seat in game.seats {
        assert_eq!((mine::worth(&seat.home), seat.hand.len(), seat.vp), (10, 6, 0));
        assert!(seat.hand.cards()[..3].iter().all(|&agent| usize::from(agent) < STACK));
        assert!(seat.hand.cards()[3..].iter().all(|&agent| usize::from(agent) >= STACK));
    }
}

#[test]
fn c81_what_a_team_must_do() {
    let start = || Krysis::new(Setup { players: 2, speed: true, ..Setup::default() }, 1);
    let do_it = |teams: [(u8, u8); 2], camps: [Crystals; 2]| {
        let mut game = start();
        for (seat, ((load, combat), camp)) in game.seats.iter_mut().zip(teams.into_iter().zip(camps)) {
            (seat.load, seat.combat, seat.camp) = (load, combat, camp);
        }
        (game.order, game.turn) = ([0, 1, 2, 3], 0);
        game.act();
        game
    };
    // The other seat is asked next what it mines.
    let stolen = do_it([(2, 3), (9, 2)], [[0; 3], [0, 5, 0]]);
    assert_eq!((stolen.seats[0].home, stolen.seats[0].guarded), ([0, 2, 0], false));
    let loaded = do_it([(2, 2), (9, 2)], [[2, 0, 0], [0, 5, 0]]);
    assert_eq!((loaded.seats[0].home, loaded.seats[0].guarded), ([2, 0, 0], false));
    let mut mined = do_it([(2, 2), (9, 2)], [[1, 0, 0], [0, 5, 0]]);
    answer(&mut mined, "2");
    assert_eq!((mined.seats[0].camp, mined.seats[0].guarded), ([3, 0, 0], true));
    let asked = do_it([(2, 3), (0, 2)], [[0; 3], [1, 5, 0]]);
    assert_eq!(
        (asked.question, labels(&asked)),
        (Question::RedOnes(Must::Steal), vec!["0".to_owned(), "1".to_owned()])
    );
}

#[test]
fn playouts_end_and_lose_nothing() {
    let mut chance = SplitMix64::new(1);
    for players in 2..=4 {
        let mut game = game(players);
        for seed in 0..300 {
            game.reset(seed);
            game.playout(&mut chance);
            let mut crystals = game.supply;
            let mut relics = game.deck.len() + game.gone.len();
            for seat in &game.seats[..players] {
                add(&mut crystals, &seat.home);
                add(&mut crystals, &seat.camp);
                relics += seat.camp_relics.len() + seat.home_relics.len();
            }
            assert_eq!((game.round, crystals, relics), (5, ALL, CARDS));
        }
    }
}
