//! Runs the lints: reads every script once ([`crate::script`]), then passes it to each lint ([`crate::lints`]).
//!
//! Lints skip names that a script builds while it runs (`"boom_" .. what`): a wrong one fails at run time.
//! Lints help authors and are no security boundary: the sandbox does not rely on them.

use std::cell::OnceCell;
use std::panic::catch_unwind;

use full_moon::ast::Ast;
use full_moon::{LuaVersion, parse_fallible};

use crate::finding::{Documents, Finding, LintContext};
use crate::lints::{LINTS, LintCheck, not_checked};
use crate::script::ResolvedScript;
use crate::script::flow::RequiredByFunction;
use crate::script::known::DeclaredNames;
use crate::script::lib_file::LibFile;
use crate::script::source_map::SourceMap;
use crate::uses::{self, Uses};
use motherlode::language::MAX_FAULTS;
use motherlode_content::declare::Declarations;
use motherlode_content::diagnostic::{Diagnostic, Diagnostics, Severity};
use motherlode_content::document::Faults;
use motherlode_content::pack::Pack;
use motherlode_content::source::SourceFile;

#[cfg(test)]
mod tests;

/// Name of the linting thread. A panic on this thread becomes a `not-checked` diagnostic.
pub const THREAD: &str = "check";

/// Stack size of the linting thread in bytes: Luau allows a thousand nesting levels, and each one needs stack.
const STACK: usize = 256 << 20;

/// Lints all scripts of a pack. `read`: the diagnostics from reading its content.
pub fn lint(pack: &Pack, d: &Declarations, read: &Diagnostics) -> Vec<Diagnostic> {
    if d.scripts.is_empty() {
        return lint_on_this_thread(pack, d, read);
    }
    on_deep_stack(|| lint_on_this_thread(pack, d, read)).unwrap_or_else(|| {
        vec![Diagnostic::of_file("not-checked", "scripts", "the scripts could not be checked").as_warning()]
    })
}

/// Does work on the linting thread. `None`: it could not start, or the work panicked.
pub(crate) fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok())
    })
}

/// Lints on the current thread.
fn lint_on_this_thread(pack: &Pack, d: &Declarations, read: &Diagnostics) -> Vec<Diagnostic> {
    // `lib.luau` comes first: other scripts need to know which names its functions require.
    let (first, others): (Vec<_>, Vec<_>) = d.all_scripts().partition(|script| d.is_lib(&script.path));
    let sources: Vec<SourceFile> = first
        .into_iter()
        .chain(others)
        .map(|script| SourceFile { path: script.path.clone(), text: script.source.clone() })
        .collect();
    let parsed: Vec<Result<Ast, Box<Diagnostic>>> = sources.iter().map(parse).collect();
    let lib_files = sources.iter().zip(&parsed).filter(|(source, _)| d.is_lib(&source.path));
    let lib_files =
        lib_files.map(|(source, parsed)| LibFile::read(&source.path, parsed.as_ref().ok().map(Ast::nodes))).collect();
    let known = DeclaredNames::new(d, &read.sources, &read.list, lib_files);
    let (mut found, mut scripts, mut required) = (Vec::new(), Vec::new(), RequiredByFunction::new());
    for (source, parsed) in sources.iter().zip(&parsed) {
        match parsed {
            Ok(ast) => {
                let mut script = ResolvedScript::read(ast.nodes(), source, &known, &required);
                required.append(&mut script.required);
                found.extend(check_script(&script, &known));
                scripts.push(script);
            }
            Err(fault) => found.push(Diagnostic::clone(fault)),
        }
    }
    let has_unread = scripts.len() < parsed.len();
    check_game(pack, read, &known, &scripts, has_unread, found)
}

/// Reads every script that can be parsed. `read`: the diagnostics from reading the content.
pub(crate) fn for_each_script(d: &Declarations, read: &Diagnostics, each: &mut dyn FnMut(&ResolvedScript<'_>)) {
    let source = |script: &motherlode_content::declare::Script| SourceFile {
        path: script.path.clone(),
        text: script.source.clone(),
    };
    let sources: Vec<SourceFile> = d.all_scripts().map(source).collect();
    let parsed: Vec<Option<Ast>> = sources.iter().map(|source| parse(source).ok()).collect();
    let libs = sources.iter().zip(&parsed).filter(|(source, _)| d.is_lib(&source.path));
    let libs = libs.map(|(source, parsed)| LibFile::read(&source.path, parsed.as_ref().map(Ast::nodes))).collect();
    let known = DeclaredNames::new(d, &read.sources, &read.list, libs);
    let required = RequiredByFunction::new();
    for (source, ast) in sources.iter().zip(&parsed).filter_map(|(source, ast)| Some((source, ast.as_ref()?))) {
        each(&ResolvedScript::read(ast.nodes(), source, &known, &required));
    }
}

/// Parses a script, or returns its first fault.
fn parse(source: &SourceFile) -> Result<Ast, Box<Diagnostic>> {
    let source_map = SourceMap::new(source);
    for lint in LINTS {
        let LintCheck::Text(check) = lint.check else { continue };
        if let Some(finding) = check(source, &source_map) {
            return Err(finding.into_diagnostic(lint.name, lint.severity).into());
        }
    }
    // The parser panics on some invalid scripts. Other scripts are still checked.
    let Ok(parsed) = catch_unwind(|| parse_fallible(&source.text, LuaVersion::luau())) else {
        let message = "this script is not checked: the checker cannot parse it";
        return Err(Diagnostic::of_file(not_checked::LINT.name, &source.path, message).into());
    };
    for lint in LINTS {
        let LintCheck::Syntax(check) = lint.check else { continue };
        if let Some(finding) = check(parsed.errors(), &source_map) {
            return Err(finding.into_diagnostic(lint.name, lint.severity).into());
        }
    }
    Ok(parsed.into_ast())
}

/// Runs the lints that look at one script alone.
fn check_script(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for lint in LINTS {
        if let LintCheck::Script(check) = lint.check {
            found.extend(
                check(script, known).into_iter().map(|finding| finding.into_diagnostic(lint.name, lint.severity)),
            );
        }
    }
    found.sort_by_key(|fault| fault.start);
    found.truncate(MAX_FAULTS);
    found
}

/// Runs the lints that need all scripts.
fn check_game<'a>(
    pack: &'a Pack,
    read: &'a Diagnostics,
    known: &'a DeclaredNames<'a>,
    scripts: &'a [ResolvedScript<'a>],
    has_unread: bool,
    mut found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let values = uses::values(known.d);
    let names = uses::names(known.d, &values);
    let in_scripts = found.clone();
    let uses = Uses::of(scripts, has_unread);
    let faults = Faults::default();
    let documents = Documents { faults: &faults, parsed: OnceCell::new() };
    let sources = &read.sources;
    let context = LintContext { pack, sources, known, scripts, uses, values, names, found: &in_scripts, documents };
    let run = |check: fn(&LintContext<'_>) -> Vec<Finding>, code, severity| {
        check(&context).into_iter().map(move |finding| finding.into_diagnostic(code, severity))
    };
    for lint in LINTS {
        if let (LintCheck::AllScripts(check), false) = (&lint.check, has_unread) {
            found.extend(run(*check, lint.name, lint.severity));
        }
    }
    if read.has_errors() || found.iter().any(|fault| fault.severity == Severity::Error) {
        return found;
    }
    for lint in LINTS {
        if let LintCheck::WholeGame(check) = lint.check {
            found.extend(run(check, lint.name, lint.severity));
        }
    }
    found
}
