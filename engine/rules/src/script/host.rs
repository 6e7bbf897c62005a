//! The script host of one match: runs hooks within their budgets and reports where and why one failed.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use crate::coverage::Coverage;
use crate::script::budget;
use crate::script::context::{Asked, Context};
use crate::script::contribution::Contributions;
use crate::script::guard::Guard;
use crate::script::hook::Hook;
use crate::script::parts::Parts;
use crate::script::program::Program;
use crate::script::raw::{Ended, FunctionRef, Ret, Trap};
use crate::script::sandbox::{self, Mode};
use crate::state::layout::word;
use crate::state::{Layout, Position, PositionMut};
use motherlode_content::declare::{Offer, OptionValue};
use motherlode_content::diagnostic::Diagnostic;

/// How many times the budget of a hook all parts of one that asks may take together.
const LONGER: i64 = 8;

/// What a call counts, in steps, when it is decided whether native code is worth it.
const CALL: i64 = 50;
/// How many steps scripts are interpreted before they become native code. Making it takes about as long as they have run then.
const WARM: i64 = 2_000_000;

/// Budgets of a match's scripts, as counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Safepoints (loop iterations, calls) between two decisions.
    pub steps: i64,
    /// Questions that one hook may ask.
    pub choices: usize,
    /// Rounds in a match.
    pub rounds: i32,
    /// Hooks that may run in a row without a decision.
    pub hooks: u32,
    /// Steps of all hooks of a match together, or of a playout that begins in one.
    pub match_steps: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 3_000_000, choices: 1000, rounds: 1000, hooks: 20_000, match_steps: 200_000_000 }
    }
}

/// One VM with the scripts of a game.
#[derive(Debug)]
pub struct Host {
    pub(super) program: Program,
    pub(super) parts: Arc<Parts>,
    pub(super) options: IndexMap<String, OptionValue>,
    /// Budgets of every hook.
    pub limits: Limits,
    /// Which hooks are known to ask, by index.
    pub(super) asking: Vec<bool>,
    pub(super) mode: Mode,
    /// The careful host that finds the lines of faults; created at the first fault.
    pub(super) careful: Option<Box<Self>>,
    pub(super) broken: bool,
    /// What ran last spent too many steps, in native code.
    pub(super) overcharged: bool,
    /// Whether it has more memory than others, to decide whether a step runs out of it.
    pub(super) roomy: bool,
    /// Steps that are left until the scripts become native code, if they do.
    pub(super) cold: Option<i64>,
    /// Steps that all calls have spent.
    pub(super) spent: i64,
    /// The same by function, and the function that runs or ran last.
    pub(super) spent_on: Vec<i64>,
    pub(super) running: Option<FunctionRef>,
    /// Those of the hook that was started last, before it asked.
    pub(super) spent_asking: i64,
    /// A buffer for what seats that are asked together may choose, or have chosen.
    pub(super) chosen: Vec<i32>,
    /// A buffer for answers that are given again.
    pub(super) given: Vec<u16>,
    /// Where its counts are added.
    pub(super) counts: Option<Arc<Mutex<Coverage>>>,
}

impl Host {
    /// A new VM with everything loaded.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn new(parts: &Arc<Parts>, mode: Mode) -> Result<Self, Vec<Diagnostic>> {
        let mut program = Program::load(parts, mode)?;
        if mode == Mode::Native {
            program.compile();
        }
        let asking = vec![false; program.hooks.len()];
        Ok(Self {
            program,
            parts: parts.clone(),
            options: IndexMap::new(),
            limits: Limits::default(),
            asking,
            mode,
            careful: None,
            broken: false,
            overcharged: false,
            roomy: false,
            cold: (mode == Mode::Warming).then_some(WARM),
            spent: 0,
            spent_on: Vec::new(),
            running: None,
            spent_asking: 0,
            chosen: Vec::new(),
            given: Vec::new(),
            counts: None,
        })
    }

    /// Loads everything once to find faults; keeps only which layers contributed to each function.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn dry_run(parts: &Parts) -> Result<Contributions, Vec<Diagnostic>> {
        let mut faults = match Program::load(parts, Mode::Plain) {
            Ok(program) => return Ok(program.contributions),
            Err(faults) => faults,
        };
        // Inlined code fails on line 1, where the accessors are; without inlining, the line is the script's own.
        if faults.iter().any(|fault| fault.line == 1)
            && let Err(placed) = Program::load(parts, Mode::Careful)
        {
            for fault in faults.iter_mut().filter(|fault| fault.line == 1) {
                let same = |other: &&Diagnostic| (&other.file, &other.message) == (&fault.file, &fault.message);
                if let Some(other) = placed.iter().find(same) {
                    *fault = other.clone();
                }
            }
        }
        Err(faults)
    }

    /// A host in [`Mode::Counting`]; [`count`](Self::count) adds what has run to `into`.
    ///
    /// # Errors
    /// As [`Host::new`].
    pub(crate) fn counting(parts: &Arc<Parts>, into: &Arc<Mutex<Coverage>>) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { counts: Some(into.clone()), ..Self::new(parts, Mode::Counting)? })
    }

    /// Adds what has run so far to the coverage, if this host counts.
    pub(crate) fn count(&self) {
        if let (Some(counts), Some(counting)) = (&self.counts, &self.program.counting)
            && let Ok(mut counts) = counts.lock()
        {
            counting.add_to(&mut counts);
        }
    }

    /// Sets the options of the next match.
    pub fn set_options(&mut self, options: &IndexMap<String, OptionValue>) {
        self.options.clone_from(options);
        for (name, value) in options {
            // Setting a value in a plain table fails only when memory runs out, which the next call reports.
            let _ = match value {
                OptionValue::Bool(b) => self.program.options.set(name.as_str(), *b),
                OptionValue::Integer(n) => self.program.options.set(name.as_str(), *n),
                OptionValue::Name(s) => self.program.options.set(name.as_str(), s.as_str()),
            };
        }
    }

    /// The state block.
    #[must_use]
    pub fn words(&self) -> &[i32] {
        self.program.vm.words()
    }

    /// The state block with its layout.
    #[must_use]
    pub fn position(&self) -> Position<'_> {
        self.program.vm.position()
    }

    /// The state block with its layout, for writing.
    pub fn position_mut(&mut self) -> PositionMut<'_> {
        let (layout, words, ..) = self.program.vm.buffers_mut();
        PositionMut { layout, words }
    }

    /// The state block, for writing.
    pub fn words_mut(&mut self) -> &mut [i32] {
        self.program.vm.words_mut()
    }

    /// Forgets what hooks have written so far.
    pub fn forget_written(&mut self) {
        self.program.vm.forget_written();
    }

    /// Marks these words as written, too.
    pub fn mark_written(&mut self, words: impl Iterator<Item = usize>) {
        self.program.vm.mark_written(words);
    }

    /// Whether hooks have written a counter since [`forget_written`](Self::forget_written).
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.program.vm.has_written()
    }

    /// Visits the words among which are all that sealed hooks have changed since [`forget_written`](Self::forget_written).
    pub fn each_written(&self, visit: impl FnMut(Range<usize>)) {
        self.program.vm.each_written(visit);
    }

    /// The choices listed so far.
    #[must_use]
    pub fn choices(&self) -> &[i32] {
        self.program.vm.choices()
    }

    /// Restores a list of choices.
    pub fn set_choices(&mut self, list: &[i32]) {
        self.program.vm.set_choices(list);
    }

    /// The layout, the state block, the choice buffer (the number of choices, then the choices), and what kernels leave behind.
    pub fn buffers_mut(&mut self) -> (&Layout, &mut [i32], &mut [i32], &mut Context) {
        self.program.vm.buffers_mut()
    }

    /// Lists the choices that a phase declares for a player (from 1).
    pub fn list_declared(&mut self, offer: Offer, player: i32) {
        self.program.vm.list_declared(offer, player);
    }

    /// Leaves out equal copies of the tokens listed for a prompt if it says so, and looks at what was listed.
    ///
    /// # Errors
    /// What is wrong with the first choice that cannot be chosen.
    pub fn settle_choices(&mut self, seat: u8, prompt: usize) -> Result<(), String> {
        self.program.vm.settle_choices(seat, prompt)
    }

    /// Answers the question that was listed by its single choice, if there is one and its prompt allows that.
    pub fn take_single(&mut self, asked: Asked) -> Option<i32> {
        let (_, words, choices, context) = self.program.vm.buffers_mut();
        let listed = choices.get(1..=choices[0].max(0) as usize)?;
        context.take_single(asked, (words[word::ROUND], words[word::PHASE]), listed)
    }

    /// Empties the list of choices.
    pub fn clear_choices(&mut self) {
        self.program.vm.clear_choices();
    }

    /// Turns the transcript on or off.
    pub fn set_logging(&mut self, on: bool) {
        self.program.vm.set_logging(on);
    }

    /// Whether what is said is written down now.
    #[must_use]
    pub fn logging(&self) -> bool {
        self.program.vm.logging()
    }

    /// What kernels left behind.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.program.vm.context()
    }

    /// What kernels left behind, for writing.
    pub fn context_mut(&mut self) -> &mut Context {
        self.program.vm.context_mut()
    }

    /// The function of a hook, if the game has it.
    #[must_use]
    pub fn function(&self, hook: Hook) -> Option<FunctionRef> {
        self.program.hooks.get(hook.index()).copied().flatten()
    }

    /// Whether this hook is known to ask, so that it must run as a coroutine.
    #[must_use]
    pub fn asks(&self, hook: Hook) -> bool {
        self.asking[hook.index()]
    }

    /// Remembers that this hook asks.
    pub fn remember_asks(&mut self, hook: Hook) {
        self.asking[hook.index()] = true;
    }

    /// Calls a hook as a plain function, which cannot ask. Negative arguments are labels.
    ///
    /// # Errors
    /// [`Trap::Asks`] if it asks; otherwise why it failed.
    pub fn call(&mut self, function: FunctionRef, args: &[i32]) -> Result<Ret, Trap> {
        let steps = self.limits.steps;
        self.running = Some(function);
        let out = self.program.vm.call(function, args, steps);
        self.mark_broken(out)
    }

    /// Calls a hook that must not ask at all.
    ///
    /// # Errors
    /// As [`Host::call`].
    pub fn call_silent(&mut self, function: FunctionRef, args: &[i32]) -> Result<Ret, Trap> {
        self.context_mut().silent = true;
        let out = self.call(function, args);
        self.context_mut().silent = false;
        out
    }

    /// Starts a hook as a coroutine.
    ///
    /// # Errors
    /// Why it failed.
    pub fn start(&mut self, function: FunctionRef, args: &[i32]) -> Result<Ended, Trap> {
        let (steps, before) = (self.limits.steps, self.spent);
        self.running = Some(function);
        let out = self.program.vm.start(function, args, steps);
        let out = self.mark_broken(out);
        self.spent_asking = self.spent.saturating_sub(before);
        self.present(out)
    }

    /// Steps that the hook which runs as a coroutine has spent before it asked.
    #[must_use]
    pub fn spent_asking(&self) -> i64 {
        self.spent_asking
    }

    /// Turns to a sealed hook again that waits in the coroutine of its seat: what it asks, its choices, and what it had spent.
    pub fn take_up(&mut self, asked: Asked, choices: &[i32], spent: i64) {
        self.set_choices(choices);
        self.context_mut().asked = Some(asked);
        self.spent_asking = spent;
        // As if it had run again, which it does where somebody reads the transcript.
        self.spent = self.spent.saturating_add(spent);
    }

    /// Answers the question of the hook started last: with the index of a choice, from 0, for each seat that is asked.
    ///
    /// # Errors
    /// Why it failed.
    pub fn resume(&mut self, given: &[u16]) -> Result<Ended, Trap> {
        // A hook that asks and asks has an end, too: it is run again from its beginning whenever a match is restored.
        let (before, most) = (self.spent, self.limits.steps.saturating_mul(LONGER));
        let steps = self.limits.steps.min(most.saturating_sub(self.spent_asking));
        let Self { program, chosen, .. } = self;
        let context = program.vm.context();
        let out = if context.asks_together {
            let place = |seat| context.together.asked().position(|asked| asked == seat);
            let index = |seat| place(seat).and_then(|at| given.get(at)).map_or(0, |&index| usize::from(index));
            context.together.list_chosen(index, chosen);
            program.vm.resume_together(chosen, steps)
        } else {
            program.vm.resume(given.first().map_or(0, |&index| usize::from(index)), steps)
        };
        let out = self.mark_broken(out);
        self.spent_asking = self.spent_asking.saturating_add(self.spent.saturating_sub(before));
        self.present(out)
    }

    /// Takes the answers to the question just asked from a list of answers, one for each seat that is asked; false: the list ends.
    pub fn take_answers(&self, rest: &mut &[u16], given: &mut Vec<u16>) -> bool {
        let context = self.context();
        let count = if context.asks_together { context.together.asked().count() } else { 1 };
        let Some((next, others)) = rest.split_at_checked(count) else { return false };
        given.extend_from_slice(next);
        *rest = others;
        true
    }

    /// Presents the question of a hook that has just asked. If it asks several seats, the choices of the first are listed.
    fn present(&mut self, ended: Result<Ended, Trap>) -> Result<Ended, Trap> {
        if ended == Ok(Ended::Asked) && self.context().asks_together {
            let Self { program, chosen, .. } = self;
            let together = &program.vm.context().together;
            chosen.clear();
            chosen.extend(together.asked().next().into_iter().flat_map(|seat| together.choices_of(seat)));
            program.vm.set_choices(chosen);
        }
        ended
    }

    /// Steps that all calls have spent so far.
    #[must_use]
    pub fn spent(&self) -> i64 {
        self.spent
    }

    /// Forgets which hooks have spent how much.
    pub fn forget_spent_on(&mut self) {
        self.spent_on.clear();
    }

    /// The hook that has spent most, with its steps: `act.turn`.
    #[must_use]
    pub fn dearest(&self) -> Option<(String, i64)> {
        let spent = |hook: Hook| self.function(hook).and_then(|function| self.spent_on.get(function.number()).copied());
        let all = Hook::all(self.parts.declarations.phases.len());
        let (hook, steps) = all.filter_map(|hook| Some((hook, spent(hook)?))).max_by_key(|(_, steps)| *steps)?;
        Some((self.name(hook, &[]).0, steps))
    }

    fn mark_broken<T>(&mut self, out: Result<T, Trap>) -> Result<T, Trap> {
        self.broken |= matches!(out, Err(Trap::Memory));
        self.overcharged = self.is_native() && matches!(out, Err(Trap::Steps));
        let spent = self.limits.steps.saturating_sub(budget::left()).clamp(0, self.limits.steps);
        self.spent = self.spent.saturating_add(spent);
        if let Some(running) = self.running {
            let at = running.number();
            if self.spent_on.len() <= at {
                self.spent_on.resize(at + 1, 0);
            }
            self.spent_on[at] = self.spent_on[at].saturating_add(spent);
        }
        if let Some(cold) = &mut self.cold {
            *cold -= CALL + spent;
            if *cold <= 0 && !self.roomy {
                self.cold = None;
                self.program.compile();
            }
        }
        out
    }

    fn is_native(&self) -> bool {
        self.cold.is_none() && matches!(self.mode, Mode::Warming | Mode::Native)
    }

    /// Whether the VM has run out of memory; it cannot be used again.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether what the last call failed of says nothing of the script alone, so that a [fresh host](Self::renew) has to decide: when memory
    /// runs out depends on what the VM did before, and native code spends a few steps more than interpreted code. (It
    /// counts a round of a `for` over numbers when it begins, not when it ends, and not every round does.)
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.broken || self.overcharged
    }

    /// Takes the room back that a fresh host had to decide about a step.
    pub fn take_room(&mut self) {
        if std::mem::take(&mut self.roomy) {
            self.program.vm.set_memory(sandbox::MEMORY);
        }
    }

    /// A fresh host of the same game, with the same options, which is interpreted and has more memory until its
    /// [room is taken](Self::take_room).
    ///
    /// # Errors
    /// As [`Host::new`]; the scripts have loaded before, so this fails only when memory runs out.
    pub fn renew(&self) -> Result<Self, Vec<Diagnostic>> {
        let (mode, cold) = match self.mode {
            Mode::Native => (Mode::Plain, Some(0)),
            Mode::Warming => (Mode::Warming, Some(WARM)),
            mode => (mode, None),
        };
        let host = Self::new(&self.parts, mode)?;
        let (spent, spent_on) = (self.spent, self.spent_on.clone());
        let mut host = Self { counts: self.counts.clone(), mode: self.mode, cold, spent, spent_on, ..host };
        host.roomy = true;
        host.program.vm.set_memory(sandbox::ROOMY);
        host.set_options(&self.options);
        host.limits = self.limits;
        Ok(host)
    }

    /// Lets hooks change only what a guard allows while `run` runs them.
    pub fn guarded<T>(&mut self, guard: Guard, run: impl FnOnce(&mut Self) -> T) -> T {
        let vm = &mut self.program.vm;
        let logging = vm.logging();
        // A line that must not be written is refused whether or not anybody reads it.
        vm.set_logging(logging || matches!(guard, Guard::Looks(_)));
        vm.context_mut().guard = guard;
        let out = run(self);
        self.program.vm.context_mut().guard = Guard::Open;
        self.program.vm.set_logging(logging);
        out
    }
}

impl AsMut<Self> for Host {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

/// Runs a hook as a coroutine from its beginning. At each question `answer` says what each seat that is asked answers; false: the hook
/// waits there.
///
/// # Errors
/// Why it failed.
pub fn replay<M: AsMut<Host>>(
    machine: &mut M,
    function: FunctionRef,
    args: &[i32],
    mut answer: impl FnMut(&mut M, &mut Vec<u16>) -> bool,
) -> Result<Ended, Trap> {
    let mut given = std::mem::take(&mut machine.as_mut().given);
    let mut ended = machine.as_mut().start(function, args);
    while ended == Ok(Ended::Asked) {
        given.clear();
        if !answer(machine, &mut given) {
            break;
        }
        ended = machine.as_mut().resume(&given);
    }
    machine.as_mut().given = given;
    ended
}

#[cfg(test)]
mod tests;
