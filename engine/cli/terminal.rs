//! Filters the output: text from content, file names and errors must not move the cursor, set the clipboard or reverse the direction of
//! writing. Loading already rejects content with such characters; this filter is the second barrier.

use std::io::{self, Write};

use motherlode::tools::hidden::is_hidden;

/// Length of the longest escape sequence that sets colours: `ESC [ 38;2;255;255;255;48;2;255;255;255 m`.
const LONGEST: usize = 48;

/// A stream that passes text and colours, and replaces everything else by a mark.
#[derive(Debug)]
pub struct Terminal<W: Write> {
    out: W,
    /// The start of an incomplete character or escape sequence.
    open: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    /// A filter before a stream.
    pub fn new(out: W) -> Self {
        Self { out, open: Vec::new() }
    }

    fn write_clean(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut plain = 0;
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match classify(rest) {
                Start::Allowed(n) => at += n,
                Start::Incomplete => {
                    self.out.write_all(&bytes[plain..at])?;
                    self.open = rest.to_vec();
                    return Ok(());
                }
                Start::Forbidden(n) => {
                    self.out.write_all(&bytes[plain..at])?;
                    self.out.write_all("\u{fffd}".as_bytes())?;
                    at += n;
                    plain = at;
                }
            }
        }
        self.out.write_all(&bytes[plain..])
    }
}

/// The kind and number of bytes at the start of a text.
enum Start {
    /// Bytes that may be written.
    Allowed(usize),
    /// Bytes that must be replaced.
    Forbidden(usize),
    /// The next bytes decide.
    Incomplete,
}

/// Classifies the first bytes of a text.
fn classify(bytes: &[u8]) -> Start {
    match bytes[0] {
        b'\n' | b'\t' | b' '..=b'~' => Start::Allowed(1),
        // Alone, it returns to the start of the line, and later text would overwrite earlier text.
        b'\r' => match bytes.get(1) {
            Some(b'\n') => Start::Allowed(2),
            Some(_) => Start::Forbidden(1),
            None => Start::Incomplete,
        },
        0x1b => colour(bytes),
        // A single byte from 0x80 is invalid UTF-8, but some terminals obey it.
        0..=0x7f | 0x80..=0xbf | 0xf8..=0xff => Start::Forbidden(1),
        first => {
            let length = if first < 0xe0 { 2 } else { 3 + usize::from(first >= 0xf0) };
            match std::str::from_utf8(&bytes[..length.min(bytes.len())]) {
                Ok(text) if text.contains(is_hidden) => Start::Forbidden(length),
                Ok(_) => Start::Allowed(length),
                Err(error) if error.error_len().is_none() => Start::Incomplete,
                Err(_) => Start::Forbidden(1),
            }
        }
    }
}

/// Classifies an escape sequence. `ESC [ 1;31 m` sets a colour; this program writes no other sequences.
fn colour(bytes: &[u8]) -> Start {
    if bytes.get(1).is_some_and(|second| *second != b'[') {
        return Start::Forbidden(1);
    }
    let end = bytes.iter().skip(2).position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'));
    match end {
        Some(end) if bytes[end + 2] == b'm' && !conceals(&bytes[2..end + 2]) => Start::Allowed(end + 3),
        None if bytes.len() < LONGEST => Start::Incomplete,
        _ => Start::Forbidden(1),
    }
}

/// Whether an attribute hides text or makes it blink (5, 6, 8, but not within `38;5;8`); this program never does that.
fn conceals(attributes: &[u8]) -> bool {
    let mut numbers = attributes.split(|byte| matches!(byte, b';' | b':')).map(|number| {
        number.iter().fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    });
    while let Some(number) = numbers.next() {
        match number {
            5 | 6 | 8 => return true,
            // One of 256 colours, or red, green and blue.
            38 | 48 | 58 => {
                let parts = if numbers.next() == Some(5) { 1 } else { 3 };
                numbers.by_ref().take(parts).for_each(drop);
            }
            _ => {}
        }
    }
    false
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.open.is_empty() {
            self.write_clean(bytes)?;
        } else {
            let mut open = std::mem::take(&mut self.open);
            open.extend_from_slice(bytes);
            self.write_clean(&open)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // An escape sequence that is still incomplete is not a colour.
        if !std::mem::take(&mut self.open).is_empty() {
            self.out.write_all("\u{fffd}".as_bytes())?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output for a text that arrives in pieces of this many bytes.
    fn written(text: &[u8], piece: usize) -> String {
        let mut out = Terminal::new(Vec::new());
        text.chunks(piece).for_each(|piece| out.write_all(piece).unwrap());
        out.flush().unwrap();
        String::from_utf8(out.out).unwrap()
    }

    #[test]
    fn text_and_colours_pass() {
        let text = "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: Grüße, 漢字 👩‍🚀\n\t┌─╡\r\n\u{1b}[38;5;8;48;2;8;5;6mx";
        for piece in 1..9 {
            assert_eq!(written(text.as_bytes(), piece), text);
        }
    }

    #[test]
    fn everything_else_is_marked() {
        for (text, shown) in [
            ("a\u{1b}]0;title\u{7}b", "a\u{fffd}]0;title\u{fffd}b"),
            ("\u{1b}]52;c;aGk=\u{1b}\\", "\u{fffd}]52;c;aGk=\u{fffd}\\"),
            ("\u{1b}[2J", "\u{fffd}[2J"),
            ("a\u{1b}[8mb\u{1b}[0;31;08mc\u{1b}[5m", "a\u{fffd}[8mb\u{fffd}[0;31;08mc\u{fffd}[5m"),
            ("\u{9b}2J\u{9d}0;x", "\u{fffd}2J\u{fffd}0;x"),
            ("x\u{202e}y\u{2066}\u{200f}", "x\u{fffd}y\u{fffd}\u{fffd}"),
            ("\0\u{8}\u{7f}", "\u{fffd}\u{fffd}\u{fffd}"),
            ("open \u{1b}[1", "open \u{fffd}"),
            ("over\rwritten\r\n\r", "over\u{fffd}written\r\n\u{fffd}"),
        ] {
            for piece in 1..9 {
                assert_eq!(written(text.as_bytes(), piece), shown, "{text:?} in pieces of {piece}");
            }
        }
        assert_eq!(written(b"\x9b2J \xc3(", 9), "\u{fffd}2J \u{fffd}(");
    }
}
