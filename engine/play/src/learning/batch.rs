//! Plays the games of one step of a training, here or elsewhere.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::learning::fit::Rows;
use crate::learning::player::{Player, SeatPolicy};
use crate::learning::training::{Training, TrainingError};
use crate::seeds::mix;
use crate::simulation::queue::{Work, threads};
use crate::value::Weights;
use crate::value::features::Features;

/// The numbered games of one step of a training. Each depends only on its number, so they can be played anywhere.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TrainingBatch {
    /// Number of games, or of blocks that compare values.
    pub count: u64,
    pub(super) seed: u64,
    /// The value of each iteration.
    pub(super) learned: Vec<Arc<Weights>>,
    /// Specs of the bots of the league.
    pub rivals: Vec<String>,
    pub(super) task: BatchTask,
}

/// The purpose of the games.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) enum BatchTask {
    /// Self-play; `best` is the value that estimates targets.
    Learn { best: usize, policy: SeatPolicy },
    /// The first policy against the second.
    Compare([SeatPolicy; 2]),
    /// A policy against the bots of the league, one after the other.
    Rivals(SeatPolicy),
}

/// The result of one game, or of a block.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TrainingPiece {
    /// The positions to learn from.
    pub(super) rows: Rows,
    /// The lead of the first policy.
    pub(super) lead: f64,
    /// The reason why the game was aborted, and its seed.
    pub(super) failed: Option<(String, u64)>,
}

/// Plays the games of a training, here or elsewhere.
pub trait TrainingPlayers {
    /// Plays all games of a batch. `sink` gets the results in order and returns whether to continue. Returns whether
    /// all games were played.
    ///
    /// # Errors
    /// The threads cannot be started.
    fn play(
        &mut self,
        training: &Training,
        batch: &TrainingBatch,
        sink: &mut dyn FnMut(TrainingPiece) -> bool,
    ) -> Result<bool, TrainingError>;
}

/// The threads of this process.
#[derive(Debug, Clone, Copy)]
pub struct LocalPlayers;

impl TrainingPlayers for LocalPlayers {
    fn play(
        &mut self,
        training: &Training,
        batch: &TrainingBatch,
        sink: &mut dyn FnMut(TrainingPiece) -> bool,
    ) -> Result<bool, TrainingError> {
        batch.play(training, 0..batch.count, sink)
    }
}

impl TrainingBatch {
    /// Plays some of the games on the threads of the training; see [`TrainingPlayers::play`].
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn play(
        &self,
        training: &Training,
        range: Range<u64>,
        sink: &mut dyn FnMut(TrainingPiece) -> bool,
    ) -> Result<bool, TrainingError> {
        let features = Arc::new(Features::new(&training.game));
        let done = Work::large(range, threads(training.threads)).run(
            // The run has checked that a match can be made.
            || Player::new(training, &features, &self.learned, &self.rivals).ok(),
            |player, number| self.piece(player, number),
            drop,
            |pieces| {
                // A halted game ends the training and does not count as failed.
                let is_cut = |piece: &TrainingPiece| piece.failed.is_some() && training.game.is_halted();
                if pieces.into_iter().all(|piece| !is_cut(&piece) && sink(piece)) { Ok(()) } else { Err(()) }
            },
        );
        Ok(done.map_err(|error| TrainingError::Threads(error.to_string()))?.is_ok())
    }

    fn piece(&self, player: &mut Player, number: u64) -> TrainingPiece {
        let seed = mix(self.seed, number);
        let lead = |lead| TrainingPiece { lead, ..TrainingPiece::default() };
        let played = match self.task {
            BatchTask::Learn { best, policy } => {
                player.learn(seed, best, policy).map(|rows| TrainingPiece { rows, ..TrainingPiece::default() })
            }
            BatchTask::Compare(policies) => player.compare(seed, number, policies).map(lead),
            BatchTask::Rivals(policy) => {
                // A batch against rivals has some.
                let rival = SeatPolicy::Rival((number % self.rivals.len().max(1) as u64) as usize);
                player.compare(seed, number, [policy, rival]).map(lead)
            }
        };
        played.unwrap_or_else(|failed| TrainingPiece { failed: Some(failed), ..TrainingPiece::default() })
    }
}
