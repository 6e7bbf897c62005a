//! Texts that are not what verbs say.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_field, repeated};
use motherlode_content::compose::sentence_of;
use motherlode_content::declare::{Declarations, Definition};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "text-differs",
    severity: Severity::Warning,
    why: "Everything that this definition does is done by verbs, and its text does not contain what they say. Players would read one thing \
        and see another. A text that says more has `{verbs}` where the sentences of the verbs belong; if the texts of a kind are not about \
        its hooks, set `reads = \"\"` in the kind.",
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
    finds: Finds::Unused(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let other = repeated(scripts).filter(|(_, one)| !one.written.contains(&one.says));
    let finding = |(kind, one): (&str, &Definition)| {
        let missing = first_missing(scripts.known.d, one);
        let message = format!("the text of `{}` does not say `{missing}`, as its verbs do", one.id);
        let help = format!("the verbs say `{}`; remove the text, or write `{{verbs}}` in it", one.says);
        at_field(scripts, kind, one, "text", message).help(help)
    };
    other.map(finding).collect()
}

/// The first sentence of the verbs that the text does not contain; if it contains all, what they say together.
fn first_missing(d: &Declarations, one: &Definition) -> String {
    // How sentences end and begin depends on those beside them.
    let plain = |text: &str| text.trim_end_matches(['.', ':']).to_lowercase();
    let written = plain(&one.written);
    let mut sentences = one.verbs.values().flatten().map(|call| sentence_of(d, call));
    sentences.find(|said| !written.contains(&plain(said))).unwrap_or_else(|| one.says.clone())
}
