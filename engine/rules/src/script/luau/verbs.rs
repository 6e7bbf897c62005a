//! Loads verbs. A verb is a function, or a table: `can` tests whether the verb is possible, `run` performs it, and a
//! function with the name of a declared choice says which candidates may be chosen.

use std::sync::Arc;

use mlua::{Table, Value as LuaValue};

use crate::script::luau::choices::{FINISH, part_of};
use crate::script::luau::contribution::ContributionKind;
use crate::script::luau::layers::{LayeredFunctions, NewFunction, NewFunctions};
use crate::script::luau::loader::{Loader, MAX_FAULTS};
use crate::script::luau::words::line_of_word;
use motherlode_content::declare::{Declarations, Script, Times, Verb};

/// Names of the functions that a verb may have.
pub const VERB_PARTS: [&str; 2] = ["can", "run"];

/// The functions of one script: each verb's `run` under the name of the verb, the others as `name.can`.
#[derive(Debug, Default)]
struct NewVerbs {
    functions: NewFunctions,
    /// Verbs that are replaced entirely.
    replaced: Vec<String>,
}

/// The names of the functions that a verb may have.
fn parts_of(verb: &Verb) -> Vec<&str> {
    let finish = (verb.picks.times != Times::Once).then_some(FINISH);
    VERB_PARTS.into_iter().chain(finish).chain(verb.picks.list.keys().map(String::as_str)).collect()
}

impl Loader<'_> {
    /// Loads the built-in verbs and those of the game.
    pub(super) fn verbs(&mut self, d: &Declarations) -> mlua::Result<()> {
        let text = include_str!("std/verbs.luau");
        let standard = Script { path: "engine/verbs.luau".into(), source: text.into(), layer: 0 };
        let own = d.scripts_of("verbs").iter().map(|script| (script, false));
        let mut functions = LayeredFunctions::new();
        for (script, is_standard) in std::iter::once((&standard, true)).chain(own) {
            let known: Vec<&str> =
                d.verbs.iter().filter(|(_, v)| v.standard == is_standard).map(|(name, _)| name.as_str()).collect();
            if let Some(table) = self.run_script(script) {
                let mut new = self.new_verbs(script, &table, &known);
                // An entirely replaced verb also loses its former functions.
                let replaced = new.replaced.iter().filter_map(|verb| Some((verb, d.verbs.get(verb)?)));
                let parts =
                    replaced.flat_map(|(name, verb)| parts_of(verb).into_iter().map(|part| part_of(name, part)));
                for part in parts.collect::<Vec<_>>() {
                    match (new.functions.get_mut(&part), functions.contains_key(&part)) {
                        (Some(own), true) => own.kind = ContributionKind::Replaces,
                        (Some(own), false) => own.kind = ContributionKind::Adds,
                        (None, _) => drop(functions.shift_remove(&part)),
                    }
                }
                self.add_layer(&mut functions, new.functions, script, "verbs.");
            }
        }
        let (runs, cans): (Table, Table) = (self.shared.get("__VERB")?, self.shared.get("__CAN_VERB")?);
        for (name, verb) in &d.verbs {
            let of = |part: &str| functions.get(&part_of(name, part)).map(|layered| layered.function.clone());
            let (mut run, mut can) = (functions.get(name).map(|layered| layered.function.clone()), of("can"));
            if !verb.picks.list.is_empty() {
                let (possible, perform) = self.choosing((name, verb), &functions, can, run)?;
                (can, run) = (Some(possible), Some(perform));
            }
            let can = self.refusing_verb(verb, can)?;
            cans.set(name.as_str(), can)?;
            runs.set(name.as_str(), run)?;
        }
        if self.faults.is_empty() {
            self.missing_functions(d, &functions);
        }
        Ok(())
    }

    /// Reports verbs without a function, and costs without `can`.
    fn missing_functions(&mut self, d: &Declarations, functions: &LayeredFunctions) {
        for (name, verb) in &d.verbs {
            let has_choices = !verb.picks.list.is_empty();
            if has_choices && !verb.stands_for.is_empty() {
                continue;
            }
            if !functions.contains_key(name) {
                let message = format!("verb `{name}` has no function in verbs.luau");
                let function = if functions.contains_key(&part_of(name, "can")) {
                    format!("`run = function(player, args) ... end` beside `can` of `{name}`")
                } else {
                    format!("`{name} = function(player, args) ... end`")
                };
                let help = format!("write {function} in scripts/{}/verbs.luau", d.id);
                self.declared_fault("missing-script", &verb.place, message, Some(help));
            } else if verb.cost && !has_choices && !functions.contains_key(&part_of(name, "can")) {
                let line = d.scripts_of("verbs").last().map_or(1, |script| line_of_word(&script.source, name));
                let message = format!("verb `{name}` is a cost, but nothing says when it can be paid");
                let help = format!("write `{name} = {{ can = function(player, args) ... end, run = ... }}`");
                let path = format!("scripts/{}/verbs.luau", d.id);
                self.fault("missing-script", &path, line, message, Some(help));
            }
        }
    }

    fn new_verbs(&mut self, script: &Script, table: &Table, known: &[&str]) -> NewVerbs {
        let mut new = NewVerbs::default();
        for pair in table.pairs::<LuaValue, LuaValue>() {
            if self.faults.len() >= MAX_FAULTS {
                break;
            }
            let Ok((key, value)) = pair else { continue };
            let LuaValue::String(name) = &key else {
                let key = key.to_string().unwrap_or_default();
                self.no_function(script, &key, &value, "a function, or a table with `can` and `run`");
                continue;
            };
            let name = name.to_string_lossy();
            if !known.contains(&name.as_str()) {
                let line = NewFunction::read(&value).map_or_else(|| line_of_word(&script.source, &name), |f| f.line());
                self.unknown_function(script, &name, line, known, "verb");
                continue;
            }
            self.new_verb(script, &name, &value, &mut new);
        }
        new.functions.sort_keys();
        new
    }

    /// `function`, `wrap(function)`, `replace(function)`, `{ can = ..., run = ... }` or `replace { can = ..., run = ... }`.
    fn new_verb(&mut self, script: &Script, name: &str, value: &LuaValue, into: &mut NewVerbs) {
        if let Some(run) = NewFunction::read(value) {
            if run.kind == ContributionKind::Replaces {
                into.replaced.push(name.to_owned());
            }
            into.functions.insert(name.to_owned(), run);
            return;
        }
        let LuaValue::Table(table) = value else {
            return self.no_function(script, name, value, "a function, or a table with `can` and `run`");
        };
        let whole = match (table.raw_get::<String>(1).as_deref(), table.raw_get::<Table>(2)) {
            (Ok("replace"), Ok(parts)) => Some(parts),
            _ => None,
        };
        let d = Arc::clone(self.d);
        let known = d.verbs.get(name).map_or_else(|| VERB_PARTS.to_vec(), parts_of);
        let mut parts = self.functions(script, whole.as_ref().unwrap_or(table), &known, "function of a verb");
        let mut run = parts.swap_remove("run");
        if whole.is_some() {
            match &mut run {
                Some(run) => run.kind = ContributionKind::Replaces,
                None if d.verbs.get(name).is_some_and(|verb| !verb.stands_for.is_empty()) => {}
                None => {
                    let line = line_of_word(&script.source, name);
                    let message = format!("verb `{name}` is replaced by a table without `run`");
                    self.fault("missing-script", &script.path, line, message, None);
                }
            }
            into.replaced.push(name.to_owned());
        }
        into.functions.extend(run.map(|run| (name.to_owned(), run)));
        into.functions.extend(parts.into_iter().map(|(part, function)| (part_of(name, &part), function)));
    }
}
