//! What blocks say about a share or a mean: an estimate with an interval, and the difference of two.

use motherlode_play::{Interval, mix};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// Resamples of a bootstrap.
const RESAMPLES: usize = 1000;

/// Of fewer blocks than these, resamples say too little of how blocks vary.
const FEW: u64 = 10;

/// What shares may differ by and still be equal.
const ROUNDING: f64 = 1e-9;

/// The bounds of a share.
pub const PART: Interval = Interval { low: 0.0, high: 1.0 };

/// The bounds of the difference of two shares.
pub const DIFFERENCE: Interval = Interval { low: -1.0, high: 1.0 };

/// A sum divided by another, both over blocks: wins by games sat, points by games. Block by block, in the order of the blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratio {
    blocks: Vec<(f64, f64)>,
}

/// An estimate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its 95 % interval; of no width where all blocks say the same of what has no bounds.
    pub interval: Interval,
    /// Blocks that say something about it.
    pub blocks: u64,
}

/// The difference of one thing measured twice on the same blocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What it was.
    pub base: f64,
    /// What it is.
    pub changed: f64,
    /// What it is more, with the interval of the pairs.
    pub more: Estimate,
    /// How likely so large a difference would be if there were none.
    pub p: f64,
}

impl Ratio {
    /// What the next block says: `part` of `whole`; a `whole` of 0 says nothing.
    pub fn push(&mut self, part: f64, whole: f64) {
        self.blocks.push((part, whole));
    }

    /// What the block of this number says; those missing before it say nothing.
    pub fn put(&mut self, block: usize, part: f64, whole: f64) {
        self.fill(block);
        self.push(part, whole);
    }

    /// As many blocks as this; those missing say nothing.
    pub fn fill(&mut self, blocks: usize) {
        if self.blocks.len() < blocks {
            self.blocks.resize(blocks, (0.0, 0.0));
        }
    }

    /// The sum below the line.
    #[must_use]
    pub fn whole(&self) -> f64 {
        self.blocks.iter().map(|block| block.1).sum()
    }

    /// The ratio; `None` if no block says anything.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.weighed(|_| 1.0)
    }

    fn weighed(&self, weight: impl Fn(usize) -> f64) -> Option<f64> {
        let add = |(part, whole): (f64, f64), (index, block): (usize, &(f64, f64))| {
            let weight = weight(index);
            (part + weight * block.0, whole + weight * block.1)
        };
        let (part, whole) = self.blocks.iter().enumerate().fold((0.0, 0.0), add);
        (whole > 0.0).then(|| part / whole)
    }

    fn telling(&self) -> u64 {
        self.blocks.iter().filter(|block| block.1 > 0.0).count() as u64
    }

    /// By how much each block moves the ratio: what its part is more than the ratio would have, by the mean whole.
    fn influences(&self) -> Vec<f64> {
        let value = self.value().unwrap_or_default();
        let mean = self.whole() / count(self.blocks.len() as u64);
        self.blocks.iter().map(|(part, whole)| if mean > 0.0 { (part - value * whole) / mean } else { 0.0 }).collect()
    }

    /// The ratio with its interval; `None` if fewer than two blocks say anything. The seed is that of the resamples; `bounds` are those of
    /// every block, where it has any.
    #[must_use]
    pub fn estimate(&self, seed: u64, bounds: Option<Interval>) -> Option<Estimate> {
        let (value, blocks) = (self.value()?, self.telling());
        let interval = match bounds {
            Some(bounds) if blocks > 1 && self.agrees() => alike(value, blocks, bounds),
            _ if blocks < FEW => student(value, &self.influences(), blocks, bounds)?,
            _ => bootstrap(self.blocks.len(), blocks, seed, |counts| self.weighed(|index| counts[index]))?,
        };
        Some(Estimate { value, interval, blocks })
    }

    /// Whether all blocks that say something say the same.
    fn agrees(&self) -> bool {
        let mut said = self.blocks.iter().filter(|block| block.1 > 0.0).map(|(part, whole)| part / whole);
        let Some(first) = said.next() else { return true };
        said.all(|other| (other - first).abs() <= ROUNDING)
    }

    /// What this is more than `base`, of which every block has the same seed and seatings; `bounds` are those of the difference of a block,
    /// where it has any.
    #[must_use]
    pub fn more_than(&self, base: &Self, seed: u64, bounds: Option<Interval>) -> Option<Difference> {
        let (changed, old) = (self.value()?, base.value()?);
        let blocks = self.telling().min(base.telling());
        let difference = |counts: &[f64]| Some(self.weighed(|i| counts[i])? - base.weighed(|i| counts[i])?);
        let agreed = bounds.filter(|_| blocks > 1 && (self.agrees() && base.agrees() || self == base));
        let pairs: Vec<f64> =
            self.influences().iter().zip(base.influences()).map(|(changed, base)| changed - base).collect();
        let interval = match agreed {
            Some(bounds) => alike(changed - old, blocks, bounds),
            None if blocks < FEW => student(changed - old, &pairs, blocks, bounds)?,
            None => bootstrap(self.blocks.len().min(base.blocks.len()), blocks, seed, difference)?,
        };
        let more = Estimate { value: changed - old, interval, blocks };
        Some(Difference { base: old, changed, more, p: likelihood(changed - old, 0.0, &pairs, (blocks, agreed)) })
    }

    /// How likely a ratio as far from `null` as this would be if that were the truth, of blocks within these bounds.
    #[must_use]
    pub fn p(&self, null: f64, bounds: Interval) -> f64 {
        let Some(value) = self.value() else { return 1.0 };
        let agreed = Some(bounds).filter(|_| self.agrees());
        likelihood(value, null, &self.influences(), (self.telling(), agreed))
    }
}

/// The 95 % interval of blocks that all say this, though others might say anything within the bounds: as many of them as would stay unseen
/// with 2.5 % (Clopper and Pearson 1934: "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika
/// 26 (4), 404-413).
fn alike(value: f64, blocks: u64, bounds: Interval) -> Interval {
    let others = 1.0 - 0.025_f64.powf(1.0 / count(blocks));
    let towards = |bound: f64| value + others * (bound - value);
    Interval { low: towards(bounds.low), high: towards(bounds.high) }
}

/// The 95 % interval of a mean with these influences of the blocks, by Student's t; `None` for a single block.
fn student(value: f64, influences: &[f64], telling: u64, bounds: Option<Interval>) -> Option<Interval> {
    let t = StudentsT::new(0.0, 1.0, count(telling) - 1.0).ok()?.inverse_cdf(0.975);
    let half = t * error(influences, telling);
    let [low, high] = bounds.map_or([f64::NEG_INFINITY, f64::INFINITY], |bounds| [bounds.low, bounds.high]);
    Some(Interval { low: (value - half).max(low), high: (value + half).min(high) })
}

/// The standard error of a mean with these influences of the blocks, of which so many say something, two at least.
fn error(influences: &[f64], telling: u64) -> f64 {
    let (n, telling) = (count(influences.len() as u64), count(telling));
    let squares: f64 = influences.iter().map(|influence| influence * influence).sum();
    (squares / n * telling / (telling - 1.0) / n).sqrt()
}

/// The two-sided p-value of a mean with these influences of the blocks, by Student's t; or, within the bounds of blocks that all agree, by
/// the model of [`alike`].
fn likelihood(value: f64, null: f64, influences: &[f64], (telling, agreed): (u64, Option<Interval>)) -> f64 {
    let effect = value - null;
    if telling < 2 || effect == 0.0 {
        return 1.0;
    }
    if let Some(bounds) = agreed {
        // The null is a mean of this and of what lies as far beyond it as can be.
        let far = if effect > 0.0 { bounds.low } else { bounds.high };
        let others = effect / (value - far);
        return (2.0 * (1.0 - others).max(0.0).powf(count(telling))).min(1.0);
    }
    let error = error(influences, telling);
    if error == 0.0 {
        // All blocks agree on an effect. Two of them might by chance; so might more.
        return 0.5_f64.powf(count(telling) - 1.0);
    }
    // There is such a distribution for every number of degrees of freedom above 0.
    StudentsT::new(0.0, 1.0, count(telling) - 1.0).map_or(1.0, |t| 2.0 * t.cdf(-(effect / error).abs()))
}

#[expect(clippy::cast_precision_loss, reason = "a count of blocks")]
fn count(blocks: u64) -> f64 {
    blocks.max(1) as f64
}

/// The 95 % percentile interval of a statistic over resampled blocks, which it gets as the number of times each is drawn.
///
/// Percentiles of few blocks are too narrow; they are taken further out, as far as Student's t is wider than the normal distribution
/// (Hesterberg 2015: "What teachers should know about the bootstrap", The American Statistician 69 (4), 371-386, section 5.3).
pub fn bootstrap(
    blocks: usize,
    telling: u64,
    seed: u64,
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Option<Interval> {
    let tail = tail(telling)?;
    let mut generator = Pcg64Mcg::seed_from_u64(mix(seed, blocks as u64));
    let mut counts = vec![0.0; blocks];
    // No experiment has 2^32 blocks.
    let end = u32::try_from(blocks).unwrap_or(u32::MAX);
    let mut found: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            counts.fill(0.0);
            for _ in 0..end {
                counts[generator.random_range(0..end) as usize] += 1.0;
            }
            statistic(&counts)
        })
        .collect();
    found.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a thousand"
    )]
    let at = ((found.len() as f64 * tail) as usize).min(found.len().checked_sub(1)?);
    Some(Interval { low: found[at], high: found[found.len() - 1 - at] })
}

/// The share of resamples beyond each end of the interval. With a single block there is no interval.
fn tail(telling: u64) -> Option<f64> {
    if telling < 2 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of blocks")]
    let n = telling as f64;
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975);
    Some(Normal::standard().cdf(-(n / (n - 1.0)).sqrt() * t))
}

/// Most of all discoveries that may be false, in every table of the lab.
const FALSE_DISCOVERIES: f64 = 0.05;

/// Which of many p-values are discoveries when at most 5 % of all discoveries may be false.
///
/// Benjamini, Y., and Hochberg, Y. (1995): "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
/// Journal of the Royal Statistical Society B 57 (1), 289-300.
#[must_use]
pub fn discoveries(p: &[f64]) -> Vec<bool> {
    let mut sorted: Vec<f64> = p.to_vec();
    sorted.sort_by(f64::total_cmp);
    let all = count(p.len() as u64);
    let passes = |(index, p): (usize, &f64)| *p <= FALSE_DISCOVERIES * count(index as u64 + 1) / all;
    let bound = sorted.iter().enumerate().filter(|pair| passes(*pair)).map(|(_, p)| *p).next_back();
    p.iter().map(|p| bound.is_some_and(|bound| *p <= bound)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(generator: &mut Pcg64Mcg) -> f64 {
        f64::from(generator.random_range(0..1_000_000u32)) / 1e6
    }

    #[test]
    fn intervals_cover_the_truth_as_often_as_they_say() {
        let mut generator = Pcg64Mcg::seed_from_u64(11);
        for (blocks, least, most) in [(8, 178, 200), (60, 182, 198)] {
            let covered = (0..200).filter(|_| {
                let mut ratio = Ratio::default();
                for _ in 0..blocks {
                    let won = (0..3).filter(|_| random(&mut generator) < 0.4).count();
                    ratio.push(f64::from(u8::try_from(won).unwrap()), 3.0);
                }
                ratio.estimate(5, None).unwrap().interval.contains(0.4)
            });
            let covered = covered.count();
            assert!((least..=most).contains(&covered), "{covered} of 200 with {blocks} blocks");
        }
    }

    #[test]
    fn pairs_find_what_two_intervals_would_not() {
        let mut generator = Pcg64Mcg::seed_from_u64(12);
        let (mut base, mut changed) = (Ratio::default(), Ratio::default());
        for _ in 0..80 {
            let deal = 40.0 * random(&mut generator);
            base.push(deal, 1.0);
            changed.push(deal + 1.0 + random(&mut generator), 1.0);
        }
        let difference = changed.more_than(&base, 1, None).unwrap();
        assert!((1.3..1.7).contains(&difference.more.value), "{difference:?}");
        assert!(difference.more.interval.low > 1.3 && difference.more.interval.high < 1.7 && difference.p < 1e-9);
        let interval = base.estimate(1, None).unwrap().interval;
        assert!(interval.high - interval.low > 4.0);
        let none = base.more_than(&base, 1, None).unwrap();
        assert_eq!((none.more.value.to_bits(), none.p.to_bits()), (0.0f64.to_bits(), 1.0f64.to_bits()));
    }

    #[test]
    fn the_p_value_is_that_of_the_t_test() {
        let mut ratio = Ratio::default();
        for part in [1.0, 2.0, 3.0, 4.0, 5.0] {
            ratio.push(part, 1.0);
        }
        const FAR: Interval = Interval { low: -9.0, high: 9.0 };
        // t = 3 / sqrt(2.5 / 5) = 4.2426 with four degrees of freedom.
        assert!((ratio.p(0.0, FAR) - 0.013_24).abs() < 1e-4, "{}", ratio.p(0.0, FAR));
    }

    #[test]
    fn nothing_says_nothing() {
        let mut ratio = Ratio::default();
        ratio.fill(9);
        assert_eq!((ratio.value(), ratio.estimate(1, None)), (None, None));
        ratio.push(1.0, 1.0);
        assert_eq!((ratio.value(), ratio.estimate(1, None)), (Some(1.0), None), "one block has no interval");
    }

    #[test]
    fn the_interval_of_a_few_blocks_is_that_of_the_t_test() {
        let mut ratio = Ratio::default();
        ratio.push(1.0, 1.0);
        ratio.push(2.0, 1.0);
        // t of one degree of freedom is 12.706, the standard error 0.5.
        let interval = ratio.estimate(1, None).unwrap().interval;
        assert!((interval.low + 4.853).abs() < 1e-3 && (interval.high - 7.853).abs() < 1e-3, "{interval:?}");
        let interval = ratio.estimate(1, Some(Interval { low: 0.0, high: 3.0 })).unwrap().interval;
        assert_eq!((interval.low, interval.high), (0.0, 3.0));
    }

    #[test]
    fn few_blocks_that_agree_say_little_of_others() {
        let share = |won: f64, blocks: u32| {
            let mut ratio = Ratio::default();
            (0..blocks).for_each(|_| ratio.push(won, 1.0));
            ratio.estimate(1, Some(PART)).unwrap().interval
        };
        // Of three, none: at most 70.8 % (Clopper and Pearson).
        let none = share(0.0, 3);
        assert!(none.low.abs() < 1e-9 && (none.high - 0.708).abs() < 1e-3, "{none:?}");
        let half = share(0.5, 3);
        assert!((half.low - 0.146).abs() < 1e-3 && (half.high - 0.854).abs() < 1e-3, "{half:?}");
        assert!(share(1.0, 1000).low > 0.996);
        // Their probability agrees with the interval, also where the parts are no exact numbers.
        let third = |blocks: u32| {
            let mut ratio = Ratio::default();
            (0..blocks).for_each(|_| ratio.push(0.1 + 0.1 + 0.1, 0.9));
            ratio
        };
        let (few, many) = (third(6), third(40));
        assert!(few.estimate(1, Some(PART)).unwrap().interval.contains(0.5) && few.p(0.5, PART) > 0.05);
        assert!(!many.estimate(1, Some(PART)).unwrap().interval.contains(0.5) && many.p(0.5, PART) < 0.05);
    }

    #[test]
    fn discoveries_are_those_of_the_published_example() {
        // Benjamini and Hochberg 1995, section 3.2: four of fifteen at 5 %.
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0,
        ];
        assert_eq!(discoveries(&p).iter().filter(|found| **found).count(), 4);
        assert_eq!(discoveries(&[0.04, 0.2, 0.01]), [false, false, true]);
        assert!(discoveries(&[]).is_empty());
    }
}
