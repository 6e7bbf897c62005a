//! Text files: decodes them as UTF-8, and reports those that nothing reads.

use super::diagnostic::{Diagnostic, nearest};
use super::source::SourceFile;

/// Decodes bytes as UTF-8. Reports and replaces invalid ones, so that the rest can still be checked.
pub(crate) fn decode(shown: &str, bytes: Vec<u8>, faults: &mut Vec<Diagnostic>) -> String {
    let (at, bytes) = match String::from_utf8(bytes) {
        Ok(text) => return text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text),
        Err(error) => (error.utf8_error().valid_up_to(), error.into_bytes()),
    };
    // The text before `at` is unchanged, so the offset also holds in the decoded text.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = SourceFile { path: shown.to_owned(), text };
    let mut diagnostic = Diagnostic::of_file("not-utf8", shown, "the file is not UTF-8 text");
    (diagnostic.line, diagnostic.column) = file.position(at);
    (diagnostic.start, diagnostic.end) = (at, at + char::REPLACEMENT_CHARACTER.len_utf8());
    faults.push(diagnostic.with_help("save it as UTF-8"));
    file.text
}

/// Reports a file that the engine does not read among scripts or among TOML files.
pub(crate) fn stray_file(shown: String, is_script: bool) -> Diagnostic {
    let [ending, elsewhere] = if is_script { ["luau", "toml"] } else { ["toml", "luau"] };
    let name = shown.rsplit('/').next().unwrap_or_default();
    let help = match name.rsplit_once('.') {
        Some((_, found)) if found == elsewhere => {
            let folder = if is_script { "content" } else { "scripts" };
            format!("move it to {folder}/")
        }
        Some((stem, found)) if nearest(found, [ending]).is_some() => format!("rename it to `{stem}.{ending}`"),
        _ => "remove it, or move it to another folder".to_owned(),
    };
    let message = format!("the engine reads only .{ending} files here");
    Diagnostic::of_file("stray-file", shown, message).as_warning().with_help(help)
}
