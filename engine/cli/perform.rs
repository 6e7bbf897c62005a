//! Plays an experiment: at once; in a folder, from which a stopped run resumes; or one share of it. Also merges shares that were played.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use motherlode::tools::hidden;
use motherlode_play::{Experiment, RolloutCost, SheetFormat};

use crate::fault::Fault;
use crate::lab::{LabProgress, with_advice};
use crate::manifest::Manifest;
use crate::rows::Rows;
use crate::shards::{Batch, Shards};

/// The arguments that say where results are kept.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct KeepArgs {
    /// Write a row per game to this file; or, if the name has no extension, save the run in this folder, so that the same
    /// command resumes it after a stop
    #[arg(long, value_name = "FILE.csv|FILE.jsonl|FILE.parquet|DIR")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing --out file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Play one share of the run, from 1/N to N/N, into the folder --out; `lode merge` merges the shares
    #[arg(long, value_name = "I/N", requires = "out", value_parser = share)]
    pub shard: Option<Share>,
    /// The run to merge; set by `lode merge` only.
    #[arg(skip)]
    pub merge: Option<Merge>,
    /// Why the file of rows could not be written.
    #[arg(skip)]
    rows_error: Rc<OnceCell<String>>,
}

/// A run whose shares have been played.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The folder of its shards.
    pub folder: PathBuf,
    /// The manifest of the run.
    pub manifest: Manifest,
    /// The file of rows to write.
    pub out: Option<PathBuf>,
    /// Whether to overwrite that file.
    pub force: bool,
}

/// One of several shares of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Number of this share, from 1.
    number: u64,
    /// Number of shares.
    of: u64,
}

fn share(text: &str) -> Result<Share, String> {
    let pair = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match pair {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
        Some((number, of @ 1..)) => Err(format!("there is no share {number} of {of}: use 1/{of} to {of}/{of}")),
        _ => Err("use 1/8 for the first of eight shares, 8/8 for the last".to_owned()),
    }
}

impl Share {
    /// The part of a stage that belongs to this share.
    fn of(self, stage: &Range<u64>) -> Range<u64> {
        let length = u128::from(stage.end - stage.start);
        // At most the length, which has 64 bits.
        let cut = |number: u64| u64::try_from(length * u128::from(number) / u128::from(self.of)).unwrap_or(u64::MAX);
        stage.start + cut(self.number - 1)..stage.start + cut(self.number)
    }
}

/// The target of `--out`.
enum OutTarget<'a> {
    Unset,
    File(&'a Path, bool),
    Folder(&'a Path),
}

impl KeepArgs {
    /// The arguments that merge a run.
    pub fn merging(merge: Merge) -> Self {
        Self { merge: Some(merge), ..Self::default() }
    }

    fn target(&self) -> Result<OutTarget<'_>, Fault> {
        let Some(out) = &self.out else { return Ok(OutTarget::Unset) };
        let shown = hidden::path(out);
        let is_file = SheetFormat::of(out).is_some();
        if is_file && self.shard.is_some() {
            return Err(Fault::usage(format!(
                "--shard needs a folder, not the file `{shown}`: use --out {}",
                hidden::path(out.with_extension(""))
            )));
        }
        if is_file {
            return Ok(OutTarget::File(out, self.force));
        }
        if out.is_file() || out.extension().is_some() && !out.is_dir() {
            return Err(Fault::usage(format!(
                "`{shown}` has no known extension: use .csv, .jsonl or .parquet for a file, or no extension for a folder"
            )));
        }
        if self.force {
            return Err(Fault::usage(format!(
                "--force only overwrites files: to start again, delete the folder `{shown}`"
            )));
        }
        Ok(OutTarget::Folder(out))
    }

    /// Whether the results come from a folder, which does not record how long they took.
    pub fn is_in_folder(&self) -> bool {
        self.merge.is_some() || matches!(self.target(), Ok(OutTarget::Folder(_)))
    }

    /// Fails if the rows could not be written. Call it after printing the results, which may have taken hours.
    pub fn check_rows(&self) -> Result<(), Fault> {
        self.rows_error.get().map_or(Ok(()), |reason| Err(Fault::failed(reason)))
    }

    /// Prints which file was written, with a row per `unit`.
    pub fn print_rows_file(&self, out: &mut dyn Write, unit: &str) -> Result<(), Fault> {
        if self.rows_error.get().is_some() {
            return Ok(());
        }
        let file = match (&self.merge, self.target()?) {
            (Some(merge), _) => merge.out.as_deref(),
            (None, OutTarget::File(file, _)) => Some(file),
            _ => None,
        };
        if let Some(file) = file {
            writeln!(out, "wrote a row per {unit} to {}", hidden::path(file))?;
        }
        Ok(())
    }
}

/// Plays an experiment as the arguments ask; `unit` is the plural name of its pieces. Returns `None` for a single share, which has no report.
pub fn perform<E>(
    experiment: &E,
    args: &KeepArgs,
    unit: &'static str,
    manifest: impl FnOnce() -> Result<Manifest, Fault>,
) -> Result<Option<E::Report>, Fault>
where
    E: Experiment,
    Fault: From<E::Error>,
{
    experiment.check()?;
    let mut stages = experiment.stages();
    stages.retain(|stage| !stage.is_empty());
    let all = stages.last().map_or(0, |stage| stage.end);
    let mut run = Run { experiment, stages, all, unit, cost: None };
    if let Some(merge) = &args.merge {
        return run.merge(merge, &manifest()?).map(Some);
    }
    run.cost = with_advice(experiment.cost());
    match args.target()? {
        OutTarget::Unset => run.play_at_once(None).map(|(report, _)| Some(report)),
        OutTarget::File(file, force) => {
            let (report, written) = run.play_at_once(Some(Rows::create(file, force, experiment.columns())?))?;
            if let Some(reason) = written.err().and_then(|fault| fault.reason()) {
                // The cell is set only here.
                let _ = args.rows_error.set(reason);
            }
            Ok(Some(report))
        }
        OutTarget::Folder(dir) => {
            let shards = Shards::begin(dir, &manifest()?)?;
            match args.shard {
                Some(share) => run.play_share(shards, share).map(|()| None),
                None => run.resume(shards).map(Some),
            }
        }
    }
}

/// An experiment to play.
struct Run<'e, E> {
    experiment: &'e E,
    stages: Vec<Range<u64>>,
    all: u64,
    unit: &'static str,
    cost: Option<RolloutCost>,
}

/// The sum of the first pieces, in order.
struct Prefix<E: Experiment> {
    sum: E::Sum,
    /// Number of the next piece.
    next: u64,
    /// Whether the experiment has ended early.
    ended: bool,
}

impl<E: Experiment> Prefix<E> {
    fn new(experiment: &E) -> Self {
        Self { sum: experiment.begin(), next: 0, ended: false }
    }

    fn add(&mut self, experiment: &E, piece: &E::Piece) {
        self.next += 1;
        self.ended = experiment.add(&mut self.sum, piece).is_break();
    }

    /// Reads the file that begins with the next piece; false if there is none. Calls `each` with the number of each piece.
    fn read(
        &mut self,
        experiment: &E,
        shards: &Shards,
        mut each: impl FnMut(u64, E::Piece) -> Result<(), Fault>,
    ) -> Result<bool, Fault> {
        let Some(range) = shards.at(self.next) else { return Ok(false) };
        for (number, piece) in range.clone().zip(shards.read::<E::Piece>(&range)?) {
            if self.ended {
                break;
            }
            if !experiment.is_possible(&piece) {
                return Err(shards.impossible(&range, number));
            }
            self.add(experiment, &piece);
            each(number, piece)?;
        }
        Ok(true)
    }
}

impl<E> Run<'_, E>
where
    E: Experiment,
    Fault: From<E::Error>,
{
    /// The progress through stages that end at these counts.
    fn progress(&self, ends: Vec<u64>) -> LabProgress {
        let mut progress = LabProgress::with_cost(ends.last().copied().unwrap_or_default(), self.unit, self.cost);
        if self.experiment.ends_early() {
            progress.may_end_early();
        }
        progress.set_stages(ends);
        progress
    }

    /// Plays the experiment without a folder. If rows cannot be written any more, continues without them.
    fn play_at_once(&self, mut rows: Option<Rows>) -> Result<(E::Report, Result<(), Fault>), Fault> {
        let mut progress = self.progress(self.stages.iter().map(|stage| stage.end).collect());
        let (mut done, mut written) = (0, Ok(()));
        let report = self.experiment.perform(&mut |sum, piece| {
            if let Some(Err(fault)) = rows.as_mut().map(|rows| rows.write(self.experiment.rows(piece))) {
                (rows, written) = (None, Err(fault));
            }
            done += 1;
            progress.set_remark(self.experiment.remark(sum));
            progress.set_next_stage_cost(self.experiment.next_stage_cost(sum));
            if progress.done(done) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        progress.finish();
        let report = report?;
        let written = written.and_then(|()| rows.map_or(Ok(()), Rows::finish));
        Ok((report, written))
    }

    /// Plays the pieces that the folder lacks.
    fn resume(&self, mut shards: Shards) -> Result<E::Report, Fault> {
        let before = self.all - count(&shards.gaps(0..self.all));
        let (folder, unit, all) = (hidden::path(&shards.folder), self.unit, self.all);
        match before {
            0 => eprintln!("note: the run is saved in `{folder}`; if stopped, the same command resumes it"),
            _ => eprintln!("note: resuming with {before} of {all} {unit} from `{folder}`"),
        }
        let mut progress = self.progress(self.stages.iter().map(|stage| stage.end).collect());
        progress.start_at(before);
        let mut prefix = Prefix::new(self.experiment);
        let mut stopped = false;
        let mut done = before;
        for stage in &self.stages {
            let plan = self.experiment.plan(&prefix.sum);
            while prefix.next < stage.end && !prefix.ended && !stopped {
                if prefix.read(self.experiment, &shards, |_, _| Ok(()))? {
                    continue;
                }
                // A gap exists: its first piece is the next one.
                let Some(gap) = shards.gaps(prefix.next..stage.end).into_iter().next() else { break };
                stopped = self.fill(&mut shards, &plan, (gap, stage.start), |piece| {
                    prefix.add(self.experiment, piece);
                    done += 1;
                    progress.set_remark(self.experiment.remark(&prefix.sum));
                    progress.set_next_stage_cost(self.experiment.next_stage_cost(&prefix.sum));
                    Ok(progress.done(done) && !prefix.ended)
                })? && !prefix.ended;
            }
        }
        progress.finish();
        Ok(self.experiment.report(prefix.sum, stopped && prefix.next < self.all)?)
    }

    /// Plays a range and writes it in files, cut at distances from `anchor`. Returns true if `each` stopped it or the run was halted.
    fn fill(
        &self,
        shards: &mut Shards,
        plan: &E::Plan,
        (range, anchor): (Range<u64>, u64),
        mut each: impl FnMut(&E::Piece) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let mut batch = Batch::new(range.start, anchor, self.all);
        let (mut stopped, mut failed, mut left) = (false, None, range.end - range.start);
        self.experiment.play(plan, range, &mut |piece| {
            left -= 1;
            match batch.push(shards, &piece).and_then(|()| each(&piece)) {
                Ok(true) => return ControlFlow::Continue(()),
                Ok(false) => stopped = true,
                Err(fault) => failed = Some(fault),
            }
            ControlFlow::Break(())
        })?;
        failed.map_or(Ok(()), Err)?;
        batch.finish(shards)?;
        Ok(stopped || left > 0)
    }

    /// Plays the missing pieces of one share.
    fn play_share(&self, mut shards: Shards, share: Share) -> Result<(), Fault> {
        let Share { number, of } = share;
        let mut prefix = Prefix::new(self.experiment);
        let own = |stage: &Range<u64>| share.of(stage);
        let mut left = 0;
        let mut ends = Vec::new();
        for stage in &self.stages {
            left += count(&shards.gaps(own(stage)));
            ends.push(left);
        }
        let mut progress = self.progress(ends);
        let mut done = 0;
        for stage in &self.stages {
            self.catch_up(&mut prefix, &mut shards, stage)?;
            if prefix.next < stage.start && !prefix.ended {
                progress.finish();
                let missing = self.describe(&shards.gaps(0..stage.start));
                eprintln!(
                    "note: share {number} of {of} waits for the others: {missing} are missing; run the same command again when all \
                     shares have reached this point"
                );
                return Ok(());
            }
            let plan = self.experiment.plan(&prefix.sum);
            for gap in shards.gaps(own(stage)) {
                if prefix.ended {
                    break;
                }
                let stopped = self.fill(&mut shards, &plan, (gap, own(stage).start), |_| {
                    done += 1;
                    Ok(progress.done(done))
                })?;
                if stopped && done < left {
                    progress.finish();
                    return Err(Fault::failed("stopped before the end: the same command resumes the run"));
                }
                self.catch_up(&mut prefix, &mut shards, stage)?;
            }
        }
        progress.finish();
        let folder = hidden::path(&shards.folder);
        if prefix.ended {
            eprintln!("note: `{folder}` holds enough for a verdict; the rest of share {number} of {of} is not needed");
        } else {
            eprintln!("note: share {number} of {of} is complete in `{folder}`; merge the shares with `lode merge`");
        }
        Ok(())
    }

    /// Reads the pieces of other shares that matter: a later stage needs all earlier pieces, and a run that may end early ends by its
    /// first pieces.
    fn catch_up(&self, prefix: &mut Prefix<E>, shards: &mut Shards, stage: &Range<u64>) -> Result<(), Fault> {
        let far = if self.experiment.ends_early() { stage.end } else { stage.start };
        shards.rescan()?;
        while prefix.next < far && !prefix.ended && prefix.read(self.experiment, shards, |_, _| Ok(()))? {}
        Ok(())
    }

    /// Merges the pieces that were played. Replays one piece in a thousand as a check.
    fn merge(&self, merge: &Merge, manifest: &Manifest) -> Result<E::Report, Fault> {
        let shown = hidden::path(&merge.folder);
        if merge.manifest.hash() != manifest.hash() {
            let difference = merge.manifest.difference(manifest);
            return Err(Fault::failed(format!(
                "`{shown}` was played with other data (differs in: {difference}): give the same content, mods and files with --root \
                 and --mod, or play the run again"
            )));
        }
        let shards = Shards::open(merge.folder.clone(), manifest.hash())?;
        let missing = |shards: &Shards| match shards.gaps(0..self.all).as_slice() {
            [] => Ok(()),
            gaps => Err(Fault::failed(format!(
                "`{shown}` is incomplete, {} are missing: play their shares, or play them with the same command without --shard",
                self.describe(gaps)
            ))),
        };
        if !self.experiment.ends_early() {
            missing(&shards)?;
        }
        let mut rows = match &merge.out {
            Some(file) => Some(Rows::create(file, merge.force, self.experiment.columns())?),
            None => None,
        };
        let mut prefix = Prefix::new(self.experiment);
        for stage in &self.stages {
            let plan = self.experiment.plan(&prefix.sum);
            let mut replayed = BTreeMap::new();
            while prefix.next < stage.end && !prefix.ended {
                let found = prefix.read(self.experiment, &shards, |number, piece| {
                    rows.as_mut().map_or(Ok(()), |rows| rows.write(self.experiment.rows(&piece)))?;
                    if (number - stage.start).is_multiple_of(REPLAY_EVERY) {
                        replayed.insert(number, piece);
                    }
                    Ok(())
                })?;
                if !found {
                    missing(&shards)?;
                }
            }
            for (number, kept) in replayed {
                let mut is_alike = false;
                self.experiment.play(&plan, number..number + 1, &mut |piece| {
                    is_alike = self.experiment.alike(&kept, &piece);
                    ControlFlow::Break(())
                })?;
                if !is_alike {
                    return Err(Fault::failed(format!(
                        "{} {number} of `{shown}` differs when replayed: another version of lode wrote it, or it was changed; \
                         play the run again",
                        self.unit.trim_end_matches('s')
                    )));
                }
            }
        }
        rows.map_or(Ok(()), Rows::finish)?;
        Ok(self.experiment.report(prefix.sum, false)?)
    }

    /// `games 0 to 9, 30 to 39 of 40`.
    fn describe(&self, ranges: &[Range<u64>]) -> String {
        const MAX: usize = 5;
        let mut text = self.unit.to_owned();
        for (at, range) in ranges.iter().take(MAX).enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "{} {} to {}", if at == 0 { "" } else { "," }, range.start, range.end - 1);
        }
        if ranges.len() > MAX {
            let _ = write!(text, " and {} more ranges", ranges.len() - MAX);
        }
        text + &format!(" of {}", self.all)
    }
}

fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// A merge replays every piece whose number in its stage is a multiple of this.
const REPLAY_EVERY: u64 = 1000;
