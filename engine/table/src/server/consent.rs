//! Taking back an answer: alone at once, among several people with the consent of all others.
//!
//! Whoever asks is told in the transcript, with whether that crosses a reveal. The others agree or refuse; bots always agree. A request
//! lapses if somebody does not say in time, if whoever asked has gone, and if the match goes on. Bots wait meanwhile, but requests are limited
//! (`requests.rs`) until a person takes the match further. `secret.rs` takes back answers of which nobody else knows.

use std::sync::Arc;
use std::time::Instant;

use motherlode::{Answer, MatchError};

use super::client::Role;
use super::course::Deed;
use super::message::{Refusal, Request};
use super::table::{Asking, Past, Sitting};
use crate::disclosure::Disclosure;

impl Sitting<'_> {
    /// Takes back the last answer of a seat, or asks the others whether it may.
    pub(super) fn undo(&mut self, client: usize) -> Result<(), Refusal> {
        let seat = self.clients[client].role.seat.ok_or(Refusal::NoUndo)?;
        let last = self.scene.history.iter().rposition(|past| past.seat == seat).ok_or(Refusal::NoUndo)?;
        let past = self.scene.history[last].clone();
        if self.rules.alone() {
            let since = self.played.answers()[past.step..].to_vec();
            self.play_to(past.step)?;
            let others = since.iter().any(|answer| answer.seat != seat);
            let wiser = others || self.disclosure(&since)? == Disclosure::Certain;
            let what = if wiser { ", and knows what came of it." } else { "." };
            self.take_back(&past, format!("{} takes back an answer{what}", self.rules.name(seat)));
            return Ok(());
        }
        if self.scene.asking.is_some() {
            return Err(Refusal::Asking);
        }
        if self.played.is_over() {
            return Err(Refusal::NoUndo);
        }
        if self.takes_back_in_secret(last)? {
            return Ok(());
        }
        let patience = self.scene.requests.begin(seat, past.step, self.patience)?;
        let (now, since) = (self.played.snapshot(), self.played.answers()[past.step..].to_vec());
        self.play_to(past.step)?;
        let disclosure = self.disclosure(&since);
        self.put_back(&now)?;
        let disclosure = disclosure?;
        let missing = self.rules.people.iter().copied().filter(|&other| other != seat).collect();
        self.scene.asked += 1;
        let (number, since) = (self.scene.asked, Instant::now());
        let until = since + patience;
        self.scene.asking = Some(Asking { number, seat, past, disclosure, missing, since, until });
        let revealed = match disclosure {
            Disclosure::None => "nothing was revealed since",
            Disclosure::Possible => "something may have been revealed since",
            Disclosure::Certain => "something was revealed since",
        };
        self.note(None, format!("{} asks to take back an answer; {revealed}.", self.rules.name(seat)));
        self.show_request();
        Ok(())
    }

    /// A seat agrees to a request, or refuses it.
    pub(super) fn consent(&mut self, client: usize, request: u32, agree: bool) -> Result<(), Refusal> {
        let seat = self.clients[client].role.seat.ok_or(Refusal::NoRequest)?;
        let asked = |asking: &&mut Asking| asking.number == request && asking.missing.contains(&seat);
        let asking = self.scene.asking.as_mut().filter(asked).ok_or(Refusal::NoRequest)?;
        let name = self.rules.name(seat);
        if !agree {
            self.lapse(&format!("{name} refuses: the answer stands."));
            return Ok(());
        }
        asking.missing.retain(|&other| other != seat);
        if !asking.missing.is_empty() {
            self.note(None, format!("{name} agrees."));
            self.show_request();
            return Ok(());
        }
        let Some(Asking { seat, past, disclosure, .. }) = self.end_request() else { return Ok(()) };
        self.play_to(past.step)?;
        let what = match disclosure {
            Disclosure::None => "",
            Disclosure::Possible => ", and may know what came of it",
            Disclosure::Certain => ", and knows what came of it",
        };
        self.take_back(&past, format!("{} takes back an answer{what}; all others agreed.", self.rules.name(seat)));
        Ok(())
    }

    /// The match goes on without what was asked for.
    pub(super) fn goes_on(&mut self, seat: u8) {
        let name = self.rules.name(seat);
        self.lapse(&format!("{name} plays on: nothing is taken back."));
    }

    /// Somebody has gone.
    pub(super) fn left(&mut self, role: Role) {
        let asks = self.scene.asking.as_ref().is_some_and(|asking| Some(asking.seat) == role.seat);
        if asks && !self.clients.iter().any(|client| client.role.seat == role.seat) {
            self.lapse("Whoever asked has left the table: nothing is taken back.");
        }
    }

    /// Nobody waits for ever.
    pub(super) fn hurry(&mut self) {
        if self.scene.asking.as_ref().is_some_and(|asking| asking.until <= Instant::now()) {
            self.lapse("Not everybody has agreed in time: the answer stands.");
        }
    }

    /// A request comes to nothing, if there is one.
    pub(super) fn lapse(&mut self, why: &str) {
        let Some(asking) = self.end_request() else { return };
        self.scene.requests.refuse(asking.seat);
        self.note(None, why.to_owned());
        self.show_request();
    }

    /// The request that is open is none any more. Where no bots play, it holds up nobody: whoever is asked something may answer.
    fn end_request(&mut self) -> Option<Asking> {
        let asking = self.scene.asking.take()?;
        if self.rules.people.len() < usize::from(self.course.setup.players) {
            self.scene.requests.hold(asking.since.elapsed());
        }
        Some(asking)
    }

    /// Shows everybody what is asked.
    fn show_request(&mut self) {
        let asking = self.scene.asking.clone();
        self.send(|viewer, _| {
            let own = viewer.seat();
            viewer.ask(asking.as_ref().map(|Asking { number, seat, disclosure, missing, .. }| Request {
                number: *number,
                seat: *seat,
                wiser: *disclosure != Disclosure::None,
                certain: *disclosure == Disclosure::Certain,
                waits: missing.contains(&own),
            }))
        });
    }

    /// Shows that the match, which stands there already, has gone back.
    fn take_back(&mut self, past: &Past, text: String) {
        self.scene.history.retain(|other| other.step < past.step);
        (self.scene.still, self.scene.asking, self.scene.trying) = (false, None, None);
        self.end_trial();
        *self.shown = false;
        self.note_deed(Deed::Back { step: past.step });
        let rules = Arc::clone(&self.rules);
        let mut lines = past.lines.iter().copied();
        self.send(|viewer, played| viewer.go_back(played, &rules.faces, lines.next().unwrap_or(0), &text));
        self.note_deed(Deed::Note { seat: None, text });
        self.save();
    }

    /// Plays the match again up to so many answers, without telling anybody.
    pub(super) fn play_to(&mut self, step: usize) -> Result<(), Refusal> {
        let answers = self.played.answers()[..step].to_vec();
        let setup = self.course.setup.clone();
        let again = |played: &mut motherlode::Match| -> Result<(), MatchError> {
            played.restart(&setup)?;
            answers.iter().try_for_each(|answer| played.answer_as(answer.seat, usize::from(answer.index)))
        };
        again(self.played).map_err(|_| Refusal::Failed)?;
        self.played.take_log();
        Ok(())
    }

    /// What these answers bring to light from the position in which the match is.
    pub(super) fn disclosure(&mut self, answers: &[Answer]) -> Result<Disclosure, Refusal> {
        Disclosure::of(self.played, answers).map_err(|_| Refusal::Failed)
    }

    pub(super) fn put_back(&mut self, now: &motherlode::Snapshot) -> Result<(), Refusal> {
        self.played.restore(now).map_err(|_| Refusal::Failed)?;
        self.played.take_log();
        Ok(())
    }
}
