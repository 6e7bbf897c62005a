//! Runs work beside the interpreter, so that Ctrl-C is seen at once and the GIL is free.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time that running games have to end after Ctrl-C.
const GRACE: Duration = Duration::from_secs(1);
/// Pause between two looks at signals.
const PAUSE: Duration = Duration::from_millis(20);
/// Pause between two reports of progress.
const REPORT: Duration = Duration::from_millis(100);

/// Flags of ended runs, for the next ones: the engine borrows flags forever.
static FREE: Mutex<Vec<&'static Flags>> = Mutex::new(Vec::new());

/// The requests to a run.
#[derive(Debug, Default)]
pub struct Flags {
    /// Whether no further piece is wanted.
    pub stop: AtomicBool,
    /// Whether running games are dropped.
    pub halt: AtomicBool,
}

/// The flags of one run, returned on drop.
#[derive(Debug)]
pub struct OwnFlags(pub &'static Flags);

impl OwnFlags {
    pub fn take() -> Self {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self(free.unwrap_or_else(|| Box::leak(Box::default())))
    }

    fn clear(&self) {
        self.0.stop.store(false, Ordering::SeqCst);
        self.0.halt.store(false, Ordering::SeqCst);
    }
}

impl Drop for OwnFlags {
    fn drop(&mut self) {
        self.clear();
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// Runs `work` in a thread of its own. Returns its result, and the exception that interrupted it, such as
/// `KeyboardInterrupt`: then `work` ended early.
///
/// Calls `progress` with the count that `work` keeps, whenever it has changed.
pub fn beside<R: Send>(
    py: Python<'_>,
    flags: &OwnFlags,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&AtomicU64) -> R + Send,
) -> PyResult<(R, Option<PyErr>)> {
    flags.clear();
    let progress = progress.map(|call| call.clone().unbind());
    let done = AtomicU64::new(0);
    let (result, interrupt) = py.detach(|| {
        thread::scope(|scope| {
            let (ends, end) = channel::<()>();
            let done = &done;
            // The channel closes when the work ends, also by a panic.
            let work = scope.spawn(move || {
                let _ends = ends;
                work(done)
            });
            let mut interrupt: Option<(Instant, PyErr)> = None;
            let (mut told, mut when) = (0, Instant::now());
            while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let now = done.load(Ordering::Relaxed);
                let is_due = now != told && when.elapsed() >= REPORT;
                let called = Python::attach(|py| {
                    py.check_signals()?;
                    if let (Some(call), true) = (&progress, is_due) {
                        call.call1(py, (now,))?;
                    }
                    Ok(())
                });
                if is_due {
                    (told, when) = (now, Instant::now());
                }
                match (called, &interrupt) {
                    (Ok(()), None) => {}
                    (Ok(()), Some((since, _))) => {
                        if since.elapsed() > GRACE {
                            flags.0.halt.store(true, Ordering::SeqCst);
                        }
                    }
                    (Err(error), None) => {
                        flags.0.stop.store(true, Ordering::SeqCst);
                        interrupt = Some((Instant::now(), error));
                    }
                    // A second Ctrl-C does not wait for running games.
                    (Err(_), Some(_)) => flags.0.halt.store(true, Ordering::SeqCst),
                }
            }
            (work.join(), interrupt)
        })
    });
    let result = result.map_err(|_| PyRuntimeError::new_err("the run panicked: please report this as a bug"))?;
    if let (Some(call), None) = (&progress, &interrupt) {
        call.call1(py, (done.load(Ordering::Relaxed),))?;
    }
    Ok((result, interrupt.map(|(_, error)| error)))
}
