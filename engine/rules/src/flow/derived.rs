//! Words of the state that follow from others: current values of attributes, and options that formulas read.

use crate::flow::runner::Runner;
use crate::script::machine::Machine;
use crate::state::layout::word;

impl Runner {
    /// Computes the current values of attributes that may be out of date.
    #[inline]
    pub fn refresh(&mut self) {
        if self.is_stale() {
            let Self { game, machine, .. } = self;
            machine.desk().position().refresh(game.declarations());
        }
    }

    /// Whether current values of attributes may be out of date.
    #[inline]
    pub fn is_stale(&self) -> bool {
        self.has_current && self.word(word::STALE) != 0
    }

    /// Marks the current values of attributes as out of date, because the flow has changed the state.
    #[inline]
    pub fn mark_stale(&mut self) {
        if self.has_current {
            self.set_word(word::STALE, 1);
        }
    }

    /// Writes the options that formulas read, before the first hook.
    pub fn write_options(&mut self) {
        self.mark_stale();
        let Self { game, setup, machine, .. } = self;
        let (d, words) = (game.declarations(), machine.words_mut());
        for (&option, &at) in d.read_options.iter().zip(game.layout().reactions.option_words()) {
            if let Some((name, declared)) = d.options.get_index(option) {
                words[at] = setup.options.get(name).map_or(0, |value| declared.number_of(value));
            }
        }
    }
}
