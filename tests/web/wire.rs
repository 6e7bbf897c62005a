//! Messages to a seat contain no hidden information: permuting the hidden state does not change the bytes.

use std::collections::BTreeSet;

use motherlode::Match;
use motherlode_table::server::{ChoicePreview, StepWords, Viewer};
use motherlode_table::{Faces, View};

use crate::cards::all;
use crate::shipped::{Player, Variant, permuted_alike};

/// The view of a seat, or with `u8::MAX` of a spectator.
type Make = fn(&Match, &Faces, u8) -> View;

fn honest(m: &Match, faces: &Faces, seat: u8) -> View {
    View::of(m, faces, Some(seat))
}

fn leaky(m: &Match, faces: &Faces, _: u8) -> View {
    View::of(m, faces, None)
}

/// Counts of a permutation test.
#[derive(Debug, Default)]
struct PermutationCounts {
    patches: usize,
    permuted: usize,
    leaks: usize,
    /// Compared previews of a choice, and those with a certain change.
    previews: (usize, usize),
    /// Previews that differ, and results of the choice itself that differ.
    told: (usize, usize),
    /// Bytes of whole tables and of patches.
    bytes: (usize, usize),
}

fn permute_along(variant: Variant, seed: u64, stride: usize, make: Make, met: &mut PermutationCounts) {
    let (game, faces) = (variant.game(), Faces::new(variant.game()));
    let (mut m, mut other) = (variant.begin(seed), variant.begin(seed));
    m.set_logging(true);
    let mut player = Player::new(seed);
    let viewer = |seat| Viewer::new(seat, make(&m, &faces, seat));
    let mut viewers: Vec<Viewer> = (0..variant.players).chain([u8::MAX]).map(viewer).collect();
    for step in 1.. {
        if m.is_over() {
            break;
        }
        player.step(&mut m);
        let said = m.take_log();
        for viewer in &mut viewers {
            let seat = viewer.seat();
            let before = viewer.clone();
            let words = StepWords::of(&m, seat, &said);
            let sent = viewer.see(game, make(&m, &faces, seat), &words, None);
            if step % stride != 0 || seat == u8::MAX || m.is_over() {
                continue;
            }
            let Some(permuted) = permuted_alike(&m, &mut other, seat, seed + step as u64) else { continue };
            let mut again = before;
            let told = again.see(game, make(&other, &faces, seat), &words, None);
            met.patches += 1;
            met.permuted += usize::from(permuted);
            met.leaks += usize::from(told != sent || again.whole(None) != viewer.whole(None));
            if permuted {
                compare_previews(&mut m.fork().unwrap(), &mut other, &faces, seat, met);
            }
            met.bytes.0 += viewer.whole(None).len();
            met.bytes.1 += sent.map_or(0, |text| text.len());
        }
    }
}

/// Compares the previews of a choice in two positions that the seat cannot tell apart, and, as the control, the choice
/// itself.
fn compare_previews(m: &mut Match, other: &mut Match, faces: &Faces, seat: u8, met: &mut PermutationCounts) {
    let count = m.legal_of(seat).map_or(0, |choices| choices.len());
    if count < 2 || other.legal_of(seat).map_or(0, |choices| choices.len()) != count {
        return;
    }
    let (one, same) = (
        ChoicePreview::of(m, faces, seat, count - 1).unwrap(),
        ChoicePreview::of(other, faces, seat, count - 1).unwrap(),
    );
    met.previews.0 += 1;
    met.previews.1 += usize::from(!one.certain.is_empty());
    met.told.0 += usize::from(one != same);
    let result = |m: &mut Match| m.answer_as(seat, count - 1).map(|()| View::of(m, faces, Some(seat))).ok();
    met.told.1 += usize::from(result(m) != result(other));
}

#[test]
fn hidden_information_does_not_change_the_bytes_sent() {
    let (mut met, mut told) = (PermutationCounts::default(), PermutationCounts::default());
    // One variant of each game. `LODE_VARIANTS=all` takes every one.
    let every = std::env::var("LODE_VARIANTS").is_ok_and(|which| which == "all");
    let mut games = BTreeSet::new();
    for variant in all() {
        if !games.insert(variant.game().declarations().id.clone()) && !every {
            continue;
        }
        permute_along(variant, 2, 5, honest, &mut met);
        permute_along(variant, 2, 17, leaky, &mut told);
    }
    println!("{met:?}");
    assert!(met.patches > 100 && met.permuted > 40, "{met:?}");
    assert_eq!(met.leaks, 0, "{met:?}");
    assert!(met.previews.0 > 20 && met.previews.1 > 5, "{met:?}");
    assert_eq!(met.told.0, 0, "a preview knows what its seat knows: {met:?}");
    assert!(met.told.1 > 5, "the choices themselves must be found: {met:?}");
    assert!(told.leaks > 5, "a table that shows everything must be found: {told:?}");
    assert!(met.bytes.1 * 2 < met.bytes.0, "patches are small: {met:?}");
}
