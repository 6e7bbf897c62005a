//! Cards as cells and back. The tests of `lode cards` take every kind of every game.

use super::{Cell, Grid, Import, Sheet};
use crate::pack::Pack;

fn import(sheet: &Sheet<'_>, rows: &[Vec<Cell>], delete: bool) -> Import {
    Grid::read(sheet, rows).unwrap().import(sheet, delete)
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

#[test]
fn repeated_ids_and_unknown_columns_hide_no_other_fault() {
    let (read, _) = changed(
        &[&["id", "play", "prise"], &["a", "gain 1 gold", ""], &["a", "", ""], &["", "x", ""], &["b", "gain {", ""]],
        false,
    );
    let cells: Vec<String> = read.faults.iter().map(|fault| format!("{} {}", fault.cell(), fault.message)).collect();
    let expected = ["C1 cards of", "A3 there are two cards `a`", "A4 this card has no id", "B5 `{` is never closed"];
    assert_eq!(cells.len(), expected.len(), "{cells:?}");
    assert!(cells.iter().zip(expected).all(|(cell, begin)| cell.starts_with(begin)), "{cells:?}");
}
