//! Calls every accessor and every Luau function with valid, nearly valid and invalid arguments: in a read-write hook,
//! in read-only hooks, and in a sealed phase.
//!
//! A script is compiled once. A counter selects its calls: one unprotected call, or many under `pcall`. The match must
//! do the same without machine code.

use std::fmt::Write as _;

use motherlode::language::ACCESSORS;
use motherlode::{Game, Match, MatchError, Pack};

use super::driver::{Outcomes, Target, fuzz};
use crate::shipped::root;
use crate::twins::SplitMix64;

/// Calls under `pcall` in one hook.
const MANY: u64 = 512;
const CONTEXTS: [&str; 4] = ["act", "offer", "skip", "sealed"];
/// Exclusive upper bound of the counter.
const CODES: i32 = i32::MAX;

const PHASES: &str = r#"
[acting]
turns = "around"
prompt = "go"

[hiding]
turns = "sealed"
"#;

const PROMPT: &str = r#"
[go]
text = "Go?"
labels = { go = "Go", stop = "Stop" }
"#;

const GAME: &str = r#"
[counters.code]
per = "game"
max = 2147483646

[options.context]
default = "act"
values = { act = "", offer = "", skip = "", sealed = "" }
"#;

/// The script. The test fills in `NAMES`, `CALLS` and `MANY`.
const SCRIPT: &str = include_str!("calls.luau");

/// The parameter kinds of a signature, by type or by name; `None` if the signature is no function. Optional parameters
/// are included.
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

/// Every call form of every accessor.
fn calls() -> String {
    let mut out = String::new();
    for accessor in ACCESSORS.values() {
        for signature in [Some(accessor.signature), accessor.indexed].into_iter().flatten() {
            let Some(kinds) = parameters(signature) else { continue };
            // One argument too many, and too few.
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

/// The names that a game declares, grouped by kind.
fn names(game: &Game) -> String {
    let d = game.declarations();
    let mut out = String::new();
    let mut of = |what: &str, names: &mut dyn Iterator<Item = &String>| {
        writeln!(out, "{what} = {{ {} }},", names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))
            .unwrap();
    };
    of("Counter", &mut d.counters.keys());
    of("CounterFamily", &mut d.counter_families.keys());
    of("Family", &mut d.counter_families.keys().chain(d.zone_families.keys()));
    of("Zone", &mut d.zones.keys());
    of("Grid", &mut d.grids.keys());
    of("Kind", &mut d.kinds.keys());
    of("Prompt", &mut d.prompts.keys());
    of("Text", &mut d.texts.keys());
    of("Option", &mut d.options.keys());
    of("Verb", &mut d.verbs.keys());
    of("Hook", &mut d.kinds.values().flat_map(|kind| kind.hooks.keys()));
    of("Attribute", &mut d.kinds.values().flat_map(|kind| kind.attributes.keys()));
    of("id", &mut d.definitions.iter().map(|definition| &definition.id));
    of("label", &mut d.prompts.values().flat_map(|prompt| prompt.labels.keys()));
    out
}

fn game() -> Game {
    let wild = Pack::open(&root().join("tests/fixtures/fuzz"), "wild").unwrap();
    let declared = Game::load(&wild).unwrap();
    let script =
        SCRIPT.replace("NAMES", &names(&declared)).replace("CALLS", &calls()).replace("MANY", &MANY.to_string());
    let files = wild.files.iter().map(|file| {
        let text = match file.path.as_str() {
            "content/wild/phases.toml" => PHASES.to_owned(),
            "scripts/wild/phases.luau" => script.clone(),
            "content/wild/prompts.toml" => file.text.clone() + PROMPT,
            "content/wild/game.toml" => file.text.clone() + GAME,
            _ => file.text.clone(),
        };
        (file.path.clone(), text)
    });
    Game::load(&Pack::from_files("wild", files)).unwrap_or_else(|faults| panic!("{faults}"))
}

struct Calls {
    code: usize,
    /// One match for each context, and its copy without machine code.
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
            [begin(&game.native()), begin(&game.interpreted())]
        };
        Self { code, matches: CONTEXTS.map(begin).into() }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
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
                check_script_error(error, CONTEXTS[context], seen)?;
            }
            if twice {
                other.restore(&snapshot).map_err(|error| format!("restore in another match: {error}"))?;
                let again = call(other, self.code, code, &mut random);
                if again != done || stands(m) != stands(other) {
                    return Err(format!(
                        "{} with code {code}: {done:?}, {:?}\nwithout machine code: {again:?}, {:?}",
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

/// Sets the code when no hook waits, and answers.
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

/// Checks that an error names a place in the script and no engine internals.
fn check_script_error(error: &MatchError, context: &str, seen: &mut Outcomes) -> Result<(), String> {
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
