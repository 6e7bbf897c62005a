//! Text files from disk: capped in size and checked for UTF-8.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::diagnostic::Diagnostic;
use super::source::SourceFile;

/// The bytes of a regular file, or `None` if there are more than `limit`. Pipes and devices may have no end, and opening one may wait
/// for ever.
///
/// # Errors
/// It is not a regular file, or it cannot be read.
pub(crate) fn read_capped(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Decodes bytes as UTF-8. Invalid ones are reported and replaced, so that the rest can still be checked.
pub(crate) fn decode(shown: &str, bytes: Vec<u8>, faults: &mut Vec<Diagnostic>) -> String {
    let (at, bytes) = match String::from_utf8(bytes) {
        Ok(text) => return text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text),
        Err(error) => (error.utf8_error().valid_up_to(), error.into_bytes()),
    };
    // Everything before `at` is unchanged, so the offset is the same in the text with replacements.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = SourceFile { path: shown.to_owned(), text };
    let mut diagnostic = Diagnostic::of_file("not-utf8", shown, "the file is not UTF-8 text");
    (diagnostic.line, diagnostic.column) = file.position(at);
    (diagnostic.start, diagnostic.end) = (at, at + char::REPLACEMENT_CHARACTER.len_utf8());
    faults.push(diagnostic.with_help("save it as UTF-8"));
    file.text
}
