//! The one unsafe module: raw calls between Rust and one Luau VM, and the state block they share.
//!
//! mlua builds and loads everything; only what runs at every decision is raw, because a protected call through mlua costs as much as
//! the hook it calls. The blocks below are sound for these reasons:
//!
//! - **The VM outlives its pointers.** `Vm` owns the `Lua`; `main`, `thread`, the two buffers and every function are anchored
//!   in its registry until `Vm` is dropped. Luau's collector never moves objects, so the buffers' addresses hold.
//! - **One thread, one borrow.** `Vm` is `!Send` (raw pointers). Rust slices of the buffers borrow the `Vm`; every entry into
//!   Luau takes `&mut self`, so no such slice lives while a script runs. A kernel gets its slices from `Shared` for the length
//!   of the call, during which the calling script is suspended, and kernels never enter Luau.
//! - **Errors cross no destructor.** An entry function finishes all Rust work in an inner function, leaves a message on the Lua
//!   stack, and only then raises. Panics of kernels are caught before they reach Luau frames.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CString, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use mlua::{Lua, ffi};

use crate::script::budget::{self, EXHAUSTED, Made, Price, SCRIPTS, TOO_LONG};
use crate::script::choices::{BUFFER_WORDS, LOGGING_WORD, MAX_CHOICES, list_declared};
use crate::script::guest_meter;
use crate::script::kernel::{Asked, Context, KERNELS, Kernel, NIL, TEXT_KERNELS, Values};
use crate::script::meter::{Given, Meter};
use crate::state::{Layout, Position};
use crate::text::TextArg;
use motherlode_content::declare::{MAX_ASKED, Offer};
use motherlode_content::hidden::shown;

const MAX_ARGS: usize = 8;

/// Most variables of top levels that functions may assign to.
const MAX_KEPT: usize = 200;

/// What is wrong with a hook that keeps something outside the state.
const CHANGED: &str = "this function uses a variable that changed while the game was played: what is not part of the state is lost when \
    a match is restored; keep it in a counter or a zone";

/// A Luau function that is anchored in the VM's registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionRef(c_int);

/// What a hook returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ret {
    /// Nothing, or `nil`.
    Nil,
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Int(i32),
    /// A list of whole numbers, which is in the context's `list`.
    List,
    /// Something else; its type's name.
    Other(&'static str),
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// The hook returned.
    Done(Ret),
    /// The hook asked; the context's `asked` is the question.
    Asked,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trap {
    /// The hook asked but was called as a plain function: call it again as a coroutine.
    Asks,
    /// The step budget ran out.
    Steps,
    /// Memory ran out: this VM must be dropped.
    Memory,
    /// The script raised an error; the text begins with the position as Luau writes it (`file:line: message`).
    Raised(String),
}

/// What kernels and the VM share.
struct Shared {
    context: Context,
    layout: Arc<Layout>,
    state: *mut i32,
    state_len: usize,
    choices: *mut i32,
    /// Registry reference of the list of labels.
    labels: c_int,
    /// Variables of the scripts' top levels that some function could assign to.
    kept: Vec<Kept>,
}

/// A variable that outlives the hooks, with the value that it had when the scripts were loaded.
#[derive(Clone, Copy)]
struct Kept {
    /// Registry reference of a function that has it as an upvalue.
    function: c_int,
    upvalue: c_int,
    /// Registry reference of its value.
    value: c_int,
}

/// The upvalue of a kernel's Luau function: what it works on, and which kernel it is.
struct Slot {
    shared: *mut Shared,
    index: usize,
}

/// The upvalue of a metered function: the library's own, what it costs, and its name in messages.
struct Metered {
    function: ffi::lua_CFunction,
    meter: Meter,
    name: CString,
}

/// Heap memory that Luau functions point into; freed after the VM, because it is the later field of [`Vm`].
struct Pinned<T>(*mut T);

impl<T> Pinned<T> {
    fn new(value: T) -> Self {
        Self(Box::into_raw(Box::new(value)))
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw`, dropped once; the VM whose functions pointed here is gone.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// One Luau VM with the state block of the match it runs.
pub struct Vm {
    lua: Lua,
    main: *mut ffi::lua_State,
    thread: *mut ffi::lua_State,
    /// Registry references of the anchored functions, in their order on the main stack.
    anchors: RefCell<Vec<c_int>>,
    /// Functions that stay at the bottom of the main stack.
    floor: c_int,
    /// How many labels there are.
    labels: c_int,
    /// The function through which hooks are called with a label that has values.
    with_values: Option<FunctionRef>,
    /// Whether the thread may hold a suspended or failed hook.
    dirty: bool,
    /// What a safepoint costs when a hook begins.
    price: Price,
    slots: RefCell<Vec<Pinned<Slot>>>,
    metered: RefCell<Vec<Pinned<Metered>>>,
    shared: Pinned<Shared>,
}

impl Vm {
    /// Takes over a VM whose `state` and `choices` buffers were made by [`buffers`](Self::buffers).
    pub fn new(lua: Lua, layout: Arc<Layout>, context: Context) -> mlua::Result<Self> {
        let words = layout.words;
        let mut vm = Self {
            main: ptr::null_mut(),
            thread: ptr::null_mut(),
            anchors: RefCell::default(),
            floor: 0,
            labels: 0,
            with_values: None,
            dirty: false,
            price: Price::LEAST,
            slots: RefCell::default(),
            metered: RefCell::default(),
            shared: Pinned::new(Shared {
                context,
                layout,
                state: ptr::null_mut(),
                state_len: words,
                choices: ptr::null_mut(),
                labels: 0,
                kept: Vec::new(),
            }),
            lua,
        };
        let state = vm.lua.create_buffer(vec![0_u8; words * 4])?;
        let choices = vm.lua.create_buffer(vec![0_u8; BUFFER_WORDS * 4])?;
        vm.lua.set_named_registry_value("__state", &state)?;
        vm.lua.set_named_registry_value("__choices", &choices)?;
        let (mut main, mut thread) = (ptr::null_mut(), ptr::null_mut());
        let (mut at_state, mut at_choices) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: runs protected with both buffers on the stack; the new thread and the buffers are anchored in the registry
        // (the thread by `lua_ref`), so their addresses hold as long as `lua`.
        unsafe {
            vm.lua.exec_raw::<()>((&state, &choices), |l| {
                let mut len = 0;
                at_state = ffi::lua_tobuffer(l, 1, &raw mut len).cast::<i32>();
                at_choices = ffi::lua_tobuffer(l, 2, &raw mut len).cast::<i32>();
                thread = ffi::lua_newthread(l);
                ffi::lua_ref(l, -1);
                ffi::lua_settop(l, 0);
                main = l;
                (*ffi::lua_callbacks(l)).interrupt = Some(interrupt);
                (*ffi::lua_callbacks(l)).onallocate = Some(allocated);
            })?;
        }
        vm.main = main;
        vm.thread = thread;
        let shared = vm.shared_mut();
        shared.state = at_state;
        shared.choices = at_choices;
        Ok(vm)
    }

    /// Variables of the scripts' top levels need not be looked after: no function assigns to one.
    pub(super) fn keep_nothing(&mut self) {
        self.shared_mut().kept.clear();
    }

    /// From here on, what is allocated belongs to scripts, except how the two stacks grow and what keeps all texts apart.
    pub fn begin_scripts(&self) {
        // SAFETY: sets a field of either thread; both live as long as `self`.
        unsafe {
            ffi::lua_setmemcat(self.main, c_int::from(SCRIPTS));
            ffi::lua_setmemcat(self.thread, c_int::from(SCRIPTS));
        }
    }

    /// Sets how much memory it may use, in bytes.
    pub fn set_memory(&self, bytes: usize) {
        // The allocator of `mlua` takes a limit of every VM that `mlua` has made.
        let _ = self.lua.set_memory_limit(bytes);
    }

    /// The VM, for building and loading.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// The two buffers: the state block and the choices.
    pub fn buffers(&self) -> mlua::Result<(mlua::Buffer, mlua::Buffer)> {
        Ok((self.lua.named_registry_value("__state")?, self.lua.named_registry_value("__choices")?))
    }

    /// A kernel as a Luau function.
    pub fn kernel(&self, index: usize) -> mlua::Result<mlua::Function> {
        self.entry(kernel_entry, index)
    }

    /// A text kernel as a Luau function.
    pub fn text_kernel(&self, index: usize) -> mlua::Result<mlua::Function> {
        self.entry(text_entry, index)
    }

    /// The function that asks: `ask(player, prompt index)` with the choices in the choice buffer; returns the chosen one.
    pub fn ask(&self) -> mlua::Result<mlua::Function> {
        self.entry(ask_entry, 0)
    }

    /// The function that asks several players: `ask_together(prompt index)` with those added by the kernel `also`. Afterwards the
    /// choice buffer holds what each has chosen.
    pub fn ask_together(&self) -> mlua::Result<mlua::Function> {
        self.entry(ask_together_entry, 0)
    }

    /// The function that returns the upvalues of a script's function, and notes those that may change; none of the engine's own.
    pub fn upvalues(&self) -> mlua::Result<mlua::Function> {
        self.entry(upvalues_entry, 0)
    }

    fn entry(&self, function: ffi::lua_CFunction, index: usize) -> mlua::Result<mlua::Function> {
        let slot = Pinned::new(Slot { shared: self.shared.0, index });
        let pointer = slot.0.cast::<c_void>();
        self.slots.borrow_mut().push(slot);
        // SAFETY: protected; the slot lives as long as `lua`, and only entries of this module read the upvalue.
        unsafe {
            self.lua.exec_raw((), |l| {
                ffi::lua_pushlightuserdata(l, pointer);
                ffi::lua_pushcclosurek(l, function, c"kernel".as_ptr(), 1, None);
            })
        }
    }

    /// A function of the library that is charged before it runs; `None`: it is not one in C.
    pub fn metered(&self, function: &mlua::Function, name: &str, meter: Meter) -> mlua::Result<Option<mlua::Function>> {
        let mut original = None;
        // SAFETY: protected; reads the one argument.
        unsafe {
            self.lua.exec_raw::<()>(function, |l| {
                original = ffi::lua_tocfunction(l, 1);
                ffi::lua_settop(l, 0);
            })?;
        }
        let Some(function) = original else { return Ok(None) };
        let slot = Pinned::new(Metered { function, meter, name: CString::new(name).unwrap_or_default() });
        let pointer = slot.0;
        self.metered.borrow_mut().push(slot);
        // SAFETY: as in `entry`; the name lives as long as the slot.
        unsafe {
            self.lua.exec_raw((), |l| {
                ffi::lua_pushlightuserdata(l, pointer.cast());
                ffi::lua_pushcclosurek(l, metered_entry, (*pointer).name.as_ptr(), 1, None);
            })
        }
        .map(Some)
    }

    /// Anchors a function, which can be called after [`seal`](Self::seal).
    pub fn anchor(&self, function: &mlua::Function) -> mlua::Result<FunctionRef> {
        let mut anchored = 0;
        // SAFETY: protected; `lua_ref` copies the value on top of the stack into the registry.
        unsafe {
            self.lua.exec_raw::<()>(function, |l| {
                anchored = ffi::lua_ref(l, -1);
                ffi::lua_settop(l, 0);
            })?;
        }
        let mut anchors = self.anchors.borrow_mut();
        anchors.push(anchored);
        Ok(FunctionRef(anchors.len() as c_int))
    }

    /// Takes the function through which hooks are called with a label that has values; before [`seal`](Self::seal).
    pub fn set_with_values(&mut self, function: &mlua::Function) -> mlua::Result<()> {
        self.with_values = Some(self.anchor(function)?);
        Ok(())
    }

    /// Puts all anchored functions at the bottom of the main stack, where calls find them.
    pub fn seal(&mut self, labels: &mlua::Table) -> mlua::Result<()> {
        let mut list = 0;
        // SAFETY: as in `anchor`.
        unsafe {
            self.lua.exec_raw::<()>(labels, |l| {
                list = ffi::lua_ref(l, -1);
                ffi::lua_settop(l, 0);
            })?;
        }
        let anchors = self.anchors.borrow();
        // SAFETY: as in `shared_mut`.
        unsafe { (*self.shared.0).labels = list };
        self.labels = labels.raw_len() as c_int;
        let room = anchors.len() as c_int + 2 * MAX_ARGS as c_int + 16;
        // SAFETY: protected, so a memory error is an `Err`. A stack that has grown does not shrink before the collector runs again,
        // which is stopped until everything is loaded.
        unsafe { self.lua.exec_raw::<()>((), |l| ffi::lua_rawcheckstack(l, room + 8))? };
        // SAFETY: no call is under way, so `main` stands at its base level. The call above has made the room that this one reserves
        // from that level on, so it allocates nothing, nor does reading the registry: nothing here raises.
        unsafe {
            let l = self.main;
            ffi::lua_rawcheckstack(l, room);
            for &anchor in anchors.iter() {
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, anchor);
            }
            self.floor = ffi::lua_gettop(l);
        }
        Ok(())
    }

    fn shared(&self) -> &Shared {
        // SAFETY: pinned for as long as `self`; kernels, which write through the same pointer, run only under `&mut self`.
        unsafe { &*self.shared.0 }
    }

    fn shared_mut(&mut self) -> &mut Shared {
        // SAFETY: as in `shared`, and `&mut self` makes this the only reference.
        unsafe { &mut *self.shared.0 }
    }

    /// The state block.
    pub fn words(&self) -> &[i32] {
        // SAFETY: address and length of the state buffer, which is 8-byte aligned inside its object; no script runs while `&self` lives.
        unsafe { std::slice::from_raw_parts(self.shared().state, self.shared().state_len) }
    }

    /// The state block with its layout.
    pub fn position(&self) -> Position<'_> {
        Position { layout: &self.shared().layout, words: self.words() }
    }

    /// The state block, for writing.
    pub fn words_mut(&mut self) -> &mut [i32] {
        // SAFETY: as in `words`, and `&mut self` makes this the only slice.
        unsafe { std::slice::from_raw_parts_mut(self.shared().state, self.shared().state_len) }
    }

    /// The choices listed since [`clear_choices`](Self::clear_choices).
    pub fn choices(&self) -> &[i32] {
        // SAFETY: as in `words`; the length is clamped to the buffer.
        unsafe {
            let len = (*self.shared().choices).clamp(0, MAX_CHOICES as i32) as usize;
            std::slice::from_raw_parts(self.shared().choices.add(1), len)
        }
    }

    /// Restores a list of choices; those beyond [`MAX_CHOICES`] are left out.
    pub fn set_choices(&mut self, list: &[i32]) {
        let len = list.len().min(MAX_CHOICES);
        // SAFETY: as in `words_mut`; the buffer has `BUFFER_WORDS` words.
        let buffer = unsafe { std::slice::from_raw_parts_mut(self.shared().choices, BUFFER_WORDS) };
        buffer[0] = len as i32;
        buffer[1..=len].copy_from_slice(&list[..len]);
    }

    /// Empties the list of choices.
    pub fn clear_choices(&mut self) {
        // SAFETY: the first word of the choice buffer.
        unsafe { *self.shared().choices = 0 }
    }

    /// The layout, the state block, the choice buffer (the number of choices, then the choices), and what kernels leave behind.
    pub fn buffers_mut(&mut self) -> (&Layout, &mut [i32], &mut [i32], &mut Context) {
        let shared = self.shared_mut();
        // SAFETY: as in `words_mut`; the two buffers are different objects.
        unsafe {
            let words = std::slice::from_raw_parts_mut(shared.state, shared.state_len);
            let choices = std::slice::from_raw_parts_mut(shared.choices, BUFFER_WORDS);
            (&shared.layout, words, choices, &mut shared.context)
        }
    }

    /// Lists the choices that a phase declares for a player (from 1).
    pub fn list_declared(&mut self, offer: Offer, player: i32) {
        let (layout, words, choices, _) = self.buffers_mut();
        list_declared(&Position { layout, words }, choices, offer, player);
    }

    /// See [`Choosable::settle`](crate::script::choosable::Choosable::settle).
    pub fn settle_choices(&mut self, prompt: usize) -> Result<(), String> {
        let (layout, words, choices, context) = self.buffers_mut();
        context.choosable.settle(&context.declarations, &Position { layout, words: &*words }, prompt, choices)
    }

    /// Tells scripts whether the transcript is wanted.
    pub fn set_logging(&mut self, on: bool) {
        // SAFETY: inside the choice buffer.
        unsafe { *self.shared().choices.add(LOGGING_WORD) = i32::from(on) }
    }

    /// Whether scripts are told that the transcript is wanted.
    pub fn logging(&self) -> bool {
        // SAFETY: inside the choice buffer.
        unsafe { *self.shared().choices.add(LOGGING_WORD) != 0 }
    }

    /// What kernels leave behind.
    pub fn context(&self) -> &Context {
        &self.shared().context
    }

    /// What kernels leave behind, for writing.
    pub fn context_mut(&mut self) -> &mut Context {
        &mut self.shared_mut().context
    }

    /// Calls a hook as a plain function. Negative arguments are labels.
    pub fn call(&mut self, function: FunctionRef, args: &[i32], steps: i64) -> Result<Ret, Trap> {
        self.prepare(steps, false);
        self.context_mut().drew = false;
        // SAFETY: `main` is idle (every entry leaves it at its floor) and `seal` reserved room for a function and its arguments;
        // the call is protected, so nothing unwinds into this frame.
        unsafe {
            let l = self.main;
            let through = self.through(args);
            if let Some(through) = through {
                ffi::lua_pushvalue(l, through.0);
            }
            ffi::lua_pushvalue(l, function.0);
            for &arg in args {
                self.push(l, arg);
            }
            let status = ffi::lua_pcall(l, args.len() as c_int + c_int::from(through.is_some()), 1, 0);
            let out = if status == ffi::LUA_OK && !self.trapped() { Ok(self.take(l)) } else { Err(self.trap(l)) };
            ffi::lua_settop(l, self.floor);
            let out = self.refuse_changes(out);
            if self.context().ended { self.end(out.map(|_| ())).map(|()| Ret::Nil) } else { out }
        }
    }

    /// Starts a hook as a coroutine.
    pub fn start(&mut self, function: FunctionRef, args: &[i32], steps: i64) -> Result<Ended, Trap> {
        self.prepare(steps, true);
        self.context_mut().drew = false;
        self.clear_choices();
        // SAFETY: `thread` is not running. One that finished well can be resumed with a new function; resetting makes it idle and
        // empty whatever else it did before, and is protected, because it allocates a small stack. A fresh stack has room for 20
        // values.
        unsafe {
            if self.dirty && ffi::lua_cpcall(self.main, reset_entry, self.thread.cast()) != ffi::LUA_OK {
                ffi::lua_settop(self.main, self.floor);
                return Err(Trap::Memory);
            }
            let through = self.through(args);
            if let Some(through) = through {
                ffi::lua_xpush(self.main, self.thread, through.0);
            }
            ffi::lua_xpush(self.main, self.thread, function.0);
            for &arg in args {
                self.push(self.thread, arg);
            }
            self.resume_with(args.len() as c_int + c_int::from(through.is_some()))
        }
    }

    /// Answers the question of the hook started last with the index of a choice, from 0.
    pub fn resume(&mut self, index: usize, steps: i64) -> Result<Ended, Trap> {
        self.prepare(steps, true);
        let choice = self.choices().get(index).copied().unwrap_or(0);
        self.clear_choices();
        // SAFETY: `thread` is suspended in `ask_entry`, whose one result this pushes.
        unsafe {
            self.push(self.thread, choice);
            self.resume_with(1)
        }
    }

    /// Answers the question to several seats of the hook started last, with the choice of each.
    pub fn resume_together(&mut self, chosen: &[i32], steps: i64) -> Result<Ended, Trap> {
        self.prepare(steps, true);
        self.set_choices(chosen);
        // SAFETY: `thread` is suspended in `ask_together_entry`, which has no result.
        unsafe { self.resume_with(0) }
    }

    /// File and line at which the coroutine that failed stood, looking through the accessors (which are on line 1).
    pub fn fault_line(&self) -> Option<(String, u32)> {
        let mut first = None;
        // SAFETY: `thread` stopped with an error, its stack is intact; `lua_getinfo` fills `at`, whose strings are
        // NUL-terminated and read before the next call.
        unsafe {
            let mut at: ffi::lua_Debug = std::mem::zeroed();
            for level in 0..64 {
                if ffi::lua_getinfo(self.thread, level, c"sl".as_ptr(), &raw mut at) == 0 {
                    break;
                }
                let file = std::ffi::CStr::from_ptr(at.short_src).to_string_lossy().into_owned();
                let Ok(line) = u32::try_from(at.currentline) else { continue };
                if file.ends_with(".luau") && !file.starts_with("engine/") && line > 0 {
                    if line > 1 {
                        return Some((file, line));
                    }
                    first = first.or(Some((file, line)));
                }
            }
        }
        first
    }

    /// Sets what a safepoint costs at least.
    pub(super) fn set_price(&mut self, price: Price) {
        self.price = price;
    }

    fn prepare(&mut self, steps: i64, coroutine: bool) {
        budget::allow(steps, self.price);
        let context = &mut self.shared_mut().context;
        context.asked = None;
        context.asks_together = false;
        context.needs_coroutine = false;
        context.in_coroutine = coroutine;
        context.ended = false;
    }

    /// Whether there is a fault that a script's own `pcall` must not catch.
    fn trapped(&self) -> bool {
        budget::fault().is_some() || self.shared().context.needs_coroutine || self.shared().context.fatal.is_some()
    }

    /// Gives the variables of the scripts' top levels their values again; a hook that changed one has failed.
    fn refuse_changes<T>(&mut self, ended: Result<T, Trap>) -> Result<T, Trap> {
        let mut changed = None;
        for i in 0..self.shared().kept.len() {
            let Kept { function, upvalue, value } = self.shared().kept[i];
            // SAFETY: `main` is idle with room for some values (see `seal`); the registry holds function and value, and neither reading
            // nor setting an upvalue that is there raises an error.
            unsafe {
                let l = self.main;
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, function);
                ffi::lua_getupvalue(l, -1, upvalue);
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, value);
                if ffi::lua_rawequal(l, -1, -2) == 0 {
                    ffi::lua_setupvalue(l, -3, upvalue);
                    ffi::lua_settop(l, self.floor + 1);
                    let mut at: ffi::lua_Debug = std::mem::zeroed();
                    ffi::lua_getinfo(l, -1, c"s".as_ptr(), &raw mut at);
                    let file = std::ffi::CStr::from_ptr(at.short_src).to_string_lossy();
                    changed = changed.or(Some(format!("{file}:{}: {CHANGED}", at.linedefined)));
                }
                ffi::lua_settop(l, self.floor);
            }
        }
        match (ended, changed) {
            (Ok(_), Some(message)) => Err(Trap::Raised(message)),
            (ended, _) => ended,
        }
    }

    /// Takes back what a hook has done since it ended the game, whatever became of it.
    fn end(&mut self, done: Result<(), Trap>) -> Result<(), Trap> {
        if done == Err(Trap::Memory) {
            return done;
        }
        let (_, words, _, context) = self.buffers_mut();
        words.copy_from_slice(&context.end_state);
        context.unsay(context.end_said);
        Ok(())
    }

    /// The number, from 1, of a plain label; `None`: a number, or a label with values, which scripts take apart.
    fn label(&self, arg: i32) -> Option<c_int> {
        let number = arg.checked_neg()?;
        (number > 0 && number <= self.labels).then_some(number)
    }

    /// The function through which a hook is called with these arguments, if one of them is a label with values.
    fn through(&self, args: &[i32]) -> Option<FunctionRef> {
        self.with_values.filter(|_| args.iter().any(|&arg| arg < 0 && self.label(arg).is_none()))
    }

    /// Pushes a number, or the label of a negative number.
    unsafe fn push(&self, l: *mut ffi::lua_State, arg: i32) {
        // SAFETY: the callers reserved the place and one more. Reading tables that the registry holds raises nothing.
        unsafe {
            match self.label(arg) {
                None => ffi::lua_pushinteger_(l, arg),
                Some(label) => {
                    ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, self.shared().labels);
                    ffi::lua_rawgeti_(l, -1, label);
                    ffi::lua_remove(l, -2);
                }
            }
        }
    }

    unsafe fn resume_with(&mut self, args: c_int) -> Result<Ended, Trap> {
        // SAFETY: `main` is idle and `thread` holds what it is resumed with; a resume is protected.
        unsafe {
            let status = ffi::lua_resume_(self.thread, self.main, args);
            self.dirty = status != ffi::LUA_OK;
            let ended = match status {
                ffi::LUA_OK if !self.trapped() => {
                    // The first value, as a plain call gives it.
                    ffi::lua_settop(self.thread, 1);
                    let ret = self.take(self.thread);
                    ffi::lua_settop(self.thread, 0);
                    Ok(Ended::Done(ret))
                }
                ffi::LUA_YIELD if self.shared().context.asked.is_some() && !self.trapped() => Ok(Ended::Asked),
                _ => Err(self.trap(self.thread)),
            };
            let ended = self.refuse_changes(ended);
            if self.context().ended { self.end(ended.map(|_| ())).map(|()| Ended::Done(Ret::Nil)) } else { ended }
        }
    }

    /// Reads the value on top.
    unsafe fn take(&mut self, l: *mut ffi::lua_State) -> Ret {
        // SAFETY: the caller has a value on top of the idle or finished `l`; raw reads raise nothing.
        unsafe {
            match ffi::lua_type(l, -1) {
                ffi::LUA_TNIL | ffi::LUA_TNONE => Ret::Nil,
                ffi::LUA_TBOOLEAN => Ret::Bool(ffi::lua_toboolean(l, -1) != 0),
                ffi::LUA_TNUMBER => whole(ffi::lua_tonumber(l, -1)).map_or(Ret::Other("a fraction"), Ret::Int),
                ffi::LUA_TTABLE => {
                    self.shared_mut().context.list.clear();
                    for i in 1..=MAX_CHOICES as c_int {
                        ffi::lua_rawgeti_(l, -1, i);
                        let kind = ffi::lua_type(l, -1);
                        let n = ffi::lua_tonumber(l, -1);
                        ffi::lua_settop(l, -2);
                        match (kind, whole(n)) {
                            (ffi::LUA_TNIL, _) => break,
                            (ffi::LUA_TNUMBER, Some(n)) => self.shared_mut().context.list.push(n),
                            _ => return Ret::Other("a list of values other than whole numbers"),
                        }
                    }
                    Ret::List
                }
                ffi::LUA_TSTRING => Ret::Other("a text"),
                ffi::LUA_TFUNCTION => Ret::Other("a function"),
                _ => Ret::Other("something else"),
            }
        }
    }

    /// Why the call on `l` failed; its message is on top.
    unsafe fn trap(&mut self, l: *mut ffi::lua_State) -> Trap {
        if let Some(fatal) = self.shared_mut().context.fatal.take() {
            return if fatal == EXHAUSTED { Trap::Memory } else { Trap::Raised(fatal) };
        }
        if self.shared().context.needs_coroutine {
            return Trap::Asks;
        }
        match budget::fault() {
            Some(TOO_LONG) => return Trap::Raised(TOO_LONG.into()),
            Some(_) => return Trap::Steps,
            None => {}
        }
        // SAFETY: reading the top of a stopped stack; `lua_tolstring` is only used on strings, which it does not convert.
        unsafe {
            if ffi::lua_gettop(l) == 0 {
                return Trap::Raised("the hook failed without a message".into());
            }
            if ffi::lua_type(l, -1) != ffi::LUA_TSTRING {
                let name = std::ffi::CStr::from_ptr(ffi::lua_typename(l, ffi::lua_type(l, -1))).to_string_lossy();
                return Trap::Raised(format!("raised a {name} instead of a text"));
            }
            let text = text_at(l, -1);
            if text == EXHAUSTED { Trap::Memory } else { Trap::Raised(text) }
        }
    }
}

impl std::fmt::Debug for Vm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vm").finish_non_exhaustive()
    }
}

fn whole(n: f64) -> Option<i32> {
    let i = n as i32;
    (f64::from(i) == n).then_some(i)
}

/// Text at a stack index that holds a string, as it can be shown; at most 4 KiB of it.
unsafe fn text_at(l: *mut ffi::lua_State, index: c_int) -> String {
    let mut len = 0;
    // SAFETY: the caller checked that a string stands there; it stays on the stack while it is copied.
    unsafe {
        let bytes = ffi::lua_tolstring(l, index, &raw mut len).cast::<u8>();
        shown(String::from_utf8_lossy(std::slice::from_raw_parts(bytes, len.min(4096))).into_owned())
    }
}

/// Counts safepoints; once the budget is spent, each one raises an error, so that no `pcall` can continue.
unsafe extern "C-unwind" fn interrupt(l: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    if let Err(fault) = budget::charge_safepoint() {
        // SAFETY: raised at a safepoint of a protected call; this frame owns nothing, and nothing in it panics.
        unsafe {
            ffi::lua_rawcheckstack(l, 1);
            ffi::lua_pushlstring_(l, fault.as_ptr().cast(), fault.len());
            ffi::lua_error(l);
        }
    }
}

/// Charges for an allocation. It must neither raise nor panic: Luau calls it in the middle of its bookkeeping.
unsafe extern "C-unwind" fn allocated(
    l: *mut ffi::lua_State,
    _: *mut c_void,
    old: usize,
    new: usize,
    category: u8,
    kind: c_int,
    _: c_int,
) {
    let made = if kind != ffi::LUA_TSTRING {
        Made::Object
    // SAFETY: a text is allocated by a call or instruction that is under way, never while the stack of `l` is being moved.
    } else if new > budget::LARGE && unsafe { is_in_script(l) } {
        Made::Joined
    } else {
        Made::Text
    };
    if made != Made::Object || category == SCRIPTS {
        budget::charge_memory(made, old, new);
    }
}

/// Whether the innermost function that runs is a script's, not one in C.
unsafe fn is_in_script(l: *mut ffi::lua_State) -> bool {
    // SAFETY: `lua_getinfo` with `s` only fills `at`, if there is a function; `what` is then a constant text.
    unsafe {
        let mut at: ffi::lua_Debug = std::mem::zeroed();
        ffi::lua_getinfo(l, 0, c"s".as_ptr(), &raw mut at) != 0 && *at.what.cast::<u8>() == b'L'
    }
}

/// Resets the thread that is its argument.
unsafe extern "C-unwind" fn reset_entry(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: called by `Vm::start` with a thread that is not running.
    unsafe { ffi::lua_resetthread(ffi::lua_tolightuserdata(l, 1).cast()) };
    0
}

/// Runs a function of the library once its price is paid.
unsafe extern "C-unwind" fn metered_entry(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: called by Luau with the upvalue of `Vm::metered`, whose slot outlives the VM. `pay` owns nothing when it returns, so
    // errors, its own and those of the function that takes over this frame, cross an empty frame. None of the functions that are
    // metered has upvalues of its own or is left by a yield.
    unsafe {
        let slot = ffi::lua_tolightuserdata(l, ffi::lua_upvalueindex(1)).cast::<Metered>();
        match pay(l, (*slot).meter) {
            Ok(()) => ((*slot).function)(l),
            Err(Raise) => ffi::lua_error(l),
        }
    }
}

unsafe fn pay(l: *mut ffi::lua_State, meter: Meter) -> Result<(), Raise> {
    // SAFETY: `l` runs a C function, whose arguments stand on its stack until `given` is gone.
    unsafe {
        match catch_unwind(|| meter(&Arguments(l))) {
            Ok(Ok(steps)) => budget::charge(steps),
            Ok(Err(message)) => return Err(raise(l, &message)),
            Err(_) => return Err(raise(l, "a meter of the engine panicked")),
        }
        match budget::fault() {
            None => Ok(()),
            Some(fault) => Err(raise(l, fault)),
        }
    }
}

/// How long a number is as a text, at most.
fn digits(n: f64) -> usize {
    if n.fract() == 0.0 && n.abs() < 1e15 { n.abs().max(1.0).log10() as usize + 2 } else { 24 }
}

/// The arguments of the C function that runs.
struct Arguments(*mut ffi::lua_State);

impl Arguments {
    fn index(&self, at: usize) -> Option<c_int> {
        (at <= self.count()).then_some(at as c_int)
    }

    fn is(&self, at: usize, kind: c_int) -> Option<c_int> {
        // SAFETY: the argument exists.
        self.index(at).filter(|&at| unsafe { ffi::lua_type(self.0, at) } == kind)
    }
}

impl Given for Arguments {
    fn count(&self) -> usize {
        // SAFETY: reads how many values the C function has.
        unsafe { ffi::lua_gettop(self.0) as usize }
    }

    fn text(&self, at: usize) -> Option<&[u8]> {
        let at = self.is(at, ffi::LUA_TSTRING)?;
        let mut len = 0;
        // SAFETY: a text, which is not converted and stays on the stack while `self` is borrowed: a meter calls nothing of Luau.
        unsafe {
            let bytes = ffi::lua_tolstring(self.0, at, &raw mut len).cast::<u8>();
            Some(std::slice::from_raw_parts(bytes, len))
        }
    }

    fn number(&self, at: usize) -> Option<f64> {
        let at = self.index(at)?;
        let mut is_number = 0;
        // SAFETY: converts a copy; a text may be read as a number.
        let number = unsafe { ffi::lua_tonumberx(self.0, at, &raw mut is_number) };
        (is_number != 0 && !number.is_nan()).then_some(number)
    }

    fn list(&self, at: usize) -> usize {
        // SAFETY: a table, whose length is found without a metamethod.
        self.is(at, ffi::LUA_TTABLE).map_or(0, |at| unsafe { ffi::lua_objlen(self.0, at) })
    }

    fn kind(&self, at: usize) -> &'static str {
        // SAFETY: the argument exists; names of types are constants of Luau.
        let name = self
            .index(at)
            .map(|at| unsafe { std::ffi::CStr::from_ptr(ffi::lua_typename(self.0, ffi::lua_type(self.0, at))) });
        name.and_then(|name| name.to_str().ok()).unwrap_or("nil")
    }

    fn texts_in(&self, at: usize, from: usize, to: usize) -> usize {
        let Some(at) = self.is(at, ffi::LUA_TTABLE) else { return 0 };
        let mut len = 0_usize;
        for i in from..=to {
            let Ok(i) = c_int::try_from(i) else { break };
            // SAFETY: a C function has at least 20 free places; raw reads raise nothing.
            unsafe {
                ffi::lua_rawgeti_(self.0, at, i);
                len = len.saturating_add(match ffi::lua_type(self.0, -1) {
                    ffi::LUA_TSTRING => ffi::lua_objlen(self.0, -1),
                    ffi::LUA_TNUMBER => digits(ffi::lua_tonumber(self.0, -1)),
                    _ => 0,
                });
                ffi::lua_settop(self.0, -2);
            }
        }
        len
    }
}

/// Lets the meter count what a VM allocates that is not one of a match.
///
/// # Errors
/// The VM is out of memory.
pub fn watch_allocations(lua: &Lua) -> mlua::Result<()> {
    // SAFETY: protected; the callback belongs to the VM for as long as it lives and uses nothing of it.
    unsafe { lua.exec_raw((), |l| (*ffi::lua_callbacks(l)).onallocate = Some(metered)) }
}

/// Counts an allocation for the meter.
unsafe extern "C-unwind" fn metered(
    _: *mut ffi::lua_State,
    _: *mut c_void,
    old: usize,
    new: usize,
    _: u8,
    _: c_int,
    _: c_int,
) {
    guest_meter::count(old, new);
}

/// Defines an entry function that runs `$inner` and raises the message it leaves on the stack if it fails.
macro_rules! entry {
    ($name:ident, $inner:ident) => {
        unsafe extern "C-unwind" fn $name(l: *mut ffi::lua_State) -> c_int {
            // SAFETY: called by Luau with the upvalues of `Vm::entry`; `$inner` has dropped all it owned when it returns, so the
            // error crosses an empty frame.
            unsafe {
                match $inner(l) {
                    Ok(results) => results,
                    Err(Raise) => ffi::lua_error(l),
                }
            }
        }
    };
}
entry!(kernel_entry, run_kernel);
entry!(text_entry, run_text_kernel);
entry!(ask_entry, run_ask);
entry!(ask_together_entry, run_ask_together);
entry!(upvalues_entry, run_upvalues);

/// An error whose message is on top of the stack.
struct Raise;

unsafe fn raise(l: *mut ffi::lua_State, message: &str) -> Raise {
    // SAFETY: C functions have at least 20 free slots; the text is copied by Luau.
    unsafe {
        ffi::luaL_where(l, 1);
        ffi::lua_pushlstring_(l, message.as_ptr().cast(), message.len());
        ffi::lua_concat(l, 2);
    }
    Raise
}

/// The upvalue of an entry: what is shared, and the kernel's index.
unsafe fn upvalues(l: *mut ffi::lua_State) -> (*mut Shared, usize) {
    // SAFETY: set by `Vm::entry`, which scripts cannot change (no `debug` library); the slot outlives the VM.
    unsafe {
        let slot = ffi::lua_touserdata(l, ffi::lua_upvalueindex(1)).cast::<Slot>();
        ((*slot).shared, (*slot).index)
    }
}

unsafe fn run_kernel(l: *mut ffi::lua_State) -> Result<c_int, Raise> {
    // SAFETY: `shared` lives (see `upvalues`). The script that called is suspended in this call, Rust holds no other slice of the
    // buffers (all entries into Luau take `&mut Vm`), and kernels do not enter Luau: the slices made here are the only ones.
    unsafe {
        let (shared, index) = upvalues(l);
        let mut args = [0; MAX_ARGS];
        for (i, arg) in args.iter_mut().enumerate().take(KERNELS[index].2) {
            let at = i as c_int + 1;
            *arg = match ffi::lua_type(l, at) {
                ffi::LUA_TNUMBER => match whole(ffi::lua_tonumberx(l, at, ptr::null_mut())) {
                    Some(n) => n,
                    None => return Err(raise(l, "expected a whole number")),
                },
                ffi::LUA_TNIL | ffi::LUA_TNONE => crate::script::kernel::NIL,
                _ => return Err(raise(l, "expected a whole number")),
            };
        }
        let Shared { context, layout, state, state_len, choices, .. } = &mut *shared;
        let words = std::slice::from_raw_parts_mut(*state, *state_len);
        let choices = std::slice::from_raw_parts_mut(*choices, BUFFER_WORDS);
        let kernel: Kernel = KERNELS[index].1;
        let outcome =
            catch_unwind(AssertUnwindSafe(|| kernel(context, &mut Position::new(layout, words), choices, &args)));
        match outcome {
            Ok(Ok(Some(crate::script::kernel::LIST))) => {
                ffi::lua_createtable(l, context.list.len() as c_int, 0);
                for (i, &n) in context.list.iter().enumerate() {
                    ffi::lua_pushinteger_(l, n);
                    ffi::lua_rawseti_(l, -2, i as c_int + 1);
                }
                Ok(1)
            }
            Ok(Ok(Some(n))) => {
                ffi::lua_pushinteger_(l, n);
                Ok(1)
            }
            Ok(Ok(None)) => Ok(0),
            Ok(Err(message)) => Err(raise(l, &message)),
            Err(_) => {
                context.fatal = Some("a kernel of the engine panicked".into());
                Err(raise(l, "a kernel of the engine panicked"))
            }
        }
    }
}

unsafe fn run_text_kernel(l: *mut ffi::lua_State) -> Result<c_int, Raise> {
    // SAFETY: as in `run_kernel`; strings are copied while they stand on the stack.
    unsafe {
        let (shared, index) = upvalues(l);
        let mut args = Vec::new();
        for i in 1..=ffi::lua_gettop(l).min(MAX_ARGS as c_int) {
            args.push(match ffi::lua_type(l, i) {
                ffi::LUA_TNIL => TextArg::Nil,
                ffi::LUA_TNUMBER => TextArg::Number(ffi::lua_tonumber(l, i)),
                ffi::LUA_TBOOLEAN => TextArg::Bool(ffi::lua_toboolean(l, i) != 0),
                ffi::LUA_TSTRING => TextArg::Text(text_at(l, i)),
                _ => TextArg::Other,
            });
        }
        let Shared { context, layout, state, state_len, .. } = &mut *shared;
        let words = std::slice::from_raw_parts_mut(*state, *state_len);
        let kernel = TEXT_KERNELS[index].1;
        match catch_unwind(AssertUnwindSafe(|| kernel(context, &mut Position::new(layout, words), &args))) {
            Ok(Ok(())) => Ok(0),
            Ok(Err(message)) => {
                drop(args);
                Err(raise(l, &message))
            }
            Err(_) => {
                context.fatal = Some("a kernel of the engine panicked".into());
                Err(raise(l, "a kernel of the engine panicked"))
            }
        }
    }
}

unsafe fn run_ask(l: *mut ffi::lua_State) -> Result<c_int, Raise> {
    // SAFETY: as in `run_kernel`; yielding from a C function gives control back to the resume in `Vm`, and what that pushes
    // becomes this call's result. The first words of the choice buffer are its count and the first choice.
    unsafe {
        let (shared, _) = upvalues(l);
        let Shared { context, layout, state, state_len, choices, labels, .. } = &mut *shared;
        let player = whole(ffi::lua_tonumber(l, 1)).unwrap_or(0);
        let prompt = whole(ffi::lua_tonumber(l, 2)).unwrap_or(-1);
        let (Ok(seat), Ok(prompt)) = (u8::try_from(player.wrapping_sub(1)), usize::try_from(prompt)) else {
            return Err(raise(l, &format!("cannot ask: no player {player}")));
        };
        if i32::from(seat) >= *state.add(crate::state::layout::word::PLAYERS) {
            return Err(raise(l, &format!("cannot ask: no player {player}")));
        }
        if context.sealed.is_some_and(|own| own != seat) {
            return Err(raise(l, "a sealed hook asks its own player only"));
        }
        let position = Position { layout, words: std::slice::from_raw_parts(*state, *state_len) };
        let listed = std::slice::from_raw_parts_mut(*choices, BUFFER_WORDS);
        if let Err(message) = context.choosable.settle(&context.declarations, &position, prompt, listed) {
            return Err(raise(l, &message));
        }
        let count = **choices;
        if count == 0 {
            let name = context.declarations.prompts.get_index(prompt).map_or("", |(name, _)| name.as_str());
            return Err(raise(l, &format!("no choices for prompt `{name}`")));
        }
        let asked = Asked { seat, prompt, values: values_from(l, 3)? };
        let only = *choices.add(1);
        if count == 1 && !context.silent && context.declarations.prompts.get_index(prompt).is_some_and(|(_, p)| p.auto)
        {
            context.answer_alone(asked, *state.add(crate::state::layout::word::PHASE), only);
            **choices = 0;
            ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, *labels);
            // A label with values is a number, which the caller takes apart.
            if only >= 0 || i64::from(only) < -(ffi::lua_objlen(l, -1) as i64) {
                ffi::lua_pushinteger_(l, only);
            } else {
                ffi::lua_rawgeti_(l, -1, -only);
            }
            return Ok(1);
        }
        wait_for_answer(l, context, asked)
    }
}

/// The values that a question shows in its text: the arguments from this one on.
unsafe fn values_from(l: *mut ffi::lua_State, first: c_int) -> Result<Values, Raise> {
    let mut values = Values::NONE;
    // SAFETY: reads arguments of the running C function.
    unsafe {
        for i in 0..(ffi::lua_gettop(l) + 1 - first).clamp(0, MAX_ASKED as c_int) {
            let value = match ffi::lua_type(l, i + first) {
                ffi::LUA_TNIL => continue,
                ffi::LUA_TNUMBER => whole(ffi::lua_tonumber(l, i + first)).filter(|&n| n != NIL),
                _ => None,
            };
            match value {
                Some(value) => values.set(i as usize, value),
                None => return Err(raise(l, "the values of a question must be whole numbers")),
            }
        }
    }
    Ok(values)
}

unsafe fn wait_for_answer(l: *mut ffi::lua_State, context: &mut Context, asked: Asked) -> Result<c_int, Raise> {
    // SAFETY: as in `run_ask`.
    unsafe {
        if !context.in_coroutine {
            context.needs_coroutine = true;
            return Err(raise(l, "this hook asks"));
        }
        if ffi::lua_isyieldable(l) == 0 {
            return Err(raise(l, "cannot ask here: inside a sort, a pattern or another function of the host"));
        }
        context.asked = Some(asked);
        Ok(ffi::lua_yield(l, 0))
    }
}

unsafe fn run_ask_together(l: *mut ffi::lua_State) -> Result<c_int, Raise> {
    // SAFETY: as in `run_ask`; the state block has its flow words, and a slice of the choice buffer is gone before anything else
    // reads it.
    unsafe {
        let (shared, _) = upvalues(l);
        let Shared { context, state, choices, .. } = &mut *shared;
        let Ok(prompt) = usize::try_from(whole(ffi::lua_tonumber(l, 1)).unwrap_or(-1)) else {
            return Err(raise(l, "cannot ask: no such prompt"));
        };
        if context.sealed.is_some() {
            return Err(raise(l, "a sealed hook asks its own player only"));
        }
        let values = values_from(l, 2)?;
        let auto = !context.silent && context.declarations.prompts.get_index(prompt).is_some_and(|(_, p)| p.auto);
        context.said_before = context.said();
        context.together.force(auto);
        let phase = *state.add(crate::state::layout::word::PHASE);
        for i in 0..context.together.members().len() {
            let member = context.together.members()[i];
            if let (true, &[only]) = (member.forced, context.together.choices_of(member.seat)) {
                context.answer_alone(Asked { seat: member.seat, prompt, values }, phase, only);
            }
        }
        let first = context.together.asked().next();
        if let Some(seat) = first {
            context.asks_together = true;
            return wait_for_answer(l, context, Asked { seat, prompt, values });
        }
        let mut chosen = std::mem::take(&mut context.list);
        context.together.list_chosen(|_| 0, &mut chosen);
        let buffer = std::slice::from_raw_parts_mut(*choices, BUFFER_WORDS);
        buffer[0] = chosen.len() as i32;
        buffer[1..=chosen.len()].copy_from_slice(&chosen);
        context.list = chosen;
        Ok(0)
    }
}

unsafe fn run_upvalues(l: *mut ffi::lua_State) -> Result<c_int, Raise> {
    // SAFETY: the argument stands at 1 while this runs, and `lua_checkstack` makes room for its upvalues (at most 255) and some values
    // more. What runs out of memory leaves through a frame that owns nothing. A function and its clone share the variables that
    // may be assigned to and have copies of all others, so a mark that is set in one and seen in the other tells which they are;
    // the value is set again before any script runs.
    unsafe {
        let (shared, _) = upvalues(l);
        ffi::lua_settop(l, 1);
        let mut at: ffi::lua_Debug = std::mem::zeroed();
        if ffi::lua_iscfunction(l, 1) != 0 || ffi::lua_getinfo(l, -1, c"s".as_ptr(), &raw mut at) == 0 {
            return Ok(0);
        }
        if std::ffi::CStr::from_ptr(at.source).to_bytes().starts_with(b"=engine/") {
            return Ok(0);
        }
        if ffi::lua_checkstack(l, 300) == 0 {
            return Err(raise(l, "not enough memory"));
        }
        let mut count = 0;
        while !ffi::lua_getupvalue(l, 1, count + 1).is_null() {
            count += 1;
        }
        ffi::lua_clonefunction(l, 1);
        let clone = count + 2;
        let mark = shared.cast::<c_void>();
        let is_marked = |function: c_int, upvalue: c_int| {
            ffi::lua_getupvalue(l, function, upvalue);
            let marked = ffi::lua_type(l, -1) == ffi::LUA_TLIGHTUSERDATA && ffi::lua_touserdata(l, -1) == mark;
            ffi::lua_settop(l, -2);
            marked
        };
        for upvalue in 1..=count {
            ffi::lua_pushlightuserdata(l, mark);
            ffi::lua_setupvalue(l, 1, upvalue);
            let shares = is_marked(clone, upvalue);
            let mut known = false;
            for i in 0..(*shared).kept.len() * usize::from(shares) {
                let Kept { function, upvalue, .. } = (&(*shared).kept)[i];
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, function);
                known |= is_marked(clone + 1, upvalue);
                ffi::lua_settop(l, clone);
            }
            ffi::lua_pushvalue(l, upvalue + 1);
            ffi::lua_setupvalue(l, 1, upvalue);
            if shares && !known {
                if (*shared).kept.len() >= MAX_KEPT {
                    return Err(raise(l, "too many variables outside of functions that functions could assign to"));
                }
                let (function, value) = (ffi::lua_ref(l, 1), ffi::lua_ref(l, upvalue + 1));
                (*shared).kept.push(Kept { function, upvalue, value });
            }
        }
        ffi::lua_settop(l, count + 1);
        Ok(count)
    }
}
