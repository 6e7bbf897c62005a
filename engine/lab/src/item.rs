//! Items: anything that can be chosen, such as a card, an action or a cell.

use std::collections::BTreeMap;

use motherlode::declare::Domain;
use motherlode::{ChoiceItem, Decision, Game, Match};
use motherlode_play::Watch;
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
                (name, declared.unwrap_or(id))
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

/// Counts offers and takes of items in a game, and records the opening deal of each seat before the first
/// decision.
#[derive(Debug, Clone)]
pub struct OfferCounter {
    seats: u8,
    /// By item: decisions that offered it, and decisions that took it.
    pub items: BTreeMap<Item, (u32, u32)>,
    /// By seat: the dealt definitions, without tokens that belong to the set of a player.
    pub dealt: Option<Vec<Vec<usize>>>,
    /// Roles of the seats.
    pub roles: Roles,
}

impl OfferCounter {
    /// Creates a counter for games with this number of seats.
    #[must_use]
    pub fn new(game: &Game, seats: u8) -> Self {
        Self { seats, items: BTreeMap::new(), dealt: None, roles: Roles::of(game, seats) }
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
        let items = Item::of_choices(m, decision);
        let taken = items.get(choice).copied().flatten();
        let mut offered: Vec<Item> = items.into_iter().flatten().collect();
        offered.sort_unstable();
        offered.dedup();
        if offered.len() < 2 && m.choices().len() < 2 {
            return;
        }
        for item in offered {
            let count = self.items.entry(item).or_default();
            *count = (count.0 + 1, count.1 + u32::from(taken == Some(item)));
        }
    }

    fn ended(&mut self, m: &Match) {
        self.roles.ended(m);
    }
}
