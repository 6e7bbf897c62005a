//! Printed texts: reads `texts.toml` and checks [placeholders](super::placeholder) everywhere.

use indexmap::IndexMap;

use super::declare::{AttributeType, MAX_ASKED};
use super::diagnostic::{nearest, suggestion};
use super::document::{Node, Table};
use super::names::{COUNTER, GRID, Names, check_name};
use super::placeholder::{Form, Piece, Placeholder, Plural, pieces};
use super::sentence::{self, BracketFault};

/// Maximum values of a transcript text.
const MAX_VALUES: u32 = 9;

/// Reads `texts.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names) -> IndexMap<String, String> {
    let mut texts = IndexMap::new();
    for (key, node) in root.entries() {
        check_name(&key, "text");
        let Some(text) = node.text() else { continue };
        check(&node, |placeholder| check_numbered(&node, placeholder, MAX_VALUES, names));
        texts.insert(key.text.to_owned(), text.to_owned());
    }
    texts
}

/// Checks the placeholders of a question: the player, and the values given by scripts.
pub(crate) fn check_question(node: &Node<'_>, names: &Names) {
    check(node, |placeholder| {
        if placeholder.value.starts_with(|first: char| first.is_ascii_digit()) {
            check_numbered(node, placeholder, MAX_ASKED as u32, names);
        } else {
            check_name_of_value(node, placeholder, &[("player", ValueForm::Name)]);
        }
    });
}

/// The forms in which a named value can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// As a number, with a plural.
    Number,
    /// As one of two texts.
    Switch,
    /// Unchanged.
    Name,
}

impl ValueForm {
    /// The forms for values of a type.
    pub(crate) fn of(of: &AttributeType) -> Self {
        match of {
            AttributeType::Integer { .. } => Self::Number,
            AttributeType::Boolean => Self::Switch,
            _ => Self::Name,
        }
    }
}

/// Checks the placeholders of a text with named values.
pub(crate) fn check_named(node: &Node<'_>, known: &[(&str, ValueForm)]) {
    check(node, |placeholder| check_name_of_value(node, placeholder, known));
}

/// Checks the placeholders and brackets of a sentence.
pub(crate) fn check_sentence(node: &Node<'_>, known: &[(&str, ValueForm)]) {
    check_named(node, known);
    let (what, help) = match sentence::parts(node.as_text().unwrap_or_default()) {
        Ok(_) => return,
        Err(BracketFault::Unmatched) => {
            ("unmatched bracket", "a part in brackets is omitted while its values are the usual ones")
        }
        Err(BracketFault::TooDeep) => ("brackets are nested too deep", "use at most three levels"),
        Err(BracketFault::WithoutValue) => {
            ("brackets without a value", "write `[ for every {per}]`: the part is omitted while `per` has its default")
        }
    };
    node.fault("bad-placeholder", format!("{what} in {}", node.what), Some(help.to_owned()));
}

/// Calls `check_one` with each placeholder, up to the first brace without a partner.
fn check(node: &Node<'_>, mut check_one: impl FnMut(Placeholder<'_>)) {
    for piece in pieces(node.as_text().unwrap_or_default()) {
        match piece {
            Piece::Placeholder(placeholder) => check_one(placeholder),
            Piece::Text(text) if text.contains(['{', '}']) => {
                let help = "a placeholder looks like `{1:player}`".to_owned();
                let message = format!("unmatched brace in {}", node.what);
                let from = text.find(['{', '}']).unwrap_or(0);
                return node.fault_in(&text[from..], "bad-placeholder", message, Some(help));
            }
            Piece::Text(_) => {}
        }
    }
}

/// Checks that the placeholders of a text name values, whatever their forms.
pub(crate) fn check_values(node: &Node<'_>, known: &[&str]) {
    check(node, |placeholder| {
        if !known.contains(&placeholder.value) {
            fault(node, placeholder, suggestion(placeholder.value, known.iter().copied()));
        }
    });
}

fn fault(node: &Node<'_>, placeholder: Placeholder<'_>, help: Option<String>) {
    let message = format!("unknown placeholder `{{{}}}` in {}", placeholder.inside, node.what);
    fault_at(node, placeholder, message, help);
}

/// Records a fault at a placeholder.
fn fault_at(node: &Node<'_>, placeholder: Placeholder<'_>, message: String, help: Option<String>) {
    node.fault_in(&format!("{{{}}}", placeholder.inside), "bad-placeholder", message, help);
}

/// Checks `{steps}`, `{steps:step|steps}`, `{steps|step|steps}`, `{open|is open|is closed}`.
fn check_name_of_value(node: &Node<'_>, placeholder: Placeholder<'_>, known: &[(&str, ValueForm)]) {
    let value = placeholder.value;
    let Some((_, shows)) = known.iter().find(|(name, _)| *name == value) else {
        return fault(node, placeholder, suggestion(value, known.iter().map(|(name, _)| *name)));
    };
    match (placeholder.form, shows) {
        (Form::Noun(plural), ValueForm::Switch) if !plural.many.is_empty() || !plural.one.is_empty() => {}
        (_, ValueForm::Switch) => {
            let message = format!(
                "placeholder `{{{}}}` in {} needs a text for `true` and one for `false`",
                placeholder.inside, node.what
            );
            let help = format!("write `{{{value}|up|down}}`; one of them may be empty");
            fault_at(node, placeholder, message, Some(help));
        }
        (Form::Plain, _) => {}
        (Form::Count(plural) | Form::Noun(plural), ValueForm::Number) => check_plural(node, placeholder, plural),
        (Form::Name(word), ValueForm::Number) => {
            let one = word.strip_suffix('s').unwrap_or(word);
            fault(node, placeholder, Some(format!("write `{{{value}}}`, or both words: `{{{value}:{one}|{one}s}}`")));
        }
        (Form::Name(_), ValueForm::Name) => fault(node, placeholder, Some(format!("write `{{{value}}}`"))),
        (Form::Count(_) | Form::Noun(_), ValueForm::Name) => {
            let message = format!(
                "placeholder `{{{}}}` in {} needs a number, and `{value}` is not one",
                placeholder.inside, node.what
            );
            fault_at(node, placeholder, message, Some(format!("write `{{{value}}}`")));
        }
    }
}

/// Checks `{1}`, `{1:player}`, `{1:token}`, `{1:cell board}`, `{1:counter ore}`, `{1:spots}` (a definition of that
/// kind), `{1:coin|coins}`, `{1|coin|coins}`.
fn check_numbered(node: &Node<'_>, placeholder: Placeholder<'_>, most: u32, names: &Names) {
    let Placeholder { inside, value: number, form } = placeholder;
    if !number.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number)) {
        let example = match form {
            Form::Plain => "1:player".to_owned(),
            // The number is missing: `{coin|coins}`.
            Form::Noun(Plural { one, many: "" }) => format!("1:{number}|{one}"),
            _ => format!("1{}", inside[number.len()..].trim_start()),
        };
        return fault(node, placeholder, Some(format!("values are numbered from 1 to {most}: `{{{example}}}`")));
    }
    let sort = match form {
        Form::Plain => return,
        Form::Name(sort) => sort,
        Form::Count(plural) | Form::Noun(plural) => return check_plural(node, placeholder, plural),
    };
    let (word, name) = sort.split_once(' ').map_or((sort, None), |(word, name)| (word, Some(name.trim())));
    let help = match (word, name) {
        ("player" | "token", None) => return,
        ("cell", Some(name)) => {
            node.find(name, node.span, &GRID, &names.grids);
            return;
        }
        // The members of a family have the same values.
        ("counter", Some(family)) if names.counter_families.contains_key(family) => return,
        ("counter", Some(name)) => {
            node.find(name, node.span, &COUNTER, &names.counters);
            return;
        }
        (kind, None) if names.kinds.contains(kind) => return,
        ("cell", None) => format!("name the grid: `{{{number}:cell board}}`"),
        ("counter", None) => format!("name the counter: `{{{number}:counter ore}}`"),
        ("player" | "token", Some(_)) => format!("write `{{{number}:{word}}}`"),
        _ => {
            let kinds = names.kinds.iter().map(String::as_str);
            let known = ["player", "token", "cell", "counter"].into_iter().chain(kinds);
            nearest(word, known).map_or_else(
                || {
                    let one = sort.strip_suffix('s').unwrap_or(sort);
                    format!("to count something, write both words: `{{{number}:{one}|{one}s}}`")
                },
                |near| format!("did you mean `{near}`?"),
            )
        }
    };
    fault(node, placeholder, Some(help));
}

fn check_plural(node: &Node<'_>, placeholder: Placeholder<'_>, plural: Plural<'_>) {
    let Plural { one, many } = plural;
    if !one.is_empty() && !many.is_empty() && !many.contains('|') {
        return;
    }
    let mut words = [one].into_iter().chain(many.split('|')).map(str::trim).filter(|word| !word.is_empty());
    let one = words.next().unwrap_or("coin").to_owned();
    let many = words.next().map_or_else(|| format!("{one}s"), str::to_owned);
    let before = if matches!(placeholder.form, Form::Noun(_)) { '|' } else { ':' };
    let message = format!("placeholder `{{{}}}` in {} needs exactly two words", placeholder.inside, node.what);
    let help = format!("the word for 1, then the word for more: `{{{}{before}{one}|{many}}}`", placeholder.value);
    fault_at(node, placeholder, message, Some(help));
}
