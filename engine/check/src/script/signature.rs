//! What an accessor takes, read from its typed signature.

use std::sync::LazyLock;

use indexmap::IndexMap;

use motherlode::language::ACCESSORS;
use motherlode_content::sort::Sort;

/// What is expected in a place: as a parameter, or in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A name of this sort.
    Name(Sort),
    /// A counter, or a family of them as a whole: its members have the same values.
    CounterOrFamily,
    /// A definition's id: `id: string` behind a kind, `index` behind a family.
    Id,
    /// The name of a value: `name: string` behind a counter.
    Value,
    /// A direction of lines: `direction: string` behind a grid.
    Direction,
    /// A way out of a cell: `way: string` behind a grid.
    Way,
    /// Which neighbours of a cell: `which: string` behind a grid.
    Which,
    /// A list of choices, in which labels may stand.
    Choices,
    /// A definition's id of any kind; no accessor takes it, but ids are compared with it.
    AnyId,
    /// A value of an option; no accessor takes it, but options are compared with it.
    OptionValue,
    /// Anything else.
    Any,
}

/// What sort of value something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A table, also as a list.
    Table,
    /// A function.
    Function,
    /// `nil`.
    Nothing,
}

impl Kind {
    /// `a number`, for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "text",
            Self::Boolean => "true or false",
            Self::Table => "a table",
            Self::Function => "a function",
            Self::Nothing => "nil",
        }
    }

    /// Of a type as signatures write it; `None`: it may be anything.
    fn of(name: &str) -> Option<Self> {
        match name.trim_end_matches('?') {
            "" | "any" | "Index" => None,
            several if several.contains(" | ") => None,
            "number" | "Holder" => Some(Self::Number),
            "boolean" => Some(Self::Boolean),
            table if table.starts_with('{') => Some(Self::Table),
            function if function.starts_with('(') => Some(Self::Function),
            // Names are texts.
            _ => Some(Self::Text),
        }
    }
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it must be.
    pub of: Option<Kind>,
    /// It may be `nil`.
    pub optional: bool,
}

/// What a call yields, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yields {
    /// A list of numbers.
    Numbers,
    /// A list of definitions' ids.
    Ids,
    /// Anything else.
    Any,
}

/// What an accessor takes.
#[derive(Debug)]
pub struct Signature {
    /// As written in the list of accessors.
    pub text: &'static str,
    /// Its parameters; those behind `...` are missing.
    pub takes: Vec<Takes>,
    /// The same parameters.
    pub parameters: Vec<Parameter>,
    /// Fewest arguments.
    pub least: usize,
    /// Most arguments.
    pub most: usize,
    /// What it returns.
    pub yields: Yields,
    /// What sort of value that is.
    pub result: Option<Kind>,
    /// Whether it is a function: `game` is none.
    pub callable: bool,
    /// Whether a call stands for one value at most.
    pub single: bool,
    /// What it takes with the index of a family.
    pub indexed: Option<Box<Signature>>,
}

/// The signatures of all accessors by name.
pub static SIGNATURES: LazyLock<IndexMap<&'static str, Signature>> = LazyLock::new(|| {
    let read = |accessor: &motherlode::language::Accessor| {
        let indexed = accessor.indexed.map(|text| Box::new(Signature::read(accessor.name, text, &accessor.code)));
        (accessor.name, Signature { indexed, ..Signature::read(accessor.name, accessor.signature, &accessor.code) })
    };
    ACCESSORS.values().map(read).collect()
});

impl Signature {
    fn read(name: &str, text: &'static str, code: &str) -> Self {
        let inside = text.split_once('(').and_then(|(_, rest)| Some(rest.split_at(closing(rest)?)));
        let Some((inside, rest)) = inside else {
            let (takes, parameters, result) = (Vec::new(), Vec::new(), Some(Kind::Number));
            return Self {
                text,
                takes,
                parameters,
                least: 0,
                most: 0,
                yields: Yields::Any,
                result,
                callable: false,
                single: true,
                indexed: None,
            };
        };
        let (mut takes, mut all, mut least, mut open) = (Vec::new(), Vec::new(), 0, false);
        for parameter in split(inside) {
            let Some((parameter, sort)) = parameter.split_once(':') else {
                open = true;
                continue;
            };
            let sort = sort.trim();
            takes.push(takes_of(name, parameter.trim(), sort.trim_end_matches('?'), takes.last().copied()));
            let optional = sort.ends_with('?');
            all.push(Parameter { name: parameter.trim(), of: Kind::of(sort), optional });
            if !optional {
                least = takes.len();
            }
        }
        // The code has as many parameters as `...` may stand for.
        let most = if open { parameters(name, code).unwrap_or(takes.len()) } else { takes.len() };
        let result = rest.trim_start_matches([')', ':', ' ']);
        let yields = match result {
            "{number}" => Yields::Numbers,
            "{string}" => Yields::Ids,
            _ => Yields::Any,
        };
        let single = !result.starts_with('(');
        let (result, callable, indexed) = (Kind::of(result), true, None);
        Self { text, takes, parameters: all, least, most, yields, result, callable, single, indexed }
    }

    /// What it takes in a call with so many arguments.
    #[must_use]
    pub fn of_call(&self, arguments: usize) -> &Self {
        self.indexed.as_deref().filter(|indexed| arguments >= indexed.least).unwrap_or(self)
    }
}

fn takes_of(accessor: &str, parameter: &str, sort: &str, before: Option<Takes>) -> Takes {
    match (sort, parameter, before) {
        ("Counter", ..) => Takes::Name(Sort::Counter),
        ("CounterFamily", ..) => Takes::Name(Sort::CounterFamily),
        ("Family", ..) => Takes::Name(Sort::Family),
        ("Counter | CounterFamily", ..) => Takes::CounterOrFamily,
        ("Zone" | "Zone | {any}", ..) => Takes::Name(Sort::Zone),
        ("Grid", ..) => Takes::Name(Sort::Grid),
        ("Prompt", ..) => Takes::Name(Sort::Prompt),
        ("Text", ..) => Takes::Name(Sort::Text),
        ("Kind", ..) => Takes::Name(Sort::Kind),
        ("Option", ..) => Takes::Name(Sort::Option),
        ("Verb", ..) => Takes::Name(Sort::Verb),
        ("Hook", ..) => Takes::Name(Sort::Hook),
        ("Attribute", ..) => Takes::Name(Sort::Attribute),
        ("string" | "string | number", "id", Some(Takes::Name(Sort::Kind))) => Takes::Id,
        ("Index", _, Some(Takes::Name(Sort::CounterFamily | Sort::Family))) => Takes::Id,
        ("string", "name", Some(Takes::CounterOrFamily)) => Takes::Value,
        ("string", "direction", Some(Takes::Name(Sort::Grid))) => Takes::Direction,
        ("string", "way", _) => Takes::Way,
        ("string", "which", _) => Takes::Which,
        ("any", ..) if accessor == "choice" => Takes::Name(Sort::Label),
        (list, _, Some(Takes::Name(Sort::Prompt))) if list.starts_with("{any}") => Takes::Choices,
        _ => Takes::Any,
    }
}

/// Number of parameters of the function in an accessor's code.
fn parameters(name: &str, code: &str) -> Option<usize> {
    let (_, rest) = code.split_once(&format!("{name}("))?;
    Some(split(rest.split_once(')')?.0).count())
}

/// Where the parenthesis that is open at the beginning closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        (depth == 0).then_some(at)
    })
}

/// The parts between the outer commas.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c: char| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(name: &str) -> (usize, usize) {
        (SIGNATURES[name].least, SIGNATURES[name].most)
    }

    #[test]
    fn signatures_say_what_is_taken() {
        assert_eq!(SIGNATURES.len(), ACCESSORS.len());
        assert_eq!(counts("get"), (2, 2));
        let indexed = SIGNATURES["set"].of_call(4);
        assert_eq!((indexed.least, indexed.most, indexed.takes[2]), (4, 4, Takes::Id));
        assert_eq!(SIGNATURES["set"].of_call(3).least, 3);
        assert_eq!(counts("end_phase"), (0, 0));
        assert_eq!(counts("choice_cells"), (3, 4));
        assert_eq!(counts("draw"), (3, 4), "what is optional may stand before what is not");
        assert_eq!(counts("do_verb"), (3, 3), "a comma within braces parts nothing");
        assert_eq!(counts("log"), (1, 6));
        assert_eq!(counts("run"), (2, 5));
        assert!(!SIGNATURES["game"].callable);
        assert_eq!(SIGNATURES["def"].takes, [Takes::Name(Sort::Kind), Takes::Id, Takes::Name(Sort::Attribute)]);
        assert_eq!(SIGNATURES["value"].takes[1], Takes::Value);
        assert_eq!(SIGNATURES["lines"].takes[1], Takes::Direction);
        assert_eq!(SIGNATURES["choose"].takes[2], Takes::Choices);
        assert_eq!(
            (SIGNATURES["ask_all"].takes[2], SIGNATURES["ask_in_turn"].takes[2]),
            (Takes::Choices, Takes::Choices)
        );
        assert_eq!((counts("ask_all"), SIGNATURES["ask_all"].parameters[2].of), ((3, 6), None));
        assert!(SIGNATURES["ask_all"].single && !SIGNATURES["ask_in_turn"].single);
        assert_eq!(SIGNATURES["ray"].takes[2], Takes::Way);
        assert_eq!(SIGNATURES["neighbours"].takes[2], Takes::Which);
        assert_eq!(counts("choice_where"), (2, 3));
        assert_eq!(SIGNATURES["choice_where"].parameters[1].of, Some(Kind::Function));
        assert_eq!(SIGNATURES["choice"].takes, [Takes::Name(Sort::Label)]);
        assert_eq!((SIGNATURES["cells"].yields, SIGNATURES["defs"].yields), (Yields::Numbers, Yields::Ids));
        assert_eq!(SIGNATURES["lines"].yields, Yields::Any);
    }

    #[test]
    fn every_type_is_known() {
        let plain = ["Holder", "number", "string", "any", "{any}", "{number}", "{[string]: any}", "(any) -> any"];
        let indexed = SIGNATURES.iter().filter_map(|(name, one)| Some((name, one.indexed.as_deref()?)));
        for (name, signature) in SIGNATURES.iter().chain(indexed) {
            let parameters = split(signature.text.split_once('(').map_or("", |(_, r)| &r[..closing(r).unwrap()]));
            for (parameter, takes) in parameters.zip(&signature.takes) {
                let sort = parameter.split_once(':').unwrap().1.trim().trim_end_matches('?');
                assert!(*takes != Takes::Any || plain.contains(&sort), "{name}: {parameter}");
            }
        }
    }
}
