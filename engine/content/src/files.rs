//! The files of a pack and its mods, grouped by type and stem.

use indexmap::IndexMap;

use super::diagnostic::Diagnostic;
use super::document::Faults;
use super::limits::MAX_CONTENT;
use super::pack::Pack;
use super::source::{LIB, SourceFile};

/// A file of a layer: layer 0 is the game itself, layer n the n-th mod.
pub type LayerFile<'p> = (usize, &'p SourceFile);

/// The files of a pack and of the mods over it, lowest layer first.
pub struct Files<'p> {
    /// TOML files by stem.
    pub content: IndexMap<&'p str, Vec<LayerFile<'p>>>,
    /// Scripts by stem.
    pub scripts: IndexMap<&'p str, Vec<LayerFile<'p>>>,
    /// `rules.md`.
    pub rules: Vec<&'p SourceFile>,
}

impl<'p> Files<'p> {
    /// Groups the files of a pack. Reports files in wrong places.
    #[must_use]
    pub fn of_pack(pack: &'p Pack, faults: &Faults) -> Self {
        let mut files = Self { content: IndexMap::new(), scripts: IndexMap::new(), rules: Vec::new() };
        let of_game = pack.files.iter().map(|source| (0, source, &*source.path, &*pack.id));
        let of_mods = pack.mods.iter().zip(1..).flat_map(|(one, layer)| {
            one.files.iter().map(move |source| (layer, source, &source.path[one.id().len() + 1..], one.game()))
        });
        let mut bytes = 0;
        for (layer, source, path, id) in of_game.chain(of_mods) {
            let before = bytes;
            bytes += if path.ends_with(".toml") { source.text.len() } else { 0 };
            if bytes <= MAX_CONTENT {
                files.add(layer, source, path, id, faults);
            } else if before <= MAX_CONTENT {
                let message =
                    format!("with this file the game and its mods have more than {} KiB of TOML", MAX_CONTENT >> 10);
                faults.push(Diagnostic::of_file("too-large", &source.path, message));
            }
        }
        files
    }

    /// `path` is relative to the layer.
    fn add(&mut self, layer: usize, source: &'p SourceFile, path: &'p str, id: &str, faults: &Faults) {
        let within = |folder: &str| path.strip_prefix(folder)?.strip_prefix(id)?.strip_prefix('/');
        let content = within("content/").and_then(|name| name.strip_suffix(".toml"));
        let script = || within("scripts/").and_then(|name| name.strip_suffix(".luau"));
        let found = match content {
            Some(stem) => Some((&mut self.content, stem)),
            None => script().map(|stem| (&mut self.scripts, stem)),
        };
        match found {
            // The files of the folder `lib`, instead of `lib.luau`.
            Some((group, stem))
                if content.is_none() && stem.strip_prefix("lib/").is_some_and(|name| !name.contains('/')) =>
            {
                let lib = group.entry(LIB).or_default();
                let alone = |(of, other): &LayerFile<'_>| *of == layer && other.path.ends_with("/lib.luau");
                if let Some((_, other)) = lib.iter().find(|other| alone(other)) {
                    let message = format!("`lib` is the file {} as well as a folder", other.path);
                    let help = "move `lib.luau` into the folder, under another name";
                    faults.push(Diagnostic::of_file("duplicate-file", &source.path, message).with_help(help));
                }
                lib.push((layer, source));
            }
            Some((group, stem)) if !stem.contains('/') => {
                let twin = group.keys().find(|other| other.eq_ignore_ascii_case(stem)).copied();
                match twin.filter(|twin| *twin != stem || group[*twin].last().is_some_and(|(of, _)| *of == layer)) {
                    Some(twin) => {
                        let message = format!("`{stem}` and `{twin}` name the same file");
                        faults.push(Diagnostic::of_file("duplicate-file", &source.path, message));
                    }
                    None => group.entry(stem).or_default().push((layer, source)),
                }
            }
            _ if within("content/") == Some("rules.md") => self.rules.push(source),
            _ => faults.push(Diagnostic::of_file("stray-file", &source.path, "the engine does not read this file")),
        }
    }
}
