//! Data for remote seats: first the constant parts of the game, then the whole view when the seat joins, then
//! only differences.
//!
//! Ids that the seat sees (counters, zones, cells) identify every item. A patch depends only on two views of
//! one seat, so it cannot reveal more than those views.

use std::collections::BTreeMap;

use motherlode::declare::Look;
use serde::{Deserialize, Serialize};

use crate::face::{Face, Faces, declared_size};
use crate::view::{Board, Cell, Phase, Pile, Question, Row, Seat, View};

/// The constant parts of a game, sent once per fingerprint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Skeleton {
    /// Fingerprint of the game, its mods, its figures and its images.
    pub fingerprint: String,
    /// Name of the game.
    pub name: String,
    /// One sentence about the game.
    pub text: String,
    /// Faces of all cards.
    pub faces: Vec<Face>,
    /// Kinds of cards; the other kinds are words of the rules.
    #[serde(default)]
    pub cards: Vec<String>,
    /// Icons, and the faces of kinds.
    #[cfg_attr(test, ts(type = "import('./look').Look"))]
    pub look: Look,
    /// Figures of cards, by id of the face.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "Record<string, Array<CardFigure>>"))]
    pub figures: CardFigures,
    /// Addresses of images, by displayed path.
    #[serde(default)]
    pub images: BTreeMap<String, String>,
}

/// Measured figures of cards, by id of the face.
pub type CardFigures = BTreeMap<String, Vec<CardFigure>>;

/// A measured figure of a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CardFigure {
    /// Its name.
    pub name: String,
    /// Explanation of the name.
    pub meaning: String,
    /// The figure with its interval.
    pub text: String,
    /// The number to sort by.
    pub value: f64,
}

/// The change of a list of items with ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListPatch<T> {
    /// Only these items changed. The other items and the order stay.
    Some(Vec<T>),
    /// The whole list, because items or their order changed.
    All(Vec<T>),
}

/// Changed cells of a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardPatch {
    /// Name of the grid.
    pub board: String,
    /// Owner of the board, from 0; `None`: the game.
    pub seat: Option<u8>,
    /// The changed cells.
    pub cells: Vec<Cell>,
}

/// Round, phase and seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewHeader {
    /// Round, from 1; 0 before the first round.
    pub round: i32,
    /// Current phase.
    pub phase: Phase,
    /// Whether the match is over.
    pub over: bool,
    /// All seats.
    pub seats: Vec<Seat>,
}

/// The difference between two views of a seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Patch {
    /// Round, phase and seats, if any of them changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<ViewHeader>,
    /// Rows of players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<ListPatch<Row>>,
    /// Rows of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<ListPatch<Row>>,
    /// Piles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piles: Option<ListPatch<Pile>>,
    /// All boards, if more than their cells changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<Board>>,
    /// Changed cells, if the boards otherwise stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<BoardPatch>,
    /// The new question; `Some(None)`: the question is gone.
    #[serde(skip_serializing_if = "Option::is_none", with = "nullable_question")]
    pub question: Option<Option<Question>>,
}

/// Serializes a removed question as `null`, unlike an unchanged one, which is absent.
mod nullable_question {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::view::Question;

    #[allow(clippy::option_option, clippy::ref_option, reason = "the form that serde asks for")]
    pub fn serialize<S: Serializer>(value: &Option<Option<Question>>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().and_then(Option::as_ref).serialize(serializer)
    }

    #[allow(clippy::option_option, reason = "the form that serde asks for")]
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Question>>, D::Error> {
        Option::<Question>::deserialize(deserializer).map(Some)
    }
}

/// An item with a visible id.
trait Keyed: Clone + PartialEq {
    fn key(&self) -> (&str, &str, Option<u8>);
}

impl Keyed for Row {
    fn key(&self) -> (&str, &str, Option<u8>) {
        (&self.id, &self.label, None)
    }
}

impl Keyed for Pile {
    fn key(&self) -> (&str, &str, Option<u8>) {
        (&self.id, "", self.seat)
    }
}

impl Keyed for Cell {
    fn key(&self) -> (&str, &str, Option<u8>) {
        (&self.id, "", None)
    }
}

impl Skeleton {
    /// Collects the constant parts of a game.
    #[must_use]
    pub fn new(game: &motherlode::Game, faces: &Faces) -> Self {
        let d = game.declarations();
        let kinds = d.kinds.keys().enumerate();
        Self {
            fingerprint: game.fingerprint().to_owned(),
            name: d.name.clone(),
            text: d.text.clone(),
            faces: faces.iter().cloned().collect(),
            cards: kinds.filter(|&(at, _)| declared_size(d, at).is_some()).map(|(_, name)| name.clone()).collect(),
            look: d.look.clone(),
            figures: CardFigures::new(),
            images: BTreeMap::new(),
        }
    }
}

impl Patch {
    /// The patch that turns `before` into `now`. Both are views of one seat.
    #[must_use]
    pub fn between(before: &View, now: &View) -> Self {
        let stays = before.boards.len() == now.boards.len()
            && before.boards.iter().zip(&now.boards).all(|(old, new)| without_cells(old) == without_cells(new));
        let cells = before.boards.iter().zip(&now.boards).filter_map(|(old, new)| {
            let Some(ListPatch::Some(cells)) = list_patch(&old.cells, &new.cells) else { return None };
            Some(BoardPatch { board: new.id.clone(), seat: new.seat, cells })
        });
        Self {
            head: (head(before) != head(now)).then(|| head(now)),
            rows: list_patch(&before.rows, &now.rows),
            shared: list_patch(&before.shared, &now.shared),
            piles: list_patch(&before.piles, &now.piles),
            boards: (!stays).then(|| now.boards.clone()),
            cells: if stays { cells.collect() } else { Vec::new() },
            question: (before.question != now.question).then(|| now.question.clone()),
        }
    }
}

impl View {
    /// Applies a patch.
    pub fn apply(&mut self, patch: Patch) {
        if let Some(ViewHeader { round, phase, over, seats }) = patch.head {
            (self.round, self.phase, self.over, self.seats) = (round, phase, over, seats);
        }
        put(&mut self.rows, patch.rows);
        put(&mut self.shared, patch.shared);
        put(&mut self.piles, patch.piles);
        if let Some(boards) = patch.boards {
            self.boards = boards;
        }
        for BoardPatch { board, seat, cells } in patch.cells {
            if let Some(board) = self.boards.iter_mut().find(|one| one.id == board && one.seat == seat) {
                put(&mut board.cells, Some(ListPatch::Some(cells)));
            }
        }
        if let Some(question) = patch.question {
            self.question = question;
        }
    }
}

fn head(view: &View) -> ViewHeader {
    ViewHeader { round: view.round, phase: view.phase.clone(), over: view.over, seats: view.seats.clone() }
}

/// The parts of a board that a cell patch cannot change. The set of cells belongs to them.
fn without_cells(board: &Board) -> (&str, Option<u8>, &str, Vec<&str>) {
    (&board.id, board.seat, &board.label, board.cells.iter().map(|cell| cell.id.as_str()).collect())
}

fn list_patch<T: Keyed>(before: &[T], now: &[T]) -> Option<ListPatch<T>> {
    if before == now {
        return None;
    }
    let same = before.len() == now.len() && before.iter().zip(now).all(|(old, new)| old.key() == new.key());
    if !same {
        return Some(ListPatch::All(now.to_vec()));
    }
    let other = before.iter().zip(now).filter(|(old, new)| old != new);
    Some(ListPatch::Some(other.map(|(_, new)| new.clone()).collect()))
}

fn put<T: Keyed>(list: &mut Vec<T>, list_patch: Option<ListPatch<T>>) {
    match list_patch {
        None => {}
        Some(ListPatch::All(all)) => *list = all,
        Some(ListPatch::Some(some)) => {
            for new in some {
                if let Some(old) = list.iter_mut().find(|old| old.key() == new.key()) {
                    *old = new;
                }
            }
        }
    }
}
