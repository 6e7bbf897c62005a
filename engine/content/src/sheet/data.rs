//! TOML values as plain data: compared, written and read without their layout.

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::DeValue;
use toml_edit::{Item, TableLike, Value};

/// A value of a TOML file. Two tables are equal whatever the order of their keys.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Data {
    Boolean(bool),
    Integer(i64),
    Decimal(f64),
    Text(String),
    List(Vec<Data>),
    Table(IndexMap<String, Data>),
    /// A date, as written. The content has none.
    Date(String),
}

impl Data {
    /// A name or another text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A table with one entry.
    pub(super) fn entry(key: &str, value: Self) -> Self {
        Self::Table(IndexMap::from_iter([(key.to_owned(), value)]))
    }

    /// Reads TOML, such as `[1, 2]` or `{ gold = 2 }`.
    pub(super) fn parse(written: &str) -> Option<Self> {
        Some(Self::of_value(&written.trim().parse::<Value>().ok()?))
    }

    pub(super) fn of_value(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text.value().clone()),
            Value::Integer(number) => Self::Integer(*number.value()),
            Value::Float(number) => Self::Decimal(*number.value()),
            Value::Boolean(value) => Self::Boolean(*value.value()),
            Value::Datetime(date) => Self::Date(date.value().to_string()),
            Value::Array(array) => Self::List(array.iter().map(Self::of_value).collect()),
            Value::InlineTable(table) => Self::of_table(table),
        }
    }

    pub(super) fn of_item(item: &Item) -> Self {
        match item {
            Item::None => Self::Table(IndexMap::new()),
            Item::Value(value) => Self::of_value(value),
            Item::Table(table) => Self::of_table(table),
            Item::ArrayOfTables(list) => Self::List(list.iter().map(|table| Self::of_table(table)).collect()),
        }
    }

    fn of_table(table: &dyn TableLike) -> Self {
        Self::Table(table.iter().map(|(key, item)| (key.to_owned(), Self::of_item(item))).collect())
    }

    /// The value of a document in which the layers are merged.
    pub(super) fn of_read(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| Self::text(number.as_str()), Self::Integer),
            DeValue::Float(number) => {
                number.as_str().parse().map_or_else(|_| Self::text(number.as_str()), Self::Decimal)
            }
            DeValue::Boolean(value) => Self::Boolean(*value),
            DeValue::Datetime(date) => Self::Date(date.to_string()),
            DeValue::Array(list) => Self::List(list.iter().map(Spanned::get_ref).map(Self::of_read).collect()),
            DeValue::Table(table) => Self::Table(
                table.iter().map(|(key, value)| (key.get_ref().to_string(), Self::of_read(value.get_ref()))).collect(),
            ),
        }
    }

    /// The value as TOML in one line, as the games write it: `{ coins = 2, raw.gold = 1 }`.
    pub(super) fn written(&self) -> String {
        self.written_in(false)
    }

    /// The value; in another table, tables with a single number have dotted keys.
    fn written_in(&self, is_nested: bool) -> String {
        match self {
            Self::Boolean(value) => value.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Decimal(number) => Value::from(*number).to_string(),
            Self::Text(text) => Value::from(text.as_str()).to_string(),
            Self::Date(date) => date.clone(),
            Self::List(list) => format!("[{}]", list.iter().map(Self::written).collect::<Vec<_>>().join(", ")),
            Self::Table(table) if table.is_empty() => "{}".to_owned(),
            Self::Table(table) => {
                let mut entries = Vec::new();
                add_entries(table, "", is_nested, &mut entries);
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }

    /// The value for a document.
    pub(super) fn to_value(&self) -> Value {
        // This never fails: `written` makes TOML.
        self.written().parse().unwrap_or_else(|_| Value::from(self.written()))
    }
}

/// Adds the entries of a table; in a nested one, members of families have dotted keys: `raw.gold = 1`.
fn add_entries(table: &IndexMap<String, Data>, before: &str, is_nested: bool, entries: &mut Vec<String>) {
    for (key, value) in table {
        let key = format!("{before}{}", toml_edit::Key::new(key.as_str()));
        match value {
            Data::Table(inner)
                if is_nested && inner.len() == 1 && inner.values().all(|one| matches!(one, Data::Integer(_))) =>
            {
                add_entries(inner, &format!("{key}."), is_nested, entries);
            }
            value => entries.push(format!("{key} = {}", value.written_in(true))),
        }
    }
}
