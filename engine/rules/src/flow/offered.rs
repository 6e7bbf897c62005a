//! Turns of simultaneous phases made of an offer and `act`. The first question needs no coroutine; only an `act` that asks is one.

use crate::flow::MatchError;
use crate::flow::runner::Runner;
use crate::flow::simultaneous::{Running, Simultaneous};
use crate::script::context::{Asked, Values};
use crate::script::host::{Hook, PhaseHook, replay};
use crate::script::raw::{Ended, Trap};

impl Simultaneous {
    /// Takes a seat through its turn with the answers it gave so far, from the position in which the phase began.
    /// True: it is asked.
    pub(super) fn begin_offer(&mut self, runner: &mut Runner, seat: u8) -> Result<bool, MatchError> {
        let Some(prompt) = runner.declarations().phases[runner.phase_index()].prompt else {
            return self.collect(runner, seat).map(|()| false);
        };
        let values = self.list_offer(runner, seat, prompt)?;
        if runner.host.choices().is_empty() {
            runner.tell_stuck(runner.phase_index(), i32::from(seat) + 1);
            self.collect(runner, seat)?;
            return Ok(false);
        }
        let asked = Asked { seat, prompt, values };
        if let Some(only) = runner.host.take_single(asked) {
            return self.act(runner, seat, only, 0);
        }
        if let Some(&index) = self.seats[usize::from(seat)].answers.first() {
            return self.answer_offer(runner, seat, usize::from(index));
        }
        self.asked = asked;
        Ok(true)
    }

    /// Answers the offer that the seat in focus stands at. True: it is asked more.
    pub(super) fn answer_offer(&mut self, runner: &mut Runner, seat: u8, index: usize) -> Result<bool, MatchError> {
        let list = runner.host.choices();
        let choice = *list.get(index).ok_or(MatchError::BadChoice { index, count: list.len() })?;
        self.act(runner, seat, choice, 1)
    }

    /// Lists what a seat may choose; returns the values of its question.
    fn list_offer(&mut self, runner: &mut Runner, seat: u8, prompt: usize) -> Result<Values, MatchError> {
        let progress = &mut self.seats[usize::from(seat)];
        // It was listed when the phase began, in the same position.
        let listed = progress.question.filter(|_| matches!(progress.running, Running::Offer));
        if let Some(asked) = listed.filter(|_| progress.answers.is_empty()) {
            runner.host.set_choices(&progress.choices);
            return Ok(asked.values);
        }
        progress.running = Running::Offer;
        progress.question = None;
        let listed = runner.in_seat(seat, |runner| runner.list_offer(seat, prompt));
        listed.map_err(|trap| self.explain(runner, seat, &trap))
    }

    /// Carries out what a seat chose, and answers what it then asks; `taken` of its answers were for the offer. True: it asks more.
    fn act(&mut self, runner: &mut Runner, seat: u8, choice: i32, taken: usize) -> Result<bool, MatchError> {
        let hook = Hook::Phase(runner.phase_index(), PhaseHook::Act);
        let Some(function) = runner.host.function(hook) else { return self.collect(runner, seat).map(|()| false) };
        let args = [i32::from(seat) + 1, choice];
        if !runner.host.asks(hook) {
            runner.host.clear_choices();
            let said = runner.host.context().said();
            match runner.in_seat(seat, |runner| runner.host.call(function, &args).map(Ended::Done)) {
                Err(Trap::Asks) => {
                    runner.host.remember_asks(hook);
                    // What it did before it asked is taken back.
                    runner.host.context_mut().unsay(said);
                    runner.host.words_mut().copy_from_slice(&self.start);
                }
                ended => {
                    self.seats[usize::from(seat)].running = Running::Act { choice, taken };
                    return self.ended(runner, seat, ended);
                }
            }
        }
        self.seats[usize::from(seat)].running = Running::Act { choice, taken };
        runner.host.clear_choices();
        let mut rest = &self.seats[usize::from(seat)].answers[taken..];
        let ended = runner.in_seat(seat, |runner| {
            replay(runner, function, &args, |runner, given| runner.host.take_answers(&mut rest, given))
        });
        self.ended(runner, seat, ended)
    }
}
