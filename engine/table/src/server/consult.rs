//! Designer tools: sources of values, the position as a rule test, estimates of choices, and edited cards. The replies
//! are the messages `explained`, `position`, `estimates`, `form`, `edited` and `taken_back`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::editor::CheckedCard;
use super::message::{ClientMessage, Refusal};
use super::table::TableSession;
use super::workshop::{ChoiceEstimate, DesignerTools, EstimateRun};

impl TableSession<'_> {
    /// Runs a designer tool.
    pub(super) fn consult(&mut self, client: usize, message: ClientMessage) -> Result<(), Refusal> {
        if !self.clients[client].role.designer {
            return Err(Refusal::Designer);
        }
        let answer = match message {
            ClientMessage::Keep {} => return self.restore_rules(),
            ClientMessage::Estimate {} => return self.estimate(client),
            ClientMessage::Explain { path } => {
                let found = self.workshop()?.explain(&self.rules.game, &path).ok_or(Refusal::NoName)?;
                json!({ "explained": { "path": path, "found": found } })
            }
            ClientMessage::Form { card } => {
                return self.edit(client, move |tools| match tools.card_form(&card) {
                    Ok(form) => json!({ "form": form }),
                    Err(why) => json!({ "form": { "card": card, "why": why } }),
                });
            }
            ClientMessage::Draft { number, card } => {
                return self.edit(client, move |tools| edited(number, tools.edit_card(&card, false)));
            }
            ClientMessage::Save { number, card } => {
                return self.edit(client, move |tools| edited(number, tools.edit_card(&card, true)));
            }
            ClientMessage::TakeBack {} => {
                return self.edit(client, |tools| match tools.take_back() {
                    Ok(card) => json!({ "taken_back": { "card": card } }),
                    Err(why) => json!({ "taken_back": { "why": why } }),
                });
            }
            _ => {
                let shown = self.match_shown_to(client)?;
                let text = self.workshop()?.position(shown.as_ref().unwrap_or(&*self.played));
                json!({ "position": match text {
                    Ok(text) => json!({ "text": text }),
                    Err(why) => json!({ "why": why }),
                } })
            }
        };
        let mailbox = self.clients[client].mailbox.clone();
        self.send_to(&mailbox, answer.to_string());
        Ok(())
    }

    /// The designer tools.
    pub(super) fn workshop(&self) -> Result<&dyn DesignerTools, Refusal> {
        self.rules.workshop.as_deref().ok_or(Refusal::NoTool)
    }

    /// Runs work of the card editor beside the match, and sends its reply.
    fn edit(
        &self,
        client: usize,
        work: impl FnOnce(&dyn DesignerTools) -> Value + Send + 'static,
    ) -> Result<(), Refusal> {
        let tools = self.rules.workshop.clone().ok_or(Refusal::NoTool)?;
        if !tools.renews() {
            return Err(Refusal::SameRules);
        }
        let (own, mailbox) = (Arc::clone(&tools), self.clients[client].mailbox.clone());
        tools.edit(Box::new(move || mailbox.send(work(&*own).to_string().into())));
        Ok(())
    }

    fn estimate(&mut self, client: usize) -> Result<(), Refusal> {
        let shown = self.match_shown_to(client)?;
        let of = &self.clients[client];
        let (id, seat) = (of.id, of.viewpoint.map(|place| place.seat).or(of.role.seat));
        let played = shown.as_ref().unwrap_or(&*self.played);
        let asked = played.pending().into_iter().find(|decision| Some(decision.seat) == seat);
        let seat = asked.ok_or(Refusal::NoQuestion)?.seat;
        let number = self.workshop()?.estimate(self.out.of, played, seat);
        let (steps, step) = (self.played.answers().len(), played.answers().len());
        self.shown_state.estimate_run = Some(EstimateRun { client: id, number, steps, step });
        Ok(())
    }

    /// Sends new estimates while their question is still pending.
    pub(super) fn send_estimates(&mut self, number: u64, choices: &[ChoiceEstimate]) {
        let steps = self.played.answers().len();
        let is_current = |run: &EstimateRun| run.number == number && run.steps == steps;
        let Some(EstimateRun { client, step, .. }) = self.shown_state.estimate_run.filter(is_current) else { return };
        if let Some(client) = self.clients.iter().find(|one| one.id == client) {
            let mailbox = client.mailbox.clone();
            self.send_to(&mailbox, json!({ "estimates": { "step": step, "choices": choices } }).to_string());
        }
    }
}

/// The reply to an edited card.
fn edited(number: u32, checked: Result<CheckedCard, String>) -> Value {
    match checked {
        Ok(checked) => json!({ "edited": { "number": number, "checked": checked } }),
        Err(why) => json!({ "edited": { "number": number, "why": why } }),
    }
}
