//! Texts that contradict the texts of the verbs.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, find_definitions_with_verb_text, report_at_field};
use motherlode_content::compose::sentence_of;
use motherlode_content::declare::{Bearer, Declarations, Definition, ListenerAction, VerbCall};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "text-differs",
    severity: Severity::Warning,
    why: "All effects of this definition are verbs, but its text does not contain their texts, so players read one thing and see another. \
        Write `{verbs}` in the text to insert the texts of the verbs. If the texts of a kind do not describe its hooks, set \
        `reads = \"\"` in the kind.",
    bad: r#"-- tiles.toml
[mine]
name = "Mine"
text = "A long way up: advance 3 steps."
operate = [{ advance = 2 }]
"#,
    good: r#"-- tiles.toml
[mine]
name = "Mine"
text = "A long way up. {verbs}"
operate = [{ advance = 2 }]
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    let mut found = Vec::new();
    for (kind, one) in find_definitions_with_verb_text(context).filter(|(_, one)| !one.written.contains(&one.says)) {
        let listened = listener_calls(d, one);
        let missing = first_missing(d, one, &listened);
        // A text may say in its own words when a listener acts.
        let Some(missing) = missing.or_else(|| listened.is_empty().then(|| one.says.clone())) else { continue };
        let message = format!("the text of `{}` lacks the text of its verbs: `{missing}`", one.id);
        let help = format!("remove the text, or write `{{verbs}}` in it to insert `{}`", one.says);
        found.push(report_at_field(context, kind, one, "text", message).help(help));
    }
    found
}

/// The verbs of the listeners of a definition.
fn listener_calls<'d>(d: &'d Declarations, definition: &Definition) -> Vec<&'d VerbCall> {
    let is_own = |bearer: Bearer| match bearer {
        Bearer::Definition(index) => {
            d.definitions.get(index).is_some_and(|one| one.kind == definition.kind && one.id == definition.id)
        }
        _ => false,
    };
    let own = d.listeners.iter().filter(|listener| is_own(listener.bearer));
    let calls = own.filter_map(|listener| match &listener.action {
        ListenerAction::Verbs(calls) => Some(calls),
        _ => None,
    });
    calls.flatten().collect()
}

/// Returns the first sentence of the verbs that the text lacks.
fn first_missing(d: &Declarations, one: &Definition, listened: &[&VerbCall]) -> Option<String> {
    // Adjacent sentences change the first letter and the final punctuation.
    let plain = |text: &str| text.trim_end_matches(['.', ':']).to_lowercase();
    let written = plain(&one.written);
    let calls = one.verbs.values().flatten().chain(listened.iter().copied());
    calls.map(|call| sentence_of(d, call)).find(|said| !written.contains(&plain(said)))
}
