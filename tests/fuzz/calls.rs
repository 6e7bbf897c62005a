//! Calls: every accessor, and every function that Luau brings, with arguments that fit, nearly fit or do not fit at all; in a hook that may
//! do anything, in hooks that only look, and in a sealed phase.
//!
//! A script is compiled once and reads from a counter which calls it makes: one alone, that may fail, or many under `pcall`. What
//! the match does is what the same match does without native code.

use std::fmt::Write as _;

use motherlode::language::ACCESSORS;
use motherlode::{Game, Match, MatchError, Pack};

use super::driver::{Seen, Target, fuzz};
use crate::shipped::root;
use crate::twins::SplitMix64;

/// Calls under `pcall` in one hook.
const MANY: u64 = 512;
const CONTEXTS: [&str; 4] = ["act", "offer", "skip", "sealed"];
/// Seeds of a script's generator.
const CODES: i32 = 0x7FFF_FFFE;

const PHASES: &str = r#"
[acting]
turns = "around"
prompt = "go"

[hiding]
turns = "sealed"
"#;

/// `CALLS`, `POOLS` and `FIT` are filled in.
const SCRIPT: &str = r#"
local ABSENT = {}
local calls = { CALLS }
for _, library in { string, table, math, bit32, utf8 } do
    local names = {}
    for name, f in library do
        if type(f) == "function" then table.insert(names, name) end
    end
    table.sort(names)
    for _, name in names do
        local f = library[name]
        table.insert(calls, { function() return f() end })
        table.insert(calls, { function(a) return f(a) end, "any" })
        table.insert(calls, { function(a, b) return f(a, b) end, "any", "any" })
        table.insert(calls, { function(a, b, c) return f(a, b, c) end, "any", "any", "any" })
    end
end
local pools = { POOLS }
local any = pools.any

local function next_of(seed) return seed * 48271 % 2147483647 end

local function draw_from(pool, seed)
    local x = pool[seed // 7 % #pool + 1]
    if x == ABSENT then return nil end
    if type(x) == "table" and not table.isfrozen(x) then return table.clone(x) end
    return x
end

-- One argument in so many is of any sort.
local function one(seed, fit)
    local call = calls[seed % #calls + 1]
    local args = {}
    for i = 2, #call do
        seed = next_of(seed)
        local pool = if seed % fit == 0 then any else pools[call[i]] or any
        seed = next_of(seed)
        args[i - 1] = draw_from(pool, seed)
    end
    return call[1](args[1], args[2], args[3], args[4], args[5], args[6])
end

local function go()
    local code = get(game, "code")
    if code == 0 then return end
    if code % 4 == 0 then
        one(code // 4, 5)
    else
        -- Errors take longer than calls.
        local fit = if code % 16 < 4 then 5 else 50
        for _ = 1, MANY do
            code = next_of(code)
            pcall(one, code, fit)
        end
    end
end

local function when(context) if option("context") == context then go() end end

return {
    acting = {
        applies = function() return option("context") ~= "sealed" end,
        skip = function() when("skip") end,
        offer = function()
            when("offer")
            choice("go")
            choice("stop")
        end,
        act = function() when("act") end,
    },
    hiding = {
        applies = function() return option("context") == "sealed" end,
        turn = function(player)
            choose(player, "go", { "go", "stop" })
            go()
        end,
    },
}
"#;

/// The kinds of parameters of a signature, by type or by name; `None` for what is no function. What may be left out is.
fn parameters(signature: &str) -> Option<Vec<String>> {
    let inside = &signature[signature.find('(')? + 1..];
    let (mut depth, mut all, mut word) = (0, Vec::new(), String::new());
    for c in inside.chars() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' if depth == 0 => break,
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            all.push(std::mem::take(&mut word));
        } else {
            word.push(c);
        }
    }
    all.push(word);
    all.retain(|one| !one.trim().is_empty());
    let kinds = all.iter().map(|one| {
        let (name, of) = one.trim().split_once(": ").unwrap_or((one, "any"));
        let of = of.trim_end_matches('?').split(' ').next().unwrap_or(of);
        let of = if of.starts_with(char::is_uppercase) { of } else { name };
        of.trim_start_matches('.').to_owned()
    });
    Some(kinds.collect())
}

/// Every way to call every accessor.
fn calls() -> String {
    let mut out = String::new();
    for accessor in ACCESSORS.values() {
        for signature in [Some(accessor.signature), accessor.indexed].into_iter().flatten() {
            let Some(kinds) = parameters(signature) else { continue };
            // With one more than there are, and with fewer.
            for count in kinds.len().saturating_sub(2)..=kinds.len() + 1 {
                let names: Vec<String> = (0..count).map(|n| format!("a{n}")).collect();
                let names = names.join(", ");
                let of: Vec<String> =
                    (0..count).map(|n| format!("{:?}", kinds.get(n).map_or("any", String::as_str))).collect();
                writeln!(out, "{{ function({names}) return {}({names}) end, {} }},", accessor.name, of.join(", "))
                    .unwrap();
            }
        }
    }
    out
}

fn pools(game: &Game) -> String {
    let d = game.declarations();
    let quoted =
        |names: &mut dyn Iterator<Item = &String>| names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let numbers = "0, 1, 2, 3, 4, 5, 9, 16, 18, -1, 1.5, 100, 4095, 65536, 2147483647, -2147483648, 4294967295, 9007199254740993, \
                   0/0, math.huge, -math.huge";
    let small = (1..=20).map(|n| n.to_string()).collect::<Vec<_>>().join(", ");
    let counters = quoted(&mut d.counters.keys());
    let families = quoted(&mut d.counter_families.keys().chain(d.zone_families.keys()));
    let zones = quoted(&mut d.zones.keys());
    let kinds = quoted(&mut d.kinds.keys());
    let ids = quoted(&mut d.definitions.iter().map(|definition| &definition.id));
    let attributes = quoted(&mut d.kinds.values().flat_map(|kind| kind.attributes.keys()));
    let labels = quoted(&mut d.prompts.values().flat_map(|prompt| prompt.labels.keys()));
    let words = [&counters, &families, &zones, &kinds, &ids, &attributes, &labels].map(String::as_str).join(", ");
    let lists = format!(
        "players(), cards(\"deck\"), {{}}, {{ 1, 2, 3 }}, {{ \"go\", \"stop\" }}, {{ 1, 2, \"pass\", {{ \"sum\", 7, 9 }} }}, table.create(300, 2), {{ {words} }}"
    );
    let texts = "\"\", \"x\", \"12\", \"%d+\", \"%b()\", \"%f[%w]\", \"(.-)%1\", \"[^a\", \"%s %d %q %*\", \"\\0\\255\", \"{1}\", string.rep(\"ab\", 300)";
    let functions = "pairs, error, tostring, function(p) choice_numbers(0, p) end, function(p) return p end, \
                     function(p) choice(\"pass\") choice(p) end, function(...) return ... end";
    let mut out = String::new();
    let mut pool = |name: &str, values: &str| writeln!(out, "[{name:?}] = {{ {values} }},").unwrap();
    pool(
        "any",
        &format!(
            "{numbers}, {small}, {words}, {texts}, {functions}, ABSENT, true, false, {{}}, {{ 1, 2, 3 }}, {{ n = 1 }}, ABSENT, game"
        ),
    );
    pool("Holder", &format!("game, 1, 2, 3, {small}"));
    pool("Counter", &counters);
    pool("CounterFamily", &families);
    pool("Family", &families);
    pool("Zone", &format!("{zones}, {}", quoted(&mut d.zone_families.keys())));
    pool("Grid", &quoted(&mut d.grids.keys()));
    pool("Kind", &kinds);
    pool("Prompt", &quoted(&mut d.prompts.keys()));
    pool("Text", &quoted(&mut d.texts.keys()));
    pool("Option", &quoted(&mut d.options.keys()));
    pool("Verb", &quoted(&mut d.verbs.keys()));
    pool("Hook", &quoted(&mut d.kinds.values().flat_map(|kind| kind.hooks.keys())));
    pool("Attribute", &format!("{attributes}, \"name\", \"text\", \"copies\""));
    pool("Index", &format!("{ids}, 1, 2"));
    pool("id", &format!("{ids}, 1, 2"));
    pool("player", "1, 2, 3, game, ABSENT");
    for name in ["from_player", "to_player"] {
        pool(name, "1, 2, 3, game, ABSENT");
    }
    for name in ["from", "to"] {
        pool(name, &format!("{zones}, 0, 1, 7"));
    }
    pool("players", "players(), { 2, 1 }, {}, { 1, 1 }, { 9 }");
    pool("list", &format!("{lists}, {functions}"));
    for name in ["f", "test"] {
        pool(name, functions);
    }
    for name in ["token", "cell"] {
        pool(name, &small);
    }
    for name in ["n", "value", "x", "y", "i", "index"] {
        pool(name, numbers);
    }
    pool(
        "args",
        "{ count = 2 }, { count = 1, ore = \"gold\" }, { amounts = { gold = 1 } }, { amounts = { purse = 99 } }, {}, { count = -1 }, { from = \"deck\", to = \"pile\", count = 3 }",
    );
    pool("way", "\"left\", \"right\", \"up\", \"down\", \"up_left\"");
    pool("which", "\"diagonal\", \"all\", ABSENT");
    pool("direction", "\"row\", \"column\", \"rising\", \"falling\", \"a\", \"b\", \"c\", ABSENT");
    pool("name", &words);
    out
}

fn game() -> Game {
    let wild = Pack::open(&root().join("tests/fixtures/fuzz"), "wild").unwrap();
    let declared = Game::load(&wild).unwrap();
    let script =
        SCRIPT.replace("CALLS", &calls()).replace("POOLS", &pools(&declared)).replace("MANY", &MANY.to_string());
    let files = wild.files.iter().map(|file| {
        let text = match file.path.as_str() {
            "content/wild/phases.toml" => PHASES.to_owned(),
            "scripts/wild/phases.luau" => script.clone(),
            "content/wild/prompts.toml" => format!("{}\n[go]\ntext = \"Go?\"\nlabels = {{ go = \"Go\", stop = \"Stop\" }}\n", file.text),
            "content/wild/game.toml" => format!(
                "{}\n[counters.code]\nper = \"game\"\nmax = {CODES}\n\n[options.context]\ndefault = \"act\"\nvalues = {{ act = \"\", offer = \"\", skip = \"\", sealed = \"\" }}\n",
                file.text
            ),
            _ => file.text.clone(),
        };
        (file.path.clone(), text)
    });
    Game::load(&Pack::from_files("wild", files)).unwrap_or_else(|faults| panic!("{faults}"))
}

struct Calls {
    code: usize,
    /// One match a context, and one without native code.
    matches: Vec<[Match; 2]>,
}

impl Target for Calls {
    const NAME: &'static str = "calls";
    const GENES: std::ops::Range<usize> = 2..40;
    const INPUTS: u64 = 12;

    fn new() -> Self {
        let game = game();
        let code = game.declarations().counters.get_index_of("code").unwrap();
        let begin = |context: &str| {
            let options = [("context".to_owned(), context.to_owned()), ("faults".to_owned(), "true".to_owned())];
            let begin = |game: &Game| Match::new(game, &game.setup(Some(3), &options, 1).unwrap()).unwrap();
            [begin(&game), begin(&game.interpreted())]
        };
        Self { code, matches: CONTEXTS.map(begin).into() }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Seen) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let context = first as usize % CONTEXTS.len();
        let [m, other] = &mut self.matches[context];
        let begin = |m: &mut Match| {
            let mut setup = m.setup().clone();
            setup.seed = u64::from(first);
            m.restart(&setup).map_err(|error| format!("the beginning: {error}"))
        };
        begin(m)?;
        for &gene in rest {
            if m.is_over() {
                begin(m)?;
            }
            let code = (gene >> 1) as i32 % CODES;
            let mut random = SplitMix64::new(u64::from(gene));
            let twice = random.below(16) == 0;
            let snapshot = m.snapshot();
            let done = call(m, self.code, code, &mut random.clone());
            if let Err(error) = &done {
                told(error, CONTEXTS[context], seen)?;
            }
            if twice {
                other.restore(&snapshot).map_err(|error| format!("restore in another match: {error}"))?;
                let again = call(other, self.code, code, &mut random);
                if again != done || stands(m) != stands(other) {
                    return Err(format!(
                        "{} with code {code}: {done:?}, {:?}\nwithout native code: {again:?}, {:?}",
                        CONTEXTS[context],
                        stands(m),
                        stands(other)
                    ));
                }
            }
            super::matches::in_range(m, m.state()).map_err(|error| format!("code {code}: {error}"))?;
            seen.executions(if code % 4 == 0 { 1 } else { MANY });
        }
        Ok(())
    }
}

fn stands(m: &Match) -> (u64, Option<motherlode::Decision>, &[i32]) {
    (m.state().hash(), m.decision(), m.choices())
}

/// Sets the code where no hook waits, and answers.
fn call(m: &mut Match, counter: usize, code: i32, random: &mut SplitMix64) -> Result<(), MatchError> {
    let refused = |m: &mut Match, run: &mut dyn FnMut(&mut Match) -> Result<(), MatchError>| {
        let before = (m.state().hash(), m.decision(), m.choices().to_vec());
        let done = run(m);
        if done.is_err() {
            assert_eq!(
                before,
                (m.state().hash(), m.decision(), m.choices().to_vec()),
                "refused with a trace: {done:?}"
            );
        }
        done
    };
    if !m.is_mid_hook() {
        refused(m, &mut |m| m.edit().set_counter(0, counter, code))?;
    }
    let count = m.choices().len();
    if count == 0 {
        return Ok(());
    }
    let index = random.below(count);
    refused(m, &mut |m| m.answer(index))
}

/// An error is one of the script, with a place, and says nothing of the engine's inside.
fn told(error: &MatchError, context: &str, seen: &mut Seen) -> Result<(), String> {
    seen.outcome(&format!("{context} {error}"));
    let MatchError::Script(fault) = error else { return Err(format!("not an error of a script: {error:?}")) };
    let inside = ["engine/", "panicked", "out of bounds", "__"].iter().any(|bad| fault.message.contains(bad));
    let placed = fault.line > 0 && ["scripts/wild/", "content/wild/"].iter().any(|own| fault.file.starts_with(own));
    if inside || !placed {
        return Err(format!("an error of the engine: {fault:?}"));
    }
    Ok(())
}

#[test]
fn calls_succeed_or_are_refused() {
    fuzz::<Calls>();
}
