//! Texts that only repeat the texts of the verbs.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, find_definitions_with_verb_text, report_at_field};
use motherlode_content::declare::Definition;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "needless-text",
    severity: Severity::Warning,
    why: "A definition shows the texts of its verbs by itself. A text that repeats them must change with every number, and is wrong \
        as soon as somebody forgets.",
    bad: r#"-- tiles.toml
[mine]
name = "Mine"
text = "Advance 2 steps."
operate = [{ advance = 2 }]
"#,
    good: r#"-- tiles.toml
[mine]
name = "Mine"
operate = [{ advance = 2 }]
"#,
    check: LintCheck::WholeGame(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let same = find_definitions_with_verb_text(context).filter(|(_, one)| one.written == one.says);
    let finding = |(kind, one): (&str, &Definition)| {
        let message = format!("the text of `{}` only repeats the texts of its verbs", one.id);
        report_at_field(context, kind, one, "text", message).help("remove it".to_owned())
    };
    same.map(finding).collect()
}
