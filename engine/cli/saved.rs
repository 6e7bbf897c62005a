//! Watches files for changes.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use motherlode::tools::hidden;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::fault::Fault;

/// A save is complete after a pause of this length, because editors save in several steps.
const QUIET: Duration = Duration::from_millis(10);

/// Watches the existing ones of these folders, and the folders or archives of mods. The receiver gets a message for each change as long
/// as the watcher lives. Changes of other files beside an archive are ignored.
pub fn watch(folders: &[PathBuf], mods: &[PathBuf]) -> Result<(RecommendedWatcher, Receiver<()>), Fault> {
    let (keep, changes) = channel();
    let full = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let (mut whole, archives): (Vec<PathBuf>, Vec<PathBuf>) = mods.iter().map(full).partition(|path| path.is_dir());
    whole.extend(folders.iter().map(full).filter(|path| path.is_dir()));
    let (inside, exactly) = (whole.clone(), archives.clone());
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let is_ours = |path: &PathBuf| exactly.contains(path) || inside.iter().any(|folder| path.starts_with(folder));
        // Ignore read access and a dropped receiver. An event without a path may concern any file.
        if event
            .is_ok_and(|event| !event.kind.is_access() && (event.paths.is_empty() || event.paths.iter().any(is_ours)))
        {
            let _ = keep.send(());
        }
    })
    .map_err(|error| Fault::failed(format!("cannot watch files: {error}")))?;
    let whole = whole.iter().map(|path| (path.as_path(), RecursiveMode::Recursive));
    // Watch the folder of an archive, because an archive is replaced as a whole.
    let around = archives.iter().filter_map(|path| Some((path.parent()?, RecursiveMode::NonRecursive)));
    for (path, mode) in whole.chain(around) {
        let watched = watcher.watch(path, mode);
        watched.map_err(|error| Fault::failed(format!("cannot watch `{}`: {error}", hidden::path(path))))?;
    }
    Ok((watcher, changes))
}

/// Waits until a save is complete; false if the watcher has ended.
pub fn wait_for_quiet(changes: &Receiver<()>) -> bool {
    loop {
        match changes.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
