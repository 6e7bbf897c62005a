//! The methods of `t` that read definitions, so that tests need not repeat their numbers.

use mlua::{Lua, Value};
use motherlode::Game;
use motherlode::declare::{Definition, Kind};

use super::case::{Args, Case};
use super::suggest::did_you_mean;
use super::values;

/// A kind and its definitions.
fn kind<'g>(game: &'g Game, name: &str) -> Result<(&'g Kind, &'g [Definition]), String> {
    let d = game.declarations();
    let Some(kind) = d.kinds.get(name) else {
        return Err(format!("unknown kind `{name}`{}", did_you_mean(name, d.kinds.keys().map(String::as_str))));
    };
    Ok((kind, d.definitions.get(kind.first..kind.first + kind.len).unwrap_or_default()))
}

/// The kind in the first argument, and its definition in the second.
fn definition<'g>(game: &'g Game, args: &Args) -> Result<(&'g Kind, &'g Definition), String> {
    let (name, id) = (args.text(0, "kind")?, args.text(1, "id")?);
    let (kind, definitions) = kind(game, &name)?;
    match definitions.iter().find(|definition| definition.id == id) {
        Some(definition) => Ok((kind, definition)),
        None => {
            let ids = definitions.iter().map(|definition| definition.id.as_str());
            Err(format!("unknown id `{id}` in {name}{}", did_you_mean(&id, ids)))
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

/// `t.each("buildings")`: the same, for a loop that tests each definition. If only changed definitions are tested,
/// returns those, perhaps none.
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
    // A test without definitions has nothing to check.
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
        return Err(format!(
            "{} have no attribute `{attribute}`{}",
            args.text(0, "kind")?,
            did_you_mean(&attribute, known)
        ));
    };
    match definition.attributes.get(index) {
        Some(value) => values::from_content(lua, value).map_err(|error| error.to_string()),
        None => Ok(Value::Nil),
    }
}

/// `t.verbs("cards", "lucky_vein", "played")`: the verbs of a hook with their arguments; nil if the hook is missing
/// or a script.
pub(super) fn verbs(case: &mut Case, lua: &Lua, args: &Args) -> Result<Value, String> {
    args.at_most(3)?;
    let hook = args.text(2, "hook")?;
    let (kind, definition) = definition(&case.game, args)?;
    if !kind.hooks.contains_key(&hook) {
        let known = kind.hooks.keys().map(String::as_str);
        return Err(format!("{} have no hook `{hook}`{}", args.text(0, "kind")?, did_you_mean(&hook, known)));
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
