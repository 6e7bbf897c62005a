//! `lode effects`: measures the value of each card, action and role.

use std::io::Write;

use comfy_table::{Cell, Row};
use motherlode_lab::{
    DeclaredReport, Effects, EffectsReport, Estimate, Figure, Flag, ItemReport, MIN_FLAG_BLOCKS, Series, item_columns,
    sort_items,
};
use motherlode_play::Pattern;
use serde_json::json;

use crate::balance::expand_plans;
use crate::fault::Fault;
use crate::format::{self, Format};
use crate::lab::{LabArgs, check_complete, check_failures, check_fork_failures, draw, judged_cells, signed_range};
use crate::manifest::Manifest;
use crate::number::whole_number;
use crate::paint::{percent, right};
use crate::perform::{KeepArgs, perform};
use crate::project::GlobalArgs;
use crate::setup::describe;
use crate::{paint, project};

/// Measure the value of cards, actions and roles; flag dead, dominated and must-have ones
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    lab: LabArgs,
    /// Number of blocks; a block is one seed, played in every cyclic seating of the bots
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole_number(crate::lab::BLOCKS))]
    blocks: u64,
    /// Approximate number of forks per item, each played with the item and with the best other choice; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number(0..=u32::MAX))]
    forks: u32,
    /// Measure only the items of these choices, such as `forum`, `mine_level_3.*` or `action=pass`
    #[arg(short, long = "item", value_name = "CHOICE", num_args = 1..)]
    items: Vec<String>,
    /// Let this bot play all seats after a fork, which is faster with a cheaper bot but measures the effect between such players
    #[arg(long, value_name = "BOT")]
    after: Option<String>,
    /// Print all items and columns
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    keep: KeepArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Args {
    /// The arguments that `lode merge` sets.
    pub fn keep_args(&mut self) -> (&mut KeepArgs, &mut Format) {
        (&mut self.keep, &mut self.format)
    }
}

/// Plays the games and prints a table of items, flagged ones first.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.lab.game)?;
    let items = Pattern::all(&game, &args.items).map_err(|error| Fault::usage(format!("--item: {error}")))?;
    let after = args.after.as_ref().map(|bot| expand_plans(global, &game, [bot.trim()])).transpose()?;
    let effects = Effects {
        series: args.lab.series_by_best(global, &game)?,
        blocks: args.blocks,
        forks: args.forks,
        items,
        after: after.and_then(|bots| bots.into_iter().next()),
    };
    let manifest = || {
        let Series { game, bots, seed, .. } = &effects.series;
        let (blocks, forks, items, after) = (args.blocks, args.forks, &args.items, &effects.after);
        let options = json!({ "blocks": blocks, "forks": forks, "items": items, "after": after });
        Manifest::new("effects", &[game], bots, *seed, &options)
    };
    // Each block is played twice and counts twice.
    let Some(report) = perform(&effects, &args.keep, "blocks", manifest)? else { return Ok(()) };
    match args.format {
        Format::Json => format::json(out, &report)?,
        Format::Text => {
            let blocks = paint::plural(report.blocks, "block");
            let bots = report.bots.join(", ");
            let after = report.after.as_ref().map_or_else(String::new, |bot| format!("; {bot} after forks"));
            writeln!(out, "{}, {blocks} of {bots}{}{after}", describe(&game, &report.setup), args.lab.default_note())?;
            print(out, &report, args.all)?;
            args.keep.print_rows_file(out, "game")?;
        }
    }
    args.keep.check_rows()?;
    check_failures(&report.failures, report.games)?;
    check_fork_failures(&report.failed)?;
    check_complete(report.stopped)
}

/// Number of items in a table that fits a screen.
const SCREEN_ROWS: usize = 20;

/// Maximum width of an item in a table that fits a screen.
const NAME_WIDTH: usize = 30;

fn print(out: &mut dyn Write, report: &EffectsReport, all: bool) -> Result<(), Fault> {
    print_roles(out, report)?;
    if !report.objective.is_share() {
        writeln!(out, "the goal is the {}", report.objective.name())?;
    }
    let mut columns = item_columns(report.objective);
    let has_forks = report.items.iter().any(|item| item.forks > 0.0);
    // Without forks, the opening deal is all there is.
    columns.retain(|column| {
        all || !column.is_detail || !has_forks && report.items.iter().any(|item| (column.of)(item).is_some())
    });
    let items = sort_items(&report.items);
    let shown = &items[..if all { items.len() } else { items.len().min(SCREEN_ROWS) }];
    let mut table = paint::table();
    let header = columns.iter().map(|column| column.name).chain([""]).map(right);
    table.set_header(std::iter::once(Cell::new("item")).chain(header));
    for item in shown {
        let text = |figure| if all { figure_text(figure) } else { short_text(figure) };
        let figures = columns.iter().map(|column| right((column.of)(item).map_or_else(String::new, text)));
        let flag = item.flag.map_or(if item.found { "differs" } else { "" }, Flag::text);
        let name = item_name(item);
        let name = Cell::new(if all { name } else { cut(&name, NAME_WIDTH) });
        let mut row = Row::from(std::iter::once(name).chain(figures).chain([Cell::new(flag)]).collect::<Vec<_>>());
        if !all {
            row.max_height(1);
        }
        table.add_row(row);
    }
    table.set_truncation_indicator("\u{2026}");
    draw(out, table)?;
    for column in columns.iter().filter(|column| !column.meaning.is_empty()) {
        writeln!(out, "{}: {}", column.name, column.meaning)?;
    }
    if !all {
        writeln!(out, "\u{b1}: half of the 95 % interval")?;
    }
    let forks = || report.items.iter().map(|item| item.forks).filter(|forks| *forks > 0.0);
    if let Some(least) = forks().reduce(f64::min) {
        writeln!(out, "{least} to {} forks per item", forks().fold(least, f64::max))?;
        if report.blocks < MIN_FLAG_BLOCKS {
            writeln!(out, "no item can have a flag for its effect: that needs {MIN_FLAG_BLOCKS} blocks or more")?;
        }
    }
    print_flags(out, report, &items, all)?;
    if shown.len() < items.len() {
        let (shown, items) = (shown.len(), items.len());
        writeln!(
            out,
            "{shown} of {items} items, those with the surest effects; print the rest with --all or --format json"
        )?;
    }
    Ok(())
}

fn print_roles(out: &mut dyn Write, report: &EffectsReport) -> Result<(), Fault> {
    if report.roles.is_empty() {
        return Ok(());
    }
    let mut table = paint::table();
    let header = ["sat", report.objective.name(), "95 % interval", ""].map(right);
    table.set_header(std::iter::once(Cell::new("role")).chain(header));
    for role in &report.roles {
        let [value, interval] = judged_cells(report.objective, role.standing.judged(report.objective));
        let (name, sat) = (Cell::new(&role.standing.name), right(role.standing.sat));
        table.add_row([name, sat, value, interval, Cell::new(if role.found { "uneven" } else { "" })]);
    }
    draw(out, table)
}

/// Prints one line for each flag, with its items, and the items that declarations tell apart.
fn print_flags(out: &mut dyn Write, report: &EffectsReport, items: &[&ItemReport], all: bool) -> Result<(), Fault> {
    let mut line = |head: &str, parts: Vec<String>| {
        let line = format!("{head} ({}): {}", parts.len(), parts.join(", "));
        let shown = if all { line } else { cut(&line, paint::width()) };
        if parts.is_empty() { Ok(()) } else { writeln!(out, "{shown}") }
    };
    for flag in Flag::ALL {
        let flagged = items.iter().filter(|item| item.flag == Some(flag));
        line(flag.text(), flagged.map(|item| item_name(item)).collect())?;
    }
    for (is_worse, head, relation) in
        [(true, "dominated by declaration", "by"), (false, "same but for one number", "and")]
    {
        let pairs = report.declared.iter().filter(|pair| pair.is_worse == is_worse);
        let text = |pair: &DeclaredReport| {
            let DeclaredReport { sort, name, than, differences, .. } = pair;
            format!("{sort}: {name} {relation} {than} ({differences})")
        };
        line(head, pairs.map(text).collect())?;
    }
    Ok(())
}

fn item_name(item: &ItemReport) -> String {
    format!("{}: {}", item.sort, item.name)
}

/// Cuts a text to a width.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let end: String = text.chars().take(width.saturating_sub(1)).collect();
    end.trim_end().to_owned() + "\u{2026}"
}

/// A figure for people, with its interval.
fn figure_text(figure: Figure) -> String {
    match figure {
        Figure::Count(count) => count.to_string(),
        Figure::Share(share) => percent(share.value),
        Figure::Percentage(points) => signed(points, 100.0),
        Figure::Points(points) => signed(points, 1.0),
    }
}

/// A difference with its interval: `+3.1 (+1.2 to +5.0)`.
pub fn signed(estimate: Estimate, scale: f64) -> String {
    format!("{:+.1} ({})", estimate.value * scale, signed_range(estimate, scale, 1))
}

/// A figure in a table that fits a screen: `+3.1 ±1.9`.
fn short_text(figure: Figure) -> String {
    let short = |estimate: Estimate, scale: f64| {
        let half = || format!("\u{b1}{:.1}", (estimate.interval.high - estimate.interval.low) / 2.0 * scale);
        format!("{:+.1} {}", estimate.value * scale, estimate.agreement().unwrap_or_else(half))
    };
    match figure {
        Figure::Percentage(points) => short(points, 100.0),
        Figure::Points(points) => short(points, 1.0),
        figure => figure_text(figure),
    }
}
