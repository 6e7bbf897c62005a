//! Which names a script may use, and what to say about others.

use std::collections::BTreeSet;

use crate::lint::shared::Shared;
use crate::lint::signature::Takes;
use motherlode::language;
use motherlode_content::declare::{Declarations, Holder, Kind, Shape};
use motherlode_content::diagnostic::{Diagnostic, Severity, list, suggestion};
use motherlode_content::placeholder::values_shown;
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
}

/// A name that means nothing.
#[derive(Debug)]
pub struct Wrong {
    /// Code of the diagnostic.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What may have been meant.
    pub help: Option<String>,
}

/// The declared names, with the files that cannot be trusted to have declared all of theirs.
#[derive(Debug)]
pub struct Known<'a> {
    /// The declarations.
    pub d: &'a Declarations,
    /// Stems of content files that could not be read to their end.
    broken: BTreeSet<&'a str>,
    /// Words of content files with faults: what is declared there may have been dropped.
    doubtful: BTreeSet<&'a str>,
    /// The functions of each layer's `lib.luau`, lowest first.
    pub shared: Vec<Shared>,
}

impl<'a> Known<'a> {
    /// What is known after reading brought these faults.
    pub fn new(d: &'a Declarations, sources: &'a [SourceFile], faults: &'a [Diagnostic]) -> Self {
        const BREAKS: [&str; 7] =
            ["syntax", "not-utf8", "too-large", "not-a-file", "unreadable", "missing-file", "duplicate-file"];
        let mut known = Self { d, broken: BTreeSet::new(), doubtful: BTreeSet::new(), shared: Vec::new() };
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

    /// What is wrong with a name that stands where `takes` is expected, in a call of `accessor`.
    pub fn check(&self, takes: Takes, name: &str, context: Context, accessor: &str) -> Option<Wrong> {
        let d = self.d;
        let kind = context.kind.and_then(|kind| d.kinds.get_index(kind));
        let (stem, noun) = match takes {
            Takes::Name(sort) => (stem(sort), noun(sort)),
            Takes::Id => (kind?.0.as_str(), ("definition", "unknown-id")),
            Takes::Value => ("game", ("value", "unknown-value")),
            Takes::Direction => ("game", ("direction", "unknown-direction")),
            Takes::Choices => ("prompts", ("label", "unknown-label")),
            Takes::Any => return None,
        };
        if self.broken.contains(stem) || self.doubtful.contains(name) {
            return None;
        }
        let (word, code) = noun;
        let mut of = String::new();
        let of_kind = |of: &mut String| *of = kind.map_or_else(String::new, |(name, _)| format!(" of kind `{name}`"));
        let candidates: Vec<&str> = match takes {
            Takes::Name(Sort::Counter) if accessor == "choice_cells" || accessor == "count_cells" => {
                return self.check_cell_counter(name, context, accessor);
            }
            Takes::Name(Sort::Counter) => keys(d.counters.keys()),
            Takes::Name(Sort::Zone) => keys(d.zones.keys()),
            Takes::Name(Sort::Grid) => keys(d.grids.keys()),
            Takes::Name(Sort::Prompt) => keys(d.prompts.keys()),
            Takes::Name(Sort::Text) => keys(d.texts.keys()),
            Takes::Name(Sort::Kind) => keys(d.kinds.keys()),
            Takes::Name(Sort::Option) => keys(d.options.keys()),
            Takes::Name(Sort::Verb) => keys(d.verbs.keys()),
            Takes::Name(Sort::Phase) => keys(d.phases.keys()),
            Takes::Name(Sort::Hook) => {
                of_kind(&mut of);
                self.kinds(kind).flat_map(|kind| kind.hooks.keys()).map(String::as_str).collect()
            }
            Takes::Name(Sort::Attribute) => {
                of_kind(&mut of);
                let more = kind.is_some().then_some(OF_DEFINITIONS).into_iter().flatten();
                let own = self.kinds(kind).flat_map(|kind| kind.attributes.keys());
                own.map(String::as_str).chain(more).collect()
            }
            Takes::Name(Sort::Label) => d.prompts.values().flat_map(|p| p.labels.keys()).map(String::as_str).collect(),
            Takes::Id => {
                of_kind(&mut of);
                let kind = kind?.1;
                // Without definitions it is their file that is wrong.
                d.definitions.get(kind.first..kind.first + kind.len).filter(|all| !all.is_empty())?;
                d.definitions[kind.first..kind.first + kind.len].iter().map(|x| x.id.as_str()).collect()
            }
            Takes::Value => {
                let (counter, declared) = d.counters.get_index(context.counter?)?;
                if declared.values.is_empty() {
                    let message = format!("counter `{counter}` has no named values: `{name}` in `{accessor}`");
                    return Some(Wrong { code, message, help: None });
                }
                let values = keys(declared.values.iter());
                if values.contains(&name) {
                    return None;
                }
                let message = format!("`{name}` is not a value of counter `{counter}`");
                return Some(Wrong { code, message, help: suggestion(name, values) });
            }
            Takes::Direction => {
                let (grid, declared) = d.grids.get_index(context.grid?)?;
                of = format!(" of grid `{grid}`");
                directions(declared.shape).to_vec()
            }
            Takes::Choices => {
                let (prompt, declared) = d.prompts.get_index(context.prompt?)?;
                of = format!(" of prompt `{prompt}`");
                keys(declared.labels.keys())
            }
            Takes::Any => return None,
        };
        if candidates.contains(&name) {
            return None;
        }
        let none = candidates.is_empty() && self.doubtful.is_empty();
        let help =
            suggestion(name, candidates.iter().copied()).or_else(|| none.then(|| format!("no {word}{of} is declared")));
        Some(Wrong { code, message: format!("unknown {word} `{name}`{of} in `{accessor}`"), help })
    }

    /// A counter that must be one of a grid's cells.
    fn check_cell_counter(&self, name: &str, context: Context, accessor: &str) -> Option<Wrong> {
        let d = self.d;
        let Some(counter) = d.counters.get(name) else {
            let message = format!("unknown counter `{name}` in `{accessor}`");
            return Some(Wrong { code: "unknown-counter", message, help: suggestion(name, keys(d.counters.keys())) });
        };
        let grid = context.grid?;
        if counter.per == Holder::Cell(grid) {
            return None;
        }
        let of_grid: Vec<&str> =
            d.counters.iter().filter(|(_, c)| c.per == Holder::Cell(grid)).map(|(name, _)| name.as_str()).collect();
        let (grid, _) = d.grids.get_index(grid)?;
        let message = format!("counter `{name}` in `{accessor}` does not belong to the cells of grid `{grid}`");
        let help = (!of_grid.is_empty()).then(|| format!("its counters are {}", list(&of_grid)));
        Some(Wrong { code: "wrong-holder", message, help })
    }

    fn kinds(&self, one: Option<(&String, &'a Kind)>) -> impl Iterator<Item = &'a Kind> {
        let all = one.is_none().then(|| self.d.kinds.values()).into_iter().flatten();
        one.map(|(_, kind)| kind).into_iter().chain(all)
    }

    /// How many values a line of the transcript or a question shows.
    pub fn placeholders(&self, sort: Sort, name: &str) -> usize {
        let text = match sort {
            Sort::Prompt => self.d.prompts.get(name).map(|prompt| &prompt.text),
            _ => self.d.texts.get(name),
        };
        text.map_or(0, |text| values_shown(text))
    }
}

fn keys<'s>(names: impl Iterator<Item = &'s String>) -> Vec<&'s str> {
    names.map(String::as_str).collect()
}

/// Word and code of a sort of names.
fn noun(sort: Sort) -> (&'static str, &'static str) {
    match sort {
        Sort::Counter => ("counter", "unknown-counter"),
        Sort::Zone => ("zone", "unknown-zone"),
        Sort::Grid => ("grid", "unknown-grid"),
        Sort::Prompt => ("prompt", "unknown-prompt"),
        Sort::Text => ("text", "unknown-text"),
        Sort::Kind => ("kind", "unknown-kind"),
        Sort::Option => ("option", "unknown-option"),
        Sort::Verb => ("verb", "unknown-verb"),
        Sort::Hook => ("hook", "unknown-hook"),
        Sort::Attribute => ("attribute", "unknown-attribute"),
        Sort::Label => ("label", "unknown-label"),
        Sort::Phase => ("phase", "unknown-phase"),
    }
}

/// Stem of the file that declares them.
fn stem(sort: Sort) -> &'static str {
    match sort {
        Sort::Prompt | Sort::Label => "prompts",
        Sort::Text => "texts",
        Sort::Verb => "verbs",
        _ => "game",
    }
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
