//! Counts how often items are offered, chosen and scored with in a game, for comparisons of versions.

use std::collections::BTreeMap;

use motherlode::declare::Domain;
use motherlode::{Decision, Game, Match};
use motherlode_play::Watch;
use serde::{Deserialize, Serialize};

use crate::item::Item;

/// The uses of one item in one game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemUse {
    /// Decisions that offered it.
    pub offered: u32,
    /// Decisions that took it.
    pub chosen: u32,
    /// Points of the deciding seats while the rules resolved these decisions, in steps of the score.
    pub scored: i32,
    /// The seats that took it: bit n is seat n.
    pub seats: u32,
}

impl ItemUse {
    /// Whether this seat took the item.
    #[must_use]
    pub fn has_taker(self, seat: usize) -> bool {
        u32::try_from(seat).is_ok_and(|seat| self.seats & bit(seat) != 0)
    }
}

/// The bit of a seat. No game has 32 seats.
fn bit(seat: u32) -> u32 {
    1u32.checked_shl(seat).unwrap_or_default()
}

/// Counts the uses of items in a game.
#[derive(Debug, Clone)]
pub struct ItemUseCounter {
    /// The counted items with their places in the result.
    items: BTreeMap<Item, usize>,
    /// Whether each prompt can offer a counted item.
    prompts: Vec<bool>,
    uses: Vec<ItemUse>,
    score: usize,
    is_shared: bool,
    /// The item that was taken, its seat, and the score of this seat before.
    taken: Option<(usize, u8, i32)>,
}

impl ItemUseCounter {
    /// Creates a counter of these items; `None` is an item that this version of the game lacks.
    #[must_use]
    pub fn new(game: &Game, items: &[Option<Item>]) -> Self {
        let d = game.declarations();
        let found: BTreeMap<Item, usize> =
            items.iter().enumerate().filter_map(|(place, item)| Some(((*item)?, place))).collect();
        let can_offer = |(prompt, domain): (usize, Domain)| {
            found.keys().any(|item| match *item {
                Item::Definition(index) => match domain {
                    Domain::Token => true,
                    Domain::Definition(kind) => d.definitions[index].kind == kind,
                    _ => false,
                },
                Item::Label(of, _) => of == prompt,
                Item::Cell(grid, _) => domain == Domain::Cell(grid),
            })
        };
        let prompts = d.prompts.values().map(|prompt| prompt.domain).enumerate().map(can_offer).collect();
        let uses = vec![ItemUse::default(); items.len()];
        let (score, is_shared) = (d.outcome.score, d.outcome.shared);
        Self { items: found, prompts, uses, score, is_shared, taken: None }
    }

    /// Resets for the next game.
    pub fn begin(&mut self) {
        self.uses.fill(ItemUse::default());
        self.taken = None;
    }

    /// Returns the uses in the game.
    #[must_use]
    pub fn uses(&self) -> Vec<ItemUse> {
        self.uses.clone()
    }

    fn score(&self, m: &Match, seat: u8) -> i32 {
        m.counter(if self.is_shared { 0 } else { i32::from(seat) + 1 }, self.score).unwrap_or_default()
    }
}

impl Watch for ItemUseCounter {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.taken = None;
        if !self.prompts.get(decision.prompt_index()).copied().unwrap_or_default() || m.choices().len() < 2 {
            return;
        }
        let items = Item::of_choices(m, decision);
        let place = |item: &Option<Item>| self.items.get(&(*item)?).copied();
        let mut offered: Vec<usize> = items.iter().filter_map(place).collect();
        offered.sort_unstable();
        offered.dedup();
        let taken = items.get(choice).and_then(place);
        for place in offered {
            self.uses[place].offered += 1;
        }
        if let Some(place) = taken {
            self.uses[place].chosen += 1;
            self.uses[place].seats |= bit(decision.seat.into());
            self.taken = Some((place, decision.seat, self.score(m, decision.seat)));
        }
    }

    fn accepted(&mut self, m: &Match) {
        if let Some((place, seat, before)) = self.taken.take() {
            let by = self.score(m, seat).saturating_sub(before);
            self.uses[place].scored = self.uses[place].scored.saturating_add(by);
        }
    }
}
