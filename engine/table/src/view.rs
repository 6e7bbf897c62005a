//! The view of a seat, as plain data.

use motherlode::declare::TranscriptUse;
use serde::{Deserialize, Serialize};

use crate::sides::Side;

/// The table as one seat sees it, or with nothing hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// The viewing seat, from 0; `None`: nothing is hidden.
    pub seat: Option<u8>,
    /// Round, from 1; 0 before the first round.
    pub round: i32,
    /// Number of rounds with the options of the match, if it is declared.
    pub rounds: Option<i32>,
    /// Current phase.
    pub phase: Phase,
    /// Whether the match is over.
    pub over: bool,
    /// All seats.
    pub seats: Vec<Seat>,
    /// Counters of players, with one value per seat.
    pub rows: Vec<Row>,
    /// Counters of the game, with one value.
    pub shared: Vec<Row>,
    /// Piles of cards and tiles: those of the game first, then seat by seat.
    pub piles: Vec<Pile>,
    /// Boards of the game and of each seat.
    pub boards: Vec<Board>,
    /// The pending question of this seat.
    pub question: Option<Question>,
}

/// A phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Phase {
    /// Id of the phase.
    pub id: String,
    /// Name of the phase.
    pub name: String,
    /// Description of the phase.
    pub text: String,
}

/// A seat at the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Seat {
    /// Number of the seat, from 0.
    pub seat: u8,
    /// Name of the seat.
    pub name: String,
    /// Declared colour, or empty.
    pub colour: String,
    /// Whether the seat is still in the game.
    pub is_in: bool,
    /// Whether the seat has the turn.
    pub turn: bool,
}

/// A row of counters: one, or a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    /// Name of the first counter.
    pub id: String,
    /// Label of the row.
    pub label: String,
    /// Whether the row is the score.
    pub score: bool,
    /// Whether only holders that have any of it show the row.
    pub held: bool,
    /// When the transcript names changes of the row.
    #[cfg_attr(test, ts(type = "\"always\" | \"silent\" | \"never\""))]
    pub transcript: TranscriptUse,
    /// One value per seat, or one for the game.
    pub values: Vec<Value>,
}

/// The counters of a row for one holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Value {
    /// The value in words: `4`, `red 2, white 1`, `?`.
    pub text: String,
    /// Declared colour, or empty.
    pub colour: String,
    /// Whether the value is zero or `none`.
    pub none: bool,
    /// The counters, one by one.
    pub amounts: Vec<Amount>,
}

/// A single counter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Amount {
    /// Name of the counter.
    pub id: String,
    /// Label within a sentence.
    pub label: String,
    /// Value in words.
    pub text: String,
    /// Value, if it is a number that the seat sees.
    pub number: Option<i32>,
    /// Id of the face that the value names, or of the cards that the counter counts.
    pub face: Option<String>,
}

/// The purpose of a pile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A hand: only its owner sees the cards.
    Hand,
    /// A display: open cards of the game to choose from.
    Display,
    /// A draw pile: nobody sees the cards.
    Deck,
    /// A discard pile: it is reshuffled when a draw pile is empty.
    Discard,
    /// Any other pile.
    Pile,
}

/// A zone of one holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Pile {
    /// Name of the zone.
    pub id: String,
    /// Label of the pile.
    pub label: String,
    /// Owner, from 0; `None`: the game.
    pub seat: Option<u8>,
    /// Purpose of the pile.
    pub form: Form,
    /// Number of cards, if the seat sees the number.
    pub count: Option<usize>,
    /// The cards, bottom first.
    pub cards: Vec<Card>,
}

/// The detail of a card that lies face down.
pub const FACE_DOWN: &str = "face down";

/// A card in a pile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Card {
    /// Id of the face; `None`: the seat cannot identify the card.
    pub face: Option<String>,
    /// Name of the card, or empty.
    pub name: String,
    /// State of this copy: `face down`, `load 2`.
    pub details: Vec<String>,
    /// Cell on a board, if a counter of the card gives one.
    pub place: Option<CardPlace>,
}

impl Card {
    /// Whether counters of the card are visible.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.place.is_some() || self.details.iter().any(|detail| detail != FACE_DOWN)
    }

    /// The place and the details as a suffix of the name: ` (face down, load 2)`.
    #[must_use]
    pub fn told(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{} {}", place.label, place.name));
        let all: Vec<&str> = place.iter().chain(&self.details).map(String::as_str).collect();
        if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
    }
}

/// The cell under a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CardPlace {
    /// Label of the counter that holds the cell.
    pub label: String,
    /// Name of the grid.
    pub board: String,
    /// Coordinates of the cell.
    pub cell: String,
    /// Displayed name of the cell.
    pub name: String,
}

/// A grid of one holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Board {
    /// Name of the grid.
    pub id: String,
    /// Label of the board.
    pub label: String,
    /// Owner, from 0; `None`: the game.
    pub seat: Option<u8>,
    /// Whether the cells are hexagons, in rows of different lengths.
    pub hex: bool,
    /// Whether the board is a list of its named cells. A wide board is a picture even so.
    pub named: bool,
    /// The counters to draw in each cell, in order.
    #[serde(rename = "pens")]
    pub layers: Vec<CellLayer>,
    /// The cells row by row, without holes.
    pub cells: Vec<Cell>,
    /// Meanings of the symbols.
    pub legend: Vec<Legend>,
}

/// A counter that is drawn in the cells of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CellLayer {
    /// Label of the counter.
    pub label: String,
    /// Whether the marks are words, which need a space before them.
    pub words: bool,
    /// Whether the marks are symbols or numbers.
    pub short: bool,
}

/// A cell of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Cell {
    /// Coordinates: `b3`.
    pub id: String,
    /// Name, if the board names its cells.
    pub name: String,
    /// Id of the face of the definition that names the cell.
    pub face: Option<String>,
    /// Row, from 1 at the top.
    pub row: u16,
    /// Distance from the left edge, in half cells.
    pub half: u16,
    /// The marks, one for each drawn counter.
    pub marks: Vec<Mark>,
    /// The contents in words.
    pub words: Vec<String>,
    /// The seats that have a man on the cell, from 0.
    pub men: Vec<u8>,
    /// The cards on the cell.
    pub cards: Vec<Card>,
    /// Open sides of these cards towards neighbouring cells.
    pub sides: Vec<Side>,
}

/// The mark of one counter in a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mark {
    /// A symbol, a number or a word; empty: nothing to draw.
    pub text: String,
    /// Declared colour, or empty.
    pub colour: String,
}

/// Meanings of the symbols of one counter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Legend {
    /// Label of the counter.
    pub label: String,
    /// The symbols; empty: the counter is drawn as a number.
    pub symbols: Vec<Symbol>,
}

/// A symbol with its meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Symbol {
    /// The symbol as drawn.
    pub text: String,
    /// Declared colour, or empty.
    pub colour: String,
    /// Meaning of the symbol.
    pub means: String,
}

/// The pending question of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Question {
    /// The asked seat, from 0.
    pub seat: u8,
    /// Name of the prompt.
    pub prompt: String,
    /// Text of the question.
    pub text: String,
    /// In a phase that is played several times in a row: which time this is, from 1, and the number of times.
    pub time: Option<(i32, i32)>,
    /// How many choices may be marked and given at once; `None`: one.
    pub several: Option<Several>,
    /// Ids of the faces that the question names.
    pub about: Vec<String>,
    /// The legal choices.
    pub choices: Vec<ChoiceView>,
}

/// Choices of a question that are marked and given at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Several {
    /// Number of choices still to make, at least 2.
    pub most: usize,
    /// Index of the choice that ends the question early; `None`: exactly `most` are made.
    pub end: Option<usize>,
}

/// A choice of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChoiceView {
    /// Index among the choices of the decision, from 0.
    pub index: usize,
    /// Unique key of the choice, the same in every match.
    pub key: String,
    /// Id of the choice in the content.
    pub id: String,
    /// Action in words.
    pub label: String,
    /// Text to type, unique within the question. An offered number is typed as that number.
    pub typed: String,
    /// Id of the face of the chosen card.
    pub face: Option<String>,
    /// A note on the effect, the contents of the cell or the owner of the card.
    pub note: String,
    /// The object that the choice acts on.
    pub on: ChoiceTarget,
}

/// The object that a choice acts on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChoiceTarget {
    /// No object on the table.
    Nothing,
    /// A number.
    Number(i32),
    /// A player's seat, from 0.
    Player(u8),
    /// A card in a pile.
    Card {
        /// Name of the zone, if the seat sees the card there.
        zone: Option<String>,
        /// Owner of the zone, from 0.
        seat: Option<u8>,
    },
    /// A cell of a board.
    Cell {
        /// Name of the grid.
        board: String,
        /// Owner of the board, from 0.
        seat: Option<u8>,
        /// Coordinates of the cell.
        cell: String,
    },
    /// The places of the values of a label, in their order: any place of a value stands for it.
    Steps(Vec<Vec<PlaceTarget>>),
    /// Places, each of which stands for the choice.
    Places(Vec<PlaceTarget>),
}

/// A place on the table that stands for a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PlaceTarget {
    /// A cell of a board.
    Cell(CellTarget),
    /// A pile, or a card in it.
    Pile {
        /// Name of the zone.
        zone: String,
        /// Owner of the zone, from 0.
        seat: Option<u8>,
        /// Place of the card, from 0 at the bottom; `None`: the pile itself.
        at: Option<usize>,
    },
    /// A counter of a player or of the game.
    Counter {
        /// Name of the counter.
        counter: String,
        /// Its player, from 0.
        seat: Option<u8>,
    },
    /// A player's seat, from 0.
    Seat(u8),
}

/// A cell that a choice names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CellTarget {
    /// Name of the grid.
    pub board: String,
    /// Owner of the board, from 0.
    pub seat: Option<u8>,
    /// Coordinates of the cell.
    pub cell: String,
}

impl View {
    /// Name of a seat.
    #[must_use]
    pub fn seat_name(&self, seat: u8) -> &str {
        self.seats.get(usize::from(seat)).map_or("", |seat| seat.name.as_str())
    }

    /// Finds a board by grid and owner.
    #[must_use]
    pub fn board(&self, id: &str, seat: Option<u8>) -> Option<&Board> {
        self.boards.iter().find(|board| board.id == id && board.seat == seat)
    }
}

impl Board {
    /// Whether no cell has a visible mark.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let is_blank = |cell: &Cell| cell.men.is_empty() && cell.marks.iter().all(|mark| mark.text.trim().is_empty());
        self.cells.iter().all(is_blank)
    }

    /// The cells of a row, from the left.
    pub fn row(&self, row: u16) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.row == row)
    }

    /// Finds a cell by its coordinates.
    #[must_use]
    pub fn cell(&self, id: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.id == id)
    }
}
