//! Edits that an observation leaves open, made without a redeal and judged by the observation alone.

use std::panic::{AssertUnwindSafe, catch_unwind};

use motherlode::Match;
use motherlode::declare::{Holder, Redeal, Visibility};
use motherlode::tools::{SEEN, diff};
use motherlode_play::{Training, bot};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::known;
use super::made::{GeneratedGame, made};
use crate::shipped::{Player, load_texts, seeds};

/// Edits tried in a row.
const EDITS: usize = 40;

/// Copies `m` into `other` with random edits that change neither the seat's observation nor its choices. Returns the
/// number of edits.
fn edit_unseen(m: &Match, other: &mut Match, seat: u8, rng: &mut StdRng) -> usize {
    let (mut kept, mut last) = (0, m.snapshot());
    let knows = known(m, seat);
    other.restore(&last).unwrap();
    for _ in 0..EDITS {
        let before = other.state().words().to_vec();
        let done = edit(other, rng);
        let is_unseen = done && known(other, seat) == knows && other.choices() == m.choices();
        if is_unseen {
            kept += usize::from(other.state().words() != before);
            last = other.snapshot();
        } else {
            other.restore(&last).unwrap();
        }
    }
    kept
}

/// Makes one random edit; returns whether the engine accepted it.
pub fn edit(m: &mut Match, rng: &mut StdRng) -> bool {
    let game = m.game().clone();
    let (d, layout) = (game.declarations(), game.layout());
    let token = rng.random_range(1..=layout.tokens.len() as i32);
    match rng.random_range(0..5) {
        0 => {
            let counter = rng.random_range(1..d.counters.len());
            let slot = &layout.counters[counter];
            let declared = &d.counters[counter];
            let mut holder = || slot.first + rng.random_range(0..slot.len as i32);
            let (one, other) = (holder(), holder());
            if declared.dealt() == Redeal::Pool && declared.visible != Visibility::Public {
                // The game-wide sum is public.
                let is_token = matches!(declared.per, Holder::Token(_));
                let is_in = |holder: i32| !is_token || m.state().words()[layout.token_pile + holder as usize - 1] != 0;
                let value = |holder| m.counter(holder, counter).unwrap();
                let (less, more) = (value(one) - 1, value(other) + 1);
                return one != other
                    && is_in(one)
                    && is_in(other)
                    && m.edit().set_counter(one, counter, less).is_ok()
                    && m.edit().set_counter(other, counter, more).is_ok();
            }
            let value = rng.random_range(declared.min..=declared.max);
            m.edit().set_counter(one, counter, value).is_ok()
        }
        1 => m.edit().set_face_up(token, rng.random()).is_ok(),
        2 => {
            let witness = rng.random_range(0..m.setup().players);
            m.edit().show(token, witness).is_ok()
        }
        kind => {
            let pile = layout.piles[rng.random_range(0..layout.piles.len())];
            let Some(mut tokens) = m.zone(pile.zone, pile.holder) else { return false };
            match kind {
                3 => tokens.shuffle(rng),
                _ if tokens.contains(&token) => tokens.retain(|&other| other != token),
                _ => tokens.insert(rng.random_range(0..=tokens.len()), token),
            }
            m.edit().set_zone(pile.zone, pile.holder, &tokens).is_ok()
        }
    }
}

/// A cheating bot that reads the true match: the control, which must react.
fn peek(m: &Match) -> usize {
    let points = |index: usize| {
        let mut fork = m.fork().unwrap();
        fork.answer(index).unwrap();
        while !fork.is_over() {
            fork.answer(0).unwrap();
        }
        fork.outcome().map_or(0, |outcome| outcome.scores[usize::from(m.decision().unwrap().seat)])
    };
    (0..m.choices().len()).max_by_key(|&index| (points(index), std::cmp::Reverse(index))).unwrap_or(0)
}

/// The words of a match without exchange class numbers, which only a redeal reads.
fn words(m: &Match) -> Vec<i32> {
    let layout = m.game().layout();
    let seen = layout.token_seen..layout.token_seen + layout.tokens.len();
    let words = m.state().words().iter().enumerate();
    words.map(|(at, &word)| if seen.contains(&at) { word & SEEN } else { word }).collect()
}

/// A match of the generated game of this seed.
pub fn begin(seed: u64) -> Match {
    let GeneratedGame { content, scripts, players } = made(seed);
    let content: Vec<(&str, &str)> = content.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let scripts: Vec<(&str, &str)> = scripts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let game = load_texts("made", &content, &scripts);
    let setup = game.setup(Some(players), &[], seed).unwrap();
    Match::new(&game, &setup).unwrap()
}

#[derive(Debug, Default)]
struct PermutationCounts {
    positions: usize,
    edits: usize,
    no_deal: usize,
    chosen: usize,
    peeked: usize,
}

/// Plays one generated game and edits hidden state at every decision. Neither redeals nor bots may react.
fn play(seed: u64, met: &mut PermutationCounts) {
    let m = begin(seed);
    let (game, setup) = (m.game().clone(), m.setup().clone());
    let folder = tempfile::tempdir().unwrap();
    let value = folder.path().join("value");
    let training = Training { games: 3, iterations: 1, searches: 0, threads: 1, ..Training::new(&game, setup.clone()) };
    std::fs::write(&value, training.run(|_| true).unwrap().text).unwrap();
    let [learned, look] = ["learned", "look:2+learned"].map(|bot| format!("{bot}:{}", value.display()));
    let (mut m, mut other, mut one, mut two) = (m, begin(seed), begin(seed), begin(seed));
    let (mut player, rng) = (Player::new(seed), &mut StdRng::seed_from_u64(seed));
    let mut step = 0;
    while let Some(decision) = m.decision() {
        let seat = decision.seat;
        let what = format!("game {seed}, step {step}, seat {seat}");
        met.positions += 1;
        met.edits += edit_unseen(&m, &mut other, seat, rng);
        for deal in [1, 2] {
            one.restore(&m.snapshot()).unwrap();
            two.restore(&other.snapshot()).unwrap();
            let took = [&mut one, &mut two].map(|m| m.redeal(seat, &mut Pcg64Mcg::seed_from_u64(deal)));
            assert_eq!(took[0], took[1], "{what}");
            if took[0].is_err() {
                met.no_deal += 1;
                continue;
            }
            if words(&one) != words(&two) {
                let diff = |one: &Match, two: &Match| diff(game.layout(), one.state().words(), two.state().words());
                panic!("{what}: {:#?} make {:#?}", diff(&m, &other), diff(&one, &two));
            }
            assert_eq!(known(&one, seat), known(&m, seat), "{what}");
        }
        let specs = ["rollout:4", "flat:8", "search:8", &learned, &look];
        for spec in specs.into_iter().filter(|_| step % 3 == seed % 3) {
            let choose = |m: &Match| bot(spec, m.game(), deal_seed(seed, step)).unwrap().choose(m, decision).unwrap();
            assert_eq!(choose(&m), choose(&other), "{spec}: {what}");
            met.chosen += 1;
        }
        met.peeked += usize::from(peek(&m) != peek(&other));
        player.step(&mut m);
        step += 1;
    }
}

fn deal_seed(seed: u64, step: u64) -> u64 {
    seed.wrapping_mul(1000) + step
}

#[test]
fn bots_ignore_edits_outside_their_observation() {
    let games = seeds(40).end * 6;
    let mut met = PermutationCounts::default();
    for seed in 0..games {
        let played = catch_unwind(AssertUnwindSafe(|| play(seed, &mut met)));
        played.unwrap_or_else(|_| panic!("game {seed}"));
    }
    println!("{met:?}");
    assert!(met.edits > met.positions && met.no_deal * 50 <= met.positions, "{met:?}");
    assert!(met.peeked * 20 > met.positions, "the control must notice: {met:?}");
}
