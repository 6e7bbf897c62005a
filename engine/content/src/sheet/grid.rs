//! The cells of a file: finds the columns by their headers and the cards by their ids.

use std::collections::BTreeMap;

use super::data::Data;
use super::{CARD_TEXT, Cell, Sheet};
use crate::diagnostic::suggestion;

/// A fault of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellFault {
    /// Row in the file, from 1.
    pub row: usize,
    /// Column in the file, from 1.
    pub column: usize,
    /// Code of the check, or `wrong-cell`.
    pub code: &'static str,
    /// The mistake, in lower case without a full stop.
    pub message: String,
    /// The likely fix.
    pub help: Option<String>,
}

impl CellFault {
    pub(super) fn new(row: usize, column: usize, message: impl Into<String>, help: Option<String>) -> Self {
        Self { row, column, code: "wrong-cell", message: message.into(), help }
    }

    /// The name of the cell in a spreadsheet: `C7`.
    #[must_use]
    pub fn cell(&self) -> String {
        let (mut column, mut letters) = (self.column, String::new());
        while column > 0 {
            letters.insert(0, char::from(b'A' + u8::try_from((column - 1) % 26).unwrap_or(0)));
            column = (column - 1) / 26;
        }
        format!("{letters}{}", self.row)
    }
}

/// The cells of a file, found by card and column.
#[derive(Debug)]
pub struct Grid {
    /// For each column of the sheet, its place in the file, from 1; `None`: the file lacks it.
    pub(super) places: Vec<Option<usize>>,
    pub(super) rows: Vec<GridRow>,
    /// Unknown or repeated columns and ids.
    pub(super) faults: Vec<CellFault>,
}

/// A card in the file.
#[derive(Debug)]
pub(super) struct GridRow {
    pub(super) id: String,
    /// Row in the file, from 1.
    pub(super) number: usize,
    /// One cell for each column of the sheet.
    pub(super) cells: Vec<Cell>,
}

impl Grid {
    /// Finds the cards in the cells of a file. Blank rows and blank columns are skipped; columns may be in any order.
    ///
    /// # Errors
    /// There is no column of ids. All other faults are those of the import.
    pub fn read(sheet: &Sheet<'_>, cells: &[Vec<Cell>]) -> Result<Self, Vec<CellFault>> {
        let mut faults = Vec::new();
        // A file may begin with blank rows.
        let first = cells.iter().position(|row| row.iter().any(|cell| !cell.is_blank())).unwrap_or(0);
        let header = cells.get(first).map_or(&[][..], Vec::as_slice);
        let mut places: Vec<Option<usize>> = vec![None; sheet.columns.len()];
        let width = cells.iter().map(Vec::len).max().unwrap_or(0);
        for column in 0..width {
            let name = header.get(column).map(|cell| cell.to_string().trim().to_owned()).unwrap_or_default();
            if name.is_empty() {
                let filled = cells.iter().position(|row| row.get(column).is_some_and(|cell| !cell.is_blank()));
                if let Some(row) = filled {
                    let message = "this column has no name in the first row";
                    let help = Some("write the name of an attribute above it, or clear the column".to_owned());
                    faults.push(CellFault::new(row + 1, column + 1, message, help));
                }
                continue;
            }
            let found = sheet.columns.iter().position(|one| one.name == name);
            let found = found.or_else(|| sheet.columns.iter().position(|one| one.name.eq_ignore_ascii_case(&name)));
            let Some(found) = found else {
                let help = suggestion(&name, sheet.columns.iter().map(|one| one.name.as_str()));
                let message = format!("cards of `{}` have no `{name}`", sheet.kind);
                faults.push(CellFault::new(first + 1, column + 1, message, help));
                continue;
            };
            if places[found].replace(column + 1).is_some() {
                let message = format!("there are two columns `{name}`");
                faults.push(CellFault::new(first + 1, column + 1, message, Some("delete one".to_owned())));
            }
        }
        let Some(id) = places[0] else {
            if faults.is_empty() {
                let help = Some("export the cards again, and keep the column `id`".to_owned());
                faults.push(CellFault::new(first + 1, 1, "there is no column `id`", help));
            }
            return Err(faults);
        };
        let rows = read_rows(sheet, cells, first + 1, id, &places, &mut faults);
        Ok(Self { places, rows, faults })
    }

    /// The place of a cell: row and column in the file, from 1. A cell that the file lacks is at the card's id.
    pub(super) fn place(&self, row: &GridRow, column: usize) -> (usize, usize) {
        (row.number, self.places[column].or(self.places[0]).unwrap_or(1))
    }

    /// Notes on texts that were edited although the engine makes them.
    #[must_use]
    pub fn edited_texts(&self, sheet: &Sheet<'_>) -> Vec<CellFault> {
        let Some(column) = sheet.columns.iter().position(|column| column.name == CARD_TEXT) else { return Vec::new() };
        let Some(place) = self.places[column] else { return Vec::new() };
        let edited = self.rows.iter().filter(|row| {
            let known = sheet.rows.iter().find(|known| known.id == row.id);
            known.is_some_and(|known| known.cells[column] != row.cells[column] && !row.cells[column].is_blank())
        });
        let note = |row: &GridRow| {
            let help = Some("change the verbs, or write the text in the column `text`".to_owned());
            CellFault::new(row.number, place, "this text is made from the card, and is not imported", help)
        };
        edited.map(note).collect()
    }
}

fn read_rows(
    sheet: &Sheet<'_>,
    cells: &[Vec<Cell>],
    first: usize,
    id: usize,
    places: &[Option<usize>],
    faults: &mut Vec<CellFault>,
) -> Vec<GridRow> {
    let mut rows = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (at, row) in cells.iter().enumerate().skip(first) {
        if row.iter().all(Cell::is_blank) {
            continue;
        }
        let cell = |place: &Option<usize>| place.and_then(|place| row.get(place - 1)).cloned().unwrap_or_default();
        let cells: Vec<Cell> = places.iter().map(cell).collect();
        let number = at + 1;
        let name = match sheet.columns[0].form.read(&cells[0], &sheet.declarations.verbs) {
            Ok(Some(Data::Text(name))) => name,
            _ => {
                let help = Some("write a name in snake_case, such as `toll_stair`, or clear the row".to_owned());
                faults.push(CellFault::new(number, id, "this card has no id", help));
                continue;
            }
        };
        if let Some(other) = seen.insert(name.clone(), number) {
            let help = Some(format!("row {other} has this id: give one of the cards another"));
            faults.push(CellFault::new(number, id, format!("there are two cards `{name}`"), help));
            continue;
        }
        rows.push(GridRow { id: name, number, cells });
    }
    rows
}
