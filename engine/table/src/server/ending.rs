//! The end of a match: its result, and the rematch.
//!
//! A rematch is a match with the next seed at the same table, for the same seats and links. It begins when every
//! person of the match has asked for it.

use std::sync::Arc;

use motherlode::tools::fraction;
use serde_json::{Value, json};

use super::branches::Branches;
use super::match_record::JournalEvent;
use super::message::Refusal;
use super::table::TableSession;
use crate::points;

impl TableSession<'_> {
    /// The result of the match, with its players.
    pub(super) fn outcome(&self) -> Option<Value> {
        let (outcome, game) = (self.played.outcome()?, &self.rules.game);
        let declared = game.declarations();
        let parts = points::by_phase(self.played).map(|by_phase| points::score_parts(game, self.played, &by_phase));
        let parts: Vec<_> = parts.unwrap_or_default().into_iter().collect();
        let breakers: Vec<_> = points::tie_breakers(game, self.played).into_iter().collect();
        let scores: Vec<_> = outcome.scores.iter().map(|score| fraction::shown(*score, outcome.unit)).collect();
        let label = |counter: usize| declared.counters.get_index(counter).map(|(_, counter)| &counter.text);
        let waiting = (!*self.view_only).then_some(&self.shown_state.rematch);
        Some(json!({
            "outcome": outcome,
            "scores": scores,
            "score": label(declared.outcome.score),
            "shared": declared.outcome.shared,
            "players": self.rules.names,
            "parts": parts,
            "breakers": breakers,
            "lead": points::lead(game, self.played),
            "teams": points::teams(game, &outcome),
            "rematch": waiting,
        }))
    }

    /// Asks for a rematch; begins it if nobody else is missing.
    pub(super) fn rematch(&mut self, client: usize) -> Result<(), Refusal> {
        let role = self.clients[client].role;
        let person = role.seat.filter(|&seat| self.rules.is_person(seat));
        if !self.played.is_over() || *self.view_only || (person.is_none() && !role.designer) {
            return Err(Refusal::NoRematch);
        }
        if let Some(seat) = person {
            if !self.shown_state.rematch.insert(seat) {
                return Ok(());
            }
            if self.rules.people.iter().any(|other| !self.shown_state.rematch.contains(other)) {
                self.note(None, format!("{} asks for a rematch.", self.rules.name(seat)));
                self.show_update();
                return Ok(());
            }
        }
        let number = self.branches.newest + 1;
        *self.branches = Branches { number, newest: number, ..Branches::default() };
        self.record(JournalEvent::Rematch {});
        let rules = Arc::clone(&self.rules);
        self.played.restart(&self.match_record.setup).map_err(|_| Refusal::Failed)?;
        self.replay(&rules);
        self.send_everything();
        self.note(None, "A rematch begins.".to_owned());
        Ok(())
    }
}
