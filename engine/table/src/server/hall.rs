//! All tables of a server, and their worker threads.
//!
//! A table with new events waits in a queue for a thread. There are two queues: people's messages are handled
//! at once; bots and matches with slow scripts have their own queue and thread, so that other tables do not
//! wait for them. If the server has a [`Journal`], every event is on disk before any browser learns of it.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use motherlode_files::Image;

use super::client::Event;
use super::image::ServedImages;
use super::journal::{Commit, Journal};
use super::limits::Limits;
use super::match_record::MatchRecord;
use super::rules::{NewRules, Rules};
use super::table::{Save, Table, WaitFor};
use super::worker_match::WorkerMatch;
use super::workshop::{DesignerTools, EstimateUpdate};

/// Interval between checks for new rules, timers and estimates.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Processor time of one turn that marks a table as slow.
const SLOW_TURN: Duration = Duration::from_millis(30);

/// Maximum events of one table per turn.
const MAX_EVENTS: usize = 16;

/// Maximum tables without browsers that stay in memory, for browsers that return.
const MAX_DESERTED: usize = 256;

/// Maximum threads for people's messages.
const MAX_THREADS: usize = 4;

/// All tables of a server, before it starts.
pub struct Hall {
    rules: Arc<Rules>,
    tables: Vec<Table>,
    journal: Option<Journal>,
    renewed: Box<dyn FnMut() -> Option<NewRules> + Send>,
    limits: Limits,
}

/// The tables of a running server, shared by its threads.
pub struct SharedTables {
    slots: Vec<TableSlot>,
    quick: Queue,
    slow: Queue,
    due: Mutex<BTreeSet<(Instant, u32)>>,
    deserted: Mutex<VecDeque<u32>>,
    journal: Option<Sender<Commit>>,
    /// Images of the newest rules.
    images: Mutex<ServedImages>,
    /// Limits of network use.
    pub limits: Limits,
}

/// A table with its pending events.
struct TableSlot {
    inbox: Mutex<Inbox>,
    table: Mutex<Table>,
    slow: AtomicBool,
}

#[derive(Default)]
struct Inbox {
    events: VecDeque<Event>,
    renewed: Option<Result<Arc<Rules>, String>>,
    /// Whether the table is in a queue or in the hands of a thread.
    queued: bool,
}

/// Tables that wait for a thread.
#[derive(Default)]
struct Queue {
    waiting: Mutex<VecDeque<u32>>,
    more: Condvar,
}

impl Hall {
    /// A hall without tables.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let rules = Arc::new(rules);
        Self { rules, tables: Vec::new(), journal: None, renewed: Box::new(|| None), limits: Limits::default() }
    }

    /// Sets the limits.
    #[must_use]
    pub fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets a source of new rules. The hall polls it and replays its matches under new rules.
    #[must_use]
    pub fn renewed(self, renewed: Box<dyn FnMut() -> Option<NewRules> + Send>) -> Self {
        Self { renewed, ..self }
    }

    /// Writes all events to a journal.
    #[must_use]
    pub fn kept(self, journal: Journal) -> Self {
        Self { journal: Some(journal), ..self }
    }

    /// Adds a table; returns its number.
    pub fn add(&mut self, match_record: MatchRecord) -> u32 {
        self.push(Table::new(&self.rules, match_record, self.limits.patience))
    }

    /// Adds a view-only table; returns its number.
    pub fn show(&mut self, match_record: MatchRecord) -> u32 {
        self.push(Table::new(&self.rules, match_record, self.limits.patience).view_only())
    }

    /// Adds a table that saves its match; returns its number.
    pub fn add_saved(&mut self, match_record: MatchRecord, save: Save) -> u32 {
        self.push(Table::new(&self.rules, match_record, self.limits.patience).saved(save))
    }

    fn push(&mut self, table: Table) -> u32 {
        self.tables.push(table);
        self.tables.len() as u32 - 1
    }

    /// The matches, in the order of their numbers.
    pub fn courses(&self) -> impl Iterator<Item = &MatchRecord> {
        self.tables.iter().map(Table::match_record)
    }

    /// Starts the worker threads. `OpenHall::wait` does the rest.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn open(self) -> io::Result<OpenHall> {
        let (failed, ended) = channel();
        let journal = match self.journal {
            None => None,
            Some(journal) => {
                let (commits, received) = channel();
                thread::Builder::new().name("journal".into()).spawn(move || {
                    if let Err(error) = journal.keep(&received) {
                        // The receiver is gone if the hall is closed.
                        let _ = failed.send(io::Error::other(error));
                    }
                })?;
                Some(commits)
            }
        };
        let slot =
            |table| TableSlot { inbox: Mutex::default(), table: Mutex::new(table), slow: AtomicBool::new(false) };
        let shared = Arc::new(SharedTables {
            slots: self.tables.into_iter().map(slot).collect(),
            quick: Queue::default(),
            slow: Queue::default(),
            due: Mutex::default(),
            deserted: Mutex::default(),
            journal,
            images: Mutex::new(self.rules.images.clone()),
            limits: self.limits,
        });
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        for slow in (0..threads).map(|_| false).chain([true]) {
            let shared = Arc::clone(&shared);
            let name = if slow { "bots" } else { "table" };
            thread::Builder::new().name(name.into()).spawn(move || shared.work(slow))?;
        }
        Ok(OpenHall { shared, ended, renewed: self.renewed, workshop: self.rules.workshop.clone() })
    }
}

/// A running hall.
pub struct OpenHall {
    shared: Arc<SharedTables>,
    ended: std::sync::mpsc::Receiver<io::Error>,
    renewed: Box<dyn FnMut() -> Option<NewRules> + Send>,
    workshop: Option<Arc<dyn DesignerTools>>,
}

impl OpenHall {
    /// The shared tables.
    pub fn shared(&self) -> Arc<SharedTables> {
        Arc::clone(&self.shared)
    }

    /// Runs timers, estimates and new rules until `open` returns false.
    ///
    /// # Errors
    /// The journal can no longer be written.
    pub fn wait(mut self, open: impl Fn() -> bool) -> io::Result<()> {
        while open() {
            match self.ended.recv_timeout(POLL_INTERVAL) {
                Ok(error) => return Err(error),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                // There is no journal.
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => thread::sleep(POLL_INTERVAL),
            }
            self.shared.wake_those_due();
            for EstimateUpdate { of, number, choices } in self.workshop.iter().flat_map(|workshop| workshop.estimated())
            {
                self.shared.send(of, Event::ChoiceEstimate { number, choices });
            }
            if let Some(renewed) = (self.renewed)() {
                let renewed = renewed.map(Arc::new);
                if let Ok(rules) = &renewed {
                    self.shared.set_images(rules.images.clone());
                }
                for of in 0..self.shared.slots.len() as u32 {
                    self.shared.put(of, |inbox| inbox.renewed = Some(renewed.clone()));
                }
            }
        }
        Ok(())
    }
}

impl SharedTables {
    /// The image of a card with this hash.
    pub fn image(&self, hash: &str) -> Option<Arc<Image>> {
        lock(&self.images).get(hash).cloned()
    }

    fn set_images(&self, images: ServedImages) {
        *lock(&self.images) = images;
    }

    /// Queues an event for a table.
    pub fn send(&self, of: u32, event: Event) {
        self.put(of, |inbox| inbox.events.push_back(event));
    }

    fn put(&self, of: u32, put: impl FnOnce(&mut Inbox)) {
        let Some(slot) = self.slots.get(of as usize) else { return };
        let mut inbox = lock(&slot.inbox);
        put(&mut inbox);
        if !std::mem::replace(&mut inbox.queued, true) {
            self.queue(slot.slow.load(Ordering::Relaxed)).push(of);
        }
    }

    fn queue(&self, slow: bool) -> &Queue {
        if slow { &self.slow } else { &self.quick }
    }

    fn wake_those_due(&self) {
        let now = Instant::now();
        let mut come = Vec::new();
        {
            let mut due = lock(&self.due);
            while let Some(&first) = due.first().filter(|first| first.0 <= now) {
                due.remove(&first);
                come.push(first.1);
            }
        }
        for of in come {
            let mut inbox = lock(&self.slots[of as usize].inbox);
            if !std::mem::replace(&mut inbox.queued, true) {
                self.slow.push(of);
            }
        }
    }

    /// Serves waiting tables, one after the other.
    fn work(&self, slow: bool) {
        let mut worker = WorkerMatch::default();
        loop {
            let of = self.queue(slow).next();
            let slot = &self.slots[of as usize];
            let next = self.serve(of, slot, slow, &mut worker);
            let mut inbox = lock(&slot.inbox);
            if next == WaitFor::Bots {
                drop(inbox);
                self.slow.push(of);
                continue;
            }
            if let WaitFor::Time(when) = next {
                lock(&self.due).insert((when, of));
            }
            inbox.queued = !inbox.events.is_empty() || inbox.renewed.is_some();
            if inbox.queued {
                self.queue(slot.slow.load(Ordering::Relaxed)).push(of);
            }
        }
    }

    fn serve(&self, of: u32, slot: &TableSlot, slow: bool, worker: &mut WorkerMatch) -> WaitFor {
        let mut table = lock(&slot.table);
        let (events, renewed): (Vec<Event>, _) = {
            let mut inbox = lock(&slot.inbox);
            let many = inbox.events.len().min(MAX_EVENTS);
            (inbox.events.drain(..many).collect(), inbox.renewed.take())
        };
        let mut commit = Commit { of, ..Commit::default() };
        if let Some(renewed) = renewed {
            table.apply_new_rules(&renewed, worker, &mut commit);
        }
        let begin = ThreadTime::now();
        let heard = !events.is_empty();
        let mut next = table.serve(worker, events, false, &mut commit);
        if heard {
            slot.slow.store(begin.elapsed() > SLOW_TURN, Ordering::Relaxed);
        }
        if slow && next != WaitFor::Event {
            next = table.serve(worker, Vec::new(), true, &mut commit);
        }
        // Send before releasing the table, to keep the order of its messages.
        match &self.journal {
            // If the journal is gone, nobody learns of the event.
            Some(journal) => drop(journal.send(commit)),
            None => commit.deliver(),
        }
        if table.is_deserted() && next != WaitFor::Bots {
            drop(table);
            self.note_deserted(of);
        }
        next
    }

    /// Notes that a table has no browsers. If there are too many such tables, the oldest goes to sleep.
    fn note_deserted(&self, of: u32) {
        let mut left = lock(&self.deserted);
        left.push_back(of);
        if left.len() > MAX_DESERTED
            && let Some(first) = left.pop_front()
            && let Ok(mut table) = self.slots[first as usize].table.try_lock()
            && table.is_deserted()
        {
            table.sleep();
        }
    }
}

impl Queue {
    fn push(&self, of: u32) {
        lock(&self.waiting).push_back(of);
        self.more.notify_one();
    }

    fn next(&self) -> u32 {
        let mut waiting = lock(&self.waiting);
        loop {
            if let Some(of) = waiting.pop_front() {
                return of;
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Locks a mutex, even after a panic of another thread: the data stays usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
