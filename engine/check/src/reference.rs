//! Generates the reference of the content language: keys, hooks, calls, built-in verbs and methods of rule tests.
//!
//! All entries come from the lists that the engine itself reads.

use std::collections::BTreeSet;

use motherlode::Pack;
use motherlode::language::{ACCESSORS, PLACES};
use motherlode_content::declare::{Attribute, AttributeType, Event, EventArg, Value};
use motherlode_content::keys::{self, KeySpec, TableSpec, ValueSpec};
use motherlode_content::{NameKind, read};

use crate::types::{GAME_TYPES, PHASE_TYPES, REACTION_TYPES};

/// A chapter of the reference. Texts are Markdown.
#[derive(Debug, Clone)]
pub struct Chapter {
    /// Heading.
    pub title: &'static str,
    /// Introduction before the sections.
    pub text: String,
    /// Sections, each with one table.
    pub sections: Vec<Section>,
}

/// A section of the reference: one table.
#[derive(Debug, Clone)]
pub struct Section {
    /// Heading; empty if the chapter has a single section.
    pub title: String,
    /// Introduction before the table; may be empty.
    pub text: &'static str,
    /// Column headings.
    pub columns: &'static [&'static str],
    /// Rows with one cell per column.
    pub rows: Vec<Vec<String>>,
}

/// Returns all chapters.
///
/// `test_methods`: signature and description of each method of rule tests, which belong to a crate above this one.
pub fn reference(test_methods: impl Iterator<Item = (&'static str, &'static str)>) -> Vec<Chapter> {
    vec![declarations(), hooks(), calls(), verbs(), events(), tests(test_methods)]
}

fn declarations() -> Chapter {
    let mut tables = KeyTables { sections: Vec::new(), seen: BTreeSet::new() };
    for (title, text, shape) in [
        ("`game.toml`", "", keys::game()),
        ("`phases.toml`: `[<phase>]`", "One table for each phase, in the order of play.", keys::phases()),
        ("`prompts.toml`: `[<prompt>]`", "One table for each question.", keys::prompts()),
        (
            "`reactions.toml`",
            "Events, and what listens to them. Definitions have listeners and modifiers of their own.",
            keys::events(),
        ),
        ("`verbs.toml`: `[<verb>]`", "One table for each verb.", keys::verbs()),
        ("`look.toml`", "How cards and counters look at a table. Nothing here changes a match.", keys::look()),
        (
            "`<kind>.toml`: `[<id>]`",
            "One table for each definition. It also sets the attributes of its kind, and hooks as lists of verbs.",
            keys::definition(),
        ),
        ("`mod.toml`", "", keys::manifest()),
        ("`tests/<game>/balance.toml`", "Plans for simulations, and the expected results.", keys::balance()),
    ] {
        tables.add(title.to_owned(), text, &shape);
    }
    let text =
        "Required keys are marked `*`. `<id>` is a name that you choose: lower-case letters, digits and underscores. \
                `texts.toml` has one text for each name."
            .to_owned();
    Chapter { title: "Declarations", text, sections: tables.sections }
}

/// Collects one section per table shape.
struct KeyTables {
    sections: Vec<Section>,
    seen: BTreeSet<&'static str>,
}

impl KeyTables {
    /// Adds a section for a shape, then the sections for the tables inside it.
    fn add(&mut self, title: String, text: &'static str, shape: &TableSpec) {
        self.seen.insert(shape.name);
        let path = title.rsplit('`').nth(1).unwrap_or_default().trim_matches(['[', ']']);
        let path = if path.ends_with(".toml") { String::new() } else { format!("{path}.") };
        let row = |key: &KeySpec| {
            let star = if key.required { "*" } else { "" };
            vec![format!("`{}`{star}", key.name), describe_value(&key.of), key.text.to_owned()]
        };
        let rows = shape.keys.iter().map(row).collect();
        self.sections.push(Section { title, text, columns: &["key", "takes", "meaning"], rows });
        for key in &shape.keys {
            let Some((inner, form)) = find_inner_table(&key.of) else { continue };
            let inner = inner();
            if !self.seen.contains(inner.name) {
                let name = format!("{path}{}", key.name);
                let title = match form {
                    Form::One => format!("`[{name}]`"),
                    Form::List => format!("`[[{name}]]`"),
                    Form::Named => format!("`[{name}.<id>]`"),
                    Form::ByEvent => format!("`[<id>.{name}.<event>]`"),
                };
                self.add(title, "", &inner);
            }
        }
    }
}

/// The way a key holds tables: one, a list, by name, or by event.
enum Form {
    One,
    List,
    Named,
    ByEvent,
}

/// Finds the table inside a key's value.
fn find_inner_table(of: &ValueSpec) -> Option<(fn() -> TableSpec, Form)> {
    match of {
        ValueSpec::Table(shape) => Some((*shape, Form::One)),
        ValueSpec::Tables(shape) => Some((*shape, Form::Named)),
        ValueSpec::Listeners(shape) => Some((*shape, Form::ByEvent)),
        ValueSpec::List(of) => find_inner_table(of).map(|(shape, _)| (shape, Form::List)),
        ValueSpec::Either(several) => several.iter().find_map(find_inner_table),
        _ => None,
    }
}

/// Describes the values that a key takes.
fn describe_value(of: &ValueSpec) -> String {
    match of {
        ValueSpec::Text => "text".to_owned(),
        ValueSpec::Boolean => "`true`, `false`".to_owned(),
        ValueSpec::Integer(i32::MIN, i32::MAX) => "whole number".to_owned(),
        ValueSpec::Integer(min, i32::MAX) => format!("whole number from {min}"),
        ValueSpec::Integer(min, max) => format!("{min} to {max}"),
        ValueSpec::Words(words) => quote(words),
        ValueSpec::Name(sorts, words) => {
            let sorts = sorts.iter().map(|sort| format!("name of {}", noun(*sort)));
            let words = words.iter().map(|word| format!("`{word}`"));
            words.chain(sorts).collect::<Vec<_>>().join(", ")
        }
        ValueSpec::Anything => "any value".to_owned(),
        ValueSpec::Either(several) => several.iter().map(describe_value).collect::<Vec<_>>().join("; or "),
        ValueSpec::List(of) => format!("list of: {}", describe_value(of)),
        ValueSpec::Table(shape) => format!("table: {}", shape().name),
        ValueSpec::Tables(shape) => format!("tables by name: {}", shape().name),
        ValueSpec::Map(of) => format!("by name: {}", describe_value(of)),
        ValueSpec::MapOf(sort, of) => format!("by name of {}: {}", noun(*sort), describe_value(of)),
        ValueSpec::Formula => "whole number, formula".to_owned(),
        ValueSpec::Conditions => {
            "by formula: number, boolean, text, table of `min` and `max`, or list of values".to_owned()
        }
        ValueSpec::Filter => "filter: table, `this`, `other`, name of a filter".to_owned(),
        ValueSpec::Arguments => {
            "by name of an argument: filter, name, number, table of `min` and `max`, or list of values".to_owned()
        }
        ValueSpec::Verb => "verb".to_owned(),
        ValueSpec::Verbs => "list of verbs; or `script`".to_owned(),
        ValueSpec::Listeners(shape) => format!("tables by event: {}", shape().name),
    }
}

fn quote(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().filter(|word| !word.is_empty()).map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

fn noun(sort: NameKind) -> &'static str {
    match sort {
        NameKind::Counter => "a counter",
        NameKind::HookList => "a list of hooks",
        NameKind::CounterFamily => "a family of counters",
        NameKind::Family => "a family",
        NameKind::Zone => "a zone",
        NameKind::ZoneFamily => "a family of zones",
        NameKind::Grid => "a grid",
        NameKind::Prompt => "a prompt",
        NameKind::Text => "a line of the transcript",
        NameKind::Kind => "a kind",
        NameKind::Option => "an option",
        NameKind::Verb => "a verb",
        NameKind::Hook => "a hook",
        NameKind::Attribute => "an attribute",
        NameKind::Label => "a label",
        NameKind::Phase => "a phase",
        NameKind::Event => "an event",
        NameKind::Filter => "a filter",
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
        (
            "<id>.can_<hook>",
            "(token: number, ...) -> boolean?",
            "in `<kind>.luau`: decides whether that effect can be used, in addition to its verbs; read-only",
        ),
        (
            "<verb>",
            "(player: number, args: { [string]: any }, it: It) -> ()",
            "in `verbs.luau`: the effect of a verb that is always possible",
        ),
        (
            "<verb>.can",
            "(player: number, args: { [string]: any }, it: It) -> boolean?",
            "in `verbs.luau`, if the verb is a table: decides whether the verb is possible; read-only",
        ),
        (
            "<verb>.<choice>",
            "(player: number, ..., choice: any, args: { [string]: any }, it: It) -> boolean?",
            "in `verbs.luau`, if the verb declares this choice: whether the candidate may be chosen, after the earlier choices; read-only",
        ),
        (
            "<verb>.run",
            "(player: number, ..., args: { [string]: any }, it: It) -> ()",
            "in `verbs.luau`, if the verb is a table: its effect, with its declared choices after the player; runs only if the verb is possible",
        ),
        (
            "<verb>.finish",
            "(player: number, args: { [string]: any }, it: It) -> ()",
            "in `verbs.luau`, if the verb has `times`: runs once after the last repetition",
        ),
        (
            "<event>",
            "(event: { [string]: any }) -> ()",
            "in `reactions.luau`: what an event of the game does, with its arguments",
        ),
        ("<listener>", "(it: It) -> ()", "in `reactions.luau`: what a listener with `do = \"script\"` does"),
        (
            "<id>.on_<event>",
            "(it: It) -> ()",
            "in `<kind>.luau`: what a listener of a definition with `do = \"script\"` does; also `before_<event>`, `instead_<event>`",
        ),
        (
            "<function>",
            "(...any) -> ...any",
            "in `lib.luau`: a function that any other script calls as `lib.<function>`",
        ),
    ];
    let section = |title: &str, rows| Section { title: title.to_owned(), text: "", columns, rows };
    Chapter {
        title: "Functions that scripts return",
        text: "A script returns a table of functions. In `phases.luau` and in the script of a kind, functions are grouped by the id of the phase or definition."
            .to_owned(),
        sections: vec![
            section("Phases: `phases.luau`", rows_of(&PHASE_TYPES)),
            section("The game: `game.luau`", rows_of(&GAME_TYPES)),
            section("Events: `reactions.luau`", rows_of(&REACTION_TYPES)),
            section("Named by the game", rows_of(&own)),
        ],
    }
}

/// Description of the form of a call that takes a family and an index.
const MEMBERS: &str = "the same for one member of a family";

fn calls() -> Chapter {
    let mut sections: Vec<Section> = Vec::new();
    for accessor in ACCESSORS.values() {
        let row = vec![format!("`{}`", accessor.signature), accessor.text.to_owned(), accessor.place.to_owned()];
        let of_members = |call| vec![format!("`{call}`"), MEMBERS.to_owned(), accessor.place.to_owned()];
        let rows = [Some(row), accessor.indexed.map(of_members)].into_iter().flatten();
        match sections.last_mut() {
            Some(section) if section.title == accessor.group => section.rows.extend(rows),
            _ => sections.push(Section {
                title: accessor.group.to_owned(),
                text: "",
                columns: &["call", "meaning", "where"],
                rows: rows.collect(),
            }),
        }
    }
    let places: Vec<String> = PLACES.iter().map(|(word, text)| format!("- *{word}*: {text}")).collect();
    let text = format!(
        "`Counter`, `Zone`, `Kind` and other capitalised types are declared names in quotes; a `Holder` is `game`, a player, a token or a \
         cell. Players, tokens and cells are numbers. An `Index` is the number or the id of \
         a definition of the family's kind. A parameter that ends in `?` is optional.\n\n\
         A call is allowed everywhere, unless the column *where* names one of these limits:\n\n{}",
        places.join("\n")
    );
    Chapter { title: "Calls in scripts", text, sections }
}

fn verbs() -> Chapter {
    // Built-in verbs exist in an empty pack too.
    let (declared, _) = read(&Pack::from_files("none", Vec::<(String, String)>::new()));
    let mut rows = Vec::new();
    for (name, verb) in declared.verbs.iter().filter(|(_, verb)| verb.standard) {
        let args: Vec<String> = verb.args.iter().map(|(name, arg)| argument(name, arg)).collect();
        let cost = if verb.cost { "yes" } else { "" };
        rows.push(vec![format!("`{name}`"), args.join("; "), cost.to_owned(), verb.text.clone()]);
    }
    Chapter {
        title: "Built-in verbs",
        text: "Use them as `operate = [{ gain = { gold = 2 } }]`, where `operate` is a hook of the kind. A game declares its own in `verbs.toml`. \
               `\"raise\"` is short for `{ raise = {} }` if no argument is required; `{ coins = 2 }` is short for `{ coins = { n = 2 } }` if `n` is the \
               only required argument. `gain` stops at the limits of the counter, `draw` at an empty or a full zone."
            .to_owned(),
        sections: vec![Section {
            title: String::new(),
            text: "",
            columns: &["verb", "takes", "cost", "text"],
            rows,
        }],
    }
}

fn events() -> Chapter {
    // Built-in events exist in an empty pack too.
    let (declared, _) = read(&Pack::from_files("none", Vec::<(String, String)>::new()));
    let words = |of: EventArg| match of {
        EventArg::Integer => "number",
        EventArg::Token => "token",
        EventArg::Player => "player",
        EventArg::Zone => "name of a zone",
        EventArg::Counter => "name of a counter",
        EventArg::Phase => "name of a phase",
    };
    let row = |(name, event): (&String, &Event)| {
        let args: Vec<String> = event.args.iter().map(|(arg, of)| format!("`{arg}` ({})", words(*of))).collect();
        vec![format!("`{name}`"), args.join("; "), event.text.clone()]
    };
    let rows = declared.events.iter().filter(|(_, event)| event.standard).map(row).collect();
    Chapter {
        title: "Built-in events",
        text: "The engine emits these events itself; listeners name them under `before`, `instead` and `on`. A game declares its own in \
               `reactions.toml`. An argument may be missing."
            .to_owned(),
        sections: vec![Section { title: String::new(), text: "", columns: &["event", "arguments", "text"], rows }],
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

fn tests(methods: impl Iterator<Item = (&'static str, &'static str)>) -> Chapter {
    let row = |(signature, text): (&str, &str)| vec![format!("`t.{signature}`"), text.to_owned()];
    Chapter {
        title: "Methods of rule tests",
        text: "A test is a function that takes `t`. Tokens, cells and values of counters are given by name: `\"mine#2\"`, `\"c4@2\"`, `\"gold\"`. For a \
               zone of the game, omit `player`."
            .to_owned(),
        sections: vec![Section {
            title: String::new(),
            text: "",
            columns: &["call", "meaning"],
            rows: methods.map(row).collect(),
        }],
    }
}
