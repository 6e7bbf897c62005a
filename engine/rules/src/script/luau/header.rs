//! The header: the accessors that a script uses, inserted before it on its first line.
//!
//! Luau inlines only local functions of the same chunk. So the accessors (`std/accessors.luau`) must be part of every
//! script that uses them. The header contains only those that the script names, because Luau allows 200 locals.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use indexmap::IndexMap;

use crate::script::luau::facts::with_facts;
use crate::script::luau::reactions::heard_counters;
use crate::script::luau::words::words;
use crate::state::Layout;
use motherlode_content::declare::{Declarations, Moment};

/// One accessor.
#[derive(Debug, Clone)]
pub struct Accessor {
    /// Its name.
    pub name: &'static str,
    /// Typed signature: `get(holder: Holder, counter: Counter): number`.
    pub signature: &'static str,
    /// The signature for a member of a family, with one argument more; `None`: the accessor takes no families.
    pub indexed: Option<&'static str>,
    /// Its description.
    pub text: &'static str,
    /// Its topic: `Counters`.
    pub group: &'static str,
    /// A word of [`PLACES`] if it may be called only in some places, otherwise empty.
    pub place: &'static str,
    /// Its Luau source, one line.
    pub code: String,
}

/// Where an accessor may be called, by the word in brackets at the end of its doc line.
pub const PLACES: [(&str, &str); 6] = [
    (
        "writes",
        "everywhere except in `applies`, `order`, `skip` and `offer`; in a sealed phase only for what belongs to the player of \
         the hook",
    ),
    ("draws", "like `writes`, but not in a sealed phase"),
    (
        "asks",
        "in `start`, `run`, `begin_turn`, `turn`, `act`, `end_turn`, `resolve` and `finish` of a phase, in `setup` and `finish` of the game, and in \
         functions that these call",
    ),
    ("lists", "in `offer`, before `ask`, and in the function that `ask_all` and `ask_in_turn` call for each player"),
    ("calls", "wherever all accessors used by the called function are allowed"),
    ("mods", "around a function in the table that a script of a mod returns"),
];

/// All accessors by name: the single list for scripts, checks, editors and the reference. Headings begin with `--#`.
pub static ACCESSORS: LazyLock<IndexMap<&'static str, Accessor>> = LazyLock::new(|| {
    let mut lines = include_str!("std/accessors.luau").lines();
    let mut all = IndexMap::new();
    let mut group = "";
    while let Some(doc) = lines.next() {
        if let Some(heading) = doc.strip_prefix("--# ") {
            group = heading;
            continue;
        }
        let Some(code) = lines.next() else { break };
        let (signatures, text) = doc.trim_start_matches("--- ").split_once(" -- ").unwrap_or((doc, ""));
        let name = signatures.split(['(', ':']).next().unwrap_or(signatures);
        let (signature, indexed) = match signatures.find(&format!(" | {name}(")) {
            Some(at) => (&signatures[..at], Some(&signatures[at + 3..])),
            None => (signatures, None),
        };
        let marked = text.strip_suffix(']').and_then(|text| text.rsplit_once(" ["));
        let (text, place) = marked.unwrap_or((text, ""));
        all.insert(name, Accessor { name, signature, indexed, text, group, place, code: with_facts(code) });
    }
    all
});

/// Sources of the header's own names that are not in the engine's table.
const BUILTINS: [(&str, &str); 7] = [
    ("__readi32", "buffer.readi32"),
    ("__writei32", "buffer.writei32"),
    ("__writei8", "buffer.writei8"),
    ("__btest", "bit32.btest"),
    ("__lshift", "bit32.lshift"),
    ("__type", "type"),
    ("__floor", "math.floor"),
];

/// The header's name for the script's key.
const KEY: &str = "__SCRIPT";

/// The accessors that a game replaces because it has listeners or current values.
#[derive(Debug, Clone, Default)]
pub struct Variants {
    /// Code by name of the accessor.
    code: IndexMap<&'static str, &'static str>,
    /// Whether writing a counter may change current values.
    writes_current: bool,
}

const MOVE: &str = "local function move(t, z, p) return __moved(t, z, p, false) end";
const MOVE_UNDER: &str = "local function move_under(t, z, p, n) return __moved(t, z, p, true, n) end";
const DRAW: &str = "local function draw(z, p, to, q) return __drawn(z, p, to, q) end";
const ATTR: &str = "local function attr(t, name) local o = __CURRENT[name] if o == nil or t == nil then return __ATTR[name][t] end if __readi32(__S, $STALE_BYTE) ~= 0 then __refresh() end local v = __readi32(__S, o + t * 4) if __IS_SWITCH[name] then return v ~= 0 end return v end";
const SET: &str = "local function set(h, c, v, x) if x ~= nil then return __set_member(h, c, v, x) end if __HEARD[c] then return __heard_set(h, c, v) end __plain_set(h, c, v) end";
const GAIN: &str = "local function gain(h, c, n, x) if x ~= nil then return __gain_member(h, c, n, x) end if __HEARD[c] then return __heard_gain(h, c, n) end __plain_gain(h, c, n) end";
const PAY: &str = "local function pay(h, c, n, x) if x ~= nil then return __pay_member(h, c, n, x) end if __HEARD[c] then return __heard_gain(h, c, -n) end __plain_gain(h, c, -n) end";
const GAIN_UP_TO: &str = "local function gain_up_to(h, c, n) return __heard_gain_up_to(h, c, n) end";

const LONG_RUN: &str = "local function run(t, hook, a, b, c, d, e) local f = __HOOK[hook][t] if f then return f(t, a, b, c, d, e) end return nil end";
const LONG_RUN_DEF: &str = "local function run_def(k, i, hook, a, b, c, d, e) local f = __DEF_HOOK[k][i][hook] if f then return f(0, a, b, c, d, e) end return nil end";
const COPIED_ATTR: &str = "local function attr(t, name) return __attr(t, name) end";
const COPIED_ID: &str = "local function id(t) return __id(t) end";
const COPIED_RUN: &str = "local function run(t, hook, a, b, c, d, e) local f = __hook_of(t, hook) if f then return f(t, a, b, c, d, e) end return nil end";
const COPIED_CAN_RUN: &str = "local function can_run(t, hook, a, b, c, d, e) local f = __can_of(t, hook) if f then return not not f(t, a, b, c, d, e) end return __hook_of(t, hook) ~= nil end";
const REFUSE: &str = "local function refuse(x, key, a, b, c) __refuse_here(x, key, a, b, c) end";
const COPIED_HAS_HOOK: &str = "local function has_hook(t, hook) return __hook_of(t, hook) ~= nil end";

impl Variants {
    /// The variants of a game.
    #[must_use]
    pub fn new(d: &Declarations, layout: &Layout) -> Self {
        let mut code = IndexMap::new();
        let is_heard = |event: &str| {
            let event = d.events.get_index_of(event);
            event.is_some_and(|event| Moment::ALL.iter().any(|moment| layout.reactions.is_heard(event, *moment)))
        };
        if is_heard("move") {
            code.extend([("move", MOVE), ("move_under", MOVE_UNDER)]);
        }
        if is_heard("move") || is_heard("draw") {
            code.insert("draw", DRAW);
        }
        if !heard_counters(d).is_empty() {
            code.extend([("set", SET), ("gain", GAIN), ("pay", PAY), ("gain_up_to", GAIN_UP_TO)]);
        }
        // The usual accessors pass three arguments, so that Luau inlines them.
        if d.kinds.values().flat_map(|kind| kind.hooks.values()).any(|args| args.len() > 3) {
            code.extend([("run", LONG_RUN), ("run_def", LONG_RUN_DEF)]);
        }
        let has_current = layout.reactions.has_current();
        if d.kinds.values().any(|kind| kind.becomes.is_some()) {
            code.extend([
                ("attr", COPIED_ATTR),
                ("id", COPIED_ID),
                ("run", COPIED_RUN),
                ("can_run", COPIED_CAN_RUN),
                ("has_hook", COPIED_HAS_HOOK),
            ]);
        } else if has_current {
            code.insert("attr", ATTR);
        }
        Self { code, writes_current: has_current }
    }

    /// Lets scripts record refusals.
    pub fn record_refusals(&mut self) {
        self.code.insert("refuse", REFUSE);
    }

    fn code_of<'a>(&self, accessor: &'a Accessor) -> &'a str {
        self.code.get(accessor.name).copied().unwrap_or(&accessor.code)
    }

    /// An accessor that writes a counter also marks current values as out of date, if a modifier reads the counter.
    fn marked(&self, code: &str) -> String {
        const MARK: &str = "__writei8(__D, ";
        if self.writes_current {
            code.replace(MARK, &format!("if __WATCHED[c] then __writei8(__S, $STALE_BYTE, 1) end {MARK}"))
        } else {
            code.to_owned()
        }
    }
}

/// Adds the header to a source; line numbers do not change. `careful`: accessors check before they write a counter. `key`
/// identifies the script in its random draws.
#[must_use]
pub fn with_header(source: &str, variants: &Variants, careful: bool, key: i32) -> String {
    // A field of a table, such as `table.remove`, is no accessor.
    let is_field = |at: usize| source[..at].ends_with(['.', ':']);
    let used: BTreeSet<&str> = words(source).filter(|(at, _)| !is_field(*at)).map(|(_, word)| word).collect();
    let accessors: Vec<&Accessor> = ACCESSORS.values().filter(|a| used.contains(a.name)).collect();
    let codes: Vec<String> = accessors.iter().map(|a| variants.marked(variants.code_of(a))).collect();
    let own: BTreeSet<&str> = codes
        .iter()
        .map(String::as_str)
        .flat_map(words)
        .map(|(_, w)| w)
        .filter(|w| w.starts_with("__") && *w != "__T")
        .collect();
    // Scripts cannot assign to the name of this global. An argument would be accessible through `...`.
    let mut out = String::from("local __T = __T ");
    for name in own {
        let builtin = BUILTINS.iter().find(|(n, _)| *n == name && !(careful && name == "__writei32"));
        let from = match builtin {
            Some((_, from)) => (*from).to_owned(),
            None if name == KEY => key.to_string(),
            None => format!("__T.{name}"),
        };
        out += &format!("local {name} = {from} ");
    }
    for code in &codes {
        out += &with_facts(code);
        out.push(' ');
    }
    // The header reads the state through `buffer`, which scripts must not access. The semicolon ends the header, so
    // that a script that starts in the middle of an expression is an error.
    out += "local buffer = nil; ";
    out += source;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accessor_has_a_signature_and_a_text() {
        assert!(ACCESSORS.len() > 50);
        for accessor in ACCESSORS.values() {
            assert!(!accessor.text.is_empty() && !accessor.group.is_empty(), "{}", accessor.name);
            assert!(
                accessor.place.is_empty() || PLACES.iter().any(|(word, _)| *word == accessor.place),
                "{}: {}",
                accessor.name,
                accessor.place
            );
            assert!(
                accessor.code.contains(&format!("local function {}(", accessor.name))
                    || accessor.code.starts_with(&format!("local {} =", accessor.name))
            );
        }
    }

    #[test]
    fn the_header_has_the_named_accessors_and_keeps_line_numbers() {
        let text = with_header("-- a script\nreturn { get(1, 'x') }\n", &Variants::default(), false, 0);
        assert!(text.contains("local function get(") && !text.contains("local function set("));
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn a_script_cannot_complete_the_header() {
        for start in ["or buffer return {}", "+ 1 return {}", ".x = 1 return {}", "(1) return {}", ", x return {}"] {
            assert!(
                mlua::Lua::new().load(with_header(start, &Variants::default(), false, 0)).into_function().is_err(),
                "{start}"
            );
        }
    }
}
