//! What can be picked: a card, an action, a cell.

use std::collections::BTreeMap;

use motherlode::declare::Domain;
use motherlode::{Chosen, Decision, Game, Match};
use motherlode_play::Watch;
use serde::{Deserialize, Serialize};

use crate::role::Roles;

/// What can be picked. Copies of a card are one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A definition: a card, a tile, a space that content declares.
    Definition(usize),
    /// A label of a prompt (index into the game's labels): an action.
    Label(usize, usize),
    /// A place of a grid.
    Cell(usize, usize),
}

impl Item {
    /// Whether a game has such an item.
    #[must_use]
    pub fn is_of(self, game: &Game) -> bool {
        let d = game.declarations();
        match self {
            Self::Definition(index) => index < d.definitions.len(),
            Self::Label(prompt, label) => prompt < d.prompts.len() && label < game.labels().len(),
            Self::Cell(grid, place) => game.layout().grids.get(grid).is_some_and(|grid| place < grid.places()),
        }
    }

    /// What sort of thing it is, and its name.
    #[must_use]
    pub fn words(self, game: &Game) -> (String, String) {
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

    /// The item of each choice of a decision, as the seat that decides knows it; `None` for numbers, players and what lies face down.
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
            // Which tokens a seat can identify only the match says.
            Domain::Token => {
                let of = |(choice, raw): (motherlode::Choice, &i32)| match choice.what {
                    Chosen::Token { definition, .. } => Some(Self::Definition(definition)),
                    Chosen::Label => label(*raw),
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

/// Counts what is offered and taken in a game, and notes what was dealt to each seat before anybody decided.
#[derive(Debug, Clone)]
pub struct Offers {
    seats: u8,
    /// How often each item was among the choices of a decision, and how often it was taken.
    pub items: BTreeMap<Item, (u32, u32)>,
    /// By seat, what chance has dealt to it: definitions of tokens that are not everybody's own.
    pub dealt: Option<Vec<Vec<usize>>>,
    /// What the seats are.
    pub roles: Roles,
}

impl Offers {
    /// For games of so many seats.
    #[must_use]
    pub fn new(game: &Game, seats: u8) -> Self {
        Self { seats, items: BTreeMap::new(), dealt: None, roles: Roles::of(game, seats) }
    }

    /// Forgets the game before.
    pub fn begin(&mut self) {
        self.items.clear();
        self.dealt = None;
        self.roles.begin();
    }

    fn deal(&self, m: &Match) -> Vec<Vec<usize>> {
        let (d, layout) = (m.game().declarations(), m.game().layout());
        let of = |seat: u8| {
            let holder = i32::from(seat) + 1;
            let lying = (0..d.zones.len()).filter_map(|zone| m.zone(zone, holder)).flatten();
            let token = |token: i32| layout.tokens.get(usize::try_from(token).ok()?.checked_sub(1)?);
            let mut held: Vec<usize> =
                lying.filter_map(token).filter(|token| token.owner == 0).map(|token| token.definition).collect();
            held.sort_unstable();
            held.dedup();
            held
        };
        (0..self.seats).map(of).collect()
    }
}

impl Watch for Offers {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.roles.chosen(m, decision, choice);
        if self.dealt.is_none() {
            self.dealt = Some(self.deal(m));
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
