//! What an edit of the content changes: both versions played with the same seeds, seatings and bots.

use std::ops::ControlFlow;

use motherlode::{Decision, Game, Match, ModId, Replay, ReplayError, Setup};
use motherlode_play::{Experiment, Failures, Watch, mix};
use serde::{Deserialize, Serialize};

use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::of_blocks::of_blocks;
use crate::ratio::{DIFFERENCE, Difference, discoveries};
use crate::role::Roles;
use crate::sequential::{Hypotheses, Sequential, Verdict};
use crate::series::{Block, LabError, Series, Sitting, counted};

/// Blocks from which the spread of scores is taken, in which their differences are measured.
const SPREAD: usize = 16;

/// The versions of a series, in order.
const BASE: usize = 0;
const CHANGED: usize = 1;

/// Two versions of a game.
#[derive(Clone)]
pub struct Compare {
    /// The base is its game, the changed version the other one.
    pub series: Series,
    /// Number of blocks at most.
    pub blocks: u64,
    /// The smallest difference that matters: of a part of the first places, and of the mean score in standard deviations.
    pub matters: f64,
    /// Whether to end as soon as it is clear that something differs by as much, or nothing does.
    pub until: bool,
}

/// What an edit changes; the same on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompareReport {
    /// Id of the pack.
    pub game: String,
    /// The base: fingerprint and mods.
    pub base: (String, Vec<ModId>),
    /// The changed version: fingerprint and mods.
    pub changed: (String, Vec<ModId>),
    /// Players and options of the changed version; the seed is that of the experiment.
    pub setup: Setup,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Blocks played.
    pub blocks: u64,
    /// Pairs of games played.
    pub pairs: u64,
    /// Pairs that came out the same: scores, ranks, rounds and decisions.
    pub same: u64,
    /// Pairs of which a game was aborted; the reason says in which version.
    #[serde(flatten)]
    pub failures: Failures,
    /// What was measured.
    pub metrics: Vec<MetricDifference>,
    /// The smallest difference that matters.
    pub matters: f64,
    /// What the sequential test says.
    pub opinion: Opinion,
    /// Whether it was stopped before all blocks were played and without an opinion.
    pub stopped: bool,
    /// The first pair that came out otherwise.
    pub first: Option<Parting>,
}

/// What a sequential test says of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opinion {
    /// More blocks are needed.
    Open,
    /// Nothing differs by what matters.
    Same,
    /// This does.
    Differs(String),
}

/// One thing measured in both versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricDifference {
    /// Of whom, as the base names it.
    pub of: String,
    /// What.
    pub what: String,
    /// By how much it differs.
    pub difference: Difference,
    /// Whether that is a discovery: at most 5 % of all those of comparisons are false (Benjamini and Hochberg).
    pub found: bool,
}

/// Where two games part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parting {
    /// The block.
    pub block: u64,
    /// The seating, from 0.
    pub turn: usize,
    /// The seed of both games.
    pub seed: u64,
    /// Scores in the base, by seat.
    pub base: Vec<i32>,
    /// Scores in the changed version.
    pub changed: Vec<i32>,
    /// Number of the first answer that differs, from 1; `None`: all answers are alike, so only what they did differs.
    pub step: Option<usize>,
    /// What was asked and answered there, in the base and in the changed version; `None`: that game was over.
    pub told: [Option<Told>; 2],
}

/// A decision in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Who decided, from 0.
    pub seat: u8,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// Keys of all answers there were.
    pub choices: Vec<String>,
}

/// What the blocks of a comparison say together.
pub struct CompareSum {
    metrics: [Metrics; 2],
    jury: Jury,
    blocks: u64,
    pairs: u64,
    same: u64,
    failures: Failures,
    /// The first pair that came out otherwise: block, seating, and whether its result differs.
    first: Option<(u64, usize, bool)>,
}

impl Experiment for Compare {
    of_blocks!();

    type Sum = CompareSum;
    type Report = CompareReport;

    fn begin(&self) -> CompareSum {
        let metrics = [Metrics::default(), Metrics::default()];
        let (base, setup) = self.version(BASE);
        // Seats are judged where there are no roles.
        let parts = Roles::of(base, setup.players).definitions(base).len().max(usize::from(setup.players));
        let jury = Jury::new(self.matters, parts + 1);
        CompareSum { metrics, jury, blocks: 0, pairs: 0, same: 0, failures: Failures::default(), first: None }
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
            let alike = came_out(base) == came_out(changed);
            sum.same += u64::from(alike && !failed);
            // A game whose result differs says more than one that was only longer.
            let result = (&base.row.scores, &base.row.ranks) != (&changed.row.scores, &changed.row.ranks);
            if !alike && !failed && sum.first.is_none_or(|(_, _, earlier)| result && !earlier) {
                sum.first = Some((block.index, turn, result));
            }
        }
        // Only whole pairs are compared.
        let games = |version: usize| -> Vec<Sitting> {
            let whole =
                both(block).filter(|(base, changed)| base.row.aborted.is_none() && changed.row.aborted.is_none());
            whole.map(|pair| if version == BASE { pair.0.clone() } else { pair.1.clone() }).collect()
        };
        let games = [games(BASE), games(CHANGED)];
        for (metrics, games) in sum.metrics.iter_mut().zip(&games) {
            metrics.add(games);
        }
        sum.jury.hear(&games);
        if self.until && sum.jury.opinion() != Ok(None) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: CompareSum, stopped: bool) -> Result<CompareReport, LabError> {
        let CompareSum { metrics, jury, blocks, pairs, same, failures, first } = sum;
        let first = first.map(|(block, turn, _)| self.parting(block, turn)).transpose()?;
        let (base, changed) = self.games();
        // Subjects have the numbers of the base.
        let roles = Roles::of(base, self.series.game.1.players);
        let name = |subject| subject_name(base, &roles, &self.series.bots, subject);
        let opinion = match jury.opinion() {
            Ok(Some(subject)) => Opinion::Differs(name(subject)),
            Ok(None) => Opinion::Open,
            Err(Alike) => Opinion::Same,
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
            metrics: differences(&metrics, self.series.seed, name),
            matters: self.matters,
            opinion,
            stopped,
            first: first.flatten(),
        })
    }

    fn ends_early(&self) -> bool {
        self.until
    }
}

impl Compare {
    /// Plays. `progress` gets the number of blocks done, and says whether to go on.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<CompareReport, LabError> {
        counted(self, progress)
    }

    fn version(&self, version: usize) -> &(Game, Setup) {
        self.series.versions().nth(version).unwrap_or(&self.series.game)
    }

    fn games(&self) -> (&Game, &Game) {
        (&self.version(BASE).0, &self.version(CHANGED).0)
    }

    /// Plays a pair again, to see where it parts.
    fn parting(&self, block: u64, turn: usize) -> Result<Option<Parting>, LabError> {
        let mut books = [Book::default(), Book::default()];
        for (version, book) in books.iter_mut().enumerate() {
            self.series.again(version, block, turn, book)?;
        }
        let [base, changed] = &books;
        let length = base.told.len().max(changed.told.len());
        let step = (0..length).find(|step| base.told.get(*step) != changed.told.get(*step));
        let told = |book: &Book| step.and_then(|step| book.told.get(step).cloned());
        Ok(Some(Parting {
            block,
            turn,
            seed: self.series.blocks().seed(block),
            base: base.scores.clone(),
            changed: changed.scores.clone(),
            step: step.map(|step| step + 1),
            told: [told(base), told(changed)],
        }))
    }

    /// Both games of a parting as replays: that of the base, and that of the changed version.
    ///
    /// # Errors
    /// A bot does not exist; or a game cannot be played again, which is a fault of the engine.
    pub fn replays(&self, parting: &Parting) -> Result<[Result<Replay, ReplayError>; 2], LabError> {
        let replay = |version: usize| {
            let played = self.series.again(version, parting.block, parting.turn, &mut ())?;
            let game = &self.version(version).0;
            let (setup, answers) = played.unwrap_or_else(|| (self.version(version).1.clone(), Vec::new()));
            Ok::<_, LabError>(Replay::retrace(game, &setup, &answers).map(|replay| {
                Replay {
                    seats: self.series.blocks().seatings(parting.block)[parting.turn]
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

fn both(block: &Block) -> impl Iterator<Item = (&Sitting, &Sitting)> {
    let version = |version: usize| block.games.get(version).map_or(&[][..], Vec::as_slice);
    version(BASE).iter().zip(version(CHANGED))
}

fn came_out(game: &Sitting) -> (&[i32], &[u8], i32, u32) {
    (&game.row.scores, &game.row.ranks, game.row.rounds, game.row.decisions)
}

fn differences(metrics: &[Metrics; 2], seed: u64, name: impl Fn(Subject) -> String) -> Vec<MetricDifference> {
    let [base, changed] = metrics;
    let told = |subject: Subject, measure: Measure| match (subject, measure) {
        (Subject::All, _) => Some(match measure {
            Measure::Rounds => "rounds",
            Measure::Decisions => "decisions",
            _ => "score",
        }),
        (Subject::Seat(_) | Subject::Role(..), Measure::Share) => Some("win share"),
        (Subject::Role(..), Measure::Score) => Some("score"),
        _ => None,
    };
    let mut rows: Vec<MetricDifference> = base
        .all()
        .filter_map(|(subject, measure, ratio)| {
            let what = told(subject, measure)?;
            let bounds = measure.bounds().map(|_| DIFFERENCE);
            let difference = changed.ratio(subject, measure)?.more_than(ratio, mix(seed, 1), bounds)?;
            Some(MetricDifference { of: name(subject), what: what.to_owned(), difference, found: false })
        })
        .collect();
    let p: Vec<f64> = rows.iter().map(|row| row.difference.p).collect();
    for (row, found) in rows.iter_mut().zip(discoveries(&p)) {
        row.found = found;
    }
    rows
}

/// Nothing differs by what matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Alike;

/// Sequential tests of what matters: the mean score, and the parts of the first places by seat, or by role where there are roles.
struct Jury {
    matters: f64,
    /// How many subjects are judged at most.
    subjects: usize,
    /// Mean scores of the first blocks, by version, until their spread is known.
    waiting: Vec<[f64; 2]>,
    /// All scores of the base in these.
    scores: Vec<f64>,
    spread: Option<f64>,
    tests: Vec<(Subject, [Sequential; 2])>,
}

impl Jury {
    fn new(matters: f64, subjects: usize) -> Self {
        Self { matters, subjects, waiting: Vec::new(), scores: Vec::new(), spread: None, tests: Vec::new() }
    }

    fn test(&mut self, subject: Subject) -> &mut [Sequential; 2] {
        let at = self.tests.iter().position(|(known, _)| *known == subject).unwrap_or_else(|| {
            // Each asks twice, for more and for less.
            let tests = 2 * self.subjects;
            let test = |sign: f64| Sequential::of_several(Hypotheses { h0: 0.0, h1: sign * self.matters }, tests);
            self.tests.push((subject, [test(1.0), test(-1.0)]));
            self.tests.len() - 1
        });
        &mut self.tests[at].1
    }

    fn hear(&mut self, games: &[Vec<Sitting>; 2]) {
        let mut block = [Metrics::default(), Metrics::default()];
        for (metrics, games) in block.iter_mut().zip(games) {
            metrics.add(games);
        }
        let [base, changed] = &block;
        let has_roles = base.all().any(|(subject, ..)| matches!(subject, Subject::Role(..)));
        let judged = |subject: &Subject| match subject {
            Subject::Seat(_) => !has_roles,
            Subject::Role(..) => true,
            _ => false,
        };
        for (subject, measure, ratio) in base.all().filter(|found| found.1 == Measure::Share && judged(&found.0)) {
            let Some((old, new)) = ratio.value().zip(changed.ratio(subject, measure).and_then(|new| new.value()))
            else {
                continue;
            };
            for test in self.test(subject) {
                test.push(new - old);
            }
        }
        let mean = |metrics: &Metrics| metrics.ratio(Subject::All, Measure::Score).and_then(|score| score.value());
        let Some((old, new)) = mean(base).zip(mean(changed)) else { return };
        self.waiting.push([old, new]);
        if self.spread.is_none() {
            self.scores.extend(games[BASE].iter().flat_map(|game| game.row.scores.iter().copied().map(f64::from)));
            if self.waiting.len() >= SPREAD {
                // Scores that are all equal (only ranks count) have no spread: none at all is no difference then, any other a large one.
                self.spread = Some(deviation(&std::mem::take(&mut self.scores)).max(f64::EPSILON));
            }
        }
        if let Some(spread) = self.spread {
            for [old, new] in std::mem::take(&mut self.waiting) {
                for test in self.test(Subject::All) {
                    test.push((new - old) / spread);
                }
            }
        }
    }

    /// What differs, nothing yet, or that all is alike.
    fn opinion(&self) -> Result<Option<Subject>, Alike> {
        let differs = |(_, tests): &&(Subject, [Sequential; 2])| tests.iter().any(|test| test.verdict() == Verdict::H1);
        if let Some((subject, _)) = self.tests.iter().find(differs) {
            return Ok(Some(*subject));
        }
        let alike = |(_, tests): &(Subject, [Sequential; 2])| tests.iter().all(|test| test.verdict() == Verdict::H0);
        if !self.tests.is_empty() && self.spread.is_some() && self.tests.iter().all(alike) {
            Err(Alike)
        } else {
            Ok(None)
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the scores of a block")]
fn deviation(numbers: &[f64]) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    let squares: f64 = numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
    (squares / numbers.len().max(1) as f64).sqrt()
}

/// Writes down what is asked and answered.
#[derive(Debug, Default)]
struct Book {
    told: Vec<Told>,
    scores: Vec<i32>,
}

impl Watch for Book {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        let choices = m.legal();
        self.told.push(Told {
            seat: decision.seat,
            question: decision.text(m.game()),
            answer: choices.get(choice).map_or_else(String::new, |choice| choice.label.clone()),
            choices: choices.iter().map(|choice| choice.key().to_owned()).collect(),
        });
    }

    fn ended(&mut self, m: &Match) {
        self.scores = m.outcome().map(|outcome| outcome.scores).unwrap_or_default();
    }
}
