//! Prompts whose choices have no place on the table.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, report_at_key};
use motherlode_content::declare::{Declarations, Domain, Prompt};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "missing-place",
    severity: Severity::Warning,
    why: "Nothing on the table stands for a choice of this prompt: players read a list instead of pointing at a card, a cell, a pile or a counter. \
        Games without `choices` in look.toml are not checked.",
    bad: r#"-- look.toml
[choices]
pick = { labels = { done = "hand" } }
"#,
    good: r#"-- look.toml
[choices]
pick = { labels = { done = "hand" } }
other = { list = true }
site = { list = true }
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    if d.look.choices.is_empty() {
        return Vec::new();
    }
    let placeless =
        d.prompts.iter().filter(|(name, prompt)| !d.look.choices.contains_key(*name) && !has_place(d, prompt));
    let report = |(name, _): (&String, &Prompt)| {
        let message = format!("no choice of prompt `{name}` has a place on the table");
        let help = format!("set `{name}` in `choices` of look.toml to where they lie, or to `{{ list = true }}`");
        Some(report_at_key(context, "prompts", &[name], &message)?.help(help))
    };
    placeless.filter_map(report).collect()
}

/// Whether choices of a prompt have a place by what they are.
fn has_place(d: &Declarations, prompt: &Prompt) -> bool {
    let is_placed = |domain: Domain| match domain {
        Domain::Number => false,
        Domain::Definition(kind) => has_members(d, kind),
        Domain::Player | Domain::Token | Domain::Cell(_) => true,
    };
    let is_label_placed = |label: &String| {
        let mut named = d.definitions.iter().filter(|one| one.id == *label);
        named.next().is_some_and(|one| has_members(d, one.kind)) && named.next().is_none()
    };
    is_placed(prompt.domain)
        || prompt.labels.keys().any(is_label_placed)
        || prompt.values.values().flatten().any(|set| matches!(set.domain, Domain::Cell(_)))
}

/// Whether the definitions of a kind name cells, piles or counters.
fn has_members(d: &Declarations, kind: usize) -> bool {
    let look = d.kinds.get_index(kind).and_then(|(name, _)| d.look.kinds.get(name));
    let mut families = d.zone_families.values().chain(d.counter_families.values());
    look.is_some_and(|look| !look.pile.is_empty())
        || d.grids.values().any(|grid| grid.names == Some(kind))
        || families.any(|family| family.kind == kind)
}
