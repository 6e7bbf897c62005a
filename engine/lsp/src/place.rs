//! Positions of the protocol: lines from 0, columns in UTF-16 units.

use serde_json::{Value, json};

/// The byte of a position; past the end of a line or of the text: that end.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let number =
        |key: &str| position.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    let line = text[start..].split('\n').next().unwrap_or_default();
    let mut units = number("character");
    for (at, c) in line.char_indices() {
        if units < c.len_utf16() {
            return start + at;
        }
        units -= c.len_utf16();
    }
    start + line.len()
}

/// The position of a byte.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..text.floor_char_boundary(offset)];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let units: usize = before[start..].chars().map(char::len_utf16).sum();
    json!({ "line": before.matches('\n').count(), "character": units })
}

/// The bytes of the word around a byte.
pub(crate) fn word(text: &str, offset: usize) -> (usize, usize) {
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let start = text[..offset].char_indices().rev().find(|(_, c)| is_other(*c)).map_or(0, |(at, c)| at + c.len_utf8());
    let end = text[offset..].find(is_other).map_or(text.len(), |at| offset + at);
    (start, end)
}

/// The range of a span of bytes.
pub(crate) fn range(text: &str, (start, end): (usize, usize)) -> Value {
    json!({ "start": position(text, start), "end": position(text, end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16() {
        let text = "a\n😀ä=x\n";
        assert_eq!(position(text, text.find('=').unwrap()), json!({ "line": 1, "character": 3 }));
        for at in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
            assert_eq!(offset(text, &position(text, at)), at);
        }
        assert_eq!(offset(text, &json!({ "line": 1, "character": 99 })), text.len() - 1);
        assert_eq!(offset(text, &json!({ "line": 99, "character": 0 })), text.len());
        assert_eq!(word("ä = b_1, c", 6), (5, 8));
    }
}
