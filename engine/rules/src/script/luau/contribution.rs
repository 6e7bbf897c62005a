//! Contributions: which layers (the game, mods) gave the functions that the engine calls.

use indexmap::IndexMap;

/// How a function stands to the one beneath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContributionKind {
    /// There is none beneath.
    Adds,
    /// A function in place of the one beneath.
    Replaces,
    /// A function around the one beneath, which it may call.
    Wraps,
}

/// A layer's contribution to a function.
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
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}
