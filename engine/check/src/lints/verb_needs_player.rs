//! Built-in verbs in lists that run for no player.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at};
use motherlode_content::declare::{
    ArgFilter, Bearer, Declarations, EventArg, Holder, Listener, ListenerAction, Value, VerbCall,
};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "verb-needs-player",
    severity: Severity::Error,
    why: "The verbs `gain`, `pay` and `draw` change counters and zones of the player whom their list serves. This list serves no player: \
        its hook has no arguments, or its event has no player.",
    bad: r#"-- reactions.toml
[listeners.wages]
on = "phase_begins"
do = [{ gain = { gold = 1 } }]
"#,
    good: r#"-- reactions.toml
[listeners.wages]
on = "turn_begins"
do = [{ gain = { gold = 1 } }]
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    let mut found = Vec::new();
    for listener in d.listeners.iter().filter(|listener| serves_nobody(d, listener)) {
        let ListenerAction::Verbs(calls) = &listener.action else { continue };
        let Some(call) = calls.iter().find(|call| needs_player(d, call)) else { continue };
        let event = d.events.get_index(listener.event).map_or("", |(name, _)| name.as_str());
        let message = format!(
            "verb `{}` needs a player, but listener `{}` serves none: event `{event}` has no player",
            call.verb, listener.name
        );
        let help =
            "listen to an event with a player, or write `do = \"script\"` with a loop over `players()`".to_owned();
        found.push(report_at(context, &call.place, message).help(help));
    }
    for definition in &d.definitions {
        let Some((kind, declared)) = d.kinds.get_index(definition.kind) else { continue };
        for (hook, calls) in &definition.verbs {
            let has_arguments = declared.hooks.get(hook).is_none_or(|arguments| !arguments.is_empty());
            let Some(call) = calls.iter().find(|call| !has_arguments && needs_player(d, call)) else { continue };
            let message = format!("verb `{}` needs a player, but hook `{hook}` has no arguments", call.verb);
            let help = format!("declare `{hook} = [\"player\"]` in `[kinds.{kind}.hooks]`");
            found.push(report_at(context, &call.place, message).help(help));
        }
    }
    found
}

/// Whether a built-in verb changes what belongs to a player.
fn needs_player(d: &Declarations, call: &VerbCall) -> bool {
    let is_standard = d.verbs.get(&call.verb).is_some_and(|verb| verb.standard);
    let of_player = |value: &Value| match value {
        Value::Map(amounts) => {
            amounts.keys().any(|name| d.counters.get(name).is_some_and(|counter| counter.per == Holder::Player))
        }
        Value::Text(name) => d.zones.get(name).is_some_and(|zone| zone.per == Holder::Player),
        _ => false,
    };
    is_standard && call.args.values().any(of_player)
}

/// Whether a listener certainly serves no player: the game has it, and its event has no player and no token.
fn serves_nobody(d: &Declarations, listener: &Listener) -> bool {
    let Some((_, event)) = d.events.get_index(listener.event) else { return false };
    if listener.bearer != Bearer::Game {
        return false;
    }
    // A change concerns the holder of the counter.
    let counter = event.args.get_index_of("counter").filter(|arg| event.args[*arg] == EventArg::Counter);
    let conditions = || event.filters.iter().chain(&listener.filters).filter(|(arg, _)| Some(*arg) == counter);
    let mut named = conditions().filter_map(|(_, filter)| match filter {
        ArgFilter::OneOf(numbers) => Some(numbers),
        _ => None,
    });
    let is_of_game = |number: &i32| {
        let counter = usize::try_from(number - 1).ok().and_then(|index| d.counters.get_index(index));
        counter.is_some_and(|(_, counter)| counter.per == Holder::Game)
    };
    event.args.values().all(|of| !matches!(of, EventArg::Player | EventArg::Token))
        || named.any(|numbers| numbers.iter().all(is_of_game))
}
