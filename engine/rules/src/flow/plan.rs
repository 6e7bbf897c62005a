//! Plans of phases, made once for a match: everything about a phase that is the same at every step.

use crate::game::Game;
use crate::script::Driver;
use crate::script::machine::{Hook, Machine, PhaseHook};
use motherlode_content::declare::{Ask, AskChoices, Change, Offer, Phase, Turns, When};

/// Sections of the game: values of the flow word `SECTION`.
const SECTIONS: [When; 3] = [When::Setup, When::Round, When::End];
/// The label that passes.
const PASS: &str = "pass";

/// The plans of all phases.
#[derive(Debug)]
pub(super) struct Plans {
    /// By phase. In a game without phases, the plan of an empty one.
    phases: Vec<PhasePlan>,
    /// For each section: by phase, the first phase of the section from there on.
    next: [Vec<Option<usize>>; 3],
}

/// The plan of a phase.
#[derive(Debug)]
pub(super) struct PhasePlan {
    /// The hooks that the game has, as bits.
    hooks: u16,
    pub turns: Turns,
    pub prompt: Option<usize>,
    /// Number of values in the text of the prompt.
    pub shows: usize,
    pub offer: Option<Offer>,
    /// The choice `pass` of a player without other choices, in a game that asks every question.
    pub pass: Option<i32>,
    /// Declared questions, in order.
    pub asks: Vec<AskPlan>,
    /// Whether finding a seat's question needs a run ahead: a script runs, or a question before the first certain one
    /// may have a single choice.
    pub runs_ahead: bool,
    /// Word of the counter that holds the first player.
    pub first: Option<usize>,
    /// The counter of the turns.
    pub limit: Option<TurnLimit>,
    /// The pile of the stack.
    pub stack: Option<usize>,
    /// Number of times that the phase is played in a row.
    pub times: i32,
}

/// A counter of turns: at its maximum, the phase ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnLimit {
    /// Index of the counter.
    pub counter: usize,
    /// Its word.
    pub word: usize,
    /// Its maximum.
    pub most: i32,
}

/// The plan of a declared question. Words are those of the first seat; the others follow.
#[derive(Debug)]
pub(super) struct AskPlan {
    pub prompt: usize,
    /// Raw choices of the prompt's labels, in order.
    pub labels: Vec<i32>,
    pub choices: AskedChoices,
}

/// The possible answers to a declared question.
#[derive(Debug)]
pub(super) enum AskedChoices {
    /// The labels; the word stores the value of the chosen one.
    Labels { store: usize, values: Vec<i32> },
    /// The players still in the game.
    Players { store: usize, others: bool },
    /// Whole numbers up to the value of a word, and up to a maximum.
    Numbers { store: usize, from: i32, upto: usize, most: i32 },
    /// Purchases, then the labels.
    Buy { prices: Prices, again: bool },
}

/// The prices of a kind's definitions.
#[derive(Debug)]
pub(super) struct Prices {
    /// The changes of all prices, one after the other.
    changes: Vec<PlannedChange>,
    /// For each price, the number of changes up to its end.
    ends: Vec<usize>,
}

/// A change of a player's counter, which must stay in its range.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedChange {
    /// Word of the first seat.
    pub word: usize,
    by: i32,
    range: (i32, i32),
}

impl Plans {
    /// The plans of a game whose hooks this machine runs.
    pub fn new(game: &Game, machine: &Driver) -> Self {
        let d = game.declarations();
        let next = SECTIONS.map(|section| {
            let is_in = |phase: &usize| d.phases[*phase].when == section;
            (0..=d.phases.len()).map(|from| (from..d.phases.len()).find(is_in)).collect()
        });
        let mut phases: Vec<PhasePlan> =
            d.phases.values().enumerate().map(|(at, phase)| PhasePlan::new(game, machine, at, phase)).collect();
        if phases.is_empty() {
            phases.push(PhasePlan::new(game, machine, 0, &Phase::default()));
        }
        Self { phases, next }
    }

    /// The plan of a phase.
    #[inline]
    pub fn phase(&self, phase: usize) -> &PhasePlan {
        &self.phases[phase]
    }

    /// The first phase of a section at or after `from`.
    pub fn next(&self, section: usize, from: usize) -> Option<usize> {
        self.next[section].get(from).copied().flatten()
    }
}

impl PhasePlan {
    fn new(game: &Game, machine: &Driver, index: usize, phase: &Phase) -> Self {
        let (d, layout) = (game.declarations(), game.layout());
        let has = |hook: &PhaseHook| machine.has(Hook::Phase(index, *hook));
        let prompt = phase.prompt.and_then(|prompt| d.prompts.get_index(prompt)).map(|(_, prompt)| prompt);
        let passes = game.is_asking()
            && matches!(phase.turns, Turns::Passes | Turns::Priority)
            && prompt.is_some_and(|prompt| prompt.labels.contains_key(PASS));
        let limit = phase.limit.and_then(|counter| {
            Some(TurnLimit { counter, word: layout.counter_word(counter, 0)?, most: d.counters[counter].max })
        });
        Self {
            hooks: PhaseHook::ALL.iter().filter(|hook| has(hook)).map(|hook| 1 << *hook as u16).sum(),
            turns: phase.turns,
            prompt: phase.prompt,
            shows: prompt.map_or(0, |prompt| prompt.shows),
            offer: phase.offer,
            pass: Some(PASS).filter(|_| passes).and_then(|label| raw_label(game, label)),
            asks: phase.asks.iter().map(|ask| AskPlan::new(game, ask)).collect(),
            runs_ahead: runs_ahead(game, &phase.asks),
            first: phase.first.and_then(|counter| layout.counter_word(counter, 0)),
            limit,
            stack: phase.stack.and_then(|zone| layout.pile(zone, 0)),
            times: i32::from(phase.times.max(1)),
        }
    }

    /// Whether the game has a hook of the phase.
    #[inline]
    pub fn has(&self, hook: PhaseHook) -> bool {
        self.hooks >> hook as u16 & 1 != 0
    }

    /// Whether the phase declares its questions, so that no script runs.
    #[inline]
    pub fn has_asks(&self) -> bool {
        !self.asks.is_empty()
    }
}

impl AskPlan {
    fn new(game: &Game, ask: &Ask) -> Self {
        let (d, layout) = (game.declarations(), game.layout());
        let word = |counter: usize| layout.counters[counter].offset;
        let planned = |change: &Change| {
            let declared = &d.counters[change.counter];
            PlannedChange { word: word(change.counter), by: change.by, range: (declared.min, declared.max) }
        };
        let choices = match &ask.choices {
            AskChoices::Labels { store, values } => {
                AskedChoices::Labels { store: word(*store), values: values.clone() }
            }
            AskChoices::Players { store, others } => AskedChoices::Players { store: word(*store), others: *others },
            AskChoices::Numbers { store, from, upto } => {
                // Numbers outside the range of the counter cannot be stored.
                let kept = &d.counters[*store];
                let (from, most) = ((*from).max(kept.min), kept.max);
                AskedChoices::Numbers { store: word(*store), from, upto: word(*upto), most }
            }
            AskChoices::Buy { prices, again, .. } => {
                let mut all = Prices { changes: Vec::new(), ends: Vec::new() };
                for price in prices {
                    all.changes.extend(price.iter().map(planned));
                    all.ends.push(all.changes.len());
                }
                AskedChoices::Buy { prices: all, again: *again }
            }
        };
        let labels = d.prompts[ask.prompt].labels.keys();
        let labels = labels.map(|label| raw_label(game, label).unwrap_or(0)).collect();
        Self { prompt: ask.prompt, labels, choices }
    }
}

impl Prices {
    /// Number of prices.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The changes of a price, by its index.
    pub fn get(&self, index: usize) -> &[PlannedChange] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.changes[start..self.ends[index]]
    }

    /// The changes of all prices, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &[PlannedChange]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.changes[std::mem::replace(&mut start, end)..end])
    }
}

impl PlannedChange {
    /// The new value of the counter of a seat; `None`: it would be out of range.
    #[inline]
    pub fn applied(self, words: &[i32], seat: u8) -> Option<i32> {
        let value = words[self.word + usize::from(seat)].checked_add(self.by)?;
        (self.range.0..=self.range.1).contains(&value).then_some(value)
    }
}

/// The raw choice of a label.
fn raw_label(game: &Game, label: &str) -> Option<i32> {
    let at = game.labels().iter().position(|known| known == label)?;
    i32::try_from(at).ok().map(|at| -1 - at)
}

fn runs_ahead(game: &Game, asks: &[Ask]) -> bool {
    for ask in asks {
        let prompt = &game.declarations().prompts[ask.prompt];
        let may_be_single = match ask.choices {
            AskChoices::Labels { .. } => prompt.labels.len() == 1,
            // Purchases are listed beside the labels.
            AskChoices::Buy { .. } => prompt.labels.is_empty(),
            AskChoices::Players { .. } | AskChoices::Numbers { .. } => true,
        };
        if prompt.auto && may_be_single {
            return true;
        }
        if matches!(ask.choices, AskChoices::Labels { .. }) {
            return false;
        }
    }
    asks.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(word: usize) -> PlannedChange {
        PlannedChange { word, by: -2, range: (0, 9) }
    }

    #[test]
    fn each_price_has_its_changes() {
        let prices = Prices { changes: [4, 5, 6].map(change).to_vec(), ends: vec![1, 1, 3] };
        let words = |price: &[PlannedChange]| price.iter().map(|change| change.word).collect::<Vec<_>>();
        let expected = [vec![4], vec![], vec![5, 6]];
        assert!(prices.iter().map(words).eq(expected.clone()));
        assert!((0..prices.len()).map(|index| words(prices.get(index))).eq(expected));
    }

    #[test]
    fn a_change_stays_in_its_range() {
        let words = [0, 5, 1, i32::MIN];
        assert_eq!([1, 2, 3].map(|seat| change(0).applied(&words, seat)), [Some(3), None, None]);
    }
}
