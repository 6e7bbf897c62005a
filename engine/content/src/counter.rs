//! Counters.

use indexmap::IndexMap;

use super::declare::{Amount, Counter, Domain, Holder, OptionDecl, Redeal, Show, TranscriptUse, Visibility};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::family::{read_label, read_per};
use super::like::LIKE;
use super::limits::{DEFAULT_MAX, MAX_STEPS};
use super::names::{EVENT, KIND, Names, ZONE, check_name, label_of, names_under};
use super::only::{self, Setups};
use super::option::amount;
use super::text::{ValueForm, check_sentence};
use super::words::{COUNTER_VISIBLE, ENDS, REDEAL, SHOW, THINGS, TRANSCRIPT};
use super::{colour, keys, tells};

/// Name of value 0 of a counter whose other values are the ids of a kind.
const NONE: &str = "none";

/// Reads `[counters]`; a family is replaced by its members.
pub(crate) fn read(game: &Table<'_>, names: &Names, setups: Setups<'_>) -> IndexMap<String, Counter> {
    let mut counters = IndexMap::new();
    for (key, table) in game.tables("counters", "counter") {
        check_name(&key, "counter");
        let text = label_of(key.text);
        let counter = match table {
            Some(table) => read_one(table, text, names, setups),
            None => Counter { text, max: DEFAULT_MAX, ..Counter::default() },
        };
        match names.counter_families.get(key.text) {
            Some(family) => {
                let members = family.members().filter_map(|index| names.counters.get_index(index));
                counters.extend(members.map(|member| (member.clone(), counter.clone())));
            }
            None => drop(counters.insert(key.text.to_owned(), counter)),
        }
    }
    counters
}

fn read_one(table: Table<'_>, label: String, names: &Names, setups: Setups<'_>) -> Counter {
    let mut counter = Counter::default();
    table.text(LIKE);
    let per = read_per(&table, names, |node| holder(node, names));
    counter.per = per.map(|(holder, _)| holder).unwrap_or_default();
    counter.text = read_label(&table, names, per.and_then(|(_, kind)| kind)).unwrap_or(label);
    let of_kind = table.get("values").filter(|node| node.as_text().is_some());
    match &of_kind {
        Some(node) => match thing(node, names) {
            Some(means) => counter.means = means,
            None => counter.values = ids_of(node, names),
        },
        None => counter.values = names_under(&table, "values", "value"),
    }
    (counter.min, counter.max) = if !counter.values.is_empty() || counter.means != Domain::Number {
        for key in ["min", "max"] {
            if let Some(node) = table.get(key) {
                let message = format!("{} cannot be set: the counter has `values`", node.what);
                node.fault("conflict", message, Some("remove it: the values are numbered from 0".to_owned()));
            }
        }
        // The numbers of cells and tokens are known only after everything has been read.
        let most = match counter.means {
            Domain::Player => setups.players.map_or(0, |players| usize::from(players.max)),
            _ => counter.values.len().saturating_sub(1),
        };
        (0, i32::try_from(most).unwrap_or(i32::MAX))
    } else {
        range(&table)
    };
    counter.unit = table.get("unit").and_then(|node| unit(&node, &counter)).unwrap_or(0);
    if let Some(node) = table.get("start") {
        if matches!(counter.means, Domain::Cell(_) | Domain::Token) {
            let message = format!("{} cannot be set: a counter for a cell or a token starts without one", node.what);
            node.fault("conflict", message, Some("set it in `setup` in game.luau".to_owned()));
        } else {
            counter.start = start(&node, &counter, setups.options);
        }
    } else if !(counter.min..=counter.max).contains(&0) {
        let message = format!("{} needs `start`: 0 is not between {} and {}", table.what, counter.min, counter.max);
        table.fault("missing-key", message, None);
    }
    let fewest = if of_kind.is_some() { 0 } else { counter.values.len() };
    counter.symbols = listed(&table, "symbols", &counter, fewest, |node| node.text().unwrap_or_default().to_owned());
    counter.colours = listed(&table, "colours", &counter, fewest, colour::read);
    if let Some(node) = table.get("amount") {
        counter.amount = node.text().unwrap_or_default().to_owned();
        let kind = per.and_then(|(_, kind)| kind).and_then(|kind| names.kinds.get_index(kind));
        let member = kind.map(|kind| (kind.as_str(), ValueForm::Name));
        check_sentence(&node, &[Some(("n", ValueForm::Number)), member].into_iter().flatten().collect::<Vec<_>>());
    }
    let visible = table.get("visible");
    counter.visible = visible.as_ref().and_then(|node| node.word(&COUNTER_VISIBLE)).unwrap_or_default();
    if let Some(node) = visible.filter(|_| counter.visible == Visibility::Owner && counter.per == Holder::Game) {
        node.fault("conflict", format!("{} cannot be `owner`: a counter of the game has no owner", node.what), None);
    }
    read_duration(&table, &mut counter, names);
    counter.only = only::read(&table, setups);
    counter.redeal = table.word("redeal", &REDEAL);
    counter.internal = table.boolean("internal", false);
    if counter.internal {
        hidden_anyway(&table, &["visible", "redeal", "transcript"]);
        (counter.visible, counter.redeal) = (Visibility::Nobody, Some(Redeal::Keep));
    }
    (counter.show, counter.group) = shown(&table, counter.internal);
    tells::check_keys(&table, counter.per, counter.internal);
    counter.transcript = transcript(&table, counter.per);
    table.finish(keys::counters);
    counter
}

/// Reads how long the values of a counter last.
fn read_duration(table: &Table<'_>, counter: &mut Counter, names: &Names) {
    counter.until = table.get("until").and_then(|node| node.reference(&EVENT, &names.events));
    counter.ends_own = table.word("ends", &ENDS).unwrap_or_default();
    if let Some(node) = table.get("ends") {
        let word = node.as_text().unwrap_or_default();
        if counter.until.is_none() {
            let help = Some("add `until = \"<event>\"`, or remove it".to_owned());
            node.fault("conflict", format!("{} has no effect without `until`", node.what), help);
        } else if counter.ends_own && matches!(counter.per, Holder::Game | Holder::Cell(_)) {
            let message = format!("{} cannot be `{word}`: the counter belongs to no player", node.what);
            node.fault("wrong-holder", message, Some("remove it, or set `per` to `player` or a kind".to_owned()));
        }
    }
    if let Some(node) = table.get("within") {
        let zones = node.list(true).unwrap_or_default();
        counter.within = zones.iter().filter_map(|one| one.reference(&ZONE, &names.zones)).collect();
        if !matches!(counter.per, Holder::Token(_)) {
            let message = format!("{} has no effect: only a counter of tokens leaves a zone", node.what);
            node.fault("conflict", message, Some("remove it, or set `per` to a kind".to_owned()));
        }
    }
}

/// Reports visibility keys on an internal item.
pub(crate) fn hidden_anyway(table: &Table<'_>, keys: &[&str]) {
    for node in keys.iter().filter_map(|key| table.get(key)) {
        let message = format!("{} has no effect: players never see internal items, and a redeal keeps them", node.what);
        node.fault("conflict", message, Some("remove it, or `internal`".to_owned()));
    }
}

/// Reads how a counter or a zone is displayed.
pub(crate) fn shown(table: &Table<'_>, internal: bool) -> (Show, String) {
    if internal {
        hidden_anyway(table, &["show", "group"]);
    }
    (table.word("show", &SHOW).unwrap_or_default(), table.text("group").unwrap_or_default())
}

/// Reads when the transcript names the changes of a counter.
fn transcript(table: &Table<'_>, per: Holder) -> TranscriptUse {
    let Some(node) = table.get("transcript") else { return TranscriptUse::default() };
    if !matches!(per, Holder::Game | Holder::Player) {
        let message = format!("{} has no effect: the transcript names counters of players and of the game", node.what);
        node.fault("conflict", message, Some("remove it".to_owned()));
    }
    node.word(&TRANSCRIPT).unwrap_or_default()
}

/// The objects that a value numbers: `player`, `token`, or a grid's cells; `None`: a kind.
fn thing(node: &Node<'_>, names: &Names) -> Option<Domain> {
    match node.as_text()? {
        "player" => Some(Domain::Player),
        "token" => Some(Domain::Token),
        name => names.grids.get_index_of(name).map(Domain::Cell),
    }
}

/// Reads `game`, `player`, a kind or a grid.
fn holder(node: &Node<'_>, names: &Names) -> Option<Holder> {
    let name = node.text()?;
    match name {
        "game" => return Some(Holder::Game),
        "player" => return Some(Holder::Player),
        _ => {}
    }
    if let Some(kind) = names.kinds.get_index_of(name) {
        return Some(Holder::Token(kind));
    }
    if let Some(grid) = names.grids.get_index_of(name) {
        return Some(Holder::Cell(grid));
    }
    let known = ["game", "player"].into_iter().chain(names.kinds.iter().chain(&names.grids).map(String::as_str));
    let message = format!("unknown kind or grid `{name}` for {}", node.what);
    node.fault("unknown-kind", message, suggestion(name, known));
    None
}

fn range(table: &Table<'_>) -> (i32, i32) {
    let min = table.integer("min", i32::MIN..=i32::MAX).unwrap_or(0);
    let node = table.get("max");
    let max = match &node {
        Some(node) => node.integer(i32::MIN..=i32::MAX).unwrap_or(i32::MAX),
        None => DEFAULT_MAX,
    };
    if min <= max {
        return (min, max);
    }
    let message = format!("`min` {min} is greater than `max` {max} in {}", table.what);
    match node {
        Some(node) => node.fault("out-of-range", message, None),
        None => table.fault("out-of-range", message, None),
    }
    (i32::MIN, i32::MAX)
}

/// Reads the number of steps in a whole: 2 from `1/2`.
fn unit(node: &Node<'_>, counter: &Counter) -> Option<i32> {
    if !counter.values.is_empty() || counter.means != Domain::Number {
        let message = format!("{} cannot be set: the counter has `values`", node.what);
        node.fault("conflict", message, Some("remove it: only numbers have fractions".to_owned()));
        return None;
    }
    let text = node.text()?;
    let steps = text.strip_prefix("1/").and_then(|steps| steps.parse().ok());
    let steps = steps.filter(|steps| (2..=MAX_STEPS).contains(steps));
    if steps.is_none() {
        let message = format!("{} is `{text}`, not a fraction", node.what);
        node.fault("unknown-value", message, Some(format!("use `1/2`, `1/3`, `1/4` ..., up to `1/{MAX_STEPS}`")));
    }
    steps
}

fn start(node: &Node<'_>, counter: &Counter, options: &IndexMap<String, OptionDecl>) -> Amount {
    if let Some(at) = node.as_text().and_then(|name| counter.values.iter().position(|value| value == name)) {
        return Amount::Number(i32::try_from(at).unwrap_or(0));
    }
    if let Some(name) = node.as_text().filter(|name| !counter.values.is_empty() && !options.contains_key(*name)) {
        let help = suggestion(name, counter.values.iter().map(String::as_str));
        node.fault("unknown-value", format!("`{name}` is not a value of {}", node.what), help);
        return Amount::default();
    }
    amount(node, counter.min..=counter.max, options).unwrap_or(Amount::Number(counter.min))
}

/// The values of a counter over a kind: none, then the ids.
fn ids_of(node: &Node<'_>, names: &Names) -> Vec<String> {
    let Some(name) = node.as_text() else { return Vec::new() };
    let Some(kind) = names.kinds.get_index_of(name) else {
        let known = names.kinds.iter().chain(&names.grids).map(String::as_str);
        let message = format!("unknown kind or grid `{name}` for {}", node.what);
        node.fault(KIND.code, message, suggestion(name, THINGS.into_iter().chain(known)));
        return Vec::new();
    };
    let Some(ids) = names.ids.get(kind) else { return Vec::new() };
    if ids.contains(NONE) {
        let message = format!("{} has a definition `{NONE}`, but that is the name of value 0", node.what);
        node.fault("duplicate", message, Some("rename the definition, or list the values".to_owned()));
    }
    std::iter::once(NONE).chain(ids.iter().map(String::as_str)).map(str::to_owned).collect()
}

/// Reads a list with one entry for each value of the counter, or at least `fewest`.
fn listed(
    table: &Table<'_>,
    key: &str,
    counter: &Counter,
    fewest: usize,
    read: impl Fn(&Node<'_>) -> String,
) -> Vec<String> {
    let Some(node) = table.get(key) else { return Vec::new() };
    let Some(elements) = node.list(false) else { return Vec::new() };
    let wanted = counter.values.len();
    if wanted > 0 && !(fewest..=wanted).contains(&elements.len()) {
        let message = format!("{} has {} entries for {wanted} values", node.what, elements.len());
        node.fault("wrong-length", message, None);
    }
    elements.iter().map(read).collect()
}
