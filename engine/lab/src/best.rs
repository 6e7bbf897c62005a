//! The search for the strongest bot of a game: a series of duels. Plans never take some choices, so evidence about cards
//! cannot come from them: they challenge the best bot at the end, and do not replace it.

use motherlode_play::{Failures, mix};
use serde::{Deserialize, Serialize};

use crate::arena::{Arena, ArenaReport, Cost};
use crate::ratio::Estimate;
use crate::series::{LabError, Series};

/// Blocks that measure the cost of a bot before its duel.
const TRIAL: u64 = 2;

/// Derives the seed of the blocks that confirm a duel: of many challengers, one may win its first blocks by luck.
const CONFIRMED: u64 = 0x636f_6e66_6972;

/// Duels for the strongest bot: each challenger plays the best bot so far.
#[derive(Clone)]
pub struct BestBotSearch {
    /// The game and the bots, cheap ones first.
    pub series: Series,
    /// Plans that challenge the best of these bots.
    pub plans: Vec<String>,
    /// Blocks per duel, and again with another seed if the challenger seems stronger.
    pub blocks: u64,
    /// Maximum mean time per decision, in microseconds. Costlier bots play no duel.
    pub limit: f64,
}

/// The results of all duels. Costs are measured, so a bot near the limit may pass in one run and not in another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestBotReport {
    /// Duels in the order played.
    pub duels: Vec<Duel>,
    /// Spec of the strongest bot.
    pub best: String,
    /// Plans that are stronger still.
    pub better_plans: Vec<String>,
    /// Games played.
    pub games: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// Whether the run was stopped early.
    pub stopped: bool,
}

/// A challenger against the best bot so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// Spec of the challenger.
    pub bot: String,
    /// Spec of the best bot so far.
    pub rival: String,
    /// How often the challenger ranks above the rival; even is 1/2.
    pub beats: Option<Estimate>,
    /// The same with another seed, if the challenger seemed stronger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Estimate>,
    /// Processor time of the challenger.
    pub cost: Option<Cost>,
    /// The result.
    pub result: DuelResult,
}

/// The result of a duel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuelResult {
    /// The whole interval is above one half, with two seeds: the challenger is the best bot so far.
    Stronger,
    /// The interval is not above one half.
    NotStronger,
    /// The interval is above one half with the first seed only.
    NotConfirmed,
    /// A decision takes longer than the limit.
    TooSlow,
}

impl BestBotSearch {
    /// The maximum number of blocks.
    #[must_use]
    pub fn most_blocks(&self) -> u64 {
        self.duels() * self.most_blocks_of_duel()
    }

    fn most_blocks_of_duel(&self) -> u64 {
        TRIAL + 2 * self.blocks
    }

    fn duels(&self) -> u64 {
        (self.series.bots.len() as u64).saturating_sub(1) + self.plans.len() as u64
    }

    /// The counts of blocks at which the duels end.
    #[must_use]
    pub fn stage_ends(&self) -> Vec<u64> {
        (1..=self.duels()).map(|duel| duel * self.most_blocks_of_duel()).collect()
    }

    /// Plays the duels. `progress` gets the number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<BestBotReport, LabError> {
        let best = self.series.bots.first().cloned().unwrap_or_default();
        let (duels, failures) = (Vec::new(), Failures::default());
        let mut report = BestBotReport { duels, best, better_plans: Vec::new(), games: 0, failures, stopped: false };
        let challengers = self.series.bots.iter().skip(1).map(|bot| (bot, false));
        let mut done = 0;
        for (bot, is_plan) in challengers.chain(self.plans.iter().map(|plan| (plan, true))) {
            let series = Series { bots: vec![report.best.clone(), bot.clone()], ..self.series.clone() };
            let mut play = |blocks, before: u64, seed: u64| -> Result<ArenaReport, LabError> {
                let arena = Arena { series: Series { seed, ..series.clone() }, blocks, until: None };
                let played = arena.run(|own| progress(done + before + own))?;
                report.games += played.games;
                report.failures.append(&played.failures);
                report.stopped |= played.stopped;
                Ok(played)
            };
            let mut played = play(TRIAL, 0, series.seed)?;
            let is_slow = |played: &ArenaReport| played.cost.get(1).is_some_and(|cost| cost.microseconds > self.limit);
            let mut is_too_slow = is_slow(&played);
            if !is_too_slow && !played.stopped {
                played = play(self.blocks, TRIAL, series.seed)?;
                is_too_slow = is_slow(&played);
            }
            let beats = won(&played);
            let is_above = |played: &ArenaReport, beats: Option<Estimate>| {
                !played.stopped && beats.is_some_and(|beats| beats.interval.low > 0.5)
            };
            let mut again = None;
            let result = if is_too_slow {
                DuelResult::TooSlow
            } else if is_above(&played, beats) {
                let more = play(self.blocks, TRIAL + self.blocks, mix(series.seed, CONFIRMED))?;
                again = won(&more);
                if is_above(&more, again) { DuelResult::Stronger } else { DuelResult::NotConfirmed }
            } else {
                DuelResult::NotStronger
            };
            done += self.most_blocks_of_duel();
            let (rival, cost) = (report.best.clone(), played.cost.into_iter().nth(1));
            if result == DuelResult::Stronger && is_plan {
                report.better_plans.push(bot.clone());
            } else if result == DuelResult::Stronger {
                report.best.clone_from(bot);
            }
            report.duels.push(Duel { bot: bot.clone(), rival, beats, again, cost, result });
            if report.stopped {
                break;
            }
        }
        Ok(report)
    }
}

/// How often the second bot ranks above the first.
fn won(played: &ArenaReport) -> Option<Estimate> {
    played.beats.get(1).and_then(|row| row.first().copied()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Stall;

    fn search(limit: f64) -> BestBotReport {
        let game = Stall { cutters: 6, ..Stall::default() }.load();
        let setup = game.setup(None, &[], 1).unwrap();
        let bots = ["random", "flat:30"].map(str::to_owned).to_vec();
        let series = Series { threads: 2, ..Series::new((game, setup), bots, 1) };
        BestBotSearch { series, plans: Vec::new(), blocks: 30, limit }.run(|_| true).unwrap()
    }

    #[test]
    fn a_plan_never_becomes_the_best_bot() {
        let game = Stall { cutters: 6, ..Stall::default() }.load();
        let setup = game.setup(None, &[], 1).unwrap();
        let series = Series { threads: 2, ..Series::new((game, setup), vec!["random".to_owned()], 1) };
        let search = BestBotSearch { series, plans: vec!["flat:30".to_owned()], blocks: 30, limit: f64::INFINITY };
        let found = search.run(|_| true).unwrap();
        assert_eq!((found.best.as_str(), found.better_plans), ("random", vec!["flat:30".to_owned()]));
        assert_eq!(search.stage_ends(), [62]);
    }

    #[test]
    fn a_stronger_challenger_is_best_within_the_limit() {
        let found = search(f64::INFINITY);
        assert_eq!((found.best.as_str(), found.duels[0].result), ("flat:30", DuelResult::Stronger), "{found:#?}");
        let duel = &found.duels[0];
        assert!(duel.again.is_some() && duel.again != duel.beats, "the second seed plays other games: {duel:?}");
        let found = search(0.0);
        assert_eq!((found.best.as_str(), found.duels[0].result), ("random", DuelResult::TooSlow), "{found:#?}");
    }
}
