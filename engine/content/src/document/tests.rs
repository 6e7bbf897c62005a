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

/// Requests every key, so that none is unknown.
fn ask_all(table: &Table<'_>) {
    for (key, _) in table.entries() {
        table.get(key.text);
    }
}

#[test]
fn a_second_table_is_one_error_that_names_the_first() {
    let first = "; first declared at t.toml:1:2; help: delete one, or rename it";
    let faults = |text: &str| faults(text, ask_all);
    let found = faults("[a]\nname = 'A'\ncopies = 2\n[a]\nname = 'B'\ncopies = 3\n[b]\nname = 'C'\n");
    assert_eq!(found, [format!("t.toml:4:2: error[syntax]: table `a` is declared twice{first}")]);
    let found = faults("[x.a]\nn = 1\nm = 2\nn = 3\n[[y]]\nk = 1\n[[y]]\nk = 2\nk = 3\n");
    assert_eq!(
        found,
        [
            "t.toml:4:1: error[syntax]: `n` is declared twice; first declared at t.toml:2:1; help: delete one, or rename it",
            "t.toml:9:1: error[syntax]: `k` is declared twice; first declared at t.toml:8:1; help: delete one, or rename it",
        ]
    );
    let found = faults("a = { b = 1, b = 2 }\n");
    assert_eq!(found, ["t.toml:1:14: error[syntax]: `b` is declared twice; help: delete one, or rename it"]);
}

#[test]
fn common_syntax_errors_have_help() {
    let fault = |line: &str| {
        let found = faults(line, ask_all);
        found.first().map(|fault| fault.split_once("syntax]: ").map_or(fault.clone(), |(_, text)| text.to_owned()))
    };
    for (line, expected) in [
        ("a = Toll", "the text `Toll` has no quotes; help: write `\"Toll\"`"),
        ("a = Old Toll # x", "the text `Old Toll` has no quotes; help: write `\"Old Toll\"`"),
        ("a = { b = gold, c = 1 }", "the text `gold` has no quotes; help: write `\"gold\"`"),
        ("a = True", "`True` is not a value; help: write `true`"),
        ("a = \u{201c}Toll\u{201d}", "curly quotes do not begin a text; help: use straight quotes: `\"`"),
        ("a =", "the value is missing; help: write a value after `=`"),
        (
            "a = 4 // four",
            "string values must be quoted, expected literal string; help: a comment begins with `#`: `# four`",
        ),
        ("a \"Toll\"", "key with no value, expected `=`; help: write `a = \"Toll\"`"),
        ("a: 4", "key with no value, expected `=`; help: write `=` in place of `:`"),
        ("my key = 4", "key with no value, expected `=`; help: a key has no spaces: write `my_key`"),
        ("a = \"Toll", "invalid basic string, expected `\"`; help: end the text with `\"`"),
        ("a = 'Toll", "invalid literal string, expected `'`; help: end the text with `'`"),
        ("[a", "unclosed table, expected `]`; help: add `]`"),
        (
            "a = { b = 1 c = 2 }",
            "extra assignment between key-value pairs, expected `,`; help: write `,` between two keys",
        ),
        ("a = 4, b = 3", "unexpected key or value, expected newline, `#`; help: write each key on a line of its own"),
        ("a == 4", "extra `=`, expected nothing; help: delete the second `=`"),
        ("a = 04", "unexpected leading zero, expected nothing; help: delete the leading zeros"),
    ] {
        assert_eq!(fault(line).as_deref(), Some(expected), "{line}");
    }
}
