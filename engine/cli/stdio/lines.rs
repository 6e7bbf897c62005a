//! Lines of input.

use std::io::{BufRead, Read as _};

use crate::fault::Fault;

/// Longest line of input, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// Lines of input with a limit on their length.
pub struct Lines<R> {
    pub input: R,
}

/// A line of input.
pub enum Line {
    Text(Vec<u8>),
    TooLong,
    End,
}

impl<R: BufRead> Lines<R> {
    pub fn next(&mut self) -> Result<Line, Fault> {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(Line::End);
        }
        if line.last() == Some(&b'\n') || line.len() <= LONGEST_LINE {
            return Ok(Line::Text(line));
        }
        self.skip_line()?;
        Ok(Line::TooLong)
    }

    /// Skips the rest of a line.
    fn skip_line(&mut self) -> Result<(), Fault> {
        loop {
            let held = self.input.fill_buf()?;
            let (end, length) = match held.iter().position(|&byte| byte == b'\n') {
                Some(at) => (true, at + 1),
                None => (held.is_empty(), held.len()),
            };
            self.input.consume(length);
            if end {
                return Ok(());
            }
        }
    }
}
