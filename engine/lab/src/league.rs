//! The league of a training: plans that beat a value.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use motherlode::Setup;
use motherlode_play::{Training, mix};
use tempfile::TempDir;

use crate::exploit::Exploit;
use crate::series::Series;

/// Limits of a search for plans; see [`Exploit`].
const STEPS: usize = 2;
const TRIED: usize = 64;
const FINALISTS: usize = 6;
const BLOCKS: u64 = 40;

/// Searches plans that beat values.
pub struct League<'t> {
    training: &'t Training,
    halt: &'static AtomicBool,
    /// The values, which the plans use.
    folder: TempDir,
    /// The plans that beat the value of each round.
    rounds: Vec<Vec<String>>,
}

impl<'t> League<'t> {
    /// A league without rounds; `halt` stops a search.
    ///
    /// # Errors
    /// There is no folder for temporary files.
    pub fn new(training: &'t Training, halt: &'static AtomicBool) -> io::Result<Self> {
        Ok(Self { training, halt, folder: tempfile::tempdir()?, rounds: Vec::new() })
    }

    /// The plans that beat a value.
    ///
    /// None if the search fails or is stopped: the training can go on without. Such a search is no round, because
    /// nobody knows whether a plan beats the value.
    ///
    /// `progress` gets the number of finished games and the ends of the stages of the search, and returns whether to
    /// continue.
    pub fn find(&mut self, text: &str, progress: impl FnMut(u64, &[u64]) -> bool) -> Vec<String> {
        let round = self.rounds.len();
        let found = self.search(text, round, progress).filter(|_| !self.is_stopped());
        let Some(found) = found else { return Vec::new() };
        self.rounds.push(found.clone());
        found
    }

    /// The number of games at which the stages of a search end at the latest.
    #[must_use]
    pub fn most_games(&self) -> Vec<u64> {
        let search = self.exploit(0, String::new());
        search.map_or_else(Vec::new, |search| games(&search, &search.stage_ends()))
    }

    /// The plans of each round, without the names of files.
    pub fn rounds(&self) -> impl ExactSizeIterator<Item = Vec<String>> {
        let folder = self.folder.path().display().to_string();
        self.rounds
            .iter()
            .map(move |plans| plans.iter().map(|plan| plan.replace(&format!(":{folder}/"), ":")).collect())
    }

    fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::SeqCst)
    }

    /// The search of a round against a bot; `None` if nobody has rivals.
    fn exploit(&self, round: usize, bot: String) -> Option<Exploit> {
        let Training { game, setup, threads, .. } = self.training;
        let players = self.training.players.iter().copied().filter(|players| *players > 1).min()?;
        Some(Exploit {
            series: Series {
                threads: *threads,
                halt: Some(self.halt),
                ..Series::new(
                    (game.clone(), Setup { players, ..setup.clone() }),
                    vec!["random".to_owned()],
                    mix(setup.seed, round as u64),
                )
            },
            against: bot.clone(),
            base: bot,
            screen: "random".to_owned(),
            steps: STEPS,
            tried: TRIED,
            finalists: FINALISTS,
            blocks: BLOCKS,
        })
    }

    fn search(&self, text: &str, round: usize, mut progress: impl FnMut(u64, &[u64]) -> bool) -> Option<Vec<String>> {
        let file = self.folder.path().join(format!("{round}.value"));
        std::fs::write(&file, text).ok()?;
        let exploit = self.exploit(round, format!("learned:{}", file.display()))?;
        let report = exploit.run(|done, ends| progress(games(&exploit, &[done])[0], &games(&exploit, ends))).ok()?;
        Some(report.plans.into_iter().filter(|plan| plan.beats).map(|plan| plan.plan).collect())
    }
}

/// The games of these numbers of blocks: a plan sits once in every seat of a block.
fn games(search: &Exploit, blocks: &[u64]) -> Vec<u64> {
    blocks.iter().map(|blocks| blocks.saturating_mul(search.series.game.1.players.into())).collect()
}
