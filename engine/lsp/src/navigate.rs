//! Definition, references and rename.

use std::collections::BTreeMap;

use motherlode::Severity;
use motherlode_check::check;
use motherlode_check::references::{Reference, SHARED, Symbol, symbols};
use motherlode_content::Mod;
use serde_json::{Value, json};

use crate::path::to_uri;
use crate::place::range;
use crate::workspace::{Snapshot, Unit, Workspace};

/// The reference at a byte of a file.
pub(crate) fn symbol_at(snapshot: &Snapshot, shown: &str, offset: usize) -> Option<Reference> {
    let here = |one: &&Reference| one.file == shown && one.span.0 <= offset && offset <= one.span.1;
    let mut found: Vec<Reference> = snapshot.references().iter().filter(here).cloned().collect();
    // Definitions are more telling than attributes of the same name.
    found.sort_by_key(|one| (!one.symbol.sort.starts_with("id:"), one.symbol.clone()));
    found.into_iter().next()
}

fn location(workspace: &Workspace, unit: &Unit, snapshot: &Snapshot, one: &Reference) -> Value {
    let text = snapshot.text(&one.file).unwrap_or_default();
    json!({ "uri": to_uri(&workspace.real(unit, &one.file)), "range": range(text, one.span) })
}

/// The places that name the symbol at a byte; of these, only the declarations if `declarations`.
pub(crate) fn places(
    workspace: &Workspace,
    unit: &Unit,
    snapshot: &Snapshot,
    (shown, offset): (&str, usize),
    declarations: bool,
) -> Value {
    let Some(here) = symbol_at(snapshot, shown, offset) else { return Value::Null };
    let of = snapshot.references().iter().filter(|one| one.symbol == here.symbol && (!declarations || one.declares));
    of.map(|one| location(workspace, unit, snapshot, one)).collect()
}

/// The range of the name at a byte, if it can be renamed. `moves_files`: whether the editor renames files as part of a rename.
///
/// # Errors
/// The reason why the name cannot be changed.
pub(crate) fn prepare(snapshot: &Snapshot, shown: &str, offset: usize, moves_files: bool) -> Result<Value, String> {
    let here = renamable(snapshot, shown, offset, moves_files)?;
    let text = snapshot.text(shown).unwrap_or_default();
    Ok(json!({ "range": range(text, here.span), "placeholder": here.symbol.name }))
}

fn renamable(snapshot: &Snapshot, shown: &str, offset: usize, moves_files: bool) -> Result<Reference, String> {
    let here = symbol_at(snapshot, shown, offset).ok_or("there is no declared name here")?;
    let Symbol { sort, name } = &here.symbol;
    if sort == "kind" && !moves_files {
        return Err(format!("`{name}` is a kind: rename its files {name}.toml and {name}.luau, too"));
    }
    if sort == SHARED || sort.starts_with(&format!("{SHARED}:")) {
        let is_shared = |one: &&Reference| one.symbol.sort == SHARED && one.symbol.name == *name;
        if let Some(one) = snapshot.references().iter().find(is_shared) {
            let text = snapshot.text(&one.file).unwrap_or_default();
            let line = text[..one.span.0].matches('\n').count() + 1;
            let place = format!("{}:{line}", one.file);
            return Err(format!("{place} reads `{name}` for verbs that declare it separately: rename it there first"));
        }
    }
    let is_declared = snapshot.references().iter().any(|one| one.symbol == here.symbol && one.declares);
    if !is_declared {
        return Err(format!("`{name}` is declared by the engine or by a product, not in a file"));
    }
    Ok(here)
}

/// Renames the name at a byte in all files, and the files of a kind. The changed game is checked first.
///
/// # Errors
/// The name cannot be renamed, the new one is wrong or exists, or the check finds an error in the changed game.
pub(crate) fn rename(
    workspace: &Workspace,
    unit: &Unit,
    snapshot: &Snapshot,
    (shown, offset): (&str, usize),
    new: &str,
    moves_files: bool,
) -> Result<Value, String> {
    let here = renamable(snapshot, shown, offset, moves_files)?;
    let is_name = new.starts_with(|c: char| c.is_ascii_lowercase())
        && new.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !is_name {
        return Err(format!("`{new}` is not a name: use small letters, digits and `_`, such as `toll_stair`"));
    }
    let has_new = |one: &Symbol| one.sort == here.symbol.sort && one.name == new;
    let declared = snapshot.references().iter().filter(|one| one.declares);
    if symbols(&snapshot.declarations).iter().chain(declared.map(|one| &one.symbol)).any(has_new) {
        return Err(format!("`{new}` exists already"));
    }
    let mut files: BTreeMap<&str, Vec<&Reference>> = BTreeMap::new();
    for one in snapshot.references().iter().filter(|one| one.symbol == here.symbol) {
        files.entry(one.file.as_str()).or_default().push(one);
    }
    let mut pack = snapshot.pack.clone();
    let mut changes = serde_json::Map::new();
    for (file, places) in files {
        let text = snapshot.text(file).unwrap_or_default();
        let mut changed = text.to_owned();
        for one in places.iter().rev() {
            changed.replace_range(one.span.0..one.span.1, new);
        }
        if !snapshot.tests.iter().any(|test| test.path == file) {
            pack.set_text(file, changed);
        }
        let edits = places.iter().map(|one| json!({ "range": range(text, one.span), "newText": new })).collect();
        changes.insert(to_uri(&workspace.real(unit, file)), edits);
    }
    let moved = if here.symbol.sort == "kind" { files_of(snapshot, &here.symbol.name, new) } else { Vec::new() };
    moved.iter().for_each(|(from, to)| pack.rename(from, to));
    let is_sound = check(&snapshot.pack).is_ok();
    if let (true, Err(found)) = (is_sound, check(&pack)) {
        let first = found.list.iter().find(|one| one.severity == Severity::Error);
        let reason = first.map(|one| format!("{}:{}: {}", one.file, one.line, one.message)).unwrap_or_default();
        return Err(format!("the game has an error after the rename, so nothing changes: {reason}"));
    }
    if moved.is_empty() {
        return Ok(json!({ "changes": changes }));
    }
    let edit = |(uri, edits)| json!({ "textDocument": { "uri": uri, "version": null }, "edits": edits });
    let moves = moved.iter().map(|(from, to)| {
        let [from, to] = [from, to].map(|file| to_uri(&workspace.real(unit, file)));
        json!({ "kind": "rename", "oldUri": from, "newUri": to })
    });
    Ok(json!({ "documentChanges": changes.into_iter().map(edit).chain(moves).collect::<Value>() }))
}

/// The files of a kind in all layers, each with its new displayed path.
fn files_of(snapshot: &Snapshot, kind: &str, new: &str) -> Vec<(String, String)> {
    let of_mods = snapshot.pack.mods().iter().flat_map(Mod::files);
    let game = &snapshot.pack.id;
    let moved = |path: &str| {
        let rooms = [("content", "toml"), ("scripts", "luau")];
        rooms.iter().find_map(|(room, ending)| {
            let layer = path.strip_suffix(&format!("{room}/{game}/{kind}.{ending}"))?;
            let is_whole = layer.is_empty() || layer.ends_with('/');
            is_whole.then(|| (path.to_owned(), format!("{layer}{room}/{game}/{new}.{ending}")))
        })
    };
    snapshot.pack.files.iter().chain(of_mods).filter_map(|file| moved(&file.path)).collect()
}
