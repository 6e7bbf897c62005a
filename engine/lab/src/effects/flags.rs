//! Flags of items, from tests of their effects and of how often they are taken.
//!
//! All flags of a report are one family of hypotheses, with the false-discovery rate held at 5 % by the procedure of
//! Benjamini and Hochberg. A designer reads flags as a list of suspects, so the share of false ones among them
//! matters, not the chance of a single one, which Holm's procedure bounds. Forks share arms, so the tests depend on one
//! another. The procedure stays valid if they depend positively: Benjamini and Yekutieli (2001), "The control of the
//! false discovery rate in multiple testing under dependency", Annals of Statistics 29 (4), 1165-1188. The test of null
//! items measures the rate.
//!
//! A flag with several conditions has the largest of their p-values: Berger (1982), "Multiparameter hypothesis
//! testing and acceptance sampling", Technometrics 24 (4), 295-300. A flag by either of two measures has twice the
//! smaller one (Bonferroni).

use motherlode_play::Interval;

use super::report::Flag;
use crate::ratio::{Ratio, SHARE_BOUNDS};

/// Minimum number of offers before an item can be dead.
const MIN_OFFERS: f64 = 50.0;

/// Minimum number of blocks with forks before an item can have a flag: fewer tell too little about the variance.
pub const MIN_FLAG_BLOCKS: u64 = 10;

/// An item taken in a smaller part of its even share is dead, if taking it costs something.
const DEAD_PART: f64 = 0.25;

/// An item that is better in a smaller share of forks, and costs utility, is dominated.
const DOMINATED_SHARE: f64 = 0.15;

/// An item that gains at least this win share is a must-have.
const MUST_HAVE_SHARE: f64 = 0.05;

/// An item that gains at least this part of the standard deviation of the score or margin is a must-have.
const MUST_HAVE_DEVIATION: f64 = 0.1;

/// Number, sum and sum of squares of a quantity.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moments([f64; 3]);

impl Moments {
    pub fn add(&mut self, value: f64) {
        let [count, sum, squares] = self.0;
        self.0 = [count + 1.0, sum + value, squares + value * value];
    }

    /// Returns the smallest gain of a must-have, in this quantity.
    pub fn must_have_gain(&self, is_share: bool) -> f64 {
        let [count, sum, squares] = self.0;
        let mean = sum / count.max(1.0);
        let deviation = (squares / count.max(1.0) - mean * mean).max(0.0).sqrt();
        if is_share { MUST_HAVE_SHARE } else { MUST_HAVE_DEVIATION * deviation }
    }
}

/// One measure of an item's effect.
#[derive(Debug, Clone, Copy)]
pub struct EffectMeasure<'r> {
    /// Gain by the item, by block.
    pub gain: &'r Ratio,
    /// Whether a smaller value is the gain.
    pub is_reversed: bool,
    /// Bounds of the gain in a single block, if anything limits it.
    pub bounds: Option<Interval>,
    /// The smallest gain of a must-have.
    pub must_have: f64,
}

impl EffectMeasure<'_> {
    /// Returns the p-value of the hypothesis that the gain is at most `null`.
    fn p_above(&self, null: f64) -> f64 {
        if self.is_reversed { self.gain.p_below(-null, self.bounds) } else { self.gain.p_above(null, self.bounds) }
    }

    /// Returns the p-value of the hypothesis that the gain is at least 0.
    fn p_below_zero(&self) -> f64 {
        if self.is_reversed { self.gain.p_above(0.0, self.bounds) } else { self.gain.p_below(0.0, self.bounds) }
    }

    fn is_gain(&self) -> bool {
        self.gain.value().is_some_and(|value| if self.is_reversed { value < 0.0 } else { value > 0.0 })
    }
}

/// An effect of an item.
#[derive(Debug, Clone, Copy)]
pub struct Effect<'r> {
    /// In the objective of the game.
    pub utility: EffectMeasure<'r>,
    /// In points, if the score is not the objective.
    pub points: Option<EffectMeasure<'r>>,
}

/// The data of one item.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'r> {
    /// The effect of taking it instead of the best other choice.
    pub picked: Effect<'r>,
    /// The effect of having taken it instead of doing without it for the rest of the game.
    pub kept: Effect<'r>,
    /// Forks in which the item was better.
    pub better: &'r Ratio,
    /// Takes by offers.
    pub taken: &'r Ratio,
    /// Share of offers in which it would be taken if all choices were equally likely.
    pub even: f64,
}

impl Effect<'_> {
    /// The gain in the objective is large; or the gain in points is large, and the objective gains, too.
    fn is_large(&self) -> f64 {
        let utility = self.utility.p_above(self.utility.must_have);
        let Some(points) = self.points else { return utility };
        either(utility, points.p_above(points.must_have).max(self.utility.p_above(0.0)))
    }

    /// Taking it costs something in the objective or in points, and gains nothing in the other.
    fn costs(&self) -> f64 {
        let utility = self.utility.p_below_zero();
        let Some(points) = self.points else { return utility };
        if self.utility.is_gain() || points.is_gain() { 1.0 } else { either(utility, points.p_below_zero()) }
    }
}

impl Evidence<'_> {
    /// Returns the p-value of each flag, in their order of precedence; nothing without enough forks.
    pub fn hypotheses(&self) -> Vec<(Flag, f64)> {
        if self.better.informative() < MIN_FLAG_BLOCKS {
            return Vec::new();
        }
        let dead = (self.taken.whole() >= MIN_OFFERS).then(|| (Flag::Dead, self.dead()));
        let others = [(Flag::MustHave, self.must_have()), (Flag::Dominated, self.dominated())];
        dead.into_iter().chain(others).collect()
    }

    /// One pick of it gains much, or doing without it costs much.
    fn must_have(&self) -> f64 {
        let kept = if self.kept.utility.gain.informative() < MIN_FLAG_BLOCKS { 1.0 } else { self.kept.is_large() };
        either(self.picked.is_large(), kept)
    }

    fn dominated(&self) -> f64 {
        self.picked.costs().max(self.better.p_below(DOMINATED_SHARE, Some(SHARE_BOUNDS)))
    }

    fn dead(&self) -> f64 {
        self.picked.costs().max(self.taken.p_below(DEAD_PART * self.even, Some(SHARE_BOUNDS)))
    }
}

/// Returns the p-value of a claim by either of two tests.
fn either(one: f64, other: f64) -> f64 {
    (2.0 * one.min(other)).min(1.0)
}
