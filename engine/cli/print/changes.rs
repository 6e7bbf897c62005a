//! Finds the cards whose face changed since a revision.

use std::collections::HashSet;

use motherlode::Game;
use motherlode::declare::{Icon, KindLook, Look};
use motherlode_check::check;
use motherlode_table::{Face, Faces};

use crate::fault::Fault;
use crate::project::Project;
use crate::revision::{self, Otherwise};

/// Ids of the faces that are new or drawn differently since a git revision.
///
/// # Errors
/// The revision or its game cannot be read.
pub fn since(project: &Project, game: &Game, id: &str, revision: &str) -> Result<HashSet<String>, Fault> {
    let root = project.folder("print --changed-since git:REV")?;
    let pack = revision::read(root, revision, id, Otherwise::Nothing)?.over(project.mods_of(id));
    let old = check(&pack).map_err(|diagnostics| Fault::Content { game: id.to_owned(), diagnostics })?.game;
    Ok(changed(&old, game))
}

fn changed(old: &Game, new: &Game) -> HashSet<String> {
    let (old_look, new_look) = (&old.declarations().look, &new.declarations().look);
    let before = Faces::new(old);
    let icons = changed_icons(old_look, new_look);
    let is_changed = |face: &Face| {
        before.get(&face.id) != Some(face)
            || drawn(old_look, face) != drawn(new_look, face)
            || icons.iter().any(|(name, icon)| shows(new_look, face, name, icon))
    };
    Faces::new(new).iter().filter(|face| is_changed(face)).map(|face| face.id.clone()).collect()
}

/// Icons that were added, removed or changed, by name.
fn changed_icons<'l>(old: &'l Look, new: &'l Look) -> Vec<(&'l str, &'l Icon)> {
    let differing = |one: &'l Look, other: &'l Look| {
        one.icons
            .iter()
            .filter(|(name, icon)| other.icons.get(*name) != Some(icon))
            .map(|(name, icon)| (name.as_str(), icon))
    };
    differing(old, new).chain(differing(new, old)).collect()
}

/// The look of a card's kind, with the icons on its own picture alone.
fn drawn(look: &Look, face: &Face) -> KindLook {
    let (kind, id) = face.id.split_once('.').unwrap_or((&face.id, ""));
    let mut look = look.kinds.get(kind).cloned().unwrap_or_default();
    look.draws.retain(|of, _| of == id);
    look
}

/// Whether a face may show an icon: on its picture, beside a fact, or before a word.
fn shows(look: &Look, face: &Face, name: &str, icon: &Icon) -> bool {
    let is_drawn = drawn(look, face).draws.values().flatten().any(|one| one == name);
    let stands_for =
        |of: &String| face.facts.iter().any(|fact| fact.of == *of || fact.of.split('.').next() == Some(of.as_str()));
    let texts = face.facts.iter().map(|fact| &fact.value).chain([&face.text]);
    let texts: Vec<String> = texts.map(|text| text.to_lowercase()).collect();
    let stands_before = |word: &String| texts.iter().any(|text| text.contains(&word.to_lowercase()));
    is_drawn || icon.of.iter().any(stands_for) || icon.words.iter().any(stands_before)
}
