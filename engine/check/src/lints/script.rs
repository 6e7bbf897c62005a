//! Scripts that cannot be loaded.

use mlua::chunk::Compiler;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::source_map::SourceMap;
use motherlode::language::place_of;
use motherlode_content::diagnostic::Severity;
use motherlode_content::source::SourceFile;

pub const LINT: Lint = Lint {
    name: "script",
    severity: Severity::Error,
    why: "Luau cannot compile this script, or the script fails or returns a wrong value while it is loaded, before any match begins.",
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
    check: LintCheck::Text(check),
};

fn check(source: &SourceFile, source_map: &SourceMap<'_>) -> Option<Finding> {
    let compiler = Compiler::new().set_optimization_level(0).set_debug_level(0);
    let error = compiler.compile(&source.text).err()?;
    // The compiler does not know the name of the chunk: its message begins with `12:`.
    let text = match error {
        mlua::Error::SyntaxError { message, .. } => format!("{}:{message}", source.path),
        other => other.to_string(),
    };
    let (line, message) = place_of(&source.path, &text);
    Some(Finding::at_span(source_map, source_map.span_of_line(line), message))
}
