//! `lode schema`: writes the schemas and types with which editors complete and check content.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use motherlode::Game;
use motherlode::tools::hidden;
use motherlode_check::schema::{balance_schema, mod_schema, patch_schema, schemas};
use motherlode_check::types::definitions;
use motherlode_files::{Draft, read_regular, reason};
use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::project::{GlobalArgs, Project};

/// Text in every file written here; only files with it are overwritten.
const MARK: &str = "made by `lode schema`";

/// Largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// File name of the schema of `mod.toml`.
const OF_MODS: &str = "mod.schema.json";

/// Folder in the project that `--install` writes to.
const HOME: &str = ".editor";

/// Write JSON Schemas and Luau types, so that editors complete and check the content
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/ and scripts/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Write the schemas, types and editor settings to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write schemas and types to .editor/ in the project, and editor settings to .taplo.toml and .vscode/
    #[arg(long, conflicts_with = "out")]
    install: bool,
}

/// Prints the schemas as one JSON object, or writes all files.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, ids) = Project::locate_many(global, args.what.as_deref())?;
    let folder = if args.install { project.folder("schema --install")? } else { Path::new("") };
    let games: Vec<Game> = ids.iter().map(|id| project.load(id)).collect::<Result<_, _>>()?;
    if !args.install && args.out.is_none() {
        writeln!(out, "{:#}", printed(&games))?;
        return Ok(());
    }
    let shown = hidden::path(args.out.as_deref().unwrap_or(Path::new(HOME))).replace('\\', "/");
    let mut files = SchemaFiles {
        home: shown,
        list: Vec::new(),
        taplo: format!("# Settings of Taplo and Even Better TOML, {MARK}.\n"),
    };
    files.add(&games);
    let (taplo, code) = if args.install {
        (".taplo.toml".to_owned(), ".vscode/settings.json".to_owned())
    } else {
        files.taplo.push_str("# Copy this to .taplo.toml in the project's folder.\n");
        (format!("{}/taplo.toml", files.home), format!("{}/settings.json", files.home))
    };
    let settings = files.code();
    let SchemaFiles { mut list, taplo: rules, .. } = files;
    list.extend([(taplo, rules), (code, settings)]);
    write(folder, &list, out)
}

/// The schemas and types as one JSON object.
fn printed(games: &[Game]) -> Value {
    let mut printed = Map::from_iter([("mod.toml".to_owned(), mod_schema())]);
    for game in games {
        let schemas = schemas(game.declarations()).into_iter().map(|(stem, schema)| (format!("{stem}.toml"), schema));
        let balance = ("tests/balance.toml".to_owned(), balance_schema(game.declarations()));
        let types = ("types".to_owned(), Value::from(definitions(std::slice::from_ref(game))));
        printed.insert(game.declarations().id.clone(), schemas.chain([balance, types]).collect());
    }
    Value::from(printed)
}

/// The schema, type and settings files to write.
struct SchemaFiles {
    /// The folder of the schemas, as written in the settings.
    home: String,
    list: Vec<(String, String)>,
    /// Settings of Taplo.
    taplo: String,
}

impl SchemaFiles {
    fn add(&mut self, games: &[Game]) {
        let mods = self.keep(OF_MODS, &mod_schema());
        self.rule("**/mod.toml", None, &mods);
        for game in games {
            let id = &game.declarations().id;
            for (stem, schema) in schemas(game.declarations()) {
                let own = format!("content/{id}/{stem}.toml");
                let whole = self.keep(&format!("{id}/{stem}.schema.json"), &schema);
                self.rule(&own, None, &whole);
                let patch = self.keep(&format!("{id}/{stem}.patch.schema.json"), &patch_schema(schema));
                self.rule(&format!("**/{own}"), Some(&own), &patch);
            }
            let balance = self.keep(&format!("{id}/balance.schema.json"), &balance_schema(game.declarations()));
            self.rule(&format!("**/tests/{id}/balance.toml"), None, &balance);
        }
        let types = (self.types(), definitions(games));
        self.list.push(types);
    }

    fn types(&self) -> String {
        format!("{}/lode.d.luau", self.home)
    }

    fn keep(&mut self, name: &str, schema: &Value) -> String {
        let path = format!("{}/{name}", self.home);
        self.list.push((path.clone(), format!("{schema:#}\n")));
        path
    }

    /// Adds the setting that maps files to a schema; paths are relative to the folder of the settings.
    fn rule(&mut self, files: &str, but: Option<&str>, schema: &str) {
        self.taplo.push_str(&format!("\n[[rule]]\ninclude = [{files:?}]\n"));
        if let Some(but) = but {
            self.taplo.push_str(&format!("exclude = [{but:?}]\n"));
        }
        self.taplo.push_str(&format!("[rule.schema]\npath = {schema:?}\n"));
    }

    /// The settings of Visual Studio Code for luau-lsp.
    fn code(&self) -> String {
        let types = self.types();
        format!(
            "// {MARK}\n{{\n    \"luau-lsp.platform.type\": \"standard\",\n    \"luau-lsp.types.definitionFiles\": [{types:?}]\n}}\n"
        )
    }
}

/// Writes all files, or none if one of them was not made by `lode schema`.
fn write(folder: &Path, files: &[(String, String)], out: &mut dyn Write) -> Result<(), Fault> {
    for (name, _) in files {
        let path = folder.join(name);
        let shown = hidden::path(&path);
        let text = match read_regular(&path, LARGEST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            text => text.map_err(|error| Fault::usage(format!("cannot read `{shown}`: {}", reason(&error))))?,
        };
        if !String::from_utf8_lossy(&text).contains(MARK) {
            return Err(Fault::usage(format!(
                "`{shown}` was not made by `lode schema`: delete it, or write elsewhere with --out DIR"
            )));
        }
    }
    for (name, text) in files {
        let path = folder.join(name);
        replace(&path, text).map_err(|error| Fault::unwritten(&path, &error))?;
    }
    // Print last, so that all files are written even if the reader closes the output.
    files.iter().try_for_each(|(name, _)| writeln!(out, "{}", hidden::path(folder.join(name))))?;
    Ok(())
}

/// Writes a file whole, or leaves it unchanged.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let mut file = Draft::begin(path)?;
    file.write_all(text.as_bytes())?;
    file.keep(true)
}
