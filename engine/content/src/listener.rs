//! Listeners: reactions to events, in definitions and in the section `listeners` of `reactions.toml`.

use super::aim;
use super::declare::{
    Bearer, Counter, Declarations, Event, EventArg, Formula, Listener, ListenerAction, Location, Moment,
};
use super::diagnostic::suggestion;
use super::document::{Key, Node, Table};
use super::event::one_or_more;
use super::filter;
use super::formula::{self, Scope};
use super::keys;
use super::names::{EVENT, KIND, Names, PROMPT, ZONE, check_name};
use super::verb::read_calls;
use super::words::SCRIPT;

/// `for` of listeners and modifiers.
pub(crate) const FOR: [(&str, Bearer); 1] = [("players", Bearer::Players)];

/// Reads `before`, `instead` and `on` of a definition (index into `definitions`).
pub(crate) fn of_definition(
    table: &Table<'_>,
    id: &str,
    index: usize,
    names: &Names,
    d: &Declarations,
) -> Vec<Listener> {
    let mut listeners = Vec::new();
    for moment in Moment::ALL {
        let Some(section) = table.table(moment.word(), format!("`{}` of {}", moment.word(), table.what)) else {
            continue;
        };
        for (key, node) in section.entries() {
            let Some(event) = event_of(&node, key, &section.what, names) else { continue };
            for one in one_or_more(&node) {
                let name = format!("{id}.{}.{}", moment.word(), key.text);
                let script = format!("{}_{}", moment.word(), key.text);
                let Some(table) = one.table(format!("listener `{name}`")) else { continue };
                let head = Head { name, script, moment, event, bearer: Bearer::Definition(index) };
                let (listener, table) = read_one(table, key, head, names, d);
                listeners.push(listener);
                table.finish(keys::listener);
            }
        }
    }
    listeners
}

/// Reads `[listeners]`.
pub(crate) fn read(root: &Table<'_>, names: &Names, d: &Declarations) -> Vec<Listener> {
    let mut listeners = Vec::new();
    for (key, table) in root.tables("listeners", "listener") {
        check_name(&key, "listener");
        if names.events.contains(key.text) {
            let message = format!("`{}` is the name of an event", key.text);
            key.fault(
                "duplicate",
                message,
                Some("choose another name: both have functions in reactions.luau".to_owned()),
            );
        }
        let Some(table) = table else { continue };
        let set: Vec<(Moment, Node<'_>)> =
            Moment::ALL.into_iter().filter_map(|moment| Some((moment, table.get(moment.word())?))).collect();
        let [(moment, node)] = set.as_slice() else {
            let message = format!("{} needs one of `before`, `instead` and `on`, not {}", table.what, set.len());
            table.fault("missing-key", message, Some("write `on = \"<event>\"`".to_owned()));
            continue;
        };
        let event = node.reference(&EVENT, &names.events);
        let bearer = read_bearer(&table, names);
        let Some(event) = event else { continue };
        let head = Head { name: key.text.to_owned(), script: key.text.to_owned(), moment: *moment, event, bearer };
        let (listener, table) = read_one(table, key, head, names, d);
        listeners.push(listener);
        table.finish(keys::named_listener);
    }
    listeners
}

/// Reads `each` and `for`: who has a listener or a modifier with a name of its own.
pub(crate) fn read_bearer(table: &Table<'_>, names: &Names) -> Bearer {
    let players = table.word("for", &FOR);
    let Some(node) = table.get("each") else { return players.unwrap_or(Bearer::Game) };
    if players.is_some() {
        let message = format!("{} cannot belong to the players: `each` gives it to tokens", table.what);
        table.fault("conflict", message, Some("remove `for`, or `each`".to_owned()));
    }
    node.reference(&KIND, &names.kinds).map_or(Bearer::Game, Bearer::Kind)
}

/// Listeners that reset counters with `until`, one for each counter.
pub(crate) fn resets(d: &Declarations) -> Vec<Listener> {
    let reset = |(index, (name, counter)): (usize, (&String, &Counter))| {
        Some(Listener {
            name: format!("{name}.until"),
            text: String::new(),
            moment: Moment::On,
            event: counter.until?,
            bearer: Bearer::Game,
            zones: Vec::new(),
            filters: Vec::new(),
            conditions: Vec::new(),
            set: Vec::new(),
            x: None,
            may: None,
            waits: false,
            aims: Vec::new(),
            action: ListenerAction::Reset(index),
            place: Location { file: d.game_file(), line: 1, column: 1 },
        })
    };
    d.counters.iter().enumerate().filter_map(reset).collect()
}

/// What a listener is before its table is read.
struct Head {
    name: String,
    /// The function that `do = "script"` names.
    script: String,
    moment: Moment,
    event: usize,
    bearer: Bearer,
}

fn event_of(node: &Node<'_>, key: Key<'_>, section: &str, names: &Names) -> Option<usize> {
    let mut node = node.clone();
    section.clone_into(&mut node.what);
    node.find(key.text, key.span, &EVENT, &names.events)
}

fn read_one<'t>(table: Table<'t>, key: Key<'_>, head: Head, names: &Names, d: &Declarations) -> (Listener, Table<'t>) {
    let none = Event::default();
    let event = d.events.get_index(head.event).map_or(&none, |(_, event)| event);
    let scope = Scope { d, names, event: Some(event), borne: head.bearer.has_tokens(), targets: &[] };
    let aims = aim::read(&table, scope);
    let targets = aim::names_of(&aims, names);
    let filters = table.get("where").map(|node| filter::arguments(&node, scope)).unwrap_or_default();
    let conditions = formula::conditions(&table, scope);
    let set = table.get("set").map(|node| read_set(&node, event, scope)).unwrap_or_default();
    if let Some(node) = table.get("set").filter(|_| head.moment != Moment::Before) {
        let message = format!("{} has no effect: only a listener `before` an event changes it", node.what);
        node.fault("conflict", message, Some("use `before`, or remove it".to_owned()));
    }
    let zones = zones_of(&table, head.bearer, names, d);
    let x = table.get("x").and_then(|node| formula::read(&node, scope));
    let may = table.get("may").and_then(|node| {
        let prompt = node.reference(&PROMPT, &names.prompts)?;
        let (name, labels) = d.prompts.get_index(prompt).map(|(name, prompt)| (name, &prompt.labels))?;
        if !["yes", "no"].iter().all(|label| labels.contains_key(*label)) {
            let message = format!("prompt `{name}` for {} needs the labels `yes` and `no`", node.what);
            node.fault("unknown-label", message, Some("add `labels = { yes = \"...\", no = \"...\" }`".to_owned()));
        }
        let shows = d.prompts.get_index(prompt).map_or(0, |(_, prompt)| prompt.shows);
        let is_token = |kind: usize| d.kinds.get_index(kind).is_some_and(|(_, kind)| kind.held.is_none());
        let gets = usize::from(kind_of(head.bearer, names, d).is_some_and(is_token));
        if shows > gets {
            let values = if gets == 1 { "1, the token" } else { "none" };
            let message = format!("prompt `{name}` for {} shows {shows} values: it gets {values}", node.what);
            node.fault("conflict", message, Some("name another prompt".to_owned()));
        }
        Some(prompt)
    });
    let waits = table.boolean("waits", true);
    let known = names.formulas.borrow().len();
    let action = read_action(&table, &head, Scope { targets: &targets, ..scope });
    if x.is_none() && names.formulas.borrow()[known..].iter().any(Formula::reads_x) {
        let message = format!("{} reads `x`, which is always 0: it has no `x`", table.what);
        key.fault("missing-key", message, Some("add `x = \"<formula>\"`".to_owned()));
    }
    let is_empty = |action: &ListenerAction| match action {
        ListenerAction::Nothing => true,
        ListenerAction::Verbs(calls) => {
            calls.is_empty() && table.get("do").is_some_and(|node| node.list(true).is_some_and(|list| list.is_empty()))
        }
        _ => false,
    };
    if is_empty(&action) && !table.has("set") && head.moment != Moment::Instead {
        let message = format!("{} does nothing: it has no `do`", table.what);
        key.fault("missing-key", message, Some("add `do = [...]`, or `do = \"script\"`".to_owned()));
    }
    let text = table.text("text").unwrap_or_default();
    let Head { name, moment, event, bearer, .. } = head;
    let place = key.place();
    (
        Listener {
            name,
            text,
            moment,
            event,
            bearer,
            zones,
            filters,
            conditions,
            set,
            x,
            may,
            waits,
            aims,
            action,
            place,
        },
        table,
    )
}

/// The zones in which the tokens of a bearer act.
pub(crate) fn zones_of(table: &Table<'_>, bearer: Bearer, names: &Names, d: &Declarations) -> Vec<usize> {
    if let Some(node) = table.get("in") {
        if !bearer.has_tokens() {
            let message = format!("{} has no effect: {} belongs to no token", node.what, table.what);
            node.fault("conflict", message, Some("add `each = \"<kind>\"`, or remove it".to_owned()));
        }
        return one_or_more(&node).iter().filter_map(|one| one.reference(&ZONE, &names.zones)).collect();
    }
    let kind = kind_of(bearer, names, d).and_then(|kind| d.kinds.get_index(kind));
    kind.map(|(_, kind)| kind.active.clone()).unwrap_or_default()
}

/// The kind of a bearer (index into `kinds`).
fn kind_of(bearer: Bearer, names: &Names, d: &Declarations) -> Option<usize> {
    match bearer {
        Bearer::Game | Bearer::Players => None,
        Bearer::Kind(kind) => Some(kind),
        Bearer::Definition(index) => {
            Some(d.definitions.get(index).map_or_else(|| kind_of_next(index, names), |definition| definition.kind))
        }
    }
}

/// The kind of a definition that is being read: definitions are numbered kind by kind.
fn kind_of_next(index: usize, names: &Names) -> usize {
    let mut end = 0;
    names
        .ids
        .iter()
        .position(|ids| {
            end += ids.len();
            index < end
        })
        .unwrap_or_default()
}

fn read_set(node: &Node<'_>, event: &Event, scope: Scope<'_>) -> Vec<(usize, Formula)> {
    let Some(table) = node.table(node.what.clone()) else { return Vec::new() };
    let mut all = Vec::new();
    for (key, node) in table.entries() {
        match event.args.get_full(key.text) {
            Some((index, _, EventArg::Integer | EventArg::Token | EventArg::Player)) => {
                all.extend(formula::read(&node, scope).map(|formula| (index, formula)));
            }
            Some((index, _, EventArg::Zone)) => {
                let zone = node.reference(&ZONE, &scope.names.zones).and_then(|zone| i32::try_from(zone + 1).ok());
                all.extend(zone.map(|constant| (index, Formula { constant, terms: Vec::new() })));
            }
            Some(_) => {
                let message = format!("argument `{}` of event `{}` cannot be set: it is a name", key.text, event.name);
                let help = "remove it: only numbers, tokens, players and zones can be set".to_owned();
                key.fault("wrong-type", message, Some(help));
            }
            None => {
                let help = suggestion(key.text, event.args.keys().map(String::as_str));
                key.fault("unknown-argument", format!("event `{}` has no argument `{}`", event.name, key.text), help);
            }
        }
    }
    all
}

fn read_action(table: &Table<'_>, head: &Head, scope: Scope<'_>) -> ListenerAction {
    match table.get("do") {
        None => ListenerAction::Nothing,
        Some(node) if node.as_text() == Some(SCRIPT) => ListenerAction::Script(head.script.clone()),
        Some(node) => {
            if let Some(word) = node.as_text() {
                let message = format!("{} must be a list of verbs or \"{SCRIPT}\", not \"{word}\"", node.what);
                let help = suggestion(word, [SCRIPT])
                    .unwrap_or_else(|| format!("write `do = [\"{word}\"]`, or `do = \"{SCRIPT}\"`"));
                node.fault("wrong-type", message, Some(help));
                return ListenerAction::Verbs(Vec::new());
            }
            ListenerAction::Verbs(read_calls(&node, scope))
        }
    }
}
