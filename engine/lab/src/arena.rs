//! Bots against each other.

use std::ops::ControlFlow;

use motherlode::{ModId, Setup};
use motherlode_play::{Experiment, Failures, GameRow, first_place};
use serde::{Deserialize, Serialize};

use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::of_blocks::of_blocks;
use crate::ratio::Estimate;
use crate::role::Roles;
use crate::sequential::{Hypotheses, Sequential, Verdict};
use crate::series::{Block, LabError, Series, Sitting, Spent, counted};

/// Bots against each other in one game.
#[derive(Clone)]
pub struct Arena {
    /// The game and the bots.
    pub series: Series,
    /// Number of blocks at most.
    pub blocks: u64,
    /// Ends once it is clear which of these is the first bot's part of the first places.
    pub until: Option<Hypotheses>,
}

/// How bots fared. All but `cost` is the same on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArenaReport {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint of the pack with its mods.
    pub fingerprint: String,
    /// The mods, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Players and options; the seed is that of the experiment.
    pub setup: Setup,
    /// Blocks played.
    pub blocks: u64,
    /// Games played.
    pub games: u64,
    /// Games that were aborted.
    #[serde(flatten)]
    pub failures: Failures,
    /// The part of the first places of each bot and each seat if all were alike.
    pub even: f64,
    /// By bot.
    pub bots: Vec<Standing>,
    /// How often a bot stands above another at the same table, ties as half: by row and column; `None` where they never met.
    pub beats: Vec<Vec<Option<Estimate>>>,
    /// Part of the first places by seat.
    pub seats: Vec<RoleStanding>,
    /// By what seats were.
    pub roles: Vec<RoleStanding>,
    /// Round in which games ended.
    pub rounds: Option<Estimate>,
    /// Decisions of a game.
    pub decisions: Option<Estimate>,
    /// Games worth looking at.
    pub notable: Vec<Notable>,
    /// What the sequential test says.
    pub verdict: Option<(Hypotheses, Verdict)>,
    /// Whether it was stopped before all blocks were played and without a verdict.
    pub stopped: bool,
    /// What a decision cost each bot. This is measured, so it differs from run to run.
    pub cost: Vec<Cost>,
}

/// A game worth looking at: the first of its sort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notable {
    /// Why.
    pub why: String,
    /// Its block.
    pub block: u64,
    /// Its seating, from 0.
    pub turn: usize,
    /// Its seed.
    pub seed: u64,
    /// The bot of each seat.
    pub bots: Vec<String>,
    /// Scores by seat.
    pub scores: Vec<i32>,
    /// Round in which it ended.
    pub rounds: i32,
    /// How far it goes in its sort: the larger, the further.
    pub(crate) extent: i64,
}

/// How far a game goes in a sort of games.
type Extent = fn(&GameRow) -> i64;

/// Sorts of games worth looking at.
const NOTABLE: [(&str, Extent); 3] =
    [("closest", |row| -margin(row)), ("widest", margin), ("longest", |row| i64::from(row.decisions))];

/// By how much the score of whoever was first differs from that of the best of the others, whether most or least wins.
fn margin(row: &GameRow) -> i64 {
    let Some(first) = row.ranks.iter().position(|rank| *rank == 1) else { return 0 };
    let plays_against =
        |other: &usize| *other != first && row.teams.get(*other).is_none_or(|of| Some(of) != row.teams.get(first));
    let next = (0..row.ranks.len()).filter(plays_against).min_by_key(|other| row.ranks[*other]);
    let score = |seat: usize| row.scores.get(seat).copied().map_or(0, i64::from);
    next.map_or(0, |next| score(first).abs_diff(score(next)).try_into().unwrap_or(i64::MAX))
}

impl Notable {
    /// Keeps the furthest of each sort.
    pub(crate) fn keep(found: &mut Vec<Self>, block: u64, turn: usize, sitting: &Sitting, specs: &[String]) {
        let row = &sitting.row;
        if row.aborted.is_some() {
            return;
        }
        for (why, extent) in NOTABLE {
            let extent = extent(row);
            let known = found.iter().position(|one| one.why == why);
            if known.is_some_and(|at| found[at].extent >= extent) {
                continue;
            }
            let bots = sitting.bots.iter().map(|bot| specs[*bot].clone()).collect();
            let (why, scores) = (why.to_owned(), row.scores.clone());
            let new = Self { why, block, turn, seed: row.seed, bots, scores, rounds: row.rounds, extent };
            match known {
                Some(at) => found[at] = new,
                None => found.push(new),
            }
        }
    }
}

/// How one bot fared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Its spec.
    pub bot: String,
    /// Its part of the first places, by games sat.
    pub share: Option<Estimate>,
    /// Its mean rank.
    pub rank: Option<Estimate>,
    /// Its mean score.
    pub score: Option<Estimate>,
}

/// How those fared who were one thing, or sat in one seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoleStanding {
    /// What.
    pub name: String,
    /// How often.
    pub sat: f64,
    /// Their part of the first places.
    pub share: Option<Estimate>,
    /// Their mean score.
    pub score: Option<Estimate>,
}

/// What a decision cost a bot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Its spec.
    pub bot: String,
    /// Decisions it made.
    pub decisions: u64,
    /// Processor time of one of them, in microseconds.
    pub microseconds: f64,
}

impl Cost {
    #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^53 decisions")]
    fn of(bot: &str, spent: Spent) -> Self {
        let microseconds = spent.time.as_secs_f64() * 1e6 / spent.decisions.max(1) as f64;
        Self { bot: bot.to_owned(), decisions: spent.decisions, microseconds }
    }
}

/// What the blocks of an arena say together.
pub struct ArenaSum {
    metrics: Metrics,
    test: Option<Sequential>,
    blocks: u64,
    games: u64,
    failures: Failures,
    notable: Vec<Notable>,
    spent: Vec<Spent>,
}

impl Experiment for Arena {
    of_blocks!();

    type Sum = ArenaSum;
    type Report = ArenaReport;

    fn begin(&self) -> ArenaSum {
        ArenaSum {
            metrics: Metrics::default(),
            test: self.until.map(|hypotheses| Sequential::new(hypotheses).of_share()),
            blocks: 0,
            games: 0,
            failures: Failures::default(),
            notable: Vec::new(),
            spent: vec![Spent::default(); self.series.bots.len()],
        }
    }

    fn add(&self, sum: &mut ArenaSum, block: &Block) -> ControlFlow<()> {
        let sittings = block.games.first().map_or(&[][..], Vec::as_slice);
        sum.metrics.add(sittings);
        sum.blocks += 1;
        sum.games += sittings.len() as u64;
        for (sum, own) in sum.spent.iter_mut().zip(&block.spent) {
            *sum += *own;
        }
        for (turn, sitting) in sittings.iter().enumerate() {
            Notable::keep(&mut sum.notable, block.index, turn, sitting, &self.series.bots);
            sum.failures.see(&sitting.row);
        }
        let Some(test) = &mut sum.test else { return ControlFlow::Continue(()) };
        let firsts = |one: &Sitting| {
            let row = &one.row;
            let sat = one.bots.iter().enumerate().filter(|(_, bot)| **bot == 0);
            sat.map(|(seat, _)| first_place(row.won, &row.ranks, seat)).collect::<Vec<_>>()
        };
        let sat = sittings.iter().flat_map(firsts);
        let (sum, count) = sat.fold((0.0, 0.0), |(sum, count), share| (sum + share, count + 1.0));
        if count > 0.0 && test.push(sum / count) != Verdict::Open {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: ArenaSum, stopped: bool) -> Result<ArenaReport, LabError> {
        let ArenaSum { metrics, test, blocks, games, failures, notable, spent } = sum;
        let verdict = self.until.zip(test).map(|(until, test)| (until, test.verdict()));
        let cost = self.series.bots.iter().zip(spent).map(|(bot, spent)| Cost::of(bot, spent)).collect();
        let report = self.found(&metrics);
        Ok(ArenaReport { blocks, games, failures, notable, stopped, verdict, cost, ..report })
    }

    fn ends_early(&self) -> bool {
        self.until.is_some()
    }
}

impl Arena {
    /// Plays. `progress` gets the number of blocks done, and says whether to go on.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<ArenaReport, LabError> {
        counted(self, progress)
    }

    fn found(&self, metrics: &Metrics) -> ArenaReport {
        let series = &self.series;
        let (game, setup) = &series.game;
        let roles = Roles::of(game, setup.players);
        let of = |subject, measure| metrics.estimate(subject, measure, series.seed);
        let standing = |subject| RoleStanding {
            name: subject_name(game, &roles, &series.bots, subject),
            sat: metrics.ratio(subject, Measure::Share).map_or(0.0, crate::ratio::Ratio::whole),
            share: of(subject, Measure::Share),
            score: of(subject, Measure::Score),
        };
        let bots = 0..series.bots.len();
        // A bot alone at the table has the even share, not by chance.
        let is_even = series.bots.len() == 1 && game.declarations().outcome.won.is_none();
        let of_bots = |bot: usize| match metrics.ratio(Subject::Bot(bot), Measure::Share) {
            Some(ratio) if is_even => ratio.estimate(series.seed, None),
            _ => of(Subject::Bot(bot), Measure::Share),
        };
        let of_bot = |bot: usize| Standing {
            bot: series.bots[bot].clone(),
            share: of_bots(bot),
            rank: of(Subject::Bot(bot), Measure::Rank),
            score: of(Subject::Bot(bot), Measure::Score),
        };
        let row = |own: usize| bots.clone().map(|rival| of(Subject::Pair(own, rival), Measure::Share)).collect();
        let is_role = |subject: &Subject| matches!(subject, Subject::Role(..));
        let played = metrics.all().filter(|found| found.1 == Measure::Share).map(|found| found.0).filter(is_role);
        ArenaReport {
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            setup: Setup { seed: series.seed, ..setup.clone() },
            blocks: 0,
            games: 0,
            failures: Failures::default(),
            even: 1.0 / f64::from(setup.players.max(1)),
            bots: bots.clone().map(of_bot).collect(),
            beats: bots.clone().map(row).collect(),
            seats: (0..usize::from(setup.players)).map(|seat| standing(Subject::Seat(seat))).collect(),
            roles: played.map(standing).collect(),
            rounds: of(Subject::All, Measure::Rounds),
            decisions: of(Subject::All, Measure::Decisions),
            notable: Vec::new(),
            verdict: None,
            stopped: false,
            cost: Vec::new(),
        }
    }
}

/// Every budget against twice as much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ladder {
    /// By budget.
    pub rungs: Vec<Rung>,
    /// Games played.
    pub games: u64,
    /// Games that were aborted.
    #[serde(flatten)]
    pub failures: Failures,
    /// Whether it was stopped early.
    pub stopped: bool,
}

/// One budget against twice as much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// The smaller budget.
    pub bot: String,
    /// The larger one.
    pub rival: String,
    /// Blocks played.
    pub blocks: u64,
    /// How often the larger one stands above the smaller one; even is 1/2.
    pub beats: Option<Estimate>,
    /// What a decision cost both. This is measured.
    pub cost: Vec<Cost>,
}

impl Ladder {
    /// Climbs from a spec with a range of budgets, such as `rollout:2..32`, each rung in as many blocks. `progress` gets the number of
    /// blocks done in all, and says whether to go on.
    ///
    /// # Errors
    /// The spec has no range of numbers; as [`Series::play`].
    pub fn climb(
        series: &Series,
        spec: &str,
        blocks: u64,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Self, LabError> {
        let specs = doubled(spec).ok_or_else(|| LabError::Ladder(spec.to_owned()))?;
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

/// The specs of a ladder: `rollout:2..8` is `rollout:2`, `rollout:4`, `rollout:8`. At least two of them.
#[must_use]
pub fn doubled(spec: &str) -> Option<Vec<String>> {
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
    fn a_margin_is_that_between_the_first_and_the_best_of_the_others() {
        let of = |scores: &[i32], ranks: &[u8], teams: &[i32]| {
            let row = GameRow {
                index: 0,
                seed: 1,
                players: u8::try_from(scores.len()).unwrap(),
                rounds: 1,
                decisions: 1,
                aborted: None,
                scores: scores.to_vec(),
                ranks: ranks.to_vec(),
                teams: teams.to_vec(),
                won: None,
                reason: String::new(),
                answers: Vec::new(),
            };
            margin(&row)
        };
        assert_eq!(of(&[9, 30, 12], &[3, 1, 2], &[]), 18);
        assert_eq!(of(&[9, 30, 12], &[1, 3, 2], &[]), 3, "least wins");
        assert_eq!(of(&[20, 12, 20, 12], &[1, 2, 1, 2], &[0, 1, 0, 1]), 8, "partners have the same score");
        assert_eq!(of(&[20], &[1], &[]), 0);
    }
}
