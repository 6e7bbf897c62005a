//! What kernels and questions leave behind for the host.

use std::sync::Arc;

use crate::script::chance::Chance;
use crate::script::choosable::Choosable;
use crate::script::fixed::FixedChance;
use crate::script::guard::Guard;
use crate::script::together::Together;
use crate::state::PositionMut;
use crate::transcript::Line;
use motherlode_content::declare::{Declarations, MAX_ASKED};

/// Most lines of the transcript that are kept until somebody takes them.
const MAX_LINES: usize = 10_000;

/// Most changes of tokens that are kept apart.
const MOST_TOUCHED: usize = 32;

/// Stands for `nil` or a missing argument.
pub const NIL: i32 = i32::MIN;

/// A question that a script asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// Seat that is asked, from 0.
    pub seat: u8,
    /// Index of the prompt.
    pub prompt: usize,
    /// The values that its text shows.
    pub values: Values,
}

/// The whole numbers, up to [`MAX_ASKED`], that a question shows in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values([i32; MAX_ASKED]);

impl Values {
    /// No values.
    pub const NONE: Self = Self([NIL; MAX_ASKED]);

    /// Sets a value by its index, from 0.
    pub fn set(&mut self, index: usize, value: i32) {
        self.0[index] = value;
    }

    /// The values up to the last one that was set.
    #[must_use]
    pub fn list(&self) -> &[i32] {
        let given = self.0.iter().rposition(|&value| value != NIL).map_or(0, |last| last + 1);
        &self.0[..given]
    }
}

impl Default for Values {
    fn default() -> Self {
        Self::NONE
    }
}

/// A question with a single choice, which the engine has answered by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forced {
    /// The question.
    pub asked: Asked,
    /// The round.
    pub round: i32,
    /// Index of the phase.
    pub phase: i32,
    /// The raw choice.
    pub choice: i32,
    /// How many lines of the transcript had been said before.
    pub at: usize,
}

/// How much was said: a mark in the transcript of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// Lines.
    pub lines: usize,
    /// Forced answers.
    pub forced: usize,
}

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

/// What kernels leave behind for the host.
#[derive(Debug)]
pub struct Context {
    /// The game's declarations.
    pub declarations: Arc<Declarations>,
    /// The list that a hook or kernel returned.
    pub list: Vec<i32>,
    /// The question that was just asked.
    pub asked: Option<Asked>,
    /// A hook that was called as a plain function has asked.
    pub needs_coroutine: bool,
    /// The hook runs as a coroutine.
    pub in_coroutine: bool,
    /// Random numbers were drawn.
    pub used_random: bool,
    /// The hook has drawn a number with `random`.
    pub drew: bool,
    /// What chance does, if somebody looks at it.
    pub chance: Option<Box<Chance>>,
    /// The hook is one of a simultaneous phase, of this seat: it draws no random numbers and asks nobody else.
    pub sealed: Option<u8>,
    /// The hook must not ask, not even a question that answers itself.
    pub silent: bool,
    /// What prompts let choose.
    pub choosable: Choosable,
    /// What the hook may change.
    pub guard: Guard,
    /// Tokens and piles that a sealed hook has changed.
    pub touched: Touched,
    /// The next results of chance, if a test has fixed them.
    pub fixed: Option<FixedChance>,
    /// Lines of the transcript that nobody has taken yet.
    pub log: Vec<Line>,
    /// Questions that were answered without asking, whether anybody reads the transcript or not.
    pub forced: Vec<Forced>,
    /// The seats that a script asks at once.
    pub together: Together,
    /// The question that was just asked is asked of these.
    pub asks_together: bool,
    /// How much had been said before it.
    pub said_before: Said,
    /// The hook has ended the game: nothing that it does afterwards counts.
    pub ended: bool,
    /// The state when it did so.
    pub end_state: Vec<i32>,
    /// How much it had said.
    pub end_said: Said,
    /// A fault that no script may catch.
    pub fatal: Option<String>,
}

impl Context {
    /// An empty context.
    #[must_use]
    pub fn new(declarations: Arc<Declarations>) -> Self {
        Self {
            choosable: Choosable::new(&declarations),
            declarations,
            list: Vec::new(),
            asked: None,
            needs_coroutine: false,
            in_coroutine: false,
            used_random: false,
            drew: false,
            chance: None,
            sealed: None,
            silent: false,
            guard: Guard::Open,
            touched: Touched::default(),
            fixed: None,
            log: Vec::new(),
            forced: Vec::new(),
            together: Together::default(),
            asks_together: false,
            said_before: Said::default(),
            ended: false,
            end_state: Vec::new(),
            end_said: Said::default(),
            fatal: None,
        }
    }

    /// Adds a line to the transcript. Too many of them are no error: a match must go the same way whether or not anybody reads.
    pub fn say(&mut self, line: impl FnOnce() -> Line) {
        if self.log.len() < MAX_LINES {
            let line = line();
            self.log.push(line);
        }
    }

    /// A sealed hook is about to change a token, or to move it to a pile.
    pub(super) fn touch(&mut self, position: &PositionMut<'_>, token: i32, to: Option<usize>) {
        if self.sealed.is_some() {
            self.touched.add(token, position.pile_of(token).into_iter().chain(to));
        }
    }

    /// How much has been said so far.
    #[must_use]
    pub fn said(&self) -> Said {
        Said { lines: self.log.len(), forced: self.forced.len() }
    }

    /// Forgets what was said since.
    pub fn unsay(&mut self, said: Said) {
        self.log.truncate(said.lines);
        self.forced.truncate(said.forced);
    }

    /// Answers a question by its single choice, if there is one and its prompt allows that, and notes it; beyond [`MAX_LINES`] nobody
    /// would read the note. `moment`: round and phase.
    pub fn take_single(&mut self, asked: Asked, (round, phase): (i32, i32), choices: &[i32]) -> Option<i32> {
        let &[choice] = choices else { return None };
        if self.silent || !self.choosable.is_auto(asked.prompt) {
            return None;
        }
        if self.forced.len() < MAX_LINES {
            self.forced.push(Forced { asked, round, phase, choice, at: self.log.len() });
        }
        Some(choice)
    }
}
