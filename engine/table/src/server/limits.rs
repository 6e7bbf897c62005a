//! How much a table takes from the network.

use std::time::Duration;

/// How much a table takes from the network.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at a time, whatever they are for; fewer if the system lets the program open fewer files.
    pub connections: usize,
    /// Sockets of one link at a time; one more sends the oldest away.
    pub sockets: usize,
    /// How long a connection may take for its request and the answer.
    pub request: Duration,
    /// How long the bytes of a message may take to come, from the first to the last.
    pub message: Duration,
    /// Messages that a browser may send at once.
    pub burst: u32,
    /// How long it takes until it may send one more.
    pub one_more: Duration,
    /// How long a socket may be silent: a browser that is there answers pings, which come three times as often.
    pub silence: Duration,
    /// How long a message may take to be written.
    pub slow: Duration,
    /// How long the others have to say whether an answer may be taken back.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 5_000,
            sockets: 64,
            request: Duration::from_secs(10),
            message: Duration::from_secs(10),
            burst: 40,
            one_more: Duration::from_millis(50),
            silence: Duration::from_secs(60),
            slow: Duration::from_secs(10),
            patience: Duration::from_secs(60),
        }
    }
}
