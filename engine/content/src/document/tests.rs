//! Tests of whole documents.

use super::*;

fn faults(text: &str, read: impl Fn(&Table<'_>)) -> Vec<String> {
    let source = SourceFile { path: "t.toml".into(), text: text.into() };
    let faults = Faults::default();
    let document = Document::parse(&source, &faults);
    let root = document.root("the file");
    read(&root);
    root.finish_names();
    faults.take().iter().map(Diagnostic::to_string).collect()
}

#[test]
fn every_fault_is_recorded() {
    let text = "a = 1\nb = 'x'\nc = 99\nd = 1.5\ne = [1]\nff = 'grean'\n";
    let found = faults(text, |table| {
        assert_eq!(table.text("a"), None);
        assert!(table.boolean("b", true));
        assert_eq!(table.integer("c", 1..=9), None);
        assert_eq!(table.integer("d", 1..=9), None);
        assert!(table.table("e", "e").is_none());
        assert_eq!(table.word("ff", &[("green", 1), ("red", 2)]), None);
        assert!(table.need("g").is_none());
    });
    assert_eq!(
        found,
        [
            "t.toml:1:5: error[wrong-type]: `a` in the file must be text, not a whole number",
            "t.toml:2:5: error[wrong-type]: `b` in the file must be true or false, not text",
            "t.toml:3:5: error[out-of-range]: `c` in the file must be from 1 to 9, not 99",
            "t.toml:4:5: error[wrong-type]: `d` in the file must be a whole number, not a decimal number",
            "t.toml:5:5: error[wrong-type]: `e` in the file must be a table, not a list",
            "t.toml:6:6: error[unknown-value]: `grean` is not a value of `ff` in the file; help: did you mean `green`?",
            "t.toml:1:1: error[missing-key]: the file needs `g`",
        ]
    );
}

#[test]
fn unknown_keys_get_the_nearest() {
    let found = faults("[counter]\nvissible = 1\n", |table| {
        let inner = table.table("counter", "counter `gold`").unwrap();
        assert_eq!(inner.text("visible"), None);
        inner.finish_names();
    });
    assert_eq!(
        found,
        ["t.toml:2:1: error[unknown-key]: unknown key `vissible` in counter `gold`; help: did you mean `visible`?"]
    );
}

#[test]
fn several_syntax_errors_are_reported() {
    let found = faults("a = \nb = 2\nc = [1,\nd = = 3\n", |table| {
        assert_eq!(table.integer("b", 0..=9), Some(2));
        for key in ["a", "c", "d"] {
            table.get(key);
        }
    });
    assert!(found.len() >= 2, "{found:?}");
    assert!(found.iter().all(|fault| fault.contains("error[syntax]")), "{found:?}");
    assert!(found[0].contains("`[` is never closed; help: add `]`"), "{found:?}");
}

#[test]
fn integers_of_every_notation_and_size() {
    let found = faults("a = 0x1F\nb = 1_000\nc = 99999999999999999999\nd = -5\n", |table| {
        assert_eq!(table.integer("a", 0..=99), Some(31));
        assert_eq!(table.integer("b", 0..=i32::MAX), Some(1000));
        assert_eq!(table.integer("c", i32::MIN..=i32::MAX), None);
        assert_eq!(table.integer("d", 0..=i32::MAX), None);
    });
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("`c` in the file must be a 32-bit number, not 99999999999999999999"));
    assert!(found[1].ends_with("`d` in the file must be at least 0, not -5"));
}
