//! `lode check`: every fault of the content, with the line it stands in.

use std::io::Write;

use motherlode::{Diagnostic, Severity};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::project::{GlobalArgs, Project};
use crate::{Format, paint, report, setup};

/// Arguments of `lode check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/ and scripts/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// How to print the diagnostics
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Checks one game or all of them; warnings are shown and pass.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let (project, ids) = Project::several(global, args.what.as_deref())?;
    let mut list = Vec::new();
    let mut failed = false;
    for id in &ids {
        let (title, found) = match project.check(id) {
            Ok(checked) => (setup::title(&checked.game), checked.warnings),
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
