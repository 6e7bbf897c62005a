//! The rules for names and comments that a program can check, over all Rust files of `engine`, `tests` and `benches`.
//!
//! `handbook` limits the length of the README, and `docs` that of paragraphs of the site.

use std::fs;
use std::path::Path;

use crate::shipped::root;

/// Maximum doc lines that begin with one of [`PRONOUNS`].
const MOST_PRONOUNS: usize = 120;
/// First words that make the reader look for the subject of a doc line.
const PRONOUNS: [&str; 6] = ["What", "Whoever", "Who", "It", "That", "Those"];
/// Maximum lines of a file.
const LONGEST_FILE: usize = 600;
/// Maximum characters of a comment line.
const LONGEST_COMMENT: usize = 160;
/// Participles that name no type, because they do not say what the value is.
const PARTICIPLES: [&str; 14] = [
    "Asked", "Told", "Said", "Kept", "Looked", "Waits", "Learned", "Given", "Forced", "Seen", "Fixed", "Chosen",
    "Written", "Measured",
];

/// A Rust file with its path below the root.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Lines with their places, as in `tests/style.rs:1: //! The rules`.
    fn places<'f>(&'f self, is_wrong: impl Fn(&str) -> bool + 'f) -> impl Iterator<Item = String> + 'f {
        let lines = self.text.lines().zip(1..).filter(move |&(line, _)| is_wrong(line));
        lines.map(|(line, number)| format!("{}:{number}: {}", self.path, line.trim()))
    }
}

/// All Rust files, sorted by path.
fn files() -> Vec<File> {
    fn visit(folder: &Path, found: &mut Vec<File>) {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            if kind.is_dir() && entry.file_name() != "target" {
                visit(&path, found);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
                let shown = path.strip_prefix(root()).unwrap().display().to_string().replace('\\', "/");
                found.push(File { path: shown, text: fs::read_to_string(&path).unwrap() });
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["benches", "engine", "tests"] {
        visit(&root().join(folder), &mut found);
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(found.len() > 400, "only {} Rust files were found", found.len());
    found
}

/// All lines for which the predicate holds, with their places.
fn places(is_wrong: impl Fn(&str) -> bool + Copy) -> Vec<String> {
    files().iter().flat_map(|file| file.places(is_wrong).collect::<Vec<_>>()).collect()
}

/// The text of a doc line, if the line is one.
fn doc(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?;
    Some(text.trim_start())
}

/// The first word of a text: letters, digits and underscores.
fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn begins_with_pronoun(line: &str) -> bool {
    doc(line).is_some_and(|text| PRONOUNS.contains(&first_word(text)))
}

fn is_long_comment(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.chars().count() > LONGEST_COMMENT
}

/// Whether the line declares a public type with a bare participle as its name.
fn names_public_participle(line: &str) -> bool {
    let Some(declared) = line.trim_start().strip_prefix("pub ") else { return false };
    let name = ["struct ", "enum ", "trait ", "type ", "union "].iter().find_map(|word| declared.strip_prefix(word));
    name.is_some_and(|name| PARTICIPLES.contains(&first_word(name)))
}

#[test]
fn few_doc_lines_begin_with_a_pronoun() {
    let found = places(begins_with_pronoun);
    let most = MOST_PRONOUNS;
    assert!(found.len() <= most, "{} doc lines, at most {most} are allowed:\n{}", found.len(), found.join("\n"));
}

#[test]
fn files_and_comment_lines_are_short() {
    let files = files();
    let long =
        files.iter().map(|file| (file.text.lines().count(), &file.path)).filter(|(lines, _)| *lines > LONGEST_FILE);
    let long: Vec<String> = long.map(|(lines, path)| format!("{path}: {lines} lines, use at most 600")).collect();
    assert!(long.is_empty(), "\n{}", long.join("\n"));
    let wide = places(is_long_comment);
    assert!(wide.is_empty(), "comment lines that are too long:\n{}", wide.join("\n"));
}

#[test]
fn no_public_type_of_the_engine_is_named_by_a_participle() {
    let found = places(names_public_participle);
    let found: Vec<String> = found.into_iter().filter(|place| place.starts_with("engine/")).collect();
    assert!(found.is_empty(), "name the thing with a noun:\n{}", found.join("\n"));
}

#[test]
fn the_rules_of_style_find_their_faults() {
    assert!(begins_with_pronoun("    /// What a hook sees.") && begins_with_pronoun("//! It's a table."));
    assert!(!begins_with_pronoun("/// Whole numbers.") && !begins_with_pronoun("// What a hook sees."));
    assert!(is_long_comment(&format!("    // {}", "a".repeat(LONGEST_COMMENT))));
    assert!(!is_long_comment(&format!("let text = {:?};", "a".repeat(LONGEST_COMMENT))));
    assert!(names_public_participle("pub struct Told {") && names_public_participle("    pub type Kept<'a> = u8;"));
    assert!(!names_public_participle("struct Told {") && !names_public_participle("pub enum KeptFiles {"));
}
