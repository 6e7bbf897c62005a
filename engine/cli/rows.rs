//! Writes the rows of a run to the file given with `--out`.

use std::fs::File;
use std::io::{self, BufWriter, Seek};
use std::path::Path;

use motherlode::tools::hidden;
use motherlode_play::{Cell, Column, Sheet, SheetFormat};

use crate::fault::Fault;
use crate::output::Output;

/// A file of rows. The file has no name until it is complete, so a killed program leaves nothing behind.
pub struct Rows {
    output: Output,
    sheet: Sheet<BufWriter<File>>,
}

impl Rows {
    /// Creates a file in the format of its extension: CSV, JSON lines or Parquet.
    pub fn create(name: &Path, force: bool, columns: Vec<Column>) -> Result<Self, Fault> {
        let format = SheetFormat::of(name).ok_or_else(|| {
            Fault::usage(format!("`{}` has no known extension: use .csv, .jsonl or .parquet", hidden::path(name)))
        })?;
        let output = Output::new(name, force)?;
        let sheet = Sheet::new(BufWriter::new(output.unnamed()?), format, columns)?;
        Ok(Self { output, sheet })
    }

    pub fn write(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), Fault> {
        rows.into_iter().try_for_each(|row| self.sheet.write(row)).map_err(|error| self.output.failed(&error))
    }

    /// Completes the file and gives it its name.
    pub fn finish(self) -> Result<(), Fault> {
        let Self { output, sheet } = self;
        let written = || -> io::Result<File> {
            let mut file = sheet.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            Ok(file)
        };
        let mut rows = written().map_err(|error| output.failed(&error))?;
        output.write(|file| io::copy(&mut rows, file).map(drop))
    }
}
