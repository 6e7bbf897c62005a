//! Parses the typed signatures of accessors.

use std::sync::LazyLock;

use indexmap::IndexMap;

use motherlode::language::ACCESSORS;
use motherlode_content::sort::NameKind;

/// The name or value that a parameter or a comparison expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedName {
    /// A name of this sort.
    Name(NameKind),
    /// A counter, or a family of counters: all members have the same named values.
    CounterOrFamily,
    /// Id of a definition: `id: string` after a kind, `index` after a family.
    Id,
    /// Name of a value: `name: string` after a counter.
    Value,
    /// Direction of lines: `direction: string` after a grid.
    Direction,
    /// Way out of a cell: `way: string` after a grid.
    Way,
    /// Set of neighbours of a cell: `which: string` after a grid.
    Neighbours,
    /// List of choices, which may contain labels.
    Choices,
    /// Id of a definition of any kind. Only in comparisons.
    AnyId,
    /// Value of an option. Only in comparisons.
    OptionValue,
    /// Value of an attribute. Only in comparisons.
    AttributeValue,
    /// Any other value.
    Any,
}

/// The type of a value in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// A number.
    Number,
    /// A text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A table or list.
    Table,
    /// A function.
    Function,
    /// `nil`.
    Nil,
}

impl ValueType {
    /// Returns `a number` and the like, for messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "text",
            Self::Boolean => "true or false",
            Self::Table => "a table",
            Self::Function => "a function",
            Self::Nil => "nil",
        }
    }

    /// Parses a type of a signature; `None`: any type.
    fn parse(name: &str) -> Option<Self> {
        match name.trim_end_matches('?') {
            "" | "any" | "Index" => None,
            several if several.contains(" | ") => None,
            "number" | "Holder" => Some(Self::Number),
            "boolean" => Some(Self::Boolean),
            table if table.starts_with('{') => Some(Self::Table),
            function if function.starts_with('(') => Some(Self::Function),
            // All other types are names, which are texts.
            _ => Some(Self::Text),
        }
    }
}

/// A parameter of an accessor.
#[derive(Debug)]
pub struct Parameter {
    /// Name.
    pub name: &'static str,
    /// Required type; `None`: any.
    pub value_type: Option<ValueType>,
    /// Whether the argument may be `nil`.
    pub is_optional: bool,
}

/// The list that a call returns, if it returns one of these lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListResult {
    /// List of numbers.
    Numbers,
    /// List of ids of definitions.
    Ids,
    /// Any other value.
    Other,
}

/// The signature of an accessor.
#[derive(Debug)]
pub struct Signature {
    /// Text of the signature, from the list of accessors.
    pub text: &'static str,
    /// Expected name of each parameter, without those of `...`.
    pub expected: Vec<ExpectedName>,
    /// Parameters, without those of `...`.
    pub parameters: Vec<Parameter>,
    /// Minimum number of arguments.
    pub min_arguments: usize,
    /// Maximum number of arguments.
    pub max_arguments: usize,
    /// List that the accessor returns.
    pub list_result: ListResult,
    /// Type of the result; `None`: any.
    pub result: Option<ValueType>,
    /// Whether the accessor is a function: `game` is not.
    pub is_function: bool,
    /// Whether a call returns at most one value.
    pub is_single_value: bool,
    /// Signature of the form with a family and an index.
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
    /// Reads the signature of a method of rule tests.
    pub fn of_method(text: &'static str) -> Self {
        Self::read("", text, "")
    }

    fn read(name: &str, text: &'static str, code: &str) -> Self {
        let inside = text.split_once('(').and_then(|(_, rest)| Some(rest.split_at(closing(rest)?)));
        let Some((inside, rest)) = inside else {
            let (expected, parameters, result) = (Vec::new(), Vec::new(), Some(ValueType::Number));
            return Self {
                text,
                expected,
                parameters,
                min_arguments: 0,
                max_arguments: 0,
                list_result: ListResult::Other,
                result,
                is_function: false,
                is_single_value: true,
                indexed: None,
            };
        };
        let (mut expected, mut all, mut min_arguments, mut open) = (Vec::new(), Vec::new(), 0, false);
        for parameter in split(inside) {
            let Some((parameter, sort)) = parameter.split_once(':') else {
                open = true;
                continue;
            };
            let sort = sort.trim();
            expected.push(parse_expected_name(
                name,
                parameter.trim(),
                sort.trim_end_matches('?'),
                expected.last().copied(),
            ));
            let is_optional = sort.ends_with('?');
            all.push(Parameter { name: parameter.trim(), value_type: ValueType::parse(sort), is_optional });
            if !is_optional {
                min_arguments = expected.len();
            }
        }
        // The parameters of the code bound the number of arguments of `...`.
        let max_arguments = if open { parameters(name, code).unwrap_or(expected.len()) } else { expected.len() };
        let result = rest.trim_start_matches([')', ':', ' ']);
        let list_result = match result {
            "{number}" => ListResult::Numbers,
            "{string}" => ListResult::Ids,
            _ => ListResult::Other,
        };
        let is_single_value = !result.starts_with('(');
        let (result, is_function, indexed) = (ValueType::parse(result), true, None);
        Self {
            text,
            expected,
            parameters: all,
            min_arguments,
            max_arguments,
            list_result,
            result,
            is_function,
            is_single_value,
            indexed,
        }
    }

    /// Returns the form that fits a call with this number of arguments.
    #[must_use]
    pub fn of_call(&self, arguments: usize) -> &Self {
        self.indexed.as_deref().filter(|indexed| arguments >= indexed.min_arguments).unwrap_or(self)
    }
}

fn parse_expected_name(accessor: &str, parameter: &str, sort: &str, before: Option<ExpectedName>) -> ExpectedName {
    match (sort, parameter, before) {
        ("Counter", ..) => ExpectedName::Name(NameKind::Counter),
        ("CounterFamily", ..) => ExpectedName::Name(NameKind::CounterFamily),
        ("Family", ..) => ExpectedName::Name(NameKind::Family),
        ("Counter | CounterFamily", ..) => ExpectedName::CounterOrFamily,
        ("Zone" | "Zone | {any}", ..) => ExpectedName::Name(NameKind::Zone),
        ("Grid", ..) => ExpectedName::Name(NameKind::Grid),
        ("Prompt", ..) => ExpectedName::Name(NameKind::Prompt),
        ("Phase", ..) => ExpectedName::Name(NameKind::Phase),
        ("Text", ..) => ExpectedName::Name(NameKind::Text),
        ("Kind", ..) => ExpectedName::Name(NameKind::Kind),
        ("Option", ..) => ExpectedName::Name(NameKind::Option),
        ("Verb", ..) => ExpectedName::Name(NameKind::Verb),
        ("Filter", ..) => ExpectedName::Name(NameKind::Filter),
        ("Event", ..) => ExpectedName::Name(NameKind::Event),
        ("Hook", ..) => ExpectedName::Name(NameKind::Hook),
        ("HookList", ..) => ExpectedName::Name(NameKind::HookList),
        ("Attribute", ..) => ExpectedName::Name(NameKind::Attribute),
        ("string" | "string | number", "id", Some(ExpectedName::Name(NameKind::Kind))) => ExpectedName::Id,
        ("Index", _, Some(ExpectedName::Name(NameKind::CounterFamily | NameKind::Family))) => ExpectedName::Id,
        ("string", "name", Some(ExpectedName::CounterOrFamily)) => ExpectedName::Value,
        ("string", "direction", Some(ExpectedName::Name(NameKind::Grid))) => ExpectedName::Direction,
        ("string", "way", _) => ExpectedName::Way,
        ("string", "which", _) => ExpectedName::Neighbours,
        ("any", ..) if accessor == "choice" => ExpectedName::Name(NameKind::Label),
        (list, _, Some(ExpectedName::Name(NameKind::Prompt))) if list.starts_with("{any}") => ExpectedName::Choices,
        _ => ExpectedName::Any,
    }
}

/// Returns the number of parameters of the function in an accessor's code.
fn parameters(name: &str, code: &str) -> Option<usize> {
    // A game whose hooks take more than three arguments gets longer accessors.
    let more = if ["run", "run_def"].contains(&name) { 2 } else { 0 };
    let (_, rest) = code.split_once(&format!("{name}("))?;
    Some(split(rest.split_once(')')?.0).count() + more)
}

/// Returns the offset of the parenthesis that closes the one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        (depth == 0).then_some(at)
    })
}

/// Splits a text at its outermost commas.
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

    fn argument_limits(name: &str) -> (usize, usize) {
        (SIGNATURES[name].min_arguments, SIGNATURES[name].max_arguments)
    }

    #[test]
    fn signatures_say_what_is_taken() {
        assert_eq!(SIGNATURES.len(), ACCESSORS.len());
        assert_eq!(argument_limits("get"), (2, 2));
        let indexed = SIGNATURES["set"].of_call(4);
        assert_eq!((indexed.min_arguments, indexed.max_arguments, indexed.expected[2]), (4, 4, ExpectedName::Id));
        assert_eq!(SIGNATURES["set"].of_call(3).min_arguments, 3);
        assert_eq!(argument_limits("end_phase"), (0, 0));
        assert_eq!(argument_limits("choice_cells"), (3, 4));
        assert_eq!(argument_limits("draw"), (3, 4), "an optional parameter may precede a required one");
        assert_eq!(argument_limits("do_verb"), (3, 3), "a comma in braces is no separator");
        assert_eq!(argument_limits("log"), (1, 6));
        assert_eq!(argument_limits("run"), (2, 7));
        assert!(!SIGNATURES["game"].is_function);
        assert_eq!(
            SIGNATURES["def"].expected,
            [ExpectedName::Name(NameKind::Kind), ExpectedName::Id, ExpectedName::Name(NameKind::Attribute)]
        );
        assert_eq!(SIGNATURES["value"].expected[1], ExpectedName::Value);
        assert_eq!(SIGNATURES["lines"].expected[1], ExpectedName::Direction);
        assert_eq!(SIGNATURES["choose"].expected[2], ExpectedName::Choices);
        assert_eq!(
            (SIGNATURES["ask_all"].expected[2], SIGNATURES["ask_in_turn"].expected[2]),
            (ExpectedName::Choices, ExpectedName::Choices)
        );
        assert_eq!((argument_limits("ask_all"), SIGNATURES["ask_all"].parameters[2].value_type), ((3, 6), None));
        assert!(SIGNATURES["ask_all"].is_single_value && !SIGNATURES["ask_in_turn"].is_single_value);
        assert_eq!(SIGNATURES["ray"].expected[2], ExpectedName::Way);
        assert_eq!(SIGNATURES["neighbours"].expected[2], ExpectedName::Neighbours);
        assert_eq!(argument_limits("choice_where"), (2, 3));
        assert_eq!(SIGNATURES["choice_where"].parameters[1].value_type, Some(ValueType::Function));
        assert_eq!(SIGNATURES["choice"].expected, [ExpectedName::Name(NameKind::Label)]);
        assert_eq!(
            (SIGNATURES["cells"].list_result, SIGNATURES["defs"].list_result),
            (ListResult::Numbers, ListResult::Ids)
        );
        assert_eq!(SIGNATURES["lines"].list_result, ListResult::Other);
    }

    #[test]
    fn every_type_is_known() {
        let plain = ["Holder", "number", "string", "any", "{any}", "{number}", "{[string]: any}", "(any) -> any"];
        let indexed = SIGNATURES.iter().filter_map(|(name, one)| Some((name, one.indexed.as_deref()?)));
        for (name, signature) in SIGNATURES.iter().chain(indexed) {
            let parameters = split(signature.text.split_once('(').map_or("", |(_, r)| &r[..closing(r).unwrap()]));
            for (parameter, expected) in parameters.zip(&signature.expected) {
                let sort = parameter.split_once(':').unwrap().1.trim().trim_end_matches('?');
                assert!(*expected != ExpectedName::Any || plain.contains(&sort), "{name}: {parameter}");
            }
        }
    }
}
