//! Comparison of two versions of a game, played with the same seeds, seatings and bots.

use std::ops::ControlFlow;

use motherlode::declare::OutcomeDecl;
use motherlode::{Decision, Game, Match, ModId, Replay, ReplayError, Setup};
use motherlode_play::{Experiment, Failures, Repetition, Watch, mix};
use serde::{Deserialize, Serialize};

use crate::block_experiment::block_experiment;
use crate::changed_items::{ChangedItem, ItemChange};
use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::objective::Objective;
use crate::ratio::{DIFFERENCE_BOUNDS, Difference, discoveries};
use crate::role::Roles;
use crate::sequential::{Hypotheses, Sequential, Verdict};
use crate::series::{Block, LabError, SeatedGame, Series, run_experiment};
use crate::use_sums::{UseMeasure, UseSums};

/// Number of blocks that determine the standard deviation of scores. Score differences are measured in this
/// unit.
const SPREAD: usize = 16;

/// Larger differences, in this unit, count as this one for the sequential tests: a few games must not decide alone.
const LARGE: f64 = 4.0;

/// Indices of the versions in a series.
const BASE: usize = 0;
const CHANGED: usize = 1;

/// A comparison of two versions of a game.
#[derive(Clone)]
pub struct Compare {
    /// The base (`game`) and the changed version (`other`).
    pub series: Series,
    /// Maximum number of blocks.
    pub blocks: u64,
    /// The smallest difference that matters: of a win share, or of a mean score or margin in standard deviations.
    pub matters: f64,
    /// Whether to end early once the sequential tests decide whether anything differs by `matters`.
    pub until: bool,
}

/// Results of a comparison. Reproducible on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompareReport {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint and mods of the base.
    pub base: (String, Vec<ModId>),
    /// Fingerprint and mods of the changed version.
    pub changed: (String, Vec<ModId>),
    /// Players and options of the changed version. The seed is that of the experiment.
    pub setup: Setup,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Blocks played.
    pub blocks: u64,
    /// Number of pairs of games played.
    pub pairs: u64,
    /// Number of pairs with the same scores, ranks, rounds and decisions.
    pub same: u64,
    /// Pairs with an aborted game. The reason names the version.
    #[serde(flatten)]
    pub failures: Failures,
    /// The quantity by which the base is judged.
    pub objective: Objective,
    /// Measured differences.
    pub metrics: Vec<MetricDifference>,
    /// The items that the edit changes, with the differences of their uses.
    pub items: Vec<ChangedItemReport>,
    /// The smallest difference that matters.
    pub matters: f64,
    /// Result of the sequential tests.
    pub opinion: Opinion,
    /// Whether all pairs with the same seating were the same pair: neither the versions nor the bots used chance, so
    /// more blocks say no more.
    #[serde(default)]
    pub is_repetition: bool,
    /// Whether the run was stopped before the last block and without a result of the sequential tests.
    pub stopped: bool,
    /// The first pair with different scores or ranks; without one, the first pair that differs in length.
    pub first: Option<Divergence>,
}

/// Result of the sequential tests of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opinion {
    /// More blocks are needed.
    Undecided,
    /// Nothing differs by `matters`.
    Same,
    /// This quantity differs by `matters`.
    Differs {
        /// Name of the subject in the base.
        of: String,
        /// Name of the quantity.
        what: String,
    },
}

/// A quantity measured in both versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricDifference {
    /// Name of the subject in the base.
    pub of: String,
    /// Name of the quantity.
    pub what: String,
    /// Values and difference.
    pub difference: Difference,
    /// Whether the difference is a discovery. The false-discovery rate of a comparison is held at 5 % (Benjamini
    /// and Hochberg).
    pub found: bool,
}

/// The uses of an item that an edit changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedItemReport {
    /// Kind of the item: the kind of a card, the prompt of an action, a grid.
    pub kind: String,
    /// Display name.
    pub name: String,
    /// How the edit changes it.
    pub change: ItemChange,
    /// Differences of the quantities that were measured in both versions. Discoveries are counted apart from those of
    /// the game.
    pub uses: Vec<MetricDifference>,
}

/// The point at which two games of a pair diverge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Divergence {
    /// Index of the block.
    pub block: u64,
    /// Index of the seating, from 0.
    pub turn: usize,
    /// Seed of both games.
    pub seed: u64,
    /// Scores in the base, by seat.
    pub base: Vec<i32>,
    /// Scores in the changed version, by seat.
    pub changed: Vec<i32>,
    /// The number of steps in a point: with 2, a score of 7 is 3½ points. 0: scores are whole points.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub unit: i32,
    /// Number of the first answer that differs, from 1; `None` if all answers are the same and only their
    /// effects differ.
    pub step: Option<usize>,
    /// The decision at this point in the base and in the changed version; `None` where the game was over.
    pub decisions: [Option<RecordedDecision>; 2],
}

/// A decision as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedDecision {
    /// Seat that decided, from 0.
    pub seat: u8,
    /// Text of the question.
    pub question: String,
    /// Label of the answer.
    pub answer: String,
    /// Keys of all legal answers.
    pub choices: Vec<String>,
}

/// Sums over the blocks of a comparison.
pub struct CompareSum {
    metrics: [Metrics; 2],
    items: Vec<ChangedItem>,
    uses: [UseSums; 2],
    tests: DifferenceTests,
    blocks: u64,
    pairs: u64,
    same: u64,
    failures: Failures,
    repetitions: [Repetition; 2],
    /// The first pair that differs: block, seating, and whether its result differs.
    first: Option<(u64, usize, bool)>,
}

impl Experiment for Compare {
    block_experiment!();

    type Sum = CompareSum;
    type Report = CompareReport;

    fn begin(&self) -> CompareSum {
        let metrics = self.metrics();
        let (base, setup) = self.version(BASE);
        // Seats are tested if the game has no roles.
        let parts = Roles::of(base, setup.players).definitions(base).len().max(usize::from(setup.players));
        // The score, and the win share of a cooperative game.
        let of_all = 1 + usize::from(base.declarations().outcome.won.is_some());
        let tests = DifferenceTests::new(self.matters, parts + of_all, base);
        let items = self.series.changed_items();
        let uses = [BASE, CHANGED].map(|version| UseSums::new(&self.version(version).0, items.len()));
        CompareSum {
            metrics,
            items,
            uses,
            tests,
            blocks: 0,
            pairs: 0,
            same: 0,
            failures: Failures::default(),
            repetitions: Default::default(),
            first: None,
        }
    }

    fn add(&self, sum: &mut CompareSum, block: &Block) -> ControlFlow<()> {
        sum.blocks += 1;
        for (turn, (base, changed)) in both(block).enumerate() {
            sum.pairs += 1;
            let reasons = [("base", base), ("changed", changed)];
            let failed = reasons.iter().find_map(|(version, one)| Some((version, one.row.aborted.as_ref()?)));
            if let Some((version, reason)) = failed {
                sum.failures.add(&format!("{version}: {reason}"), base.row.seed);
            }
            let failed = failed.is_some();
            let alike = base.result() == changed.result();
            sum.same += u64::from(alike && !failed);
            // A different result is more telling than a different length.
            let result = (&base.row.scores, &base.row.ranks) != (&changed.row.scores, &changed.row.ranks);
            if !alike && !failed && sum.first.is_none_or(|(_, _, earlier)| result && !earlier) {
                sum.first = Some((block.index, turn, result));
            }
        }
        // Incomplete pairs are not compared.
        let games = |version: usize| -> Vec<SeatedGame> {
            let whole =
                both(block).filter(|(base, changed)| base.row.aborted.is_none() && changed.row.aborted.is_none());
            whole.map(|pair| if version == BASE { pair.0.clone() } else { pair.1.clone() }).collect()
        };
        let games = [games(BASE), games(CHANGED)];
        for (metrics, games) in sum.metrics.iter_mut().zip(&games) {
            metrics.add(games);
        }
        for (uses, games) in sum.uses.iter_mut().zip(&games) {
            uses.add(games);
        }
        for (repetition, games) in sum.repetitions.iter_mut().zip(&games) {
            games.iter().for_each(|game| game.add_to(repetition));
        }
        sum.tests.add_block(&games, self.metrics());
        if self.until && sum.tests.opinion() != Ok(None) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: CompareSum, stopped: bool) -> Result<CompareReport, LabError> {
        let CompareSum { metrics, items, uses, tests, blocks, pairs, same, failures, repetitions, first } = sum;
        let first = first.map(|(block, turn, _)| self.divergence(block, turn)).transpose()?;
        let (base, changed) = self.games();
        // Subjects use the indices of the base.
        let roles = Roles::of(base, self.series.game.1.players);
        let name = |subject| subject_name(base, &roles, &self.series.bots, subject);
        let opinion = match tests.opinion() {
            Ok(Some((subject, measure))) => Opinion::Differs { of: name(subject), what: measure.name().to_owned() },
            Ok(None) => Opinion::Undecided,
            Err(NoDifference) => Opinion::Same,
        };
        Ok(CompareReport {
            game: base.declarations().id.clone(),
            base: (base.fingerprint().to_owned(), base.mods().to_vec()),
            changed: (changed.fingerprint().to_owned(), changed.mods().to_vec()),
            setup: Setup { seed: self.series.seed, ..self.version(CHANGED).1.clone() },
            bots: self.series.bots.clone(),
            blocks,
            pairs,
            same,
            failures,
            objective: self.objective(),
            metrics: differences(&metrics, self.series.seed, Tested::of(base), name),
            items: item_differences(&items, &uses, self.series.seed),
            matters: self.matters,
            opinion,
            is_repetition: repetitions.iter().all(Repetition::is_found),
            stopped,
            first: first.flatten(),
        })
    }

    fn ends_early(&self) -> bool {
        self.until
    }
}

impl Compare {
    /// Runs the comparison. `progress` gets the number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<CompareReport, LabError> {
        run_experiment(self, progress)
    }

    /// Returns empty measurements of both versions.
    fn metrics(&self) -> [Metrics; 2] {
        [BASE, CHANGED].map(|version| Metrics::of(&self.version(version).0))
    }

    fn objective(&self) -> Objective {
        Objective::of(&self.version(BASE).0.declarations().outcome)
    }

    fn version(&self, version: usize) -> &(Game, Setup) {
        self.series.versions().nth(version).unwrap_or(&self.series.game)
    }

    fn games(&self) -> (&Game, &Game) {
        (&self.version(BASE).0, &self.version(CHANGED).0)
    }

    /// Plays a pair again to find where its games diverge.
    fn divergence(&self, block: u64, turn: usize) -> Result<Option<Divergence>, LabError> {
        let mut logs = [DecisionLog::default(), DecisionLog::default()];
        for (version, log) in logs.iter_mut().enumerate() {
            self.series.replay(version, block, turn, log)?;
        }
        let [base, changed] = &logs;
        let length = base.decisions.len().max(changed.decisions.len());
        let step = (0..length).find(|step| base.decisions.get(*step) != changed.decisions.get(*step));
        let decision_at = |log: &DecisionLog| step.and_then(|step| log.decisions.get(step).cloned());
        Ok(Some(Divergence {
            block,
            turn,
            seed: self.series.blocks().seed(block),
            base: base.scores.clone(),
            changed: changed.scores.clone(),
            unit: base.unit,
            step: step.map(|step| step + 1),
            decisions: [decision_at(base), decision_at(changed)],
        }))
    }

    /// Returns both games of a pair as replays: base, then changed version.
    ///
    /// # Errors
    /// A bot spec is invalid. The inner error is a game that cannot be replayed, which is an engine bug.
    pub fn replays(&self, divergence: &Divergence) -> Result<[Result<Replay, ReplayError>; 2], LabError> {
        let replay = |version: usize| {
            let played = self.series.replay(version, divergence.block, divergence.turn, &mut ())?;
            let game = &self.version(version).0;
            let (setup, answers) = played.unwrap_or_else(|| (self.version(version).1.clone(), Vec::new()));
            Ok::<_, LabError>(Replay::retrace(game, &setup, &answers).map(|replay| {
                Replay {
                    seats: self.series.blocks().seatings(divergence.block)[divergence.turn]
                        .iter()
                        .map(|bot| self.series.bots[*bot].clone())
                        .collect(),
                    ..replay
                }
            }))
        };
        Ok([replay(BASE)?, replay(CHANGED)?])
    }
}

fn both(block: &Block) -> impl Iterator<Item = (&SeatedGame, &SeatedGame)> {
    let version = |version: usize| block.games.get(version).map_or(&[][..], Vec::as_slice);
    version(BASE).iter().zip(version(CHANGED))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_whole(unit: &i32) -> bool {
    *unit == 0
}

/// The quantities that a comparison tests.
#[derive(Debug, Clone, Copy)]
struct Tested {
    /// The quantity by which the game is judged.
    judged: Measure,
    /// Whether seats differ: not in a cooperative game.
    contest: bool,
}

impl Tested {
    fn of(base: &Game) -> Self {
        let declared = &base.declarations().outcome;
        Self { judged: Objective::of(declared).into(), contest: !declared.shared }
    }

    /// Whether the table has a line for this measurement.
    fn is_shown(self, subject: Subject, measure: Measure) -> bool {
        match subject {
            Subject::All => matches!(measure, Measure::Share | Measure::Score | Measure::Rounds | Measure::Decisions),
            Subject::Seat(_) => self.contest && measure == self.judged,
            Subject::Role(..) => measure == self.judged || measure == Measure::Score,
            _ => false,
        }
    }
}

fn differences(
    metrics: &[Metrics; 2],
    seed: u64,
    tested: Tested,
    name: impl Fn(Subject) -> String,
) -> Vec<MetricDifference> {
    let [base, changed] = metrics;
    let mut rows: Vec<MetricDifference> = base
        .all()
        .filter_map(|(subject, measure, ratio)| {
            if !tested.is_shown(subject, measure) {
                return None;
            }
            let bounds = measure.bounds().map(|_| DIFFERENCE_BOUNDS);
            let difference = changed.ratio(subject, measure)?.difference_from(ratio, mix(seed, 1), bounds)?;
            Some(MetricDifference { of: name(subject), what: measure.name().to_owned(), difference, found: false })
        })
        .collect();
    let p: Vec<f64> = rows.iter().map(|row| row.difference.p).collect();
    for (row, found) in rows.iter_mut().zip(discoveries(&p)) {
        row.found = found;
    }
    rows
}

/// Returns the differences of the uses of each item. Points at once are left out where no version has any.
fn item_differences(items: &[ChangedItem], uses: &[UseSums; 2], seed: u64) -> Vec<ChangedItemReport> {
    let [base, changed] = uses;
    let row = |place: usize, of: &str, measure: UseMeasure| {
        let difference = changed.difference_from(base, place, measure, seed)?;
        let is_telling = measure != UseMeasure::Scored || difference.base != 0.0 || difference.changed != 0.0;
        let what = measure.name().to_owned();
        is_telling.then(|| MetricDifference { of: of.to_owned(), what, difference, found: false })
    };
    let report = |(place, item): (usize, &ChangedItem)| ChangedItemReport {
        kind: item.kind.clone(),
        name: item.name.clone(),
        change: item.change,
        uses: UseMeasure::ALL.iter().filter_map(|measure| row(place, &item.name, *measure)).collect(),
    };
    let mut reports: Vec<ChangedItemReport> = items.iter().enumerate().map(report).collect();
    let p: Vec<f64> = reports.iter().flat_map(|report| &report.uses).map(|row| row.difference.p).collect();
    let rows = reports.iter_mut().flat_map(|report| &mut report.uses);
    for (row, found) in rows.zip(discoveries(&p)) {
        row.found = found;
    }
    reports
}

/// Nothing differs by `matters`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NoDifference;

/// Sequential tests of the mean score, and of the judged quantity by role, or by seat if the game has no roles.
struct DifferenceTests {
    matters: f64,
    /// Maximum number of subjects.
    subjects: usize,
    tested: Tested,
    declared: OutcomeDecl,
    /// Differences of scores and margins in the first blocks, until their standard deviations are known.
    waiting: Vec<(Subject, Measure, f64)>,
    /// Blocks that the standard deviations are made of, up to `SPREAD`.
    blocks: usize,
    /// All scores and all utilities of the base in these blocks.
    values: [Vec<f64>; 2],
    /// The standard deviation of scores, and of utilities.
    spread: Option<[f64; 2]>,
    tests: Vec<(Subject, Measure, [Sequential; 2])>,
}

impl DifferenceTests {
    fn new(matters: f64, subjects: usize, base: &Game) -> Self {
        Self {
            matters,
            subjects,
            tested: Tested::of(base),
            declared: base.declarations().outcome.clone(),
            waiting: Vec::new(),
            blocks: 0,
            values: Default::default(),
            spread: None,
            tests: Vec::new(),
        }
    }

    fn push(&mut self, subject: Subject, measure: Measure, difference: f64) {
        let known = |(of, what, _): &(Subject, Measure, [Sequential; 2])| (*of, *what) == (subject, measure);
        let at = self.tests.iter().position(known).unwrap_or_else(|| {
            // Each subject has two tests: higher and lower.
            let tests = 2 * self.subjects;
            let test = |sign: f64| {
                let hypotheses = Hypotheses { h0: 0.0, h1: sign * self.matters };
                Sequential::of_several(hypotheses, tests).of_difference()
            };
            self.tests.push((subject, measure, [test(1.0), test(-1.0)]));
            self.tests.len() - 1
        });
        for test in &mut self.tests[at].2 {
            test.push(difference);
        }
    }

    fn add_block(&mut self, games: &[Vec<SeatedGame>; 2], mut block: [Metrics; 2]) {
        for (metrics, games) in block.iter_mut().zip(games) {
            metrics.add(games);
        }
        let [base, changed] = &block;
        let has_roles = base.all().any(|(subject, ..)| matches!(subject, Subject::Role(..)));
        let Tested { judged, contest } = self.tested;
        let is_tested = |subject: Subject, measure: Measure| match subject {
            Subject::All => matches!(measure, Measure::Score | Measure::Share),
            Subject::Seat(_) => contest && !has_roles && measure == judged,
            Subject::Role(..) => measure == judged,
            _ => false,
        };
        for (subject, measure, ratio) in base.all().filter(|found| is_tested(found.0, found.1)) {
            let new = changed.ratio(subject, measure).and_then(|new| new.value());
            let Some((old, new)) = ratio.value().zip(new) else { continue };
            match measure {
                Measure::Share => self.push(subject, measure, new - old),
                _ => self.waiting.push((subject, measure, new - old)),
            }
        }
        self.measure_spread(&games[BASE]);
        if let Some([scores, utilities]) = self.spread {
            for (subject, measure, difference) in std::mem::take(&mut self.waiting) {
                let spread = if measure == Measure::Score { scores } else { utilities };
                self.push(subject, measure, (difference / spread).clamp(-LARGE, LARGE));
            }
        }
    }

    /// Measures the standard deviations from the first blocks of the base.
    fn measure_spread(&mut self, base: &[SeatedGame]) {
        if self.spread.is_some() || base.is_empty() {
            return;
        }
        for row in base.iter().map(|game| &game.row) {
            for seat in 0..row.scores.len() {
                self.values[0].push(row.score(seat));
                self.values[1].push(row.utility(&self.declared, seat));
            }
        }
        self.blocks += 1;
        if self.blocks >= SPREAD {
            // If all scores are equal (only ranks count), any difference in score is large.
            let values = std::mem::take(&mut self.values);
            self.spread = Some(values.map(|values| deviation(&values).max(f64::EPSILON)));
        }
    }

    /// Returns the quantity that differs, `None` if undecided, or the error if nothing differs.
    fn opinion(&self) -> Result<Option<(Subject, Measure)>, NoDifference> {
        let all = |tests: &[Sequential; 2], verdict: Verdict| tests.iter().all(|test| test.verdict() == verdict);
        let differs = |tests: &[Sequential; 2]| tests.iter().any(|test| test.verdict() == Verdict::H1);
        if let Some((subject, measure, _)) = self.tests.iter().find(|(.., tests)| differs(tests)) {
            return Ok(Some((*subject, *measure)));
        }
        let alike = self.tests.iter().all(|(.., tests)| all(tests, Verdict::H0));
        if !self.tests.is_empty() && self.spread.is_some() && alike { Err(NoDifference) } else { Ok(None) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the scores of a block")]
fn deviation(numbers: &[f64]) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let squares: f64 = numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
    (squares / numbers.len().max(1) as f64).sqrt()
}

/// Records the decisions and scores of a game.
#[derive(Debug, Default)]
struct DecisionLog {
    decisions: Vec<RecordedDecision>,
    scores: Vec<i32>,
    unit: i32,
}

impl Watch for DecisionLog {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        let choices = m.legal();
        self.decisions.push(RecordedDecision {
            seat: decision.seat,
            question: decision.text(m.game()),
            answer: choices.get(choice).map_or_else(String::new, |choice| choice.label.clone()),
            choices: choices.iter().map(|choice| choice.key().to_owned()).collect(),
        });
    }

    fn ended(&mut self, m: &Match) {
        if let Some(outcome) = m.outcome() {
            (self.scores, self.unit) = (outcome.scores, outcome.unit);
        }
    }
}
