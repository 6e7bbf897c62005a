//! Reads a game at a git revision.

use std::path::Path;
use std::process::Command;

use motherlode::Pack;
use motherlode::tools::{hidden, nearest};
use motherlode_files::reason;

use crate::fault::Fault;

/// Values that an argument takes besides a git revision, for its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    /// A folder.
    Folder,
    /// None.
    Nothing,
}

/// Reads a game at a git revision, as in `git:HEAD~1`, of the repository that holds its folder.
///
/// # Errors
/// There is no git, no repository, no such revision, or no such game in it.
pub fn read(root: &Path, revision: &str, id: &str, otherwise: Otherwise) -> Result<Pack, Fault> {
    let revision = revision.strip_prefix("git:").unwrap_or(revision);
    let shown = hidden::name(revision);
    let (neither, fix) = match otherwise {
        Otherwise::Folder => ("neither a folder nor a git revision", "give a folder, or a revision such as git:HEAD~1"),
        Otherwise::Nothing => ("not a git revision", "give one such as git:HEAD~1"),
    };
    let unknown = |near: Option<&str>| {
        let fix = near.map_or_else(|| fix.to_owned(), |near| format!("did you mean git:{near}?"));
        Fault::usage(format!("`{shown}` is {neither}: {fix}"))
    };
    if revision.is_empty() || revision.starts_with('-') {
        return Err(unknown(None));
    }
    git(root, &["rev-parse", "--git-dir"])?.ok_or_else(|| {
        let root = hidden::path(root);
        Fault::usage(match otherwise {
            Otherwise::Folder => {
                format!("`{shown}` is not a folder, and `{root}` is in no git repository: give a folder")
            }
            Otherwise::Nothing => format!("`{root}` is in no git repository: run `git init` and commit the game"),
        })
    })?;
    if git(root, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{tree}}")])?.is_none() {
        let names = git(root, &["for-each-ref", "--format=%(refname:short)"])?.unwrap_or_default();
        let names = String::from_utf8_lossy(&names).into_owned();
        return Err(unknown(nearest(revision, names.lines().chain(["HEAD"]))));
    }
    let unread = |path: &str| Fault::failed(format!("git cannot read `{path}` at `{shown}`: run `git fsck`"));
    let folders = [format!("content/{id}"), format!("scripts/{id}")];
    // With -z git ends names with NUL and does not quote them; they are relative to the folder.
    let listed = git(root, &["ls-tree", "-r", "-z", "--name-only", revision, "--", &folders[0], &folders[1]])?;
    let listed = String::from_utf8_lossy(&listed.ok_or_else(|| unread(&folders[0]))?).into_owned();
    let mut files = Vec::new();
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        let text = git(root, &["show", &format!("{revision}:./{path}")])?.ok_or_else(|| unread(path))?;
        let text = String::from_utf8(text).map_err(|_| Fault::failed(format!("`{path}` of {shown} is not UTF-8")))?;
        files.push((path.to_owned(), text));
    }
    if files.is_empty() {
        return Err(Fault::usage(format!("revision `{shown}` has no game `{id}`")));
    }
    Ok(Pack::from_files(id, files))
}

/// The output of git in a folder; `None` if git fails. Its own words are for people who typed a command of git.
fn git(folder: &Path, arguments: &[&str]) -> Result<Option<Vec<u8>>, Fault> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output
        .map_err(|error| Fault::failed(format!("cannot run git ({}): install it, or give a folder", reason(&error))))?;
    Ok(output.status.success().then_some(output.stdout))
}
