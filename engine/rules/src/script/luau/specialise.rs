//! Specialised accessors: a call such as `get(player, "gold")` names its counter in the source, so the counter can be
//! resolved when the script is loaded. The call is renamed to a function for that counter (`__get_gold`), on the same
//! line and with the same arguments. `get` then takes half the time, `set` and `gain` a third.
//!
//! Only the fast VM does this; the careful one, which explains faults, keeps the general accessors.

use std::ops::Range;

use indexmap::{IndexMap, IndexSet};

use crate::script::luau::facts::with_facts;
use crate::script::luau::reactions::heard_counters;
use crate::script::luau::words::words;
use crate::state::Layout;
use crate::state::layout::MARKED;
use motherlode_content::declare::{AttributeType, Counter, Declarations, MEMBER};

/// The room for specialised functions in a script.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Most functions.
    pub functions: usize,
    /// Whether calls with a literal number get functions of their own.
    pub numbers: bool,
}

/// Default limit per script: with the header's other locals, most scripts then stay within Luau's limit of 200.
pub const MOST: Room = Room { functions: 80, numbers: true };

impl Room {
    /// The next smaller limit; the least useful functions go first.
    #[must_use]
    pub fn less(self) -> Self {
        let functions = if self.functions > 20 { self.functions / 2 } else { 0 };
        if self.numbers { Self { numbers: false, ..self } } else { Self { functions, ..self } }
    }
}

/// Maximum bytes of a call that are searched for its arguments.
const LONGEST: usize = 1000;

/// Names of the header that specialised functions use.
pub const NEEDS: &str = "__readi32 __writei32 __writei8 __floor __S __O __D __LABEL __bad_value __bad_choice __log";

/// A source with renamed calls, and the functions for them.
#[derive(Debug)]
pub struct SpecialisedSource {
    /// The source; line numbers do not change.
    pub source: String,
    /// The functions, on one line; they use [`NEEDS`] of the header.
    pub functions: String,
}

/// Renames calls to specialised functions, as far as there is room; the most frequent calls come first. Writes of a
/// counter to whose changes something listens keep their accessor.
#[must_use]
pub fn specialise(source: &str, d: &Declarations, layout: &Layout, room: Room) -> SpecialisedSource {
    let mut calls = calls(source);
    let heard = heard_counters(d);
    let writes = |call: &Call<'_>| matches!(call.accessor, "set" | "gain" | "pay");
    let is_heard = |name: &str| {
        let of_family = |counter: &String| counter.strip_prefix(name).is_some_and(|rest| rest.starts_with(MEMBER));
        heard.iter().any(|counter| counter == name || of_family(counter))
    };
    calls.retain(|call| !(writes(call) && call.arguments.texts[1].is_some_and(is_heard)));
    if !room.numbers {
        calls.iter_mut().for_each(|call| call.arguments.number = None);
    }
    let mut uses: IndexMap<String, (usize, String)> = IndexMap::new();
    for call in &calls {
        if let Some((name, code)) = function_for(call, d, layout) {
            uses.entry(name).or_insert((0, code)).0 += 1;
        }
    }
    uses.sort_by(|a, (n, _), b, (m, _)| m.cmp(n).then_with(|| a.cmp(b)));
    uses.truncate(room.functions);
    let mut out = String::with_capacity(source.len() + 1024);
    let mut from = 0;
    for call in &calls {
        if let Some((name, _)) = function_for(call, d, layout).filter(|(name, _)| uses.contains_key(name)) {
            out.push_str(&source[from..call.at]);
            out.push_str(&name);
            from = call.at + call.accessor.len();
        }
    }
    out.push_str(&source[from..]);
    let mut functions = String::new();
    let named = |start: &str| uses.values().any(|(_, code)| code.contains(start));
    for counter in d.counters.keys() {
        let word = word_of(counter);
        if named(&format!("__counter_{word}[")) {
            functions += &format!("local __counter_{word} = __T.__C[\"{counter}\"] ");
        }
    }
    for family in d.counter_families.keys().filter(|family| named(&format!("__family_{family}["))) {
        functions += &format!("local __family_{family} = __T.__F.{family} ");
    }
    let families: IndexSet<&String> = d.counter_families.keys().chain(d.zone_families.keys()).collect();
    for family in families.into_iter().filter(|family| named(&format!("__members_{family}["))) {
        functions += &format!("local __members_{family} = __T.__MEMBER.{family} ");
    }
    for (_, code) in uses.values() {
        functions += &with_facts(code);
        functions.push(' ');
    }
    SpecialisedSource { source: out, functions }
}

/// A call of an accessor in the source.
struct Call<'s> {
    at: usize,
    accessor: &'s str,
    arguments: Arguments<'s>,
}

/// The arguments of a call that are known from the source.
#[derive(Clone, Copy, Default)]
struct Arguments<'s> {
    /// The first three, if they are plain string literals.
    texts: [Option<&'s str>; 3],
    /// The last one, if it is a literal whole number.
    number: Option<i32>,
    /// Number of arguments; 0 if the call is too long.
    count: usize,
}

/// Name and code of the specialised function for a call.
fn function_for(call: &Call<'_>, d: &Declarations, layout: &Layout) -> Option<(String, String)> {
    let Arguments { texts, count, .. } = call.arguments;
    match call.accessor {
        "get" | "set" | "gain" | "pay" | "has" => counter_function(call, d, layout),
        "attr" => attr_function(texts[1].filter(|_| count == 2)?, d, layout),
        "in_family" => {
            let family = texts[0].filter(|family| count == 2 && is_family(d, family))?;
            let name = format!("__in_{family}");
            let code = format!("local function {name}(_, m) return __members_{family}[m] end");
            Some((name, code))
        }
        "value" => {
            let (counter, value) = (texts[0]?, texts[1]?);
            let number = counter_named(d, counter)?.values.iter().position(|v| v == value)?;
            let name = format!("__value_{}_{value}", word_of(counter));
            let code = format!("local function {name}() return {number} end");
            Some((name, code))
        }
        // Only a label that exists: the call then needs no check.
        "choice" => {
            let label = texts[0].filter(|_| count == 1)?;
            d.prompts.values().find(|prompt| prompt.labels.contains_key(label))?;
            let code = "local function __choice_label(x) local n = __readi32(__O, 0) + 1 if n > $MAX_CHOICES then __bad_choice(x, n) end __writei32(__O, n * 4, __LABEL[x]) __writei32(__O, 0, n) end";
            Some(("__choice_label".into(), code.into()))
        }
        "emit" => {
            let (number, named, event) = d.events.get_full(texts[0].filter(|_| (1..=2).contains(&count))?)?;
            if event.standard || event.of.is_some() {
                return None;
            }
            let name = format!("__emit_{}", word_of(named));
            let emit = format!("__do{}", &name[1..]);
            let code =
                format!("local {emit} = __T.__emit_number local function {name}(_, e) return {emit}({number}, e) end");
            Some((name, code))
        }
        // Only a text that exists. If the transcript is off, the call is one comparison.
        "log" => {
            d.texts.get(texts[0]?)?;
            let code = "local function __log_known(key, a, b, c, d, e) if __readi32(__O, $LOGGING_BYTE) ~= 0 then __log(key, a, b, c, d, e) end end";
            Some(("__log_known".into(), code.into()))
        }
        _ => None,
    }
}

/// The specialised function for a call that reads an attribute: its current value, or the printed one of a token that may
/// be a copy. Other games read a printed value without a call.
fn attr_function(named: &str, d: &Declarations, layout: &Layout) -> Option<(String, String)> {
    let kinds = || d.kinds.values().filter(|kind| kind.tokens);
    let is_switch = kinds().filter_map(|kind| kind.attributes.get(named)).map(|one| one.of == AttributeType::Boolean);
    let is_switch = is_switch.reduce(|any, one| any | one)?;
    let name = format!("__attr_{named}");
    let reactions = &layout.reactions;
    let current = d.read_attributes.get_index_of(named).and_then(|attribute| reactions.current_of(attribute));
    let code = if let Some(first) = current {
        // The first token has number 1.
        let at = (first as i64 - 1) * 4;
        let is_set = if is_switch { " ~= 0" } else { "" };
        format!(
            "local __now_{named} = __T.__refresh local function {name}(t) if __readi32(__S, $STALE_BYTE) ~= 0 then \
             __now_{named}() end return __readi32(__S, {at} + t * 4){is_set} end"
        )
    } else if kinds().any(|kind| kind.becomes.is_some()) {
        format!(
            "local __copy_{named}, __printed_{named}, __now_{named} = __T.__COPY, __T.__ATTR.{named}, __T.__attr \
             local function {name}(t) local o = __copy_{named}[t] if o ~= false and (o == nil or __readi32(__S, o) > 0) \
             then return __now_{named}(t, \"{named}\") end return __printed_{named}[t] end"
        )
    } else if reactions.has_current() {
        format!("local __printed_{named} = __T.__ATTR.{named} local function {name}(t) return __printed_{named}[t] end")
    } else {
        return None;
    };
    Some((name, code))
}

fn is_family(d: &Declarations, name: &str) -> bool {
    d.counter_families.contains_key(name) || d.zone_families.contains_key(name)
}

/// A counter; for a family, one of its members, which are all alike.
fn counter_named<'d>(d: &'d Declarations, name: &str) -> Option<&'d Counter> {
    let family = || d.counters.get_index(d.counter_families.get(name)?.first).map(|(_, counter)| counter);
    d.counters.get(name).or_else(family)
}

/// The name of a counter as part of a Luau identifier. Names of counters have no capitals.
fn word_of(counter: &str) -> String {
    counter.replace(MEMBER, "_IN_")
}

/// The specialised function for a call that reads or writes a counter: a counter by name, a member by family and id,
/// or a member whose index the call computes.
fn counter_function(call: &Call<'_>, d: &Declarations, layout: &Layout) -> Option<(String, String)> {
    let Arguments { texts, number, count } = call.arguments;
    let (accessor, named) = (call.accessor, texts[1]?);
    let plain = if accessor == "get" { 2 } else { 3 };
    // A member named by family and id is a counter, but the id remains an argument.
    let (counter, id, index) = match count.checked_sub(plain) {
        Some(0) => (named.to_owned(), "", ""),
        Some(1) if d.counter_families.contains_key(named) => match texts[2] {
            Some(id) => (format!("{named}{MEMBER}{id}"), "_, ", ""),
            None => (named.to_owned(), "m, ", "[m]"),
        },
        _ => return None,
    };
    let declared = if index.is_empty() { d.counters.get(&counter)? } else { counter_named(d, &counter)? };
    let word = word_of(&counter);
    let (min, max) = (declared.min, declared.max);
    // A literal number needs no check at run time.
    let is_number = match accessor {
        "set" => number.is_some_and(|number| (min..=max).contains(&number)),
        "gain" | "pay" => number.is_some(),
        _ => false,
    };
    let name = format!(
        "__{accessor}_{word}{}{}",
        if id == "_, " { "_ID" } else { "" },
        if is_number { "_NUMBER" } else { "" }
    );
    let table = if index.is_empty() { format!("__counter_{word}") } else { format!("__family_{word}[m]") };
    let shown = if index.is_empty() { format!("\"{counter}\"") } else { format!("__members_{word}[m]") };
    let mark =
        mark_of(words_of(&counter, d, layout)).map_or_else(|| "o // $MARKED_BYTES".to_owned(), |mark| mark.to_string());
    // `whole` accepts whole numbers only; it rejects numeric texts, which Luau's arithmetic would convert. The code
    // must be short, because Luau inlines small functions only.
    let stale = if is_watched(&counter, d, layout) { " __writei8(__S, $STALE_BYTE, 1)" } else { "" };
    let write = format!("__writei32(__S, o, v) __writei8(__D, {mark}, 1){stale}");
    let checked = |whole: &str, amount: &str| {
        let whole = if is_number { String::new() } else { format!(" and {whole}") };
        format!("if v >= {min} and v <= {max}{whole} then {write} else __bad_value(h, {shown}, v{amount}) end")
    };
    let body = match accessor {
        "get" if id.is_empty() => format!("(h) return __readi32(__S, {table}[h]) end"),
        "get" => format!("(h, _, {}) return __readi32(__S, {table}[h]) end", id.trim_end_matches(", ")),
        "has" => format!("(h, _, {id}n) return __readi32(__S, {table}[h]) >= n end"),
        "set" if is_number => format!("(h, _, {id}v) local o = {table}[h] {write} end"),
        "set" => format!("(h, _, {id}v) local o = {table}[h] {} end", checked("__floor(v) == v", "")),
        "gain" => format!(
            "(h, _, {id}n) local o = {table}[h] local a = __readi32(__S, o) local v = a + n {} end",
            checked("__floor(v) - a == n", ", n")
        ),
        _ => format!(
            "(h, _, {id}n) local o = {table}[h] local a = __readi32(__S, o) local v = a - n {} end",
            checked("a - __floor(v) == n", ", n")
        ),
    };
    Some((name.clone(), format!("local function {name}{body}")))
}

/// The words of a counter, or of all members of a family.
fn words_of(counter: &str, d: &Declarations, layout: &Layout) -> Range<usize> {
    let slots = match d.counter_families.get(counter) {
        Some(family) => family.members(),
        None => d.counters.get_index_of(counter).map_or(0..0, |index| index..index + 1),
    };
    let slots = layout.counters.get(slots).unwrap_or_default();
    let (first, last) = (slots.first(), slots.last());
    first.map_or(0, |slot| slot.offset)..last.map_or(0, |slot| slot.offset + slot.len)
}

/// Whether a modifier reads a counter, or a member of a family.
fn is_watched(counter: &str, d: &Declarations, layout: &Layout) -> bool {
    let members = match d.counter_families.get(counter) {
        Some(family) => family.members(),
        None => d.counters.get_index_of(counter).map_or(0..0, |index| index..index + 1),
    };
    members.into_iter().any(|counter| layout.reactions.is_watched(counter))
}

/// The mark shared by all these words, if they share one.
fn mark_of(words: Range<usize>) -> Option<usize> {
    let (first, last) = (words.start / MARKED, words.end.checked_sub(1)? / MARKED);
    (first == last).then_some(first)
}

/// Calls of accessors by name. If a script uses a name in another way, as a variable or its own definition, no call
/// of that name is renamed.
fn calls(source: &str) -> Vec<Call<'_>> {
    const ACCESSORS: [&str; 11] =
        ["get", "set", "gain", "pay", "has", "attr", "in_family", "value", "choice", "emit", "log"];
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
        // `get = ...` may be a field of a table or a variable; a variable hides the accessor.
        let own = before.ends_with(['.', ':']);
        if before.ends_with("function") || before.ends_with("local") || (!after.starts_with('(') && !own) {
            shadowed.push(word);
            continue;
        }
        if own {
            continue;
        }
        let open = source.len() - after.len();
        out.push(Call { at, accessor: word, arguments: arguments(source, bytes, &code, open) });
    }
    out.retain(|call| !shadowed.contains(&call.accessor));
    out
}

/// The arguments of a call whose parenthesis opens at `open`.
fn arguments<'s>(source: &'s str, bytes: &[u8], code: &Code, open: usize) -> Arguments<'s> {
    let mut texts = [None; 3];
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
        if depth == 0 || (depth == 1 && bytes[at] == b',') {
            let text = source[start..at].trim();
            let name = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
            if let Some(place) = texts.get_mut(argument) {
                let of_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || char::from(b) == MEMBER;
                *place = name.filter(|name| !name.is_empty() && name.bytes().all(of_name));
            }
            (argument, start) = (argument + 1, at + 1);
            if depth == 0 {
                let number = text.parse().ok().filter(|_| !text.starts_with('+'));
                return Arguments { texts, number, count: if text.is_empty() { argument - 1 } else { argument } };
            }
        }
    }
    Arguments { texts, ..Arguments::default() }
}

/// For each byte of a source: whether it is code, not a string or comment.
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
    use motherlode_content::declare::{Attribute, Counter, Event, Family, Kind};

    fn declared() -> Declarations {
        let mut d = Declarations::default();
        let ore = Counter { max: 2, values: vec!["none".into(), "gold".into()], ..Counter::default() };
        d.counters.insert("gold".into(), Counter { max: 9, ..Counter::default() });
        d.counters.insert("ore".into(), ore);
        for id in ["iron", "zinc"] {
            let max = 5;
            d.counters.insert(format!("raw.{id}"), Counter { max, values: vec!["no".into()], ..Counter::default() });
        }
        d.counter_families.insert("raw".into(), Family { kind: 0, first: 2, len: 2 });
        d.zone_families.insert("site".into(), Family { kind: 0, first: 0, len: 0 });
        d
    }

    #[test]
    fn members_are_specialised_by_name_by_id_and_by_index() {
        let renamed = |source: &str| specialise(source, &declared(), &Layout::new(&declared()), MOST).source;
        assert_eq!(renamed("get(p, \"raw.iron\")"), "__get_raw_IN_iron(p, \"raw.iron\")");
        assert_eq!(renamed("pay(p, \"raw\", \"iron\", 2)"), "__pay_raw_IN_iron_ID_NUMBER(p, \"raw\", \"iron\", 2)");
        assert_eq!(renamed("set(p, \"raw\", f(a, b), 2)"), "__set_raw_NUMBER(p, \"raw\", f(a, b), 2)");
        assert_eq!(renamed("in_family(\"site\", k)"), "__in_site(\"site\", k)");
        assert_eq!(renamed("value(\"raw\", \"no\")"), "__value_raw_no(\"raw\", \"no\")");
        let functions =
            specialise("gain(p, \"raw\", m, 1) has(p, \"raw\", m, 1)", &declared(), &Layout::new(&declared()), MOST)
                .functions;
        assert!(functions.contains("local __family_raw = __T.__F.raw "), "{functions}");
        assert!(functions.contains("v <= 5") && functions.contains("local __members_raw"), "{functions}");
    }

    /// A literal name needs no check at run time.
    #[test]
    fn literal_numbers_are_checked_once() {
        let specialised = |source: &str| specialise(source, &declared(), &Layout::new(&declared()), MOST);
        for (source, name, checks) in [
            ("set(p, \"gold\", 9)", "__set_gold_NUMBER", &[][..]),
            ("set(p, \"gold\", 10)", "__set_gold", &["v <= 9", "__floor"]),
            ("set(p, \"gold\", -1)", "__set_gold", &["v <= 9", "__floor"]),
            ("set(p, \"gold\", 0.5)", "__set_gold", &["v <= 9", "__floor"]),
            ("set(p, \"gold\", n)", "__set_gold", &["v <= 9", "__floor"]),
            ("gain(p, \"gold\", 1)", "__gain_gold_NUMBER", &["v <= 9"]),
            ("pay(p, \"gold\", -3)", "__pay_gold_NUMBER", &["v <= 9"]),
            ("pay(p, \"gold\", \"3\")", "__pay_gold", &["v <= 9", "__floor"]),
        ] {
            let SpecialisedSource { source: renamed, functions } = specialised(source);
            assert!(renamed.starts_with(&format!("{name}(")), "{renamed}");
            for check in ["v <= 9", "__floor"] {
                assert_eq!(functions.contains(check), checks.contains(&check), "{source}: {functions}");
            }
        }
    }

    #[test]
    fn events_and_current_values_are_resolved() {
        let mut d = declared();
        let move_of = |standard| Event { standard, ..Event::default() };
        d.events.insert("move".into(), move_of(true));
        d.events.insert("rings".into(), move_of(false));
        let mut kind = Kind { tokens: true, becomes: Some(0), ..Kind::default() };
        kind.attributes.insert(
            "weight".into(),
            Attribute {
                text: String::new(),
                of: AttributeType::Boolean,
                default: None,
                internal: false,
                ability: false,
                learned: false,
                better: None,
            },
        );
        d.kinds.insert("bells".into(), kind);
        let out = specialise("emit(\"rings\", { loud = 1 }) attr(t, \"weight\")", &d, &Layout::new(&d), MOST);
        assert_eq!(out.source, "__emit_rings(\"rings\", { loud = 1 }) __attr_weight(t, \"weight\")");
        assert!(out.functions.contains("(1, e)") && out.functions.contains("__T.__COPY"), "{}", out.functions);
        for source in ["emit(\"move\", { loud = 1 })", "emit(\"falls\")", "attr(t, \"height\")"] {
            assert_eq!(specialise(source, &d, &Layout::new(&d), MOST).source, source);
        }
    }

    #[test]
    fn calls_with_a_wrong_number_of_arguments_stay() {
        for source in ["get(p, \"raw\")", "set(p, \"raw\", 1)", "get(p, \"gold\", 1)", "has(p, \"gold\")", "get()"] {
            assert_eq!(specialise(source, &declared(), &Layout::new(&declared()), MOST).source, source);
        }
    }

    #[test]
    fn calls_with_a_plain_name_are_renamed() {
        let out = specialise(
            "x = get(at(\"a\", 1), \"gold\")\nset(p, 'gold', 1) set( p , \"gold\", get(q, name)) y = value(\"ore\", \"gold\")",
            &declared(),
            &Layout::new(&declared()),
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
            assert_eq!(specialise(source, &declared(), &Layout::new(&declared()), MOST).source, source);
        }
    }
}
