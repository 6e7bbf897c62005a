//! Runs work beside the interpreter, so that Ctrl-C is seen at once and the GIL is free.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

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

/// A thread for long calls, while the calling thread looks at signals. It keeps its matches and bots between calls.
#[derive(Debug)]
pub struct Worker {
    pool: ThreadPool,
    flags: OwnFlags,
    /// The process that has the thread: a fork does not copy it.
    process: u32,
}

impl Worker {
    /// Starts the thread.
    pub fn new() -> PyResult<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Self { pool, flags: OwnFlags::take(), process: std::process::id() })
    }

    /// The flag that ends work early. Games of the work must be [halted](motherlode::Game::halted_by) by it.
    pub const fn halt(&self) -> &'static AtomicBool {
        &self.flags.0.halt
    }

    /// Runs `work` in the thread. An exception of a signal handler, such as `KeyboardInterrupt`, halts it and is raised.
    pub fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
        self.flags.clear();
        let mut result = None;
        let interrupt = py.detach(|| {
            self.pool.in_place_scope(|scope| {
                // The channel closes when the work ends, also by a panic.
                let (ends, end) = channel::<()>();
                let result = &mut result;
                scope.spawn(move |_| {
                    let _ends = ends;
                    *result = Some(work());
                });
                let mut interrupt = None;
                while end.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        self.halt().store(true, Ordering::SeqCst);
                        interrupt.get_or_insert(error);
                    }
                }
                interrupt
            })
        });
        // A panic of the work has ended the scope.
        let lost = || PyRuntimeError::new_err("the call panicked: please report this as a bug");
        interrupt.map_or_else(|| result.ok_or_else(lost), Err)
    }
}

/// Workers without work, for the next calls.
static WORKERS: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

/// Runs `work` in the thread of a shared worker, with the flag that halts it.
pub fn run_shared<R: Send>(py: Python<'_>, work: impl FnOnce(&'static AtomicBool) -> R + Send) -> PyResult<R> {
    let process = std::process::id();
    let free = loop {
        match WORKERS.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            // The thread of a worker from before a fork does not exist: it cannot even be ended.
            Some(other) if other.process != process => std::mem::forget(other),
            free => break free,
        }
    };
    let worker = free.map_or_else(Worker::new, Ok)?;
    let halt = worker.halt();
    let done = worker.run(py, || work(halt));
    WORKERS.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    done
}
