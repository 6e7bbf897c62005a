//! Cards of the shipped games, as cells and back.

use std::path::Path;

use super::{Cell, Grid, Import, Sheet};
use crate::declare::Declarations;
use crate::pack::{Pack, find_packs};

/// Calls `each` with every kind of the games and of the bench packs; returns the number of kinds.
fn for_every_kind(mut each: impl FnMut(&Pack, &Declarations, usize)) -> usize {
    let mut kinds = 0;
    for root in ["../..", "../../benches/packs"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        for id in find_packs(&root).unwrap() {
            let pack = Pack::open(&root, &id).unwrap();
            let (declarations, _) = crate::read(&pack);
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

fn import(sheet: &Sheet<'_>, rows: &[Vec<Cell>], delete: bool) -> Import {
    Grid::read(sheet, rows).unwrap().import(sheet, delete)
}

#[test]
fn unchanged_cells_change_no_byte() {
    let kinds = for_every_kind(|pack, declarations, kind| {
        let sheet = Sheet::read(pack, declarations, kind, 0).unwrap();
        // As CSV has them: every cell is a text.
        let texts: Vec<Vec<Cell>> =
            sheet.cells().iter().map(|row| row.iter().map(|cell| Cell::text(cell.to_string())).collect()).collect();
        for rows in [sheet.cells(), texts] {
            let read = import(&sheet, &rows, true);
            assert_eq!((read.changes, read.faults, read.missing), (vec![], vec![], vec![]), "{}", sheet.path);
            assert_eq!(read.text, text_of(pack, &sheet), "{}", sheet.path);
        }
    });
    assert!(kinds > 40, "{kinds}");
}

/// A cell with another value.
fn edited(cell: &Cell) -> Cell {
    match cell {
        Cell::Integer(number) => Cell::Integer(number + 1),
        Cell::Boolean(value) => Cell::Boolean(!value),
        Cell::Text(text) if text.ends_with(|c: char| c.is_ascii_digit()) => Cell::text(format!("{text}1")),
        Cell::Text(text) => Cell::text(format!("{text}x")),
        other => other.clone(),
    }
}

#[test]
fn one_changed_cell_changes_one_line() {
    let mut changed = 0;
    for_every_kind(|pack, declarations, kind| {
        let sheet = Sheet::read(pack, declarations, kind, 0).unwrap();
        let (rows, old) = (sheet.cells(), text_of(pack, &sheet));
        for column in 1..rows[0].len() - 1 {
            let Some(row) = (1..rows.len()).rev().find(|row| !rows[*row][column].is_blank()) else { continue };
            let mut rows = rows.clone();
            rows[row][column] = edited(&rows[row][column]);
            let read = import(&sheet, &rows, false);
            if !read.faults.is_empty() {
                continue;
            }
            let name = &rows[0][column];
            assert_eq!(read.changes.len(), 1, "{} {name}", sheet.path);
            changed += 1;
            let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), read.text.lines().collect());
            if before.len() == after.len() {
                let differing = before.iter().zip(&after).filter(|(a, b)| a != b).count();
                assert_eq!(differing, 1, "{} {name}", sheet.path);
            } else {
                // A value that the file did not set is a line, or a new table for a card of a product.
                let kept = before.iter().all(|line| after.contains(line));
                assert!(kept && after.len() - before.len() <= 3, "{} {name}:\n{}", sheet.path, read.text);
            }
        }
    });
    assert!(changed > 100, "{changed}");
}

const GAME: &str = r#"
name = "G"
players = { min = 1, max = 1 }
[counters.gold]
per = "player"
[kinds.cards]
hooks = { play = ["player"] }
[kinds.cards.attributes]
cost = { type = "integer", default = 0 }
tags = { type = "list", of = "text", default = [] }
price = { type = "amounts", of = "counter", default = {} }
"#;

const CARDS: &str = r#"# Cheap

a = { name = "A", cost = 1, tags = ["x", "y"] }   # first

# Dear

b = { name = "B", price = { gold = 2 }, play = [{ gain = { gold = 1 } }] }
"#;

fn changed(rows: &[&[&str]], delete: bool) -> (Import, String) {
    let pack = Pack::from_files("g", [("content/g/game.toml", GAME), ("content/g/cards.toml", CARDS)]);
    let (declarations, _) = crate::read(&pack);
    let sheet = Sheet::read(&pack, &declarations, 0, 0).unwrap();
    let rows: Vec<Vec<Cell>> = rows.iter().map(|row| row.iter().map(|cell| Cell::text(*cell)).collect()).collect();
    let read = import(&sheet, &rows, delete);
    let text = read.text.clone();
    (read, text)
}

#[test]
fn values_are_changed_in_place() {
    let (_, text) = changed(&[&["id", "cost", "tags"], &["a", "2.0", "x, z, w"]], false);
    assert_eq!(text, CARDS.replace("cost = 1, tags = [\"x\", \"y\"]", "cost = 2, tags = [\"x\", \"z\", \"w\"]"));
    let (_, text) = changed(&[&["cost", "id"], &["3", "b"]], false);
    assert_eq!(text, CARDS.replace("{ gold = 1 } }] }", "{ gold = 1 } }], cost = 3 }"));
    let (_, text) = changed(&[&["id", "tags", "play"], &["a", "", ""], &["b", "", "gain 3 gold; pay 1 gold"]], false);
    let expected = CARDS.replace(", tags = [\"x\", \"y\"] }", " }");
    assert_eq!(text, expected.replace("{ gold = 1 } }]", "{ gold = 3 } }, { pay = { gold = 1 } }]"));
}

#[test]
fn cards_come_and_go() {
    let (read, text) =
        changed(&[&["id", "name", "cost", "price"], &["c", "C", "0", "2 gold"], &["b", "B", "", "2 gold"]], true);
    assert_eq!(read.missing, ["a"]);
    let kept = "# Cheap\n\n# Dear\n\nb = { name = \"B\", price = { gold = 2 }, play = [{ gain = { gold = 1 } }] }\n";
    assert_eq!(text, format!("{kept}c = {{ name = \"C\", price = {{ gold = 2 }} }}\n"));
}

#[test]
fn cells_that_cannot_be_read_are_named() {
    let (read, _) =
        changed(&[&["id", "play", "price"], &["a", "gain {", "gold"], &["b", "gain 1 gold | x", "2 gold"]], false);
    let cells: Vec<String> = read.faults.iter().map(|fault| format!("{} {}", fault.cell(), fault.message)).collect();
    assert_eq!(cells.len(), 3, "{cells:?}");
    assert!(
        cells[0].starts_with("B2 `{` is never closed") && cells[1].starts_with("C2 amounts are written"),
        "{cells:?}"
    );
    assert!(cells[2].starts_with("B3 `|` separates"), "{cells:?}");
}
