//! Texts that contradict the texts of the verbs.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, find_definitions_with_verb_text, report_at_field};
use motherlode_content::compose::sentence_of;
use motherlode_content::declare::{Bearer, Declarations, Definition, ListenerAction};
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
    let other = find_definitions_with_verb_text(context).filter(|(_, one)| !one.written.contains(&one.says));
    let finding = |(kind, one): (&str, &Definition)| {
        let missing = first_missing(context.known.d, one);
        let message = format!("the text of `{}` lacks the text of its verbs: `{missing}`", one.id);
        let help = format!("remove the text, or write `{{verbs}}` in it to insert `{}`", one.says);
        report_at_field(context, kind, one, "text", message).help(help)
    };
    other.map(finding).chain(find_unsaid_listeners(context)).collect()
}

/// Finds definitions whose text lacks the texts of the verbs of a listener.
fn find_unsaid_listeners(context: &LintContext<'_>) -> Vec<Finding> {
    let d = context.known.d;
    let mut found = Vec::new();
    for listener in &d.listeners {
        let (Bearer::Definition(index), ListenerAction::Verbs(calls)) = (listener.bearer, &listener.action) else {
            continue;
        };
        let Some((one, (kind, declared))) =
            d.definitions.get(index).and_then(|one| Some((one, d.kinds.get_index(one.kind)?)))
        else {
            continue;
        };
        // The text of the definition lacks that of its other verbs, too.
        let is_reported = !one.says.is_empty() && !one.written.contains(&one.says);
        let is_fixed = !one.written.is_empty() && !one.written.contains('{');
        if !is_fixed || is_reported || declared.reads.as_deref() == Some("") {
            continue;
        }
        let written = plain(&one.written);
        let mut sentences = calls.iter().map(|call| sentence_of(d, call));
        if let Some(missing) = sentences.find(|said| !written.contains(&plain(said))) {
            let message =
                format!("the text of `{}` lacks the text of listener `{}`: `{missing}`", one.id, listener.name);
            let help = "remove the text, or write `{verbs}` in it to insert the texts of its verbs".to_owned();
            found.push(report_at_field(context, kind, one, "text", message).help(help));
        }
    }
    found
}

/// A sentence without its end and its capital letter: adjacent sentences change both.
fn plain(text: &str) -> String {
    text.trim_end_matches(['.', ':']).to_lowercase()
}

/// Returns the first sentence of the verbs that the text lacks. If the text has all sentences, returns the whole verb text.
fn first_missing(d: &Declarations, one: &Definition) -> String {
    let written = plain(&one.written);
    let mut sentences = one.verbs.values().flatten().map(|call| sentence_of(d, call));
    sentences.find(|said| !written.contains(&plain(said))).unwrap_or_else(|| one.says.clone())
}
