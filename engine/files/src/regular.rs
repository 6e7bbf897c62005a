//! Opens files from untrusted sources: regular files only, without blocking, up to a size limit.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file.
///
/// Pipes and devices may be endless, and opening one may block for ever. The path is checked first, because opening a device may have
/// effects. The open file is checked again, because another program may have replaced it meanwhile.
///
/// # Errors
/// The file is not regular, or the system cannot open it.
pub fn open_regular(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let regular = |meta: fs::Metadata| {
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
        if meta.is_file() { Ok(()) } else { Err(wrong()) }
    };
    match fs::metadata(path) {
        // The options may create the file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        meta => regular(meta?)?,
    }
    let file = without_waiting(options).open(path)?;
    regular(file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`open_regular`]; the file cannot be read; or it is larger than `limit`: [`FileTooLarge`](io::ErrorKind::FileTooLarge). Never reads
/// more than `limit` + 1 bytes.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let limit = if limit >= 1 << 20 { format!("{} MiB", limit >> 20) } else { format!("{} KiB", limit >> 10) };
        io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {limit}"))
    };
    let file = open_regular(path, File::options().read(true))?;
    if file.metadata()?.len() > limit {
        return Err(too_large());
    }
    // The stated length may be wrong, and a file may grow.
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(unix)]
fn without_waiting(options: &OpenOptions) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = options.clone();
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn without_waiting(options: &OpenOptions) -> OpenOptions {
    options.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_be_as_large_as_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(read_regular(&path, 1024).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(&path, [7; 1024]).unwrap();
        assert_eq!(read_regular(&path, 1024).unwrap(), [7; 1024]);
        let error = read_regular(&path, 1023).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (io::ErrorKind::FileTooLarge, "it is larger than 0 KiB"));
        // A sparse file, which needs no space on the disk.
        File::create(&path).unwrap().set_len(1 << 42).unwrap();
        assert_eq!(read_regular(&path, 1 << 21).unwrap_err().to_string(), "it is larger than 2 MiB");
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        symlink("pipe", at("link")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for name in ["pipe", "socket", "zero", "link", "folder"] {
            let error = read_regular(&at(name), 1024).unwrap_err().to_string();
            assert_eq!(error, "it is not a regular file", "{name}");
        }
        // A pipe that appears after the first check does not block either.
        without_waiting(File::options().read(true)).open(at("pipe")).unwrap();
        assert!(without_waiting(File::options().write(true)).open(at("pipe")).is_err());
        symlink("nowhere", at("dangling")).unwrap();
        assert_eq!(read_regular(&at("dangling"), 1024).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
