//! Source texts and positions in them.

/// Stem of the script, or name of the folder of scripts, whose functions all other scripts share.
pub const LIB: &str = "lib";

/// One file of a pack, as it was when the pack was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// Displayed path: `content/checkers/game.toml`, always with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl SourceFile {
    /// Line and column (both from 1, the column in characters) of a byte offset.
    ///
    /// An offset past the end or within a character is moved back to the nearest valid position.
    #[must_use]
    pub fn position(&self, offset: usize) -> (u32, u32) {
        LineIndex::new(&self.text).position(&self.text, offset)
    }

    /// The file's name without folder and extension: `game` for `content/checkers/game.toml`.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }
}

/// The stem of a script by its displayed path: `phases`. All files of the folder `lib` have the stem `lib`.
#[must_use]
pub fn script_stem(path: &str) -> &str {
    if is_in_lib_folder(path) {
        return LIB;
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".luau").unwrap_or(name)
}

/// Whether a displayed path is that of a file in the folder `lib`: `scripts/checkers/lib/moves.luau`.
#[must_use]
pub fn is_in_lib_folder(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    parts.nth(1) == Some(LIB) && parts.nth(1) == Some("scripts")
}

/// The byte range of a line (from 1) without surrounding whitespace, and the column at which it begins.
pub fn line_span(text: &str, line: u32) -> ((usize, usize), u32) {
    let before = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let written = text[start..].lines().next().unwrap_or("");
    let indent = written.len() - written.trim_start().len();
    let column = written[..indent].chars().count() as u32 + 1;
    // A line of whitespace gives an empty range at its end.
    ((start + indent, start + written.trim_end().len().max(indent)), column)
}

/// The byte range of the word, such as a bare or quoted key, at a line and column (both from 1). Without a word there:
/// the line without surrounding whitespace.
pub fn word_span(text: &str, line: u32, column: u32) -> (usize, usize) {
    let before = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let from: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let written = text[from..].lines().next().unwrap_or("");
    let skipped = written.chars().take(column.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>();
    let rest = &written[skipped..];
    let len = match rest.chars().next().filter(|first| ['"', '\''].contains(first)) {
        Some(quote) => rest[1..].find(quote).map_or(0, |at| at + 2),
        None => rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(rest.len()),
    };
    if len == 0 { line_span(text, line).0 } else { (from + skipped, from + skipped + len) }
}

/// The starts of the lines of a text, to resolve many offsets quickly.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Indexes a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
        Self { starts }
    }

    /// As [`SourceFile::position`]; `text` must be the indexed text.
    pub fn position(&self, text: &str, offset: usize) -> (u32, u32) {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let column = text[start..offset].chars().count() + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let file = SourceFile { path: "content/a/game.toml".into(), text: "a\nbä€c\n\nx".into() };
        assert_eq!(file.position(0), (1, 1));
        assert_eq!(file.position(1), (1, 2), "the line break belongs to its line");
        assert_eq!(file.position(2), (2, 1));
        assert_eq!(file.position(3), (2, 2));
        assert_eq!(file.position(4), (2, 2), "within a character: its first byte");
        assert_eq!(file.position(5), (2, 3));
        assert_eq!(file.position(8), (2, 4));
        assert_eq!(file.position(10), (3, 1));
        assert_eq!(file.position(11), (4, 1));
        assert_eq!(file.position(999), (4, 2), "past the end: the end");
    }

    #[test]
    fn a_line_span_excludes_surrounding_whitespace() {
        let text = "one\n  two \n    \n";
        assert_eq!(line_span(text, 2), ((6, 9), 3));
        assert_eq!(line_span(text, 3), ((15, 15), 5), "nothing but spaces");
        assert_eq!(line_span(text, 9), ((16, 16), 1), "past the end: the end");
    }

    #[test]
    fn a_word_span_is_a_key_or_the_line() {
        let text = "[play]\n  \"a b\".x = 1\n";
        assert_eq!(word_span(text, 1, 2), (1, 5));
        assert_eq!(word_span(text, 2, 3), (9, 14), "with its quotes");
        assert_eq!(word_span(text, 1, 1), (0, 6), "no word: the line");
        assert_eq!(word_span(text, 9, 9), (21, 21), "past the end");
    }

    #[test]
    fn stems_drop_folder_and_ending() {
        let stem = |path: &str| SourceFile { path: path.into(), text: String::new() }.stem().to_owned();
        assert_eq!(stem("content/checkers/game.toml"), "game");
        assert_eq!(stem("scripts/checkers/mine_level_2.luau"), "mine_level_2");
        assert_eq!(stem("plain"), "plain");
        assert_eq!(script_stem("scripts/checkers/lib.luau"), "lib");
        assert_eq!(script_stem("a_mod/scripts/checkers/lib/moves.luau"), "lib");
        assert_eq!(script_stem("scripts/lib/moves.luau"), "moves", "the game is called `lib`");
    }
}
