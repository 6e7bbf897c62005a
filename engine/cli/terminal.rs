//! The way to the terminal: what comes out of content, file names and errors must not move the cursor, set a clipboard or turn the
//! direction of writing. Content with such characters is refused when it is loaded; this is the wall behind that one.

use std::io::{self, Write};

use motherlode::tools::hidden::is_hidden;

/// Longest escape sequence that sets colours: `ESC [ 38;2;255;255;255;48;2;255;255;255 m`.
const LONGEST: usize = 48;

/// A stream that lets through text and colours, and marks everything else.
#[derive(Debug)]
pub struct Terminal<W: Write> {
    out: W,
    /// The beginning of a character or of an escape sequence whose end has not been written yet.
    open: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    /// Writes to this stream.
    pub fn new(out: W) -> Self {
        Self { out, open: Vec::new() }
    }

    fn write_clean(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut plain = 0;
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match harmless(rest) {
                Length::Of(n) => at += n,
                Length::Unknown => {
                    self.out.write_all(&bytes[plain..at])?;
                    self.open = rest.to_vec();
                    return Ok(());
                }
                Length::Hidden(n) => {
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

/// What a text begins with.
enum Length {
    /// So many bytes that may be written.
    Of(usize),
    /// So many that must not.
    Hidden(usize),
    /// That depends on what follows.
    Unknown,
}

fn harmless(bytes: &[u8]) -> Length {
    match bytes[0] {
        b'\n' | b'\t' | b' '..=b'~' => Length::Of(1),
        // Alone it goes back to the beginning of the line, and what follows hides what was written.
        b'\r' => match bytes.get(1) {
            Some(b'\n') => Length::Of(2),
            Some(_) => Length::Hidden(1),
            None => Length::Unknown,
        },
        0x1b => colour(bytes),
        // A single byte of 0x80 and above is no UTF-8, but some terminals obey it.
        0..=0x7f | 0x80..=0xbf | 0xf8..=0xff => Length::Hidden(1),
        first => {
            let length = if first < 0xe0 { 2 } else { 3 + usize::from(first >= 0xf0) };
            match std::str::from_utf8(&bytes[..length.min(bytes.len())]) {
                Ok(text) if text.contains(is_hidden) => Length::Hidden(length),
                Ok(_) => Length::Of(length),
                Err(error) if error.error_len().is_none() => Length::Unknown,
                Err(_) => Length::Hidden(1),
            }
        }
    }
}

/// `ESC [ 1;31 m` sets a colour; no other sequence is written by this program.
fn colour(bytes: &[u8]) -> Length {
    if bytes.get(1).is_some_and(|second| *second != b'[') {
        return Length::Hidden(1);
    }
    let end = bytes.iter().skip(2).position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'));
    match end {
        Some(end) if bytes[end + 2] == b'm' && !conceals(&bytes[2..end + 2]) => Length::Of(end + 3),
        None if bytes.len() < LONGEST => Length::Unknown,
        _ => Length::Hidden(1),
    }
}

/// Whether an attribute hides text or makes it blink, which this program never does: 5, 6 and 8, but not within `38;5;8`.
fn conceals(attributes: &[u8]) -> bool {
    let mut numbers = attributes.split(|byte| matches!(byte, b';' | b':')).map(|number| {
        number.iter().fold(0_u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    });
    while let Some(number) = numbers.next() {
        match number {
            5 | 6 | 8 => return true,
            // A colour of 256, or of red, green and blue.
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
        // What has not ended by now is no colour.
        if !std::mem::take(&mut self.open).is_empty() {
            self.out.write_all("\u{fffd}".as_bytes())?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of a text that comes in pieces of so many bytes.
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
