//! `lode games`: lists the games.

use std::io::Write;
use std::path::{Path, PathBuf};

use comfy_table::Cell;
use motherlode::Game;
use motherlode::declare::{OptionDecl, OptionValue};
use motherlode::tools::hidden;
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::project::{GlobalArgs, Project, no_games};
use crate::{builtin, paint, report};

/// List the games with their player counts and options, or export the built-in games
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the built-in games and their rule tests to this folder, to edit them there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "root", "mods"])]
    export: Option<PathBuf>,
}

/// Lists the games. Fails at the end if one of them cannot be loaded.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(folder) = &args.export {
        return export(folder, out);
    }
    let project = Project::find(global)?;
    let mut faulty = Vec::new();
    let mut list = Vec::new();
    let ids = project.ids()?;
    for id in ids.iter().cloned() {
        match project.load(&id) {
            Ok(game) if args.format == Format::Json => list.push(data(&game)),
            Ok(game) => show(out, &game)?,
            Err(Fault::Content { game, diagnostics }) => {
                if args.format == Format::Json {
                    list.push(json!({ "id": game, "faults": diagnostics.list.len() }));
                } else {
                    let (strong, red) = (paint::strong(), paint::style("bright_red"));
                    let count = report::count(&diagnostics.list);
                    writeln!(out, "{strong}{game}{strong:#}  {red}cannot be played: {count}{red:#}\n")?;
                }
                faulty.push(id);
            }
            Err(fault) => return Err(fault),
        }
    }
    if args.format == Format::Json {
        writeln!(out, "{:#}", Value::from(list))?;
    } else if ids.is_empty() {
        eprintln!("note: {}", no_games(project.base()));
    }
    match faulty.as_slice() {
        [] => Ok(()),
        [id] => Err(Fault::failed(format!("`{id}` has errors: see `lode check {id}`"))),
        _ => Err(Fault::failed(format!("{} have errors: see `lode check`", faulty.join(", ")))),
    }
}

fn export(folder: &Path, out: &mut dyn Write) -> Result<(), Fault> {
    let files = builtin::export(folder)?;
    let (games, files, shown) = (builtin::GAMES.ids().join(", "), paint::plural(files, "file"), hidden::path(folder));
    writeln!(out, "wrote {games} to {shown} ({files})")?;
    writeln!(out, "run lode there, or with --root {shown}, to use them")?;
    Ok(())
}

fn show(out: &mut dyn Write, loaded: &Game) -> Result<(), Fault> {
    let game = loaded.declarations();
    let strong = paint::strong();
    let players = game.players;
    writeln!(out, "{strong}{}{strong:#}  {} {}", game.id, game.name, game.version)?;
    if !game.text.is_empty() {
        writeln!(out, "  {}", game.text)?;
    }
    if !loaded.mods().is_empty() {
        let mods: Vec<String> = loaded.mods().iter().map(ToString::to_string).collect();
        writeln!(out, "  mods: {}", mods.join(", "))?;
    }
    let range = if players.min == players.max {
        players.min.to_string()
    } else {
        format!("{} to {}", players.min, players.max)
    };
    let noun = if players.max == 1 { "player" } else { "players" };
    writeln!(out, "  {range} {noun} (default {})", players.default)?;
    let mut table = paint::plain_table();
    for (name, option) in &game.options {
        let given = format!("  --option {name}={}", option.default);
        table.add_row([Cell::new(given), Cell::new(range_of(option)), Cell::new(text_of(option))]);
    }
    if !table.is_empty() {
        writeln!(out, "{}", table.trim_fmt())?;
    }
    writeln!(out)?;
    Ok(())
}

/// The values an option takes: `4..12`, `basic, enhanced`, `true, false`.
fn range_of(option: &OptionDecl) -> String {
    match (&option.default, option.range) {
        (OptionValue::Integer(_), Some((min, max))) => format!("{min}..{max}"),
        (OptionValue::Integer(_), None) => "a whole number".to_string(),
        (OptionValue::Bool(_), _) => "true, false".to_string(),
        (OptionValue::Name(_), _) => option.values.keys().cloned().collect::<Vec<_>>().join(", "),
    }
}

fn text_of(option: &OptionDecl) -> String {
    let mut text = option.text.clone();
    if !option.players.is_empty() {
        let numbers: Vec<String> = option.players.iter().map(ToString::to_string).collect();
        text.push_str(&format!(" (can be set with {} players only)", numbers.join(" or ")));
    }
    text
}

fn data(loaded: &Game) -> Value {
    let game = loaded.declarations();
    json!({
        "id": game.id,
        "name": game.name,
        "version": game.version,
        "text": game.text,
        "players": game.players,
        "options": game.options,
        "mods": loaded.mods(),
    })
}
