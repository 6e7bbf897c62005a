//! Functions of several layers under one name: a mod adds one, replaces the one beneath, or wraps it.

use indexmap::IndexMap;
use mlua::{Function, Value as LuaValue};

use super::load::Loader;
use crate::content::declare::Script;
use crate::content::diagnostic::suggestion;

/// How a function stands to the one beneath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Adds,
    Replaces,
    Wraps,
}

/// What a script gives under a name: a function, `replace(function)` or `wrap(function)`.
#[derive(Debug)]
pub(super) struct Given {
    how: How,
    pub(super) function: Function,
}

impl Given {
    /// What a value of a script's table gives; the accessors `replace` and `wrap` make lists of a word and a function.
    pub(super) fn read(value: &LuaValue) -> Option<Self> {
        match value {
            LuaValue::Function(function) => Some(Self { how: How::Adds, function: function.clone() }),
            LuaValue::Table(table) => {
                let how = match table.raw_get::<String>(1).ok()?.as_str() {
                    "replace" => How::Replaces,
                    "wrap" => How::Wraps,
                    _ => return None,
                };
                Some(Self { how, function: table.raw_get(2).ok()? })
            }
            _ => None,
        }
    }

    pub(super) fn line(&self) -> u32 {
        self.function.info().line_defined.unwrap_or(1) as u32
    }
}

/// A function, and which layers have had a hand in it.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    pub(super) function: Function,
    /// Layer, what it did, and where; lowest first.
    hands: Vec<(usize, How, String)>,
    /// It was written as verbs.
    pub(super) verbs: bool,
}

impl Laid {
    /// The function that a definition's verbs in TOML are.
    pub(super) fn of_verbs(function: Function) -> Self {
        Self { function, hands: Vec::new(), verbs: true }
    }
}

/// Functions by name.
pub(super) type Functions = IndexMap<String, Laid>;

impl Loader<'_> {
    /// Lays what a script gives over the functions of the layers beneath; `owner` is what they belong to: `building.`.
    pub(super) fn lay(&mut self, into: &mut Functions, given: IndexMap<String, Given>, script: &Script, owner: &str) {
        for (name, given) in given {
            let place = format!("{}:{}", script.path, given.line());
            let shown = format!("{owner}{name}");
            let fault = match (into.get(&name), given.how) {
                (None, How::Adds) => None,
                (None, how) => {
                    let word = if how == How::Wraps { "wrap" } else { "replace" };
                    let help = suggestion(&name, into.keys().map(String::as_str));
                    Some(("nothing-beneath", format!("there is no function `{shown}` to {word}"), help))
                }
                (Some(beneath), How::Adds) if beneath.verbs => {
                    let id = owner.trim_end_matches('.');
                    let message =
                        format!("`{id}` has its hook `{name}` both as verbs in the TOML file and as a function here");
                    let help = "write `replace(function(...) ... end)`, or `wrap(function(original, ...) ... end)`";
                    Some(("two-hooks", message, (script.layer > 0).then(|| help.to_owned())))
                }
                (Some(beneath), How::Adds) => {
                    let other = beneath.hands.last().map_or("", |(_, _, place)| place.as_str());
                    let help = "write `replace(function(...) ... end)`, or `wrap(function(original, ...) ... end)`";
                    Some(("two-functions", format!("there is a function `{shown}` already, at {other}"), Some(help.into())))
                }
                (Some(beneath), how) => self.two_mods(beneath, how, script.layer, &shown),
            };
            if let Some((code, message, help)) = fault {
                self.fault(code, &script.path, given.line(), message, help);
                continue;
            }
            let Some(function) = self.made(into.get(&name), &given) else { continue };
            let mut hands = into.get(&name).map_or_else(Vec::new, |beneath| beneath.hands.clone());
            hands.push((script.layer, given.how, place));
            into.insert(name, Laid { function, hands, verbs: false });
        }
    }

    /// The fault of two mods that change one function without knowing of one another; wraps stand around one another in peace.
    fn two_mods(
        &self,
        beneath: &Laid,
        how: How,
        layer: usize,
        shown: &str,
    ) -> Option<(&'static str, String, Option<String>)> {
        let one = self.d.layers.get(layer.checked_sub(1)?)?;
        let (other, place) = beneath.hands.iter().find_map(|(of, did, place)| {
            let other = self.d.layers.get(of.checked_sub(1)?)?;
            let peaceful = how == How::Wraps && *did == How::Wraps;
            (*of != layer && !peaceful && !one.knows.contains(&other.id)).then_some((&other.id, place))
        })?;
        let message = format!("mods `{other}` and `{}` both change the function `{shown}`; `{other}` at {place}", one.id);
        let help = format!("leave one out, or say in {}/mod.toml that it is meant: `load_after = [\"{other}\"]`", one.id);
        Some(("two-mods", message, Some(help)))
    }

    fn made(&self, beneath: Option<&Laid>, given: &Given) -> Option<Function> {
        match (beneath, given.how) {
            (Some(beneath), How::Wraps) => {
                let wrapped = self.shared.get::<Function>("__wrapped").ok()?;
                wrapped.call((&given.function, &beneath.function)).ok()
            }
            _ => Some(given.function.clone()),
        }
    }
}
