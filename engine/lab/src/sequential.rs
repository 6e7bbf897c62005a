//! A test that ends as soon as the answer is clear.

use serde::{Deserialize, Serialize};

/// The fewest blocks that decide: of fewer the variance is not known.
const FEWEST: u64 = 16;

/// Blocks added to those of a share for each of its ends, 0 and 1 (Agresti and Coull, "Approximate is better than `exact` for interval estimation of
/// binomial proportions", 1998). What is rare has hardly been seen at first, and seems not to vary: without them, of what happens in one of 70 blocks
/// four tests in five say that it happens in fewer than one of 200.
const ADDED: f64 = 2.0;

/// How exact sums over many blocks are.
const ROUNDING: f64 = 1e-9;

/// The share of wrong answers that either side allows.
const WRONG: f64 = 0.05;

/// What is true of a mean: `h0`, or `h1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hypotheses {
    /// The one.
    pub h0: f64,
    /// The other.
    pub h1: f64,
}

/// What a sequential test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More blocks are needed.
    Open,
    /// The mean is rather `h0`.
    H0,
    /// The mean is rather `h1`.
    H1,
}

/// The generalised sequential probability ratio test of a mean, whose variance is that of the blocks themselves.
///
/// The logarithm of the ratio is n/2 · ln(r0 / r1), where r0 and r1 are the mean squares of the blocks about `h0` and `h1`: `LLR_alt2` of
/// fishtest, which tests chess engines with it (Van den Bergh 2020: "Comments on normalized Elo"). A mean beyond both hypotheses stands
/// for the nearer one itself: otherwise effects much larger than what was asked for would take longer to be found than small ones. It ends
/// where Wald's bounds for 5 % wrong answers on either side are passed. It must be fed in the order of the blocks.
///
/// Of a [`Ratio`](crate::ratio::Ratio) the blocks vary by as much as each of them moves it: blocks of many offers weigh more.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequential {
    hypotheses: Hypotheses,
    wrong: f64,
    /// Of what lies between 0 and 1.
    is_share: bool,
    blocks: u64,
    part: f64,
    whole: f64,
    /// Sums of the squares of parts, of parts times wholes, and of the squares of wholes.
    squares: [f64; 3],
    verdict: Verdict,
}

impl Sequential {
    /// A test at 5 % of wrong answers.
    #[must_use]
    pub fn new(hypotheses: Hypotheses) -> Self {
        Self::of_several(hypotheses, 1)
    }

    /// One of several tests, all of which together give 5 % of wrong answers.
    #[must_use]
    pub fn of_several(hypotheses: Hypotheses, tests: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a few tests")]
        let wrong = WRONG / tests.max(1) as f64;
        Self {
            hypotheses,
            wrong,
            is_share: false,
            blocks: 0,
            part: 0.0,
            whole: 0.0,
            squares: [0.0; 3],
            verdict: Verdict::Open,
        }
    }

    /// The same of a share, which lies between 0 and 1. Where a hypothesis does not, the test is as before: it asks for what always happens, or
    /// never does, and takes the fewest blocks for that.
    #[must_use]
    pub fn of_share(self) -> Self {
        let Hypotheses { h0, h1 } = self.hypotheses;
        Self { is_share: [h0, h1].iter().all(|at| *at > 0.0 && *at < 1.0), ..self }
    }

    /// What the next block says. Once there is a verdict, it stays.
    pub fn push(&mut self, value: f64) -> Verdict {
        self.push_part(value, 1.0)
    }

    /// What the next block says of a ratio: `part` of `whole`; a `whole` of 0 says nothing.
    pub fn push_part(&mut self, part: f64, whole: f64) -> Verdict {
        if self.verdict != Verdict::Open || whole <= 0.0 {
            return self.verdict;
        }
        self.blocks += 1;
        self.part += part;
        self.whole += whole;
        let squares = [part * part, part * whole, whole * whole];
        self.squares.iter_mut().zip(squares).for_each(|(sum, square)| *sum += square);
        let bound = ((1.0 - self.wrong) / self.wrong).ln();
        if self.blocks >= FEWEST {
            let ratio = self.ratio();
            self.verdict = if ratio >= bound {
                Verdict::H1
            } else if ratio <= -bound {
                Verdict::H0
            } else {
                Verdict::Open
            };
        }
        self.verdict
    }

    /// What it says now.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The logarithm of the likelihood ratio: above 0 for `h1`.
    #[must_use]
    pub fn ratio(&self) -> f64 {
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
        // Blocks that all agree on a value between both are taken at their word.
        if self.is_share && !(is_constant && is_between) {
            // The blocks added are as large as the others.
            let size = whole / blocks;
            let square = ADDED * size * size;
            (part, whole, weight) = (part + ADDED * size, whole + 2.0 * ADDED * size, weight + 2.0 * ADDED);
            (parts, both, wholes) = (parts + square, both + square, wholes + 2.0 * square);
        }
        let mean = part / whole;
        // As the influences of a ratio: what each part is more than the mean would have, by the mean whole.
        let scale = weight / whole;
        let spread = (parts - 2.0 * mean * both + mean * mean * wholes).max(0.0) * scale * scale;
        let about = |point: f64| spread + weight * (mean - point) * (mean - point);
        let [r0, r1] = if (mean - h1) * (h1 - h0) > 0.0 {
            [about(h0), about(mean)]
        } else if (mean - h0) * (h1 - h0) < 0.0 {
            [about(mean), about(h1)]
        } else {
            [about(h0), about(h1)]
        };
        // All blocks exactly alike: as certain as numbers can say.
        let [r0, r1] = [r0, r1].map(|sum| sum.max(f64::MIN_POSITIVE));
        blocks / 2.0 * (r0 / r1).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64Mcg;

    /// The verdict about a coin with this share of heads, and after how many blocks.
    fn verdict(share: f64, seed: u64) -> (Verdict, u64) {
        let mut generator = Pcg64Mcg::seed_from_u64(seed);
        let mut test = Sequential::new(Hypotheses { h0: 0.5, h1: 0.6 });
        for blocks in 1..5_000 {
            let head = f64::from(generator.random_range(0..10_000u32)) < share * 10_000.0;
            let verdict = test.push(f64::from(u8::from(head)));
            if verdict != Verdict::Open {
                return (verdict, blocks);
            }
        }
        (Verdict::Open, 5_000)
    }

    #[test]
    fn wrong_answers_are_as_rare_as_promised_and_clear_cases_quick() {
        for (share, right) in [(0.5, Verdict::H0), (0.6, Verdict::H1)] {
            let wrong = (0..400).filter(|seed| verdict(share, *seed).0 != right).count();
            assert!(wrong <= 30, "{wrong} of 400 wrong at {share}");
        }
        assert!(verdict(0.9, 1).1 < 40);
        assert_eq!(verdict(0.9, 1).0, Verdict::H1);
    }

    #[test]
    fn what_is_rare_is_not_taken_for_what_never_happens() {
        // One in 70 blocks, and one in 10; the question is whether it is rather one in 220, or one in 17.
        for (share, hypotheses) in
            [(145, Hypotheses { h0: 0.0045, h1: 0.0145 }), (980, Hypotheses { h0: 0.058, h1: 0.098 })]
        {
            let verdict = |seed: u64| {
                let mut generator = Pcg64Mcg::seed_from_u64(seed);
                let mut test = Sequential::new(hypotheses).of_share();
                let mut block = || test.push(f64::from(u8::from(generator.random_range(0..10_000u32) < share)));
                (0..3_000).map(|_| block()).find(|verdict| *verdict != Verdict::Open)
            };
            let verdicts: Vec<Option<Verdict>> = (0..400).map(verdict).collect();
            let count = |of: Option<Verdict>| verdicts.iter().filter(|verdict| **verdict == of).count();
            let (wrong, open) = (count(Some(Verdict::H0)), count(None));
            assert!(wrong <= 35 && open <= 80, "{wrong} wrong and {open} open of 400 at {share} of 10,000");
        }
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
        // One of ten offers, though half of what the mean block says.
        assert_eq!(
            [verdict(0.1, 0.14), verdict(0.06, 0.1), verdict(0.45, 0.5)],
            [Verdict::H0, Verdict::H1, Verdict::H0]
        );
        let mut test = Sequential::new(Hypotheses { h0: 0.0, h1: 1.0 });
        assert!((0..99).all(|_| test.push_part(0.0, 0.0) == Verdict::Open), "no block says anything");
    }

    #[test]
    fn nothing_is_decided_by_a_few_blocks_that_agree() {
        let mut test = Sequential::new(Hypotheses { h0: 0.0, h1: 1.0 });
        assert!((0..FEWEST - 1).all(|_| test.push(0.0) == Verdict::Open));
        assert_eq!((test.push(0.0), test.push(9.0)), (Verdict::H0, Verdict::H0));
    }
}
