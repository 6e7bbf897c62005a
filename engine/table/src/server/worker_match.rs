//! The match of a worker thread, which it lends to one table after another.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use motherlode::{Match, MatchError, Setup, Snapshot};

use super::rules::{Players, Rules};

/// The match of a worker thread, with its script host and the bots.
#[derive(Default)]
pub struct WorkerMatch {
    pub(super) played: Option<Match>,
    /// Identifies the table whose position the match holds.
    pub(super) mark: u64,
    players: Option<(Arc<Rules>, Box<dyn Players>)>,
}

impl WorkerMatch {
    /// Sets the match to the position of the table, or to the beginning.
    pub(super) fn lend(
        &mut self,
        rules: &Arc<Rules>,
        setup: &Setup,
        at: Option<(&Snapshot, u64)>,
    ) -> Result<(&mut Match, &mut dyn Players), MatchError> {
        let same = |played: &Match| played.game().fingerprint() == rules.game.fingerprint();
        let mut played = match self.played.take().filter(same) {
            Some(played) => played,
            None => {
                self.mark = 0;
                Match::with_transcript(&rules.game, setup)?
            }
        };
        match at {
            Some((_, mark)) if mark == self.mark => {}
            Some((position, _)) => played.resume(setup, position)?,
            None => played.restart(setup)?,
        }
        if at.is_some() {
            // The table has already shown the lines up to this position.
            played.take_log();
        }
        if self.players.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, rules)) {
            let players = (rules.invite)().map_err(MatchError::Setup)?;
            self.players = Some((Arc::clone(rules), players));
        }
        let Some((_, players)) = &mut self.players else { return Err(MatchError::NoDecision) };
        Ok((self.played.insert(played), players.as_mut()))
    }

    /// Saves the position of the match.
    pub(super) fn give_back(&mut self, position: &mut Snapshot) {
        static MARKS: AtomicU64 = AtomicU64::new(1);
        if let Some(played) = &self.played {
            played.snapshot_into(position);
            self.mark = MARKS.fetch_add(1, Ordering::Relaxed);
        }
    }
}
