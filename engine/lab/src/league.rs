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
    pub fn find(&mut self, text: &str) -> Vec<String> {
        let round = self.rounds.len();
        let Some(found) = self.search(text, round).filter(|_| !self.is_stopped()) else { return Vec::new() };
        self.rounds.push(found.clone());
        found
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

    fn search(&self, text: &str, round: usize) -> Option<Vec<String>> {
        let file = self.folder.path().join(format!("{round}.value"));
        std::fs::write(&file, text).ok()?;
        let bot = format!("learned:{}", file.display());
        let Training { game, setup, threads, .. } = self.training;
        let players = self.training.players.iter().copied().filter(|players| *players > 1).min()?;
        let exploit = Exploit {
            series: Series {
                game: (game.clone(), Setup { players, ..setup.clone() }),
                other: None,
                bots: vec!["random".to_owned()],
                seed: mix(setup.seed, round as u64),
                threads: *threads,
                halt: Some(self.halt),
            },
            against: bot.clone(),
            base: bot,
            screen: "random".to_owned(),
            steps: STEPS,
            tried: TRIED,
            finalists: FINALISTS,
            blocks: BLOCKS,
        };
        let report = exploit.run(|_| !self.is_stopped()).ok()?;
        Some(report.plans.into_iter().filter(|plan| plan.beats).map(|plan| plan.plan).collect())
    }
}
