//! The check of scripts: every script is read once ([`crate::script`]), then each lint looks at what was read ([`crate::lints`]).
//!
//! What is put together while a script runs (`"boom_" .. what`) is left alone: it is found when it is used. This is help, not a wall:
//! the sandbox does not rely on it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::panic::catch_unwind;

use full_moon::ast::Ast;
use full_moon::{LuaVersion, parse_fallible};

use crate::finding::{Documents, Finding, Scripts};
use crate::lints::{Finds, LINTS, not_checked};
use crate::script::Resolved;
use crate::script::flow::WantsByName;
use crate::script::known::Known;
use crate::script::lib_file::Lib;
use crate::script::place::Places;
use crate::uses::{self, Uses};
use motherlode::language::MAX_FAULTS;
use motherlode_content::declare::Declarations;
use motherlode_content::diagnostic::{Diagnostic, Diagnostics, Severity};
use motherlode_content::document::Faults;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;

#[cfg(test)]
mod tests;

/// Name of the thread that reads scripts. What panics there is reported as a fault of the script.
pub const THREAD: &str = "check";

/// Luau lets a script nest a thousand levels deep, and every level takes some stack.
const STACK: usize = 256 << 20;

/// Checks every script of a pack, after reading it brought these declarations and faults.
pub fn lint(pack: &Pack, d: &Declarations, read: &Diagnostics) -> Vec<Diagnostic> {
    if d.scripts.is_empty() {
        return lint_here(pack, d, read);
    }
    std::thread::scope(|scope| {
        let work = || lint_here(pack, d, read);
        let thread = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| {
            vec![Diagnostic::of_file("not-checked", "scripts", "the scripts could not be checked").as_warning()]
        })
    })
}

/// The same on this thread.
fn lint_here(pack: &Pack, d: &Declarations, read: &Diagnostics) -> Vec<Diagnostic> {
    let libs: BTreeSet<&str> = d.scripts_of("lib").iter().map(|script| script.path.as_str()).collect();
    // `lib.luau` first: the others are told what its functions want.
    let (first, others): (Vec<_>, Vec<_>) = d.all_scripts().partition(|script| libs.contains(script.path.as_str()));
    let sources: Vec<SourceFile> = first
        .into_iter()
        .chain(others)
        .map(|script| SourceFile { path: script.path.clone(), text: script.source.clone() })
        .collect();
    let parsed: Vec<Result<Ast, Box<Diagnostic>>> = sources.iter().map(parse).collect();
    let lib_files = sources.iter().zip(&parsed).filter(|(source, _)| libs.contains(source.path.as_str()));
    let lib_files =
        lib_files.map(|(source, parsed)| Lib::read(&source.path, parsed.as_ref().ok().map(Ast::nodes))).collect();
    let known = Known::new(d, &read.sources, &read.list, lib_files);
    let (mut found, mut scripts, mut wants) = (Vec::new(), Vec::new(), WantsByName::new());
    for (source, parsed) in sources.iter().zip(&parsed) {
        match parsed {
            Ok(ast) => {
                let mut script = Resolved::read(ast.nodes(), source, &known, &wants);
                wants.append(&mut script.wants);
                found.extend(of_script(&script, &known));
                scripts.push(script);
            }
            Err(unread) => found.push(Diagnostic::clone(unread)),
        }
    }
    let unread = scripts.len() < parsed.len();
    of_game(pack, read, &known, &scripts, unread, found)
}

/// The syntax of a script, or what is wrong with it.
fn parse(source: &SourceFile) -> Result<Ast, Box<Diagnostic>> {
    let places = Places::new(source);
    for lint in LINTS {
        let Finds::InText(check) = lint.finds else { continue };
        if let Some(finding) = check(source, &places) {
            return Err(finding.of_lint(lint.name, lint.severity).into());
        }
    }
    // The parser panics on some texts that are no Luau. That says nothing of the other scripts.
    let Ok(parsed) = catch_unwind(|| parse_fallible(&source.text, LuaVersion::luau())) else {
        let message = "this script is not checked: the check cannot read it";
        return Err(Diagnostic::of_file(not_checked::LINT.name, &source.path, message).into());
    };
    for lint in LINTS {
        let Finds::InSyntax(check) = lint.finds else { continue };
        if let Some(finding) = check(parsed.errors(), &places) {
            return Err(finding.of_lint(lint.name, lint.severity).into());
        }
    }
    Ok(parsed.into_ast())
}

/// What is wrong with one script.
fn of_script(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for lint in LINTS {
        if let Finds::InScript(check) = lint.finds {
            found.extend(check(script, known).into_iter().map(|finding| finding.of_lint(lint.name, lint.severity)));
        }
    }
    found.sort_by_key(|fault| fault.start);
    found.truncate(MAX_FAULTS);
    found
}

/// What can be judged when all scripts are read.
fn of_game<'a>(
    pack: &'a Pack,
    read: &'a Diagnostics,
    known: &'a Known<'a>,
    list: &'a [Resolved<'a>],
    unread: bool,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let values = uses::values(known.d);
    let names = uses::names(known.d, &values);
    let in_scripts = found.clone();
    let uses = Uses::of(list, unread);
    let faults = Faults::default();
    let documents = Documents { faults: &faults, parsed: OnceCell::new() };
    let (sources, found_in_scripts) = (&read.sources, &in_scripts);
    let scripts = Scripts { pack, sources, known, list, uses, values, names, found: found_in_scripts, documents };
    let of_lint = |check: fn(&Scripts<'_>) -> Vec<Finding>, code, severity| {
        check(&scripts).into_iter().map(move |finding| finding.of_lint(code, severity))
    };
    for lint in LINTS {
        if let (Finds::InScripts(check), false) = (&lint.finds, unread) {
            found.extend(of_lint(*check, lint.name, lint.severity));
        }
    }
    if read.has_errors() || found.iter().any(|fault| fault.severity == Severity::Error) {
        return found;
    }
    for lint in LINTS {
        if let Finds::Unused(check) = lint.finds {
            found.extend(of_lint(check, lint.name, lint.severity));
        }
    }
    found
}
