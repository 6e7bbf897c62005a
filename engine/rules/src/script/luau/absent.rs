//! Names of Lua and other languages that the sandbox lacks, and their replacements.

/// Name and replacement. A name covers its fields: `os` is also `os.time`.
const ABSENT: &[(&str, &str)] = &[
    ("math.random", "use `random(n)`: a number from 1 to n"),
    ("math.randomseed", "a match has its own seed: use `random(n)`"),
    ("math.noise", "use `random(n)`: a number from 1 to n"),
    ("os", "scripts have no clock and no system: use `round()` and counters"),
    ("tick", "scripts have no clock: use `round()` and counters"),
    ("time", "scripts have no clock: use `round()` and counters"),
    ("wait", "scripts do not wait: ask a player with `ask`"),
    ("task", "scripts do not wait: ask a player with `ask`"),
    ("coroutine", "scripts have no coroutines: a hook waits at `ask`"),
    ("io", "scripts read and write no files"),
    ("require", "put shared functions in `lib.luau` and call them as `lib.name(...)`"),
    ("dofile", "put shared functions in `lib.luau` and call them as `lib.name(...)`"),
    ("loadstring", "scripts cannot compile text: write a function"),
    ("load", "scripts cannot compile text: write a function"),
    ("getfenv", "scripts have no environments: pass values as arguments"),
    ("setfenv", "scripts have no environments: pass values as arguments"),
    ("_G", "scripts have no global variables: keep values in counters, and shared functions in `lib.luau`"),
    ("print", "use `error(value)` to see a value, or `log(text)` to tell the players"),
    ("warn", "use `error(value)` to see a value, or `log(text)` to tell the players"),
    ("debug", "use `error(value)` to see a value and its line"),
    ("setmetatable", "scripts have no metatables: use plain tables and functions"),
    ("getmetatable", "scripts have no metatables: use plain tables and functions"),
    ("rawget", "scripts have no metatables: write `table[key]`"),
    ("rawset", "scripts have no metatables: write `table[key] = value`"),
    ("rawequal", "scripts have no metatables: write `a == b`"),
    ("rawlen", "scripts have no metatables: write `#table`"),
    ("table.getn", "write `#list`"),
    ("table.maxn", "write `#list`"),
    ("table.foreach", "write `for key, value in pairs(list) do`"),
    ("table.foreachi", "write `for i, value in ipairs(list) do`"),
    ("null", "write `nil`"),
    ("None", "write `nil`"),
    ("True", "write `true`"),
    ("False", "write `false`"),
];

/// The replacement of a name that scripts lack: `math.random`, `os`.
#[must_use]
pub fn replacement(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(absent, _)| *absent == name).map(|(_, instead)| *instead)
}

/// The first name in a line that scripts lack, with its replacement, if the message is about nil.
#[must_use]
pub fn absent_in(message: &str, line: &str) -> Option<(&'static str, &'static str)> {
    let message = message.lines().next().unwrap_or_default();
    if !message.ends_with("attempt to call a nil value") && !message.contains("attempt to index nil with") {
        return None;
    }
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let code = line.split("--").next().unwrap_or_default();
    let is_in_code = |name: &str| {
        code.match_indices(name).any(|(at, _)| {
            !code[..at].ends_with(|c| is_part(c) || matches!(c, '.' | ':' | '"' | '\''))
                && code[at + name.len()..].trim_start().starts_with(['(', '.', '['])
        })
    };
    ABSENT.iter().find(|(name, _)| is_in_code(name)).copied()
}

/// A line of a source, counted from 1.
pub(super) fn line_of(source: &str, line: u32) -> &str {
    source.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_messages_about_nil_name_an_absent_name() {
        let call = "attempt to call a nil value";
        assert_eq!(absent_in(call, "local x = math.random(3)").unwrap().0, "math.random");
        assert_eq!(absent_in("attempt to index nil with 'time'", "x = os.time()").unwrap().0, "os");
        for line in ["local x = pos.time()", "lib.print(1)", "f() -- print(1)", "printer()", "f('print(x)')"] {
            assert_eq!(absent_in(call, line), None, "{line}");
        }
        assert_eq!(absent_in("attempt to compare nil", "print(1)"), None);
    }
}
