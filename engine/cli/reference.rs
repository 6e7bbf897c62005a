//! `lode reference`: every declaration, hook, call, verb and method of rule tests, from the lists the engine itself reads.

use std::collections::BTreeSet;
use std::io::Write;

use motherlode::Pack;
use motherlode::language::{ACCESSORS, PLACES};
use motherlode_check::types::{GAME_TYPES, PHASE_TYPES};
use motherlode_content::declare::{Attribute, AttributeType, Value};
use motherlode_content::keys::{self, KeySpec, TableSpec, ValueSpec};
use motherlode_content::{Sort, read};
use motherlode_play::rule_test::methods;
use serde_json::{Map, Value as Json, json};

use crate::Format;
use crate::fault::Fault;

/// Arguments of `lode reference`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A chapter with its tables.
struct Chapter {
    title: &'static str,
    text: String,
    sections: Vec<Section>,
}

/// One table.
struct Section {
    /// Empty if the chapter has no other.
    title: String,
    text: &'static str,
    columns: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

/// Prints all of it.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Fault> {
    let chapters = [declarations(), hooks(), calls(), verbs(), tests()];
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
                let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
                writeln!(out, "| {} |", cells.join(" | "))?;
            }
        }
    }
    Ok(())
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

fn declarations() -> Chapter {
    let mut tables = Tables { sections: Vec::new(), seen: BTreeSet::new() };
    for (title, text, shape) in [
        ("`game.toml`", "", keys::game()),
        ("`phases.toml`: `[<phase>]`", "One table for each phase, in the order of play.", keys::phases()),
        ("`prompts.toml`: `[<prompt>]`", "One table for each question.", keys::prompts()),
        ("`verbs.toml`: `[<verb>]`", "One table for each verb.", keys::verbs()),
        (
            "`<kind>.toml`: `[<id>]`",
            "One table for each definition. It also sets the attributes of its kind, and hooks as lists of verbs.",
            keys::definition(),
        ),
        ("`mod.toml`", "", keys::manifest()),
    ] {
        tables.add(title.to_owned(), text, &shape);
    }
    let text = "Required keys are marked `*`. `<id>` stands for a name that you choose: lower-case letters, digits and underscores. \
                `texts.toml` has one text for each name."
        .to_owned();
    Chapter { title: "Declarations", text, sections: tables.sections }
}

/// The tables of keys, each shape once.
struct Tables {
    sections: Vec<Section>,
    seen: BTreeSet<&'static str>,
}

impl Tables {
    /// Adds a shape, and behind it those that its keys take.
    fn add(&mut self, title: String, text: &'static str, shape: &TableSpec) {
        self.seen.insert(shape.name);
        let path = title.rsplit('`').nth(1).unwrap_or_default().trim_matches(['[', ']']);
        let path = if path.ends_with(".toml") { String::new() } else { format!("{path}.") };
        let row = |key: &KeySpec| {
            let star = if key.required { "*" } else { "" };
            vec![format!("`{}`{star}", key.name), takes(&key.of), key.text.to_owned()]
        };
        let rows = shape.keys.iter().map(row).collect();
        self.sections.push(Section { title, text, columns: &["key", "takes", "meaning"], rows });
        for key in &shape.keys {
            let Some((inner, form)) = within(&key.of) else { continue };
            let inner = inner();
            if !self.seen.contains(inner.name) {
                let name = format!("{path}{}", key.name);
                let title = match form {
                    Form::One => format!("`[{name}]`"),
                    Form::List => format!("`[[{name}]]`"),
                    Form::Named => format!("`[{name}.<id>]`"),
                };
                self.add(title, "", &inner);
            }
        }
    }
}

/// How often a table stands under its key.
enum Form {
    One,
    List,
    Named,
}

/// The table that a key takes.
fn within(of: &ValueSpec) -> Option<(fn() -> TableSpec, Form)> {
    match of {
        ValueSpec::Table(shape) => Some((*shape, Form::One)),
        ValueSpec::Tables(shape) => Some((*shape, Form::Named)),
        ValueSpec::List(of) => within(of).map(|(shape, _)| (shape, Form::List)),
        ValueSpec::Either(several) => several.iter().find_map(within),
        _ => None,
    }
}

/// What a key takes, in words.
fn takes(of: &ValueSpec) -> String {
    match of {
        ValueSpec::Text => "text".to_owned(),
        ValueSpec::Boolean => "`true`, `false`".to_owned(),
        ValueSpec::Integer(i32::MIN, i32::MAX) => "whole number".to_owned(),
        ValueSpec::Integer(min, i32::MAX) => format!("whole number from {min}"),
        ValueSpec::Integer(min, max) => format!("{min} to {max}"),
        ValueSpec::Words(words) => quoted(words),
        ValueSpec::Name(sorts, words) => {
            let sorts = sorts.iter().map(|sort| format!("name of {}", noun(*sort)));
            let words = words.iter().map(|word| format!("`{word}`"));
            words.chain(sorts).collect::<Vec<_>>().join(", ")
        }
        ValueSpec::Anything => "any value".to_owned(),
        ValueSpec::Either(several) => several.iter().map(takes).collect::<Vec<_>>().join("; or "),
        ValueSpec::List(of) => format!("list of: {}", takes(of)),
        ValueSpec::Table(shape) => format!("table: {}", shape().name),
        ValueSpec::Tables(shape) => format!("tables by name: {}", shape().name),
        ValueSpec::Map(of) => format!("by name: {}", takes(of)),
    }
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().filter(|word| !word.is_empty()).map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

fn noun(sort: Sort) -> &'static str {
    match sort {
        Sort::Counter => "a counter",
        Sort::Zone => "a zone",
        Sort::Grid => "a grid",
        Sort::Prompt => "a prompt",
        Sort::Text => "a line of the transcript",
        Sort::Kind => "a kind",
        Sort::Option => "an option",
        Sort::Verb => "a verb",
        Sort::Hook => "a hook",
        Sort::Attribute => "an attribute",
        Sort::Label => "a label",
        Sort::Phase => "a phase",
    }
}

fn hooks() -> Chapter {
    let columns = &["hook", "type", "what it does"];
    let row = |(name, of, text): &(&str, &str, &str)| vec![format!("`{name}`"), format!("`{of}`"), (*text).to_owned()];
    let rows_of = |hooks: &[(&str, &str, &str)]| hooks.iter().map(row).collect();
    let own = [
        (
            "<id>.<hook>",
            "(token: number, ...) -> ...any",
            "in `<kind>.luau`: an effect of a definition, with the arguments that the kind declares",
        ),
        ("<verb>", "(player: number, args: { [string]: any }) -> ()", "in `verbs.luau`: the effect of the verb"),
        (
            "<function>",
            "(...any) -> ...any",
            "in `lib.luau`: a function that all other scripts call as `lib.<function>`",
        ),
    ];
    let section = |title: &str, rows| Section { title: title.to_owned(), text: "", columns, rows };
    Chapter {
        title: "Functions that scripts return",
        text: "A script returns a table of functions; in `phases.luau` and in the files of kinds, functions are grouped by the id of the phase or definition."
            .to_owned(),
        sections: vec![
            section("Phases: `phases.luau`", rows_of(&PHASE_TYPES)),
            section("The game: `game.luau`", rows_of(&GAME_TYPES)),
            section("Functions named by the game", rows_of(&own)),
        ],
    }
}

fn calls() -> Chapter {
    let mut sections: Vec<Section> = Vec::new();
    for accessor in ACCESSORS.values() {
        let row = vec![format!("`{}`", accessor.signature), accessor.text.to_owned(), accessor.place.to_owned()];
        match sections.last_mut() {
            Some(section) if section.title == accessor.group => section.rows.push(row),
            _ => sections.push(Section {
                title: accessor.group.to_owned(),
                text: "",
                columns: &["call", "meaning", "where"],
                rows: vec![row],
            }),
        }
    }
    let places: Vec<String> = PLACES.iter().map(|(word, text)| format!("- *{word}*: {text}")).collect();
    let text = format!(
        "`Counter`, `Zone`, `Kind` and other capitalised types are declared names in quotes; a `Holder` is `game`, a player, a token or a \
         cell. Players, tokens and cells are numbers. An argument whose type ends in `?` may be left out or be `nil`.\n\n\
         A call without a word in the last column is allowed everywhere. The words mean:\n\n{}",
        places.join("\n")
    );
    Chapter { title: "Calls in scripts", text, sections }
}

fn verbs() -> Chapter {
    // What the engine brings is there without a game.
    let (declared, _) = read(&Pack::from_files("none", Vec::<(String, String)>::new()));
    let mut rows = Vec::new();
    for (name, verb) in declared.verbs.iter().filter(|(_, verb)| verb.standard) {
        let args: Vec<String> = verb.args.iter().map(|(name, arg)| argument(name, arg)).collect();
        rows.push(vec![format!("`{name}`"), args.join("; "), verb.text.clone()]);
    }
    Chapter {
        title: "Built-in verbs",
        text: "Use them as `operate = [{ gain = { gold = 2 } }]`, where `operate` is a hook of the kind. A game declares its own in `verbs.toml`."
            .to_owned(),
        sections: vec![Section {
            title: String::new(),
            text: "",
            columns: &["verb", "takes", "text"],
            rows,
        }],
    }
}

fn argument(name: &str, arg: &Attribute) -> String {
    let of = match &arg.of {
        AttributeType::Integer { min, max } => format!("{min} to {max}"),
        AttributeType::ZoneName => "name of a zone".to_owned(),
        AttributeType::Amounts(_) => "amounts by counter".to_owned(),
        AttributeType::CounterName => "name of a counter".to_owned(),
        AttributeType::Boolean => "`true`, `false`".to_owned(),
        AttributeType::Text(_) | AttributeType::Id(_) | AttributeType::List(..) => "text".to_owned(),
    };
    let default = match &arg.default {
        Some(Value::Integer(n)) => format!(", default {n}"),
        _ => String::new(),
    };
    format!("`{name}` ({of}{default}): {}", arg.text)
}

fn tests() -> Chapter {
    let row = |(signature, text): (&str, &str)| vec![format!("`t.{signature}`"), text.to_owned()];
    Chapter {
        title: "Methods of rule tests",
        text: "A test is a function that gets `t`. It names tokens, cells and values of counters: `\"mine#2\"`, `\"c4@2\"`, `\"gold\"`. For a \
               zone of the game, leave out `player: number?` even where arguments follow it."
            .to_owned(),
        sections: vec![Section {
            title: String::new(),
            text: "",
            columns: &["call", "meaning"],
            rows: methods::all().map(row).collect(),
        }],
    }
}
