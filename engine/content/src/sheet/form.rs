//! The form of a column: how its values are written in cells, and read.

use indexmap::IndexMap;

use super::data::Data;
use super::effect::{self, Verbs};
use crate::declare::AttributeType;

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Blank,
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with decimals. Whole ones are read as [`Cell::Integer`].
    Decimal(f64),
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A value that no column takes, such as a date or the error of a formula; its description.
    Other(String),
}

impl Cell {
    /// A text; an empty one is a blank cell.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::Blank } else { Self::Text(text) }
    }

    /// Whether the cell holds nothing, or spaces.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Blank => true,
            Self::Text(text) => text.trim().is_empty(),
            _ => false,
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Blank => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Decimal(number) => write!(f, "{number}"),
            Self::Boolean(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Self::Other(what) => f.write_str(what),
        }
    }
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// Any text, as it is.
    Text,
    /// A name.
    Name,
    Integer,
    Boolean,
    /// Values with commas: `left, right`.
    List(Box<Form>),
    /// `2 gold, 1 iron`.
    Amounts,
    /// The effect of a hook.
    Effect,
    /// The effects of a list of hooks.
    Effects,
    /// TOML in one line.
    Toml,
    /// A text that the engine makes; not imported.
    Made,
}

impl Form {
    pub(super) fn of(of: &AttributeType) -> Self {
        match of {
            AttributeType::Integer { .. } => Self::Integer,
            AttributeType::Boolean => Self::Boolean,
            AttributeType::Text(values) if values.is_empty() => Self::Text,
            AttributeType::Text(_) | AttributeType::Id(_) | AttributeType::CounterName | AttributeType::ZoneName => {
                Self::Name
            }
            AttributeType::List(of, _) => Self::List(Box::new(Self::of(of))),
            AttributeType::Amounts(_) => Self::Amounts,
        }
    }

    /// Writes a value into a cell.
    pub(super) fn write(&self, value: &Data, verbs: &Verbs) -> Cell {
        let short = match (self, value) {
            (Self::Text | Self::Name | Self::Made, Data::Text(text)) => return Cell::text(text.as_str()),
            (_, Data::Integer(number)) => return Cell::Integer(*number),
            (_, Data::Boolean(value)) => return Cell::Boolean(*value),
            (Self::List(of), Data::List(list)) if !list.is_empty() => {
                list.iter().map(|one| of.write(one, verbs).to_string()).collect::<Vec<_>>().join(", ")
            }
            (Self::Amounts, Data::Table(table)) => effect::write_amounts(table).unwrap_or_default(),
            (Self::Effect, effect) => effect::write(effect, verbs),
            (Self::Effects, effects) => effect::write_list(effects, verbs),
            _ => String::new(),
        };
        let is_same = self.read(&Cell::text(short.as_str()), verbs).ok().flatten().as_ref() == Some(value);
        Cell::text(if is_same { short } else { value.written() })
    }

    /// Reads a cell; `None`: it is blank. A value of a wrong type is read as written, for the check to report.
    ///
    /// # Errors
    /// The cell cannot be read at all: a message with the likely fix.
    pub(super) fn read(&self, cell: &Cell, verbs: &Verbs) -> Result<Option<Data>, String> {
        if let Cell::Other(what) = cell {
            return Err(format!("{what} is not a value of a card: format the column as text, and write the value"));
        }
        if cell.is_blank() {
            return Ok(None);
        }
        let value = match (self, cell) {
            (Self::Text | Self::Made, Cell::Text(text)) => Data::text(text.as_str()),
            (Self::Text | Self::Name | Self::Made, cell) => Data::text(shown(cell).trim()),
            (Self::List(of), cell) => read_list(of, cell, verbs)?,
            (Self::Integer, Cell::Text(text)) => number(text),
            (Self::Boolean, Cell::Text(text)) => boolean(text),
            (Self::Boolean, Cell::Integer(number @ 0..=1)) => Data::Boolean(*number == 1),
            (Self::Amounts, Cell::Text(text)) => effect::read_amounts(text)?,
            (Self::Effect, Cell::Text(text)) => effect::read(text, verbs)?,
            (Self::Effects, Cell::Text(text)) => effect::read_list(text, verbs)?,
            (Self::Toml, Cell::Text(text)) => {
                Data::parse(text).ok_or_else(|| format!("`{}` is not TOML, such as `{{ name = 1 }}`", text.trim()))?
            }
            (_, Cell::Integer(number)) => Data::Integer(*number),
            (_, Cell::Decimal(number)) => Data::Decimal(*number),
            (_, Cell::Boolean(value)) => Data::Boolean(*value),
            (_, Cell::Blank | Cell::Other(_)) => return Ok(None),
        };
        Ok(Some(value))
    }
}

/// A cell as a text, with the words of TOML.
fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Boolean(value) => value.to_string(),
        other => other.to_string(),
    }
}

fn read_list(of: &Form, cell: &Cell, verbs: &Verbs) -> Result<Data, String> {
    let text = shown(cell);
    let text = text.trim();
    if text.starts_with('[') {
        return Data::parse(text).ok_or_else(|| format!("`{text}` is not a list: write `a, b`, or `[\"a\", \"b\"]`"));
    }
    let mut list = Vec::new();
    for part in text.trim_end_matches(',').split(',').map(str::trim) {
        let value = of.read(&Cell::text(part), verbs)?;
        list.push(value.ok_or("a value is missing between two commas")?);
    }
    Ok(Data::List(list))
}

fn number(text: &str) -> Data {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return Data::Integer(number);
    }
    match text.parse::<f64>() {
        // As a spreadsheet saves a whole number. The largest 53-bit number is beyond every range.
        Ok(number) if number.fract() == 0.0 && number.abs() < 9e15 => Data::Integer(number as i64),
        Ok(number) if number.is_finite() => Data::Decimal(number),
        _ => Data::text(text),
    }
}

fn boolean(text: &str) -> Data {
    match text.trim().to_lowercase().as_str() {
        "true" | "1" => Data::Boolean(true),
        "false" | "0" => Data::Boolean(false),
        other => Data::text(other),
    }
}

/// The value of a declaration as data; a member of a family is a table in a table.
pub(super) fn data_of(value: &crate::declare::Value) -> Data {
    use crate::declare::Value;
    match value {
        Value::Boolean(value) => Data::Boolean(*value),
        Value::Integer(number) => Data::Integer(i64::from(*number)),
        Value::Text(text) => Data::text(text.as_str()),
        Value::Formula(written) => Data::text(written.text.as_str()),
        Value::List(list) => Data::List(list.iter().map(data_of).collect()),
        Value::Map(map) => {
            let mut table: IndexMap<String, Data> = IndexMap::new();
            for (name, value) in map {
                match name.split_once('.') {
                    Some((family, id)) => {
                        let members = table.entry(family.to_owned()).or_insert_with(|| Data::Table(IndexMap::new()));
                        if let Data::Table(members) = members {
                            members.insert(id.to_owned(), data_of(value));
                        }
                    }
                    None => drop(table.insert(name.clone(), data_of(value))),
                }
            }
            Data::Table(table)
        }
    }
}
