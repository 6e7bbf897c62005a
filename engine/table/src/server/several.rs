//! Several choices of a question, given at once.

use motherlode::{Choice, Decision};

use super::message::Refusal;
use super::table::TableSession;
use crate::question;

impl TableSession<'_> {
    /// Answers a question with each of these choices, which the question offers again and again.
    pub(super) fn answer_several(&mut self, client: usize, decision: u32, indices: &[usize]) -> Result<(), Refusal> {
        let seat = self.asked_seat(client, decision)?;
        let (asked, choices) = self.asked(seat)?;
        let given = self.named(asked, &choices, indices)?;
        let done = self.give(seat, asked, &given);
        // A patch for each choice would show the questions between them.
        self.send_tables();
        self.show_update();
        done
    }

    /// Answers with one choice after the other.
    fn give(&mut self, seat: u8, asked: Decision, given: &[&Choice]) -> Result<(), Refusal> {
        for (at, choice) in given.iter().enumerate() {
            // The engine takes a single choice without asking, so the last ones may be made already.
            let again = self.asked(seat).ok().filter(|(now, _)| now.prompt_index() == asked.prompt_index());
            let Some((_, choices)) = again else { break };
            let index = choices.iter().position(|one| one.key() == choice.key()).ok_or(Refusal::Partly)?;
            self.answer_for(seat, index)?;
            if let Some(past) = self.shown_state.history.last_mut() {
                past.is_joined = at > 0;
            }
            self.update_viewers(None);
        }
        Ok(())
    }

    /// The pending question of a seat, and its choices.
    fn asked(&self, seat: u8) -> Result<(Decision, Vec<Choice>), Refusal> {
        let asked =
            self.played.pending().into_iter().find(|decision| decision.seat == seat).ok_or(Refusal::NotAsked)?;
        Ok((asked, self.played.legal_of(seat).map_err(|_| Refusal::Failed)?))
    }

    /// The choices with these indices, if the question allows them together.
    fn named<'c>(&self, asked: Decision, choices: &'c [Choice], indices: &[usize]) -> Result<Vec<&'c Choice>, Refusal> {
        let d = self.played.game().declarations();
        let several = question::several(d, asked, choices).ok_or(Refusal::NoChoice)?;
        let made = indices.iter().filter(|index| Some(**index) != several.end).count();
        let is_enough = if several.end.is_some() { made > 0 } else { made == several.most };
        let is_distinct = indices.iter().enumerate().all(|(at, index)| !indices[..at].contains(index));
        let ends_last = indices.iter().rev().skip(1).all(|index| Some(*index) != several.end);
        if !is_enough || made > several.most || !is_distinct || !ends_last {
            return Err(Refusal::NoChoice);
        }
        indices.iter().map(|index| choices.get(*index).ok_or(Refusal::NoChoice)).collect()
    }
}
