//! The table: the view of a seat, and renderers that draw views. Neither knows a game.
//!
//! A [`View`] is plain data. Its only sources are the declarations of the game and the knowledge of one seat:
//! its [`Observation`] and its pending question with the choices. Hidden information therefore cannot reach a
//! view. Declarations (`show`, `group`, `names`, `symbols`, `internal`) decide the position, the label and the
//! visibility of each item. No code is written for one game.
//!
//! [`Faces`] holds the printed text of every card of a game. Views name cards by the ids of their faces.
//! [`Text`] draws views for the terminal, line by line: the whole view, or only the changes since another view.
//!
//! [`Skeleton`] and [`Patch`] are sent to remote seats: first the constant parts of the game, then only the differences.
//!
//! Tests permute the facts that a seat cannot know and compare views (`tests/table.rs`) and messages
//! (`tests/web/wire.rs`): not a byte may change. A view that shows everything is the control, which must fail.
//!
//! [`mod@print`] puts cards, boards and rules on paper.
//!
//! The feature `server` adds the browser table, in the module `server`.
//!
//! [`Observation`]: motherlode::Observation
//!
//! Direction: disclosure, paint, points, refused, rulebook, script, sides <- face, view <- names <- area, board <- question <- seen <- change, wire
//!     <- effect <- print, server, text <- popup
#![forbid(unsafe_code)]

mod area;
mod board;
mod change;
mod disclosure;
mod effect;
mod face;
mod names;
pub mod paint;
pub mod points;
mod popup;
pub mod print;
mod question;
pub mod refused;
pub mod rulebook;
mod script;
#[cfg(test)]
mod script_types;
mod seen;
#[cfg(feature = "server")]
pub mod server;
mod sides;
mod text;
mod view;
mod wire;

pub use change::{Changes, PileChange, RowChange};
pub use disclosure::Disclosure;
pub use effect::Effect;
pub use face::{Face, Faces, Fact, declared_size};
pub use names::{SETUP, phase_heading, rounds};
pub use points::{Columns, Points};
pub use popup::face_popups;
pub use sides::Side;
pub use text::Text;
pub use view::{
    Amount, Board, Card, CardPlace, Cell, CellLayer, CellTarget, ChoiceTarget, ChoiceView, Form, Legend, Mark, Phase,
    Pile, PlaceTarget, Question, Row, Seat, Symbol, Value, View,
};
pub use wire::{BoardPatch, CardFigure, CardFigures, ListPatch, Patch, Skeleton, ViewHeader};
