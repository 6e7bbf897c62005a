//! The places of choices on the table: cells, piles and counters, by what a definition is and by what `look.toml` declares.

use motherlode::declare::{
    Attribute, AttributeType, ChoiceLook, ChoiceSet, Declarations, Definition, Domain, Family, Holder, Kind, Show,
    Value,
};
use motherlode::{Choice, ChoiceItem, CounterView, Decision, Observation};
use motherlode_content::placeholder::{Form, Piece, pieces};

use crate::face::id_of;
use crate::names::GameNames;
use crate::view::{Board, Cell, CellTarget, Pile, PlaceTarget};

/// The table as the asked seat sees it.
#[derive(Clone, Copy)]
pub struct Table<'t> {
    pub seen: &'t Observation,
    pub boards: &'t [Board],
    pub piles: &'t [Pile],
}

/// Finds the places of the choices of one question.
pub struct ChoicePlaces<'g> {
    names: &'g GameNames<'g>,
    table: Table<'g>,
    decision: Decision,
    declared: Option<&'g ChoiceLook>,
    /// The seats whose places they are.
    owners: Vec<u8>,
}

impl<'g> ChoicePlaces<'g> {
    pub fn new(names: &'g GameNames<'g>, table: Table<'g>, decision: Decision) -> Self {
        let declared = names.d.look.choices.get(decision.prompt(names.game));
        let mut places = Self { names, table, decision, declared, owners: Vec::new() };
        places.owners = places.owners();
        places
    }

    fn owners(&self) -> Vec<u8> {
        let seat = self.decision.seat;
        match self.declared {
            Some(look) if look.of == ChoiceLook::ALL => self.table.seen.players.iter().map(|one| one.seat).collect(),
            Some(look) if !look.of.is_empty() => match self.counter(&look.of) {
                Some(CounterView::Player { seat: Some(owner) }) => vec![*owner],
                _ => Vec::new(),
            },
            Some(look) if !look.on.is_empty() => {
                let named = self.asked_about("player").and_then(|player| u8::try_from(player).ok()?.checked_sub(1));
                vec![named.unwrap_or(seat)]
            }
            _ => vec![seat],
        }
    }

    /// The first value of the question that its text names as this sort.
    fn asked_about(&self, sort: &str) -> Option<i32> {
        let (_, prompt) = self.names.d.prompts.get_index(self.decision.prompt_index())?;
        let values = self.decision.values();
        let value = |piece: Piece<'_>| match piece {
            Piece::Placeholder(one) if matches!(one.form, Form::Name(name) if name == sort) => {
                values.get(one.value.parse::<usize>().ok()?.checked_sub(1)?).copied()
            }
            _ => None,
        };
        pieces(&prompt.text).find_map(value)
    }

    /// The definition of a kind that the question names.
    fn definition_asked_about(&self, kind: usize) -> Option<usize> {
        let (name, _) = self.names.d.kinds.get_index(kind)?;
        usize::try_from(self.asked_about(name)?).ok()?.checked_sub(1)
    }

    /// The places of a choice; any of them stands for it. Empty: it has none beyond what it is.
    pub fn of(&self, choice: &Choice) -> Vec<PlaceTarget> {
        let d = self.names.d;
        let chosen = match choice.what {
            ChoiceItem::Definition { definition } => d.definitions.get(definition),
            ChoiceItem::Label => only_definition(d, label_of(choice)),
            ChoiceItem::Hidden { zone, seat, place } => return self.hidden(zone, seat, place),
            ChoiceItem::Number(_) => None,
            _ => return Vec::new(),
        };
        if let Some(look) = self.declared {
            let is_label = choice.what == ChoiceItem::Label;
            match look.labels.get(label_of(choice)).filter(|_| is_label) {
                Some(name) => return self.named(name, chosen),
                None if look.list => return Vec::new(),
                None if !look.on.is_empty() && !is_label => return self.named(&look.on, chosen),
                None if !look.kind.is_empty() => return self.matching(look, choice),
                None => {}
            }
        }
        chosen.map(|one| self.of_definition(one)).unwrap_or_default()
    }

    /// The places of the values of a label, value by value; values without a place are left out. The id of the choice
    /// names its values: `move b3 c4.2`.
    pub fn steps(&self, choice: &Choice) -> Vec<Vec<PlaceTarget>> {
        if choice.what != ChoiceItem::Label || self.declared.is_some_and(|look| look.list) {
            return Vec::new();
        }
        let prompt = self.names.d.prompts.get_index(self.decision.prompt_index()).map(|(_, prompt)| prompt);
        let mut words = choice.id.split(' ');
        let sets = words.next().and_then(|label| prompt?.values.get(label)).map(Vec::as_slice).unwrap_or_default();
        let steps = sets.iter().zip(words).map(|(set, word)| self.of_value(set, word));
        steps.filter(|places| !places.is_empty()).collect()
    }

    /// The places of one value of a label.
    fn of_value(&self, set: &ChoiceSet, word: &str) -> Vec<PlaceTarget> {
        let d = self.names.d;
        match set.domain {
            Domain::Cell(grid) => {
                let Some((board, declared)) = d.grids.get_index(grid) else { return Vec::new() };
                let (cell, player) = match word.rsplit_once('.').filter(|_| declared.per == Holder::Player) {
                    Some((cell, player)) => (cell, player.parse::<u8>().ok()),
                    None => (word, None),
                };
                let seat = player.and_then(|player| player.checked_sub(1));
                vec![PlaceTarget::Cell(CellTarget { board: board.clone(), seat, cell: cell.to_owned() })]
            }
            Domain::Definition(kind) => {
                let Some(one) = d.definitions_of(kind).iter().find(|one| one.id == word) else { return Vec::new() };
                if d.kinds[kind].tokens { self.cards_anywhere(one) } else { self.of_definition(one) }
            }
            Domain::Player => {
                let seat = word.parse::<u8>().ok().and_then(|player| player.checked_sub(1));
                seat.map(PlaceTarget::Seat).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The cards that show a definition: those of the game and of the owners, else all others; in piles and on cells.
    fn cards_anywhere(&self, one: &Definition) -> Vec<PlaceTarget> {
        let face = id_of(self.names.d, one);
        let cells = self.table.boards.iter().flat_map(|board| board.cells.iter().map(move |cell| (board, cell)));
        let here = |cell: &Cell| face.is_some() && cell.cards.iter().any(|card| card.face == face);
        let on_boards = cells.filter(|(_, cell)| here(cell)).map(|(board, cell)| {
            let of = CellTarget { board: board.id.clone(), seat: board.seat, cell: cell.id.clone() };
            (board.seat, PlaceTarget::Cell(of))
        });
        let piles = self.table.piles.iter().flat_map(|pile| pile.cards.iter().enumerate().map(move |at| (pile, at)));
        let in_piles = piles.filter(|(_, (_, card))| face.is_some() && card.face == face).map(|(pile, (at, _))| {
            (pile.seat, PlaceTarget::Pile { zone: pile.id.clone(), seat: pile.seat, at: Some(at) })
        });
        let is_near = |seat: Option<u8>| seat.is_none_or(|seat| self.owners.contains(&seat));
        let (near, far): (Vec<_>, Vec<_>) = on_boards.chain(in_piles).partition(|(seat, _)| is_near(*seat));
        let found = if near.is_empty() { far } else { near };
        found.into_iter().map(|(_, place)| place).collect()
    }

    /// The place of a token that the seat knows only by its place.
    fn hidden(&self, zone: Option<usize>, seat: Option<u8>, place: usize) -> Vec<PlaceTarget> {
        let zone = zone.and_then(|zone| self.names.d.zones.get_index(zone));
        let target = |(name, _): (&String, _)| PlaceTarget::Pile { zone: name.clone(), seat, at: place.checked_sub(1) };
        zone.map(target).into_iter().collect()
    }

    /// The places of the definitions whose attributes have the values of the choice and of the asked player.
    fn matching(&self, look: &ChoiceLook, choice: &Choice) -> Vec<PlaceTarget> {
        let d = self.names.d;
        let Some((index, _, kind)) = d.kinds.get_full(&look.kind) else { return Vec::new() };
        let wanted = |word: &str| match word {
            ChoiceLook::CHOICE => Some(label_of(choice).to_owned()),
            counter => self.counter(counter).and_then(written),
        };
        let fits = |one: &&Definition| {
            look.matches.iter().all(|(attribute, word)| {
                let value = kind.attributes.get_index_of(attribute).and_then(|at| one.attributes.get(at));
                value.map(plain).is_some_and(|value| wanted(word).as_ref() == Some(&value))
            })
        };
        let of = |one: &Definition| if kind.tokens { self.cards(one) } else { self.of_definition(one) };
        d.definitions_of(index).iter().filter(fits).flat_map(of).collect()
    }

    /// The cards of the game and of the owners that show a definition.
    fn cards(&self, one: &Definition) -> Vec<PlaceTarget> {
        let face = id_of(self.names.d, one);
        let piles = self.table.piles.iter().filter(|pile| pile.seat.is_none_or(|seat| self.owners.contains(&seat)));
        let cards = piles.flat_map(|pile| pile.cards.iter().enumerate().map(move |(at, card)| (pile, at, card)));
        cards
            .filter(|(_, _, card)| face.is_some() && card.face == face)
            .map(|(pile, at, _)| PlaceTarget::Pile { zone: pile.id.clone(), seat: pile.seat, at: Some(at) })
            .collect()
    }

    /// A counter of the asked player.
    fn counter(&self, name: &str) -> Option<&'g CounterView> {
        self.table.seen.players.iter().find(|one| one.seat == self.decision.seat)?.counters.get(name)
    }

    /// The place that a name of `look.toml` stands for; of a family or a grid, the one that the choice names.
    fn named(&self, name: &str, chosen: Option<&Definition>) -> Vec<PlaceTarget> {
        let d = self.names.d;
        if let Some(zone) = d.zones.get_index_of(name) {
            return self.zone(zone);
        }
        if let Some(counter) = d.counters.get_index_of(name) {
            return self.value(counter);
        }
        if let Some(grid) = d.grids.get_index_of(name) {
            return self.cells(grid, chosen);
        }
        let at = |kind: usize| match chosen {
            Some(one) if one.kind == kind => number_of(d, one),
            _ => self.definition_asked_about(kind),
        };
        let members = |family: &Family| match at(family.kind) {
            Some(at) => family.first + at..family.first + at + 1,
            None => family.members(),
        };
        let zones = d.zone_families.get(name).map(members).into_iter().flatten();
        let counters = d.counter_families.get(name).map(members).into_iter().flatten();
        zones.flat_map(|zone| self.zone(zone)).chain(counters.flat_map(|counter| self.value(counter))).collect()
    }

    /// The places of a definition: in a pile, a cell with its name, or its member of a family.
    fn of_definition(&self, one: &Definition) -> Vec<PlaceTarget> {
        let d = self.names.d;
        let Some((name, kind)) = d.kinds.get_index(one.kind) else { return Vec::new() };
        if let Some(look) = d.look.kinds.get(name).filter(|look| !look.pile.is_empty()) {
            return self.in_pile(&look.pile, &look.at, kind, one);
        }
        let grids = (0..d.grids.len()).filter(|&grid| d.grids[grid].names == Some(one.kind));
        let cells: Vec<PlaceTarget> = grids.flat_map(|grid| self.cells(grid, Some(one))).collect();
        if !cells.is_empty() {
            return cells;
        }
        let Some(at) = number_of(d, one) else { return Vec::new() };
        let zones = d.zone_families.values().filter(|family| family.kind == one.kind);
        let piles: Vec<PlaceTarget> = zones.flat_map(|family| self.zone(family.first + at)).collect();
        if !piles.is_empty() || is_card(kind, one) {
            return piles;
        }
        let counters = d.counter_families.values().filter(|family| family.kind == one.kind);
        counters.flat_map(|family| self.value(family.first + at)).collect()
    }

    /// The place of a definition within the zone that one of its attributes names.
    fn in_pile(&self, family: &str, at: &str, kind: &Kind, one: &Definition) -> Vec<PlaceTarget> {
        let d = self.names.d;
        let Some(of) = d.zone_families.get(family) else { return Vec::new() };
        let value = |name: &str| one.attributes.get(kind.attributes.get_index_of(name)?);
        let number = |(attribute, value): (&Attribute, &Value)| match (&attribute.of, value) {
            (AttributeType::Id(named), Value::Text(id)) if *named == of.kind => {
                d.definitions_of(of.kind).iter().position(|other| other.id == *id)
            }
            _ => None,
        };
        let Some(number) = kind.attributes.values().zip(&one.attributes).find_map(number) else { return Vec::new() };
        let place = match value(at) {
            Some(Value::Integer(place)) => usize::try_from(*place).ok().and_then(|place| place.checked_sub(1)),
            _ => None,
        };
        let within = |pile: PlaceTarget| match pile {
            PlaceTarget::Pile { zone, seat, .. } => PlaceTarget::Pile { zone, seat, at: place },
            other => other,
        };
        self.zone(of.first + number).into_iter().map(within).collect()
    }

    /// A zone of the game or of the owners.
    fn zone(&self, index: usize) -> Vec<PlaceTarget> {
        let Some((name, zone)) = self.names.d.zones.get_index(index) else { return Vec::new() };
        if zone.internal || zone.show == Show::Never {
            return Vec::new();
        }
        self.holders(zone.per)
            .into_iter()
            .map(|seat| PlaceTarget::Pile { zone: name.clone(), seat, at: None })
            .collect()
    }

    /// A counter of the game or of the owners.
    fn value(&self, index: usize) -> Vec<PlaceTarget> {
        let Some((name, counter)) = self.names.d.counters.get_index(index) else { return Vec::new() };
        if counter.internal || counter.show == Show::Never {
            return Vec::new();
        }
        self.holders(counter.per).into_iter().map(|seat| PlaceTarget::Counter { counter: name.clone(), seat }).collect()
    }

    /// The holders whose places they are: the game, or the owners.
    fn holders(&self, per: Holder) -> Vec<Option<u8>> {
        match per {
            Holder::Game => vec![None],
            Holder::Player => self.owners.iter().copied().map(Some).collect(),
            _ => Vec::new(),
        }
    }

    /// The cells of a grid that a definition names; without one of the right kind, all cells. Among the boards of several
    /// owners, those with something on them.
    fn cells(&self, grid: usize, chosen: Option<&Definition>) -> Vec<PlaceTarget> {
        let Some((name, declared)) = self.names.d.grids.get_index(grid) else { return Vec::new() };
        let face = chosen.filter(|one| declared.names == Some(one.kind)).and_then(|one| id_of(self.names.d, one));
        let holders = self.holders(declared.per);
        let boards = self.table.boards.iter().filter(|board| board.id == *name && holders.contains(&board.seat));
        let cells = boards.flat_map(|board| board.cells.iter().map(move |cell| (board.seat, cell)));
        let fits = |(_, cell): &(Option<u8>, &Cell)| {
            (face.is_none() || cell.face == face) && (holders.len() == 1 || !cell.words.is_empty())
        };
        let target = |(seat, cell): (Option<u8>, &Cell)| {
            PlaceTarget::Cell(CellTarget { board: name.clone(), seat, cell: cell.id.clone() })
        };
        cells.filter(fits).map(target).collect()
    }
}

/// The label of a choice without its values; of any other choice, its id.
fn label_of(choice: &Choice) -> &str {
    match choice.what {
        ChoiceItem::Label => choice.id.split(' ').next().unwrap_or_default(),
        _ => &choice.id,
    }
}

/// The definition behind a label: the only one with this id.
pub fn only_definition<'d>(d: &'d Declarations, id: &str) -> Option<&'d Definition> {
    let mut found = d.definitions.iter().filter(|one| one.id == id);
    found.next().filter(|_| found.next().is_none())
}

/// Number of a definition within its kind, from 0.
fn number_of(d: &Declarations, one: &Definition) -> Option<usize> {
    d.definitions_of(one.kind).iter().position(|other| other.id == one.id)
}

/// Whether the members of a family by this definition are drawn as cards, which are chosen from the supply.
fn is_card(kind: &Kind, one: &Definition) -> bool {
    !one.text.is_empty() && kind.attributes.values().any(|attribute| !attribute.internal)
}

/// The value of a counter as an attribute is written.
fn written(value: &CounterView) -> Option<String> {
    match value {
        CounterView::Number(number) => Some(number.to_string()),
        CounterView::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// A value as it is written.
fn plain(value: &Value) -> String {
    match value {
        Value::Boolean(set) => set.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        _ => String::new(),
    }
}
