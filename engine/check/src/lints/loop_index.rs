//! Loops over a list that use the places in the list as its elements.

use full_moon::ast::{Expression, Var};

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::resolve::{Initializer, Variable};
use crate::script::value::{KnownValue, element};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "loop-index",
    severity: Severity::Warning,
    why: "The first variable of a loop over a list counts 1, 2, 3; the second one is the element.",
    bad: r#"return {
    play = {
        turn = function(player)
            for other in players() do
                gain(other, "gold", 1)
            end
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            for _, other in players() do
                gain(other, "gold", 1)
            end
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, _: &DeclaredNames<'_>) -> Vec<Finding> {
    let variables = &script.names.variables;
    let finding = |(index, variable): (usize, &Variable<'_>)| {
        let Initializer::Element(0, list) = variable.initializer else { return None };
        let has_element = variables.get(index + 1).is_some_and(
            |next| matches!(next.initializer, Initializer::Element(1, other) if std::ptr::eq(list, other)),
        );
        let is_list = matches!(element(&script.names, list), Some(KnownValue::Number));
        if has_element || !is_list || !is_first_argument(script, index) {
            return None;
        }
        let name = variable.name;
        let message = format!("`{name}` counts the elements from 1, and is not an element of the list");
        let help = format!("write `for _, {name} in`");
        Some(Finding::new(&script.source_map, variable.token?, message).help(help))
    };
    variables.iter().enumerate().filter_map(finding).collect()
}

/// Whether an accessor gets the variable as its first argument, where a token, a player or a cell stands.
fn is_first_argument(script: &ResolvedScript<'_>, variable: usize) -> bool {
    script.calls.list.iter().any(|call| {
        let first = call.arguments.first().filter(|_| matches!(call.callee, Callee::Accessor(..)));
        matches!(first, Some(Argument::Expression(Expression::Var(Var::Name(token))))
            if script.names.variable(token) == Some(variable))
    })
}
