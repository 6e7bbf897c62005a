//! Scripts that cannot be loaded.

use mlua::chunk::Compiler;

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::place::Places;
use motherlode::language::place_of;
use motherlode_content::diagnostic::Severity;
use motherlode_content::source::SourceFile;

pub const LINT: Lint = Lint {
    name: "script",
    severity: Severity::Error,
    why: "Luau cannot read this script, or the script fails or returns something unexpected when it is loaded, before any match begins.",
    bad: r#"return {
    play = {
        turn = function(player)
            if round() == 1
                log("calm")
            end
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            if round() == 1 then
                log("calm")
            end
        end,
    },
}
"#,
    finds: Finds::InText(check),
};

fn check(source: &SourceFile, places: &Places<'_>) -> Option<Finding> {
    let compiler = Compiler::new().set_optimization_level(0).set_debug_level(0);
    let error = compiler.compile(&source.text).err()?;
    // The compiler knows no name of the chunk: its message begins with `12:`.
    let text = match error {
        mlua::Error::SyntaxError { message, .. } => format!("{}:{message}", source.path),
        other => other.to_string(),
    };
    let (line, message) = place_of(&source.path, &text);
    Some(Finding::of_span(places, places.span_of_line(line), message))
}
