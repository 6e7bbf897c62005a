//! The branches of a match whose rules were edited, see `edits.rs`.

use std::sync::Arc;

use motherlode::Replay;

use super::course::Course;
use super::rules::Rules;

/// A match by the rules by which people answered it.
pub struct Branch {
    /// 1 for the match as it began.
    pub number: u32,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The answers.
    pub course: Course,
    /// The same with the states, for comparison.
    pub replay: Replay,
}

/// The branches of a match, without the one that is played.
pub struct Branches {
    /// Number of the branch that is played.
    pub number: u32,
    /// Number of the newest branch.
    pub newest: u32,
    /// During a trial: the match before the edit.
    pub trunk: Option<Branch>,
    /// Branches that are not played, the most recent one last.
    pub aside: Vec<Branch>,
    /// Announces a branch that has just begun.
    pub announcement: Option<String>,
}

impl Default for Branches {
    fn default() -> Self {
        Self { number: 1, newest: 1, trunk: None, aside: Vec::new(), announcement: None }
    }
}

impl Branches {
    /// Whether the designer can go back to another branch.
    pub fn has_other(&self) -> bool {
        self.trunk.is_some() || !self.aside.is_empty()
    }

    /// Takes the branch out to which the rules belong: one with these very rules, else one whose states they leave as they are.
    pub fn returning(&mut self, trunk: &Branch, new: &Rules) -> Option<Branch> {
        let is_same = |branch: &Branch| branch.rules.game.fingerprint() == new.game.fingerprint();
        if is_same(trunk) {
            return None;
        }
        let keeps = |branch: &Branch| branch.replay.verify(&new.game).is_ok();
        let same = self.aside.iter().rposition(is_same);
        let at = same.or_else(|| if keeps(trunk) { None } else { self.aside.iter().rposition(keeps) });
        at.map(|at| self.aside.remove(at))
    }
}
