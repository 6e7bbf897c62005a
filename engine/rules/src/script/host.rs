//! The script host of one match: runs hooks within their budgets and reports where and why one failed.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use crate::coverage::Coverage;
use crate::script::budget;
use crate::script::chance::Chance;
use crate::script::context::{Asked, Context};
use crate::script::contribution::Contributions;
use crate::script::guard::Guard;
use crate::script::hooks::{PHASE_HOOKS, PhaseHooks};
use crate::script::message::place_of;
use crate::script::parts::Parts;
use crate::script::program::Program;
use crate::script::raw::{Ended, FaultLines, FunctionRef, Ret, Trap};
use crate::script::sandbox::{self, Mode};
use crate::script::verb_place::VerbPlace;
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

/// Identifies a hook, so that it can be called again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hook {
    /// `setup` of the game.
    Setup,
    /// `finish` of the game.
    Finish,
    /// `redeal` of the game.
    Redeal,
    /// A hook of a phase.
    Phase(usize, PhaseHook),
}

/// The hooks of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhaseHook {
    Applies,
    Start,
    Run,
    Order,
    Skip,
    Turn,
    Offer,
    Act,
    Finish,
}

impl PhaseHook {
    /// All of them, in the order of their names in [`PHASE_HOOKS`].
    pub const ALL: [Self; 9] = [
        Self::Applies,
        Self::Start,
        Self::Run,
        Self::Order,
        Self::Skip,
        Self::Turn,
        Self::Offer,
        Self::Act,
        Self::Finish,
    ];

    /// Its name in scripts: `offer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        PHASE_HOOKS[self as usize]
    }
}

impl Hook {
    /// The name of a hook that only looks and changes nothing: `applies`, `order`, `skip` or `offer`.
    #[must_use]
    pub fn looks(self) -> Option<&'static str> {
        use PhaseHook::{Applies, Offer, Order, Skip};
        match self {
            Self::Phase(_, hook @ (Applies | Order | Skip | Offer)) => Some(hook.name()),
            Self::Phase(..) | Self::Setup | Self::Finish | Self::Redeal => None,
        }
    }
}

/// A hook that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}:{line}: {message} (in {}`{hook}` of `{pack}`{})",
    verb.as_ref().map(|verb| format!("{verb}; in ")).unwrap_or_default(),
    player.map(|p| format!(", player {p}")).unwrap_or_default()
)]
pub struct ScriptFault {
    /// Pack whose script it is.
    pub pack: String,
    /// Script as shown.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Hook: `resolution.run`.
    pub hook: String,
    /// Player for whom it ran, from 1.
    pub player: Option<i32>,
    /// The verb of a definition that was running.
    pub verb: Option<VerbPlace>,
    /// What went wrong.
    pub message: String,
}

/// Where a hook failed, and why.
struct FaultPlace {
    file: String,
    line: u32,
    message: String,
    verb: Option<VerbPlace>,
}

/// One VM with the scripts of a game.
#[derive(Debug)]
pub struct Host {
    program: Program,
    parts: Arc<Parts>,
    options: IndexMap<String, OptionValue>,
    /// Budgets of every hook.
    pub limits: Limits,
    asking: Vec<bool>,
    mode: Mode,
    /// The careful host that finds the lines of faults; created at the first fault.
    careful: Option<Box<Self>>,
    broken: bool,
    /// What ran last spent too many steps, in native code.
    overcharged: bool,
    /// Whether it has more memory than others, to decide whether a step runs out of it.
    roomy: bool,
    /// Steps that are left until the scripts become native code, if they do.
    cold: Option<i64>,
    /// Steps that all calls have spent.
    spent: i64,
    /// The same by function, and the function that runs or ran last.
    spent_on: Vec<i64>,
    running: Option<FunctionRef>,
    /// Those of the hook that was started last, before it asked.
    spent_asking: i64,
    /// A buffer for what seats that are asked together may choose, or have chosen.
    chosen: Vec<i32>,
    /// A buffer for answers that are given again.
    given: Vec<u16>,
    /// Where its counts are added.
    counts: Option<Arc<Mutex<Coverage>>>,
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
        Ok(Self {
            program,
            parts: parts.clone(),
            options: IndexMap::new(),
            limits: Limits::default(),
            asking: vec![false; 16 * (parts.declarations.phases.len() + 1)],
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
        match hook {
            Hook::Setup => self.program.game.setup,
            Hook::Finish => self.program.game.finish,
            Hook::Redeal => self.program.game.redeal,
            Hook::Phase(phase, which) => {
                let hooks: &PhaseHooks = &self.program.phases[phase];
                match which {
                    PhaseHook::Applies => hooks.applies,
                    PhaseHook::Start => hooks.start,
                    PhaseHook::Run => hooks.run,
                    PhaseHook::Order => hooks.order,
                    PhaseHook::Skip => hooks.skip,
                    PhaseHook::Turn => hooks.turn,
                    PhaseHook::Offer => hooks.offer,
                    PhaseHook::Act => hooks.act,
                    PhaseHook::Finish => hooks.finish,
                }
            }
        }
    }

    /// Whether this hook is known to ask, so that it must run as a coroutine.
    #[must_use]
    pub fn asks(&self, hook: Hook) -> bool {
        self.asking[hook_key(hook)]
    }

    /// Remembers that this hook asks.
    pub fn remember_asks(&mut self, hook: Hook) {
        self.asking[hook_key(hook)] = true;
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
        let phases = 0..self.parts.declarations.phases.len();
        let hooks = phases.flat_map(|phase| PhaseHook::ALL.map(|hook| Hook::Phase(phase, hook)));
        let spent = |hook: Hook| self.function(hook).and_then(|function| self.spent_on.get(function.number()).copied());
        let all = [Hook::Setup, Hook::Finish, Hook::Redeal].into_iter().chain(hooks);
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

    /// Describes a failure. To find the line, it runs the hook again in a careful VM, from the same state with the same answers:
    /// inlined code has no lines of its own.
    #[must_use]
    pub fn explain(&mut self, trap: &Trap, hook: Hook, args: &[i32], state: &[i32], answers: &[u16]) -> ScriptFault {
        let careful =
            if self.mode == Mode::Careful { None } else { self.run_carefully(trap, hook, args, state, answers) };
        let FaultPlace { file, line, message, verb } = careful.unwrap_or_else(|| {
            let (file, line, message) = self.locate(trap, hook);
            FaultPlace { file, line, message, verb: None }
        });
        let (name, player) = self.name(hook, args);
        ScriptFault { pack: self.parts.declarations.id.clone(), file, line, hook: name, player, verb, message }
    }

    fn run_carefully(
        &mut self,
        trap: &Trap,
        hook: Hook,
        args: &[i32],
        state: &[i32],
        answers: &[u16],
    ) -> Option<FaultPlace> {
        let mut host = match self.careful.take() {
            Some(host) if !host.broken => host,
            _ => Box::new(Self::new(&self.parts, Mode::Careful).ok()?),
        };
        host.set_options(&self.options);
        host.limits = self.limits;
        host.words_mut().copy_from_slice(state);
        host.context_mut().sealed = self.context().sealed;
        host.context_mut().fixed.clone_from(&self.context().fixed);
        let given = self.context().chance.as_ref().map(|chance| Chance::new(chance.given.clone()));
        host.context_mut().chance = given;
        let guard = hook.looks().map_or_else(|| self.context().guard.clone(), Guard::Looks);
        let found = host.guarded(guard, |host| host.find_fault(trap, hook, args, answers));
        self.careful = Some(host);
        found
    }

    /// Runs a hook that is known to fail; returns the place of its failure.
    fn find_fault(&mut self, trap: &Trap, hook: Hook, args: &[i32], answers: &[u16]) -> Option<FaultPlace> {
        let function = self.function(hook)?;
        self.program.running.clear().ok()?;
        // Where a hook must not ask, a question that would answer itself is found, too.
        self.context_mut().silent = *trap == Trap::Asks;
        let mut rest = answers;
        let ended = replay(self, function, args, |host, given| host.take_answers(&mut rest, given));
        self.context_mut().silent = false;
        let trap = match ended {
            Err(trap) => trap,
            // Here everything runs as a coroutine, so a hook that must not ask can; or what it asks was wrong.
            Ok(Ended::Asked) => trap.clone(),
            Ok(Ended::Done(_)) => return None,
        };
        let (file, line, message) = self.locate(&trap, hook);
        let FaultLines { lines, in_verb } = self.program.vm.fault_lines();
        // A mod whose loop calls the game spends its steps there, too: the game alone does not.
        let of_mod = lines.iter().find(|(file, _)| trap == Trap::Steps && self.is_of_mod(file));
        // What a verb of the engine has run is to blame itself.
        let in_verb = of_mod.is_none() && (in_verb || lines.is_empty());
        let (file, line) = of_mod.or_else(|| lines.first()).cloned().unwrap_or((file, line));
        let verb = self.running_verb();
        // The engine's own verbs have no line that the author of a card knows.
        let standard = |verb: &&VerbPlace| {
            in_verb && self.parts.declarations.verbs.get(&verb.verb).is_some_and(|one| one.standard)
        };
        let (file, line) = match verb.as_ref().filter(standard) {
            Some(verb) => (verb.place.file.clone(), verb.place.line),
            None => (file, line),
        };
        Some(FaultPlace { file, line, message, verb })
    }

    fn is_of_mod(&self, file: &str) -> bool {
        self.parts.declarations.all_scripts().any(|script| script.layer > 0 && script.path == file)
    }

    /// The innermost verb of a definition that was running when a hook failed.
    fn running_verb(&self) -> Option<VerbPlace> {
        let running = &self.program.running;
        let number: usize = running.raw_get(running.raw_len()).ok()?;
        self.program.verb_places.get(number.checked_sub(1)?).cloned()
    }

    /// File, line and message of a failure, from its text; what has no place of its own is told of the line where the hook begins.
    fn locate(&self, trap: &Trap, hook: Hook) -> (String, u32, String) {
        let file = match hook {
            Hook::Setup | Hook::Finish | Hook::Redeal => "game",
            Hook::Phase(..) => "phases",
        };
        let layers = self.program.contributions.get(&format!("{file}.{}", self.name(hook, &[]).0));
        let begins = layers.and_then(|layers| layers.last());
        let path = begins.map(|begins| begins.file.clone()).unwrap_or_default();
        let text = match trap {
            Trap::Asks => "this hook must not ask: only `start`, `run`, `turn`, `act`, `setup` and `finish` may".into(),
            Trap::Steps => {
                format!("spent its budget of {} steps: is there an infinite loop?", self.limits.steps)
            }
            Trap::Memory => "ran out of memory".to_owned(),
            Trap::Raised(text) => text.clone(),
        };
        for script in self.parts.declarations.all_scripts() {
            if text.starts_with(&script.path) {
                let (line, message) = place_of(&script.path, &text);
                // Kernels put their own position in front as well.
                let (_, message) = place_of(&script.path, &message);
                return (script.path.clone(), line, message);
            }
        }
        let (line, message) = place_of(&path, &text);
        (path, if line > 1 { line } else { begins.map_or(1, |begins| begins.line) }, message)
    }

    fn name(&self, hook: Hook, args: &[i32]) -> (String, Option<i32>) {
        match hook {
            Hook::Setup => ("setup".into(), None),
            Hook::Finish => ("finish".into(), None),
            Hook::Redeal => ("redeal".into(), args.first().copied()),
            Hook::Phase(phase, which) => {
                let phase = self.parts.declarations.phases.get_index(phase).map_or("", |(name, _)| name.as_str());
                (format!("{phase}.{}", which.name()), args.first().copied())
            }
        }
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

fn hook_key(hook: Hook) -> usize {
    match hook {
        Hook::Setup => 0,
        Hook::Finish => 1,
        Hook::Redeal => 2,
        Hook::Phase(phase, which) => 16 + phase * 16 + which as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use motherlode_content::Pack;

    fn game(phases: &str) -> Game {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let pack = Pack::from_files(
            "g",
            [
                file(
                    "content/g/game.toml",
                    r#"
name = "G"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "A" }, { name = "B" }]
counters.gold = { text = "Gold", per = "player" }
outcome = { score = "gold" }
"#,
                ),
                file("content/g/phases.toml", "[act]\nname = \"Act\"\nturns = \"around\"\n"),
                file("scripts/g/phases.luau", phases),
            ],
        );
        Game::load(&pack).unwrap()
    }

    /// Native code counts a `for` that is left early as one round more.
    #[test]
    fn interpreted_code_decides_whether_a_budget_is_spent() {
        let ends_within_budget = |game: &Game| crate::Match::new(game, &game.setup(Some(2), &[], 1).unwrap()).is_ok();
        let ended: Vec<bool> = (0..12)
            .map(|size| {
                let rounds = 100_000.0 * 1.3_f64.powi(size);
                let game = game(&format!(
                    "return {{ act = {{ turn = function(player)
                        for i = 1, {rounds:.0} do
                            for j = i, i + player do
                                if j > 0 then break end
                            end
                        end
                        end_game()
                    end }} }}"
                ));
                let interpreted = ends_within_budget(&game.interpreted());
                assert_eq!(ends_within_budget(&game.native()), interpreted, "{rounds} rounds");
                interpreted
            })
            .collect();
        assert!(ended[0] && !ended[11], "{ended:?}");
    }

    /// What a VM keeps for later costs the hook nothing that makes it.
    #[test]
    fn a_hook_costs_the_same_in_every_vm() {
        let game =
            game("return { act = { turn = function(player) for i = 1, 3 do if #players() ~= i then end end end } }");
        for game in [game.clone(), game.interpreted(), game.careful()] {
            let mut host = game.host().unwrap();
            let turn = host.function(Hook::Phase(0, PhaseHook::Turn)).unwrap();
            host.words_mut()[crate::state::layout::word::PLAYERS] = 2;
            let costs: Vec<i64> = (0..3)
                .map(|_| {
                    let before = host.spent();
                    host.call(turn, &[1]).unwrap();
                    host.spent() - before
                })
                .collect();
            assert!(costs[0] > 3 && costs == [costs[0]; 3], "{costs:?}");
        }
    }

    #[test]
    fn hooks_that_only_look_are_listed() {
        use PhaseHook::{Act, Applies, Finish, Offer, Order, Run, Skip, Start, Turn};
        let all = [Applies, Start, Run, Order, Skip, Turn, Offer, Act, Finish].map(|hook| Hook::Phase(0, hook));
        assert_eq!(all.into_iter().filter_map(Hook::looks).collect::<Vec<_>>(), crate::script::LOOKING_HOOKS);
    }

    #[test]
    fn a_coroutine_returns_its_first_value_as_a_plain_call_does() {
        let game = game("return { act = { turn = function(player) return 7, {}, 5 end } }");
        let mut host = game.host().unwrap();
        let turn = host.function(Hook::Phase(0, PhaseHook::Turn)).unwrap();
        assert_eq!(host.call(turn, &[1]), Ok(Ret::Int(7)));
        assert_eq!(host.start(turn, &[1]), Ok(Ended::Done(Ret::Int(7))));
    }
}
