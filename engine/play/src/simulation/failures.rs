//! Games that did not come to their end.

use serde::{Deserialize, Serialize};

use crate::simulation::rows::GameRow;

/// How many games were aborted, and why the first of them was. They say nothing of a game, except that a script fails.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failures {
    /// Games that were aborted: they say nothing.
    pub aborted: u64,
    /// Why the first of them was (with file and line where a script failed), and its seed.
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

    /// Counts a game that was aborted.
    pub fn add(&mut self, reason: &str, seed: u64) {
        self.aborted += 1;
        self.first_aborted.get_or_insert_with(|| (reason.to_owned(), seed));
    }

    /// Counts those of later games, too.
    pub fn append(&mut self, later: &Self) {
        self.aborted += later.aborted;
        self.first_aborted = self.first_aborted.take().or_else(|| later.first_aborted.clone());
    }

    /// Whether too few of so many games are left to say anything of them: none, or less than half.
    #[must_use]
    pub fn leave_too_few_of(&self, games: u64) -> bool {
        self.aborted >= games || 2 * self.aborted > games
    }

    /// What is worth knowing while games are played; `None`: none was aborted.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        (self.aborted > 0).then(|| format!("{} aborted", self.aborted))
    }

    /// `first that of seed 7: scripts/checkers/phases.luau:12: no player 0`; empty if none was aborted.
    #[must_use]
    pub fn first(&self) -> String {
        let told = |(reason, seed): &(String, u64)| format!("first that of seed {seed}: {reason}");
        self.first_aborted.as_ref().map_or_else(String::new, told)
    }

    /// `3 of 20 games aborted, first that of seed 7: ...`; `None`: none of so many was.
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
    fn the_first_failure_is_told_and_all_are_counted() {
        let (mut one, mut later) = (Failures::default(), Failures::default());
        assert!(one.told(4).is_none() && one.leave_too_few_of(0) && !one.leave_too_few_of(1));
        later.add("it broke", 7);
        later.add("it broke again", 8);
        one.append(&later);
        one.append(&Failures { aborted: 1, first_aborted: Some(("later".to_owned(), 9)) });
        assert_eq!(one.told(6).unwrap(), "3 of 6 games aborted, first that of seed 7: it broke");
        assert!(!one.leave_too_few_of(6) && one.leave_too_few_of(5));
    }
}
