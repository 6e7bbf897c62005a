//! Specialised accessors: a call such as `get(player, "gold")` names its counter in the source, so the counter can be looked up when
//! the script is loaded. The call is renamed to a function made for that counter (`__get_gold`), on the same line and with the same
//! arguments. `get` then takes half the time, `set` and `gain` a third.
//!
//! Only the fast VM does this; the careful one, which explains faults, keeps the general accessors.

use indexmap::IndexMap;

use crate::script::words::words;
use motherlode_content::declare::Declarations;

/// Most specialised functions per script: with the header's other locals, they mostly stay within Luau's limit of 200.
pub const MOST: usize = 80;

/// Most bytes of a call that are searched for its first two arguments.
const LONGEST: usize = 1000;

/// Names of the header that specialised functions use.
pub const NEEDS: &str = "__readi32 __writei32 __floor __S __O __bad_value __log";

/// A source with renamed calls, and the functions they call.
#[derive(Debug)]
pub struct Specialised {
    /// The source; its lines keep their numbers.
    pub source: String,
    /// The functions, on one line; they use [`NEEDS`] of the header.
    pub functions: String,
}

/// Renames calls to at most `most` functions, those that are called most often.
#[must_use]
pub fn specialise(source: &str, d: &Declarations, most: usize) -> Specialised {
    let calls = calls(source);
    let mut uses: IndexMap<String, (usize, String)> = IndexMap::new();
    for call in &calls {
        if let Some((name, code)) = function_for(call, d) {
            uses.entry(name).or_insert((0, code)).0 += 1;
        }
    }
    uses.sort_by(|a, (n, _), b, (m, _)| m.cmp(n).then_with(|| a.cmp(b)));
    uses.truncate(most);
    let mut out = String::with_capacity(source.len() + 1024);
    let mut from = 0;
    for call in &calls {
        if let Some((name, _)) = function_for(call, d).filter(|(name, _)| uses.contains_key(name)) {
            out.push_str(&source[from..call.at]);
            out.push_str(&name);
            from = call.at + call.accessor.len();
        }
    }
    out.push_str(&source[from..]);
    let mut functions = String::new();
    for counter in d.counters.keys() {
        if uses.values().any(|(_, code)| code.contains(&format!("__counter_{counter}["))) {
            functions += &format!("local __counter_{counter} = __T.__C.{counter} ");
        }
    }
    for (_, code) in uses.values() {
        functions += code;
        functions.push(' ');
    }
    Specialised { source: out, functions }
}

/// A call of an accessor in the source.
struct Call<'s> {
    at: usize,
    accessor: &'s str,
    /// The first two arguments, if they are plain texts.
    texts: [Option<&'s str>; 2],
}

/// Name and code of the specialised function for a call.
fn function_for(call: &Call<'_>, d: &Declarations) -> Option<(String, String)> {
    let accessor = call.accessor;
    match accessor {
        "get" | "set" | "gain" | "pay" | "has" => {
            let counter = call.texts[1]?;
            let declared = d.counters.get(counter)?;
            let name = format!("__{accessor}_{counter}");
            let (min, max) = (declared.min, declared.max);
            let table = format!("__counter_{counter}");
            // `more` refuses amounts that are texts, which Luau's arithmetic would turn into numbers.
            let checked = |more: &str, amount: &str| {
                format!(
                    "if v >= {min} and v <= {max} and __floor(v) == v{more} then __writei32(__S, o, v) else __bad_value(h, \"{counter}\", v{amount}) end"
                )
            };
            let body = match accessor {
                "get" => format!("(h) return __readi32(__S, {table}[h]) end"),
                "has" => format!("(h, _, n) return __readi32(__S, {table}[h]) >= n end"),
                "set" => format!("(h, _, v) local o = {table}[h] {} end", checked("", "")),
                "gain" => format!(
                    "(h, _, n) local o = {table}[h] local a = __readi32(__S, o) local v = a + n {} end",
                    checked(" and v - a == n", ", n")
                ),
                _ => format!(
                    "(h, _, n) local o = {table}[h] local a = __readi32(__S, o) local v = a - n {} end",
                    checked(" and a - v == n", ", n")
                ),
            };
            let code = format!("local function {name}{body}");
            Some((name, code))
        }
        "value" => {
            let (counter, value) = (call.texts[0]?, call.texts[1]?);
            let number = d.counters.get(counter)?.values.iter().position(|v| v == value)?;
            let name = format!("__value_{counter}_{value}");
            let code = format!("local function {name}() return {number} end");
            Some((name, code))
        }
        // The text is known to exist; when nobody reads the transcript, the call is one comparison.
        "log" => {
            d.texts.get(call.texts[0]?)?;
            let code = "local function __log_known(key, a, b, c, d, e) if __readi32(__O, 16384) ~= 0 then __log(key, a, b, c, d, e) end end";
            Some(("__log_known".into(), code.into()))
        }
        _ => None,
    }
}

/// Calls of accessors by name. If a script uses a name in any other way (as a variable or a definition of its own), all calls of that
/// name stay as they are.
fn calls(source: &str) -> Vec<Call<'_>> {
    const ACCESSORS: [&str; 7] = ["get", "set", "gain", "pay", "has", "value", "log"];
    let bytes = source.as_bytes();
    let mut out: Vec<Call<'_>> = Vec::new();
    let mut shadowed: Vec<&str> = Vec::new();
    let code = Code::of(source);
    for (at, word) in words(source) {
        if !ACCESSORS.contains(&word) || !code.is_code(at) {
            continue;
        }
        let before = source[..at].trim_end();
        let after = source[at + word.len()..].trim_start();
        // `get = ...` may be a field of a table or a variable; as a variable it hides the accessor.
        let own = before.ends_with(['.', ':']);
        if before.ends_with("function") || before.ends_with("local") || (!after.starts_with('(') && !own) {
            shadowed.push(word);
            continue;
        }
        if own {
            continue;
        }
        let open = source.len() - after.len();
        let texts = arguments(source, bytes, &code, open);
        out.push(Call { at, accessor: word, texts });
    }
    out.retain(|call| !shadowed.contains(&call.accessor));
    out
}

/// The first two arguments of a call whose parenthesis opens at `open`, if they are plain texts.
fn arguments<'s>(source: &'s str, bytes: &[u8], code: &Code, open: usize) -> [Option<&'s str>; 2] {
    let mut texts = [None; 2];
    let (mut depth, mut argument, mut start) = (0_i32, 0, open + 1);
    for at in open..bytes.len().min(open + LONGEST) {
        if !code.is_code(at) {
            continue;
        }
        match bytes[at] {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            _ => {}
        }
        let ends = depth == 0 || (depth == 1 && bytes[at] == b',');
        if ends {
            let text = source[start..at].trim();
            let name = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
            texts[argument] =
                name.filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
            (argument, start) = (argument + 1, at + 1);
            if depth == 0 || argument == 2 {
                break;
            }
        }
    }
    texts
}

/// Which bytes of a source are code rather than text or comment.
struct Code(Vec<bool>);

impl Code {
    fn of(source: &str) -> Self {
        let bytes = source.as_bytes();
        let mut code = vec![true; bytes.len()];
        let mut at = 0;
        while at < bytes.len() {
            let end = match bytes[at] {
                b'-' if bytes[at..].starts_with(b"--") => match long_bracket(bytes, at + 2) {
                    Some(end) => end,
                    None => bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n),
                },
                b'[' => long_bracket(bytes, at).unwrap_or(at),
                quote @ (b'"' | b'\'' | b'`') => {
                    let mut end = at + 1;
                    while end < bytes.len() && bytes[end] != quote && (bytes[end] != b'\n' || quote == b'`') {
                        end += if bytes[end] == b'\\' { 2 } else { 1 };
                    }
                    (end + 1).min(bytes.len())
                }
                _ => at,
            };
            if end > at {
                code[at..end].fill(false);
                at = end;
            } else {
                at += 1;
            }
        }
        Self(code)
    }

    fn is_code(&self, at: usize) -> bool {
        self.0.get(at).copied().unwrap_or(false)
    }
}

/// End of a long bracket (`[[ ... ]]`, `[=[ ... ]=]`) that opens at `at`.
fn long_bracket(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'[') {
        return None;
    }
    let level = bytes[at + 1..].iter().take_while(|&&b| b == b'=').count();
    if bytes.get(at + 1 + level) != Some(&b'[') {
        return None;
    }
    let close: Vec<u8> = [&b"]"[..], &vec![b'='; level], &b"]"[..]].concat();
    let from = at + 2 + level;
    Some(bytes[from..].windows(close.len()).position(|w| w == close).map_or(bytes.len(), |n| from + n + close.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use motherlode_content::declare::Counter;

    fn declared() -> Declarations {
        let mut d = Declarations::default();
        let ore = Counter { max: 2, values: vec!["none".into(), "gold".into()], ..Counter::default() };
        d.counters.insert("gold".into(), Counter { max: 9, ..Counter::default() });
        d.counters.insert("ore".into(), ore);
        d
    }

    #[test]
    fn calls_with_a_plain_name_are_renamed() {
        let out = specialise(
            "x = get(at(\"a\", 1), \"gold\")\nset(p, 'gold', 1) set( p , \"gold\", get(q, name)) y = value(\"ore\", \"gold\")",
            &declared(),
            MOST,
        );
        assert_eq!(
            out.source,
            "x = __get_gold(at(\"a\", 1), \"gold\")\nset(p, 'gold', 1) __set_gold( p , \"gold\", get(q, name)) y = __value_ore_gold(\"ore\", \"gold\")"
        );
        assert!(out.functions.contains("__get_gold") && out.functions.contains("return 1"));
    }

    #[test]
    fn texts_comments_fields_and_own_names_stay() {
        for source in [
            "-- get(p, \"gold\")",
            "--[[ get(p, \"gold\") ]]",
            "x = 'get(p, \"gold\")'",
            "x = t.get(p, \"gold\")",
            "local function get(p, c) end get(p, \"gold\")",
            "local f = get f(p, \"gold\") get(p, \"gold\")",
            "get(p, \"silver\")",
        ] {
            assert_eq!(specialise(source, &declared(), MOST).source, source);
        }
    }
}
