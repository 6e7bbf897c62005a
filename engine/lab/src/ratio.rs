//! Estimates of shares and means from blocks, with intervals, p-values and paired differences.

use motherlode_play::{Interval, mix};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// Number of resamples in a bootstrap.
const RESAMPLE_COUNT: usize = 1000;

/// With fewer blocks, the interval comes from Student's t: so few blocks tell too little about the variance.
const FEW_BLOCKS: u64 = 10;

/// Maximum blocks that are resampled. More are summed in groups of neighbours, which have the same variance and skewness:
/// resampling each of 20,000 blocks took twenty times as long as playing them.
const MOST_RESAMPLED: usize = 2000;

/// Quantities that differ by at most this count as equal.
const ROUNDING: f64 = 1e-9;

/// Minimum number of equal blocks that say something without an interval: 1/2 to the power of 6 is below 2.5 %.
const ALIKE: u64 = 7;

/// Bounds of a share.
pub const SHARE_BOUNDS: Interval = Interval { low: 0.0, high: 1.0 };

/// Bounds of the difference of two shares.
pub const DIFFERENCE_BOUNDS: Interval = Interval { low: -1.0, high: 1.0 };

/// A ratio of two sums over blocks, such as wins by games or points by games. Keeps both terms of each block, in
/// order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratio {
    blocks: Vec<(f64, f64)>,
}

/// An estimate with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The 95 % confidence interval. Its width is 0 if all blocks agree on a quantity without bounds: see
    /// [`Self::agreement`].
    pub interval: Interval,
    /// Number of blocks with data.
    pub blocks: u64,
}

impl Estimate {
    /// Returns `all 30 equal` if the interval has no width, because all blocks agree on a quantity without bounds.
    /// Then nobody knows how far other blocks may differ.
    #[must_use]
    pub fn agreement(&self) -> Option<String> {
        let is_constant = self.interval.low >= self.interval.high;
        is_constant.then(|| format!("all {} equal", self.blocks))
    }

    /// Whether the value is above a bound with 97.5 % certainty: the whole interval is. Without an interval, each block
    /// after the first agrees by chance with probability 1/2.
    #[must_use]
    pub fn is_above(&self, bound: f64) -> bool {
        self.interval.low > bound && (self.interval.low < self.interval.high || self.blocks >= ALIKE)
    }

    /// Whether the value is below a bound with 97.5 % certainty.
    #[must_use]
    pub fn is_below(&self, bound: f64) -> bool {
        let Interval { low, high } = self.interval;
        Self { value: -self.value, interval: Interval { low: -high, high: -low }, ..*self }.is_above(-bound)
    }
}

/// A paired difference: one quantity in two versions, or two groups, on the same blocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The value in the base.
    pub base: f64,
    /// The value in the changed version.
    pub changed: f64,
    /// Changed minus base, with its paired interval.
    pub delta: Estimate,
    /// Two-sided p-value: the probability of so large a difference if there is none.
    pub p: f64,
}

impl Ratio {
    /// Adds the next block: `part` of `whole`. A `whole` of 0 means no data.
    pub fn push(&mut self, part: f64, whole: f64) {
        self.blocks.push((part, whole));
    }

    /// Adds the block with this index. Blocks missing before it have no data.
    pub fn put(&mut self, block: usize, part: f64, whole: f64) {
        self.fill(block);
        self.push(part, whole);
    }

    /// Extends the ratio to this many blocks. Missing blocks have no data.
    pub fn fill(&mut self, blocks: usize) {
        if self.blocks.len() < blocks {
            self.blocks.resize(blocks, (0.0, 0.0));
        }
    }

    /// Sum of all wholes.
    #[must_use]
    pub fn whole(&self) -> f64 {
        self.blocks.iter().map(|block| block.1).sum()
    }

    /// Returns the ratio; `None` without data.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.weighted_value(|_| 1.0)
    }

    fn weighted_value(&self, weight: impl Fn(usize) -> f64) -> Option<f64> {
        let add = |(part, whole): (f64, f64), (index, block): (usize, &(f64, f64))| {
            let weight = weight(index);
            (part + weight * block.0, whole + weight * block.1)
        };
        let (part, whole) = self.blocks.iter().enumerate().fold((0.0, 0.0), add);
        (whole > 0.0).then(|| part / whole)
    }

    /// Returns the number of blocks with data.
    #[must_use]
    pub fn informative(&self) -> u64 {
        self.blocks.iter().filter(|block| block.1 > 0.0).count() as u64
    }

    /// Returns the influence of each block: its part minus the part that the overall ratio predicts, divided by
    /// the mean whole.
    fn influences(&self) -> Vec<f64> {
        let value = self.value().unwrap_or_default();
        let mean = self.whole() / count(self.blocks.len() as u64);
        self.blocks.iter().map(|(part, whole)| if mean > 0.0 { (part - value * whole) / mean } else { 0.0 }).collect()
    }

    /// Returns the ratio with its interval; `None` if fewer than two blocks have data. `seed` draws the
    /// resamples; `bounds` limit the ratio of a single block, if anything does.
    #[must_use]
    pub fn estimate(&self, seed: u64, bounds: Option<Interval>) -> Option<Estimate> {
        let (value, blocks) = (self.value()?, self.informative());
        let interval = match bounds {
            _ if blocks > 1 && self.is_constant() => constant_interval(value, blocks, bounds),
            _ if blocks < FEW_BLOCKS => t_interval(value, &self.influences(), blocks, bounds)?,
            _ => {
                let [groups] = Self::grouped([self]);
                let value = |counts: &[f64]| groups.weighted_value(|index| counts[index]);
                bootstrap(groups.blocks.len(), blocks, seed, value)?
            }
        };
        Some(Estimate { value, interval, blocks })
    }

    /// The blocks that all ratios have. If they are too many to be resampled, those with data are summed in groups.
    fn grouped<const N: usize>(ratios: [&Self; N]) -> [Self; N] {
        let shared = ratios.iter().map(|ratio| ratio.blocks.len()).min().unwrap_or(0);
        if shared <= MOST_RESAMPLED {
            return ratios.map(|ratio| Self { blocks: ratio.blocks[..shared].to_vec() });
        }
        let has_data = |index: &usize| ratios.iter().any(|ratio| ratio.blocks[*index].1 > 0.0);
        let kept: Vec<usize> = (0..shared).filter(has_data).collect();
        let size = kept.len().div_ceil(MOST_RESAMPLED).max(1);
        ratios.map(|ratio| {
            let sum = |group: &[usize]| {
                let blocks = group.iter().map(|&index| ratio.blocks[index]);
                blocks.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
            };
            Self { blocks: kept.chunks(size).map(sum).collect() }
        })
    }

    /// Whether all blocks with data have the same ratio.
    fn is_constant(&self) -> bool {
        let mut ratios = self.blocks.iter().filter(|block| block.1 > 0.0).map(|(part, whole)| part / whole);
        let Some(first) = ratios.next() else { return true };
        ratios.all(|other| (other - first).abs() <= ROUNDING)
    }

    /// Returns this ratio minus `base`. Both need the same seeds and seatings, block by block. `bounds` limit
    /// the difference in a single block, if anything does.
    #[must_use]
    pub fn difference_from(&self, base: &Self, seed: u64, bounds: Option<Interval>) -> Option<Difference> {
        let (changed, old) = (self.value()?, base.value()?);
        let blocks = self.informative().min(base.informative());
        let pairs: Vec<f64> =
            self.influences().iter().zip(base.influences()).map(|(changed, base)| changed - base).collect();
        let is_constant = blocks > 1 && pairs.iter().all(|pair| pair.abs() <= ROUNDING);
        let agreed = bounds.filter(|_| is_constant);
        let interval = match bounds {
            _ if is_constant => constant_interval(changed - old, blocks, bounds),
            _ if blocks < FEW_BLOCKS => t_interval(changed - old, &pairs, blocks, bounds)?,
            _ => {
                let [of, from] = Self::grouped([self, base]);
                let difference =
                    |counts: &[f64]| Some(of.weighted_value(|i| counts[i])? - from.weighted_value(|i| counts[i])?);
                bootstrap(of.blocks.len(), blocks, seed, difference)?
            }
        };
        let delta = Estimate { value: changed - old, interval, blocks };
        Some(Difference { base: old, changed, delta, p: p_value(changed - old, 0.0, &pairs, (blocks, agreed)) })
    }

    /// Returns the two-sided p-value: the probability of a ratio at least this far from `null` if `null` is
    /// true. `bounds` limit the ratio of a single block.
    #[must_use]
    pub fn p(&self, null: f64, bounds: Interval) -> f64 {
        let Some(value) = self.value() else { return 1.0 };
        let agreed = Some(bounds).filter(|_| self.is_constant());
        p_value(value, null, &self.influences(), (self.informative(), agreed))
    }

    /// Returns the one-sided p-value of a ratio above `null`. `bounds` limit the ratio of a single block, if anything
    /// does.
    #[must_use]
    pub fn p_above(&self, null: f64, bounds: Option<Interval>) -> f64 {
        let Some(value) = self.value() else { return 1.0 };
        let agreed = bounds.filter(|_| self.is_constant());
        let p = p_value(value, null, &self.influences(), (self.informative(), agreed));
        if value > null { p / 2.0 } else { 1.0 - p / 2.0 }
    }

    /// Returns the one-sided p-value of a ratio below `null`.
    #[must_use]
    pub fn p_below(&self, null: f64, bounds: Option<Interval>) -> f64 {
        1.0 - self.p_above(null, bounds)
    }
}

/// Returns the 95 % interval of a quantity on which all blocks agree: without bounds, the value alone. Unseen blocks may differ from them within the
/// bounds: the interval allows for as many of these as would stay unseen with probability 2.5 %.
///
/// Clopper, C., and Pearson, E. (1934): "The use of confidence or fiducial limits illustrated in the case of the
/// binomial", Biometrika 26 (4), 404-413.
fn constant_interval(value: f64, blocks: u64, bounds: Option<Interval>) -> Interval {
    let bounds = bounds.unwrap_or(Interval { low: value, high: value });
    let others = 1.0 - 0.025_f64.powf(1.0 / count(blocks));
    let towards = |bound: f64| value + others * (bound - value);
    Interval { low: towards(bounds.low), high: towards(bounds.high) }
}

/// Returns the 95 % interval of a mean by Student's t, from the influences of its blocks; `None` with a single
/// block.
fn t_interval(value: f64, influences: &[f64], informative: u64, bounds: Option<Interval>) -> Option<Interval> {
    let t = StudentsT::new(0.0, 1.0, count(informative) - 1.0).ok()?.inverse_cdf(0.975);
    let half = t * standard_error(influences, informative);
    let [low, high] = bounds.map_or([f64::NEG_INFINITY, f64::INFINITY], |bounds| [bounds.low, bounds.high]);
    Some(Interval { low: (value - half).max(low), high: (value + half).min(high) })
}

/// Returns the standard error of a mean from the influences of its blocks. `informative` blocks have data, at
/// least two.
fn standard_error(influences: &[f64], informative: u64) -> f64 {
    let (n, informative) = (count(influences.len() as u64), count(informative));
    let squares: f64 = influences.iter().map(|influence| influence * influence).sum();
    (squares / n * informative / (informative - 1.0) / n).sqrt()
}

/// Returns the two-sided p-value of a mean by Student's t, from the influences of its blocks. If all blocks
/// agree, the model of [`constant_interval`] replaces it.
fn p_value(value: f64, null: f64, influences: &[f64], (informative, agreed): (u64, Option<Interval>)) -> f64 {
    let effect = value - null;
    if informative < 2 || effect == 0.0 {
        return 1.0;
    }
    if let Some(bounds) = agreed {
        // If the null is true, it is a mixture of this value and of the most distant possible one.
        let far = if effect > 0.0 { bounds.low } else { bounds.high };
        let others = effect / (value - far);
        return (2.0 * (1.0 - others).max(0.0).powf(count(informative))).min(1.0);
    }
    let error = standard_error(influences, informative);
    if error <= ROUNDING {
        // All blocks agree on an effect. Each block after the first agrees by chance with probability 1/2.
        return 0.5_f64.powf(count(informative) - 1.0);
    }
    // The degrees of freedom are above 0, so the distribution exists.
    StudentsT::new(0.0, 1.0, count(informative) - 1.0).map_or(1.0, |t| 2.0 * t.cdf(-(effect / error).abs()))
}

#[expect(clippy::cast_precision_loss, reason = "a count of blocks")]
fn count(blocks: u64) -> f64 {
    blocks.max(1) as f64
}

/// Returns the 95 % percentile interval of a statistic over resampled blocks. `statistic` gets how often each
/// block is drawn.
///
/// Percentile intervals of few blocks are too narrow. The ratio of Student's t to the normal distribution widens
/// them (Hesterberg 2015: "What teachers should know about the bootstrap", The American Statistician 69 (4),
/// 371-386, section 5.3).
pub fn bootstrap(
    blocks: usize,
    informative: u64,
    seed: u64,
    statistic: impl Fn(&[f64]) -> Option<f64>,
) -> Option<Interval> {
    let tail = tail(informative)?;
    let mut generator = Pcg64Mcg::seed_from_u64(mix(seed, blocks as u64));
    let mut counts = vec![0.0; blocks];
    // No experiment has 2^32 blocks.
    let end = u32::try_from(blocks).unwrap_or(u32::MAX);
    let mut found: Vec<f64> = (0..RESAMPLE_COUNT)
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

/// Returns the share of resamples beyond each end of the interval; `None` with a single block.
fn tail(informative: u64) -> Option<f64> {
    if informative < 2 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "a count of blocks")]
    let n = informative as f64;
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.975);
    Some(Normal::standard().cdf(-(n / (n - 1.0)).sqrt() * t))
}

/// The false-discovery rate of every table in the lab.
const FALSE_DISCOVERY_RATE: f64 = 0.05;

/// Says which of many p-values are discoveries, with the false-discovery rate held at 5 %.
///
/// Benjamini, Y., and Hochberg, Y. (1995): "Controlling the false discovery rate: a practical and powerful
/// approach to multiple testing", Journal of the Royal Statistical Society B 57 (1), 289-300.
#[must_use]
pub fn discoveries(p: &[f64]) -> Vec<bool> {
    let mut sorted: Vec<f64> = p.to_vec();
    sorted.sort_by(f64::total_cmp);
    let all = count(p.len() as u64);
    let passes = |(index, p): (usize, &f64)| *p <= FALSE_DISCOVERY_RATE * count(index as u64 + 1) / all;
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
    fn intervals_cover_the_truth_at_their_nominal_rate() {
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
    fn paired_differences_have_narrower_intervals_than_both_values() {
        let mut generator = Pcg64Mcg::seed_from_u64(12);
        let (mut base, mut changed) = (Ratio::default(), Ratio::default());
        for _ in 0..80 {
            let deal = 40.0 * random(&mut generator);
            base.push(deal, 1.0);
            changed.push(deal + 1.0 + random(&mut generator), 1.0);
        }
        let difference = changed.difference_from(&base, 1, None).unwrap();
        assert!((1.3..1.7).contains(&difference.delta.value), "{difference:?}");
        assert!(difference.delta.interval.low > 1.3 && difference.delta.interval.high < 1.7 && difference.p < 1e-9);
        let interval = base.estimate(1, None).unwrap().interval;
        assert!(interval.high - interval.low > 4.0);
        let none = base.difference_from(&base, 1, None).unwrap();
        assert_eq!((none.delta.value.to_bits(), none.p.to_bits()), (0.0f64.to_bits(), 1.0f64.to_bits()));
    }

    #[test]
    fn the_p_value_matches_the_t_test() {
        let mut ratio = Ratio::default();
        for part in [1.0, 2.0, 3.0, 4.0, 5.0] {
            ratio.push(part, 1.0);
        }
        const FAR: Interval = Interval { low: -9.0, high: 9.0 };
        // t = 3 / sqrt(2.5 / 5) = 4.2426 with four degrees of freedom.
        assert!((ratio.p(0.0, FAR) - 0.013_24).abs() < 1e-4, "{}", ratio.p(0.0, FAR));
    }

    #[test]
    fn no_data_gives_no_estimate() {
        let mut ratio = Ratio::default();
        ratio.fill(9);
        assert_eq!((ratio.value(), ratio.estimate(1, None)), (None, None));
        ratio.push(1.0, 1.0);
        assert_eq!((ratio.value(), ratio.estimate(1, None)), (Some(1.0), None), "one block has no interval");
    }

    #[test]
    fn groups_of_blocks_have_the_interval_of_all_blocks() {
        let mut generator = Pcg64Mcg::seed_from_u64(13);
        let mut ratio = Ratio::default();
        for _ in 0..MOST_RESAMPLED * 5 + 3 {
            let rare = if random(&mut generator) < 0.01 { 1.0 } else { 0.0 };
            ratio.push(rare, 1.0 + random(&mut generator));
        }
        let grouped = ratio.estimate(1, None).unwrap();
        let all = |counts: &[f64]| ratio.weighted_value(|index| counts[index]);
        let whole = bootstrap(ratio.blocks.len(), ratio.informative(), 1, all).unwrap();
        let width = whole.high - whole.low;
        assert!((grouped.interval.low - whole.low).abs() < 0.1 * width, "{grouped:?} {whole:?}");
        assert!((grouped.interval.high - whole.high).abs() < 0.1 * width, "{grouped:?} {whole:?}");
        assert_eq!(grouped.blocks, ratio.informative());
    }

    #[test]
    fn a_few_blocks_have_the_interval_of_the_t_test() {
        let mut ratio = Ratio::default();
        ratio.push(1.0, 1.0);
        ratio.push(2.0, 1.0);
        // Student's t with one degree of freedom is 12.706, and the standard error is 0.5.
        let interval = ratio.estimate(1, None).unwrap().interval;
        assert!((interval.low + 4.853).abs() < 1e-3 && (interval.high - 7.853).abs() < 1e-3, "{interval:?}");
        let interval = ratio.estimate(1, Some(Interval { low: 0.0, high: 3.0 })).unwrap().interval;
        assert_eq!((interval.low, interval.high), (0.0, 3.0));
    }

    #[test]
    fn a_few_equal_blocks_leave_a_wide_interval() {
        let share = |won: f64, blocks: u32| {
            let mut ratio = Ratio::default();
            (0..blocks).for_each(|_| ratio.push(won, 1.0));
            ratio.estimate(1, Some(SHARE_BOUNDS)).unwrap().interval
        };
        // No win in three blocks: at most 70.8 % (Clopper and Pearson).
        let none = share(0.0, 3);
        assert!(none.low.abs() < 1e-9 && (none.high - 0.708).abs() < 1e-3, "{none:?}");
        let half = share(0.5, 3);
        assert!((half.low - 0.146).abs() < 1e-3 && (half.high - 0.854).abs() < 1e-3, "{half:?}");
        assert!(share(1.0, 1000).low > 0.996);
        // The p-value agrees with the interval, even for parts that are not exact in binary.
        let third = |blocks: u32| {
            let mut ratio = Ratio::default();
            (0..blocks).for_each(|_| ratio.push(0.1 + 0.1 + 0.1, 0.9));
            ratio
        };
        let (few, many) = (third(6), third(40));
        assert!(few.estimate(1, Some(SHARE_BOUNDS)).unwrap().interval.contains(0.5) && few.p(0.5, SHARE_BOUNDS) > 0.05);
        assert!(
            !many.estimate(1, Some(SHARE_BOUNDS)).unwrap().interval.contains(0.5) && many.p(0.5, SHARE_BOUNDS) < 0.05
        );
    }

    #[test]
    fn equal_blocks_without_bounds_have_no_interval_but_a_number() {
        let scores = |blocks: u32| {
            let mut ratio = Ratio::default();
            (0..blocks).for_each(|_| ratio.push(0.1 + 0.1 + 0.1, 0.9));
            ratio.estimate(1, None).unwrap()
        };
        for blocks in [2, 6, 7, 40] {
            let found = scores(blocks);
            assert_eq!(found.agreement().unwrap(), format!("all {blocks} equal"));
            assert_eq!((found.is_above(0.3), found.is_below(0.4)), (blocks > 6, blocks > 6), "{blocks}");
            assert!(!found.is_above(0.4) && !found.is_below(0.3));
        }
    }

    #[test]
    fn a_share_never_has_an_interval_without_width() {
        let (mut base, mut changed) = (Ratio::default(), Ratio::default());
        for block in 0..40u8 {
            // The shares vary, and their difference does not.
            base.push(f64::from(block % 2), 4.0);
            changed.push(f64::from(block % 2 + 2), 4.0);
        }
        for difference in [&changed, &base].map(|ratio| ratio.difference_from(&base, 1, Some(DIFFERENCE_BOUNDS))) {
            let Difference { delta, p, .. } = difference.unwrap();
            assert!(delta.interval.high - delta.interval.low > 0.1 && delta.agreement().is_none(), "{delta:?}");
            assert_eq!(delta.interval.contains(0.0), p > 0.05, "{delta:?} {p}");
        }
        let mut won = Ratio::default();
        (0..200).for_each(|_| won.push(1.0, 1.0));
        let Interval { low, high } = won.estimate(1, Some(SHARE_BOUNDS)).unwrap().interval;
        assert!((low - 0.981_7).abs() < 1e-4 && (high - 1.0).abs() < 1e-12, "Clopper and Pearson: {low}");
    }

    #[test]
    fn discoveries_match_the_published_example() {
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
