//! Texts that differ from a declared name by a single letter.

use std::collections::BTreeMap;

use full_moon::tokenizer::TokenReference;

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, MOST_GUESSED, slip};
use crate::script::Resolved;
use crate::script::token::literal;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "misspelt-name",
    severity: Severity::Warning,
    why: "The text looks like a name and nothing is declared under it, but something is declared under a name that differs by a single letter.",
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
    finds: Finds::InScripts(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let (known, uses) = (scripts.known, &scripts.uses);
    let texts: Vec<(&Resolved<'_>, &TokenReference, &str)> = scripts.list.iter().flat_map(texts).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, text) in &texts {
        *times.entry(text).or_default() += 1;
    }
    // What stands there twice is a name of the script's own.
    let is_name = |text: &str| {
        times[text] > 1 || uses.set.contains(text) || scripts.names.contains(text) || known.is_doubtful(text)
    };
    let finding = |(script, token, text): &(&Resolved<'_>, &TokenReference, &str)| {
        let finding = Finding::new(&script.places, *token, format!("unknown name `{text}`"));
        let near = slip(text, scripts.names.iter().copied()).filter(|_| !scripts.is_told(&finding))?;
        Some(finding.help(format!("did you mean `{near}`?")))
    };
    texts.iter().filter(|(_, _, text)| !is_name(text)).take(MOST_GUESSED).filter_map(finding).collect()
}

/// The texts in a script that look like names.
fn texts<'s>(script: &'s Resolved<'s>) -> impl Iterator<Item = (&'s Resolved<'s>, &'s TokenReference, &'s str)> {
    let texts = script.names.texts.iter().filter_map(|token| Some((*token, literal(token)?)));
    texts.filter(|(_, text)| is_like_a_name(text)).map(move |(token, text)| (script, token, text))
}

fn is_like_a_name(text: &str) -> bool {
    text.len() > 3 && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}
