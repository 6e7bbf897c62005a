//! Functions of several layers under one name: a mod adds one, replaces the one beneath, or wraps it.

use indexmap::IndexMap;
use mlua::{Function, Value as LuaValue};

use super::loader::{Loader, stem_of};
use crate::content::declare::Script;
use crate::content::diagnostic::suggestion;

/// How a function stands to the one beneath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// There is none beneath.
    Adds,
    /// It stands in place of the one beneath.
    Replaces,
    /// It stands around the one beneath, which it may call.
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

/// What a layer did to a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    /// 0 for the game itself, n for the n-th mod over it.
    pub layer: usize,
    /// How.
    pub how: How,
    /// The script.
    pub file: String,
    /// The line at which its function begins.
    pub line: u32,
}

/// Which layers had a hand in each function, lowest first, by the function's path: `phases.building.turn`.
pub type Hands = IndexMap<String, Vec<Hand>>;

/// Where a function that the engine calls stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionPlace {
    /// Path of the script as shown.
    pub file: String,
    /// Line at which it begins, from 1.
    pub line: u32,
    /// Id of the definition or phase it belongs to; empty for functions of `game`, `verbs` and `lib`.
    pub of: String,
    /// Name of the hook, the verb, or the function of `lib`.
    pub name: String,
}

impl FunctionPlace {
    /// The places of all functions, by file and line.
    pub fn all(hands: &Hands) -> Vec<Self> {
        let places = hands.iter().flat_map(|(path, hands)| {
            let (_, path) = path.split_once('.').unwrap_or_default();
            let (of, name) = path.rsplit_once('.').unwrap_or(("", path));
            hands.iter().map(move |hand| Self {
                file: hand.file.clone(),
                line: hand.line,
                of: of.to_owned(),
                name: name.to_owned(),
            })
        });
        let mut places: Vec<Self> = places.collect();
        places.sort();
        places
    }
}

impl Hand {
    /// `scripts/checkers/phases.luau:12`.
    fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// A function, and which layers have had a hand in it.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    pub(super) function: Function,
    /// Lowest first.
    hands: Vec<Hand>,
    /// It was written as verbs.
    pub(super) verbs: bool,
}

impl Laid {
    /// The function that a definition's verbs in TOML are.
    pub(super) fn of_verbs(function: Function) -> Self {
        Self { function, hands: Vec::new(), verbs: true }
    }
}

/// What a script gives, by name.
pub(super) type GivenFunctions = IndexMap<String, Given>;

/// Functions by name.
pub(super) type Functions = IndexMap<String, Laid>;

impl Loader<'_> {
    /// Lays what a script gives over the functions of the layers beneath; `owner` is what they belong to: `building.`.
    pub(super) fn lay(&mut self, into: &mut Functions, given: GivenFunctions, script: &Script, owner: &str) {
        for (name, given) in given {
            let hand = Hand { layer: script.layer, how: given.how, file: script.path.clone(), line: given.line() };
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
                    let other = beneath.hands.last().map(Hand::place).unwrap_or_default();
                    let help = "write `replace(function(...) ... end)`, or `wrap(function(original, ...) ... end)`";
                    Some((
                        "two-functions",
                        format!("there is a function `{shown}` already, at {other}"),
                        Some(help.into()),
                    ))
                }
                (Some(beneath), how) => self.two_mods(beneath, how, script.layer, &shown),
            };
            if let Some((code, message, help)) = fault {
                self.fault(code, &script.path, given.line(), message, help);
                continue;
            }
            let Some(function) = self.made(into.get(&name), &given) else { continue };
            let mut hands = into.get(&name).map_or_else(Vec::new, |beneath| beneath.hands.clone());
            hands.push(hand);
            let stem = format!("{}.", stem_of(script));
            let path = if owner == stem { shown } else { stem + &shown };
            self.hands.insert(path, hands.clone());
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
        let (other, hand) = beneath.hands.iter().find_map(|hand| {
            let other = self.d.layers.get(hand.layer.checked_sub(1)?)?;
            let peaceful = how == How::Wraps && hand.how == How::Wraps;
            (hand.layer != layer && !peaceful && !one.knows.contains(&other.id)).then_some((&other.id, hand))
        })?;
        let (id, place) = (&one.id, hand.place());
        let message = format!("mods `{other}` and `{id}` both change the function `{shown}`; `{other}` at {place}");
        let help =
            format!("leave one out, or say in {}/mod.toml that it is meant: `load_after = [\"{other}\"]`", one.id);
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
