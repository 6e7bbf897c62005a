//! What a seat may know, and a match in which what it cannot know was dealt again.

use rand::Rng;

use crate::flow::MatchError;
use crate::flow::matches::{Match, Pending};
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
            player,
        )
    }

    /// Deals again what a seat cannot know: hidden tokens and counters, and the generator; sealed answers of the other seats
    /// are forgotten. The pending decision stays.
    ///
    /// A match that was redealt while a hook waits can be played on, but its snapshots cannot be put back before that hook ends.
    ///
    /// # Errors
    /// A script failed when a sealed phase was taken up again.
    pub fn redeal(&mut self, seat: u8, rng: &mut impl Rng) -> Result<(), MatchError> {
        let game = self.game().clone();
        if let Pending::Sealed { .. } = self.pending {
            let mut start = self.sealed.start.clone();
            redeal(game.declarations(), game.layout(), &mut start, seat, rng);
            let own = self.sealed.seats.get(usize::from(seat)).map(|s| s.answers.clone()).unwrap_or_default();
            let mut answers = vec![Vec::new(); self.sealed.seats.len()];
            if let Some(slot) = answers.get_mut(usize::from(seat)) {
                *slot = own;
            }
            self.sealed_reopen(&start, &answers)?;
            let open = if self.sealed.is_open(seat) {
                Some(seat)
            } else {
                (0..self.setup().players).find(|&s| self.sealed.is_open(s))
            };
            return match open {
                Some(open) => self.sealed_focus(open),
                None => Ok(()),
            };
        }
        redeal(game.declarations(), game.layout(), self.host.words_mut(), seat, rng);
        self.redealt = matches!(self.pending, Pending::Hook { .. });
        Ok(())
    }
}
