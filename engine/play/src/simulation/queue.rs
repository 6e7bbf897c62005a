//! Work on all cores whose results come in order, so that they do not depend on the number of cores.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Most pieces of work that a thread takes at a time.
const MOST_IN_CHUNK: u64 = 64;

/// How many chunks per thread may be handed out ahead of the slowest one. This bounds the memory.
const CHUNKS_AHEAD: u64 = 8;

/// Stack of a thread. Deeply nested scripts end in an error on 8 MiB and in a crash on less than one.
const STACK: usize = 8 << 20;

/// The number of threads meant by 0: one per core.
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
    /// Their numbers.
    pub numbers: Range<u64>,
    /// Number of threads, from 1; see [`threads`].
    pub threads: usize,
    /// Most pieces that a thread takes at a time: more for small ones.
    pub chunk: u64,
}

impl Work {
    /// Pieces so small that a thread takes many at a time.
    #[must_use]
    pub fn small(numbers: Range<u64>, threads: usize) -> Self {
        Self { numbers, threads, chunk: MOST_IN_CHUNK }
    }

    /// Pieces that take long: a thread takes one at a time.
    #[must_use]
    pub fn large(numbers: Range<u64>, threads: usize) -> Self {
        Self { numbers, threads, chunk: 1 }
    }

    /// Does all of it. Each thread begins with `start` (what it needs stays with it) and ends with `finish`; `sink` gets the results
    /// chunk by chunk in the order of their numbers, on the thread of the caller, and its first error ends the work.
    ///
    /// # Errors
    /// The threads cannot be started: the outer one; that of the sink: the inner one.
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

/// Hands out chunks to threads, and returns their results in order.
struct Queue<T> {
    numbers: Range<u64>,
    chunk: u64,
    ahead: u64,
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    /// Next chunk to hand out.
    next: u64,
    /// Next chunk whose results are taken.
    taken: u64,
    /// Results of chunks that wait for an earlier one.
    waiting: BTreeMap<u64, Vec<T>>,
    /// Threads at work.
    working: usize,
    /// No more chunks are handed out.
    stopped: bool,
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
                stopped: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        // The state is whole after every statement: a thread that panicked holding the lock has not broken it.
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

    /// For threads: the next chunk. Waits while too many results have not been taken; the thread with the earliest chunk never does.
    fn next(&self) -> Option<u64> {
        let mut state = self.state();
        loop {
            if state.stopped || state.next >= self.chunks() {
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

    /// For the collector: the results of the next chunk; `None` when all have been taken, or when no thread is left to do it.
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

/// Signs a thread off even if it panics: the collector must not wait for it.
struct LeaveOnDrop<'q, T>(&'q Queue<T>);

impl<T> Drop for LeaveOnDrop<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.working = state.working.saturating_sub(1);
        // The chunk of a thread that panicked never comes, so doing later ones is pointless.
        state.stopped |= std::thread::panicking();
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Stops the threads when the collector ends, even early.
struct StopOnDrop<'q, T>(&'q Queue<T>);

impl<T> Drop for StopOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
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
