//! The script host of one match: runs hooks under budgets and says where and why one failed.

use std::sync::{Arc, Mutex};

use indexmap::IndexMap;

use crate::coverage::Coverage;
use crate::script::budget;
use crate::script::hooks::PhaseHooks;
use crate::script::kernel::Context;
use crate::script::layers::Contributions;
use crate::script::load::{Loaded, load};
use crate::script::message::place_of;
use crate::script::parts::Parts;
use crate::script::raw::{Ended, Func, Ret, Trap};
use crate::script::sandbox::Mode;
use crate::state::Layout;
use motherlode_content::declare::{Offer, OptionValue};
use motherlode_content::diagnostic::Diagnostic;

/// Budgets of one hook, as counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Safepoints (loop turns, calls) between two decisions.
    pub steps: i64,
    /// Questions in one hook.
    pub choices: usize,
    /// Rounds in a match.
    pub rounds: i32,
    /// Hooks in a row without a decision.
    pub hooks: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 3_000_000, choices: 1000, rounds: 1000, hooks: 20_000 }
    }
}

/// Which hook is meant: enough to call it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hook {
    /// `setup` of the game.
    Setup,
    /// `finish` of the game.
    Finish,
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

/// A hook that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message} (in `{hook}` of `{pack}`{})", player.map(|p| format!(", player {p}")).unwrap_or_default())]
pub struct ScriptFault {
    /// Pack whose script it is.
    pub pack: String,
    /// Script as shown.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Hook: `resolution.run`.
    pub hook: String,
    /// Player (from 1) for whom it ran.
    pub player: Option<i32>,
    /// What went wrong.
    pub message: String,
}

/// One VM with the scripts of a game.
#[derive(Debug)]
pub struct Host {
    loaded: Loaded,
    parts: Arc<Parts>,
    options: IndexMap<String, OptionValue>,
    /// Budgets of every hook.
    pub limits: Limits,
    asking: Vec<bool>,
    mode: Mode,
    /// The careful host that finds the lines of faults; made at the first fault.
    explainer: Option<Box<Self>>,
    broken: bool,
    /// Where what was counted goes.
    counts: Option<Arc<Mutex<Coverage>>>,
}

impl Host {
    /// A new VM with everything loaded.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn new(parts: &Arc<Parts>, mode: Mode) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self {
            loaded: load(parts, mode)?,
            parts: parts.clone(),
            options: IndexMap::new(),
            limits: Limits::default(),
            asking: vec![false; 16 * (parts.declarations.phases.len() + 1)],
            mode,
            explainer: None,
            broken: false,
            counts: None,
        })
    }

    /// Loads everything once and forgets it but for which layers contributed to each function.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn try_out(parts: &Parts) -> Result<Contributions, Vec<Diagnostic>> {
        let mut faults = match load(parts, Mode::Plain) {
            Ok(loaded) => return Ok(loaded.contributions),
            Err(faults) => faults,
        };
        // What is inlined fails on line 1, where the accessors stand; without inlining the line is the script's own.
        if faults.iter().any(|fault| fault.line == 1)
            && let Err(placed) = load(parts, Mode::Careful)
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

    /// A host in [`Mode::Counting`], which adds what has run to `into` when it is dropped.
    ///
    /// # Errors
    /// As [`Host::new`].
    pub(crate) fn counting(parts: &Arc<Parts>, into: &Arc<Mutex<Coverage>>) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { counts: Some(into.clone()), ..Self::new(parts, Mode::Counting)? })
    }

    /// Adds what has run so far to where it is counted.
    pub(crate) fn count(&self) {
        if let (Some(counts), Some(counting)) = (&self.counts, &self.loaded.counting)
            && let Ok(mut counts) = counts.lock()
        {
            counting.add_to(&mut counts);
        }
    }

    /// Sets the options of the next match.
    pub fn set_options(&mut self, options: &IndexMap<String, OptionValue>) {
        self.options.clone_from(options);
        for (name, value) in options {
            // Setting a plain value in a plain table fails only without memory, which the next call will report.
            let _ = match value {
                OptionValue::Bool(b) => self.loaded.options.set(name.as_str(), *b),
                OptionValue::Integer(n) => self.loaded.options.set(name.as_str(), *n),
                OptionValue::Name(s) => self.loaded.options.set(name.as_str(), s.as_str()),
            };
        }
    }

    /// The state block.
    #[must_use]
    pub fn words(&self) -> &[i32] {
        self.loaded.vm.words()
    }

    /// The state block, to change.
    pub fn words_mut(&mut self) -> &mut [i32] {
        self.loaded.vm.words_mut()
    }

    /// The choices listed last.
    #[must_use]
    pub fn choices(&self) -> &[i32] {
        self.loaded.vm.choices()
    }

    /// Puts a list of choices back.
    pub fn set_choices(&mut self, list: &[i32]) {
        self.loaded.vm.set_choices(list);
    }

    /// The layout, the state block, and the choice buffer to list choices in: their number, then the choices.
    pub fn buffers_mut(&mut self) -> (&Layout, &mut [i32], &mut [i32]) {
        self.loaded.vm.buffers_mut()
    }

    /// Lists the choices a phase declares.
    pub fn list_declared(&mut self, offer: Offer, player: i32) {
        self.loaded.vm.list_declared(offer, player);
    }

    /// Empties the list of choices.
    pub fn clear_choices(&mut self) {
        self.loaded.vm.clear_choices();
    }

    /// Turns the transcript on or off.
    pub fn set_logging(&mut self, on: bool) {
        self.loaded.vm.set_logging(on);
    }

    /// What kernels left behind.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.loaded.vm.context()
    }

    /// What kernels left behind, to change.
    pub fn context_mut(&mut self) -> &mut Context {
        self.loaded.vm.context_mut()
    }

    /// The function of a hook, if the game has it.
    #[must_use]
    pub fn function(&self, hook: Hook) -> Option<Func> {
        match hook {
            Hook::Setup => self.loaded.setup,
            Hook::Finish => self.loaded.finish,
            Hook::Phase(phase, which) => {
                let hooks: &PhaseHooks = &self.loaded.phases[phase];
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

    /// Calls a hook plainly; negative arguments are labels.
    ///
    /// # Errors
    /// [`Trap::Asks`] if it asks; else why it failed.
    pub fn call(&mut self, function: Func, args: &[i32]) -> Result<Ret, Trap> {
        let steps = self.limits.steps;
        let out = self.loaded.vm.call(function, args, steps);
        self.note(out)
    }

    /// Starts a hook as a coroutine.
    ///
    /// # Errors
    /// Why it failed.
    pub fn start(&mut self, function: Func, args: &[i32]) -> Result<Ended, Trap> {
        let steps = self.limits.steps;
        let out = self.loaded.vm.start(function, args, steps);
        self.note(out)
    }

    /// Answers the hook started last with the index of a choice, from 0.
    ///
    /// # Errors
    /// Why it failed.
    pub fn resume(&mut self, index: usize) -> Result<Ended, Trap> {
        let steps = self.limits.steps;
        let out = self.loaded.vm.resume(index, steps);
        self.note(out)
    }

    /// Steps that the hook called last has spent.
    #[must_use]
    pub fn spent(&self) -> i64 {
        self.limits.steps.saturating_sub(budget::left()).clamp(0, self.limits.steps)
    }

    fn note<T>(&mut self, out: Result<T, Trap>) -> Result<T, Trap> {
        self.broken |= matches!(out, Err(Trap::Memory));
        out
    }

    /// A VM that ran out of memory is of no use any more.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// A fresh host of the same game, with the same options.
    ///
    /// # Errors
    /// As [`Host::new`]; the scripts loaded once, so only for want of memory.
    pub fn renew(&self) -> Result<Self, Vec<Diagnostic>> {
        let host = Self::new(&self.parts, self.mode)?;
        let mut host = Self { counts: self.counts.clone(), ..host };
        host.set_options(&self.options);
        host.limits = self.limits;
        Ok(host)
    }

    /// Describes a failure: runs the hook once more in a careful VM, from the same state with the same answers, to find the
    /// line. Inlined code has no lines of its own, which is why this takes a second run.
    #[must_use]
    pub fn explain(&mut self, trap: &Trap, hook: Hook, args: &[i32], state: &[i32], answers: &[u16]) -> ScriptFault {
        let careful =
            if self.mode == Mode::Careful { None } else { self.run_carefully(trap, hook, args, state, answers) };
        let (file, line, message) = careful.unwrap_or_else(|| self.split(trap, hook));
        let (name, player) = self.name(hook, args);
        ScriptFault { pack: self.parts.declarations.id.clone(), file, line, hook: name, player, message }
    }

    fn run_carefully(
        &mut self,
        trap: &Trap,
        hook: Hook,
        args: &[i32],
        state: &[i32],
        answers: &[u16],
    ) -> Option<(String, u32, String)> {
        let mut host = match self.explainer.take() {
            Some(host) if !host.broken => host,
            _ => Box::new(Self::new(&self.parts, Mode::Careful).ok()?),
        };
        host.set_options(&self.options);
        host.limits = self.limits;
        host.words_mut().copy_from_slice(state);
        host.context_mut().forbid_random = self.context().forbid_random;
        let found = host.find_fault(trap, hook, args, answers);
        self.explainer = Some(host);
        found
    }

    /// Runs a hook that will fail; file, line and message of its failure.
    fn find_fault(&mut self, trap: &Trap, hook: Hook, args: &[i32], answers: &[u16]) -> Option<(String, u32, String)> {
        let function = self.function(hook)?;
        let mut ended = self.start(function, args);
        for &answer in answers {
            if matches!(ended, Ok(Ended::Asked)) {
                ended = self.resume(usize::from(answer));
            }
        }
        let trap = match ended {
            Err(trap) => trap,
            // Here everything runs as a coroutine: what must not ask, asks.
            Ok(Ended::Asked) if *trap == Trap::Asks => Trap::Asks,
            Ok(_) => return None,
        };
        let (file, line, message) = self.split(&trap, hook);
        Some(self.loaded.vm.fault_line().map_or((file, line, message.clone()), |(at, n)| (at, n, message)))
    }

    fn split(&self, trap: &Trap, hook: Hook) -> (String, u32, String) {
        let file = match hook {
            Hook::Setup | Hook::Finish => "game",
            Hook::Phase(..) => "phases",
        };
        let path = self.parts.declarations.scripts_of(file).last().map(|s| s.path.clone()).unwrap_or_default();
        let text = match trap {
            Trap::Asks => {
                "a hook that must not ask asked: only `start`, `run`, `turn`, `act`, `setup` and `finish` may".into()
            }
            Trap::Steps => {
                format!("spent its budget of {} steps without an end: is there an endless loop?", self.limits.steps)
            }
            Trap::Memory => "ran out of memory".to_owned(),
            Trap::Raised(text) => text.clone(),
        };
        for script in self.parts.declarations.all_scripts() {
            if text.starts_with(&script.path) {
                let (line, message) = place_of(&script.path, &text);
                // Kernels put their own place in front once more.
                let (_, message) = place_of(&script.path, &message);
                return (script.path.clone(), line, message);
            }
        }
        let (line, message) = place_of(&path, &text);
        (path, line, message)
    }

    fn name(&self, hook: Hook, args: &[i32]) -> (String, Option<i32>) {
        match hook {
            Hook::Setup => ("setup".into(), None),
            Hook::Finish => ("finish".into(), None),
            Hook::Phase(phase, which) => {
                let phase = self.parts.declarations.phases.get_index(phase).map_or("", |(name, _)| name.as_str());
                (format!("{phase}.{}", format!("{which:?}").to_lowercase()), args.first().copied())
            }
        }
    }
}

fn hook_key(hook: Hook) -> usize {
    match hook {
        Hook::Setup => 0,
        Hook::Finish => 1,
        Hook::Phase(phase, which) => 16 + phase * 16 + which as usize,
    }
}
