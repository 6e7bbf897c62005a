//! Labels that are offered with the wrong number of values.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::signature::ExpectedName;
use motherlode_content::diagnostic::Severity;
use motherlode_content::placeholder::values_shown;
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "label-values",
    severity: Severity::Error,
    why: "The text of a label with `{2}` takes two values. The script fails when it offers the label with more or fewer.",
    bad: r#"-- prompts.toml
[pick]
text = "Pick."
labels = { done = "Done", more = "{1} gold and {2} silver" }

[other]
text = "Other?"
labels = { fine = "Fine" }

[site]
text = "{1:token} to {2}?"

-- phases.luau
return {
    play = {
        turn = function(player)
            choose(player, "pick", { { "more", 3 } })
        end,
    },
}
"#,
    good: r#"-- prompts.toml
[pick]
text = "Pick."
labels = { done = "Done", more = "{1} gold and {2} silver" }

[other]
text = "Other?"
labels = { fine = "Fine" }

[site]
text = "{1:token} to {2}?"

-- phases.luau
return {
    play = {
        turn = function(player)
            choose(player, "pick", { { "more", 3, 2 } })
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let is_label = |mention: &&Mention<'_>| {
        matches!(mention.expected, ExpectedName::Choices | ExpectedName::Name(NameKind::Label))
            && !known.is_doubtful(mention.name)
    };
    let finding = |mention: &Mention<'_>| {
        let (least, most) = mention.values?;
        // A call of `choice` does not name its prompt: each prompt with this label counts.
        let prompts = known.d.prompts.values().enumerate();
        let prompts = prompts.filter(|(index, _)| mention.context.prompt.is_none_or(|prompt| prompt == *index));
        let texts = prompts.filter_map(|(_, prompt)| prompt.labels.get(mention.name));
        let takes: Vec<usize> = texts.map(|text| values_shown(text)).collect();
        let first = *takes.first()?;
        let fits = |takes: &usize| least <= *takes && most.is_none_or(|most| most >= *takes);
        if takes.iter().any(fits) {
            return None;
        }
        let given = most.unwrap_or(least);
        let of = known.owner(mention.expected, mention.context);
        let message = format!("label `{}`{of} takes {}, but is offered with {given}", mention.name, values(first));
        let help = match first {
            0 => format!("write `\"{}\"`, or show the values in the text of the label: `{{1}}`", mention.name),
            _ => format!("write `{{ \"{}\"{} }}`, one value for each placeholder", mention.name, sketch(first)),
        };
        Some(Finding::new(&script.source_map, mention.token, message).help(Some(help)))
    };
    script.mentions.iter().filter(is_label).filter_map(finding).collect()
}

fn values(n: usize) -> String {
    match n {
        0 => "no values".to_owned(),
        1 => "1 value".to_owned(),
        n => format!("{n} values"),
    }
}

/// Returns `, a, b`: a place for each value.
fn sketch(values: usize) -> String {
    ["a", "b", "c"].iter().take(values).map(|value| format!(", {value}")).collect()
}
