//! Hidden characters: those that a terminal or an editor does not display but interprets.

use std::borrow::Cow;
use std::path::Path;

/// Whether a character is hidden: a control character other than tab and line feed, a mark that changes the direction
/// of writing, or a character of zero width.
///
/// Escape sequences can set a window's title or the clipboard, and reversed text reads differently from what is
/// stored.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The first hidden character of a text, with its byte offset. A carriage return before a line feed is allowed.
#[must_use]
pub fn find_hidden(text: &str) -> Option<(usize, char)> {
    let ends_line = |at: usize, c: char| c == '\r' && text[at + 1..].starts_with('\n');
    text.char_indices().find(|&(at, c)| is_hidden(c) && !ends_line(at, c))
}

/// Replaces each hidden character by a mark, for texts from running scripts and file names.
#[must_use]
pub fn shown(text: String) -> String {
    if find_hidden(&text).is_none() { text } else { text.replace(is_hidden, "\u{fffd}") }
}

/// The name of a file or of a zip entry, with each hidden character or line break replaced by a mark.
#[must_use]
pub fn name(name: &str) -> String {
    name.replace(breaks_name, "\u{fffd}")
}

/// A path as shown by [`name`].
#[must_use]
pub fn path(path: impl AsRef<Path>) -> String {
    name(&path.as_ref().to_string_lossy())
}

fn breaks_name(c: char) -> bool {
    is_hidden(c) || c.is_control()
}

/// Maximum length of a displayed text in bytes: a script can list a label thousands of times, and a file may contain
/// anything.
pub const LONGEST: usize = 2000;
/// Maximum length of a name in a message, in bytes.
const LONGEST_NAME: usize = 200;

/// The text, truncated to [`LONGEST`].
#[must_use]
pub fn clipped(text: String) -> String {
    if text.len() <= LONGEST { text } else { cut(&text, LONGEST).into_owned() }
}

/// A message or help text, without hidden characters, with long names and the whole truncated.
#[must_use]
pub fn clean_message(message: String) -> String {
    let message = shown(message);
    if message.len() <= LONGEST_NAME && !message.contains('\n') {
        return message;
    }
    // Names are between backticks.
    let parts = message.split('`').enumerate();
    let parts: Vec<_> = parts
        .map(|(at, part)| if at % 2 == 1 { name(&cut(part, LONGEST_NAME)) } else { cut(part, LONGEST).into_owned() })
        .collect();
    clipped(parts.join("`"))
}

fn cut(text: &str, longest: usize) -> Cow<'_, str> {
    if text.len() <= longest {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(longest)]))
}

/// The message about a hidden character.
pub(crate) fn hidden_message(c: char) -> String {
    format!(
        "the character U+{:04X} is not allowed: it is invisible and changes how other text is displayed",
        u32::from(c)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_hidden() {
        for c in [
            '\0', '\u{7}', '\u{1b}', '\u{7f}', '\u{9b}', '\u{9d}', '\u{202e}', '\u{2066}', '\u{200f}', '\u{200b}',
            '\u{feff}',
        ] {
            assert_eq!(find_hidden(&format!("é{c}")), Some((2, c)));
        }
        for text in ["", "Grüße, 漢字 👩‍🚀", "a\tb\nc\r\nd"] {
            assert_eq!(find_hidden(text), None, "{text}");
        }
        assert_eq!(find_hidden("over\rwritten"), Some((4, '\r')));
    }

    #[test]
    fn names_break_no_line() {
        for c in ['\n', '\r', '\t', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}', '\u{1b}'] {
            assert_eq!(name(&format!("a{c}error: b")), "a\u{fffd}error: b", "{c:?}");
        }
        assert_eq!(name("a\r\nb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(path(Path::new("décor/a b.toml")), "décor/a b.toml");
        assert_eq!(clean_message("no `a\nok`\n  in `b`".to_owned()), "no `a\u{fffd}ok`\n  in `b`");
    }

    #[test]
    fn messages_are_truncated() {
        let plain = "unknown name `a`; known: `b`, `c`";
        assert_eq!(clean_message(plain.to_owned()), plain);
        let long = "é".repeat(60_000);
        assert_eq!(
            clean_message(format!("unknown name `{long}` in `a`")),
            format!("unknown name `{}…` in `a`", &long[..200])
        );
        assert_eq!(clean_message(format!("raised {}", "x".repeat(9000))).len(), LONGEST + "…".len());
        assert_eq!(clean_message(format!("\u{7}`{}", "`x".repeat(9000))).len(), LONGEST + "…".len());
    }

    #[test]
    fn hidden_characters_are_shown_as_marks() {
        assert_eq!(shown("a\u{1b}]0;b\u{7}".to_owned()), "a\u{fffd}]0;b\u{fffd}");
        assert_eq!(shown("plain\r\n".to_owned()), "plain\r\n");
    }
}
