//! Secret undo: in a simultaneous phase, a seat undoes its own answer without any other seat noticing.
//!
//! A restart rebuilds each transcript from the remaining answers and notes, so the table must show the same at
//! once. To find out whether it can, the table replays the phase without the answer and compares the views of
//! all other seats.

use std::mem::replace;

use motherlode::Answer;
use motherlode::tools::StateHash;

use super::match_record::JournalEvent;
use super::message::Refusal;
use super::table::{PastDecision, TableSession};
use super::viewer::Viewer;
use crate::disclosure::Disclosure;

impl TableSession<'_> {
    /// Undoes an answer if no other seat can notice; returns whether it did.
    pub(super) fn undo_secretly(&mut self, last: usize) -> Result<bool, Refusal> {
        let past = self.shown_state.history[last].clone();
        if !self.played.is_simultaneous() {
            return Ok(false);
        }
        let now = self.played.snapshot();
        let mut after = self.played.answers()[past.step..].to_vec();
        let own = after.remove(0);
        self.replay_to(past.step)?;
        // A seat that learned something from its answer needs consent.
        let is_blind = Disclosure::of(self.played, &[own]).is_ok_and(|found| found < Disclosure::Certain);
        let shown = self.shown_state.viewers.iter().zip(&past.lines);
        let shown = shown.map(|(viewer, &lines)| viewer.at(self.played, &self.rules.faces, lines)).collect();
        let present = replace(&mut self.shown_state.viewers, shown);
        let lines = if is_blind && own.seat == past.seat { self.replay_without(&past, &after) } else { None };
        let shown = replace(&mut self.shown_state.viewers, present);
        let mut others = self.shown_state.viewers.iter().zip(&shown).filter(|(viewer, _)| viewer.seat() != past.seat);
        let Some(lines) = lines.filter(|_| others.all(|(viewer, other)| viewer.shows_same_as(other))) else {
            self.restore(&now)?;
            return Ok(false);
        };
        if let Err(why) = self.shown_state.undo_limits.count(past.seat, past.step) {
            self.restore(&now)?;
            return Err(why);
        }
        self.end_trial();
        self.record(JournalEvent::Out { step: past.step, state: StateHash(self.played.state().hash()) });
        self.shown_state.history.remove(last);
        for later in &mut self.shown_state.history[last..] {
            later.step -= 1;
            later.lines.clone_from(&lines[later.step - past.step]);
        }
        let text = format!("{} undoes an answer.", self.rules.name(past.seat));
        let mut shown = shown.into_iter();
        self.send(|viewer, _| {
            let other = shown.next()?;
            (viewer.seat() == past.seat).then(|| viewer.replace_with(other, &text)).flatten()
        });
        self.record(JournalEvent::Note { seat: Some(past.seat), text });
        self.save();
        Ok(true)
    }

    /// Replays the other answers. Returns the transcript lengths of all viewers before each one.
    /// `None`: an answer is illegal, or the phase ends.
    fn replay_without(&mut self, past: &PastDecision, after: &[Answer]) -> Option<Vec<Vec<usize>>> {
        let mut lines = Vec::new();
        for step in past.step..=past.step + after.len() {
            // The steps of notes still count the removed answer.
            self.replay_notes(step + 1);
            if !self.played.is_simultaneous() {
                return None;
            }
            lines.push(self.shown_state.viewers.iter().map(Viewer::lines).collect());
            if let Some(answer) = after.get(step - past.step) {
                self.played.answer_as(answer.seat, usize::from(answer.index)).ok()?;
                self.update_viewers(None);
            }
        }
        Some(lines)
    }
}
