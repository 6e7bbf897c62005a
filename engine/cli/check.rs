//! `lode check`: prints all faults of the content with their source lines.
//!
//! Direction: beginning, native <- self

mod beginning;
mod native;

use std::io::Write;
use std::sync::Arc;

use motherlode::tools::hidden;
use motherlode::{Diagnostic, Diagnostics, Game, Pack, Related, Severity, SourceFile};
use motherlode_check::codes::{self, Explanation};
use motherlode_check::rule_tests::{TestLanguage, check_rule_tests};
use motherlode_play::ValueError;
use motherlode_play::rule_test::{self, TestFiles};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::project::{GlobalArgs, Project};
use crate::unread::Unread;
use crate::{balance, paint, report, setup};

/// Check the content and scripts of a game, or of all games
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game, its folder, or a folder with content/ and scripts/ [default: all games]
    #[arg(value_name = "GAME|DIR")]
    what: Option<String>,
    /// Explain a code such as unused-field, with a bad and a good example
    #[arg(long, value_name = "CODE", conflicts_with = "what")]
    explain: Option<String>,
    /// Tell which hooks run as machine code, and what others lack
    #[arg(long)]
    native: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Checks one game or all games. Warnings do not fail.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let out: &mut dyn Write = &mut Unread::new(out);
    if let Some(code) = &args.explain {
        return explain(code, args.format, out);
    }
    let (project, ids) = Project::locate_many(global, args.what.as_deref())?;
    if args.native {
        return native::tell(&project, &ids, args.format, out);
    }
    let mut list = Vec::new();
    let mut failed = false;
    for id in &ids {
        let (title, found) = match project.pack(id) {
            Ok(pack) => find(&project, &pack, global)?,
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

/// Checks a pack of a project: the title of its game, and all faults and warnings.
pub fn find(project: &Project, pack: &Pack, global: &GlobalArgs) -> Result<(String, Diagnostics), Fault> {
    let folders = check_folders(project, &pack.id);
    let checked = match motherlode_check::check(pack) {
        Ok(checked) => checked,
        Err(mut diagnostics) => {
            join(&mut diagnostics, folders);
            return Ok((pack.id.clone(), diagnostics));
        }
    };
    let mut found = checked.warnings;
    join(&mut found, folders);
    match balance::read(project, &checked.game, true) {
        Ok(_) => {}
        Err(Fault::Content { diagnostics, .. }) => join(&mut found, diagnostics),
        Err(fault) => return Err(fault),
    }
    let more = [check_learned_value(&checked.game), check_tests(project, &checked.game)];
    let more = more.into_iter().chain([beginning::check(&checked.game, pack, global)]);
    more.flatten().for_each(|diagnostics| join(&mut found, diagnostics));
    Ok((setup::title(&checked.game), found))
}

/// Warnings about folders that nothing reads, because their names are misspelt.
fn check_folders(project: &Project, id: &str) -> Diagnostics {
    let mut found = Diagnostics::default();
    for parent in ["scripts", "tests"] {
        for name in project.misspelt_folders(parent, id) {
            let folder = hidden::name(&format!("{parent}/{name}"));
            let message = format!("nothing reads this folder: no game has the id `{}`", hidden::name(&name));
            let fault = Diagnostic::of_file("misspelt-folder", &folder, message).as_warning();
            found.push(fault.with_help(format!("rename it to `{parent}/{id}`")));
        }
    }
    found
}

/// Adds further diagnostics.
fn join(found: &mut Diagnostics, more: Diagnostics) {
    found.list.extend(more.list);
    found.sources = Arc::new(found.sources.iter().chain(more.sources.iter()).cloned().collect());
    found.sort();
}

/// Faults of the files of rule tests, and warnings about tests that name a rule that does not exist.
fn check_tests(project: &Project, game: &Game) -> Option<Diagnostics> {
    let declared = game.declarations();
    // The built-in games have no tests, and `lode test` reports a folder that cannot be read.
    let tests = project.tests(&declared.id, false).ok()?;
    let sources: Vec<SourceFile> = tests.iter().flat_map(TestFiles::texts).cloned().collect();
    let mut list: Vec<Diagnostic> = tests.iter().flat_map(|tests| tests.find_unknown_rules(&declared.rules)).collect();
    let methods = rule_test::methods().map(|(signature, _)| signature).collect();
    let globals = rule_test::GLOBALS.into_iter().chain(["game", "lib"]).collect();
    list.extend(check_rule_tests(&sources, declared, &TestLanguage { methods, globals }));
    (!list.is_empty()).then(|| Diagnostics { list, sources: Arc::new(sources) })
}

/// The fault of a `learned.value` that bots cannot use.
fn check_learned_value(game: &Game) -> Option<Diagnostics> {
    let text = game.learned()?;
    let error = motherlode_play::Value::read(game, text).err()?;
    let id = &game.declarations().id;
    let path = format!("content/{id}/learned.value");
    let (line, message) = match &error {
        ValueError::Damaged { line, message } => ((*line).max(1), message.clone()),
        other => (1, other.to_string()),
    };
    let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let end = start + text[start..].lines().next().map_or(0, str::len);
    let fault = Diagnostic::of_file("damaged-value", &path, message)
        .with_help(format!("train again with `lode train {id} --out {path} --force`"));
    let fault = Diagnostic { line: u32::try_from(line).unwrap_or(u32::MAX), start, end, ..fault };
    // An edit can invalidate the value but not the game, so this is a warning. With a mod, its author cannot fix the value.
    let fault = match error {
        ValueError::Declarations { .. } if game.mods().is_empty() => fault.as_warning(),
        ValueError::Declarations { .. } => return None,
        _ => fault,
    };
    let mut found = Diagnostics::new(Arc::new(vec![SourceFile { path, text: text.to_owned() }]));
    found.push(fault);
    Some(found)
}

/// Prints the explanation of a code.
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

fn related(place: &Related) -> Value {
    let Related { file, line, column, start, end, message } = place;
    json!({ "file": file, "line": line, "column": column, "start": start, "end": end, "message": message })
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
        "related": diagnostic.related.iter().map(related).collect::<Vec<_>>(),
    })
}
