//! Where a value comes from: what every layer says about it.

use indexmap::IndexMap;
use motherlode::Game;
use motherlode::tools::{Contribution, ContributionKind};
use motherlode_content::declare::Location;
use motherlode_content::diagnostic::suggestion;
use motherlode_content::document::{Document, Faults, Node, Table};
use motherlode_content::files::Files;
use motherlode_content::merge::{shown_path, split_path};
use motherlode_content::pack::Pack;

/// What the layers say about one field, lowest first: the last one holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// The field: `tiles.lake.cost`.
    pub path: String,
    /// What each layer does.
    pub settings: Vec<Setting>,
}

/// What one layer does to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// 0 for the game itself, n for the n-th mod over it.
    pub layer: usize,
    /// The value as it is written; `None`: it is removed.
    pub value: Option<String>,
    /// Where.
    pub place: Location,
}

/// A path that no layer sets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing sets `{path}`{}", help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct Unset {
    /// The path that was asked for.
    pub path: String,
    /// What may have been meant.
    pub help: Option<String>,
}

/// Everything at a path or below it: `tiles.lake.cost`, or `lake.cost` if only one file has a `lake`; what stands in game.toml may be
/// named without `game`.
///
/// # Errors
/// No layer sets it.
pub fn explain(pack: &Pack, path: &str) -> Result<Vec<Explained>, Unset> {
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
    let (stem, keys) = resolve(path, &stems, &docs)?;
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
    Ok(found.into_iter().map(|(keys, settings)| Explained { path: shown_path(stem, &keys), settings }).collect())
}

/// What each layer does to every function of the scripts.
#[must_use]
pub fn functions(game: &Game) -> Vec<Explained> {
    let setting = |one: &Contribution| {
        let value = match one.kind {
            ContributionKind::Adds => "function",
            ContributionKind::Replaces => "function in its place",
            ContributionKind::Wraps => "function around it",
        };
        let place = Location { file: one.file.clone(), line: one.line, column: 1 };
        Setting { layer: one.layer, value: Some(value.to_owned()), place }
    };
    let of = |(path, all): (&String, &Vec<Contribution>)| Explained {
        path: path.clone(),
        settings: all.iter().map(setting).collect(),
    };
    game.contributions().iter().map(of).collect()
}

/// Whether a path is `start` or lies below it.
fn begins(path: &[String], start: &[&str]) -> bool {
    path.len() >= start.len() && path.iter().zip(start).all(|(a, b)| a == b)
}

/// Stem and keys of a path, which may leave out the stem.
fn resolve<'s>(
    path: &'s str,
    stems: &[&'s str],
    docs: &IndexMap<&'s str, Vec<(usize, Document<'_>)>>,
) -> Result<(&'s str, Vec<&'s str>), Unset> {
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
            Err(Unset { path: path.to_owned(), help: suggestion(first, known) })
        }
        _ => {
            let several: Vec<String> = homes.iter().map(|home| format!("`{home}.{path}`")).collect();
            Err(Unset { path: path.to_owned(), help: Some(format!("is it {}?", several.join(" or "))) })
        }
    }
}

/// The nearest names at the first key that is wrong.
fn unset(path: &str, keys: &[&str], layers: &[(usize, Document<'_>)]) -> Unset {
    let help = (0..keys.len()).find_map(|depth| {
        let mut names: Vec<String> = Vec::new();
        for (_, document) in layers {
            below(document.root(""), &keys[..depth], &mut |table| names.extend(table.own_names()));
        }
        let known = names.iter().any(|name| name == keys[depth]);
        (!known).then(|| suggestion(keys[depth], names.iter().map(String::as_str))).flatten()
    });
    Unset { path: path.to_owned(), help }
}

fn below<'d>(table: Table<'d>, keys: &[&str], then: &mut impl FnMut(&Table<'d>)) {
    match keys.split_first() {
        None => then(&table),
        Some((key, rest)) => {
            if let Some(node) = table.get(key).filter(Node::is_table)
                && let Some(table) = node.table("")
            {
                below(table, rest, then);
            }
        }
    }
}

/// Calls `each` for every value under these keys.
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
