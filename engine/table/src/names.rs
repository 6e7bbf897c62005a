//! Names and values in words.

use indexmap::IndexMap;
use motherlode::declare::{Amount, Counter, Declarations, Definition, Domain, MEMBER, OptionValue, When};
use motherlode::{CounterView, Game, tools};
use motherlode_content::sentence::within;

/// The heading of the setup.
pub const SETUP: &str = "Setup";

/// The name of value 0 for counters that hold an id, a cell, a token or a player.
const NONE: &str = "none";

/// Turns ids and values of a game into words.
pub struct GameNames<'g> {
    pub game: &'g Game,
    pub d: &'g Declarations,
    /// For each counter: the kind whose ids are its values.
    kinds: Vec<Option<usize>>,
}

/// A counter's value in words.
pub struct CounterText {
    pub text: String,
    pub colour: String,
    /// The value as a number; for a named value, the index of the name.
    pub number: Option<i32>,
    pub hidden: bool,
}

impl CounterText {
    /// Whether the value is 0 or `none`.
    pub fn is_none(&self) -> bool {
        self.number == Some(0)
    }

    fn nothing() -> Self {
        Self { text: "–".to_owned(), colour: String::new(), number: Some(0), hidden: false }
    }
}

impl<'g> GameNames<'g> {
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

    /// Finds a definition by id, within `kinds` unless that list is empty.
    pub fn definition(&self, id: &str, kinds: &[usize]) -> Option<&'g Definition> {
        let of = |one: &&Definition| one.id == id && (kinds.is_empty() || kinds.contains(&one.kind));
        self.d.definitions.iter().find(of)
    }

    /// Displayed name of a cell with these coordinates.
    pub fn cell(&self, grid: usize, id: &str) -> String {
        let at = self.game.layout().grids.get(grid).and_then(|places| places.cell_named(id));
        let cell = at.and_then(|at| i32::try_from(at + 1).ok());
        cell.map_or_else(|| id.to_owned(), |cell| tools::cell_label(self.d, self.game.layout(), grid, cell))
    }

    /// Label of a counter within a sentence or a row. A member of a family is called by the name of its definition.
    pub fn short(&self, counter: usize) -> String {
        let Some((_, declared)) = self.d.counters.get_index(counter) else { return String::new() };
        within(self.member_of(counter).map_or(&declared.text, |one| &one.name))
    }

    /// The definition behind a counter of a family.
    pub fn member_of(&self, counter: usize) -> Option<&'g Definition> {
        let (name, _) = self.d.counters.get_index(counter)?;
        let family = self.d.counter_families.get(name.split_once(MEMBER)?.0)?;
        self.d.definitions_of(family.kind).get(counter.checked_sub(family.first)?)
    }

    /// A value in words.
    pub fn word(&self, counter: usize, seen: &CounterView) -> CounterText {
        let Some((_, declared)) = self.d.counters.get_index(counter) else { return CounterText::nothing() };
        let coloured = |number: usize| declared.colours.get(number).cloned().unwrap_or_default();
        match seen {
            CounterView::Hidden => {
                CounterText { text: "?".to_owned(), colour: String::new(), number: None, hidden: true }
            }
            CounterView::Number(n) => {
                let colour = usize::try_from(*n).map(coloured).unwrap_or_default();
                CounterText { text: declared.shown(*n), colour, number: Some(*n), hidden: false }
            }
            CounterView::Player { seat: None } => CounterText::nothing(),
            CounterView::Player { seat: Some(seat) } => CounterText {
                text: self.seat(*seat),
                colour: self.colour(*seat).to_owned(),
                number: Some(i32::from(*seat) + 1),
                hidden: false,
            },
            CounterView::Open(open) => self.open(counter, declared, open),
            CounterView::Name(name) if name == NONE => CounterText::nothing(),
            CounterView::Name(name) => {
                let number = declared.values.iter().position(|value| value == name);
                CounterText {
                    text: self.named(counter, declared, name),
                    colour: number.map(coloured).unwrap_or_default(),
                    number: number.and_then(|number| i32::try_from(number).ok()),
                    hidden: false,
                }
            }
        }
    }

    /// Whether a value says nothing on a board: it is 0, hidden, or has a blank symbol.
    pub fn is_blank(&self, counter: usize, word: &CounterText) -> bool {
        let symbols = self.d.counters.get_index(counter).map(|(_, counter)| &counter.symbols);
        let symbol = word.number.and_then(|number| symbols?.get(usize::try_from(number).ok()?));
        word.is_none() || word.hidden || symbol.is_some_and(|symbol| symbol.trim().is_empty())
    }

    /// The values that statements leave open: `red`, `not 3`, `1 or 2`.
    fn open(&self, counter: usize, declared: &Counter, open: &[String]) -> CounterText {
        let all: &[String] = declared.tells.as_ref().map_or(&[], |statements| &statements.values);
        let out: Vec<&String> = all.iter().filter(|value| !open.contains(value)).collect();
        let list = |values: Vec<&String>, between: &str| {
            values.iter().map(|value| self.named(counter, declared, value)).collect::<Vec<_>>().join(between)
        };
        let text = match (open.len(), out.len()) {
            (_, 0) => return CounterText::nothing(),
            (1, _) => list(open.iter().collect(), ""),
            (left, ruled_out) if ruled_out < left => format!("not {}", list(out, ", ")),
            _ => list(open.iter().collect(), " or "),
        };
        CounterText { text, colour: String::new(), number: None, hidden: false }
    }

    /// The definition that a value names, if the counter's values are the ids of a kind.
    pub fn meant(&self, counter: usize, seen: &CounterView) -> Option<&'g Definition> {
        let (CounterView::Name(name), Some(kind)) = (seen, self.kinds.get(counter).copied().flatten()) else {
            return None;
        };
        self.definition(name, &[kind])
    }

    /// The display name of a named value.
    pub fn named(&self, counter: usize, declared: &Counter, name: &str) -> String {
        match declared.means {
            Domain::Token => self.definition(name, &[]).map_or_else(|| name.to_owned(), |one| one.name.clone()),
            // The part after `@` is the owner of the board, which is clear from the context.
            Domain::Cell(grid) => self.cell(grid, name.split('@').next().unwrap_or(name)),
            _ => match self.kinds.get(counter).copied().flatten() {
                Some(kind) => self.definition(name, &[kind]).map_or_else(|| name.to_owned(), |one| one.name.clone()),
                None => name.replace('_', " "),
            },
        }
    }
}

/// The displayed text of a declaration, or else its name.
pub fn label(text: &str, name: &str) -> String {
    if text.is_empty() { name.to_owned() } else { text.to_owned() }
}

/// The heading of what happens in a phase: its name, or `Setup` before the first round outside a phase of the setup.
#[must_use]
pub fn phase_heading(d: &Declarations, round: i32, phase: usize) -> &str {
    let Some((id, phase)) = d.phases.get_index(phase) else { return "" };
    if round == 0 && phase.when != When::Setup {
        return SETUP;
    }
    if phase.name.is_empty() { id } else { &phase.name }
}

/// The number of rounds with these options, if it is fixed: an option alone is a limit.
#[must_use]
pub fn rounds(game: &Game, options: &IndexMap<String, OptionValue>) -> Option<i32> {
    let rounds = game.declarations().rounds.as_ref();
    rounds.filter(|amount| !matches!(amount, Amount::Option(_))).map(|amount| amount.resolve(options))
}

/// The kind whose ids follow `none` in a counter's values.
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
