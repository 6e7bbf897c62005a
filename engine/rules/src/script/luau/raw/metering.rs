//! Metering: the callbacks of Luau at safepoints and allocations, and the wrappers of library functions.

use std::ffi::{CString, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::OnceLock;

use mlua::{Lua, ffi};

use crate::script::luau::meter::{CallArgs, Meter};
use crate::script::luau::raw::entries::{RaisedError, raise};
use crate::script::luau::raw::shared::{MeteredUpvalue, Pinned};
use crate::script::machine::budget::{Allocation, Budget, LARGE_TEXT, SCRIPTS};

/// Sets the budget of a thread and of all threads created in it. The budget must live as long as the VM.
pub(super) unsafe fn set_budget(l: *mut ffi::lua_State, budget: *const Budget) {
    // SAFETY: sets a field of a thread.
    unsafe { ffi::lua_setthreaddata(l, budget.cast_mut().cast()) };
}

/// The budget of the thread's VM.
unsafe fn budget_of<'v>(l: *mut ffi::lua_State) -> &'v Budget {
    // SAFETY: reads a field of a thread, or of the main one, which `set_budget` sets before the callbacks are
    // installed; the budget, whose fields are cells, lives as long as the VM.
    unsafe {
        let own = ffi::lua_getthreaddata(l).cast::<Budget>();
        if own.is_null() { &*ffi::lua_getthreaddata(ffi::lua_mainthread(l)).cast::<Budget>() } else { &*own }
    }
}

/// Charges for safepoints. When the budget is spent, every safepoint raises an error, so no `pcall` can continue.
pub(super) unsafe extern "C-unwind" fn interrupt(l: *mut ffi::lua_State, gc: c_int) {
    if gc >= 0 {
        return;
    }
    // SAFETY: reads the number of values of the running function.
    if let Err(fault) = unsafe { budget_of(l).charge_safepoint(ffi::lua_gettop(l)) } {
        // SAFETY: raised at a safepoint of a protected call; this frame owns nothing, and nothing in it panics.
        unsafe {
            ffi::lua_rawcheckstack(l, 1);
            ffi::lua_pushlstring_(l, fault.as_ptr().cast(), fault.len());
            ffi::lua_error(l);
        }
    }
}

/// Charges for an allocation. Must neither raise nor panic, because Luau calls it in the middle of its bookkeeping.
pub(super) unsafe extern "C-unwind" fn allocated(
    l: *mut ffi::lua_State,
    _: *mut c_void,
    old: usize,
    new: usize,
    category: u8,
    kind: c_int,
    _: c_int,
) {
    if new <= old {
        return;
    }
    let made = if kind != ffi::LUA_TSTRING {
        Allocation::Object
    // SAFETY: a text is allocated by a running call or instruction, never while the stack of `l` is being moved.
    } else if new >= LARGE_TEXT && unsafe { is_in_script(l) } {
        Allocation::Joined
    } else {
        Allocation::Text
    };
    if made != Allocation::Object || category == SCRIPTS {
        // SAFETY: the budget of a running VM.
        unsafe { budget_of(l) }.charge_memory(made, old, new);
    }
}

/// Whether the innermost running function belongs to a script and is not a C function.
unsafe fn is_in_script(l: *mut ffi::lua_State) -> bool {
    // SAFETY: `lua_getinfo` with `s` only fills `at`, if there is a function; `what` is then a constant text.
    unsafe {
        let mut at: ffi::lua_Debug = std::mem::zeroed();
        ffi::lua_getinfo(l, 0, c"s".as_ptr(), &raw mut at) != 0 && *at.what.cast::<u8>() == b'L'
    }
}

/// Charges for a library function, then runs it.
pub(super) unsafe extern "C-unwind" fn metered_entry(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: called by Luau with the upvalue of `Vm::metered`, whose slot outlives the VM. `pay` owns nothing when
    // it returns, so errors, both its own and those of the function that takes over this frame, cross an empty frame.
    // No metered function has upvalues of its own or yields.
    unsafe {
        let slot = ffi::lua_tolightuserdata(l, ffi::lua_upvalueindex(1)).cast::<MeteredUpvalue>();
        match pay(l, (*slot).meter) {
            Ok(()) => {
                let results = ((*slot).function)(l);
                for at in (1..=results).map(|nth| -nth).filter(|&at| ffi::lua_type(l, at) == ffi::LUA_TSTRING) {
                    let mut len = 0;
                    let bytes = ffi::lua_tolstring(l, at, &raw mut len).cast::<u8>();
                    budget_of(l).returned_text(std::slice::from_raw_parts(bytes, len));
                }
                results
            }
            Err(RaisedError) => ffi::lua_error(l),
        }
    }
}

unsafe fn pay(l: *mut ffi::lua_State, meter: Meter) -> Result<(), RaisedError> {
    // SAFETY: `l` runs a C function, whose arguments stay on its stack until `given` is dropped.
    unsafe {
        let budget = budget_of(l);
        match catch_unwind(AssertUnwindSafe(|| meter(&Arguments { l, budget }))) {
            Ok(Ok(steps)) => budget.charge(steps),
            Ok(Err(message)) => return Err(raise(l, &message)),
            Err(_) => return Err(raise(l, "a meter of the engine panicked")),
        }
        match budget.fault() {
            None => Ok(()),
            Some(fault) => Err(raise(l, fault)),
        }
    }
}

/// Maximum length of a number as text.
fn digits(n: f64) -> usize {
    if n.fract() == 0.0 && n.abs() < 1e15 { n.abs().max(1.0).log10() as usize + 2 } else { 24 }
}

/// The arguments of the running C function.
struct Arguments<'v> {
    l: *mut ffi::lua_State,
    budget: &'v Budget,
}

impl Arguments<'_> {
    fn index(&self, at: usize) -> Option<c_int> {
        (at <= self.count()).then_some(at as c_int)
    }

    fn is(&self, at: usize, kind: c_int) -> Option<c_int> {
        // SAFETY: the argument exists.
        self.index(at).filter(|&at| unsafe { ffi::lua_type(self.l, at) } == kind)
    }
}

impl CallArgs for Arguments<'_> {
    fn budget(&self) -> &Budget {
        self.budget
    }

    fn count(&self) -> usize {
        // SAFETY: reads the number of values of the C function.
        unsafe { ffi::lua_gettop(self.l) as usize }
    }

    fn text(&self, at: usize) -> Option<&[u8]> {
        let at = self.is(at, ffi::LUA_TSTRING)?;
        let mut len = 0;
        // SAFETY: a text, which is not converted and stays on the stack while `self` is borrowed: a meter calls no
        // Luau function.
        unsafe {
            let bytes = ffi::lua_tolstring(self.l, at, &raw mut len).cast::<u8>();
            Some(std::slice::from_raw_parts(bytes, len))
        }
    }

    fn number(&self, at: usize) -> Option<f64> {
        let at = self.index(at)?;
        let mut is_number = 0;
        // SAFETY: converts a copy; a text may be read as a number.
        let number = unsafe { ffi::lua_tonumberx(self.l, at, &raw mut is_number) };
        (is_number != 0 && !number.is_nan()).then_some(number)
    }

    fn list(&self, at: usize) -> usize {
        // SAFETY: a table, whose length is read without a metamethod.
        self.is(at, ffi::LUA_TTABLE).map_or(0, |at| unsafe { ffi::lua_objlen(self.l, at) })
    }

    fn kind(&self, at: usize) -> &'static str {
        // SAFETY: the argument exists; type names are constants of Luau.
        let name = self
            .index(at)
            .map(|at| unsafe { std::ffi::CStr::from_ptr(ffi::lua_typename(self.l, ffi::lua_type(self.l, at))) });
        name.and_then(|name| name.to_str().ok()).unwrap_or("nil")
    }

    fn texts_in(&self, at: usize, from: usize, to: usize) -> usize {
        let Some(at) = self.is(at, ffi::LUA_TTABLE) else { return 0 };
        let mut len = 0_usize;
        for i in from..=to {
            let Ok(i) = c_int::try_from(i) else { break };
            // SAFETY: a C function has at least 20 free slots; raw reads raise nothing.
            unsafe {
                ffi::lua_rawgeti_(self.l, at, i);
                len = len.saturating_add(match ffi::lua_type(self.l, -1) {
                    ffi::LUA_TSTRING => ffi::lua_objlen(self.l, -1),
                    ffi::LUA_TNUMBER => digits(ffi::lua_tonumber(self.l, -1)),
                    _ => 0,
                });
                ffi::lua_settop(self.l, -2);
            }
        }
        len
    }
}

/// The price of any allocation of a guest, in steps.
const SMALL: i64 = 4;
/// Bytes of a table per extra step of a guest's safepoint: the guest may iterate over empty slots.
const PLACES: usize = 1024;

/// The upvalue of a metered function; must live as long as the VM.
pub struct MeteredSlot(#[expect(dead_code, reason = "dropped with the VM")] Pinned<MeteredUpvalue>);

/// Wraps a C function of the library, so that it is charged before it runs. The slot must live as long as the VM.
///
/// # Errors
/// The VM is out of memory, or the function is not a C function.
pub fn metered(
    lua: &Lua,
    function: &mlua::Function,
    name: &str,
    meter: Meter,
) -> mlua::Result<(mlua::Function, MeteredSlot)> {
    let mut original = None;
    // SAFETY: protected; reads the one argument.
    unsafe {
        lua.exec_raw::<()>(function, |l| {
            original = ffi::lua_tocfunction(l, 1);
            ffi::lua_settop(l, 0);
        })?;
    }
    let function = original.ok_or_else(|| mlua::Error::runtime(format!("`{name}` has no meter")))?;
    let slot = Pinned::new(MeteredUpvalue { function, meter, name: CString::new(name).unwrap_or_default() });
    let pointer = slot.0;
    // SAFETY: protected; the slot and the name in it live as long as `lua`, and only `metered_entry` reads the upvalue.
    let metered = unsafe {
        lua.exec_raw((), |l| {
            ffi::lua_pushlightuserdata(l, pointer.cast());
            ffi::lua_pushcclosurek(l, metered_entry, (*pointer).name.as_ptr(), 1, None);
        })
    }?;
    Ok((metered, MeteredSlot(slot)))
}

/// Charges a budget for the steps and allocations of a VM that runs no match. The VM must already have an interrupt,
/// which is then called only when a step is refused.
///
/// # Errors
/// The VM is out of memory.
pub fn count_steps(lua: &Lua, budget: &Rc<Budget>) -> mlua::Result<()> {
    lua.set_app_data(Rc::clone(budget));
    let budget = Rc::as_ptr(budget);
    // SAFETY: protected; the callbacks belong to the VM for as long as it lives, and so does the budget.
    unsafe {
        lua.exec_raw((), |l| {
            set_budget(l, budget);
            ffi::lua_setmemcat(l, c_int::from(SCRIPTS));
            let callbacks = ffi::lua_callbacks(l);
            if let Some(refuse) = (*callbacks).interrupt {
                REFUSE.get_or_init(|| refuse);
            }
            (*callbacks).interrupt = Some(guest_step);
            (*callbacks).onallocate = Some(guest_allocated);
        })
    }
}

/// mlua's interrupt callback, the same for all VMs.
static REFUSE: OnceLock<unsafe extern "C-unwind" fn(*mut ffi::lua_State, c_int)> = OnceLock::new();

/// Charges a guest for a safepoint.
unsafe extern "C-unwind" fn guest_step(l: *mut ffi::lua_State, gc: c_int) {
    // SAFETY: as in `interrupt`.
    if gc >= 0 || unsafe { budget_of(l).charge_safepoint(ffi::lua_gettop(l)) }.is_ok() {
        return;
    }
    if let Some(refuse) = REFUSE.get() {
        // SAFETY: mlua's own callback, called as Luau would; this frame owns nothing when it raises.
        unsafe { refuse(l, gc) }
    }
}

/// Charges a guest for an allocation. Must neither raise nor panic.
unsafe extern "C-unwind" fn guest_allocated(
    l: *mut ffi::lua_State,
    data: *mut c_void,
    old: usize,
    new: usize,
    category: u8,
    kind: c_int,
    from: c_int,
) {
    // A guest runs once, so its VM has no earlier work, and even small objects may be charged.
    if new <= old {
        return;
    }
    // SAFETY: the budget of a running VM.
    let budget = unsafe { budget_of(l) };
    budget.charge(SMALL + (new / 64) as i64);
    match kind {
        // SAFETY: called with Luau's own arguments.
        ffi::LUA_TSTRING => unsafe { allocated(l, data, old, new, category, kind, from) },
        _ if category == SCRIPTS => budget.raise_price((new / PLACES) as i64),
        _ => {}
    }
}
