//! Layers: applies mods to the game and to earlier mods.
//!
//! The files of one stem are merged as TOML before anything is read, so that a game with mods is read, checked and
//! laid out like any other. Tables are merged key by key; all other values, including lists, are replaced. Every
//! value keeps its location, so that a fault names its layer.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::declare::Location;
use super::diagnostic::{Related, suggestion};
use super::document::{Document, Faults, Span};
use super::files::LayerFile;
use super::mods::Mod;
use super::mods::manifest::{PlacedName, fault_at, place_in};

/// Tables whose keys are names: two mods may each add entries.
const SECTIONS: [&str; 17] = [
    "options",
    "counters",
    "zones",
    "grids",
    "kinds",
    "attributes",
    "hooks",
    "labels",
    "args",
    "values",
    "events",
    "filters",
    "listeners",
    "modifiers",
    "before",
    "instead",
    "on",
];
/// The tables of reactions.toml.
const REACTIONS: [&str; 4] = ["events", "filters", "listeners", "modifiers"];

/// Merges the documents of all stems.
pub fn merge<'p>(
    files: &IndexMap<&'p str, Vec<LayerFile<'p>>>,
    mods: &'p [Mod],
    faults: &'p Faults,
) -> IndexMap<&'p str, Document<'p>> {
    let stems: Vec<&str> = files.keys().copied().collect();
    let mut removals = Removals::read(mods, &stems, faults);
    let mut merged = IndexMap::new();
    for (stem, parts) in files {
        let mut parts = parts.iter();
        let Some((lowest, source)) = parts.next() else { continue };
        let document = Document::parse(source, faults);
        let mut merge = Merge { stem, mods, layer: *lowest, document, touched: BTreeMap::new() };
        if *lowest > 0 {
            // A file that a mod introduces counts as changed by it.
            let brought = std::mem::take(&mut merge.document.table);
            let mut into = DeTable::new();
            merge.table(&mut into, brought, &mut Vec::new(), false);
            merge.document.table = into;
        }
        let mut parts = parts.peekable();
        for layer in lowest + 1..=mods.len() {
            merge.layer = layer;
            for path in removals.of(stem, layer) {
                merge.remove(&path, faults);
            }
            if let Some((_, source)) = parts.next_if(|(of, _)| *of == layer) {
                let over = merge.document.parse_part(source);
                let mut into = std::mem::take(&mut merge.document.table);
                merge.table(&mut into, over, &mut Vec::new(), false);
                merge.document.table = into;
            }
        }
        merged.insert(*stem, merge.document);
    }
    merged
}

/// The names removed by mods, by stem and layer.
struct Removals<'p>(BTreeMap<(&'p str, usize), Vec<Removal<'p>>>);

#[derive(Debug, Clone)]
struct Removal<'p> {
    named: &'p PlacedName,
    path: Vec<&'p str>,
}

impl<'p> Removals<'p> {
    fn read(mods: &'p [Mod], stems: &[&'p str], faults: &Faults) -> Self {
        let mut removals: BTreeMap<(&str, usize), Vec<Removal<'_>>> = BTreeMap::new();
        for (one, layer) in mods.iter().zip(1..) {
            for named in &one.manifest.remove {
                let (stem, path) = split_path(&named.name, stems);
                if stems.contains(&stem) && !path.is_empty() {
                    removals.entry((stem, layer)).or_default().push(Removal { named, path });
                    continue;
                }
                let message = format!("there is nothing to remove at `{}`", named.name);
                let help = if path.is_empty() {
                    Some("write `<file>.<name>` or `<file>.<name>.<field>`".to_owned())
                } else {
                    suggestion(stem, stems.iter().copied().chain(SECTIONS.into_iter().take(5)))
                };
                faults.push(fault_at(&one.source, named.span, "unknown-path", message, help));
            }
        }
        Self(removals)
    }

    fn of(&mut self, stem: &'p str, layer: usize) -> Vec<Removal<'p>> {
        self.0.remove(&(stem, layer)).unwrap_or_default()
    }
}

/// Splits `buildings.mine.cost` into a stem and the keys below it; keys of game.toml may omit `game`, and those of
/// reactions.toml `reactions`.
pub fn split_path<'p>(path: &'p str, stems: &[&'p str]) -> (&'p str, Vec<&'p str>) {
    let mut keys: Vec<&str> = path.split('.').map(str::trim).collect();
    let first = keys[0];
    if !stems.contains(&first) && SECTIONS[..5].contains(&first) {
        return ("game", keys);
    }
    if !stems.contains(&first) && REACTIONS.contains(&first) {
        return ("reactions", keys);
    }
    keys.remove(0);
    (first, keys)
}

/// A path as text.
pub fn shown_path(stem: &str, path: &[impl AsRef<str>]) -> String {
    let keys = path.iter().map(AsRef::as_ref);
    let stem = if stem == "game" && path.len() > 1 { None } else { Some(stem) };
    stem.into_iter().chain(keys).collect::<Vec<_>>().join(".")
}

struct Merge<'p> {
    stem: &'p str,
    mods: &'p [Mod],
    layer: usize,
    document: Document<'p>,
    /// The keys set, added or removed by mods, with the last mod for each.
    touched: BTreeMap<Vec<String>, (usize, Related)>,
}

impl<'p> Merge<'p> {
    /// Merges a table over another. `quiet` suppresses conflicts below a reported one.
    fn table(&mut self, into: &mut DeTable<'p>, over: DeTable<'p>, path: &mut Vec<String>, quiet: bool) {
        for (key, value) in over {
            let name = key.get_ref().to_string();
            let section = SECTIONS.contains(&name.as_str());
            path.push(name);
            let span = (key.span().start, key.span().end);
            let (place_of_value, value) = (value.span(), value.into_inner());
            let found = into.get_mut(key.get_ref().as_ref());
            match (found.map(Spanned::get_mut), value) {
                (Some(DeValue::Table(into)), DeValue::Table(over)) => {
                    let reported = quiet || self.clashes_exactly(path, span);
                    self.table(into, over, path, reported);
                }
                (Some(_), value) => {
                    self.touch(path, span, quiet);
                    if let Some(old) = into.get_mut(key.get_ref().as_ref()) {
                        *old = Spanned::new(place_of_value, value);
                    }
                }
                (None, DeValue::Table(over)) if section => {
                    let mut fresh = DeTable::new();
                    self.table(&mut fresh, over, path, quiet);
                    into.insert(key, Spanned::new(place_of_value, DeValue::Table(fresh)));
                }
                (None, value) => {
                    self.touch(path, span, quiet);
                    into.insert(key, Spanned::new(place_of_value, value));
                }
            }
            path.pop();
        }
    }

    fn remove(&mut self, removal: &Removal<'p>, faults: &Faults) {
        let source = &self.mods[self.layer - 1].source;
        let mut table = &mut self.document.table;
        let (last, before) = (removal.path.len() - 1, &removal.path);
        for (index, key) in before.iter().enumerate() {
            let Some(found) = table.get(*key) else {
                let keys: Vec<String> = table.keys().map(|key| key.get_ref().to_string()).collect();
                let message = format!("there is nothing to remove at `{}`", removal.named.name);
                let help = suggestion(key, keys.iter().map(String::as_str));
                return faults.push(fault_at(source, removal.named.span, "unknown-path", message, help));
            };
            if index < last && !found.get_ref().is_table() {
                let message =
                    format!("`{}` is not a table, so there is nothing to remove in it", before[..=index].join("."));
                return faults.push(fault_at(source, removal.named.span, "unknown-path", message, None));
            }
            if index == last {
                table.remove(*key);
                break;
            }
            let Some(DeValue::Table(next)) = table.get_mut(*key).map(Spanned::get_mut) else { return };
            table = next;
        }
        let path: Vec<String> = removal.path.iter().map(|key| (*key).to_owned()).collect();
        let span = removal.named.span;
        if let Some((other, at)) = self.clash(&path) {
            let (message, help) = self.conflict(&path, other);
            faults.push(fault_at(source, span, "two-mods", message, help).with_related(at));
        }
        let Location { file, line, column } = place_in(source, span);
        let related = Related { file, line, column, start: span.0, end: span.1, message: self.sets_it() };
        self.touched.insert(path, (self.layer, related));
    }

    /// Records that this layer sets a path, and reports a conflict with an independent mod.
    fn touch(&mut self, path: &[String], span: Span, quiet: bool) {
        if let Some((other, at)) = self.clash(path).filter(|_| !quiet) {
            let (message, help) = self.conflict(path, other);
            self.document.fault_beside(span, "two-mods", message, help, vec![at]);
        }
        if self.layer > 0 {
            let related = self.document.related(span, self.sets_it());
            self.touched.insert(path.to_vec(), (self.layer, related));
        }
    }

    /// Whether an independent mod has introduced this very table; reports that as a conflict.
    fn clashes_exactly(&self, path: &[String], span: Span) -> bool {
        let Some((other, at)) = self.touched.get(path).filter(|(other, _)| !self.knows(*other)) else { return false };
        let (message, help) = self.conflict(path, *other);
        self.document.fault_beside(span, "two-mods", message, help, vec![at.clone()]);
        true
    }

    /// An independent layer that has changed this path, a parent or a child of it.
    fn clash(&self, path: &[String]) -> Option<(usize, Related)> {
        let above = (1..=path.len()).filter_map(|len| self.touched.get(&path[..len]));
        let below =
            self.touched.range(path.to_vec()..).take_while(|(other, _)| other.starts_with(path)).map(|(_, of)| of);
        above.chain(below).find(|(other, _)| !self.knows(*other)).cloned()
    }

    fn knows(&self, other: usize) -> bool {
        other == self.layer || self.mods[self.layer - 1].knows.contains(self.mods[other - 1].id())
    }

    /// Text that names this layer's mod as the one that sets a place, for faults of later mods.
    fn sets_it(&self) -> String {
        format!("`{}` sets it", self.mods[self.layer - 1].id())
    }

    fn conflict(&self, path: &[String], other: usize) -> (String, Option<String>) {
        let (one, other) = (self.mods[self.layer - 1].id(), self.mods[other - 1].id());
        let path = shown_path(self.stem, path);
        let message = format!("mods `{other}` and `{one}` both set `{path}`");
        let help =
            format!("use only one of them, or declare their order in {one}/mod.toml: `load_after = [\"{other}\"]`");
        (message, Some(help))
    }
}

/// Names of definitions, phases and so on that mods have removed, as `<stem>.<name>`. Scripts of lower layers may
/// still have them.
pub fn removed(mods: &[Mod], stems: &[&str]) -> BTreeSet<String> {
    let removals = mods.iter().flat_map(|one| &one.manifest.remove);
    removals.map(|named| split_path(&named.name, stems)).map(|(stem, path)| shown_path(stem, &path)).collect()
}
