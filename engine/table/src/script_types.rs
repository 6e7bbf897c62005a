//! Types of the page, generated from those of Rust and compared with its files.

use std::fs;
use std::path::Path;

use ts_rs::{Config, TS};

/// The declaration of a type.
pub fn declaration<T: TS>() -> String {
    let text = format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(&Config::default()));
    // Put a comment of one line on one line.
    text.replace("/**\n * ", "/** ").replace("\n */", " */").replace(" \n", "\n")
}

/// Compares a file of the page with its text, or writes it.
pub fn compare(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/page").join(name);
    if std::env::var_os("LODE_WRITE_REFERENCE").is_some() {
        fs::write(&path, made).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(kept == made, "{name} differs from the Rust types: run with LODE_WRITE_REFERENCE=1 to rewrite it");
}
