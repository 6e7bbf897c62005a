//! Prompts.

use indexmap::IndexMap;

use super::declare::{ChoiceSet, Domain, MAX_ASKED, Prompt};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Table};
use super::keys;
use super::names::{Names, TEXT, check_name, check_value_name};
use super::placeholder::{placeholders, values_shown};
use super::text::{ValueForm, check_named, check_question};
use super::words::DOMAINS;

/// Placeholders of `reads` if choices are not numbers.
const PLACEHOLDERS: [(&str, ValueForm); 2] = [("choice", ValueForm::Name), ("player", ValueForm::Name)];
/// Placeholders of `reads` if choices are numbers.
const NUMBERED: [(&str, ValueForm); 2] = [("choice", ValueForm::Number), ("player", ValueForm::Name)];

/// Reads `prompts.toml`.
pub(crate) fn read(root: Table<'_>, names: &Names, texts: &IndexMap<String, String>) -> IndexMap<String, Prompt> {
    let mut prompts = IndexMap::new();
    for (key, table) in root.children("prompt") {
        check_name(&key, "prompt");
        let prompt = table.map(|table| read_one(table, names, texts)).unwrap_or_default();
        prompts.insert(key.text.to_owned(), prompt);
    }
    prompts
}

fn read_one(table: Table<'_>, names: &Names, texts: &IndexMap<String, String>) -> Prompt {
    let mut prompt = Prompt { text: table.need_text("text"), ..Prompt::default() };
    if let Some(node) = table.get("text") {
        check_question(&node, names);
    }
    if let Some(node) = table.get("choices") {
        let ChoiceSet { domain, range } = choice_set(&node, names, i32::MAX).unwrap_or_default();
        (prompt.domain, prompt.range) = (domain, range);
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
    if let Some(values) = table.table("values", format!("values of {}", table.what)) {
        for (key, node) in values.entries() {
            read_values(&key, &node, &mut prompt, names);
        }
    }
    prompt.auto = table.boolean("auto", true);
    prompt.secret = table.boolean("secret", false);
    prompt.several = table.boolean("several", false);
    prompt.distinct = table.boolean("distinct", false);
    prompt.shows = values_shown(&prompt.text);
    if let Some(node) = table.get("distinct").filter(|_| prompt.distinct && prompt.domain != Domain::Token) {
        let help = Some("set `choices = \"token\"`".to_owned());
        node.fault("conflict", format!("{} has no effect: only tokens have equal copies", node.what), help);
    }
    if let Some(node) = table.get("several").filter(|_| prompt.several && prompt.shows == 0) {
        let help =
            "show the number of choices still to make as the first value of the text: \"Choose {1:card|cards}.\"";
        node.fault(
            "conflict",
            format!("{} needs a number in the text of the question", node.what),
            Some(help.to_owned()),
        );
    }
    if let Some(node) = table.get("reads") {
        prompt.reads = node.text().unwrap_or_default().to_owned();
        check_named(&node, if prompt.domain == Domain::Number { &NUMBERED } else { &PLACEHOLDERS });
        if !placeholders(&prompt.reads).any(|placeholder| placeholder.value == "choice") {
            let help = Some("write `{choice}` in place of the choice: \"Raid {choice}\"".to_owned());
            node.fault("bad-placeholder", format!("{} does not name the choice", node.what), help);
        }
    }
    prompt.none = read_none(&table, &prompt, texts);
    table.finish(keys::prompts);
    prompt
}

/// Reads the text that says why a cell cannot be chosen.
fn read_none(table: &Table<'_>, prompt: &Prompt, texts: &IndexMap<String, String>) -> Option<usize> {
    let node = table.get("none")?;
    if !matches!(prompt.domain, Domain::Cell(_)) {
        let help = Some("set `choices` to a grid; a script says why with `refuse`".to_owned());
        node.fault("conflict", format!("{} has no effect: the choices are not cells", node.what), help);
        return None;
    }
    let text = node.reference(&TEXT, &texts.keys().cloned().collect())?;
    if values_shown(&texts[text]) > 0 {
        let message = format!("{} must show no value, because the reason is that of many cells", node.what);
        node.fault("conflict", message, Some("write a text without `{1}`".to_owned()));
    }
    Some(text)
}

/// Largest value of a label with one, two and three values.
const MOST: [i32; MAX_ASKED] = [(1 << 20) - 1, (1 << 10) - 1, 100];

/// Reads the values of a label: one set for each.
fn read_values(key: &Key<'_>, node: &Node<'_>, prompt: &mut Prompt, names: &Names) {
    let Some(text) = prompt.labels.get(key.text) else {
        let help = suggestion(key.text, prompt.labels.keys().map(String::as_str));
        key.fault("unknown-label", format!("{} names no label of the prompt", node.what), help);
        return;
    };
    let shown = values_shown(text);
    let Some(elements) = node.list(true) else { return };
    let Some(&most) = elements.len().checked_sub(1).and_then(|last| MOST.get(last)).filter(|_| elements.len() == shown)
    else {
        let message = format!("{} lists {}, but the label `{text}` shows {shown}", node.what, elements.len());
        node.fault("wrong-length", message, Some("list one set for each of {1}, {2} and {3}".to_owned()));
        return;
    };
    let sets: Option<Vec<ChoiceSet>> = elements.iter().map(|element| choice_set(element, names, most)).collect();
    let Some(sets) = sets else { return };
    if let Some((set, element)) = sets.iter().zip(&elements).find(|(set, _)| match set.domain {
        Domain::Number => set.range.is_none(),
        domain => domain == Domain::Token,
    }) {
        let what = if set.domain == Domain::Token { "tokens, which may be hidden" } else { "any number" };
        let message = format!("{} is {what}", element.what);
        let help = match names.kinds.first().filter(|_| set.domain == Domain::Token) {
            Some(kind) => {
                format!("name the kind of the tokens, such as \"{kind}\", and offer `number_of(\"{kind}\", id(token))`")
            }
            None => "name a range such as \"0..20\", \"player\", a kind or a grid".to_owned(),
        };
        element.fault("open-set", message, Some(help));
        return;
    }
    prompt.values.insert(key.text.to_owned(), sets);
}

/// Reads a set of choices: a range such as `0..20`, or the name of what they number. No number is greater than `most`.
fn choice_set(node: &Node<'_>, names: &Names, most: i32) -> Option<ChoiceSet> {
    let name = node.text()?;
    if let Some((first, last)) = name.split_once("..") {
        let range = first.trim().parse().ok().zip(last.trim().parse().ok());
        let range = range.filter(|&(first, last): &(i32, i32)| 0 <= first && first <= last && last <= most);
        if range.is_none() {
            let help = format!("write the first and the last number, from 0 to {most}: \"1..20\"");
            let few = if most < MOST[0] { "; a label with fewer values reaches more" } else { "" };
            node.fault("out-of-range", format!("`{name}` is not a range for {}", node.what), Some(help + few));
        }
        return range.map(|range| ChoiceSet { domain: Domain::Number, range: Some(range) });
    }
    domain(node, name, names).map(|domain| ChoiceSet { domain, range: None })
}

fn domain(node: &Node<'_>, name: &str, names: &Names) -> Option<Domain> {
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
