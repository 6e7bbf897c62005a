//! The verdict on a new value: matches of its bot against random play, a search and the old value.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use motherlode::{Game, Setup};
use motherlode_play::{Failures, Iteration, Value};
use serde::Serialize;

use crate::arena::Arena;
use crate::objective::Objective;
use crate::ratio::Estimate;
use crate::series::{LabError, Series};

/// The rival that a value must beat.
const LEAST: &str = "random";
const SEARCH: &str = "search:100";
/// Games against the search, as a part of those against others: a search takes long.
const SEARCH_PART: u64 = 4;
/// Derives the seed of the matches, so that they are no games of the training.
const VERDICT: u64 = 0x7665_7264_6963_7400;

/// Matches of new values.
pub struct ValueVerdict<'a> {
    /// The game.
    pub game: &'a Game,
    /// Options and seed of the training.
    pub setup: &'a Setup,
    /// Numbers of players.
    pub players: Vec<u8>,
    /// Games against each rival.
    pub games: u64,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
    /// Ends the matches once set.
    pub halt: &'static AtomicBool,
}

/// The result of the new value against one rival.
#[derive(Debug, Clone, Serialize)]
pub struct VerdictRow {
    /// Number of players.
    pub players: u8,
    /// The rival.
    pub rival: &'static str,
    /// Games played.
    pub games: u64,
    /// The quantity by which the game is judged.
    pub objective: Objective,
    /// The quantity of the objective.
    pub result: Option<Estimate>,
    /// The lead over the rival, if players compete by score or margin.
    pub lead: Option<Estimate>,
    /// The result of an equal bot; of the rival, if the two never meet: in a cooperative game or with one player.
    pub even: f64,
    /// The result minus that of the rival, over the same seeds, if the two never meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_rival: Option<Estimate>,
    /// Whether the interval is above even.
    pub is_better: bool,
}

impl VerdictRow {
    /// Whether the row shows that the value is not better than random play.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        self.rival == LEAST && !self.is_better
    }
}

/// The error that prevents a verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerdictError {
    /// The values cannot be saved for the matches.
    #[error("cannot save the values for their matches: {0}")]
    Files(#[from] io::Error),
    /// No match can be played.
    #[error(transparent)]
    Lab(#[from] LabError),
}

/// A training as data, for programs.
#[derive(Debug, Clone, Serialize)]
pub struct TrainingSummary<'a> {
    /// Games of the training.
    pub games: u64,
    /// The iterations of each value.
    pub iterations: Vec<Vec<IterationSummary>>,
    /// The verdict on the values.
    pub verdict: &'a [VerdictRow],
    /// Whether the value was written.
    pub written: bool,
    /// Whether the training was stopped early.
    pub stopped: bool,
}

/// An iteration as data.
#[derive(Debug, Clone, Serialize)]
pub struct IterationSummary {
    positions: usize,
    loss: f64,
    lead: f64,
    is_best: bool,
}

impl From<&Iteration> for IterationSummary {
    fn from(one: &Iteration) -> Self {
        Self { positions: one.rows, loss: one.loss, lead: one.lead, is_best: one.is_best }
    }
}

/// The rivals of a value: name, bot spec, and games.
type Rivals = Vec<(&'static str, String, u64)>;

impl ValueVerdict<'_> {
    /// The smallest and the largest of some numbers of players.
    #[must_use]
    pub fn ends(numbers: &[u8]) -> Vec<u8> {
        let mut ends: Vec<u8> = numbers.iter().min().into_iter().chain(numbers.iter().max()).copied().collect();
        ends.dedup();
        ends
    }

    /// Counts of blocks at which the matches with one rival end. `old` is the value that would be replaced.
    #[must_use]
    pub fn stages(&self, old: Option<&str>) -> Vec<u64> {
        let mut games = vec![self.games, self.games.div_ceil(SEARCH_PART)];
        games.extend(self.old(old).map(|_| self.games));
        let mut ends = Vec::new();
        for games in self.players.iter().flat_map(|_| &games) {
            ends.push(ends.last().unwrap_or(&0) + blocks(*games));
        }
        ends
    }

    /// An old value that does not fit the game any more is no rival.
    fn old(&self, old: Option<&str>) -> Option<String> {
        old.or_else(|| self.game.learned()).filter(|old| Value::read(self.game, old).is_ok()).map(str::to_owned)
    }

    /// Plays the matches; `text` is the new value. `progress` gets the number of finished blocks and returns whether
    /// to continue.
    ///
    /// # Errors
    /// The values cannot be saved, or a match cannot be played.
    pub fn play(
        &self,
        text: &str,
        old: Option<&str>,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<(Vec<VerdictRow>, Failures), VerdictError> {
        let folder = tempfile::tempdir()?;
        let save = |name: &str, text: &str| -> io::Result<PathBuf> {
            let path = folder.path().join(name);
            std::fs::write(&path, text)?;
            Ok(path)
        };
        let of = |path: &Path| format!("learned:{}", path.display());
        let new = of(&save("new.value", text)?);
        let search = self.games.div_ceil(SEARCH_PART);
        let mut rivals: Rivals = vec![(LEAST, LEAST.to_owned(), self.games), (SEARCH, SEARCH.to_owned(), search)];
        if let Some(old) = self.old(old) {
            rivals.push(("old value", of(&save("old.value", &old)?), self.games));
        }
        let (mut rows, mut failures, mut before) = (Vec::new(), Failures::default(), 0);
        for &players in &self.players {
            for (name, rival, games) in &rivals {
                let count = blocks(*games);
                let row = self.meet(players, (name, &new, rival), count, &mut failures, |done| progress(before + done));
                rows.extend(row?);
                before += count;
            }
        }
        Ok((rows, failures))
    }

    /// The new value against one rival; `None` if stopped.
    fn meet(
        &self,
        players: u8,
        (name, new, rival): (&'static str, &str, &str),
        blocks: u64,
        failures: &mut Failures,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Option<VerdictRow>, LabError> {
        let outcome = &self.game.declarations().outcome;
        let objective = Objective::of(outcome);
        let setup = Setup { players, ..self.setup.clone() };
        let seed = self.setup.seed ^ VERDICT;
        let mut arena = |bots: &[&str]| {
            let bots = bots.iter().map(|&bot| bot.to_owned()).collect();
            let game = (self.game.clone(), setup.clone());
            let series = Series { threads: self.threads, halt: Some(self.halt), ..Series::new(game, bots, seed) };
            Arena { series, blocks, until: None }.run(&mut progress)
        };
        let is_contest = !outcome.shared && players > 1;
        // The second of two bots that never meet is compared with the first.
        let report = arena(&if is_contest { [new, rival] } else { [rival, new] })?;
        failures.append(&report.failures);
        let own = &report.bots[usize::from(!is_contest)];
        let apart = own.over_first.as_ref().map(|over| over.judged(objective, outcome.least_score()));
        let objective = apart.map_or(objective, |(objective, _)| objective);
        let result = match objective {
            Objective::WinShare => own.share.or(own.score),
            Objective::Margin => own.margin.or(own.score),
            _ => own.score,
        };
        let (lead, over) = (own.lead.filter(|_| is_contest), apart.and_then(|(_, over)| over));
        let over_rival = over.map(|over| over.delta);
        let (measured, par, even) = match over {
            Some(over) => (over_rival, 0.0, over.base),
            None if lead.is_some() => (lead, 0.0, 0.0),
            None => (result.filter(|_| is_contest), report.even, report.even),
        };
        let is_better = measured.is_some_and(|of| match objective {
            Objective::LeastScore if lead.is_none() => of.is_below(par),
            _ => of.is_above(par),
        });
        let row = VerdictRow {
            players,
            rival: name,
            games: report.games,
            objective,
            result,
            lead,
            even,
            over_rival,
            is_better,
        };
        Ok(Some(row).filter(|_| !report.stopped))
    }
}

/// Blocks of two games; the bootstrap needs two.
fn blocks(games: u64) -> u64 {
    games.div_ceil(2).max(2)
}
