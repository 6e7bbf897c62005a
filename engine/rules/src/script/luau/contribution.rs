//! Contributions: the layers (the game, mods) behind each function that the engine calls.

use indexmap::IndexMap;

/// The relation of a function to the one in the layer beneath.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContributionKind {
    /// No function is beneath.
    Adds,
    /// Replaces the function beneath.
    Replaces,
    /// Wraps the function beneath, and may call it.
    Wraps,
}

/// A layer's contribution to a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    /// 0 for the game itself, n for the n-th mod over it.
    pub layer: usize,
    /// Its relation to the layer beneath.
    pub kind: ContributionKind,
    /// The script.
    pub file: String,
    /// First line of its function.
    pub line: u32,
}

/// The layers that contributed to each function, lowest first, by the function's path: `phases.building.turn`.
pub type Contributions = IndexMap<String, Vec<Contribution>>;

/// Source location of a function that the engine calls.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionPlace {
    /// Displayed path of the script.
    pub file: String,
    /// First line, from 1.
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
    /// The place as text: `scripts/checkers/phases.luau:12`.
    pub(super) fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}
