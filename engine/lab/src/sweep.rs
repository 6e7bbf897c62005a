//! Sweep: the same games with several values of one declared number.

use std::ops::ControlFlow;

use motherlode::{ModId, Setup};
use motherlode_play::{Experiment, Failures};
use serde::{Deserialize, Serialize};

use crate::block_experiment::block_experiment;
use crate::changed_items::ChangedItem;
use crate::metric::{Measure, Metrics, Subject};
use crate::ratio::{DIFFERENCE_BOUNDS, Difference, Estimate};
use crate::series::{Block, LabError, SeatedGame, Series, run_experiment};
use crate::use_sums::{UseMeasure, UseSums};

/// The measurements of a game, after those of the item.
const OF_GAME: [Measure; 4] = [Measure::Share, Measure::Score, Measure::Rounds, Measure::Decisions];

/// Games with several values of one declared number. All values share the seeds, the seatings and the bots.
#[derive(Clone)]
pub struct Sweep {
    /// The game with the current value (`game`) and with each other value (`others`).
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
    /// Path of the number: `cards.copper.cost`.
    pub key: String,
    /// The value in each version of the series; the first one is the current value.
    pub values: Vec<i32>,
}

/// Results of a sweep. Reproducible on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepReport {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint of the pack with the current value.
    pub fingerprint: String,
    /// The mods, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Players and options. The seed is that of the experiment.
    pub setup: Setup,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Blocks played.
    pub blocks: u64,
    /// Games played with each value.
    pub games: u64,
    /// Aborted games with any value. The reason names the value.
    #[serde(flatten)]
    pub failures: Failures,
    /// Path of the number.
    pub key: String,
    /// The item whose number it is, as `kind: name`; `None` if the number changes no item, or several.
    pub item: Option<String>,
    /// Results by value, in ascending order.
    pub values: Vec<SweepValue>,
    /// Whether the run was stopped before the last block.
    pub stopped: bool,
}

/// Results with one value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepValue {
    /// The value.
    pub value: i32,
    /// Whether the content has this value now.
    pub is_current: bool,
    /// Number of games with the same scores, ranks, rounds and decisions as with the current value.
    pub same: u64,
    /// Measured quantities; the same ones in the same order for all values.
    pub figures: Vec<SweepFigure>,
}

/// A quantity with one value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepFigure {
    /// Name of the quantity.
    pub what: String,
    /// Whether it is a share, from 0 to 1.
    pub is_share: bool,
    /// Its value; `None` without data.
    pub estimate: Option<Estimate>,
    /// Its difference to the current value of the number, block by block; `None` for the current value itself.
    pub difference: Option<Difference>,
}

impl SweepReport {
    /// Returns the place of the quantity to draw: how often the item is chosen if offered, else the result of the game.
    #[must_use]
    pub fn drawn(&self) -> usize {
        let has_data = |place: &usize| self.values.iter().all(|value| value.figures[*place].estimate.is_some());
        let names = |what: &str| {
            let first = self.values.first()?;
            first.figures.iter().position(|figure| figure.what == what).filter(has_data)
        };
        names(UseMeasure::ChosenOfOffered.name())
            .or_else(|| names(Measure::Share.name()))
            .or_else(|| names(Measure::Score.name()))
            .unwrap_or_default()
    }
}

/// Sums over the blocks of a sweep, by version.
pub struct SweepSum {
    items: Vec<ChangedItem>,
    versions: Vec<(Metrics, UseSums, u64)>,
    blocks: u64,
    games: u64,
    failures: Failures,
}

impl Experiment for Sweep {
    block_experiment!();

    type Sum = SweepSum;
    type Report = SweepReport;

    fn begin(&self) -> SweepSum {
        let items = self.series.changed_items();
        let versions = self.series.versions().map(|(game, _)| (Metrics::of(game), UseSums::new(game, items.len()), 0));
        SweepSum { versions: versions.collect(), items, blocks: 0, games: 0, failures: Failures::default() }
    }

    fn add(&self, sum: &mut SweepSum, block: &Block) -> ControlFlow<()> {
        sum.blocks += 1;
        let seatings = block.games.first().map_or(0, Vec::len);
        sum.games += seatings as u64;
        // A seating counts only if it ended with every value.
        let mut whole = vec![true; seatings];
        for (value, games) in self.values.iter().zip(&block.games) {
            for (turn, game) in games.iter().enumerate().filter(|(turn, _)| *turn < seatings) {
                if let Some(reason) = &game.row.aborted {
                    sum.failures.add(&format!("{} = {value}: {reason}", self.key), game.row.seed);
                    whole[turn] = false;
                }
            }
        }
        let current = block.games.first().map_or(&[][..], Vec::as_slice);
        for ((metrics, uses, same), games) in sum.versions.iter_mut().zip(&block.games) {
            let ended: Vec<SeatedGame> =
                games.iter().zip(&whole).filter(|(_, whole)| **whole).map(|(game, _)| game.clone()).collect();
            let pairs = games.iter().zip(current).zip(&whole).filter(|(_, whole)| **whole);
            *same += pairs.filter(|((game, current), _)| game.result() == current.result()).count() as u64;
            metrics.add(&ended);
            uses.add(&ended);
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: SweepSum, stopped: bool) -> Result<SweepReport, LabError> {
        let (game, setup) = &self.series.game;
        let item = match sum.items.as_slice() {
            [item] => Some(format!("{}: {}", item.kind, item.name)),
            _ => None,
        };
        let mut values: Vec<SweepValue> =
            self.values.iter().enumerate().map(|(version, value)| self.value(&sum, version, *value)).collect();
        values.sort_by_key(|value| value.value);
        Ok(SweepReport {
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            setup: Setup { seed: self.series.seed, ..setup.clone() },
            bots: self.series.bots.clone(),
            blocks: sum.blocks,
            games: sum.games,
            failures: sum.failures,
            key: self.key.clone(),
            item,
            values,
            stopped,
        })
    }
}

impl Sweep {
    /// Runs the sweep. `progress` gets the number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<SweepReport, LabError> {
        run_experiment(self, progress)
    }

    /// Returns the results of one version.
    fn value(&self, sum: &SweepSum, version: usize, value: i32) -> SweepValue {
        let seed = self.series.seed;
        let ((metrics, uses, same), (current, current_uses, _)) = (&sum.versions[version], &sum.versions[0]);
        let mut figures = Vec::new();
        // With several items, the figures of one of them would mislead.
        for measure in UseMeasure::ALL.into_iter().filter(|_| sum.items.len() == 1) {
            figures.push(SweepFigure {
                what: measure.name().to_owned(),
                is_share: measure.is_share(),
                estimate: uses.estimate(0, measure, seed),
                difference: uses.difference_from(current_uses, 0, measure, seed).filter(|_| version > 0),
            });
        }
        for measure in OF_GAME {
            let Some(base) = current.ratio(Subject::All, measure) else { continue };
            let bounds = measure.bounds().map(|_| DIFFERENCE_BOUNDS);
            let own = metrics.ratio(Subject::All, measure);
            figures.push(SweepFigure {
                what: measure.name().to_owned(),
                is_share: measure == Measure::Share,
                estimate: metrics.estimate(Subject::All, measure, seed),
                difference: own.and_then(|own| own.difference_from(base, seed, bounds)).filter(|_| version > 0),
            });
        }
        SweepValue { value, is_current: version == 0, same: *same, figures }
    }
}
