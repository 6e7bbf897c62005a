//! The machine code of a host: which hooks run as machine code, and which wait for an answer in it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use indexmap::IndexMap;

use crate::script::luau::capture::capture;
use crate::script::luau::parts::Parts;
use crate::script::luau::program::Program;
use crate::script::luau::raw::{Vm, coroutine_of};
use crate::script::machine::{CallEnd, Hook, HookCopy, Returned, Trap};
use crate::script::native::program::{Compiled, Source};
use crate::script::native::raw::code::EntryPoint;
use motherlode_content::declare::OptionValue;

/// Calls of a hook that machine code may leave unfinished before their share counts.
const FREE: u32 = 20;
/// Of so many calls, one may be unfinished; otherwise Luau runs the hook from the start.
const ONE_OF: u32 = 8;
/// Bytes of the stack of the thread that compiles: functions are followed as deep as they call each other.
const STACK: usize = 64 << 20;

/// The machine code of a host.
#[derive(Debug, Default)]
pub(super) struct HostCode {
    compiled: Option<Arc<Compiled>>,
    /// Calls of each hook, by [index](Hook::index), and how many of them machine code left unfinished.
    calls: Vec<(u32, u32)>,
    /// Hooks that wait for an answer in machine code, by coroutine, and whether they got a label with values.
    waiting: Vec<Option<(Hook, bool)>>,
}

impl HostCode {
    /// Compiles the hooks, unless another host of the game has done so.
    pub(super) fn compile(&mut self, parts: &Parts, program: &mut Program) {
        self.adopt(compiled(parts, program), program);
    }

    /// Takes the machine code of the game; false: it is not ready. The first host that asks for it lets a thread compile
    /// it.
    pub(super) fn take(&mut self, parts: &Arc<Parts>, program: &mut Program) -> bool {
        let Some(compiled) = parts.native.get() else {
            begin(parts, program);
            return false;
        };
        self.adopt(compiled.clone(), program);
        true
    }

    fn adopt(&mut self, compiled: Option<Arc<Compiled>>, program: &mut Program) {
        if compiled.is_some() {
            self.calls = vec![(0, 0); program.hooks.len()];
            program.vm.make_frames();
        }
        self.compiled = compiled;
    }

    /// Tells the machine code the options of the match.
    pub(super) fn set_options(&self, vm: &mut Vm, options: &IndexMap<String, OptionValue>) {
        if let Some(compiled) = &self.compiled {
            vm.set_compiled_options(compiled.option_values(options));
        }
    }

    /// Calls a hook. `None`: Luau must call it.
    #[inline]
    pub(super) fn call(&mut self, vm: &mut Vm, hook: Hook, args: &[i32], steps: i64) -> Option<Result<Returned, Trap>> {
        let compiled = self.compiled.as_ref()?;
        let unpacks = compiled.unpacks(args);
        let entry = self.allowed(vm, hook, unpacks)?;
        compiled.pass(args, unpacks, vm.arguments(0));
        let listed = vm.choices().len();
        let out = vm.call_compiled(entry, steps);
        self.count(hook, out.is_none());
        if out.is_none() && hook.looks().is_none() {
            return Some(Err(Trap::Unfinished));
        }
        if out.is_none() {
            vm.cut_choices(listed);
        }
        out
    }

    /// Starts a hook that may ask. `None`: Luau must start it.
    pub(super) fn start(&mut self, vm: &mut Vm, hook: Hook, args: &[i32], steps: i64) -> Option<Result<CallEnd, Trap>> {
        self.set_waiting(vm, None);
        let compiled = self.compiled.as_ref()?;
        let unpacks = compiled.unpacks(args);
        let entry = self.allowed(vm, hook, unpacks)?;
        compiled.pass(args, unpacks, vm.arguments(1 + vm.coroutine()));
        let out = vm.start_compiled(entry, steps);
        self.ended(vm, (hook, unpacks), out)
    }

    /// Resumes a hook with the index of a choice. `None`: Luau has started it.
    pub(super) fn resume(&mut self, vm: &mut Vm, index: usize, steps: i64) -> Option<Result<CallEnd, Trap>> {
        let (hook, unpacks) = self.waiting.get(vm.coroutine()).copied().flatten()?;
        let Some(entry) = self.allowed(vm, hook, unpacks) else { return Some(Err(Trap::Unfinished)) };
        let out = vm.resume_compiled(entry, index, steps);
        self.ended(vm, (hook, unpacks), out)
    }

    /// Copies the hook that waits in machine code, see [`Machine::copy_hook`](crate::script::machine::Machine::copy_hook).
    pub(super) fn copy_hook(&self, vm: &Vm, seat: Option<u8>, into: &mut HookCopy) -> bool {
        let number = coroutine_of(seat);
        let Some((hook, unpacks)) = self.waiting.get(number).copied().flatten() else { return false };
        (into.hook, into.unpacks) = (Some(hook), unpacks);
        vm.copy_hook(number, into)
    }

    /// Lets a copied hook wait, see [`Machine::put_hook`](crate::script::machine::Machine::put_hook).
    pub(super) fn put_hook(&mut self, vm: &mut Vm, seat: Option<u8>, from: &HookCopy) -> bool {
        let number = coroutine_of(seat);
        let done = vm.put_hook(number, from);
        if done {
            self.wait_at(number, from.hook.map(|hook| (hook, from.unpacks)));
        }
        done
    }

    fn ended(
        &mut self,
        vm: &Vm,
        running: (Hook, bool),
        out: Option<Result<CallEnd, Trap>>,
    ) -> Option<Result<CallEnd, Trap>> {
        self.set_waiting(vm, Some(running).filter(|_| matches!(out, Some(Ok(CallEnd::Asks)))));
        self.count(running.0, out.is_none());
        Some(out.unwrap_or(Err(Trap::Unfinished)))
    }

    fn set_waiting(&mut self, vm: &Vm, hook: Option<(Hook, bool)>) {
        self.wait_at(vm.coroutine(), hook);
    }

    fn wait_at(&mut self, number: usize, hook: Option<(Hook, bool)>) {
        if self.waiting.len() <= number {
            self.waiting.resize(number + 1, None);
        }
        self.waiting[number] = hook;
    }

    fn count(&mut self, hook: Hook, is_unfinished: bool) {
        let (calls, unfinished) = &mut self.calls[hook.index()];
        *calls = calls.saturating_add(1);
        *unfinished += u32::from(is_unfinished);
    }

    /// The machine code of a hook, if it may run now: nobody draws for it, the caller can restore what the hook writes, and
    /// a hook that may write says nothing. A hook that looks ends where it would say something.
    #[inline]
    fn allowed(&self, vm: &Vm, hook: Hook, unpacks: bool) -> Option<EntryPoint> {
        let compiled = self.compiled.as_ref()?;
        let grants = &vm.context().grants;
        let may_run = hook.looks().is_some() || grants.compiled && !vm.logging();
        if !may_run || grants.fixed.is_some() {
            return None;
        }
        let (calls, unfinished) = self.calls[hook.index()];
        if unfinished > FREE && unfinished > calls / ONE_OF || !vm.has_options(compiled.options.len()) {
            return None;
        }
        compiled.entry(hook, unpacks)
    }
}

/// The machine code of a game, made with the VM of a host.
pub(super) fn compiled(parts: &Parts, program: &Program) -> Option<Arc<Compiled>> {
    parts.native.get_or_init(|| compile(source_of(parts, program))).clone()
}

/// The material of the machine code; `None`: the VM is out of memory.
fn source_of(parts: &Parts, program: &Program) -> Option<Source> {
    capture(&program.vm, parts, &program.hooks).ok()
}

fn compile(source: Option<Source>) -> Option<Arc<Compiled>> {
    source.and_then(Compiled::new).map(Arc::new)
}

/// Lets a thread compile the hooks, unless one does.
fn begin(parts: &Arc<Parts>, program: &Program) {
    if parts.is_compiling.swap(true, Ordering::Relaxed) {
        return;
    }
    let (source, own) = (source_of(parts, program), parts.clone());
    let work = move || drop(own.native.set(compile(source)));
    if thread::Builder::new().name("compiler".to_owned()).stack_size(STACK).spawn(work).is_err() {
        drop(parts.native.set(None));
    }
}
