//! Motherlode: a rules engine for card and board games. The engine itself contains no game.
//!
//! A [`Pack`] is the text of a game: TOML declares its parts, Luau scripts implement its rules. [`Game::load`] reads
//! a pack and reports every mistake at once. A [`Match`] plays the game: it runs the scripts to the next decision,
//! takes an answer, and continues. This is a whole game:
//!
//! ```
//! use motherlode::{Game, Match, Pack, Replay};
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
//! let setup = game.setup(None, &[], 1)?;   // default number of players, default options, seed 1
//! let mut m = Match::new(&game, &setup)?;
//!
//! let decision = m.decision().expect("a new match has a decision");
//! assert_eq!(decision.text(&game), "How many do you take, Ann?");
//! let keys: Vec<String> = m.legal().iter().map(|choice| choice.key().to_owned()).collect();
//! assert_eq!(keys, ["number:1", "number:2", "number:3"]);
//!
//! while !m.is_over() {
//!     m.answer(m.legal().len() - 1)?;      // take as many as possible: 3 and 3; the engine takes the single choice 1 itself
//! }
//! let outcome = m.outcome().expect("the match is over");
//! assert_eq!(outcome.ranks, [1, 2]);       // Ann wins
//!
//! let replay = Replay::record(&m);         // setup and answers, with a hash of the state after every answer
//! assert!(replay.verify(&game).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules, in reading order
//!
//! | module | contents |
//! | --- | --- |
//! | `game`, `setup` | [`Game`] and [`Setup`]: everything that a match needs to begin |
//! | `flow` | [`Match`]: rounds, phases, decisions; [`Choice`], [`Entry`], [`Outcome`], [`Snapshot`], [`Editor`] |
//! | `state` | the state block and its [layout](tools::Layout); [`Observation`], redeal, exchange classes, random streams |
//! | `script` | the interface to the scripts, the accessors in Rust, and the Luau host with its [`Limits`] |
//! | `replay` | [`Replay`]: a match as data |
//! | `text`, `label`, `transcript`, `coverage` | texts for people, labels with values, [`Line`], [coverage](tools::Coverage) |
//!
//! Direction: label, setup, state, transcript <- coverage, text <- script <- game <- flow <- replay
//!
//! # State
//!
//! The state of a match is one flat block of numbers, which scripts read and write in place. A [`Snapshot`] copies
//! the block, a [fork](Match::fork) is an independent match from there, and equal positions have equal
//! [hashes](StateRef::hash). A match depends only on the pack, the setup with its seed, and the answers. A [`Replay`]
//! stores just these.
//!
//! Seats count from 0 in Rust and JSON. Players count from 1 in content and for people: seat 0 is player 1.
//!
//! # Hidden information
//!
//! A [`Match`] contains all hidden information. A fair bot uses only four of its methods:
//!
//! - [`Match::observe`] is the observation of one seat, computed from the declared visibility.
//! - [`Match::history`] is everything that the seat could know since the start, if it is recorded.
//! - [`Match::legal`] lists the legal actions. A token that the seat cannot identify is named by its place.
//! - [`Match::redeal`] is a determinization: it makes a random match that the seat cannot distinguish from the real
//!   one.
//!
//! # Examples
//!
//! - `examples/play_a_game.rs`: plays a [`Match`] at random, prints every [`Decision`], [`Choice`] and [`Line`], and
//!   the [`Outcome`].
//! - `examples/search_a_tree.rs`: a game tree search with [`Match::fork`] and [`Snapshot`].
//! - `examples/write_a_bot.rs` of `motherlode-play`: a bot that searches redealt forks ([`Match::redeal`]).
//!
//! `engine/docs` describes the language of packs: TOML files and scripts.

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

// From a game to the end of a match.
pub use flow::{
    ActionList, Actions, Answer, AutomaticAnswer, ChanceOutcome, Choice, ChoiceItem, Decision, Editor, Entry,
    ExplicitChance, Match, MatchError, OpenStep, Outcome, Refusal, ScoreChange, ScoreSource, Snapshot, StateRef,
};
pub use script::machine::fixed::FixedResult;
pub use script::machine::{Limits, ScriptFault, VerbPlace};
pub use setup::{Setup, SetupError};

// Views and records of a match.
pub use replay::{Replay, ReplayError};
pub use state::by_name::ByName;
pub use state::observe::{
    AttributeView, BoardView, CounterView, GridView, Observation, SeatView, TurnsView, WatchedView, ZoneView,
};
pub use transcript::{AnswerText, Line};

/// Names of the script language, for tools that read scripts without running them.
pub mod language {
    pub use crate::script::luau::{
        ACCESSORS, Accessor, EVENT_HOOKS, FINISH, MAX_FAULTS, PLACES, VERB_PARTS, absent_in, is_underscores, place_of,
        replacement, words,
    };
    pub use crate::script::machine::{GAME_HOOKS, LOOKING_HOOKS, PHASE_HOOKS};
}

/// Internals for design tools: the layout of the state, differences between states, contributions of layers, coverage, and names for
/// people. This module changes more often than the rest.
pub mod tools {
    pub use crate::coverage::{Coverage, ScriptFunction};
    pub use crate::flow::sharing;
    pub use crate::replay::StateHash;
    pub use crate::script::luau::{Contribution, ContributionKind, Contributions, FunctionPlace, guest};
    pub use crate::script::machine::EmittedEvent;
    pub use crate::script::native::program::{CodeEnd, HookCode};
    pub use crate::state::current::{ExplainedToken, hidden_modifier};
    pub use crate::state::diff::{Change, Spot, diff, diff_seen};
    pub use crate::state::key::{key_of, splitmix};
    pub use crate::state::layout::{CounterSlot, Layout, Pile, SEEN, TokenInfo, ZoneSlot, word};
    pub use crate::state::modifiers::AppliedChange;
    pub use crate::state::sight::Sight;
    pub use crate::state::words::changed_words;
    pub use crate::text::{cell_definition, cell_label, cell_name, player_name, token_name};
    pub use motherlode_content::lists::copies as list_copies;
    pub use motherlode_content::reaction_text::{listener_text, modifier_text};
    pub use motherlode_content::{Geometry, NameUse, fraction, hidden, is_device, nearest, reserved, rule_prefix};
}
