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
    let help = find_help(&source.text, line, &message);
    Some(Finding::at_span(source_map, source_map.span_of_line(line), message).help(help))
}

/// Help for the common errors of the compiler, where the fix is certain.
fn find_help(source: &str, line: u32, message: &str) -> Option<String> {
    let written = line_of(source, line);
    let (got, opened) = (quoted_after(message, "got '"), quoted_after(message, "(to close '"));
    let opened_in = message.split_once(" at line ").and_then(|(_, rest)| rest.split(')').next()?.parse().ok());
    let help = if written.starts_with("elif ") || written.starts_with("else if ") {
        "write `elseif`".to_owned()
    } else if got == Some("//") {
        "a comment begins with `--`".to_owned()
    } else if got == Some("?") {
        "Luau has no `?`: write `if a then b else c`".to_owned()
    } else if message.starts_with("Expected 'then'") && got == Some("=") {
        "compare with `==`".to_owned()
    } else if message.starts_with("Expected 'then'") {
        "write `then` after the condition".to_owned()
    } else if message.starts_with("Expected 'do'") {
        "write `do` after the head of the loop".to_owned()
    } else if opened == Some("{") && is_block(line_of(source, opened_in?)) || is_block(line_before(source, line)) {
        "Luau has no `{` blocks: begin one with `then` or `do`, and close it with `end`".to_owned()
    } else if message.starts_with("Expected 'end'") && got.is_none() {
        format!("add `end`: the block of line {} is never closed", opened_in?)
    } else if message.starts_with("Expected identifier when parsing expression") && written.starts_with("end") {
        "a block above has no `end`: add it".to_owned()
    } else if message.starts_with("Expected identifier") && line_before(source, line) == "return" {
        "`return` is the last statement of its block: add `end` after it".to_owned()
    } else if message.starts_with("Expected ',' after table") {
        "add `,` after the element before this one".to_owned()
    } else if message.contains("method name, got 'function'") {
        "write `=` in place of `:`".to_owned()
    } else if message.starts_with("Expected '(' when parsing function") {
        match got {
            Some(name) if written.contains(&format!("function {name}")) => {
                format!("in a table, write `{name} = function(...)`")
            }
            _ => "write the parameters after `function`, or `()`".to_owned(),
        }
    } else if message.starts_with("Incomplete statement") && written.contains("++") {
        "write `x += 1`".to_owned()
    } else {
        return None;
    };
    Some(help)
}

/// Whether a line opens a block with `{`, as other languages do.
fn is_block(line: &str) -> bool {
    line.ends_with('{') && ["if ", "if(", "while ", "while(", "for ", "for("].iter().any(|word| line.starts_with(word))
}

fn quoted_after<'m>(message: &'m str, before: &str) -> Option<&'m str> {
    message.split_once(before)?.1.split('\'').next()
}

/// A line of a source without surrounding spaces.
fn line_of(source: &str, line: u32) -> &str {
    source.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default().trim()
}

/// The line before this one that is not empty.
fn line_before(source: &str, line: u32) -> &str {
    let before = line.saturating_sub(1) as usize;
    let lines: Vec<&str> = source.lines().take(before).map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The help for a function with this body.
    fn help(body: &str) -> Option<String> {
        let text = format!("return {{\n    play = {{\n        turn = function(p)\n{body}\n        end,\n    }},\n}}\n");
        let source = SourceFile { path: "scripts/demo/phases.luau".into(), text };
        check(&source, &SourceMap::new(&source)).expect("an error").help
    }

    #[test]
    fn common_errors_have_help() {
        for (body, expected) in [
            ("if p then\nlog(\"calm\")", "a block above has no `end`: add it"),
            ("if p then\nreturn\nlocal x = 1", "`return` is the last statement of its block: add `end` after it"),
            ("if p\nlog(\"calm\") end", "write `then` after the condition"),
            ("if p = 1 then end", "compare with `==`"),
            ("for i = 1, 3 log(\"calm\") end", "write `do` after the head of the loop"),
            ("if p then\nreturn\nelif p then\nend", "write `elseif`"),
            ("if p then\nlog(\"calm\")\nelse if p then\nend", "a block above has no `end`: add it"),
            ("if p {\nreturn 1\n}", "Luau has no `{` blocks: begin one with `then` or `do`, and close it with `end`"),
            (
                "if (p) {\nlog(\"calm\")\nreturn\n}",
                "Luau has no `{` blocks: begin one with `then` or `do`, and close it with `end`",
            ),
            ("local t = { a = 1\nb = 2 }", "add `,` after the element before this one"),
            ("local t = { a: function() end }", "write `=` in place of `:`"),
            ("local t = { function dig(p) end }", "in a table, write `dig = function(...)`"),
            ("local f = function\nreturn 1 end", "write the parameters after `function`, or `()`"),
            ("local x = 1\nx++", "write `x += 1`"),
            ("// calm", "a comment begins with `--`"),
            ("local x = p ? 1 : 2", "Luau has no `?`: write `if a then b else c`"),
        ] {
            assert_eq!(help(body).as_deref(), Some(expected), "{body}");
        }
    }
}
