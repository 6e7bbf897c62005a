//! Packs: the files of one game, from disk or from memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use super::diagnostic::{Diagnostic, Diagnostics, nearest};
use super::document::{Document, Faults};
use super::fingerprint::{add, hash_files};
use super::hidden;
use super::image::{ENDINGS, IMAGES, ImageContent, ImageFile, is_image};
use super::limits::{MAX_FILES, MAX_IMAGE, MAX_LEARNED, MAX_SCRIPT, MAX_TEXT};
use super::mods::order::{Base, order};
use super::mods::{Mod, ModId};
use super::names::is_name;
use super::source::{LIB, SourceFile};
use super::text_file::{decode, stray_file};
use motherlode_files::{read_regular, reason};

/// The file with the trained evaluation for bots.
const LEARNED: &str = "learned.value";

/// Error for an unreadable folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the folder `{}`: {}", hidden::path(path), reason(source))]
pub struct Error {
    /// The folder.
    pub path: PathBuf,
    /// The reason.
    pub source: io::Error,
}

/// The files of one game.
#[derive(Debug, Clone, Default)]
pub struct Pack {
    /// Folder name: `checkers`.
    pub id: String,
    /// All files of the game itself, sorted by path.
    pub files: Vec<SourceFile>,
    /// The text of `learned.value`, a trained evaluation for bots, if the file exists. Not part of the rules.
    pub learned: Option<String>,
    /// Its images, sorted by path.
    pub images: Vec<ImageFile>,
    /// The mods over it, in load order.
    pub(crate) mods: Vec<Mod>,
    /// Faults found while the files were read; [`read`](crate::read) reports them with all others.
    pub(crate) faults: Vec<Diagnostic>,
}

impl Pack {
    /// Reads `content/<id>/*.toml`, `content/<id>/rules.md`, `content/<id>/learned.value`, `scripts/<id>/*.luau` and
    /// `scripts/<id>/lib/*.luau` below `root`.
    ///
    /// A file that is too large, not UTF-8 or outside the pack (through a symbolic link) is reported later, with all
    /// other faults, when the pack is read.
    ///
    /// # Errors
    /// The pack does not exist, or its folders cannot be read.
    pub fn open(root: &Path, id: &str) -> Result<Self, Diagnostics> {
        let shown = format!("content/{id}");
        let fail = |diagnostic| Diagnostics { list: vec![diagnostic], sources: Arc::default() };
        if !is_name(id) {
            let message = format!("`{id}` is not a valid name of a pack");
            return Err(fail(Diagnostic::of_file("unknown-pack", shown, message)));
        }
        let folders = [root.join("content").join(id), root.join("scripts").join(id)];
        if !folders[0].is_dir() {
            return Err(unknown_pack(id, &find_packs(root).unwrap_or_default()));
        }
        let lib = folders[1].join(LIB);
        let has_lib = lib.symlink_metadata().is_ok_and(|found| found.is_dir());
        let images = folders[0].join(IMAGES);
        let known = folders.iter().chain(has_lib.then_some(&lib)).chain([&images]);
        let homes: Vec<PathBuf> = known.filter_map(|folder| folder.canonicalize().ok()).collect();
        let mut pack = Self { id: id.to_owned(), ..Self::default() };
        for (folder, room) in folders.iter().zip(["content", "scripts"]) {
            if room == "scripts" && !folder.is_dir() {
                continue;
            }
            let unreadable =
                |error: Error| fail(Diagnostic::of_file("unreadable", format!("{room}/{id}"), error.to_string()));
            let mut names = folder_names(folder).map_err(unreadable)?;
            if has_lib && room == "scripts" {
                names.retain(|name| name != LIB);
                let inner = folder_names(&lib).map_err(unreadable)?;
                names.extend(inner.iter().filter(|name| !name.starts_with('.')).map(|name| format!("{LIB}/{name}")));
            }
            if room == "content" && folder.join(IMAGES).is_dir() {
                names.retain(|name| name != IMAGES);
                let inner = folder_names(&folder.join(IMAGES)).map_err(unreadable)?;
                names.extend(inner.iter().filter(|name| !name.starts_with('.')).map(|name| format!("{IMAGES}/{name}")));
            }
            if names.len() > MAX_FILES {
                let message = format!("the folder has {} files; at most {MAX_FILES} are allowed", names.len());
                return Err(fail(Diagnostic::of_file("too-large", format!("{room}/{id}"), message)));
            }
            for name in names.iter().filter(|name| !name.starts_with('.')) {
                if name.starts_with(IMAGES) && name.contains('/') {
                    pack.take_image(&homes, &folder.join(name), format!("{room}/{id}/{name}"));
                    continue;
                }
                pack.take(&homes, &folder.join(name), format!("{room}/{id}/{name}"), room == "scripts");
            }
        }
        pack.files.sort_by(|a, b| a.path.cmp(&b.path));
        pack.set_learned_apart();
        Ok(pack)
    }

    /// A pack from texts in memory, by displayed path: `content/checkers/game.toml`, `scripts/checkers/phases.luau`.
    pub fn from_files<P: Into<String>, T: Into<String>>(id: &str, files: impl IntoIterator<Item = (P, T)>) -> Self {
        let file = |(path, text): (P, T)| SourceFile { path: path.into(), text: text.into() };
        let mut files: Vec<SourceFile> = files.into_iter().map(file).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut pack = Self { id: id.to_owned(), files, ..Self::default() };
        pack.set_learned_apart();
        pack
    }

    /// A game below `root` with mods over it. A mod may contain the game itself.
    ///
    /// Faults of the mods are reported with all others when the pack is read.
    ///
    /// # Errors
    /// As [`Pack::open`].
    pub fn with_mods(root: &Path, id: &str, mods: Vec<Mod>) -> Result<Self, Diagnostics> {
        let here = is_name(id) && root.join("content").join(id).is_dir();
        let base = if here { Some(Self::open(root, id)?) } else { None };
        Self::layered(id, base, mods, || find_packs(root).unwrap_or_default())
    }

    /// Mods over a game. Without a `base`, one of the mods must contain the game. `known` lists the available games
    /// for suggestions.
    ///
    /// # Errors
    /// There is no base and no mod contains the game.
    pub fn layered(
        id: &str,
        base: Option<Self>,
        mods: Vec<Mod>,
        known: impl FnOnce() -> Vec<String>,
    ) -> Result<Self, Diagnostics> {
        if let Some(base) = base {
            return Ok(base.over(mods));
        }
        if mods.iter().any(|one| one.game() == id && one.brings_game()) {
            return Ok(Self { id: id.to_owned(), ..Self::default() }.over(mods));
        }
        Err(match mods.first() {
            Some(one) if one.game() == id => one.unknown_game(&known()),
            _ => unknown_pack(id, &known()),
        })
    }

    /// Adds mods, in their load order.
    #[must_use]
    pub fn over(mut self, mods: Vec<Mod>) -> Self {
        let version = self.file(&format!("content/{}/game.toml", self.id)).and_then(|source| {
            let faults = Faults::default();
            Document::parse(source, &faults).root("").text("version").and_then(|text| text.parse().ok())
        });
        // Sorts all mods again, including earlier ones.
        let mods = mods.into_iter().chain(std::mem::take(&mut self.mods)).collect();
        self.mods = order(mods, &Base { id: &self.id, version });
        self
    }

    /// The mods, in load order.
    #[must_use]
    pub fn mods(&self) -> &[Mod] {
        &self.mods
    }

    /// Hexadecimal hash of everything that can change a match: paths and texts of all files except Markdown and
    /// `look.toml`, and the mods.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hasher = hash_files(self.files.iter().map(|file| (file.path.as_str(), file.text.as_str())));
        for ModId { id, version, fingerprint } in self.mods.iter().map(Mod::exactly) {
            [id, version, fingerprint].iter().for_each(|part| add(&mut hasher, part));
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The images of all layers: displayed path by name, that of the highest layer.
    pub(crate) fn images_by_name(&self) -> IndexMap<String, String> {
        self.images().filter_map(|one| Some((one.path.rsplit('/').next()?.to_owned(), one.path.clone()))).collect()
    }

    /// The images of all layers, from the lowest to the highest.
    pub fn images(&self) -> impl Iterator<Item = &ImageFile> {
        self.images.iter().chain(self.mods.iter().flat_map(|one| &one.images))
    }

    /// The stem of a content file of any layer, by its displayed path.
    pub fn stem_of<'f>(&self, path: &'f str) -> Option<&'f str> {
        let layers = self.mods.iter().map(Mod::id);
        let inner = layers.filter_map(|id| path.strip_prefix(id)?.strip_prefix('/')).next().unwrap_or(path);
        inner.strip_prefix("content/")?.strip_prefix(self.id.as_str())?.strip_prefix('/')?.strip_suffix(".toml")
    }

    /// The file with this path.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Replaces the text of a file, or adds the file, by displayed path: as if it had been saved with this text.
    pub fn set_text(&mut self, path: &str, text: String) {
        let (files, faults) = self.layer_with(path);
        faults.retain(|fault| fault.file != path);
        match files.binary_search_by(|file| file.path.as_str().cmp(path)) {
            Ok(at) => files[at].text = text,
            Err(at) => files.insert(at, SourceFile { path: path.to_owned(), text }),
        }
    }

    /// Gives a file another displayed path. Does nothing if there is no such file.
    pub fn rename(&mut self, path: &str, new: &str) {
        let (files, faults) = self.layer_with(path);
        faults.retain(|fault| fault.file != path);
        if let Ok(at) = files.binary_search_by(|file| file.path.as_str().cmp(path)) {
            let file = files.remove(at);
            self.set_text(new, file.text);
        }
    }

    /// The files and faults of the layer with a displayed path.
    fn layer_with(&mut self, path: &str) -> (&mut Vec<SourceFile>, &mut Vec<Diagnostic>) {
        let of_mod =
            self.mods.iter_mut().find(|one| path.strip_prefix(one.id()).is_some_and(|rest| rest.starts_with('/')));
        match of_mod {
            Some(one) => (&mut one.files, &mut one.faults),
            None => (&mut self.files, &mut self.faults),
        }
    }

    /// Moves a learned value out of the files, because it changes no match.
    fn set_learned_apart(&mut self) {
        let path = format!("content/{}/{LEARNED}", self.id);
        if let Some(place) = self.files.iter().position(|file| file.path == path) {
            self.learned = Some(self.files.remove(place).text);
        }
    }

    /// Adds an image, without reading it.
    fn take_image(&mut self, homes: &[PathBuf], path: &Path, shown: String) {
        let fault = |code, message: String| Diagnostic::of_file(code, shown.clone(), message);
        let inside = path.canonicalize().is_ok_and(|real| {
            real.parent().is_some_and(|parent| homes.iter().any(|home| home == parent)) && real.is_file()
        });
        let bytes = path.metadata().map_or(0, |found| found.len());
        if !is_image(&shown) {
            let help = format!("remove it, or use an image that ends in {}", ENDINGS.join(", "));
            self.faults.push(fault("stray-file", "only images belong here".to_owned()).as_warning().with_help(help));
        } else if !inside {
            let help = "put an image file itself here, not a link or a folder";
            self.faults.push(fault("not-a-file", "this is not a file of the pack".to_owned()).with_help(help));
        } else if bytes > MAX_IMAGE {
            self.faults.push(fault("too-large", format!("the file is larger than {} KiB", MAX_IMAGE >> 10)));
        } else {
            self.images.push(ImageFile { path: shown, content: ImageContent::File(path.to_owned()) });
        }
    }

    fn take(&mut self, homes: &[PathBuf], path: &Path, shown: String, script: bool) {
        let wanted = match path.extension().and_then(|ending| ending.to_str()) {
            Some("luau") => script,
            Some("value") if path.file_name().is_some_and(|name| name == LEARNED) => !script,
            Some("toml") => !script,
            Some("md") => {
                if script || path.file_stem().is_none_or(|stem| stem != "rules") {
                    return;
                }
                true
            }
            _ => false,
        };
        if !wanted {
            self.faults.push(stray_file(shown, script));
            return;
        }
        let inside = path.canonicalize().is_ok_and(|real| {
            real.parent().is_some_and(|parent| homes.iter().any(|home| home == parent)) && real.is_file()
        });
        if !inside {
            let fault = |message| Diagnostic::of_file("not-a-file", shown.clone(), message);
            self.faults.push(if path.is_symlink() {
                fault("this is not a file of the pack")
                    .with_help("links that lead out of the pack are not followed: put the file itself there")
            } else {
                fault("this is not a regular file")
                    .with_help("put a plain file there, not a folder, a pipe or a device")
            });
            self.files.push(SourceFile { path: shown, text: String::new() });
            return;
        }
        let limit = match () {
            () if script => MAX_SCRIPT,
            () if shown.ends_with(LEARNED) => MAX_LEARNED,
            () => MAX_TEXT,
        };
        let text = match read_regular(path, limit) {
            Ok(bytes) => decode(&shown, bytes, &mut self.faults),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let message = format!("the file is larger than {} KiB", limit >> 10);
                self.faults.push(Diagnostic::of_file("too-large", shown.clone(), message));
                String::new()
            }
            Err(error) => {
                self.faults.push(Diagnostic::of_file("unreadable", shown.clone(), reason(&error)));
                String::new()
            }
        };
        self.files.push(SourceFile { path: shown, text });
    }
}

/// The fault that no pack has this id.
fn unknown_pack(id: &str, known: &[String]) -> Diagnostics {
    let mut diagnostic =
        Diagnostic::of_file("unknown-pack", format!("content/{id}"), format!("there is no pack `{id}`"));
    diagnostic.help = nearest(id, known.iter().map(String::as_str)).map(|right| format!("did you mean `{right}`?"));
    Diagnostics { list: vec![diagnostic], sources: Arc::default() }
}

/// The ids of all packs below `root`: folders of `content/` that contain `game.toml`, sorted. If that is not a
/// regular file, opening the pack reports it.
///
/// # Errors
/// `content/` cannot be read.
pub fn find_packs(root: &Path) -> Result<Vec<String>, Error> {
    let content = root.join("content");
    let mut names = folder_names(&content)?;
    names.retain(|name| is_name(name) && content.join(name).join("game.toml").symlink_metadata().is_ok());
    Ok(names)
}

/// Sorted names of everything in a folder; characters that are hidden or not Unicode are replaced.
fn folder_names(folder: &Path) -> Result<Vec<String>, Error> {
    let fail = |source| Error { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        names.push(hidden::path(entry.map_err(fail)?.file_name()));
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for folder in ["content/alpha", "content/beta", "content/empty", "scripts/alpha"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        for (path, text) in [
            ("content/alpha/game.toml", "name = 'A'"),
            ("content/alpha/cards.toml", ""),
            ("content/alpha/rules.md", "- A-1 text"),
            ("content/alpha/notes.md", "notes"),
            ("content/alpha/.hidden.toml", "x"),
            ("content/beta/game.toml", ""),
            ("scripts/alpha/cards.luau", "return {}"),
        ] {
            fs::write(root.path().join(path), text).unwrap();
        }
        root
    }

    fn codes(pack: &Pack) -> Vec<(&str, &str)> {
        pack.faults.iter().map(|fault| (fault.code, fault.file.as_str())).collect()
    }

    #[test]
    fn a_pack_is_its_sorted_files() {
        let root = project();
        let pack = Pack::open(root.path(), "alpha").unwrap();
        let paths: Vec<&str> = pack.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "content/alpha/cards.toml",
                "content/alpha/game.toml",
                "content/alpha/rules.md",
                "scripts/alpha/cards.luau"
            ]
        );
        assert!(pack.faults.is_empty());
        assert_eq!(find_packs(root.path()).unwrap(), ["alpha", "beta"]);
        assert!(find_packs(&root.path().join("nowhere")).is_err());
    }

    #[test]
    fn images_are_listed_but_not_read() {
        let root = project();
        let at = |path: &str| root.path().join(path);
        fs::create_dir(at("content/alpha/images")).unwrap();
        fs::write(at("content/alpha/images/lamp.svg"), "<svg/>").unwrap();
        fs::write(at("content/alpha/images/notes.txt"), "").unwrap();
        fs::write(at("content/alpha/images/big.png"), vec![0; (MAX_IMAGE + 1) as usize]).unwrap();
        let pack = Pack::open(root.path(), "alpha").unwrap();
        let paths: Vec<&str> = pack.images().map(|image| image.path.as_str()).collect();
        assert_eq!(paths, ["content/alpha/images/lamp.svg"]);
        assert_eq!(pack.images[0].read().unwrap(), b"<svg/>");
        let found = [("too-large", "content/alpha/images/big.png"), ("stray-file", "content/alpha/images/notes.txt")];
        assert_eq!(codes(&pack), found);
        assert_eq!(pack.files.len(), 4);
    }

    #[test]
    fn unknown_packs_get_the_nearest_name() {
        let root = project();
        let faults = Pack::open(root.path(), "alpah").unwrap_err();
        assert!(faults.to_string().ends_with("there is no pack `alpah`; help: did you mean `alpha`?"), "{faults}");
        for id in ["../alpha", "", ".", "alpha/x", "Alpha"] {
            assert!(Pack::open(root.path(), id).is_err(), "{id}");
        }
    }

    #[test]
    fn the_fingerprint_covers_everything_that_changes_a_match() {
        let root = project();
        let pack = Pack::open(root.path(), "alpha").unwrap();
        let files = || pack.files.iter().map(|file| (file.path.clone(), file.text.clone()));
        let same = Pack::from_files("alpha", files().rev());
        assert_eq!(pack.fingerprint(), same.fingerprint());
        assert_eq!(pack.fingerprint().len(), 64);
        let mut rules = pack.clone();
        rules.files[2].text.push('x');
        assert_eq!(pack.fingerprint(), rules.fingerprint());
        let mut other = pack.clone();
        other.files[3].text.push(' ');
        assert_ne!(pack.fingerprint(), other.fingerprint());
    }

    #[test]
    fn bad_files_are_faults_and_the_rest_is_read() {
        let root = project();
        let at = |path: &str| root.path().join(path);
        fs::write(at("content/alpha/latin.toml"), b"a = 1\nname = \"caf\xe9\"\n").unwrap();
        fs::write(at("content/alpha/big.toml"), vec![b'#'; (MAX_TEXT + 1) as usize]).unwrap();
        fs::write(at("content/alpha/full.toml"), vec![b'#'; MAX_TEXT as usize]).unwrap();
        fs::write(at("scripts/alpha/big.luau"), vec![b'-'; (MAX_SCRIPT + 1) as usize]).unwrap();
        fs::write(at("scripts/alpha/old.lua"), "").unwrap();
        fs::create_dir(at("content/alpha/folder.toml")).unwrap();
        let pack = Pack::open(root.path(), "alpha").unwrap();
        assert_eq!(
            codes(&pack),
            [
                ("too-large", "content/alpha/big.toml"),
                ("not-a-file", "content/alpha/folder.toml"),
                ("not-utf8", "content/alpha/latin.toml"),
                ("too-large", "scripts/alpha/big.luau"),
                ("stray-file", "scripts/alpha/old.lua"),
            ]
        );
        assert_eq!((pack.faults[2].line, pack.faults[2].column), (2, 12));
        assert_eq!(pack.files.len(), 9);
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_pack_are_not_followed() {
        use std::os::unix::fs::symlink;
        let root = project();
        let at = |path: &str| root.path().join(path);
        fs::write(at("secret.toml"), "secret = 1").unwrap();
        symlink(at("secret.toml"), at("content/alpha/stolen.toml")).unwrap();
        symlink(at("content/beta/game.toml"), at("content/alpha/other.toml")).unwrap();
        symlink(at("content/alpha/cards.toml"), at("content/alpha/twin.toml")).unwrap();
        symlink(at("content/alpha/loop.toml"), at("content/alpha/loop.toml")).unwrap();
        fs::create_dir(at("content/alpha/images")).unwrap();
        fs::write(at("secret.png"), "").unwrap();
        symlink(at("secret.png"), at("content/alpha/images/stolen.png")).unwrap();
        let pack = Pack::open(root.path(), "alpha").unwrap();
        assert_eq!(
            codes(&pack),
            [
                ("not-a-file", "content/alpha/loop.toml"),
                ("not-a-file", "content/alpha/other.toml"),
                ("not-a-file", "content/alpha/stolen.toml"),
                ("not-a-file", "content/alpha/images/stolen.png"),
            ]
        );
        assert!(pack.files.iter().all(|file| !file.text.contains("secret")));
    }
}
