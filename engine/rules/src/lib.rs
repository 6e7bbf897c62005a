//! Motherlode: a rules engine for card and board games that knows no game.
//!
//! A [`Pack`] is the text of a game: TOML that declares what there is, and Luau scripts for what happens. [`Game::load`] reads
//! it, reports every mistake at once, and lays out the state. A [`Match`] plays it: it runs the scripts until somebody must
//! decide, takes an answer, and goes on.
//!
//! ```
//! use motherlode::{Game, Match, Pack};
//!
//! let pack = Pack::from_files("nim", [
//!     ("content/nim/game.toml", r#"
//!         name = "Nim"
//!         version = "1.0.0"
//!         players = { min = 2, max = 2 }
//!         seats = [{ name = "Ann" }, { name = "Bob" }]
//!         counters.heap = { per = "game", start = 7 }
//!         counters.won = { per = "player" }
//!         outcome = { score = "won" }
//!     "#),
//!     ("content/nim/phases.toml", r#"
//!         [taking]
//!         turns = "around"
//!         prompt = "take"
//!     "#),
//!     ("content/nim/prompts.toml", r#"
//!         [take]
//!         text = "How many do you take, {player}?"
//!     "#),
//!     ("scripts/nim/phases.luau", r#"
//!         return {
//!             taking = {
//!                 offer = function(player)
//!                     for n = 1, math.min(3, get(game, "heap")) do
//!                         choice(n)
//!                     end
//!                 end,
//!                 act = function(player, n)
//!                     pay(game, "heap", n)
//!                     if get(game, "heap") == 0 then
//!                         set(player, "won", 1)
//!                         end_game()
//!                     end
//!                 end,
//!             },
//!         }
//!     "#),
//! ]);
//! let game = Game::load(&pack)?;
//! let setup = game.setup(None, &[], 1)?;   // the usual number of players, default options, seed 1
//! let mut m = Match::new(&game, &setup)?;
//!
//! let decision = m.decision().expect("a new match asks somebody");
//! assert_eq!(decision.text(&game), "How many do you take, Ann?");
//! let keys: Vec<String> = m.legal().iter().map(|choice| choice.key().to_owned()).collect();
//! assert_eq!(keys, ["number:1", "number:2", "number:3"]);
//!
//! while !m.is_over() {
//!     m.answer(m.legal().len() - 1)?;      // always as many as possible: 3 and 3; the last one is taken without asking
//! }
//! let outcome = m.outcome().expect("the match is over");
//! assert_eq!(outcome.ranks, [1, 2]);       // Ann wins
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The whole state of a match is one flat block of numbers that scripts read and write in place: a [`Snapshot`] copies it, a
//! [fork](Match::fork) is a match of its own from there, and a hash of it tells two positions apart. Nothing depends on
//! anything but the pack, the setup, its seed and the answers, so a [`Replay`] is just these.
//!
//! Seats count from 0 here and in JSON. Where content and people speak of players they count from 1: seat 0 is player 1.
//!
//! # Hidden information
//!
//! A [`Match`] holds the whole truth. [`Match::observe`] is the observation of one seat, by what the game declares as visible;
//! [`Match::legal`] tells a seat of tokens that it cannot identify by their places; [`Match::redeal`] is a determinization: a match that
//! this seat cannot tell from the true one. A bot that plays fairly looks at nothing else.
//!
//! # Where to go on
//!
//! `examples/play_a_game.rs` and `examples/search_a_tree.rs` of this crate and `examples/write_a_bot.rs` of `motherlode-play`
//! run and are short. `engine/docs` explains the TOML and the scripts.
//!
//! # Rooms
//!
//! Direction: label, setup, state, transcript <- coverage, text <- script <- game <- flow <- replay

mod coverage;
mod flow;
mod game;
mod label;
mod replay;
mod script;
mod setup;
mod state;
mod text;
mod transcript;

// From a pack to a game.
pub use game::Game;
pub use motherlode_content::{
    Diagnostic, Diagnostics, Mod, ModId, Pack, Related, Severity, SourceFile, declare, find_packs,
};

// From a game to a match, and through it.
pub use flow::{Answer, Automatic, Choice, Chosen, Decision, Editor, Match, MatchError, Outcome, Snapshot, StateRef};
pub use script::machine::fixed::Fixed;
pub use script::machine::{Limits, ScriptFault, VerbPlace};
pub use setup::{Setup, SetupError};

// What is seen, told and kept of a match.
pub use replay::{Replay, ReplayError};
pub use state::by_name::ByName;
pub use state::observe::{BoardView, CounterView, GridView, Observation, SeatView, TurnsView, WatchedView, ZoneView};
pub use transcript::Line;

/// The language of scripts: for tools that read scripts without running them.
pub mod language {
    pub use crate::script::luau::{
        ACCESSORS, Accessor, MAX_FAULTS, PLACES, VERB_PARTS, is_underscores, place_of, words,
    };
    pub use crate::script::machine::{GAME_HOOKS, LOOKING_HOOKS, PHASE_HOOKS};
}

/// The rest that a designer's tools need: where everything lies in a state and how two states differ, which layer brought a
/// function, what matches have exercised, and names as people read them. It changes more often than the rest.
pub mod tools {
    pub use crate::coverage::{Coverage, ScriptFunction};
    pub use crate::flow::sharing;
    pub use crate::replay::StateHash;
    pub use crate::script::luau::{Contribution, ContributionKind, Contributions, FunctionPlace, guest};
    pub use crate::state::diff::{Change, Spot, diff, diff_seen};
    pub use crate::state::key::{key_of, splitmix};
    pub use crate::state::layout::{CounterSlot, Layout, Pile, SEEN, TokenInfo, ZoneSlot, word};
    pub use crate::state::sight::Sight;
    pub use crate::text::{cell_definition, cell_name, player_name, token_name};
    pub use motherlode_content::{Geometry, NameUse, hidden, is_device, nearest, reserved};
}
