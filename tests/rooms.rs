//! The direction of imports: between crates by their manifests, between files by their `use` lines and paths.
//!
//! The docs of a crate, or of a module with files, declare the order: `Direction: a, b <- c <- d`. A file may use files
//! of an earlier group only. `Circle: a, b: reason` names an exemption, and `*` means all files not named.

mod imports;
mod order;

use std::fs;
use std::path::{Path, PathBuf};

use self::imports::Crate;
use self::order::Order;
use crate::shipped::root;

/// Every crate: its folder, and the file with its docs.
const CRATES: [(&str, &str); 11] = [
    ("engine/files", "src/lib.rs"),
    ("engine/content", "src/lib.rs"),
    ("engine/rules", "src/lib.rs"),
    ("engine/check", "src/lib.rs"),
    ("engine/play", "src/lib.rs"),
    ("engine/lab", "src/lib.rs"),
    ("engine/table", "src/lib.rs"),
    ("engine/lsp", "src/lib.rs"),
    ("engine/cli", "main.rs"),
    ("engine/python", "src/lib.rs"),
    ("engine/fixtures", "src/lib.rs"),
];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn crates_use_only_earlier_crates() {
    let map = read(&root().join("engine/ARCHITECTURE.md"));
    let order = Order::read(&map).expect("engine/ARCHITECTURE.md names the direction of the crates");
    let mut faults = Vec::new();
    for (folder, _) in CRATES {
        let name = folder.trim_start_matches("engine/");
        // The root package owns the command.
        let manifest = if name == "cli" { root().join("Cargo.toml") } else { root().join(folder).join("Cargo.toml") };
        let manifest: toml::Table = toml::from_str(&read(&manifest)).unwrap();
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for other in dependencies.into_iter().flat_map(|table| table.keys()).filter_map(|other| room(other)) {
            faults.extend(order.fault(name, other).map(|fault| format!("{folder}/Cargo.toml: {fault}")));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The folder of one of this project's crates.
fn room(package: &str) -> Option<&str> {
    match package {
        "motherlode" => Some("rules"),
        other => other.strip_prefix("motherlode-"),
    }
}

#[test]
fn files_use_only_earlier_files() {
    let mut faults = Vec::new();
    let mut arrows = 0;
    for (folder, main) in CRATES {
        let main = root().join(folder).join(main);
        let all = Crate::read(&main);
        for module in all.with_files() {
            let docs = all.docs(module);
            let shown = shown(all.path(module));
            let Some(order) = Order::read(docs) else {
                faults.push(format!("{shown}: has no line `Direction: a <- b` in its docs"));
                continue;
            };
            faults
                .extend(order.differences(&all.files_of(module)).into_iter().map(|fault| format!("{shown}: {fault}")));
            for arrow in all.arrows_within(module) {
                arrows += 1;
                let at = format!("{}:{}", self::shown(&arrow.file), arrow.line);
                faults.extend(order.fault(&arrow.from, &arrow.to).map(|fault| format!("{at}: {fault}")));
            }
        }
    }
    assert!(arrows > 200, "only {arrows} arrows were found");
    assert!(faults.is_empty(), "\n{}\n{} faults", faults.join("\n"), faults.len());
}

fn shown(path: &Path) -> String {
    let path: PathBuf = path.strip_prefix(root()).unwrap_or(path).to_path_buf();
    path.display().to_string()
}
