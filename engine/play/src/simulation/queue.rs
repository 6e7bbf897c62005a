//! A work queue for all cores that returns results in order, so that they do not depend on the number of cores.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum pieces in a chunk, the unit that a thread takes at a time.
const MOST_IN_CHUNK: u64 = 64;

/// Maximum chunks per thread handed out ahead of the slowest one, to bound memory.
const CHUNKS_AHEAD: u64 = 8;

/// Stack size of a thread. Deeply nested scripts end in an error with 8 MiB and in a crash with less than one.
const STACK: usize = 8 << 20;

/// The number of threads; 0 stands for one per core.
#[must_use]
pub fn threads(wanted: usize) -> usize {
    match wanted {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted,
    }
}

/// Numbered pieces of work for several threads.
#[derive(Debug, Clone)]
pub struct Work {
    /// The numbers of the pieces.
    pub numbers: Range<u64>,
    /// Number of threads, from 1; see [`threads`].
    pub threads: usize,
    /// Maximum pieces that a thread takes at a time: large for quick pieces.
    pub chunk: u64,
}

impl Work {
    /// Quick pieces: a thread takes many at a time.
    #[must_use]
    pub fn small(numbers: Range<u64>, threads: usize) -> Self {
        Self { numbers, threads, chunk: MOST_IN_CHUNK }
    }

    /// Slow pieces: a thread takes one at a time.
    #[must_use]
    pub fn large(numbers: Range<u64>, threads: usize) -> Self {
        Self { numbers, threads, chunk: 1 }
    }

    /// Does all the work.
    ///
    /// Each thread creates its state with `start` and passes it to `finish` at the end. `sink` receives the results
    /// chunk by chunk, in the order of their numbers, on the caller's thread. Its first error ends the work.
    ///
    /// # Errors
    /// The outer error: the threads cannot be started. The inner error: that of the sink.
    pub fn run<W, T: Send, E>(
        &self,
        start: impl Fn() -> Option<W> + Sync,
        each: impl Fn(&mut W, u64) -> T + Sync,
        finish: impl Fn(W) + Sync,
        mut sink: impl FnMut(Vec<T>) -> Result<(), E>,
    ) -> Result<Result<(), E>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).stack_size(STACK).build()?;
        let queue = Queue::new(self);
        Ok(pool.in_place_scope(|scope| {
            let _stop = StopOnDrop(&queue);
            for _ in 0..self.threads {
                scope.spawn(|_| {
                    let _leave = LeaveOnDrop(&queue);
                    let Some(mut own) = start() else { return };
                    while let Some(chunk) = queue.next() {
                        let results = queue.numbers_of(chunk).map(|number| each(&mut own, number)).collect();
                        queue.put(chunk, results);
                    }
                    finish(own);
                });
            }
            while let Some(results) = queue.take() {
                sink(results)?;
            }
            Ok(())
        }))
    }
}

/// Hands out chunks to threads and returns their results in order.
struct Queue<T> {
    numbers: Range<u64>,
    chunk: u64,
    ahead: u64,
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    /// The next chunk to hand out.
    next: u64,
    /// The next chunk to return.
    taken: u64,
    /// Results that wait for an earlier chunk.
    waiting: BTreeMap<u64, Vec<T>>,
    /// Running threads.
    working: usize,
    /// Whether no more chunks are handed out.
    is_stopped: bool,
}

impl<T> Queue<T> {
    fn new(work: &Work) -> Self {
        let workers = u64::try_from(work.threads).unwrap_or(1).max(1);
        let count = work.numbers.end.saturating_sub(work.numbers.start);
        Self {
            numbers: work.numbers.clone(),
            // Small enough for all threads to end at about the same time, large enough for the queue to cost nothing.
            chunk: (count / (workers * 16)).clamp(1, work.chunk.max(1)),
            ahead: workers * CHUNKS_AHEAD,
            state: Mutex::new(QueueState {
                next: 0,
                taken: 0,
                waiting: BTreeMap::new(),
                working: work.threads,
                is_stopped: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        // Every statement leaves the state consistent, so a panic while holding the lock has not broken it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'q>(&self, state: MutexGuard<'q, QueueState<T>>) -> MutexGuard<'q, QueueState<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn chunks(&self) -> u64 {
        self.numbers.end.saturating_sub(self.numbers.start).div_ceil(self.chunk)
    }

    fn numbers_of(&self, chunk: u64) -> Range<u64> {
        let first = self.numbers.start + chunk * self.chunk;
        first..(first + self.chunk).min(self.numbers.end)
    }

    /// The next chunk, for a thread. Waits while too many results are not taken yet; the thread with the earliest
    /// chunk never waits.
    fn next(&self) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.is_stopped || state.next >= self.chunks() {
                return None;
            }
            if state.next < state.taken + self.ahead {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.wait(state);
        }
    }

    fn put(&self, chunk: u64, results: Vec<T>) {
        self.state().waiting.insert(chunk, results);
        self.changed.notify_all();
    }

    /// The results of the next chunk, for the collector; `None` if all are taken or no thread is left.
    fn take(&self) -> Option<Vec<T>> {
        let mut state = self.state();
        loop {
            let taken = state.taken;
            if let Some(results) = state.waiting.remove(&taken) {
                state.taken += 1;
                self.changed.notify_all();
                return Some(results);
            }
            if taken >= self.chunks() || state.working == 0 {
                return None;
            }
            state = self.wait(state);
        }
    }
}

/// Signs a thread off even if it panics, so that the collector does not wait for it.
struct LeaveOnDrop<'q, T>(&'q Queue<T>);

impl<T> Drop for LeaveOnDrop<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.working = state.working.saturating_sub(1);
        // A panicked thread never delivers its chunk, so later chunks are useless.
        state.is_stopped |= std::thread::panicking();
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Stops the threads when the collector ends, even early.
struct StopOnDrop<'q, T>(&'q Queue<T>);

impl<T> Drop for StopOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.state().is_stopped = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_an_error_ends_the_work() {
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let work = Work::large(5..40, threads);
            let done = work.run(
                || Some(()),
                |(), number| number * 2,
                |()| {},
                |results| {
                    seen.extend(results);
                    if seen.len() < 20 { Ok(()) } else { Err("enough") }
                },
            );
            assert_eq!(done.unwrap(), Err("enough"));
            assert_eq!(seen[..20], (5..25).map(|number| number * 2).collect::<Vec<u64>>());
        }
    }
}
