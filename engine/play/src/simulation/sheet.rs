//! Tables of named, typed columns, written as CSV, JSON lines or Parquet with the same content.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

/// The type of a column. Any cell may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A signed integer of 64 bits.
    Number,
    /// An unsigned integer of 64 bits.
    Seed,
    /// Text.
    Text,
    /// True or false.
    Flag,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name, which never changes.
    pub name: String,
    /// The type of its cells.
    pub kind: Kind,
}

impl Column {
    /// A column with this name and type.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind }
    }

    /// One column per seat, numbered from 1: `score_1`, `score_2`.
    pub fn seats(name: &str, kind: Kind, players: u8) -> impl Iterator<Item = Self> {
        (1..=players).map(move |seat| Self::new(format!("{name}_{seat}"), kind))
    }
}

/// The value of a row in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// No value.
    Missing,
    /// A signed integer.
    Number(i64),
    /// An unsigned integer.
    Seed(u64),
    /// Text; empty text is converted to [`Self::Missing`].
    Text(String),
    /// True or false.
    Flag(bool),
}

impl From<i32> for Cell {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u8> for Cell {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Seed(number)
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        if text.is_empty() { Self::Missing } else { Self::Text(text.to_owned()) }
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// File formats of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetFormat {
    /// Comma-separated values with a header line. Text that a spreadsheet would run as a formula gets a leading `'`.
    Csv,
    /// One JSON object per line; missing cells are null.
    Lines,
    /// Parquet; every column is optional.
    Parquet,
}

impl SheetFormat {
    /// The format for the extension of a file name.
    #[must_use]
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" => Some(Self::Lines),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Writes rows. Memory does not grow with their number.
pub struct Sheet<W: Write + Send> {
    columns: Vec<Column>,
    writer: RowWriter<W>,
}

enum RowWriter<W: Write + Send> {
    Csv(Box<csv::Writer<W>>),
    Lines(W),
    /// The writer, and the rows of the current group.
    Parquet(Box<SerializedFileWriter<W>>, Vec<Vec<Cell>>),
}

/// Rows per Parquet row group; few in tests, so that several groups are quick.
const GROUP: usize = if cfg!(test) { 100 } else { 1 << 16 };

impl<W: Write + Send> Sheet<W> {
    /// Begins a table with these columns.
    ///
    /// # Errors
    /// The writer fails.
    pub fn new(mut writer: W, format: SheetFormat, columns: Vec<Column>) -> io::Result<Self> {
        let writer = match format {
            SheetFormat::Csv => {
                let mut rows = csv::Writer::from_writer(writer);
                rows.write_record(columns.iter().map(|column| defuse(&column.name))).map_err(of_csv)?;
                RowWriter::Csv(Box::new(rows))
            }
            SheetFormat::Lines => {
                writer.flush()?;
                RowWriter::Lines(writer)
            }
            SheetFormat::Parquet => {
                let properties = Arc::new(WriterProperties::builder().build());
                let rows = SerializedFileWriter::new(writer, Arc::new(schema(&columns)?), properties);
                RowWriter::Parquet(Box::new(rows.map_err(other)?), Vec::new())
            }
        };
        Ok(Self { columns, writer })
    }

    /// Writes a row with one value per column.
    ///
    /// # Errors
    /// The writer fails.
    pub fn write(&mut self, row: Vec<Cell>) -> io::Result<()> {
        debug_assert_eq!(row.len(), self.columns.len());
        match &mut self.writer {
            RowWriter::Csv(rows) => rows.write_record(row.iter().map(text)).map_err(of_csv),
            RowWriter::Lines(writer) => {
                let names = self.columns.iter().map(|column| column.name.clone());
                let line: serde_json::Map<String, serde_json::Value> = names.zip(row.iter().map(json)).collect();
                serde_json::to_writer(&mut *writer, &line)?;
                writer.write_all(b"\n")
            }
            RowWriter::Parquet(writer, waiting) => {
                waiting.push(row);
                if waiting.len() < GROUP { Ok(()) } else { group(writer, &self.columns, waiting) }
            }
        }
    }

    /// Writes the remaining rows and returns the writer.
    ///
    /// # Errors
    /// The writer fails.
    pub fn finish(self) -> io::Result<W> {
        match self.writer {
            RowWriter::Csv(rows) => rows.into_inner().map_err(csv::IntoInnerError::into_error),
            RowWriter::Lines(mut writer) => writer.flush().map(|()| writer),
            RowWriter::Parquet(mut writer, mut waiting) => {
                group(&mut writer, &self.columns, &mut waiting)?;
                writer.into_inner().map_err(other)
            }
        }
    }
}

fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

fn other(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

fn text(value: &Cell) -> String {
    match value {
        Cell::Missing => String::new(),
        Cell::Number(number) => number.to_string(),
        Cell::Seed(number) => number.to_string(),
        Cell::Text(text) => defuse(text),
        Cell::Flag(flag) => flag.to_string(),
    }
}

/// Adds a leading `'` to text that a spreadsheet would run, as OWASP advises against CSV injection.
fn defuse(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

/// Whether a spreadsheet may run a text as a formula. Numbers are harmless.
///
/// Leading `'` characters are skipped, so that a reader that removes one `'` from a formula gets the original text,
/// even if the text began with `'`.
fn is_formula(text: &str) -> bool {
    const SIGNS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];
    let text = text.trim_start_matches('\'');
    let is_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.parse::<f64>().is_ok();
    text.starts_with(SIGNS) && !text.strip_prefix(['+', '-']).is_some_and(is_number)
}

fn json(value: &Cell) -> serde_json::Value {
    match value {
        Cell::Missing => serde_json::Value::Null,
        Cell::Number(number) => (*number).into(),
        Cell::Seed(number) => (*number).into(),
        Cell::Text(text) => text.as_str().into(),
        Cell::Flag(flag) => (*flag).into(),
    }
}

fn schema(columns: &[Column]) -> io::Result<Type> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            Kind::Number => (Physical::INT64, None),
            Kind::Seed => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Flag => (Physical::BOOLEAN, None),
        };
        let field = Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>().map_err(other)?;
    Type::group_type_builder("rows").with_fields(fields).build().map_err(other)
}

/// Writes the waiting rows, column by column.
fn group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[Column],
    waiting: &mut Vec<Vec<Cell>>,
) -> io::Result<()> {
    if waiting.is_empty() {
        return Ok(());
    }
    let write = |group: &mut SerializedRowGroupWriter<'_, W>| {
        for (at, column) in columns.iter().enumerate() {
            let cells = || waiting.iter().map(|row| &row[at]);
            match column.kind {
                Kind::Number | Kind::Seed => cells_of::<Int64Type, W>(group, cells(), |cell| match cell {
                    Cell::Number(number) => Some(*number),
                    Cell::Seed(number) => Some(number.cast_signed()),
                    _ => None,
                }),
                Kind::Text => cells_of::<ByteArrayType, W>(group, cells(), |cell| match cell {
                    Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                    _ => None,
                }),
                Kind::Flag => cells_of::<BoolType, W>(group, cells(), |cell| match cell {
                    Cell::Flag(flag) => Some(*flag),
                    _ => None,
                }),
            }?;
        }
        Ok(())
    };
    let mut group = writer.next_row_group().map_err(other)?;
    write(&mut group).map_err(other)?;
    group.close().map_err(other)?;
    waiting.clear();
    Ok(())
}

/// Writes the next column: the present values, and for each row whether it has one.
fn cells_of<'r, D: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: impl Iterator<Item = &'r Cell>,
    value: impl Fn(&Cell) -> Option<D::T>,
) -> Result<(), ParquetError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        let value = value(cell);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    // There is one writer for each column.
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<D>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    /// Reads a table back as text.
    fn read(format: SheetFormat, bytes: Vec<u8>) -> Vec<Vec<(String, String)>> {
        match format {
            SheetFormat::Csv => {
                let mut rows = csv::Reader::from_reader(bytes.as_slice());
                let names = rows.headers().unwrap().clone();
                let plain = |cell: &str| {
                    let rest = cell.strip_prefix('\'').filter(|rest| is_formula(rest));
                    rest.unwrap_or(cell).to_owned()
                };
                let owned = |(name, cell): (&str, &str)| (plain(name), plain(cell));
                rows.records().map(|row| names.iter().zip(&row.unwrap()).map(owned).collect()).collect()
            }
            SheetFormat::Lines => {
                let cell = |(name, value): (&String, &serde_json::Value)| {
                    let text = match value {
                        serde_json::Value::Null => String::new(),
                        serde_json::Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    (name.clone(), text)
                };
                let row = |line: &str| {
                    let row: serde_json::Map<_, _> = serde_json::from_str(line).unwrap();
                    row.iter().map(cell).collect()
                };
                std::str::from_utf8(&bytes).unwrap().lines().map(row).collect()
            }
            SheetFormat::Parquet => {
                let cell = |(name, field): (&String, &Field)| {
                    let text = match field {
                        Field::Null => String::new(),
                        Field::Long(number) => number.to_string(),
                        Field::ULong(number) => number.to_string(),
                        Field::Str(text) => text.clone(),
                        Field::Bool(flag) => flag.to_string(),
                        other => panic!("{other:?}"),
                    };
                    (name.clone(), text)
                };
                let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
                let rows = file.get_row_iter(None).unwrap();
                rows.map(|row| row.unwrap().get_column_iter().map(cell).collect()).collect()
            }
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        let written = |text: &str| {
            let mut sheet = Sheet::new(Vec::new(), SheetFormat::Csv, vec![Column::new("+a", Kind::Text)]).unwrap();
            sheet.write(vec![text.into()]).unwrap();
            let text = String::from_utf8(sheet.finish().unwrap()).unwrap();
            text.strip_prefix("'+a\n").unwrap().trim_end_matches('\n').to_owned()
        };
        for text in ["=1+1", "+1 gold", "-1+1", "@SUM(1)", "\t=1", "＝1", "--1", "-", "'=1", "''@", "-inf"] {
            assert_eq!(written(text), format!("'{text}"));
        }
        assert_eq!(written("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
        assert_eq!(written("\r=1"), "\"'\r=1\"");
        for text in ["-3", "+4.5", "-1e9", "'-3", "'tis", "'", "a=1", "1-2", "é", " =1"] {
            assert_eq!(written(text), text);
        }
    }

    #[test]
    fn all_formats_hold_the_same() {
        let columns = [("index", Kind::Number), ("seed", Kind::Seed), ("why", Kind::Text), ("won", Kind::Flag)];
        let columns = columns.map(|(name, kind)| Column::new(name, kind));
        let whys =
            ["all, \"played\"\nagain", "", "Grüße, 漢字", "=1+1", "'=1+1", "'tis", "''", "-3", "-3 gold", "\r\t=x"];
        // More than one group.
        let rows: Vec<Vec<Cell>> = (0..GROUP as u64 + 3)
            .map(|index| {
                let why = whys[usize::try_from(index).unwrap() % whys.len()];
                let number = i64::try_from(index).unwrap() - 70;
                let won = (index % 3 > 0).then_some(index % 3 == 1);
                vec![Cell::Number(number), (u64::MAX - index).into(), why.into(), won.into()]
            })
            .collect();
        let plain = |value: &Cell| match value {
            Cell::Text(text) => text.clone(),
            value => text(value),
        };
        let expected: Vec<Vec<(String, String)>> = rows
            .iter()
            .map(|row| columns.iter().zip(row).map(|(column, value)| (column.name.clone(), plain(value))).collect())
            .collect();
        for format in [SheetFormat::Csv, SheetFormat::Lines, SheetFormat::Parquet] {
            let mut sheet = Sheet::new(Vec::new(), format, columns.to_vec()).unwrap();
            rows.iter().for_each(|row| sheet.write(row.clone()).unwrap());
            assert!(read(format, sheet.finish().unwrap()) == expected, "{format:?}");
            let none = Sheet::new(Vec::new(), format, columns.to_vec()).unwrap();
            assert!(read(format, none.finish().unwrap()).is_empty());
        }
    }
}
