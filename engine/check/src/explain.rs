//! Explains where a value comes from, layer by layer, and what reacts to an event.
//!
//! Direction: self, reactions

pub mod reactions;

use indexmap::{IndexMap, IndexSet};
use motherlode::Game;
use motherlode::tools::{Contribution, ContributionKind};
use motherlode_content::declare::Location;
use motherlode_content::diagnostic::{list, nearest, suggestion};
use motherlode_content::document::{Document, Faults, Node, Table};
use motherlode_content::files::Files;
use motherlode_content::merge::{shown_path, split_path};
use motherlode_content::pack::Pack;
use strsim::osa_distance;

/// The settings of one field by all layers, lowest layer first. The last one wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSettings {
    /// Path of the field: `tiles.lake.cost`.
    pub path: String,
    /// One setting for each layer that sets or removes the field.
    pub settings: Vec<Setting>,
}

/// The setting of a field by one layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Index of the layer: 0 for the game, n for its n-th mod.
    pub layer: usize,
    /// Value as written; `None`: the layer removes the field.
    pub value: Option<String>,
    /// File and position of the setting.
    pub place: Location,
}

/// Error for a path that no layer sets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing sets `{path}`{}", help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct UnsetPath {
    /// The requested path.
    pub path: String,
    /// Suggestion of an existing path.
    pub help: Option<String>,
}

impl UnsetPath {
    /// Suggests a script function if its path is nearer than that of a field.
    #[must_use]
    pub fn or_function(self, functions: &[FieldSettings]) -> Self {
        const MAX_EDITS: usize = 2;
        let paths = || functions.iter().map(|function| function.path.as_str());
        let paths = || paths().chain(paths().filter_map(|path| Some(path.split_once('.')?.1)));
        if let Some(near) = nearest(&self.path, paths().filter(|path| osa_distance(&self.path, path) <= MAX_EDITS)) {
            return Self { help: Some(format!("did you mean `{near}`?")), ..self };
        }
        let is_near = self.help.as_ref().is_some_and(|help| help.starts_with("did you mean"));
        let Some((parent, _)) = self.path.rsplit_once('.').filter(|_| !is_near) else { return self };
        let beside: Vec<&str> =
            paths().filter(|path| path.rsplit_once('.').is_some_and(|(of, _)| of == parent)).collect();
        if beside.is_empty() {
            return self;
        }
        let other = self.help.map(|help| format!("{help}; ")).unwrap_or_default();
        Self { help: Some(format!("{other}scripts set {}", list(&beside))), ..self }
    }
}

/// Explains all fields at or below a path, such as `tiles.lake.cost`.
///
/// A path may omit the file: `lake.cost` works if only one file has a `lake`. It may omit the section, too: `gold` finds
/// `counters.gold`.
///
/// # Errors
/// No layer sets the path.
pub fn explain(pack: &Pack, path: &str) -> Result<Vec<FieldSettings>, UnsetPath> {
    let faults = Faults::default();
    let files = Files::of_pack(pack, &faults);
    let stems: Vec<&str> = files.content.keys().copied().collect();
    let docs: IndexMap<&str, Vec<(usize, Document<'_>)>> = files
        .content
        .iter()
        .map(|(stem, parts)| {
            (*stem, parts.iter().map(|(layer, source)| (*layer, Document::parse(source, &faults))).collect())
        })
        .collect();
    let longer = in_section(path, &stems, &docs);
    let (stem, keys) = resolve(longer.as_deref().unwrap_or(path), &stems, &docs)?;
    let mut found: IndexMap<Vec<String>, Vec<Setting>> = IndexMap::new();
    let layers: &[(usize, Document<'_>)] = docs.get(stem).map_or(&[], Vec::as_slice);
    for layer in 0..=pack.mods().len() {
        if let Some(one) = layer.checked_sub(1).and_then(|index| pack.mods().get(index)) {
            for (named, place) in one.removes() {
                let (of, removed) = split_path(named, &stems);
                let gone = found.iter_mut().filter(|(path, _)| of == stem && begins(path, &removed));
                for (_, settings) in gone {
                    settings.push(Setting { layer, value: None, place: place.clone() });
                }
            }
        }
        if let Some((_, document)) = layers.iter().find(|(of, _)| *of == layer) {
            walk(&document.root(""), &keys, &mut Vec::new(), &mut |path, node| {
                let setting = Setting { layer, value: Some(node.written()), place: node.doc.place(node.span) };
                found.entry(path.to_vec()).or_default().push(setting);
            });
        }
    }
    if found.is_empty() {
        return Err(unset(path, &keys, layers));
    }
    Ok(found.into_iter().map(|(keys, settings)| FieldSettings { path: shown_path(stem, &keys), settings }).collect())
}

/// Explains every script function: the layers that add, replace or wrap it.
#[must_use]
pub fn functions(game: &Game) -> Vec<FieldSettings> {
    let setting = |one: &Contribution| {
        let value = match one.kind {
            ContributionKind::Adds => "function",
            ContributionKind::Replaces => "function that replaces it",
            ContributionKind::Wraps => "function that wraps it",
        };
        let place = Location { file: one.file.clone(), line: one.line, column: 1 };
        Setting { layer: one.layer, value: Some(value.to_owned()), place }
    };
    let of = |(path, all): (&String, &Vec<Contribution>)| FieldSettings {
        path: path.clone(),
        settings: all.iter().map(setting).collect(),
    };
    game.contributions().iter().map(of).collect()
}

/// Whether a path equals `start` or is below it.
fn begins(path: &[String], start: &[&str]) -> bool {
    path.len() >= start.len() && path.iter().zip(start).all(|(a, b)| a == b)
}

/// Returns the stem and the keys of a path, which may omit the stem.
fn resolve<'s>(
    path: &'s str,
    stems: &[&'s str],
    docs: &IndexMap<&'s str, Vec<(usize, Document<'_>)>>,
) -> Result<(&'s str, Vec<&'s str>), UnsetPath> {
    let (stem, keys) = split_path(path, stems);
    if stems.contains(&stem) {
        return Ok((stem, keys));
    }
    let names = |stem: &str| -> Vec<String> {
        let layers = docs.get(stem).into_iter().flatten();
        layers.flat_map(|(_, document)| document.root("").own_names()).collect()
    };
    let first = path.split('.').next().unwrap_or_default().trim();
    let homes: Vec<&str> = stems.iter().copied().filter(|stem| names(stem).iter().any(|name| name == first)).collect();
    match homes[..] {
        [home] => Ok((home, path.split('.').map(str::trim).collect())),
        [] => {
            let all: Vec<String> = stems.iter().flat_map(|stem| names(stem)).collect();
            let known = stems.iter().copied().chain(all.iter().map(String::as_str));
            Err(UnsetPath { path: path.to_owned(), help: suggestion(first, known) })
        }
        _ => {
            let several: Vec<String> = homes.iter().map(|home| format!("`{home}.{path}`")).collect();
            Err(UnsetPath { path: path.to_owned(), help: Some(format!("did you mean {}?", several.join(" or "))) })
        }
    }
}

/// Completes a path that omits the section of game.toml, if only one section has the name and no file has it.
fn in_section(path: &str, stems: &[&str], docs: &IndexMap<&str, Vec<(usize, Document<'_>)>>) -> Option<String> {
    let first = path.split('.').next()?.trim();
    let has_name = |(_, document): &(usize, Document<'_>)| document.root("").own_names().contains(first);
    if stems.contains(&first) || docs.values().flatten().any(has_name) {
        return None;
    }
    let mut sections: IndexSet<String> = IndexSet::new();
    for (_, document) in docs.get("game")? {
        for (key, node) in document.root("").entries() {
            let table = node.is_table().then(|| node.table("")).flatten();
            sections.extend(table.filter(|table| table.own_names().contains(first)).map(|_| key.text.to_owned()));
        }
    }
    (sections.len() == 1).then(|| format!("{}.{path}", sections[0]))
}

/// Makes the error with a suggestion for the first unknown key.
fn unset(path: &str, keys: &[&str], layers: &[(usize, Document<'_>)]) -> UnsetPath {
    let help = (0..keys.len()).find_map(|depth| {
        let mut names: Vec<String> = Vec::new();
        for (_, document) in layers {
            visit_table(document.root(""), &keys[..depth], &mut |table| names.extend(table.own_names()));
        }
        let known = names.iter().any(|name| name == keys[depth]);
        (!known).then(|| suggestion(keys[depth], names.iter().map(String::as_str))).flatten()
    });
    UnsetPath { path: path.to_owned(), help }
}

/// Calls `then` for the table at these keys, if there is one.
fn visit_table<'d>(table: Table<'d>, keys: &[&str], then: &mut impl FnMut(&Table<'d>)) {
    match keys.split_first() {
        None => then(&table),
        Some((key, rest)) => {
            if let Some(node) = table.get(key).filter(Node::is_table)
                && let Some(table) = node.table("")
            {
                visit_table(table, rest, then);
            }
        }
    }
}

/// Calls `each` for every value at or below these keys.
fn walk<'d>(table: &Table<'d>, keys: &[&str], path: &mut Vec<String>, each: &mut impl FnMut(&[String], &Node<'d>)) {
    for (key, node) in table.entries() {
        if keys.first().is_some_and(|wanted| *wanted != key.text) {
            continue;
        }
        let rest = keys.get(1..).unwrap_or_default();
        path.push(key.text.to_owned());
        match node.is_table().then(|| node.table("")).flatten() {
            Some(table) => walk(&table, rest, path, each),
            None if rest.is_empty() => each(path, &node),
            None => {}
        }
        path.pop();
    }
}
