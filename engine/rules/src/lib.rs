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

pub mod coverage;
pub mod flow;
mod game;
pub mod replay;
pub mod script;
pub mod state;
/// What a script may say and call: for tools that read scripts without running them.
pub mod language {
    pub use crate::script::{
        ACCESSORS, Accessor, GAME_HOOKS, MAX_FAULTS, PHASE_HOOKS, PLACES, is_underscores, place_of, words,
    };
}
mod text;
mod transcript;

pub use flow::{
    Answer, Choice, Decision, Editor, Match, MatchError, Outcome, Setup, SetupError, Snapshot, StateRef, shown,
};
pub use game::Game;
pub use motherlode_content::{
    Diagnostic, Diagnostics, Geometry, Mod, ModId, Pack, Severity, SourceFile, declare, find_packs, nearest,
};
pub use replay::Replay;
pub use script::kernel::Values;
pub use script::{Contribution, ContributionKind, Contributions, FunctionPlace, Limits, ScriptFault};
pub use state::Layout;
pub use state::observe::Observation;
pub use text::{cell_name, player_name, token_name};
pub use transcript::Line;
