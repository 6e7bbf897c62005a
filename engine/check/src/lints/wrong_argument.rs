//! Arguments of a wrong type.

use full_moon::ast::Expression;
use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, value_call};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Call, Callee};
use crate::script::known::DeclaredNames;
use crate::script::library;
use crate::script::role::Role;
use crate::script::signature::ValueType;
use crate::script::token::{identifier, literal};
use motherlode_content::declare::EventArg;
use motherlode_content::diagnostic::Severity;
use motherlode_content::placeholder::{Form, Piece, Placeholder, pieces};

pub const LINT: Lint = Lint {
    name: "wrong-argument",
    severity: Severity::Error,
    why: "The function takes a value of another type here, such as a number in place of text. The call fails when it runs.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", "2")
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 2)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts() {
        for (index, argument) in call.arguments.iter().enumerate() {
            let Some(kind) = argument.value_type(&script.names, &script.values) else { continue };
            if let Some((message, help)) = wrong(call, index, kind) {
                let help = named_value(call, index, known).or(help);
                found.push(Finding::at_span(&script.source_map, argument.span(), message).help(help));
            }
        }
    }
    for call in &script.calls.list {
        let Some(event) = call.emitted_event().filter(|event| !known.is_doubtful(event)) else { continue };
        for argument in call.emitted_arguments(event, known.d) {
            let role = script.role_of(known.d, argument.value);
            if let (Some((written, role)), Some(of)) = (role, argument.of)
                && let Some(message) = wrong_role(event, argument.name, of, (written, role))
            {
                found.push(Finding::new(&script.source_map, argument.value, message));
                continue;
            }
            let kind = script.values.value_type(&script.names, argument.value);
            if let (Some(kind), Some(of)) = (kind, argument.of)
                && let Some(message) = wrong_of_event(event, argument.name, of, kind)
            {
                found.push(Finding::new(&script.source_map, argument.value, message));
            }
        }
    }
    found.extend(find_wrong_values(script, known));
    found.extend(find_wrong_kinds(script, known));
    found
}

/// The help for the name of a counter's value in place of its number.
fn named_value(call: &Call<'_>, index: usize, known: &DeclaredNames<'_>) -> Option<String> {
    let text = |at: usize| match call.arguments.get(at)? {
        Argument::Expression(Expression::String(token)) => literal(token),
        _ => None,
    };
    value_call(known, text(index.checked_sub(1)?)?, text(index)?)
}

/// Finds calls that create tokens of a kind whose tokens all start in a zone.
fn find_wrong_kinds(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let finding = |call: &Call<'_>| {
        let (Callee::Accessor("create", _), Some(Argument::Expression(Expression::String(token)))) =
            (call.callee, call.arguments.first().copied())
        else {
            return None;
        };
        let kind = literal(token).filter(|name| known.d.kinds.get(*name).is_some_and(|kind| kind.zone.is_some()))?;
        let message = format!("tokens of kind `{kind}` start in a zone: none is left to create");
        let help = "declare a kind without `zone` for what is created, or `move` a token".to_owned();
        Some(Finding::new(&script.source_map, token, message).help(help))
    };
    script.calls.list.iter().filter_map(finding).collect()
}

/// Returns the message if the argument of an event is a player or a token in place of the other: both are numbers.
fn wrong_role(event: &str, name: &TokenReference, of: EventArg, (written, role): (&str, Role)) -> Option<String> {
    let is_wrong = match of {
        EventArg::Token => matches!(role, Role::Game | Role::Player),
        EventArg::Player => role == Role::Token,
        _ => false,
    };
    let name = identifier(name).filter(|_| is_wrong)?;
    Some(format!("event `{event}`: argument `{name}` needs {}, and `{written}` is {}", of.needs(), role.noun()))
}

/// Finds values of transcript texts that are a player or a token in place of the other.
fn find_wrong_values(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls.list.iter().filter(|call| call.is_exact) {
        let at = match call.callee {
            Callee::Accessor("log", _) => 0,
            Callee::Accessor("log_to", _) => 1,
            _ => continue,
        };
        let (Some(Argument::Expression(Expression::String(token)) | Argument::Text(token)), values) =
            (call.arguments.get(at).copied(), call.arguments.get(at + 1..).unwrap_or_default())
        else {
            continue;
        };
        let Some((name, text)) = literal(token).and_then(|name| known.d.texts.get_key_value(name)) else { continue };
        for piece in pieces(text) {
            let Piece::Placeholder(Placeholder { inside, value: number, form: Form::Name(shown) }) = piece else {
                continue;
            };
            let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let Some(Argument::Expression(value)) = index.and_then(|index| values.get(index)) else { continue };
            let Some((written, role)) = script.role_of(known.d, value) else { continue };
            if (shown, role) == ("token", Role::Player) || (shown, role) == ("player", Role::Token) {
                let message = format!("text `{name}` shows `{{{inside}}}`, and `{written}` is {}", role.noun());
                found.push(Finding::new(&script.source_map, *value, message));
            }
        }
    }
    found
}

/// Returns the message if the argument of an event has a wrong type. It may be `nil`.
fn wrong_of_event(event: &str, name: &TokenReference, of: EventArg, kind: ValueType) -> Option<String> {
    let is_name = matches!(of, EventArg::Zone | EventArg::Counter | EventArg::Phase);
    // The number 0 stands for a missing argument of any type.
    let fits = matches!(kind, ValueType::Number | ValueType::Nil) || is_name && kind == ValueType::Text;
    let name = identifier(name).filter(|_| !fits)?;
    Some(format!("event `{event}`: argument `{name}` needs {}, not {}", of.needs(), kind.noun()))
}

/// Returns the message and the help if the argument has a wrong type.
fn wrong(call: &Call<'_>, index: usize, kind: ValueType) -> Option<(String, Option<String>)> {
    match call.callee {
        Callee::Accessor(accessor, signature) => {
            let parameter = signature.parameters.get(index)?;
            let wanted =
                parameter.value_type.filter(|of| *of != kind && !(kind == ValueType::Nil && parameter.is_optional))?;
            let (wanted, kind) = (wanted.noun(), kind.noun());
            let message = format!("`{}` of `{accessor}` must be {wanted}, not {kind}", parameter.name);
            Some((message, Some(format!("call it as `{}`", signature.text))))
        }
        // The first argument of `table.create` and `table.pack` is no table.
        Callee::Library(table) if !matches!(call.name, "create" | "pack") => {
            library::argument_limits(table, call.name)?;
            let wanted = library::argument_type(table, index).filter(|wanted| *wanted != kind)?;
            Some((format!("`{}` takes {}, not {}", call.callee_name(), wanted.noun(), kind.noun()), None))
        }
        _ => None,
    }
}
