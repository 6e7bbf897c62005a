//! `lode cards import`.

use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Diagnostic, Diagnostics, Severity};
use motherlode_content::sheet::{CellFault, Change, Grid, Import, Sheet};

use super::file::{FileFormat, read};
use super::targets::Targets;
use super::{Cards, Cells, workbook};
use crate::fault::Fault;
use crate::project::{GlobalArgs, Project};
use crate::{check, paint, report};

/// Arguments of `lode cards import`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder; with --mod, changes the cards of the mod named last
    game: String,
    /// Kind of the cards [default: the only kind, or the kinds that name the sheets of a workbook], and the file: .csv or .xlsx
    #[arg(num_args = 1..=2, required = true, value_names = ["[KIND] FILE"])]
    kind_and_file: Vec<PathBuf>,
    /// Show the changes and the faults, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Delete the cards that the spreadsheet lacks
    #[arg(long)]
    delete: bool,
}

/// A sheet of the file with the cards that it changes.
struct Pair<'c> {
    sheet: Sheet<'c>,
    grid: Grid,
    import: Import,
    /// Name of the sheet in messages; empty for CSV.
    name: String,
}

/// Imports a file: shows the changes, checks the changed game, and writes the files if there is no error.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (kind, file) = match args.kind_and_file.as_slice() {
        [kind, file] => (Some(kind.to_string_lossy().into_owned()), file),
        [file] => (None, file),
        _ => return Err(Fault::usage("name a spreadsheet: `lode cards import GAME [KIND] FILE`")),
    };
    FileFormat::of(file)?;
    let (project, id) = Project::locate(global, &args.game)?;
    let cards = Cards::open(&project, &id)?;
    let targets = Targets::find(project.folder("cards import"), &global.mods, &cards.pack, cards.layer)?;
    let named = choose(&cards, kind.as_deref(), read(file)?, file)?;
    let shown = hidden::path(file);
    let mut faults: Vec<(String, CellFault)> = Vec::new();
    let mut pairs = Vec::new();
    for (kind, cells) in &named {
        let sheet = cards.sheet(kind)?;
        let name = cells.name.clone();
        let found = match Grid::read(&sheet, &cells.rows) {
            Ok(grid) => {
                let import = grid.import(&sheet, args.delete);
                let found = import.faults.clone();
                pairs.push(Pair { sheet, grid, import, name });
                found
            }
            Err(found) => found,
        };
        faults.extend(found.into_iter().map(|fault| (cells.name.clone(), fault)));
    }
    let mut pack = cards.pack.clone();
    for pair in pairs.iter().filter(|pair| !pair.import.changes.is_empty()) {
        pack.set_text(&pair.sheet.path, pair.import.text.clone());
    }
    let changed = pairs.iter().map(|pair| pair.import.changes.len()).sum::<usize>();
    for pair in &pairs {
        show(out, pair, &shown)?;
    }
    let (title, found) = check::find(&project, &pack, global)?;
    let others = split(found, &pairs, &mut faults);
    for (name, fault) in &faults {
        draw(out, &shown, name, fault, Severity::Error)?;
    }
    report::draw(out, &others)?;
    let missing: usize = if args.delete { 0 } else { pairs.iter().map(|pair| pair.import.missing.len()).sum() };
    if missing > 0 {
        writeln!(out, "{} not in `{shown}`: delete with --delete", are(missing))?;
    }
    if !faults.is_empty() || others.has_errors() {
        let errors = faults.len() + others.list.iter().filter(|one| one.severity == Severity::Error).count();
        return Err(Fault::failed(format!("{}: nothing was written", paint::plural(errors, "error"))));
    }
    if changed == 0 {
        writeln!(out, "{title}: no change")?;
        return Ok(());
    }
    if args.dry_run {
        writeln!(out, "{title}: {}; nothing was written, because of --dry-run", paint::plural(changed, "change"))?;
        return Ok(());
    }
    let changed_pairs = pairs.iter().filter(|pair| !pair.import.changes.is_empty());
    targets.write(changed_pairs.map(|pair| (pair.sheet.path.as_str(), pair.import.text.as_str())), out)?;
    writeln!(out, "{title}: {}", paint::plural(changed, "change"))?;
    Ok(())
}

fn are(missing: usize) -> String {
    if missing == 1 { "1 card is".to_owned() } else { format!("{missing} cards are") }
}

/// Finds the kind of each sheet.
fn choose(cards: &Cards, kind: Option<&str>, sheets: Vec<Cells>, file: &Path) -> Result<Vec<(String, Cells)>, Fault> {
    let shown = hidden::path(file);
    if sheets.is_empty() {
        return Err(Fault::failed(format!("`{shown}` has no cells: export the cards again")));
    }
    let of = |name: &str| cards.kinds().into_iter().find(|kind| workbook::short(kind) == name);
    let is_book = !sheets[0].name.is_empty();
    match kind {
        Some(kind) => {
            cards.sheet(kind)?;
            let mut sheets = sheets;
            let at = sheets.iter().position(|sheet| of(&sheet.name) == Some(kind));
            let sheet = match at {
                Some(at) => sheets.swap_remove(at),
                None if sheets.len() == 1 => sheets.remove(0),
                None => {
                    let names: Vec<&str> = sheets.iter().map(|sheet| sheet.name.as_str()).collect();
                    let message = format!("`{shown}` has no sheet `{kind}`; its sheets are {}", names.join(", "));
                    return Err(Fault::failed(message));
                }
            };
            Ok(vec![(kind.to_owned(), sheet)])
        }
        None if is_book && (sheets.len() > 1 || of(&sheets[0].name).is_some()) => {
            let pair = |sheet: Cells| match of(&sheet.name) {
                Some(kind) => Ok((kind.to_owned(), sheet)),
                None => Err(cards.unknown(&sheet.name)),
            };
            sheets.into_iter().map(pair).collect()
        }
        None => {
            let kind = cards.only_kind("")?.to_owned();
            Ok(sheets.into_iter().map(|sheet| (kind.clone(), sheet)).collect())
        }
    }
}

/// Prints the changes of a sheet, and notes on cells that are not imported.
fn show(out: &mut dyn Write, pair: &Pair<'_>, shown: &str) -> Result<(), Fault> {
    let (faint, green, red) = (paint::faint(), paint::style("bright_green"), paint::style("bright_red"));
    let Pair { sheet, grid, import, name } = pair;
    for Change { id, key, old, new, line } in &import.changes {
        let what = key.as_ref().map_or_else(|| id.clone(), |key| format!("{id}.{key}"));
        let text = match (key, old.is_empty(), new.is_empty()) {
            (None, true, _) => format!("{green}new card{green:#} {new}"),
            (None, false, _) => format!("{red}deleted{red:#} {old}"),
            (_, true, _) => format!("{green}{}{green:#}", flat(new)),
            (_, _, true) => format!("{red}{}{red:#} -> default", flat(old)),
            _ => format!("{red}{}{red:#} -> {green}{}{green:#}", flat(old), flat(new)),
        };
        writeln!(out, "{faint}{}:{line}:{faint:#} {what}: {text}", sheet.path)?;
    }
    for note in grid.edited_texts(sheet) {
        draw(out, shown, name, &note, Severity::Warning)?;
    }
    Ok(())
}

/// A cell in one line.
fn flat(cell: &str) -> String {
    hidden::name(&cell.replace('\n', " "))
}

/// Finds the cells of the faults of the changed game; returns the other faults.
fn split(found: Diagnostics, pairs: &[Pair<'_>], faults: &mut Vec<(String, CellFault)>) -> Diagnostics {
    let cell = |one: &Diagnostic| {
        pairs.iter().find_map(|pair| Some((pair.name.clone(), pair.grid.fault(&pair.sheet, &pair.import, one)?)))
    };
    let mut others = Diagnostics { list: Vec::new(), sources: found.sources };
    for one in found.list {
        match cell(&one).filter(|_| one.severity == Severity::Error) {
            Some(fault) => faults.push(fault),
            None => others.push(one),
        }
    }
    others
}

/// Prints a fault of a cell.
fn draw(out: &mut dyn Write, shown: &str, sheet: &str, fault: &CellFault, severity: Severity) -> Result<(), Fault> {
    let (colour, word) = match severity {
        Severity::Error => ("bright_red", "error"),
        Severity::Warning => ("bright_yellow", "warning"),
    };
    let (style, strong, blue) = (paint::style(colour).bold(), paint::strong(), paint::style("bright_blue"));
    let cell = if sheet.is_empty() { fault.cell() } else { format!("{sheet}!{}", fault.cell()) };
    writeln!(out, "{style}{word}[{}]{style:#}{strong}: {}{strong:#}", fault.code, hidden::name(&fault.message))?;
    writeln!(out, "  {blue}┌─{blue:#} {shown}:{cell}")?;
    if let Some(help) = &fault.help {
        writeln!(out, "  {blue}={blue:#} help: {}", hidden::name(help))?;
    }
    writeln!(out)?;
    Ok(())
}
