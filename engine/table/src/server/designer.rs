//! Going through a match, for its designer and, once it is over, for everybody.

use std::sync::Arc;

use motherlode::Match;

use super::course::Deed;
use super::message::{self, Beside, Place, Refusal};
use super::table::Sitting;
use super::viewer::read_by;
use crate::view::View;

impl Sitting<'_> {
    /// Shows the table as another seat sees it, or as it was.
    pub(super) fn look(&mut self, client: usize, seat: Option<u8>, step: Option<usize>) -> Result<(), Refusal> {
        let role = self.clients[client].role;
        let here = self.place(role).ok_or(Refusal::Designer)?;
        let place = Place { seat: seat.unwrap_or(here.seat), step: step.unwrap_or(here.step), live: false, ..here };
        let live = place.seat == here.seat && step.is_none();
        let message = if live { self.whole(role) } else { self.past_table(place)? };
        let mailbox = self.clients[client].mailbox.clone();
        self.clients[client].looks = (!live).then_some(place);
        self.put(&mailbox, message);
        Ok(())
    }

    /// Goes on from an earlier position.
    pub(super) fn branch(&mut self, client: usize, step: usize) -> Result<(), Refusal> {
        if !self.clients[client].role.designer {
            return Err(Refusal::Designer);
        }
        if step > self.played.answers().len() {
            return Err(Refusal::NoStep);
        }
        self.end_trial();
        *self.shown = false;
        self.note_deed(Deed::Back { step });
        let rules = Arc::clone(&self.rules);
        self.played.restart(&self.course.setup).map_err(|_| Refusal::Failed)?;
        self.again(&rules);
        self.show_anew();
        self.note(None, format!("The match goes on after answer {step}."));
        self.save();
        Ok(())
    }

    /// The match as it was at the step that somebody is shown; `None`: as it is.
    pub(super) fn shown_to(&self, client: usize) -> Result<Option<Match>, Refusal> {
        self.clients[client].looks.map(|place| self.after(place.step)).transpose()
    }

    /// The match after so many answers.
    fn after(&self, step: usize) -> Result<Match, Refusal> {
        let answers = self.played.answers().get(..step).ok_or(Refusal::NoStep)?;
        let mut again = Match::telling(&self.rules.game, &self.course.setup).map_err(|_| Refusal::Failed)?;
        for answer in answers {
            again.answer_as(answer.seat, usize::from(answer.index)).map_err(|_| Refusal::Failed)?;
        }
        Ok(again)
    }

    /// Sends everything to everybody.
    pub(super) fn show_anew(&mut self) {
        let to: Vec<_> = self.clients.iter().map(|client| (client.mailbox.clone(), client.role)).collect();
        for (mailbox, role) in to {
            self.out.letters.push((mailbox.clone(), self.rules.skeleton.clone()));
            let whole = self.whole(role);
            self.put(&mailbox, whole);
        }
        self.clients.iter_mut().for_each(|client| client.looks = None);
    }

    /// The table as a seat saw it after so many answers.
    fn past_table(&self, place: Place) -> Result<String, Refusal> {
        if place.seat != u8::MAX && place.seat >= self.course.setup.players {
            return Err(Refusal::NoStep);
        }
        let mut again = self.after(place.step)?;
        let lines = again.take_log();
        let lines: Vec<_> = lines.iter().filter_map(|line| read_by(&self.rules.game, place.seat, line)).collect();
        let view = View::of(&again, &self.rules.faces, Some(place.seat));
        let outcome = if again.is_over() { self.outcome() } else { None };
        let beside = Beside { decision: 0, kept: 0, lines: &lines, outcome: outcome.as_ref(), request: None };
        Ok(message::whole(&view, beside, Some(place)))
    }
}
