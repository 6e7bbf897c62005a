//! Cards as the rows of a spreadsheet: from declarations to cells, and from edited cells back to TOML.
//!
//! A sheet has the cards of one kind: all of them, or those that the file of one mod sets. Its cells hold the values in force, in a short
//! form; blank cells have none. An edited sheet changes only the values whose cells differ, and keeps the layout of the file.
//!
//! Direction: data <- edit, effect <- form <- self <- grid <- import <- field

mod data;
mod edit;
mod effect;
mod field;
mod form;
mod grid;
mod import;
#[cfg(test)]
mod tests;

use indexmap::IndexMap;

pub use self::field::{Field, FieldForm};
pub use self::form::Cell;
pub use self::grid::{CellFault, Grid};
pub use self::import::{Change, Import};

use self::data::Data;
use self::form::{Form, data_of};
use super::declare::{Declarations, Definition, Kind};
use super::document::{Document, Faults};
use super::files::Files;
use super::merge;
use super::mods::Mod;
use super::names::STEMS;
use super::pack::Pack;

/// Header of the column with the texts of the cards, which the engine composes.
pub const CARD_TEXT: &str = "Card text (made)";

/// Keys of definitions that are written as TOML, and only if a card has them.
const TOML_KEYS: [&str; 5] = ["aim", "before", "instead", "on", "modifies"];

/// The cards of a kind, in one layer of a pack.
#[derive(Debug, Clone)]
pub struct Sheet<'p> {
    /// Name of the kind.
    pub kind: String,
    /// Displayed path of the file that holds the cards; the file may not exist.
    pub path: String,
    /// Its text; empty if it does not exist.
    text: &'p str,
    /// The columns; the first one is the id.
    columns: Vec<Column>,
    /// The cards in the order of play.
    rows: Vec<Row>,
    declarations: &'p Declarations,
}

#[derive(Debug, Clone)]
struct Column {
    name: String,
    form: Form,
    /// The value of a card that does not set it; `None`: it differs from card to card, or there is none.
    default: Option<Data>,
}

#[derive(Debug, Clone)]
struct Row {
    id: String,
    cells: Vec<Cell>,
}

impl<'p> Sheet<'p> {
    /// Reads the cards of a kind (index into `kinds`). Of a game with mods, `layer` selects the cards that the file of this mod sets: n is
    /// the n-th mod, and 0 is the game. Values of higher layers are in force, too: leave out the mods above the layer to see its own.
    /// `None` if there is no such kind, or if its name is that of another file, which holds no cards.
    #[must_use]
    pub fn read(pack: &'p Pack, declarations: &'p Declarations, kind: usize, layer: usize) -> Option<Self> {
        let (name, declared) =
            declarations.kinds.get_index(kind).filter(|(name, _)| !STEMS.contains(&name.as_str()))?;
        let faults = Faults::default();
        let files = Files::of_pack(pack, &faults);
        let inner = format!("content/{}/{name}.toml", pack.id);
        let path = match layer.checked_sub(1).and_then(|index| pack.mods().get(index)) {
            Some(one) => format!("{}/{inner}", one.id()),
            None => inner,
        };
        let own = files.content.get(name.as_str()).into_iter().flatten().find(|(of, _)| *of == layer);
        let text = own.map_or("", |(_, source)| source.text.as_str());
        let merged = merge::merge(&files.content, pack.mods(), &faults);
        let tables = tables(merged.get(name.as_str()).filter(|_| !text.is_empty() || layer == 0));
        let mut sheet = Self { kind: name.clone(), path, text, columns: Vec::new(), rows: Vec::new(), declarations };
        sheet.columns = sheet.columns_of(declared, &tables);
        let set = if layer == 0 { None } else { Some(sheet.written()) };
        for definition in &declarations.definitions[declared.first..declared.first + declared.len] {
            if set.as_ref().is_none_or(|set| set.contains_key(&definition.id)) {
                let row = sheet.row(declared, definition, tables.get(&definition.id));
                sheet.rows.push(row);
            }
        }
        Some(sheet)
    }

    /// The header and the cards.
    #[must_use]
    pub fn cells(&self) -> Vec<Vec<Cell>> {
        let header = self.columns.iter().map(|column| Cell::text(column.name.as_str())).collect();
        std::iter::once(header).chain(self.rows.iter().map(|row| row.cells.clone())).collect()
    }

    /// The text of the file; empty if it does not exist.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text
    }

    /// The number of cards.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The definitions in the file of the layer.
    fn written(&self) -> IndexMap<String, Data> {
        let document = self.text.parse::<toml_edit::DocumentMut>().unwrap_or_default();
        match Data::of_item(document.as_item()) {
            Data::Table(table) => table,
            _ => IndexMap::new(),
        }
    }

    fn columns_of(&self, kind: &Kind, tables: &IndexMap<String, Data>) -> Vec<Column> {
        let column = |name: &str, form: Form, default: Option<Data>| Column { name: name.to_owned(), form, default };
        let is_used =
            |key: &str| tables.values().any(|table| matches!(table, Data::Table(table) if table.contains_key(key)));
        let mut columns = vec![column("id", Form::Name, None), column("name", Form::Text, None)];
        columns.push(column("text", Form::Text, None));
        columns.extend(kind.tokens.then(|| column("copies", Form::Integer, Some(Data::Integer(1)))));
        columns.extend(is_used("image").then(|| column("image", Form::Text, None)));
        for (name, attribute) in &kind.attributes {
            columns.push(column(name, Form::of(&attribute.of), attribute.default.as_ref().map(data_of)));
        }
        let hooks = kind.hooks.keys().filter(|hook| kind.list_of(hook).is_none());
        columns.extend(hooks.map(|hook| column(hook, Form::Effect, None)));
        columns.extend(kind.lists.keys().map(|list| column(list, Form::Effects, None)));
        columns.extend(TOML_KEYS.iter().filter(|key| is_used(key)).map(|key| column(key, Form::Toml, None)));
        columns.push(column(CARD_TEXT, Form::Made, None));
        columns
    }

    fn row(&self, kind: &Kind, definition: &Definition, written: Option<&Data>) -> Row {
        let verbs = &self.declarations.verbs;
        let cell = |column: &Column| {
            let value = match column.name.as_str() {
                "id" => Data::text(definition.id.as_str()),
                "name" => Data::text(definition.name.as_str()),
                "text" => Data::text(definition.written.as_str()),
                "copies" => Data::Integer(i64::from(definition.copies)),
                CARD_TEXT => Data::text(definition.text.as_str()),
                name => match kind.attributes.get_index_of(name).and_then(|at| definition.attributes.get(at)) {
                    Some(value) => data_of(value),
                    None => match written {
                        Some(Data::Table(table)) => match table.get(name) {
                            Some(value) => value.clone(),
                            None => return Cell::Blank,
                        },
                        _ => return Cell::Blank,
                    },
                },
            };
            column.form.write(&value, verbs)
        };
        Row { id: definition.id.clone(), cells: self.columns.iter().map(cell).collect() }
    }
}

/// The values of all definitions in a file, as merged.
fn tables(document: Option<&Document<'_>>) -> IndexMap<String, Data> {
    let entries = document.into_iter().flat_map(|document| document.table.iter());
    entries.map(|(key, value)| (key.get_ref().to_string(), Data::of_read(value.get_ref()))).collect()
}

/// The number of a mod's layer in a pack.
#[must_use]
pub fn layer_of(pack: &Pack, id: &str) -> Option<usize> {
    pack.mods().iter().map(Mod::id).position(|one| one == id).map(|index| index + 1)
}
