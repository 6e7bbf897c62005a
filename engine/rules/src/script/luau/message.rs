//! Extracts line and message from Luau's errors.

/// The text between an error's message and its trace.
const TRACE: &str = "\nstack traceback:";

/// Line and message of a text such as `scripts/x/phases.luau:12: message`.
#[must_use]
pub fn place_of(path: &str, text: &str) -> (u32, String) {
    let mut lines = text.lines();
    let first = without_engine(lines.next().unwrap_or(text));
    let place = |text: &str| {
        // The path of a mod's script ends with the path of the script beneath it.
        let starts = |at: &usize| !text[..*at].ends_with(|c: char| c == '/' || c == '_' || c.is_alphanumeric());
        let at = text.match_indices(path).map(|(at, _)| at).find(starts)?;
        let rest = &text[at + path.len()..];
        let digits = rest.strip_prefix(':')?.split(|c: char| !c.is_ascii_digit()).next()?;
        Some((digits.parse::<u32>().ok()?, without_engine(rest[1 + digits.len()..].trim_start_matches(':')).to_owned()))
    };
    let (line, message) = place(first).unwrap_or((1, first.to_owned()));
    let message = explained(message);
    if line > 1 {
        return (line, message);
    }
    // An error from a C function has no line, and line 1 belongs to the header; use the trace then. Search from the
    // end, because a script may imitate a trace.
    let trace = text.rsplit_once(TRACE).map_or("", |(_, trace)| trace);
    let lines = if trace.is_empty() { lines } else { trace.lines() };
    let traced = lines.filter_map(|line| Some(place(line)?.0)).find(|&line| line > 1);
    (traced.unwrap_or(1), message)
}

/// The place at the start of an error's first line, if it belongs to one of these scripts.
pub(super) fn place_at_start<'a>(paths: &[&'a str], text: &str) -> Option<(&'a str, u32)> {
    let line = without_engine(text.lines().next()?);
    paths.iter().find_map(|path| {
        let rest = line.strip_prefix(path)?.strip_prefix(':')?;
        Some((*path, rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?))
    })
}

/// The calls of these scripts in the trace of an error, innermost first. Excludes accessors, which are on line 1 of
/// the calling script.
pub(super) fn traced_calls<'a>(paths: &[&'a str], text: &str) -> Vec<(&'a str, u32)> {
    let trace = text.rsplit_once(TRACE).map_or("", |(_, trace)| trace);
    let mut calls: Vec<(&str, u32)> = Vec::new();
    for call in trace.lines().filter_map(|line| place_at_start(paths, line)) {
        calls.pop_if(|(inner, line)| *line == 1 && *inner == call.0);
        calls.push(call);
    }
    calls
}

/// The message of an error without its trace.
pub(super) fn without_trace(text: &str) -> &str {
    text.split_once(TRACE).map_or(text, |(message, _)| message)
}

/// Adds the reason to Luau's message about a read-only table.
fn explained(message: String) -> String {
    const READ_ONLY: &str = "attempt to modify a readonly table";
    if !message.ends_with(READ_ONLY) {
        return message;
    }
    message
        + ": tables made while loading and tables from the engine are read-only; change a copy, made with `table.clone`"
}

/// The message of an error, without mlua's additions.
pub(super) fn message_of(error: &mlua::Error) -> String {
    match error {
        mlua::Error::SyntaxError { message, .. } | mlua::Error::RuntimeError(message) => message.clone(),
        mlua::Error::CallbackError { cause, .. } => message_of(cause),
        other => other.to_string(),
    }
}

/// A message without a position in the engine's own scripts.
fn without_engine(text: &str) -> &str {
    let inside = text.trim().strip_prefix("engine/").and_then(|rest| rest.split_once(".luau:"));
    let rest = inside.and_then(|(_, rest)| rest.split_once(':'));
    match rest {
        Some((line, rest)) if line.bytes().all(|b| b.is_ascii_digit()) => rest.trim(),
        _ => text.trim(),
    }
}
