//! Applies the cells of a file to the TOML of a kind.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use toml_edit::DocumentMut;

use super::data::Data;
use super::grid::GridRow;
use super::{CellFault, Form, Grid, Row, Sheet, edit};
use crate::diagnostic::{Diagnostic, nearest};
use crate::document::{Document, Faults};
use crate::source::SourceFile;

/// A change of the file of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Id of the card.
    pub id: String,
    /// The changed key; `None`: the whole card is new or gone.
    pub key: Option<String>,
    /// The cell before; empty: there was none.
    pub old: String,
    /// The cell after; empty: there is none.
    pub new: String,
    /// Line in the new file, or, for a card that is gone, in the old one.
    pub line: u32,
}

/// The new text of a file, with its changes.
#[derive(Debug)]
pub struct Import {
    /// The new text; equal to the old one if nothing changed.
    pub text: String,
    /// All changes, in the order of the file that was read.
    pub changes: Vec<Change>,
    /// Cards that the file lacks.
    pub missing: Vec<String>,
    /// Cells that cannot be read. The text lacks them, but the check of the text finds further faults.
    pub faults: Vec<CellFault>,
}

impl Grid {
    /// Applies the cells to the cards of a sheet. `delete` removes the cards that the file lacks.
    #[must_use]
    pub fn import(&self, sheet: &Sheet<'_>, delete: bool) -> Import {
        let mut faults = self.faults.clone();
        let mut document: DocumentMut = sheet.text.parse().unwrap_or_default();
        let mut changes = Vec::new();
        for row in &self.rows {
            match sheet.rows.iter().find(|known| known.id == row.id).cloned().or_else(|| sheet.below(&row.id)) {
                Some(known) => self.change(sheet, row, &known, &mut document, &mut changes, &mut faults),
                None => self.add(sheet, row, &mut document, &mut changes, &mut faults),
            }
        }
        let is_kept = |id: &str| self.rows.iter().any(|row| row.id == id);
        let missing: Vec<String> = sheet.rows.iter().map(|row| row.id.clone()).filter(|id| !is_kept(id)).collect();
        let lines = Places::of(sheet, sheet.text);
        for id in missing.iter().filter(|_| delete) {
            if !document.contains_key(id) {
                continue;
            }
            let old =
                sheet.rows.iter().find(|row| row.id == *id).map_or_else(String::new, |row| row.cells[1].to_string());
            changes.push(Change { id: id.clone(), key: None, old, new: String::new(), line: lines.line(id, None) });
            edit::remove(&mut document, id);
        }
        let text = if changes.is_empty() {
            sheet.text.to_owned()
        } else {
            with_line_ends_of(sheet.text, document.to_string())
        };
        let lines = Places::of(sheet, &text);
        for change in changes.iter_mut().filter(|change| change.line == 0) {
            change.line = lines.line(&change.id, change.key.as_deref());
        }
        faults.sort_by_key(|fault| (fault.row, fault.column));
        Import { text, changes, missing, faults }
    }

    /// Changes a card whose cells differ.
    fn change(
        &self,
        sheet: &Sheet<'_>,
        row: &GridRow,
        known: &Row,
        document: &mut DocumentMut,
        changes: &mut Vec<Change>,
        faults: &mut Vec<CellFault>,
    ) {
        let verbs = &sheet.declarations.verbs;
        for (at, column) in sheet.columns.iter().enumerate().skip(1) {
            let (new, old) = (&row.cells[at], &known.cells[at]);
            if self.places[at].is_none()
                || column.form == Form::Made
                || new == old
                || (new.is_blank() && old.is_blank())
            {
                continue;
            }
            let value = match column.form.read(new, verbs) {
                Ok(value) => value,
                Err(message) => {
                    faults.push(self.wrong(row, at, message));
                    continue;
                }
            };
            if column.form.read(old, verbs).ok().flatten() == value {
                continue;
            }
            let is_set = document
                .get(&row.id)
                .and_then(|item| item.as_table_like())
                .is_some_and(|table| table.contains_key(&column.name));
            match value {
                Some(value) => {
                    if !document.contains_key(&row.id) {
                        edit::add(document, &row.id, &IndexMap::new());
                    }
                    if let Some(item) = document.get_mut(&row.id) {
                        edit::set(item, &column.name, &value);
                    }
                }
                // Without a setting there is only the default.
                None if !is_set => continue,
                None => {
                    if let Some(item) = document.get_mut(&row.id) {
                        edit::unset(item, &column.name);
                    }
                }
            }
            let (key, old, new) = (Some(column.name.clone()), old.to_string(), new.to_string());
            changes.push(Change { id: row.id.clone(), key, old, new: new.trim().to_owned(), line: 0 });
        }
    }

    /// Adds a new card: its cells that are not blank and not a default.
    fn add(
        &self,
        sheet: &Sheet<'_>,
        row: &GridRow,
        document: &mut DocumentMut,
        changes: &mut Vec<Change>,
        faults: &mut Vec<CellFault>,
    ) {
        let mut values: IndexMap<&str, Data> = IndexMap::new();
        for (at, column) in sheet.columns.iter().enumerate().skip(1).filter(|(_, column)| column.form != Form::Made) {
            match column.form.read(&row.cells[at], &sheet.declarations.verbs) {
                Ok(Some(value)) if column.default.as_ref() != Some(&value) => drop(values.insert(&column.name, value)),
                Ok(_) => {}
                Err(message) => faults.push(self.wrong(row, at, message)),
            }
        }
        edit::add(document, &row.id, &values);
        let name = row.cells[1].to_string();
        changes.push(Change { id: row.id.clone(), key: None, old: String::new(), new: name, line: 0 });
    }

    fn wrong(&self, row: &GridRow, column: usize, message: String) -> CellFault {
        let (row, column) = self.place(row, column);
        CellFault::new(row, column, message, None)
    }

    /// The cell in which a fault of the imported text lies; `None`: it is in no card of the file.
    #[must_use]
    pub fn fault(&self, sheet: &Sheet<'_>, import: &Import, found: &Diagnostic) -> Option<CellFault> {
        if found.file != sheet.path {
            return None;
        }
        let (id, key) = Places::of(sheet, &import.text).at(found.start)?;
        let row = self.rows.iter().find(|row| row.id == id)?;
        let named =
            |at: &usize| found.message.contains(&format!("`{}`", sheet.columns[*at].name)) && row.cells[*at].is_blank();
        let column = match key {
            Some(key) => sheet.columns.iter().position(|column| column.name == key)?,
            // The missing value of a required key.
            None => (1..sheet.columns.len()).find(named).unwrap_or(0),
        };
        let (number, place) = self.place(row, column);
        let mut help = found.help.clone();
        if column == 0 && help.is_none() {
            help = nearest(&id, sheet.rows.iter().map(|row| row.id.as_str()).filter(|known| *known != id))
                .map(|near| format!("did you mean card `{near}`?"));
        }
        Some(CellFault { row: number, column: place, code: found.code, message: found.message.clone(), help })
    }
}

impl Sheet<'_> {
    /// The keys of a card in which these bytes of the file lie.
    pub fn keys_at(&self, id: &str, bytes: impl Iterator<Item = usize>) -> BTreeSet<String> {
        let places = Places::of(self, self.text);
        bytes.filter_map(|byte| places.at(byte).filter(|(of, _)| of == id)?.1).collect()
    }

    /// A card of a lower layer that the file of this layer does not set yet.
    pub(super) fn below(&self, id: &str) -> Option<Row> {
        let (_, kind) = self.declarations.kinds.get_key_value(self.kind.as_str())?;
        let all = self.declarations.definitions.get(kind.first..kind.first + kind.len)?;
        let definition = all.iter().find(|definition| definition.id == id)?;
        Some(self.row(kind, definition, None))
    }
}

/// The places of definitions and their keys in a text.
struct Places {
    source: SourceFile,
    /// Id, key, and first byte; the key is `None` for the definition itself.
    all: Vec<(String, Option<String>, usize)>,
}

impl Places {
    fn of(sheet: &Sheet<'_>, text: &str) -> Self {
        let source = SourceFile { path: sheet.path.clone(), text: text.to_owned() };
        let faults = Faults::default();
        let document = Document::parse(&source, &faults);
        let mut all = Vec::new();
        for (key, node) in document.root("").entries() {
            all.push((key.text.to_owned(), None, key.span.0));
            for (inner, _) in node.as_table().iter().flat_map(|table| table.entries()) {
                all.push((key.text.to_owned(), Some(inner.text.to_owned()), inner.span.0));
            }
        }
        all.sort_by_key(|(_, _, start)| *start);
        drop(document);
        Self { source, all }
    }

    fn line(&self, id: &str, key: Option<&str>) -> u32 {
        let find = |key: Option<&str>| self.all.iter().find(|(of, inner, _)| of == id && inner.as_deref() == key);
        find(key).or_else(|| find(None)).map_or(1, |(_, _, start)| self.source.position(*start).0)
    }

    /// The definition and the key in which a byte lies.
    fn at(&self, byte: usize) -> Option<(String, Option<String>)> {
        // The span of a table begins with its bracket, before its key.
        let bracket = usize::from(self.source.text.get(byte..).is_some_and(|text| text.starts_with('[')));
        let inside = self.all.iter().rev().find(|(_, _, start)| *start <= byte + bracket)?;
        let (id, key, _) = inside;
        // The span of an inline table begins before its first key.
        Some((id.clone(), key.clone()))
    }
}

/// Keeps Windows line ends: `toml_edit` writes plain ones.
fn with_line_ends_of(old: &str, new: String) -> String {
    if !old.contains("\r\n") {
        return new;
    }
    new.replace("\r\n", "\n").replace('\n', "\r\n")
}
