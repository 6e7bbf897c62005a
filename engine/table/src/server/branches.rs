//! Branches of a match after edits of the rules; see `edits.rs`.

use std::sync::Arc;

use motherlode::Replay;

use super::match_record::MatchRecord;
use super::rules::Rules;

/// A match with the rules under which people answered it.
pub struct Branch {
    /// Number of the branch; 1: the original match.
    pub number: u32,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The answers.
    pub match_record: MatchRecord,
    /// The answers with their states, for comparison.
    pub replay: Replay,
}

/// All branches of a match except the played one.
pub struct Branches {
    /// Number of the played branch.
    pub number: u32,
    /// Highest branch number.
    pub newest: u32,
    /// During a trial: the match before the edit.
    pub trunk: Option<Branch>,
    /// Inactive branches, the most recent last.
    pub aside: Vec<Branch>,
    /// Pending announcement of a new branch.
    pub announcement: Option<String>,
}

impl Default for Branches {
    fn default() -> Self {
        Self { number: 1, newest: 1, trunk: None, aside: Vec::new(), announcement: None }
    }
}

impl Branches {
    /// Whether the designer can return to another branch.
    pub fn has_other(&self) -> bool {
        self.trunk.is_some() || !self.aside.is_empty()
    }

    /// Removes and returns the branch that fits the new rules: one with the same rules, else one that replays
    /// to the same states.
    pub fn take_returning(&mut self, trunk: &Branch, new: &Rules) -> Option<Branch> {
        let is_same = |branch: &Branch| branch.rules.game.fingerprint() == new.game.fingerprint();
        if is_same(trunk) {
            return None;
        }
        let keeps = |branch: &Branch| branch.replay.verify(&new.game).is_ok();
        // The first answers of the trunk prove nothing: all rules agree on a match without answers.
        let is_own = |branch: &Branch| !trunk.match_record.answers.starts_with(&branch.match_record.answers);
        let same = self.aside.iter().rposition(is_same);
        let fits = |branch: &Branch| is_own(branch) && keeps(branch);
        let at = same.or_else(|| if keeps(trunk) { None } else { self.aside.iter().rposition(fits) });
        at.map(|at| self.aside.remove(at))
    }
}
