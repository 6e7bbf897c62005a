//! The bot that plays ahead by a learned value: `search:B+learned`.

use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bot::{Bot, all, any};
use crate::halving::Halving;
use crate::learned::{EFFORT, Value};
use crate::look::Look;
use crate::playout::DECISION_LIMIT;
use crate::reuse::{own_match, redealt};

/// Playouts as which the value of a choice one step ahead counts.
const PRIOR: u32 = 2;
/// Playouts for each choice that is tried at all, at least.
const LEAST: u32 = 4;
/// Answers that are looked up for a decision of a playout.
const WIDTH: usize = 8;
/// Turns of the seat itself in a playout.
const TURNS: u32 = 1;

/// Spends a budget of short playouts on a decision, in which all seats play by a value that was learned.
///
/// The choices that are worth most one step ahead share the budget by sequential halving, on the same determinizations (see [`Bot`]). A
/// playout ends at a later turn of the seat, where the position is looked up (Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", 1996).
/// So rivals reply to a choice as one of them would who plays well, and the value need not foresee what they do.
pub struct Ahead {
    name: String,
    budget: u32,
    look: Look,
    generator: Pcg64Mcg,
    /// The bot's own match.
    scratch: Option<Match>,
    root: Snapshot,
    sample: Snapshot,
    pass: Vec<usize>,
}

impl Ahead {
    /// A bot that spends this many playouts on a decision, and plays by this value.
    #[must_use]
    pub fn new(name: String, budget: u32, value: &Value, seed: u64) -> Self {
        Self {
            name,
            budget,
            look: Look::new(value.evaluator()),
            generator: Pcg64Mcg::seed_from_u64(seed),
            scratch: None,
            root: Snapshot::default(),
            sample: Snapshot::default(),
            pass: Vec::new(),
        }
    }

    /// Plays on by the value up to a later turn of the seat; what the position there is worth to it. `phase` is the simultaneous phase in
    /// which the last answer was given.
    fn play(&mut self, own: &mut Match, seat: u8, mut phase: Option<u64>) -> Result<Option<f64>, MatchError> {
        let (mut turns, mut last) = (0, seat);
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = own.decision() else { break };
            let is_open = phase.is_some() && own.simultaneous() == phase;
            let follows = own.is_mid_hook() && last == decision.seat;
            last = decision.seat;
            if !is_open && !follows && (own.is_simultaneous() || decision.seat == seat) {
                turns += 1;
                if turns > TURNS {
                    break;
                }
            }
            let index = self.look.best(own, WIDTH, &mut self.generator)?;
            // It has changed if the position was restored.
            phase = own.simultaneous();
            if own.answer(index).is_err() {
                return Ok(None);
            }
        }
        Ok(Some(self.look.evaluator.value(own, seat)))
    }
}

impl Bot for Ahead {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        self.choose_among(m, d, &all(m))
    }

    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize]) -> Result<usize, MatchError> {
        let count = among.len();
        if count < 2 {
            return Ok(among.first().copied().unwrap_or(0));
        }
        let (mut root, mut sample) = (std::mem::take(&mut self.root), std::mem::take(&mut self.sample));
        m.snapshot_into(&mut root);
        let mut scratch = self.scratch.take();
        let own = own_match(&mut scratch, m)?;
        let priors = self.look.survey(own, &root, d, among, EFFORT.at(m), &mut self.generator)?;
        let mut tried: Vec<usize> = (0..count).collect();
        tried.sort_by(|&one, &other| priors[other].mean().total_cmp(&priors[one].mean()));
        tried.truncate(((self.budget / LEAST) as usize).max(2));
        let mut halving = Halving::new((0..tried.len()).collect(), self.budget);
        for (place, &choice) in tried.iter().enumerate() {
            if priors[choice].count > 0 {
                (0..PRIOR).for_each(|_| halving.add(place, priors[choice].mean()));
            }
        }
        let mut pass = std::mem::take(&mut self.pass);
        while halving.pass(&mut pass).is_some() {
            if !redealt(own, &root, d, self.generator.next_u64())? {
                halving.spend();
                continue;
            }
            own.snapshot_into(&mut sample);
            let luck = self.generator.clone();
            for &place in &pass {
                halving.spend();
                // What follows is as lucky after every choice.
                self.generator = luck.clone();
                own.restore(&sample)?;
                own.focus(d.seat)?;
                let phase = own.simultaneous();
                if own.answer(among[tried[place]]).is_err() {
                    continue;
                }
                if let Some(worth) = self.play(own, d.seat, phase)? {
                    halving.add(place, worth);
                }
            }
        }
        (self.pass, self.root, self.sample, self.scratch) = (pass, root, sample, scratch);
        Ok(among[halving.best().map_or_else(|| any(count, &mut self.generator), |place| tried[place])])
    }

    fn reseed(&mut self, seed: u64) {
        self.generator = Pcg64Mcg::seed_from_u64(seed);
    }
}
