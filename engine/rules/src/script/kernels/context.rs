//! The working memory of kernels.

use std::rc::Rc;
use std::sync::Arc;

use crate::script::machine::budget::Budget;
use crate::script::machine::choosable::Choosable;
use crate::script::machine::{Grants, Question, Traces, TranscriptLength};
use crate::state::PositionMut;
use crate::state::hearing::Heard;
use indexmap::IndexMap;
use motherlode_content::declare::{Declarations, OptionValue};

/// Maximum token changes that are recorded individually.
const MOST_TOUCHED: usize = 32;

/// Tokens and piles that have changed.
#[derive(Debug, Default)]
pub struct TouchedTokens {
    /// Tokens, from 1.
    pub tokens: Vec<i32>,
    /// Piles, by index.
    pub piles: Vec<usize>,
    /// Whether more tokens or piles have changed.
    pub more: bool,
}

impl TouchedTokens {
    fn add(&mut self, token: i32, piles: impl Iterator<Item = usize>) {
        if self.tokens.len() == MOST_TOUCHED {
            self.more = true;
            return;
        }
        self.tokens.push(token);
        for pile in piles {
            if !self.piles.contains(&pile) {
                self.piles.push(pile);
            }
        }
    }

    /// Resets to no changes.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.piles.clear();
        self.more = false;
    }
}

/// The working memory of kernels: permissions from the flow, traces for the flow, and data shared between kernels.
#[derive(Debug)]
pub struct Context {
    /// The game's declarations.
    pub declarations: Arc<Declarations>,
    /// The choices that each prompt accepts.
    pub choosable: Arc<Choosable>,
    /// Step budget of the hook.
    pub budget: Rc<Budget>,
    /// Permissions of the hook.
    pub grants: Grants,
    /// Traces of the hook.
    pub traces: Traces,
    /// Whether a hook that was called as a plain function has asked.
    pub needs_coroutine: bool,
    /// Whether the hook runs as a coroutine.
    pub in_coroutine: bool,
    /// Whether the hook has drawn a number with `random_hidden`.
    pub drew: bool,
    /// Tokens and piles that a hook of a simultaneous phase has changed.
    pub touched: TouchedTokens,
    /// Whether the hook has ended the game: its later effects are discarded.
    pub ended: bool,
    /// The state when the hook ended the game.
    pub end_state: Vec<i32>,
    /// The transcript length when the hook ended the game.
    pub end_said: TranscriptLength,
    /// An error that no script may catch.
    pub fatal: Option<String>,
    /// The options of the match.
    pub options: IndexMap<String, OptionValue>,
    /// Buffers for the listeners of an event.
    pub heard: Vec<Heard>,
    pub more_heard: Vec<Heard>,
}

impl Context {
    /// An empty context.
    #[must_use]
    pub fn new(declarations: Arc<Declarations>, choosable: Arc<Choosable>) -> Self {
        Self {
            declarations,
            choosable,
            budget: Rc::default(),
            grants: Grants::default(),
            traces: Traces::default(),
            needs_coroutine: false,
            in_coroutine: false,
            drew: false,
            touched: TouchedTokens::default(),
            ended: false,
            end_state: Vec::new(),
            end_said: TranscriptLength::default(),
            fatal: None,
            options: IndexMap::new(),
            heard: Vec::new(),
            more_heard: Vec::new(),
        }
    }

    /// Records that a hook of a simultaneous phase will change a token, or move it to a pile.
    pub(super) fn touch(&mut self, position: &PositionMut<'_>, token: i32, to: Option<usize>) {
        if self.grants.seat.is_some() {
            self.touched.add(token, position.pile_of(token).into_iter().chain(to));
        }
    }

    /// Takes a question's single choice, if there is one and the prompt allows it. `moment`: round and phase.
    pub fn take_single(&mut self, question: Question, moment: (i32, i32), choices: &[i32]) -> Option<i32> {
        let choice = self.choosable.single(question.prompt, choices).filter(|_| !self.grants.silent)?;
        self.traces.force(question, moment, choice);
        Some(choice)
    }
}
