//! `lode cards export`.

use std::io::{self, Write};
use std::path::PathBuf;

use motherlode::tools::hidden;

use super::file::FileFormat;
use super::{Cards, Cells, csv_file, workbook};
use crate::fault::Fault;
use crate::output::Output;
use crate::paint;
use crate::project::{GlobalArgs, Project};

/// Arguments of `lode cards export`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder; with --mod, the cards are those of the mod named last
    game: String,
    /// Kind of the cards [default: the only kind]
    #[arg(conflicts_with = "all")]
    kind: Option<String>,
    /// Export all kinds, one sheet for each; needs .xlsx
    #[arg(long)]
    all: bool,
    /// File to write: .csv or .xlsx [default: print CSV]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    force: bool,
}

/// Writes the cards of one kind or of all kinds.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let format = args.out.as_deref().map_or(Ok(FileFormat::Csv), FileFormat::of)?;
    if args.all && format == FileFormat::Csv {
        return Err(Fault::usage("a CSV file has one sheet: write all kinds to a workbook with --out cards.xlsx"));
    }
    let (project, id) = Project::locate(global, &args.game)?;
    let cards = Cards::open(&project, &id)?;
    let kinds = match &args.kind {
        _ if args.all => cards.kinds(),
        Some(kind) => vec![kind.as_str()],
        None => vec![cards.only_kind(", or export all with --all --out cards.xlsx")?],
    };
    let (mut sheets, mut files) = (Vec::new(), Vec::new());
    let mut count = 0;
    for kind in kinds {
        let sheet = cards.sheet(kind)?;
        count += sheet.len();
        files.push(sheet.path.clone());
        sheets.push(Cells { name: kind.to_owned(), rows: sheet.cells() });
    }
    let bytes = match format {
        FileFormat::Csv => csv_file::write(sheets.first().map_or(&[], |sheet| &sheet.rows))?,
        FileFormat::Xlsx => workbook::write(&sheets).map_err(|error| Fault::failed(error.to_string()))?,
    };
    let Some(path) = &args.out else { return Ok(out.write_all(&bytes)?) };
    let write = |file: &mut dyn Write| -> io::Result<()> { file.write_all(&bytes) };
    Output::new(path, args.force)?.write(write)?;
    let of = if let [file] = files.as_slice() { format!(" of {file}") } else { String::new() };
    writeln!(out, "wrote {}{of} to {}", paint::plural(count, "card"), hidden::path(path))?;
    Ok(())
}
