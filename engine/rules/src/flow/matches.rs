//! A match: state and script host, bound to its thread.

use indexmap::IndexMap;

use crate::flow::sealed::Sealed;
use crate::flow::{Answer, Decision, MatchError, Setup, Snapshot};
use crate::game::Game;
use crate::script::Host;
use crate::script::host::{Hook, PhaseHook};
use crate::script::kernel::{Asked, Values};
use crate::script::raw::{Ended, Ret, Trap};
use crate::state::View;
use crate::state::layout::word;
use crate::transcript::Line;
use motherlode_content::declare::{Amount, Declarations, Holder, OptionValue};

/// A game being played.
#[derive(Debug)]
pub struct Match {
    pub(super) game: Game,
    pub(super) setup: Setup,
    pub(super) host: Host,
    pub(super) pending: Pending,
    pub(super) frame: Frame,
    pub(super) sealed: Sealed,
    pub(super) answers: Vec<Answer>,
    pub(super) redealt: bool,
    /// Some zone is a display that is filled up after every hook.
    pub(super) refills: bool,
    /// The last round, if the game has one.
    pub(super) last_round: Option<i32>,
    /// Raw choices of the labels of each prompt, in order.
    pub(super) labels_of: Vec<Vec<i32>>,
    recording: bool,
    logging: bool,
    /// Lines of the transcript that may be told.
    pub(super) log: Vec<Line>,
    /// Lines of the open sealed phase, told when it is revealed.
    pub(super) held: Vec<Line>,
    pub(super) undo: Undo,
    opening: Option<Opening>,
    /// A hook failed: everything since the last decision runs once more, and this keeps the state in which each hook begins, so
    /// that the failure can be explained.
    tracing: bool,
    traced: Vec<i32>,
}

/// The first decision of a setup that draws no random numbers: the same for every seed.
#[derive(Debug)]
struct Opening {
    players: u8,
    options: IndexMap<String, OptionValue>,
    snapshot: Snapshot,
}

/// What a failed answer is taken back to. Copying everything before every answer would cost more than the answer: a running hook
/// and an open sealed phase already keep how they began, and move here only when another takes their place.
#[derive(Debug, Default)]
pub(super) struct Undo {
    pub pending: Pending,
    /// State at an offer.
    pub words: Vec<i32>,
    pub frame: Frame,
    pub sealed: Sealed,
    /// Seats that were done with the sealed phase, as bits.
    pub done: u32,
    /// The frame or sealed phase of the decision was moved here.
    pub moved: bool,
    pub redealt: bool,
}

/// What the match waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Pending {
    /// Nothing: the match is over.
    #[default]
    Over,
    /// One of the choices that `offer` listed.
    Offer { seat: u8, prompt: usize },
    /// An answer for the hook that runs as a coroutine.
    Hook { seat: u8, prompt: usize },
    /// The same in a sealed phase; other seats may be asked too.
    Sealed { seat: u8, prompt: usize },
}

/// A hook call that can be made again.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    pub hook: Option<Hook>,
    pub args: Args,
    pub answers: Vec<u16>,
    /// State in which the hook began.
    pub start: Vec<i32>,
}

impl Frame {
    pub fn copy_call(&mut self, from: &Self) {
        self.hook = from.hook;
        self.args = from.args;
        self.answers.clear();
        self.answers.extend_from_slice(&from.answers);
    }
}

/// Up to two arguments of a hook.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Args {
    values: [i32; 2],
    len: usize,
}

impl Args {
    pub const NONE: Self = Self { values: [0; 2], len: 0 };

    pub fn player(player: i32) -> Self {
        Self { values: [player, 0], len: 1 }
    }

    pub fn act(player: i32, choice: i32) -> Self {
        Self { values: [player, choice], len: 2 }
    }

    pub fn list(&self) -> &[i32] {
        &self.values[..self.len]
    }
}

/// Why a step stopped short.
#[derive(Debug)]
pub(super) enum Stop {
    /// A plainly called hook asked; it is remembered now, the whole answer is tried again.
    Again,
    Fault(MatchError),
}

impl Drop for Match {
    fn drop(&mut self) {
        self.host.count();
    }
}

impl From<MatchError> for Stop {
    fn from(error: MatchError) -> Self {
        Self::Fault(error)
    }
}

impl Match {
    /// Begins a match and runs it to its first decision.
    ///
    /// # Errors
    /// The setup does not fit the game, or a script failed.
    pub fn new(game: &Game, setup: &Setup) -> Result<Self, MatchError> {
        let mut new = Self::idle(game, setup)?;
        new.begin()?;
        Ok(new)
    }

    /// A match that has not begun.
    pub(super) fn idle(game: &Game, setup: &Setup) -> Result<Self, MatchError> {
        setup.check(game.declarations()).map_err(|e| MatchError::Setup(e.0))?;
        let mut host = game.host().map_err(MatchError::Limit)?;
        host.set_options(&setup.options);
        Ok(Self {
            game: game.clone(),
            setup: setup.clone(),
            host,
            pending: Pending::Over,
            frame: Frame::default(),
            sealed: Sealed::default(),
            answers: Vec::new(),
            redealt: false,
            refills: game.declarations().zones.values().any(|z| z.refill.is_some()),
            last_round: last_round(game, setup),
            labels_of: labels_of(game),
            recording: true,
            logging: false,
            log: Vec::new(),
            held: Vec::new(),
            undo: Undo::default(),
            opening: None,
            tracing: false,
            traced: Vec::new(),
        })
    }

    /// Begins anew with another setup of the same game; the script host is kept.
    ///
    /// # Errors
    /// As [`Match::new`]; the match is then over.
    pub fn restart(&mut self, setup: &Setup) -> Result<(), MatchError> {
        // As they stand, without looking up every name: setups come from one and the same declaration.
        let same_options = setup.options.as_slice() == self.setup.options.as_slice();
        if !same_options || setup.players != self.setup.players {
            setup.check(self.game.declarations()).map_err(|e| MatchError::Setup(e.0))?;
            self.setup.players = setup.players;
            self.setup.options.clone_from(&setup.options);
            self.last_round = last_round(&self.game, setup);
        }
        self.setup.seed = setup.seed;
        if self.host.is_broken() {
            self.renew_host()?;
        } else if !same_options {
            self.host.set_options(&setup.options);
        }
        self.begin()
    }

    fn begin(&mut self) -> Result<(), MatchError> {
        self.answers.clear();
        self.log.clear();
        self.held.clear();
        self.host.context_mut().log.clear();
        self.redealt = false;
        let options = self.setup.options.as_slice();
        let known =
            self.opening.as_ref().is_some_and(|o| o.players == self.setup.players && o.options.as_slice() == options);
        if known
            && !self.logging
            && let Some(mut opening) = self.opening.take()
        {
            opening.snapshot.words[word::RNG_LOW] = (self.setup.seed as u32).cast_signed();
            opening.snapshot.words[word::RNG_HIGH] = ((self.setup.seed >> 32) as u32).cast_signed();
            let done = self.restore(&opening.snapshot);
            self.opening = Some(opening);
            return done;
        }
        self.undo.pending = Pending::Over;
        self.tracing = false;
        let mut laid_out;
        loop {
            self.pending = Pending::Over;
            self.host.context_mut().log.clear();
            self.host.context_mut().used_random = false;
            self.lay_out();
            laid_out = self.piles_if_counted();
            match self.advance() {
                Ok(()) => break,
                Err(Stop::Again) => {}
                Err(Stop::Fault(error)) => {
                    self.pending = Pending::Over;
                    return Err(error);
                }
            }
        }
        if let Some(before) = laid_out {
            self.count(None, &before);
        }
        self.keep_log(None, None);
        if !self.host.context().used_random {
            let (players, options) = (self.setup.players, self.setup.options.clone());
            self.opening = Some(Opening { players, options, snapshot: self.snapshot() });
        }
        Ok(())
    }

    /// The state before the first hook: seed, start values, tokens in their zones.
    fn lay_out(&mut self) {
        let game = self.game.clone();
        let (d, layout) = (game.declarations(), game.layout());
        let words = self.host.words_mut();
        words.fill(0);
        words[word::PLAYERS] = i32::from(self.setup.players);
        let mut view = View::new(layout, words);
        view.seed(self.setup.seed);
        for (counter, slot) in d.counters.values().zip(&layout.counters) {
            let start = resolve(&counter.start, &self.setup).clamp(counter.min, counter.max);
            let len = if counter.per == Holder::Player { usize::from(self.setup.players) } else { slot.len };
            view.words[slot.offset..slot.offset + len].fill(start);
        }
        for (i, token) in layout.tokens.iter().enumerate() {
            if token.owner > i32::from(self.setup.players) {
                continue;
            }
            if let Some(zone) = d.kinds[token.kind].zone
                && let Some(pile) = layout.pile(zone, token.owner).or_else(|| layout.pile(zone, 0))
            {
                view.put(i as i32 + 1, pile, false);
            }
        }
        let mut shuffled = Vec::new();
        for zone in d.kinds.values().filter(|k| k.shuffle).filter_map(|k| k.zone) {
            if !shuffled.contains(&zone) {
                shuffled.push(zone);
            }
        }
        for &zone in &shuffled {
            let slot = &layout.zones[zone];
            for pile in slot.pile..slot.pile + slot.len {
                view.shuffle(pile);
            }
        }
        self.host.context_mut().used_random = !shuffled.is_empty();
        self.refill();
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What the match began from.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The next decision to answer; in a sealed phase that of the lowest seat, unless another was answered in part.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        let (seat, prompt, values) = match self.pending {
            Pending::Over => return None,
            Pending::Offer { seat, prompt } => (seat, prompt, Values::NONE),
            // What a question carries stands where its script left it: a hook that is run again asks again.
            Pending::Hook { seat, prompt } | Pending::Sealed { seat, prompt } => {
                (seat, prompt, self.host.context().asked.map_or(Values::NONE, |asked| asked.values))
            }
        };
        Some(Decision { seat, prompt, phase: self.phase_index(), values })
    }

    /// Raw choices of [`Match::decision`]: from 0 a value in the prompt's domain, below 0 the label -n.
    #[must_use]
    pub fn choices(&self) -> &[i32] {
        if self.pending == Pending::Over { &[] } else { self.host.choices() }
    }

    /// Whether the match is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.pending == Pending::Over
    }

    /// Answers [`Match::decision`] with the index of a choice, from 0.
    ///
    /// # Errors
    /// No such choice, or a script failed; the match is then as it was.
    pub fn answer(&mut self, index: usize) -> Result<(), MatchError> {
        let Some(decision) = self.decision() else { return Err(MatchError::NoDecision) };
        let count = self.host.choices().len();
        if index >= count {
            return Err(MatchError::BadChoice { index, count });
        }
        let line = self.logging.then(|| self.line_of(decision, index));
        let counted = self.piles_if_counted().map(|before| (self.host.choices()[index], before));
        let sealed = self.sealed_number();
        self.mark_undo();
        self.tracing = false;
        loop {
            match self.take_answer(index) {
                Ok(()) => break,
                Err(stop) => {
                    self.host.context_mut().log.clear();
                    self.roll_back(decision.seat)?;
                    if let Stop::Fault(error) = stop {
                        return Err(error);
                    }
                }
            }
        }
        if let Some((chosen, before)) = counted {
            self.count(Some((decision.prompt, chosen)), &before);
        }
        if self.recording {
            self.answers.push(Answer { seat: decision.seat, index: index as u16 });
        }
        self.keep_log(line, sealed);
        Ok(())
    }

    /// Where the tokens lie, if anybody wants to know what a step exercises.
    fn piles_if_counted(&mut self) -> Option<Vec<Option<usize>>> {
        if !self.game.is_counted() {
            return None;
        }
        let game = self.game.clone();
        Some(crate::coverage::piles(game.layout(), self.host.words_mut()))
    }

    /// Counts what a step has exercised.
    fn count(&mut self, choice: Option<(usize, i32)>, before: &[Option<usize>]) {
        let game = self.game.clone();
        let now = crate::coverage::piles(game.layout(), self.host.words_mut());
        if let Some(mut counts) = game.counts() {
            if let Some((prompt, raw)) = choice {
                counts.choose(game.declarations(), game.layout(), game.labels(), prompt, raw);
            }
            counts.moved(game.layout(), before, &now);
        }
    }

    fn take_answer(&mut self, index: usize) -> Result<(), Stop> {
        match self.pending {
            Pending::Over => Err(MatchError::NoDecision.into()),
            Pending::Offer { seat, .. } => {
                let choice = self.host.choices()[index];
                self.act(seat, choice)
            }
            Pending::Hook { .. } => self.resume(index),
            Pending::Sealed { seat, .. } => self.sealed_answer(seat, index),
        }
    }

    /// Answers for any seat that may answer now: several may in a sealed phase.
    ///
    /// # Errors
    /// As [`Match::answer`]; or this seat has nothing to decide.
    pub fn answer_as(&mut self, seat: u8, index: usize) -> Result<(), MatchError> {
        self.focus(seat)?;
        self.answer(index)
    }

    /// Makes this seat's decision the one that [`Match::decision`] names.
    ///
    /// # Errors
    /// This seat has nothing to decide now.
    pub fn focus(&mut self, seat: u8) -> Result<(), MatchError> {
        match self.pending {
            Pending::Sealed { seat: now, .. } if now != seat => {
                if !self.sealed.is_open(seat) {
                    return Err(MatchError::NotPending { seat });
                }
                // What this seat has done so far stays in its sight.
                self.sealed_note(now);
                let focused = self.sealed_focus(seat);
                if focused.is_err() {
                    // The hook of the other seat ended without a question, or failed: the one that waited is taken up again.
                    if self.host.is_broken() {
                        self.renew_host()?;
                    }
                    self.sealed_focus(now)?;
                }
                focused
            }
            _ if self.decision().is_some_and(|d| d.seat == seat) => Ok(()),
            _ => Err(MatchError::NotPending { seat }),
        }
    }

    /// Answers given since the beginning.
    #[must_use]
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Whether answers are recorded; on at the start.
    pub fn set_recording(&mut self, on: bool) {
        self.recording = on;
    }

    /// Turns the transcript on or off; off at the start.
    pub fn set_logging(&mut self, on: bool) {
        self.logging = on;
        self.host.set_logging(on);
    }

    /// Lines of the transcript since the last call. What is sealed comes when it is revealed.
    pub fn take_log(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.log)
    }

    /// Budgets of every hook.
    pub fn limits_mut(&mut self) -> &mut crate::script::Limits {
        &mut self.host.limits
    }

    fn line_of(&self, decision: Decision, index: usize) -> Line {
        let name = crate::text::player_name(self.game.declarations(), i32::from(decision.seat) + 1);
        let choice = self.describe(self.choices()[index]);
        let text = format!("{name}: {} {}", decision.text(&self.game), choice.label);
        if self.declarations().prompts[decision.prompt].secret {
            Line::private(decision.seat, text, Some(format!("{name} has decided.")))
        } else {
            Line::public_line(text)
        }
    }

    /// The sealed phase that waits for answers, if one does.
    fn sealed_number(&self) -> Option<u64> {
        matches!(self.pending, Pending::Sealed { .. }).then_some(self.sealed.number)
    }

    /// Puts an answer and what was said since into the transcript; `before` is the sealed phase that was answered.
    fn keep_log(&mut self, line: Option<Line>, before: Option<u64>) {
        if !self.logging {
            return;
        }
        let mut said = std::mem::take(&mut self.host.context_mut().log);
        let now = self.sealed_number();
        if now.is_some() && now == before {
            self.held.extend(line);
            self.held.append(&mut said);
            return;
        }
        self.log.append(&mut self.held);
        self.log.extend(line);
        if now.is_some() {
            self.held = said.split_off(self.sealed.log_from.min(said.len()));
        }
        self.log.append(&mut said);
    }

    pub(super) fn logging(&self) -> bool {
        self.logging
    }

    pub(super) fn log_len(&self) -> usize {
        self.host.context().log.len()
    }

    pub(super) fn declarations(&self) -> &Declarations {
        self.game.declarations()
    }

    pub(super) fn phase_index(&self) -> usize {
        (self.host.words()[word::PHASE].max(0) as usize).min(self.game.declarations().phases.len().saturating_sub(1))
    }

    pub(super) fn renew_host(&mut self) -> Result<(), MatchError> {
        self.host.count();
        self.host = self
            .host
            .renew()
            .map_err(|f| MatchError::Limit(f.first().map_or_else(String::new, |f| f.message.clone())))?;
        self.host.set_logging(self.logging);
        Ok(())
    }

    /// Calls a hook the cheapest way that works. `None`: it asked and waits.
    pub(super) fn invoke(&mut self, hook: Hook, args: Args) -> Result<Option<Ret>, Stop> {
        let Some(function) = self.host.function(hook) else { return Ok(Some(Ret::Nil)) };
        if !matches!(hook, Hook::Phase(_, PhaseHook::Offer)) {
            self.host.clear_choices();
        }
        if !self.host.asks(hook) {
            if self.tracing {
                self.traced.clear();
                self.traced.extend_from_slice(self.host.words());
            }
            return match self.host.call(function, args.list()) {
                Ok(ret) => Ok(Some(ret)),
                Err(Trap::Asks) if may_ask(hook) => {
                    self.host.remember_asks(hook);
                    Err(Stop::Again)
                }
                // A hook without memory leaves a host that cannot run anything once more.
                Err(trap) if !self.tracing && trap != Trap::Memory => {
                    self.tracing = true;
                    Err(Stop::Again)
                }
                Err(trap) if self.tracing => {
                    self.tracing = false;
                    let fault = self.host.explain(&trap, hook, args.list(), &self.traced, &[]);
                    Err(MatchError::from(fault).into())
                }
                Err(trap) => Err(self.fault(&trap, hook, args.list()).into()),
            };
        }
        if matches!(self.undo.pending, Pending::Hook { .. }) && !self.undo.moved {
            std::mem::swap(&mut self.frame, &mut self.undo.frame);
            self.undo.moved = true;
        }
        // This hook begins in a state that is known again.
        self.redealt = false;
        self.frame.hook = Some(hook);
        self.frame.args = args;
        self.frame.answers.clear();
        self.frame.start.clear();
        self.frame.start.extend_from_slice(self.host.words());
        let ended = self.host.start(function, args.list());
        self.ended(ended)
    }

    fn ended(&mut self, ended: Result<Ended, Trap>) -> Result<Option<Ret>, Stop> {
        match ended {
            Ok(Ended::Done(ret)) => Ok(Some(ret)),
            Ok(Ended::Asked) => {
                let Asked { seat, prompt, .. } = self.asked()?;
                self.pending = Pending::Hook { seat, prompt };
                if self.frame.answers.len() >= self.host.limits.choices {
                    return Err(MatchError::Limit(format!(
                        "a hook asked more than {} times",
                        self.host.limits.choices
                    ))
                    .into());
                }
                Ok(None)
            }
            Err(trap) => {
                let frame = std::mem::take(&mut self.frame);
                let error = match frame.hook {
                    Some(hook) => {
                        self.host.explain(&trap, hook, frame.args.list(), &frame.start, &frame.answers).into()
                    }
                    None => MatchError::NoDecision,
                };
                self.frame = frame;
                Err(error.into())
            }
        }
    }

    /// The question just asked.
    pub(super) fn asked(&self) -> Result<Asked, MatchError> {
        match self.host.context().asked {
            Some(asked) if asked.seat < self.setup.players => Ok(asked),
            Some(Asked { seat, .. }) => {
                Err(MatchError::Limit(format!("a script asked player {}, who is not at the table", seat + 1)))
            }
            None => Err(MatchError::NoDecision),
        }
    }

    fn resume(&mut self, index: usize) -> Result<(), Stop> {
        self.frame.answers.push(index as u16);
        let ended = self.host.resume(index);
        match self.ended(ended)? {
            None => Ok(()),
            Some(ret) => {
                let Some(hook) = self.frame.hook else { return Err(MatchError::NoDecision.into()) };
                self.after(hook, ret)?;
                self.advance()
            }
        }
    }

    /// Runs the frame's hook again up to where it stood.
    pub(super) fn rerun_frame(&mut self) -> Result<(), MatchError> {
        let Some(hook) = self.frame.hook else { return Err(MatchError::NoDecision) };
        let Some(function) = self.host.function(hook) else { return Err(MatchError::NoDecision) };
        self.host.remember_asks(hook);
        let logging = self.logging;
        self.host.set_logging(false);
        let mut ended = self.host.start(function, self.frame.args.list());
        for i in 0..self.frame.answers.len() {
            if !matches!(ended, Ok(Ended::Asked)) {
                break;
            }
            ended = self.host.resume(usize::from(self.frame.answers[i]));
        }
        self.host.set_logging(logging);
        match ended {
            Ok(Ended::Asked) => Ok(()),
            Ok(Ended::Done(_)) => {
                Err(MatchError::Snapshot("a hook did not ask again: its script is not deterministic".into()))
            }
            Err(trap) => Err(self.fault(&trap, hook, &[])),
        }
    }

    /// Describes a failure of a hook that was called with the state as it was before the answer.
    pub(super) fn fault(&mut self, trap: &Trap, hook: Hook, args: &[i32]) -> MatchError {
        let state = self.host.words().to_vec();
        self.host.explain(trap, hook, args, &state, &[]).into()
    }
}

fn last_round(game: &Game, setup: &Setup) -> Option<i32> {
    game.declarations().rounds.as_ref().map(|amount| resolve(amount, setup))
}

fn labels_of(game: &Game) -> Vec<Vec<i32>> {
    let raw = |key: &String| game.labels().iter().position(|label| label == key).map_or(0, |at| -(at as i32) - 1);
    game.declarations().prompts.values().map(|prompt| prompt.labels.keys().map(raw).collect()).collect()
}

fn may_ask(hook: Hook) -> bool {
    use crate::script::host::PhaseHook as P;
    matches!(hook, Hook::Setup | Hook::Finish | Hook::Phase(_, P::Run | P::Turn | P::Act | P::Start | P::Finish))
}

/// The number an amount stands for.
pub(super) fn resolve(amount: &Amount, setup: &Setup) -> i32 {
    match amount {
        Amount::Number(n) => *n,
        Amount::Option(name) => match setup.options.get(name) {
            Some(OptionValue::Integer(n)) => *n,
            Some(OptionValue::Bool(b)) => i32::from(*b),
            _ => 0,
        },
    }
}
