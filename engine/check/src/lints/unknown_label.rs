//! Names of labels that are not declared.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck, find_unknown_names};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::signature::ExpectedName;
use crate::script::source_map::SourceMap;
use motherlode_content::diagnostic::{Severity, nearest};
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unknown-label",
    severity: Severity::Error,
    why: "The label is not declared in the `labels` of the prompt in prompts.toml, so the script fails when it reaches this line.",
    bad: r#"return {
    play = {
        turn = function(player)
            choose(player, "pick", { "doen" })
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            choose(player, "pick", { "done" })
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let is_label = |expected| matches!(expected, ExpectedName::Choices | ExpectedName::Name(NameKind::Label));
    let mut found = find_unknown_names(script, known, is_label, "label");
    for finding in &mut found {
        blame_declaration(finding, script, known);
    }
    found
}

/// Names the place of the nearest label, which may be the misspelt one.
fn blame_declaration(finding: &mut Finding, script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) {
    let at = |mention: &&Mention<'_>| SourceMap::start(mention.token) == finding.span.0;
    let Some(mention) = script.mentions.iter().find(at) else { return };
    let names = known.names(mention.expected, mention.context).unwrap_or_default();
    let Some(near) = nearest(mention.name, names) else { return };
    // A label that the script uses elsewhere is spelt as meant.
    if script.mentions.iter().any(|other| other.name == near) {
        return;
    }
    finding.related = known.label_places(near, mention.context.prompt);
    if !finding.related.is_empty() {
        finding.help = Some(format!("write `{near}`, or rename the label to `{}`", mention.name));
    }
}
