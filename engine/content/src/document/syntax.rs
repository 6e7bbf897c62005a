//! Help for the common syntax errors of TOML, where the fix is certain.

use std::ops::Range;

/// Message and help for an error of the parser. An error without certain help keeps the parser's message.
pub fn explain(message: &str, text: &str, span: Range<usize>) -> (String, Option<String>) {
    let joined = || message.lines().collect::<Vec<_>>().join(", ");
    match certain(message.split(", expected").next().unwrap_or(message), text, &span) {
        Some((Some(message), help)) => (message, Some(help)),
        Some((None, help)) => (joined(), Some(help)),
        None => (joined(), None),
    }
}

/// A better message, if any, and the help.
fn certain(error: &str, text: &str, span: &Range<usize>) -> Option<(Option<String>, String)> {
    let (line, rest) = (line_at(text, span.start), rest_of_line(text, span.start));
    let is_after_colon = text.get(..span.start).is_some_and(|before| before.trim_end().ends_with(':'));
    let help = |help: &str| Some((None, help.to_owned()));
    match error {
        "string values must be quoted" | "invalid boolean" | "invalid date" | "missing value" => wrong_value(rest),
        "key with no value" | "missing assignment between key-value pairs"
            if is_after_colon || rest.starts_with(':') =>
        {
            help("write `=` in place of `:`")
        }
        "key with no value" if line.trim_start().starts_with("//") => help("a comment begins with `#`"),
        "key with no value" => missing_assignment(line),
        "invalid basic string" => help("end the text with `\"`"),
        "invalid literal string" => help("end the text with `'`"),
        "unclosed table" => help("add `]`"),
        "unclosed array table" => help("add `]]`"),
        "extra assignment between key-value pairs" | "missing comma between key-value pairs" => {
            help("write `,` between two keys")
        }
        "missing comma between array elements" => help("write `,` between two elements"),
        "unexpected key or value" if rest.trim_start().starts_with("//") => help("a comment begins with `#`"),
        "unexpected key or value" if rest.contains('=') => help("write each key on a line of its own"),
        "extra `=`" => help("delete the second `=`"),
        "unexpected leading zero" => help("delete the leading zeros"),
        "cannot recurse further; max recursion depth met" => Some((
            Some("lists and tables are nested too deep".to_owned()),
            "write at most 80 of them inside one another".to_owned(),
        )),
        "missing escaped value" => help(r"write `\\` for a backslash"),
        _ => None,
    }
}

/// Help for a value that is no TOML value. `rest`: the value and what follows in its line.
fn wrong_value(rest: &str) -> Option<(Option<String>, String)> {
    let rest = rest.trim_start();
    let end = rest.find([',', ']', '}', '#']).unwrap_or(rest.len());
    let value = rest[..end].trim_end();
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
    if value.is_empty() {
        return Some((Some("the value is missing".to_owned()), "write a value after `=`".to_owned()));
    }
    if value.starts_with(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}']) {
        return Some((Some("curly quotes do not begin a text".to_owned()), "use straight quotes: `\"`".to_owned()));
    }
    if let Some((_, comment)) = value.split_once("//")
        && !value.contains("://")
    {
        return Some((None, format!("a comment begins with `#`: `# {}`", comment.trim())));
    }
    let lower = value.to_lowercase();
    if matches!(lower.as_str(), "true" | "false") {
        return Some((Some(format!("`{value}` is not a value")), format!("write `{lower}`")));
    }
    let is_text = value.starts_with(char::is_alphabetic) && value.chars().all(word);
    is_text.then(|| (Some(format!("the text `{value}` has no quotes")), format!("write `\"{value}\"`")))
}

/// Help for a line without `=` after its first word.
fn missing_assignment(line: &str) -> Option<(Option<String>, String)> {
    let line = line.trim();
    let (key, rest) = line.split_once([' ', '\t'])?;
    let rest = rest.trim_start();
    if rest.starts_with(['"', '\'', '[', '{']) || rest.starts_with(|c: char| c.is_ascii_digit()) {
        return Some((None, format!("write `{key} = {rest}`")));
    }
    let (name, _) = line.split_once('=')?;
    let name = name.trim();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' '));
    is_name.then(|| (None, format!("a key has no spaces: write `{}`", name.replace(' ', "_"))))
}

fn line_at(text: &str, at: usize) -> &str {
    let at = text.floor_char_boundary(at.min(text.len()));
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default()
}

fn rest_of_line(text: &str, at: usize) -> &str {
    text[text.floor_char_boundary(at.min(text.len()))..].lines().next().unwrap_or_default()
}
