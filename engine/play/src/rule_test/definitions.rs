//! The methods of `t` that read the definitions of the content, so that no test repeats their numbers.

use mlua::{Lua, Value};
use motherlode::Game;
use motherlode::declare::{Definition, Kind};

use super::case::{Args, Case};
use super::suggest::meant;
use super::values;

/// A kind and its definitions.
fn kind<'g>(game: &'g Game, name: &str) -> Result<(&'g Kind, &'g [Definition]), String> {
    let d = game.declarations();
    let Some(kind) = d.kinds.get(name) else {
        return Err(format!("there is no kind `{name}`{}", meant(name, d.kinds.keys().map(String::as_str))));
    };
    Ok((kind, d.definitions.get(kind.first..kind.first + kind.len).unwrap_or_default()))
}

/// A kind, given as the first argument, and one of its definitions, given as the second.
fn definition<'g>(game: &'g Game, args: &Args) -> Result<(&'g Kind, &'g Definition), String> {
    let (name, id) = (args.text(0, "kind")?, args.text(1, "id")?);
    let (kind, definitions) = kind(game, &name)?;
    match definitions.iter().find(|definition| definition.id == id) {
        Some(definition) => Ok((kind, definition)),
        None => {
            let ids = definitions.iter().map(|definition| definition.id.as_str());
            Err(format!("there is no `{id}` among {name}{}", meant(&id, ids)))
        }
    }
}

/// `t.ids("buildings")`: the ids of all definitions of a kind.
pub(super) fn ids(case: &mut Case, lua: &Lua, args: &Args) -> Result<Value, String> {
    args.at_most(1)?;
    let (_, definitions) = kind(&case.game, &args.text(0, "kind")?)?;
    let ids = definitions.iter().map(|definition| definition.id.as_str());
    lua.create_sequence_from(ids).map(Value::Table).map_err(|error| error.to_string())
}

/// `t.each("buildings")`: the same, for a test that checks each of them by itself. Where only what a change concerns is tested, it gives those
/// that have changed, perhaps none.
pub(super) fn each(case: &mut Case, lua: &Lua, args: &Args) -> Result<Value, String> {
    args.at_most(1)?;
    let (kind, definitions) = kind(&case.game, &args.text(0, "kind")?)?;
    let wanted = |index: usize| case.changed.is_empty() || case.changed.contains(&index);
    let ids: Vec<&str> = definitions
        .iter()
        .enumerate()
        .filter(|(place, _)| wanted(kind.first + place))
        .map(|(_, definition)| definition.id.as_str())
        .collect();
    // A test without any has nothing to check.
    case.checks += u32::from(ids.is_empty());
    lua.create_sequence_from(ids).map(Value::Table).map_err(|error| error.to_string())
}

/// `t.attr("buildings", "mine", "cost")`: an attribute of a definition.
pub(super) fn attr(case: &mut Case, lua: &Lua, args: &Args) -> Result<Value, String> {
    args.at_most(3)?;
    let attribute = args.text(2, "attribute")?;
    let (kind, definition) = definition(&case.game, args)?;
    let Some(index) = kind.attributes.get_index_of(&attribute) else {
        let known = kind.attributes.keys().map(String::as_str);
        return Err(format!("{} have no attribute `{attribute}`{}", args.text(0, "kind")?, meant(&attribute, known)));
    };
    match definition.attributes.get(index) {
        Some(value) => values::from_content(lua, value).map_err(|error| error.to_string()),
        None => Ok(Value::Nil),
    }
}

/// `t.verbs("cards", "lucky_vein", "played")`: the verbs of a hook with their arguments; nil if it is missing or a script.
pub(super) fn verbs(case: &mut Case, lua: &Lua, args: &Args) -> Result<Value, String> {
    args.at_most(3)?;
    let hook = args.text(2, "hook")?;
    let (kind, definition) = definition(&case.game, args)?;
    if !kind.hooks.contains_key(&hook) {
        let known = kind.hooks.keys().map(String::as_str);
        return Err(format!("{} have no hook `{hook}`{}", args.text(0, "kind")?, meant(&hook, known)));
    }
    let Some(calls) = definition.verbs.get(&hook) else { return Ok(Value::Nil) };
    let list = || -> mlua::Result<Value> {
        let list = lua.create_table()?;
        for call in calls {
            let args = lua.create_table()?;
            for (name, value) in &call.args {
                args.raw_set(name.as_str(), values::from_content(lua, value)?)?;
            }
            let entry = lua.create_table()?;
            entry.raw_set("verb", call.verb.as_str())?;
            entry.raw_set("args", args)?;
            list.raw_push(entry)?;
        }
        Ok(Value::Table(list))
    };
    list().map_err(|error| error.to_string())
}
