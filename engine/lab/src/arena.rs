//! The arena: bots against each other, by win share, rank and score.

use std::ops::ControlFlow;

use motherlode::{ModId, Setup};
use motherlode_play::{Experiment, Failures, GameRow, Repetition, first_place};
use serde::{Deserialize, Serialize};

use crate::block_experiment::block_experiment;
use crate::metric::{Measure, Metrics, Subject};
use crate::objective::Objective;
use crate::ratio::{DIFFERENCE_BOUNDS, Difference, Estimate, Ratio, SHARE_BOUNDS, discoveries};
use crate::sequential::{Hypotheses, Sequential, Verdict};
use crate::series::{Block, LabError, SeatedGame, Series, TimeSpent, run_experiment};
use crate::standing::{RoleStanding, played_roles};

/// Bots against each other in one game.
#[derive(Clone)]
pub struct Arena {
    /// The game and the bots.
    pub series: Series,
    /// Maximum number of blocks.
    pub blocks: u64,
    /// Ends early once a sequential test decides between these win shares of the first bot.
    pub until: Option<Hypotheses>,
}

/// Results of an arena. All but `cost` are reproducible on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArenaReport {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint of the pack with its mods.
    pub fingerprint: String,
    /// The mods, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Players and options. The seed is that of the experiment.
    pub setup: Setup,
    /// Blocks played.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// The quantity by which the game is judged.
    pub objective: Objective,
    /// The even win share: 1 divided by the number of players.
    pub even: f64,
    /// Results by bot.
    pub bots: Vec<Standing>,
    /// How often the bot of the row ranks above the bot of the column at the same table, with ties as half; if the
    /// goal of the game is not the rank, how often it has the better score. `None` if they never met.
    pub beats: Vec<Vec<Option<Estimate>>>,
    /// Whether the bot of the row is stronger than the bot of the column. The false-discovery rate over all pairs is held
    /// at 5 % (Benjamini and Hochberg).
    #[serde(default)]
    pub is_stronger: Vec<Vec<bool>>,
    /// Results by seat.
    pub seats: Vec<RoleStanding>,
    /// Results by role.
    pub roles: Vec<RoleStanding>,
    /// Mean number of rounds in a game.
    pub rounds: Option<Estimate>,
    /// Mean number of decisions in a game.
    pub decisions: Option<Estimate>,
    /// NotableGame games.
    pub notable: Vec<NotableGame>,
    /// The hypotheses and the verdict of the sequential test.
    pub verdict: Option<(Hypotheses, Verdict)>,
    /// Whether all games with the same seating were the same game: neither the game nor the bots used chance, so more
    /// blocks say no more.
    #[serde(default)]
    pub is_repetition: bool,
    /// The number of different games, if it is at most a quarter of the games: the results hold for these games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub few_games: Option<usize>,
    /// Whether the run was stopped before the last block and without a verdict.
    pub stopped: bool,
    /// Processor time of each bot. A measurement: it differs from run to run.
    pub cost: Vec<Cost>,
}

/// A notable game: the most extreme of its category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotableGame {
    /// The category: `closest`, `widest`, `longest` or `comeback`.
    pub why: String,
    /// Index of the block.
    pub block: u64,
    /// Index of the seating, from 0.
    pub turn: usize,
    /// Seed of the game.
    pub seed: u64,
    /// The bot of each seat.
    pub bots: Vec<String>,
    /// Scores by seat.
    pub scores: Vec<i32>,
    /// The number of steps in a point: with 2, a score of 7 is 3½ points. 0: scores are whole points.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub unit: i32,
    /// Number of the last round.
    pub rounds: i32,
    /// Value of the category for this game: the largest is the most notable.
    pub(crate) extent: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_whole(unit: &i32) -> bool {
    *unit == 0
}

/// Computes the value of a category for a game.
type Extent = fn(&GameRow) -> i64;

/// Categories of notable games.
const NOTABLE: [(&str, Extent); 3] =
    [("closest", |row| -margin(row)), ("widest", margin), ("longest", |row| i64::from(row.decisions))];

/// Returns the absolute difference in score between the winner and the best rival, whether the highest or the
/// lowest score wins.
fn margin(row: &GameRow) -> i64 {
    let Some(first) = row.ranks.iter().position(|rank| *rank == 1) else { return 0 };
    let plays_against =
        |other: &usize| *other != first && row.teams.get(*other).is_none_or(|of| Some(of) != row.teams.get(first));
    let next = (0..row.ranks.len()).filter(plays_against).min_by_key(|other| row.ranks[*other]);
    let score = |seat: usize| row.scores.get(seat).copied().map_or(0, i64::from);
    next.map_or(0, |next| score(first).abs_diff(score(next)).try_into().unwrap_or(i64::MAX))
}

impl NotableGame {
    /// Adds a game to `found` where it is the most extreme of its category so far. The first of equals stays.
    pub(crate) fn keep(found: &mut Vec<Self>, block: u64, turn: usize, seated_game: &SeatedGame, series: &Series) {
        let row = &seated_game.row;
        if row.aborted.is_some() {
            return;
        }
        // A cooperative game has no second.
        let skipped = if series.game.0.declarations().outcome.shared { 2 } else { 0 };
        for (why, extent) in NOTABLE.into_iter().skip(skipped) {
            let extent = extent(row);
            let known = found.iter().position(|one| one.why == why);
            if known.is_some_and(|at| found[at].extent >= extent) {
                continue;
            }
            let bots = seated_game.bots.iter().map(|bot| series.bots[*bot].clone()).collect();
            let (why, scores) = (why.to_owned(), row.scores.clone());
            let (seed, unit, rounds) = (row.seed, row.unit, row.rounds);
            let new = Self { why, block, turn, seed, bots, scores, unit, rounds, extent };
            match known {
                Some(at) => found[at] = new,
                None => found.push(new),
            }
        }
    }
}

/// Results of one bot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Spec of the bot.
    pub bot: String,
    /// Win share over all games it sat in, if players win or lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Estimate>,
    /// Mean rank, if players win or lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Estimate>,
    /// Mean score, in points.
    pub score: Option<Estimate>,
    /// Mean margin, in points, if it is the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Estimate>,
    /// Mean lead in utility over the others at the table, in points, if players compete by score or margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<Estimate>,
    /// The difference from the first bot, if bots never meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_first: Option<OverFirst>,
}

/// A bot minus the first bot, over the same seeds: for bots that never meet, in a cooperative game or with one player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverFirst {
    /// The difference in the win share, if the players of a cooperative game can win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Difference>,
    /// The difference in the mean score, in points.
    pub score: Option<Difference>,
}

impl OverFirst {
    /// Returns the objective that tells the bots apart, and the difference: that of the score where both win equally
    /// often or nobody can win.
    #[must_use]
    pub fn judged(&self, objective: Objective, is_least: bool) -> (Objective, Option<Difference>) {
        let is_telling = |share: &Difference| objective.is_share() && share.delta.value != 0.0;
        let by_score = if is_least { Objective::LeastScore } else { Objective::Score };
        self.share.filter(is_telling).map_or((by_score, self.score), |share| (objective, Some(share)))
    }
}

/// Processor time of a bot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Spec of the bot.
    pub bot: String,
    /// Number of decisions.
    pub decisions: u64,
    /// Mean time of a decision, in microseconds.
    pub microseconds: f64,
}

impl Cost {
    #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^53 decisions")]
    fn of(bot: &str, spent: TimeSpent) -> Self {
        let microseconds = spent.time.as_secs_f64() * 1e6 / spent.decisions.max(1) as f64;
        Self { bot: bot.to_owned(), decisions: spent.decisions, microseconds }
    }
}

/// Sums over the blocks of an arena.
pub struct ArenaSum {
    metrics: Metrics,
    test: Option<Sequential>,
    blocks: u64,
    games: u64,
    failures: Failures,
    notable: Vec<NotableGame>,
    repetition: Repetition,
    spent: Vec<TimeSpent>,
}

impl Experiment for Arena {
    block_experiment!();

    type Sum = ArenaSum;
    type Report = ArenaReport;

    fn begin(&self) -> ArenaSum {
        ArenaSum {
            metrics: Metrics::of(&self.series.game.0),
            test: self.until.map(|hypotheses| Sequential::new(hypotheses).of_share()),
            blocks: 0,
            games: 0,
            failures: Failures::default(),
            notable: Vec::new(),
            repetition: Repetition::default(),
            spent: vec![TimeSpent::default(); self.series.bots.len()],
        }
    }

    fn add(&self, sum: &mut ArenaSum, block: &Block) -> ControlFlow<()> {
        let seated_games = block.games.first().map_or(&[][..], Vec::as_slice);
        sum.metrics.add(seated_games);
        sum.blocks += 1;
        sum.games += seated_games.len() as u64;
        for (sum, own) in sum.spent.iter_mut().zip(&block.spent) {
            *sum += *own;
        }
        for (turn, seated_game) in seated_games.iter().enumerate() {
            NotableGame::keep(&mut sum.notable, block.index, turn, seated_game, &self.series);
            sum.failures.see(&seated_game.row);
        }
        seated_games.iter().for_each(|game| game.add_to(&mut sum.repetition));
        let Some(test) = &mut sum.test else { return ControlFlow::Continue(()) };
        let firsts = |one: &SeatedGame| {
            let row = &one.row;
            let sat = one.bots.iter().enumerate().filter(|(_, bot)| **bot == 0);
            sat.map(|(seat, _)| first_place(row.won, &row.ranks, seat)).collect::<Vec<_>>()
        };
        let sat = seated_games.iter().flat_map(firsts);
        let (sum, count) = sat.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
        if count > 0.0 && test.push(sum / count) != Verdict::Undecided {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: ArenaSum, stopped: bool) -> Result<ArenaReport, LabError> {
        let ArenaSum { metrics, test, blocks, games, failures, notable, repetition, spent } = sum;
        let verdict = self.until.zip(test).map(|(until, test)| (until, test.verdict()));
        let cost = self.series.bots.iter().zip(spent).map(|(bot, spent)| Cost::of(bot, spent)).collect();
        let mut report = self.report_metrics(&metrics);
        let (is_repetition, few_games) = (repetition.is_found(), repetition.few());
        // Games that count as one tell no bots apart.
        report.is_stronger.iter_mut().flatten().for_each(|is_stronger| *is_stronger &= !is_repetition);
        Ok(ArenaReport { blocks, games, failures, notable, is_repetition, few_games, stopped, verdict, cost, ..report })
    }

    fn ends_early(&self) -> bool {
        self.until.is_some()
    }
}

impl Arena {
    /// Runs the arena. `progress` gets the number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<ArenaReport, LabError> {
        run_experiment(self, progress)
    }

    /// Tests all pairs of bots that met, together.
    fn stronger_pairs(&self, metrics: &Metrics) -> Vec<Vec<bool>> {
        let bots = self.series.bots.len();
        let pairs = (0..bots).flat_map(|one| (0..one).map(move |other| (one, other)));
        let met = |(one, other): (usize, usize)| {
            Some((one, other, metrics.ratio(Subject::Pair(one, other), Measure::Share)?))
        };
        let met: Vec<(usize, usize, &Ratio)> = pairs.filter_map(met).collect();
        let p: Vec<f64> = met.iter().map(|(.., ratio)| ratio.p(0.5, SHARE_BOUNDS)).collect();
        let mut is_stronger = vec![vec![false; bots]; bots];
        for ((one, other, ratio), found) in met.into_iter().zip(discoveries(&p)) {
            let (better, worse) = if ratio.value() > Some(0.5) { (one, other) } else { (other, one) };
            is_stronger[better][worse] = found;
        }
        is_stronger
    }

    fn report_metrics(&self, metrics: &Metrics) -> ArenaReport {
        let series = &self.series;
        let (game, setup) = &series.game;
        let of = |subject, measure| metrics.estimate(subject, measure, series.seed);
        let standing = |subject| RoleStanding::of(metrics, series, subject);
        let bots = 0..series.bots.len();
        let is_shared = game.declarations().outcome.shared;
        // With one bot every block has the even share by necessity, not as a sample, so its interval has no
        // width.
        let is_even = series.bots.len() == 1 && !is_shared;
        let of_bots = |bot: usize| match metrics.ratio(Subject::Bot(bot), Measure::Share) {
            Some(ratio) if is_even => ratio.estimate(series.seed, None),
            _ => of(Subject::Bot(bot), Measure::Share),
        };
        let is_contest = !is_shared && setup.players > 1;
        let minus_first = |bot: usize, measure: Measure| {
            let first = metrics.ratio(Subject::Bot(0), measure)?;
            let bounds = measure.bounds().map(|_| DIFFERENCE_BOUNDS);
            metrics.ratio(Subject::Bot(bot), measure)?.difference_from(first, series.seed, bounds)
        };
        let over_first = |bot: usize| OverFirst {
            share: Some(Measure::Share).filter(|_| is_shared).and_then(|share| minus_first(bot, share)),
            score: minus_first(bot, Measure::Score),
        };
        let of_bot = |bot: usize| Standing {
            bot: series.bots[bot].clone(),
            share: of_bots(bot),
            rank: of(Subject::Bot(bot), Measure::Rank),
            score: of(Subject::Bot(bot), Measure::Score),
            margin: of(Subject::Bot(bot), Measure::Margin),
            lead: of(Subject::Bot(bot), Measure::Lead),
            over_first: (bot > 0 && !is_contest).then(|| over_first(bot)),
        };
        let row = |own: usize| bots.clone().map(|rival| of(Subject::Pair(own, rival), Measure::Share)).collect();
        ArenaReport {
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            setup: Setup { seed: series.seed, ..setup.clone() },
            blocks: 0,
            games: 0,
            failures: Failures::default(),
            objective: Objective::of(&game.declarations().outcome),
            even: 1.0 / f64::from(setup.players.max(1)),
            bots: bots.clone().map(of_bot).collect(),
            beats: bots.clone().map(row).collect(),
            is_stronger: self.stronger_pairs(metrics),
            seats: (0..usize::from(setup.players)).map(|seat| standing(Subject::Seat(seat))).collect(),
            roles: played_roles(metrics).map(standing).collect(),
            rounds: of(Subject::All, Measure::Rounds),
            decisions: of(Subject::All, Measure::Decisions),
            notable: Vec::new(),
            verdict: None,
            is_repetition: false,
            few_games: None,
            stopped: false,
            cost: Vec::new(),
        }
    }
}

/// A ladder: every budget against twice as much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// Results by budget.
    pub rungs: Vec<Rung>,
    /// Games played.
    pub games: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// Whether the run was stopped early.
    pub stopped: bool,
}

/// One budget against twice as much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// The smaller budget.
    pub bot: String,
    /// The larger budget.
    pub rival: String,
    /// Blocks played.
    pub blocks: u64,
    /// How often the larger budget ranks above the smaller one; even is 1/2.
    pub beats: Option<Estimate>,
    /// Processor time of both. A measurement: it differs from run to run.
    pub cost: Vec<Cost>,
}

impl Ladder {
    /// Runs a ladder from a spec with a range of budgets, such as `rollout:2..32`, with `blocks` blocks for each
    /// rung. `progress` gets the total number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// The spec has no range of budgets; see also [`Series::play`].
    pub fn climb(
        series: &Series,
        spec: &str,
        blocks: u64,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Self, LabError> {
        let specs = ladder_specs(spec).ok_or_else(|| LabError::Ladder(spec.to_owned()))?;
        let mut ladder = Self { rungs: Vec::new(), games: 0, failures: Failures::default(), stopped: false };
        for (pair, done) in specs.windows(2).zip(0u64..) {
            let series = Series { bots: pair.to_vec(), ..series.clone() };
            let arena = Arena { series, blocks, until: None };
            let report = arena.run(|own| progress(done * blocks + own))?;
            let beats = report.beats.get(1).and_then(|row| row.first().copied()).flatten();
            ladder.rungs.push(Rung {
                bot: pair[0].clone(),
                rival: pair[1].clone(),
                blocks: report.blocks,
                beats,
                cost: report.cost,
            });
            ladder.games += report.games;
            ladder.failures.append(&report.failures);
            ladder.stopped = report.stopped;
            if report.stopped {
                break;
            }
        }
        Ok(ladder)
    }
}

/// Returns the specs of a ladder: `rollout:2..8` is `rollout:2`, `rollout:4`, `rollout:8`. `None` if there are
/// fewer than two.
#[must_use]
pub fn ladder_specs(spec: &str) -> Option<Vec<String>> {
    let (name, rest) = spec.split_once(':')?;
    let (range, more) = rest.find('+').map_or((rest, ""), |plus| rest.split_at(plus));
    let (low, high) = range.split_once("..")?;
    let (low, high): (u64, u64) = (low.parse().ok()?, high.parse().ok()?);
    let budgets = std::iter::successors(Some(low).filter(|low| *low > 0), |budget| budget.checked_mul(2));
    let specs: Vec<String> =
        budgets.take_while(|budget| *budget <= high).map(|budget| format!("{name}:{budget}{more}")).collect();
    (specs.len() > 1).then_some(specs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_the_lead_over_the_best_rival() {
        let of = |scores: &[i32], ranks: &[u8], teams: &[i32]| {
            let (scores, ranks, teams) = (scores.to_vec(), ranks.to_vec(), teams.to_vec());
            margin(&GameRow {
                players: u8::try_from(scores.len()).unwrap(),
                scores,
                ranks,
                teams,
                ..GameRow::default()
            })
        };
        assert_eq!(of(&[9, 30, 12], &[3, 1, 2], &[]), 18);
        assert_eq!(of(&[9, 30, 12], &[1, 3, 2], &[]), 3, "the lowest score wins");
        assert_eq!(of(&[20, 12, 20, 12], &[1, 2, 1, 2], &[0, 1, 0, 1]), 8, "partners have the same score");
        assert_eq!(of(&[20], &[1], &[]), 0);
    }
}
