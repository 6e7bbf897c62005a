//! Functions of several layers with the same name: a mod adds one, replaces the one beneath, or wraps it.

use indexmap::IndexMap;
use mlua::{Function, Value as LuaValue};

use crate::script::bytecode::number_and_line;
use crate::script::luau::contribution::{Contribution, ContributionKind};
use crate::script::luau::loader::Loader;
use crate::script::luau::message::message_of;
use motherlode_content::declare::Script;
use motherlode_content::diagnostic::{Related, suggestion};
use motherlode_content::source::script_stem;

/// A function from one script: `function`, `replace(function)` or `wrap(function)`.
#[derive(Debug)]
pub(super) struct NewFunction {
    pub(super) kind: ContributionKind,
    pub(super) function: Function,
}

impl NewFunction {
    /// Reads a value of a script's table. The accessors `replace` and `wrap` return a list of a word and a function.
    pub(super) fn read(value: &LuaValue) -> Option<Self> {
        match value {
            LuaValue::Function(function) => Some(Self { kind: ContributionKind::Adds, function: function.clone() }),
            LuaValue::Table(table) => {
                let kind = match table.raw_get::<String>(1).ok()?.as_str() {
                    "replace" => ContributionKind::Replaces,
                    "wrap" => ContributionKind::Wraps,
                    _ => return None,
                };
                Some(Self { kind, function: table.raw_get(2).ok()? })
            }
            _ => None,
        }
    }

    /// First line, from 1.
    pub(super) fn line(&self) -> u32 {
        number_and_line(self.function.info().line_defined.unwrap_or(1)).1 as u32
    }
}

/// A function that the engine calls, combined from all layers.
#[derive(Debug, Clone)]
pub(super) struct LayeredFunction {
    pub(super) function: Function,
    /// The contributions of the layers, lowest first.
    contributions: Vec<Contribution>,
    /// Whether the definition wrote it as verbs.
    pub(super) verbs: bool,
    /// Whether it runs those verbs, perhaps inside other functions.
    pub(super) runs_verbs: bool,
}

impl LayeredFunction {
    /// A hook that a definition writes as verbs in TOML.
    pub(super) fn of_verbs(function: Function) -> Self {
        Self { function, contributions: Vec::new(), verbs: true, runs_verbs: true }
    }

    /// File and line of the function with which a layer added the hook; `None` if the definition writes it as verbs.
    pub(super) fn added_at(&self) -> Option<(String, u32)> {
        let first = self.contributions.first().filter(|first| first.kind == ContributionKind::Adds)?;
        Some((first.file.clone(), first.line))
    }

    /// File and line of the highest layer's function.
    pub(super) fn place(&self) -> Option<(String, u32)> {
        self.contributions.last().map(|contribution| (contribution.file.clone(), contribution.line))
    }
}

/// The functions of one script, by name.
pub(super) type NewFunctions = IndexMap<String, NewFunction>;

/// The functions of all layers so far, by name.
pub(super) type LayeredFunctions = IndexMap<String, LayeredFunction>;

impl Loader<'_> {
    /// Adds a script's functions to those of the layers beneath. `owner` is the prefix of their paths: `building.`.
    pub(super) fn add_layer(&mut self, into: &mut LayeredFunctions, new: NewFunctions, script: &Script, owner: &str) {
        for (name, new) in new {
            let contribution =
                Contribution { layer: script.layer, kind: new.kind, file: script.path.clone(), line: new.line() };
            let shown = format!("{owner}{name}");
            let fault = match (into.get(&name), new.kind) {
                (None, ContributionKind::Adds) => None,
                (None, kind) => {
                    let word = if kind == ContributionKind::Wraps { "wrap" } else { "replace" };
                    let help = suggestion(&name, into.keys().map(String::as_str));
                    Some(("nothing-beneath", format!("there is no function `{shown}` to {word}"), help))
                }
                (Some(beneath), ContributionKind::Adds) if beneath.verbs => {
                    let id = owner.trim_end_matches('.');
                    let message =
                        format!("`{id}` has its hook `{name}` both as verbs in the TOML file and as a function here");
                    let help = "write `replace(function(...) ... end)`, or `wrap(function(original, ...) ... end)`";
                    Some(("two-hooks", message, (script.layer > 0).then(|| help.to_owned())))
                }
                (Some(beneath), ContributionKind::Adds) => {
                    let last = beneath.contributions.last();
                    let other = last.map(Contribution::place).unwrap_or_default();
                    let help = match last.is_some_and(|last| last.layer == script.layer) {
                        true => "rename one of them",
                        false => "write `replace(function(...) ... end)`, or `wrap(function(original, ...) ... end)`",
                    };
                    Some(("two-functions", format!("function `{shown}` already exists, at {other}"), Some(help.into())))
                }
                (Some(beneath), kind) => match self.two_mods(beneath, kind, script.layer, &shown) {
                    Some((message, help, related)) => {
                        self.fault("two-mods", &script.path, new.line(), message, Some(help));
                        if let Some(fault) = self.faults.last_mut() {
                            fault.related.push(related);
                        }
                        continue;
                    }
                    None => None,
                },
            };
            if let Some((code, message, help)) = fault {
                self.fault(code, &script.path, new.line(), message, help);
                continue;
            }
            let function = match self.combine(into.get(&name), &new) {
                Ok(function) => function,
                Err(error) => {
                    self.fault("script", &script.path, new.line(), message_of(&error), None);
                    continue;
                }
            };
            let mut contributions = into.get(&name).map_or_else(Vec::new, |beneath| beneath.contributions.clone());
            contributions.push(contribution);
            let stem = format!("{}.", script_stem(&script.path));
            let path = if owner == stem { shown } else { stem + &shown };
            self.contributions.insert(path, contributions.clone());
            let beneath = into.get(&name).is_some_and(|beneath| beneath.runs_verbs);
            let runs_verbs = beneath && new.kind == ContributionKind::Wraps;
            into.insert(name, LayeredFunction { function, contributions, verbs: false, runs_verbs });
        }
    }

    /// Message, help and related place if two independent mods change the same function. Two wraps are no fault,
    /// because they nest.
    fn two_mods(
        &self,
        beneath: &LayeredFunction,
        kind: ContributionKind,
        layer: usize,
        shown: &str,
    ) -> Option<(String, String, Related)> {
        let one = self.d.layers.get(layer.checked_sub(1)?)?;
        let (other, contribution) = beneath.contributions.iter().find_map(|contribution| {
            let other = self.d.layers.get(contribution.layer.checked_sub(1)?)?;
            let both_wrap = kind == ContributionKind::Wraps && contribution.kind == ContributionKind::Wraps;
            (contribution.layer != layer && !both_wrap && !one.knows.contains(&other.id))
                .then_some((&other.id, contribution))
        })?;
        let message = format!("mods `{other}` and `{}` both change the function `{shown}`", one.id);
        let related = self.related(&contribution.file, contribution.line, format!("`{other}` changes it"));
        let help = format!(
            "use only one of them, or declare their order in {}/mod.toml: `load_after = [\"{other}\"]`",
            one.id
        );
        Some((message, help, related))
    }

    /// The function to call: a wrap applied to the function beneath, or the new function itself.
    fn combine(&self, beneath: Option<&LayeredFunction>, new: &NewFunction) -> mlua::Result<Function> {
        match (beneath, new.kind) {
            (Some(beneath), ContributionKind::Wraps) => {
                self.shared.get::<Function>("__wrapped")?.call((&new.function, &beneath.function))
            }
            _ => Ok(new.function.clone()),
        }
    }
}
