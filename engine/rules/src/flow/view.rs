//! What a seat may know, and a match in which what it cannot know was dealt again.

use rand::Rng;

use crate::flow::MatchError;
use crate::flow::matches::{Match, Pending, Stop};
use crate::state::observe::Observation;
use crate::state::redeal::redeal;
use crate::state::sight::Sight;

impl Match {
    /// What a seat may know; `None`: the whole state by names.
    #[must_use]
    pub fn observe(&self, seat: Option<u8>) -> Observation {
        let words = self.words_for(seat);
        let player = match self.pending {
            Pending::Sealed { .. } => None,
            _ => self.decision().map(|d| d.seat),
        };
        Observation::new(
            &Sight { declared: self.game().declarations(), layout: self.game().layout(), words: &words, seat },
            &self.setup().options,
            player,
        )
    }

    /// Deals again what a seat cannot know: hidden tokens and counters, and the generator; sealed answers of the other seats
    /// are forgotten. The seat's own pending decision stays; in a sealed phase in which it has none, whoever is asked then is.
    ///
    /// A match that was redealt while a hook waits can be played on, but its snapshots cannot be put back before that hook ends.
    ///
    /// # Errors
    /// A script failed when a sealed phase was taken up again.
    pub fn redeal(&mut self, seat: u8, rng: &mut impl Rng) -> Result<(), MatchError> {
        let game = self.game().clone();
        if let Pending::Sealed { .. } = self.pending {
            let mut start = self.sealed.start.clone();
            let ahead = self.words_for(Some(seat));
            redeal(game.declarations(), game.layout(), &mut start, Some(&ahead), seat, rng);
            let own = self.sealed.seats.get(usize::from(seat)).map(|s| s.answers.clone()).unwrap_or_default();
            let mut answers = vec![Vec::new(); self.sealed.seats.len()];
            if let Some(slot) = answers.get_mut(usize::from(seat)) {
                *slot = own;
            }
            loop {
                match self.sealed_take_up(&start, &answers, seat) {
                    Ok(()) => return Ok(()),
                    Err(Stop::Again) => {}
                    Err(Stop::Fault(error)) => return Err(error),
                }
            }
        }
        redeal(game.declarations(), game.layout(), self.host.words_mut(), None, seat, rng);
        self.redealt = matches!(self.pending, Pending::Hook { .. });
        Ok(())
    }
}
