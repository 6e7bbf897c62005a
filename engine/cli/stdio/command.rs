//! The commands of a program.

use motherlode::Choice;
use motherlode::tools::nearest;
use serde_json::{Map, Value};

/// Each command, with the words that may stand beside it.
const COMMANDS: [(&str, &[&str]); 12] = [
    ("choose", &["seat", "n"]),
    ("chance", &[]),
    ("ask", &[]),
    ("why", &[]),
    ("undo", &[]),
    ("observe", &[]),
    ("history", &["since"]),
    ("snapshot", &[]),
    ("restore", &["seed"]),
    ("redeal", &["seed"]),
    ("reset", &[]),
    ("quit", &[]),
];

/// The command of a line and its argument.
pub fn command(words: &Map<String, Value>) -> Result<(&'static str, &Value), String> {
    let names = || COMMANDS.iter().map(|(name, _)| *name);
    let list = || names().collect::<Vec<_>>().join(", ");
    let is_known = |word: &str| COMMANDS.iter().any(|(name, beside)| *name == word || beside.contains(&word));
    if let Some(unknown) = words.keys().find(|word| !is_known(word)) {
        let hint = nearest(unknown, names())
            .map_or_else(|| format!("use one of {}", list()), |near| format!("did you mean `{near}`?"));
        return Err(format!("unknown word `{unknown}`; {hint}"));
    }
    let mut found = COMMANDS.iter().filter_map(|(name, beside)| Some((*name, *beside, words.get(*name)?)));
    let Some((name, beside, value)) = found.next() else {
        return Err(format!("the line has no command: use one of {}", list()));
    };
    if let Some((other, ..)) = found.next() {
        return Err(format!("`{name}` and `{other}` need separate lines"));
    }
    match words.keys().find(|word| *word != name && !beside.contains(&word.as_str())) {
        Some(word) => {
            let takers = COMMANDS.iter().filter(|(_, beside)| beside.contains(&word.as_str()));
            let takers: Vec<String> = takers.map(|(name, _)| format!("`{name}`")).collect();
            Err(format!("`{name}` takes no `{word}`: use it with {}", takers.join(" or ")))
        }
        None => Ok((name, value)),
    }
}

/// The index of a choice given by its number or its id.
pub fn index_of(choices: &[Choice], value: &Value) -> Result<usize, String> {
    let last = choices.len().saturating_sub(1);
    match value {
        Value::String(id) => choices.iter().position(|choice| choice.key() == id).ok_or_else(|| {
            // Suggest a choice by its name without its type.
            let named = || choices.iter().find(|choice| choice.id == *id).map(Choice::key);
            let hint = nearest(id, choices.iter().map(Choice::key))
                .or_else(named)
                .map_or_else(|| format!("choose a number from 0 to {last}"), |near| format!("did you mean `{near}`?"));
            format!("there is no choice `{id}`; {hint}")
        }),
        Value::Number(number) => {
            let index =
                number.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|&index| index < choices.len());
            index.ok_or_else(|| format!("there is no choice {number}; choose a number from 0 to {last}"))
        }
        _ => Err(format!("`choose` takes a number from 0 to {last}, or the id of a choice")),
    }
}
