//! CSV files: read as spreadsheets save them, written so that a spreadsheet runs nothing.

use std::io;

use super::Cell;
use crate::fault::Fault;

/// Spreadsheets take a text with one of these first characters for a formula, or hide it.
const RISKY: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\''];

/// Marks a file as UTF-8 for Excel.
const BOM: &str = "\u{feff}";

/// Writes the cells.
pub fn write(rows: &[Vec<Cell>]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row.iter().map(|cell| match cell {
            Cell::Text(text) if text.starts_with(RISKY) => format!("'{text}"),
            cell => cell.to_string(),
        }))?;
    }
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    Ok(if bytes.is_ascii() { bytes } else { [BOM.as_bytes(), &bytes].concat() })
}

/// Reads the cells of a file with commas, semicolons or tabs.
pub fn read(shown: &str, bytes: &[u8]) -> Result<Vec<Vec<Cell>>, Fault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Fault::failed(format!("`{shown}` is not UTF-8 text: save it as `CSV UTF-8`, or as .xlsx")))?;
    let text = text.strip_prefix(BOM).unwrap_or(text);
    let header = text.lines().find(|line| !is_blank(line)).unwrap_or_default();
    let count = |separator: &char| header.matches(*separator).count();
    let separator = [',', ';', '\t'].into_iter().rev().max_by_key(count).unwrap_or(',');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(u8::try_from(separator).unwrap_or(b','))
        .from_reader(text.as_bytes());
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut record = csv::StringRecord::new();
    loop {
        let begin = offset(&reader);
        let is_record = reader.read_record(&mut record);
        if !is_record.map_err(|error| Fault::failed(format!("cannot read `{shown}`: {error}")))? {
            return Ok(rows);
        }
        // The reader skips blank lines, but a spreadsheet numbers them.
        rows.resize_with(rows.len() + blank_lines(text, begin), Vec::new);
        // A first line of other separators is blank, too.
        let is_blank = record.len() == 1 && record.get(0).is_some_and(is_blank);
        rows.push(if is_blank { Vec::new() } else { record.iter().map(cell).collect() });
    }
}

/// Whether a line holds nothing but separators, quotes and spaces.
fn is_blank(line: &str) -> bool {
    line.chars().all(|c| c.is_whitespace() || [',', ';', '"'].contains(&c))
}

/// The place of a reader in its text.
fn offset(reader: &csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).unwrap_or(usize::MAX)
}

/// The number of blank lines from a place between two records.
fn blank_lines(text: &str, begin: usize) -> usize {
    let (before, rest) = text.split_at_checked(begin).unwrap_or((text, ""));
    // The end of the record before may be read only in part.
    let rest = rest.strip_prefix('\n').filter(|_| before.ends_with('\r')).unwrap_or(rest);
    let breaks = &rest[..rest.find(|c| !matches!(c, '\r' | '\n')).unwrap_or(rest.len())];
    breaks.replace("\r\n", "\n").len()
}

fn cell(field: &str) -> Cell {
    let field = field.replace("\r\n", "\n");
    match field.strip_prefix('\'') {
        Some(text) if text.starts_with(RISKY) => Cell::text(text),
        _ => Cell::text(field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<Vec<String>> {
        let rows = read("cards.csv", bytes).unwrap();
        rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn files_of_spreadsheets_are_read() {
        let expected = [["id", "cost"], ["a", "3.0"]];
        assert_eq!(texts(b"id,cost\r\na,3.0\r\n"), expected);
        assert_eq!(texts("\u{feff}id;cost\r\na;3.0\r\n".as_bytes()), expected);
        assert_eq!(texts(b"id\tcost\na\t3.0\n"), expected);
        assert_eq!(texts(b"id,text\na,\"x, \"\"y\"\"\r\nz\"\n")[1][1], "x, \"y\"\nz");
        assert!(read("cards.csv", b"id\n\xe4\n").unwrap_err().reason().unwrap().contains("CSV UTF-8"));
    }

    #[test]
    fn blank_lines_are_rows() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["", "", "id;text", "", "a;\"x", "", "y\"", "", "", "b;z", "", ""].join(end);
            let rows = texts(text.as_bytes());
            assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 2, 0, 2, 0, 0, 2], "{end:?}");
            assert_eq!(rows[7], ["b", "z"]);
        }
    }

    #[test]
    fn a_blank_first_line_says_nothing_of_the_separator() {
        for blank in ["", " ", ";;", ",,", ",,,,,", "\t\t", "\"\";\"\""] {
            for separator in [",", ";", "\t"] {
                let rows = texts(format!("{blank}\nid{separator}cost\na{separator}3\n").as_bytes());
                let filled = &rows[rows.len() - 2..];
                assert_eq!(filled, [["id", "cost"], ["a", "3"]], "{blank:?} {separator:?}");
                assert!(rows[..rows.len() - 2].iter().flatten().all(|cell| cell.trim().is_empty()), "{rows:?}");
                assert_eq!(rows.len(), 3, "a blank row has a number");
            }
        }
    }

    #[test]
    fn no_text_is_a_formula() {
        for text in ["=1+1", "+1", "-x", "@sum(a)", "'tis", "''", "\tx", "plain", "a'b"] {
            let written = write(&[vec![Cell::text("id")], vec![Cell::text(text)]]).unwrap();
            let field = String::from_utf8(written.clone()).unwrap();
            let field = field.lines().nth(1).unwrap().trim_start_matches('"');
            assert!(!field.starts_with(['=', '+', '-', '@', '\t']), "{field}");
            assert_eq!(texts(&written)[1][0], text);
        }
        assert_eq!(write(&[vec![Cell::Integer(-2)]]).unwrap(), b"-2\n", "a number is no formula");
        assert!(write(&[vec![Cell::text("ä")]]).unwrap().starts_with(BOM.as_bytes()));
    }
}
