//! Looking one step ahead: what a choice is worth, once the questions that it leads to are answered.

use motherlode::tools::word;
use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::any;
use crate::bots::reuse::redealt;
use crate::value::evaluator::Evaluator;

/// Questions in a row that are looked into.
const MOST_IN_A_ROW: usize = 8;
/// Most answers before a position is looked up as it stands then.
const MOST_ANSWERS: u32 = 500;

/// Looks choices up.
///
/// A choice may lead to more questions of the same seat: in the middle of a hook, or in the same simultaneous phase. What it is worth
/// depends on their answers, so the best of these count, as far as a number of positions goes that is shared among them. What others are asked at the
/// same time, or before the hook is done, they answer at random.
pub(crate) struct Look {
    pub evaluator: Evaluator,
    /// Goes on to the end of the hook, though it asks others, too. A position in the middle of one tells little, and less to those who are asked first: without, the
    /// first of four won 17 % of a game in which all raid at once.
    goes_on: bool,
    /// Positions with a question, each after an answer to the one before.
    stack: Vec<Snapshot>,
    sample: Snapshot,
    /// Positions looked up so far, and answers on the way to them, each of which takes about as long.
    looked: u32,
}

/// How many positions are looked up for a decision.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Most deals.
    pub deals: usize,
    /// Positions right after the choices, if there are fewer choices than that.
    pub positions: usize,
    /// Positions for what all choices lead to, on one deal.
    pub following: usize,
}

impl Effort {
    /// The same for a position. In the middle of a hook one deal must do: each runs the hook again, many times. With eight, a decision
    /// took up to 9 ms.
    pub fn at(self, m: &Match) -> Self {
        if m.is_mid_hook() { Self { deals: 1, ..self } } else { self }
    }
}

/// What is looked up on one deal.
pub(crate) struct Deal<'d> {
    pub d: Decision,
    /// The choices of the decision.
    pub among: &'d [usize],
    /// Places of those that are looked up.
    pub tried: &'d [usize],
    /// Everything that the seat cannot know is dealt again.
    pub is_fair: bool,
    /// Positions for what all of these lead to.
    pub following: usize,
}

/// Values of a choice.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looked {
    total: f64,
    pub count: u32,
}

impl Looked {
    fn add(&mut self, value: f64) {
        self.total += value;
        self.count += 1;
    }

    /// Without any, it is worst.
    pub fn mean(self) -> f64 {
        if self.count == 0 { f64::NEG_INFINITY } else { self.total / f64::from(self.count) }
    }
}

impl Look {
    pub fn new(evaluator: Evaluator) -> Self {
        Self { evaluator, goes_on: true, stack: Vec::new(), sample: Snapshot::default(), looked: 0 }
    }

    /// One that stops where others are asked in the middle of a hook: for training. What is learned of such positions makes a value better at the
    /// leaves of searches, which end there, too.
    pub fn for_training(evaluator: Evaluator) -> Self {
        Self { goes_on: false, ..Self::new(evaluator) }
    }

    /// Looks these choices of a decision up, all on the same deals of `root`, the fewer the more choices there are.
    ///
    /// # Errors
    /// When a position cannot be restored or redealt.
    pub fn survey(
        &mut self,
        own: &mut Match,
        root: &Snapshot,
        d: Decision,
        among: &[usize],
        effort: Effort,
        generator: &mut Pcg64Mcg,
    ) -> Result<Vec<Looked>, MatchError> {
        let count = among.len();
        let mut found = vec![Looked::default(); count];
        let all: Vec<usize> = (0..count).collect();
        for _ in 0..(effort.positions / count.max(1)).clamp(1, effort.deals) {
            let deal = Deal { d, among, tried: &all, is_fair: true, following: effort.following };
            self.deal(own, root, &deal, generator, |place, value| found[place].add(value))?;
        }
        Ok(found)
    }

    /// Looks choices up on one deal of `root`; tells the place and value of each that comes to something, and returns how many positions
    /// and answers that took.
    ///
    /// # Errors
    /// When the position cannot be restored or redealt.
    pub fn deal(
        &mut self,
        own: &mut Match,
        root: &Snapshot,
        deal: &Deal<'_>,
        generator: &mut Pcg64Mcg,
        mut found: impl FnMut(usize, f64),
    ) -> Result<u32, MatchError> {
        let before = self.looked;
        if !deal.is_fair {
            own.restore(root)?;
        } else if !redealt(own, root, deal.d, generator.next_u64())? {
            return Ok(0);
        }
        let mut sample = std::mem::take(&mut self.sample);
        own.snapshot_into(&mut sample);
        // The others answer alike after every choice.
        let luck = generator.next_u64();
        let following = deal.following / deal.tried.len().max(1);
        for &place in deal.tried {
            own.restore(&sample)?;
            let mut luck = Pcg64Mcg::seed_from_u64(luck);
            if let Some(value) = self.after(own, deal.d.seat, deal.among[place], following, &mut luck) {
                found(place, value);
            }
        }
        self.sample = sample;
        Ok(self.looked.wrapping_sub(before))
    }

    /// What an answer of a seat leads to; `None`: a script failed.
    fn after(
        &mut self,
        own: &mut Match,
        seat: u8,
        choice: usize,
        positions: usize,
        luck: &mut Pcg64Mcg,
    ) -> Option<f64> {
        own.focus(seat).ok()?;
        let phase = own.simultaneous();
        own.answer(choice).ok()?;
        self.settle(own, seat, phase, positions, luck, 0)
    }

    fn settle(
        &mut self,
        own: &mut Match,
        seat: u8,
        phase: Option<u64>,
        positions: usize,
        luck: &mut Pcg64Mcg,
        depth: usize,
    ) -> Option<f64> {
        let (mut is_asked, mut hook) = (true, None);
        for _ in 0..MOST_ANSWERS {
            let is_open = phase.is_some() && own.simultaneous() == phase;
            if is_open && is_asked && own.decision().is_some_and(|decision| decision.seat != seat) {
                is_asked = own.focus(seat).is_ok();
            }
            let Some(decision) = own.decision() else { break };
            let is_own = decision.seat == seat;
            if !is_open {
                let is_in_hook = own.is_mid_hook() && !own.is_simultaneous();
                // After the hook the next one may wait at once: of another seat, or of the next phase.
                let now = moment(own);
                let is_same = *hook.get_or_insert(now) == now;
                let is_looked_into = is_own || self.goes_on && is_same;
                if !(is_in_hook && is_looked_into) {
                    break;
                }
                self.looked = self.looked.wrapping_add(1);
            }
            let count = own.choices().len();
            if is_own && count > 1 {
                if positions > 1 && depth < MOST_IN_A_ROW {
                    return self.best_following(own, seat, count, positions, luck, depth);
                }
                if !is_open && !self.goes_on {
                    break;
                }
            }
            own.answer(any(count, luck)).ok()?;
        }
        self.looked = self.looked.wrapping_add(1);
        Some(self.evaluator.value(own, seat))
    }

    /// What the best answer to a question that follows is worth.
    fn best_following(
        &mut self,
        own: &mut Match,
        seat: u8,
        count: usize,
        positions: usize,
        luck: &mut Pcg64Mcg,
        depth: usize,
    ) -> Option<f64> {
        let mut here = self.stack.pop().unwrap_or_default();
        own.snapshot_into(&mut here);
        let each = positions / count.min(positions);
        let mut best: Option<f64> = None;
        for choice in some(count, positions, luck) {
            own.restore(&here).ok()?;
            let (phase, mut luck) = (own.simultaneous(), luck.clone());
            if own.answer_as(seat, choice).is_err() {
                continue;
            }
            let worth = self.settle(own, seat, phase, each, &mut luck, depth + 1);
            best = best.into_iter().chain(worth).reduce(f64::max);
        }
        self.stack.push(here);
        best
    }
}

/// Whose hook it is, and when.
fn moment(m: &Match) -> [i32; 3] {
    let words = m.state().words();
    [word::ROUND, word::PHASE, word::TURN].map(|at| words[at])
}

/// All choices, or `most` of them, evenly spread.
fn some(count: usize, most: usize, generator: &mut Pcg64Mcg) -> impl Iterator<Item = usize> + use<> {
    let tried = count.min(most.max(1));
    let first = if tried < count { any(count, generator) } else { 0 };
    (0..tried).map(move |place| (first + place * count / tried) % count)
}
