//! Finds the choice that a person typed.

use motherlode::tools::nearest;
use motherlode_table::ChoiceView;

/// Minimum letters of the start of a name.
const MIN_LETTERS: usize = 2;

/// The index of a typed choice. The text is its number in the list, its id, its name or the start of its name.
pub fn pick(choices: &[ChoiceView], typed: &str) -> Result<usize, String> {
    let wanted = typed.to_lowercase();
    let example = || match choices.first() {
        // Cells are typed by name: their number in the list is not shown.
        Some(choice) if choice.typed == choice.label && choice.typed.parse::<i64>().is_err() => {
            format!("type a choice as shown above, such as `{}`, or ? for help", choice.typed)
        }
        Some(choice) => {
            format!("type a choice's number or the start of its name, such as `{}`, or ? for help", choice.typed)
        }
        None => "type ? for help".to_owned(),
    };
    if let Some(choice) = choices.iter().find(|choice| choice.typed.to_lowercase() == wanted) {
        return Ok(choice.index);
    }
    if let Ok(number) = typed.parse::<i64>() {
        // `01` means 1.
        if let Some(choice) = choices.iter().find(|choice| choice.typed.parse() == Ok(number)) {
            return Ok(choice.index);
        }
        // A name may begin with a number: `24 to 21`.
        if let Some(found) = by_name(choices, typed, &wanted) {
            return found;
        }
        let numbers = || choices.iter().filter_map(|choice| choice.typed.parse::<i64>().ok());
        return Err(match (numbers().min(), numbers().max()) {
            (Some(least), Some(most)) => format!("there is no choice {number}; type a number from {least} to {most}"),
            _ => format!("`{number}` is not a choice; {}", example()),
        });
    }
    if let Some(found) = by_name(choices, typed, &wanted) {
        return found;
    }
    let name = |choice: &ChoiceView| choice.label.to_lowercase();
    let meant: Vec<&ChoiceView> = choices.iter().filter(|choice| name(choice).starts_with(&wanted)).collect();
    if !meant.is_empty() {
        return Err(format!("`{typed}` is too short: it could be {}", join_or(&meant)));
    }
    // Short ids, such as those of cells, are all similar to each other.
    let ids = choices.iter().map(|choice| choice.id.as_str()).filter(|id| id.len() > 3);
    let hint = nearest(typed, ids).map_or_else(example, |near| format!("did you mean `{near}`?"));
    Err(format!("`{typed}` is not a choice; {hint}"))
}

/// Finds the choice with this id or name, or whose name begins so; `None`: there is none.
fn by_name(choices: &[ChoiceView], typed: &str, wanted: &str) -> Option<Result<usize, String>> {
    // A label may have a suffix that tells it from others: `Rail Mouth (c1)`.
    let name = |choice: &ChoiceView| choice.label.to_lowercase();
    let same = |choice: &ChoiceView| {
        choice.id.to_lowercase() == wanted || name(choice) == wanted || name(choice).split(" (").next() == Some(wanted)
    };
    let is_number = wanted.parse::<i64>().is_ok();
    // 2 is not the start of `24 to 21`.
    let is_start = |rest: &str| if is_number { rest.starts_with(' ') } else { wanted.chars().count() >= MIN_LETTERS };
    let begins = |choice: &ChoiceView| name(choice).strip_prefix(wanted).is_some_and(is_start);
    for test in [&same as &dyn Fn(&ChoiceView) -> bool, &begins] {
        let found: Vec<&ChoiceView> = choices.iter().filter(|choice| test(choice)).collect();
        if let Some(first) = found.first() {
            // Copies of a card are interchangeable.
            let alike = |choice: &&ChoiceView| (&choice.label, &choice.note) == (&first.label, &first.note);
            return Some(match found.iter().all(alike) {
                true => Ok(first.index),
                false => Err(format!("`{typed}` could be {}; type the number before the choice", join_or(&found))),
            });
        }
    }
    None
}

/// Joins choices: `3 Slinger or 5 Sledge Puller`.
fn join_or(choices: &[&ChoiceView]) -> String {
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
