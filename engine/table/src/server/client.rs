//! Whoever has come to a table: what the link allows, and where messages go.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::message::{Place, Said};
use super::workshop::Estimated;

/// Messages that may wait for a slow reader before it is dropped.
pub const BACKLOG: usize = 256;

/// What whoever has a link may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// The seat, from 0; `None`: looks on.
    pub seat: Option<u8>,
    /// May see everything and go through the match.
    pub designer: bool,
}

impl Role {
    /// Through whose eyes the table is seen; a seat beyond those at the table sees what is public.
    #[must_use]
    pub fn eyes(self) -> u8 {
        self.seat.unwrap_or(u8::MAX)
    }
}

/// Takes messages for one browser.
#[derive(Debug, Clone)]
pub struct Mailbox {
    to: Sender<Utf8Bytes>,
    full: Arc<Notify>,
}

/// The other end of a [`Mailbox`].
#[derive(Debug)]
pub struct Post {
    from: Receiver<Utf8Bytes>,
    full: Arc<Notify>,
}

impl Mailbox {
    /// A mailbox and its other end.
    #[must_use]
    pub fn new() -> (Self, Post) {
        let (to, from) = channel(BACKLOG);
        let full = Arc::new(Notify::new());
        (Self { to, full: Arc::clone(&full) }, Post { from, full })
    }

    /// Takes a message. Whoever reads too slowly for that is sent away.
    pub fn put(&self, text: Utf8Bytes) {
        if self.to.try_send(text).is_err() {
            self.full.notify_one();
        }
    }
}

impl Post {
    /// The next message; `None`: there is no more, or the reader is too slow.
    pub async fn next(&mut self) -> Option<Utf8Bytes> {
        tokio::select! {
            biased;
            () = self.full.notified() => None,
            text = self.from.recv() => text,
        }
    }
}

/// Somebody at a table.
#[derive(Debug)]
pub struct Client {
    /// Number of the connection.
    pub id: u64,
    /// What it may do.
    pub role: Role,
    /// Takes messages for it.
    pub mailbox: Mailbox,
    /// Where it looks, if that is not the own seat, now.
    pub looks: Option<Place>,
}

/// What a browser does, or what was done for one.
#[derive(Debug)]
pub enum Event {
    /// It has come.
    Came {
        /// Number of the connection.
        id: u64,
        /// What it may do.
        role: Role,
        /// The skeleton that it has already, by the fingerprint of its rules.
        known: Option<String>,
        /// Takes messages for it.
        mailbox: Mailbox,
    },
    /// It says something.
    Said {
        /// Number of the connection.
        id: u64,
        /// The message.
        said: Said,
    },
    /// It has gone.
    Left {
        /// Number of the connection.
        id: u64,
    },
    /// Choices have been tried for one.
    Estimated {
        /// Number of the trial.
        number: u64,
        /// What the choices have come to.
        choices: Vec<Estimated>,
    },
}
