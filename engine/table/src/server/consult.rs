//! What only the designer asks of a table: where something is set, the position as a rule test, and what choices may come to. The
//! answers are messages of their own, `explained`, `position` and `estimates`.

use serde_json::json;

use super::message::{Refusal, Said};
use super::table::Sitting;
use super::workshop::{Estimated, Trying, Workshop};

impl Sitting<'_> {
    /// Answers what only a designer may ask.
    pub(super) fn consult(&mut self, client: usize, said: Said) -> Result<(), Refusal> {
        if !self.clients[client].role.designer {
            return Err(Refusal::Designer);
        }
        let answer = match said {
            Said::Keep {} => return self.keep(),
            Said::Estimate {} => return self.estimate(client),
            Said::Explain { path } => {
                let found = self.workshop()?.explain(&self.rules.game, &path).ok_or(Refusal::NoName)?;
                json!({ "explained": { "path": path, "found": found } })
            }
            _ => {
                let shown = self.shown_to(client)?;
                let text = self.workshop()?.position(shown.as_ref().unwrap_or(&*self.played));
                json!({ "position": match text {
                    Ok(text) => json!({ "text": text }),
                    Err(why) => json!({ "why": why }),
                } })
            }
        };
        let mailbox = self.clients[client].mailbox.clone();
        self.put(&mailbox, answer.to_string());
        Ok(())
    }

    /// The tools, if there are any.
    pub(super) fn workshop(&self) -> Result<&dyn Workshop, Refusal> {
        self.rules.workshop.as_deref().ok_or(Refusal::NoTool)
    }

    fn estimate(&mut self, client: usize) -> Result<(), Refusal> {
        let shown = self.shown_to(client)?;
        let of = &self.clients[client];
        let (id, seat) = (of.id, of.looks.map(|place| place.seat).or(of.role.seat));
        let played = shown.as_ref().unwrap_or(&*self.played);
        let asked = played.pending().into_iter().find(|decision| Some(decision.seat) == seat);
        let seat = asked.ok_or(Refusal::NoQuestion)?.seat;
        let number = self.workshop()?.estimate(self.out.of, played, seat);
        let (steps, step) = (self.played.answers().len(), played.answers().len());
        self.scene.trying = Some(Trying { client: id, number, steps, step });
        Ok(())
    }

    /// Passes on what choices have come to, while the question stands.
    pub(super) fn tell_estimates(&mut self, number: u64, choices: &[Estimated]) {
        let steps = self.played.answers().len();
        let stands = |trying: &Trying| trying.number == number && trying.steps == steps;
        let Some(Trying { client, step, .. }) = self.scene.trying.filter(stands) else { return };
        if let Some(client) = self.clients.iter().find(|one| one.id == client) {
            let mailbox = client.mailbox.clone();
            self.put(&mailbox, json!({ "estimates": { "step": step, "choices": choices } }).to_string());
        }
    }
}
