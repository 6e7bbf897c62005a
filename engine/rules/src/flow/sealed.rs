//! Sealed phases: every seat's hook runs against the same position; seats answer in any order; what they did is put together
//! in seat order when the last has answered.

use crate::flow::ask::Asking;
use crate::flow::matches::{Match, Pending, Stop};
use crate::flow::{Decision, MatchError};
use crate::script::Host;
use crate::script::host::{Hook, PhaseHook};
use crate::script::kernel::Asked;
use crate::script::raw::{Ended, Trap};
use crate::state::Layout;
use crate::state::layout::word;
use motherlode_content::declare::{Declarations, Holder};

/// Words that are compared at once.
const CHUNK: usize = 128;

/// A sealed phase under way.
#[derive(Debug, Default)]
pub(super) struct Sealed {
    /// The position all hooks run against.
    pub start: Vec<i32>,
    /// One a seat.
    pub seats: Vec<Progress>,
    /// How many lines the answer that led into the phase had said before: what follows is not told before the reveal.
    pub log_from: usize,
    /// Tells two sealed phases apart that follow on one another.
    pub number: u64,
    /// Of a phase with declared questions: where the seat in focus is.
    pub asking: Asking,
    /// Which hook of the seat in focus runs.
    pub running: Running,
    /// Seat (from 1) to which each word belongs, 0: nobody; made on first use.
    owners: Vec<u8>,
}

/// Which hook of a seat runs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Running {
    #[default]
    Turn,
    /// It has listed what its player may choose.
    Offer,
    /// The first answers (at most one) were for the offer.
    Act { choice: i32, taken: usize },
}

/// How far a seat is.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub answers: Vec<u16>,
    pub done: bool,
    /// Words the hook changed: all once it is done; before that those up to where it asks, noted when another seat takes the focus.
    pub changes: Vec<(u32, i32)>,
}

impl Sealed {
    /// Begins at a position; seats that are out of the game (bits) have nothing to do.
    pub fn open(&mut self, start: &[i32], seats: u8, out: i32, log_from: usize) {
        self.start.clear();
        self.start.extend_from_slice(start);
        self.seats.resize_with(usize::from(seats), Progress::default);
        for (i, seat) in self.seats.iter_mut().enumerate() {
            seat.answers.clear();
            seat.changes.clear();
            seat.done = out >> i & 1 != 0;
        }
        self.log_from = log_from;
    }

    /// Whether a seat has still to answer.
    pub fn is_open(&self, seat: u8) -> bool {
        self.seats.get(usize::from(seat)).is_some_and(|s| !s.done)
    }
}

/// Runs the hooks of the seats that are not done, in order, until one asks; puts all together when none is left.
/// True: somebody is asked.
pub(super) fn run(m: &mut Match) -> Result<bool, Stop> {
    // Here the state is always as the phase began: a hook that is done has taken its changes back.
    while let Some(seat) = m.sealed.seats.iter().position(|s| !s.done) {
        if m.sealed_start(seat as u8)? {
            return Ok(true);
        }
    }
    let Match { sealed, host, .. } = m;
    let words = host.words_mut();
    for seat in &sealed.seats {
        for &(at, value) in &seat.changes {
            words[at as usize] = value;
        }
    }
    Ok(false)
}

impl Match {
    /// Runs a seat's hook from the beginning through the answers it gave. True: it asks.
    fn sealed_run(&mut self, seat: u8) -> Result<bool, MatchError> {
        self.host.words_mut().copy_from_slice(&self.sealed.start);
        self.sealed_start(seat)
    }

    /// The same when the state is as the phase began.
    fn sealed_start(&mut self, seat: u8) -> Result<bool, MatchError> {
        if self.has_asks() {
            return Ok(self.begin_asks(seat));
        }
        // There are none yet, unless the seat was in focus before.
        let answers = self.sealed.seats[usize::from(seat)].answers.clone();
        let asks = match self.host.function(Hook::Phase(self.phase_index(), PhaseHook::Turn)) {
            None => self.begin_offer(seat, &answers)?,
            Some(function) => {
                self.sealed.running = Running::Turn;
                let mut ended = self.sealed_call(|host| host.start(function, &[i32::from(seat) + 1]));
                for &answer in &answers {
                    if matches!(ended, Ok(Ended::Asked)) {
                        ended = self.sealed_call(|host| host.resume(usize::from(answer)));
                    }
                }
                self.sealed_ended(seat, ended)?
            }
        };
        if asks && !answers.is_empty() {
            self.sealed_note(seat);
        }
        Ok(asks)
    }

    /// Runs a hook that must not draw random numbers.
    pub(super) fn sealed_call<T>(&mut self, call: impl FnOnce(&mut Host) -> T) -> T {
        self.host.context_mut().forbid_random = true;
        let out = call(&mut self.host);
        self.host.context_mut().forbid_random = false;
        out
    }

    pub(super) fn sealed_ended(&mut self, seat: u8, ended: Result<Ended, Trap>) -> Result<bool, MatchError> {
        match ended {
            Ok(Ended::Asked) => {
                let Asked { seat: asked, prompt, .. } = self.asked()?;
                if asked != seat {
                    return Err(self.sealed_fault(seat, "a sealed hook asks its own player only".into()));
                }
                if self.sealed.seats[usize::from(seat)].answers.len() >= self.host.limits.choices {
                    return Err(MatchError::Limit(format!(
                        "a hook asked more than {} times",
                        self.host.limits.choices
                    )));
                }
                self.pending = Pending::Sealed { seat, prompt };
                Ok(true)
            }
            Ok(Ended::Done(_)) => {
                self.sealed_collect(seat)?;
                Ok(false)
            }
            Err(trap) => Err(self.sealed_explain(seat, &trap)),
        }
    }

    fn sealed_fault(&mut self, seat: u8, message: String) -> MatchError {
        self.sealed_explain(seat, &Trap::Raised(message))
    }

    pub(super) fn sealed_explain(&mut self, seat: u8, trap: &Trap) -> MatchError {
        let (phase, player) = (self.phase_index(), i32::from(seat) + 1);
        let Self { sealed, host, .. } = self;
        let (hook, choice, taken) = match sealed.running {
            Running::Turn => (PhaseHook::Turn, None, 0),
            Running::Offer => (PhaseHook::Offer, None, 0),
            Running::Act { choice, taken } => (PhaseHook::Act, Some(choice), taken),
        };
        let args = [player, choice.unwrap_or(0)];
        let args = if choice.is_some() { &args[..] } else { &args[..1] };
        let answers = sealed.seats[usize::from(seat)].answers.get(taken..).unwrap_or_default();
        host.context_mut().forbid_random = true;
        let fault = host.explain(trap, Hook::Phase(phase, hook), args, &sealed.start, answers);
        host.context_mut().forbid_random = false;
        fault.into()
    }

    /// Notes what the hook of a seat has changed so far; it is the hook that ran last.
    pub(super) fn sealed_note(&mut self, seat: u8) {
        if self.has_asks() {
            return; // noted as it is answered
        }
        let Self { sealed, host, .. } = self;
        let progress = &mut sealed.seats[usize::from(seat)];
        progress.changes.clear();
        // Long chunks are compared at once: hardly any word changes.
        let chunks = host.words().chunks(CHUNK).zip(sealed.start.chunks(CHUNK)).zip((0..).step_by(CHUNK));
        for ((now, was), first) in chunks.filter(|((now, was), _)| now != was) {
            let changed = now.iter().zip(was).zip(first..).filter(|((n, w), _)| n != w);
            progress.changes.extend(changed.map(|((n, _), at)| (at, *n)));
        }
    }

    /// Keeps what a seat's finished hook changed, after checking that it may.
    pub(super) fn sealed_collect(&mut self, seat: u8) -> Result<(), MatchError> {
        self.sealed_note(seat);
        let Self { sealed, host, .. } = self;
        let progress = &mut sealed.seats[usize::from(seat)];
        progress.done = true;
        let words = host.words_mut();
        for &(at, _) in &progress.changes {
            words[at as usize] = sealed.start[at as usize];
        }
        if self.sealed.owners.is_empty() {
            self.sealed.owners = owners(self.declarations(), self.game().layout());
        }
        let layout = self.game().layout();
        let sealed = &self.sealed;
        let foreign = sealed.seats[usize::from(seat)].changes.iter().find(|&&(at, _)| {
            let at = at as usize;
            let tokens = layout.tokens.len();
            let holder = if (layout.token_pile..layout.token_pile + tokens).contains(&at) {
                Some((sealed.start[at] - 1, at - layout.token_pile))
            } else if (layout.token_seen..layout.token_seen + tokens).contains(&at) {
                let token = at - layout.token_seen;
                Some((sealed.start[layout.token_pile + token] - 1, token))
            } else {
                None
            };
            let owner = match holder {
                Some((pile, token)) => {
                    usize::try_from(pile).map_or(layout.tokens[token].owner, |pile| layout.piles[pile].holder)
                }
                None => i32::from(sealed.owners[at]),
            };
            owner != i32::from(seat) + 1
        });
        match foreign {
            None => Ok(()),
            Some(&(at, _)) => {
                self.sealed.seats[usize::from(seat)].done = false;
                let what = name_of(self.declarations(), self.game().layout(), at as usize);
                Err(self.sealed_fault(
                    seat,
                    format!("a sealed hook may change only what belongs to its player, not {what}"),
                ))
            }
        }
    }

    /// Answers for the seat in focus.
    pub(super) fn sealed_answer(&mut self, seat: u8, index: usize) -> Result<(), Stop> {
        self.sealed.seats[usize::from(seat)].answers.push(index as u16);
        let asks = if self.has_asks() {
            self.answer_ask(seat, index)
        } else if matches!(self.sealed.running, Running::Offer) {
            self.answer_offer(seat, index)?
        } else {
            let ended = self.sealed_call(|host| host.resume(index));
            self.sealed_ended(seat, ended)?
        };
        if asks || run(self)? {
            return Ok(());
        }
        self.leave_turns();
        self.advance()
    }

    /// Makes an open seat the one in focus.
    pub(super) fn sealed_focus(&mut self, seat: u8) -> Result<(), MatchError> {
        let logging = self.logging();
        self.host.set_logging(false);
        let asked = self.sealed_run(seat);
        self.host.set_logging(logging);
        if asked? { Ok(()) } else { Err(MatchError::NotPending { seat }) }
    }

    /// Takes a sealed phase up again: position, answers and the seats that are done (bits) are given, all else follows.
    pub(super) fn sealed_reopen(&mut self, start: &[i32], answers: &[Vec<u16>], done: u32) -> Result<(), MatchError> {
        let seats = self.setup().players;
        let out = start[word::OUT];
        let log_from = self.sealed.log_from;
        self.sealed.open(start, seats, out, log_from);
        let logging = self.logging();
        self.host.set_logging(false);
        let mut outcome = Ok(());
        for (seat, given) in answers.iter().enumerate().take(usize::from(seats)) {
            self.sealed.seats[seat].answers.extend_from_slice(given);
            let ran = !given.is_empty() || done >> seat & 1 != 0;
            if out >> seat & 1 == 0 && (ran || self.runs_ahead()) {
                outcome = outcome.and(self.sealed_run(seat as u8).map(|_| ()));
                if !ran {
                    self.sealed_await(seat as u8);
                }
            }
        }
        self.host.set_logging(logging);
        outcome
    }

    /// Runs the hooks of all seats but the one that is asked first up to their first question, so that what a seat sees of its own turn
    /// does not depend on when others answer. What a hook says is said when its seat's time comes.
    pub(super) fn foresee(&mut self) -> Result<(), MatchError> {
        if !self.runs_ahead() {
            return Ok(());
        }
        let logging = self.logging();
        self.host.set_logging(false);
        let mut outcome = Ok(());
        let open: Vec<usize> = (0..self.sealed.seats.len()).filter(|&seat| !self.sealed.seats[seat].done).collect();
        for &seat in open.iter().skip(1) {
            outcome = outcome.and(self.sealed_start(seat as u8).map(|_| ()));
            self.sealed_await(seat as u8);
        }
        self.host.set_logging(logging);
        outcome
    }

    /// Notes what the hook that just ran has changed, and takes it back until the seat's time comes.
    fn sealed_await(&mut self, seat: u8) {
        if !self.sealed.seats[usize::from(seat)].done {
            self.sealed_note(seat);
        }
        self.sealed.seats[usize::from(seat)].done = false;
        self.host.words_mut().copy_from_slice(&self.sealed.start);
    }

    /// Whether a seat of this phase may do something before it is asked.
    fn runs_ahead(&self) -> bool {
        let phase = &self.declarations().phases[self.phase_index()];
        let auto = |prompt: usize| self.declarations().prompts[prompt].auto;
        let turn = self.host.function(Hook::Phase(self.phase_index(), PhaseHook::Turn)).is_some();
        if phase.asks.is_empty() { turn || phase.prompt.is_some_and(auto) } else { auto(phase.asks[0].prompt) }
    }

    /// Seats that are done, as bits.
    pub(super) fn sealed_done(&self) -> u32 {
        self.sealed.seats.iter().enumerate().map(|(seat, progress)| u32::from(progress.done) << seat).sum()
    }

    /// The same with a seat in focus; if it has nothing to decide, whoever has; if nobody has, the match goes on.
    pub(super) fn sealed_take_up(&mut self, start: &[i32], answers: &[Vec<u16>], seat: u8) -> Result<(), Stop> {
        self.sealed_reopen(start, answers, 0)?;
        if self.sealed.is_open(seat) && self.sealed_run(seat)? {
            return Ok(());
        }
        self.host.words_mut().copy_from_slice(start);
        if run(self)? {
            return Ok(());
        }
        self.leave_turns();
        self.advance()
    }

    /// All decisions that may be answered now: one, or in a sealed phase one of each seat that is not done.
    pub fn pending(&mut self) -> Vec<Decision> {
        let Some(now) = self.decision() else { return Vec::new() };
        if !matches!(self.pending, Pending::Sealed { .. }) {
            return vec![now];
        }
        let mut out = Vec::new();
        for seat in 0..self.setup().players {
            if self.sealed.is_open(seat) && self.focus(seat).is_ok() {
                out.extend(self.decision());
            }
        }
        // The focus goes back to where it was; that seat asked before and asks again.
        let _ = self.focus(now.seat);
        out
    }
}

fn owners(d: &Declarations, layout: &Layout) -> Vec<u8> {
    let mut out = vec![0; layout.words];
    for (counter, slot) in d.counters.values().zip(&layout.counters) {
        match counter.per {
            Holder::Player => (0..slot.len).for_each(|i| out[slot.offset + i] = i as u8 + 1),
            Holder::Token(_) => {
                for i in 0..slot.len {
                    let token = slot.first as usize - 1 + i;
                    out[slot.offset + i] = layout.tokens[token].owner as u8;
                }
            }
            Holder::Cell(grid) if d.grids[grid].per == Holder::Player => {
                let places = layout.grids[grid].places().max(1);
                (0..slot.len).for_each(|i| out[slot.offset + i] = (i / places) as u8 + 1);
            }
            Holder::Game | Holder::Cell(_) => {}
        }
    }
    for pile in &layout.piles {
        out[pile.offset..=pile.offset + pile.capacity].fill(pile.holder as u8);
    }
    out
}

fn name_of(d: &Declarations, layout: &Layout, at: usize) -> String {
    for ((name, counter), slot) in d.counters.iter().zip(&layout.counters) {
        if (slot.offset..slot.offset + slot.len).contains(&at) {
            let holder = slot.first + (at - slot.offset) as i32;
            return format!("counter `{name}` of {}", crate::text::holder_name(d, layout, counter.per, holder));
        }
    }
    for pile in &layout.piles {
        if (pile.offset..=pile.offset + pile.capacity).contains(&at) {
            return format!("zone `{}`", d.zones.keys()[pile.zone]);
        }
    }
    let tokens = layout.tokens.len();
    for first in [layout.token_pile, layout.token_seen] {
        if (first..first + tokens).contains(&at) {
            return format!("token {}", crate::text::token_name(d, layout, (at - first) as i32 + 1));
        }
    }
    "the flow of the game".into()
}
