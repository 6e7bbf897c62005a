//! Plays an experiment: at once; little by little, in a folder from which it goes on; one share of it; or not at all, if all shares have
//! been played and are to be put together.

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
use crate::lab::{Steps, advised};
use crate::manifest::Manifest;
use crate::rows::Rows;
use crate::shards::{Pile, Shards};

/// Where what is played is kept.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct KeepArgs {
    /// Write rows to this file; or, with a name without an ending, keep what is played in this folder: the same command then goes on
    /// where it was stopped
    #[arg(long, value_name = "FILE.csv|FILE.jsonl|FILE.parquet|DIR")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing --out file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Play one share of the work, from 1/N to N/N, into the folder --out; `lode merge` puts the shares together
    #[arg(long, value_name = "I/N", requires = "out", value_parser = share)]
    pub shard: Option<Share>,
    /// Put together what was played.
    #[arg(skip)]
    pub merge: Option<Merge>,
    /// Why the file of rows could not be written.
    #[arg(skip)]
    unwritten: Rc<OnceCell<String>>,
}

/// A run that has been played.
#[derive(Debug, Clone)]
pub struct Merge {
    /// The folder of its shards.
    pub folder: PathBuf,
    /// What it is about.
    pub manifest: Manifest,
    /// The file of rows to write.
    pub out: Option<PathBuf>,
    /// Whether to overwrite that.
    pub force: bool,
}

/// One of several shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Which, from 1.
    number: u64,
    /// How many there are.
    of: u64,
}

fn share(text: &str) -> Result<Share, String> {
    let pair = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match pair {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Share { number, of }),
        Some((number, of @ 1..)) => Err(format!("there is no share {number} of {of}: they are 1/{of} to {of}/{of}")),
        _ => Err("a share is written 1/8 for the first of eight, 8/8 for the last".to_owned()),
    }
}

impl Share {
    /// Its part of a stage.
    fn of(self, stage: &Range<u64>) -> Range<u64> {
        let length = u128::from(stage.end - stage.start);
        // At most the length, which has 64 bits.
        let cut = |number: u64| u64::try_from(length * u128::from(number) / u128::from(self.of)).unwrap_or(u64::MAX);
        stage.start + cut(self.number - 1)..stage.start + cut(self.number)
    }
}

/// What `--out` names.
enum Place<'a> {
    Nowhere,
    File(&'a Path, bool),
    Folder(&'a Path),
}

impl KeepArgs {
    /// Puts a run together.
    pub fn merging(merge: Merge) -> Self {
        Self { merge: Some(merge), ..Self::default() }
    }

    fn place(&self) -> Result<Place<'_>, Fault> {
        let Some(out) = &self.out else { return Ok(Place::Nowhere) };
        let shown = hidden::path(out);
        let is_file = SheetFormat::of(out).is_some();
        if is_file && self.shard.is_some() {
            return Err(Fault::usage(format!(
                "--shard needs a folder, not the file `{shown}`: --out {}",
                hidden::path(out.with_extension(""))
            )));
        }
        if is_file {
            return Ok(Place::File(out, self.force));
        }
        if out.is_file() || out.extension().is_some() && !out.is_dir() {
            return Err(Fault::usage(format!(
                "`{shown}` must end in .csv, .jsonl or .parquet; a folder has no ending"
            )));
        }
        if self.force {
            return Err(Fault::usage(format!(
                "--force overwrites a file; to begin again, delete the folder `{shown}`"
            )));
        }
        Ok(Place::Folder(out))
    }

    /// Whether results come from a folder: then nothing is known of how long they took.
    pub fn is_kept(&self) -> bool {
        self.merge.is_some() || matches!(self.place(), Ok(Place::Folder(_)))
    }

    /// Fails if the rows could not be written. What was played has been printed before: it may have taken hours.
    pub fn written(&self) -> Result<(), Fault> {
        self.unwritten.get().map_or(Ok(()), |reason| Err(Fault::failed(reason)))
    }

    /// Says what was written: a row for each of these.
    pub fn say(&self, out: &mut dyn Write, what: &str) -> Result<(), Fault> {
        if self.unwritten.get().is_some() {
            return Ok(());
        }
        let file = match (&self.merge, self.place()?) {
            (Some(merge), _) => merge.out.as_deref(),
            (None, Place::File(file, _)) => Some(file),
            _ => None,
        };
        if let Some(file) = file {
            writeln!(out, "wrote a row for each {what} to {}", hidden::path(file))?;
        }
        Ok(())
    }
}

/// Plays what the arguments ask for; pieces are counted in this unit. `None`: only a share was played, which says nothing by itself.
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
        return run.merged(merge, &manifest()?).map(Some);
    }
    run.cost = advised(experiment.cost());
    match args.place()? {
        Place::Nowhere => run.at_once(None).map(|(report, _)| Some(report)),
        Place::File(file, force) => {
            let (report, written) = run.at_once(Some(Rows::create(file, force, experiment.columns())?))?;
            if let Some(reason) = written.err().and_then(|fault| fault.reason()) {
                // It is set once.
                let _ = args.unwritten.set(reason);
            }
            Ok(Some(report))
        }
        Place::Folder(dir) => {
            let shards = Shards::begin(dir, &manifest()?)?;
            match args.shard {
                Some(share) => run.share(shards, share).map(|()| None),
                None => run.on_and_on(shards).map(Some),
            }
        }
    }
}

struct Run<'e, E> {
    experiment: &'e E,
    stages: Vec<Range<u64>>,
    all: u64,
    unit: &'static str,
    cost: Option<RolloutCost>,
}

/// What the first pieces say, in order.
struct Prefix<E: Experiment> {
    sum: E::Sum,
    next: u64,
    /// Enough is known.
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

    /// Reads the file that begins with the next piece; false if there is none. `each` sees the pieces with their numbers.
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
    /// Plays all of it. Where rows cannot be written any more, it goes on without them.
    fn at_once(&self, mut rows: Option<Rows>) -> Result<(E::Report, Result<(), Fault>), Fault> {
        let mut steps = Steps::costing(self.all, self.unit, self.cost);
        let (mut done, mut written) = (0, Ok(()));
        let report = self.experiment.perform(&mut |sum, piece| {
            if let Some(Err(fault)) = rows.as_mut().map(|rows| rows.write(self.experiment.rows(piece))) {
                (rows, written) = (None, Err(fault));
            }
            done += 1;
            steps.say(self.experiment.remark(sum));
            if steps.done(done) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        steps.finish();
        let report = report?;
        let written = written.and_then(|()| rows.map_or(Ok(()), Rows::finish));
        Ok((report, written))
    }

    /// Plays what is not there yet.
    fn on_and_on(&self, mut shards: Shards) -> Result<E::Report, Fault> {
        let there = self.all - count(&shards.gaps(0..self.all));
        let (folder, unit, all) = (hidden::path(&shards.folder), self.unit, self.all);
        match there {
            0 => eprintln!("note: what is played is kept in `{folder}`; the same command goes on from there"),
            _ => eprintln!("note: {there} of {all} {unit} are in `{folder}` and are not played again"),
        }
        let mut steps = Steps::costing(self.all, self.unit, self.cost);
        steps.begin_at(there);
        let mut prefix = Prefix::new(self.experiment);
        let mut stopped = false;
        let mut done = there;
        for stage in &self.stages {
            let plan = self.experiment.plan(&prefix.sum);
            while prefix.next < stage.end && !prefix.ended && !stopped {
                if prefix.read(self.experiment, &shards, |_, _| Ok(()))? {
                    continue;
                }
                // There is one at least: its first piece is the next one.
                let Some(gap) = shards.gaps(prefix.next..stage.end).into_iter().next() else { break };
                stopped = self.fill(&mut shards, &plan, (gap, stage.start), |piece| {
                    prefix.add(self.experiment, piece);
                    done += 1;
                    steps.say(self.experiment.remark(&prefix.sum));
                    Ok(steps.done(done) && !prefix.ended)
                })? && !prefix.ended;
            }
        }
        steps.finish();
        Ok(self.experiment.report(prefix.sum, stopped && prefix.next < self.all)?)
    }

    /// Plays a range, whose files are cut from this piece on, and keeps it; true if `each` broke off, or it was halted.
    fn fill(
        &self,
        shards: &mut Shards,
        plan: &E::Plan,
        (range, anchor): (Range<u64>, u64),
        mut each: impl FnMut(&E::Piece) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        let mut pile = Pile::new(range.start, anchor, self.all);
        let (mut stopped, mut failed, mut left) = (false, None, range.end - range.start);
        self.experiment.play(plan, range, &mut |piece| {
            left -= 1;
            match pile.push(shards, &piece).and_then(|()| each(&piece)) {
                Ok(true) => return ControlFlow::Continue(()),
                Ok(false) => stopped = true,
                Err(fault) => failed = Some(fault),
            }
            ControlFlow::Break(())
        })?;
        failed.map_or(Ok(()), Err)?;
        pile.finish(shards)?;
        Ok(stopped || left > 0)
    }

    /// Plays one share of what is not there yet.
    fn share(&self, mut shards: Shards, share: Share) -> Result<(), Fault> {
        let Share { number, of } = share;
        let mut prefix = Prefix::new(self.experiment);
        let own = |stage: &Range<u64>| share.of(stage);
        let left = self.stages.iter().map(|stage| count(&shards.gaps(own(stage)))).sum();
        let mut steps = Steps::costing(left, self.unit, self.cost);
        let mut done = 0;
        for stage in &self.stages {
            self.catch_up(&mut prefix, &mut shards, stage)?;
            if prefix.next < stage.start && !prefix.ended {
                steps.finish();
                let missing = self.words(&shards.gaps(0..stage.start));
                eprintln!(
                    "note: share {number} of {of} has played all it can before the others: {missing} are missing; run the same command again \
                     when all shares have come as far"
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
                    Ok(steps.done(done))
                })?;
                if stopped && done < left {
                    steps.finish();
                    return Err(Fault::failed("stopped before the end: the same command goes on from here"));
                }
                self.catch_up(&mut prefix, &mut shards, stage)?;
            }
        }
        steps.finish();
        let folder = hidden::path(&shards.folder);
        if prefix.ended {
            eprintln!(
                "note: `{folder}` holds enough for a verdict: what share {number} of {of} has not played is not needed"
            );
        } else {
            eprintln!("note: share {number} of {of} is complete in `{folder}`; `lode merge` puts the shares together");
        }
        Ok(())
    }

    /// Reads what others have played, where it matters: pieces of a later stage need all earlier ones, and a run that may end early has
    /// ended once its first pieces say so.
    fn catch_up(&self, prefix: &mut Prefix<E>, shards: &mut Shards, stage: &Range<u64>) -> Result<(), Fault> {
        let far = if self.experiment.ends_early() { stage.end } else { stage.start };
        shards.look()?;
        while prefix.next < far && !prefix.ended && prefix.read(self.experiment, shards, |_, _| Ok(()))? {}
        Ok(())
    }

    /// Puts together what was played. Plays one piece in a thousand again.
    fn merged(&self, merge: &Merge, manifest: &Manifest) -> Result<E::Report, Fault> {
        let shown = hidden::path(&merge.folder);
        if merge.manifest.hash() != manifest.hash() {
            let difference = merge.manifest.difference(manifest);
            return Err(Fault::failed(format!(
                "`{shown}` was played with something else; what differs: {difference}. Give the content, mods and files it was played with \
                 (--root, --mod), or play it again"
            )));
        }
        let shards = Shards::open(merge.folder.clone(), manifest.hash())?;
        let missing = |shards: &Shards| match shards.gaps(0..self.all).as_slice() {
            [] => Ok(()),
            gaps => Err(Fault::failed(format!(
                "`{shown}` is not complete: {} are missing; play their shares, or all that is missing with the same command without --shard",
                self.words(gaps)
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
            let mut again = BTreeMap::new();
            while prefix.next < stage.end && !prefix.ended {
                let found = prefix.read(self.experiment, &shards, |number, piece| {
                    rows.as_mut().map_or(Ok(()), |rows| rows.write(self.experiment.rows(&piece)))?;
                    if (number - stage.start).is_multiple_of(EACH) {
                        again.insert(number, piece);
                    }
                    Ok(())
                })?;
                if !found {
                    missing(&shards)?;
                }
            }
            for (number, kept) in again {
                let mut alike = false;
                self.experiment.play(&plan, number..number + 1, &mut |piece| {
                    alike = self.experiment.alike(&kept, &piece);
                    ControlFlow::Break(())
                })?;
                if !alike {
                    return Err(Fault::failed(format!(
                        "{} {number} of `{shown}` comes out otherwise when it is played again: it was written by another version of lode, \
                         or changed since",
                        self.unit.trim_end_matches('s')
                    )));
                }
            }
        }
        rows.map_or(Ok(()), Rows::finish)?;
        Ok(self.experiment.report(prefix.sum, false)?)
    }

    /// `games 0 to 9, 30 to 39 of 40`.
    fn words(&self, ranges: &[Range<u64>]) -> String {
        const MOST: usize = 5;
        let mut text = self.unit.to_owned();
        for (at, range) in ranges.iter().take(MOST).enumerate() {
            // Writing to a string does not fail.
            let _ = write!(text, "{} {} to {}", if at == 0 { "" } else { "," }, range.start, range.end - 1);
        }
        if ranges.len() > MOST {
            let _ = write!(text, " and {} more stretches", ranges.len() - MOST);
        }
        text + &format!(" of {}", self.all)
    }
}

fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}

/// One piece in a thousand is played again, the first one always.
const EACH: u64 = 1000;
