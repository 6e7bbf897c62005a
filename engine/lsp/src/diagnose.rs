//! The messages of the check, and their quick fixes.

use std::collections::BTreeMap;
use std::path::PathBuf;

use motherlode::{Diagnostic, Diagnostics, Severity};
use motherlode_check::check;
use serde_json::{Value, json};

use crate::path::to_uri;
use crate::place::range;
use crate::workspace::{Unit, Workspace};

/// A message with its range and its fix.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// As the protocol has it.
    pub shown: Value,
    /// Bytes of the wrong name, and the likely right one.
    pub fix: Option<((usize, usize), String)>,
}

/// Checks a game: the messages by file. Files without messages are not listed.
pub(crate) fn diagnose(workspace: &Workspace, unit: &Unit) -> BTreeMap<PathBuf, Vec<Finding>> {
    let found = match workspace.files(unit) {
        Ok((pack, _)) => check(&pack).map_or_else(|faults| faults, |checked| checked.warnings),
        Err(faults) => faults,
    };
    let mut files: BTreeMap<PathBuf, Vec<Finding>> = BTreeMap::new();
    for one in &found.list {
        let finding = finding(workspace, unit, &found, one);
        files.entry(workspace.real(unit, &one.file)).or_default().push(finding);
    }
    files
}

fn finding(workspace: &Workspace, unit: &Unit, all: &Diagnostics, one: &Diagnostic) -> Finding {
    let text = all.source_of(one).map_or("", |source| source.text.as_str());
    let related: Vec<Value> = one
        .related
        .iter()
        .map(|place| {
            let text =
                all.sources.iter().find(|source| source.path == place.file).map_or("", |source| source.text.as_str());
            let uri = to_uri(&workspace.real(unit, &place.file));
            let location = json!({ "uri": uri, "range": range(text, (place.start, place.end)) });
            json!({ "location": location, "message": place.message })
        })
        .collect();
    let help = one.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let severity = match one.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
    };
    let shown = json!({
        "range": range(text, (one.start, one.end)),
        "severity": severity,
        "code": one.code,
        "source": "lode",
        "message": format!("{}{help}", one.message),
        "relatedInformation": related,
    });
    Finding { shown, fix: fix(one, text) }
}

/// The wrong name of a message and the right one, from ``did you mean `x`?``.
fn fix(one: &Diagnostic, text: &str) -> Option<((usize, usize), String)> {
    let right = one.help.as_ref()?.split_once("did you mean")?.1.split('`').nth(1)?;
    let written = text.get(one.start..one.end)?;
    let wrong = one.message.split('`').skip(1).step_by(2).find(|name| !name.is_empty() && written.contains(name))?;
    let start = one.start + written.find(wrong)?;
    Some(((start, start + wrong.len()), right.to_owned()))
}

/// The quick fixes of the findings that touch a range of bytes.
pub(crate) fn actions(uri: &str, text: &str, findings: &[Finding], (start, end): (usize, usize)) -> Value {
    let at = |finding: &Finding, side: &str| crate::place::offset(text, &finding.shown["range"][side]);
    let touching = findings.iter().filter(|finding| at(finding, "start") <= end && start <= at(finding, "end"));
    let action = |finding: &Finding| {
        let (span, right) = finding.fix.as_ref()?;
        let edit = json!({ "changes": { uri: [{ "range": range(text, *span), "newText": right }] } });
        Some(json!({
            "title": format!("Change to `{right}`"),
            "kind": "quickfix",
            "isPreferred": true,
            "diagnostics": [finding.shown],
            "edit": edit,
        }))
    };
    touching.filter_map(action).collect()
}
