//! Copies the shipped games into the program, for folders without any.
//!
//! A release is built anew when a game has changed. A development build keeps the games it was first built with: designers
//! edit content without recompiling, and within a project the files on disk are used anyway.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=engine/cli/build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed=content");
        println!("cargo:rerun-if-changed=scripts");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut paths = Vec::new();
    for room in ["content", "scripts"] {
        collect(Path::new(room), &mut paths)?;
    }
    paths.sort();
    let mut list = String::from("[\n");
    for path in paths {
        // Copies: the compiler would watch the files themselves.
        let copy = out.join(&path);
        fs::create_dir_all(copy.parent().unwrap_or(&out))?;
        fs::copy(&path, &copy)?;
        let shown = path.display().to_string().replace('\\', "/");
        // Writing to a text cannot fail.
        let _ = writeln!(list, "    ({shown:?}, include_str!({copy:?})),");
    }
    fs::write(out.join("games.rs"), list + "]\n")
}

/// The files of games below a folder; others, such as an editor's backups, are left out.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path
            .extension()
            .is_some_and(|ending| ["toml", "luau", "md", "value"].iter().any(|known| ending == *known))
        {
            paths.push(path);
        }
    }
    Ok(())
}
