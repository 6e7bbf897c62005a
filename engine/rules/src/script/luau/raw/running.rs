//! Calls hooks as plain functions or coroutines, and reads their results.

use std::ffi::c_int;

use mlua::ffi;

use crate::script::bytecode::number_and_line;
use crate::script::luau::raw::shared::{FunctionRef, KeptVariable, text_at, whole};
use crate::script::luau::raw::vm::Vm;
use crate::script::machine::budget::{EXHAUSTED, Price, TOO_LONG};
use crate::script::machine::choices::MAX_CHOICES;
use crate::script::machine::{CallEnd, Returned, Trap};

/// The error for a hook that keeps data outside the state.
const CHANGED: &str = "this function uses a variable that changed while the game was played: what is not part of the state is lost when \
    a match is restored; keep it in a counter or a zone";

/// Maximum stack levels examined.
const MAX_LEVELS: c_int = 1000;

/// The script calls on the stack of a failed coroutine.
#[derive(Default)]
pub struct FaultLines {
    /// Files and lines of the script calls, innermost first.
    pub lines: Vec<(String, u32)>,
    /// Whether the failure is in a built-in verb called by the innermost of them.
    pub in_verb: bool,
}

impl Vm {
    /// Calls a hook as a plain function. Negative arguments are labels.
    pub fn call(&mut self, function: FunctionRef, args: &[i32], steps: i64) -> Result<Returned, Trap> {
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
            if self.context().ended { self.take_back(out.map(|_| ())).map(|()| Returned::Nil) } else { out }
        }
    }

    /// Starts a hook as a coroutine.
    pub fn start(&mut self, function: FunctionRef, args: &[i32], steps: i64) -> Result<CallEnd, Trap> {
        self.prepare(steps, true);
        self.context_mut().drew = false;
        self.clear_choices();
        let bit = self.turn_to_coroutine();
        // SAFETY: `thread` is not running. If its last function finished, it can be resumed with a new one; otherwise
        // a reset makes it idle and empty, and is protected, because it allocates a small stack. A fresh stack has
        // room for 20 values.
        unsafe {
            if self.dirty & bit != 0 && ffi::lua_cpcall(self.main, reset_entry, self.thread.cast()) != ffi::LUA_OK {
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
            self.resume_with(bit, args.len() as c_int + c_int::from(through.is_some()))
        }
    }

    /// Answers the suspended hook's question with the index of a choice, from 0. In a sealed phase: the hook of the
    /// current seat.
    pub fn resume(&mut self, index: usize, steps: i64) -> Result<CallEnd, Trap> {
        let bit = self.select_suspended(steps)?;
        let choice = self.choices().get(index).copied().unwrap_or(0);
        self.clear_choices();
        // SAFETY: `thread` is suspended in `ask_entry`, whose only result this pushes.
        unsafe {
            self.push(self.thread, choice);
            self.resume_with(bit, 1)
        }
    }

    /// Answers the suspended hook's question to several seats, with the choice of each.
    pub fn resume_together(&mut self, chosen: &[i32], steps: i64) -> Result<CallEnd, Trap> {
        let bit = self.select_suspended(steps)?;
        self.set_choices(chosen);
        // SAFETY: `thread` is suspended in `ask_together_entry`, which has no result.
        unsafe { self.resume_with(bit, 0) }
    }

    /// Selects the suspended coroutine; returns its bit in `dirty`.
    fn select_suspended(&mut self, steps: i64) -> Result<u32, Trap> {
        self.prepare(steps, true);
        let bit = self.turn_to_coroutine();
        // SAFETY: reads a field of a thread, which lives as long as `self`.
        let waits = unsafe { ffi::lua_status(self.thread) } == ffi::LUA_YIELD;
        if waits { Ok(bit) } else { Err(Trap::Raised("no hook waits for an answer".into())) }
    }

    /// The script calls on the stack of the failed coroutine, innermost first. Excludes accessors, which are on line
    /// 1 of each script.
    pub fn fault_lines(&self) -> FaultLines {
        let mut found = FaultLines::default();
        // SAFETY: `thread` stopped with an error, its stack is intact; `lua_getinfo` fills `at`, whose strings are
        // NUL-terminated and read before the next call.
        unsafe {
            let mut at: ffi::lua_Debug = std::mem::zeroed();
            for level in 0..MAX_LEVELS {
                if ffi::lua_getinfo(self.thread, level, c"sl".as_ptr(), &raw mut at) == 0 {
                    break;
                }
                let file = std::ffi::CStr::from_ptr(at.short_src).to_string_lossy().into_owned();
                let Ok(line) = u32::try_from(at.currentline) else { continue };
                found.in_verb |= found.lines.is_empty() && file == "engine/verbs.luau";
                if file.ends_with(".luau") && !file.starts_with("engine/") && line > 0 {
                    found.lines.pop_if(|(inner, line)| *line == 1 && *inner == file);
                    found.lines.push((file, line));
                }
            }
        }
        found
    }

    /// Sets the initial price of a safepoint.
    pub fn set_price(&mut self, price: Price) {
        self.price = price;
    }

    /// Selects the coroutine of the seat whose sealed hook runs, or the one of all other hooks; returns its bit in
    /// `dirty`.
    fn turn_to_coroutine(&mut self) -> u32 {
        let number = self.context().grants.seat.map_or(0, |seat| usize::from(seat) + 1);
        self.thread = self.threads[number];
        1 << number
    }

    pub(super) fn prepare(&mut self, steps: i64, coroutine: bool) {
        let price = self.price;
        let context = &mut self.shared_mut().context;
        context.budget.allow(steps, price);
        context.traces.question = None;
        context.traces.asks_together = false;
        context.needs_coroutine = false;
        context.in_coroutine = coroutine;
        context.ended = false;
    }

    /// Whether an error occurred that no `pcall` of a script may catch.
    pub(super) fn trapped(&self) -> bool {
        let context = self.context();
        context.budget.fault().is_some() || context.needs_coroutine || context.fatal.is_some()
    }

    /// Discards the effects of a hook after it has ended the game, whether or not it then failed.
    pub(super) fn take_back(&mut self, done: Result<(), Trap>) -> Result<(), Trap> {
        if done == Err(Trap::Memory) {
            return done;
        }
        let (_, words, _, context) = self.buffers_mut();
        words.copy_from_slice(&context.end_state);
        context.traces.truncate_transcript(context.end_said);
        Ok(())
    }

    /// Restores the variables of the scripts' top levels. A hook that changed one has failed.
    fn refuse_changes<T>(&mut self, ended: Result<T, Trap>) -> Result<T, Trap> {
        let mut changed = None;
        for i in 0..self.shared().kept.len() {
            let KeptVariable { function, upvalue, value } = self.shared().kept[i];
            // SAFETY: `main` is idle with room for some values (see `seal`); the registry holds function and value,
            // and neither reading nor setting an existing upvalue raises an error.
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
                    changed = changed.or(Some(format!("{file}:{}: {CHANGED}", first_line(at.linedefined))));
                }
                ffi::lua_settop(l, self.floor);
            }
        }
        match (ended, changed) {
            (Ok(_), Some(message)) => Err(Trap::Raised(message)),
            (ended, _) => ended,
        }
    }

    /// The number, from 1, of a plain label; `None`: a number, or a label with values, which scripts unpack.
    fn label(&self, arg: i32) -> Option<c_int> {
        let number = arg.checked_neg()?;
        (number > 0 && number <= self.labels).then_some(number)
    }

    /// The function that calls a hook with these arguments, if one of them is a label with values.
    fn through(&self, args: &[i32]) -> Option<FunctionRef> {
        self.with_values.filter(|_| args.iter().any(|&arg| arg < 0 && self.label(arg).is_none()))
    }

    /// Pushes a number, or the label of a negative number.
    unsafe fn push(&self, l: *mut ffi::lua_State, arg: i32) {
        // SAFETY: the callers reserved the slot, and `seal` has put the labels on the stack of `main`, up to the
        // floor.
        unsafe {
            match self.label(arg) {
                None => ffi::lua_pushinteger_(l, arg),
                Some(label) => ffi::lua_xpush(self.main, l, self.floor - self.labels + label),
            }
        }
    }

    /// Resumes the selected coroutine, which has this bit in `dirty`.
    unsafe fn resume_with(&mut self, bit: u32, args: c_int) -> Result<CallEnd, Trap> {
        // SAFETY: `main` is idle and the arguments are on `thread`; a resume is protected.
        unsafe {
            let status = ffi::lua_resume_(self.thread, self.main, args);
            self.dirty = if status == ffi::LUA_OK { self.dirty & !bit } else { self.dirty | bit };
            let ended = match status {
                ffi::LUA_OK if !self.trapped() => {
                    // Only the first value, as in a plain call.
                    ffi::lua_settop(self.thread, 1);
                    let ret = self.take(self.thread);
                    ffi::lua_settop(self.thread, 0);
                    Ok(CallEnd::Done(ret))
                }
                ffi::LUA_YIELD if self.shared().context.traces.question.is_some() && !self.trapped() => {
                    Ok(CallEnd::Asks)
                }
                _ => Err(self.trap(self.thread)),
            };
            let ended = self.refuse_changes(ended);
            if !self.context().ended {
                return ended;
            }
            self.take_back(ended.map(|_| ())).map(|()| CallEnd::Done(Returned::Nil))
        }
    }

    /// Reads and pops the value on top.
    unsafe fn take(&mut self, l: *mut ffi::lua_State) -> Returned {
        // SAFETY: the caller has a value on top of the idle or finished `l`; raw reads raise nothing.
        unsafe {
            match ffi::lua_type(l, -1) {
                ffi::LUA_TNIL | ffi::LUA_TNONE => Returned::Nil,
                ffi::LUA_TBOOLEAN => Returned::Bool(ffi::lua_toboolean(l, -1) != 0),
                ffi::LUA_TNUMBER => {
                    whole(ffi::lua_tonumber(l, -1)).map_or(Returned::Other("a fraction"), Returned::Int)
                }
                ffi::LUA_TTABLE => {
                    self.shared_mut().context.traces.list.clear();
                    for i in 1..=MAX_CHOICES as c_int {
                        let kind = ffi::lua_rawgeti_(l, -1, i);
                        let n = ffi::lua_tonumber(l, -1);
                        ffi::lua_settop(l, -2);
                        match (kind, whole(n)) {
                            (ffi::LUA_TNIL, _) => break,
                            (ffi::LUA_TNUMBER, Some(n)) => self.shared_mut().context.traces.list.push(n),
                            _ => return Returned::Other("a list of values other than whole numbers"),
                        }
                    }
                    Returned::List
                }
                ffi::LUA_TSTRING => Returned::Other("a text"),
                ffi::LUA_TFUNCTION => Returned::Other("a function"),
                _ => Returned::Other("something else"),
            }
        }
    }

    /// Why the call on `l` failed; its error is on top.
    unsafe fn trap(&mut self, l: *mut ffi::lua_State) -> Trap {
        if let Some(fatal) = self.shared_mut().context.fatal.take() {
            return if fatal == EXHAUSTED { Trap::Memory } else { Trap::Raised(fatal) };
        }
        if self.shared().context.needs_coroutine {
            return Trap::Asks;
        }
        match self.context().budget.fault() {
            Some(TOO_LONG) => return Trap::Raised(TOO_LONG.into()),
            Some(_) => return Trap::Steps,
            None => {}
        }
        // SAFETY: reads the top of a stopped stack; `lua_tolstring` is only used on strings, which it does not
        // convert.
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

/// The first line of a function.
fn first_line(marked: c_int) -> usize {
    number_and_line(usize::try_from(marked).unwrap_or(0)).1
}

/// Resets the thread given as argument.
unsafe extern "C-unwind" fn reset_entry(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: called by `Vm::start` with a thread that is not running.
    unsafe { ffi::lua_resetthread(ffi::lua_tolightuserdata(l, 1).cast()) };
    0
}
