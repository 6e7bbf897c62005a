//! The histories of the seats, as far as they are recorded.

use std::sync::Arc;

use crate::flow::entry::Entry;
use crate::script::machine::fact::Note;

/// The histories of all seats. A copy shares the entries.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    /// Entries of each step, by seat.
    steps: Vec<Arc<[Vec<Entry>]>>,
    /// Facts of the open simultaneous questions, which other seats get when all have answered.
    pub held: Vec<Note>,
    /// The only seat whose history fits the position, after a redeal; `None`: all seats.
    only: Option<u8>,
    /// Whether no seat's history fits, after redeals for several seats.
    lost: bool,
}

impl History {
    /// Whether the position fits a seat's history.
    pub fn fits(&self, seat: u8) -> bool {
        !self.lost && self.only.is_none_or(|only| only == seat)
    }

    /// Keeps only the history of a seat, because the rest of the position is redealt.
    pub fn keep_only(&mut self, seat: u8) {
        self.lost |= !self.fits(seat);
        self.only = Some(seat);
        self.held.retain(|note| note.by == Some(seat));
    }

    /// The entries of a seat.
    pub fn entries(&self, seat: u8) -> impl DoubleEndedIterator<Item = &Entry> {
        self.steps.iter().flat_map(move |step| step.get(usize::from(seat)).into_iter().flatten())
    }

    /// Adds the entries of a step, by seat.
    pub fn add(&mut self, mut step: Vec<Vec<Entry>>) {
        for (seat, entries) in (0..).zip(&mut step) {
            // The number of secret answers in a row could reveal them.
            if let Some(first @ Entry::Answered { .. }) = entries.first()
                && self.entries(seat).next_back() == Some(first)
            {
                entries.remove(0);
            }
        }
        if step.iter().any(|entries| !entries.is_empty()) {
            self.steps.push(step.into());
        }
    }
}
