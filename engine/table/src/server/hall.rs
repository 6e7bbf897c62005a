//! All tables of a server, and the threads that attend to them.
//!
//! Tables at which something has happened stand in a lane until a thread takes them. There are two lanes: what people say is heard at
//! once; bots, which think, and matches whose scripts take long have a lane and a thread of their own, so that others do not wait for
//! them. Whatever a match does is kept before anybody hears of it, if the server keeps a [`Journal`].

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::client::Event;
use super::course::Course;
use super::journal::{Commit, Journal};
use super::limits::Limits;
use super::rules::{Renewed, Rules};
use super::table::{Hands, Next, Save, Table};
use super::workshop::{Trial, Workshop};

/// How often the hall looks for newer rules, for what has come due, and for what choices have come to.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Processor time from which on a table is slow.
const SLOW: Duration = Duration::from_millis(30);

/// Events that a table hears at once, before others get their turn.
const AT_ONCE: usize = 16;

/// Most tables at which nobody is left that stay awake, for those who come back.
const LEFT: usize = 256;

/// Most threads that hear what people say.
const THREADS: usize = 4;

/// All tables of a server.
pub struct Hall {
    rules: Arc<Rules>,
    tables: Vec<Table>,
    journal: Option<Journal>,
    renewed: Box<dyn FnMut() -> Option<Renewed> + Send>,
    limits: Limits,
}

/// The same while it is open: what its threads share.
pub struct Floor {
    slots: Vec<Slot>,
    quick: Lane,
    slow: Lane,
    due: Mutex<BTreeSet<(Instant, u32)>>,
    left: Mutex<VecDeque<u32>>,
    journal: Option<Sender<Commit>>,
    /// How much is taken from the network.
    pub limits: Limits,
}

/// A table with what has happened at it.
struct Slot {
    inbox: Mutex<Inbox>,
    table: Mutex<Table>,
    slow: AtomicBool,
}

#[derive(Default)]
struct Inbox {
    events: VecDeque<Event>,
    renewed: Option<Result<Arc<Rules>, String>>,
    /// Whether the table stands in a lane, or somebody attends to it.
    queued: bool,
}

/// Tables that wait for a thread.
#[derive(Default)]
struct Lane {
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

    /// The same with other limits.
    #[must_use]
    pub fn limited(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// A hall that asks now and then for newer rules, by which its matches are played again.
    #[must_use]
    pub fn renewed(self, renewed: Box<dyn FnMut() -> Option<Renewed> + Send>) -> Self {
        Self { renewed, ..self }
    }

    /// A hall that keeps what happens.
    #[must_use]
    pub fn kept(self, journal: Journal) -> Self {
        Self { journal: Some(journal), ..self }
    }

    /// Adds a table; returns its number.
    pub fn add(&mut self, course: Course) -> u32 {
        self.push(Table::new(&self.rules, course, self.limits.patience))
    }

    /// Adds a table at which a match is only shown; returns its number.
    pub fn show(&mut self, course: Course) -> u32 {
        self.push(Table::new(&self.rules, course, self.limits.patience).shown())
    }

    /// Adds a table whose match is saved; returns its number.
    pub fn add_saved(&mut self, course: Course, save: Save) -> u32 {
        self.push(Table::new(&self.rules, course, self.limits.patience).saved(save))
    }

    fn push(&mut self, table: Table) -> u32 {
        self.tables.push(table);
        self.tables.len() as u32 - 1
    }

    /// The matches, in the order of their numbers.
    pub fn courses(&self) -> impl Iterator<Item = &Course> {
        self.tables.iter().map(Table::course)
    }

    /// Opens the hall: the threads begin to work. The rest goes on in [`Open::wait`].
    ///
    /// # Errors
    /// The system has no threads.
    pub fn open(self) -> io::Result<Open> {
        let (failed, ended) = channel();
        let journal = match self.journal {
            None => None,
            Some(journal) => {
                let (commits, received) = channel();
                thread::Builder::new().name("journal".into()).spawn(move || {
                    if let Err(error) = journal.keep(&received) {
                        // Nobody listens any more if the hall is closed.
                        let _ = failed.send(io::Error::other(error));
                    }
                })?;
                Some(commits)
            }
        };
        let slot = |table| Slot { inbox: Mutex::default(), table: Mutex::new(table), slow: AtomicBool::new(false) };
        let floor = Arc::new(Floor {
            slots: self.tables.into_iter().map(slot).collect(),
            quick: Lane::default(),
            slow: Lane::default(),
            due: Mutex::default(),
            left: Mutex::default(),
            journal,
            limits: self.limits,
        });
        let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
        for slow in (0..threads).map(|_| false).chain([true]) {
            let floor = Arc::clone(&floor);
            let name = if slow { "bots" } else { "table" };
            thread::Builder::new().name(name.into()).spawn(move || floor.work(slow))?;
        }
        Ok(Open { floor, ended, renewed: self.renewed, workshop: self.rules.workshop.clone() })
    }
}

/// A hall at work.
pub struct Open {
    floor: Arc<Floor>,
    ended: std::sync::mpsc::Receiver<io::Error>,
    renewed: Box<dyn FnMut() -> Option<Renewed> + Send>,
    workshop: Option<Arc<dyn Workshop>>,
}

impl Open {
    /// What its threads share.
    pub fn floor(&self) -> Arc<Floor> {
        Arc::clone(&self.floor)
    }

    /// Looks after the hall as long as `open` says so.
    ///
    /// # Errors
    /// The journal cannot be written any more.
    pub fn wait(mut self, open: impl Fn() -> bool) -> io::Result<()> {
        while open() {
            match self.ended.recv_timeout(LOOK_AGAIN) {
                Ok(error) => return Err(error),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                // There is no journal.
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => thread::sleep(LOOK_AGAIN),
            }
            self.floor.wake_those_due();
            for Trial { of, number, choices } in self.workshop.iter().flat_map(|workshop| workshop.estimated()) {
                self.floor.say(of, Event::Estimated { number, choices });
            }
            if let Some(renewed) = (self.renewed)() {
                let renewed = renewed.map(Arc::new);
                for of in 0..self.floor.slots.len() as u32 {
                    self.floor.put(of, |inbox| inbox.renewed = Some(renewed.clone()));
                }
            }
        }
        Ok(())
    }
}

impl Floor {
    /// Something happens at a table.
    pub fn say(&self, of: u32, event: Event) {
        self.put(of, |inbox| inbox.events.push_back(event));
    }

    fn put(&self, of: u32, put: impl FnOnce(&mut Inbox)) {
        let Some(slot) = self.slots.get(of as usize) else { return };
        let mut inbox = lock(&slot.inbox);
        put(&mut inbox);
        if !std::mem::replace(&mut inbox.queued, true) {
            self.lane(slot.slow.load(Ordering::Relaxed)).push(of);
        }
    }

    fn lane(&self, slow: bool) -> &Lane {
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

    /// Attends to one table after the other.
    fn work(&self, slow: bool) {
        let mut hands = Hands::default();
        loop {
            let of = self.lane(slow).next();
            let slot = &self.slots[of as usize];
            let next = self.attend(of, slot, slow, &mut hands);
            let mut inbox = lock(&slot.inbox);
            if next == Next::Bots {
                drop(inbox);
                self.slow.push(of);
                continue;
            }
            if let Next::Moment(when) = next {
                lock(&self.due).insert((when, of));
            }
            inbox.queued = !inbox.events.is_empty() || inbox.renewed.is_some();
            if inbox.queued {
                self.lane(slot.slow.load(Ordering::Relaxed)).push(of);
            }
        }
    }

    fn attend(&self, of: u32, slot: &Slot, slow: bool, hands: &mut Hands) -> Next {
        let mut table = lock(&slot.table);
        let (events, renewed): (Vec<Event>, _) = {
            let mut inbox = lock(&slot.inbox);
            let many = inbox.events.len().min(AT_ONCE);
            (inbox.events.drain(..many).collect(), inbox.renewed.take())
        };
        let mut commit = Commit { of, ..Commit::default() };
        if let Some(renewed) = renewed {
            table.renew(&renewed, hands, &mut commit);
        }
        let begin = ThreadTime::now();
        let heard = !events.is_empty();
        let mut next = table.attend(hands, events, false, &mut commit);
        if heard {
            slot.slow.store(begin.elapsed() > SLOW, Ordering::Relaxed);
        }
        if slow && next != Next::Nothing {
            next = table.attend(hands, Vec::new(), true, &mut commit);
        }
        // Still with the table in hand: what it says keeps its order.
        match &self.journal {
            // Nobody hears of what cannot be kept.
            Some(journal) => drop(journal.send(commit)),
            None => commit.deliver(),
        }
        if table.is_left() && next != Next::Bots {
            drop(table);
            self.is_left(of);
        }
        next
    }

    /// Nobody is left at a table: it may fall asleep when others are left, too.
    fn is_left(&self, of: u32) {
        let mut left = lock(&self.left);
        left.push_back(of);
        if left.len() > LEFT
            && let Some(first) = left.pop_front()
            && let Ok(mut table) = self.slots[first as usize].table.try_lock()
            && table.is_left()
        {
            table.sleep();
        }
    }
}

impl Lane {
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

/// What one thread leaves behind is good for the others, whatever has become of it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
