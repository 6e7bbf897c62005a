//! The working memory of kernels.

use std::rc::Rc;
use std::sync::Arc;

use crate::script::machine::budget::Budget;
use crate::script::machine::choosable::Choosable;
use crate::script::machine::{Grants, Question, Said, Traces};
use crate::state::PositionMut;
use motherlode_content::declare::Declarations;

/// Most changes of tokens that are kept apart.
const MOST_TOUCHED: usize = 32;

/// Tokens and piles that have changed.
#[derive(Debug, Default)]
pub struct Touched {
    /// Tokens, from 1.
    pub tokens: Vec<i32>,
    /// Piles, by index.
    pub piles: Vec<usize>,
    /// There are more.
    pub more: bool,
}

impl Touched {
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

    /// Nothing has changed.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.piles.clear();
        self.more = false;
    }
}

/// The working memory of kernels: what the flow grants the hook, what it leaves for the flow, and what kernels keep among themselves.
#[derive(Debug)]
pub struct Context {
    /// The game's declarations.
    pub declarations: Arc<Declarations>,
    /// The choices that prompts take.
    pub choosable: Arc<Choosable>,
    /// Steps of the hook.
    pub budget: Rc<Budget>,
    /// Permissions of the hook.
    pub grants: Grants,
    /// Traces of the hook.
    pub traces: Traces,
    /// A hook that was called as a plain function has asked.
    pub needs_coroutine: bool,
    /// The hook runs as a coroutine.
    pub in_coroutine: bool,
    /// The hook has drawn a number with `random`.
    pub drew: bool,
    /// Tokens and piles that a hook of a simultaneous phase has changed.
    pub touched: Touched,
    /// The hook has ended the game: nothing that it does afterwards counts.
    pub ended: bool,
    /// The state when it did so.
    pub end_state: Vec<i32>,
    /// The length of the transcript then.
    pub end_said: Said,
    /// A fault that no script may catch.
    pub fatal: Option<String>,
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
            touched: Touched::default(),
            ended: false,
            end_state: Vec::new(),
            end_said: Said::default(),
            fatal: None,
        }
    }

    /// A hook of a simultaneous phase is about to change a token, or to move it to a pile.
    pub(super) fn touch(&mut self, position: &PositionMut<'_>, token: i32, to: Option<usize>) {
        if self.grants.seat.is_some() {
            self.touched.add(token, position.pile_of(token).into_iter().chain(to));
        }
    }

    /// Answers a question by its single choice, if there is one and its prompt allows that. `moment`: round and phase.
    pub fn take_single(&mut self, question: Question, moment: (i32, i32), choices: &[i32]) -> Option<i32> {
        let choice = self.choosable.single(question.prompt, choices).filter(|_| !self.grants.silent)?;
        self.traces.force(question, moment, choice);
        Some(choice)
    }
}
