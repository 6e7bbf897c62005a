//! What a seat is shown, as plain data.

use serde::{Deserialize, Serialize};

/// The table as one seat sees it, or as somebody who sees everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// Who sees this, from 0; `None`: somebody who sees everything.
    pub seat: Option<u8>,
    /// Round, from 1; 0 before the first.
    pub round: i32,
    /// The phase.
    pub phase: Phase,
    /// Whether the match is over.
    pub over: bool,
    /// Who sits at the table.
    pub seats: Vec<Seat>,
    /// What players have: one value for each seat.
    pub rows: Vec<Row>,
    /// What the game has: one value.
    pub shared: Vec<Row>,
    /// Cards and tiles, those of the game first, then seat by seat.
    pub piles: Vec<Pile>,
    /// Boards, those of the game and of each seat.
    pub boards: Vec<Board>,
    /// What this seat is asked.
    pub question: Option<Question>,
}

/// A phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Phase {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What happens in it.
    pub text: String,
}

/// One seat at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Seat {
    /// Its number, from 0.
    pub seat: u8,
    /// Its name.
    pub name: String,
    /// Its declared colour, or nothing.
    pub colour: String,
    /// Whether it is still in the game.
    pub is_in: bool,
    /// Whether it is its turn.
    pub turn: bool,
}

/// Counters that stand together: one, or those of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    /// Name of its first counter.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Whether it is the score.
    pub score: bool,
    /// One for each seat, or one of the game.
    pub values: Vec<Value>,
}

/// What one holder has of the counters of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Value {
    /// In words: `4`, `2 red, 1 white`, `?`.
    pub text: String,
    /// Declared colour, or nothing.
    pub colour: String,
    /// Whether there is nothing of it.
    pub none: bool,
    /// The counters, one by one.
    pub amounts: Vec<Amount>,
}

/// One counter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Amount {
    /// Its name.
    pub id: String,
    /// What it is called within a sentence.
    pub label: String,
    /// Its value in words.
    pub text: String,
    /// Its value, if it is a number that the seat sees.
    pub number: Option<i32>,
    /// Id of the face of the card that its value is, or of those that it counts.
    pub face: Option<String>,
}

/// What a pile is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Cards that their owner alone sees.
    Hand,
    /// Cards of the game that lie open to be chosen from.
    Display,
    /// Cards that nobody sees.
    Deck,
    /// Open cards that are done with: they are shuffled when a deck is empty.
    Discard,
    /// Anything else.
    Pile,
}

/// A zone of one holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pile {
    /// Name of the zone.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Whose it is, from 0; `None`: the game's.
    pub seat: Option<u8>,
    /// What it is for.
    pub form: Form,
    /// How many cards there are, if the seat sees that.
    pub count: Option<usize>,
    /// The cards, bottom first.
    pub cards: Vec<Card>,
}

/// A card in a pile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Card {
    /// Id of its face; `None`: the seat does not know which one it is.
    pub face: Option<String>,
    /// Its name, or nothing.
    pub name: String,
    /// What is special about this one: `face down`, `load 2`.
    pub details: Vec<String>,
    /// Where it lies on a board, if it says so itself.
    pub place: Option<Place>,
}

impl Card {
    /// What is special about it, behind its name: ` (face down, load 2)`.
    #[must_use]
    pub fn told(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{} {}", place.label, place.cell));
        let all: Vec<&str> = place.iter().chain(&self.details).map(String::as_str).collect();
        if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
    }
}

/// A cell on which a card lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "CardPlace"))]
pub struct Place {
    /// What the counter that says so is called.
    pub label: String,
    /// Name of the grid.
    pub board: String,
    /// Coordinates of the cell.
    pub cell: String,
}

/// A grid of one holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Board {
    /// Name of the grid.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Whose it is, from 0; `None`: the game's.
    pub seat: Option<u8>,
    /// Whether its cells are hexagons in rows of different length.
    pub hex: bool,
    /// Whether its cells have names of their own.
    pub named: bool,
    /// What is drawn in each cell, one after the other.
    pub pens: Vec<Pen>,
    /// Its cells, row by row, without holes.
    pub cells: Vec<Cell>,
    /// What the symbols mean.
    pub legend: Vec<Legend>,
}

/// A counter that is drawn in the cells of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pen {
    /// What it is called.
    pub label: String,
    /// Whether words stand here, which need a space before them.
    pub words: bool,
}

/// A cell of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Cell {
    /// Its coordinates: `b3`.
    pub id: String,
    /// Its name, if the board names its cells.
    pub name: String,
    /// Id of the face of what names it.
    pub face: Option<String>,
    /// Its row, from 1 on top.
    pub row: u16,
    /// Distance from the left edge in half cells.
    pub half: u16,
    /// What is drawn, one for each pen.
    pub marks: Vec<Mark>,
    /// What there is, in words.
    pub words: Vec<String>,
    /// The cards that lie here.
    pub cards: Vec<Card>,
    /// What these cards show towards the cells around.
    pub sides: Vec<Side>,
}

/// What a card on a board shows at one of its sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Side {
    /// Rows down to the cell beyond it.
    pub row: i32,
    /// Half cells to the right to it.
    pub half: i32,
}

/// What is drawn for one counter of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mark {
    /// A symbol, a number or a word; empty: nothing.
    pub text: String,
    /// Declared colour, or nothing.
    pub colour: String,
}

/// What the symbols of one counter mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Legend {
    /// What the counter is called.
    pub label: String,
    /// Its symbols; none: a number is drawn.
    pub symbols: Vec<Symbol>,
}

/// A symbol of a legend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Symbol {
    /// As drawn.
    pub text: String,
    /// Declared colour, or nothing.
    pub colour: String,
    /// What it means.
    pub means: String,
}

/// What a seat is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Question {
    /// Who is asked, from 0.
    pub seat: u8,
    /// Name of the prompt.
    pub prompt: String,
    /// The question.
    pub text: String,
    /// Ids of the faces of the cards that it names.
    pub about: Vec<String>,
    /// What may be chosen.
    pub choices: Vec<ChoiceView>,
}

/// A choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChoiceView {
    /// Its number among the choices of the decision, from 0.
    pub index: usize,
    /// What tells it from the others in every match.
    pub key: String,
    /// The name that content gives it.
    pub id: String,
    /// What it does, in words.
    pub label: String,
    /// What one types to choose it. No two choices of a question share it, and a number that is offered is typed as that number.
    pub typed: String,
    /// Id of the face of the card that it is.
    pub face: Option<String>,
    /// More about it: what an effect says, what lies there, whose card it is.
    pub note: String,
    /// What it acts on.
    pub on: On,
}

/// What a choice acts on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum On {
    /// Nothing that lies on the table.
    Nothing,
    /// A number.
    Number(i32),
    /// A player's seat, from 0.
    Player(u8),
    /// A card in a pile.
    Card {
        /// Name of the zone, if the seat sees where it lies.
        zone: Option<String>,
        /// Whose zone it is, from 0.
        seat: Option<u8>,
    },
    /// A cell of a board.
    Cell {
        /// Name of the grid.
        board: String,
        /// Whose board it is, from 0.
        seat: Option<u8>,
        /// Coordinates of the cell.
        cell: String,
    },
}

impl View {
    /// Name of a seat.
    #[must_use]
    pub fn seat_name(&self, seat: u8) -> &str {
        self.seats.get(usize::from(seat)).map_or("", |seat| seat.name.as_str())
    }

    /// The board of a grid and a holder.
    #[must_use]
    pub fn board(&self, id: &str, seat: Option<u8>) -> Option<&Board> {
        self.boards.iter().find(|board| board.id == id && board.seat == seat)
    }
}

impl Board {
    /// Whether nothing is drawn on it.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.cells.iter().flat_map(|cell| &cell.marks).all(|mark| mark.text.trim().is_empty())
    }

    /// The cells of a row, from the left.
    pub fn row(&self, row: u16) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.row == row)
    }

    /// The cell of these coordinates.
    #[must_use]
    pub fn cell(&self, id: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.id == id)
    }
}
