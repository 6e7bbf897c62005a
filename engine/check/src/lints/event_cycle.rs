//! Events that certainly cause each other without end.

use std::collections::BTreeMap;

use full_moon::ast::{Block, Expression, FunctionArgs, FunctionBody, Stmt};

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use crate::script::returned::Owner;
use crate::script::token::{identifier, literal, plain_call};
use motherlode_content::declare::{
    ArgFilter, Bearer, Declarations, Event, Filter, Listener, ListenerAction, Location, Moment, Value, VerbCall, Whose,
};
use motherlode_content::diagnostic::{Severity, list};

pub const LINT: Lint = Lint {
    name: "event-cycle",
    severity: Severity::Warning,
    why: "These events cause each other without a condition, so the first of them never ends, and the match stops with an error.",
    bad: r#"return {
    play = {
        turn = function(player)
            emit("storm", { player = player })
        end,
    },
}

-- reactions.toml
[events.storm]
args = { player = "player" }

[listeners.again]
on = "storm"
do = "script"

-- reactions.luau
return {
    again = function(it)
        emit("storm", { player = it.player })
    end,
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            emit("storm", { player = player })
        end,
    },
}

-- reactions.toml
[events.storm]
args = { player = "player" }

[listeners.again]
on = "storm"
while = { "your.gold" = { max = 3 } }
do = "script"

-- reactions.luau
return {
    again = function(it)
        gain(it.player, "gold", 1)
        emit("storm", { player = it.player })
    end,
}
"#,
    check: LintCheck::WholeGame(check),
};

/// An event that another certainly causes, and the listener or the event that does it.
struct Effect<'d> {
    event: String,
    by: &'d str,
    place: &'d Location,
}

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let effects = find_effects(context);
    let mut found = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for start in effects.keys() {
        if done.contains(&start.as_str()) {
            continue;
        }
        let Some(path) = find_cycle(&effects, start) else { continue };
        done.extend(path.iter().map(|effect| effect.event.as_str()));
        let Some(first) = path.first() else { continue };
        let events: Vec<&str> = path.iter().map(|effect| effect.event.as_str()).collect();
        let message = match events[..] {
            [one] => format!("event `{one}` causes itself without end"),
            _ => format!("events {} cause each other without end", list(&events)),
        };
        let help = format!("add a condition to `{}`", first.by);
        found.push(report_at(context, first.place, message).help(help));
    }
    found
}

/// Finds the effects that lead from an event back to it.
fn find_cycle<'e, 'd>(effects: &'e BTreeMap<String, Vec<Effect<'d>>>, start: &str) -> Option<Vec<&'e Effect<'d>>> {
    let mut open: Vec<Vec<&Effect<'_>>> = effects.get(start)?.iter().map(|effect| vec![effect]).collect();
    let mut seen: Vec<&str> = Vec::new();
    while let Some(path) = open.pop() {
        let last = path.last()?;
        if last.event == start {
            return Some(path);
        }
        if !seen.contains(&last.event.as_str()) {
            seen.push(&last.event);
            let next = effects.get(&last.event).into_iter().flatten();
            open.extend(next.map(|effect| [path.as_slice(), &[effect]].concat()));
        }
    }
    None
}

/// For each event, the events that it certainly causes. The change of a counter is an event of its own: `change of gold`.
fn find_effects<'d>(context: &'d LintContext<'_>) -> BTreeMap<String, Vec<Effect<'d>>> {
    let d = context.known.d;
    let mut all: BTreeMap<String, Vec<Effect<'d>>> = BTreeMap::new();
    for (name, event) in &d.events {
        for caused in function(context, Owner::Events, name).into_iter().flat_map(emitted) {
            let effect = Effect { event: caused.to_owned(), by: name, place: &event.place };
            all.entry(name.clone()).or_default().push(effect);
        }
        if let Some((whole, _)) = event.of.filter(|_| event.filters.is_empty()).and_then(|of| d.events.get_index(of)) {
            let effect = Effect { event: name.clone(), by: name, place: &event.place };
            all.entry(whole.clone()).or_default().push(effect);
        }
    }
    for listener in d.listeners.iter().filter(|listener| is_unconditional(listener)) {
        let caused = caused_by(context, listener);
        for event in causes(d, listener) {
            let effect = |event: &String| Effect { event: event.clone(), by: &listener.name, place: &listener.place };
            all.entry(event).or_default().extend(caused.iter().map(effect));
        }
    }
    all
}

/// Whether a listener of the game acts whenever its arguments fit.
fn is_unconditional(listener: &Listener) -> bool {
    listener.bearer == Bearer::Game
        && listener.moment != Moment::Instead
        && listener.conditions.is_empty()
        && listener.may.is_none()
}

/// The events after which a listener certainly acts.
fn causes(d: &Declarations, listener: &Listener) -> Vec<String> {
    let Some((name, event)) = d.events.get_index(listener.event) else { return Vec::new() };
    match listener.filters.as_slice() {
        [] => vec![name.clone()],
        filters if name == "change" => {
            let is_plain = |(_, filter): &(usize, ArgFilter)| match filter {
                ArgFilter::OneOf(_) => true,
                // The listener serves the player of the event.
                ArgFilter::Player(filter) => *filter == Filter { whose: Some(Whose::Yours), ..Filter::default() },
                _ => false,
            };
            if filters.iter().all(is_plain) { counters(d, event, filters) } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// The changes of the counters that a listener names.
fn counters(d: &Declarations, event: &Event, filters: &[(usize, ArgFilter)]) -> Vec<String> {
    let arg = event.args.get_index_of("counter");
    let numbers = filters.iter().filter(|(of, _)| Some(*of) == arg).flat_map(|(_, filter)| match filter {
        ArgFilter::OneOf(numbers) => numbers.as_slice(),
        _ => &[],
    });
    let counter = |number: &i32| d.counters.get_index(usize::try_from(number - 1).ok()?);
    numbers.filter_map(counter).map(|(name, _)| change_of(name)).collect()
}

fn change_of(counter: &str) -> String {
    format!("change of {counter}")
}

/// The events that a listener certainly causes.
fn caused_by(context: &LintContext<'_>, listener: &Listener) -> Vec<String> {
    let d = context.known.d;
    match &listener.action {
        ListenerAction::Script(name) => {
            function(context, Owner::Events, name).into_iter().flat_map(emitted).map(str::to_owned).collect()
        }
        ListenerAction::Verbs(calls) => {
            let is_cost = |call: &&VerbCall| d.verbs.get(&call.verb).is_none_or(|verb| verb.cost);
            let certain = calls.iter().take_while(|call| !is_cost(call));
            certain.flat_map(|call| caused_by_verb(context, call)).collect()
        }
        ListenerAction::Nothing | ListenerAction::Reset(_) => Vec::new(),
    }
}

fn caused_by_verb(context: &LintContext<'_>, call: &VerbCall) -> Vec<String> {
    if call.verb == "gain" {
        let d = context.known.d;
        let amounts = call.args.values().filter_map(|value| match value {
            Value::Map(amounts) => Some(amounts),
            _ => None,
        });
        // At its largest value, a counter stops changing.
        let is_endless = |name: &str| d.counters.get(name).is_some_and(|counter| counter.max == i32::MAX);
        let gained = amounts.flatten().filter(|(name, n)| matches!(n, Value::Integer(1..)) && is_endless(name));
        return gained.map(|(name, _)| change_of(name)).collect();
    }
    function(context, Owner::Verbs, &call.verb).into_iter().flat_map(emitted).map(str::to_owned).collect()
}

/// The function of this name that scripts return; `None`: there is none, or mods change it.
fn function<'c>(context: &'c LintContext<'_>, owner: Owner, name: &str) -> Option<&'c FunctionBody> {
    let hooks = context.scripts.iter().flat_map(|script| &script.returned.hooks);
    let mut named = hooks.filter(|hook| hook.owner == owner && hook.name == name);
    let (first, second) = (named.next()?, named.next());
    first.body.filter(|_| second.is_none())
}

/// The events that a function certainly emits: those before its first condition or loop.
fn emitted(body: &FunctionBody) -> Vec<&str> {
    let block: &Block = body.block();
    let mut found = Vec::new();
    for statement in block.stmts() {
        match statement {
            Stmt::FunctionCall(call) => found.extend(event_in(plain_call(call))),
            Stmt::LocalAssignment(local) => {
                let calls = local.expressions().iter().filter_map(|value| match value {
                    Expression::FunctionCall(call) => Some(plain_call(call)),
                    _ => None,
                });
                found.extend(calls.filter_map(event_in));
            }
            Stmt::Assignment(_) | Stmt::CompoundAssignment(_) | Stmt::LocalFunction(_) => {}
            _ => break,
        }
    }
    found
}

/// The event in `emit("storm", ...)`.
fn event_in<'a>(call: Option<(&'a full_moon::tokenizer::TokenReference, &'a FunctionArgs)>) -> Option<&'a str> {
    let (name, arguments) = call?;
    match (identifier(name)?, arguments) {
        ("emit", FunctionArgs::Parentheses { arguments, .. }) => match arguments.iter().next()? {
            Expression::String(event) => literal(event),
            _ => None,
        },
        ("emit", FunctionArgs::String(event)) => literal(event),
        _ => None,
    }
}
