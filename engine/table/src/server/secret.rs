//! Secret take-backs: while several seats answer in secret, a seat takes back its own answer, and no other seat hears of it.
//!
//! The transcript of a seat is a function of the answers and the notes that stand. A restart makes it again from these, so the table must
//! show the same at once: it plays the phase again without the answer and compares what every other seat is shown.

use std::mem::replace;

use motherlode::Answer;
use motherlode::tools::StateHash;

use super::course::Deed;
use super::message::Refusal;
use super::table::{Past, Sitting};
use super::viewer::Viewer;
use crate::disclosure::Disclosure;

impl Sitting<'_> {
    /// Takes back an answer if no other seat can tell; returns whether it did.
    pub(super) fn takes_back_in_secret(&mut self, last: usize) -> Result<bool, Refusal> {
        let past = self.scene.history[last].clone();
        if !self.played.is_simultaneous() {
            return Ok(false);
        }
        let now = self.played.snapshot();
        let mut after = self.played.answers()[past.step..].to_vec();
        let own = after.remove(0);
        self.play_to(past.step)?;
        // A seat that has learned something by its answer asks the others.
        let is_blind = self.disclosure(&[own]).is_ok_and(|found| found < Disclosure::Certain);
        let shown = self.scene.viewers.iter().zip(&past.lines);
        let shown = shown.map(|(viewer, &lines)| viewer.at(self.played, &self.rules.faces, lines)).collect();
        let present = replace(&mut self.scene.viewers, shown);
        let lines = if is_blind && own.seat == past.seat { self.goes_without(&past, &after) } else { None };
        let shown = replace(&mut self.scene.viewers, present);
        let mut others = self.scene.viewers.iter().zip(&shown).filter(|(viewer, _)| viewer.seat() != past.seat);
        let Some(lines) = lines.filter(|_| others.all(|(viewer, other)| viewer.shows_what(other))) else {
            self.put_back(&now)?;
            return Ok(false);
        };
        if let Err(why) = self.scene.requests.count(past.seat, past.step) {
            self.put_back(&now)?;
            return Err(why);
        }
        self.end_trial();
        self.note_deed(Deed::Out { step: past.step, state: StateHash(self.played.state().hash()) });
        self.scene.history.remove(last);
        for later in &mut self.scene.history[last..] {
            later.step -= 1;
            later.lines.clone_from(&lines[later.step - past.step]);
        }
        let text = format!("{} takes back an answer.", self.rules.name(past.seat));
        let mut shown = shown.into_iter();
        self.send(|viewer, _| {
            let other = shown.next()?;
            (viewer.seat() == past.seat).then(|| viewer.become_of(other, &text)).flatten()
        });
        self.note_deed(Deed::Note { seat: Some(past.seat), text });
        self.save();
        Ok(true)
    }

    /// Plays on with the other answers; returns the lines of all viewers before each of them. `None`: they do not fit, or the phase ends.
    fn goes_without(&mut self, past: &Past, after: &[Answer]) -> Option<Vec<Vec<usize>>> {
        let mut lines = Vec::new();
        for step in past.step..=past.step + after.len() {
            // Notes still count the answer that is taken out.
            self.retell(step + 1);
            if !self.played.is_simultaneous() {
                return None;
            }
            lines.push(self.scene.viewers.iter().map(Viewer::lines).collect());
            if let Some(answer) = after.get(step - past.step) {
                self.played.answer_as(answer.seat, usize::from(answer.index)).ok()?;
                self.see(None);
            }
        }
        Some(lines)
    }
}
