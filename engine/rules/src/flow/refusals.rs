//! Refusals: the choices that a seat does not have now, and why.
//!
//! Nothing hidden leaks: the choices are listed again in a redealt copy of the match, which depends only on what the
//! seat may know (`flow/redeal.rs`). A yes or no can follow from less than its reason does, so the real position would not do.

use indexmap::IndexMap;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::flow::{Choice, Match, MatchError};
use crate::script::machine::Machine;
use crate::script::machine::refusal::RefusedChoice;
use crate::text;
use motherlode_content::compose::cannot;
use motherlode_content::declare::{AskChoices, Change, Domain, Holder, Location, Value, VerbCall};

/// A choice that a seat does not have now, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// As [`Choice::id`]; the id of a definition, if its prompt has no such choice.
    pub id: String,
    /// Text for people.
    pub label: String,
    /// Sentences for people.
    pub reason: String,
}

impl Match {
    /// The declared choices that a seat does not have in its pending decision, each with the reason: the text `none` of
    /// the first choice of a verb without a candidate, a price that the seat cannot pay, the sentence of an impossible
    /// verb, the text that a script gives to `refuse`, or for cells the text `none` of the prompt. Empty: nothing was
    /// refused, or the seat decides nothing now.
    ///
    /// The match stays unchanged, and other methods do no work for this one. It takes milliseconds.
    ///
    /// # Errors
    /// A script fails, or memory has run out.
    pub fn refusals(&self, seat: u8) -> Result<Vec<Refusal>, MatchError> {
        let Some((asked, _)) = self.question(seat) else { return Ok(Vec::new()) };
        if !self.game().declarations().phases[self.runner.phase_index()].asks.is_empty() {
            return Ok(self.unpayable(seat, asked.prompt));
        }
        let mut copy = Self::idle(&self.game().explaining(), self.setup())?;
        copy.restore(&self.snapshot())?;
        copy.focus(seat)?;
        match copy.redeal(seat, &mut Pcg64Mcg::seed_from_u64(0)) {
            // Without a position that the seat could have, there is no reason that it may know.
            Err(MatchError::NoDeal { .. }) => return Ok(Vec::new()),
            dealt => dealt?,
        };
        let legal = self.legal_of(seat)?;
        let mut found: Vec<Refusal> = Vec::new();
        let of_seat = |by: Option<u8>| by.is_none_or(|by| by == seat);
        let refusals = copy.runner.machine.traces().refusals.iter().filter(|refused| of_seat(refused.seat));
        for refused in refusals {
            let (id, label) = copy.refused_in_words(seat, asked.prompt, &refused.choice);
            if legal.iter().any(|choice| choice.id == id) {
                continue;
            }
            match found.iter_mut().find(|other| other.id == id) {
                Some(other) if other.reason.contains(&refused.reason) => {}
                Some(other) => other.reason = format!("{} {}", other.reason, refused.reason),
                None => found.push(Refusal { id, label, reason: refused.reason.clone() }),
            }
        }
        for other in self.other_cells(seat, asked.prompt) {
            let is_known =
                legal.iter().map(|choice| &choice.id).chain(found.iter().map(|one| &one.id)).any(|id| *id == other.id);
            if !is_known {
                found.push(other);
            }
        }
        Ok(found)
    }

    /// All cells of a prompt that says why cells are not listed; those of the seat, if each player has a copy of the grid.
    fn other_cells(&self, seat: u8, prompt: usize) -> Vec<Refusal> {
        let declared = &self.game().declarations().prompts[prompt];
        let (Domain::Cell(grid), Some(none)) = (declared.domain, declared.none) else { return Vec::new() };
        let d = self.game().declarations();
        let geometry = &self.game().layout().grids[grid];
        let is_own = d.grids[grid].per == Holder::Player;
        let first = if is_own { geometry.places() * usize::from(seat) } else { 0 };
        let cells: Vec<i32> = geometry.cells().iter().map(|&place| (first + usize::from(place)) as i32 + 1).collect();
        let reason = &d.texts[none];
        let refused = |Choice { id, label, .. }| Refusal { id, label, reason: reason.clone() };
        self.choices_in_words(seat, prompt, &cells).into_iter().map(refused).collect()
    }

    /// The purchases of a declared question that the seat cannot make.
    fn unpayable(&self, seat: u8, prompt: usize) -> Vec<Refusal> {
        let d = self.game().declarations();
        let asks = &d.phases[self.runner.phase_index()].asks;
        let Some(AskChoices::Buy { prices, .. }) = asks.iter().find(|ask| ask.prompt == prompt).map(|ask| &ask.choices)
        else {
            return Vec::new();
        };
        let words = self.words_for(Some(seat));
        let mut found = Vec::new();
        for (number, price) in (1..).zip(prices) {
            let lacks = |change: &&Change| {
                let at = self.game().layout().counters[change.counter].offset + usize::from(seat);
                let value = words[at].saturating_add(change.by);
                !(d.counters[change.counter].min..=d.counters[change.counter].max).contains(&value)
            };
            let Some(change) = price.iter().find(lacks) else { continue };
            let (id, label) = self.refused_in_words(seat, prompt, &RefusedChoice::Value(number));
            let name = d.counters.get_index(change.counter).map_or_else(String::new, |(name, _)| name.clone());
            let verb = if change.by < 0 { "pay" } else { "gain" };
            let amounts = Value::Map(IndexMap::from([(name, Value::Integer(change.by.saturating_abs()))]));
            let args = IndexMap::from([("amounts".to_owned(), amounts)]);
            let reason = cannot(d, &VerbCall { verb: verb.to_owned(), args, place: Location::default() });
            found.push(Refusal { id, label, reason });
        }
        found
    }

    /// Id and text of a refused choice of a prompt, as the seat sees it.
    fn refused_in_words(&self, seat: u8, prompt: usize, refused: &RefusedChoice) -> (String, String) {
        let (d, layout) = (self.game().declarations(), self.game().layout());
        let declared = &d.prompts[prompt];
        let of_label = |id: &str| declared.labels.get(id).map(|label| (id.to_owned(), label.clone()));
        let of_value = |raw: i32| {
            let described = self.choices_in_words(seat, prompt, &[raw]).pop();
            described.map_or_else(|| (raw.to_string(), raw.to_string()), |Choice { id, label, .. }| (id, label))
        };
        match refused {
            RefusedChoice::Label(id) => of_label(id).unwrap_or_else(|| {
                let definition = d.definitions.iter().find(|definition| definition.id == *id);
                (id.clone(), definition.map_or_else(|| id.clone(), |definition| definition.name.clone()))
            }),
            RefusedChoice::Value(raw) => of_value(*raw),
            RefusedChoice::Token(token, hook) => {
                let info = &layout.tokens[*token as usize - 1];
                let id = text::domain_id(d, layout, Domain::Token, *token);
                let of_name = |id: &str| of_label(id).or_else(|| of_label(hook));
                match declared.domain {
                    Domain::Definition(kind) if info.kind == kind => {
                        of_value((info.definition - d.kinds[kind].first) as i32 + 1)
                    }
                    Domain::Token => of_name(&id).unwrap_or_else(|| of_value(*token)),
                    _ => of_name(&id).unwrap_or_else(|| (id, text::token_name(d, layout, *token))),
                }
            }
        }
    }
}
