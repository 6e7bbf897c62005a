//! `lode check`: every fault of the content, with the line it stands in.

use std::io::Write;
use std::sync::Arc;

use motherlode::{Diagnostic, Severity};
use motherlode_check::codes::{self, Explanation};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::project::{GlobalArgs, Project};
use crate::{balance, paint, report, setup};

/// Arguments of `lode check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/ and scripts/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Explain a code such as `unused-field`: why it is a mistake, with a bad and a good example
    #[arg(long, value_name = "CODE", conflicts_with = "what")]
    explain: Option<String>,
    /// How to print the diagnostics
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Checks one game or all of them; warnings are shown and pass.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(code) = &args.explain {
        return explain(code, args.format, out);
    }
    let (project, ids) = Project::several(global, args.what.as_deref())?;
    let mut list = Vec::new();
    let mut failed = false;
    for id in &ids {
        let (title, found) = match project.check(id) {
            Ok(checked) => {
                let title = setup::title(&checked.game);
                match balance::read(&project, &checked.game, true) {
                    Ok(_) => (title, checked.warnings),
                    Err(Fault::Content { mut diagnostics, .. }) => {
                        let mut sources = checked.warnings.sources.to_vec();
                        sources.extend(diagnostics.sources.iter().cloned());
                        diagnostics.list.extend(checked.warnings.list);
                        diagnostics.sources = Arc::new(sources);
                        diagnostics.sort();
                        (title, diagnostics)
                    }
                    Err(fault) => return Err(fault),
                }
            }
            Err(Fault::Content { diagnostics, .. }) => (id.clone(), diagnostics),
            Err(fault) => return Err(fault),
        };
        let wrong = found.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        failed |= wrong;
        if args.format == Format::Json {
            list.extend(found.list.iter().map(|diagnostic| data(id, diagnostic)));
            continue;
        }
        report::draw(out, &found)?;
        let (colour, word) = match (wrong, found.list.is_empty()) {
            (true, _) => ("bright_red", report::count(&found.list)),
            (false, false) => ("bright_yellow", report::count(&found.list)),
            (false, true) => ("bright_green", "ok".to_string()),
        };
        let style = paint::style(colour);
        writeln!(out, "{title}: {style}{word}{style:#}")?;
    }
    if args.format == Format::Json {
        writeln!(out, "{:#}", Value::from(list))?;
    }
    if failed { Err(Fault::Reported) } else { Ok(()) }
}

/// Says what a code means.
fn explain(code: &str, format: Format, out: &mut dyn Write) -> Result<(), Fault> {
    let Some(Explanation { code, why, bad, good }) = codes::explanation(code) else {
        let known = codes::codes();
        let near =
            motherlode::tools::nearest(code, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        let list: Vec<&str> = known.into_iter().collect();
        let message = format!("there is no code `{code}`{}\n\n{}", near.unwrap_or_default(), list.join("\n"));
        return Err(Fault::usage(message));
    };
    if format == Format::Json {
        writeln!(out, "{:#}", json!({ "code": code, "why": why, "bad": bad, "good": good }))?;
        return Ok(());
    }
    let strong = paint::strong();
    writeln!(out, "{strong}{code}{strong:#}\n\n{why}")?;
    for (title, example) in [("Bad", bad), ("Good", good)].into_iter().filter(|(_, example)| !example.is_empty()) {
        writeln!(out, "\n{strong}{title}:{strong:#}\n")?;
        for line in example.lines() {
            writeln!(out, "{}", format!("    {line}").trim_end())?;
        }
    }
    Ok(())
}

fn data(game: &str, diagnostic: &Diagnostic) -> Value {
    json!({
        "game": game,
        "severity": match diagnostic.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "code": diagnostic.code,
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "start": diagnostic.start,
        "end": diagnostic.end,
        "message": diagnostic.message,
        "help": diagnostic.help,
    })
}
