//! Splits the variance of results into skill, deal and seat, and the rest of the game.

use motherlode::declare::{Goal, OutcomeDecl};
use motherlode_play::{Failures, first_place};
use serde::{Deserialize, Serialize};

use crate::metric::{Measure, Metrics, Subject};
use crate::objective::Objective;
use crate::ratio::{Estimate, bootstrap};
use crate::series::{LabError, SeatedGame, Series, check};
use crate::win_share::share_against;

/// Bots of different skill at the same table.
#[derive(Clone)]
pub struct MixedTable {
    /// The game and the bots.
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
}

/// Results of bots at the same table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixedTableReport {
    /// The quantity by which the game is judged.
    pub objective: Objective,
    /// This quantity for each bot.
    pub results: Vec<(String, Option<Estimate>)>,
    /// The split of the variance; `None` with one bot, or if all results are the same.
    pub luck: Option<LuckReport>,
    /// Games played.
    pub games: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// Whether the run was stopped before the last block.
    pub stopped: bool,
}

impl MixedTable {
    /// Runs the games. `progress` gets the number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<MixedTableReport, LabError> {
        let series = &self.series;
        check(&series.bots, &series.game.0)?;
        let declared = &series.game.0.declarations().outcome;
        let objective = Objective::of(declared);
        let mut luck = Luck::new(series.bots.len(), declared);
        let mut metrics = Metrics::of(&series.game.0);
        let (mut blocks, mut stopped) = (0, false);
        let (mut played, mut failures) = (0, Failures::default());
        series.each(
            0..self.blocks,
            || (),
            |(), _| {},
            |(), seated_game| Some(seated_game),
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
        let result = |bot: usize| metrics.estimate(Subject::Bot(bot), Measure::from(objective), series.seed);
        let results = series.bots.iter().enumerate().map(|(bot, spec)| (spec.clone(), result(bot))).collect();
        Ok(MixedTableReport { objective, results, luck: luck.report(series.seed), games: played, failures, stopped })
    }
}

/// A two-way analysis of variance of results.
///
/// Each bot sits once in each seat of a block, with the same deal. So results form a two-way table: a column for
/// each bot, a row for each seat of each deal. Its variance splits into that of columns (skill), that of rows
/// (deal and seat), and the residual (the rest: chance and decisions after the deal). The variance of row means
/// is corrected for the residual (Fisher 1925: "Statistical Methods for Research Workers", chapter VII).
#[derive(Debug, Clone)]
pub struct Luck {
    bots: usize,
    declared: OutcomeDecl,
    blocks: Vec<BlockSums>,
}

/// Sums of one block.
#[derive(Debug, Clone, Default, PartialEq)]
struct BlockSums {
    of_bots: Vec<f64>,
    /// Sum of squared results.
    squares: f64,
    /// Sum over seats of (sum of results)² / number of bots.
    of_seats: f64,
    seats: f64,
}

/// Shares of the variance. They add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LuckReport {
    /// Skill: the bot.
    pub skill: Estimate,
    /// The deal and the seat.
    pub deal: Estimate,
    /// The rest: chance and decisions after the deal.
    pub rest: Estimate,
}

impl LuckReport {
    /// Returns the share of luck: 1 minus skill.
    #[must_use]
    pub fn luck(&self) -> Estimate {
        let Estimate { value, interval, blocks } = self.skill;
        let interval = motherlode_play::Interval { low: 1.0 - interval.high, high: 1.0 - interval.low };
        Estimate { value: 1.0 - value, interval, blocks }
    }
}

impl Luck {
    /// Creates an analysis for this number of bots in a game with this outcome.
    #[must_use]
    pub fn new(bots: usize, declared: &OutcomeDecl) -> Self {
        Self { bots, declared: declared.clone(), blocks: Vec::new() }
    }

    /// Adds the games of a block. A block with an aborted game is skipped.
    pub fn add(&mut self, games: &[SeatedGame]) {
        if self.bots < 2 || games.len() != self.bots || games.iter().any(|game| game.row.aborted.is_some()) {
            return;
        }
        let seats = games[0].bots.len();
        let mut sums = BlockSums { of_bots: vec![0.0; self.bots], ..BlockSums::default() };
        for seat in 0..seats {
            let mut sum = 0.0;
            for game in games {
                let result = result(&self.declared, game, seat);
                sums.of_bots[game.bots[seat]] += result;
                sums.squares += result * result;
                sum += result;
            }
            sums.of_seats += sum * sum / to_f64(self.bots);
            sums.seats += 1.0;
        }
        self.blocks.push(sums);
    }

    /// Returns the shares of the variance; `None` with one bot, with too few blocks, or if all results are the
    /// same.
    #[must_use]
    pub fn report(&self, seed: u64) -> Option<LuckReport> {
        let even = vec![1.0; self.blocks.len()];
        let values = self.variance_shares(&even)?;
        let blocks = self.blocks.len() as u64;
        let part = |at: usize| {
            let interval =
                bootstrap(self.blocks.len(), blocks, seed, |counts| Some(self.variance_shares(counts)?[at]))?;
            Some(Estimate { value: values[at], interval, blocks })
        };
        Some(LuckReport { skill: part(0)?, deal: part(1)?, rest: part(2)? })
    }

    /// Returns the shares of skill, deal and rest, with a weight for each block.
    fn variance_shares(&self, weights: &[f64]) -> Option<[f64; 3]> {
        let sum = |of: &dyn Fn(&BlockSums) -> f64| -> f64 {
            self.blocks.iter().zip(weights).map(|(block, weight)| weight * of(block)).sum()
        };
        let bots = to_f64(self.bots);
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

/// Returns the score or the margin, if it is the goal. Otherwise the share of the other seats that rank below this
/// seat, with ties as half; in a cooperative game, whether the game was won.
fn result(declared: &OutcomeDecl, game: &SeatedGame, seat: usize) -> f64 {
    if declared.goal != Goal::Rank {
        return game.row.utility(declared, seat);
    }
    let seats = game.row.ranks.len();
    if game.row.won.is_some() || seats < 2 {
        return first_place(game.row.won, &game.row.ranks, seat);
    }
    let others = (0..seats).filter(|other| *other != seat);
    others.map(|other| share_against(&game.row, seat, other)).sum::<f64>() / to_f64(seats - 1)
}

#[expect(clippy::cast_precision_loss, reason = "a few seats or bots")]
fn to_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use motherlode_play::GameRow;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    /// Plays 600 blocks of two bots. The winner depends on the sum of skill, deal and chance.
    fn played(skill: f64, deal: f64, chance: f64) -> LuckReport {
        let mut generator = Pcg64Mcg::seed_from_u64(3);
        let mut luck = Luck::new(2, &OutcomeDecl::default());
        for _ in 0..600 {
            let mut random = || f64::from(generator.random_range(-1000..=1000i32)) / 1000.0;
            let dealt = deal * random();
            let mut game = |bots: [usize; 2]| {
                let own = if bots[0] == 0 { skill } else { -skill };
                let first = own + dealt + chance * random() > 0.0;
                let ranks = if first { vec![1, 2] } else { vec![2, 1] };
                let row = GameRow { players: 2, scores: vec![0, 0], ranks, ..GameRow::default() };
                SeatedGame { bots: bots.to_vec(), row, ..SeatedGame::default() }
            };
            let games = [game([0, 1]), game([1, 0])];
            luck.add(&games);
        }
        luck.report(1).unwrap()
    }

    #[test]
    fn skill_deal_and_chance_are_separated() {
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
    fn one_bot_alone_gives_no_split() {
        for bots in [1, 2] {
            assert_eq!(Luck::new(bots, &OutcomeDecl::default()).report(1), None);
        }
    }
}
