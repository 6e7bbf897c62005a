//! Listeners that can never act, events that can never happen, and modifiers that can never change a token.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use crate::possible::{bearers, can_hold, can_token_pass, exclude_each_other, is_held};
use motherlode_content::declare::{
    ArgFilter, Bearer, Condition, Declarations, Event, EventArg, Filter, Holder, Listener, ListenerAction, Modifier,
    Moment,
};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "never-acts",
    severity: Severity::Warning,
    why: "The conditions of this listener or modifier exclude each other, or no token of the game meets them. It has no effect.",
    bad: r#"-- tiles.toml
[mine]
name = "Mine"
[mine.on.found]
where = { to = "deck" }
do = [{ gain = { gold = 1 } }]

-- reactions.toml
[events.found]
of = "move"
where = { to = "hand" }
"#,
    good: r#"-- tiles.toml
[mine]
name = "Mine"
[mine.on.found]
where = { from = "deck" }
do = [{ gain = { gold = 1 } }]

-- reactions.toml
[events.found]
of = "move"
where = { to = "hand" }
"#,
    check: LintCheck::WholeGame(check),
};

/// Why something never acts, and the fix.
type Reason = (String, Option<String>);

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    let mut found = Vec::new();
    let mut impossible = Vec::new();
    for (index, (name, event)) in d.events.iter().enumerate().filter(|(_, (_, event))| event.of.is_some()) {
        if let Some((reason, help)) = find_conflict(d, event, None) {
            impossible.push(index);
            found.push(report_at(context, &event.place, format!("event `{name}` never happens: {reason}")).help(help));
        }
    }
    for listener in d.listeners.iter().filter(|one| !matches!(one.action, ListenerAction::Reset(_))) {
        let reason = (!impossible.contains(&listener.event)).then(|| why_silent(d, listener)).flatten();
        if let Some((reason, help)) = reason {
            let message = format!("listener `{}` never acts: {reason}", listener.name);
            found.push(report_at(context, &listener.place, message).help(help));
        }
    }
    for modifier in &d.modifiers {
        if let Some((reason, help)) = why_idle(d, modifier) {
            let message = format!("modifier `{}` never changes a token: {reason}", modifier.name);
            found.push(report_at(context, &modifier.place, message).help(help));
        }
    }
    found
}

fn why_silent(d: &Declarations, listener: &Listener) -> Option<Reason> {
    let (_, event) = d.events.get_index(listener.event)?;
    why_absent(d, listener.bearer, &listener.zones)
        .or_else(|| find_conflict(d, event, Some(listener)))
        .or_else(|| why_false(d, listener.bearer, &listener.conditions))
}

fn why_idle(d: &Declarations, modifier: &Modifier) -> Option<Reason> {
    let passes = || can_token_pass(d, modifier.bearer, &[&modifier.of], &[]);
    why_absent(d, modifier.bearer, &modifier.zones)
        .or_else(|| (!passes()).then(|| ("no token passes `of`".to_owned(), None)))
        .or_else(|| why_false(d, modifier.bearer, &modifier.conditions))
}

/// Whether its tokens exist and can be in its zones.
fn why_absent(d: &Declarations, bearer: Bearer, zones: &[usize]) -> Option<Reason> {
    let kind = match bearer {
        Bearer::Game | Bearer::Players => return None,
        Bearer::Definition(index) => d.definitions.get(index)?.kind,
        Bearer::Kind(kind) => kind,
    };
    let (name, declared) = d.kinds.get_index(kind)?;
    if !declared.tokens && declared.held.is_none() {
        let help = format!("add `held = \"<counter>\"` to `[kinds.{name}]`");
        return Some((format!("kind `{name}` has no tokens"), Some(help)));
    }
    let zone = zones.first().and_then(|zone| d.zones.get_index(*zone)).map(|(zone, _)| zone)?;
    let can_be_there = bearers(d, bearer).iter().any(|one| is_held(d, zones, d.definitions[*one].kind));
    let help = format!("choose another zone, or add `{name}` to `holds` of zone `{zone}`");
    let are_tokens = declared.tokens && !can_be_there;
    are_tokens.then(|| (format!("zone `{zone}` does not hold `{name}`"), Some(help)))
}

fn why_false(d: &Declarations, bearer: Bearer, conditions: &[Condition]) -> Option<Reason> {
    (!can_hold(d, bearer, conditions)).then(|| ("its `while` never holds".to_owned(), None))
}

/// Finds conditions on an argument that exclude each other: those of a part of an event, and of its listener.
fn find_conflict(d: &Declarations, event: &Event, listener: Option<&Listener>) -> Option<Reason> {
    let part = event.of.and_then(|of| d.events.get_index(of));
    let own = listener.map(|listener| listener.filters.as_slice()).unwrap_or_default();
    let base = match (part, listener) {
        (Some((name, base)), _) if base.standard => name.as_str(),
        (None, Some(listener)) if event.standard => d.events.get_index(listener.event)?.0.as_str(),
        _ => "",
    };
    let all: Vec<&(usize, ArgFilter)> = event.filters.iter().chain(own).collect();
    let of_arg = |name: &str| {
        let index = event.args.get_index_of(name);
        all.iter().filter(move |(arg, _)| Some(*arg) == index).map(|(_, filter)| filter)
    };
    if base == "change" {
        let reason =
            find_missing_holder(d, &of_arg("counter").collect::<Vec<_>>(), &|arg| of_arg(arg).next().is_some());
        if reason.is_some() {
            return reason;
        }
    }
    let is_early = listener.is_some_and(|listener| listener.moment != Moment::On);
    if base == "draw" && is_early && of_arg("token").next().is_some() {
        let help = "test `from` and `to`, or listen `on` the event".to_owned();
        return Some(("before a draw, `token` is missing".to_owned(), Some(help)));
    }
    let bearer = listener.map_or(Bearer::Game, |listener| listener.bearer);
    let piles = |arg: &str| of_arg(arg).filter_map(numbers).map(indices).collect::<Vec<_>>();
    let piles = if matches!(base, "move" | "draw") { [piles("from"), piles("to")].concat() } else { Vec::new() };
    let piles: Vec<&[usize]> = piles.iter().map(Vec::as_slice).collect();
    for (name, of) in &event.args {
        let filters: Vec<&ArgFilter> = of_arg(name).collect();
        let tokens: Vec<&Filter> = filters.iter().filter_map(|filter| condition(filter)).collect();
        let can_be = match of {
            EventArg::Integer => {
                let ranges = || filters.iter().filter_map(|filter| range(filter));
                ranges().map(|(min, _)| min).max() <= ranges().map(|(_, max)| max).min()
            }
            EventArg::Token => tokens.is_empty() || can_token_pass(d, bearer, &tokens, &piles),
            EventArg::Player => !exclude_each_other(&tokens),
            EventArg::Zone | EventArg::Counter | EventArg::Phase => {
                let lists: Vec<&[i32]> = filters.iter().filter_map(|filter| numbers(filter)).collect();
                let shared = |number: &i32| lists.iter().all(|list| list.contains(number));
                lists.first().is_none_or(|first| first.iter().any(shared))
            }
        };
        if !can_be {
            let of_event = event.filters.iter().any(|(arg, _)| event.args.get_index_of(name) == Some(*arg));
            let event_name = listener.and_then(|listener| d.events.get_index(listener.event)).map(|(name, _)| name);
            return Some(match event_name.filter(|_| of_event) {
                Some(event) => (format!("no `{name}` passes both its `where` and that of event `{event}`"), None),
                None => (format!("no `{name}` passes its `where`"), None),
            });
        }
    }
    None
}

/// Whether a change of a counter names no counter, or a holder that the counter does not have.
fn find_missing_holder(d: &Declarations, counters: &[&ArgFilter], is_tested: &dyn Fn(&str) -> bool) -> Option<Reason> {
    let named: Vec<usize> = counters.iter().filter_map(|filter| numbers(filter)).flat_map(indices).collect();
    let Some((name, _)) = named.first().and_then(|counter| d.counters.get_index(*counter)) else {
        let help = "add `where = { counter = \"<counter>\" }`".to_owned();
        return Some(("it names no counter".to_owned(), Some(help)));
    };
    let no_counter_is = |is: fn(Holder) -> bool| !named.iter().any(|counter| is(d.counters[*counter].per));
    let lacks = |arg: &str, is: fn(Holder) -> bool| {
        let missing = is_tested(arg) && no_counter_is(is);
        missing.then(|| (format!("counter `{name}` has no {arg}"), Some(format!("remove `{arg}`"))))
    };
    lacks("player", |per| per == Holder::Player).or_else(|| lacks("token", |per| matches!(per, Holder::Token(_))))
}

fn condition(filter: &ArgFilter) -> Option<&Filter> {
    match filter {
        ArgFilter::Token(filter) | ArgFilter::Player(filter) => Some(filter),
        _ => None,
    }
}

fn range(filter: &ArgFilter) -> Option<(i32, i32)> {
    match filter {
        ArgFilter::Range(range) => Some((range.min, range.max)),
        _ => None,
    }
}

fn numbers(filter: &ArgFilter) -> Option<&[i32]> {
    match filter {
        ArgFilter::OneOf(numbers) => Some(numbers),
        _ => None,
    }
}

/// Names in conditions are numbered from 1.
fn indices(numbers: &[i32]) -> Vec<usize> {
    numbers.iter().filter_map(|number| usize::try_from(number - 1).ok()).collect()
}
