//! How much of a result is skill, how much the deal and the seat, how much the rest of the game.

use motherlode_play::{Failures, first_place};
use serde::{Deserialize, Serialize};

use crate::metric::{Measure, Metrics, Subject};
use crate::place::against;
use crate::ratio::{Estimate, bootstrap};
use crate::series::{LabError, Series, Sitting, check};

/// Bots of different skill at the same table.
#[derive(Clone)]
pub struct Together {
    /// The game and the bots.
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
}

/// How they fared, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TogetherReport {
    /// By bot, its part of the first places.
    pub shares: Vec<(String, Option<Estimate>)>,
    /// What makes results differ; `None` where they do not, or with one bot.
    pub luck: Option<LuckReport>,
    /// Games played.
    pub games: u64,
    /// Games that were aborted.
    #[serde(flatten)]
    pub failures: Failures,
    /// Whether it was stopped before all blocks were played.
    pub stopped: bool,
}

impl Together {
    /// Plays. `progress` gets the number of blocks done, and says whether to go on.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<TogetherReport, LabError> {
        let series = &self.series;
        check(&series.bots, &series.game.0)?;
        let mut luck = Luck::new(series.bots.len());
        let mut metrics = Metrics::default();
        let (mut blocks, mut stopped) = (0, false);
        let (mut played, mut failures) = (0, Failures::default());
        series.each(
            0..self.blocks,
            || (),
            |(), _| {},
            |(), sitting| Some(sitting),
            |games| {
                luck.add(&games);
                metrics.add(&games);
                played += games.len() as u64;
                games.iter().for_each(|game| failures.see(&game.row));
                blocks += 1;
                stopped = !progress(blocks) && blocks < self.blocks;
                !stopped
            },
        )?;
        stopped |= blocks < self.blocks;
        let share = |bot: usize| metrics.estimate(Subject::Bot(bot), Measure::Share, series.seed);
        let shares = series.bots.iter().enumerate().map(|(bot, spec)| (spec.clone(), share(bot))).collect();
        Ok(TogetherReport { shares, luck: luck.report(series.seed), games: played, failures, stopped })
    }
}

/// What makes the results of bots differ that sit at the same table.
///
/// Each bot sits once in each seat of a block, with the same deal, so that the results lie in a table of two ways: bots across, seats of
/// deals down. The variance of such a table splits into that of the columns (skill), that of the rows (deal and seat), and what neither
/// explains (the rest: what chance and all at the table did after the deal). The mean squares are corrected for what the rest adds to
/// the means of rows (Fisher 1925: "Statistical Methods for Research Workers", chapter VII).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Luck {
    bots: usize,
    blocks: Vec<Sums>,
}

/// What is needed of one block.
#[derive(Debug, Clone, Default, PartialEq)]
struct Sums {
    of_bots: Vec<f64>,
    /// Sum of the squares of the results.
    squares: f64,
    /// Sum of the squares of the means of seats.
    of_seats: f64,
    seats: f64,
}

/// Parts of the variance; together they are 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LuckReport {
    /// Who plays.
    pub skill: Estimate,
    /// The deal and the seat.
    pub deal: Estimate,
    /// What happens afterwards.
    pub rest: Estimate,
}

impl LuckReport {
    /// All that is not skill.
    #[must_use]
    pub fn luck(&self) -> Estimate {
        let Estimate { value, interval, blocks } = self.skill;
        let interval = motherlode_play::Interval { low: 1.0 - interval.high, high: 1.0 - interval.low };
        Estimate { value: 1.0 - value, interval, blocks }
    }
}

impl Luck {
    /// For so many bots.
    #[must_use]
    pub fn new(bots: usize) -> Self {
        Self { bots, blocks: Vec::new() }
    }

    /// Adds the games of a block; those of one in which a game was aborted say nothing.
    pub fn add(&mut self, games: &[Sitting]) {
        if self.bots < 2 || games.len() != self.bots || games.iter().any(|game| game.row.aborted.is_some()) {
            return;
        }
        let seats = games[0].bots.len();
        let mut sums = Sums { of_bots: vec![0.0; self.bots], ..Sums::default() };
        for seat in 0..seats {
            let mut sum = 0.0;
            for game in games {
                let result = result(game, seat);
                sums.of_bots[game.bots[seat]] += result;
                sums.squares += result * result;
                sum += result;
            }
            sums.of_seats += sum * sum / whole(self.bots);
            sums.seats += 1.0;
        }
        self.blocks.push(sums);
    }

    /// The parts; `None` with one bot, with too few blocks, or where all results are the same.
    #[must_use]
    pub fn report(&self, seed: u64) -> Option<LuckReport> {
        let even = vec![1.0; self.blocks.len()];
        let values = self.parts(&even)?;
        let blocks = self.blocks.len() as u64;
        let part = |at: usize| {
            let interval = bootstrap(self.blocks.len(), blocks, seed, |counts| Some(self.parts(counts)?[at]))?;
            Some(Estimate { value: values[at], interval, blocks })
        };
        Some(LuckReport { skill: part(0)?, deal: part(1)?, rest: part(2)? })
    }

    /// Parts of skill, deal and rest, each block weighed by how often it was drawn.
    fn parts(&self, weights: &[f64]) -> Option<[f64; 3]> {
        let sum = |of: &dyn Fn(&Sums) -> f64| -> f64 {
            self.blocks.iter().zip(weights).map(|(block, weight)| weight * of(block)).sum()
        };
        let bots = whole(self.bots);
        let seats = sum(&|block| block.seats);
        let results = seats * bots;
        if results == 0.0 {
            return None;
        }
        let mean = (0..self.bots).map(|bot| sum(&|block| block.of_bots[bot])).sum::<f64>() / results;
        let of_bots: f64 = (0..self.bots).map(|bot| (sum(&|block| block.of_bots[bot]) / seats - mean).powi(2)).sum();
        let skill = of_bots / bots;
        let cells = sum(&|block| block.of_seats) / results - mean * mean;
        let all = sum(&|block| block.squares) / results - mean * mean;
        let left = (all - skill - cells).max(0.0);
        let (deal, rest) = ((cells - left / (bots - 1.0)).max(0.0), left * bots / (bots - 1.0));
        let sum = skill + deal + rest;
        (sum > 1e-12).then(|| [skill / sum, deal / sum, rest / sum])
    }
}

/// The part of the others above whom a seat stands; in a cooperative game, whether it was won.
fn result(game: &Sitting, seat: usize) -> f64 {
    let seats = game.row.ranks.len();
    if game.row.won.is_some() || seats < 2 {
        return first_place(game.row.won, &game.row.ranks, seat);
    }
    let others = (0..seats).filter(|other| *other != seat);
    others.map(|other| against(&game.row, seat, other)).sum::<f64>() / whole(seats - 1)
}

#[expect(clippy::cast_precision_loss, reason = "a few seats or bots")]
fn whole(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use motherlode_play::GameRow;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    /// 600 blocks of two bots; who is first is what is more of skill, the luck of the deal, and chance.
    fn played(skill: f64, deal: f64, chance: f64) -> LuckReport {
        let mut generator = Pcg64Mcg::seed_from_u64(3);
        let mut luck = Luck::new(2);
        for _ in 0..600 {
            let mut random = || f64::from(generator.random_range(-1000..=1000i32)) / 1000.0;
            let dealt = deal * random();
            let mut game = |bots: [usize; 2]| {
                let own = if bots[0] == 0 { skill } else { -skill };
                let first = own + dealt + chance * random() > 0.0;
                let ranks = if first { vec![1, 2] } else { vec![2, 1] };
                let row = GameRow {
                    index: 0,
                    seed: 0,
                    players: 2,
                    rounds: 1,
                    decisions: 1,
                    aborted: None,
                    scores: vec![0, 0],
                    ranks,
                    teams: Vec::new(),
                    won: None,
                    reason: String::new(),
                    answers: Vec::new(),
                };
                Sitting { bots: bots.to_vec(), roles: Vec::new(), row }
            };
            let games = [game([0, 1]), game([1, 0])];
            luck.add(&games);
        }
        luck.report(1).unwrap()
    }

    #[test]
    fn skill_deal_and_chance_are_told_apart() {
        let LuckReport { skill, deal, rest } = played(1.0, 0.0, 0.1);
        assert_eq!((skill.value, deal.value, rest.value), (1.0, 0.0, 0.0));
        let LuckReport { skill, deal, rest } = played(0.0, 1.0, 0.0);
        assert!(skill.value < 0.01 && deal.value > 0.98 && rest.value < 0.01, "{deal:?}");
        let LuckReport { skill, deal, rest } = played(0.0, 0.0, 1.0);
        assert!(skill.value < 0.01 && deal.value < 0.1 && rest.value > 0.9, "{rest:?}");
        let mixed = played(0.5, 0.5, 0.5);
        for part in [mixed.skill, mixed.deal, mixed.rest] {
            assert!(part.interval.low > 0.02 && part.interval.contains(part.value), "{mixed:?}");
        }
        assert!((mixed.luck().value + mixed.skill.value - 1.0).abs() < 1e-9);
    }

    #[test]
    fn one_bot_alone_says_nothing() {
        assert_eq!(Luck::new(1).report(1), None);
        assert_eq!(Luck::new(2).report(1), None);
    }
}
