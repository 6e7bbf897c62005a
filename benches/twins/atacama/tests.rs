//! Tests of placement, claims and scoring, after the examples of the rules (`T-A7`).

use super::super::atacama_map::tests::maps;
use super::super::{answer, labels};
use super::Ore::{Copper, Gold, Silver};
use super::*;
use crate::twins::SplitMix64;

fn game(setup: Setup) -> Atacama {
    Atacama::new(setup, &maps(), 1)
}

fn basic(players: usize) -> Atacama {
    game(Setup { players, ..Setup::default() })
}

const ENHANCED: Setup = Setup { players: 2, enhanced: true, tactical: false, claim_bonus_rig: false };

fn field(game: &Atacama, name: &str) -> usize {
    game.geometry.names.iter().position(|known| known == name).unwrap()
}

/// Puts rigs on fields with these prints, whatever the rules of placement say.
fn put(game: &mut Atacama, fields: &[(&str, Ore, i32)]) {
    for &(name, ore, value) in fields {
        let field = field(game, name);
        game.fields[field] = Some((ore, value));
        game.rigs[field] = 1;
    }
}

/// Position of the rulebook's intermediate scoring, with rows counted from the lowest.
fn example() -> Atacama {
    let mut game = basic(2);
    put(&mut game, &[("a1", Gold, 2), ("a4", Silver, 5), ("a6", Copper, 3), ("a8", Silver, 1)]);
    put(&mut game, &[("b2", Gold, 2), ("b5", Copper, 4), ("b7", Copper, 5), ("b9", Silver, 3)]);
    game
}

#[test]
fn a19_t_a1_t_a2_columns_of_turquoise() {
    let mut game = basic(2);
    put(&mut game, &[("a1", Gold, 2), ("a4", Silver, 5), ("a6", Copper, 3), ("a8", Silver, 1)]);
    assert_eq!(game.scores()[0], 5);
    put(&mut game, &[("b2", Gold, 2), ("b5", Copper, 4), ("b7", Copper, 5), ("b9", Silver, 3)]);
    assert_eq!(game.scores(), [5 - 4, 0]);
}

#[test]
fn a19_t_a3_to_t_a6_rows_of_orange() {
    let mut game = example();
    game.rigs = [0; MOST_FIELDS];
    put(&mut game, &[("b9", Silver, 1), ("d9", Copper, 3), ("f9", Copper, 4), ("h9", Gold, 1)]);
    put(&mut game, &[("a8", Silver, 1), ("c8", Gold, 5), ("e8", Gold, 5)]);
    assert_eq!(game.scores(), [0, 7]);
    put(&mut game, &[("b7", Copper, 3), ("d7", Silver, 5), ("f7", Gold, 2), ("h7", Silver, 3)]);
    assert_eq!(game.scores(), [0, 7 - 3]);
}

#[test]
fn a15_t_a7_a_rig_blocks_its_neighbours() {
    let mut game = basic(2);
    assert_eq!(labels(&game).len(), 81);
    answer(&mut game, "a1");
    let now = labels(&game);
    assert_eq!(now.len(), 78);
    assert!(!now.contains(&"b1".to_owned()) && !now.contains(&"a2".to_owned()) && now.contains(&"b2".to_owned()));
    answer(&mut game, "e5");
    assert_eq!(labels(&game).len(), 73);
}

#[test]
fn a19_t_a8_a_field_counts_for_both() {
    for (ore, turquoise) in [(Gold, 4), (Copper, -4)] {
        let mut game = basic(2);
        put(&mut game, &[("c1", Gold, 1), ("c5", Gold, 1), ("c7", Gold, 1)]);
        put(&mut game, &[("a3", Gold, 1), ("e3", Gold, 1), ("g3", Gold, 1)]);
        put(&mut game, &[("c3", ore, 4)]);
        assert_eq!(game.scores(), [3 + turquoise, 3 + 4]);
    }
}

#[test]
fn a18_t_a9_three_rigs_do_not_score() {
    let mut game = basic(2);
    put(&mut game, &[("a1", Gold, 1), ("a3", Gold, 1), ("a5", Gold, 1)]);
    assert_eq!(game.scores(), [0, 0]);
    put(&mut game, &[("a7", Gold, 1)]);
    assert_eq!(game.scores(), [4, 0]);
}

#[test]
fn a15_t_a10_five_rigs_fill_a_line() {
    let mut game = basic(2);
    for name in ["a1", "a3", "a5", "a7", "a9"] {
        answer(&mut game, name);
    }
    assert!(labels(&game).iter().all(|name| !name.starts_with('a')));
}

#[test]
fn a47_t_a11_the_second_colour_counts_double() {
    let mut game = basic(2);
    put(&mut game, &[("c1", Gold, 1), ("c5", Gold, 1), ("c7", Gold, 1)]);
    put(&mut game, &[("a3", Gold, 1), ("e3", Gold, 1), ("g3", Gold, 1), ("c3", Copper, 3)]);
    let c3 = field(&game, "c3");
    game.rigs[c3] = 2;
    assert_eq!(game.scores(), [3 - 6, 3 + 6]);
}

#[test]
fn a37_t_a12_t_a13_a_claim_costs_a_rig_and_happens_once() {
    let mut game = game(ENHANCED);
    let first = game.seat;
    assert!(labels(&game)[27..] == LABELS[..4]);
    game.apply(0);
    answer(&mut game, "claim orange_columns");
    let [own, other] = [1 - first, first].map(|seat| game.concessions[seat]);
    assert_eq!((own.forbidden, own.direction, other.forbidden, other.direction), (Silver, COLUMNS, Copper, ROWS));
    assert!(labels(&game).iter().all(|label| !label.starts_with("claim")));
    let mut turns = [0, 0];
    turns[first] += 1;
    turns[1 - first] += 1;
    while !game.over() {
        turns[game.seat] += 1;
        game.apply(0);
    }
    assert_eq!(turns, [14, 14]);
    assert_eq!(game.rigs.iter().filter(|&&rig| rig > 0).count(), 27);
}

#[test]
fn q4_the_bonus_rig() {
    let mut game = game(Setup { claim_bonus_rig: true, ..ENHANCED });
    let first = game.seat;
    answer(&mut game, "claim turquoise_rows");
    assert_eq!((game.left[first].basic, game.left[1 - first].basic), (13, 15));
}

#[test]
fn q10_the_claimer_chooses_the_colour_that_pays() {
    let mut game = game(Setup { tactical: true, ..ENHANCED });
    let first = game.seat;
    answer(&mut game, "claim turquoise_rows");
    assert_eq!((game.seat, labels(&game)), (first, vec!["basic".to_owned(), "second".to_owned()]));
    answer(&mut game, "second");
    assert_eq!((game.left[first].basic, game.left[first].second), (11, 2));
    game.apply(0);
    assert_eq!(labels(&game).len(), 2);
}

#[test]
fn a58_t_a14_on_the_hexagon_only_the_same_ore_is_blocked() {
    let mut game = basic(3);
    assert!(!labels(&game).contains(&"f6".to_owned()) && labels(&game).len() == 90);
    for (name, ore) in [("d4", Gold), ("d5", Gold), ("d3", Silver)] {
        let field = field(&game, name);
        game.fields[field] = Some((ore, 1));
    }
    answer(&mut game, "d4");
    assert!(!labels(&game).contains(&"d5".to_owned()) && labels(&game).contains(&"d3".to_owned()));
}

#[test]
fn a59_t_a15_the_desert_does_not_cut_a_line() {
    let mut game = basic(3);
    put(&mut game, &[("f1", Gold, 2), ("f3", Gold, 2), ("f7", Gold, 2), ("f11", Silver, 1)]);
    assert_eq!(game.scores(), [5, 0, 0]);
    put(&mut game, &[("a1", Gold, 1), ("c3", Gold, 1), ("h6", Silver, 4), ("k6", Copper, 5)]);
    assert_eq!(game.scores(), [5, 1 + 1 + 4 - 5, 0]);
}

#[test]
fn a70_t_a16_four_players_score_one_field() {
    let mut game = basic(4);
    put(&mut game, &[("c1", Gold, 1), ("c5", Gold, 1), ("c7", Gold, 1)]);
    put(&mut game, &[("a3", Gold, 1), ("e3", Gold, 1), ("g3", Gold, 1), ("c3", Silver, 5)]);
    assert_eq!(game.scores(), [3 + 5, 3 - 5, 3 - 5, 3 + 5]);
    assert_eq!(game.ranks(), [1, 3, 3, 1]);
}

#[test]
fn q8_t_a17_a_blocked_board_ends_the_game() {
    let mut game = basic(2);
    game.blocked = [true; MOST_FIELDS];
    let (a1, i9) = (field(&game, "a1"), field(&game, "i9"));
    (game.blocked[a1], game.blocked[i9]) = (false, false);
    game.list_free();
    game.begin_turn(0);
    answer(&mut game, "a1");
    // The engine takes the last free field without a question.
    assert!(game.rigs[i9] > 0 && game.over() && game.left[0].sum() == 13);
}

#[test]
fn q8_on_a_blocked_board_one_may_still_claim() {
    for label in ["claim orange_rows", "decline"] {
        let mut game = game(ENHANCED);
        game.free.clear();
        game.begin_turn(1);
        assert_eq!(labels(&game), LABELS[..5]);
        answer(&mut game, label);
        assert!(game.over());
    }
}

#[test]
fn a32_t_a18_the_board_grows() {
    let mut game = game(ENHANCED);
    let cells = |game: &Atacama| labels(game).into_iter().filter(|label| label.len() == 2).collect::<Vec<_>>();
    let laid = cells(&game);
    assert_eq!(laid.len(), 27);
    assert!(laid.contains(&"f3".to_owned()) && laid.contains(&"c6".to_owned()) && !laid.contains(&"d4".to_owned()));
    // The rigs on c3, c6 and f3 block fields of the next tiles.
    for name in ["c3", "c6", "f3", "a1", "a3"] {
        answer(&mut game, name);
    }
    answer(&mut game, "claim turquoise_rows");
    let laid = cells(&game);
    assert!(laid.contains(&"d4".to_owned()) && laid.contains(&"i1".to_owned()) && !laid.contains(&"i4".to_owned()));
    assert!(!["c7", "g3", "d6", "f4"].iter().any(|name| laid.contains(&(*name).to_owned())));
}

#[test]
fn q9_nobody_claims() {
    let mut game = game(ENHANCED);
    while !game.over() {
        game.apply(0);
    }
    let plain = game.concessions.map(|concession| (concession.forbidden, concession.direction));
    assert_eq!(plain[..2], [(Copper, COLUMNS), (Silver, ROWS)]);
}

#[test]
fn playouts_end_with_legal_boards() {
    let mut chance = SplitMix64::new(1);
    for players in 2..=4 {
        for tactical in [false, true] {
            for enhanced in [false, true].into_iter().take(if players == 2 { 2 } else { 1 }) {
                let mut game = game(Setup { players, enhanced, tactical, claim_bonus_rig: tactical });
                for seed in 0..100 {
                    game.reset(seed);
                    game.playout(&mut chance);
                    assert!(game.over() && game.scores().len() == players);
                    let same_ore = |a: usize, b: usize| game.fields[a].unwrap().0 == game.fields[b].unwrap().0;
                    for field in (0..game.geometry.len).filter(|&field| game.rigs[field] > 0) {
                        for other in game.geometry.neighbours[field].iter().map(|&other| usize::from(other)) {
                            assert!(game.rigs[other] == 0 || players == 3 && !same_ore(field, other));
                        }
                    }
                }
            }
        }
    }
}
