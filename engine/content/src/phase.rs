//! Phases.

use indexmap::{IndexMap, IndexSet};

use super::ask;
use super::declare::{Counter, Declarations, Domain, Holder, Offer, Phase, Turns};
use super::diagnostic::suggestion;
use super::document::{Document, Node, Table};
use super::keys;
use super::limits::MAX_TIMES;
use super::names::{COUNTER, Names, PHASE, PROMPT, TEXT, ZONE, check_name, label_of};
use super::placeholder::values_shown;
use super::words::{TURNS, WHEN};

/// Reads `phases.toml`.
pub(crate) fn read(
    root: Table<'_>,
    names: &Names,
    docs: &IndexMap<&str, Document<'_>>,
    d: &Declarations,
) -> IndexMap<String, Phase> {
    let mut phases = IndexMap::new();
    let mut moves = Vec::new();
    let known = root.own_names();
    for (key, table) in root.children("phase") {
        check_name(&key, "phase");
        if let Some(table) = &table {
            moves.extend(read_move(table, key.text, &known));
        }
        let mut phase = Phase { name: label_of(key.text), times: 1, place: key.place(), ..Phase::default() };
        if let Some(table) = table {
            read_one(table, &mut phase, names, docs, d);
        }
        phases.insert(key.text.to_owned(), phase);
    }
    if phases.is_empty() {
        root.fault("empty", "there are no phases", None);
    }
    for (name, next_to, behind) in moves {
        let (Some(from), Some(to)) = (phases.get_index_of(name), phases.get_index_of(next_to)) else { continue };
        // Removing the phase shifts those behind it.
        let to = if from < to { to - 1 } else { to };
        phases.move_index(from, to + usize::from(behind));
    }
    phases
}

/// Reads `after` or `before`: the phase, the other phase, and whether the first comes after it.
fn read_move<'d>(table: &Table<'d>, name: &'d str, known: &IndexSet<String>) -> Option<(&'d str, &'d str, bool)> {
    let (after, before) = (table.get("after"), table.get("before"));
    if let (Some(_), Some(node)) = (&after, &before) {
        node.fault(
            "conflict",
            format!("`before` and `after` cannot both be set in {}", table.what),
            Some("remove one of them".to_owned()),
        );
    }
    let behind = after.is_some();
    let node = after.or(before)?;
    let other = node.reference(&PHASE, known)?;
    if known.get_index(other).is_some_and(|other| other == name) {
        node.fault("conflict", format!("{} cannot be the phase itself", node.what), None);
        return None;
    }
    Some((name, node.as_text()?, behind))
}

fn read_one(table: Table<'_>, phase: &mut Phase, names: &Names, docs: &IndexMap<&str, Document<'_>>, d: &Declarations) {
    if let Some(name) = table.text("name") {
        phase.name = name;
    }
    phase.text = table.text("text").unwrap_or_default();
    phase.when = table.word("when", &WHEN).unwrap_or_default();
    phase.turns = table.word("turns", &TURNS).unwrap_or_default();
    if let Some(node) = table.get("prompt") {
        phase.prompt = node.reference(&PROMPT, &names.prompts);
    }
    if let Some(node) = table.get("first") {
        phase.first = node.reference(&COUNTER, &names.counters);
        let counter = phase.first.and_then(|index| d.counters.get_index(index));
        if let Some((name, _)) = counter.filter(|(_, counter)| counter.per != Holder::Game) {
            let message = format!("{} must be a game counter, and `{name}` is not one", node.what);
            node.fault("wrong-holder", message, Some(format!("set `per = \"game\"` in counter `{name}`")));
        }
    }
    if let Some(node) = table.get("limit") {
        phase.limit = node.reference(&COUNTER, &names.counters);
        check_limit(&node, phase, d);
    }
    if let Some(offer) = table.get("offer").and_then(|node| node.table(format!("the offer of {}", table.what))) {
        phase.offer = read_offer(&offer, names, &d.counters);
        check_domain(&offer, phase, d);
        offer.finish(keys::offer);
        if phase.prompt.is_none() {
            table.fault("missing-key", format!("{} has `offer` and therefore needs `prompt`", table.what), None);
        }
    }
    if let Some(node) = table.get("stuck") {
        let texts: IndexSet<String> = d.texts.keys().cloned().collect();
        phase.stuck = node.reference(&TEXT, &texts);
        let text = phase.stuck.and_then(|index| d.texts.get_index(index));
        if let Some((name, _)) = text.filter(|(_, text)| values_shown(text) > 1) {
            let message = format!("text `{name}` shows more than the player, and {} has no other value", node.what);
            node.fault("conflict", message, Some("write a text with `{1:player}` alone".to_owned()));
        }
        if phase.prompt.is_none() {
            let help = Some("set `prompt`, and list the choices with `offer`".to_owned());
            node.fault("conflict", format!("{} has no effect: the phase has no offer", node.what), help);
        }
    }
    if let Some(node) = table.get("asks") {
        if phase.turns != Turns::Sealed {
            let help = Some("set `turns = \"sealed\"`".to_owned());
            node.fault("conflict", format!("{} can only be set in sealed phases", node.what), help);
        }
        for entry in node.list(false).unwrap_or_default() {
            if let Some(entry) = entry.table(format!("a question of {}", table.what)) {
                phase.asks.extend(ask::read(&entry, names, docs, d));
                entry.finish(keys::asks);
            }
        }
    }
    read_stack(&table, phase, names, d);
    phase.times = table.integer("times", 1..=MAX_TIMES).and_then(|times| u16::try_from(times).ok()).unwrap_or(1);
    table.finish(keys::phases);
}

/// The maximum of a counter that declares none.
const NO_MAX: i32 = 1_000_000;

/// Checks the counter of a phase's turns.
fn check_limit(node: &Node<'_>, phase: &Phase, d: &Declarations) {
    if !matches!(phase.turns, Turns::Around | Turns::Passes) {
        let help = Some("set `turns = \"around\"` or `turns = \"passes\"`, or remove it".to_owned());
        node.fault("conflict", format!("{} has no effect", node.what), help);
    }
    let Some((name, counter)) = phase.limit.and_then(|index| d.counters.get_index(index)) else { return };
    if counter.per != Holder::Game {
        let message = format!("{} must be a game counter, and `{name}` is not one", node.what);
        node.fault("wrong-holder", message, Some(format!("set `per = \"game\"` in counter `{name}`")));
    } else if counter.max >= NO_MAX {
        let message = format!("{} needs a counter with a limit, and `{name}` has none", node.what);
        node.fault(
            "missing-key",
            message,
            Some(format!("set `max` of counter `{name}` to the largest number of turns")),
        );
    }
}

/// Reads the stack of a phase with priority.
fn read_stack(table: &Table<'_>, phase: &mut Phase, names: &Names, d: &Declarations) {
    let Some(node) = table.get("stack") else {
        if phase.turns == Turns::Priority {
            let help = "add `stack = \"<zone>\"`: the zone whose top resolves when all have passed".to_owned();
            table.fault("missing-key", format!("{} needs `stack`", table.what), Some(help));
        }
        return;
    };
    if phase.turns != Turns::Priority {
        let help = Some("set `turns = \"priority\"`, or remove it".to_owned());
        node.fault("conflict", format!("{} has no effect", node.what), help);
    }
    phase.stack = node.reference(&ZONE, &names.zones);
    let zone = phase.stack.and_then(|index| d.zones.get_index(index));
    if let Some((name, _)) = zone.filter(|(_, zone)| zone.per != Holder::Game) {
        let message = format!("{} must be a zone of the game, and `{name}` is not one", node.what);
        node.fault("wrong-holder", message, Some(format!("set `per = \"game\"` in zone `{name}`")));
    }
}

/// Checks that an offer lists the objects of the prompt's domain.
fn check_domain(offer: &Table<'_>, phase: &Phase, d: &Declarations) {
    let Some((name, prompt)) = phase.prompt.and_then(|prompt| d.prompts.get_index(prompt)) else { return };
    let (wanted, choices) = match phase.offer {
        Some(Offer::Zone(_)) => (Domain::Token, "token"),
        Some(Offer::Cells { counter, .. }) => match d.counters[counter].per {
            Holder::Cell(grid) => (Domain::Cell(grid), d.grids.get_index(grid).map_or("", |(name, _)| name.as_str())),
            _ => return,
        },
        None => return,
    };
    if prompt.domain != wanted {
        let message = format!("{} does not match the choices of prompt `{name}`", offer.what);
        offer.fault("conflict", message, Some(format!("set `choices = \"{choices}\"` in prompt `{name}`")));
    }
}

/// Reads `{ cells = "blocked", equals = 0 }` or `{ zone = "hand" }`.
fn read_offer(table: &Table<'_>, names: &Names, counters: &IndexMap<String, Counter>) -> Option<Offer> {
    if let Some(node) = table.get("zone") {
        return node.reference(&ZONE, &names.zones).map(Offer::Zone);
    }
    let Some(node) = table.get("cells") else {
        table.fault("missing-key", format!("{} needs `cells` or `zone`", table.what), None);
        return None;
    };
    let index = node.reference(&COUNTER, &names.counters)?;
    let (name, counter) = counters.get_index(index)?;
    if !matches!(counter.per, Holder::Cell(_)) {
        let message = format!("{} must be a counter of cells, and `{name}` is not one", node.what);
        node.fault("wrong-holder", message, Some(format!("set `per` in counter `{name}` to a grid")));
        return None;
    }
    let equals = match table.get("equals") {
        None => 0,
        Some(node) => match node.as_text() {
            None => node.integer(counter.min..=counter.max)?,
            Some(value) => match counter.values.iter().position(|known| known == value) {
                Some(at) => i32::try_from(at).unwrap_or(0),
                None => {
                    let help = suggestion(value, counter.values.iter().map(String::as_str));
                    node.fault("unknown-value", format!("`{value}` is not a value of counter `{name}`"), help);
                    return None;
                }
            },
        },
    };
    Some(Offer::Cells { counter: index, equals })
}
