//! Mixed strategies for simultaneous questions.

use std::collections::HashMap;

use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, RngExt as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;
use crate::bots::lookahead::{Lookahead, some};
use crate::bots::reuse::determinize;
use crate::seeds::mix;

/// Maximum answers of one seat that are searched; the next ones are drawn.
const MOST_IN_A_ROW: usize = 8;
/// Maximum answers of one seat.
const MOST_ANSWERS: usize = 500;
/// The positions that one seat evaluates on a determinization. Fewer would not cover the choices; more would leave no
/// positions for other determinizations.
const FEWEST: usize = 8;
const MOST: usize = 24;
/// Minimum determinizations: from fewer, a strategy is noise.
const FEWEST_ROUNDS: usize = 2;
/// Maximum determinizations in a row that are not found.
const FAILURES: usize = 8;
/// Choices with a smaller share of the most frequent one are not taken. They are mostly noise of a short calculation
/// (Ganzfried, Sandholm and Waugh, "Strategy purification and thresholding", 2012).
const RARE: f32 = 0.15;

/// Plays simultaneous questions as a game of their own, in which each seat answers without knowing the answers of the
/// others, and whose results are the learned values of the positions after it.
///
/// A seat that always takes the same choice loses to whoever expects it, so the result is a mixed strategy. Regret
/// matching with external sampling computes it (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling for regret
/// minimization in extensive games", 2009): one seat after the other tries its answers, while the others draw theirs
/// from their strategies. Regrets below zero count as zero, and later strategies count more (Tammelin, "Solving large
/// imperfect information games using CFR+", 2014).
///
/// The strategies of other seats depend on their own answers alone, not on what they know, because only
/// determinizations are played.
#[derive(Default)]
pub(crate) struct RegretMatching {
    /// The questions, by [`key`]s.
    questions: HashMap<u64, Strategy>,
    /// Determinizations so far: the weight of the strategies.
    round: f32,
    sample: Snapshot,
    /// Snapshots of open questions, for reuse.
    stack: Vec<Snapshot>,
}

/// A decision to solve, and the effort for it.
pub(crate) struct RegretDecision<'d> {
    pub root: &'d Snapshot,
    pub d: Decision,
    /// The choices that may be taken.
    pub among: &'d [usize],
    /// Evaluated positions, of all seats.
    pub positions: u32,
    /// The [steps](Lookahead::steps) at which no more answers are tried.
    pub until: i64,
}

impl RegretDecision<'_> {
    /// Whether this is the question with the key `at`.
    fn is_at(&self, at: u64) -> bool {
        at == key(self.d.seat)
    }
}

/// The answers that one seat tries on a determinization.
struct Trial<'t> {
    lookahead: &'t mut Lookahead,
    own: &'t mut Match,
    seat: u8,
    /// The simultaneous questions.
    phase: Option<u64>,
    decision: &'t RegretDecision<'t>,
}

impl Trial<'_> {
    /// The number of choices of the question with the key `at`.
    fn count(&self, at: u64) -> usize {
        if self.decision.is_at(at) { self.decision.among.len() } else { self.own.choices().len() }
    }

    /// Answers the question with the key `at`; `None` if a script failed.
    fn answer(&mut self, at: u64, choice: usize) -> Option<()> {
        let choice = if self.decision.is_at(at) { self.decision.among[choice] } else { choice };
        self.lookahead.answer(self.own, |own| own.answer(choice))
    }
}

/// The effort left for an answer.
#[derive(Clone, Copy)]
struct Share {
    positions: usize,
    /// The probability with which the seat comes here.
    reach: f32,
    depth: usize,
}

/// The strategy at a question.
struct Strategy {
    /// The regret of each choice, at least 0.
    regrets: Vec<f32>,
    /// The weighted sum of the probabilities of each choice.
    totals: Vec<f32>,
}

impl Strategy {
    fn new(count: usize) -> Self {
        Self { regrets: vec![0.0; count], totals: vec![0.0; count] }
    }

    /// The probability of each choice.
    fn shares(&self) -> Vec<f32> {
        let sum: f32 = self.regrets.iter().sum();
        let even = 1.0 / self.regrets.len().max(1) as f32;
        self.regrets.iter().map(|regret| if sum > 0.0 { regret / sum } else { even }).collect()
    }

    /// Counts the values of choices against their mean, which is the result.
    fn learn(&mut self, shares: &[f32], values: &[(usize, f32)], weight: f32) -> f32 {
        let share = |&(choice, _): &(usize, f32)| shares[choice];
        // Some choices are not tried. If the strategy takes none of the others, all of them count equally.
        let (sum, even) = (values.iter().map(share).sum::<f32>(), 1.0 / values.len() as f32);
        let part = |tried| if sum > 0.0 { share(tried) / sum } else { even };
        let mean = values.iter().map(|tried| tried.1 * part(tried)).sum::<f32>();
        for &(choice, value) in values {
            self.regrets[choice] = (self.regrets[choice] + value - mean).max(0.0);
        }
        self.totals.iter_mut().zip(shares).for_each(|(total, share)| *total += weight * share);
        mean
    }
}

impl RegretMatching {
    /// Draws a choice from the mixed strategy of the seat; an index into `among`. `None` if no other seat is asked, if
    /// there are too few positions for a strategy, or if nothing was evaluated.
    ///
    /// # Errors
    /// A position cannot be restored or redealt.
    pub fn choose(
        &mut self,
        lookahead: &mut Lookahead,
        own: &mut Match,
        decision: &RegretDecision<'_>,
        generator: &mut Pcg64Mcg,
    ) -> Result<Option<usize>, MatchError> {
        let &RegretDecision { root, d, positions, until, .. } = decision;
        self.questions.clear();
        self.round = 0.0;
        let before = lookahead.spent();
        let mut failures = 0;
        while failures < FAILURES && lookahead.steps < until {
            let left = positions.saturating_sub(lookahead.spent().wrapping_sub(before));
            if left == 0 {
                break;
            }
            let work = own.work();
            let is_dealt = determinize(own, root, d, generator.next_u64())?;
            lookahead.count_steps(own, work);
            if !is_dealt {
                failures += 1;
                continue;
            }
            own.snapshot_into(&mut self.sample);
            let asked: Vec<u8> = own.pending().iter().map(|pending| pending.seat).collect();
            let is_short = (positions as usize) < FEWEST_ROUNDS * FEWEST * asked.len();
            if asked.len() < 2 || is_short {
                return Ok(None);
            }
            self.round += 1.0;
            let each = (left as usize / asked.len()).clamp(FEWEST, MOST);
            // The strategies of the other seats come first, so that the seat meets better ones.
            let others = asked.iter().filter(|&&seat| seat != d.seat);
            for &seat in others.chain(asked.iter().filter(|&&seat| seat == d.seat)) {
                lookahead.restore(own, &self.sample)?;
                let phase = own.simultaneous();
                let mut trial = Trial { lookahead: &mut *lookahead, own: &mut *own, seat, phase, decision };
                self.traverse(&mut trial, &asked, each, generator);
            }
        }
        Ok(self.questions.get(&key(d.seat)).and_then(|strategy| draw(&strategy.totals, RARE, generator)))
    }

    /// Lets all other seats answer, then tries the answers of the seat.
    fn traverse(&mut self, trial: &mut Trial<'_>, asked: &[u8], positions: usize, luck: &mut Pcg64Mcg) -> Option<()> {
        let seat = trial.seat;
        for &other in asked.iter().filter(|&&other| other != seat) {
            let mut at = key(other);
            for _ in 0..MOST_ANSWERS {
                if trial.own.simultaneous() != trial.phase || trial.own.focus(other).is_err() {
                    break;
                }
                at = self.answer_by_strategy(trial, at, luck)?;
            }
        }
        if trial.own.simultaneous() == trial.phase && trial.own.focus(trial.seat).is_ok() {
            self.try_answers(trial, key(trial.seat), Share { positions, reach: 1.0, depth: 0 }, luck)?;
        }
        Some(())
    }

    /// Answers a question by the strategy so far; returns the key of the next question.
    fn answer_by_strategy(&self, trial: &mut Trial<'_>, at: u64, luck: &mut Pcg64Mcg) -> Option<u64> {
        let count = trial.count(at);
        // Hidden information can change the choices.
        let known = self.questions.get(&at).filter(|strategy| strategy.regrets.len() == count);
        let drawn = known.and_then(|strategy| draw(&strategy.regrets, 0.0, luck));
        let choice = drawn.unwrap_or_else(|| random_index(count, luck));
        trial.answer(at, choice)?;
        Some(mix(at, choice as u64))
    }

    /// The value for the seat of the question `at`, whose strategy learns. `None` if a script failed.
    fn try_answers(&mut self, trial: &mut Trial<'_>, at: u64, share: Share, luck: &mut Pcg64Mcg) -> Option<f32> {
        let Share { positions, reach, depth } = share;
        let is_asked = trial.own.decision().is_some_and(|decision| decision.seat == trial.seat);
        if !is_asked || trial.own.simultaneous() != trial.phase || depth >= MOST_ANSWERS {
            return trial.lookahead.value_after_hook(trial.own, trial.seat, luck).map(|value| value as f32);
        }
        let count = trial.count(at);
        let next = Share { depth: depth + 1, ..share };
        if count < 2 || positions < 2 || depth >= MOST_IN_A_ROW || trial.lookahead.steps >= trial.decision.until {
            let at = self.answer_by_strategy(trial, at, luck)?;
            return self.try_answers(trial, at, next, luck);
        }
        let strategy = self.questions.entry(at).or_insert_with(|| Strategy::new(count));
        if strategy.regrets.len() != count {
            *strategy = Strategy::new(count);
        }
        let shares = strategy.shares();
        let mut here = self.stack.pop().unwrap_or_default();
        trial.own.snapshot_into(&mut here);
        let tried = count.min(positions);
        let mut values: Vec<(usize, f32)> = Vec::with_capacity(tried);
        for choice in some(count, positions, luck) {
            // Chance is the same for all choices.
            let mut luck = luck.clone();
            let is_here = trial.lookahead.restore(trial.own, &here).is_ok() && trial.own.focus(trial.seat).is_ok();
            trial.phase = trial.own.simultaneous();
            if !is_here || trial.answer(at, choice).is_none() {
                continue;
            }
            let next = Share { positions: positions / tried, reach: reach * shares[choice], ..next };
            let value = self.try_answers(trial, mix(at, choice as u64), next, &mut luck);
            values.extend(value.map(|value| (choice, value)));
        }
        luck.next_u64();
        self.stack.push(here);
        let strategy = self.questions.get_mut(&at).filter(|_| !values.is_empty())?;
        Some(strategy.learn(&shares, &values, self.round * reach))
    }
}

/// The key of the first question to a seat. The key of the next one mixes in the choice.
fn key(seat: u8) -> u64 {
    mix(u64::from(seat), u64::MAX)
}

/// Draws an index in proportion to its weight, without those below `rare` times the greatest. `None` if all weights
/// are 0.
fn draw(weights: &[f32], rare: f32, luck: &mut Pcg64Mcg) -> Option<usize> {
    let least = rare * weights.iter().copied().fold(0.0, f32::max);
    let mut kept = weights.iter().copied().enumerate().filter(|(_, weight)| *weight > 0.0 && *weight >= least);
    let mut left = luck.random::<f32>() * kept.clone().map(|(_, weight)| weight).sum::<f32>();
    let drawn = kept.clone().find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    drawn.or_else(|| kept.next_back()).map(|(place, _)| place)
}
