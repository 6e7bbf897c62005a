//! The choices that a seat does not have, each with the reason: the reply to `why`.

use serde_json::json;

use super::message::{Refusal, RefusedChoice};
use super::table::{LastReasons, TableSession};
use crate::refused::by_reason;

impl TableSession<'_> {
    /// Sends a browser the choices that its seat does not have in its pending decision.
    pub(super) fn explain_refusals(&mut self, client: usize, decision: u32) -> Result<(), Refusal> {
        let seat = self.asked_seat(client, decision)?;
        let step = self.played.answers().len();
        let same = |last: &&LastReasons| (last.seat, last.decision, last.step) == (seat, decision, step);
        let text = match self.shown_state.last_reasons.as_ref().filter(same) {
            Some(last) => last.text.clone(),
            None => {
                let refusals = self.played.refusals(seat).map_err(|_| Refusal::Failed)?;
                let one = |(label, reason)| RefusedChoice { label, reason };
                let choices: Vec<RefusedChoice> = by_reason(refusals).into_iter().map(one).collect();
                json!({ "reasons": { "decision": decision, "choices": choices } }).to_string()
            }
        };
        let mailbox = self.clients[client].mailbox.clone();
        self.send_to(&mailbox, text.clone());
        self.shown_state.last_reasons = Some(LastReasons { seat, decision, step, text });
        Ok(())
    }
}
