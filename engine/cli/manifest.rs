//! The manifest of a run: all inputs of its results.

use std::path::Path;

use motherlode::tools::hidden;
use motherlode::{Game, Setup};
use motherlode_files::{read_regular, reason};
use motherlode_play::{BotSpec, ValueSource};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::fault::Fault;

/// Name of the file.
pub const NAME: &str = "manifest.json";

/// Largest manifest and largest file of a learned value, in bytes.
const LARGEST: u64 = 4 << 20;

/// Whether a folder has an entry of this name, of any type.
pub fn is_in(folder: &Path) -> bool {
    folder.join(NAME).symlink_metadata().is_ok()
}

/// The inputs of a run and its command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// The inputs of the results, by name.
    run: Map<String, Value>,
    /// The arguments of the command, with paths of the machine that started the run.
    pub arguments: Vec<String>,
}

impl Manifest {
    /// The manifest of a command that plays versions of a game; the last version is the main one.
    pub fn new(
        command: &str,
        versions: &[&(Game, Setup)],
        bots: &[String],
        seed: u64,
        more: &Value,
    ) -> Result<Self, Fault> {
        let version = |(game, setup): &(Game, Setup)| {
            json!({
                "fingerprint": game.fingerprint(),
                "mods": game.mods().iter().map(ToString::to_string).collect::<Vec<_>>(),
                "players": setup.players,
                "options": setup.options,
            })
        };
        let mut run = Map::new();
        let mut put = |name: &str, value: Value| drop(run.insert(name.to_owned(), value));
        put("lode", env!("CARGO_PKG_VERSION").into());
        put("command", command.into());
        if let [earlier @ .., last] = versions {
            put("game", last.0.declarations().id.clone().into());
            earlier.iter().for_each(|base| put("base", version(base)));
            if let Value::Object(version) = version(last) {
                version.into_iter().for_each(|(name, value)| put(&name, value));
            }
        }
        put("seed", seed.into());
        put("bots", json!(bots));
        put(
            "learned",
            json!(
                bots.iter()
                    .filter_map(|spec| learned_value_hash(&spec.parse().ok()?, versions))
                    .collect::<Result<Vec<_>, _>>()?
            ),
        );
        if let Value::Object(more) = more {
            more.iter().for_each(|(name, value)| put(name, value.clone()));
        }
        Ok(Self { run, arguments: std::env::args().skip(1).collect() })
    }

    /// Reads the manifest in a folder.
    pub fn read(folder: &Path) -> Result<Self, Fault> {
        let file = folder.join(NAME);
        let shown = hidden::path(&file);
        let text = read_regular(&file, LARGEST)
            .map_err(|error| Fault::failed(format!("cannot read `{shown}`: {}", reason(&error))))?;
        serde_json::from_slice(&text).map_err(|_| {
            Fault::failed(format!("`{shown}` is not the manifest of a run: play the run again into a new folder"))
        })
    }

    /// The manifest as text.
    pub fn text(&self) -> Result<String, Fault> {
        Ok(serde_json::to_string_pretty(self).map_err(std::io::Error::from)? + "\n")
    }

    /// The name of the run's folder; equal for equal runs on every machine.
    pub fn hash(&self) -> String {
        // A map keeps the order of insertion.
        let text = Value::Object(self.run.clone()).to_string();
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// Names of the inputs that differ: `fingerprint, mods`.
    pub fn difference(&self, other: &Self) -> String {
        let differs = |name: &&String| self.run.get(*name) != other.run.get(*name);
        let mut names: Vec<&str> = self.run.keys().filter(differs).map(String::as_str).collect();
        names.extend(other.run.keys().map(String::as_str).filter(|name| !self.run.contains_key(*name)));
        names
            .iter()
            .map(|name| if *name == "fingerprint" { "fingerprint of the content" } else { name })
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The hash of a bot's learned value, from a file or a game.
fn learned_value_hash(spec: &BotSpec, versions: &[&(Game, Setup)]) -> Option<Result<String, Fault>> {
    Some(match spec.value()? {
        ValueSource::File(path) => {
            let wrong = |error| Fault::usage(format!("cannot read `{}`: {}", hidden::path(path), reason(&error)));
            read_regular(path, LARGEST).map(|bytes| hash(&bytes)).map_err(wrong)
        }
        ValueSource::Game => {
            let texts: String = versions.iter().filter_map(|(game, _)| game.learned()).collect();
            Ok(hash(texts.as_bytes()))
        }
    })
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
