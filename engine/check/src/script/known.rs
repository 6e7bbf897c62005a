//! The names that the content declares.

use std::collections::BTreeSet;

use crate::script::lib_file::{LibFile, VisibleLibs};
use crate::script::signature::ExpectedName;
use motherlode::language;
use motherlode_content::declare::{AttributeType, Declarations, Family, Kind, Shape};
use motherlode_content::diagnostic::{Diagnostic, Related, Severity};
use motherlode_content::document::{Document, Faults};
use motherlode_content::geometry::ways;
use motherlode_content::sort::NameKind;
use motherlode_content::source::{LIB, SourceFile, is_in_lib_folder};

/// Attributes of every definition, in addition to those of its kind.
const COMMON_ATTRIBUTES: [&str; 3] = ["name", "text", "copies"];

/// The other names in a call, which limit the valid names. Indices into the declarations.
#[derive(Debug, Clone, Copy, Default)]
pub struct NameContext {
    /// Kind named in the call.
    pub kind: Option<usize>,
    /// Grid named in the call.
    pub grid: Option<usize>,
    /// Counter named in the call.
    pub counter: Option<usize>,
    /// Prompt named in the call.
    pub prompt: Option<usize>,
    /// Option in the comparison.
    pub option: Option<usize>,
    /// Kind and attribute in the comparison.
    pub attribute: Option<(usize, usize)>,
}

impl NameContext {
    /// Adds a name from an argument.
    pub fn add(&mut self, expected: ExpectedName, name: &str, d: &Declarations) {
        match expected {
            ExpectedName::Name(NameKind::Kind) => self.kind = d.kinds.get_index_of(name),
            ExpectedName::Name(NameKind::Grid) => self.grid = d.grids.get_index_of(name),
            ExpectedName::Name(NameKind::Counter) => self.counter = d.counters.get_index_of(name),
            ExpectedName::Name(NameKind::CounterFamily | NameKind::Family) => {
                self.kind = find_family(d, name).map(|family| family.kind)
            }
            ExpectedName::CounterOrFamily => {
                let first = || d.counter_families.get(name).map(|family| family.first);
                self.counter = d.counters.get_index_of(name).or_else(first);
            }
            ExpectedName::Name(NameKind::Prompt) => self.prompt = d.prompts.get_index_of(name),
            _ => {}
        }
    }
}

/// The declared names, and the faults that may hide others.
#[derive(Debug)]
pub struct DeclaredNames<'a> {
    /// The declarations.
    pub d: &'a Declarations,
    /// `lib.luau` of each layer, lowest layer first.
    pub libs: Vec<LibFile<'a>>,
    /// Source text of every file.
    sources: &'a [SourceFile],
    /// Stems of content files that could not be read completely.
    broken: BTreeSet<&'a str>,
    /// Words of content files with faults: their declarations may be missing.
    doubtful: BTreeSet<&'a str>,
}

impl<'a> DeclaredNames<'a> {
    /// Collects the names after reading with these faults.
    pub fn new(
        d: &'a Declarations,
        sources: &'a [SourceFile],
        faults: &'a [Diagnostic],
        libs: Vec<LibFile<'a>>,
    ) -> Self {
        const BREAKS: [&str; 7] =
            ["syntax", "not-utf8", "too-large", "not-a-file", "unreadable", "missing-file", "duplicate-file"];
        let mut known = Self { d, sources, broken: BTreeSet::new(), doubtful: BTreeSet::new(), libs };
        let folder = format!("content/{}/", d.id);
        for fault in faults.iter().filter(|fault| fault.severity == Severity::Error) {
            // In a mod, the mod's id precedes the folder.
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

    /// The places that declare a label: of this prompt, or of all prompts.
    pub fn label_places(&self, label: &str, prompt: Option<usize>) -> Vec<Related> {
        let prompt = prompt.and_then(|index| self.d.prompts.get_index(index)).map(|(name, _)| name.as_str());
        let faults = Faults::default();
        let mut places = Vec::new();
        for source in self.sources.iter().filter(|source| source.path.ends_with("/prompts.toml")) {
            let document = Document::parse(source, &faults);
            for (key, node) in document.root("").entries() {
                let labels = node.as_table().and_then(|table| table.get("labels")).and_then(|node| node.as_table());
                let label = labels.and_then(|labels| labels.key(label));
                if let Some(label) = label.filter(|_| prompt.is_none_or(|prompt| prompt == key.text)) {
                    places.push(label.related(format!("label `{}` is declared", label.text)));
                }
            }
        }
        places
    }

    /// Whether this name may be missing because of a fault in the content.
    pub fn is_doubtful(&self, name: &str) -> bool {
        !self.broken.is_empty() || self.doubtful.contains(name)
    }

    /// Whether any name may be missing because of a fault in the content.
    pub fn has_doubts(&self) -> bool {
        !self.doubtful.is_empty()
    }

    /// Whether a mod removed the name, or a fault in the content may have.
    pub fn is_gone(&self, stem: &str, name: &str) -> bool {
        self.is_doubtful(name) || self.d.removed.contains(&format!("{stem}.{name}"))
    }

    /// Returns the `lib` files that a script can use: all; for a `lib.luau` itself the layers below; for a file of the
    /// folder `lib` also its own layer.
    pub fn libs_seen_by(&self, path: &str) -> VisibleLibs<'_, 'a> {
        let own = self.libs.iter().position(|lib| lib.path == path);
        let end = match own {
            Some(own) if is_in_lib_folder(path) => {
                let layer_of = |at: usize| self.d.scripts_of(LIB).get(at).map(|script| script.layer);
                (own + 1..self.libs.len()).find(|at| layer_of(*at) != layer_of(own)).unwrap_or(self.libs.len())
            }
            Some(own) => own,
            None => self.libs.len(),
        };
        VisibleLibs { seen: &self.libs[..end], own: own.map(|own| &self.libs[own]) }
    }

    /// Whether a name is valid here.
    pub fn is_valid(&self, expected: ExpectedName, name: &str, context: NameContext) -> bool {
        self.doubtful.contains(name)
            || self.stem(expected, context).is_none_or(|stem| self.broken.contains(stem))
            || self.names(expected, context).is_none_or(|names| names.contains(&name))
    }

    /// Returns the stem of the file that declares such names; `None`: unknown.
    fn stem(&self, expected: ExpectedName, context: NameContext) -> Option<&'a str> {
        match expected {
            ExpectedName::Name(NameKind::Prompt | NameKind::Label) | ExpectedName::Choices => Some("prompts"),
            ExpectedName::Name(NameKind::Text) => Some("texts"),
            ExpectedName::Name(NameKind::Verb) => Some("verbs"),
            ExpectedName::Name(NameKind::Event | NameKind::Filter) => Some("reactions"),
            ExpectedName::Name(_)
            | ExpectedName::CounterOrFamily
            | ExpectedName::Value
            | ExpectedName::Direction
            | ExpectedName::Way
            | ExpectedName::Neighbours
            | ExpectedName::AttributeValue
            | ExpectedName::OptionValue => Some("game"),
            ExpectedName::Id => self.d.kinds.get_index(context.kind?).map(|(name, _)| name.as_str()),
            ExpectedName::AnyId => Some(""),
            ExpectedName::Any => None,
        }
    }

    /// Returns the valid names; `None`: any name.
    pub fn names(&self, expected: ExpectedName, context: NameContext) -> Option<Vec<&'a str>> {
        let d = self.d;
        match expected {
            ExpectedName::Name(sort) => Some(self.names_of(sort, context)),
            ExpectedName::CounterOrFamily => Some(keys(d.counters.keys().chain(d.counter_families.keys()))),
            ExpectedName::Id => {
                let (_, kind) = d.kinds.get_index(context.kind?)?;
                let definitions = d.definitions.get(kind.first..kind.first + kind.len)?;
                // If there are no definitions, their file has a fault of its own.
                (!definitions.is_empty()).then(|| definitions.iter().map(|one| one.id.as_str()).collect())
            }
            // If any file has a fault, definitions may be missing.
            ExpectedName::AnyId => {
                self.broken.is_empty().then(|| d.definitions.iter().map(|one| one.id.as_str()).collect())
            }
            ExpectedName::Value => Some(keys(d.counters.get_index(context.counter?)?.1.values.iter())),
            ExpectedName::OptionValue => {
                let (option, declared) = d.options.get_index(context.option?)?;
                (!self.is_doubtful(option)).then(|| keys(declared.values.keys()))
            }
            ExpectedName::AttributeValue => {
                let (kind, attribute) = context.attribute?;
                match &d.kinds.get_index(kind)?.1.attributes.get_index(attribute)?.1.of {
                    AttributeType::Text(values) => Some(keys(values.iter())),
                    AttributeType::Id(kind) => {
                        self.names(ExpectedName::Id, NameContext { kind: Some(*kind), ..context })
                    }
                    _ => None,
                }
            }
            ExpectedName::Direction => Some(directions(d.grids.get_index(context.grid?)?.1.shape).to_vec()),
            ExpectedName::Way => Some(ways(d.grids.get_index(context.grid?)?.1.shape)),
            ExpectedName::Neighbours => Some(vec!["diagonal", "all"]),
            ExpectedName::Choices => Some(keys(d.prompts.get_index(context.prompt?)?.1.labels.keys())),
            ExpectedName::Any => None,
        }
    }

    fn names_of(&self, sort: NameKind, context: NameContext) -> Vec<&'a str> {
        let d = self.d;
        match sort {
            NameKind::Counter => keys(d.counters.keys()),
            NameKind::CounterFamily => keys(d.counter_families.keys()),
            NameKind::Family => keys(d.counter_families.keys().chain(d.zone_families.keys())),
            NameKind::Zone => keys(d.zones.keys()),
            NameKind::ZoneFamily => keys(d.zone_families.keys()),
            NameKind::Grid => keys(d.grids.keys()),
            NameKind::Prompt => keys(d.prompts.keys()),
            NameKind::Text => keys(d.texts.keys()),
            NameKind::Kind => keys(d.kinds.keys()),
            NameKind::Option => keys(d.options.keys()),
            NameKind::Verb => keys(d.verbs.keys()),
            NameKind::Phase => keys(d.phases.keys()),
            NameKind::Event => keys(d.events.keys()),
            NameKind::Filter => keys(d.filters.keys()),
            NameKind::Label => keys(d.prompts.values().flat_map(|prompt| prompt.labels.keys())),
            NameKind::Hook => keys(self.kinds(context).flat_map(|kind| kind.hooks.keys())),
            NameKind::HookList => keys(self.kinds(context).flat_map(|kind| kind.lists.keys())),
            NameKind::Attribute => {
                let more = context.kind.is_some().then_some(COMMON_ATTRIBUTES).into_iter().flatten();
                let own = self.kinds(context).flat_map(|kind| kind.attributes.keys());
                own.map(String::as_str).chain(more).collect()
            }
        }
    }

    /// Returns the kind in the context, or all kinds.
    fn kinds(&self, context: NameContext) -> impl Iterator<Item = &'a Kind> + use<'a> {
        let all = self.d.kinds.values().enumerate();
        all.filter(move |(index, _)| context.kind.is_none_or(|kind| kind == *index)).map(|(_, kind)| kind)
    }

    /// Describes the owner of the names for messages: `` of kind `cards` ``; empty if unknown or obvious.
    pub fn owner(&self, expected: ExpectedName, context: NameContext) -> String {
        let d = self.d;
        let (noun, name) = match expected {
            ExpectedName::Name(NameKind::Hook | NameKind::HookList | NameKind::Attribute) | ExpectedName::Id => {
                ("kind", context.kind.and_then(|kind| d.kinds.get_index(kind)).map(|(name, _)| name))
            }
            ExpectedName::Direction | ExpectedName::Way => {
                ("grid", context.grid.and_then(|grid| d.grids.get_index(grid)).map(|(name, _)| name))
            }
            ExpectedName::Choices => {
                ("prompt", context.prompt.and_then(|prompt| d.prompts.get_index(prompt)).map(|(name, _)| name))
            }
            _ => return String::new(),
        };
        name.map_or_else(String::new, |name| format!(" of {noun} `{name}`"))
    }
}

/// Finds a family of counters or zones.
fn find_family<'d>(d: &'d Declarations, name: &str) -> Option<&'d Family> {
    d.counter_families.get(name).or_else(|| d.zone_families.get(name))
}

fn keys<'s>(names: impl Iterator<Item = &'s String>) -> Vec<&'s str> {
    names.map(String::as_str).collect()
}

/// Returns the directions of the lines of a grid.
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
