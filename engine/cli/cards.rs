//! `lode cards`: exports cards to a spreadsheet, and imports the edited spreadsheet into the TOML.
//!
//! Direction: self <- csv_file, targets, workbook <- file <- export, import

mod csv_file;
mod export;
mod file;
mod import;
pub mod targets;
mod workbook;

#[cfg(test)]
mod tests;

use std::io::Write;

use motherlode::declare::Declarations;
use motherlode::tools::nearest;
use motherlode::{Game, Mod, Pack};
use motherlode_check::CheckedGame;
use motherlode_content::sheet::{Cell, Sheet, layer_of};

use crate::fault::Fault;
use crate::project::{GlobalArgs, Project};

/// Edit cards in a spreadsheet: export them, and import what changed
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write the cards of a game as a spreadsheet, one column for each attribute
    Export(export::Args),
    /// Write the changes of a spreadsheet into the TOML of the cards
    Import(import::Args),
}

/// Exports or imports cards.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    match &args.command {
        Command::Export(args) => export::run(args, global, out),
        Command::Import(args) => import::run(args, global, out),
    }
}

/// A sheet of a file: its name, and its cells by row.
struct Cells {
    name: String,
    rows: Vec<Vec<Cell>>,
}

/// A game, and the layer whose cards are edited.
struct Cards {
    /// The game with all mods.
    pack: Pack,
    /// The game with the mods up to the layer: a value of a higher layer is none of its cards.
    lower: Pack,
    game: Game,
    layer: usize,
}

impl Cards {
    /// Opens a game. With mods, its cards are those of the mod that the command line names last.
    fn open(project: &Project, id: &str) -> Result<Self, Fault> {
        let (pack, CheckedGame { game, .. }) = project.open(id)?;
        let layer = project.mods.last().map(Mod::id).and_then(|last| layer_of(&pack, last)).unwrap_or(0);
        if layer == pack.mods().len() {
            return Ok(Self { lower: pack.clone(), pack, game, layer });
        }
        let (lower, CheckedGame { game, .. }) = project.with_mods(pack.mods()[..layer].to_vec()).open(id)?;
        Ok(Self { pack, lower, game, layer })
    }

    fn declarations(&self) -> &Declarations {
        self.game.declarations()
    }

    /// Names of the kinds with cards.
    fn kinds(&self) -> Vec<&str> {
        self.declarations().kinds.keys().map(String::as_str).collect()
    }

    /// The cards of a kind.
    fn sheet(&self, kind: &str) -> Result<Sheet<'_>, Fault> {
        let found = self.declarations().kinds.get_index_of(kind);
        let sheet = found.and_then(|index| Sheet::read(&self.lower, self.declarations(), index, self.layer));
        sheet.ok_or_else(|| self.unknown(kind))
    }

    fn unknown(&self, kind: &str) -> Fault {
        let hint = match nearest(kind, self.kinds()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the kinds are {}", self.kinds().join(", ")),
        };
        Fault::usage(format!("`{}` has no kind `{kind}`; {hint}", self.pack.id))
    }

    /// The only kind of the game, for a command without one.
    fn only_kind(&self, otherwise: &str) -> Result<&str, Fault> {
        match self.kinds().as_slice() {
            [only] => Ok(only),
            [] => Err(Fault::usage(format!("`{}` has no kinds of cards", self.pack.id))),
            several => {
                let message = format!("`{}` has several kinds: name one of {}", self.pack.id, several.join(", "));
                Err(Fault::usage(format!("{message}{otherwise}")))
            }
        }
    }
}
