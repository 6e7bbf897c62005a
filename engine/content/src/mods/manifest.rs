//! Reads `mod.toml`: a mod's identity, its game and its requirements.

use semver::{Version, VersionReq};

use crate::declare::Location;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, Faults, Key, Node, Span, Table};
use crate::hidden::clean_message;
use crate::keys;
use crate::names::{NameUse, check_name, check_name_as, is_name};
use crate::source::SourceFile;

/// A name in `mod.toml`, with its place.
#[derive(Debug, Clone)]
pub(crate) struct PlacedName {
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// The name of a mod or game, with a version range.
#[derive(Debug, Clone)]
pub(crate) struct Versions {
    pub(crate) of: PlacedName,
    pub(crate) range: VersionReq,
}

/// The content of `mod.toml`.
#[derive(Debug, Clone)]
pub(crate) struct Manifest {
    pub(crate) id: PlacedName,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) version: Version,
    pub(crate) game: PlacedName,
    pub(crate) requires: Vec<Versions>,
    pub(crate) conflicts: Vec<Versions>,
    pub(crate) load_after: Vec<PlacedName>,
    pub(crate) remove: Vec<PlacedName>,
}

impl Manifest {
    /// Reads `mod.toml`; `None` without a valid id and game.
    pub(crate) fn read(source: &SourceFile, faults: &Faults) -> Option<Self> {
        let document = Document::parse(source, faults);
        let root = document.root("the mod");
        let id = named(&root, "id");
        let game = named(&root, "game");
        let version = root.need("version").and_then(|node| version(&node)).unwrap_or(Version::new(0, 0, 0));
        let read = Self {
            name: root.text("name").unwrap_or_default(),
            text: root.text("text").unwrap_or_default(),
            version,
            requires: versions(&root, "requires"),
            conflicts: versions(&root, "conflicts"),
            load_after: list(&root, "load_after"),
            remove: list(&root, "remove"),
            id: id?,
            game: game?,
        };
        root.finish(keys::manifest);
        Some(read)
    }
}

/// An error in a file.
pub(crate) fn fault_at(
    source: &SourceFile,
    span: Span,
    code: &'static str,
    message: String,
    help: Option<String>,
) -> Diagnostic {
    let Location { file, line, column } = place_in(source, span);
    // Both quote the file.
    let (message, help) = (clean_message(message), help.map(clean_message));
    let (severity, related) = (Severity::Error, Vec::new());
    Diagnostic { severity, code, file, line, column, start: span.0, end: span.1, message, help, related }
}

/// Location of a span in a file.
pub(crate) fn place_in(source: &SourceFile, span: Span) -> Location {
    let (line, column) = source.position(span.0);
    Location { file: source.path.clone(), line, column }
}

fn named(root: &Table<'_>, key: &str) -> Option<PlacedName> {
    let node = root.need(key)?;
    let name = node.text()?;
    let noun = if key == "id" { "mod" } else { "game" };
    check_name_as(&Key { doc: node.doc, text: name, span: node.span }, noun, NameUse::Folder);
    is_name(name).then(|| PlacedName { name: name.to_owned(), span: node.span })
}

/// Reads a version, such as `1.0.0`.
pub(crate) fn version(node: &Node<'_>) -> Option<Version> {
    let text = node.text()?;
    let version = Version::parse(text);
    if let Err(error) = &version {
        let help = Some("write three numbers: \"1.0.0\"".to_owned());
        node.fault("bad-version", format!("`{text}` is not a version: {error}"), help);
    }
    version.ok()
}

/// Reads `{ id = ">=1.2, <2" }`, or a list of ids, which allows every version.
fn versions(root: &Table<'_>, key: &str) -> Vec<Versions> {
    let Some(node) = root.get(key) else { return Vec::new() };
    if !node.is_table() && !node.is_list() {
        node.wrong_type("a table of ids and versions, or a list of ids");
        return Vec::new();
    }
    if !node.is_table() {
        let of = names(&node).into_iter();
        return of.map(|of| Versions { of, range: VersionReq::STAR }).collect();
    }
    let entries = node.table(node.what.clone()).map(|table| table.entries()).unwrap_or_default();
    let read = |(key, node): (Key<'_>, Node<'_>)| {
        check_name(&key, "mod");
        let text = node.text()?;
        match VersionReq::parse(text) {
            Ok(range) => Some(Versions { of: PlacedName { name: key.text.to_owned(), span: node.span }, range }),
            Err(error) => {
                let help = Some("write \"^1.2\", \">=1.2, <3\" or \"*\"".to_owned());
                node.fault("bad-version", format!("`{text}` is not a version range: {error}"), help);
                None
            }
        }
    };
    entries.into_iter().filter_map(read).collect()
}

fn list(root: &Table<'_>, key: &str) -> Vec<PlacedName> {
    root.get(key).map(|node| names(&node)).unwrap_or_default()
}

fn names(node: &Node<'_>) -> Vec<PlacedName> {
    let elements = node.list(true).unwrap_or_default();
    let named = |node: &Node<'_>| Some(PlacedName { name: node.text()?.to_owned(), span: node.span });
    elements.iter().filter_map(named).collect()
}
