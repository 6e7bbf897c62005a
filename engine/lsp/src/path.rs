//! URIs of files.

use std::path::{Path, PathBuf};

/// The file of a URI such as `file:///home/me/content/nim/game.toml`.
pub(crate) fn of_uri(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let code = if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        };
        bytes.push(code);
    }
    let path = String::from_utf8(bytes).ok()?;
    // Windows: `/C:/games`.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&path)))
}

/// The URI of a file.
pub(crate) fn to_uri(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            other => uri += &format!("%{other:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_and_paths() {
        let path = Path::new("/a b/ä/content.toml");
        assert_eq!(to_uri(path), "file:///a%20b/%C3%A4/content.toml");
        assert_eq!(of_uri(&to_uri(path)).unwrap(), path);
        assert_eq!(of_uri("file:///C%3A/games").unwrap(), Path::new("C:/games"));
        assert_eq!(of_uri("untitled:1"), None);
        assert_eq!(of_uri("file:///%zz"), None);
    }
}
