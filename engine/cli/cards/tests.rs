//! Every kind of every game, through CSV and through a workbook, back to its file.

use std::path::Path;

use motherlode::Pack;
use motherlode::declare::Declarations;
use motherlode_content::sheet::{Cell, CellFault, Grid, Import, Sheet};

use super::{Cells, csv_file, workbook};

/// Calls `each` with every kind of the shipped games and of the bench packs; returns the number of kinds.
fn for_every_kind(mut each: impl FnMut(&Pack, &Declarations, usize)) -> usize {
    let mut kinds = 0;
    for root in ["", "benches/packs", "tests/cli/packs"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        for id in motherlode::find_packs(&root).unwrap() {
            let pack = Pack::open(&root, &id).unwrap();
            let (declarations, _) = motherlode_content::read(&pack);
            for kind in 0..declarations.kinds.len() {
                each(&pack, &declarations, kind);
                kinds += 1;
            }
        }
    }
    kinds
}

fn text_of(pack: &Pack, sheet: &Sheet<'_>) -> String {
    pack.file(&sheet.path).map_or(String::new(), |file| file.text.clone())
}

fn import(sheet: &Sheet<'_>, rows: &[Vec<Cell>]) -> Import {
    Grid::read(sheet, rows).unwrap().import(sheet, true)
}

#[test]
fn an_export_changes_no_byte() {
    let kinds = for_every_kind(|pack, declarations, kind| {
        let sheet = Sheet::read(pack, declarations, kind, 0).unwrap();
        let rows = sheet.cells();
        // As another program may have them: every cell is a text.
        let texts: Vec<Vec<Cell>> =
            rows.iter().map(|row| row.iter().map(|cell| Cell::text(cell.to_string())).collect()).collect();
        let from_csv = csv_file::read("cards.csv", &csv_file::write(&rows).unwrap()).unwrap();
        let cells = Cells { name: sheet.kind.clone(), rows: rows.clone() };
        let book = workbook::read("cards.xlsx", &workbook::write(&[cells]).unwrap()).unwrap();
        for rows in [&rows, &texts, &from_csv, &book[0].rows] {
            let read = import(&sheet, rows);
            assert_eq!((read.changes, read.faults, read.missing), (vec![], vec![], vec![]), "{}", sheet.path);
            assert_eq!(read.text, text_of(pack, &sheet), "{}", sheet.path);
        }
    });
    assert!(kinds > 50, "{kinds}");
}

/// The lines of the new text that are not in the old one, and the other way round.
fn differences(old: &str, new: &str) -> (usize, usize) {
    let changes = similar::TextDiff::from_lines(old, new);
    let count = |tag| changes.iter_all_changes().filter(|change| change.tag() == tag).count();
    (count(similar::ChangeTag::Delete), count(similar::ChangeTag::Insert))
}

#[test]
fn one_changed_cell_changes_one_line() {
    let mut changed = 0;
    for_every_kind(|pack, declarations, kind| {
        let sheet = Sheet::read(pack, declarations, kind, 0).unwrap();
        let rows = sheet.cells();
        let old = text_of(pack, &sheet);
        for column in 1..rows[0].len() - 1 {
            // A value that the file sets: others are added.
            let name = rows[0][column].to_string();
            let Some(row) = (1..rows.len()).rev().find(|row| !rows[*row][column].is_blank()) else { continue };
            let mut edited = rows.clone();
            let cell = &mut edited[row][column];
            *cell = match &*cell {
                Cell::Integer(number) => Cell::Integer(number + 1),
                Cell::Boolean(value) => Cell::Boolean(!value),
                Cell::Text(text) if text.ends_with(|c: char| c.is_ascii_digit()) => Cell::text(format!("{text}1")),
                Cell::Text(text) => Cell::text(format!("{text}x")),
                other => other.clone(),
            };
            // Some changes make no value, such as `{ a = 1 }x`.
            let read = import(&sheet, &edited);
            if !read.faults.is_empty() {
                continue;
            }
            let (gone, new) = differences(&old, &read.text);
            let is_new = old.is_empty() || !old.contains(&rows[row][0].to_string());
            let most = if is_new { 3 } else { 1 };
            assert!(gone <= 1 && (1..=most).contains(&new), "{} {name}: {gone} and {new}", sheet.path);
            assert_eq!(read.changes.len(), 1);
            let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), read.text.lines().collect());
            if before.len() == after.len() {
                let differing = before.iter().zip(&after).filter(|(a, b)| a != b).count();
                assert_eq!(differing, 1, "{} {name}", sheet.path);
            } else {
                // A value that the file did not set is a line, or a new table for a card of a product.
                let kept = before.iter().all(|line| after.contains(line));
                assert!(kept && after.len() - before.len() <= 3, "{} {name}:\n{}", sheet.path, read.text);
            }
            changed += 1;
        }
    });
    assert!(changed > 150, "{changed}");
}

#[test]
fn names_of_cells() {
    let fault = |row, column| CellFault { row, column, code: "", message: String::new(), help: None };
    let cells: Vec<String> = [(7, 3), (1, 26), (2, 27), (9, 703)].map(|(row, column)| fault(row, column).cell()).into();
    assert_eq!(cells, ["C7", "Z1", "AA2", "AAA9"]);
}
