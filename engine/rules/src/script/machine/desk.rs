//! Borrowed buffers of a machine.

use crate::script::machine::budget::Budget;
use crate::script::machine::choices::list_declared;
use crate::script::machine::choosable::Choosable;
use crate::script::machine::grants::Grants;
use crate::script::machine::question::Question;
use crate::script::machine::traces::Traces;
use crate::state::layout::word;
use crate::state::sight::Sight;
use crate::state::{Layout, Position, PositionMut};
use motherlode_content::declare::{Declarations, Offer};

/// All buffers of a machine, borrowed together for writing.
#[derive(Debug)]
pub struct Desk<'m> {
    /// Where everything is in the state block.
    pub layout: &'m Layout,
    /// The state block.
    pub words: &'m mut [i32],
    /// The choice buffer: the number of choices, then the choices.
    pub choices: &'m mut [i32],
    /// Permissions of the next call.
    pub grants: &'m mut Grants,
    /// Traces of the calls so far.
    pub traces: &'m mut Traces,
}

impl<'m> Desk<'m> {
    /// The state block with its layout.
    #[inline]
    #[must_use]
    pub fn position(self) -> PositionMut<'m> {
        PositionMut { layout: self.layout, words: self.words }
    }

    /// Lists the choices that a phase declares for a player (from 1).
    #[inline]
    pub fn list_declared(self, offer: Offer, player: i32) {
        list_declared(&Position { layout: self.layout, words: self.words }, self.choices, offer, player);
    }

    /// Removes equal tokens from the choices of a prompt if it says so, and checks the choices.
    ///
    /// # Errors
    /// The first choice that the prompt does not accept.
    #[inline]
    pub fn prepare(
        self,
        declared: &Declarations,
        choosable: &Choosable,
        seat: u8,
        prompt: usize,
    ) -> Result<(), String> {
        let sight = Sight { declared, layout: self.layout, words: &*self.words, seat: Some(seat) };
        // No hook runs that could be charged.
        choosable.prepare(&sight, prompt, self.choices, &Budget::default())
    }

    /// Takes the listed question's single choice, if there is one and the prompt allows it.
    #[inline]
    pub fn take_single(self, choosable: &Choosable, question: Question) -> Option<i32> {
        let listed = self.choices.get(1..=self.choices[0].max(0) as usize)?;
        let choice = choosable.single(question.prompt, listed).filter(|_| !self.grants.silent)?;
        self.traces.force(question, (self.words[word::ROUND], self.words[word::PHASE]), choice);
        Some(choice)
    }
}
