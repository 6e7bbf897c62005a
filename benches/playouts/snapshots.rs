//! Time of a snapshot and a restore, at the start of a turn and in the middle of an effect.
//!
//! A second table adds a redeal and an answer, as a search does for every playout.

use std::hint::black_box;

use criterion::Criterion;
use motherlode::{Game, Match, Snapshot};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::form::Form;
use crate::games::{CHANCE, begin, from_texts, load, own_root, setup, shipped};
use crate::subject::{Subject, side_by_side, sure};
use crate::table::{Figures, duration, grouped, verdict};
use crate::twins::SplitMix64;

/// Maximum seconds at the start of a turn, beyond the time to copy the bytes.
const TARGET_AT_TURN: f64 = 1e-6;
/// Maximum seconds in the middle of an effect with two answers.
const TARGET_IN_EFFECT: f64 = 10e-6;

/// Minimum restores a second, each with a redeal and an answer.
const TARGET_OF_SEARCH: f64 = 500_000.0;

/// A position: its snapshot, and a plain copy of its bytes as the baseline.
struct Position {
    name: &'static str,
    in_effect: bool,
    words: usize,
    snapshot: Subject,
    copy: Subject,
}

impl Position {
    fn new(name: &'static str, in_effect: bool, mut m: Match) -> Self {
        let mut state = m.state().words().to_vec();
        let mut kept = state.clone();
        let words = state.len();
        let mut snapshot = Snapshot::default();
        Self {
            name,
            in_effect,
            words,
            snapshot: Subject::new(format!("{name}: snapshot and restore"), move |times| {
                for _ in 0..times {
                    m.snapshot_into(black_box(&mut snapshot));
                    sure(m.restore(black_box(&snapshot)));
                }
                0
            }),
            copy: Subject::new(format!("{name}: copy there and back"), move |times| {
                for _ in 0..times {
                    kept.copy_from_slice(black_box(&state));
                    state.copy_from_slice(black_box(&kept));
                }
                0
            }),
        }
    }

    fn all() -> [Self; 5] {
        [
            Self::new("a turn of connect four", false, after(&load(&own_root(), "connect_four"), 8)),
            Self::new("a turn of atacama", false, after(&shipped("atacama"), 8)),
            Self::new("an effect with two answers", true, errand()),
            Self::new("photon, sealed building, first seat", true, building(0)),
            Self::new("photon, sealed building, last seat", true, building(3)),
        ]
    }
}

/// Position after a number of random decisions.
fn after(game: &Game, decisions: usize) -> Match {
    let players = game.declarations().players.default;
    let mut m = begin(game, &setup(game, players, &[]));
    let mut chance = SplitMix64::new(CHANCE);
    for _ in 0..decisions {
        let index = chance.below(m.choices().len());
        sure(m.answer(index));
    }
    m
}

/// Position at the third question of a turn that asks three times.
fn errand() -> Match {
    let game = r#"
name = "Errand"
version = "0.1.0"
text = "A turn that asks three times."
players = { min = 2, max = 2, default = 2 }
[[seats]]
name = "Left"
[[seats]]
name = "Right"
[counters.points]
text = "Points"
per = "player"
[outcome]
score = "points"
"#;
    let phases = "[errand]\nname = \"Errand\"\nturns = \"once\"\n";
    let prompts = "[way]\ntext = \"Which way?\"\nlabels = { left = \"Left\", right = \"Right\" }\n";
    let hooks = r#"local WAYS = { "left", "right" }
return { errand = { turn = function(player)
    for i = 1, 3 do
        if choose(player, "way", WAYS) == "left" then
            gain(player, "points", i)
        end
    end
end } }"#;
    let game = from_texts("errand", game, phases, prompts, hooks);
    let mut m = begin(&game, &setup(&game, 2, &[]));
    sure(m.answer(0));
    sure(m.answer(1));
    m
}

/// Building phase of four players: this seat answers its third question, and all seats before it have finished.
fn building(seat: u8) -> Match {
    let game = shipped("photon");
    let mut setup = setup(&game, 4, &[]);
    let mut m = begin(&game, &setup);
    let mut chance = SplitMix64::new(CHANCE);
    loop {
        // The seat whose consecutive answers are counted, and their number.
        let (mut asked, mut given) = (None, 0);
        while let Some(decision) = m.decision() {
            let now = Some((m.round(), decision.phase_index(), decision.seat));
            given = if now == asked { given + 1 } else { 0 };
            asked = now;
            if decision.seat == seat && given == 2 && m.phase() == "building" && m.round() > 2 {
                return m;
            }
            let index = chance.below(m.choices().len());
            sure(m.answer(index));
        }
        setup.seed += 1;
        sure(m.restart(&setup));
    }
}

/// Steps of a search in the middle of a game: snapshot, restore, redeal for the current seat, answer.
fn searches() -> Vec<Subject> {
    let mut searches = Vec::new();
    for id in ["krysis", "miners_lagoon"] {
        let game = shipped(id);
        for mid_hook in [false, true] {
            let m = middle(&game, mid_hook);
            let mut other = sure(m.fork());
            let (mut snapshot, mut chance) = (Snapshot::default(), Pcg64Mcg::seed_from_u64(CHANCE));
            let seat = m.decision().map_or(0, |decision| decision.seat);
            let name = format!("{id}, {}", if mid_hook { "in the middle of a hook" } else { "at an offer" });
            searches.push(Subject::new(name, move |times| {
                for at in 0..times {
                    m.snapshot_into(black_box(&mut snapshot));
                    sure(other.restore(black_box(&snapshot)));
                    sure(other.redeal(seat, &mut chance));
                    sure(other.answer(at as usize % other.choices().len()));
                }
                times
            }));
        }
    }
    searches
}

/// Position from the third round on with more than two choices, in a suspended hook or at an offer.
fn middle(game: &Game, mid_hook: bool) -> Match {
    let mut setup = setup(game, game.declarations().players.default, &[]);
    let mut m = begin(game, &setup);
    let mut chance = SplitMix64::new(CHANCE);
    loop {
        while !m.is_over() {
            let fits = !m.is_simultaneous() && m.is_mid_hook() == mid_hook;
            if m.round() > 2 && fits && m.choices().len() > 2 {
                return m;
            }
            let index = chance.below(m.choices().len());
            sure(m.answer(index));
        }
        setup.seed += 1;
        sure(m.restart(&setup));
    }
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("snapshot and restore");
    for mut position in Position::all() {
        position.snapshot.bench(&mut group);
        if !position.in_effect {
            position.copy.bench(&mut group);
        }
    }
    group.finish();
    let mut group = criterion.benchmark_group("snapshot, restore, redeal and answer");
    for mut search in searches() {
        search.bench(&mut group);
    }
    group.finish();
}

pub fn print(form: &Form) {
    let mut table = Figures::new(
        "Snapshot and restore",
        &["where", "bytes", "snapshot and restore", "copy there and back", "more", "target", ""],
    );
    for mut position in Position::all() {
        let (snapshot, copy, _) = side_by_side(&mut position.snapshot, &mut position.copy, form.budget());
        let more = snapshot.seconds - copy.seconds;
        let (target, met) = if position.in_effect {
            (duration(TARGET_IN_EFFECT), snapshot.seconds <= TARGET_IN_EFFECT)
        } else {
            (format!("{} more", duration(TARGET_AT_TURN)), more <= TARGET_AT_TURN)
        };
        table.row([
            position.name.to_owned(),
            (position.words * 4).to_string(),
            duration(snapshot.seconds),
            duration(copy.seconds),
            duration(more),
            target,
            verdict(met),
        ]);
    }
    table.print();
    let mut table = Figures::new("Snapshot, restore, redeal and answer", &["where", "time", "a second", "target", ""]);
    for mut search in searches() {
        let figure = search.measure(form.budget());
        let met = verdict(figure.rate() >= TARGET_OF_SEARCH);
        let figures = [search.name, duration(figure.seconds), grouped(figure.rate()), grouped(TARGET_OF_SEARCH), met];
        table.row(figures);
    }
    table.print();
}
