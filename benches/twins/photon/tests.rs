//! Tests of battles, buildings and income, after the examples of the rules (`T-P8`).

use super::super::{answer, labels};
use super::Action::{Defend, Photon as Tnt, Raid};
use super::*;

fn game(players: usize) -> Photon {
    Photon::new(Setup { players, ..Setup::default() }, 1)
}

/// Game before the reveal, without gold: (mercenaries, action, target from 0) of each seat.
fn chosen(seats: &[(i32, Action, usize)]) -> Photon {
    let mut game = game(seats.len());
    for (seat, &(mercenaries, action, target)) in game.seats.iter_mut().zip(seats) {
        (seat.gold, seat.mercenaries, seat.action, seat.target) = (0, mercenaries, action, target);
    }
    game
}

/// Mercenaries and towers of each seat after battles and damage.
fn fought(seats: &[(i32, Action, usize)]) -> Vec<(i32, i32)> {
    let mut game = chosen(seats);
    game.reveal();
    game.apply_losses();
    game.seats[..seats.len()].iter().map(|seat| (seat.mercenaries, seat.towers)).collect()
}

fn build(game: &mut Photon, labels: &[&str]) {
    labels.iter().for_each(|label| answer(game, label));
}

/// Game of two in which both seats defend.
fn wait(game: &mut Photon) {
    build(game, &["defend", "defend"]);
}

#[test]
fn p40_t_p1_to_t_p5_battles() {
    assert_eq!(fought(&[(3, Raid, 1), (2, Defend, 0)]), [(0, 6), (1, 6)]);
    assert_eq!(fought(&[(5, Raid, 1), (2, Defend, 0)]), [(1, 6), (0, 5)]);
    assert_eq!(fought(&[(4, Raid, 1), (2, Defend, 0)]), [(0, 6), (0, 6)]);
    assert_eq!(fought(&[(1, Raid, 1), (1, Defend, 0)]), [(0, 6), (1, 6)]);
    assert_eq!(fought(&[(2, Raid, 1), (0, Defend, 0)]), [(2, 6), (0, 4)]);
}

#[test]
fn p33_t_p6_mutual_raid() {
    assert_eq!(fought(&[(3, Raid, 1), (2, Raid, 0)]), [(3, 4), (2, 3)]);
}

#[test]
fn p28_t_p7_everything_counts_from_the_reveal() {
    assert_eq!(fought(&[(2, Raid, 1), (3, Raid, 2), (1, Defend, 0)]), [(2, 6), (1, 4), (0, 5)]);
}

#[test]
fn p38_t_p8_photon_picks_also_what_is_under_construction() {
    let mut game = chosen(&[(2, Tnt, 1), (1, Defend, 0)]);
    game.seats[1].open.mines = 1;
    game.seats[1].hidden = Buildings { saloons: 1, mines: 1 };
    game.reveal();
    game.next_attack();
    assert_eq!((game.seat(), labels(&game)), (0, vec!["mine".to_owned(), "face_down".to_owned()]));
    answer(&mut game, "face_down");
    assert_eq!(game.seats[1].hidden.sum(), 1);
    answer(&mut game, "mine");
    // The remaining building is face up since the start of the next round.
    assert_eq!((game.round, game.seats[1].open.sum(), game.seats[1].hidden.sum()), (2, 1, 0));
}

#[test]
fn p39_t_p9_photon_doubles_damage() {
    assert_eq!(fought(&[(0, Tnt, 1), (3, Raid, 0), (0, Defend, 0)])[0], (0, 0));
    assert_eq!(fought(&[(5, Tnt, 1), (2, Raid, 0), (1, Raid, 0)])[0], (5, 0));
    assert_eq!(fought(&[(5, Tnt, 1), (2, Raid, 0), (0, Raid, 0)])[0], (5, 2));
}

#[test]
fn p37_t_p10_photon_takes_at_most_all() {
    let mut game = chosen(&[(4, Tnt, 1), (1, Defend, 0)]);
    game.seats[1].open.saloons = 1;
    game.seats[1].hidden.mines = 1;
    game.reveal();
    game.next_attack();
    assert_eq!((game.round, game.seats[1].buildings()), (2, 0));
}

#[test]
fn q13_the_strongest_photon_attacker_chooses_first() {
    let mut game = chosen(&[(1, Tnt, 2), (2, Tnt, 2), (0, Defend, 0)]);
    game.seats[2].open = Buildings { saloons: 4, mines: 1 };
    game.reveal();
    game.next_attack();
    assert_eq!(game.seat(), 1);
    // Only saloons are left after the mine, so nothing more is asked.
    answer(&mut game, "mine");
    assert_eq!((game.round, game.seats[2].open), (2, Buildings { saloons: 2, mines: 0 }));
}

#[test]
fn no_question_about_a_base_that_falls_anyway() {
    let mut game = chosen(&[(1, Tnt, 2), (6, Raid, 2), (0, Raid, 0)]);
    game.seats[2].open = Buildings { saloons: 4, mines: 1 };
    game.reveal();
    game.next_attack();
    assert!(game.round == 2 && !game.seats[2].plays);
}

#[test]
fn p37_t_p11_a_destroyed_mine_does_not_produce() {
    let mut game = chosen(&[(1, Tnt, 1), (1, Defend, 0)]);
    game.seats[1].open.mines = 1;
    game.seats[1].gold = 1;
    game.reveal();
    game.next_attack();
    assert_eq!(game.seats[1].gold, 1);
}

#[test]
fn p51_t_p12_relief_then_income() {
    let mut game = game(2);
    build(&mut game, &["mine", "mine", "done"]);
    wait(&mut game);
    assert_eq!((game.round, game.seats[0].gold), (2, 1));
    build(&mut game, &["done", "done"]);
    wait(&mut game);
    assert_eq!(game.seats[0].gold, 3);
}

#[test]
fn p19_t_p13_the_shortest_gold_win_is_in_round_6() {
    let mut game = game(2);
    let mut gold = vec![];
    for mines in [2, 0, 2, 0, 4, 0] {
        build(&mut game, &vec!["mine"; mines]);
        while game.question == Question::Build {
            answer(&mut game, "done");
        }
        wait(&mut game);
        gold.push(game.seats[0].gold);
    }
    assert_eq!(gold, [1, 3, 3, 7, 7, 15]);
    assert!(game.over() && game.round == 6);
    assert_eq!((game.ranks(), game.scores()), (vec![1, 2], vec![15, 2]));
}

#[test]
fn p19_t_p14_a_saloon_first_produces_in_the_next_round() {
    let mut game = game(2);
    build(&mut game, &["saloon", "done"]);
    wait(&mut game);
    assert_eq!(game.seats[0].mercenaries, 1);
    build(&mut game, &["done", "done"]);
    wait(&mut game);
    assert_eq!(game.seats[0].mercenaries, 2);
}

#[test]
fn p54_t_p15_several_at_fifteen() {
    let finish = |towers: [i32; 2], mercenaries: [i32; 2]| {
        let mut game = game(3);
        for seat in 0..2 {
            game.seats[seat].gold = [15, 17][seat];
            game.seats[seat].towers = towers[seat];
            game.seats[seat].mercenaries = mercenaries[seat];
        }
        game.collect();
        assert!(game.over());
        game.ranks()
    };
    assert_eq!(finish([3, 4], [9, 1]), [2, 1, 3]);
    assert_eq!(finish([4, 4], [9, 1]), [1, 2, 3]);
    assert_eq!(finish([4, 4], [2, 2]), [1, 1, 3]);
}

#[test]
fn q10_t_p16_the_last_two_fall_together() {
    let mut game = chosen(&[(5, Raid, 1), (7, Raid, 0), (1, Raid, 0)]);
    game.seats[2].plays = false;
    game.seats[2].towers = 0;
    game.seats[1].towers = 2;
    game.reveal();
    game.next_attack();
    assert!(game.over());
    assert_eq!(game.ranks(), [1, 1, 3]);
}

#[test]
fn p49_the_last_one_wins_without_collecting() {
    let mut game = chosen(&[(6, Raid, 1), (1, Raid, 0)]);
    game.reveal();
    game.next_attack();
    assert!(game.over());
    assert_eq!((game.ranks(), game.scores()), (vec![1, 2], vec![0, 0]));
}

#[test]
fn p52_t_p17_t_p18_relief_looks_at_operational_saloons() {
    for (open, hidden) in [(0, 1), (1, 0)] {
        let mut game = game(2);
        game.seats[0].mercenaries = 0;
        game.seats[0].open.saloons = open;
        game.seats[0].hidden.saloons = hidden;
        game.collect();
        assert_eq!(game.seats[0].mercenaries, 1);
    }
}

#[test]
fn q8_t_p19_raiders_share_losses() {
    assert_eq!(fought(&[(2, Raid, 2), (3, Raid, 2), (1, Defend, 0)]), [(1, 6), (2, 6), (0, 3)]);
    assert_eq!(fought(&[(1, Raid, 2), (5, Raid, 2), (2, Defend, 0)]), [(0, 6), (2, 6), (0, 4)]);
}

#[test]
fn t_p20_a_raid_with_nobody_does_nothing() {
    assert_eq!(fought(&[(0, Raid, 1), (0, Raid, 0)]), [(0, 6), (0, 6)]);
}

#[test]
fn p53_t_p21_fourteen_is_not_enough() {
    let mut game = game(2);
    (game.seats[0].gold, game.seats[0].open.mines) = (11, 3);
    game.collect();
    assert!(!game.over() && game.seats[0].gold == 14);
    build(&mut game, &["saloon", "done", "done"]);
    wait(&mut game);
    assert!(game.over() && game.seats[0].gold == 15);
}

#[test]
fn p27_targets_are_the_others_still_in() {
    let mut game = chosen(&[(1, Raid, 0); 4]);
    game.seats[1].plays = false;
    game.ask_action(0);
    answer(&mut game, "raid");
    assert_eq!(labels(&game), ["3", "4"]);
    answer(&mut game, "4");
    assert_eq!((game.seat(), labels(&game)), (2, ACTION_LABELS.map(str::to_owned).to_vec()));
}

#[test]
fn playouts_end_within_the_limit() {
    let mut chance = SplitMix64::new(1);
    for players in 2..=6 {
        let mut game = Photon::new(Setup { players, max_rounds: 30, ..Setup::default() }, 0);
        for seed in 0..200 {
            game.reset(seed);
            game.playout(&mut chance);
            assert!(game.over() && game.round <= 30);
            assert!(game.seats.iter().all(|seat| seat.mercenaries >= 0 && seat.buildings() >= 0));
        }
    }
}
