//! Whether a request, or a message of a socket, is under way on a connection.
//!
//! A deadline for each byte lets somebody hold a connection with one byte a minute. A deadline for the whole needs to know where a whole
//! begins and ends, so this reads the bytes as they pass: the head of a request up to its empty line, then the frames of RFC 6455.

/// Longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// Longest head of a frame, in bytes: two, eight of the length, four of the mask.
const FRAME_HEAD: usize = 14;

/// Reads what a browser sends.
#[derive(Debug, Default)]
pub struct Frames {
    at: At,
    /// Frames have come of a message whose last frame has not.
    open: bool,
}

/// Where the last byte stands.
#[derive(Debug)]
enum At {
    /// In the head of a request.
    Request { length: usize, begun: bool, empty: bool },
    /// In the head of a frame, or before one.
    Head { bytes: [u8; FRAME_HEAD], have: usize },
    /// In a frame, of which so many bytes are missing.
    Frame(u64),
}

impl Default for At {
    fn default() -> Self {
        Self::Request { length: 0, begun: false, empty: false }
    }
}

impl At {
    const BETWEEN: Self = Self::Head { bytes: [0; FRAME_HEAD], have: 0 };
}

impl Frames {
    /// Takes the next bytes; returns whether a request or a message has ended within them.
    pub fn take(&mut self, mut bytes: &[u8]) -> bool {
        let mut ended = false;
        while let Some((&byte, rest)) = bytes.split_first() {
            bytes = match &mut self.at {
                At::Frame(missing) => {
                    let many = usize::try_from(*missing).unwrap_or(usize::MAX).min(bytes.len());
                    *missing -= many as u64;
                    &bytes[many..]
                }
                At::Head { bytes, have } => {
                    bytes[*have] = byte;
                    *have += 1;
                    rest
                }
                At::Request { length, begun, empty } => {
                    *length += 1;
                    match byte {
                        b'\n' if *begun && *empty => self.at = At::BETWEEN,
                        b'\n' => *empty = true,
                        b'\r' => {}
                        _ => (*begun, *empty) = (true, false),
                    }
                    rest
                }
            };
            self.go_on();
            ended |= self.is_between();
        }
        ended
    }

    /// Whether nothing is under way.
    #[must_use]
    pub fn is_between(&self) -> bool {
        matches!(self.at, At::Head { have: 0, .. }) && !self.open
    }

    /// Whether the head of the request is longer than any browser's.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        matches!(self.at, At::Request { length, .. } if length > LONGEST_HEAD)
    }

    /// Goes on behind a head of a frame, or a frame, that is whole.
    fn go_on(&mut self) {
        if let At::Head { bytes, have } = self.at
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
            // Pings may come between the frames of a message.
            self.open = if is_control { self.open } else { !is_last };
            self.at = At::Frame(if more > 0 { long } else { u64::from(bytes[1] & 0x7f) });
        }
        if let At::Frame(0) = self.at {
            self.at = At::BETWEEN;
        }
    }
}
