//! What a seat may know, and a match in which what it cannot know was dealt again.

use rand::Rng;

use crate::flow::waiting::Waiting;
use crate::flow::{Match, MatchError};
use crate::state::observe::Observation;
use crate::state::redeal::redeal;
use crate::state::sight::Sight;

impl Match {
    /// What a seat may know; `None`: the whole state by names.
    #[must_use]
    pub fn observe(&self, seat: Option<u8>) -> Observation {
        let words = self.words_for(seat);
        let player = if self.is_simultaneous() { None } else { self.decision().map(|d| d.seat) };
        Observation::new(
            &Sight { declared: self.game().declarations(), layout: self.game().layout(), words: &words, seat },
            &self.setup().options,
            player,
        )
    }

    /// Deals again what a seat cannot know (a determinization): hidden tokens and counters, and the generator; in a simultaneous
    /// phase the answers of the other seats are forgotten. The seat's own pending decision stays; in a simultaneous phase in
    /// which it has none, whoever is asked then is.
    ///
    /// A match that was redealt while a hook waits can be played on, but its snapshots cannot be put back before that hook ends.
    ///
    /// # Errors
    /// A script failed when a simultaneous phase was taken up again; the match is then as it was.
    pub fn redeal(&mut self, seat: u8, rng: &mut impl Rng) -> Result<(), MatchError> {
        let game = self.game().clone();
        let deal = |words: &mut [i32], ahead: Option<&[i32]>, rng: &mut _| {
            redeal(game.declarations(), game.layout(), words, ahead, seat, rng);
        };
        let Waiting::Simultaneous(phase) = &self.waiting else {
            deal(self.runner.host.words_mut(), None, rng);
            if let Waiting::Hook(frame) = &mut self.waiting {
                frame.redealt = true;
                // What the others have answered at the same time is not known.
                frame.call.partial.retain(|(other, _)| *other == seat);
                let open = frame.open().next();
                let next = if frame.is_open(seat) { Some(seat) } else { open };
                if let Some(next) = next {
                    self.runner.turn_to(frame, next);
                }
            }
            return Ok(());
        };
        let mut start = phase.start.clone();
        deal(&mut start, Some(&self.words_for(Some(seat))), rng);
        let own = phase.seats.get(usize::from(seat)).map(|progress| progress.answers.clone()).unwrap_or_default();
        self.transact(|m| {
            let runner = &mut m.runner;
            let mut phase = runner.spare.phase(&start, runner.setup.players);
            if let Some(progress) = phase.seats.get_mut(usize::from(seat)) {
                progress.answers.extend_from_slice(&own);
            }
            phase.reopen(runner, 0)?;
            let mut asks = phase.is_open(seat) && phase.run_seat(runner, seat)?;
            if !asks {
                runner.host.words_mut().copy_from_slice(&start);
                asks = phase.run(runner)?;
            }
            let next = if asks {
                Waiting::Simultaneous(phase)
            } else {
                runner.spare.keep(Waiting::Simultaneous(phase));
                runner.leave_turns();
                runner.advance()?
            };
            m.wait_for(next);
            Ok(())
        })
    }
}
