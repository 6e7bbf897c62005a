//! Limits of network use.

use std::time::Duration;

/// Limits of a server's network use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum open connections. The system's limit of open files may lower it.
    pub connections: usize,
    /// Maximum sockets per link. One more closes the oldest.
    pub sockets: usize,
    /// Maximum time for a request and its response.
    pub request: Duration,
    /// Maximum time from the first to the last byte of a message.
    pub message: Duration,
    /// Maximum messages that a browser may send in a burst.
    pub burst: u32,
    /// Time until a browser may send one more message.
    pub one_more: Duration,
    /// Maximum silence of a socket. The server pings three times in that time, and every live browser answers.
    pub silence: Duration,
    /// Maximum time to write a message.
    pub slow: Duration,
    /// Maximum time for consent to an undo.
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
