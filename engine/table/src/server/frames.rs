//! Detects whether a request or a message is incomplete on a connection.
//!
//! With a deadline per byte, one byte a minute would keep a connection open. A deadline per message needs the
//! bounds of messages, so this module reads the passing bytes: the head of the request up to its empty line,
//! then the frames of RFC 6455.

/// Maximum length of a request head, in bytes.
const MAX_REQUEST_HEAD: usize = 16 << 10;

/// Maximum length of a frame head, in bytes: 2, plus 8 for the length, plus 4 for the mask.
const MAX_FRAME_HEAD: usize = 14;

/// Follows the bytes from a browser.
#[derive(Debug, Default)]
pub struct FrameReader {
    at: ReadState,
    /// Whether a message has begun whose last frame is missing.
    open: bool,
}

/// Position in the byte stream.
#[derive(Debug)]
enum ReadState {
    /// In the head of the request.
    Request { length: usize, begun: bool, empty: bool },
    /// In the head of a frame, or before one.
    JournalHeader { bytes: [u8; MAX_FRAME_HEAD], have: usize },
    /// In the body of a frame, with this number of bytes missing.
    Frame(u64),
}

impl Default for ReadState {
    fn default() -> Self {
        Self::Request { length: 0, begun: false, empty: false }
    }
}

impl ReadState {
    const BETWEEN: Self = Self::JournalHeader { bytes: [0; MAX_FRAME_HEAD], have: 0 };
}

impl FrameReader {
    /// Reads the next bytes. Returns whether a request or a message ended within them.
    pub fn take(&mut self, mut bytes: &[u8]) -> bool {
        let mut ended = false;
        while let Some((&byte, rest)) = bytes.split_first() {
            bytes = match &mut self.at {
                ReadState::Frame(missing) => {
                    let many = usize::try_from(*missing).unwrap_or(usize::MAX).min(bytes.len());
                    *missing -= many as u64;
                    &bytes[many..]
                }
                ReadState::JournalHeader { bytes, have } => {
                    bytes[*have] = byte;
                    *have += 1;
                    rest
                }
                ReadState::Request { length, begun, empty } => {
                    *length += 1;
                    match byte {
                        b'\n' if *begun && *empty => self.at = ReadState::BETWEEN,
                        b'\n' => *empty = true,
                        b'\r' => {}
                        _ => (*begun, *empty) = (true, false),
                    }
                    rest
                }
            };
            self.advance();
            ended |= self.is_between();
        }
        ended
    }

    /// Whether no request or message is incomplete.
    #[must_use]
    pub fn is_between(&self) -> bool {
        matches!(self.at, ReadState::JournalHeader { have: 0, .. }) && !self.open
    }

    /// Whether the request head exceeds its limit.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        matches!(self.at, ReadState::Request { length, .. } if length > MAX_REQUEST_HEAD)
    }

    /// Advances past a complete frame head or frame.
    fn advance(&mut self) {
        if let ReadState::JournalHeader { bytes, have } = self.at
            && have >= 2
        {
            let (more, mask) = match bytes[1] & 0x7f {
                126 => (2, bytes[1] & 0x80),
                127 => (8, bytes[1] & 0x80),
                _ => (0, bytes[1] & 0x80),
            };
            if have < 2 + more + if mask > 0 { 4 } else { 0 } {
                return;
            }
            let long = bytes[2..2 + more].iter().fold(0, |length, &byte| length << 8 | u64::from(byte));
            let (is_last, is_control) = (bytes[0] & 0x80 > 0, bytes[0] & 0x08 > 0);
            // Control frames may come between the frames of a message.
            self.open = if is_control { self.open } else { !is_last };
            self.at = ReadState::Frame(if more > 0 { long } else { u64::from(bytes[1] & 0x7f) });
        }
        if let ReadState::Frame(0) = self.at {
            self.at = ReadState::BETWEEN;
        }
    }
}
