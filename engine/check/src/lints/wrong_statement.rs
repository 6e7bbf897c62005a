//! Statements about counters without `tells`, or with values that the attribute does not have.

use full_moon::ast::{Expression, Field};

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::token::literal;
use motherlode_content::diagnostic::{Severity, list, suggestion};

pub const LINT: Lint = Lint {
    name: "wrong-statement",
    severity: Severity::Error,
    why: "`tell` and `may_be` take a counter with `tells`, and values of the attribute that it names. Only \
        `tell` changes such a counter: it records what is true.",
    bad: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
counters.hue = { per = "tiles", tells = "colour" }
zones.deck = { per = "game", holds = "tiles" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] }, attributes.colour = { type = "text", values = ["red", "blue"], default = "red" } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- phases.luau
return {
    play = {
        turn = function(player)
            tell(top("deck"), "hue", "rde")
        end,
    },
}
"#,
    good: r#"-- game.toml
name = "Demo"
version = "1.0.0"
players = { min = 2, max = 2 }
seats = [{ name = "Ada" }, { name = "Bob" }]
counters.gold = { per = "player" }
counters.hue = { per = "tiles", tells = "colour" }
zones.deck = { per = "game", holds = "tiles" }
kinds.tiles = { zone = "deck", hooks = { operate = ["player"] }, attributes.colour = { type = "text", values = ["red", "blue"], default = "red" } }
kinds.places = { tokens = false, hooks = { visit = ["player"] } }
outcome = { score = "gold" }
-- phases.luau
return {
    play = {
        turn = function(player)
            tell(top("deck"), "hue", "red")
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in script.calls_with_valid_counts() {
        let Callee::Accessor(accessor @ ("tell" | "may_be" | "set" | "gain" | "pay" | "gain_up_to"), _) = call.callee
        else {
            continue;
        };
        let is_statement = matches!(accessor, "tell" | "may_be");
        let Some(Argument::Expression(Expression::String(token))) = call.arguments.get(1) else { continue };
        let counter = literal(token).and_then(|name| known.d.counters.get_key_value(name));
        let Some((name, declared)) = counter else { continue };
        if !is_statement {
            if declared.tells.is_some() {
                let message = format!("`{accessor}` cannot change counter `{name}`, which has `tells`");
                let help = format!("use `tell(token, \"{name}\", value)`");
                found.push(Finding::new(&script.source_map, token, message).help(help));
            }
            continue;
        }
        let Some(statements) = &declared.tells else {
            let message = format!("counter `{name}` in `{accessor}` has no `tells`");
            let told = known.d.counters.iter().filter(|(_, other)| other.tells.is_some());
            let help = suggestion(name, told.map(|(other, _)| other.as_str()));
            found.push(Finding::new(&script.source_map, token, message).help(help));
            continue;
        };
        for value in call.arguments.get(2).into_iter().flat_map(values) {
            let written = match value {
                Expression::String(token) => literal(token).map(str::to_owned),
                Expression::Number(token) => Some(token.token().to_string()),
                _ => None,
            };
            let Some(written) = written.filter(|written| !statements.values.contains(written)) else { continue };
            let message = format!("`{}` has no value `{written}`", statements.attribute);
            let help = format!("use one of {}", list(&statements.values));
            found.push(Finding::new(&script.source_map, value, message).help(help));
        }
    }
    found
}

/// The values in an argument: one, or those of a list.
fn values<'a>(argument: &Argument<'a>) -> Vec<&'a Expression> {
    let table = match argument {
        Argument::Expression(Expression::TableConstructor(table)) => table,
        Argument::Table(table) => *table,
        Argument::Expression(value) => return vec![*value],
        Argument::Text(_) => return Vec::new(),
    };
    let value = |field: &'a Field| if let Field::NoKey(value) = field { Some(value) } else { None };
    table.fields().iter().filter_map(value).collect()
}
