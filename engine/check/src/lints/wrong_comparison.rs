//! Comparisons of a number or an option with a text that it never equals.

use full_moon::ast::Expression;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, value_call};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::signature::{ExpectedName, ValueType};
use crate::script::token::{callee, literal};
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-comparison",
    severity: Severity::Error,
    why: "A number, or an option that is a number or a boolean, never equals a text.",
    bad: r#"return {
    play = {
        turn = function(player)
            if option("towers") == "2" then
                log("calm")
            end
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            if option("towers") == 2 then
                log("calm")
            end
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let unknown = |mention: &&Mention<'_>| !known.is_valid(mention.expected, mention.name, mention.context);
    let mentions =
        script.mentions.iter().filter(|mention| mention.expected == ExpectedName::OptionValue).filter(unknown);
    let finding = |mention: &Mention<'_>| {
        let (option, declared) = known.d.options.get_index(mention.context.option?)?;
        let is = match declared.default {
            OptionValue::Name(_) => return None,
            OptionValue::Bool(_) => "true or false",
            OptionValue::Integer(_) => "a number",
        };
        let message = format!("option `{option}` is {is}, never text");
        Some(Finding::new(&script.source_map, mention.token, message).help(format!("compare it with {is}")))
    };
    mentions.filter_map(finding).chain(numbers(script, known)).collect()
}

/// Comparisons of a number, such as the value of a counter, with a text.
fn numbers<'s>(script: &'s ResolvedScript<'_>, known: &'s DeclaredNames<'_>) -> impl Iterator<Item = Finding> + 's {
    script.names.comparisons.iter().filter_map(|(value, other)| {
        let Expression::String(token) = other else { return None };
        let is_number = script.values.value_type(&script.names, value) == Some(ValueType::Number);
        let text = literal(token).filter(|_| is_number)?;
        let help = counter_of(script, value).and_then(|counter| value_call(known, counter, text));
        Some(Finding::new(&script.source_map, token, "a number never equals a text").help(help))
    })
}

/// The counter that a call of `get` reads.
fn counter_of<'s>(script: &'s ResolvedScript<'_>, value: &Expression) -> Option<&'s str> {
    let at = callee(value)?;
    let call = script.calls.list.iter().find(|call| std::ptr::eq(call.at, at))?;
    let Callee::Accessor("get", _) = call.callee else { return None };
    let Some(Argument::Expression(Expression::String(counter))) = call.arguments.get(1) else { return None };
    literal(counter)
}
