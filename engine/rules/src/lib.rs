//! Motherlode: a rules engine for card and board games that knows no game.
//!
//! A [`Pack`] is a folder of TOML and Luau. [`Game::load`] reads and checks it and computes the layout of its state; a
//! [`Match`] plays it: it runs the pack's scripts until somebody must decide, takes an answer, and goes on. The whole state is
//! one flat block of words that scripts read and write in place, so that a fork is a copy and a hash is a hash.
//!
//! ```no_run
//! use motherlode::{Game, Match, Pack};
//!
//! let pack = Pack::open(".".as_ref(), "checkers")?;
//! let game = Game::load(&pack)?;
//! let mut m = Match::new(&game, &game.setup(Some(3), &[], 1)?)?;
//! while m.decision().is_some() {
//!     m.answer(0)?;
//! }
//! println!("{:?}", m.outcome());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod content;
pub mod coverage;
pub mod flow;
mod game;
pub mod replay;
pub mod script;
pub mod state;
mod text;
mod transcript;

pub use content::{
    Diagnostic, Diagnostics, Mod, ModId, Pack, Severity, SourceFile, declare, explain, find_packs, nearest,
};
pub use flow::{Answer, Choice, Decision, Match, MatchError, Outcome, Setup, SetupError, Snapshot, StateRef, shown};
pub use game::Game;
pub use replay::Replay;
pub use script::kernel::Values;
pub use script::{FunctionPlace, Limits, ScriptFault};
pub use state::observe::Observation;
pub use state::{Geometry, Layout};
pub use text::{cell_name, player_name, token_name};
pub use transcript::Line;
