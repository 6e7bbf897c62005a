//! Questions that the engine lists itself: what a phase offers, and single choices.

use crate::flow::MatchError;
use crate::flow::runner::Runner;
use crate::script::machine::{Hook, Machine, PhaseHook, Returned, Trap, Values};
use motherlode_content::declare::MAX_ASKED;

impl Runner {
    /// Lists what the phase offers a seat: its declared choices, then those of the hook `offer`, which only looks and says
    /// nothing. Returns the values of the question.
    ///
    /// # Errors
    /// The hook failed or wrote, or a choice does not fit the prompt.
    pub fn list_offer(&mut self, seat: u8, prompt: usize) -> Result<Values, Trap> {
        let (phase, player) = (self.phase_index(), i32::from(seat) + 1);
        self.machine.set_choices(&[]);
        if let Some(offer) = self.declarations().phases[phase].offer {
            self.machine.desk().list_declared(offer, player);
        }
        let ret = self.look(Hook::Phase(phase, PhaseHook::Offer), &[player])?;
        let Self { game, machine, .. } = self;
        let (declarations, choosable) = (game.declarations(), game.choosable());
        machine.desk().settle(declarations, choosable, seat, prompt).map_err(Trap::Raised)?;
        self.offered_values(prompt, ret)
    }

    /// Lists the offer that waits once more.
    ///
    /// # Errors
    /// As [`Runner::list_offer`], explained.
    pub fn list_again(&mut self, seat: u8, prompt: usize) -> Result<Values, MatchError> {
        let (hook, player) = (Hook::Phase(self.phase_index(), PhaseHook::Offer), i32::from(seat) + 1);
        self.list_offer(seat, prompt).map_err(|trap| self.fault(&trap, hook, &[player]))
    }

    /// The values that the question of an offer shows: those that `offer` returned.
    fn offered_values(&self, prompt: usize, ret: Returned) -> Result<Values, Trap> {
        let mut values = Values::NONE;
        let shows = self.declarations().prompts[prompt].shows;
        if shows == 0 || self.machine.choices().is_empty() {
            return Ok(values);
        }
        let one;
        let given = match ret {
            Returned::Int(n) => {
                one = [n];
                &one[..]
            }
            Returned::List => &self.machine.traces().list,
            _ => &[],
        };
        if given.len() < shows || given.len() > MAX_ASKED {
            let name = self.declarations().prompts.get_index(prompt).map_or("", |(name, _)| name.as_str());
            let message =
                format!("prompt `{name}` shows {shows} values: `offer` returns them, as a list of whole numbers");
            return Err(Trap::Raised(message));
        }
        given.iter().enumerate().for_each(|(i, &value)| values.set(i, value));
        Ok(values)
    }
}
