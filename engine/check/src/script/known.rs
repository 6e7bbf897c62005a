//! Which names the content declares.

use std::collections::BTreeSet;

use crate::script::lib_file::{Lib, Libs};
use crate::script::signature::Takes;
use motherlode::language;
use motherlode_content::declare::{Declarations, Family, Kind, Shape};
use motherlode_content::diagnostic::{Diagnostic, Severity};
use motherlode_content::geometry::ways;
use motherlode_content::sort::Sort;
use motherlode_content::source::SourceFile;

/// What every definition has beside the attributes of its kind.
const OF_DEFINITIONS: [&str; 3] = ["name", "text", "copies"];

/// What the other arguments of a call say about a name; indices into the declarations.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context {
    /// The kind that was named.
    pub kind: Option<usize>,
    /// The grid.
    pub grid: Option<usize>,
    /// The counter.
    pub counter: Option<usize>,
    /// The prompt.
    pub prompt: Option<usize>,
    /// The option.
    pub option: Option<usize>,
}

impl Context {
    /// An argument that takes such a name is this one.
    pub fn learn(&mut self, takes: Takes, name: &str, d: &Declarations) {
        match takes {
            Takes::Name(Sort::Kind) => self.kind = d.kinds.get_index_of(name),
            Takes::Name(Sort::Grid) => self.grid = d.grids.get_index_of(name),
            Takes::Name(Sort::Counter) => self.counter = d.counters.get_index_of(name),
            Takes::Name(Sort::CounterFamily | Sort::Family) => self.kind = family(d, name).map(|family| family.kind),
            Takes::CounterOrFamily => {
                let first = || d.counter_families.get(name).map(|family| family.first);
                self.counter = d.counters.get_index_of(name).or_else(first);
            }
            Takes::Name(Sort::Prompt) => self.prompt = d.prompts.get_index_of(name),
            _ => {}
        }
    }
}

/// The declared names, with the files that cannot be trusted to have declared all of theirs.
#[derive(Debug)]
pub struct Known<'a> {
    /// The declarations.
    pub d: &'a Declarations,
    /// The functions of each layer's `lib.luau`, lowest first.
    pub libs: Vec<Lib<'a>>,
    /// Stems of content files that could not be read to their end.
    broken: BTreeSet<&'a str>,
    /// Words of content files with faults: what is declared there may have been dropped.
    doubtful: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    /// What is known after reading brought these faults.
    pub fn new(d: &'a Declarations, sources: &'a [SourceFile], faults: &'a [Diagnostic], libs: Vec<Lib<'a>>) -> Self {
        const BREAKS: [&str; 7] =
            ["syntax", "not-utf8", "too-large", "not-a-file", "unreadable", "missing-file", "duplicate-file"];
        let mut known = Self { d, broken: BTreeSet::new(), doubtful: BTreeSet::new(), libs };
        let folder = format!("content/{}/", d.id);
        for fault in faults.iter().filter(|fault| fault.severity == Severity::Error) {
            // In a mod the folder stands behind the mod's id.
            let inner = fault.file.find(&folder).map(|at| &fault.file[at + folder.len()..]);
            let stem = inner.and_then(|name| name.strip_suffix(".toml"));
            if let Some(stem) = stem
                && BREAKS.contains(&fault.code)
            {
                known.broken.insert(stem);
            }
        }
        let faulty: BTreeSet<&str> = faults.iter().map(|fault| fault.file.as_str()).collect();
        for source in sources.iter().filter(|source| source.path.ends_with(".toml")) {
            if faulty.contains(source.path.as_str()) {
                known.doubtful.extend(language::words(&source.text).map(|(_, word)| word));
            }
        }
        known
    }

    /// Whether faults of the content may have dropped this name.
    pub fn is_doubtful(&self, name: &str) -> bool {
        !self.broken.is_empty() || self.doubtful.contains(name)
    }

    /// Whether faults of the content may have dropped any name at all.
    pub fn has_doubts(&self) -> bool {
        !self.doubtful.is_empty()
    }

    /// Whether a mod took it away, or a fault of the content may have.
    pub fn is_gone(&self, stem: &str, name: &str) -> bool {
        self.is_doubtful(name) || self.d.removed.contains(&format!("{stem}.{name}"))
    }

    /// The functions of `lib` that a script sees: a `lib.luau` those of the layers under it, all others everything.
    pub fn libs_seen_by(&self, path: &str) -> Libs<'_, 'a> {
        let own = self.libs.iter().position(|lib| lib.path == path);
        Libs { seen: &self.libs[..own.unwrap_or(self.libs.len())], own: own.map(|own| &self.libs[own]) }
    }

    /// Whether a name may stand where this is taken.
    pub fn knows(&self, takes: Takes, name: &str, context: Context) -> bool {
        self.doubtful.contains(name)
            || self.stem(takes, context).is_none_or(|stem| self.broken.contains(stem))
            || self.names(takes, context).is_none_or(|names| names.contains(&name))
    }

    /// Stem of the file that declares what is taken; `None`: nobody can say.
    fn stem(&self, takes: Takes, context: Context) -> Option<&'a str> {
        match takes {
            Takes::Name(Sort::Prompt | Sort::Label) | Takes::Choices => Some("prompts"),
            Takes::Name(Sort::Text) => Some("texts"),
            Takes::Name(Sort::Verb) => Some("verbs"),
            Takes::Name(_)
            | Takes::CounterOrFamily
            | Takes::Value
            | Takes::Direction
            | Takes::Way
            | Takes::Which
            | Takes::OptionValue => Some("game"),
            Takes::Id => self.d.kinds.get_index(context.kind?).map(|(name, _)| name.as_str()),
            Takes::AnyId => Some(""),
            Takes::Any => None,
        }
    }

    /// The names that may stand where this is taken; `None`: any.
    pub fn names(&self, takes: Takes, context: Context) -> Option<Vec<&'a str>> {
        let d = self.d;
        match takes {
            Takes::Name(sort) => Some(self.names_of(sort, context)),
            Takes::CounterOrFamily => Some(keys(d.counters.keys().chain(d.counter_families.keys()))),
            Takes::Id => {
                let (_, kind) = d.kinds.get_index(context.kind?)?;
                let definitions = d.definitions.get(kind.first..kind.first + kind.len)?;
                // Without definitions it is their file that is wrong.
                (!definitions.is_empty()).then(|| definitions.iter().map(|one| one.id.as_str()).collect())
            }
            // Where any file has a fault, definitions may be missing.
            Takes::AnyId => self.broken.is_empty().then(|| d.definitions.iter().map(|one| one.id.as_str()).collect()),
            Takes::Value => Some(keys(d.counters.get_index(context.counter?)?.1.values.iter())),
            Takes::OptionValue => {
                let (option, declared) = d.options.get_index(context.option?)?;
                (!self.is_doubtful(option)).then(|| keys(declared.values.keys()))
            }
            Takes::Direction => Some(directions(d.grids.get_index(context.grid?)?.1.shape).to_vec()),
            Takes::Way => Some(ways(d.grids.get_index(context.grid?)?.1.shape)),
            Takes::Which => Some(vec!["diagonal", "all"]),
            Takes::Choices => Some(keys(d.prompts.get_index(context.prompt?)?.1.labels.keys())),
            Takes::Any => None,
        }
    }

    fn names_of(&self, sort: Sort, context: Context) -> Vec<&'a str> {
        let d = self.d;
        match sort {
            Sort::Counter => keys(d.counters.keys()),
            Sort::CounterFamily => keys(d.counter_families.keys()),
            Sort::Family => keys(d.counter_families.keys().chain(d.zone_families.keys())),
            Sort::Zone => keys(d.zones.keys()),
            Sort::ZoneFamily => keys(d.zone_families.keys()),
            Sort::Grid => keys(d.grids.keys()),
            Sort::Prompt => keys(d.prompts.keys()),
            Sort::Text => keys(d.texts.keys()),
            Sort::Kind => keys(d.kinds.keys()),
            Sort::Option => keys(d.options.keys()),
            Sort::Verb => keys(d.verbs.keys()),
            Sort::Phase => keys(d.phases.keys()),
            Sort::Label => keys(d.prompts.values().flat_map(|prompt| prompt.labels.keys())),
            Sort::Hook => keys(self.kinds(context).flat_map(|kind| kind.hooks.keys())),
            Sort::Attribute => {
                let more = context.kind.is_some().then_some(OF_DEFINITIONS).into_iter().flatten();
                let own = self.kinds(context).flat_map(|kind| kind.attributes.keys());
                own.map(String::as_str).chain(more).collect()
            }
        }
    }

    /// The kind that was named, or all.
    fn kinds(&self, context: Context) -> impl Iterator<Item = &'a Kind> + use<'a> {
        let all = self.d.kinds.values().enumerate();
        all.filter(move |(index, _)| context.kind.is_none_or(|kind| kind == *index)).map(|(_, kind)| kind)
    }

    /// Whose names are taken, for messages: `` of kind `cards` ``; empty if that is not known or goes without saying.
    pub fn owner(&self, takes: Takes, context: Context) -> String {
        let d = self.d;
        let (noun, name) = match takes {
            Takes::Name(Sort::Hook | Sort::Attribute) | Takes::Id => {
                ("kind", context.kind.and_then(|kind| d.kinds.get_index(kind)).map(|(name, _)| name))
            }
            Takes::Direction | Takes::Way => {
                ("grid", context.grid.and_then(|grid| d.grids.get_index(grid)).map(|(name, _)| name))
            }
            Takes::Choices => {
                ("prompt", context.prompt.and_then(|prompt| d.prompts.get_index(prompt)).map(|(name, _)| name))
            }
            _ => return String::new(),
        };
        name.map_or_else(String::new, |name| format!(" of {noun} `{name}`"))
    }
}

/// A family of counters or zones.
fn family<'d>(d: &'d Declarations, name: &str) -> Option<&'d Family> {
    d.counter_families.get(name).or_else(|| d.zone_families.get(name))
}

fn keys<'s>(names: impl Iterator<Item = &'s String>) -> Vec<&'s str> {
    names.map(String::as_str).collect()
}

/// The directions of lines of a grid.
fn directions(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Square { .. } => &["column", "row", "rising", "falling", "all"],
        Shape::Hex { .. } => &["a", "b", "c", "all"],
        Shape::Offset { .. } => &["row", "rising", "falling", "all"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use motherlode::tools::Layout;
    use motherlode_content::declare::Grid;

    #[test]
    fn directions_are_those_of_the_layout() {
        let shapes =
            [Shape::Square { columns: 3, rows: 3 }, Shape::Hex { side: 2 }, Shape::Offset { columns: 3, rows: 3 }];
        for shape in shapes {
            let mut d = Declarations::default();
            let grid = Grid { shape, ..Grid::default() };
            d.grids.insert("g".into(), grid);
            let mut names: Vec<&str> = Layout::new(&d).grids[0].directions().collect();
            names.push("all");
            assert_eq!(names, directions(shape));
        }
    }
}
