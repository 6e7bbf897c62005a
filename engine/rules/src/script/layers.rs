//! Functions of several layers under one name: a mod adds one, replaces the one beneath, or wraps it.

use indexmap::IndexMap;
use mlua::{Function, Value as LuaValue};

use super::loader::{Loader, stem_of};
use motherlode_content::declare::Script;
use motherlode_content::diagnostic::suggestion;

/// How a function stands to the one beneath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContributionKind {
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
    kind: ContributionKind,
    pub(super) function: Function,
}

impl Given {
    /// What a value of a script's table gives; the accessors `replace` and `wrap` make lists of a word and a function.
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

    pub(super) fn line(&self) -> u32 {
        self.function.info().line_defined.unwrap_or(1) as u32
    }
}

/// What a layer did to a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    /// 0 for the game itself, n for the n-th mod over it.
    pub layer: usize,
    /// How.
    pub kind: ContributionKind,
    /// The script.
    pub file: String,
    /// The line at which its function begins.
    pub line: u32,
}

/// Which layers contributed to each function, lowest first, by the function's path: `phases.building.turn`.
pub type Contributions = IndexMap<String, Vec<Contribution>>;

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
    pub fn all(contributions: &Contributions) -> Vec<Self> {
        let places = contributions.iter().flat_map(|(path, contributions)| {
            let (_, path) = path.split_once('.').unwrap_or_default();
            let (of, name) = path.rsplit_once('.').unwrap_or(("", path));
            contributions.iter().map(move |contribution| Self {
                file: contribution.file.clone(),
                line: contribution.line,
                of: of.to_owned(),
                name: name.to_owned(),
            })
        });
        let mut places: Vec<Self> = places.collect();
        places.sort();
        places
    }
}

impl Contribution {
    /// `scripts/checkers/phases.luau:12`.
    fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// A function, and which layers have contributed to it.
#[derive(Debug, Clone)]
pub(super) struct Laid {
    pub(super) function: Function,
    /// Lowest first.
    contributions: Vec<Contribution>,
    /// It was written as verbs.
    pub(super) verbs: bool,
}

impl Laid {
    /// The function that a definition's verbs in TOML are.
    pub(super) fn of_verbs(function: Function) -> Self {
        Self { function, contributions: Vec::new(), verbs: true }
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
            let contribution =
                Contribution { layer: script.layer, kind: given.kind, file: script.path.clone(), line: given.line() };
            let shown = format!("{owner}{name}");
            let fault = match (into.get(&name), given.kind) {
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
                    let other = beneath.contributions.last().map(Contribution::place).unwrap_or_default();
                    let help = "write `replace(function(...) ... end)`, or `wrap(function(original, ...) ... end)`";
                    Some((
                        "two-functions",
                        format!("there is a function `{shown}` already, at {other}"),
                        Some(help.into()),
                    ))
                }
                (Some(beneath), kind) => self.two_mods(beneath, kind, script.layer, &shown),
            };
            if let Some((code, message, help)) = fault {
                self.fault(code, &script.path, given.line(), message, help);
                continue;
            }
            let Some(function) = self.made(into.get(&name), &given) else { continue };
            let mut contributions = into.get(&name).map_or_else(Vec::new, |beneath| beneath.contributions.clone());
            contributions.push(contribution);
            let stem = format!("{}.", stem_of(script));
            let path = if owner == stem { shown } else { stem + &shown };
            self.contributions.insert(path, contributions.clone());
            into.insert(name, Laid { function, contributions, verbs: false });
        }
    }

    /// The fault of two mods that change one function without knowing of one another; wraps stand around one another in peace.
    fn two_mods(
        &self,
        beneath: &Laid,
        kind: ContributionKind,
        layer: usize,
        shown: &str,
    ) -> Option<(&'static str, String, Option<String>)> {
        let one = self.d.layers.get(layer.checked_sub(1)?)?;
        let (other, contribution) = beneath.contributions.iter().find_map(|contribution| {
            let other = self.d.layers.get(contribution.layer.checked_sub(1)?)?;
            let peaceful = kind == ContributionKind::Wraps && contribution.kind == ContributionKind::Wraps;
            (contribution.layer != layer && !peaceful && !one.knows.contains(&other.id))
                .then_some((&other.id, contribution))
        })?;
        let (id, place) = (&one.id, contribution.place());
        let message = format!("mods `{other}` and `{id}` both change the function `{shown}`; `{other}` at {place}");
        let help =
            format!("leave one out, or say in {}/mod.toml that it is meant: `load_after = [\"{other}\"]`", one.id);
        Some(("two-mods", message, Some(help)))
    }

    fn made(&self, beneath: Option<&Laid>, given: &Given) -> Option<Function> {
        match (beneath, given.kind) {
            (Some(beneath), ContributionKind::Wraps) => {
                let wrapped = self.shared.get::<Function>("__wrapped").ok()?;
                wrapped.call((&given.function, &beneath.function)).ok()
            }
            _ => Some(given.function.clone()),
        }
    }
}
