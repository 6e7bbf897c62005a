//! Repairs text that the parser would report at the wrong place: unclosed brackets, and keys with too many parts.
//!
//! TOML allows inline tables and lists over several lines, so the parser would read everything after an open bracket
//! as part of it and report line after line.

use std::ops::Range;

use toml::de::DeTable;

/// A text with the missing brackets added.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MendedText {
    /// The text.
    pub(crate) text: String,
    /// Offsets of added brackets in the repaired text, in order.
    pub(crate) added: Vec<usize>,
    /// The unclosed brackets.
    pub(crate) open: Vec<(usize, usize)>,
}

impl MendedText {
    /// Converts an offset in the repaired text to one in the original.
    pub(crate) fn original(&self, at: usize) -> usize {
        at - self.added.partition_point(|added| *added < at)
    }
}

/// Closes brackets that are open when the next line begins another key or table; `None`: there are none.
pub(crate) fn mend(text: &str) -> Option<MendedText> {
    let bytes = text.as_bytes();
    let (mut stack, mut added, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let (mut at, mut last) = (0, 0);
    let mut line_start = true;
    let mut close = |stack: &mut Vec<(u8, usize)>, last: usize| {
        while let Some((bracket, place)) = stack.pop() {
            added.push((last, if bracket == b'{' { '}' } else { ']' }));
            open.push((place, place + 1));
        }
    };
    while at < bytes.len() {
        let byte = bytes[at];
        if line_start
            && !stack.is_empty()
            && begins_anew(&text[at..], stack.last().map(|(bracket, _)| *bracket), bytes, last)
        {
            close(&mut stack, last);
        }
        match byte {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'#' => {
                at = end_of_line(bytes, at);
                continue;
            }
            // The header of a table.
            b'[' if line_start && stack.is_empty() => at = end_of_line(bytes, at),
            b'"' | b'\'' => at = end_of_string(bytes, at),
            b'{' | b'[' => {
                stack.push((byte, at));
                at += 1;
            }
            b'}' | b']' => {
                stack.pop();
                at += 1;
            }
            _ => at += 1,
        }
        (line_start, last) = (false, at);
    }
    close(&mut stack, last);
    if added.is_empty() {
        return None;
    }
    let (mut out, mut from) = (String::with_capacity(text.len() + added.len()), 0);
    for (place, bracket) in &added {
        out.push_str(&text[from..*place]);
        out.push(*bracket);
        from = *place;
    }
    out.push_str(&text[from..]);
    Some(MendedText {
        text: out,
        added: added.into_iter().enumerate().map(|(i, (place, _))| place + i).collect(),
        open,
    })
}

/// The first line whose key has too many parts, which the parser refuses without a location.
pub(crate) fn line_of_deep_key(text: &str) -> Option<Range<usize>> {
    let ends: Vec<usize> = text
        .split_inclusive('\n')
        .scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        })
        .collect();
    let is_deep = |end: usize| DeTable::parse_recoverable(&text[..end]).1.iter().any(|error| error.span().is_none());
    let line = ends.partition_point(|end| !is_deep(*end));
    let start = line.checked_sub(1).map_or(0, |before| ends[before]);
    ends.get(line).map(|end| start..start + text[start..*end].trim_end().len())
}

/// Whether a line inside a bracket begins another key or table instead. `last` is the end of the text before it.
fn begins_anew(line: &str, inside: Option<u8>, bytes: &[u8], last: usize) -> bool {
    let line = line.lines().next().unwrap_or_default();
    let is_header = line.starts_with('[') && line.contains(']') && !line.contains(['=', '{', ',', '"', '\'']);
    let is_key = line.split_once('=').is_some_and(|(key, _)| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '\t' | '"' | '\'');
        !key.trim().is_empty() && key.chars().all(plain)
    });
    let goes_on = last > 0 && matches!(bytes[last - 1], b',' | b'{');
    match inside {
        // A list contains no keys; in an inline table, keys follow a comma.
        Some(b'[') => is_key || is_header && line.starts_with("[[") || is_header && !goes_on && bytes[last - 1] != b'[',
        _ => is_header || is_key && !goes_on,
    }
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |n| at + n)
}

/// The end of a string that begins at `at`; an unclosed string ends with its line.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let long = bytes[at..].starts_with(&[quote; 3]);
    let width = if long { 3 } else { 1 };
    let mut end = at + width;
    while end < bytes.len() {
        if !long && bytes[end] == b'\n' {
            return end;
        }
        if bytes[end..].starts_with(&[quote; 3][..width]) {
            return end + width;
        }
        end += if bytes[end] == b'\\' && quote == b'"' { 2 } else { 1 };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> Option<String> {
        mend(text).map(|mended| mended.text)
    }

    #[test]
    fn brackets_are_closed_where_something_else_begins() {
        for (text, right) in [
            ("a = { b = 1\nc = 2\n", "a = { b = 1}\nc = 2\n"),
            ("a = { b = 1 # one\nc = 2\n", "a = { b = 1} # one\nc = 2\n"),
            ("a = { b = 1\n\n[c]\nd = 2\n", "a = { b = 1}\n\n[c]\nd = 2\n"),
            ("a = { b = 1,\n[c]\n", "a = { b = 1,}\n[c]\n"),
            ("a = [1, 2\nb = 3", "a = [1, 2]\nb = 3"),
            ("a = [\"x\"\n[b]\n", "a = [\"x\"]\n[b]\n"),
            ("a = [{ b = 1\nc = 2", "a = [{ b = 1}]\nc = 2"),
            ("a = { b = { c = 1 }\nd = 2", "a = { b = { c = 1 }}\nd = 2"),
            ("a = { b = 1", "a = { b = 1}"),
            ("a = { b = \"}\"\nc = 1\nd = { e = '{'\n[f]", "a = { b = \"}\"}\nc = 1\nd = { e = '{'}\n[f]"),
        ] {
            assert_eq!(mended(text).as_deref(), Some(right), "{text}");
        }
    }

    #[test]
    fn closed_brackets_stay() {
        for text in [
            "",
            "a = { b = 1, c = [1, 2] }\n[d]\n[[e]]\n",
            "a = {\n  b = 1,\n  c = 2,\n}\n",
            "a = [\n  { b = 1 },\n  { c = 2 }\n]\n",
            "a = [\n  [1],\n  [2],\n]\nb = 1\n",
            "a = \"\"\"\n{ [\n\"\"\"\nb = 1\n",
            "# { [\na = '{'\n",
            "a = \"{\nb = 1\n",
        ] {
            assert_eq!(mended(text), None, "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let text = "a = { b = 1\nc = [2\nd = 3\n";
        let mended = mend(text).unwrap();
        assert_eq!(mended.open, [(4, 5), (16, 17)]);
        for (word, original) in [("a", 0), ("b", 6), ("c", 12), ("2", 17), ("d", 19), ("3", 23)] {
            let at = mended.text.find(word).unwrap();
            assert_eq!(mended.original(at), original, "{word}");
            assert_eq!(&text[original..=original], word);
        }
    }
}
