//! Public statements about tokens: which values of an attribute are ruled out (`tells` of a counter).

use std::ops::DerefMut;

use crate::state::layout::ToldColumn;
use crate::state::{Layout, Position};

impl ToldColumn {
    /// The bit of a token's value; 0 if the counter does not belong to it.
    fn bit(&self, token: i32) -> i32 {
        usize::try_from(token - self.first).ok().and_then(|at| self.bits.get(at)).copied().unwrap_or(0)
    }
}

impl Layout {
    /// Whether something may have been told about a token.
    #[must_use]
    pub fn is_told(&self, words: &[i32], token: i32) -> bool {
        self.told.iter().any(|column| column.bit(token) != 0 && words[column.of(token)] != 0)
    }

    /// Whether statements about a token can be made.
    #[must_use]
    pub fn can_be_told(&self, token: i32) -> bool {
        self.told.iter().any(|column| column.bit(token) != 0)
    }

    /// Whether a token could lie where the token `here` does, by what has been told about `here`.
    #[must_use]
    pub fn could_be(&self, words: &[i32], here: i32, token: i32) -> bool {
        self.told.iter().all(|column| column.bit(here) == 0 || words[column.of(here)] & column.bit(token) == 0)
    }
}

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// Ends the statements about a token, because nobody can follow it any more.
    pub fn end_statements(&mut self, token: i32) {
        for column in &self.layout.told {
            if column.bit(token) != 0 {
                self.words[column.of(token)] = 0;
            }
        }
    }
}
