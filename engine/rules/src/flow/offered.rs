//! Turns of sealed phases made of an offer and `act`. The first question needs no coroutine; only an `act` that asks is one.

use crate::flow::MatchError;
use crate::flow::matches::{Match, Pending};
use crate::flow::sealed::Running;
use crate::script::host::{Hook, PhaseHook};
use crate::script::raw::{Ended, Trap};

impl Match {
    /// Takes a seat through its turn with the answers it gave so far, from the position in which the phase began. True: it is asked.
    pub(super) fn begin_offer(&mut self, seat: u8, answers: &[u16]) -> Result<bool, MatchError> {
        let Some(prompt) = self.declarations().phases[self.phase_index()].prompt else {
            return self.sealed_collect(seat).map(|()| false);
        };
        self.list_sealed_offer(seat)?;
        let auto = self.declarations().prompts[prompt].auto;
        let (choice, given) = match (self.host.choices(), answers) {
            ([], _) => {
                self.sealed_collect(seat)?;
                return Ok(false);
            }
            (&[only], given) if auto => (only, given),
            (list, [first, given @ ..]) => {
                let (index, count) = (usize::from(*first), list.len());
                (*list.get(index).ok_or(MatchError::BadChoice { index, count })?, given)
            }
            (_, []) => {
                self.pending = Pending::Sealed { seat, prompt };
                return Ok(true);
            }
        };
        self.sealed_act(seat, choice, answers.len() - given.len(), given)
    }

    /// Answers the offer that the seat in focus stands at. True: it is asked more.
    pub(super) fn answer_offer(&mut self, seat: u8, index: usize) -> Result<bool, MatchError> {
        let choice = self.host.choices().get(index).copied();
        let count = self.host.choices().len();
        self.sealed_act(seat, choice.ok_or(MatchError::BadChoice { index, count })?, 1, &[])
    }

    /// Lists what a seat may choose.
    fn list_sealed_offer(&mut self, seat: u8) -> Result<(), MatchError> {
        let phase = self.phase_index();
        let player = i32::from(seat) + 1;
        self.sealed.running = Running::Offer;
        self.host.clear_choices();
        // Another seat may have been asked something with values of its own.
        self.host.context_mut().asked = None;
        if let Some(offer) = self.declarations().phases[phase].offer {
            self.host.list_declared(offer, player);
        }
        let Some(function) = self.host.function(Hook::Phase(phase, PhaseHook::Offer)) else { return Ok(()) };
        let listed = self.sealed_call(|host| host.call(function, &[player]));
        listed.map(|_| ()).map_err(|trap| self.sealed_explain(seat, &trap))
    }

    /// Carries out what a seat chose, and answers what it then asks; `taken` of its answers were for the offer. True: it asks more.
    fn sealed_act(&mut self, seat: u8, choice: i32, taken: usize, given: &[u16]) -> Result<bool, MatchError> {
        let hook = Hook::Phase(self.phase_index(), PhaseHook::Act);
        let Some(function) = self.host.function(hook) else { return self.sealed_collect(seat).map(|()| false) };
        let args = [i32::from(seat) + 1, choice];
        if !self.host.asks(hook) {
            self.host.clear_choices();
            let said = self.log_len();
            match self.sealed_call(|host| host.call(function, &args).map(Ended::Done)) {
                Err(Trap::Asks) => {
                    self.host.remember_asks(hook);
                    // What it did before it asked is taken back; the offer may have written, too.
                    self.host.context_mut().log.truncate(said);
                    self.host.words_mut().copy_from_slice(&self.sealed.start);
                    self.list_sealed_offer(seat)?;
                }
                ended => {
                    self.sealed.running = Running::Act { choice, taken };
                    return self.sealed_ended(seat, ended);
                }
            }
        }
        self.sealed.running = Running::Act { choice, taken };
        self.host.clear_choices();
        let mut ended = self.sealed_call(|host| host.start(function, &args));
        for &answer in given {
            if matches!(ended, Ok(Ended::Asked)) {
                ended = self.sealed_call(|host| host.resume(usize::from(answer)));
            }
        }
        self.sealed_ended(seat, ended)
    }
}
