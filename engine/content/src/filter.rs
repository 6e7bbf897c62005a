//! Filters: conditions on tokens, players and the arguments of events, as tables.

use super::declare::{ArgFilter, EventArg, Filter, TargetPlayers, Test, Whose};
use super::diagnostic::suggestion;
use super::document::{Node, Table};
use super::formula::{self, Scope, ThingType, field, read_plain_range, read_range, unknown_filter_help};
use super::names::{COUNTER, KIND, PHASE, PROMPT, ZONE};

/// `whose` of filters.
const WHOSE: [(&str, Whose); 3] = [("yours", Whose::Yours), ("others", Whose::Others), ("nobodys", Whose::Nobodys)];

/// `players` of filters.
const PLAYERS: [(&str, TargetPlayers); 3] =
    [("all", TargetPlayers::All), ("you", TargetPlayers::You), ("others", TargetPlayers::Others)];

/// Reads a filter of tokens: a table, the name of a declared filter, `"this"` or `"other"`.
pub(crate) fn tokens(node: &Node<'_>, scope: Scope<'_>) -> Option<Filter> {
    let this = || Some(super::declare::Reference::Thing(super::declare::Thing::This));
    match node.as_text() {
        Some("this") if scope.borne => Some(Filter { is: this(), ..Filter::default() }),
        Some("other") if scope.borne => Some(Filter { is_not: this(), ..Filter::default() }),
        Some(name) => {
            let found = scope.names.filters.get(name);
            if found.is_none() {
                let words: &[&str] = if scope.borne { &["this", "other"] } else { &[] };
                let help = unknown_filter_help(name, scope.names, words);
                node.fault("unknown-filter", format!("unknown filter `{name}` for {}", node.what), help);
            }
            found.cloned()
        }
        None => read_table(&node.table(node.what.clone())?, ThingType::Token, scope),
    }
}

/// Reads a table of conditions on tokens or players.
pub(crate) fn read_table(table: &Table<'_>, of: ThingType, scope: Scope<'_>) -> Option<Filter> {
    let mut filter = Filter::default();
    let mut whole = true;
    for (key, node) in table.entries() {
        let is_token = of == ThingType::Token;
        match key.text {
            "kind" if is_token => {
                let kinds: Vec<_> = names(&node).iter().map(|one| one.reference(&KIND, &scope.names.kinds)).collect();
                whole &= kinds.iter().all(Option::is_some);
                filter.kinds = kinds.into_iter().flatten().collect();
            }
            "id" if is_token => {
                for one in names(&node) {
                    let Some(id) = one.text() else { continue };
                    let found: Vec<(usize, usize)> = scope
                        .names
                        .ids
                        .iter()
                        .enumerate()
                        .filter_map(|(kind, ids)| Some((kind, ids.get_index_of(id)?)))
                        .filter(|(kind, _)| filter.kinds.is_empty() || filter.kinds.contains(kind))
                        .collect();
                    if found.is_empty() {
                        whole = false;
                        let known = scope.names.ids.iter().flatten().map(String::as_str);
                        one.fault(
                            "unknown-id",
                            format!("unknown definition `{id}` for {}", node.what),
                            suggestion(id, known),
                        );
                    }
                    filter.definitions.extend(found);
                }
            }
            "zone" if is_token => {
                let zones: Vec<_> = names(&node).iter().map(|one| one.reference(&ZONE, &scope.names.zones)).collect();
                whole &= zones.iter().all(Option::is_some);
                filter.zones = zones.into_iter().flatten().collect();
            }
            "text" if is_token => filter.text = node.text().map(str::to_owned).unwrap_or_default(),
            "players" if is_token => filter.players = node.word(&PLAYERS),
            "prompt" if is_token => filter.prompt = node.reference(&PROMPT, &scope.names.prompts),
            "untargetable" if is_token => filter.is_untargetable = node.boolean().unwrap_or_default(),
            "whose" => match node.word(&WHOSE) {
                Some(whose) => filter.whose = Some(whose),
                None => whole = false,
            },
            "is" => match formula::reference(&node, scope) {
                Some(thing) => filter.is = Some(thing),
                None => whole = false,
            },
            "is_not" => match formula::reference(&node, scope) {
                Some(thing) => filter.is_not = Some(thing),
                None => whole = false,
            },
            name => {
                let report = |code, message: String, help: Option<String>| {
                    let words: &[&str] = if is_token {
                        &["kind", "id", "zone", "whose", "is", "is_not", "players", "prompt", "untargetable", "text"]
                    } else {
                        &["whose", "is", "is_not"]
                    };
                    let help = help.or_else(|| suggestion(name, words.iter().copied()));
                    key.fault(code, format!("{message} ({})", table.what), help);
                };
                let found = field(of, name, scope, &report)
                    .and_then(|field| Some(Test { field, range: read_range(&node, Some(field), scope)? }));
                whole &= found.is_some();
                filter.tests.extend(found);
            }
        }
    }
    whole.then_some(filter)
}

/// Reads the conditions on the arguments of the scope's event.
pub(crate) fn arguments(node: &Node<'_>, scope: Scope<'_>) -> Vec<(usize, ArgFilter)> {
    let (Some(table), Some(event)) = (node.table(node.what.clone()), scope.event) else { return Vec::new() };
    let mut filters = Vec::new();
    for (key, node) in table.entries() {
        let Some((index, _, of)) = event.args.get_full(key.text) else {
            let help = suggestion(key.text, event.args.keys().map(String::as_str));
            let message = format!("event `{}` for {} has no argument `{}`", event.name, table.what, key.text);
            key.fault("unknown-argument", message, help);
            continue;
        };
        filters.extend(argument(&node, *of, scope).map(|filter| (index, filter)));
    }
    filters
}

fn argument(node: &Node<'_>, of: EventArg, scope: Scope<'_>) -> Option<ArgFilter> {
    let names_of = |find: &dyn Fn(&Node<'_>) -> Option<usize>| {
        let found: Vec<Option<usize>> = names(node).iter().map(find).collect();
        let number = |index: usize| i32::try_from(index + 1).ok();
        found.into_iter().map(|index| index.and_then(number)).collect::<Option<Vec<i32>>>().map(ArgFilter::OneOf)
    };
    match of {
        EventArg::Integer => read_plain_range(node, scope).map(ArgFilter::Range),
        EventArg::Token => tokens(node, scope).map(ArgFilter::Token),
        EventArg::Player => {
            if let Some(word) = node.as_text() {
                let whose = match word {
                    "you" => Whose::Yours,
                    "others" => Whose::Others,
                    word if !word.contains('.') => {
                        let help = suggestion(word, ["you", "others"]);
                        node.fault("unknown-value", format!("`{word}` is not a value of {}", node.what), help);
                        return None;
                    }
                    _ => {
                        let is = formula::reference(node, scope)?;
                        return Some(ArgFilter::Player(Filter { is: Some(is), ..Filter::default() }));
                    }
                };
                return Some(ArgFilter::Player(Filter { whose: Some(whose), ..Filter::default() }));
            }
            read_table(&node.table(node.what.clone())?, ThingType::Player, scope).map(ArgFilter::Player)
        }
        EventArg::Zone => names_of(&|one| one.reference(&ZONE, &scope.names.zones)),
        EventArg::Counter => {
            let mut numbers = Vec::new();
            for one in names(node) {
                let family = one.as_text().and_then(|name| scope.names.counter_families.get(name));
                let found = match family {
                    Some(family) => family.members(),
                    None => one.reference(&COUNTER, &scope.names.counters).map(|index| index..index + 1)?,
                };
                numbers.extend(found.filter_map(|index| i32::try_from(index + 1).ok()));
            }
            Some(ArgFilter::OneOf(numbers))
        }
        EventArg::Phase => names_of(&|one| one.reference(&PHASE, &scope.names.phases)),
    }
}

/// A name, or a list of names.
fn names<'d>(node: &Node<'d>) -> Vec<Node<'d>> {
    node.list(true).unwrap_or_default()
}
