//! All connections of a server, and the choice of the one to close when there are too many.
//!
//! A connection without a link is a stranger. If the server is full, a new connection closes the oldest
//! stranger, so a newcomer keeps its place until that many connections have come after it. Some places are
//! reserved for strangers: connections with links never fill the server. Each link has a maximum number of
//! sockets, and one more closes its oldest, so the owner of a link is never locked out. If all links together
//! use too many places, the link with the most sockets loses its oldest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use super::gate::LinkHash;

/// One place in this number is reserved for strangers.
const FOR_STRANGERS: usize = 8;

/// The open connections of a server.
#[derive(Debug)]
pub struct Connections {
    max: usize,
    max_per_link: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    all: BTreeMap<u64, Handles>,
    strangers: BTreeSet<u64>,
    links: BTreeMap<LinkHash, BTreeSet<u64>>,
}

/// The two ways to close a connection.
#[derive(Debug)]
struct Handles {
    /// Dropping it closes the connection at once.
    _cut: oneshot::Sender<()>,
    /// Notifying it lets the socket send a farewell first.
    evict: Arc<Notify>,
    /// The link of the connection, if it has shown one.
    link: Option<LinkHash>,
}

/// A handle to an open connection.
#[derive(Debug, Clone)]
pub struct Connection {
    number: u64,
    connections: Arc<Connections>,
    linked: Arc<AtomicBool>,
}

impl Connections {
    /// Limits the connections in total and the sockets per link.
    #[must_use]
    pub fn new(max: usize, max_per_link: usize) -> Self {
        Self { max: max.max(2), max_per_link: max_per_link.max(1), inner: Mutex::default() }
    }

    /// Registers a connection. Returns it with the signal that closes it, and whether another one had to be closed.
    pub fn add(self: &Arc<Self>) -> (Connection, oneshot::Receiver<()>, bool) {
        let (cut, ended) = oneshot::channel();
        let mut inner = self.lock();
        let mut full = false;
        while inner.all.len() >= self.max && inner.close_oldest_stranger() {
            full = true;
        }
        let number = inner.next;
        inner.next += 1;
        inner.all.insert(number, Handles { _cut: cut, evict: Arc::default(), link: None });
        inner.strangers.insert(number);
        (Connection { number, connections: Arc::clone(self), linked: Arc::default() }, ended, full)
    }

    /// Closes the oldest stranger, because the system has no room for another connection.
    pub fn make_room(&self) {
        self.lock().close_oldest_stranger();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn close_oldest_stranger(&mut self) -> bool {
        let oldest = self.strangers.pop_first();
        oldest.is_some_and(|oldest| self.all.remove(&oldest).is_some())
    }

    /// Asks the oldest socket of a link to close, and counts it as a stranger from now on.
    fn evict_oldest(&mut self, link: LinkHash) {
        let Some(oldest) = self.links.get(&link).and_then(|sockets| sockets.first().copied()) else { return };
        self.forget(link, oldest);
        if let Some(handles) = self.all.get_mut(&oldest) {
            handles.link = None;
            handles.evict.notify_one();
            self.strangers.insert(oldest);
        }
    }

    fn forget(&mut self, link: LinkHash, number: u64) {
        if let Some(sockets) = self.links.get_mut(&link) {
            sockets.remove(&number);
            if sockets.is_empty() {
                self.links.remove(&link);
            }
        }
    }
}

impl Connection {
    /// Registers the link of the connection. Returns the signal that closes the socket; `None`: all places for
    /// links are taken.
    #[must_use]
    pub fn show_link(&self, link: LinkHash) -> Option<Arc<Notify>> {
        let connections = &self.connections;
        let mut inner = connections.lock();
        let own = inner.links.get(&link).map_or(0, BTreeSet::len);
        let linked = inner.all.len() - inner.strangers.len();
        if own >= connections.max_per_link {
            inner.evict_oldest(link);
        } else if linked >= connections.max - (connections.max / FOR_STRANGERS).max(1) {
            let (&fullest, sockets) = inner.links.iter().max_by_key(|(_, sockets)| sockets.len())?;
            if sockets.len() < 2 {
                return None;
            }
            inner.evict_oldest(fullest);
        }
        let handles = inner.all.get_mut(&self.number)?;
        handles.link = Some(link);
        let evict = Arc::clone(&handles.evict);
        inner.strangers.remove(&self.number);
        inner.links.entry(link).or_default().insert(self.number);
        self.linked.store(true, Ordering::Relaxed);
        Some(evict)
    }

    /// Whether the connection has shown a link.
    #[must_use]
    pub fn has_link(&self) -> bool {
        self.linked.load(Ordering::Relaxed)
    }

    /// Unregisters the connection.
    pub fn close(&self) {
        let mut inner = self.connections.lock();
        inner.strangers.remove(&self.number);
        if let Some(link) = inner.all.remove(&self.number).and_then(|handles| handles.link) {
            inner.forget(link, self.number);
        }
    }
}
