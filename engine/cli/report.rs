//! Prints diagnostics and failed tests with their source lines.

use std::io::{self, Write};

use codespan_reporting::diagnostic::{Diagnostic as Drawing, Label, Severity as Weight};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::{self, termcolor::Ansi};
use motherlode::{Diagnostic, Diagnostics, Related, Severity};
use motherlode_play::rule_test::TestResult;

use crate::paint;

/// Prints the name of a failed test, its failing line if known, and the message.
pub fn failure(out: &mut dyn Write, result: &TestResult, written: Option<&str>) -> io::Result<()> {
    let (red, strong, faint) = (paint::style("bright_red"), paint::strong(), paint::faint());
    let TestResult { name, file, line, message, .. } = result;
    writeln!(out, "{red}failed{red:#} {strong}{name}{strong:#}\n  {file}:{line}")?;
    if let Some(written) = written {
        writeln!(out, "    {faint}{line} |{faint:#} {written}")?;
    }
    message.lines().try_for_each(|line| writeln!(out, "    {line}"))
}

/// Maximum diagnostics printed, because a mod can cause any number.
const MAX_SHOWN: usize = 200;

/// Longest source text shown with a diagnostic, in bytes.
const MAX_SOURCE: usize = 1000;

/// Prints diagnostics with colours as escape codes, which the stream removes without a terminal. If there are too many, prints errors
/// before warnings.
pub fn draw(out: &mut dyn Write, diagnostics: &Diagnostics) -> io::Result<()> {
    let mut files = SimpleFiles::new();
    for source in diagnostics.sources.iter() {
        files.add(source.path.as_str(), source.text.as_str());
    }
    let config = term::Config::default();
    let mut shown: Vec<&Diagnostic> = diagnostics.list.iter().collect();
    if shown.len() > MAX_SHOWN {
        shown.sort_by_key(|diagnostic| diagnostic.severity);
        shown.truncate(MAX_SHOWN);
    }
    for &diagnostic in &shown {
        let weight = match diagnostic.severity {
            Severity::Error => Weight::Error,
            Severity::Warning => Weight::Warning,
        };
        let mut drawing = Drawing::new(weight).with_code(diagnostic.code).with_message(&diagnostic.message);
        let file = |path: &str| diagnostics.sources.iter().position(|source| source.path == path);
        let source = file(&diagnostic.file);
        match source {
            Some(file) if lines_of(diagnostic, &diagnostics.sources[file].text).len() > MAX_SOURCE => {
                writeln!(out, "{}", line(diagnostic))?;
                continue;
            }
            Some(file) => {
                drawing = drawing.with_label(Label::primary(
                    file,
                    span(diagnostic.start, diagnostic.end, &diagnostics.sources[file].text),
                ))
            }
            None if diagnostic.file.is_empty() => {}
            None => drawing = drawing.with_note(format!("in {}", diagnostic.file)),
        }
        for Related { file: path, line, column, start, end, message } in &diagnostic.related {
            drawing = match file(path) {
                Some(file) => {
                    let text = &diagnostics.sources[file].text;
                    drawing.with_label(Label::secondary(file, span(*start, *end, text)).with_message(message))
                }
                None => drawing.with_note(format!("{message} at {path}:{line}:{column}")),
            };
        }
        if let Some(help) = &diagnostic.help {
            drawing = drawing.with_note(format!("help: {help}"));
        }
        let mut drawn = Ansi::new(Vec::new());
        match term::emit_to_write_style(&mut drawn, &config, &files, &drawing) {
            Ok(()) => out.write_all(&drawn.into_inner())?,
            Err(_) => writeln!(out, "{}", line(diagnostic))?,
        }
    }
    match diagnostics.list.len() - shown.len() {
        0 => Ok(()),
        more => writeln!(out, "and {more} more; list all with `lode check --format json`"),
    }
}

/// The source lines to show with a diagnostic.
fn lines_of<'t>(diagnostic: &Diagnostic, text: &'t str) -> &'t str {
    let span = span(diagnostic.start, diagnostic.end, text);
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    &text[start..end]
}

/// The bytes to underline, clamped to the text and to character boundaries.
fn span(start: usize, end: usize, text: &str) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(start.min(text.len()));
    let end = text.ceil_char_boundary(end.clamp(start, text.len()));
    start..end
}

/// A diagnostic on one line.
pub fn line(diagnostic: &Diagnostic) -> String {
    let Diagnostic { file, line, column, code, message, .. } = diagnostic;
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{file}:{line}:{column}: {severity}[{code}]: {message}")
}

/// `2 errors, 1 warning`.
pub fn count(list: &[Diagnostic]) -> String {
    let errors = list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let warnings = list.len() - errors;
    match (errors, warnings) {
        (_, 0) => paint::plural(errors, "error"),
        (0, _) => paint::plural(warnings, "warning"),
        _ => format!("{}, {}", paint::plural(errors, "error"), paint::plural(warnings, "warning")),
    }
}
