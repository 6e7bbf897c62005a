//! Reads the plans and expectations in `tests/<game>/balance.toml` of a game and its mods.

use std::sync::Arc;

use motherlode::{Diagnostics, Game};
use motherlode_lab::Balance;

use crate::fault::Fault;
use crate::project::{GlobalArgs, Project};

/// Name of the file.
pub const FILE: &str = "balance.toml";

/// Reads the files and resolves the names in them. Mods can use the plans of their game. If there are mods and `all` is not set,
/// leaves out the expectations of the game.
pub fn read(project: &Project, game: &Game, all: bool) -> Result<Balance, Fault> {
    let id = &game.declarations().id;
    let files = project.files_beside_tests(id, FILE, true)?;
    let mut balance = Balance::read(game, &files).map_err(|list| {
        let mut diagnostics = Diagnostics::new(Arc::new(files));
        diagnostics.list = list;
        diagnostics.sort();
        Fault::Content { game: id.clone(), diagnostics }
    })?;
    if !all {
        let wanted = project.files_beside_tests(id, FILE, false)?;
        balance.expectations.retain(|one| wanted.iter().any(|file| file.path == one.place.0));
    }
    Ok(balance)
}

/// Help for an option that takes bots.
pub fn bots_help(what: &str) -> String {
    let forms: Vec<String> = motherlode_play::bot_forms().into_iter().map(|form| form.form).collect();
    format!("{what}: {}, plan:NAME; `lode bots` explains them", forms.join(", "))
}

/// The best known bot of a game (see [`Balance::best_bot`]), the default of commands, and whether the game names it.
pub fn default_bot(global: &GlobalArgs, game: &Game) -> Result<(String, bool), Fault> {
    let known = known(global, game)?;
    Ok((known.best_bot(game), known.best.is_some()))
}

/// The plans of a game as specs, by name.
pub fn plans(global: &GlobalArgs, game: &Game) -> Result<Vec<String>, Fault> {
    Ok(known(global, game)?.plans.into_values().collect())
}

/// Reads the files of a game. The current project may lack the game, and then has no files for it.
fn known(global: &GlobalArgs, game: &Game) -> Result<Balance, Fault> {
    let (project, ids) = Project::locate_many(global, None)?;
    if ids.contains(&game.declarations().id) { read(&project, game, true) } else { Ok(Balance::default()) }
}

/// Replaces names of plans in a list of seats by their specs.
pub fn expand_seats(global: &GlobalArgs, game: &Game, list: &str) -> Result<String, Fault> {
    Ok(expand_plans(global, game, list.split(',').map(str::trim))?.join(","))
}

/// Replaces names of plans in bots by their specs.
pub fn expand_plans<'b>(
    global: &GlobalArgs,
    game: &Game,
    bots: impl IntoIterator<Item = &'b str>,
) -> Result<Vec<String>, Fault> {
    let bots: Vec<&str> = bots.into_iter().collect();
    if !bots.iter().any(|bot| bot.contains("plan:")) {
        return Ok(bots.into_iter().map(str::to_owned).collect());
    }
    let balance = known(global, game)?;
    match bots.iter().find_map(|bot| unknown_plan(&balance, game, bot)) {
        Some(fault) => Err(fault),
        None => Ok(bots.into_iter().map(|bot| balance.spec(bot)).collect()),
    }
}

/// The error for a bot `plan:NAME` without such a plan. A word that is no choice is probably the name of a plan.
fn unknown_plan(balance: &Balance, game: &Game, bot: &str) -> Option<Fault> {
    if !bot.starts_with("plan:") || balance.spec(bot) != bot {
        return None;
    }
    let error = motherlode_play::bot(bot, game, 0).err()?.to_string();
    if let Some((word, near)) = balance.suggest_plan(bot) {
        return Some(Fault::usage(format!("there is no plan `{word}`; did you mean `plan:{near}`?")));
    }
    // An error with a hint is about a choice.
    if error.contains("; ") {
        return None;
    }
    let plans: Vec<String> = balance.plans.keys().map(|name| format!("plan:{name}")).collect();
    Some(Fault::usage(match plans.as_slice() {
        [] => format!("{error}, and the game has no plans: use choices, as in plan:A/B"),
        plans => format!("{error}; the plans are {}", plans.join(", ")),
    }))
}
