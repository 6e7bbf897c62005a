//! Connected browsers: their roles and their mailboxes.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::message::{ClientMessage, Viewpoint};
use super::workshop::ChoiceEstimate;

/// Maximum messages that wait for a slow browser before it is disconnected.
pub const BACKLOG: usize = 256;

/// The permissions of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// The seat, from 0; `None`: an onlooker.
    pub seat: Option<u8>,
    /// Whether the link belongs to the designer, who may see everything and step through the match.
    pub designer: bool,
}

impl Role {
    /// The viewing seat. An onlooker views as a seat beyond the table, which sees public information only.
    #[must_use]
    pub fn eyes(self) -> u8 {
        self.seat.unwrap_or(u8::MAX)
    }
}

/// The sending end of a browser's message queue.
#[derive(Debug, Clone)]
pub struct Mailbox {
    to: Sender<Utf8Bytes>,
    full: Arc<Notify>,
}

/// The receiving end of a [`Mailbox`].
#[derive(Debug)]
pub struct MailboxReceiver {
    from: Receiver<Utf8Bytes>,
    full: Arc<Notify>,
}

impl Mailbox {
    /// Creates both ends.
    #[must_use]
    pub fn new() -> (Self, MailboxReceiver) {
        let (to, from) = channel(BACKLOG);
        let full = Arc::new(Notify::new());
        (Self { to, full: Arc::clone(&full) }, MailboxReceiver { from, full })
    }

    /// Queues a message. A browser with a full queue is disconnected.
    pub fn send(&self, text: Utf8Bytes) {
        if self.to.try_send(text).is_err() {
            self.full.notify_one();
        }
    }
}

impl MailboxReceiver {
    /// The next message; `None`: the mailbox is gone, or the browser is too slow.
    pub async fn next(&mut self) -> Option<Utf8Bytes> {
        tokio::select! {
            biased;
            () = self.full.notified() => None,
            text = self.from.recv() => text,
        }
    }
}

/// A browser at a table.
#[derive(Debug)]
pub struct Client {
    /// Number of the connection.
    pub id: u64,
    /// Permissions of its link.
    pub role: Role,
    /// Queue of its messages.
    pub mailbox: Mailbox,
    /// Seat and step on display, if they differ from the browser's own live table.
    pub viewpoint: Option<Viewpoint>,
}

/// An event for a table.
#[derive(Debug)]
pub enum Event {
    /// A browser connected.
    Joined {
        /// Number of the connection.
        id: u64,
        /// Permissions of its link.
        role: Role,
        /// Fingerprint of the rules whose skeleton the browser already has.
        known: Option<String>,
        /// Queue of its messages.
        mailbox: Mailbox,
    },
    /// A browser sent a message.
    Message {
        /// Number of the connection.
        id: u64,
        /// The message.
        message: ClientMessage,
    },
    /// A browser disconnected.
    Left {
        /// Number of the connection.
        id: u64,
    },
    /// New estimates arrived.
    ChoiceEstimate {
        /// Number of the estimate run.
        number: u64,
        /// Estimates of the choices.
        choices: Vec<ChoiceEstimate>,
    },
}
