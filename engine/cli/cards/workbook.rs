//! Excel workbooks: one sheet for each kind.

use std::io::Cursor;

use calamine::{Data, DataRef, Reader as _, Xlsx};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};

use super::{Cell, Cells};
use crate::fault::Fault;

/// Longest name of a sheet.
pub const NAME: usize = 31;

/// Maximum rows and columns that are read. A single distant cell makes no large table.
const MOST_ROWS: u32 = 20_000;
const MOST_COLUMNS: u32 = 500;

/// Writes a workbook. The same cells give the same bytes.
pub fn write(sheets: &[Cells]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    book.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_timestamp(0)?));
    let (head, plain) = (Format::new().set_bold(), Format::new().set_text_wrap());
    for Cells { name, rows } in sheets {
        let sheet = book.add_worksheet().set_name(short(name))?;
        for (row, cells) in (0..).zip(rows) {
            let format = if row == 0 { &head } else { &plain };
            for (column, cell) in (0..).zip(cells) {
                match cell {
                    Cell::Blank | Cell::Other(_) => {}
                    Cell::Text(text) => {
                        sheet.write_string_with_format(row, column, text, format)?;
                    }
                    Cell::Integer(number) => {
                        sheet.write_number(row, column, *number as f64)?;
                    }
                    Cell::Decimal(number) => {
                        sheet.write_number(row, column, *number)?;
                    }
                    Cell::Boolean(value) => {
                        sheet.write_boolean(row, column, *value)?;
                    }
                }
            }
        }
        sheet.set_freeze_panes(1, 1)?;
        sheet.set_autofit_max_width(360).autofit();
    }
    book.save_to_buffer()
}

/// The name of the sheet of a kind.
pub fn short(kind: &str) -> String {
    kind.chars().take(NAME).collect()
}

/// Reads all sheets with cells. Of a formula, reads the result that the spreadsheet saved.
pub fn read(shown: &str, bytes: &[u8]) -> Result<Vec<Cells>, Fault> {
    let wrong = |error: &dyn std::fmt::Display| Fault::failed(format!("`{shown}` is not an .xlsx workbook: {error}"));
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| wrong(&error))?;
    let mut sheets = Vec::new();
    for name in book.sheet_names() {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        let mut reader = book.worksheet_cells_reader(&name).map_err(|error| wrong(&error))?;
        while let Some(found) = reader.next_cell().map_err(|error| wrong(&error))? {
            let (row, column) = found.get_position();
            let cell = cell(found.get_value());
            if cell == Cell::Blank {
                continue;
            }
            if row >= MOST_ROWS || column >= MOST_COLUMNS {
                let message =
                    format!("`{shown}` has cells beyond row {MOST_ROWS} or column {MOST_COLUMNS} of `{name}`");
                return Err(Fault::failed(format!("{message}: delete them")));
            }
            let (row, column) = (row as usize, column as usize);
            if rows.len() <= row {
                rows.resize_with(row + 1, Vec::new);
            }
            if rows[row].len() <= column {
                rows[row].resize(column + 1, Cell::Blank);
            }
            rows[row][column] = cell;
        }
        sheets.extend((!rows.is_empty()).then_some(Cells { name, rows }));
    }
    Ok(sheets)
}

fn cell(value: &DataRef<'_>) -> Cell {
    match Data::from(value.clone()) {
        Data::Empty => Cell::Blank,
        Data::String(text) => Cell::text(text.replace("\r\n", "\n")),
        Data::Int(number) => Cell::Integer(number),
        // The largest 53-bit number is beyond every range.
        Data::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => Cell::Integer(number as i64),
        Data::Float(number) => Cell::Decimal(number),
        Data::Bool(value) => Cell::Boolean(value),
        Data::Error(error) => Cell::Other(format!("the error {error} of a formula")),
        Data::DateTime(_) | Data::DateTimeIso(_) | Data::DurationIso(_) => Cell::Other("a date".to_owned()),
    }
}
