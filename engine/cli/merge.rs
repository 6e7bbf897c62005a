//! `lode merge`: merges the shares of a run.

use std::path::PathBuf;

use crate::fault::Fault;
use crate::format::Format;
use crate::manifest::{self, Manifest};
use crate::perform::Merge;
use crate::shards::runs;
use motherlode::tools::hidden;

/// Merge the shares played with --shard, or print the results of a run saved with --out
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the run: --out of the command that played it
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write a row per game to this file
    #[arg(long, value_name = "FILE.csv|FILE.jsonl|FILE.parquet")]
    out: Option<PathBuf>,
    /// Overwrite an existing --out file
    #[arg(long, requires = "out")]
    force: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

impl Args {
    /// Finds the only run in the folder.
    pub fn open(&self) -> Result<Merge, Fault> {
        let Self { out, force, .. } = self;
        let merge = |folder, manifest| Merge { folder, manifest, out: out.clone(), force: *force };
        if manifest::is_in(&self.folder) {
            return Ok(merge(self.folder.clone(), Manifest::read(&self.folder)?));
        }
        let shown = hidden::path(&self.folder);
        if !self.folder.is_dir() {
            return Err(Fault::usage(format!(
                "there is no folder `{shown}`: give the --out folder of the command that played the run"
            )));
        }
        let mut runs = runs(&self.folder)?;
        match (runs.pop(), runs.as_slice()) {
            (Some((folder, manifest)), []) => Ok(merge(folder, manifest)),
            (None, _) => Err(Fault::usage(format!(
                "`{shown}` has no shares: give the --out folder of the command that played them"
            ))),
            (Some(last), [first, ..]) => {
                let folders = runs
                    .iter()
                    .chain(std::iter::once(&last))
                    .map(|run| format!("\n  lode merge {}", hidden::path(&run.0)));
                let difference = match first.1.difference(&last.1) {
                    none if none.is_empty() => "the same one in several folders".to_owned(),
                    names => format!("which differ in {names}"),
                };
                Err(Fault::usage(format!(
                    "`{shown}` has shares of {} runs, {difference}: merge one of them with{}",
                    runs.len() + 1,
                    folders.collect::<String>()
                )))
            }
        }
    }
}
