//! One-step lookahead: evaluates a choice after the questions that it leads to are answered.

use motherlode::tools::word;
use motherlode::{Decision, Match, MatchError, Snapshot};
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;
use crate::bots::reuse::determinize;
use crate::value::evaluator::Evaluator;

/// Maximum depth of follow-up questions that are searched.
const MOST_IN_A_ROW: usize = 8;
/// Maximum answers before the position is evaluated as is.
const MOST_ANSWERS: u32 = 500;
/// Maximum positions after the questions of a running hook, for a position whose value is wanted.
const AFTER_HOOK: usize = 4;

/// Estimates choices by the positions they lead to.
///
/// A choice may lead to more questions of the same seat, in the middle of a hook or in the same simultaneous phase.
/// Its value depends on the answers, so the best answers count, within a budget of positions that the answers share.
/// Other seats answer their questions at random.
pub(crate) struct Lookahead {
    pub evaluator: Evaluator,
    /// Plays to the end of the hook even if it asks other seats.
    ///
    /// A position in the middle of a hook says little, and even less about the seats that are asked first: without
    /// this, the first of four seats won 17 % of a game in which all raid at once.
    completes_hook: bool,
    /// Snapshots of the open follow-up questions, for reuse.
    stack: Vec<Snapshot>,
    sample: Snapshot,
    /// Evaluated positions, plus answers on the way to them, each of which takes about as long.
    spent: u32,
    /// Steps of hooks, of determinizations and repeated hooks too. The caller sets it to zero.
    pub steps: i64,
    /// Whether the values depend on chance: a draw, or answers taken at random. The caller sets it to false.
    pub is_random: bool,
}

/// The effort left for a choice.
#[derive(Clone, Copy)]
struct Share {
    /// Positions after follow-up questions.
    positions: usize,
    /// The steps at which no more answers are searched.
    soft: i64,
    /// The steps at which the position is evaluated as is.
    hard: i64,
}

/// How many positions are evaluated per decision.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Maximum determinizations.
    pub deals: usize,
    /// Positions right after the choices; exceeded only if there are more choices than this.
    pub positions: usize,
    /// Positions after follow-up questions, for all choices on one determinization.
    pub following: usize,
}

impl Effort {
    /// This effort at a position. In the middle of a hook it allows one determinization, because each evaluation runs
    /// the hook again. With eight, a decision took up to 9 ms.
    pub fn at(self, m: &Match) -> Self {
        if m.is_mid_hook() { Self { deals: 1, ..self } } else { self }
    }
}

/// The choices to evaluate on one determinization.
pub(crate) struct Deal<'d> {
    pub d: Decision,
    /// The choices of the decision.
    pub among: &'d [usize],
    /// Indices into `among` of the choices to evaluate.
    pub tried: &'d [usize],
    /// Whether to redeal what the seat cannot know.
    pub is_fair: bool,
    /// Positions after follow-up questions, shared by all these choices.
    pub following: usize,
    /// The [steps](Lookahead::steps) at which no more choices are evaluated.
    pub until: i64,
}

/// The mean value of a choice.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MeanValue {
    total: f64,
    pub count: u32,
}

impl MeanValue {
    fn add(&mut self, value: f64) {
        self.total += value;
        self.count += 1;
    }

    /// The mean; negative infinity without values.
    pub fn mean(self) -> f64 {
        if self.count == 0 { f64::NEG_INFINITY } else { self.total / f64::from(self.count) }
    }
}

impl Lookahead {
    pub fn new(evaluator: Evaluator) -> Self {
        Self {
            evaluator,
            completes_hook: true,
            stack: Vec::new(),
            sample: Snapshot::default(),
            spent: 0,
            steps: 0,
            is_random: false,
        }
    }

    /// A lookahead that stops when another seat is asked in the middle of a hook, for training. Learning from such
    /// positions improves the value at the leaves of searches, which also end there.
    pub fn for_training(evaluator: Evaluator) -> Self {
        Self { completes_hook: false, ..Self::new(evaluator) }
    }

    /// Evaluates choices of a decision, all on the same determinizations of `root`. More choices get fewer
    /// determinizations.
    ///
    /// # Errors
    /// A position cannot be restored or redealt.
    pub fn survey(
        &mut self,
        own: &mut Match,
        root: &Snapshot,
        d: Decision,
        among: &[usize],
        effort: Effort,
        generator: &mut Pcg64Mcg,
    ) -> Result<Vec<MeanValue>, MatchError> {
        let count = among.len();
        let mut found = vec![MeanValue::default(); count];
        let all: Vec<usize> = (0..count).collect();
        for _ in 0..(effort.positions / count.max(1)).clamp(1, effort.deals) {
            let deal = Deal { d, among, tried: &all, is_fair: true, following: effort.following, until: i64::MAX };
            self.deal(own, root, &deal, generator, |place, value| found[place].add(value))?;
        }
        Ok(found)
    }

    /// Evaluates choices on one determinization of `root`.
    ///
    /// Calls `found` with the index and value of each choice that yields one. Returns the number of positions and
    /// answers used.
    ///
    /// # Errors
    /// The position cannot be restored or redealt.
    pub fn deal(
        &mut self,
        own: &mut Match,
        root: &Snapshot,
        deal: &Deal<'_>,
        generator: &mut Pcg64Mcg,
        mut found: impl FnMut(usize, f64),
    ) -> Result<u32, MatchError> {
        let (before, work) = (self.spent, own.work());
        let is_dealt = if deal.is_fair {
            determinize(own, root, deal.d, generator.next_u64())?
        } else {
            own.restore(root)?;
            true
        };
        self.count_steps(own, work);
        if !is_dealt {
            return Ok(0);
        }
        let mut sample = std::mem::take(&mut self.sample);
        own.snapshot_into(&mut sample);
        // Other seats answer the same after every choice.
        let luck = generator.next_u64();
        let following = deal.following / deal.tried.len().max(1);
        let count = deal.tried.len();
        for (tried, &place) in deal.tried.iter().enumerate() {
            if tried > 0 && self.steps >= deal.until {
                break;
            }
            let share =
                Share { positions: following, soft: self.share_of(deal.until, count - tried), hard: deal.until };
            self.restore(own, &sample)?;
            let mut luck = Pcg64Mcg::seed_from_u64(luck);
            if let Some(value) = self.after(own, deal.d.seat, deal.among[place], share, &mut luck) {
                found(place, value);
            }
        }
        self.sample = sample;
        Ok(self.spent.wrapping_sub(before))
    }

    /// Counts the steps that a match has taken since its work was `before`.
    ///
    /// The end of a match takes all steps left to its hook (`kernels/course.rs`), so it counts nothing.
    pub fn count_steps(&mut self, own: &Match, before: i64) {
        if own.outcome().is_none() {
            self.steps = self.steps.saturating_add(own.work() - before);
        }
    }

    /// Evaluated positions, plus answers on the way to them; wraps around.
    pub fn spent(&self) -> u32 {
        self.spent
    }

    /// The value of a position for a seat, after the questions of the running hook. `None` if a script failed.
    pub fn value_after_hook(&mut self, own: &mut Match, seat: u8, luck: &mut Pcg64Mcg) -> Option<f64> {
        let share = Share { positions: AFTER_HOOK, soft: i64::MAX, hard: i64::MAX };
        self.resolve(own, seat, None, share, luck, 0)
    }

    /// The steps at which one of `count` equal shares of the steps before `until` is spent.
    fn share_of(&self, until: i64, count: usize) -> i64 {
        let left = until.saturating_sub(self.steps).max(0);
        self.steps.saturating_add(left / i64::try_from(count.max(1)).unwrap_or(i64::MAX))
    }

    /// Restores a position and counts the steps.
    ///
    /// # Errors
    /// As [`Match::restore`].
    pub fn restore(&mut self, own: &mut Match, to: &Snapshot) -> Result<(), MatchError> {
        let before = own.work();
        own.restore(to)?;
        self.count_steps(own, before);
        Ok(())
    }

    /// Answers, counts the steps, and notes whether chance was asked; `None` if the answer fails.
    pub fn answer(&mut self, own: &mut Match, answer: impl FnOnce(&mut Match) -> Result<(), MatchError>) -> Option<()> {
        let (before, draws) = (own.work(), own.draws());
        answer(own).ok()?;
        self.is_random |= own.draws() != draws;
        self.count_steps(own, before);
        Some(())
    }

    /// The value of an answer of a seat; `None` if a script failed.
    fn after(&mut self, own: &mut Match, seat: u8, choice: usize, share: Share, luck: &mut Pcg64Mcg) -> Option<f64> {
        own.focus(seat).ok()?;
        let phase = own.simultaneous();
        self.answer(own, |own| own.answer(choice))?;
        self.resolve(own, seat, phase, share, luck, 0)
    }

    fn resolve(
        &mut self,
        own: &mut Match,
        seat: u8,
        phase: Option<u64>,
        share: Share,
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
            if self.steps >= share.hard {
                break;
            }
            let is_own = decision.seat == seat;
            if !is_open {
                let is_in_hook = own.is_mid_hook() && !own.is_simultaneous();
                // The next hook may ask at once after this one: another seat's, or one of the next phase.
                let now = moment(own);
                let is_same = *hook.get_or_insert(now) == now;
                let is_looked_into = is_own || self.completes_hook && is_same;
                if !(is_in_hook && is_looked_into) {
                    break;
                }
                self.spent = self.spent.wrapping_add(1);
            }
            let count = own.choices().len();
            if is_own && count > 1 {
                if share.positions > 1 && self.steps < share.soft && depth < MOST_IN_A_ROW {
                    return self.best_following(own, seat, count, share, luck, depth);
                }
                if !is_open && !self.completes_hook {
                    break;
                }
            }
            self.is_random |= count > 1;
            self.answer(own, |own| own.answer(random_index(count, luck)))?;
        }
        self.spent = self.spent.wrapping_add(1);
        Some(self.evaluator.value(own, seat))
    }

    /// The value of the best answer to a follow-up question.
    fn best_following(
        &mut self,
        own: &mut Match,
        seat: u8,
        count: usize,
        share: Share,
        luck: &mut Pcg64Mcg,
        depth: usize,
    ) -> Option<f64> {
        let mut here = self.stack.pop().unwrap_or_default();
        own.snapshot_into(&mut here);
        let tried = count.min(share.positions);
        self.is_random |= tried < count;
        let mut best: Option<f64> = None;
        for (done, choice) in some(count, share.positions, luck).enumerate() {
            if best.is_some() && self.steps >= share.soft {
                break;
            }
            let each = Share {
                positions: share.positions / tried,
                soft: self.share_of(share.soft, tried - done),
                hard: share.hard,
            };
            self.restore(own, &here).ok()?;
            let (phase, mut luck) = (own.simultaneous(), luck.clone());
            if self.answer(own, |own| own.answer_as(seat, choice)).is_none() {
                continue;
            }
            let worth = self.resolve(own, seat, phase, each, &mut luck, depth + 1);
            best = best.into_iter().chain(worth).reduce(f64::max);
        }
        self.stack.push(here);
        best
    }
}

/// Round, phase and turn: they identify the running hook.
fn moment(m: &Match) -> [i32; 3] {
    let words = m.state().words();
    [word::ROUND, word::PHASE, word::TURN].map(|at| words[at])
}

/// All indices below `count`, or `most` of them, evenly spread from a random start.
pub(super) fn some(count: usize, most: usize, generator: &mut Pcg64Mcg) -> impl Iterator<Item = usize> + use<> {
    let tried = count.min(most.max(1));
    let first = if tried < count { random_index(count, generator) } else { 0 };
    (0..tried).map(move |place| (first + place * count / tried) % count)
}
