//! Words of the state that follow from others: current values of attributes, and options that formulas read.

use crate::flow::runner::Runner;
use crate::script::machine::Machine;

impl Runner {
    /// Computes the current values of attributes, if the game has any.
    pub fn refresh(&mut self) {
        if self.game.layout().reactions.has_current() {
            let Self { game, machine, .. } = self;
            machine.desk().position().refresh_all(game.declarations());
        }
    }

    /// Writes the options that formulas read.
    pub fn write_options(&mut self) {
        let Self { game, setup, machine, .. } = self;
        let (d, words) = (game.declarations(), machine.words_mut());
        for (&option, &at) in d.read_options.iter().zip(game.layout().reactions.option_words()) {
            if let Some((name, declared)) = d.options.get_index(option) {
                words[at] = setup.options.get(name).map_or(0, |value| declared.number_of(value));
            }
        }
    }
}
