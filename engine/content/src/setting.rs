//! One number in the content files of a game: its value, and a mod that sets it.

use toml::{Table, Value};

use crate::diagnostic::Diagnostics;
use crate::mods::Mod;

/// A content file in all layers: the game, then its mods.
#[derive(Debug)]
pub struct Layers {
    tables: Vec<Table>,
}

/// A value at some keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// A whole number.
    Number(i64),
    /// A table, with the keys of its numbers and tables.
    Table(Vec<String>),
    /// Another value.
    Other,
}

/// A key that no layer has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingKey<'l> {
    /// Its place among the keys, from 0.
    pub depth: usize,
    /// The keys at this place, of all layers.
    pub known: Vec<&'l str>,
}

impl Layers {
    /// The layers of these texts. A text that is not TOML is no layer.
    pub fn parse<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        Self { tables: texts.filter_map(|text| text.parse().ok()).collect() }
    }

    /// Whether there is no layer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The first keys of all layers.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.tables.iter().flat_map(Table::keys).map(String::as_str)
    }

    /// The value at these keys, in the last layer that has it.
    ///
    /// # Errors
    /// No layer has one of the keys.
    pub fn find(&self, keys: &[String]) -> Result<Setting, MissingKey<'_>> {
        let mut found: Vec<&Value> = Vec::new();
        let mut parents: Vec<&Table> = self.tables.iter().collect();
        for (depth, key) in keys.iter().enumerate() {
            found = parents.iter().filter_map(|table| table.get(key)).collect();
            if found.is_empty() {
                let known = parents.iter().flat_map(|table| table.keys()).map(String::as_str).collect();
                return Err(MissingKey { depth, known });
            }
            parents = found.iter().filter_map(|value| value.as_table()).collect();
        }
        Ok(match found.last() {
            Some(Value::Integer(number)) => Setting::Number(*number),
            Some(Value::Table(table)) => {
                let is_number = |(_, value): &(&String, &Value)| value.is_integer() || value.is_table();
                Setting::Table(table.iter().filter(is_number).map(|(key, _)| key.clone()).collect())
            }
            _ => Setting::Other,
        })
    }
}

/// A mod of the game `id` that sets one number of the file `stem`, over these other mods.
///
/// # Errors
/// The mod is faulty.
pub fn setting_mod(id: &str, mods: &[Mod], stem: &str, keys: &[String], value: i32) -> Result<Mod, Diagnostics> {
    let mut name = "sweep".to_owned();
    while mods.iter().any(|other| other.id() == name) {
        name.push_str("_2");
    }
    let mut manifest = Table::new();
    for (key, text) in [("id", name.as_str()), ("name", "Sweep"), ("version", "1.0.0"), ("game", id)] {
        manifest.insert(key.to_owned(), text.into());
    }
    let others: Vec<Value> = mods.iter().map(|other| other.id().into()).collect();
    manifest.insert("load_after".to_owned(), Value::Array(others));
    let value =
        keys.iter().rev().fold(Value::from(value), |value, key| Value::Table(Table::from_iter([(key.clone(), value)])));
    let content = value.as_table().map(ToString::to_string).unwrap_or_default();
    Mod::from_files([("mod.toml".to_owned(), manifest.to_string()), (format!("content/{id}/{stem}.toml"), content)])
}
