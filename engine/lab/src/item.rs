//! Items: anything that can be chosen, such as a card, an action or a cell.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use motherlode::declare::Domain;
use motherlode::{ChoiceItem, Decision, Game, Match};
use motherlode_content::placeholder::{Piece, pieces};
use motherlode_play::{Pattern, View, Watch};
use serde::{Deserialize, Serialize};

use crate::role::Roles;

/// An item. All copies of a card are one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A definition: a card, a tile, a space that content declares.
    Definition(usize),
    /// A label of a prompt (index into the game's labels): an action.
    Label(usize, usize),
    /// A cell of a grid.
    Cell(usize, usize),
}

/// Stands for a value in a text.
const BLANK: &str = "…";

/// The text of a label without the values of one question: `Swap …`.
fn without_values(text: &str) -> String {
    let piece = |piece: Piece<'_>| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Placeholder(_) => BLANK.to_owned(),
    };
    pieces(text).map(piece).collect()
}

impl Item {
    /// Whether a game has this item.
    #[must_use]
    pub fn exists_in(self, game: &Game) -> bool {
        let d = game.declarations();
        match self {
            Self::Definition(index) => index < d.definitions.len(),
            Self::Label(prompt, label) => prompt < d.prompts.len() && label < game.labels().len(),
            Self::Cell(grid, place) => game.layout().grids.get(grid).is_some_and(|grid| place < grid.places()),
        }
    }

    /// Returns the kind of the item (of a card: its kind; of an action: its prompt; of a cell: its grid) and its
    /// name.
    #[must_use]
    pub fn kind_and_name(self, game: &Game) -> (String, String) {
        let d = game.declarations();
        match self {
            Self::Definition(index) => d.definitions.get(index).map_or_else(Default::default, |definition| {
                let kind = d.kinds.get_index(definition.kind).map_or("", |(name, _)| name);
                (kind.to_owned(), definition.name.clone())
            }),
            Self::Label(prompt, label) => {
                let id = game.labels().get(label).cloned().unwrap_or_default();
                let (name, declared) = match d.prompts.get_index(prompt) {
                    Some((name, prompt)) => (name.clone(), prompt.labels.get(&id).cloned()),
                    None => Default::default(),
                };
                let shown = declared.map(|text| without_values(&text)).filter(|text| text != BLANK);
                (name, shown.unwrap_or(id))
            }
            Self::Cell(grid, place) => {
                let name = d.grids.get_index(grid).map_or("", |(name, _)| name);
                (name.to_owned(), game.layout().grids[grid].name(place).to_owned())
            }
        }
    }

    /// Returns the item of each choice of a decision, as the deciding seat sees it; `None` for numbers, players
    /// and face-down tokens.
    #[must_use]
    pub fn of_choices(m: &Match, decision: Decision) -> Vec<Option<Self>> {
        let game = m.game();
        let (d, layout) = (game.declarations(), game.layout());
        let prompt = decision.prompt_index();
        let Some((_, declared)) = d.prompts.get_index(prompt) else { return Vec::new() };
        let label = |raw: i32| {
            let labels = game.labels().len().max(1);
            usize::try_from(-(i64::from(raw) + 1)).ok().map(|number| Self::Label(prompt, number % labels))
        };
        let index = |raw: i32| usize::try_from(raw).ok()?.checked_sub(1);
        match declared.domain {
            // Only the match knows which tokens the seat can identify.
            Domain::Token => {
                let of = |(choice, raw): (motherlode::Choice, &i32)| match choice.what {
                    ChoiceItem::Token { definition, .. } => Some(Self::Definition(definition)),
                    ChoiceItem::Label => label(*raw),
                    _ => None,
                };
                m.legal().into_iter().zip(m.choices()).map(of).collect()
            }
            domain => {
                let of = |raw: &i32| match domain {
                    _ if *raw < 0 => label(*raw),
                    Domain::Definition(kind) => {
                        let kind = &d.kinds[kind];
                        index(*raw).filter(|index| *index < kind.len).map(|index| Self::Definition(kind.first + index))
                    }
                    Domain::Cell(grid) => {
                        index(*raw).map(|index| Self::Cell(grid, index % layout.grids[grid].places().max(1)))
                    }
                    _ => None,
                };
                m.choices().iter().map(of).collect()
            }
        }
    }
}

/// The items of an experiment: all items, or those of the choices that patterns select.
#[derive(Debug, Clone, Default)]
pub struct ItemFilter(pub Vec<Pattern>);

impl ItemFilter {
    /// Returns the item of each choice of a decision; `None` for choices without one, or with another.
    #[must_use]
    pub fn of_choices(&self, m: &Match, decision: Decision) -> Vec<Option<Item>> {
        let mut items = Item::of_choices(m, decision);
        if !self.0.is_empty() {
            let view = View::new(m, decision, &self.0);
            let (all, mut found): (Vec<usize>, Vec<usize>) = ((0..items.len()).collect(), Vec::new());
            self.0.iter().for_each(|pattern| pattern.select(&view, &all, &mut found));
            (0..items.len()).filter(|choice| !found.contains(choice)).for_each(|choice| items[choice] = None);
        }
        items
    }

    /// Whether a definition is one of the items.
    #[must_use]
    pub fn has_definition(&self, definition: usize) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.definitions().any(|named| named == definition))
    }
}

/// How often an item was offered and taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 3]", into = "[u64; 3]")]
pub struct OfferCount {
    /// Decisions that offered it.
    pub offers: u64,
    /// Decisions that took it.
    pub takes: u64,
    /// Expected number of takes if all choices were equally likely, in millionths.
    pub even: u64,
}

impl OfferCount {
    /// Whether a count from an untrusted shard is possible.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        self.offers <= u64::from(u32::MAX) && self.takes <= self.offers && self.even <= self.offers * MILLION
    }
}

impl AddAssign for OfferCount {
    fn add_assign(&mut self, more: Self) {
        let Self { offers, takes, even } = self;
        (*offers, *takes, *even) = (*offers + more.offers, *takes + more.takes, *even + more.even);
    }
}

/// Parts in a whole of [`OfferCount::even`].
pub const MILLION: u64 = 1_000_000;

impl From<OfferCount> for [u64; 3] {
    fn from(OfferCount { offers, takes, even }: OfferCount) -> Self {
        [offers, takes, even]
    }
}

impl From<[u64; 3]> for OfferCount {
    fn from([offers, takes, even]: [u64; 3]) -> Self {
        Self { offers, takes, even }
    }
}

/// Counts offers and takes of items in a game, and records the opening deal of each seat before the first
/// decision.
#[derive(Debug, Clone)]
pub struct OfferCounter {
    seats: u8,
    filter: ItemFilter,
    /// Counts by item.
    pub items: BTreeMap<Item, OfferCount>,
    /// By seat: the dealt definitions, without tokens that belong to the set of a player.
    pub dealt: Option<Vec<Vec<usize>>>,
    /// Roles of the seats.
    pub roles: Roles,
}

impl OfferCounter {
    /// Creates a counter for games with this number of seats.
    #[must_use]
    pub fn new(game: &Game, seats: u8, filter: ItemFilter) -> Self {
        Self { seats, filter, items: BTreeMap::new(), dealt: None, roles: Roles::of(game, seats) }
    }

    /// Resets for the next game.
    pub fn begin(&mut self) {
        self.items.clear();
        self.dealt = None;
        self.roles.begin();
    }

    fn dealt_definitions(&self, m: &Match) -> Vec<Vec<usize>> {
        let (d, layout) = (m.game().declarations(), m.game().layout());
        let of = |seat: u8| {
            let holder = i32::from(seat) + 1;
            let tokens = (0..d.zones.len()).filter_map(|zone| m.zone(zone, holder)).flatten();
            let token = |token: i32| layout.tokens.get(usize::try_from(token).ok()?.checked_sub(1)?);
            let mut held: Vec<usize> =
                tokens.filter_map(token).filter(|token| token.owner == 0).map(|token| token.definition).collect();
            held.retain(|definition| self.filter.has_definition(*definition));
            held.sort_unstable();
            held.dedup();
            held
        };
        (0..self.seats).map(of).collect()
    }
}

impl Watch for OfferCounter {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.roles.chosen(m, decision, choice);
        if self.dealt.is_none() {
            self.dealt = Some(self.dealt_definitions(m));
        }
        let items = self.filter.of_choices(m, decision);
        if items.len() < 2 {
            return;
        }
        let taken = items.get(choice).copied().flatten();
        let mut offered: BTreeMap<Item, u64> = BTreeMap::new();
        items.iter().flatten().for_each(|item| *offered.entry(*item).or_default() += 1);
        for (item, choices) in offered {
            let count = self.items.entry(item).or_default();
            count.offers += 1;
            count.takes += u64::from(taken == Some(item));
            count.even += choices * MILLION / items.len() as u64;
        }
    }

    fn ended(&mut self, m: &Match) {
        self.roles.ended(m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_without_the_values_of_a_question() {
        for (text, shown) in [("Pass", "Pass"), ("Swap {1:token} and {2:token}", "Swap … and …"), ("{1:player}", BLANK)]
        {
            assert_eq!(without_values(text), shown);
        }
    }
}
