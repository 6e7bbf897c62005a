//! Texts that only repeat what verbs say.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_field, repeated};
use motherlode_content::declare::Definition;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "needless-text",
    severity: Severity::Warning,
    why: "A definition says what its verbs say. A text that repeats it must be changed with every number, and is wrong once that is \
        forgotten.",
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
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let same = repeated(scripts).filter(|(_, one)| one.written == one.says);
    let finding = |(kind, one): (&str, &Definition)| {
        let message = format!("the text of `{}` is what its verbs say", one.id);
        at_field(scripts, kind, one, "text", message).help("remove it".to_owned())
    };
    same.map(finding).collect()
}
