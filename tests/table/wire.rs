//! Patches on the wire: each turns one view into the next, and is small.

use motherlode_table::{Faces, Patch, Skeleton, View};

use super::TABLES;
use crate::shipped::Player;

/// Decisions to follow in each game.
const STEPS: usize = 60;

#[test]
fn patches_turn_one_view_into_the_next() {
    let (mut whole, mut sent) = (0, 0);
    for (variant, seed, _) in TABLES {
        let faces = Faces::new(variant.game());
        let mut m = variant.begin(seed);
        let mut player = Player::new(seed);
        // The seats, and a spectator of public state.
        let seats: Vec<u8> = (0..variant.players).chain([u8::MAX]).collect();
        let view = |m: &motherlode::Match, seat: u8| View::of(m, &faces, Some(seat));
        let mut known: Vec<View> = seats.iter().map(|&seat| view(&m, seat)).collect();
        for _ in 0..STEPS {
            if m.is_over() {
                break;
            }
            player.step(&mut m);
            for (known, &seat) in known.iter_mut().zip(&seats) {
                let now = view(&m, seat);
                let bytes = serde_json::to_vec(&Patch::between(known, &now)).unwrap();
                known.apply(serde_json::from_slice(&bytes).unwrap());
                assert_eq!(*known, now, "{variant}, seat {seat}");
                sent += bytes.len();
                whole += serde_json::to_vec(&now).unwrap().len();
            }
        }
    }
    assert!(sent * 4 < whole, "{sent} bytes instead of {whole}");
}

#[test]
fn an_unchanged_view_sends_no_patch() {
    let (variant, seed, _) = TABLES[0];
    let faces = Faces::new(variant.game());
    let view = View::of(&variant.begin(seed), &faces, Some(0));
    assert_eq!(serde_json::to_string(&Patch::between(&view, &view)).unwrap(), "{}");
}

#[test]
fn the_skeleton_is_the_same_for_every_match_of_a_game() {
    let (variant, _, _) = TABLES[0];
    let skeleton = |faces: &Faces| serde_json::to_string(&Skeleton::new(variant.game(), faces)).unwrap();
    let faces = Faces::new(variant.game());
    assert_eq!(skeleton(&faces), skeleton(&Faces::new(variant.game())));
    assert!(skeleton(&faces).contains(variant.game().fingerprint()));
}
