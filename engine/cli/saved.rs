//! Notices that files are saved.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::RecommendedWatcher;

use crate::fault::Fault;

/// The pause after which a save is complete: an editor saves in several steps.
const QUIET: Duration = Duration::from_millis(10);

/// What watches, to which folders are added, and what it has noticed.
pub fn watcher() -> Result<(RecommendedWatcher, Receiver<()>), Fault> {
    let (keep, changes) = channel();
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file does not change it, and the receiver may be gone.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = keep.send(());
        }
    });
    Ok((watcher.map_err(|error| Fault::failed(format!("cannot watch files: {error}")))?, changes))
}

/// Waits until a save that has begun is complete; false if there can be no more.
pub fn settle(changes: &Receiver<()>) -> bool {
    loop {
        match changes.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
