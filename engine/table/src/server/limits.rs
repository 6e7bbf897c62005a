//! How much a table takes from the network.

use std::time::Duration;

/// How much a table takes from the network.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections at a time, whatever they are for.
    pub connections: usize,
    /// Sockets at one match at a time.
    pub sockets: usize,
    /// Messages that a browser may send at once.
    pub burst: u32,
    /// How long it takes until it may send one more.
    pub one_more: Duration,
    /// How long a connection may be silent: a browser that is there answers pings, which come three times as often.
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
            burst: 40,
            one_more: Duration::from_millis(50),
            silence: Duration::from_secs(60),
            slow: Duration::from_secs(10),
            patience: Duration::from_secs(60),
        }
    }
}
