//! The modules of a crate and the names they use, read as text: `use` lines and paths, without macros.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::read;

/// A module's path within the crate: `["flow", "ask"]`.
type Name = Vec<String>;

/// All modules of a crate except tests.
#[derive(Debug)]
pub struct Crate {
    modules: BTreeMap<Name, Module>,
}

#[derive(Debug)]
struct Module {
    path: PathBuf,
    /// The text of the `//!` lines.
    docs: String,
    paths: Vec<SourcePath>,
    /// Imported names and their paths.
    uses: BTreeMap<String, Vec<String>>,
}

/// A path in the source, with its line.
#[derive(Debug)]
struct SourcePath {
    segments: Vec<String>,
    line: usize,
}

/// A use of one file by another.
#[derive(Debug)]
pub struct Arrow {
    pub from: String,
    pub to: String,
    pub file: PathBuf,
    pub line: usize,
}

impl Crate {
    /// Reads the crate's main file and every module it declares.
    pub fn read(main: &Path) -> Self {
        let mut modules = BTreeMap::new();
        let folder = main.parent().unwrap();
        add(&mut modules, Vec::new(), main.to_path_buf(), folder);
        Self { modules }
    }

    /// Modules with at least two files below them.
    pub fn with_files(&self) -> impl Iterator<Item = &Name> {
        self.modules.keys().filter(|name| self.files_of(name).len() > 1)
    }

    /// Names of the files directly below a module.
    pub fn files_of(&self, module: &Name) -> BTreeSet<String> {
        let below = self.modules.keys().filter(|name| name.len() == module.len() + 1 && name.starts_with(module));
        below.map(|name| name[module.len()].clone()).collect()
    }

    pub fn path(&self, module: &Name) -> &Path {
        &self.modules[module].path
    }

    pub fn docs(&self, module: &Name) -> &str {
        &self.modules[module].docs
    }

    /// Every use between the files of a module. The module's own file is `self`.
    pub fn arrows_within(&self, room: &Name) -> Vec<Arrow> {
        let mut arrows = Vec::new();
        let inside = self.modules.iter().filter(|(name, _)| name.len() > room.len() && name.starts_with(room));
        for (name, module) in inside {
            for written in &module.paths {
                let Some(target) = self.target(name, &written.segments) else { continue };
                if !target.starts_with(room) {
                    continue;
                }
                let from = name[room.len()].clone();
                let to = target.get(room.len()).cloned().unwrap_or_else(|| "self".to_owned());
                if from != to {
                    arrows.push(Arrow { from, to, file: module.path.clone(), line: written.line });
                }
            }
        }
        arrows
    }

    /// The module that defines the item of a path.
    fn target(&self, here: &Name, segments: &[String]) -> Option<Name> {
        let mut at = here.clone();
        let mut rest = segments;
        while let Some(first) = rest.first() {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => break,
            }
            rest = &rest[1..];
        }
        self.descend(at, rest, 0)
    }

    fn descend(&self, mut at: Name, segments: &[String], depth: usize) -> Option<Name> {
        for (index, segment) in segments.iter().enumerate() {
            let mut below = at.clone();
            below.push(segment.clone());
            if self.modules.contains_key(&below) {
                at = below;
                continue;
            }
            // A re-exported item is defined elsewhere. Names of other crates belong to no file here.
            let module = self.modules.get(&at)?;
            let Some(other) = module.uses.get(segment).filter(|_| depth < 8) else { return Some(at) };
            let mut other = other.clone();
            other.extend(segments[index + 1..].iter().cloned());
            if matches!(other[0].as_str(), "crate" | "self" | "super") {
                let (mut from, mut rest) = (at, other.as_slice());
                while let Some(first) =
                    rest.first().filter(|first| matches!(first.as_str(), "crate" | "self" | "super"))
                {
                    match first.as_str() {
                        "crate" => from.clear(),
                        "super" => drop(from.pop()),
                        _ => {}
                    }
                    rest = &rest[1..];
                }
                return self.descend(from, rest, depth + 1);
            }
            let mut below = at.clone();
            below.push(other[0].clone());
            return if self.modules.contains_key(&below) { self.descend(at, &other, depth + 1) } else { None };
        }
        Some(at)
    }
}

fn add(modules: &mut BTreeMap<Name, Module>, name: Name, path: PathBuf, folder: &Path) {
    let text = read(&path);
    let tokens = tokens(&without_tests(&text));
    for below in declared(&tokens) {
        let (file, nested) = (folder.join(format!("{below}.rs")), folder.join(&below).join("mod.rs"));
        let file = if file.is_file() { file } else { nested };
        let mut inner = name.clone();
        inner.push(below.clone());
        add(modules, inner, file, &folder.join(&below));
    }
    let docs = text.lines().filter_map(|line| line.trim_start().strip_prefix("//!"));
    let docs = docs.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n");
    modules.insert(name, Module { path, docs, paths: paths(&tokens), uses: uses(&tokens) });
}

/// A word or a sign, with its line.
type Token = (String, usize);

/// Words, `::` and single signs, without comments, text and character literals.
fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if rest.starts_with("//") {
                break;
            }
            let len = if first.is_alphanumeric() || first == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else if first == '"' {
                // Texts over several lines contain no relevant paths.
                let end = rest[1..].char_indices().scan(false, |escaped, (at, c)| {
                    let ends = c == '"' && !*escaped;
                    *escaped = c == '\\' && !*escaped;
                    Some((at, ends))
                });
                end.filter(|(_, ends)| *ends).map(|(at, _)| at + 2).next().unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() && first != '"' {
                out.push((rest[..len].to_owned(), line + 1));
            }
            rest = &rest[len..];
        }
    }
    out
}

/// The text with every item under `#[cfg(test)]` blanked out.
fn without_tests(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some(at) = out.find("#[cfg(test)]") {
        let open = out[at..].find('{').map_or(out.len(), |n| at + n);
        let semicolon = out[at..].find(';').map_or(out.len(), |n| at + n);
        let end = if semicolon < open { semicolon + 1 } else { closing(&out, open) };
        let blank: String = out[at..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        out.replace_range(at..end, &blank);
    }
    out
}

/// The byte after the closing brace of the one at `open`. The closing brace is in the item's column, so braces in texts
/// do no harm.
fn closing(text: &str, open: usize) -> usize {
    let line = text[..open].rfind('\n').map_or(0, |n| n + 1);
    let indent = text[line..].len() - text[line..].trim_start_matches(' ').len();
    let close = format!("\n{}}}", " ".repeat(indent));
    text[open..].find(&close).map_or(text.len(), |n| open + n + close.len())
}

/// Modules with files of their own: `mod name;`.
fn declared(tokens: &[Token]) -> Vec<String> {
    let of = |three: &[Token]| (three[0].0 == "mod" && three[2].0 == ";").then(|| three[1].0.clone());
    tokens.windows(3).filter_map(of).collect()
}

/// Every path that begins with `crate`, `self` or `super`, relative to the file.
fn paths(tokens: &[Token]) -> Vec<SourcePath> {
    let mut out = Vec::new();
    // The current depth of braces, and the depth at which each inline module began.
    let (mut depth, mut inner): (usize, Vec<usize>) = (0, Vec::new());
    for (at, (word, line)) in tokens.iter().enumerate() {
        match word.as_str() {
            "{" => {
                if at > 1 && tokens[at - 2].0 == "mod" {
                    inner.push(depth);
                }
                depth += 1;
            }
            "}" => {
                depth = depth.saturating_sub(1);
                inner.pop_if(|began| *began == depth);
            }
            _ => {}
        }
        let begins = matches!(word.as_str(), "crate" | "super" | "self");
        let follows = at > 0 && tokens[at - 1].0 == "::";
        let goes_on = tokens.get(at + 1).is_some_and(|(sign, _)| sign == "::");
        if begins && goes_on && !follows {
            let mut leaves = Vec::new();
            tree(tokens, at, &[], &mut leaves);
            // In an inline module, `super` is the file.
            let upwards = inner.len();
            out.extend(leaves.into_iter().map(|(segments, _)| {
                let within = segments.iter().take(upwards).take_while(|segment| *segment == "super").count();
                let segments =
                    if within > 0 { [vec!["self".to_owned()], segments[within..].to_vec()].concat() } else { segments };
                SourcePath { segments, line: *line }
            }));
        }
    }
    out
}

/// Names imported by `use` lines, with their paths.
fn uses(tokens: &[Token]) -> BTreeMap<String, Vec<String>> {
    let mut out = BTreeMap::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, (word, _))| word == "use") {
        let mut leaves = Vec::new();
        tree(tokens, at + 1, &[], &mut leaves);
        out.extend(leaves.into_iter().map(|(path, name)| (name, path)));
    }
    out
}

/// Collects the leaves of a path or `use` tree at a token, with their local names; returns the index after it.
fn tree(tokens: &[Token], mut at: usize, before: &[String], leaves: &mut Vec<(Vec<String>, String)>) -> usize {
    let mut path = before.to_vec();
    loop {
        let Some((word, _)) = tokens.get(at) else { return at };
        if word == "{" {
            at += 1;
            while tokens.get(at).is_some_and(|(sign, _)| sign != "}") {
                let next = tree(tokens, at, &path, leaves);
                at = if tokens.get(next).is_some_and(|(sign, _)| sign == ",") { next + 1 } else { next.max(at + 1) };
            }
            return at + 1;
        }
        let is_self = word == "self" && !path.is_empty();
        if word != "*" && !is_self {
            path.push(word.clone());
        }
        at += 1;
        if tokens.get(at).is_some_and(|(sign, _)| sign == "::") {
            at += 1;
            continue;
        }
        let mut name = path.last().cloned().unwrap_or_default();
        if tokens.get(at).is_some_and(|(sign, _)| sign == "as") {
            name = tokens.get(at + 1).map(|(word, _)| word.clone()).unwrap_or_default();
            at += 2;
        }
        leaves.push((path, name));
        return at;
    }
}

#[test]
fn paths_are_found_only_in_code() {
    let text = "use crate::a::{self, b::C as D, e};\n// use crate::no;\nfn f() { super::g::h(\"crate::no\") }\n\
                #[cfg(test)]\nmod tests {\n    use crate::no;\n}\nmod k;\n";
    let tokens = tokens(&without_tests(text));
    let found: Vec<String> =
        paths(&tokens).iter().map(|path| format!("{} {}", path.line, path.segments.join("."))).collect();
    assert_eq!(found, ["1 crate.a", "1 crate.a.b.C", "1 crate.a.e", "3 super.g.h"]);
    assert_eq!(uses(&tokens)["D"].join("."), "crate.a.b.C");
    assert_eq!(declared(&tokens), ["k"]);
}
