//! Counters that do not belong to the cells of the grid.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::signature::ExpectedName;
use motherlode_content::declare::Holder;
use motherlode_content::diagnostic::{Severity, list};
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "wrong-holder",
    severity: Severity::Error,
    why: "The call reads a counter of the cells of a grid, but the `per` of this counter in game.toml is not that grid.",
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
    of_cells.filter_map(finding).collect()
}
