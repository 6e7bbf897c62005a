//! One VM: its construction, and the memory that it shares with Rust.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Lua, ffi};

use crate::script::kernels::context::Context;
use crate::script::luau::meter::Meter;
use crate::script::luau::raw::entries::{
    ask_entry, ask_together_entry, kernel_entry, rebind_entry, text_entry, upvalues_entry,
};
use crate::script::luau::raw::metering::{MeteredSlot, allocated, interrupt, metered, set_budget};
use crate::script::luau::raw::shared::{FunctionRef, MAX_ARGS, Pinned, Shared, Slot};
use crate::script::machine::budget::{Price, SCRIPTS};
use crate::script::machine::choices::{BUFFER_WORDS, LOGGING_WORD, MAX_CHOICES};
use crate::script::native::raw::arena::Value;
use crate::script::native::raw::frame::Frame;
use crate::state::Layout;
use crate::state::layout::{MARKED, Pile, word};

/// One Luau VM with the state block of its match.
pub struct Vm {
    pub(super) lua: Lua,
    pub(super) main: *mut ffi::lua_State,
    /// The coroutine that runs or ran last.
    pub(super) thread: *mut ffi::lua_State,
    /// The coroutine of hooks without a seat, followed by one for each seat: sealed hooks are suspended side by side.
    pub(super) threads: Vec<*mut ffi::lua_State>,
    /// Registry references of the anchored functions, in their order on the main stack.
    pub(super) anchors: RefCell<Vec<c_int>>,
    /// Height of the main stack with the functions and labels that stay at its bottom.
    pub(super) floor: c_int,
    /// Number of labels.
    pub(super) labels: c_int,
    /// The function that calls hooks with a label that has values.
    pub(super) with_values: Option<FunctionRef>,
    /// Coroutines that may hold a suspended or failed hook, as bits.
    pub(super) dirty: u32,
    /// The initial price of a safepoint.
    pub(super) price: Price,
    pub(super) slots: RefCell<Vec<Pinned<Slot>>>,
    pub(super) metered: RefCell<Vec<MeteredSlot>>,
    /// The memory that machine code needs: for plain calls, and for each coroutine.
    pub(super) frames: Vec<Frame>,
    /// The options of the match, in the order of the machine code.
    pub(super) option_values: Vec<Value>,
    pub(super) shared: Pinned<Shared>,
}

impl Vm {
    /// Takes over a VM whose `state` and `choices` buffers were made by [`buffers`](Self::buffers).
    pub fn new(lua: Lua, layout: Arc<Layout>, context: Context) -> mlua::Result<Self> {
        let words = layout.words;
        let marks = words.div_ceil(MARKED).next_multiple_of(8);
        let mut vm = Self {
            main: ptr::null_mut(),
            thread: ptr::null_mut(),
            threads: Vec::new(),
            anchors: RefCell::default(),
            floor: 0,
            labels: 0,
            with_values: None,
            dirty: 0,
            price: Price::LEAST,
            frames: Vec::new(),
            option_values: Vec::new(),
            slots: RefCell::default(),
            metered: RefCell::default(),
            shared: Pinned::new(Shared {
                context,
                layout,
                state: ptr::null_mut(),
                state_len: words,
                choices: ptr::null_mut(),
                marks: ptr::null_mut(),
                marks_len: marks,
                labels: 0,
                kept: Vec::new(),
            }),
            lua,
        };
        let state = vm.lua.create_buffer(vec![0_u8; words * 4])?;
        let choices = vm.lua.create_buffer(vec![0_u8; BUFFER_WORDS * 4])?;
        let marks = vm.lua.create_buffer(vec![0_u8; marks])?;
        vm.lua.set_named_registry_value("__state", &state)?;
        vm.lua.set_named_registry_value("__choices", &choices)?;
        vm.lua.set_named_registry_value("__marks", &marks)?;
        let budget = Rc::as_ptr(&vm.context().budget);
        let (mut main, mut threads) = (ptr::null_mut(), Vec::new());
        let coroutines = 1 + vm.shared().layout.players;
        let (mut at_state, mut at_choices, mut at_marks) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: runs protected with the buffers on the stack; the new threads and the buffers are anchored in the registry
        // (the threads by `lua_ref`), so their addresses hold as long as `lua`.
        unsafe {
            vm.lua.exec_raw::<()>((&state, &choices, &marks), |l| {
                let mut len = 0;
                at_state = ffi::lua_tobuffer(l, 1, &raw mut len).cast::<i32>();
                at_choices = ffi::lua_tobuffer(l, 2, &raw mut len).cast::<i32>();
                at_marks = ffi::lua_tobuffer(l, 3, &raw mut len).cast::<u8>();
                ffi::lua_settop(l, 0);
                for _ in 0..coroutines {
                    threads.push(ffi::lua_newthread(l));
                    ffi::lua_ref(l, -1);
                    ffi::lua_settop(l, 0);
                }
                main = l;
                for &thread in threads.iter().chain([&main]) {
                    set_budget(thread, budget);
                }
                (*ffi::lua_callbacks(l)).interrupt = Some(interrupt);
                (*ffi::lua_callbacks(l)).onallocate = Some(allocated);
            })?;
        }
        vm.main = main;
        vm.thread = threads.first().copied().unwrap_or(main);
        vm.threads = threads;
        let shared = vm.shared_mut();
        shared.state = at_state;
        shared.choices = at_choices;
        shared.marks = at_marks;
        Ok(vm)
    }

    /// Stops restoring top-level variables, because no function assigns to one.
    pub fn stop_restoring(&mut self) {
        self.shared_mut().kept.clear();
    }

    /// All its coroutines, the main one last.
    pub(super) fn coroutines(&self) -> impl Iterator<Item = *mut ffi::lua_State> {
        self.threads.iter().chain([&self.main]).copied()
    }

    /// From now on, allocations belong to scripts, except stacks and the table of all texts.
    pub fn begin_scripts(&self) {
        for thread in self.coroutines() {
            // SAFETY: sets a field of a thread, which lives as long as `self`.
            unsafe { ffi::lua_setmemcat(thread, c_int::from(SCRIPTS)) };
        }
    }

    /// Sets the memory limit in bytes.
    pub fn set_memory(&self, bytes: usize) {
        // The allocator of `mlua` accepts a limit for every VM that `mlua` has made.
        let _ = self.lua.set_memory_limit(bytes);
    }

    /// The VM, for building and loading.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// The buffers: the state block, the choices, and the marks of written words.
    pub fn buffers(&self) -> mlua::Result<(mlua::Buffer, mlua::Buffer, mlua::Buffer)> {
        let named = |name| self.lua.named_registry_value(name);
        Ok((named("__state")?, named("__choices")?, named("__marks")?))
    }

    /// A kernel as a Luau function.
    pub fn kernel(&self, index: usize) -> mlua::Result<mlua::Function> {
        self.entry(kernel_entry, index)
    }

    /// A text kernel as a Luau function.
    pub fn text_kernel(&self, index: usize) -> mlua::Result<mlua::Function> {
        self.entry(text_entry, index)
    }

    /// The Luau function behind questions: `ask(player, prompt index)` with the choices in the choice buffer; returns
    /// the chosen one.
    pub fn ask(&self) -> mlua::Result<mlua::Function> {
        self.entry(ask_entry, 0)
    }

    /// The Luau function behind questions to several players: `ask_together(prompt index)`, after the kernel `also`
    /// has added them. Afterwards the choice buffer holds the choice of each.
    pub fn ask_together(&self) -> mlua::Result<mlua::Function> {
        self.entry(ask_together_entry, 0)
    }

    /// The Luau function that returns the upvalues of a script's function, and records those that may change, except
    /// the engine's own.
    pub fn upvalues(&self) -> mlua::Result<mlua::Function> {
        self.entry(upvalues_entry, 0)
    }

    /// The Luau function that replaces upvalues of a script's function by the functions that a table maps them to, and
    /// returns all its upvalues.
    pub fn rebind(&self) -> mlua::Result<mlua::Function> {
        self.entry(rebind_entry, 0)
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

    /// A library function that is charged before it runs.
    pub fn metered(&self, function: &mlua::Function, name: &str, meter: Meter) -> mlua::Result<mlua::Function> {
        let (metered, slot) = metered(&self.lua, function, name, meter)?;
        self.metered.borrow_mut().push(slot);
        Ok(metered)
    }

    /// Anchors a function, so that it can be called after [`seal`](Self::seal).
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

    /// An anchored function.
    pub fn function(&self, function: FunctionRef) -> mlua::Result<mlua::Function> {
        let anchor = self.anchors.borrow().get(function.0 as usize - 1).copied().unwrap_or(ffi::LUA_REFNIL);
        // SAFETY: protected; reads the registry.
        unsafe {
            self.lua.exec_raw((), |l| {
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, anchor);
            })
        }
    }

    /// The upvalues of a function.
    pub fn all_upvalues(&self, function: &mlua::Function) -> mlua::Result<mlua::MultiValue> {
        // SAFETY: protected; the function is at index 1, and `lua_checkstack` makes room for its at most 255 upvalues.
        unsafe {
            self.lua.exec_raw(function, |l| {
                if ffi::lua_checkstack(l, 300) != 0 {
                    let mut next = 1;
                    while !ffi::lua_getupvalue(l, 1, next).is_null() {
                        next += 1;
                    }
                }
                ffi::lua_remove(l, 1);
            })
        }
    }

    /// Sets the function that calls hooks with a label that has values. Call before [`seal`](Self::seal).
    pub fn set_with_values(&mut self, function: &mlua::Function) -> mlua::Result<()> {
        self.with_values = Some(self.anchor(function)?);
        Ok(())
    }

    /// Pushes all anchored functions and the labels to the bottom of the main stack, where calls use them.
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
        let room = anchors.len() as c_int + self.labels + 2 * MAX_ARGS as c_int + 16;
        // SAFETY: protected, so a memory error is an `Err`. A grown stack does not shrink before the collector runs,
        // which is stopped until everything is loaded.
        unsafe { self.lua.exec_raw::<()>((), |l| ffi::lua_rawcheckstack(l, room + 8))? };
        // SAFETY: no call is running, so `main` is at its base level. The call above has already made the room that
        // this one reserves from that level on, so it allocates nothing, nor does reading the registry: nothing here
        // raises.
        unsafe {
            let l = self.main;
            ffi::lua_rawcheckstack(l, room);
            for &anchor in anchors.iter() {
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, anchor);
            }
            for label in 1..=self.labels {
                ffi::lua_rawgeti_(l, ffi::LUA_REGISTRYINDEX, list);
                ffi::lua_rawgeti_(l, -1, label);
                ffi::lua_remove(l, -2);
            }
            self.floor = ffi::lua_gettop(l);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn shared(&self) -> &Shared {
        // SAFETY: pinned for as long as `self`; kernels, which write through the same pointer, run only under `&mut self`.
        unsafe { &*self.shared.0 }
    }

    #[inline]
    pub(super) fn shared_mut(&mut self) -> &mut Shared {
        // SAFETY: as in `shared`, and `&mut self` makes this the only reference.
        unsafe { &mut *self.shared.0 }
    }

    /// The state block.
    #[inline]
    pub fn words(&self) -> &[i32] {
        // SAFETY: address and length of the state buffer, which is 8-byte aligned inside its object; no script runs while `&self` lives.
        unsafe { std::slice::from_raw_parts(self.shared().state, self.shared().state_len) }
    }

    /// The state block, mutable.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [i32] {
        // SAFETY: as in `words`, and `&mut self` makes this the only slice.
        unsafe { std::slice::from_raw_parts_mut(self.shared().state, self.shared().state_len) }
    }

    /// Forgets all recorded writes.
    pub fn forget_written(&mut self) {
        self.context_mut().touched.clear();
        // SAFETY: as in `words_mut`; the marks are a buffer of their own.
        unsafe { std::slice::from_raw_parts_mut(self.shared().marks, self.shared().marks_len) }.fill(0);
    }

    /// Records these words as written.
    pub fn mark_written(&mut self, words: impl Iterator<Item = usize>) {
        let Shared { context, layout, marks, marks_len, .. } = self.shared_mut();
        // SAFETY: as in `forget_written`.
        let marks = unsafe { std::slice::from_raw_parts_mut(*marks, *marks_len) };
        for at in words {
            if layout.counter_words.contains(&at) {
                marks[at / MARKED] = 1;
            } else {
                context.touched.more = true;
            }
        }
    }

    fn marks(&self) -> &[u8] {
        // SAFETY: as in `words`; the marks are a buffer of their own.
        unsafe { std::slice::from_raw_parts(self.shared().marks, self.shared().marks_len) }
    }

    /// Whether hooks have written a counter since [`forget_written`](Self::forget_written).
    #[inline]
    pub fn has_written(&self) -> bool {
        let (eights, _) = self.marks().as_chunks::<8>();
        eights.iter().any(|marks| u64::from_ne_bytes(*marks) != 0)
    }

    /// Visits words that include all changes by sealed hooks since [`forget_written`](Self::forget_written).
    pub fn each_written(&self, mut visit: impl FnMut(Range<usize>)) {
        let Shared { context: Context { touched, .. }, layout, .. } = self.shared();
        let (words, counters) = (self.words(), layout.counter_words.clone());
        visit(0..word::END);
        if !touched.more {
            for &token in &touched.tokens {
                for first in [layout.token_pile, layout.token_seen] {
                    let at = first + token as usize - 1;
                    visit(at..at + 1);
                }
            }
        }
        // Hardly any mark is set: eight are examined together.
        let (eights, _) = self.marks().as_chunks::<8>();
        for (eight, marks) in eights.iter().enumerate().filter(|(_, marks)| u64::from_ne_bytes(**marks) != 0) {
            for at in (eight * 8..).zip(marks).filter_map(|(at, mark)| (*mark != 0).then_some(at)) {
                visit((at * MARKED).max(counters.start)..((at + 1) * MARKED).min(counters.end));
            }
        }
        if touched.more {
            visit(word::END..counters.start);
            visit(counters.end..layout.words);
            return;
        }
        // Before the change, a pile had at most its present tokens plus the changed ones.
        let more = touched.tokens.len();
        for &pile in &touched.piles {
            let Pile { offset, capacity, .. } = layout.piles[pile];
            visit(offset..offset + 1 + (words[offset].max(0) as usize + more).min(capacity));
        }
    }

    /// The choices listed since [`clear_choices`](Self::clear_choices).
    #[inline]
    pub fn choices(&self) -> &[i32] {
        // SAFETY: as in `words`; the length is clamped to the buffer.
        unsafe {
            let len = (*self.shared().choices).clamp(0, MAX_CHOICES as i32) as usize;
            std::slice::from_raw_parts(self.shared().choices.add(1), len)
        }
    }

    /// Restores a list of choices; drops those beyond [`MAX_CHOICES`].
    #[inline]
    pub fn set_choices(&mut self, list: &[i32]) {
        if list.is_empty() {
            return self.clear_choices();
        }
        let len = list.len().min(MAX_CHOICES);
        // SAFETY: as in `words_mut`; the buffer has `BUFFER_WORDS` words.
        let buffer = unsafe { std::slice::from_raw_parts_mut(self.shared().choices, BUFFER_WORDS) };
        buffer[0] = len as i32;
        buffer[1..=len].copy_from_slice(&list[..len]);
    }

    /// Drops choices beyond a number.
    pub fn cut_choices(&mut self, len: usize) {
        if len == 0 {
            return self.clear_choices();
        }
        // SAFETY: the first word of the choice buffer.
        unsafe { *self.shared().choices = len as i32 }
    }

    /// Empties the list of choices, and forgets a [refused](crate::script::machine::choosable::refused) one.
    #[inline]
    pub fn clear_choices(&mut self) {
        // SAFETY: the first three words of the choice buffer.
        unsafe { self.shared().choices.cast::<[i32; 3]>().write([0; 3]) }
    }

    /// The layout, the state block, the choice buffer (the number of choices, then the choices), and the working
    /// memory of kernels.
    #[inline]
    pub fn buffers_mut(&mut self) -> (&Layout, &mut [i32], &mut [i32], &mut Context) {
        let shared = self.shared_mut();
        // SAFETY: as in `words_mut`; the two buffers are different objects.
        unsafe {
            let words = std::slice::from_raw_parts_mut(shared.state, shared.state_len);
            let choices = std::slice::from_raw_parts_mut(shared.choices, BUFFER_WORDS);
            (&shared.layout, words, choices, &mut shared.context)
        }
    }

    /// Tells scripts whether the transcript is on.
    pub fn set_logging(&mut self, on: bool) {
        // SAFETY: inside the choice buffer.
        unsafe { *self.shared().choices.add(LOGGING_WORD) = i32::from(on) }
    }

    /// Whether scripts see that the transcript is on.
    #[inline]
    pub fn logging(&self) -> bool {
        // SAFETY: inside the choice buffer.
        unsafe { *self.shared().choices.add(LOGGING_WORD) != 0 }
    }

    /// The working memory of kernels.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.shared().context
    }

    /// The working memory of kernels, mutable.
    #[inline]
    pub fn context_mut(&mut self) -> &mut Context {
        &mut self.shared_mut().context
    }
}

impl std::fmt::Debug for Vm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vm").finish_non_exhaustive()
    }
}
