//! The Luau host of one match: runs hooks within their budgets.

use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use crate::coverage::Coverage;
use crate::script::kernels::context::Context;
use crate::script::luau::compiled::{HostCode, compiled};
use crate::script::luau::contribution::Contributions;
use crate::script::luau::parts::Parts;
use crate::script::luau::program::Program;
use crate::script::luau::raw::FunctionRef;
use crate::script::luau::sandbox::{self, Mode};
use crate::script::machine::{CallEnd, Desk, Grants, Hook, HookCopy, Machine, Returned, ScriptFault, Traces, Trap};
use crate::script::native::program::HookCode;
use crate::state::words::changed_words;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Diagnostic;

/// Total budget of a hook that asks, over all its parts, as a multiple of the budget of a hook.
const LONGER: i64 = 8;

/// The weight of a call, in steps, in the decision to generate native code.
const CALL: i64 = 50;
/// Steps in the interpreter before Luau generates native code. Generation takes about as long as these steps.
const WARM: i64 = 2_000_000;
/// Further steps before the hooks are compiled to machine code, which takes longer. Counts, not clocks, decide: so a bot
/// that counts steps plays the same everywhere.
const HOT: i64 = 8_000_000;

/// A [`Machine`] that runs Luau: one VM with the scripts of a game.
#[derive(Debug)]
pub struct Host {
    pub(super) program: Program,
    pub(super) parts: Arc<Parts>,
    pub(super) options: IndexMap<String, OptionValue>,
    pub(super) mode: Mode,
    /// The careful host that finds the lines of faults; created at the first fault.
    pub(super) careful: Option<Box<Self>>,
    pub(super) broken: bool,
    /// Whether the last call overdrew its budget in native code.
    overcharged: bool,
    /// Whether the VM has extra memory, to decide whether a step really runs out of memory.
    roomy: bool,
    /// Steps left until native code is generated, and then until hooks become machine code; `None`: never.
    cold: Option<i64>,
    /// The hook called or started last.
    running: Hook,
    /// A buffer for the choices of seats that are asked together.
    chosen: Vec<i32>,
    /// The machine code of the hooks.
    code: HostCode,
    /// The coverage that it adds to.
    counts: Option<Arc<Mutex<Coverage>>>,
}

impl Host {
    /// A new VM with everything loaded.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn new(parts: &Arc<Parts>, mode: Mode) -> Result<Self, Vec<Diagnostic>> {
        let mut program = Program::load(parts, mode)?;
        let mut code = HostCode::default();
        if mode == Mode::Native {
            program.compile();
            code.compile(parts, &mut program);
        }
        Ok(Self {
            code,
            program,
            parts: parts.clone(),
            options: IndexMap::new(),
            mode,
            careful: None,
            broken: false,
            overcharged: false,
            roomy: false,
            cold: (mode == Mode::Warming).then_some(WARM),
            running: Hook::Setup,
            chosen: Vec::new(),
            counts: None,
        })
    }

    /// Loads everything once to find faults; keeps only the contributions of layers.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn dry_run(parts: &Parts) -> Result<Contributions, Vec<Diagnostic>> {
        let mut faults = match Program::load(parts, Mode::Plain) {
            Ok(program) => return Ok(program.contributions),
            Err(faults) => faults,
        };
        // Inlined code fails on line 1, where the accessors are. Without inlining, the line is the script's own.
        let unplaced = |fault: &Diagnostic| fault.line == 1 || fault.related.iter().any(|call| call.line == 1);
        if faults.iter().any(unplaced)
            && let Err(placed) = Program::load(parts, Mode::Careful)
        {
            for fault in faults.iter_mut().filter(|fault| unplaced(fault)) {
                let same = |other: &&Diagnostic| (&other.file, &other.message) == (&fault.file, &fault.message);
                if let Some(other) = placed.iter().find(same) {
                    *fault = other.clone();
                }
            }
        }
        Err(faults)
    }

    /// The hooks of a game with the parts that machine code does; `None`: there is none.
    ///
    /// # Errors
    /// As [`Host::new`].
    pub fn machine_code(parts: &Parts) -> Result<Option<Vec<HookCode>>, Vec<Diagnostic>> {
        let program = Program::load(parts, Mode::Native)?;
        Ok(compiled(parts, &program).map(|compiled| compiled.hooks.clone()))
    }

    /// A host in [`Mode::Counting`]; [`count`](Machine::count) adds its coverage to `into`.
    ///
    /// # Errors
    /// As [`Host::new`].
    pub(crate) fn counting(parts: &Arc<Parts>, into: &Arc<Mutex<Coverage>>) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { counts: Some(into.clone()), ..Self::new(parts, Mode::Counting)? })
    }

    /// The function of a hook, if the game has it.
    fn function(&self, hook: Hook) -> Option<FunctionRef> {
        self.program.hooks.get(hook.index()).copied().flatten()
    }

    fn context(&self) -> &Context {
        self.program.vm.context()
    }

    /// Completes a hook's question. If several seats are asked, lists the choices of the first.
    fn present(&mut self, ended: Result<CallEnd, Trap>) -> Result<CallEnd, Trap> {
        if ended == Ok(CallEnd::Asks) && self.traces().asks_together {
            let Self { program, chosen, .. } = self;
            let together = &program.vm.context().traces.together;
            chosen.clear();
            chosen.extend(together.asked().next().into_iter().flat_map(|seat| together.choices_of(seat)));
            program.vm.set_choices(chosen);
        }
        ended
    }

    /// Charges the running hook for a call that ended in this way; returns the steps of the call.
    #[inline]
    fn charge<T>(&mut self, out: &Result<T, Trap>) -> i64 {
        self.broken |= matches!(out, Err(Trap::Memory));
        self.overcharged = self.is_native() && matches!(out, Err(Trap::Steps));
        let most = self.grants().limits.steps;
        let spent = most.saturating_sub(self.context().budget.left()).clamp(0, most);
        let running = self.running;
        self.traces_mut().spend(running, spent);
        if let Some(cold) = &mut self.cold {
            *cold -= CALL + spent;
            if *cold <= 0 && !self.roomy {
                self.warm();
            }
        }
        spent
    }

    /// Generates native code; the second time, machine code of the hooks.
    #[cold]
    fn warm(&mut self) {
        if self.program.is_native() {
            self.cold = None;
            self.code.compile(&self.parts, &mut self.program);
            self.code.set_options(&mut self.program.vm, &self.options);
        } else {
            self.cold = Some(HOT);
            self.program.compile();
        }
    }

    /// Charges a hook that may ask, as [`charge`](Self::charge).
    fn charge_asking(&mut self, out: &Result<CallEnd, Trap>) {
        let spent = self.charge(out);
        let asking = &mut self.traces_mut().spent_asking;
        *asking = asking.saturating_add(spent);
    }

    /// Forgets what the running seat was refused before.
    #[inline]
    fn forget_refusals(&mut self) {
        let Context { grants, traces, .. } = self.program.vm.context_mut();
        if !traces.refusals.is_empty() {
            traces.refusals.retain(|refused| refused.seat != grants.seat);
        }
    }

    fn is_native(&self) -> bool {
        self.program.is_native()
    }
}

impl Machine for Host {
    fn set_options(&mut self, options: &IndexMap<String, OptionValue>) {
        self.options.clone_from(options);
        self.program.vm.context_mut().options.clone_from(options);
        for (name, value) in options {
            // Writing to a plain table fails only when memory runs out, and the next call reports that.
            let _ = match value {
                OptionValue::Bool(b) => self.program.options.set(name.as_str(), *b),
                OptionValue::Integer(n) => self.program.options.set(name.as_str(), *n),
                OptionValue::Name(s) => self.program.options.set(name.as_str(), s.as_str()),
            };
        }
        self.code.set_options(&mut self.program.vm, options);
    }

    #[inline]
    fn words(&self) -> &[i32] {
        self.program.vm.words()
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [i32] {
        self.program.vm.words_mut()
    }

    #[inline]
    fn choices(&self) -> &[i32] {
        self.program.vm.choices()
    }

    #[inline]
    fn set_choices(&mut self, list: &[i32]) {
        self.program.vm.set_choices(list);
    }

    #[inline]
    fn desk(&mut self) -> Desk<'_> {
        let (layout, words, choices, Context { grants, traces, .. }) = self.program.vm.buffers_mut();
        Desk { layout, words, choices, grants, traces }
    }

    #[inline]
    fn grants(&self) -> &Grants {
        &self.context().grants
    }

    #[inline]
    fn grants_mut(&mut self) -> &mut Grants {
        &mut self.program.vm.context_mut().grants
    }

    #[inline]
    fn traces(&self) -> &Traces {
        &self.context().traces
    }

    #[inline]
    fn traces_mut(&mut self) -> &mut Traces {
        &mut self.program.vm.context_mut().traces
    }

    #[inline]
    fn logging(&self) -> bool {
        self.program.vm.logging()
    }

    fn set_logging(&mut self, on: bool) {
        self.program.vm.set_logging(on);
    }

    #[inline]
    fn forget_written(&mut self) {
        self.program.vm.forget_written();
    }

    fn mark_written(&mut self, words: &mut dyn Iterator<Item = usize>) {
        self.program.vm.mark_written(words);
    }

    #[inline]
    fn has_written(&self) -> bool {
        self.program.vm.has_written()
    }

    fn each_changed(&self, before: &[i32], visit: &mut dyn FnMut(u32, i32)) {
        let words = self.words();
        self.program.vm.each_written(|range| changed_words(before, words, range, &mut *visit));
    }

    #[inline]
    fn has(&self, hook: Hook) -> bool {
        self.function(hook).is_some()
    }

    fn call(&mut self, hook: Hook, args: &[i32]) -> Result<Returned, Trap> {
        let Some(function) = self.function(hook) else { return Ok(Returned::Nil) };
        let steps = self.grants().limits.steps;
        self.running = hook;
        self.forget_refusals();
        let out = match self.code.call(&mut self.program.vm, hook, args, steps) {
            Some(Err(Trap::Unfinished)) => return Err(Trap::Unfinished),
            Some(out) => out,
            None => self.program.vm.call(function, args, steps),
        };
        self.charge(&out);
        out
    }

    fn start(&mut self, hook: Hook, args: &[i32]) -> Result<CallEnd, Trap> {
        let Some(function) = self.function(hook) else { return Ok(CallEnd::Done(Returned::Nil)) };
        let steps = self.grants().limits.steps;
        self.running = hook;
        self.forget_refusals();
        let out = match self.code.start(&mut self.program.vm, hook, args, steps) {
            Some(Err(Trap::Unfinished)) => return Err(Trap::Unfinished),
            Some(out) => out,
            None => self.program.vm.start(function, args, steps),
        };
        self.traces_mut().spent_asking = 0;
        self.charge_asking(&out);
        self.present(out)
    }

    fn resume(&mut self, given: &[u16]) -> Result<CallEnd, Trap> {
        // The total budget limits a hook with many questions, because restoring a match repeats the hook from the
        // start.
        self.forget_refusals();
        let limit = self.grants().limits.steps;
        let steps = limit.min(limit.saturating_mul(LONGER).saturating_sub(self.traces().spent_asking));
        let Self { program, chosen, .. } = self;
        let Traces { asks_together, together, .. } = &program.vm.context().traces;
        let out = if *asks_together {
            let place = |seat| together.asked().position(|asked| asked == seat);
            let index = |seat| place(seat).and_then(|at| given.get(at)).map_or(0, |&index| usize::from(index));
            together.list_chosen(index, chosen);
            program.vm.resume_together(chosen, steps)
        } else {
            let index = given.first().map_or(0, |&index| usize::from(index));
            match self.code.resume(&mut program.vm, index, steps) {
                Some(Err(Trap::Unfinished)) => return Err(Trap::Unfinished),
                Some(out) => out,
                None => program.vm.resume(index, steps),
            }
        };
        self.charge_asking(&out);
        self.present(out)
    }

    fn copy_hook(&self, seat: Option<u8>, into: &mut HookCopy) -> bool {
        self.code.copy_hook(&self.program.vm, seat, into)
    }

    fn put_hook(&mut self, seat: Option<u8>, from: &HookCopy) -> bool {
        self.code.put_hook(&mut self.program.vm, seat, from)
    }

    fn explain(&mut self, trap: &Trap, hook: Hook, args: &[i32], state: &[i32], answers: &[u16]) -> ScriptFault {
        self.find(trap, hook, args, state, answers)
    }

    fn is_broken(&self) -> bool {
        self.broken
    }

    /// The point at which memory runs out depends on earlier work of the VM. Native code takes a few more steps than
    /// interpreted code: it counts an iteration of a numeric `for` at its start, not at its end, and some iterations
    /// do not end.
    fn is_undecided(&self) -> bool {
        self.broken || self.overcharged
    }

    /// The new host is interpreted until [`take_room`](Machine::take_room).
    fn renew(&mut self) -> Result<(), Vec<Diagnostic>> {
        let (mode, cold) = match self.mode {
            Mode::Native => (Mode::Plain, Some(0)),
            Mode::Warming => (Mode::Warming, Some(WARM)),
            mode => (mode, None),
        };
        let host = Self::new(&self.parts, mode)?;
        let mut host = Self { counts: self.counts.clone(), mode: self.mode, cold, roomy: true, ..host };
        host.program.vm.set_memory(sandbox::ROOMY);
        host.set_options(&self.options);
        let (grants, traces) = (self.grants(), self.traces());
        host.grants_mut().limits = grants.limits;
        host.grants_mut().fixed.clone_from(&grants.fixed);
        host.traces_mut().spent = traces.spent;
        host.traces_mut().watching = traces.watching;
        host.traces_mut().spent_on.clone_from(&traces.spent_on);
        *self = host;
        Ok(())
    }

    fn take_room(&mut self) {
        if std::mem::take(&mut self.roomy) {
            self.program.vm.set_memory(sandbox::MEMORY);
        }
    }

    fn count(&self) {
        if let (Some(counts), Some(counting)) = (&self.counts, &self.program.counting)
            && let Ok(mut counts) = counts.lock()
        {
            counting.add_to(&mut counts);
        }
    }
}

impl AsMut<Self> for Host {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}

#[cfg(test)]
mod tests;
