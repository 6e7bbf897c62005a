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
use crate::effect::Effect;
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
                deals.push(Effect::between(&before, &after));
            }
            played.restore(&begin)?;
        }
        played.take_log();
        Ok(agreed(&deals))
    }
}

/// The changes that all deals have in common.
fn agreed(deals: &[Vec<Effect>]) -> ChoicePreview {
    let certain = Effect::in_all(deals);
    let varies = deals.is_empty() || deals.iter().any(|effects| effects.len() != certain.len());
    ChoicePreview { certain: Effect::sentences(&certain), varies }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_of_all_deals_are_certain() {
        let draw = |name: &str| Effect::Card { name: name.to_owned(), from: None, to: Some("your hand".to_owned()) };
        let gold = Effect::Counter { who: "You".to_owned(), what: "+2 gold".to_owned() };
        let count = Effect::Count { place: "your hand".to_owned(), by: 1 };
        let deals = ["Drill", "Well"].map(|name| vec![gold.clone(), draw(name), count.clone()]);
        let found = agreed(&deals);
        let certain = vec!["You: +2 gold".to_owned(), "+1 card in your hand".to_owned()];
        assert_eq!((found.certain, found.varies), (certain, true));
        let found = agreed(&deals[..1]);
        assert_eq!((found.certain.len(), found.varies), (2, false));
        assert!(agreed(&[]).varies, "without a deal, nothing is certain");
    }
}
