//! The skeleton of a mod: changes nothing yet, and shows how to write each type of change.

use std::path::Path;

use motherlode::Game;
use motherlode::declare::{Declarations, Kind, Value};
use motherlode::tools::hidden;

use super::plan::Plan;
use super::{content, label};
use crate::fault::Fault;
use crate::project::Project;

/// Paths and texts of the files, with placeholders in braces.
const FILES: [(&str, &str); 4] = [
    ("mod.toml", include_str!("mod_files/mod.toml")),
    ("content/{game}/{kind}.toml", include_str!("mod_files/content.toml")),
    ("scripts/{game}/phases.luau", include_str!("mod_files/phases.luau")),
    ("tests/{game}/{id}.luau", include_str!("mod_files/test.luau")),
];

/// Plans the files of a new mod over a game.
pub fn plan(project: Project, of: &str, id: &str, folder: Option<&Path>) -> Result<Plan, Fault> {
    if id == of {
        return Err(Fault::usage(format!("`{id}` is the id of the game: choose another id for the mod")));
    }
    let game = project.load(of)?;
    let d = game.declarations();
    let folder = folder.map_or_else(|| project.base().join("mods").join(id), Path::to_path_buf);
    let shown = hidden::path(folder.strip_prefix(project.base()).unwrap_or(&folder));
    if folder.is_file() || folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Fault::usage(format!("`{shown}` already exists: choose another id, or another folder with --dir")));
    }
    let Some(example) = example(d) else {
        return Err(Fault::failed(format!(
            "`{of}` has no definitions that a mod could change: make one with `lode new card`"
        )));
    };
    let (phase, hook) = hook(&game);
    let words = [
        ("{id}", id.to_owned()),
        ("{name}", label(id)),
        ("{game}", of.to_owned()),
        ("{version}", d.version.split('.').take(2).collect::<Vec<_>>().join(".")),
        ("{dir}", shown),
        ("{kind}", example.kind.to_owned()),
        ("{card}", example.card.to_owned()),
        ("{field}", example.field),
        ("{phase}", phase),
        ("{hook}", hook),
        ("{players}", d.players.default.to_string()),
    ];
    let fill = |text: &str| words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value));
    let mut plan = Plan::of_new_mod(&folder, project, of);
    for (path, text) in FILES {
        plan.create(fill(path), fill(text))?;
    }
    Ok(plan)
}

/// A field of a card, as an example of a change.
struct Example<'d> {
    kind: &'d str,
    card: &'d str,
    field: String,
}

/// Finds a numeric attribute of a card, or another field.
fn example(d: &Declarations) -> Option<Example<'_>> {
    let number = |kind: &Kind| {
        let first = &d.definitions.get(kind.first)?.attributes;
        first.iter().position(|value| matches!(value, Value::Integer(_)))
    };
    let kinds = || d.kinds.iter().filter(|(_, kind)| kind.len > 0);
    let numbered = || kinds().filter(|(_, kind)| number(kind).is_some());
    let deck = numbered().find(|(_, kind)| kind.shuffle);
    let (name, kind) = deck.or_else(|| numbered().next()).or_else(|| kinds().next())?;
    let card = d.definitions.get(kind.first)?;
    let attribute = number(kind).and_then(|at| Some((kind.attributes.get_index(at)?.0, card.attributes.get(at)?)));
    let field = match attribute {
        Some((name, value)) => format!("{name} = {}", content::toml(value)),
        None => format!("name = {}", content::toml(&Value::Text(card.name.clone()))),
    };
    Some(Example { kind: name, card: &card.id, field })
}

/// Finds a phase and one of its functions.
fn hook(game: &Game) -> (String, String) {
    let phases = &game.declarations().phases;
    let of_phase = |one: &&motherlode::tools::FunctionPlace| {
        one.file.ends_with("/phases.luau") && phases.contains_key(&one.of) && !one.name.is_empty()
    };
    let found = game.functions().iter().find(of_phase).map(|one| (one.of.clone(), one.name.clone()));
    found.unwrap_or_else(|| (phases.keys().next().cloned().unwrap_or_default(), "run".to_owned()))
}
