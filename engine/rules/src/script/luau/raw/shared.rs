//! Types shared by the unsafe files: the memory between Rust and a VM, and the results of calls.

use std::ffi::{CString, c_int};
use std::sync::Arc;

use mlua::ffi;

use crate::script::kernels::context::Context;
use crate::script::luau::meter::Meter;
use crate::state::Layout;
use motherlode_content::hidden::shown;

pub(super) const MAX_ARGS: usize = 14;

/// A Luau function anchored in the VM's registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionRef(pub(super) c_int);

/// The memory shared by kernels and the VM.
pub(super) struct Shared {
    pub(super) context: Context,
    pub(super) layout: Arc<Layout>,
    pub(super) state: *mut i32,
    pub(super) state_len: usize,
    pub(super) choices: *mut i32,
    /// A byte for each [`MARKED`](crate::state::layout::MARKED) words of the state; scripts set it when they write a
    /// counter.
    pub(super) marks: *mut u8,
    pub(super) marks_len: usize,
    /// Registry reference of the list of labels.
    pub(super) labels: c_int,
    /// Variables of the scripts' top levels that some function could assign to.
    pub(super) kept: Vec<KeptVariable>,
}

/// A variable that outlives the hooks, with its value after loading.
#[derive(Clone, Copy)]
pub(super) struct KeptVariable {
    /// Registry reference of a function with this upvalue.
    pub(super) function: c_int,
    pub(super) upvalue: c_int,
    /// Registry reference of its value.
    pub(super) value: c_int,
}

/// The upvalue of a kernel's Luau function: the shared memory and the kernel's index.
pub(super) struct Slot {
    pub(super) shared: *mut Shared,
    pub(super) index: usize,
}

/// The upvalue of a metered function: the library's own function, its meter, and its name in messages.
pub(super) struct MeteredUpvalue {
    pub(super) function: ffi::lua_CFunction,
    pub(super) meter: Meter,
    pub(super) name: CString,
}

/// Heap memory that Luau functions point to. Freed after the VM, because it is a later field of `Vm`.
pub(super) struct Pinned<T>(pub(super) *mut T);

impl<T> Pinned<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Box::into_raw(Box::new(value)))
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw`, dropped once; the VM whose functions pointed here is gone.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

pub(super) fn whole(n: f64) -> Option<i32> {
    let i = n as i32;
    (f64::from(i) == n).then_some(i)
}

/// Text at a stack index that holds a string, made safe for display; at most 4 KiB.
pub(super) unsafe fn text_at(l: *mut ffi::lua_State, index: c_int) -> String {
    let mut len = 0;
    // SAFETY: the caller checked that the index holds a string, which stays on the stack while it is copied.
    unsafe {
        let bytes = ffi::lua_tolstring(l, index, &raw mut len).cast::<u8>();
        shown(String::from_utf8_lossy(std::slice::from_raw_parts(bytes, len.min(4096))).into_owned())
    }
}
