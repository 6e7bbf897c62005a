//! Words of a script, read from its source without parsing.

/// Words (identifiers) of a source, in order, including those in comments and strings.
pub fn words(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    source.char_indices().filter_map(move |(at, c)| {
        let starts = is_word(c) && !source[..at].chars().next_back().is_some_and(is_word);
        starts.then(|| {
            let end = source[at..].find(|c| !is_word(c)).map_or(source.len(), |n| at + n);
            (at, &source[at..end])
        })
    })
}

/// The first line (from 1) of a source that contains this word; 1 if none does.
pub(super) fn line_of_word(source: &str, word: &str) -> u32 {
    words(source).find(|(_, found)| *found == word).map_or(1, |(at, _)| line_at(source, at))
}

/// The line (from 1) of the last field with this name whose value is no function: `key = value`. Without one, the
/// first line with the word.
pub(super) fn line_of_field(source: &str, key: &str) -> u32 {
    let is_field = |at: usize| {
        let is_comment = source[..at].rsplit('\n').next().is_some_and(|line| line.contains("--"));
        let value = source[at + key.len()..].trim_start_matches(['"', '\'', ']']).trim_start();
        let value = value.strip_prefix('=').filter(|value| !value.starts_with('='));
        !is_comment && value.is_some_and(|value| !value.trim_start().starts_with("function"))
    };
    let fields = words(source).filter(|(at, found)| *found == key && is_field(*at));
    fields.last().map_or_else(|| line_of_word(source, key), |(at, _)| line_at(source, at))
}

/// The line (from 1) of a byte offset.
pub(super) fn line_at(source: &str, at: usize) -> u32 {
    source[..at].matches('\n').count() as u32 + 1
}

/// Whether a word consists of underscores only, as in `for _, __ in`.
#[must_use]
pub fn is_underscores(word: &str) -> bool {
    word.chars().all(|c| c == '_')
}
