//! `lode actions`: lists the actions of a game.

use std::io::Write;

use motherlode::Actions;
use serde_json::json;

use crate::fault::Fault;
use crate::format::Format;
use crate::paint;
use crate::project::{self, GlobalArgs};

/// List all actions of a game with their numbers, which no match changes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints an action per line: its number and its name.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let actions = Actions::new(&game).map_err(Fault::failed)?;
    let rows = (0..actions.len()).filter_map(|action| actions.name(action).map(|name| (action, name)));
    match args.format {
        Format::Text => {
            writeln!(out, "{}: {}", crate::setup::title(&game), paint::plural(actions.len(), "action"))?;
            let width = actions.len().saturating_sub(1).to_string().len();
            for (action, name) in rows {
                writeln!(out, "{action:width$}  {name}")?;
            }
        }
        Format::Json => {
            writeln!(out, "[")?;
            for (action, name) in rows {
                let end = if action + 1 == actions.len() { "" } else { "," };
                writeln!(out, "  {}{end}", json!({ "action": action, "name": name }))?;
            }
            writeln!(out, "]")?;
        }
    }
    Ok(())
}
