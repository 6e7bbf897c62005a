//! Explains errors of the system in plain words.

use std::io::{self, ErrorKind};

/// The reason of an error, for a message about a file: `it does not exist`. The system's own text ends in `(os error 2)`.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let system = text.split(" (os error").next().unwrap_or_default();
    if error.get_ref().is_some() && system == text {
        return text;
    }
    let plain = match error.kind() {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "its permissions forbid it",
        ErrorKind::AlreadyExists => "it exists already",
        ErrorKind::NotADirectory => "a folder of its path is a file",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::InvalidFilename => "its name is too long",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "the disk is full",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        ErrorKind::InvalidData => "it is not UTF-8 text",
        ErrorKind::AddrInUse => "another program uses it",
        _ => system,
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_have_plain_words() {
        assert_eq!(reason(&std::fs::read("no/such/file").unwrap_err()), "it does not exist");
        assert_eq!(reason(&ErrorKind::PermissionDenied.into()), "its permissions forbid it");
        assert_eq!(reason(&io::Error::new(ErrorKind::NotFound, "it has gone")), "it has gone");
        // As `tempfile` wraps the system's error.
        let wrapped = io::Error::new(ErrorKind::NotFound, "No such file or directory (os error 2) at path \"/x\"");
        assert_eq!(reason(&wrapped), "it does not exist");
        let other = reason(&io::Error::from_raw_os_error(5));
        assert!(!other.contains("os error") && !other.is_empty(), "{other}");
    }
}
