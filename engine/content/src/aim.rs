//! Targets: `aim` of definitions and listeners, and the counters that store targets and the listeners on a stack.

use super::declare::{
    Aim, Counter, Declarations, Domain, EventArg, Filter, Holder, Listener, MAX_TARGETS, Phase, Redeal, Show,
    Visibility,
};
use super::diagnostic::Diagnostic;
use super::document::{Faults, Node, Table};
use super::filter;
use super::formula::Scope;
use super::names::{Names, check_name, label_of};

/// Name of a target without a name of its own.
const TARGET: &str = "target";
/// Label of prompts for a player as a target.
const PLAYER: &str = "player";
/// Fields of the context that are no targets.
const CONTEXT: [&str; 7] = ["aim", "batch", "event", "listener", "player", "source", "x"];

/// Reads `aim`: a filter, or filters by the names of the targets. Returns indices into `Declarations::aims`.
pub(crate) fn read(table: &Table<'_>, scope: Scope<'_>) -> Vec<usize> {
    let Some(node) = table.get("aim") else { return Vec::new() };
    if !node.is_table() {
        return add(TARGET, &node, scope).into_iter().collect();
    }
    let Some(section) = node.table(node.what.clone()) else { return Vec::new() };
    let entries = section.entries();
    if !(1..=MAX_TARGETS).contains(&entries.len()) {
        let message = format!("{} has {} targets: use 1 to {MAX_TARGETS}", node.what, entries.len());
        node.fault("wrong-length", message, Some("write `aim = { target = \"<filter>\" }`".to_owned()));
    }
    let mut aims = Vec::new();
    for (key, node) in entries.into_iter().take(MAX_TARGETS) {
        check_name(&key, "target");
        if CONTEXT.contains(&key.text) {
            let message = format!("`{}` already has a meaning in the context of verbs", key.text);
            key.fault("reserved-name", message, Some("choose another name for the target".to_owned()));
        }
        aims.extend(add(key.text, &node, scope));
    }
    aims
}

fn add(name: &str, node: &Node<'_>, scope: Scope<'_>) -> Option<usize> {
    let filter = filter::tokens(node, scope)?;
    check_prompt(node, &filter, scope);
    let mut all = scope.names.aims.borrow_mut();
    all.push(Aim { name: name.to_owned(), filter });
    Some(all.len() - 1)
}

/// Checks that a filter has a prompt that can ask for its targets.
fn check_prompt(node: &Node<'_>, filter: &Filter, scope: Scope<'_>) {
    let shown = if filter.name.is_empty() { "the filter".to_owned() } else { format!("filter `{}`", filter.name) };
    let Some((name, prompt)) = filter.prompt.and_then(|prompt| scope.d.prompts.get_index(prompt)) else {
        let message = format!("{shown} needs `prompt`: {} asks with it", node.what);
        return node.fault("missing-key", message, Some("add `prompt = \"<prompt>\"` to the filter".to_owned()));
    };
    let (domain, choices) = if filter.is_of_players() { (Domain::Player, "player") } else { (Domain::Token, "token") };
    if prompt.domain != domain {
        let message = format!("prompt `{name}` for {} does not have the choices of {shown}", node.what);
        node.fault("conflict", message, Some(format!("set `choices = \"{choices}\"` in prompt `{name}`")));
    } else if domain == Domain::Token && filter.players.is_some() && !prompt.labels.contains_key(PLAYER) {
        let message = format!("prompt `{name}` for {} needs the label `{PLAYER}`", node.what);
        node.fault(
            "unknown-label",
            message,
            Some("add `labels = { player = \"{1:player}\" }` and `values = { player = [\"player\"] }`".to_owned()),
        );
    }
    if prompt.shows > 1 {
        let message = format!("prompt `{name}` for {} shows {} values: it gets 1, the token", node.what, prompt.shows);
        node.fault("conflict", message, Some("write a text with `{1:token}` alone".to_owned()));
    }
}

/// The names of targets (indices into `Declarations::aims`).
pub(crate) fn names_of(aims: &[usize], names: &Names) -> Vec<String> {
    let all = names.aims.borrow();
    aims.iter().filter_map(|aim| Some(all.get(*aim)?.name.clone())).collect()
}

/// Adds the counters of the engine: for targets, and for the listeners on a stack.
pub(crate) fn add_counters(d: &mut Declarations, faults: &Faults) {
    add_targets(d, faults);
    add_listeners(d, faults);
}

/// Adds the counters that store the targets of tokens, two for each name: `<kind>_<name>` and `<kind>_<name>_player`.
fn add_targets(d: &mut Declarations, faults: &Faults) {
    let mut wanted: Vec<(usize, String)> = Vec::new();
    for definition in d.definitions.iter().filter(|one| d.kinds[one.kind].tokens) {
        let root = d.root_of(definition.kind);
        wanted.extend(definition.aims.iter().filter_map(|aim| Some((root, d.aims.get(*aim)?.name.clone()))));
    }
    if let Some((kind, _)) = stack_of(d).map(|(_, waiting)| waiting) {
        let waiting = d.listeners.iter().filter(|listener| listener.can_wait()).flat_map(|listener| &listener.aims);
        let root = d.root_of(kind);
        wanted.extend(waiting.filter_map(|aim| Some((root, d.aims.get(*aim)?.name.clone()))));
    }
    wanted.sort();
    wanted.dedup();
    let mut within: Vec<usize> = d.phases.values().filter_map(|phase: &Phase| phase.stack).collect();
    within.sort_unstable();
    within.dedup();
    for (root, name) in wanted {
        let (token, player) = target_counters(d, root, &name);
        let counter = Counter {
            text: label_of(&name),
            per: Holder::Token(root),
            max: tokens(d),
            means: Domain::Token,
            show: Show::Used,
            within: within.clone(),
            ..Counter::default()
        };
        let of_player = Counter {
            text: label_of(&format!("{name}_player")),
            max: i32::from(d.players.max),
            means: Domain::Player,
            ..counter.clone()
        };
        for (name, counter) in [(token, counter), (player, of_player)] {
            insert(d, name, counter, faults);
        }
    }
}

/// The zone (index into `zones`) in which listeners wait, and the kind and number of the definition as whose tokens.
#[must_use]
pub fn stack_of(d: &Declarations) -> Option<(usize, (usize, usize))> {
    d.zones.values().enumerate().find_map(|(index, zone)| Some((index, zone.listeners?)))
}

/// The counter that stores an argument of the event of a listener on a stack: the n-th token, or the n-th other value.
#[must_use]
pub fn argument_counter(is_token: bool, n: usize) -> String {
    format!("ability_{}_{n}", if is_token { "token" } else { "number" })
}

/// Adds the counters of the tokens as which listeners wait on a stack.
fn add_listeners(d: &mut Declarations, faults: &Faults) {
    let Some((zone, (kind, number))) = stack_of(d) else { return };
    let (name, waiting) = (&d.kinds.keys()[kind], &d.kinds[kind]);
    if waiting.zone.is_some() || !waiting.tokens {
        let id = d.definitions_of(kind).get(number).map_or("", |one| one.id.as_str());
        let message = format!("`{id}` cannot wait in a zone: tokens of kind `{name}` are not created");
        let help = "choose a definition of a kind with tokens and without `zone`";
        return faults.push(Diagnostic::of_file("conflict", d.game_file(), message).with_help(help));
    }
    let plain = Counter {
        per: Holder::Token(kind),
        min: i32::MIN,
        max: i32::MAX,
        show: Show::Used,
        within: vec![zone],
        ..Counter::default()
    };
    let hidden = Counter {
        internal: true,
        visible: Visibility::Nobody,
        redeal: Some(Redeal::Keep),
        show: Show::Always,
        ..plain.clone()
    };
    let of_token = |counter: &Counter| Counter { means: Domain::Token, min: 0, max: tokens(d), ..counter.clone() };
    let mut all = vec![
        ("ability_source".to_owned(), Counter { text: "Source".to_owned(), ..of_token(&plain) }),
        (
            "ability_player".to_owned(),
            Counter {
                text: "Player".to_owned(),
                means: Domain::Player,
                min: 0,
                max: i32::from(d.players.max),
                ..plain.clone()
            },
        ),
        ("ability_x".to_owned(), Counter { text: "X".to_owned(), ..plain.clone() }),
        ("ability_listener".to_owned(), hidden.clone()),
    ];
    for is_token in [true, false] {
        let counter = if is_token { of_token(&hidden) } else { hidden.clone() };
        let most = d.listeners.iter().filter(|one| one.can_wait()).map(|one| arguments(d, one, is_token)).max();
        all.extend((1..=most.unwrap_or(0)).map(|n| (argument_counter(is_token, n), counter.clone())));
    }
    for (name, mut counter) in all {
        if counter.text.is_empty() {
            counter.text = label_of(&name);
        }
        insert(d, name, counter, faults);
    }
}

/// The number of arguments of a listener's event that are tokens, or that are none.
fn arguments(d: &Declarations, listener: &Listener, are_tokens: bool) -> usize {
    let event = d.events.get_index(listener.event).map(|(_, event)| event);
    let args = event.into_iter().flat_map(|event| event.args.values());
    args.filter(|of| (**of == EventArg::Token) == are_tokens).count()
}

/// Adds a counter of the engine. Reports a counter of the game with this name.
fn insert(d: &mut Declarations, name: String, counter: Counter, faults: &Faults) {
    if d.counters.contains_key(&name) {
        let message = format!("counter `{name}` is built into the engine");
        let fault = Diagnostic::of_file("reserved-name", d.game_file(), message);
        faults.push(fault.with_help("choose another name"));
        return;
    }
    d.counters.insert(name, counter);
}

/// Number of all tokens.
fn tokens(d: &Declarations) -> i32 {
    let roots = (0..d.kinds.len()).filter(|&kind| d.kinds[kind].like.is_none());
    i32::try_from(roots.map(|kind| d.tokens_of(kind)).sum::<usize>()).unwrap_or(i32::MAX)
}

/// The counters of tokens of a kind (index into `kinds`, like none) that store a target: for a token, and for a player.
#[must_use]
pub fn target_counters(d: &Declarations, root: usize, name: &str) -> (String, String) {
    let kind = d.kinds.get_index(root).map_or("", |(kind, _)| kind.as_str());
    (format!("{kind}_{name}"), format!("{kind}_{name}_player"))
}
