//! Tests of expectations: a sequential test for each bound of each subject.

use motherlode::{Decision, Game, Match, Setup};
use motherlode_content::balance::BalanceQuantity;
use motherlode_play::{Failures, GameDigest, Interval, Pattern, Repetition, View, Watch};
use serde::{Deserialize, Serialize};

use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::ratio::{Estimate, Ratio, SHARE_BOUNDS};
use crate::role::Roles;
use crate::sequential::{Hypotheses, Sequential, Verdict};
use crate::series::SeatedGame;

/// An expectation with resolved names and existing bots.
#[derive(Debug, Clone)]
pub struct Expectation {
    /// File and line.
    pub place: (String, u32),
    /// Reason that the file gives.
    pub text: String,
    /// The expectation in words: `share of factions from 25 to 42 %`.
    pub what: String,
    /// Bots as the file names them.
    pub bots: Vec<String>,
    pub(crate) measured: BalanceQuantity,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) specs: Vec<String>,
    pub(crate) setup: Setup,
    pub(crate) games: u32,
    pub(crate) of: Target,
}

/// The target of a measurement.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Game(Measure),
    Subjects(Vec<Subject>),
    /// Seats whose role is one of these definitions, whatever its source.
    Roles(Vec<usize>),
    Choices(Vec<Pattern>),
}

/// The result of an expectation. Reproducible on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// File of the expectation.
    pub file: String,
    /// Line of its table, from 1.
    pub line: u32,
    /// The expectation in words.
    pub what: String,
    /// Reason that the file gives.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Half-width of the indifference zone about a bound: within it either judgement is acceptable. For shares
    /// and takes, 0.01 is one percentage point.
    pub near: f64,
    /// Bots that played.
    pub bots: Vec<String>,
    /// Number of players.
    pub players: u8,
    /// Games played.
    pub games: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// Whether all games with the same seating were the same game: neither the game nor the bots used chance.
    #[serde(default)]
    pub is_repetition: bool,
    /// Whether the expectation holds.
    pub judgement: Judgement,
    /// Results by subject.
    pub subjects: Vec<SubjectFinding>,
}

/// The result of one subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubjectFinding {
    /// Name of the subject.
    pub name: String,
    /// The measured value; `None` without data.
    pub value: Option<Estimate>,
    /// Whether the value is within the bounds.
    pub judgement: Judgement,
    /// The games after which this was known: later games changed the value, not the judgement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_after: Option<u64>,
}

/// The judgement of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Met: the value is within the bounds.
    Passed,
    /// Not met: the value is outside the bounds.
    Failed,
    /// Undecided: the value is too close to a bound for this number of games.
    Undecided,
}

/// Shift of both hypotheses outwards, as a share of the half-width. Bounds are inclusive: without the shift, a
/// value equal to a bound would lie midway between the hypotheses and stay undecided for ever.
const LEAN: f64 = 0.1;

/// Seed of all balance tests. It is fixed, so results change with the game but not from run to run.
pub(crate) const SEED: u64 = 1;

/// Counts how often patterns were offered and taken in a game.
pub(crate) struct TakeCounter {
    pub roles: Roles,
    pub patterns: Vec<Pattern>,
    pub counts: Vec<[u32; 2]>,
    pub digest: GameDigest,
}

impl TakeCounter {
    pub fn begin(&mut self) {
        self.roles.begin();
        self.digest.begin();
        self.counts = vec![[0, 0]; self.patterns.len()];
    }
}

impl Watch for TakeCounter {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.roles.chosen(m, decision, choice);
        self.digest.chosen(m, decision, choice);
        if self.patterns.is_empty() || m.choices().len() < 2 {
            return;
        }
        let view = View::new(m, decision, &self.patterns);
        let all: Vec<usize> = (0..m.choices().len()).collect();
        let mut selected = Vec::new();
        for (pattern, count) in self.patterns.iter().zip(&mut self.counts) {
            selected.clear();
            pattern.select(&view, &all, &mut selected);
            count[0] += u32::from(!selected.is_empty());
            count[1] += u32::from(selected.contains(&choice));
        }
    }

    fn ended(&mut self, m: &Match) {
        self.roles.ended(m);
        self.digest.ended(m);
    }
}

/// Tests one expectation, block by block.
pub(crate) struct Judge<'e> {
    pub expectation: &'e Expectation,
    subjects: Vec<Trial>,
    games: u64,
    failures: Failures,
    repetition: Repetition,
    bots: Vec<String>,
}

/// The sequential tests of one subject: one for each bound.
struct Trial {
    of: TrialTarget,
    ratio: Ratio,
    tests: Vec<Sequential>,
    /// The games after which it was decided.
    known_after: Option<u64>,
}

#[derive(Clone, Copy)]
enum TrialTarget {
    Game(Measure),
    Subject(Subject),
    Role(usize),
    /// Index of the pattern.
    Choice(usize),
}

impl<'e> Judge<'e> {
    pub fn new(expectation: &'e Expectation) -> Self {
        let of: Vec<TrialTarget> = match &expectation.of {
            Target::Game(measure) => vec![TrialTarget::Game(*measure)],
            Target::Subjects(subjects) => subjects.iter().copied().map(TrialTarget::Subject).collect(),
            Target::Roles(definitions) => definitions.iter().copied().map(TrialTarget::Role).collect(),
            Target::Choices(patterns) => (0..patterns.len()).map(TrialTarget::Choice).collect(),
        };
        let bounds = expectation.hypotheses();
        let tests = of.len() * bounds.len();
        let test = |bound: &Hypotheses| {
            let test = Sequential::of_several(*bound, tests);
            if expectation.measured.is_percent() { test.of_share() } else { test }
        };
        let tests = || bounds.iter().map(test).collect();
        let trial = |of| Trial { of, ratio: Ratio::default(), tests: tests(), known_after: None };
        let subjects = of.into_iter().map(trial).collect();
        let (failures, repetition, bots) = (Failures::default(), Repetition::default(), expectation.bots.clone());
        Self { expectation, subjects, games: 0, failures, repetition, bots }
    }

    pub fn patterns(&self) -> impl Iterator<Item = &'e Pattern> + use<'e> {
        match &self.expectation.of {
            Target::Choices(patterns) => patterns.iter(),
            _ => [].iter(),
        }
    }

    pub fn add_block(&mut self, games: &[SeatedGame], metrics: &Metrics, counts: &[&[[u32; 2]]]) {
        self.games += games.len() as u64;
        games.iter().for_each(|game| self.failures.see(&game.row));
        games.iter().for_each(|game| game.add_to(&mut self.repetition));
        let measure = match self.expectation.measured {
            BalanceQuantity::Score => Measure::Score,
            BalanceQuantity::Margin => Measure::Margin,
            _ => Measure::Share,
        };
        let sum = |ratio: Option<&Ratio>| {
            ratio.and_then(|ratio| Some((ratio.value()? * ratio.whole(), ratio.whole()))).unwrap_or_default()
        };
        for trial in &mut self.subjects {
            let (part, whole) = match trial.of {
                TrialTarget::Game(measure) => sum(metrics.ratio(Subject::All, measure)),
                TrialTarget::Subject(subject) => sum(metrics.ratio(subject, measure)),
                TrialTarget::Role(definition) => {
                    let is_it = |subject: &Subject| matches!(subject, Subject::Role(_, own) if *own == definition);
                    let found = metrics.all().find(|found| is_it(&found.0) && found.1 == measure);
                    sum(found.map(|found| found.2))
                }
                TrialTarget::Choice(at) => {
                    let played = games.iter().zip(counts).filter(|(game, _)| game.row.aborted.is_none());
                    played.fold((0.0, 0.0), |(part, whole), (_, counts)| {
                        let [offered, taken] = counts[at].map(f64::from);
                        (part + taken, whole + offered)
                    })
                }
            };
            trial.ratio.push(part, whole);
            for test in &mut trial.tests {
                test.push_part(part, whole);
            }
            if trial.known_after.is_none() && trial.judgement() != Judgement::Undecided {
                trial.known_after = Some(self.games);
            }
        }
    }

    fn judgement(&self) -> Judgement {
        let all: Vec<Judgement> = self.subjects.iter().map(Trial::judgement).collect();
        if all.contains(&Judgement::Failed) {
            Judgement::Failed
        } else if all.contains(&Judgement::Undecided) {
            Judgement::Undecided
        } else {
            Judgement::Passed
        }
    }

    pub fn is_decided(&self) -> bool {
        self.judgement() != Judgement::Undecided
    }

    pub fn finding(self, game: &Game) -> Finding {
        let Expectation { place, what, text, setup, .. } = self.expectation;
        let roles = Roles::of(game, setup.players);
        let d = game.declarations();
        let name = |of: TrialTarget| match of {
            TrialTarget::Game(_) => "all".to_owned(),
            TrialTarget::Subject(subject) => subject_name(game, &roles, &self.bots, subject),
            TrialTarget::Role(definition) => d.definitions[definition].name.clone(),
            TrialTarget::Choice(at) => {
                self.patterns().nth(at).map_or_else(String::new, |pattern| pattern.text().to_owned())
            }
        };
        let subject = |trial: &Trial| SubjectFinding {
            name: name(trial.of),
            value: trial.ratio.estimate(SEED, self.expectation.bounds()),
            judgement: trial.judgement(),
            known_after: trial.known_after,
        };
        Finding {
            file: place.0.clone(),
            line: place.1,
            what: what.clone(),
            text: text.clone(),
            near: self
                .expectation
                .hypotheses()
                .iter()
                .map(|bound| (bound.h1 - bound.h0).abs() / 2.0)
                .fold(0.0, f64::max),
            bots: self.bots.clone(),
            players: setup.players,
            games: self.games,
            failures: self.failures.clone(),
            is_repetition: self.repetition.is_found(),
            judgement: self.judgement(),
            subjects: self.subjects.iter().map(subject).collect(),
        }
    }
}

impl Trial {
    fn judgement(&self) -> Judgement {
        let verdicts = || self.tests.iter().map(Sequential::verdict);
        if verdicts().any(|verdict| verdict == Verdict::H0) {
            Judgement::Failed
        } else if verdicts().all(|verdict| verdict == Verdict::H1) {
            Judgement::Passed
        } else {
            Judgement::Undecided
        }
    }
}

impl Expectation {
    /// Bounds of the measured quantity in a single game.
    fn bounds(&self) -> Option<Interval> {
        self.measured.is_percent().then_some(SHARE_BOUNDS)
    }

    /// Returns the hypotheses of each bound: clearly outside (`h0`), or clearly inside (`h1`). Between them
    /// either verdict is acceptable.
    fn hypotheses(&self) -> Vec<Hypotheses> {
        let percent = self.measured.is_percent();
        // `within` is the direction from the bound into the accepted range.
        let about = |bound: f64, within: f64| {
            let doubt = match (self.low, self.high) {
                (Some(low), Some(high)) => (high - low) / 8.0,
                _ if percent => 0.02,
                _ => (bound.abs() * 0.03).max(0.5),
            };
            // A share near 0 or 1 has little room beyond the bound.
            let doubt = if percent { doubt.min(bound.min(1.0 - bound).max(0.01) / 2.0) } else { doubt };
            let doubt = doubt * within;
            Hypotheses { h0: bound - doubt * (1.0 + LEAN), h1: bound + doubt * (1.0 - LEAN) }
        };
        let low = self.low.map(|low| about(low, 1.0));
        let high = self.high.map(|high| about(high, -1.0));
        low.into_iter().chain(high).collect()
    }
}

#[cfg(test)]
mod tests {
    use motherlode::SourceFile;

    use super::*;
    use crate::balance::Balance;
    use crate::samples::Stall;
    use crate::series::Series;

    /// Returns judgement and value of a single expectation after 200 games. Each game gives offers and takes of
    /// its pattern, and the reason of its abort; `games` repeat in turn.
    fn judged(expectation: &str, games: &[([u32; 2], Option<&str>)]) -> (Judgement, Option<f64>) {
        let game = Stall::default().load();
        let text = format!("bots = \"random\"\n[[expect]]\n{expectation}");
        let files = [SourceFile { path: "tests/stall/balance.toml".to_owned(), text }];
        let balance = Balance::read(&game, &files).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let (setup, bots) = (game.setup(None, &[], 1).unwrap(), vec!["random".to_owned()]);
        let series = Series::new((game, setup), bots, 1);
        let mut seated_games = Vec::new();
        let mut keep = |block: crate::series::Block| {
            seated_games.extend(block.games.into_iter().flatten());
            std::ops::ControlFlow::Continue(())
        };
        series.play(0..1, &mut keep).unwrap();
        let mut judge = Judge::new(&balance.expectations[0]);
        for (counts, aborted) in games.iter().cycle().take(200) {
            let mut seated_game = seated_games[0].clone();
            seated_game.row.aborted = aborted.map(str::to_owned);
            let mut metrics = Metrics::of(&series.game.0);
            metrics.add(std::slice::from_ref(&seated_game));
            judge.add_block(&[seated_game], &metrics, &[&[*counts]]);
        }
        (judge.judgement(), judge.subjects[0].ratio.value())
    }

    #[test]
    fn the_judged_value_is_the_reported_one() {
        // One offer of one is taken, then none of nine: a tenth of all offers, but half of the block mean.
        let games = [([1, 1], None), ([9, 0], None)];
        let glass = |bounds: &str| judged(&format!("taken = \"card:glass\"\n{bounds}"), &games);
        assert_eq!(glass("at_most = 30"), (Judgement::Passed, Some(0.1)));
        assert_eq!(glass("at_least = 30").0, Judgement::Failed);
        assert_eq!(glass("between = [30, 70]").0, Judgement::Failed);
        assert_eq!(glass("between = [2, 40]").0, Judgement::Passed);
    }

    #[test]
    fn aborted_games_are_not_counted() {
        let games = [([4, 1], None), ([9, 9], Some("the pencil broke"))];
        assert_eq!(judged("taken = \"card:glass\"\nat_most = 40", &games), (Judgement::Passed, Some(0.25)));
    }

    #[test]
    fn bounds_are_inclusive() {
        let taken =
            |bounds: &str, counts: [u32; 2]| judged(&format!("taken = \"card:glass\"\n{bounds}"), &[(counts, None)]).0;
        for bounds in ["at_most = 0", "at_least = 0", "between = [0, 10]", "between = [0, 60]"] {
            assert_eq!(taken(bounds, [5, 0]), Judgement::Passed, "{bounds}");
        }
        for bounds in ["at_least = 100", "at_most = 100", "between = [40, 100]"] {
            assert_eq!(taken(bounds, [5, 5]), Judgement::Passed, "{bounds}");
        }
        for bounds in ["at_least = 20", "at_most = 20", "between = [20, 30]", "between = [5, 20]"] {
            assert_eq!(taken(bounds, [5, 1]), Judgement::Passed, "{bounds}");
        }
        for bounds in ["at_least = 10", "between = [10, 90]", "between = [10, 50]"] {
            assert_eq!(taken(bounds, [5, 0]), Judgement::Failed, "{bounds}");
        }
        // An event that never happened in 200 games may still happen in one of a hundred.
        for bounds in ["at_least = 1", "between = [0, 1]"] {
            assert_eq!(taken(bounds, [5, 0]), Judgement::Undecided, "{bounds}");
        }
        assert_eq!(taken("at_most = 0", [50, 1]), Judgement::Failed);
        // A game of stall has four rounds.
        for bounds in ["at_most = 4", "at_least = 4", "between = [4, 6]", "between = [2, 4]"] {
            assert_eq!(
                judged(&format!("length = \"rounds\"\n{bounds}"), &[([0, 0], None)]).0,
                Judgement::Passed,
                "{bounds}"
            );
        }
    }
}
