//! Views of the table: nothing hidden from a seat, and the terminal drawing, as readable text files.

mod named;
mod places;
mod small;
mod wire;

use std::fs;

use motherlode::{Game, Match, Observation};
use motherlode_table::{Faces, Patch, Text, View};

use crate::cards::all;
use crate::shipped::{Player, Variant, permuted_alike, root};

/// The value `1` rewrites the recorded tables.
const WRITE: &str = "LODE_WRITE_GOLDEN";

/// Makes a seat's view of a match.
type Make = fn(&Game, &Faces, &Match, u8) -> View;

fn honest(_: &Game, faces: &Faces, m: &Match, seat: u8) -> View {
    View::of(m, faces, Some(seat))
}

/// A leaky view: shows a seat everything.
fn leaky(game: &Game, faces: &Faces, m: &Match, seat: u8) -> View {
    let everything = Observation { seat: Some(seat), ..m.observe(None) };
    View::new(game, faces, &everything, None, m.is_over())
}

/// Counts of a permutation test.
#[derive(Debug, Default)]
struct PermutationCounts {
    views: usize,
    /// Views of positions with permuted hidden state.
    permuted: usize,
    leaks: usize,
}

/// Permutes the state hidden from each seat along a match. The bytes sent to the seat must stay the same, whole and as a patch.
fn permute_along(variant: Variant, seed: u64, stride: usize, make: Make, met: &mut PermutationCounts) {
    let (game, faces) = (variant.game(), Faces::new(variant.game()));
    let (mut m, mut other) = (variant.begin(seed), variant.begin(seed));
    let mut player = Player::new(seed);
    let view = |m: &Match, seat| make(game, &faces, m, seat);
    // The view sent when the seat joined, and the next one.
    let joined: Vec<View> = (0..variant.players).map(|seat| view(&m, seat)).collect();
    let bytes = |m: &Match, seat: u8| {
        let now = view(m, seat);
        let patch = Patch::between(&joined[usize::from(seat)], &now);
        (serde_json::to_string(&now).unwrap(), serde_json::to_string(&patch).unwrap())
    };
    for step in 0.. {
        if m.is_over() {
            break;
        }
        for seat in (0..variant.players).filter(|_| step % stride == 0) {
            let Some(permuted) = permuted_alike(&m, &mut other, seat, seed + step as u64) else { continue };
            met.views += 1;
            met.permuted += usize::from(permuted);
            met.leaks += usize::from(bytes(&m, seat) != bytes(&other, seat));
        }
        player.step(&mut m);
    }
}

#[test]
fn a_view_contains_no_hidden_information() {
    let (mut met, mut told) = (PermutationCounts::default(), PermutationCounts::default());
    for variant in all() {
        permute_along(variant, 2, 29, honest, &mut met);
        permute_along(variant, 2, 97, leaky, &mut told);
    }
    assert!(met.views > 250 && met.permuted > 120, "{met:?}");
    assert_eq!(met.leaks, 0, "{met:?}");
    assert!(told.leaks > 10, "views that show everything must be found: {told:?}");
}

/// Widths at which no line of a position is longer.
const WIDTHS: [usize; 3] = [60, 80, 120];

#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut positions = 0;
    for variant in all() {
        let faces = Faces::new(variant.game());
        let mut m = variant.begin(7);
        let mut player = Player::new(7);
        let mut before: Option<View> = None;
        for step in 0..400 {
            let Some(decision) = m.decision() else { break };
            if step % 3 == 0 {
                let view = View::of(&m, &faces, Some(decision.seat));
                for width in WIDTHS {
                    let drawn = parts(&Text::new(&faces, width), before.as_ref(), &view);
                    let wide = drawn.lines().find(|line| line.chars().count() > width);
                    let name = &variant.game().declarations().id;
                    assert_eq!(wide, None, "{name}, {} players, step {step}, width {width}", variant.players);
                }
                before = Some(view);
                positions += 1;
            }
            player.step(&mut m);
        }
    }
    assert!(positions > 1000, "{positions}");
}

/// Everything that the terminal draws of a position, without colours.
fn parts(text: &Text<'_>, before: Option<&View>, view: &View) -> String {
    let drawn = [
        text.heading(view.rounds, view.round, &view.phase.name),
        text.whole(view),
        before.map_or_else(String::new, |before| text.changes(before, view)),
        view.question.as_ref().map_or_else(String::new, |question| text.question(view, question)),
    ];
    anstream::adapter::strip_str(&drawn.concat()).to_string()
}

/// A pending question in each game: variant, seed and number of answers before it.
const TABLES: [(Variant, u64, usize); 5] = [
    (Variant::of("photon", 4, &[]), 7, 50),
    (Variant::of("atacama", 2, &[]), 7, 20),
    (Variant::of("krysis", 4, &[]), 7, 60),
    (Variant::of("miners_lagoon", 3, &[]), 7, 60),
    (Variant::of("imperial_miners", 3, &[]), 7, 90),
];

/// The table and the question as the terminal shows them to the asked seat, without colours.
fn draw(variant: Variant, seed: u64, answers: usize, width: usize) -> String {
    let faces = Faces::new(variant.game());
    let mut m = variant.begin(seed);
    let mut player = Player::new(seed);
    for _ in 0..answers {
        player.step(&mut m);
    }
    let seat = m.decision().expect("somebody is asked").seat;
    let (text, view) = (Text::new(&faces, width), View::of(&m, &faces, Some(seat)));
    let question = view.question.as_ref().expect("the seat is asked");
    let drawn = [
        text.heading(view.rounds, view.round, &view.phase.name),
        text.whole(&view),
        "\n".into(),
        text.question(&view, question),
    ];
    anstream::adapter::strip_str(&drawn.concat()).to_string()
}

#[test]
fn table_drawings_match_their_recordings() {
    let write = std::env::var(WRITE).is_ok_and(|value| value == "1");
    for (variant, seed, answers) in TABLES {
        for width in [80, 120] {
            let now = draw(variant, seed, answers, width);
            let name = format!("tests/table/{}_{width}.txt", variant.game().declarations().id);
            let widest = now.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= width, "{name} is {widest} columns wide");
            if write {
                fs::write(root().join(&name), &now).unwrap();
                continue;
            }
            let recorded = fs::read_to_string(root().join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(now, recorded.replace("\r\n", "\n"), "{name} differs; {WRITE}=1 writes it anew");
        }
    }
    assert!(!write, "the recorded tables were written anew: look at what changed, then test again without {WRITE}");
}
