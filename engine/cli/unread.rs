//! Output that may lose its reader, as `lode test | head` does.

use std::io::{self, Write};

/// A stream that discards what nobody reads any more. For commands whose exit status counts: they go on to their verdict.
pub struct Unread<'w> {
    out: &'w mut dyn Write,
    is_closed: bool,
}

impl<'w> Unread<'w> {
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self { out, is_closed: false }
    }

    fn unless_closed(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        match write(self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            other => other,
        }
    }
}

impl Write for Unread<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(|out| out.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed(|out| out.flush())
    }
}
