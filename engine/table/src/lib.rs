//! The table: what a seat is shown, and renderers that draw it. Neither knows a game.
//!
//! A [`View`] is plain data made of two things alone: what the game declares, and what one seat may know ([`Observation`], its pending
//! question with the choices). So nothing that is hidden from a seat can reach its view. Where a thing stands, what its row is
//! called and when it is shown are declarations (`show`, `group`, `names`, `symbols`, `internal`), never code for one game.
//!
//! [`Faces`] holds all that is printed on the cards of a game; views name cards by the ids of their faces. [`Text`] draws views for the
//! terminal, line by line: whole, or only what has changed since another view.
//!
//! [`Skeleton`] and [`Patch`] are what is sent to a seat that looks from elsewhere: what never changes once, then only what is other.
//!
//! [`Observation`]: motherlode::Observation
//!
//! Direction: disclosure, face, paint, points, view <- names <- area, board <- question <- seen <- change, wire <- server, text
#![forbid(unsafe_code)]

mod area;
mod board;
mod change;
mod disclosure;
mod face;
mod names;
pub mod paint;
pub mod points;
mod question;
mod seen;
#[cfg(feature = "server")]
pub mod server;
mod text;
mod view;
mod wire;

pub use change::{Changes, PileChange, RowChange};
pub use disclosure::Disclosure;
pub use face::{Face, Faces, Fact};
pub use points::Points;
pub use text::Text;
pub use view::{
    Amount, Board, Card, Cell, ChoiceView, Form, Legend, Mark, On, Pen, Phase, Pile, Place, Question, Row, Seat, Side,
    Symbol, Value, View,
};
pub use wire::{CellsOf, Head, Part, Patch, Skeleton};
