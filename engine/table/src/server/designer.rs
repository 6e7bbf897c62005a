//! Stepping through a match, for its designer and, after its end, for everybody.

use std::sync::Arc;

use motherlode::Match;

use super::match_record::JournalEvent;
use super::message::{self, Extras, Refusal, Viewpoint};
use super::table::TableSession;
use super::viewer::read_by;
use crate::view::View;

impl TableSession<'_> {
    /// Shows the table from another seat, at another step, or both.
    pub(super) fn look(&mut self, client: usize, seat: Option<u8>, step: Option<usize>) -> Result<(), Refusal> {
        let role = self.clients[client].role;
        let here = self.place(role).ok_or(Refusal::Designer)?;
        let place = Viewpoint { seat: seat.unwrap_or(here.seat), step: step.unwrap_or(here.step), live: false, ..here };
        let live = place.seat == here.seat && step.is_none();
        let message = if live { self.whole(role) } else { self.past_table(place)? };
        let mailbox = self.clients[client].mailbox.clone();
        self.clients[client].viewpoint = (!live).then_some(place);
        self.send_to(&mailbox, message);
        Ok(())
    }

    /// Continues the match from an earlier step.
    pub(super) fn branch(&mut self, client: usize, step: usize) -> Result<(), Refusal> {
        if !self.clients[client].role.designer {
            return Err(Refusal::Designer);
        }
        if step > self.played.answers().len() {
            return Err(Refusal::NoStep);
        }
        self.end_trial();
        *self.view_only = false;
        self.record(JournalEvent::Back { step });
        let rules = Arc::clone(&self.rules);
        self.played.restart(&self.match_record.setup).map_err(|_| Refusal::Failed)?;
        self.replay(&rules);
        self.send_everything();
        self.note(None, format!("The match goes on after answer {step}."));
        self.save();
        Ok(())
    }

    /// The match at the step that the browser displays; `None`: the browser displays the live match.
    pub(super) fn match_shown_to(&self, client: usize) -> Result<Option<Match>, Refusal> {
        self.clients[client].viewpoint.map(|place| self.match_after(place.step)).transpose()
    }

    /// Replays the match up to a step.
    fn match_after(&self, step: usize) -> Result<Match, Refusal> {
        let answers = self.played.answers().get(..step).ok_or(Refusal::NoStep)?;
        let mut again =
            Match::with_transcript(&self.rules.game, &self.match_record.setup).map_err(|_| Refusal::Failed)?;
        for answer in answers {
            again.answer_as(answer.seat, usize::from(answer.index)).map_err(|_| Refusal::Failed)?;
        }
        Ok(again)
    }

    /// Sends the constant parts and the whole live table to every browser.
    pub(super) fn send_everything(&mut self) {
        for client in self.clients.iter_mut() {
            client.viewpoint = None;
            self.out.messages.push((client.mailbox.clone(), self.rules.skeleton.clone()));
        }
        self.send_tables();
    }

    /// Sends the whole table to every browser that shows its own live table.
    pub(super) fn send_tables(&mut self) {
        let live = self.clients.iter().filter(|client| client.viewpoint.is_none());
        let to: Vec<_> = live.map(|client| (client.mailbox.clone(), client.role)).collect();
        for (mailbox, role) in to {
            let whole = self.whole(role);
            self.send_to(&mailbox, whole);
        }
    }

    /// The table of a seat at an earlier step.
    fn past_table(&self, place: Viewpoint) -> Result<String, Refusal> {
        if place.seat != u8::MAX && place.seat >= self.match_record.setup.players {
            return Err(Refusal::NoStep);
        }
        let mut again = self.match_after(place.step)?;
        let lines = again.take_log();
        let lines = lines.iter().chain(again.held_answers(place.seat));
        let lines: Vec<_> = lines.filter_map(|line| read_by(&self.rules.game, place.seat, line)).collect();
        let view = View::of(&again, &self.rules.faces, Some(place.seat));
        let outcome = if again.is_over() { self.outcome() } else { None };
        let beside = Extras { decision: 0, kept: 0, lines: &lines, outcome: outcome.as_ref(), request: None };
        Ok(message::whole(&view, beside, Some(place)))
    }
}
