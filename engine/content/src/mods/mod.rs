//! Mods: layers over a game, in folders or zips.
//!
//! A mod has the structure of a project: `mod.toml`, and `content/<game>/`, `scripts/<game>/` and `tests/<game>/` as
//! in a game. It becomes a layer of a [pack](super::Pack); `merge.rs` merges the layers.
//!
//! Layers are merged as TOML before the first name is read. A `Document` then holds the files of one stem from all
//! layers, and each value knows its file. Everything after that sees one game and needs no code for mods. Scripts are
//! not merged as text: each layer's script is a chunk of its own, and the script host layers the functions that they
//! return.
//!
//! Paths of a mod begin with its id, never with the place that it was read from. So messages and fingerprints are the
//! same for a folder and an archive, on every machine.
//!
//! Direction: self, manifest, tree <- archive, folder, order

#[cfg(feature = "zip")]
mod archive;
mod folder;
pub(crate) mod manifest;
pub(crate) mod order;
mod tree;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use motherlode_files::reason;
use serde::{Deserialize, Serialize};

pub(crate) use self::manifest::{Manifest, version};
use self::manifest::{PlacedName, fault_at, place_in};
use self::tree::Tree;
use super::declare::Location;
use super::diagnostic::{Diagnostic, Diagnostics, Related, nearest, suggestion};
use super::document::{Faults, Span};
use super::fingerprint::hash_files;
use super::hidden;
use super::image::{ImageContent, ImageFile, is_image};
use super::limits::MAX_SCRIPT;
use super::source::SourceFile;
use super::text_file::{decode, stray_file};

const MANIFEST: &str = "mod.toml";
const FOLDERS: [&str; 3] = ["content", "scripts", "tests"];

/// The exact identity of a mod.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModId {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Hash of everything in it that can change a match; equal for a folder and its zip.
    pub fingerprint: String,
}

impl std::fmt::Display for ModId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.id, self.version)
    }
}

/// A mod, read from a folder or a zip.
#[derive(Debug, Clone)]
pub struct Mod {
    pub(crate) manifest: Manifest,
    /// `mod.toml` itself.
    pub(crate) source: SourceFile,
    /// Its files for `content/` and `scripts/`, sorted; displayed paths: `<mod>/content/<game>/cards.toml`.
    pub(crate) files: Vec<SourceFile>,
    /// Its images, sorted by path.
    pub(crate) images: Vec<ImageFile>,
    /// Its rule tests and its `balance.toml`, sorted; displayed paths.
    tests: Vec<SourceFile>,
    /// Its path.
    origin: String,
    pub(crate) faults: Vec<Diagnostic>,
    /// Ids of the mods that it requires or is loaded after, including indirect ones.
    pub(crate) knows: BTreeSet<String>,
}

impl Mod {
    /// Reads a folder with `mod.toml`, or a zip of one.
    ///
    /// A faulty file is reported later, with all other faults, when the game is loaded.
    ///
    /// # Errors
    /// The mod cannot be read, or does not name itself and its game.
    pub fn open(path: &Path) -> Result<Self, Diagnostics> {
        let origin = hidden::path(path);
        let fail = |fault| Diagnostics { list: vec![fault], sources: Arc::default() };
        if !path.exists() {
            let message = "there is no such folder or zip";
            return Err(fail(Diagnostic::of_file("missing-file", origin, message)));
        }
        if path.ends_with(MANIFEST) {
            let message = "this is a file of the mod, not its folder";
            let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let help = format!("use the folder `{}`", hidden::path(folder));
            return Err(fail(Diagnostic::of_file("unreadable", origin, message).with_help(&help)));
        }
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let name = real.file_name().map_or_else(|| origin.clone(), hidden::path);
        Self::build(read_tree(path, &name).map_err(|fault| fail(*fault))?, &name, origin)
    }

    /// A mod from texts in memory, with paths as in its folder: `mod.toml`, `content/checkers/cards.toml`.
    ///
    /// # Errors
    /// As [`Mod::open`].
    pub fn from_files<P: Into<String>, T: Into<String>>(
        files: impl IntoIterator<Item = (P, T)>,
    ) -> Result<Self, Diagnostics> {
        let mut tree = Tree::default();
        tree.files = files.into_iter().map(|(path, text)| (path.into(), text.into().into_bytes())).collect();
        tree.files.sort();
        Self::build(tree, "mod", "memory".to_owned())
    }

    fn build(tree: Tree, name: &str, origin: String) -> Result<Self, Diagnostics> {
        let Tree { files, mut faults, mut unread, .. } = tree;
        let place = |unread: &mut Vec<Diagnostic>, id: &str| {
            unread.iter_mut().for_each(|fault| fault.file = format!("{id}/{}", fault.file));
        };
        if unread.iter().any(|fault| fault.file == MANIFEST) {
            place(&mut unread, name);
            faults.append(&mut unread);
            return Err(Diagnostics { list: faults, sources: Arc::default() });
        }
        let Some((_, bytes)) = files.iter().find(|(path, _)| path == MANIFEST) else {
            let message = "there is no `mod.toml`; every mod needs one with its id and its game";
            faults.push(Diagnostic::of_file("missing-file", format!("{name}/{MANIFEST}"), message));
            return Err(Diagnostics { list: faults, sources: Arc::default() });
        };
        let path = format!("{name}/{MANIFEST}");
        let mut source = SourceFile { text: decode(&path, bytes.clone(), &mut faults), path };
        let found = Faults::default();
        let manifest = Manifest::read(&source, &found);
        let mut found = found.take();
        let Some(manifest) = manifest else {
            faults.append(&mut found);
            return Err(Diagnostics { list: faults, sources: Arc::new(vec![source]) });
        };
        source.path = format!("{}/{MANIFEST}", manifest.id.name);
        found.iter_mut().for_each(|fault| fault.file.clone_from(&source.path));
        place(&mut unread, &manifest.id.name);
        faults.append(&mut found);
        faults.append(&mut unread);
        let (images, tests, knows) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut read = Self { manifest, source, files: Vec::new(), images, tests, origin, faults, knows };
        for (path, bytes) in files {
            read.take(&path, bytes);
        }
        Ok(read)
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.manifest.id.name
    }

    /// The game that it extends.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.manifest.game.name
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.manifest.name.is_empty() { self.id() } else { &self.manifest.name }
    }

    /// Its description, in one sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.manifest.text
    }

    /// The path that it was read from.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// `mod.toml` and its files for `content/` and `scripts/`; displayed paths.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        std::iter::once(&self.source).chain(&self.files)
    }

    /// Faults of its files that do not depend on the game.
    #[must_use]
    pub fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// Ids of the mods that it requires.
    pub fn requires(&self) -> impl Iterator<Item = &str> {
        self.manifest.requires.iter().map(|one| one.of.name.as_str())
    }

    /// The paths that it removes, with their places in the file.
    pub fn removes(&self) -> impl Iterator<Item = (&str, Location)> {
        let list = self.manifest.remove.iter();
        list.map(|named| (named.name.as_str(), place_in(&self.source, named.span)))
    }

    /// The place where it removes something with this name, or a key of it.
    #[must_use]
    pub fn removal(&self, name: &str) -> Option<Related> {
        let is_it = |path: &str| path.split('.').skip(1).any(|part| part == name);
        let PlacedName { name: path, span } = self.manifest.remove.iter().find(|one| is_it(&one.name))?;
        let Location { file, line, column } = place_in(&self.source, *span);
        let message = format!("mod `{}` removes `{path}`", self.id());
        Some(Related { file, line, column, start: span.0, end: span.1, message })
    }

    /// Its rule tests and its `balance.toml`; displayed paths.
    #[must_use]
    pub fn tests(&self) -> &[SourceFile] {
        &self.tests
    }

    /// Whether it contains the game itself.
    #[must_use]
    pub fn brings_game(&self) -> bool {
        let path = format!("{}/content/{}/game.toml", self.id(), self.game());
        self.files.iter().any(|file| file.path == path)
    }

    /// Its exact identity.
    #[must_use]
    pub fn exactly(&self) -> ModId {
        let inner = |file: &SourceFile| file.path[self.id().len()..].to_owned();
        let files = self.files.iter().chain([&self.source]);
        let mut files: Vec<(String, &str)> = files.map(|file| (inner(file), file.text.as_str())).collect();
        files.sort();
        ModId {
            id: self.id().to_owned(),
            version: self.manifest.version.to_string(),
            fingerprint: hash_files(files.iter().map(|(path, text)| (path.as_str(), *text)))
                .finalize()
                .to_hex()
                .to_string(),
        }
    }

    /// The fault that its game does not exist, with its other faults.
    pub(crate) fn unknown_game(&self, known: &[String]) -> Diagnostics {
        let message = format!("there is no game `{}`", self.game());
        let help = suggestion(self.game(), known.iter().map(String::as_str));
        let fault = fault_at(&self.source, self.manifest.game.span, "unknown-game", message, help);
        // Files in the folder of another game are a consequence.
        let others = self.faults.iter().filter(|fault| fault.code != "stray-file");
        let list = others.cloned().chain([fault]).collect();
        Diagnostics { list, sources: Arc::new(vec![self.source.clone()]) }
    }

    /// Records a fault in `mod.toml`.
    pub(crate) fn fault(&mut self, span: Span, code: &'static str, message: String, help: Option<String>) {
        self.faults.push(fault_at(&self.source, span, code, message, help));
    }

    /// Adds a file to its content, scripts or tests.
    fn take(&mut self, path: &str, bytes: Vec<u8>) {
        let shown = format!("{}/{path}", self.id());
        let Some((room, rest)) = path.split_once('/') else { return };
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        if !FOLDERS.contains(&room) {
            // Pictures and notes may be anywhere, but TOML and Luau files must be in the right folder.
            if matches!(ending, "toml" | "luau") {
                let help = nearest(room, FOLDERS).map(|right| format!("did you mean `{right}/`?"));
                self.stray(shown, "the files of a mod belong in content/, scripts/ or tests/".to_owned(), help);
            }
            return;
        }
        let game = self.game().to_owned();
        let Some((folder, name)) = rest.split_once('/') else {
            let help = Some(format!("move it to {room}/{game}/"));
            return self.stray(shown, format!("files in {room}/ belong in a folder for the game"), help);
        };
        if folder != game {
            let help = Some(format!("the mod is for `{game}`; move the file to {room}/{game}/"));
            return self.stray(shown, format!("this file is for `{folder}`, not for `{game}`"), help);
        }
        if room == "content" && name.strip_prefix("images/").is_some_and(|name| !name.contains('/') && is_image(name)) {
            return self.images.push(ImageFile { path: shown, content: ImageContent::Bytes(bytes.into()) });
        }
        let wanted = match room {
            "content" => ending == "toml" || name == "rules.md",
            "tests" if name == "balance.toml" => true,
            _ => ending == "luau",
        };
        let inner = name.strip_prefix("lib/").filter(|_| room == "scripts").unwrap_or(name);
        if !wanted || (room != "tests" && inner.contains('/')) {
            if ending != "md" {
                self.faults.push(stray_file(shown, room != "content"));
            }
            return;
        }
        let too_large = room == "scripts" && bytes.len() as u64 > MAX_SCRIPT;
        if too_large {
            let message = format!("the file is larger than {} KiB", MAX_SCRIPT >> 10);
            self.faults.push(Diagnostic::of_file("too-large", shown.clone(), message));
        }
        let text = if too_large { String::new() } else { decode(&shown, bytes, &mut self.faults) };
        let home = if room == "tests" { &mut self.tests } else { &mut self.files };
        home.push(SourceFile { path: shown, text });
    }

    fn stray(&mut self, file: String, message: String, help: Option<String>) {
        let mut fault = Diagnostic::of_file("stray-file", file, message);
        fault.help = help;
        self.faults.push(fault);
    }
}

/// Reads the files of a folder or a zip.
fn read_tree(path: &Path, name: &str) -> Result<Tree, Box<Diagnostic>> {
    let unreadable = |error: String| Box::new(Diagnostic::of_file("unreadable", name, error));
    let mut tree = Tree::new(name);
    if path.is_dir() {
        folder::read(path, &mut tree).map_err(|error| unreadable(reason(&error)))?;
    } else if !path.is_file() {
        return Err(unreadable("this is neither a folder nor a file".to_owned()));
    } else {
        read_archive(path, &mut tree).map_err(|error| {
            Box::new(unreadable(error).with_help("a mod is a folder with mod.toml, or a zip of one"))
        })?;
    }
    tree.files.sort();
    Ok(tree)
}

#[cfg(feature = "zip")]
fn read_archive(path: &Path, tree: &mut Tree) -> Result<(), String> {
    archive::read(path, tree).map_err(|error| archive::explain(&error))
}

#[cfg(not(feature = "zip"))]
fn read_archive(_: &Path, _: &mut Tree) -> Result<(), String> {
    Err("this program reads mods from folders only: it was built without zip".to_owned())
}
