//! `lode explain`: shows where a value comes from, what reacts to an event, and why a token is as it is.
//!
//! Direction: token <- self

mod token;

use std::io::Write;
use std::path::PathBuf;

use comfy_table::Cell;
use motherlode::Game;
use motherlode_check::explain::reactions::{ExplainedReaction, reactions};
use motherlode_check::explain::{self, FieldSettings, Setting, explain};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::number::whole_number;
use crate::project::{GlobalArgs, Project};
use crate::{paint, setup};

/// Show where a value is set: the file and line in the game and in each mod; and what listens to an event or modifies an attribute
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Path of a field, definition, counter or script function: lake.cost, tiles.lake, phases.building.turn, events.damage; with
    /// --replay, a token
    path: String,
    /// Show why the values of a token in this match are what they are; saved with --save of another command
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Position after K answers; default: the end
    #[arg(long, value_name = "K", value_parser = whole_number(0..=u32::MAX), requires = "replay")]
    step: Option<u32>,
    /// Show only facts that player N may see; default: everything
    #[arg(long, value_name = "N", value_parser = whole_number(1..=u32::from(u8::MAX)), requires = "replay")]
    seat: Option<u32>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints each layer's value of each field; the last one is in force.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, id) = Project::locate(global, &args.game)?;
    if let Some(file) = &args.replay {
        let seat = args.seat.and_then(|player| u8::try_from(player - 1).ok());
        let at = (file.as_path(), args.step.map(|step| step as usize), seat);
        return token::run(&project.load(&id)?, &args.path, at, args.format, out);
    }
    let pack = project.pack(&id)?;
    let game = project.load(&id)?;
    let mut found = functions(&game, &args.path);
    let reactions = reactions(game.declarations(), &args.path);
    match explain(&pack, &args.path) {
        Ok(fields) => found.extend(fields),
        Err(unset) if found.is_empty() && reactions.is_empty() => {
            return Err(Fault::usage(unset.or_function(&explain::functions(&game)).to_string()));
        }
        Err(_) => {}
    }
    if args.format == Format::Json {
        let list: Vec<Value> =
            found.iter().map(|one| data(&game, one)).chain(reactions.iter().map(reaction_data)).collect();
        writeln!(out, "{:#}", Value::from(list))?;
        return Ok(());
    }
    writeln!(out, "{}", setup::title(&game))?;
    let (strong, faint) = (paint::strong(), paint::faint());
    for FieldSettings { path, settings } in &found {
        writeln!(out, "{strong}{path}{strong:#}")?;
        let mut table = paint::plain_table();
        for (index, setting) in settings.iter().enumerate() {
            let value = setting.value.as_deref().unwrap_or("removed");
            let style = if index + 1 == settings.len() { strong } else { faint };
            let cells = [format!("  {}", layer(&game, setting)), format!("{style}{value}{style:#}"), shown(setting)];
            table.add_row(cells.map(Cell::new));
        }
        writeln!(out, "{}", table.trim_fmt())?;
    }
    for ExplainedReaction { path, text, effects } in &reactions {
        writeln!(out, "{strong}{path}{strong:#}\n  {text}")?;
        let mut table = paint::plain_table();
        for effect in effects {
            let place = format!("{}:{}", effect.place.file, effect.place.line);
            let cells = [format!("  {}", effect.when), effect.name.clone(), effect.text.clone(), place];
            table.add_row(cells.map(Cell::new));
        }
        if !effects.is_empty() {
            writeln!(out, "{}", table.trim_fmt())?;
        }
    }
    Ok(())
}

fn reaction_data(explained: &ExplainedReaction) -> Value {
    let effects = explained.effects.iter().map(|effect| {
        let (file, line) = (&effect.place.file, effect.place.line);
        json!({ "when": effect.when, "name": effect.name, "text": effect.text, "file": file, "line": line })
    });
    json!({ "path": explained.path, "text": explained.text, "effects": effects.collect::<Vec<_>>() })
}

/// Script functions at a path or below it.
pub fn functions(game: &Game, path: &str) -> Vec<FieldSettings> {
    let below = |name: &str| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let matches = |name: &str| below(name) || name.split_once('.').is_some_and(|(_, rest)| below(rest));
    explain::functions(game).into_iter().filter(|one| matches(&one.path)).collect()
}

/// The game or mod that makes a setting.
pub fn layer(game: &Game, setting: &Setting) -> String {
    match setting.layer.checked_sub(1).and_then(|index| game.mods().get(index)) {
        Some(one) => one.to_string(),
        None => game.declarations().id.clone(),
    }
}

fn shown(setting: &Setting) -> String {
    format!("{}:{}:{}", setting.place.file, setting.place.line, setting.place.column)
}

fn data(game: &Game, explained: &FieldSettings) -> Value {
    let settings: Vec<Value> = explained
        .settings
        .iter()
        .map(|setting| {
            let by = setting.layer.checked_sub(1).and_then(|index| game.mods().get(index));
            let (file, line, column) = (&setting.place.file, setting.place.line, setting.place.column);
            json!({ "mod": by.map(|one| &one.id), "value": setting.value, "file": file, "line": line, "column": column })
        })
        .collect();
    json!({ "path": explained.path, "settings": settings })
}
