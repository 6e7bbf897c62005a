//! Undo. A single person undoes at once; among several people, all others must agree. Choices that were confirmed
//! together are undone together, except secretly.
//!
//! A request appears in the transcript, with the answers that it takes back and what was revealed since. The other
//! people agree or refuse; bots always agree. A request is cancelled on a timeout, when its seat leaves, or when the
//! match goes on. Bots wait during a request, so `undo_limits.rs` limits requests until a person advances the match.
//! `secret.rs` undoes answers that no other seat knows of.

use std::sync::Arc;
use std::time::Instant;

use motherlode::MatchError;

use super::client::Role;
use super::match_record::JournalEvent;
use super::message::{Refusal, UndoRequestView};
use super::reach::Reach;
use super::table::{PastDecision, TableSession, UndoRequest};
use crate::disclosure::Disclosure;

impl TableSession<'_> {
    /// Undoes the last answer of a seat, or requests consent.
    pub(super) fn undo(&mut self, client: usize) -> Result<(), Refusal> {
        let seat = self.clients[client].role.seat.ok_or(Refusal::NoUndo)?;
        let history = &self.shown_state.history;
        let last = history.iter().rposition(|past| past.seat == seat).ok_or(Refusal::NoUndo)?;
        let mut of_seat = history.iter().rev().filter(|past| past.seat == seat);
        let past = of_seat.find(|past| !past.is_joined).unwrap_or(&history[last]).clone();
        if self.rules.alone() {
            let since = self.played.answers()[past.step..].to_vec();
            self.replay_to(past.step)?;
            let reach = Reach::of(self.played, &since).map_err(|_| Refusal::Failed)?;
            let seen = if reach.disclosure == Disclosure::Certain { " and has seen the result" } else { "" };
            let what = reach.in_words(&self.rules);
            self.go_back(&past, format!("{} undoes {what}{seen}.", self.rules.name(seat)));
            return Ok(());
        }
        if self.shown_state.undo_request.is_some() {
            return Err(Refusal::Asking);
        }
        if self.played.is_over() {
            return Err(Refusal::NoUndo);
        }
        if self.undo_secretly(last)? {
            return Ok(());
        }
        let patience = self.shown_state.undo_limits.begin(seat, past.step, self.patience)?;
        let (now, since) = (self.played.snapshot(), self.played.answers()[past.step..].to_vec());
        self.replay_to(past.step)?;
        let reach = Reach::of(self.played, &since).map_err(|_| Refusal::Failed);
        self.restore(&now)?;
        let reach = reach?;
        let missing = self.rules.people.iter().copied().filter(|&other| other != seat).collect();
        self.shown_state.undo_requests += 1;
        let (number, since) = (self.shown_state.undo_requests, Instant::now());
        let until = since + patience;
        let revealed = match reach.disclosure {
            Disclosure::None => "nothing was revealed since",
            Disclosure::Possible => "something may have been revealed since",
            Disclosure::Certain => "something was revealed since",
        };
        let text = format!("{} asks to undo {}; {revealed}.", self.rules.name(seat), reach.in_words(&self.rules));
        let request = UndoRequest { number, seat, past, reach, text: text.clone(), missing, since, until };
        self.shown_state.undo_request = Some(request);
        self.note(None, text);
        self.show_request();
        Ok(())
    }

    /// Records a seat's agreement or refusal.
    pub(super) fn consent(&mut self, client: usize, request: u32, agree: bool) -> Result<(), Refusal> {
        let seat = self.clients[client].role.seat.ok_or(Refusal::NoRequest)?;
        let asked =
            |undo_request: &&mut UndoRequest| undo_request.number == request && undo_request.missing.contains(&seat);
        let undo_request = self.shown_state.undo_request.as_mut().filter(asked).ok_or(Refusal::NoRequest)?;
        let name = self.rules.name(seat);
        if !agree {
            self.cancel_request(&format!("{name} refuses: the answer stays."));
            return Ok(());
        }
        undo_request.missing.retain(|&other| other != seat);
        if !undo_request.missing.is_empty() {
            self.note(None, format!("{name} agrees."));
            self.show_request();
            return Ok(());
        }
        let Some(UndoRequest { seat, past, reach, .. }) = self.end_request() else { return Ok(()) };
        self.replay_to(past.step)?;
        let seen = match reach.disclosure {
            Disclosure::None => "",
            Disclosure::Possible => " and may have seen the result",
            Disclosure::Certain => " and has seen the result",
        };
        let what = reach.in_words(&self.rules);
        self.go_back(&past, format!("{} undoes {what}{seen}; all others agreed.", self.rules.name(seat)));
        Ok(())
    }

    /// Cancels the request because a seat answered its question.
    pub(super) fn cancel_on_answer(&mut self, seat: u8) {
        let name = self.rules.name(seat);
        self.cancel_request(&format!("{name} plays on, so the undo request is cancelled."));
    }

    /// Cancels the request if its seat has no browser left.
    pub(super) fn client_left(&mut self, role: Role) {
        let asks =
            self.shown_state.undo_request.as_ref().is_some_and(|undo_request| Some(undo_request.seat) == role.seat);
        if asks && !self.clients.iter().any(|client| client.role.seat == role.seat) {
            self.cancel_request("The requesting player left the table, so the undo request is cancelled.");
        }
    }

    /// Cancels an expired request.
    pub(super) fn expire_request(&mut self) {
        if self.shown_state.undo_request.as_ref().is_some_and(|undo_request| undo_request.until <= Instant::now()) {
            self.cancel_request("Not everybody agreed in time: the answer stays.");
        }
    }

    /// Cancels the pending request, if any.
    pub(super) fn cancel_request(&mut self, why: &str) {
        let Some(undo_request) = self.end_request() else { return };
        self.shown_state.undo_limits.refuse(undo_request.seat);
        self.note(None, why.to_owned());
        self.show_request();
    }

    /// Removes the pending request. In a match without bots a request delays nobody, because every asked seat
    /// may still answer.
    fn end_request(&mut self) -> Option<UndoRequest> {
        let undo_request = self.shown_state.undo_request.take()?;
        if self.rules.people.len() < usize::from(self.match_record.setup.players) {
            self.shown_state.undo_limits.hold(undo_request.since.elapsed());
        }
        Some(undo_request)
    }

    /// Shows the pending request to everybody.
    fn show_request(&mut self) {
        let undo_request = self.shown_state.undo_request.clone();
        self.send(|viewer, _| {
            let own = viewer.seat();
            viewer.ask(undo_request.as_ref().map(|UndoRequest { number, seat, reach, text, missing, .. }| {
                UndoRequestView {
                    number: *number,
                    seat: *seat,
                    text: text.clone(),
                    revealed_since: reach.disclosure != Disclosure::None,
                    waits: missing.contains(&own),
                    missing: missing.clone(),
                }
            }))
        });
    }

    /// Shows everybody that the match went back. The match itself is already in the earlier position.
    fn go_back(&mut self, past: &PastDecision, text: String) {
        self.shown_state.history.retain(|other| other.step < past.step);
        (self.shown_state.is_frozen, self.shown_state.undo_request, self.shown_state.estimate_run) =
            (false, None, None);
        self.end_trial();
        *self.view_only = false;
        self.record(JournalEvent::Back { step: past.step });
        let rules = Arc::clone(&self.rules);
        let mut lines = past.lines.iter().copied();
        self.send(|viewer, played| viewer.go_back(played, &rules.faces, lines.next().unwrap_or(0), &text));
        self.record(JournalEvent::Note { seat: None, text });
        self.save();
    }

    /// Replays the match up to this number of answers, without messages.
    pub(super) fn replay_to(&mut self, step: usize) -> Result<(), Refusal> {
        let answers = self.played.answers()[..step].to_vec();
        let setup = self.match_record.setup.clone();
        let again = |played: &mut motherlode::Match| -> Result<(), MatchError> {
            played.restart(&setup)?;
            answers.iter().try_for_each(|answer| played.answer_as(answer.seat, usize::from(answer.index)))
        };
        again(self.played).map_err(|_| Refusal::Failed)?;
        self.played.take_log();
        Ok(())
    }

    pub(super) fn restore(&mut self, now: &motherlode::Snapshot) -> Result<(), Refusal> {
        self.played.restore(now).map_err(|_| Refusal::Failed)?;
        self.played.take_log();
        Ok(())
    }
}
