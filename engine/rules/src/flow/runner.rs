//! Runs hooks: the machine of one match, with its game and setup.

use xxhash_rust::xxh3::Xxh3;

use crate::flow::MatchError;
use crate::flow::call::{Args, Call};
use crate::flow::open::{OpenCall, OpenCalls, Spare};
use crate::flow::plan::{PhasePlan, Plans};
use crate::flow::scores::StepScores;
use crate::flow::shared_block::SharedBlock;
use crate::game::Game;
use crate::script::Driver;
use crate::script::machine::chance::Chance;
use crate::script::machine::fixed;
use crate::script::machine::guard::{self, Guard};
use crate::script::machine::{CallEnd, Hook, Machine, Question, Returned, Trap, guarded, replay};
use crate::setup::Setup;
use crate::state::layout::word;
use crate::state::redeal::HiddenParts;
use motherlode_content::declare::{Declarations, Holder};

/// Runs the hooks of a match.
#[derive(Debug)]
pub(super) struct Runner {
    pub game: Game,
    pub setup: Setup,
    pub machine: Driver,
    /// Hooks known to ask, by [index](Hook::index).
    asks: Vec<bool>,
    pub spare: Spare,
    pub hidden: HiddenParts,
    /// Hash of the game, the number of players and the options: snapshots fit any match with the same hash.
    pub identity: u64,
    /// The last round; `None`: unlimited.
    pub last_round: Option<i32>,
    /// Index of the last phase.
    last_phase: i32,
    pub plans: Plans,
    /// Player who owns each word; 0: nobody. Computed by the first simultaneous phase.
    pub owners: Vec<u8>,
    /// Number of machine replacements. Hooks suspended in an earlier machine are lost.
    pub renewals: u32,
    /// Steps of all calls before this attempt at the step.
    spent_before: i64,
    /// Number of hooks run in this step.
    invoked: u64,
    /// Index and error of the hook that failed in this step. The step runs again up to that hook to explain the
    /// failure.
    failed: Option<(u64, Trap)>,
    /// Whether some zone is a display that is refilled after every hook.
    pub refills: bool,
    /// Whether attributes have current values.
    pub(super) has_current: bool,
    logging: bool,
    /// Scores of the step; recorded while the transcript is on.
    pub scores: StepScores,
    /// Steps of the match so far.
    pub steps: i64,
}

/// The end of a hook, or its first question.
pub(super) enum HookRun {
    Done(Returned),
    /// The hook asked and is suspended.
    Asks(Box<OpenCalls>),
}

/// Why a step stopped early.
#[derive(Debug)]
pub(super) enum Stop {
    /// A plainly called hook asked. The hook is now known to ask, and the step is retried.
    Again,
    Fault(MatchError),
}

impl From<MatchError> for Stop {
    fn from(error: MatchError) -> Self {
        if error == MatchError::Repeat { Self::Again } else { Self::Fault(error) }
    }
}

impl AsMut<Driver> for Runner {
    fn as_mut(&mut self) -> &mut Driver {
        &mut self.machine
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.machine.count();
    }
}

impl Runner {
    pub fn new(game: &Game, setup: &Setup) -> Result<Self, MatchError> {
        setup.check(game.declarations()).map_err(|e| MatchError::Setup(e.0))?;
        let machine = game.machine().map_err(MatchError::Host)?;
        Ok(Self::with(game, setup, machine))
    }

    /// A runner for this machine.
    pub fn with(game: &Game, setup: &Setup, mut machine: Driver) -> Self {
        machine.set_options(&setup.options);
        Self {
            game: game.clone(),
            setup: setup.clone(),
            plans: Plans::new(game, &machine),
            machine,
            asks: vec![false; Hook::all(game.declarations().phases.len()).count()],
            spare: Spare::default(),
            hidden: HiddenParts::default(),
            identity: identity(game, setup),
            last_round: last_round(game, setup),
            last_phase: game.declarations().phases.len() as i32 - 1,
            owners: Vec::new(),
            renewals: 0,
            spent_before: 0,
            invoked: 0,
            failed: None,
            has_current: game.layout().reactions.has_current(),
            refills: game.declarations().zones.values().any(|z| z.refill.is_some()),
            logging: false,
            scores: StepScores::default(),
            steps: 0,
        }
    }

    /// Switches to another setup of the same game.
    pub fn set_up(&mut self, setup: &Setup) -> Result<(), MatchError> {
        // Compared in order, because all setups resolve the same declarations.
        let same_options = setup.options.as_slice() == self.setup.options.as_slice();
        if !same_options || setup.players != self.setup.players {
            self.hidden.forget();
            setup.check(self.declarations()).map_err(|e| MatchError::Setup(e.0))?;
            self.setup.players = setup.players;
            self.setup.options.clone_from(&setup.options);
            self.identity = identity(&self.game, setup);
            self.last_round = last_round(&self.game, setup);
        }
        self.setup.seed = setup.seed;
        if self.machine.is_broken() {
            self.renew_host()
        } else {
            if !same_options {
                self.machine.set_options(&setup.options);
            }
            Ok(())
        }
    }

    pub fn declarations(&self) -> &Declarations {
        self.game.declarations()
    }

    #[inline]
    pub fn word(&self, index: usize) -> i32 {
        self.machine.words()[index]
    }

    pub fn set_word(&mut self, index: usize, value: i32) {
        self.machine.words_mut()[index] = value;
    }

    #[inline(always)]
    pub fn phase_index(&self) -> usize {
        self.word(word::PHASE).min(self.last_phase).max(0) as usize
    }

    /// The plan of the phase.
    #[inline(always)]
    pub fn plan(&self) -> &PhasePlan {
        self.plans.phase(self.phase_index())
    }

    /// Whether the game has a hook.
    #[inline]
    pub fn has(&self, hook: Hook) -> bool {
        match hook {
            Hook::Phase(phase, hook) => self.plans.phase(phase).has(hook),
            Hook::Setup | Hook::Finish | Hook::Redeal => self.machine.has(hook),
        }
    }

    #[inline]
    pub fn logging(&self) -> bool {
        self.logging
    }

    pub fn set_logging(&mut self, on: bool) {
        self.logging = on;
        self.scores.changes.clear();
        self.machine.set_logging(on);
    }

    /// Runs hooks without the transcript, because their lines are already in it.
    pub fn without_transcript<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let said = self.machine.traces().transcript_len();
        self.machine.set_logging(false);
        let out = run(self);
        self.machine.set_logging(self.logging);
        self.machine.traces_mut().truncate_transcript(said);
        out
    }

    /// Records the changes of scores for the current phase, if the transcript is on.
    pub fn record_scores(&mut self) {
        if self.logging {
            self.scores.record(&self.game, self.machine.words());
        }
    }

    /// Begins or retries a step.
    pub fn begin_step(&mut self) {
        self.invoked = 0;
        self.spent_before = self.machine.traces().spent;
    }

    /// Lets Luau run all hooks until the step succeeds.
    pub fn repeat(&mut self) -> MatchError {
        self.machine.grants_mut().compiled = false;
        MatchError::Repeat
    }

    /// Forgets the steps of an attempt that is repeated: whether one is needed depends on the past of the machine.
    pub fn forget_attempt(&mut self) {
        self.machine.traces_mut().spent = self.spent_before;
    }

    /// Refuses to continue a match that was halted or has used up its steps.
    ///
    /// # Errors
    /// [`MatchError::Halted`] or [`MatchError::Steps`].
    pub fn check_steps(&self) -> Result<(), MatchError> {
        if self.game.is_halted() {
            return Err(MatchError::Halted);
        }
        let most = self.machine.grants().limits.match_steps;
        if self.steps <= most {
            return Ok(());
        }
        let costliest_hook =
            self.costliest_hook().map(|(hook, steps)| format!(" (hook `{hook}` took the most, {steps})"));
        Err(MatchError::Steps(format!(
            "the match took {} steps; at most {most} are allowed{}: does it ever end?",
            self.steps,
            costliest_hook.unwrap_or_default()
        )))
    }

    /// The hook that has used the most steps, with their number.
    fn costliest_hook(&self) -> Option<(String, i64)> {
        let d = self.declarations();
        let hooks = Hook::all(d.phases.len()).zip(&self.machine.traces().spent_on);
        let (hook, steps) = hooks.max_by_key(|(_, steps)| **steps).filter(|(_, steps)| **steps > 0)?;
        Some((hook.shown(d), *steps))
    }

    /// Forgets the failure of an earlier step.
    pub fn forget_failure(&mut self) {
        self.failed = None;
    }

    /// Replaces the machine if its last failure was inconclusive.
    pub fn replace_undecided(&mut self) -> Result<(), MatchError> {
        if self.machine.is_undecided() { self.renew_host() } else { Ok(()) }
    }

    fn renew_host(&mut self) -> Result<(), MatchError> {
        self.renewals += 1;
        self.machine.count();
        self.machine
            .renew()
            .map_err(|f| MatchError::Host(f.first().map_or_else(String::new, |f| f.message.clone())))?;
        self.machine.set_logging(self.logging);
        Ok(())
    }

    /// Writes the state before the first hook: seed, start values, tokens in their zones.
    pub fn lay_out(&mut self) {
        let Self { game, setup, machine, .. } = self;
        let (d, layout) = (game.declarations(), game.layout());
        let mut fixed = machine.grants_mut().fixed.take();
        let mut position = machine.desk().position();
        position.words.fill(0);
        position.words[word::PLAYERS] = i32::from(setup.players);
        position.seed(setup.seed);
        position.forget(0..layout.backs.len());
        for (counter, slot) in d.counters.values().zip(&layout.counters) {
            let start = counter.starts_at(&setup.options);
            let len = if counter.per == Holder::Player { usize::from(setup.players) } else { slot.len };
            position.words[slot.offset..slot.offset + len].fill(start);
        }
        for (i, token) in layout.tokens.iter().enumerate() {
            if token.owner > i32::from(setup.players) {
                continue;
            }
            if let Some(zone) = d.kinds[token.kind].zone
                && let Some(pile) = layout.pile(zone, token.owner).or_else(|| layout.pile(zone, 0))
            {
                position.put(i as i32 + 1, pile, false);
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
                // A fixed result of another type leaves the random order in place.
                let _ = fixed::shuffle(fixed.as_mut(), &mut position, pile);
            }
        }
        machine.grants_mut().fixed = fixed;
        machine.traces_mut().used_random = !shuffled.is_empty();
        self.refill();
        self.write_options();
        self.refresh();
    }

    /// Calls a hook, with a coroutine only if it is known to ask. `start`: a copy of the present state, if there is one; so
    /// only a hook that asks costs another.
    pub fn invoke(&mut self, hook: Hook, args: Args, start: Option<&SharedBlock>) -> Result<HookRun, Stop> {
        if !self.has(hook) {
            return Ok(HookRun::Done(Returned::Nil));
        }
        self.machine.set_choices(&[]);
        if !self.asks(hook) {
            return self
                .plainly(hook, args, |runner| {
                    if hook.looks().is_some() {
                        runner.look(hook, args.list())
                    } else if hook.may_ask() {
                        runner.machine.call(hook, args.list())
                    } else {
                        runner.call_silent(hook, args.list())
                    }
                })
                .map(HookRun::Done);
        }
        self.invoked += 1;
        self.refresh();
        let mut open = match start {
            Some(_) => self.spare.open_later(),
            None => self.spare.open(self.game.layout(), self.machine.words()),
        };
        open.begin(hook, args);
        let ended = self.machine.start(hook, args.list());
        if let Some(start) = start.filter(|_| !matches!(ended, Ok(CallEnd::Done(_)))) {
            self.spare.blocks.share(start, &mut open.start);
        }
        match self.ended(&mut open, ended)? {
            None => Ok(HookRun::Asks(open)),
            Some(ret) => {
                self.spare.keep(open);
                Ok(HookRun::Done(ret))
            }
        }
    }

    /// The end of the match, in the present state.
    pub fn over(&mut self) -> Box<OpenCalls> {
        self.refresh();
        self.spare.open(self.game.layout(), self.machine.words())
    }

    /// Calls a hook without a coroutine. If it fails, the step runs again up to this hook to explain the failure.
    pub fn plainly<T>(
        &mut self,
        hook: Hook,
        args: Args,
        call: impl FnOnce(&mut Self) -> Result<T, Trap>,
    ) -> Result<T, Stop> {
        self.invoked += 1;
        self.refresh();
        if let Some((_, trap)) = self.failed.take_if(|(number, _)| *number == self.invoked) {
            return Err(self.fault(&trap, hook, args.list()).into());
        }
        call(self).map_err(|trap| self.stopped(&trap, hook, args))
    }

    /// Calls a read-only hook. Kernels refuse to write for it; counter writes bypass kernels and are detected
    /// afterwards. The failed step is then rolled back, with the writes.
    pub fn look(&mut self, hook: Hook, args: &[i32]) -> Result<Returned, Trap> {
        let Some(name) = hook.looks().filter(|_| self.has(hook)) else { return Ok(Returned::Nil) };
        self.machine.forget_written();
        let ended = guarded(self, Guard::Looks(name), |runner| runner.call_silent(hook, args));
        if self.machine.has_written() {
            return ended.and(Err(Trap::Raised(guard::looks(name, "set a counter"))));
        }
        ended
    }

    /// Calls a hook that must not ask.
    pub fn call_silent(&mut self, hook: Hook, args: &[i32]) -> Result<Returned, Trap> {
        self.machine.grants_mut().silent = true;
        let out = self.machine.call(hook, args);
        self.machine.grants_mut().silent = false;
        out
    }

    /// Takes the listed question's single choice, if there is one and the prompt allows it.
    pub fn take_single(&mut self, question: Question) -> Option<i32> {
        self.machine.desk().take_single(self.game.choosable(), question)
    }

    /// Whether this hook is known to ask and therefore needs a coroutine.
    pub fn asks(&self, hook: Hook) -> bool {
        self.asks[hook.index()]
    }

    /// Remembers that this hook asks.
    pub fn remember_asks(&mut self, hook: Hook) {
        self.asks[hook.index()] = true;
    }

    /// Why a plainly called hook did not end.
    fn stopped(&mut self, trap: &Trap, hook: Hook, args: Args) -> Stop {
        if *trap == Trap::Asks && hook.may_ask() {
            self.remember_asks(hook);
            return Stop::Again;
        }
        if *trap == Trap::Unfinished {
            return self.repeat().into();
        }
        // A machine out of memory cannot repeat a hook. A second failure, earlier than the recorded one, means that
        // the script is not deterministic.
        if *trap != Trap::Memory && self.failed.is_none() {
            self.failed = Some((self.invoked, trap.clone()));
            return Stop::Again;
        }
        self.fault(trap, hook, args.list()).into()
    }

    /// Answers the suspended hook for the seat in focus. `None`: it asks again, or other seats have not answered yet.
    /// Otherwise the call is left unchanged, in case the step fails later.
    pub fn resume(&mut self, open: &mut OpenCalls, index: usize) -> Result<Option<Returned>, MatchError> {
        let (seat, index) = (open.asked.seat, index as u16);
        let is_last = open.unanswered().all(|other| other == seat);
        let Some(OpenCall { call, together, .. }) = open.single_mut() else { return Err(MatchError::NoDecision) };
        if !is_last {
            call.reply(seat, index);
            self.focus_next(open);
            return Ok(None);
        }
        let before = call.answers.len();
        if call.replies.is_empty() {
            call.answers.push(index);
        } else {
            let Call { answers, replies, .. } = call;
            let reply = |of: u8| replies.iter().find(|(other, _)| *other == of).map_or(index, |(_, index)| *index);
            answers.extend(together.asked().map(reply));
        }
        let ended = self.machine.resume(&call.answers[before..]);
        let ended = self.ended(open, ended);
        if let Some(OpenCall { call, .. }) = open.single_mut() {
            match ended {
                Ok(None) => call.replies.clear(),
                _ => call.answers.truncate(before),
            }
        }
        ended
    }

    /// Lists the choices of one of the seats that are asked at once.
    pub fn turn_to(&mut self, open: &mut OpenCalls, seat: u8) {
        open.asked.seat = seat;
        self.machine.set_choices(open.single().map_or(&[], |one| one.together.choices_of(seat)));
    }

    /// Moves the focus to the first seat that has not answered.
    pub fn focus_next(&mut self, open: &mut OpenCalls) {
        let next = open.unanswered().next();
        if let Some(seat) = next {
            self.turn_to(open, seat);
        }
    }

    /// Records the question that a hook has just asked. A question to several seats gets this id.
    pub fn take_question(&mut self, open: &mut OpenCalls, asked: Question, number: u64) {
        open.asked = asked;
        let traces = self.machine.traces();
        if !traces.asks_together {
            open.number = 0;
            return;
        }
        (open.number, open.said) = (number, traces.said_before);
        if let Some(one) = open.single_mut() {
            one.together.copy(&traces.together);
            one.forced.clear();
            one.forced.extend_from_slice(traces.forced.get(traces.said_before.forced..).unwrap_or_default());
        }
        // After a restore, some seats may have answered already.
        self.focus_next(open);
    }

    fn ended(&mut self, open: &mut OpenCalls, ended: Result<CallEnd, Trap>) -> Result<Option<Returned>, MatchError> {
        self.refresh();
        let asked = match ended {
            Ok(CallEnd::Done(ret)) => return Ok(Some(ret)),
            Ok(CallEnd::Asks) => self.asked(),
            Err(trap) => return Err(self.explained(open, &trap)),
        };
        let answered = open.single().map_or(0, |one| one.call.answers.len());
        if let Err(trap) = self.check_questions(answered) {
            return Err(self.explained(open, &trap));
        }
        let number = self.spare.next_number();
        self.take_question(open, asked, number);
        Ok(None)
    }

    /// Explains the failure of a hook that ran as a coroutine, by repeating it with the same chance.
    fn explained(&mut self, open: &OpenCalls, trap: &Trap) -> MatchError {
        if *trap == Trap::Unfinished {
            return self.repeat();
        }
        let Some(OpenCall { call, .. }) = open.single() else { return MatchError::NoDecision };
        self.machine.grants_mut().chance = chance_of(call);
        let fault = self.machine.explain(trap, call.hook, call.args.list(), &open.start, &call.answers);
        self.machine.grants_mut().chance = None;
        fault.into()
    }

    /// The question just asked.
    pub fn asked(&self) -> Question {
        self.machine.traces().question.unwrap_or_default()
    }

    /// Refuses a hook that asks too many questions.
    pub fn check_questions(&self, answered: usize) -> Result<(), Trap> {
        let most = self.machine.grants().limits.choices;
        if answered < most {
            return Ok(());
        }
        Err(Trap::Raised(format!("a hook asked more than {most} times")))
    }

    /// Repeats the only call up to its question. The machine holds the state in which the call began.
    pub fn rerun(&mut self, open: &mut OpenCalls) -> Result<(), MatchError> {
        let Some(OpenCall { call, .. }) = open.single() else { return Err(MatchError::NoDecision) };
        let (hook, args) = (call.hook, call.args);
        self.remember_asks(hook);
        let (focus, number) = (open.asked.seat, if open.number == 0 { self.spare.next_number() } else { open.number });
        self.machine.grants_mut().chance = chance_of(call);
        let ended = self.without_transcript(|runner| {
            let mut rest = open.single().map_or(&[][..], |one| one.call.answers.as_slice());
            let ended = replay(runner, hook, args.list(), |runner, given| {
                runner.machine.traces().take_answers(&mut rest, given)
            });
            if ended == Ok(CallEnd::Asks) {
                let asked = runner.asked();
                runner.take_question(open, asked, number);
            }
            ended
        });
        self.machine.grants_mut().chance = None;
        match ended {
            Ok(CallEnd::Asks) => {
                if open.is_open(focus) {
                    self.turn_to(open, focus);
                }
                Ok(())
            }
            Ok(CallEnd::Done(_)) => Err(MatchError::Unstable),
            Err(trap) => Err(self.explained(open, &trap)),
        }
    }

    /// Explains the failure of a hook that was called in the current state.
    pub fn fault(&mut self, trap: &Trap, hook: Hook, args: &[i32]) -> MatchError {
        let state = self.machine.words().to_vec();
        self.machine.explain(trap, hook, args, &state, &[]).into()
    }
}

/// The overridden chance of a redealt call.
fn chance_of(call: &Call) -> Option<Box<Chance>> {
    (!call.given.is_nothing()).then(|| Chance::new(call.given.clone()))
}

fn identity(game: &Game, setup: &Setup) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(game.fingerprint().as_bytes());
    hasher.update(&[setup.players]);
    for (name, value) in &setup.options {
        hasher.update(format!("{name}={value:?};").as_bytes());
    }
    hasher.digest()
}

fn last_round(game: &Game, setup: &Setup) -> Option<i32> {
    game.declarations().rounds.as_ref().map(|amount| amount.resolve(&setup.options))
}
