//! `lode compare`: measures what an edit or a mod changes.
//!
//! Direction: items <- sweep <- self

mod items;
mod sweep;

use std::io::Write;
use std::path::{Path, PathBuf};

use comfy_table::Cell;
use motherlode::tools::{fraction, hidden};
use motherlode::{Game, Pack, Replay};
use motherlode_check::check;
use motherlode_lab::{Compare, CompareReport, Divergence, Objective, Opinion, Series};
use serde_json::json;

use self::sweep::{SweepArgs, SweepRange};
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lab::{
    ENDED_EARLY, HALT, LabArgs, REPETITION, check_complete, check_decided, draw, likelihood, setup_of, signed_range,
};
use crate::manifest::Manifest;
use crate::number::whole_number;
use crate::output::Output;
use crate::paint::{self, percent, right};
use crate::perform::{KeepArgs, perform};
use crate::project::{GlobalArgs, Project};
use crate::revision::{self, Otherwise};
use crate::setup::describe;

/// Measure what an edit or a mod changes, by playing both versions with the same seeds
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    lab: LabArgs,
    /// Version to compare with: a folder with content/ and scripts/, or a git revision as in git:HEAD~1
    /// [default: the game without the mods]
    #[arg(long, value_name = "DIR|git:REV")]
    base: Option<String>,
    /// Compare values of one declared number instead of two versions, as in cards.copper.cost=2..6 or options.towers.default=4,6;
    /// --out FILE.html writes the chart
    #[arg(long, value_name = "KEY=A..B", conflicts_with_all = ["base", "until", "matters", "save"])]
    sweep: Option<SweepRange>,
    /// Number of blocks; a block is one seed, played in every cyclic seating of the bots
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = whole_number(crate::lab::BLOCKS))]
    blocks: u64,
    /// Smallest relevant difference, of a win share and of scores and margins in standard deviations, above 0 and up to 1
    #[arg(long, value_name = "D", default_value_t = 0.05, value_parser = small)]
    matters: f64,
    /// Stop when a sequential test finds a relevant difference, or finds that there is none
    #[arg(long)]
    until: bool,
    /// Save the first pair of games that differ: the changed game in FILE, the base game in FILE with .base before its extension
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    save: Option<PathBuf>,
    #[command(flatten)]
    keep: KeepArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Args {
    /// The arguments that `lode merge` sets.
    pub fn keep_args(&mut self) -> (&mut KeepArgs, &mut Format) {
        // `lode merge` has no such option.
        self.save = None;
        (&mut self.keep, &mut self.format)
    }
}

fn small(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1.0);
    number.ok_or_else(|| "use a number above 0, at most 1".to_owned())
}

/// Plays both versions and prints the differences.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(range) = &args.sweep {
        let Args { lab, blocks, keep, format, .. } = args;
        return sweep::run(&SweepArgs { lab, range, blocks: *blocks, keep, format: *format }, global, out);
    }
    let (project, id) = Project::locate(global, &args.lab.game)?;
    let game = project.load(&id)?;
    if let Some(file) = &args.save {
        check_pair(file, args.keep.out.as_deref())?;
    }
    let base = base(args, global, &project, &id)?;
    if base.fingerprint() == game.fingerprint() {
        eprintln!("note: both versions are identical: did you save the edit?");
    }
    let own = args.lab.series(global, &game)?;
    let setup = own.game.1.clone();
    let old = (base.halted_by(&HALT), setup_of(&args.lab.setup, &base, &setup)?);
    let compare = Compare {
        series: Series { game: old, others: vec![(game.halted_by(&HALT), setup)], ..own },
        blocks: args.blocks,
        matters: args.matters,
        until: args.until,
    };
    let manifest = || {
        let Series { bots, seed, .. } = &compare.series;
        let versions: Vec<_> = compare.series.versions().collect();
        let more = json!({ "blocks": args.blocks, "matters": args.matters, "until": args.until });
        Manifest::new("compare", &versions, bots, *seed, &more)
    };
    let Some(report) = perform(&compare, &args.keep, "blocks", manifest)? else { return Ok(()) };
    // A stopped run in a folder is not over: the same command continues it and saves the games at the end.
    let continues = report.stopped && args.keep.is_in_folder();
    // Save before printing, because the reader of the output may close it early.
    let saved = match (&args.save, &report.first) {
        (Some(file), Some(first)) if !continues => save(&compare, first, file).map(Vec::from),
        (Some(file), None) if !continues => {
            let file = hidden::path(file);
            eprintln!("note: no pair of games differs, so `{file}` was not written");
            Ok(Vec::new())
        }
        _ => Ok(Vec::new()),
    };
    match args.format {
        Format::Json => format::json(out, &report)?,
        Format::Text => {
            let blocks = paint::plural(report.blocks, "block");
            writeln!(out, "{}, {blocks}", describe(&game, &report.setup))?;
            let same_mods = if project.mods.is_empty() { "" } else { ", with the same mods" };
            match &args.base {
                Some(base) => writeln!(out, "compared with {base}{same_mods}")?,
                None => writeln!(out, "compared with the game without the mods")?,
            }
            print(out, &game, &report)?;
            if args.until && report.opinion != Opinion::Undecided {
                writeln!(out, "{ENDED_EARLY}")?;
            }
            args.keep.print_rows_file(out, "game")?;
            for (file, of) in saved.iter().flatten().zip(["the base game", "the changed game"]) {
                writeln!(out, "wrote {} ({of}; it replays only with that content)", hidden::path(file))?;
            }
        }
    }
    saved?;
    args.keep.check_rows()?;
    if report.failures.aborted > 0 {
        let (aborted, pairs, first) = (report.failures.aborted, report.pairs, report.failures.first());
        return Err(Fault::failed(format!("{aborted} of {pairs} pairs have an aborted game, {first}")));
    }
    check_complete(report.stopped)?;
    check_decided(!args.until || report.opinion != Opinion::Undecided)
}

/// Loads the version to compare with.
fn base(args: &Args, global: &GlobalArgs, project: &Project, id: &str) -> Result<Game, Fault> {
    let content = |diagnostics| Fault::Content { game: id.to_owned(), diagnostics };
    let load = |pack: Pack| check(&pack).map(|checked| checked.game).map_err(content);
    match args.base.as_deref() {
        None if project.mods.is_empty() => Err(Fault::usage(
            "nothing to compare: give --base or --sweep, or give --mod to compare with the game without the mod",
        )),
        None => load(project.pack_with(id, Vec::new()).map_err(content)?),
        Some(what) if Path::new(what).is_dir() => {
            let root = GlobalArgs { root: Some(PathBuf::from(what)), ..global.clone() };
            Project::find(&root)?.load_named(id)
        }
        Some(what) => {
            let root = project.folder("compare --base git:REV")?;
            let pack = revision::read(root, what, id, Otherwise::Folder)?;
            load(pack.over(project.mods_of(id)))
        }
    }
}

fn print(out: &mut dyn Write, game: &Game, report: &CompareReport) -> Result<(), Fault> {
    writeln!(out, "{} of {} are identical", report.same, paint::plural(report.pairs, "pair"))?;
    if report.same == report.pairs && report.pairs > 0 {
        if report.opinion == Opinion::Undecided {
            writeln!(out, "no game changed: play more blocks, or use bots that reach the edit")?;
        } else {
            writeln!(out, "no game changed: if the edit matters, use bots that reach it")?;
            writeln!(out, "sequential test: {}", opinion(report))?;
        }
        return Ok(());
    }
    let mut table = paint::table();
    let header = ["base", "changed", "difference", "95 % interval", "p", ""].map(right);
    table.set_header([Cell::new("subject"), Cell::new("quantity")].into_iter().chain(header));
    for row in &report.metrics {
        let difference = &row.difference;
        let (scale, digits, unit) = if row.what == "win share" { (100.0, 1, " %") } else { (1.0, 2, "") };
        let shown = |value: f64| format!("{:.digits$}{unit}", value * scale);
        let signed = |value: f64| format!("{:+.digits$}", value * scale);
        table.add_row([
            Cell::new(&row.of),
            Cell::new(&row.what),
            right(shown(difference.base)),
            right(shown(difference.changed)),
            right(signed(difference.delta.value)),
            right(signed_range(difference.delta, scale, digits)),
            right(likelihood(difference.p)),
            Cell::new(if row.found { "differs" } else { "" }),
        ]);
    }
    draw(out, table)?;
    if report.is_repetition {
        writeln!(out, "{REPETITION}")?;
    }
    items::print(out, &report.items)?;
    writeln!(out, "sequential test: {}", opinion(report))?;
    if let Some(first) = &report.first {
        print_divergence(out, game, first)?;
    }
    Ok(())
}

/// The result of the sequential test in words.
fn opinion(report: &CompareReport) -> String {
    let (matters, share) = (report.matters, percent(report.matters));
    let deviations = format!("{matters} standard deviations");
    let scores = if report.objective == Objective::Margin { "scores and margins" } else { "scores" };
    match &report.opinion {
        Opinion::Undecided if report.objective.is_share() => format!(
            "undecided: play more blocks to tell whether a win share differs by {share}, or the score by {deviations}"
        ),
        Opinion::Undecided => format!("undecided: play more blocks to tell whether {scores} differ by {deviations}"),
        Opinion::Same if report.objective.is_share() => format!(
            "probably unchanged: all win shares differ by less than {share}, and the score by less than {deviations}"
        ),
        Opinion::Same => format!("probably unchanged: all {scores} differ by less than {deviations}"),
        Opinion::Differs { of, what } => {
            let least = if what == "win share" { share } else { deviations };
            let of = if of == "all" { String::new() } else { format!(" of {of}") };
            format!("the {what}{of} probably changed (by at least {least})")
        }
    }
}

fn print_divergence(out: &mut dyn Write, game: &Game, first: &Divergence) -> Result<(), Fault> {
    let Divergence { block, turn, seed, .. } = first;
    let scores = |all: &[i32]| {
        let shown = all.iter().map(|score| fraction::shown(*score, first.unit));
        shown.collect::<Vec<_>>().join(":")
    };
    let (base, changed) = (scores(&first.base), scores(&first.changed));
    writeln!(
        out,
        "first difference: block {block}, seating {}, seed {seed}: {}",
        turn + 1,
        if base == changed { format!("the same scores, {base}") } else { format!("scores {base} became {changed}") }
    )?;
    let Some(step) = first.step else {
        return Ok(writeln!(out, "  all answers are the same; their effects differ")?);
    };
    for (name, told) in ["base", "changed"].iter().zip(&first.decisions) {
        match told {
            None => writeln!(out, "  answer {step}, {name}: the game was over")?,
            Some(told) => {
                let who = paint::seat_name(game.declarations(), told.seat);
                let choices = paint::plural(told.choices.len() as u64, "choice");
                writeln!(out, "  answer {step}, {name}: {who}: {} {} (of {choices})", told.question, told.answer)?;
            }
        }
    }
    if let [Some(base), Some(changed)] = &first.decisions
        && (base.seat, &base.question, &base.answer) == (changed.seat, &changed.question, &changed.answer)
    {
        writeln!(out, "  {}", unequal_choices(&base.choices, &changed.choices))?;
    }
    Ok(())
}

/// Says how the choices of two decisions differ whose questions and answers are equal.
fn unequal_choices(base: &[String], changed: &[String]) -> String {
    let without = |all: &[String], others: &[String]| {
        let missing: Vec<&str> = all.iter().filter(|one| !others.contains(one)).map(String::as_str).collect();
        missing.join(", ")
    };
    match (without(base, changed), without(changed, base)) {
        (base, changed) if base.is_empty() && changed.is_empty() => {
            "the choices are the same, in another order".to_owned()
        }
        (base, changed) if changed.is_empty() => format!("only the base has the choices {base}"),
        (base, changed) if base.is_empty() => format!("only the changed game has the choices {changed}"),
        (base, changed) => format!("only the base has the choices {base}; only the changed game has {changed}"),
    }
}

/// The files of a pair of games: base and changed.
fn pair(file: &Path) -> [PathBuf; 2] {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or("json");
    [file.with_extension(format!("base.{ending}")), file.to_path_buf()]
}

/// Fails before the first game if the pair cannot be saved.
fn check_pair(file: &Path, out: Option<&Path>) -> Result<(), Fault> {
    for file in pair(file).iter().rev() {
        let output = Output::fresh(file)?;
        if out.is_some_and(|out| output.is_same_file(out)) {
            return Err(Fault::usage(format!("--save and --out both name `{}`: name two files", hidden::path(file))));
        }
    }
    Ok(())
}

/// Saves the pair of games; returns their files.
fn save(compare: &Compare, first: &Divergence, file: &Path) -> Result<[PathBuf; 2], Fault> {
    let files = pair(file);
    for (replay, file) in compare.replays(first)?.into_iter().zip(&files) {
        let failed = |error| Fault::unsaved(file, &error);
        let replay: Replay = replay.map_err(failed)?;
        replay.save(file).map_err(failed)?;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::unequal_choices;

    #[test]
    fn choices_of_decisions_that_look_equal_are_told_apart() {
        let told = |base: &[&str], changed: &[&str]| {
            let [base, changed] = [base, changed].map(|all| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>());
            unequal_choices(&base, &changed)
        };
        assert_eq!(told(&["a", "b", "c"], &["b"]), "only the base has the choices a, c");
        assert_eq!(told(&["a"], &["a", "b"]), "only the changed game has the choices b");
        assert_eq!(told(&["a", "b"], &["b", "c"]), "only the base has the choices a; only the changed game has c");
        assert_eq!(told(&["a", "b"], &["b", "a"]), "the choices are the same, in another order");
    }
}
