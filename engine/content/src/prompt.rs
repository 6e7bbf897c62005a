//! Prompts.

use indexmap::IndexMap;

use super::declare::{Domain, Prompt};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::keys;
use super::names::{Names, check_name, check_value_name};
use super::placeholder::{placeholders, values_shown};
use super::text::{ValueForm, check_named, check_question};
use super::words::DOMAINS;

/// Placeholders of `reads` if choices are not numbers.
const PLACEHOLDERS: [(&str, ValueForm); 2] = [("choice", ValueForm::Name), ("player", ValueForm::Name)];
/// Placeholders of `reads` if choices are numbers.
const NUMBERED: [(&str, ValueForm); 2] = [("choice", ValueForm::Number), ("player", ValueForm::Name)];

/// Reads `prompts.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names) -> IndexMap<String, Prompt> {
    let mut prompts = IndexMap::new();
    for (key, table) in root.children("prompt") {
        check_name(&key, "prompt");
        let prompt = table.map(|table| read_one(table, names)).unwrap_or_default();
        prompts.insert(key.text.to_owned(), prompt);
    }
    prompts
}

fn read_one(table: Table<'_>, names: &Names) -> Prompt {
    let mut prompt = Prompt { text: table.need_text("text"), ..Prompt::default() };
    if let Some(node) = table.get("text") {
        check_question(&node, names);
    }
    if let Some(node) = table.get("choices") {
        prompt.domain = domain(&node, names).unwrap_or_default();
    }
    if let Some(labels) = table.table("labels", format!("labels of {}", table.what)) {
        for (key, node) in labels.entries() {
            check_value_name(&key, "label");
            let text = node.text().unwrap_or_default();
            check_question(&node, names);
            prompt.labels.insert(key.text.to_owned(), text.to_owned());
        }
        if prompt.labels.is_empty() {
            labels.fault("empty", format!("{} must not be empty", labels.what), None);
        }
    }
    prompt.auto = table.boolean("auto", true);
    prompt.secret = table.boolean("secret", false);
    prompt.distinct = table.boolean("distinct", false);
    prompt.shows = values_shown(&prompt.text);
    if let Some(node) = table.get("distinct").filter(|_| prompt.distinct && prompt.domain != Domain::Token) {
        let help = Some("set `choices = \"token\"`".to_owned());
        node.fault("conflict", format!("{} has no effect: only tokens have equal copies", node.what), help);
    }
    if let Some(node) = table.get("reads") {
        prompt.reads = node.text().unwrap_or_default().to_owned();
        check_named(&node, if prompt.domain == Domain::Number { &NUMBERED } else { &PLACEHOLDERS });
        if !placeholders(&prompt.reads).any(|placeholder| placeholder.value == "choice") {
            let help = Some("write `{choice}` in place of the choice: \"Raid {choice}\"".to_owned());
            node.fault("bad-placeholder", format!("{} does not name the choice", node.what), help);
        }
    }
    table.finish(keys::prompts);
    prompt
}

fn domain(node: &Node<'_>, names: &Names) -> Option<Domain> {
    let name = node.text()?;
    Some(match name {
        "number" => Domain::Number,
        "player" => Domain::Player,
        "token" => Domain::Token,
        _ => {
            if let Some(kind) = names.kinds.get_index_of(name) {
                return Some(Domain::Definition(kind));
            }
            if let Some(grid) = names.grids.get_index_of(name) {
                return Some(Domain::Cell(grid));
            }
            let known = names.kinds.iter().chain(&names.grids).map(String::as_str);
            let help = suggestion(name, DOMAINS.into_iter().chain(known));
            node.fault("unknown-kind", format!("unknown kind or grid `{name}` for {}", node.what), help);
            return None;
        }
    })
}

/// Reports a prompt with values in a place where the engine asks it without values.
pub(super) fn check_plain(node: &Node<'_>, prompt: usize, prompts: &IndexMap<String, Prompt>) {
    let Some((name, prompt)) = prompts.get_index(prompt).filter(|(_, prompt)| values_shown(&prompt.text) > 0) else {
        return;
    };
    let message = format!(
        "prompt `{name}` uses `{{{}}}`, but the engine asks it here without values",
        values_shown(&prompt.text)
    );
    node.fault("conflict", message, Some("only `ask` and `choose` in scripts pass values".to_owned()));
}
