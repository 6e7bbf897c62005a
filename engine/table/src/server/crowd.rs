//! All connections of a server: how many there may be, and which one goes when there are too many.
//!
//! A connection that has shown no link is a stranger. Strangers are many only if somebody wants them to be, so one more ends the oldest
//! of them, and a newcomer with a link has the time until as many have come after it. Some places are for strangers alone: connections
//! with links never fill the server. One socket more than a link may have sends its oldest away, so nobody who has a link is locked out by
//! it. Where all links together have too many, the oldest socket of the link with the most goes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use super::gate::Key;

/// One of so many places is for strangers alone.
const FOR_STRANGERS: usize = 8;

/// All connections of a server.
#[derive(Debug)]
pub struct Crowd {
    most: usize,
    most_of_link: usize,
    now: Mutex<Now>,
}

#[derive(Debug, Default)]
struct Now {
    next: u64,
    all: BTreeMap<u64, Ends>,
    strangers: BTreeSet<u64>,
    links: BTreeMap<Key, BTreeSet<u64>>,
}

/// Two ways to end a connection.
#[derive(Debug)]
struct Ends {
    /// Dropped, it ends the connection at once.
    _cut: oneshot::Sender<()>,
    /// Notified, the socket says goodbye first.
    away: Arc<Notify>,
    /// The link that it has shown.
    link: Option<Key>,
}

/// A connection, to those who serve it.
#[derive(Debug, Clone)]
pub struct Line {
    number: u64,
    crowd: Arc<Crowd>,
    guest: Arc<AtomicBool>,
}

impl Crowd {
    /// Room for so many connections, and so many sockets of one link.
    #[must_use]
    pub fn new(most: usize, most_of_link: usize) -> Self {
        Self { most: most.max(2), most_of_link: most_of_link.max(1), now: Mutex::default() }
    }

    /// One more connection, and what resolves when it must end; whether another had to go for it.
    pub fn come(self: &Arc<Self>) -> (Line, oneshot::Receiver<()>, bool) {
        let (cut, ended) = oneshot::channel();
        let mut now = self.now();
        let mut full = false;
        while now.all.len() >= self.most && now.end_oldest_stranger() {
            full = true;
        }
        let number = now.next;
        now.next += 1;
        now.all.insert(number, Ends { _cut: cut, away: Arc::default(), link: None });
        now.strangers.insert(number);
        (Line { number, crowd: Arc::clone(self), guest: Arc::default() }, ended, full)
    }

    /// The system has no room for one more connection: the oldest stranger goes.
    pub fn make_room(&self) {
        self.now().end_oldest_stranger();
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Now {
    fn end_oldest_stranger(&mut self) -> bool {
        let oldest = self.strangers.pop_first();
        oldest.is_some_and(|oldest| self.all.remove(&oldest).is_some())
    }

    /// Sends the oldest socket of a link away: a stranger from now on.
    fn send_away(&mut self, link: Key) {
        let Some(oldest) = self.links.get(&link).and_then(|sockets| sockets.first().copied()) else { return };
        self.forget(link, oldest);
        if let Some(ends) = self.all.get_mut(&oldest) {
            ends.link = None;
            ends.away.notify_one();
            self.strangers.insert(oldest);
        }
    }

    fn forget(&mut self, link: Key, number: u64) {
        if let Some(sockets) = self.links.get_mut(&link) {
            sockets.remove(&number);
            if sockets.is_empty() {
                self.links.remove(&link);
            }
        }
    }
}

impl Line {
    /// The connection shows a link; returns what tells it to go. `None`: there are as many links as places.
    #[must_use]
    pub fn show(&self, link: Key) -> Option<Arc<Notify>> {
        let crowd = &self.crowd;
        let mut now = crowd.now();
        let own = now.links.get(&link).map_or(0, BTreeSet::len);
        let guests = now.all.len() - now.strangers.len();
        if own >= crowd.most_of_link {
            now.send_away(link);
        } else if guests >= crowd.most - (crowd.most / FOR_STRANGERS).max(1) {
            let (&fullest, sockets) = now.links.iter().max_by_key(|(_, sockets)| sockets.len())?;
            if sockets.len() < 2 {
                return None;
            }
            now.send_away(fullest);
        }
        let ends = now.all.get_mut(&self.number)?;
        ends.link = Some(link);
        let away = Arc::clone(&ends.away);
        now.strangers.remove(&self.number);
        now.links.entry(link).or_default().insert(self.number);
        self.guest.store(true, Ordering::Relaxed);
        Some(away)
    }

    /// Whether it has shown a link.
    #[must_use]
    pub fn is_guest(&self) -> bool {
        self.guest.load(Ordering::Relaxed)
    }

    /// The connection is gone.
    pub fn leave(&self) {
        let mut now = self.crowd.now();
        now.strangers.remove(&self.number);
        if let Some(link) = now.all.remove(&self.number).and_then(|ends| ends.link) {
            now.forget(link, self.number);
        }
    }
}
