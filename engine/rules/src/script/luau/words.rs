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

/// The line (from 1) of a byte offset.
pub(super) fn line_at(source: &str, at: usize) -> u32 {
    source[..at].matches('\n').count() as u32 + 1
}

/// Whether a word consists of underscores only, as in `for _, __ in`.
#[must_use]
pub fn is_underscores(word: &str) -> bool {
    word.chars().all(|c| c == '_')
}
