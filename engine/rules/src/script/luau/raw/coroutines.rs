//! Coroutines: those that run hooks now, and those with suspended hooks that were set aside.

use std::ffi::c_int;
use std::ptr;
use std::sync::Arc;

use mlua::ffi;

use crate::script::luau::raw::metering::set_budget;
use crate::script::machine::DroppedHooks;
use crate::script::machine::budget::{Budget, SCRIPTS};

/// Maximum coroutines of a VM that are set aside.
const MOST: usize = 16_384;
/// Memory that a VM may use beyond its limit for each coroutine that it has added, in bytes: a thread with a small stack.
const COROUTINE: usize = 2 << 10;

/// All coroutines of a VM. The registry anchors them until the VM is dropped.
#[derive(Default)]
pub(super) struct Coroutines {
    pub all: Vec<*mut ffi::lua_State>,
    /// Number of coroutines at the beginning.
    first: usize,
    /// Indices of those in `Vm::threads`, in their order.
    pub current: Vec<u32>,
    /// Indices of the unused ones, and whether they need a reset.
    pub unused: Vec<(u32, bool)>,
    pub dropped: Arc<DroppedHooks>,
}

impl Coroutines {
    /// The first coroutines, all of them current.
    pub fn new(threads: &[*mut ffi::lua_State]) -> Self {
        let current = (0..).zip(threads).map(|(index, _)| index).collect();
        Self { all: threads.to_vec(), first: threads.len(), current, ..Self::default() }
    }

    /// An unused coroutine, and whether it needs a reset; `None`: there are too many, or memory has run out.
    ///
    /// # Safety
    /// `main` is idle with this many values, and room for some more. The budget lives as long as the VM.
    pub unsafe fn unused(
        &mut self,
        main: *mut ffi::lua_State,
        floor: c_int,
        budget: *const Budget,
    ) -> Option<(u32, bool)> {
        if self.unused.is_empty() {
            self.unused.extend(self.dropped.take().into_iter().map(|index| (index, true)));
        }
        if let Some(one) = self.unused.pop() {
            return Some(one);
        }
        if self.all.len() - self.first >= MOST {
            return None;
        }
        let index = u32::try_from(self.all.len()).ok()?;
        let mut thread: *mut ffi::lua_State = ptr::null_mut();
        // SAFETY: `main` is idle, and the call is protected: it fails if memory runs out. The registry anchors the new
        // thread.
        unsafe {
            if ffi::lua_cpcall(main, thread_entry, (&raw mut thread).cast()) != ffi::LUA_OK {
                ffi::lua_settop(main, floor);
                return None;
            }
            set_budget(thread, budget);
            ffi::lua_setmemcat(thread, c_int::from(SCRIPTS));
        }
        self.all.push(thread);
        Some((index, false))
    }

    /// Extra memory for the added coroutines, in bytes.
    pub fn room(&self) -> usize {
        (self.all.len() - self.first) * COROUTINE
    }
}

/// Makes and anchors a thread; writes it to the address given as argument.
unsafe extern "C-unwind" fn thread_entry(l: *mut ffi::lua_State) -> c_int {
    // SAFETY: called by `Coroutines::unused` with the address of a pointer. `l` has room for the two values.
    unsafe {
        let into = ffi::lua_tolightuserdata(l, 1).cast::<*mut ffi::lua_State>();
        let thread = ffi::lua_newthread(l);
        ffi::lua_ref(l, -1);
        *into = thread;
    }
    0
}
