//! The changes that a choice would make: the reply to `preview`.
//!
//! The match is redealt for the seat, so that the preview knows no more than the seat: hidden cards and future draws
//! are other ones in each deal. Changes that all deals have in common are certain.

use motherlode::{Match, MatchError};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde_json::json;

use super::message::{ChoicePreview, Refusal};
use super::table::TableSession;
use crate::change::Changes;
use crate::face::Faces;
use crate::view::View;

/// Number of deals in which a choice is tried.
const DEALS: u64 = 6;

impl TableSession<'_> {
    /// Sends a browser what a choice of its seat's pending question would change.
    pub(super) fn preview(&mut self, client: usize, decision: u32, index: usize) -> Result<(), Refusal> {
        let seat = self.asked_seat(client, decision)?;
        if index >= self.played.legal_of(seat).map_err(|_| Refusal::Failed)?.len() {
            return Err(Refusal::NoChoice);
        }
        let preview = ChoicePreview::of(self.played, &self.rules.faces, seat, index).map_err(|_| Refusal::Failed)?;
        let mailbox = self.clients[client].mailbox.clone();
        let reply = json!({ "preview": { "decision": decision, "index": index, "of": preview } });
        self.send_to(&mailbox, reply.to_string());
        Ok(())
    }
}

impl ChoicePreview {
    /// Plays a choice of a seat in some deals, then restores the position.
    ///
    /// # Errors
    /// The position cannot be restored.
    pub fn of(played: &mut Match, faces: &Faces, seat: u8, index: usize) -> Result<Self, MatchError> {
        let begin = played.snapshot();
        let before = View::of(played, faces, Some(seat));
        let mut deals = Vec::new();
        for number in 0..DEALS {
            let rng = &mut Pcg64Mcg::seed_from_u64(number);
            // A seat may know too much for a deal, and the rules may fail.
            if played.redeal(seat, rng).and_then(|_| played.answer_as(seat, index)).is_ok() {
                let after = View::of(played, faces, Some(seat));
                deals.push(Changes::between(&before, &after).in_words(&after));
            }
            played.restore(&begin)?;
        }
        played.take_log();
        Ok(agreed(&deals))
    }
}

/// The changes that all deals have in common, in the order of the first.
fn agreed(deals: &[Vec<String>]) -> ChoicePreview {
    let Some((first, others)) = deals.split_first() else {
        return ChoicePreview { certain: Vec::new(), varies: true };
    };
    let certain: Vec<String> =
        first.iter().filter(|line| others.iter().all(|other| other.contains(line))).cloned().collect();
    let varies = deals.iter().any(|lines| lines.len() != certain.len());
    ChoicePreview { certain, varies }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(all: &[&str]) -> Vec<String> {
        all.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn only_changes_of_all_deals_are_certain() {
        let deals = [lines(&["gold +2 (now 5)", "hand + Drill"]), lines(&["gold +2 (now 5)", "hand + Well"])];
        let found = agreed(&deals);
        assert_eq!((found.certain, found.varies), (lines(&["gold +2 (now 5)"]), true));
        let found = agreed(&deals[..1]);
        assert_eq!((found.certain.len(), found.varies), (2, false));
        assert!(agreed(&[]).varies, "without a deal, nothing is certain");
    }
}
