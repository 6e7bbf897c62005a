//! Sorts mods into load order, and checks that they fit together.

use std::collections::BTreeSet;

use semver::Version;

use super::Mod;
use crate::diagnostic::nearest;

/// The game under the mods: its id, and its version if valid.
#[derive(Debug)]
pub(crate) struct Base<'a> {
    pub(crate) id: &'a str,
    pub(crate) version: Option<Version>,
}

/// The mods in load order: each after those that it builds on, otherwise by id. Independent of the given order.
/// Faults are recorded in the mods.
pub(crate) fn order(mods: Vec<Mod>, base: &Base<'_>) -> Vec<Mod> {
    let mut waiting = unique(mods);
    let active: Vec<(String, Version)> =
        waiting.iter().map(|one| (one.id().to_owned(), one.manifest.version.clone())).collect();
    for one in &mut waiting {
        check(one, &active, base);
        let required = one.manifest.requires.iter().map(|required| &required.of);
        let named = required.chain(&one.manifest.load_after).map(|of| of.name.clone());
        one.knows = named.filter(|name| active.iter().any(|(id, _)| id == name)).collect();
    }
    let mut sorted: Vec<Mod> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let free = |one: &Mod| one.knows.iter().all(|known| sorted.iter().any(|other| other.id() == known));
        let next = waiting.iter().position(free).unwrap_or_else(|| {
            let path = cycle(&waiting);
            let first = path.first().and_then(|id| waiting.iter().position(|one| one.id() == id)).unwrap_or(0);
            report_cycle(&mut waiting[first], &path);
            first
        });
        let mut one = waiting.remove(next);
        let further: BTreeSet<String> = sorted
            .iter()
            .filter(|other| one.knows.contains(other.id()))
            .flat_map(|other| other.knows.iter().cloned())
            .collect();
        one.knows.extend(further);
        // In a cycle, a mod knows only those loaded before it.
        one.knows.retain(|known| sorted.iter().any(|other| other.id() == known));
        sorted.push(one);
    }
    sorted
}

/// The mods by id, without duplicates.
fn unique(mut mods: Vec<Mod>) -> Vec<Mod> {
    mods.sort_by(|a, b| (a.id(), &a.origin).cmp(&(b.id(), &b.origin)));
    let mut unique: Vec<Mod> = Vec::with_capacity(mods.len());
    for one in mods {
        match unique.last_mut() {
            Some(last) if last.id() == one.id() => {
                let message = format!("mod `{}` is given twice: {} and {}", one.id(), last.origin, one.origin);
                last.fault(last.manifest.id.span, "duplicate-mod", message, None);
            }
            _ => unique.push(one),
        }
    }
    unique
}

/// Checks whether a mod can be loaded with the others.
fn check(one: &mut Mod, active: &[(String, Version)], base: &Base<'_>) {
    let manifest = one.manifest.clone();
    let id = &manifest.id.name;
    if manifest.game.name != base.id {
        let message = format!("mod `{id}` is for `{}`, not for `{}`", manifest.game.name, base.id);
        one.fault(manifest.game.span, "wrong-game", message, None);
    }
    let version_of = |name: &str| match active.iter().find(|(id, _)| id == name) {
        Some((_, version)) => Some(version.clone()),
        None if name == base.id => base.version.clone(),
        None => None,
    };
    for required in &manifest.requires {
        let (name, range) = (&required.of.name, &required.range);
        match version_of(name) {
            Some(version) if range.matches(&version) => {}
            Some(version) => {
                let message = format!("mod `{id}` requires `{name}` {range}, but the active version is {version}");
                one.fault(required.of.span, "wrong-version", message, None);
            }
            None => {
                let near = nearest(name, active.iter().map(|(id, _)| id.as_str()).filter(|other| other != id));
                let help =
                    near.map_or_else(|| "add it with `--mod`".to_owned(), |near| format!("did you mean `{near}`?"));
                let message = format!("mod `{id}` requires `{name}` {range}, which is not active");
                one.fault(required.of.span, "missing-mod", message, Some(help));
            }
        }
    }
    for other in &manifest.conflicts {
        let (name, range) = (&other.of.name, &other.range);
        if let Some(version) = version_of(name).filter(|version| range.matches(version)) {
            let message = format!("mod `{id}` cannot be active together with `{name}` {version}");
            let help = Some("leave one of them out".to_owned());
            one.fault(other.of.span, "mod-conflict", message, help);
        }
    }
}

/// A cycle among mods that wait for each other, starting at the smallest id.
fn cycle(waiting: &[Mod]) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    let mut at = waiting.first();
    while let Some(one) = at {
        if let Some(from) = path.iter().position(|id| id == one.id()) {
            path.drain(..from);
            break;
        }
        path.push(one.id().to_owned());
        at = one.knows.iter().find_map(|known| waiting.iter().find(|other| other.id() == known));
    }
    let least = path.iter().enumerate().min_by_key(|(_, id)| id.as_str()).map_or(0, |(index, _)| index);
    path.rotate_left(least);
    path
}

fn report_cycle(one: &mut Mod, path: &[String]) {
    let shown: Vec<String> = path.iter().chain(path.first()).map(|id| format!("`{id}`")).collect();
    let next = path.get(1).or(path.first());
    let manifest = &one.manifest;
    let named = manifest.requires.iter().map(|required| &required.of).chain(&manifest.load_after);
    let span = named.into_iter().find(|of| Some(&of.name) == next).map_or((0, 0), |of| of.span);
    let message = format!("the load order of mods forms a cycle: {}", shown.join(" after "));
    one.fault(span, "cycle", message, Some("remove one of these dependencies".to_owned()));
}
