//! Finished machine code.

use cranelift_jit::JITModule;

use crate::script::native::raw::arena::Value;
use crate::script::native::raw::frame::{Frame, status};

/// The entry of a function: arguments are in the frame, and so is the result.
pub type Entry = unsafe extern "C" fn(*mut Frame);

/// Bytes of the stack that machine code may use: a small part of any thread's.
const MOST_STACK: i64 = 256 << 10;

/// Machine code of a game, with the data that it reads.
pub struct Code {
    module: Option<JITModule>,
    /// Data that the code refers to by address.
    #[expect(dead_code, reason = "read by machine code")]
    data: Vec<Box<[i64]>>,
}

// SAFETY: the code is finished and read-only, as is its data; all that changes is in the frame of each caller.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Code {
    /// Keeps finished code and its data.
    pub fn new(module: JITModule, data: Vec<Box<[i64]>>) -> Self {
        Self { module: Some(module), data }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: entries are called only by hosts that keep this alive.
            unsafe { module.free_memory() };
        }
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").finish_non_exhaustive()
    }
}

/// An entry of finished code.
#[derive(Debug, Clone, Copy)]
pub struct EntryPoint(Entry);

impl EntryPoint {
    /// The entry at an address in finished code. [`run`](Self::run) requires that it is one.
    #[must_use]
    pub fn at(address: *const u8) -> Self {
        // SAFETY: both are addresses; nothing is called here.
        Self(unsafe { std::mem::transmute::<*const u8, Entry>(address) })
    }

    /// Runs the function with the arguments in the frame; returns how it [ended](status). Its results are in the frame.
    ///
    /// # Safety
    /// The entry is that of a function of a [`Code`] that is alive. All pointers of the frame are valid, and nothing else
    /// uses what they point to.
    #[inline]
    pub unsafe fn run(self, frame: &mut Frame) -> i64 {
        frame.arena.clear();
        frame.players.1 = std::ptr::null_mut();
        frame.kept = Value::FALSE;
        frame.resumes = 0;
        frame.stored = frame.first;
        // SAFETY: see above.
        unsafe { self.enter(frame) }
    }

    /// Continues a suspended function with a raw choice.
    ///
    /// # Safety
    /// As for [`run`](Self::run), and the last call of this frame was of this function and has asked.
    #[inline]
    pub unsafe fn resume(self, frame: &mut Frame, answer: i32) -> i64 {
        (frame.resumes, frame.answer) = (1, i64::from(answer));
        // SAFETY: see above.
        unsafe { self.enter(frame) }
    }

    #[inline]
    unsafe fn enter(self, frame: &mut Frame) -> i64 {
        let here = 0_u8;
        (frame.status, frame.floor) = (status::RUNS, (&raw const here) as i64 - MOST_STACK);
        // SAFETY: see above.
        unsafe { (self.0)(frame) };
        frame.status
    }
}
