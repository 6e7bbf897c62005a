//! `lode reference`: every declaration, hook, call, verb and method of rule tests.

use std::io::Write;

use motherlode_check::reference::{Chapter, Section, reference};
use motherlode_play::rule_test;
use serde_json::{Map, Value as Json, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::project::GlobalArgs;

/// Print every key, hook, call, verb and method of rule tests, as Markdown or JSON
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints all of it.
pub fn run(args: &Args, _: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let chapters = reference(rule_test::methods());
    match args.format {
        Format::Text => markdown(&chapters, out)?,
        Format::Json => writeln!(out, "{:#}", data(&chapters))?,
    }
    Ok(())
}

fn markdown(chapters: &[Chapter], out: &mut dyn Write) -> Result<(), Fault> {
    writeln!(out, "<!-- Made by `lode reference`. Do not edit: change the lists in the engine. -->\n# Reference")?;
    for Chapter { title, text, sections } in chapters {
        writeln!(out, "\n## {title}\n\n{text}")?;
        for Section { title, text, columns, rows } in sections {
            if !title.is_empty() {
                writeln!(out, "\n### {title}")?;
            }
            if !text.is_empty() {
                writeln!(out, "\n{text}")?;
            }
            writeln!(out, "\n| {} |\n|{}", columns.join(" | "), " --- |".repeat(columns.len()))?;
            for row in rows {
                let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
                writeln!(out, "| {} |", cells.join(" | "))?;
            }
        }
    }
    Ok(())
}

/// A cell of a table in Markdown. Outside code, `<` would begin an HTML tag.
fn escaped(cell: &str) -> String {
    let parts = cell.split('`').enumerate();
    let parts = parts.map(|(n, part)| if n % 2 == 0 { part.replace('<', "\\<") } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`").replace('|', "\\|")
}

fn data(chapters: &[Chapter]) -> Json {
    let row = |columns: &[&str], row: &[String]| -> Json {
        let plain = row.iter().map(|cell| Json::from(cell.trim_matches('`')));
        columns.iter().map(|column| (*column).to_owned()).zip(plain).collect::<Map<String, Json>>().into()
    };
    let section = |one: &Section| {
        let rows: Vec<Json> = one.rows.iter().map(|cells| row(one.columns, cells)).collect();
        json!({ "title": one.title.replace('`', ""), "text": one.text, "rows": rows })
    };
    let chapter = |one: &Chapter| {
        let sections: Vec<Json> = one.sections.iter().map(section).collect();
        json!({ "title": one.title, "text": one.text, "sections": sections })
    };
    chapters.iter().map(chapter).collect::<Vec<Json>>().into()
}
