//! Fields of the context of a listener, and of its event, that do not exist.

use full_moon::ast::{Index, Parameter, Suffix};
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{CONTEXT, Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::returned::{Hook, Owner};
use crate::script::token::identifier;
use motherlode_content::declare::{Bearer, Event, Listener, ListenerAction};
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unknown-field",
    severity: Severity::Error,
    why: "A listener gets `it` with the fields `event`, `source`, `player`, `x` and its targets; `it.event`, and the `event` of an event's \
        own function, have the arguments that reactions.toml declares. Any other field is always nil.",
    bad: r#"-- reactions.toml
[events.storm]
args = { victim = "player" }

[listeners.shelter]
on = "storm"
do = "script"

-- reactions.luau
return {
    shelter = function(it)
        gain(it.event.victm, "gold", 1)
    end,
}

-- phases.luau
return {
    play = {
        turn = function(player)
            emit("storm", { victim = player })
        end,
    },
}
"#,
    good: r#"-- reactions.toml
[events.storm]
args = { victim = "player" }

[listeners.shelter]
on = "storm"
do = "script"

-- reactions.luau
return {
    shelter = function(it)
        gain(it.event.victim, "gold", 1)
    end,
}

-- phases.luau
return {
    play = {
        turn = function(player)
            emit("storm", { victim = player })
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for hook in &script.returned.hooks {
        let Some(parameter) = parameter(script, hook) else { continue };
        let (own, events) = (own_event(hook, known), heard_events(hook, known));
        if own.is_none() && events.is_empty() {
            continue;
        }
        let chains = script.names.chains.iter().filter(|chain| chain.variable == Some(parameter));
        for chain in chains {
            let Some(field) = chain.first_field() else { continue };
            let finding = match own {
                Some(event) => unknown_argument(script, known, field, &[event]),
                None if identifier(field) == Some("event") => {
                    let second = chain.suffixes.get(1).and_then(|suffix| field_of(suffix));
                    second.and_then(|argument| unknown_argument(script, known, argument, &events))
                }
                None => unknown_context(script, known, field, &events),
            };
            found.extend(finding);
        }
    }
    found
}

/// The variable of the first parameter of a function, unless the function assigns to it.
fn parameter(script: &ResolvedScript<'_>, hook: &Hook<'_>) -> Option<usize> {
    let Some(Parameter::Name(token)) = hook.body?.parameters().iter().next() else { return None };
    script.names.constant(token)
}

/// The event whose action this function is.
fn own_event<'a>(hook: &Hook<'_>, known: &DeclaredNames<'a>) -> Option<(&'a str, &'a Event)> {
    let (name, event) = known.d.events.get_key_value(hook.name).filter(|_| hook.owner == Owner::Events)?;
    Some((name, event))
}

/// The events that reach this function of a listener; several definitions may have a function of the same name.
fn heard_events<'a>(hook: &Hook<'_>, known: &DeclaredNames<'a>) -> Vec<(&'a str, &'a Event)> {
    let d = known.d;
    let is_own = |listener: &&Listener| {
        let (Owner::Events | Owner::Definition(_)) = hook.owner else { return false };
        let is_of = match (hook.owner, listener.bearer) {
            (Owner::Definition(kind), Bearer::Definition(index)) => d.definitions[index].kind == kind,
            (Owner::Events, bearer) => !matches!(bearer, Bearer::Definition(_)),
            _ => false,
        };
        is_of && matches!(&listener.action, ListenerAction::Script(name) if name == hook.name)
    };
    let heard = d.listeners.iter().filter(is_own);
    heard.filter_map(|one| d.events.get_index(one.event)).map(|(name, event)| (name.as_str(), event)).collect()
}

fn field_of(suffix: &Suffix) -> Option<&TokenReference> {
    match suffix {
        Suffix::Index(Index::Dot { name, .. }) => Some(name),
        _ => None,
    }
}

/// Reports an argument that none of these events has.
fn unknown_argument(
    script: &ResolvedScript<'_>,
    known: &DeclaredNames<'_>,
    field: &TokenReference,
    events: &[(&str, &Event)],
) -> Option<Finding> {
    let name = identifier(field)?;
    let args = || events.iter().flat_map(|(_, event)| event.args.keys()).map(String::as_str);
    if args().any(|arg| arg == name) || is_set(script, known, name) {
        return None;
    }
    let message = format!("event `{}` has no argument `{name}`", events.first()?.0);
    Some(Finding::new(&script.source_map, field, message).help(suggestion(name, args())))
}

/// Reports a field that the context of a listener does not have.
fn unknown_context(
    script: &ResolvedScript<'_>,
    known: &DeclaredNames<'_>,
    field: &TokenReference,
    events: &[(&str, &Event)],
) -> Option<Finding> {
    let name = identifier(field)?;
    let aims = known.d.aims.iter().flat_map(|aim| [aim.name.clone(), format!("{}_player", aim.name)]);
    let aims: Vec<String> = aims.chain(["target_player".to_owned()]).collect();
    let fields = || CONTEXT.into_iter().chain(aims.iter().map(String::as_str));
    if fields().any(|field| field == name) || is_set(script, known, name) {
        return None;
    }
    let is_argument = events.iter().any(|(_, event)| event.args.contains_key(name));
    let help = if is_argument { Some(format!("write `it.event.{name}`")) } else { suggestion(name, fields()) };
    Some(Finding::new(&script.source_map, field, format!("`it` has no field `{name}`")).help(help))
}

/// Whether a script sets a field of this name, or a fault in the content may hide it.
fn is_set(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>, name: &str) -> bool {
    known.is_doubtful(name) || script.names.assigned_fields.contains(name)
}
