//! The checker: typos in scripts are found without running them.
//!
//! Every script is compiled, so that all syntax errors come at once, and then walked through: calls of accessors must name what
//! is declared, and every other name must be bound or belong to the environment. What is put together while a script runs
//! (`"boom_" .. what`) is left alone: it is found when it is used.
//!
//! This is help, not a wall: the sandbox does not rely on it.

mod calls;
mod chain;
mod compared;
mod fields;
mod flow;
mod kinds;
mod known;
mod library;
mod names;
mod place;
mod returned;
mod shared;
mod signature;
mod token;
mod walk;

#[cfg(test)]
mod tests;

use full_moon::LuaVersion;
use mlua::chunk::Compiler;

use self::fields::Gathered;
use self::known::Known;
use self::place::Places;
use self::returned::uneven;
use self::shared::Shared;
use self::walk::Walk;
use crate::unused::Uses;
use motherlode::language;
use motherlode::language::place_of;
use motherlode::language::{MAX_FAULTS, is_underscores};
use motherlode_content::declare::{Declarations, Script};
use motherlode_content::diagnostic::{Diagnostic, Diagnostics};
use motherlode_content::source::SourceFile;

/// Luau lets a script nest a thousand levels deep, and every level takes some stack.
const STACK: usize = 256 << 20;

/// What was found in the scripts of a pack.
#[derive(Debug, Default)]
pub struct Findings {
    /// Faults, script by script.
    pub faults: Vec<Diagnostic>,
    /// What the scripts name.
    pub uses: Uses,
    /// Functions of `lib.luau` that no script calls, hooks that only one definition has not; worth telling if there is no error.
    pub unused: Vec<Diagnostic>,
}

/// Checks every script of a pack, after reading it brought these declarations and faults.
#[must_use]
pub fn lint(d: &Declarations, read: &Diagnostics) -> Findings {
    let work = || {
        let mut known = Known::new(d, &read.sources, &read.list);
        let source_of = |script: &Script| SourceFile { path: script.path.clone(), text: script.source.clone() };
        let libs: Vec<SourceFile> = d.scripts_of("lib").iter().map(source_of).collect();
        known.shared = libs.iter().map(Shared::read).collect();
        let mut findings = Findings::default();
        let mut gathered = Gathered::default();
        // `lib.luau` first: the others are told what its functions want.
        let (first, others): (Vec<&Script>, Vec<&Script>) =
            d.all_scripts().partition(|script| libs.iter().any(|lib| lib.path == script.path));
        for script in first.into_iter().chain(others) {
            let source = source_of(script);
            let mut faults = check(&source, &known, &mut findings.uses, &mut gathered);
            faults.sort_by_key(|fault| fault.start);
            faults.truncate(MAX_FAULTS);
            findings.faults.extend(faults);
        }
        let sections = std::mem::take(&mut gathered.sections);
        if !findings.uses.any_name {
            let doubts = gathered.report(&known, &findings.uses, &findings.faults);
            findings.faults.extend(doubts);
        }
        if findings.faults.is_empty() && !findings.uses.any_name {
            findings.unused.extend(uneven(d, &sections, &read.sources));
        }
        for (source, shared) in libs.iter().zip(&known.shared) {
            findings.unused.extend(shared.unused(source, &findings.uses));
        }
        findings
    };
    if d.scripts.is_empty() {
        return Findings::default();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| Findings {
            faults: vec![
                Diagnostic::of_file("not-checked", "scripts", "the scripts could not be checked").as_warning(),
            ],
            uses: Uses::anything(),
            unused: Vec::new(),
        })
    })
}

fn check(source: &SourceFile, known: &Known<'_>, uses: &mut Uses, gathered: &mut Gathered) -> Vec<Diagnostic> {
    let places = Places::new(source);
    if let Some(fault) = reserved(source, &places).or_else(|| syntax(source, &places)) {
        *uses = Uses::anything();
        return vec![fault];
    }
    let parsed = full_moon::parse_fallible(&source.text, LuaVersion::luau());
    if let Some(error) = parsed.errors().first() {
        *uses = Uses::anything();
        let (start, end) = error.range();
        let message = "the names in this script are not checked: it uses syntax that the checker does not know";
        return vec![places.fault_of(start.bytes(), end.bytes(), "not-checked", message).as_warning()];
    }
    Walk::through(parsed.ast().nodes(), source, known, uses, gathered)
}

/// A word that no script may use, wherever it stands.
fn reserved(source: &SourceFile, places: &Places<'_>) -> Option<Diagnostic> {
    let (at, word) = language::words(&source.text).find(|(_, word)| word.starts_with("__") && !is_underscores(word))?;
    let message = format!("`{word}`: names that start with two underscores are reserved");
    Some(places.fault_of(at, at + word.len(), "reserved-name", message))
}

/// What keeps a script from being compiled.
fn syntax(source: &SourceFile, places: &Places<'_>) -> Option<Diagnostic> {
    let compiler = Compiler::new().set_optimization_level(0).set_debug_level(0);
    let error = compiler.compile(&source.text).err()?;
    // The compiler knows no name of the chunk: its message begins with `12:`.
    let text = match error {
        mlua::Error::SyntaxError { message, .. } => format!("{}:{message}", source.path),
        other => other.to_string(),
    };
    let (line, message) = place_of(&source.path, &text);
    Some(places.fault_of_line(line, "script", message))
}
