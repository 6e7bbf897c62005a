//! Copies the shipped games with their rule tests into the program, for use outside a project. The build script of `engine/python` runs this one, too.
//!
//! A release build runs again when a game changes. A development build keeps the games of its first build: designers edit content
//! without recompiling, and inside a project `lode` reads the files on disk.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Writes the list of the files of all games, for `include!`.
pub fn main() -> io::Result<()> {
    let root = env::current_dir()?;
    println!("cargo:rerun-if-changed={}", root.join("engine/cli/build.rs").display());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if is_release {
        for room in ["content", "scripts"] {
            println!("cargo:rerun-if-changed={}", root.join(room).display());
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut paths = Vec::new();
    for room in ["content", "scripts"] {
        collect(Path::new(room), &mut paths)?;
    }
    for game in fs::read_dir("content")? {
        let tests = Path::new("tests").join(game?.file_name());
        if tests.is_dir() {
            if is_release {
                println!("cargo:rerun-if-changed={}", root.join(&tests).display());
            }
            collect(&tests, &mut paths)?;
        }
    }
    paths.sort();
    let mut list = String::from("[\n");
    for path in paths {
        // Include copies, because the compiler watches the files it includes.
        let copy = out.join(&path);
        fs::create_dir_all(copy.parent().unwrap_or(&out))?;
        fs::copy(&path, &copy)?;
        let shown = path.display().to_string().replace('\\', "/");
        // Writing to a string cannot fail.
        let _ = writeln!(list, "    ({shown:?}, include_str!({copy:?})),");
    }
    fs::write(out.join("games.rs"), list + "]\n")
}

/// Collects the files of games below a folder; skips others, such as an editor's backups.
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
