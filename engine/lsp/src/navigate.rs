//! Definition, references and rename.

use std::collections::BTreeMap;

use motherlode::Severity;
use motherlode_check::check;
use motherlode_check::references::{Reference, symbols};
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

/// The range of the name at a byte, if it can be renamed.
///
/// # Errors
/// The reason why the name cannot be changed.
pub(crate) fn prepare(snapshot: &Snapshot, shown: &str, offset: usize) -> Result<Value, String> {
    let here = renamable(snapshot, shown, offset)?;
    let text = snapshot.text(shown).unwrap_or_default();
    Ok(json!({ "range": range(text, here.span), "placeholder": here.symbol.name }))
}

fn renamable(snapshot: &Snapshot, shown: &str, offset: usize) -> Result<Reference, String> {
    let here = symbol_at(snapshot, shown, offset).ok_or("there is no declared name here")?;
    if here.symbol.sort == "kind" {
        return Err(format!("`{0}` is a kind: rename its files {0}.toml and {0}.luau, too", here.symbol.name));
    }
    let is_declared = snapshot.references().iter().any(|one| one.symbol == here.symbol && one.declares);
    if !is_declared {
        return Err(format!("`{}` is declared by the engine or by a product, not in a file", here.symbol.name));
    }
    Ok(here)
}

/// Renames the name at a byte in all files. The changed game is checked first.
///
/// # Errors
/// The name cannot be renamed, the new one is wrong or exists, or the check finds an error in the changed game.
pub(crate) fn rename(
    workspace: &Workspace,
    unit: &Unit,
    snapshot: &Snapshot,
    (shown, offset): (&str, usize),
    new: &str,
) -> Result<Value, String> {
    let here = renamable(snapshot, shown, offset)?;
    let is_name = new.starts_with(|c: char| c.is_ascii_lowercase())
        && new.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !is_name {
        return Err(format!("`{new}` is not a name: use small letters, digits and `_`, such as `toll_stair`"));
    }
    if symbols(&snapshot.declarations).iter().any(|one| one.sort == here.symbol.sort && one.name == new) {
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
    let is_sound = check(&snapshot.pack).is_ok();
    if let (true, Err(found)) = (is_sound, check(&pack)) {
        let first = found.list.iter().find(|one| one.severity == Severity::Error);
        let reason = first.map(|one| format!("{}:{}: {}", one.file, one.line, one.message)).unwrap_or_default();
        return Err(format!("the game has an error after the rename, so nothing changes: {reason}"));
    }
    Ok(json!({ "changes": changes }))
}
