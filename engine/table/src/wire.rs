//! What is sent to a seat: once what never changes in a game, then a view whole when the seat joins, and from then on only what is other.
//!
//! Everything is known by ids that the seat sees: names of counters, zones and cells. A patch is made of two views of one seat, so it
//! can say no more than they do.

use serde::{Deserialize, Serialize};

use crate::face::{Face, Faces};
use crate::names::rounds;
use crate::view::{Board, Cell, Phase, Pile, Question, Row, Seat, View};

/// What never changes in a game: sent once for each fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Skeleton {
    /// The fingerprint of the game and of its mods.
    pub fingerprint: String,
    /// How many rounds there are, if there always are as many.
    pub rounds: Option<i32>,
    /// Name of the game.
    pub name: String,
    /// One sentence about the game.
    pub text: String,
    /// The faces of all cards.
    pub faces: Vec<Face>,
}

/// What has become of a list of things with ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part<T> {
    /// These are other than before; the rest and the order stay.
    Some(Vec<T>),
    /// All of it, because there are others or their order is another.
    All(Vec<T>),
}

/// Cells of a board that are other than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellsOf {
    /// Name of the grid.
    pub board: String,
    /// Whose board it is, from 0.
    pub seat: Option<u8>,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// Round, phase and seats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Round, from 1.
    pub round: i32,
    /// The phase.
    pub phase: Phase,
    /// Whether the match is over.
    pub over: bool,
    /// Who sits at the table.
    pub seats: Vec<Seat>,
}

/// What makes one view of a seat into the next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Patch {
    /// Round, phase and seats, if one of them is other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<Head>,
    /// Rows of players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Part<Row>>,
    /// Rows of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<Part<Row>>,
    /// Piles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piles: Option<Part<Pile>>,
    /// Boards, if there are others or something other than their cells has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boards: Option<Vec<Board>>,
    /// Cells of boards that stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellsOf>,
    /// The question, if it is another one; of one that is no longer asked, nothing.
    #[serde(skip_serializing_if = "Option::is_none", with = "asked")]
    pub question: Option<Option<Question>>,
}

/// A question that is no longer asked is told from one that has not changed: `null` and nothing.
mod asked {
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

/// Something with an id that the seat sees.
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
    /// What never changes in this game.
    #[must_use]
    pub fn new(game: &motherlode::Game, faces: &Faces) -> Self {
        Self {
            fingerprint: game.fingerprint().to_owned(),
            rounds: rounds(game),
            name: game.declarations().name.clone(),
            text: game.declarations().text.clone(),
            faces: faces.iter().cloned().collect(),
        }
    }
}

impl Patch {
    /// What makes `before` into `now`. Both are views of one seat.
    #[must_use]
    pub fn between(before: &View, now: &View) -> Self {
        let stays = before.boards.len() == now.boards.len()
            && before.boards.iter().zip(&now.boards).all(|(old, new)| without_cells(old) == without_cells(new));
        let cells = before.boards.iter().zip(&now.boards).filter_map(|(old, new)| {
            let Some(Part::Some(cells)) = part(&old.cells, &new.cells) else { return None };
            Some(CellsOf { board: new.id.clone(), seat: new.seat, cells })
        });
        Self {
            head: (head(before) != head(now)).then(|| head(now)),
            rows: part(&before.rows, &now.rows),
            shared: part(&before.shared, &now.shared),
            piles: part(&before.piles, &now.piles),
            boards: (!stays).then(|| now.boards.clone()),
            cells: if stays { cells.collect() } else { Vec::new() },
            question: (before.question != now.question).then(|| now.question.clone()),
        }
    }
}

impl View {
    /// The view after a patch.
    pub fn apply(&mut self, patch: Patch) {
        if let Some(Head { round, phase, over, seats }) = patch.head {
            (self.round, self.phase, self.over, self.seats) = (round, phase, over, seats);
        }
        put(&mut self.rows, patch.rows);
        put(&mut self.shared, patch.shared);
        put(&mut self.piles, patch.piles);
        if let Some(boards) = patch.boards {
            self.boards = boards;
        }
        for CellsOf { board, seat, cells } in patch.cells {
            if let Some(board) = self.boards.iter_mut().find(|one| one.id == board && one.seat == seat) {
                put(&mut board.cells, Some(Part::Some(cells)));
            }
        }
        if let Some(question) = patch.question {
            self.question = question;
        }
    }
}

fn head(view: &View) -> Head {
    Head { round: view.round, phase: view.phase.clone(), over: view.over, seats: view.seats.clone() }
}

/// A board by all but what lies on it; which cells it has is part of that.
fn without_cells(board: &Board) -> (&str, Option<u8>, &str, Vec<&str>) {
    (&board.id, board.seat, &board.label, board.cells.iter().map(|cell| cell.id.as_str()).collect())
}

fn part<T: Keyed>(before: &[T], now: &[T]) -> Option<Part<T>> {
    if before == now {
        return None;
    }
    let same = before.len() == now.len() && before.iter().zip(now).all(|(old, new)| old.key() == new.key());
    if !same {
        return Some(Part::All(now.to_vec()));
    }
    let other = before.iter().zip(now).filter(|(old, new)| old != new);
    Some(Part::Some(other.map(|(_, new)| new.clone()).collect()))
}

fn put<T: Keyed>(list: &mut Vec<T>, part: Option<Part<T>>) {
    match part {
        None => {}
        Some(Part::All(all)) => *list = all,
        Some(Part::Some(some)) => {
            for new in some {
                if let Some(old) = list.iter_mut().find(|old| old.key() == new.key()) {
                    *old = new;
                }
            }
        }
    }
}
