//! The choice that was typed.

use motherlode_table::ChoiceView;

use crate::project;

/// Fewest letters of a name that stand for it.
const FEWEST: usize = 2;

/// The choice that was typed: what stands before it in the list, its id, its name or the beginning of its name.
pub fn pick(choices: &[ChoiceView], typed: &str) -> Result<usize, String> {
    let wanted = typed.to_lowercase();
    let example = || match choices.first() {
        Some(choice) => format!("type what stands before one, as `{}`, or ? for help", choice.typed),
        None => "? for help".to_owned(),
    };
    if let Some(choice) = choices.iter().find(|choice| choice.typed.to_lowercase() == wanted) {
        return Ok(choice.index);
    }
    if let Ok(number) = typed.parse::<i64>() {
        // `01`
        if let Some(choice) = choices.iter().find(|choice| choice.typed.parse() == Ok(number)) {
            return Ok(choice.index);
        }
        let numbers = || choices.iter().filter_map(|choice| choice.typed.parse::<i64>().ok());
        return Err(match (numbers().min(), numbers().max()) {
            (Some(least), Some(most)) => format!("there is no choice {number}; type a number from {least} to {most}"),
            _ => format!("`{number}` is not a choice; {}", example()),
        });
    }
    // A name may stand before what tells it from others: `Rail Mouth (c1)`.
    let name = |choice: &ChoiceView| choice.label.to_lowercase();
    let same = |choice: &ChoiceView| {
        choice.id.to_lowercase() == wanted
            || name(choice) == wanted
            || name(choice).split(" (").next() == Some(&*wanted)
    };
    let begins = |choice: &ChoiceView| wanted.chars().count() >= FEWEST && name(choice).starts_with(&wanted);
    for test in [&same as &dyn Fn(&ChoiceView) -> bool, &begins] {
        let found: Vec<&ChoiceView> = choices.iter().filter(|choice| test(choice)).collect();
        if let Some(first) = found.first() {
            // Of copies of a card, one is as good as another.
            let alike = |choice: &&ChoiceView| (&choice.label, &choice.note) == (&first.label, &first.note);
            return match found.iter().all(alike) {
                true => Ok(first.index),
                false => Err(format!("`{typed}` could be {}; type what stands before the choice", either(&found))),
            };
        }
    }
    let meant: Vec<&ChoiceView> = choices.iter().filter(|choice| name(choice).starts_with(&wanted)).collect();
    if !meant.is_empty() {
        return Err(format!("`{typed}` is too short: it could be {}", either(&meant)));
    }
    // Short names, such as those of cells, are all close to each other.
    let ids = choices.iter().map(|choice| choice.id.as_str()).filter(|id| id.len() > 3);
    let hint = project::nearest(typed, ids).map_or_else(example, |near| format!("did you mean `{near}`?"));
    Err(format!("`{typed}` is not a choice; {hint}"))
}

/// `3 Slinger or 5 Sledge Puller`
fn either(choices: &[&ChoiceView]) -> String {
    let word = |choice: &&ChoiceView| {
        if choice.typed == choice.label { choice.typed.clone() } else { format!("{} {}", choice.typed, choice.label) }
    };
    let words: Vec<String> = choices.iter().map(word).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
