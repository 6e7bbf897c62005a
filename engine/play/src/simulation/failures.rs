//! Aborted games.

use serde::{Deserialize, Serialize};

use crate::simulation::rows::GameRow;

/// The number of aborted games and the first reason. Aborted games do not count in any result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failures {
    /// Number of aborted games.
    pub aborted: u64,
    /// Reason (with file and line of a failing script) and seed of the first aborted game.
    #[serde(default)]
    pub first_aborted: Option<(String, u64)>,
}

impl Failures {
    /// Counts a game if it was aborted.
    pub fn see(&mut self, row: &GameRow) {
        if let Some(reason) = &row.aborted {
            self.add(reason, row.seed);
        }
    }

    /// Counts an aborted game.
    pub fn add(&mut self, reason: &str, seed: u64) {
        self.aborted += 1;
        self.first_aborted.get_or_insert_with(|| (reason.to_owned(), seed));
    }

    /// Adds the failures of later games.
    pub fn append(&mut self, later: &Self) {
        self.aborted += later.aborted;
        self.first_aborted = self.first_aborted.take().or_else(|| later.first_aborted.clone());
    }

    /// Whether too few of `games` are left for a result: none, or less than half.
    #[must_use]
    pub fn leave_too_few_of(&self, games: u64) -> bool {
        self.aborted >= games || 2 * self.aborted > games
    }

    /// A remark for progress output; `None` if no game was aborted.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        (self.aborted > 0).then(|| format!("{} aborted", self.aborted))
    }

    /// `first with seed 7: scripts/checkers/phases.luau:12: no player 0`; empty if no game was aborted.
    #[must_use]
    pub fn first(&self) -> String {
        let told = |(reason, seed): &(String, u64)| format!("first with seed {seed}: {reason}");
        self.first_aborted.as_ref().map_or_else(String::new, told)
    }

    /// `3 of 20 games aborted, first with seed 7: ...`; `None` if no game was aborted.
    #[must_use]
    pub fn told(&self, games: u64) -> Option<String> {
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        (self.aborted > 0).then(|| format!("{} of {games} aborted, {}", self.aborted, self.first()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_failures_are_counted_and_the_first_is_described() {
        let (mut one, mut later) = (Failures::default(), Failures::default());
        assert!(one.told(4).is_none() && one.leave_too_few_of(0) && !one.leave_too_few_of(1));
        later.add("it broke", 7);
        later.add("it broke again", 8);
        one.append(&later);
        one.append(&Failures { aborted: 1, first_aborted: Some(("later".to_owned(), 9)) });
        assert_eq!(one.told(6).unwrap(), "3 of 6 games aborted, first with seed 7: it broke");
        assert!(!one.leave_too_few_of(6) && one.leave_too_few_of(5));
    }
}
