//! Scores and ranks of a finished match.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::flow::Match;
use crate::state::layout::{reason, word};

/// The result of a match.
///
/// The [front page](crate) has an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The declared score counter of each seat; of its team if there are teams; of the game in a cooperative game.
    pub scores: Vec<i32>,
    /// The number of steps in a point: with 2, a score of 7 is 3½ points. 0: scores are whole points.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub unit: i32,
    /// Rank of each seat: 1 plus the number of better seats or teams, so 1 wins and ties share a rank. In a
    /// cooperative game, every seat has rank 1 if the players won and 2 if they lost; without `won`, always 1.
    pub ranks: Vec<u8>,
    /// Why the match ended: the text from a script, or `script`, `after round`, `last round`, `no phase left`.
    pub reason: String,
    /// Rounds played.
    pub rounds: i32,
    /// Team of each seat; seats with the same number share a result. Empty: no teams.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<i32>,
    /// Whether the players of a cooperative game have won; `None`: the game is not cooperative, or has only a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won: Option<bool>,
}

impl Outcome {
    /// Number of seats that share the first place; a team counts as one. 0: a cooperative game was lost.
    #[must_use]
    pub fn sharing(&self) -> usize {
        sharing(&self.ranks, &self.teams)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_whole(unit: &i32) -> bool {
    *unit == 0
}

/// Number of seats, or teams if there are any, that share the first place.
#[must_use]
pub fn sharing(ranks: &[u8], teams: &[i32]) -> usize {
    let first = |seat: &usize| ranks.get(*seat) == Some(&1);
    let seats = (0..ranks.len()).filter(first);
    if teams.is_empty() { seats.count() } else { seats.map(|seat| teams.get(seat)).collect::<BTreeSet<_>>().len() }
}

impl Match {
    /// The result; `None` until the match is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let declared = &self.game().declarations().outcome;
        let players = usize::from(self.setup().players);
        let words = self.state().words();
        let reason = match words[word::REASON] {
            reason::SCRIPT => "script",
            reason::AFTER_ROUND => "after round",
            reason::ROUNDS => "last round",
            text if text >= reason::TEXT => self.end_text(text - reason::TEXT),
            _ => "no phase left",
        };
        let (reason, rounds) = (reason.to_owned(), words[word::ROUND]);
        let unit = self.game().declarations().counters.get_index(declared.score).map_or(0, |(_, score)| score.unit);
        if declared.shared {
            let of_game = |counter| self.counter(0, counter).unwrap_or(0);
            let won = declared.won.map(|won| of_game(won) != 0);
            let ranks = vec![if won == Some(false) { 2 } else { 1 }; players];
            let scores = vec![of_game(declared.score); players];
            return Some(Outcome { scores, unit, ranks, reason, rounds, teams: Vec::new(), won });
        }
        let value = |counter: usize, seat: usize| self.counter(seat as i32 + 1, counter).unwrap_or(0);
        let teams: Vec<i32> = match declared.teams {
            Some(counter) => (0..players).map(|seat| value(counter, seat)).collect(),
            None => Vec::new(),
        };
        // A team's value is the sum of its players.
        let of = |counter: usize, seat: usize| -> i64 {
            if teams.is_empty() {
                return value(counter, seat).into();
            }
            let own = (0..players).filter(|&other| teams[other] == teams[seat]);
            own.map(|other| i64::from(value(counter, other))).sum()
        };
        let key = |seat: usize| -> Vec<i64> {
            declared.rank.iter().map(|key| of(key.counter, seat) * if key.least { -1 } else { 1 }).collect()
        };
        let keys: Vec<Vec<i64>> = (0..players).map(key).collect();
        // The first seat of each team represents the team.
        let stands = |seat: usize| teams.is_empty() || !teams[..seat].contains(&teams[seat]);
        let better = |key: &Vec<i64>| (0..players).filter(|&other| stands(other) && keys[other] > *key).count();
        let scores = (0..players).map(|seat| i32::try_from(of(declared.score, seat)).unwrap_or(i32::MAX)).collect();
        let ranks = keys.iter().map(|key| better(key) as u8 + 1).collect();
        Some(Outcome { scores, unit, ranks, reason, rounds, teams, won: None })
    }

    fn end_text(&self, index: i32) -> &str {
        let texts = &self.game().declarations().texts;
        usize::try_from(index).ok().and_then(|i| texts.get_index(i)).map_or("script", |(_, text)| text)
    }
}
