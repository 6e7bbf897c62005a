//! What only the designer asks of a table: where something is set, the position as a rule test, what choices may come to, and the rules
//! before the last save. The answers are messages of their own, `explained`, `position` and `estimates`.

use motherlode::Match;
use serde_json::json;

use super::message::{Refusal, Said};
use super::table::{Older, Table, begin};
use super::workshop::Workshop;

impl<'p> Table<'p> {
    /// A table at which a designer finds these tools.
    #[must_use]
    pub fn with(mut self, workshop: Box<dyn Workshop + 'p>) -> Self {
        self.workshop = Some(workshop);
        self
    }

    /// Answers what only a designer may ask.
    pub(super) fn consult(&mut self, client: usize, said: Said) -> Result<(), Refusal> {
        if !self.clients[client].role.designer {
            return Err(Refusal::Designer);
        }
        let answer = match said {
            Said::Keep {} => return self.keep(),
            Said::Estimate {} => return self.estimate(client),
            Said::Explain { path } => {
                let workshop = self.workshop.as_mut().ok_or(Refusal::NoTool)?;
                let found = workshop.explain(&self.game, &path).ok_or(Refusal::NoName)?;
                json!({ "explained": { "path": path, "found": found } })
            }
            _ => {
                let shown = self.shown_to(client)?;
                let workshop = self.workshop.as_mut().ok_or(Refusal::NoTool)?;
                let text = workshop.position(shown.as_ref().unwrap_or(&self.played));
                json!({ "position": match text {
                    Ok(text) => json!({ "text": text }),
                    Err(why) => json!({ "why": why }),
                } })
            }
        };
        // A reader that is too slow for this is dropped with the next message.
        let _ = self.clients[client].to.try_send(answer.to_string());
        Ok(())
    }

    /// The match as it was at the step that is shown; `None`: as it is.
    fn shown_to(&self, client: usize) -> Result<Option<Match>, Refusal> {
        let Some(place) = self.clients[client].looks else { return Ok(None) };
        let answers = self.played.answers().get(..place.step).ok_or(Refusal::NoStep)?;
        let mut again = begin(&self.game, self.played.setup()).map_err(|_| Refusal::Failed)?;
        for answer in answers {
            again.answer_as(answer.seat, usize::from(answer.index)).map_err(|_| Refusal::Failed)?;
        }
        Ok(Some(again))
    }

    /// Goes back to the rules before the last save, and to the match as it was by them.
    fn keep(&mut self) -> Result<(), Refusal> {
        let Older { game, players, answers } = self.older.take().ok_or(Refusal::NoRules)?;
        self.again(&game, &answers).map_err(|_| Refusal::Failed)?;
        self.players = players;
        self.show_anew();
        self.send(|viewer, _| viewer.note("The match goes on by the rules before the last save."));
        Ok(())
    }

    fn estimate(&mut self, client: usize) -> Result<(), Refusal> {
        let shown = self.shown_to(client)?;
        let of = &self.clients[client];
        let (id, seat) = (of.id, of.looks.map(|place| place.seat).or(of.role.seat));
        let played = shown.as_ref().unwrap_or(&self.played);
        let asked = played.pending().into_iter().find(|decision| Some(decision.seat) == seat);
        let seat = asked.ok_or(Refusal::NoQuestion)?.seat;
        self.workshop.as_mut().ok_or(Refusal::NoTool)?.estimate(played, seat);
        self.trying = Some((id, self.played.answers().len()));
        Ok(())
    }

    /// Passes on what choices have come to, while the question stands.
    pub(super) fn tell_estimates(&mut self) {
        let Some(found) = self.workshop.as_mut().and_then(|workshop| workshop.estimated()) else { return };
        let Some((id, steps)) = self.trying.filter(|(_, steps)| *steps == self.played.answers().len()) else { return };
        if let Some(client) = self.clients.iter().find(|client| client.id == id) {
            let step = client.looks.map_or(steps, |place| place.step);
            // A reader that is too slow for this is dropped with the next message.
            let _ = client.to.try_send(json!({ "estimates": { "step": step, "choices": found } }).to_string());
        }
    }
}
