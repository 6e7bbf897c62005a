//! `lode schema`: what editors need to complete and check the content of a game.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use motherlode::Game;
use motherlode::content::schema::{of_mods, schemas};
use motherlode::script::types::definitions;
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use crate::fault::Fault;
use crate::project::{Place, Project};

/// What stands in every file that is made here, and in no other.
const MARK: &str = "made by `lode schema`";

/// File name of the schema of `mod.toml`.
const OF_MODS: &str = "mod.schema.json";

/// Arguments of `lode schema`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/ and scripts/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Write the schemas, the types and the settings of the editor to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the schemas as one JSON object, or writes all files.
pub fn run(args: &Args, place: &Place, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, ids) = Project::several(place, args.what.as_deref())?;
    let path_of = |name: &str| {
        let path = args.out.as_deref().unwrap_or(Path::new(".")).join(name);
        path.display().to_string().replace('\\', "/")
    };
    let mut files = vec![(OF_MODS.to_owned(), format!("{:#}\n", of_mods()))];
    let mut printed = Map::from_iter([("mod.toml".to_owned(), of_mods())]);
    let mut settings =
        format!("# For Taplo and Even Better TOML, {MARK}: put it into the project's folder as .taplo.toml.\n");
    rule(&mut settings, "mod.toml", &path_of(OF_MODS));
    for id in &ids {
        let game: Game = project.load(id)?;
        let mut of_game = Map::new();
        for (stem, schema) in schemas(game.declarations()) {
            let name = format!("{id}/{stem}.schema.json");
            rule(&mut settings, &format!("content/{id}/{stem}.toml"), &path_of(&name));
            files.push((name, format!("{schema:#}\n")));
            of_game.insert(format!("{stem}.toml"), schema);
        }
        let types = definitions(&game);
        files.push((format!("{id}/{id}.d.luau"), types.clone()));
        of_game.insert("types".to_owned(), Value::from(types));
        printed.insert(id.clone(), Value::from(of_game));
    }
    let Some(folder) = &args.out else {
        writeln!(out, "{:#}", Value::from(printed))?;
        return Ok(());
    };
    files.push(("taplo.toml".to_owned(), settings));
    for (name, _) in &files {
        let path = folder.join(name);
        if path.exists() && !fs::read_to_string(&path)?.contains(MARK) {
            let shown = path.display();
            return Err(Fault::usage(format!("`{shown}` was not made by `lode schema`; nothing is written over it")));
        }
    }
    for (name, text) in &files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)?;
        let mut file = NamedTempFile::new_in(parent)?;
        file.write_all(text.as_bytes())?;
        file.persist(&path).map_err(|error| error.error)?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

/// The setting that gives files their schema.
fn rule(settings: &mut String, files: &str, schema: &str) {
    settings.push_str(&format!("\n[[rule]]\ninclude = [\"**/{files}\"]\n[rule.schema]\npath = {schema:?}\n"));
}
