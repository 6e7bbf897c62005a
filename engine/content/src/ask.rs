//! Questions of sealed phases that need no script.

use indexmap::{IndexMap, IndexSet};

use super::declare::{Ask, AskChoices, AttributeType, Change, Counter, Declarations, Domain, Holder, Prompt, Value};
use super::diagnostic::suggestion;
use super::document::{Document, Node, Table};
use super::keys;
use super::names::{ATTRIBUTE, COUNTER, KIND, Names, PROMPT};
use super::prompt::check_plain;
use super::words::{ANSWERS, Answers};

/// Reads one of `asks`: `{ prompt = "target", choices = "others", store = "target" }`, `{ prompt = "bid", choices = {
/// upto = "gold" }, store = "bid" }`, or `{ prompt = "build", buy = "buildings", pay = "cost", gain = "brings", again
/// = true }`.
pub(crate) fn read(
    table: &Table<'_>,
    names: &Names,
    docs: &IndexMap<&str, Document<'_>>,
    d: &Declarations,
) -> Option<Ask> {
    let prompt = table.need("prompt").and_then(|node| {
        let prompt = node.reference(&PROMPT, &names.prompts)?;
        check_plain(&node, prompt, &d.prompts);
        Some(prompt)
    });
    let asked = prompt.and_then(|prompt| d.prompts.get_index(prompt));
    let choices = match table.get("buy") {
        Some(kind) => read_purchase(table, &kind, asked, names, docs, d),
        None => read_stored(table, asked, names, d),
    };
    Some(Ask { prompt: prompt?, choices: choices? })
}

/// Reads a question whose answer is stored in a counter.
fn read_stored(
    table: &Table<'_>,
    prompt: Option<(&String, &Prompt)>,
    names: &Names,
    d: &Declarations,
) -> Option<AskChoices> {
    let node = table.need("store");
    let store = node.as_ref().and_then(|node| node.reference(&COUNTER, &names.counters));
    let (answers, numbers) = match table.get("choices") {
        Some(node) if node.is_table() => (None, Some(read_numbers(&node, prompt, names, d)?)),
        Some(node) => (Some(node.word(&ANSWERS)?), None),
        None => (Some(Answers::Labels), None),
    };
    let (store, node) = (store?, node?);
    let (name, counter) = d.counters.get_index(store)?;
    check_holder(&node, name, counter)?;
    if let Some((from, upto)) = numbers {
        return Some(AskChoices::Numbers { store, from, upto });
    }
    if let (Some((prompt, declared)), Answers::Players | Answers::Others) = (prompt, answers?)
        && declared.domain != Domain::Player
    {
        let message = format!("{} chooses a player, but prompt `{prompt}` does not", table.what);
        table.fault("conflict", message, Some(format!("set `choices = \"player\"` in prompt `{prompt}`")));
    }
    match answers? {
        Answers::Players => return Some(AskChoices::Players { store, others: false }),
        Answers::Others => return Some(AskChoices::Players { store, others: true }),
        Answers::Labels => {}
    }
    let labels = &prompt?.1.labels;
    if labels.is_empty() {
        table.fault("conflict", format!("the prompt of {} has no labels to choose from", table.what), None);
    }
    let mut values = Vec::new();
    for (i, label) in labels.keys().enumerate() {
        let value = match counter.values.iter().position(|value| value == label) {
            Some(at) => at,
            None if counter.values.is_empty() => i + 1,
            None => {
                let help = suggestion(label, counter.values.iter().map(String::as_str));
                node.fault("unknown-value", format!("label `{label}` is not a value of counter `{name}`"), help);
                continue;
            }
        };
        values.push(i32::try_from(value).unwrap_or(i32::MAX).clamp(counter.min, counter.max));
    }
    (values.len() == labels.len()).then_some(AskChoices::Labels { store, values })
}

/// Reads `{ upto = "gold", from = 1 }`: the smallest number, and the counter that holds the largest.
fn read_numbers(
    node: &Node<'_>,
    prompt: Option<(&String, &Prompt)>,
    names: &Names,
    d: &Declarations,
) -> Option<(i32, usize)> {
    let table = node.table(node.what.clone())?;
    if let Some((name, _)) = prompt.filter(|(_, prompt)| prompt.domain != Domain::Number) {
        let help = Some("remove `choices` from the prompt".to_owned());
        table.fault("conflict", format!("the choices of prompt `{name}` are not numbers"), help);
    }
    let from = table.integer("from", 0..=i32::MAX).unwrap_or(0);
    let node = table.need("upto");
    let upto = node.as_ref().and_then(|node| node.reference(&COUNTER, &names.counters));
    table.finish(keys::numbers);
    let (name, counter) = d.counters.get_index(upto?)?;
    check_holder(&node?, name, counter)?;
    Some((from, upto?))
}

/// Reports a counter that does not belong to players.
pub(super) fn check_holder(node: &Node<'_>, name: &str, counter: &Counter) -> Option<()> {
    if counter.per == Holder::Player {
        return Some(());
    }
    let message = format!("{} must be a player counter, and `{name}` is not one", node.what);
    node.fault("wrong-holder", message, Some(format!("set `per = \"player\"` in counter `{name}`")));
    None
}

/// Reads a purchase: definitions of a kind, with one attribute for the price and one for the gain.
fn read_purchase(
    table: &Table<'_>,
    kind: &Node<'_>,
    prompt: Option<(&String, &Prompt)>,
    names: &Names,
    docs: &IndexMap<&str, Document<'_>>,
    d: &Declarations,
) -> Option<AskChoices> {
    let again = table.boolean("again", false);
    let (pay, gain) = (table.need("pay"), table.need("gain"));
    let kind = kind.reference(&KIND, &names.kinds)?;
    let (kind_name, declared) = d.kinds.get_index(kind)?;
    if let Some((name, _)) = prompt.filter(|(_, prompt)| prompt.domain != Domain::Definition(kind)) {
        let help = Some(format!("set `choices = \"{kind_name}\"` in the prompt"));
        table.fault("conflict", format!("the choices of prompt `{name}` are not `{kind_name}`"), help);
    }
    let known: IndexSet<String> = declared.attributes.keys().cloned().collect();
    let amounts = |node: Option<Node<'_>>| {
        let node = node?;
        let index = node.reference(&ATTRIBUTE, &known)?;
        let (name, attribute) = declared.attributes.get_index(index)?;
        if !matches!(attribute.of, AttributeType::Amounts(_)) {
            let help = Some("set `type = \"amounts\", of = \"counter\"` in the attribute".to_owned());
            node.fault(
                "wrong-type",
                format!("{} must be an attribute of amounts, and `{name}` is not one", node.what),
                help,
            );
            return None;
        }
        Some(index)
    };
    let (pay, gain) = (amounts(pay), amounts(gain));
    let (pay, gain) = (pay?, gain?);
    let mut prices = Vec::new();
    for definition in &d.definitions[declared.first..declared.first + declared.len] {
        let mut changes: Vec<Change> = Vec::new();
        for (attribute, sign) in [(pay, -1), (gain, 1)] {
            let Some(Value::Map(map)) = definition.attributes.get(attribute) else { continue };
            for (name, value) in map {
                let (Some(counter), Value::Integer(n)) = (d.counters.get_index_of(name), value) else {
                    table.fault("wrong-type", format!("`{name}` of `{}` is not a counter", definition.id), None);
                    continue;
                };
                if d.counters[counter].per != Holder::Player {
                    let message =
                        format!("`{}` changes counter `{name}`, which is not a player counter", definition.id);
                    table.fault("wrong-holder", message, Some(format!("set `per = \"player\"` in counter `{name}`")));
                }
                match changes.iter_mut().find(|change| change.counter == counter) {
                    Some(change) => change.by = change.by.saturating_add(n.saturating_mul(sign)),
                    None => changes.push(Change { counter, by: n.saturating_mul(sign) }),
                }
            }
        }
        if again && !changes.iter().any(|change| change.by < 0) {
            let message = format!("`{}` is free, so it could be bought forever", definition.id);
            let help = Some("give it a price of 1 or more, or remove `again`".to_owned());
            let attribute = declared.attributes.get_index(pay).map_or("", |(name, _)| name);
            match value_of(docs, kind_name, &definition.id, attribute) {
                Some(price) => {
                    let related = table.doc.related(table.span, "bought with `again`".to_owned());
                    price.doc.fault_beside(price.span, "free-purchase", message, help, vec![related]);
                }
                None => table.fault("free-purchase", message, help),
            }
        }
        prices.push(changes);
    }
    Some(AskChoices::Buy { kind, attributes: [pay, gain], prices, again })
}

/// The value of an attribute as a kind's file sets it; `None`: the definition has the default.
fn value_of<'d>(docs: &'d IndexMap<&str, Document<'_>>, kind: &str, id: &str, attribute: &str) -> Option<Node<'d>> {
    docs.get(kind)?.root("").get(id)?.as_table()?.get(attribute)
}
