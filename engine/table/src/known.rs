//! What a seat can tell apart.

use motherlode::Match;
use motherlode::tools::Sight;

/// Which cards a seat has identified, and how far chance has come: what must be the same for nothing to have been revealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    cards: Vec<bool>,
    chance: Vec<i32>,
}

impl Known {
    /// What this seat knows now.
    #[must_use]
    pub fn of(played: &Match, seat: u8) -> Self {
        let words = played.words_for(Some(seat));
        let (declared, layout) = (played.game().declarations(), played.game().layout());
        let sight = Sight { declared, layout, words: &words, seat: Some(seat) };
        let cards = (1..).take(layout.tokens.len()).map(|token| sight.identifies(token)).collect();
        Self { cards, chance: layout.chance().map(|at| words[at]).collect() }
    }
}
