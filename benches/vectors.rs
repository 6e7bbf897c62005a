//! Vectors of environments beside simulations, in turns on one thread.
//!
//! `cargo bench --bench vectors -- [GAME ...]` prints decisions a processor second. A vector writes observation and mask
//! for every decision; the legal actions are sampled from the mask. The simulation picks a choice without either.
//! `ENVS=N` sets the number of environments, `SLICES=N` the number of turns.

#[path = "playouts/clock.rs"]
mod clock;

use std::env;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use motherlode::{Game, Pack};
use motherlode_play::{Environment, Random, StepArrays, Table, Vector, VectorOptions};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

/// Minimum time of a slice.
const SLICE: Duration = Duration::from_millis(250);

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let games: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let games = if games.is_empty() { sure(motherlode::find_packs(root)) } else { games };
    let (environments, slices) = (number("ENVS", 1024), number("SLICES", 5).max(1));
    println!("{:16} {:>7} {:>7} {:>10} {:>10} {:>6}", "game", "actions", "numbers", "sim", "vector", "share");
    for id in games {
        let game = sure(Pack::open(root, &id).and_then(|pack| Game::load(&pack)));
        let mut simulation = Simulated::new(&game);
        let mut vector = Stepped::new(&game, environments);
        let (mut sim, mut steps, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for slice in 0..=slices {
            let (one, other) = (rate(|| simulation.run()), rate(|| vector.run()));
            // The first slice warms both up.
            if slice > 0 {
                sim.push(one);
                steps.push(other);
                shares.push(other / one * 100.0);
            }
        }
        let [sim, steps, share] = [sim, steps, shares].map(clock::median);
        let environment = vector.vector.environment();
        let (actions, numbers) = (environment.actions.len(), environment.observations.len());
        println!("{id:16} {actions:>7} {numbers:>7} {sim:>10.0} {steps:>10.0} {share:>5.0}%");
    }
}

/// Decisions a second of work that returns its decisions.
fn rate(mut work: impl FnMut() -> usize) -> f64 {
    let (mut spent, mut decisions) = (Duration::ZERO, 0);
    while spent < SLICE {
        spent += clock::time(|| decisions += work());
    }
    decisions as f64 / spent.as_secs_f64()
}

fn number(name: &str, otherwise: usize) -> usize {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn sure<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Games of random bots.
struct Simulated {
    table: Table,
    bots: Vec<Random>,
    seed: u64,
}

impl Simulated {
    fn new(game: &Game) -> Self {
        let setup = sure(game.setup(None, &[], 0));
        let bots = vec![Random::new(0); usize::from(setup.players)];
        Self { table: Table::new(game, &setup), bots, seed: 0 }
    }

    fn run(&mut self) -> usize {
        let mut decisions = 0;
        for _ in 0..20 {
            self.seed += 1;
            decisions += self.table.play(self.seed, self.seed, &mut self.bots, &mut ()).decisions as usize;
        }
        decisions
    }
}

/// A vector with its arrays.
struct Stepped {
    vector: Vector,
    observation: Vec<f32>,
    mask: Vec<bool>,
    reward: Vec<f32>,
    done: Vec<bool>,
    truncated: Vec<bool>,
    seat: Vec<i32>,
    actions: Vec<i64>,
    legal: Vec<i64>,
    generator: Pcg64Mcg,
}

impl Stepped {
    fn new(game: &Game, environments: usize) -> Self {
        let setup = sure(game.setup(None, &[], 0));
        let players = usize::from(setup.players);
        let environment = Arc::new(sure(Environment::new(game, setup)));
        let (numbers, actions) = (environment.observations.len(), environment.actions.len());
        let options =
            VectorOptions { environments, seed: 1, opponents: Vec::new(), threads: 1, final_observation: false };
        let mut stepped = Self {
            vector: sure(Vector::new(environment, options)),
            observation: vec![0.0; environments * numbers],
            mask: vec![false; environments * actions],
            reward: vec![0.0; environments * players],
            done: vec![false; environments],
            truncated: vec![false; environments],
            seat: vec![0; environments],
            actions: vec![0; environments],
            legal: Vec::new(),
            generator: Pcg64Mcg::seed_from_u64(1),
        };
        stepped.write(|vector, arrays, _| sure(vector.reset(None, arrays)));
        stepped
    }

    fn write(&mut self, work: impl FnOnce(&mut Vector, StepArrays<'_>, &[i64])) {
        let Self { vector, observation, mask, reward, done, truncated, seat, actions, .. } = self;
        work(vector, StepArrays { observation, mask, reward, done, truncated, seat }, actions);
    }

    fn run(&mut self) -> usize {
        let width = self.mask.len() / self.actions.len();
        for (mask, action) in self.mask.chunks(width).zip(&mut self.actions) {
            self.legal.clear();
            let (eights, rest) = mask.as_chunks::<8>();
            for (first, eight) in (0..).step_by(8).zip(eights).filter(|(_, eight)| **eight != [false; 8]) {
                self.legal.extend((first..).zip(eight).filter_map(|(action, legal)| legal.then_some(action)));
            }
            let first = (width - rest.len()) as i64;
            self.legal.extend((first..).zip(rest).filter_map(|(action, legal)| legal.then_some(action)));
            *action = self.legal[self.generator.random_range(0..self.legal.len())];
        }
        self.write(|vector, arrays, actions| sure(vector.step(actions, arrays)));
        self.actions.len()
    }
}
