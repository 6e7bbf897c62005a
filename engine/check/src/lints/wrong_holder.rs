//! Counters that do not belong to their holder, or to the cells of the grid.

use full_moon::ast::Expression;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::call::{Argument, Callee};
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::role::Role;
use crate::script::signature::ExpectedName;
use crate::script::token::literal;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::{Severity, list};
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "wrong-holder",
    severity: Severity::Error,
    why: "The `per` of this counter in game.toml is another holder: the game, a player, a token or a cell of a grid. The call fails, or \
        uses the counter of an unrelated token or cell with the same number.",
    bad: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", count_cells("hive", "ore", 1))
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", count_cells("board", "ore", 1))
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let counters = script.mentions.iter().filter(|mention| mention.expected == ExpectedName::Name(NameKind::Counter));
    let of_cells = counters.filter(|mention| matches!(mention.by, "choice_cells" | "count_cells"));
    let finding = |mention: &Mention<'_>| {
        let (d, grid) = (known.d, mention.context.grid?);
        let wrong = d.counters.get(mention.name).is_some_and(|counter| counter.per != Holder::Cell(grid));
        if !wrong || known.is_doubtful(mention.name) {
            return None;
        }
        let of_grid = d.counters.iter().filter(|(_, counter)| counter.per == Holder::Cell(grid));
        let of_grid: Vec<&str> = of_grid.map(|(name, _)| name.as_str()).collect();
        let (grid, _) = d.grids.get_index(grid)?;
        let message =
            format!("counter `{}` in `{}` does not belong to the cells of grid `{grid}`", mention.name, mention.by);
        let help = (!of_grid.is_empty()).then(|| format!("the counters of its cells are {}", list(&of_grid)));
        Some(Finding::new(&script.source_map, mention.token, message).help(help))
    };
    of_cells.filter_map(finding).chain(find_wrong_roles(script, known)).collect()
}

/// Finds calls with a counter and a holder that cannot have it.
fn find_wrong_roles(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for call in &script.calls.list {
        let Callee::Accessor(accessor, signature) = call.callee else { continue };
        let Some(at) = signature.parameters.iter().position(|parameter| parameter.name == "holder") else { continue };
        let given = (call.arguments.get(at).copied(), call.arguments.get(at + 1).copied());
        let (Some(Argument::Expression(holder)), Some(Argument::Expression(Expression::String(token)))) = given else {
            continue;
        };
        let Some(name) = literal(token).filter(|name| !known.is_doubtful(name)) else { continue };
        let of_family = || Some(known.d.counters.get_index(known.d.counter_families.get(name)?.first)?.1);
        let Some(counter) = known.d.counters.get(name).or_else(of_family) else { continue };
        let Some((written, role)) = script.role_of(known.d, holder) else { continue };
        let (owner, help) = match (counter.per, role) {
            (Holder::Game, Role::Player | Role::Token) => {
                ("the game".to_owned(), Some("give `game` as its holder".to_owned()))
            }
            (Holder::Player, Role::Game | Role::Token) => ("the players".to_owned(), None),
            (Holder::Token(kind), Role::Game | Role::Player) => {
                let kind = known.d.kinds.get_index(kind).map_or("", |(kind, _)| kind.as_str());
                (format!("the tokens of kind `{kind}`"), None)
            }
            (Holder::Cell(grid), Role::Game | Role::Player) => {
                let grid = known.d.grids.get_index(grid).map_or("", |(grid, _)| grid.as_str());
                (format!("the cells of grid `{grid}`"), None)
            }
            _ => continue,
        };
        let whose = match role {
            Role::Game => "not of `game`".to_owned(),
            other => format!("and `{written}` is {}", other.noun()),
        };
        let message = format!("`{name}` in `{accessor}` is a counter of {owner}, {whose}");
        found.push(Finding::new(&script.source_map, holder, message).help(help));
    }
    found
}
