//! Observations.

use crate::flow::Match;
use crate::state::current::ExplainedToken;
use crate::state::observe::{Observation, ZoneView};

impl Match {
    /// Everything that a seat may know; `None`: the whole state, by names.
    #[must_use]
    pub fn observe(&self, seat: Option<u8>) -> Observation {
        let words = self.words_for(seat);
        let player = if self.is_simultaneous() { None } else { self.decision().map(|d| d.seat) };
        Observation::new(&self.runner.sight(&words, seat), &self.setup().options, player)
    }

    /// The current values of a token with the modifiers behind them; `None`: the seat cannot see them.
    #[must_use]
    pub fn explain_token(&self, seat: Option<u8>, token: i32) -> Option<ExplainedToken> {
        let words = self.words_for(seat);
        ExplainedToken::of(&self.runner.sight(&words, seat), token)
    }

    /// Everything that a seat may know of one zone (its index) of a holder: 0 for the game, otherwise a player from
    /// 1. `None`: the zone does not exist in this setup.
    #[must_use]
    pub fn observe_zone(&self, seat: Option<u8>, zone: usize, holder: i32) -> Option<ZoneView> {
        let words = self.words_for(seat);
        ZoneView::of(&self.runner.sight(&words, seat), &self.setup().options, zone, holder)
    }
}
