//! Explicit chance: every random result is chosen from outside, one at a time, with its probability known.
//!
//! A step runs with the results so far. If it draws more, the step is undone, and the first missing draw is open. The
//! step runs again when its result is chosen. A number is one draw. A shuffle is one draw per place, from the top
//! down, until only copies of one token are left; it runs again once, after the last of them.

use rand::Rng;

use crate::flow::{Match, MatchError, Snapshot};
use crate::script::machine::Machine;
use crate::script::machine::fixed::{FixedChance, FixedResult, WantedDraw};
use crate::setup::Setup;

/// The random results of one match that were chosen from outside, and the step that waits for the next one.
///
/// The match itself remains separate: one machine can play many such matches in turns, each as a [`Snapshot`] with its
/// chance; see [`ExplicitChance::restore`].
///
/// ```
/// # use motherlode::{ChanceOutcome, ExplicitChance, Match, MatchError};
/// # use rand::Rng;
/// # fn play(m: &mut Match, rng: &mut impl Rng) -> Result<(), MatchError> {
/// let mut chance = ExplicitChance::begin(m)?;
/// while chance.is_open() || !m.is_over() {
///     let outcomes = chance.outcomes();
///     match outcomes.first() {
///         // An impartial player of chance would choose by weight.
///         Some(outcome) => chance.choose(m, outcome.id)?,
///         None => chance.answer(m, m.decision().unwrap().seat, 0)?,
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExplicitChance {
    /// The seed and the number of draws before the first result.
    from: (u64, u32),
    results: Vec<FixedResult>,
    open: Option<Box<OpenDraw>>,
}

/// One result of an open draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChanceOutcome {
    /// The number drawn, from 1; or the token dealt, from 1. Of several copies, the one with the lowest number.
    pub id: u32,
    /// Its probability is this, divided by the sum of the weights of all outcomes.
    pub weight: u32,
}

/// The choices in a step that waits for chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenStep {
    /// Seat and index of the answer that begins the step; `None`: the step begins the match.
    pub answer: Option<(u8, usize)>,
    /// The outcomes of its draws so far.
    pub outcomes: Vec<u32>,
}

/// A draw without a result.
#[derive(Debug, Clone)]
struct OpenDraw {
    step: Step,
    /// The match before the step; `None`: it has not begun.
    before: Option<Snapshot>,
    /// Number of results before the step.
    first: usize,
    draw: Draw,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Begin,
    Answer { seat: u8, index: usize },
}

#[derive(Debug, Clone)]
enum Draw {
    Number(u32),
    /// The sets of copies that are not dealt yet, and the dealt tokens from the top down.
    Order {
        left: Vec<Vec<i32>>,
        dealt: Vec<i32>,
    },
}

impl ExplicitChance {
    /// Begins a match anew, with its setup. The match is usable when no draw is open.
    ///
    /// # Errors
    /// As [`Match::new`].
    pub fn begin(m: &mut Match) -> Result<Self, MatchError> {
        let mut new = Self { from: (m.setup().seed, 0), ..Self::default() };
        new.run(m, Step::Begin, None, 0)?;
        Ok(new)
    }

    /// Whether a draw waits for its result. Until then the match stays before the step that draws.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether the match has begun. Otherwise the first draws are open, and the match has no position.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        !matches!(&self.open, Some(open) if open.before.is_none())
    }

    /// Whether the open draw deals a token; otherwise it draws a number.
    #[must_use]
    pub fn deals(&self) -> bool {
        matches!(self.open.as_ref().map(|open| &open.draw), Some(Draw::Order { .. }))
    }

    /// Number of outcomes of the open draw; 0: none is open.
    #[must_use]
    pub fn count(&self) -> usize {
        match self.open.as_ref().map(|open| &open.draw) {
            None => 0,
            Some(Draw::Number(most)) => *most as usize,
            Some(Draw::Order { left, .. }) => left.len(),
        }
    }

    /// The outcomes of the open draw, by ascending id; none if no draw is open. [`count`](Self::count) tells whether
    /// there are too many to list: a script may draw from millions of numbers.
    #[must_use]
    pub fn outcomes(&self) -> Vec<ChanceOutcome> {
        match self.open.as_ref().map(|open| &open.draw) {
            None => Vec::new(),
            Some(Draw::Number(most)) => (1..=*most).map(|id| ChanceOutcome { id, weight: 1 }).collect(),
            Some(Draw::Order { left, .. }) => {
                let outcome = |set: &Vec<i32>| ChanceOutcome { id: set[0].cast_unsigned(), weight: set.len() as u32 };
                let mut outcomes: Vec<_> = left.iter().map(outcome).collect();
                outcomes.sort_unstable_by_key(|outcome| outcome.id);
                outcomes
            }
        }
    }

    /// Gives the open draw its result, and continues the step.
    ///
    /// # Errors
    /// No draw is open, the outcome does not exist, or the step fails. Match and chance are then unchanged.
    pub fn choose(&mut self, m: &mut Match, outcome: u32) -> Result<(), MatchError> {
        let Some(open) = &self.open else { return Err(MatchError::NoDraw) };
        let mut open = open.clone();
        let result = match &mut open.draw {
            Draw::Number(most) if (1..=*most).contains(&outcome) => FixedResult::Number(outcome.cast_signed()),
            Draw::Order { left, dealt } => {
                let Some(set) = left.iter().position(|set| set[0].cast_unsigned() == outcome) else {
                    return Err(MatchError::BadOutcome { outcome });
                };
                dealt.push(left[set].remove(0));
                left.retain(|set| !set.is_empty());
                if left.len() > 1 {
                    self.open = Some(open);
                    return Ok(());
                }
                order(left, dealt)
            }
            Draw::Number(_) => return Err(MatchError::BadOutcome { outcome }),
        };
        let (results, draw) = (self.results.len(), self.open.take());
        self.results.push(result);
        let done = self.run(m, open.step, open.before, open.first);
        if done.is_err() {
            self.results.truncate(results);
            self.open = draw;
        }
        done
    }

    /// The step that the open draw interrupts; `None`: no draw is open.
    #[must_use]
    pub fn open_step(&self) -> Option<OpenStep> {
        let open = self.open.as_ref()?;
        let answer = match open.step {
            Step::Begin => None,
            Step::Answer { seat, index } => Some((seat, index)),
        };
        let mut outcomes = Vec::new();
        for result in &self.results[open.first..] {
            match result {
                FixedResult::Number(number) => outcomes.push(number.cast_unsigned()),
                FixedResult::Top(tokens) => outcomes.extend(tokens.iter().flatten().map(|token| token.cast_unsigned())),
            }
        }
        if let Draw::Order { dealt, .. } = &open.draw {
            outcomes.extend(dealt.iter().map(|token| token.cast_unsigned()));
        }
        Some(OpenStep { answer, outcomes })
    }

    /// Answers for a seat, like [`Match::answer_as`]. The step may open a draw.
    ///
    /// # Errors
    /// A draw is open, or as [`Match::answer_as`].
    pub fn answer(&mut self, m: &mut Match, seat: u8, index: usize) -> Result<(), MatchError> {
        if self.is_open() {
            return Err(MatchError::OpenDraw);
        }
        let before = m.snapshot();
        self.run(m, Step::Answer { seat, index }, Some(before), self.results.len())
    }

    /// Redeals the match for a seat; see [`Match::redeal`]. Later draws are explicit as before.
    ///
    /// # Errors
    /// A draw is open, or as [`Match::redeal`].
    pub fn redeal(&mut self, m: &mut Match, seat: u8, rng: &mut impl Rng) -> Result<usize, MatchError> {
        if self.is_open() {
            return Err(MatchError::OpenDraw);
        }
        let deals = m.redeal(seat, rng)?;
        let position = m.runner.machine.desk().position();
        self.from = (position.seed_of_draws(), position.draws());
        self.results.clear();
        Ok(deals)
    }

    /// Restores a snapshot that was taken when the chance was as it is now.
    ///
    /// # Errors
    /// As [`Match::restore`].
    pub fn restore(&self, m: &mut Match, snapshot: &Snapshot) -> Result<(), MatchError> {
        m.runner.machine.grants_mut().fixed = Some(self.fixed());
        m.restore(snapshot)
    }

    /// Continues this chance in another match of the same game: with this setup, at this snapshot unless the match
    /// stands there already. Of a match that [has not begun](Self::has_begun), the snapshot is unused.
    ///
    /// # Errors
    /// The setup does not fit the game, or as [`Match::restore`].
    pub fn resume(&self, m: &mut Match, setup: &Setup, snapshot: Option<&Snapshot>) -> Result<(), MatchError> {
        m.runner.set_up(setup)?;
        match snapshot {
            Some(snapshot) if self.has_begun() => self.restore(m, snapshot),
            _ => {
                m.runner.machine.grants_mut().fixed = Some(self.fixed());
                Ok(())
            }
        }
    }

    /// Makes the chance of a match random again: for another match on the same machine.
    pub fn leave(m: &mut Match) {
        m.runner.machine.grants_mut().fixed = None;
    }

    fn fixed(&self) -> FixedChance {
        FixedChance::since(self.from, self.results.clone())
    }

    /// Runs a step with the results so far, of which those from `first` on are its own. If it draws more, it is undone.
    fn run(&mut self, m: &mut Match, step: Step, before: Option<Snapshot>, first: usize) -> Result<(), MatchError> {
        loop {
            let done = match step {
                Step::Begin => m.begin(Some(self.fixed())),
                Step::Answer { seat, index } => {
                    m.runner.machine.grants_mut().fixed = Some(self.fixed());
                    m.answer_as(seat, index)
                }
            };
            let Some(wanted) = m.runner.machine.grants().fixed.as_ref().and_then(FixedChance::wanted) else {
                return done;
            };
            let draw = match wanted.clone() {
                WantedDraw::Number(1) => Err(FixedResult::Number(1)),
                WantedDraw::Number(most) => Ok(Draw::Number(most)),
                WantedDraw::Order(left) if left.len() > 1 => Ok(Draw::Order { left, dealt: Vec::new() }),
                WantedDraw::Order(mut left) => Err(order(&mut left, &mut Vec::new())),
            };
            if let Some(before) = &before {
                self.restore(m, before)?;
            }
            match draw {
                // Only one result is possible.
                Err(result) => self.results.push(result),
                Ok(draw) => {
                    self.open = Some(Box::new(OpenDraw { step, before, first, draw }));
                    return Ok(());
                }
            }
        }
    }
}

/// The order of a shuffled pile: the dealt tokens on top, the others below.
fn order(left: &mut Vec<Vec<i32>>, dealt: &mut Vec<i32>) -> FixedResult {
    dealt.extend(left.drain(..).flatten());
    FixedResult::Top(dealt.iter().rev().map(|&token| vec![token]).collect())
}
