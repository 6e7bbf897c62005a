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
        writeln!(out, "{}: {}", game.declarations().name, summary(hooks.len(), whole, parts))?;
        for hook in hooks.iter().filter(|hook| !hook.is_compiled || !hook.ends.is_empty()) {
            let (colour, word) =
                if hook.is_compiled { ("bright_yellow", "in part") } else { ("bright_red", "in Luau") };
            let style = paint::style(colour);
            writeln!(out, "    {}: {style}{word}{style:#}", hook.hook)?;
            for end in &hook.ends {
                let inside = end.inside.as_ref().map(|name| format!("in `{name}`: ")).unwrap_or_default();
                writeln!(out, "        {}:{}: {inside}{}", end.script, end.line, end.why)?;
            }
        }
    }
    if format == Format::Json {
        writeln!(out, "{:#}", Value::from(list))?;
    }
    Ok(())
}

/// The numbers of hooks: `of 15 hooks, 13 run as machine code; 1 runs in part: it may continue in Luau`.
fn summary(all: usize, whole: usize, parts: usize) -> String {
    let verb = |count: usize, one: &str, more: &str| format!("{count} {}", if count == 1 { one } else { more });
    let rest = all - whole - parts;
    let hooks = if all == 1 { "hook" } else { "hooks" };
    let mut told = vec![format!("of {all} {hooks}, {} as machine code", verb(whole, "runs", "run"))];
    if parts > 0 {
        told.push(verb(parts, "runs in part: it may continue in Luau", "run in part: they may continue in Luau"));
    }
    if rest > 0 {
        told.push(format!("{} in Luau", verb(rest, "runs", "run")));
    }
    told.join("; ")
}

fn data(game: &str, hook: &HookCode) -> Value {
    let ends = hook
        .ends
        .iter()
        .map(|end| json!({ "file": end.script, "line": end.line, "inside": end.inside, "lacks": end.why }));
    json!({ "game": game, "hook": hook.hook, "compiled": hook.is_compiled, "ends": ends.collect::<Vec<_>>() })
}
