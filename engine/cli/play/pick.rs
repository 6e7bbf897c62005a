//! The choice that was typed.

use motherlode_table::ChoiceView;

use crate::project;

/// Fewest letters of a name that stand for it.
const FEWEST: usize = 3;

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
        let mut found = choices.iter().filter(|choice| test(choice));
        match (found.next(), found.next()) {
            (Some(choice), None) => return Ok(choice.index),
            (Some(_), Some(_)) => return Err(format!("`{typed}` is ambiguous; type what stands before the choice")),
            (None, _) => {}
        }
    }
    // Short names, such as those of cells, are all close to each other.
    let ids = choices.iter().map(|choice| choice.id.as_str()).filter(|id| id.len() > FEWEST);
    let hint = project::nearest(typed, ids).map_or_else(example, |near| format!("did you mean `{near}`?"));
    Err(format!("`{typed}` is not a choice; {hint}"))
}
