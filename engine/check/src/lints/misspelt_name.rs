//! Texts that differ from a declared name by one letter.

use std::collections::BTreeMap;

use full_moon::tokenizer::TokenReference;

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, MAX_COMPARED_NAMES, find_typo};
use crate::script::ResolvedScript;
use crate::script::token::literal;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "misspelt-name",
    severity: Severity::Warning,
    why: "The text looks like a name but is not declared, and a declared name differs from it by one letter.",
    bad: r#"return {
    play = {
        turn = function(player)
            local mineral = { "gold", "silvr" }
            log("calm", mineral[1])
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local mineral = { "gold", "silver" }
            log("calm", mineral[1])
        end,
    },
}
"#,
    check: LintCheck::AllScripts(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let (known, uses) = (context.known, &context.uses);
    let texts: Vec<(&ResolvedScript<'_>, &TokenReference, &str)> = context.scripts.iter().flat_map(texts).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, text) in &texts {
        *times.entry(text).or_default() += 1;
    }
    // A text that occurs twice is probably a name that the script itself defines.
    let is_name = |text: &str| {
        times[text] > 1
            || uses.assigned_fields.contains(text)
            || context.names.contains(text)
            || known.is_doubtful(text)
    };
    let finding = |(script, token, text): &(&ResolvedScript<'_>, &TokenReference, &str)| {
        let finding = Finding::new(&script.source_map, *token, format!("unknown name `{text}`"));
        let near = find_typo(text, context.names.iter().copied()).filter(|_| !context.is_reported(&finding))?;
        Some(finding.help(format!("did you mean `{near}`?")))
    };
    texts.iter().filter(|(_, _, text)| !is_name(text)).take(MAX_COMPARED_NAMES).filter_map(finding).collect()
}

/// Iterates over the texts in a script that look like names.
fn texts<'s>(
    script: &'s ResolvedScript<'s>,
) -> impl Iterator<Item = (&'s ResolvedScript<'s>, &'s TokenReference, &'s str)> {
    let texts = script.names.texts.iter().filter_map(|token| Some((*token, literal(token)?)));
    texts.filter(|(_, text)| is_like_a_name(text)).map(move |(token, text)| (script, token, text))
}

/// Names of types that `type` returns.
const TYPES: [&str; 7] = ["boolean", "buffer", "function", "number", "string", "table", "thread"];

fn is_like_a_name(text: &str) -> bool {
    !TYPES.contains(&text)
        && text.len() > 3
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
