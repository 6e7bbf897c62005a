//! Statistics of a report: exact, and in constant memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An interval of a share, with bounds from 0 to 1, or of a mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Interval {
    /// Whether a share is in the interval; bounds are inclusive.
    #[must_use]
    pub fn contains(&self, share: f64) -> bool {
        (self.low..=self.high).contains(&share)
    }

    /// Number of decimals that tell the bounds apart after multiplication by `scale`: `least`, or up to three more.
    #[must_use]
    pub fn digits(&self, scale: f64, least: usize) -> usize {
        let written = |bound: f64, digits: usize| format!("{:.digits$}", bound * scale);
        let is_told = |digits: &usize| written(self.low, *digits) != written(self.high, *digits);
        let most = if self.low < self.high { least + 3 } else { least };
        (least..most).find(is_told).unwrap_or(most)
    }
}

/// The 97.5 % quantile of the standard normal distribution: 95 % of it is within plus and minus this value.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The normal quantile of one of several two-sided tests that together have at most 5 % false flags (Bonferroni
/// correction). Its error is below 0.00045 (Abramowitz and Stegun 1964: "Handbook of Mathematical Functions", 26.2.23).
pub(crate) fn z_of_several(tests: usize) -> f64 {
    let Some(tests) = u32::try_from(tests).ok().filter(|tests| *tests > 1) else { return Z_95 };
    let t = (-2.0 * (0.025 / f64::from(tests)).ln()).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - above / below
}

/// The 95 % score interval of a share: `successes` of `trials`.
///
/// Wilson, E. B. (1927): "Probable inference, the law of succession, and statistical inference", Journal of the
/// American Statistical Association 22 (158), 209-212. Its coverage holds even for few trials and for shares near 0
/// and 1, unlike that of the textbook interval `p ± z·√(p(1-p)/n)` (Brown, Cai and DasGupta 2001: "Interval
/// estimation for a binomial proportion", Statistical Science 16 (2), 101-133).
///
/// A shared first place counts as a fraction of a success (half if two share it). Fractions vary less than wins, so
/// the interval is then slightly too wide, never too narrow. Without trials it is 0 to 1.
#[must_use]
pub fn wilson(successes: f64, trials: u64) -> Interval {
    wilson_at(Z_95, successes, trials)
}

/// The score interval of a share within plus and minus `z` standard errors; see [`wilson`].
pub(crate) fn wilson_at(z: f64, successes: f64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    #[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 games")]
    let n = trials as f64;
    let p = (successes / n).clamp(0.0, 1.0);
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Interval {
        low: if p == 0.0 { 0.0 } else { (centre - half).max(0.0) },
        high: if p >= 1.0 { 1.0 } else { (centre + half).min(1.0) },
    }
}

/// Trials up to which the exact probabilities of a number of successes are summed.
const FEW_TRIALS: u64 = 2000;

/// Whether so many successes are unlikely if each trial has the probability `p`, in one of several two-sided tests that
/// together have at most 5 % false flags. Few trials are tested exactly, because intervals of few trials cover less.
pub(crate) fn is_unlikely(successes: f64, trials: u64, p: f64, tests: usize) -> bool {
    if trials > FEW_TRIALS {
        return !wilson_at(z_of_several(tests), successes, trials).contains(p);
    }
    #[expect(clippy::cast_precision_loss, reason = "few tests and trials")]
    let (limit, n) = (0.025 / tests.max(1) as f64, trials as f64);
    if p <= 0.0 || p >= 1.0 || trials == 0 {
        return false;
    }
    // A part of a shared success does not count against the mean.
    let is_above = successes > n * p;
    let bound = if is_above { successes.floor() } else { successes.ceil() };
    let mut log = n * (1.0 - p).ln();
    let mut tail = 0.0;
    for number in 0..=trials {
        #[expect(clippy::cast_precision_loss, reason = "few trials")]
        let k = number as f64;
        if if is_above { k >= bound } else { k <= bound } {
            tail += log.exp();
        }
        log += ((n - k) / (k + 1.0)).ln() + (p / (1.0 - p)).ln();
    }
    tail < limit
}

/// Mean, deviation, extremes and quantiles of integers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of integers.
    pub count: u64,
    /// Mean; 0 if there are no integers.
    pub mean: f64,
    /// Sample standard deviation (divided by `count - 1`).
    pub deviation: f64,
    /// Minimum.
    pub min: i64,
    /// The 5 % quantile.
    pub p5: i64,
    /// The 25 % quantile.
    pub p25: i64,
    /// The median.
    pub median: i64,
    /// The 75 % quantile.
    pub p75: i64,
    /// The 95 % quantile.
    pub p95: i64,
    /// Maximum.
    pub max: i64,
    /// Width of the quantile classes. With width 1 the quantiles are exact; with width w they are at most w - 1 too
    /// low.
    pub width: i64,
    /// The number of steps in a point: with 2, a mean of 7 is 3½ points. 0: the integers are points.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub unit: i32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(super) fn is_whole(unit: &i32) -> bool {
    *unit == 0
}

impl Summary {
    /// The mean in points.
    #[must_use]
    pub fn mean_in_points(&self) -> f64 {
        self.mean / f64::from(self.unit.max(1))
    }

    /// The 95 % interval of the mean in points, by the normal distribution; `None` with fewer than two integers.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 games")]
    pub fn interval_in_points(&self) -> Option<Interval> {
        let half = Z_95 * self.deviation / (self.count as f64).sqrt();
        let points = |steps: f64| steps / f64::from(self.unit.max(1));
        (self.count > 1).then(|| Interval { low: points(self.mean - half), high: points(self.mean + half) })
    }
}

/// Collects integers in constant memory.
///
/// Sums are integers, so they are exact and do not depend on the order. Quantiles are exact for up to 4,096 different
/// values; beyond that, neighbouring values share a class, see [`Summary::width`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    count: u64,
    sum: i128,
    squares: i128,
    min: i64,
    max: i64,
    shift: u32,
    classes: BTreeMap<i64, u64>,
}

/// Maximum number of classes.
const MOST_CLASSES: usize = 4096;

impl Default for Sample {
    fn default() -> Self {
        Self { count: 0, sum: 0, squares: 0, min: i64::MAX, max: i64::MIN, shift: 0, classes: BTreeMap::new() }
    }
}

impl Sample {
    /// Adds an integer: a score or a count, so at most 32 bits.
    pub fn add(&mut self, number: i64) {
        self.count += 1;
        self.sum += i128::from(number);
        self.squares += i128::from(number) * i128::from(number);
        self.min = self.min.min(number);
        self.max = self.max.max(number);
        *self.classes.entry(number >> self.shift).or_insert(0) += 1;
        while self.classes.len() > MOST_CLASSES {
            self.coarsen();
        }
    }

    /// Doubles the width of the classes.
    fn coarsen(&mut self) {
        self.shift += 1;
        for (class, count) in std::mem::take(&mut self.classes) {
            *self.classes.entry(class >> 1).or_insert(0) += count;
        }
    }

    /// Number of integers added.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 without integers.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the quotient is what is wanted")]
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The sample standard deviation; 0 with fewer than two integers.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the quotient is what is wanted")]
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = i128::from(self.count);
        // n·Σx² - (Σx)² is exact in integers; in floats the difference would lose all digits.
        let spread = n * self.squares - self.sum * self.sum;
        (spread as f64 / (n as f64 * (n - 1) as f64)).sqrt()
    }

    /// A quantile in thousandths: the smallest value that at least this share of all integers does not exceed, so
    /// always a value that occurred (type 1 in Hyndman and Fan 1996: "Sample quantiles in statistical packages", The
    /// American Statistician 50 (4), 361-365). 0 without integers.
    #[must_use]
    pub fn quantile(&self, thousandths: u32) -> i64 {
        let wanted = (u128::from(self.count) * u128::from(thousandths)).div_ceil(1000).max(1);
        let mut below = 0u128;
        for (class, count) in &self.classes {
            below += u128::from(*count);
            if below >= wanted {
                return (class << self.shift).clamp(self.min, self.max);
            }
        }
        if self.count == 0 { 0 } else { self.max }
    }

    /// The complete summary.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let (min, max) = if self.count == 0 { (0, 0) } else { (self.min, self.max) };
        Summary {
            count: self.count,
            mean: self.mean(),
            deviation: self.deviation(),
            min,
            p5: self.quantile(50),
            p25: self.quantile(250),
            median: self.quantile(500),
            p75: self.quantile(750),
            p95: self.quantile(950),
            max,
            width: 1 << self.shift,
            unit: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-5, "{a} is not {b}");
    }

    #[test]
    fn wilson_gives_the_published_values() {
        // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
        for (successes, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let interval = wilson(f64::from(successes), trials);
            near(interval.low, low);
            near(interval.high, high);
        }
    }

    #[test]
    fn the_bounds_of_an_interval_are_told_apart() {
        let digits = |low, high| Interval { low, high }.digits(100.0, 1);
        assert_eq!([digits(0.2, 0.3), digits(0.9998, 1.0), digits(0.999_996, 1.0), digits(1.0, 1.0)], [1, 2, 4, 1]);
        assert_eq!(Interval { low: 0.996, high: 1.0 }.digits(100.0, 0), 1);
    }

    #[test]
    fn wilson_is_symmetric_and_keeps_its_bounds() {
        let (few, many) = (wilson(3.0, 10), wilson(7.0, 10));
        assert!((few.low - (1.0 - many.high)).abs() < 1e-12);
        assert_eq!(wilson(10.0, 10).high.to_bits(), 1.0f64.to_bits());
        assert_eq!(wilson(0.0, 0), Interval { low: 0.0, high: 1.0 });
        assert!(wilson(50.0, 100).contains(0.5));
        assert!(!wilson(50.0, 1000).contains(0.5));
    }

    #[test]
    fn few_trials_are_tested_exactly() {
        // Five of five heads have the probability 1/32, on either side of a fair coin; six of six 1/64.
        assert!(!is_unlikely(5.0, 5, 0.5, 1) && is_unlikely(6.0, 6, 0.5, 1) && is_unlikely(0.0, 6, 0.5, 1));
        assert!(!is_unlikely(6.0, 6, 0.5, 2) && !is_unlikely(5.5, 6, 0.5, 1));
        // Three of five wins of one of eight seats: 1.6 %.
        assert!(is_unlikely(3.0, 5, 0.125, 1) && !is_unlikely(3.0, 5, 0.125, 8));
        assert!(!is_unlikely(1000.0, 2000, 0.5, 1) && is_unlikely(1050.0, 2000, 0.5, 1));
        assert!(!is_unlikely(0.0, 0, 0.5, 1) && !is_unlikely(3.0, 3, 1.0, 1));
    }

    fn sample(numbers: impl IntoIterator<Item = i64>) -> Sample {
        let mut sample = Sample::default();
        numbers.into_iter().for_each(|number| sample.add(number));
        sample
    }

    #[test]
    fn mean_and_deviation_of_known_numbers() {
        let sample = sample([2, 4, 4, 4, 5, 5, 7, 9]);
        near(sample.mean(), 5.0);
        near(sample.deviation(), 2.138_09);
        assert_eq!((sample.summary().min, sample.summary().max), (2, 9));
        let halves = Summary { unit: 2, ..sample.summary() };
        let interval = halves.interval_in_points().unwrap();
        near(halves.mean_in_points(), 2.5);
        near(interval.high - 2.5, 1.96 * 2.138_09 / 8f64.sqrt() / 2.0);
    }

    #[test]
    fn several_tests_have_wider_bounds() {
        for (tests, z) in [(1, 1.959_96), (2, 2.241_40), (3, 2.393_98), (4, 2.497_71), (12, 2.865_20)] {
            assert!((z_of_several(tests) - z).abs() < 0.000_45, "{tests}: {}", z_of_several(tests));
        }
    }

    #[test]
    fn quantiles_are_numbers_that_occurred() {
        let sample = sample([15, 20, 35, 40, 50]);
        for (thousandths, expected) in [(0, 15), (50, 15), (300, 20), (400, 20), (500, 35), (1000, 50)] {
            assert_eq!(sample.quantile(thousandths), expected, "{thousandths}");
        }
        assert_eq!(sample.summary().width, 1);
    }

    #[test]
    fn zero_and_one_numbers_have_a_summary() {
        assert_eq!(sample([]).summary(), Summary { width: 1, ..Summary::default() });
        let one = sample([-7]).summary();
        assert_eq!((one.min, one.p5, one.median, one.p95, one.max), (-7, -7, -7, -7, -7));
        near(one.deviation, 0.0);
        assert_eq!(one.interval_in_points(), None);
    }

    #[test]
    fn memory_stays_flat_with_a_million_different_numbers() {
        let numbers = (0..1_000_000i64).map(|i| (i * 7919) % 1_000_000 - 500_000);
        let sample = sample(numbers);
        assert!(sample.classes.len() <= MOST_CLASSES);
        let summary = sample.summary();
        assert!(summary.width <= 512, "{}", summary.width);
        assert!((summary.median + 1).abs() <= summary.width);
        near(summary.mean, -0.5);
    }
}
