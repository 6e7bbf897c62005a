//! The skeleton of a game: small, but complete and tested.

use super::label;
use super::plan::Plan;
use crate::fault::Fault;

/// Paths and texts of the files, with the placeholders `{id}`, `{name}` and `{letter}`.
const FILES: [(&str, &str); 8] = [
    ("content/{id}/game.toml", include_str!("game_files/game.toml")),
    ("content/{id}/phases.toml", include_str!("game_files/phases.toml")),
    ("content/{id}/prompts.toml", include_str!("game_files/prompts.toml")),
    ("content/{id}/cards.toml", include_str!("game_files/cards.toml")),
    ("content/{id}/rules.md", include_str!("game_files/rules.md")),
    ("scripts/{id}/phases.luau", include_str!("game_files/phases.luau")),
    ("scripts/{id}/cards.luau", include_str!("game_files/cards.luau")),
    ("tests/{id}/basic.luau", include_str!("game_files/test.luau")),
];

/// Plans the files of a new game.
pub fn plan(mut plan: Plan, id: &str) -> Result<Plan, Fault> {
    let letter = id.get(..1).unwrap_or("R").to_ascii_uppercase();
    for (path, text) in FILES {
        let fill = |text: &str| text.replace("{id}", id).replace("{name}", &label(id)).replace("{letter}", &letter);
        plan.create(fill(path), fill(text))?;
    }
    Ok(plan)
}
