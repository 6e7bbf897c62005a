//! The choices that verbs declare, and the reasons why they are impossible.

use indexmap::IndexMap;

use super::ask::check_holder;
use super::declare::{
    AttributeType, Counter, Declarations, Domain, Holder, Pick, PickSource, Picks, Prompt, ShownValue, Times, Upto,
    Verb, VerbCall,
};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::formula::{Scope, unknown_filter_help};
use super::keys;
use super::names::{COUNTER, GRID, KIND, Names, PROMPT, TEXT, ZONE, check_name};
use super::verb::read_call;
use super::words::PICKED_PLAYERS;

/// Maximum choices of a verb.
const MAX_PICKS: usize = 3;
/// Largest number that can be a candidate.
const MAX_NUMBER: i32 = 1000;
/// Maximum times that a verb acts.
const MAX_TIMES: i32 = 1000;
/// Names of functions of a verb, which a choice cannot have.
const RESERVED: [&str; 3] = ["can", "finish", "run"];
/// The value in a prompt that counts the times.
const TIME: &str = "time";

/// Reads `choose`, `times`, `least`, `done` and `none` of the verbs in `verbs.toml`.
pub(crate) fn read(root: &Table<'_>, names: &Names, d: &mut Declarations) {
    let mut all = Vec::new();
    for (key, table) in root.children("verb") {
        let (Some(table), Some(verb)) = (table, d.verbs.get(key.text)) else { continue };
        if !verb.standard {
            let none = read_none(&table, d);
            all.push((key.text, read_one(&table, verb, names, d), none));
        }
    }
    for (name, (picks, stands_for), none) in all {
        if let Some(verb) = d.verbs.get_mut(name) {
            (verb.picks, verb.stands_for, verb.none) = (picks, stands_for, none);
        }
    }
}

fn read_one(table: &Table<'_>, verb: &Verb, names: &Names, d: &Declarations) -> (Picks, IndexMap<String, VerbCall>) {
    let (mut picks, mut stands_for) = (Picks::default(), IndexMap::new());
    let mut is_whole = true;
    for (key, of) in table.tables("choose", "choice") {
        check_name(&key, "choice");
        if RESERVED.contains(&key.text) || verb.args.contains_key(key.text) {
            let message = format!("`{}` is also the name of a function or an argument of the verb", key.text);
            key.fault("reserved-name", message, Some("choose another name for the choice".to_owned()));
        }
        if picks.list.len() == MAX_PICKS {
            let help = "split the verb: a verb may do another with `do_verb`".to_owned();
            key.fault("wrong-length", format!("{} has more than {MAX_PICKS} choices", table.what), Some(help));
            break;
        }
        let read = of.and_then(|of| {
            let what = format!("{} of {}", of.what, table.what);
            read_pick(of, what, key.text, (verb, &picks), &mut stands_for, (names, d))
        });
        match read {
            Some(pick) => drop(picks.list.insert(key.text.to_owned(), pick)),
            None => is_whole = false,
        }
    }
    read_times(table, verb, &mut picks, d, is_whole);
    (picks, stands_for)
}

/// Reads how often a verb acts.
fn read_times(table: &Table<'_>, verb: &Verb, picks: &mut Picks, d: &Declarations, is_whole: bool) {
    let times = table.get("times");
    if let Some(node) = &times {
        picks.times = match node.as_text() {
            Some(name) => {
                let is_number = |of: &AttributeType| matches!(of, AttributeType::Integer { .. });
                if !verb.args.get(name).is_some_and(|arg| is_number(&arg.of)) {
                    let known = verb.args.iter().filter(|(_, arg)| is_number(&arg.of)).map(|(name, _)| name.as_str());
                    let message = format!("`{name}` is not an argument of {} that is a whole number", table.what);
                    node.fault("unknown-argument", message, suggestion(name, known));
                }
                Times::Argument(name.to_owned())
            }
            None => node.integer(1..=MAX_TIMES).map(Times::Number).unwrap_or_default(),
        };
    }
    picks.least = table.integer("least", 0..=MAX_TIMES).unwrap_or(1);
    let done = table.get("done");
    picks.done = done.as_ref().and_then(Node::text).map(str::to_owned);
    if picks.list.is_empty() {
        for node in [&times, &done, &table.get("least")].into_iter().flatten().filter(|_| is_whole) {
            let help = Some("declare what is chosen: `[verb.choose.name]`".to_owned());
            node.fault("conflict", format!("{} has no effect: the verb has no choice", node.what), help);
        }
        return;
    }
    let first = picks.list.first().and_then(|(_, pick)| d.prompts.get_index(pick.prompt));
    if let (Some(node), Some(label), Some((name, prompt))) = (&done, &picks.done, first)
        && is_whole
    {
        check_label(node, label, name, prompt);
    }
    if let (Some(node), None) = (table.get("least"), &done) {
        let help = Some("add `done`: the label with which the player stops".to_owned());
        node.fault("conflict", format!("{} has no effect without `done`", node.what), help);
    }
}

/// Reads the text that says why a verb or a choice is impossible.
fn read_none(table: &Table<'_>, d: &Declarations) -> Option<usize> {
    let texts: indexmap::IndexSet<String> = d.texts.keys().cloned().collect();
    table.get("none").and_then(|node| node.reference(&TEXT, &texts))
}

fn check_label(node: &Node<'_>, label: &str, name: &str, prompt: &Prompt) -> bool {
    if prompt.labels.contains_key(label) {
        return true;
    }
    let help = suggestion(label, prompt.labels.keys().map(String::as_str))
        .or_else(|| Some(format!("add it to `labels` of prompt `{name}`")));
    node.fault("unknown-label", format!("prompt `{name}` has no label `{label}`"), help);
    false
}

fn read_pick(
    mut table: Table<'_>,
    what: String,
    name: &str,
    (verb, earlier): (&Verb, &Picks),
    stands_for: &mut IndexMap<String, VerbCall>,
    (names, d): (&Names, &Declarations),
) -> Option<Pick> {
    table.what = what;
    let prompt = match table.get("prompt") {
        Some(node) => node.reference(&PROMPT, &names.prompts),
        None if names.prompts.contains(name) => names.prompts.get_index_of(name),
        None => {
            let help = Some(format!("add `prompt`, or declare prompt `{name}`"));
            table.fault("missing-key", format!("{} needs `prompt`", table.what), help);
            None
        }
    };
    let asked = prompt.and_then(|prompt| d.prompts.get_index(prompt));
    let source = read_source(&table, asked, names, d);
    let mut labels = Vec::new();
    let calls = table.table("verbs", format!("`verbs` of {}", table.what));
    for (key, node) in calls.iter().flat_map(Table::entries) {
        let scope = Scope { d, names, event: None, borne: false, targets: &[] };
        let known = asked.is_none_or(|(name, prompt)| check_label(&node, key.text, name, prompt));
        let read = read_call(&node, scope);
        if let (true, Some(call)) = (known, read.into_iter().next()) {
            labels.push(key.text.to_owned());
            stands_for.insert(key.text.to_owned(), call);
        }
    }
    if let Some(node) = table.get("labels") {
        for one in node.list(true).unwrap_or_default() {
            let (Some(label), Some((name, prompt))) = (one.text(), asked) else { continue };
            if check_label(&one, label, name, prompt) {
                labels.push(label.to_owned());
            }
        }
    } else if let (true, None, Some((_, prompt))) = (matches!(source, Ok(None)), &calls, asked) {
        labels.extend(prompt.labels.keys().cloned());
        if labels.is_empty() {
            let help = "add `zone`, `cells`, `players`, `kind`, `filter`, `upto` or `list`, or labels to the prompt"
                .to_owned();
            table.fault("missing-key", format!("{} does not say what can be chosen", table.what), Some(help));
        }
    }
    let shows = read_shows(&table, verb, earlier, &d.counters);
    if let Some((name, declared)) = asked.filter(|(_, declared)| declared.shows > shows.len()) {
        let message =
            format!("prompt `{name}` shows {} values, but {} passes {}", declared.shows, table.what, shows.len());
        table.fault("conflict", message, Some("name them in `shows`: `shows = [\"time\"]`".to_owned()));
    }
    let none = read_none(&table, d);
    let same = table.integer("same", 1..=MAX_TIMES);
    table.finish(keys::pick);
    Some(Pick { prompt: prompt?, source: source.ok()?, labels, same, shows, none })
}

/// Reads the things that a choice numbers. `Err`: they are wrong.
fn read_source(
    table: &Table<'_>,
    prompt: Option<(&String, &Prompt)>,
    names: &Names,
    d: &Declarations,
) -> Result<Option<PickSource>, ()> {
    let mut found: Option<(Node<'_>, Option<PickSource>, Domain)> = None;
    for key in ["zone", "cells", "players", "kind", "filter", "upto", "list"] {
        let Some(node) = table.get(key) else { continue };
        if let Some((first, ..)) = &found {
            let message = format!("{} and {} cannot both be set", first.what, node.what);
            node.fault("conflict", message, Some("keep one of them, and declare a choice for the other".to_owned()));
            return Err(());
        }
        let (source, domain) = match key {
            "zone" => (node.reference(&ZONE, &names.zones).map(PickSource::Zone), Domain::Token),
            "cells" => {
                let grid = node.reference(&GRID, &names.grids);
                (grid.map(PickSource::Cells), grid.map_or(Domain::Number, Domain::Cell))
            }
            "list" => {
                let domain = prompt.map(|(_, declared)| declared.domain).unwrap_or_default();
                (node.word(&[("script", PickSource::Script)]), domain)
            }
            "players" => (node.word(&PICKED_PLAYERS).map(PickSource::Players), Domain::Player),
            "kind" => {
                let kind = node.reference(&KIND, &names.kinds);
                (kind.map(PickSource::Kind), kind.map_or(Domain::Number, Domain::Definition))
            }
            "filter" => {
                let filter = node.text().and_then(|name| {
                    let found = names.filters.get_index_of(name);
                    if found.is_none() {
                        let help = unknown_filter_help(name, names, &[]);
                        node.fault("unknown-filter", format!("unknown filter `{name}` for {}", node.what), help);
                    }
                    found
                });
                (filter.map(PickSource::Filter), Domain::Token)
            }
            _ => {
                let from = table.integer("from", 0..=MAX_NUMBER).unwrap_or(0);
                let upto = if node.is_integer() {
                    node.integer(from..=MAX_NUMBER).map(Upto::Number)
                } else {
                    let counter = node.reference(&COUNTER, &names.counters);
                    let found = counter.and_then(|counter| d.counters.get_index(counter));
                    found.and_then(|(name, counter)| check_holder(&node, name, counter)).and(counter).map(Upto::Counter)
                };
                (upto.map(|upto| PickSource::Numbers { from, upto }), Domain::Number)
            }
        };
        found = Some((node, source, domain));
    }
    if let (Some(node), false) = (table.get("from"), table.has("upto")) {
        let help = Some("add `upto`: the counter with the largest number".to_owned());
        node.fault("conflict", format!("{} has no effect without `upto`", node.what), help);
    }
    let Some((node, source, domain)) = found else { return Ok(None) };
    let source = source.ok_or(())?;
    if let Some((name, declared)) = prompt.filter(|(_, declared)| declared.domain != domain) {
        let word = match domain {
            Domain::Number => "number",
            Domain::Player => "player",
            Domain::Token => "token",
            Domain::Definition(kind) => names.kinds.get_index(kind).map_or("", String::as_str),
            Domain::Cell(grid) => names.grids.get_index(grid).map_or("", String::as_str),
        };
        let was = if declared.domain == Domain::Number { "not set" } else { "another" };
        let message = format!("{} lists choices of prompt `{name}`, whose `choices` is {was}", node.what);
        node.fault("conflict", message, Some(format!("set `choices = \"{word}\"` in prompt `{name}`")));
        return Err(());
    }
    Ok(Some(source))
}

/// Reads the values in the text of the prompt: `time`, arguments of the verb, earlier choices, and player counters.
fn read_shows(
    table: &Table<'_>,
    verb: &Verb,
    earlier: &Picks,
    counters: &IndexMap<String, Counter>,
) -> Vec<ShownValue> {
    let mut shows = Vec::new();
    for node in table.get("shows").and_then(|node| node.list(true)).unwrap_or_default() {
        let Some(name) = node.text() else { continue };
        let counter = counters.get_full(name).filter(|(_, _, counter)| counter.per == Holder::Player);
        let is_number =
            |name: &str| verb.args.get(name).is_some_and(|arg| matches!(arg.of, AttributeType::Integer { .. }));
        if name == TIME {
            shows.push(ShownValue::Time);
        } else if let Some(place) = earlier.list.get_index_of(name) {
            shows.push(ShownValue::Pick(place));
        } else if is_number(name) {
            shows.push(ShownValue::Argument(name.to_owned()));
        } else if let Some((index, ..)) = counter {
            shows.push(ShownValue::Counter(index));
        } else {
            let own = verb.args.keys().filter(|name| is_number(name)).chain(earlier.list.keys());
            let of_players = counters.iter().filter(|(_, counter)| counter.per == Holder::Player).map(|(name, _)| name);
            let help = suggestion(name, [TIME].into_iter().chain(own.chain(of_players).map(String::as_str)));
            let message = format!(
                "`{name}` for {} is not `{TIME}`, a number among the arguments, an earlier choice or a player counter",
                node.what
            );
            node.fault("unknown-value", message, help);
        }
    }
    shows
}
