//! Scores and ranks when a match is over.

use serde::{Deserialize, Serialize};

use crate::flow::Match;
use crate::state::layout::{reason, word};

/// The result of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The declared score counter of each seat.
    pub scores: Vec<i32>,
    /// Rank of each seat: one more than the number of seats that are better, so 1 wins and equal ranks share.
    pub ranks: Vec<u8>,
    /// Why the match ended: the text a script gave, or `script`, `after round`, `last round`, `no phase left`.
    pub reason: String,
    /// Rounds played.
    pub rounds: i32,
}

impl Match {
    /// The result, once the match is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let declared = &self.game().declarations().outcome;
        let players = usize::from(self.setup().players);
        let value = |counter: usize, seat: usize| self.counter(seat as i32 + 1, counter).unwrap_or(0);
        let keys: Vec<Vec<i32>> =
            (0..players).map(|seat| declared.rank.iter().map(|&counter| value(counter, seat)).collect()).collect();
        let ranks = keys.iter().map(|key| keys.iter().filter(|other| *other > key).count() as u8 + 1).collect();
        let words = self.state().words();
        Some(Outcome {
            scores: (0..players).map(|seat| value(declared.score, seat)).collect(),
            ranks,
            reason: match words[word::REASON] {
                reason::SCRIPT => "script",
                reason::AFTER_ROUND => "after round",
                reason::ROUNDS => "last round",
                text if text >= reason::TEXT => self.end_text(text - reason::TEXT),
                _ => "no phase left",
            }
            .into(),
            rounds: words[word::ROUND],
        })
    }

    fn end_text(&self, index: i32) -> &str {
        let texts = &self.game().declarations().texts;
        usize::try_from(index).ok().and_then(|i| texts.get_index(i)).map_or("script", |(_, text)| text)
    }
}
