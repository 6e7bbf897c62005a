//! Designer tools: sources of values, the position as a rule test, estimates of choices, and edited cards. The replies
//! are the messages `explained`, `position`, `estimates`, `form` and `edited`.

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
            ClientMessage::Form { card } => match self.editor()?.card_form(&card) {
                Ok(form) => json!({ "form": form }),
                Err(why) => json!({ "form": { "card": card, "why": why } }),
            },
            ClientMessage::Draft { number, card } => edited(number, self.editor()?.edit_card(&card, false)),
            ClientMessage::Save { number, card } => edited(number, self.editor()?.edit_card(&card, true)),
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

    /// The designer tools, if saved cards take effect.
    fn editor(&self) -> Result<&dyn DesignerTools, Refusal> {
        let tools = self.workshop()?;
        if tools.renews() { Ok(tools) } else { Err(Refusal::SameRules) }
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
