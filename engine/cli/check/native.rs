//! `lode check --native`: the hooks that run as machine code, and the places that machine code leaves to Luau.

use std::io::Write;

use motherlode::tools::HookCode;
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::paint;
use crate::project::Project;

/// Prints the hooks of each game.
pub fn tell(project: &Project, ids: &[String], format: Format, out: &mut dyn Write) -> Result<(), Fault> {
    let mut list = Vec::new();
    for id in ids {
        let game = project.load(id)?;
        let hooks = game
            .machine_code()
            .map_err(|diagnostics| Fault::Content { game: id.clone(), diagnostics })?
            .ok_or_else(|| Fault::failed("this machine runs no machine code of scripts: Luau runs all hooks"))?;
        if format == Format::Json {
            list.extend(hooks.iter().map(|hook| data(id, hook)));
            continue;
        }
        let whole = hooks.iter().filter(|hook| hook.is_compiled && hook.ends.is_empty()).count();
        let parts = hooks.iter().filter(|hook| hook.is_compiled && !hook.ends.is_empty()).count();
        let rest = if parts == 0 { String::new() } else { format!(", {parts} in part") };
        writeln!(out, "{}: machine code for {whole} of {} hooks{rest}", game.declarations().name, hooks.len())?;
        for hook in hooks.iter().filter(|hook| !hook.is_compiled || !hook.ends.is_empty()) {
            let (colour, word) =
                if hook.is_compiled { ("bright_yellow", "in part") } else { ("bright_red", "in Luau") };
            let style = paint::style(colour);
            writeln!(out, "    {}: {style}{word}{style:#}", hook.hook)?;
            for end in &hook.ends {
                writeln!(out, "        {}:{}: {}", end.script, end.line, end.why)?;
            }
        }
    }
    if format == Format::Json {
        writeln!(out, "{:#}", Value::from(list))?;
    }
    Ok(())
}

fn data(game: &str, hook: &HookCode) -> Value {
    let ends = hook.ends.iter().map(|end| json!({ "file": end.script, "line": end.line, "lacks": end.why }));
    json!({ "game": game, "hook": hook.hook, "compiled": hook.is_compiled, "ends": ends.collect::<Vec<_>>() })
}
