//! `lode compare --sweep`: the same games with several values of one declared number.
//!
//! Direction: versions <- chart <- self

mod chart;
mod versions;

use std::io::Write;
use std::path::PathBuf;

use comfy_table::Cell;
use motherlode_lab::{Estimate, Series, Sweep, SweepFigure, SweepReport, SweepValue, sweep_page};
use serde_json::json;

pub use self::versions::SweepRange;
use self::versions::{Variants, variants};
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lab::{HALT, LabArgs, check_complete, check_failures, draw, setup_of, signed_range};
use crate::manifest::Manifest;
use crate::output::Output;
use crate::paint::{self, percent, right};
use crate::perform::{KeepArgs, perform};
use crate::project::{GlobalArgs, Project};
use crate::setup::describe;

/// The arguments of a sweep.
pub struct SweepArgs<'a> {
    pub lab: &'a LabArgs,
    pub range: &'a SweepRange,
    pub blocks: u64,
    pub keep: &'a KeepArgs,
    pub format: Format,
}

/// Plays all values and prints a table and a chart.
pub fn run(args: &SweepArgs<'_>, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, id) = Project::locate(global, &args.lab.game)?;
    let game = project.load(&id)?;
    let Variants { current, games } = variants(&project, &game, args.range)?;
    let own = args.lab.series(global, &game)?;
    let setup = own.game.1.clone();
    let mut others = Vec::new();
    let mut values = vec![current];
    for (value, other) in games {
        others.push((other.halted_by(&HALT), setup_of(&args.lab.setup, &other, &setup)?));
        values.push(value);
    }
    let key = args.range.key();
    let sweep = Sweep { series: Series { others, ..own }, blocks: args.blocks, key: key.clone(), values };
    let page = page_file(args.keep)?;
    // A page is no file of rows, and no folder.
    let keep = if page.is_some() { &KeepArgs::default() } else { args.keep };
    let manifest = || {
        let Series { game, bots, seed, .. } = &sweep.series;
        // The values of a number follow from the content and the key.
        Manifest::new(
            "compare",
            &[game],
            bots,
            *seed,
            &json!({ "blocks": args.blocks, "sweep": key, "values": sweep.values }),
        )
    };
    let Some(report) = perform(&sweep, keep, "blocks", manifest)? else { return Ok(()) };
    let written = page.map(|(output, file)| output.write_text(&sweep_page(&report)).map(|()| file));
    match args.format {
        Format::Json => format::json(out, &report)?,
        Format::Text => {
            let (blocks, bots) = (paint::plural(report.blocks, "block"), report.bots.join(", "));
            writeln!(out, "{}, {blocks} of {bots}", describe(&game, &report.setup))?;
            print(out, &report)?;
            keep.print_rows_file(out, "game")?;
            if let Some(Ok(file)) = &written {
                writeln!(out, "wrote {}", motherlode::tools::hidden::path(file))?;
            }
        }
    }
    written.transpose()?;
    keep.check_rows()?;
    check_failures(&report.failures, report.games * report.values.len() as u64)?;
    check_complete(report.stopped)
}

/// The page that `--out` names, if it names one.
fn page_file(keep: &KeepArgs) -> Result<Option<(Output, PathBuf)>, Fault> {
    let is_page = |file: &&PathBuf| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
    let Some(file) = keep.out.as_ref().filter(is_page) else { return Ok(None) };
    if keep.shard.is_some() {
        return Err(Fault::usage("--shard needs a folder, not a page: merge the shares, then write the page"));
    }
    Ok(Some((Output::new(file, keep.force)?, file.clone())))
}

/// The quantities of the table: name in the report, and title.
const COLUMNS: [(&str, &str); 6] = [
    ("offered", "offered"),
    ("chosen", "chosen"),
    ("chosen share", "chosen\nshare"),
    ("taker score", "taker\nscore"),
    (super::items::TAKER_WINS, "taker\nwins"),
    ("score", "score"),
];

fn print(out: &mut dyn Write, report: &SweepReport) -> Result<(), Fault> {
    let Some(first) = report.values.first() else { return Ok(()) };
    let item = report.item.as_ref().map(|item| format!(" ({item})")).unwrap_or_default();
    writeln!(out, "{}{item}: the same games with each value", report.key)?;
    let has_data =
        |what: &str| report.values.iter().any(|value| figure(value, what).is_some_and(|one| one.estimate.is_some()));
    let columns: Vec<(&str, &str)> = COLUMNS.into_iter().filter(|(what, _)| has_data(what)).collect();
    let drawn = &first.figures[report.drawn()].what;
    let mut table = paint::table();
    let titles = columns.iter().map(|(_, title)| right(title));
    let last = [right("same\ngames"), right(format!("{drawn},\nchange to now"))];
    table.set_header(std::iter::once(Cell::new("value")).chain(titles).chain(last));
    for value in &report.values {
        let mut row = vec![Cell::new(chart::value_name(value))];
        row.extend(columns.iter().map(|(what, _)| right(figure(value, what).map_or_else(String::new, shown))));
        row.push(right(value.same));
        row.push(right(figure(value, drawn).map_or_else(String::new, |one| change(value, one))));
        table.add_row(row);
    }
    draw(out, table)?;
    chart::print(out, report)?;
    if report.item.is_none() {
        writeln!(out, "the number changes no single card, action or cell, so only games are measured")?;
    } else {
        for line in paint::wrapped(&super::items::legend(has_data(super::items::TAKER_WINS)), paint::width()) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn figure<'r>(value: &'r SweepValue, what: &str) -> Option<&'r SweepFigure> {
    value.figures.iter().find(|figure| figure.what == what)
}

/// A figure without its interval.
fn shown(figure: &SweepFigure) -> String {
    match figure.estimate {
        Some(Estimate { value, .. }) if figure.is_share => percent(value),
        Some(Estimate { value, .. }) => format!("{value:.2}"),
        None => "-".to_owned(),
    }
}

/// The difference to the current value, with its interval.
fn change(value: &SweepValue, figure: &SweepFigure) -> String {
    if value.is_current {
        return String::new();
    }
    let Some(difference) = &figure.difference else { return "-".to_owned() };
    let (scale, digits) = if figure.is_share { (100.0, 1) } else { (1.0, 2) };
    let range = signed_range(difference.delta, scale, digits);
    format!("{:+.digits$} ({range})", difference.delta.value * scale)
}
