//! The declarations of the printed data and of looks for the page: `print.d.ts` and `look.d.ts`.

use std::fs;
use std::path::Path;

use super::{PageData, Paper, PrintedBoard, PrintedCell, RulesForm, Sheet};
use crate::script_types::{compare, declaration};

/// First line of the files.
const HEAD: &str = "// Generated from the Rust types by `LODE_WRITE_REFERENCE=1 cargo test the_page_of_print`.\n";

/// The source of the types of looks. They belong to a crate that knows nothing of pages.
const LOOK: &str = "../content/src/declare/look.rs";

#[test]
fn the_page_of_print_knows_the_printed_data() {
    let imports = "\nimport type { Face } from './protocol';\nimport type { Look } from './look';\n";
    let all = [
        declaration::<Paper>(),
        declaration::<Sheet>(),
        declaration::<PrintedBoard>(),
        declaration::<PrintedCell>(),
        declaration::<RulesForm>(),
        declaration::<PageData<'_>>(),
    ];
    compare("print.d.ts", &format!("{HEAD}{imports}\n{}", all.join("\n")));
}

#[test]
fn the_page_of_print_knows_looks() {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(LOOK)).unwrap();
    let mut made = HEAD.to_owned();
    let (mut docs, mut lines) = (String::new(), source.lines());
    let mut is_snake_case = false;
    while let Some(line) = lines.next() {
        if let Some(doc) = line.strip_prefix("/// ") {
            docs += if docs.is_empty() { "" } else { " " };
            docs += doc;
        } else if line.contains("rename_all = \"snake_case\"") {
            is_snake_case = true;
        } else if let Some(name) = line.strip_prefix("pub struct ").and_then(|rest| rest.strip_suffix(" {")) {
            made += &format!("\n/** {docs} */\nexport type {name} = {{\n{}}};\n", fields(&mut lines));
        } else if let Some(name) = line.strip_prefix("pub enum ").and_then(|rest| rest.strip_suffix(" {")) {
            assert!(is_snake_case, "`{name}` is not written in snake_case");
            made += &format!("\n/** {docs} */\nexport type {name} = {};\n", words(&mut lines));
        }
        if !line.starts_with(['/', '#']) {
            docs.clear();
            is_snake_case = false;
        }
    }
    assert!(made.matches("export type").count() > 10, "{made}");
    compare("look.d.ts", &made);
}

/// The fields of a type with their descriptions.
fn fields<'s>(lines: &mut impl Iterator<Item = &'s str>) -> String {
    let mut made = String::new();
    for line in lines.take_while(|line| *line != "}").map(str::trim) {
        if let Some(doc) = line.strip_prefix("/// ") {
            made += &format!("/** {doc} */\n");
        } else {
            let (name, of) = line.trim_start_matches("pub ").trim_end_matches(',').split_once(": ").unwrap();
            made += &format!("{name}: {},\n", script_type(of));
        }
    }
    made
}

/// The words of an enumeration without values.
fn words<'s>(lines: &mut impl Iterator<Item = &'s str>) -> String {
    let lines = lines.take_while(|line| *line != "}").map(str::trim);
    let variants = lines.filter_map(|line| line.strip_suffix(',').filter(|line| !line.starts_with(['/', '#'])));
    let word = |variant: &str| {
        assert!(variant[1..].chars().all(|c| c.is_ascii_lowercase()), "`{variant}` is not one word");
        format!("\"{}\"", variant.to_lowercase())
    };
    variants.map(word).collect::<Vec<_>>().join(" | ")
}

/// A type of Rust as one of TypeScript.
fn script_type(of: &str) -> String {
    let inside = |outer: &str| of.strip_prefix(outer).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inside("Vec<") {
        return format!("Array<{}>", script_type(inner));
    }
    if let Some(inner) = inside("IndexMap<String, ") {
        return format!("Record<string, {}>", script_type(inner));
    }
    if let Some(inner) = inside("Option<") {
        return format!("{} | null", script_type(inner));
    }
    match of {
        "String" => "string".to_owned(),
        "bool" => "boolean".to_owned(),
        "u8" | "u16" | "i32" => "number".to_owned(),
        name => {
            assert!(name.chars().all(char::is_alphanumeric), "`{name}` has no type of the page");
            name.to_owned()
        }
    }
}
