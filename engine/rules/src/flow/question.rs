//! Questions that the engine lists itself: offers of phases, and single choices.

use crate::flow::MatchError;
use crate::flow::runner::Runner;
use crate::script::machine::{Hook, Machine, PhaseHook, Returned, Trap, Values};
use crate::state::layout::word;
use crate::text::{self, TextArg};
use crate::transcript::Line;
use motherlode_content::declare::MAX_ASKED;

impl Runner {
    /// Lists a phase's offer to a seat: its declared choices, then those of the hook `offer`, which is read-only and
    /// writes no transcript. Returns the values of the question.
    ///
    /// # Errors
    /// The hook fails or writes, or a choice does not fit the prompt.
    pub fn list_offer(&mut self, seat: u8, prompt: usize) -> Result<Values, Trap> {
        let (phase, player) = (self.phase_index(), i32::from(seat) + 1);
        self.machine.set_choices(&[]);
        if let Some(offer) = self.plans.phase(phase).offer {
            self.machine.desk().list_declared(offer, player);
        }
        let ret = self.look(Hook::Phase(phase, PhaseHook::Offer), &[player])?;
        if let Some(pass) = self.plans.phase(phase).pass.filter(|_| self.machine.choices().is_empty()) {
            self.machine.set_choices(&[pass]);
        }
        let Self { game, machine, .. } = self;
        let (declarations, choosable) = (game.declarations(), game.choosable());
        machine.desk().prepare(declarations, choosable, seat, prompt).map_err(Trap::Raised)?;
        self.offered_values(prompt, ret)
    }

    /// Lists the pending offer again.
    ///
    /// # Errors
    /// As [`Runner::list_offer`], with an explanation.
    pub fn list_again(&mut self, seat: u8, prompt: usize) -> Result<Values, MatchError> {
        let (hook, player) = (Hook::Phase(self.phase_index(), PhaseHook::Offer), i32::from(seat) + 1);
        self.list_offer(seat, prompt).map_err(|trap| self.fault(&trap, hook, &[player]))
    }

    /// Writes the phase's transcript line for a player without choices, if it declares one.
    pub fn log_stuck(&mut self, phase: usize, player: i32) {
        let Self { game, machine, .. } = self;
        let d = game.declarations();
        if let Some((_, text)) =
            d.phases[phase].stuck.filter(|_| machine.logging()).and_then(|at| d.texts.get_index(at))
        {
            let values = [TextArg::Number(f64::from(player))];
            let (round, phase) = (machine.words()[word::ROUND], machine.words()[word::PHASE]);
            let line = || Line::public_line(text::fill(d, game.layout(), text, &values)).at(round, phase);
            machine.traces_mut().say(line);
        }
    }

    /// The values in the text of an offer: the results of the hook `offer`.
    fn offered_values(&self, prompt: usize, ret: Returned) -> Result<Values, Trap> {
        let mut values = Values::NONE;
        let shows = self.plan().shows;
        if ret == Returned::Nil && shows == 0 {
            return Ok(values);
        }
        let is_list = ret == Returned::List && shows == 0 && !self.machine.traces().list.is_empty();
        let wrong = match ret {
            Returned::Other(what) => Some(what),
            // A hook that lists choices may return anything to end early.
            Returned::List if is_list && self.machine.choices().is_empty() => Some("a list of choices"),
            _ => None,
        };
        if let Some(what) = wrong {
            let message = format!(
                "`offer` returned {what}: list choices with `choice`, and return only the numbers in the prompt's text"
            );
            return Err(Trap::Raised(message));
        }
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
