//! What scripts have of Luau's own library: the names that `std/prelude.luau` puts into their environment.

/// Plain functions.
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
            "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "pack", "packsize", "rep",
            "reverse", "split", "sub", "unpack", "upper",
        ],
    ),
    (
        "table",
        &[
            "clear", "clone", "concat", "create", "find", "foreach", "foreachi", "freeze", "getn", "insert",
            "isfrozen", "maxn", "move", "pack", "remove", "sort", "unpack",
        ],
    ),
    ("utf8", &["char", "charpattern", "codepoint", "codes", "len", "offset"]),
];

/// The fields of one of the tables.
pub fn fields(table: &str) -> Option<&'static [&'static str]> {
    TABLES.iter().find(|(name, _)| *name == table).map(|(_, fields)| *fields)
}

/// Whether the environment has this name.
pub fn has(name: &str) -> bool {
    FUNCTIONS.contains(&name) || fields(name).is_some()
}

/// Every name of the environment.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().chain(TABLES.into_iter().map(|(name, _)| name))
}
