//! A match: a game being played.

use std::borrow::Cow;

use crate::flow::forced::{GroupedAnswer, RevealedAnswers};
use crate::flow::history::History;
use crate::flow::knowledge::CallKnowledge;
use crate::flow::open::{Kind, OpenCalls};
use crate::flow::runner::{Runner, Stop};
use crate::flow::scores::StepScores;
use crate::flow::snapshot::Opening;
use crate::flow::{Answer, Decision, MatchError};
use crate::game::Game;
use crate::script::machine::fixed::FixedChance;
use crate::script::machine::{EmittedEvent, Hook, Machine, Question};
use crate::setup::Setup;
use crate::state::sight::Sight;
use crate::state::{Position, PositionMut};
use crate::transcript::Line;

/// A game being played. It cannot be sent to another thread.
///
/// The [front page](crate) has an example.
#[derive(Debug)]
pub struct Match {
    pub(super) runner: Runner,
    pub(super) open: Box<OpenCalls>,
    pub(super) answers: Vec<Answer>,
    recording: bool,
    /// Transcript lines that may be published.
    pub(super) log: Vec<Line>,
    /// Transcript lines of the open simultaneous phase, published when it is revealed.
    pub(super) held: Vec<Line>,
    /// Events that happened while the transcript was on.
    pub(super) events: Vec<EmittedEvent>,
    /// Questions that the engine answered itself since the last answer.
    pub(super) automatic: Vec<GroupedAnswer>,
    pub(super) revealed: RevealedAnswers,
    /// Cached knowledge of a seat about the suspended hook, for redeals.
    pub(super) knowledge: Option<Box<CallKnowledge>>,
    opening: Option<Opening>,
    /// The histories of the seats, if they are recorded.
    pub(super) history: Option<Box<History>>,
}

impl Match {
    /// Begins a match and runs it to its first decision.
    ///
    /// # Errors
    /// The setup does not fit the game, or a script fails.
    pub fn new(game: &Game, setup: &Setup) -> Result<Self, MatchError> {
        let mut new = Self::idle(game, setup)?;
        new.begin(None)?;
        Ok(new)
    }

    /// Begins a match with the transcript turned on from the start.
    ///
    /// # Errors
    /// As [`Match::new`].
    pub fn with_transcript(game: &Game, setup: &Setup) -> Result<Self, MatchError> {
        let mut new = Self::idle(game, setup)?;
        new.set_logging(true);
        new.begin(None)?;
        Ok(new)
    }

    /// Begins a match on another machine.
    #[cfg(test)]
    pub(super) fn on(game: &Game, setup: &Setup, machine: crate::script::Driver) -> Result<Self, MatchError> {
        let mut new = Self::of(Runner::with(game, setup, machine));
        new.set_logging(true);
        new.begin(None)?;
        Ok(new)
    }

    /// A match that has not begun.
    pub(super) fn idle(game: &Game, setup: &Setup) -> Result<Self, MatchError> {
        Ok(Self::of(Runner::new(game, setup)?))
    }

    fn of(mut runner: Runner) -> Self {
        Self {
            open: runner.over(),
            runner,
            answers: Vec::new(),
            recording: true,
            log: Vec::new(),
            held: Vec::new(),
            events: Vec::new(),
            automatic: Vec::new(),
            revealed: RevealedAnswers::default(),
            knowledge: None,
            opening: None,
            history: None,
        }
    }

    /// Restarts the match with another setup of the same game; keeps the machine.
    ///
    /// # Errors
    /// As [`Match::new`]; the match is then over.
    pub fn restart(&mut self, setup: &Setup) -> Result<(), MatchError> {
        self.runner.set_up(setup)?;
        self.begin(None)
    }

    /// Begins the match, with these results of chance.
    pub(super) fn begin(&mut self, fixed: Option<FixedChance>) -> Result<(), MatchError> {
        self.answers.clear();
        self.log.clear();
        self.held.clear();
        self.events.clear();
        self.runner.machine.traces_mut().log.clear();
        self.runner.machine.traces_mut().events.clear();
        self.runner.machine.traces_mut().notes.clear();
        self.history = None;
        if self.game().is_counted() {
            let listeners = self.game().declarations().listeners.len();
            self.runner.machine.traces_mut().reached = vec![false; listeners];
        }
        self.runner.machine.grants_mut().fixed = fixed;
        self.runner.steps = 0;
        self.runner.machine.traces_mut().spent_on.clear();
        let over = self.runner.over();
        self.wait_for(over);
        let same = |opening: &&mut Opening| opening.snapshot.of == self.runner.identity;
        if !self.runner.logging()
            && self.opening.as_mut().filter(same).is_some()
            && let Some(mut opening) = self.opening.take()
        {
            PositionMut::new(self.runner.game.layout(), opening.snapshot.start.to_mut()).seed(self.runner.setup.seed);
            let done = self.restore(&opening.snapshot);
            self.automatic.clone_from(&opening.automatic);
            self.opening = Some(opening);
            return done;
        }
        let (mut laid_out, mut begun) = (None, None);
        self.transact(|m| {
            m.runner.lay_out();
            m.runner.scores = StepScores::default();
            laid_out = m.piles_if_counted();
            let traces = m.runner.machine.traces_mut();
            traces.notes.clear();
            begun = traces.watching.then(|| m.runner.machine.words().to_vec());
            let next = m.runner.advance()?;
            m.wait_for(next);
            Ok(())
        })?;
        if let Some(before) = laid_out {
            self.count(None, &before);
        }
        if let Some(words) = begun {
            let begun = self.begin_history(words);
            self.record_step(Some(begun), None);
        }
        self.publish_step(None, None);
        if !self.runner.machine.traces().used_random {
            let (snapshot, automatic) = (self.snapshot(), self.automatic.clone());
            self.opening = Some(Opening { snapshot, automatic });
        }
        Ok(())
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.runner.game
    }

    /// The setup of the match.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.runner.setup
    }

    /// The next decision to answer. In a simultaneous phase: that of the lowest seat, or of a seat that has answered
    /// some of its questions.
    #[must_use]
    #[inline]
    pub fn decision(&self) -> Option<Decision> {
        self.open.asked().map(|asked| self.decision_of(asked))
    }

    /// The decision that a seat may answer now; `None`: it has none.
    #[must_use]
    pub fn decision_of_seat(&self, seat: u8) -> Option<Decision> {
        match self.decision() {
            Some(decision) if decision.seat == seat => Some(decision),
            Some(_) if self.is_simultaneous() => self.question(seat).map(|(asked, _)| self.decision_of(asked)),
            _ => None,
        }
    }

    /// The current question and its raw choices; `None`: the match is over.
    pub(super) fn asked_now(&self) -> Option<(Question, &[i32])> {
        Some((self.open.asked()?, self.runner.machine.choices()))
    }

    /// These words as a seat sees them.
    pub(super) fn sight_of<'a>(&'a self, words: &'a [i32], seat: u8) -> Sight<'a> {
        self.runner.sight(words, seat)
    }

    #[inline]
    pub(super) fn decision_of(&self, Question { seat, prompt, values }: Question) -> Decision {
        Decision { seat, prompt, phase: self.runner.phase_index(), values }
    }

    /// Whether several seats answer before anything is revealed: in a simultaneous phase, and while a script asks
    /// several players at once.
    #[must_use]
    pub fn is_simultaneous(&self) -> bool {
        self.simultaneous().is_some()
    }

    /// An id of the open [simultaneous](Self::is_simultaneous) questions. It changes with the answer that completes
    /// them and when the match is restored; `None`: the match is not simultaneous.
    #[must_use]
    pub fn simultaneous(&self) -> Option<u64> {
        self.open.simultaneous().map(|(number, _)| number)
    }

    /// All decisions that may be answered now: one, or one for each asked seat that has not answered.
    #[must_use]
    pub fn pending(&self) -> Vec<Decision> {
        let seats = 0..self.setup().players;
        seats.filter_map(|seat| self.question(seat)).map(|(asked, _)| self.decision_of(asked)).collect()
    }

    /// The current question to a seat, and its raw choices.
    pub(super) fn question(&self, seat: u8) -> Option<(Question, Cow<'_, [i32]>)> {
        self.open.question(&self.runner, seat)
    }

    /// Raw choices of [`Match::decision`]: from 0 a value in the prompt's domain, below 0 the label -n.
    #[must_use]
    #[inline]
    pub fn choices(&self) -> &[i32] {
        if self.is_over() { &[] } else { self.runner.machine.choices() }
    }

    /// Whether the match is over.
    #[must_use]
    #[inline]
    pub fn is_over(&self) -> bool {
        self.open.kind == Kind::Over
    }

    /// Whether the decision comes from the middle of a hook, not from an offer or a simultaneous phase.
    #[must_use]
    pub fn is_mid_hook(&self) -> bool {
        self.open.kind == Kind::Call && !self.open.is_offer()
    }

    /// Answers [`Match::decision`] with the index of a choice, from 0.
    ///
    /// # Errors
    /// The choice does not exist, or a script fails. The match is then unchanged.
    pub fn answer(&mut self, index: usize) -> Result<(), MatchError> {
        if self.is_over() {
            return Err(MatchError::NoDecision);
        }
        let choices = self.runner.machine.choices();
        let Some(&choice) = choices.get(index) else {
            return Err(MatchError::BadChoice { index, count: choices.len() });
        };
        if self.runner.logging() || self.history.is_some() || self.game().is_counted() {
            return self.answer_watched(index, choice);
        }
        let (seat, phase) = (self.open.asked.seat, self.simultaneous());
        self.transact(|m| m.take_answer(index, choice))?;
        self.record_answer(seat, index);
        self.record_forced(phase);
        Ok(())
    }

    fn record_answer(&mut self, seat: u8, index: usize) {
        if self.recording {
            self.answers.push(Answer { seat, index: index as u16 });
        }
    }

    /// Answers with a choice; records the step for the transcript, the histories and the coverage.
    fn answer_watched(&mut self, index: usize, choice: i32) -> Result<(), MatchError> {
        let (decision, phase) = (self.decision_of(self.open.asked), self.simultaneous());
        let line = self.runner.logging().then(|| self.line_of(decision, self.round(), choice));
        let start = if self.history.is_some() { self.begin_record(decision, choice) } else { None };
        let before = self.piles_if_counted();
        self.transact(|m| m.take_answer(index, choice))?;
        if let Some(before) = before {
            self.count(Some((decision.prompt, choice)), &before);
        }
        self.record_answer(decision.seat, index);
        if self.history.is_some() {
            self.record_step(start, phase);
        }
        self.publish_step(line, phase);
        Ok(())
    }

    fn take_answer(&mut self, index: usize, choice: i32) -> Result<(), Stop> {
        let Self { runner, open, revealed, .. } = self;
        if open.number != 0 && open.kind == Kind::Call {
            revealed.all(open, runner.machine.traces().forced.len());
        }
        let next = match open.kind {
            Kind::Over => return Err(MatchError::NoDecision.into()),
            // On a second try, a nondeterministic script may have listed other choices: the chosen value counts, not
            // its index.
            Kind::Call if open.is_offer() => runner.act(open, index, choice)?,
            _ if runner.machine.choices().get(index) != Some(&choice) => {
                return Err(MatchError::Unstable.into());
            }
            Kind::Call => {
                let Some(ret) = runner.resume(open, index)? else { return Ok(()) };
                let hook = open.single().map_or(Hook::Setup, |one| one.call.hook);
                runner.after(hook, ret)?;
                runner.advance()?
            }
            Kind::Simultaneous => {
                if open.answer(runner, index)? {
                    return Ok(());
                }
                revealed.all(open, runner.machine.traces().forced.len());
                runner.leave_turns();
                runner.advance()?
            }
        };
        self.wait_for(next);
        Ok(())
    }

    /// Answers for any seat that may answer now. Several seats may if [`Match::is_simultaneous`].
    ///
    /// # Errors
    /// As [`Match::answer`]; or the seat has no pending decision.
    pub fn answer_as(&mut self, seat: u8, index: usize) -> Result<(), MatchError> {
        self.focus(seat)?;
        self.answer(index)
    }

    /// Makes this seat's decision the current [`Match::decision`].
    ///
    /// # Errors
    /// The seat has no pending decision.
    pub fn focus(&mut self, seat: u8) -> Result<(), MatchError> {
        let Self { open, runner, .. } = self;
        match open.kind {
            Kind::Simultaneous => open.move_focus(runner, seat),
            Kind::Call if open.is_open(seat) => {
                runner.turn_to(open, seat);
                Ok(())
            }
            Kind::Call if open.asked.seat == seat => Ok(()),
            Kind::Call | Kind::Over => Err(MatchError::NotPending { seat }),
        }
    }

    /// All answers so far.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Sets whether answers are recorded; on by default.
    pub fn set_recording(&mut self, on: bool) {
        self.recording = on;
    }

    /// Turns the transcript on or off; off by default. Turning it off ends the recording of histories.
    pub fn set_logging(&mut self, on: bool) {
        self.runner.set_logging(on);
        if !on {
            self.history = None;
            self.runner.machine.traces_mut().watching = false;
        }
    }

    /// Transcript lines since the last call. Lines of a simultaneous phase appear when it is revealed.
    pub fn take_log(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.log)
    }

    /// Events since the last call, parts included, while the transcript is on. The engine's own events are only those that
    /// something may hear.
    pub fn take_events(&mut self) -> Vec<EmittedEvent> {
        std::mem::take(&mut self.events)
    }

    /// Steps taken by all hooks of the match.
    #[must_use]
    pub fn steps(&self) -> i64 {
        self.runner.steps
    }

    /// Steps of all calls to hooks in this match, undone, repeated and redealt ones too: a count of work that only
    /// grows.
    #[must_use]
    pub fn work(&self) -> i64 {
        self.runner.machine.traces().spent
    }

    /// Budgets of every hook.
    pub fn limits_mut(&mut self) -> &mut crate::script::machine::Limits {
        &mut self.runner.machine.grants_mut().limits
    }

    /// The pile of every token, if coverage is counted.
    fn piles_if_counted(&self) -> Option<Vec<Option<usize>>> {
        self.game().is_counted().then(|| {
            crate::coverage::piles(Position { layout: self.game().layout(), words: self.runner.machine.words() })
        })
    }

    /// Counts the coverage of a step.
    fn count(&self, choice: Option<(usize, i32)>, before: &[Option<usize>]) {
        let game = self.game();
        let now = crate::coverage::piles(Position { layout: self.game().layout(), words: self.runner.machine.words() });
        if let Some(mut counts) = game.counts() {
            if let Some((prompt, raw)) = choice {
                counts.choose(game.declarations(), game.layout(), game.labels(), prompt, raw);
            }
            for forced in &self.runner.machine.traces().forced {
                counts.choose(game.declarations(), game.layout(), game.labels(), forced.question.prompt, forced.choice);
            }
            counts.moved(game.layout(), before, &now);
            let reached = self.runner.machine.traces().reached.iter().enumerate();
            counts.listeners.extend(reached.filter(|(_, reached)| **reached).map(|(listener, _)| listener));
            let position = Position { layout: game.layout(), words: self.runner.machine.words() };
            counts.modifiers.extend(position.modifiers_in_force(game.declarations()));
        }
    }
}
