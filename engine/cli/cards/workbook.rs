//! Excel workbooks: one sheet for each kind.

use std::io::{self, Cursor, Read as _};

use calamine::{Data, DataRef, Reader as _, Xlsx};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Cell, Cells};
use crate::fault::Fault;

/// Longest name of a sheet.
pub const NAME: usize = 31;

/// Largest workbook that is read, unpacked: both its parts, and the texts of its cells, in bytes. A small file can unpack to gigabytes.
const LARGEST: u64 = 64 << 20;

/// Maximum sheets that are read.
const MOST_SHEETS: usize = 200;

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
    let too_large = || {
        let message = format!("`{shown}` has more than {} MiB unpacked", LARGEST >> 20);
        Fault::failed(format!("{message}: export the cards again, or save the sheet as .csv"))
    };
    if unpacked(bytes).map_err(|error| wrong(&error))? > LARGEST {
        return Err(too_large());
    }
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|error| wrong(&error))?;
    let (names, mut size) = (book.sheet_names(), 0);
    if names.len() > MOST_SHEETS {
        return Err(Fault::failed(format!("`{shown}` has more than {MOST_SHEETS} sheets: delete the others")));
    }
    let mut sheets = Vec::new();
    for name in names {
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
            // Many cells can share one text, and each of them holds a copy.
            size += size_of::<Cell>() as u64 + if let Cell::Text(text) = &cell { text.len() as u64 } else { 0 };
            if size > LARGEST {
                return Err(too_large());
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

/// The unpacked size of a zip in bytes, by unpacking it: the stated sizes may be false. Ends soon after the limit.
fn unpacked(bytes: &[u8]) -> Result<u64, ZipError> {
    let mut zip = ZipArchive::new(Cursor::new(bytes))?;
    let mut size = 0;
    for index in 0..zip.len() {
        let mut part = zip.by_index(index)?.take(LARGEST + 1 - size);
        size += io::copy(&mut part, &mut io::sink()).map_err(ZipError::Io)?;
        if size > LARGEST {
            break;
        }
    }
    Ok(size)
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

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// A workbook of one sheet with a further part of zeros.
    fn with_zeros(mebibytes: usize) -> Vec<u8> {
        let rows = vec![vec![Cell::text("id")], vec![Cell::text("a")]];
        let book = write(&[Cells { name: "cards".to_owned(), rows }]).unwrap();
        let mut zip = ZipWriter::new_append(Cursor::new(book)).unwrap();
        zip.start_file("xl/media/zeros.bin", SimpleFileOptions::default()).unwrap();
        let zeros = vec![0; 1 << 20];
        for _ in 0..mebibytes {
            zip.write_all(&zeros).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn a_small_file_that_unpacks_to_a_large_one_is_refused() {
        assert_eq!(read("cards.xlsx", &with_zeros(1)).unwrap()[0].rows.len(), 2);
        let bytes = with_zeros(70);
        assert!(bytes.len() < 1 << 20, "{}", bytes.len());
        let reason = read("cards.xlsx", &bytes).err().and_then(|fault| fault.reason()).unwrap();
        assert!(reason.contains("more than 64 MiB unpacked"), "{reason}");
    }

    #[test]
    fn many_cells_with_one_long_text_are_refused() {
        let row = vec![Cell::text("x".repeat(30_000)); 100];
        let book = write(&[Cells { name: "cards".to_owned(), rows: vec![row; 30] }]).unwrap();
        assert!(book.len() < 1 << 20, "{}", book.len());
        let reason = read("cards.xlsx", &book).err().and_then(|fault| fault.reason()).unwrap();
        assert!(reason.contains("more than 64 MiB unpacked"), "{reason}");
    }

    #[test]
    fn other_files_are_no_workbooks() {
        for bytes in [&b""[..], b"id,name\n", b"PK\x03\x04"] {
            let reason = read("cards.xlsx", bytes).err().and_then(|fault| fault.reason()).unwrap();
            assert!(reason.contains("is not an .xlsx workbook"), "{reason}");
        }
    }
}
