//! A sequential test: ends as soon as the data decide between two hypotheses.

use serde::{Deserialize, Serialize};

/// Minimum number of blocks before a verdict. With fewer, the variance is unknown.
const MIN_BLOCKS: u64 = 16;

/// Pseudo-blocks at each end of the range: 0 and 1 for a share, -1 and 1 for a difference (Agresti and Coull 1998:
/// "Approximate is better than `exact` for interval estimation of binomial proportions").
///
/// A rare event has hardly occurred in the first blocks, so its variance seems to be 0. Without pseudo-blocks,
/// four tests in five conclude that an event in one of 70 blocks occurs in fewer than one of 200, and half of all
/// comparisons conclude that an edit that decides one game in ten does nothing.
const OF_A_SHARE: f64 = 2.0;
const OF_A_DIFFERENCE: f64 = 1.0;

/// Relative rounding error of sums over many blocks.
const ROUNDING: f64 = 1e-9;

/// Probability of a wrong verdict under either hypothesis.
const ERROR_RATE: f64 = 0.05;

/// Two hypotheses about a mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hypotheses {
    /// The mean under the first hypothesis.
    pub h0: f64,
    /// The mean under the second hypothesis.
    pub h1: f64,
}

/// The verdict of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More blocks are needed.
    Undecided,
    /// The data favour `h0`.
    H0,
    /// The data favour `h1`.
    H1,
}

/// The sequential probability ratio test of a mean (Wald 1945). It estimates the variance from the blocks.
///
/// The log-likelihood ratio is n · (h1 - h0) · (mean - (h0 + h1) / 2) / variance. The test ends at Wald's bounds for 5
/// % wrong verdicts under either hypothesis, and fewer beyond them.
///
/// Blocks must be added in order. For a [`Ratio`](crate::ratio::Ratio), the variance is that of the influences
/// of the blocks, so blocks with many offers weigh more.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequential {
    hypotheses: Hypotheses,
    error_rate: f64,
    /// The ends of the range and the pseudo-blocks at each of them; `None`: the mean may be any number.
    range: Option<([f64; 2], f64)>,
    blocks: u64,
    part: f64,
    whole: f64,
    /// Sums over blocks of part², part·whole and whole².
    squares: [f64; 3],
    verdict: Verdict,
}

impl Sequential {
    /// Creates a test with 5 % wrong verdicts.
    #[must_use]
    pub fn new(hypotheses: Hypotheses) -> Self {
        Self::of_several(hypotheses, 1)
    }

    /// Creates one of several tests that together give at most 5 % wrong verdicts (Bonferroni correction).
    #[must_use]
    pub fn of_several(hypotheses: Hypotheses, tests: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a few tests")]
        let error_rate = ERROR_RATE / tests.max(1) as f64;
        Self {
            hypotheses,
            error_rate,
            range: None,
            blocks: 0,
            part: 0.0,
            whole: 0.0,
            squares: [0.0; 3],
            verdict: Verdict::Undecided,
        }
    }

    /// Adapts the test to a share, from 0 to 1. The test stays as is if a hypothesis is 0 or 1: then the
    /// question is whether something always or never happens, and the fewest blocks suffice.
    #[must_use]
    pub fn of_share(self) -> Self {
        let Hypotheses { h0, h1 } = self.hypotheses;
        let is_inside = [h0, h1].iter().all(|at| *at > 0.0 && *at < 1.0);
        Self { range: is_inside.then_some(([0.0, 1.0], OF_A_SHARE)), ..self }
    }

    /// Adapts the test to a difference of shares, or of scores in standard deviations.
    #[must_use]
    pub fn of_difference(self) -> Self {
        Self { range: Some(([-1.0, 1.0], OF_A_DIFFERENCE)), ..self }
    }

    /// Adds the next block and returns the verdict. A verdict is final.
    pub fn push(&mut self, value: f64) -> Verdict {
        self.push_part(value, 1.0)
    }

    /// Adds the next block of a ratio, `part` of `whole`, and returns the verdict. A `whole` of 0 means no data.
    pub fn push_part(&mut self, part: f64, whole: f64) -> Verdict {
        if self.verdict != Verdict::Undecided || whole <= 0.0 {
            return self.verdict;
        }
        self.blocks += 1;
        self.part += part;
        self.whole += whole;
        let squares = [part * part, part * whole, whole * whole];
        self.squares.iter_mut().zip(squares).for_each(|(sum, square)| *sum += square);
        let bound = ((1.0 - self.error_rate) / self.error_rate).ln();
        if self.blocks >= MIN_BLOCKS {
            let ratio = self.log_likelihood_ratio();
            self.verdict = if ratio >= bound {
                Verdict::H1
            } else if ratio <= -bound {
                Verdict::H0
            } else {
                Verdict::Undecided
            };
        }
        self.verdict
    }

    /// Returns the current verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the log-likelihood ratio: positive values favour `h1`.
    #[must_use]
    pub fn log_likelihood_ratio(&self) -> f64 {
        if self.blocks == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "a count of blocks")]
        let blocks = self.blocks as f64;
        let Hypotheses { h0, h1 } = self.hypotheses;
        let (mut part, mut whole, [mut parts, mut both, mut wholes]) = (self.part, self.whole, self.squares);
        let mut weight = blocks;
        let is_constant = parts * wholes - both * both <= ROUNDING * parts * wholes;
        let is_between = (part / whole - h0) * (part / whole - h1) < 0.0;
        // Blocks that all agree on a value between the hypotheses need no pseudo-blocks.
        if let Some((ends, count)) = self.range.filter(|_| !(is_constant && is_between)) {
            // A pseudo-block is as large as the mean block.
            let size = whole / blocks;
            for end in ends {
                (part, whole, weight) = (part + count * size * end, whole + count * size, weight + count);
                let square = count * size * size;
                (parts, both, wholes) = (parts + square * end * end, both + square * end, wholes + square);
            }
        }
        let mean = part / whole;
        // Scales to the influences of blocks, as in `Ratio::influences`.
        let scale = weight / whole;
        let spread = (parts - 2.0 * mean * both + mean * mean * wholes).max(0.0) * scale * scale;
        // Identical blocks have no variance: avoid a division by zero.
        let variance = (spread / weight).max(f64::MIN_POSITIVE);
        blocks * (h1 - h0) * (mean - f64::midpoint(h0, h1)) / variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64Mcg;

    /// Returns the verdict about a coin with this share of heads, and the number of blocks it took.
    fn verdict(share: f64, seed: u64) -> (Verdict, u64) {
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        let mut test = Sequential::new(Hypotheses { h0: 0.5, h1: 0.6 });
        for blocks in 1..5_000 {
            let head = f64::from(generator.random_range(0..10_000u32)) < share * 10_000.0;
            let verdict = test.push(f64::from(u8::from(head)));
            if verdict != Verdict::Undecided {
                return (verdict, blocks);
            }
        }
        (Verdict::Undecided, 5_000)
    }

    #[test]
    fn wrong_verdicts_are_rare_and_clear_cases_end_early() {
        for (share, right) in [(0.5, Verdict::H0), (0.6, Verdict::H1)] {
            let wrong = (0..400).filter(|seed| verdict(share, *seed).0 != right).count();
            assert!(wrong <= 30, "{wrong} of 400 wrong at {share}");
        }
        assert!(verdict(0.9, 1).1 < 40);
        assert_eq!(verdict(0.9, 1).0, Verdict::H1);
    }

    #[test]
    fn rare_events_are_not_taken_for_impossible() {
        // The true rates are one in 70 blocks and one in 10; `h0` is one in 220 and one in 17.
        for (share, hypotheses) in
            [(145, Hypotheses { h0: 0.0045, h1: 0.0145 }), (980, Hypotheses { h0: 0.058, h1: 0.098 })]
        {
            let verdict = |seed: u64| {
                let mut generator = Pcg64Mcg::seed_from_u64(seed);
                let mut test = Sequential::new(hypotheses).of_share();
                let mut block = || test.push(f64::from(u8::from(generator.random_range(0..10_000u32) < share)));
                (0..3_000).map(|_| block()).find(|verdict| *verdict != Verdict::Undecided)
            };
            let verdicts: Vec<Option<Verdict>> = (0..400).map(verdict).collect();
            let count = |of: Option<Verdict>| verdicts.iter().filter(|verdict| **verdict == of).count();
            let (wrong, open) = (count(Some(Verdict::H0)), count(None));
            assert!(wrong <= 35 && open <= 80, "{wrong} wrong and {open} open of 400 at {share} of 10,000");
        }
    }

    #[test]
    fn an_edit_that_changes_few_games_is_not_taken_for_none() {
        // One block in 20 changes by 1, which is the difference that matters.
        let wrong = |share: u32| {
            let verdict = |seed: u64| {
                let mut generator = Pcg64Mcg::seed_from_u64(seed);
                let mut test = Sequential::of_several(Hypotheses { h0: 0.0, h1: 0.05 }, 6).of_difference();
                let mut block = || test.push(f64::from(u8::from(generator.random_range(0..1000u32) < share)));
                (0..3_000).map(|_| block()).find(|verdict| *verdict != Verdict::Undecided)
            };
            (0..400).filter(|seed| verdict(*seed) == Some(Verdict::H0)).count()
        };
        assert!(wrong(50) <= 20 && wrong(75) <= 4, "{} and {} of 400", wrong(50), wrong(75));
        let mut test = Sequential::of_several(Hypotheses { h0: 0.0, h1: 0.05 }, 6).of_difference();
        let ended = (1..).find(|_| test.push(0.0) != Verdict::Undecided);
        assert_eq!((ended, test.verdict()), (Some(87), Verdict::H0), "equal blocks show it in the end");
    }

    #[test]
    fn blocks_of_many_offers_weigh_more() {
        let verdict = |h0: f64, h1: f64| {
            let mut test = Sequential::new(Hypotheses { h0, h1 });
            for _ in 0..200 {
                test.push_part(1.0, 1.0);
                test.push_part(0.0, 9.0);
            }
            test.verdict()
        };
        // One of ten offers is taken, but the mean over blocks is one half.
        assert_eq!(
            [verdict(0.1, 0.14), verdict(0.06, 0.1), verdict(0.45, 0.5)],
            [Verdict::H0, Verdict::H1, Verdict::H0]
        );
        let mut test = Sequential::new(Hypotheses { h0: 0.0, h1: 1.0 });
        assert!((0..99).all(|_| test.push_part(0.0, 0.0) == Verdict::Undecided), "empty blocks decide nothing");
    }

    #[test]
    fn a_few_equal_blocks_decide_nothing() {
        let mut test = Sequential::new(Hypotheses { h0: 0.0, h1: 1.0 });
        assert!((0..MIN_BLOCKS - 1).all(|_| test.push(0.0) == Verdict::Undecided));
        assert_eq!((test.push(0.0), test.push(9.0)), (Verdict::H0, Verdict::H0));
    }
}
