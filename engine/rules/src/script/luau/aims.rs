//! The tables behind targets.

use mlua::{Lua, Table};

use motherlode_content::aim::target_counters;
use motherlode_content::declare::{Declarations, Definition};

/// Adds the targets, those of each definition, and the counters that store them.
pub(super) fn fill(lua: &Lua, t: &Table, d: &Declarations) -> mlua::Result<()> {
    let aims = lua.create_table()?;
    for (index, aim) in d.aims.iter().enumerate() {
        let Some((prompt, declared)) = aim.filter.prompt.and_then(|prompt| d.prompts.get_index(prompt)) else {
            continue;
        };
        let one = lua.create_table()?;
        one.set("name", aim.name.as_str())?;
        one.set("player", player_field(&aim.name))?;
        one.set("prompt", prompt.as_str())?;
        one.set("shows", declared.shows > 0)?;
        one.set("of_players", aim.filter.is_of_players())?;
        one.set_readonly(true);
        aims.raw_set(index, one)?;
    }
    t.set("__AIM", aims)?;
    let (of, stored) = (lua.create_table()?, lua.create_table()?);
    for (index, (name, kind)) in d.kinds.iter().enumerate() {
        let (by_id, counters) = (lua.create_table()?, lua.create_table()?);
        for definition in d.definitions_of(index).iter().filter(|one| !one.aims.is_empty()) {
            by_id.set(definition.id.as_str(), list(lua, &definition.aims)?)?;
        }
        for aim in d.aims.iter().filter(|_| kind.tokens) {
            let (token, player) = target_counters(d, d.root_of(index), &aim.name);
            if d.counters.contains_key(&token) {
                counters.set(aim.name.as_str(), lua.create_sequence_from([token, player])?)?;
            }
        }
        of.set(name.as_str(), by_id)?;
        stored.set(name.as_str(), counters)?;
    }
    t.set("__AIMS_OF", of)?;
    t.set("__STORED", stored)
}

/// A list of targets (indices into `aims`).
pub(super) fn list(lua: &Lua, aims: &[usize]) -> mlua::Result<Table> {
    let list = lua.create_sequence_from(aims.iter().copied())?;
    list.set_readonly(true);
    Ok(list)
}

/// The fields of the context for targets (indices into `aims`), in the order of the arguments of formulas.
pub(super) fn fields(d: &Declarations, aims: &[usize]) -> Vec<String> {
    let names = aims.iter().filter_map(|aim| d.aims.get(*aim)).map(|aim| &aim.name);
    names.flat_map(|name| [name.clone(), player_field(name)]).collect()
}

/// Whether a hook of a definition gets targets: a list of verbs, or a function whose second argument is the context.
pub(super) fn takes_targets(definition: &Definition, hook: &str, runs_verbs: bool, args: &[String]) -> bool {
    !definition.aims_of(hook).is_empty() && (runs_verbs || args.get(1).is_some_and(|arg| arg == "it"))
}

fn player_field(name: &str) -> String {
    format!("{name}_player")
}
