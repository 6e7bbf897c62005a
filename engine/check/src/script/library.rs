//! The part of Luau's library that scripts can use: the names that `std/prelude.luau` puts into their environment.

use crate::script::signature::ValueType;

/// Global functions.
pub const FUNCTIONS: [&str; 13] = [
    "assert", "error", "ipairs", "next", "pairs", "pcall", "select", "tonumber", "tostring", "type", "typeof",
    "unpack", "xpcall",
];

/// Tables of functions.
pub const TABLES: [(&str, &[&str]); 5] = [
    (
        "bit32",
        &[
            "arshift", "band", "bnot", "bor", "btest", "bxor", "byteswap", "countlz", "countrz", "extract", "lrotate",
            "lshift", "replace", "rrotate", "rshift",
        ],
    ),
    (
        "math",
        &[
            "abs", "acos", "asin", "atan", "atan2", "ceil", "clamp", "cos", "cosh", "deg", "e", "exp", "floor", "fmod",
            "frexp", "huge", "isfinite", "isinf", "isnan", "ldexp", "lerp", "log", "log10", "map", "max", "min",
            "modf", "nan", "phi", "pi", "pow", "rad", "round", "sign", "sin", "sinh", "sqrt", "sqrt2", "tan", "tanh",
            "tau",
        ],
    ),
    (
        "string",
        &[
            "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "split",
            "sub", "upper",
        ],
    ),
    (
        "table",
        &[
            "clear", "clone", "concat", "create", "find", "freeze", "insert", "isfrozen", "move", "pack", "remove",
            "sort", "unpack",
        ],
    ),
    ("utf8", &["char", "charpattern", "codepoint", "codes", "len", "offset"]),
];

/// Returns the fields of a library table.
pub fn fields(table: &str) -> Option<&'static [&'static str]> {
    TABLES.iter().find(|(name, _)| *name == table).map(|(_, fields)| *fields)
}

/// Returns the minimum and maximum number of arguments of a library function. `table`: `""` for a global function.
pub fn argument_limits(table: &str, name: &str) -> Option<(usize, usize)> {
    const ANY: usize = usize::MAX;
    Some(match (table, name) {
        ("math", "huge" | "nan" | "e" | "phi" | "pi" | "sqrt2" | "tau") => return None,
        ("math", "min" | "max") => (1, ANY),
        ("math", "atan2" | "fmod" | "ldexp" | "pow") => (2, 2),
        ("math", "clamp" | "lerp") => (3, 3),
        ("math", "map") => (5, 5),
        ("math", "log") => (1, 2),
        ("math", _) => (1, 1),
        ("bit32", "band" | "bor" | "bxor" | "btest") => (1, ANY),
        ("bit32", "bnot" | "byteswap" | "countlz" | "countrz") => (1, 1),
        ("bit32", "extract") => (2, 3),
        ("bit32", "replace") => (3, 4),
        ("bit32", _) => (2, 2),
        ("table", "clear" | "clone" | "freeze" | "isfrozen") => (1, 1),
        ("table", "concat") => (1, 4),
        ("table", "create" | "remove" | "sort") => (1, 2),
        ("table", "find" | "insert") => (2, 3),
        ("table", "move") => (4, 5),
        ("table", "unpack") => (1, 3),
        ("string", "gmatch") => (2, 2),
        ("string", "len" | "lower" | "reverse" | "upper") => (1, 1),
        ("string", "find") => (2, 4),
        ("string", "gsub") => (3, 4),
        ("string", "match" | "rep" | "sub") => (2, 3),
        ("string", "split") => (1, 2),
        ("string", "byte") => (1, 3),
        ("", "ipairs" | "pairs" | "tostring" | "type" | "typeof") => (1, 1),
        ("", "next" | "tonumber" | "error") => (1, 2),
        _ => return None,
    })
}

/// Returns the type of an argument, if all functions of the table take the same type there.
pub fn argument_type(table: &str, index: usize) -> Option<ValueType> {
    match (table, index) {
        ("math" | "bit32", _) => Some(ValueType::Number),
        ("table", 0) => Some(ValueType::Table),
        _ => None,
    }
}

/// Whether the environment has this name.
pub fn has(name: &str) -> bool {
    FUNCTIONS.contains(&name) || fields(name).is_some()
}

/// Iterates over all names of the environment.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().chain(TABLES.into_iter().map(|(name, _)| name))
}
