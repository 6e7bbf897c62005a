//! Generates the list of lints: one per file in `src/lints/`.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=src/lints");
    let mut names = Vec::new();
    for entry in fs::read_dir("src/lints")? {
        let path = entry?.path();
        names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
    }
    names.sort();
    let list: String = names.iter().map(|name| format!("&{name}::LINT,")).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("lints.rs"), format!("&[{list}]"))
}
