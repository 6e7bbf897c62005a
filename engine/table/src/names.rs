//! Values and holders as people read them.

use motherlode::declare::{Amount, Counter, Declarations, Definition, Domain, MEMBER};
use motherlode::{CounterView, Game, tools};
use motherlode_content::sentence::within;

/// Value 0 of a counter that is one of a kind, or that means a cell, a token or a player.
const NONE: &str = "none";

/// The names of a game.
pub struct Names<'g> {
    pub game: &'g Game,
    pub d: &'g Declarations,
    /// By counter: the kind whose ids its values are.
    kinds: Vec<Option<usize>>,
}

/// A value of a counter in words.
pub struct Word {
    pub text: String,
    pub colour: String,
    /// The value as a number; of something named, the number of the name.
    pub number: Option<i32>,
    pub hidden: bool,
}

impl Word {
    /// Whether there is nothing of it.
    pub fn none(&self) -> bool {
        self.number == Some(0)
    }

    fn nothing() -> Self {
        Self { text: "–".to_owned(), colour: String::new(), number: Some(0), hidden: false }
    }
}

impl<'g> Names<'g> {
    pub fn new(game: &'g Game) -> Self {
        let d = game.declarations();
        let kinds = d.counters.values().map(|counter| kind_of(d, counter)).collect();
        Self { game, d, kinds }
    }

    /// Name of a seat.
    pub fn seat(&self, seat: u8) -> String {
        tools::player_name(self.d, i32::from(seat) + 1)
    }

    /// Declared colour of a seat.
    pub fn colour(&self, seat: u8) -> &'g str {
        self.d.seats.get(usize::from(seat)).map_or("", |seat| &seat.colour)
    }

    /// The definition of an id, in one of these kinds if there are any.
    pub fn definition(&self, id: &str, kinds: &[usize]) -> Option<&'g Definition> {
        let of = |one: &&Definition| one.id == id && (kinds.is_empty() || kinds.contains(&one.kind));
        self.d.definitions.iter().find(of)
    }

    /// What a counter is called within a sentence or a row: the member of a family by the name of its definition.
    pub fn short(&self, counter: usize) -> String {
        let Some((_, declared)) = self.d.counters.get_index(counter) else { return String::new() };
        within(self.member_of(counter).map_or(&declared.text, |one| &one.name))
    }

    /// The definition for which a counter stands, if it belongs to a family.
    pub fn member_of(&self, counter: usize) -> Option<&'g Definition> {
        let (name, _) = self.d.counters.get_index(counter)?;
        let family = self.d.counter_families.get(name.split_once(MEMBER)?.0)?;
        self.d.definitions_of(family.kind).get(counter.checked_sub(family.first)?)
    }

    /// A value in words.
    pub fn word(&self, counter: usize, seen: &CounterView) -> Word {
        let Some((_, declared)) = self.d.counters.get_index(counter) else { return Word::nothing() };
        let coloured = |number: usize| declared.colours.get(number).cloned().unwrap_or_default();
        match seen {
            CounterView::Hidden => Word { text: "?".to_owned(), colour: String::new(), number: None, hidden: true },
            CounterView::Number(n) => {
                let colour = usize::try_from(*n).map(coloured).unwrap_or_default();
                Word { text: n.to_string(), colour, number: Some(*n), hidden: false }
            }
            CounterView::Player { seat: None } => Word::nothing(),
            CounterView::Player { seat: Some(seat) } => Word {
                text: self.seat(*seat),
                colour: self.colour(*seat).to_owned(),
                number: Some(i32::from(*seat) + 1),
                hidden: false,
            },
            CounterView::Name(name) if name == NONE => Word::nothing(),
            CounterView::Name(name) => {
                let number = declared.values.iter().position(|value| value == name);
                Word {
                    text: self.named(counter, declared, name),
                    colour: number.map(coloured).unwrap_or_default(),
                    number: number.and_then(|number| i32::try_from(number).ok()),
                    hidden: false,
                }
            }
        }
    }

    /// The definition that a value of a counter is, if its values are those of a kind.
    pub fn meant(&self, counter: usize, seen: &CounterView) -> Option<&'g Definition> {
        let (CounterView::Name(name), Some(kind)) = (seen, self.kinds.get(counter).copied().flatten()) else {
            return None;
        };
        self.definition(name, &[kind])
    }

    /// What the name of a value stands for.
    fn named(&self, counter: usize, declared: &Counter, name: &str) -> String {
        match declared.means {
            Domain::Token => self.definition(name, &[]).map_or_else(|| name.to_owned(), |one| one.name.clone()),
            // Whose board it is on says the place where it stands.
            Domain::Cell(_) => name.split('@').next().unwrap_or(name).to_owned(),
            _ => match self.kinds.get(counter).copied().flatten() {
                Some(kind) => self.definition(name, &[kind]).map_or_else(|| name.to_owned(), |one| one.name.clone()),
                None => name.replace('_', " "),
            },
        }
    }
}

/// How many rounds a game has, if it always has as many.
pub fn rounds(game: &Game) -> Option<i32> {
    match game.declarations().rounds {
        Some(Amount::Number(rounds)) => Some(rounds),
        _ => None,
    }
}

/// The kind whose ids are the values of a counter, behind `none`.
fn kind_of(d: &Declarations, counter: &Counter) -> Option<usize> {
    let (first, ids) = counter.values.split_first()?;
    if first != NONE || ids.is_empty() {
        return None;
    }
    let same = |kind: &usize| {
        let all = d.definitions_of(*kind);
        all.len() == ids.len() && all.iter().zip(ids).all(|(one, id)| one.id == *id)
    };
    (0..d.kinds.len()).find(same)
}
