//! The two formats of a spreadsheet file, chosen by the ending of its name.

use std::path::Path;

use motherlode::tools::hidden;
use motherlode_files::{read_regular, reason};

use super::{Cells, csv_file, workbook};
use crate::fault::Fault;

/// Largest spreadsheet that is read, in bytes.
const LARGEST: u64 = 8 << 20;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Text with one sheet.
    Csv,
    /// A workbook with several sheets.
    Xlsx,
}

impl FileFormat {
    /// The format of a file by its ending.
    pub fn of(path: &Path) -> Result<Self, Fault> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("csv" | "tsv" | "txt") => Ok(Self::Csv),
            Some("xlsx") => Ok(Self::Xlsx),
            _ => {
                let shown = hidden::path(path);
                Err(Fault::usage(format!(
                    "`{shown}` is neither .csv nor .xlsx: name, or save, a file of these formats"
                )))
            }
        }
    }
}

/// Reads the sheets of a file. A CSV file has one sheet without a name.
pub fn read(path: &Path) -> Result<Vec<Cells>, Fault> {
    let format = FileFormat::of(path)?;
    let shown = hidden::path(path);
    let bytes = read_regular(path, LARGEST)
        .map_err(|error| Fault::usage(format!("cannot read `{shown}`: {}", reason(&error))))?;
    match format {
        FileFormat::Csv => Ok(vec![Cells { name: String::new(), rows: csv_file::read(&shown, &bytes)? }]),
        FileFormat::Xlsx => workbook::read(&shown, &bytes),
    }
}
