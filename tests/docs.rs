//! The documentation site, `engine/docs`: pages, links and anchors. `handbook` tests its listings.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::shipped::root;

/// Maximum lines of a paragraph. Each line holds one sentence.
const LONGEST_PARAGRAPH: usize = 5;

/// Pages made elsewhere: by `lode reference`, and for readers of the code.
const WRITTEN_ELSEWHERE: [&str; 2] = ["reference.md", "architecture.md"];

/// A page of the site.
#[derive(Debug, Clone)]
pub struct Page {
    /// Path below `engine/docs/src`.
    pub path: String,
    /// Markdown source.
    pub source: String,
}

/// The folder with the pages.
fn folder() -> PathBuf {
    root().join("engine/docs/src")
}

/// All pages, in the order of `SUMMARY.md`.
pub fn pages() -> Vec<Page> {
    let summary = fs::read_to_string(folder().join("SUMMARY.md")).unwrap();
    let page = |path: String| {
        let source =
            fs::read_to_string(folder().join(&path)).unwrap_or_else(|error| panic!("SUMMARY.md: {path}: {error}"));
        Page { path, source }
    };
    links(&summary).into_iter().map(page).collect()
}

/// A page with its included files.
fn with_includes(page: &Page) -> String {
    let line = |line: &str| match line.trim().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) {
        Some(file) => {
            let path = folder().join(&page.path).with_file_name("").join(file);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {file}: {error}", page.path))
        }
        None => format!("{line}\n"),
    };
    page.source.lines().map(line).collect()
}

/// Lines outside listings.
fn prose(markdown: &str) -> Vec<&str> {
    let mut open = false;
    let outside = |line: &&str| {
        let fence = line.trim_start().starts_with("```");
        open ^= fence;
        !open && !fence
    };
    markdown.lines().filter(outside).collect()
}

/// Targets of links and images outside code.
fn links(markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(markdown) {
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let targets = plain.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        found.extend(targets.map(|(target, _)| target.to_owned()));
    }
    found
}

/// Anchors of the headings, as mdBook and GitHub make them.
fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut made = BTreeSet::new();
    for line in prose(markdown) {
        let text = line.trim_start_matches('#');
        if !line.starts_with('#') || !text.starts_with(' ') {
            continue;
        }
        let kept = text.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect();
        let before = times.entry(anchor.clone()).or_default();
        made.insert(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    made
}

/// Resolves `.` and `..` without reading the disk.
fn resolved(path: &Path) -> Option<PathBuf> {
    let mut made = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => made.pop().then_some(())?,
            part => made.push(part),
        }
    }
    Some(made)
}

/// Broken links of a file. `file(path)` returns the Markdown of a linked file, or `""` if it is not Markdown.
fn broken(path: &str, markdown: &str, file: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let is_broken = |link: &String| {
        if link.contains("://") {
            return false;
        }
        let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
        let found = match target {
            "" => Some(markdown.to_owned()),
            _ => resolved(&Path::new(path).with_file_name("").join(target)).and_then(|target| file(target.to_str()?)),
        };
        found.is_none_or(|found| !anchor.is_empty() && !anchors(&found).contains(anchor))
    };
    links(markdown).into_iter().filter(is_broken).map(|link| format!("{path}: {link}")).collect()
}

#[test]
fn every_link_in_the_site_resolves() {
    let pages: BTreeMap<String, String> = pages().iter().map(|page| (page.path.clone(), with_includes(page))).collect();
    // Only pages of the summary are built, and only other files below `src` are copied.
    let file = |path: &str| match path.ends_with(".md") {
        true => pages.get(path).cloned(),
        false => folder().join(path).is_file().then(String::new),
    };
    let broken: Vec<String> = pages.iter().flat_map(|(path, text)| broken(path, text, &file)).collect();
    assert!(broken.is_empty(), "links that lead nowhere on the site:\n{}", broken.join("\n"));
    assert!(pages.values().map(|text| links(text).len()).sum::<usize>() >= 50, "links are no longer found");
}

#[test]
fn every_link_into_the_site_resolves() {
    let file = |path: &str| match fs::read_to_string(root().join(path)) {
        Ok(text) if path.ends_with(".md") => Some(text),
        _ => root().join(path).exists().then(String::new),
    };
    let readers = ["README.md", "content/README.md", "engine/ARCHITECTURE.md"];
    let text = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let broken: Vec<String> = readers.iter().flat_map(|path| broken(path, &text(path), &file)).collect();
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_summary_once() {
    let mut listed: Vec<String> = pages().into_iter().map(|page| page.path).collect();
    listed.sort();
    let mut found = Vec::new();
    let mut folders = vec![folder()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path.strip_prefix(folder()).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    listed.push("SUMMARY.md".to_owned());
    listed.sort();
    found.sort();
    assert_eq!(listed, found);
}

#[test]
fn paragraphs_are_short() {
    let mut long = Vec::new();
    for page in pages().iter().filter(|page| !WRITTEN_ELSEWHERE.contains(&page.path.as_str())) {
        for paragraph in prose(&page.source).split(|line| line.trim().is_empty()) {
            let sentences = paragraph.iter().filter(|line| !line.starts_with(['|', '-', ' ', '#'])).count();
            if sentences > LONGEST_PARAGRAPH && !paragraph[0].starts_with("1. ") {
                long.push(format!("{}: {} lines: {}", page.path, sentences, paragraph[0]));
            }
        }
    }
    assert!(long.is_empty(), "paragraphs of more than {LONGEST_PARAGRAPH} lines:\n{}", long.join("\n"));
}

#[test]
fn a_broken_link_is_found() {
    let page =
        "# Cost and effect: `pay`\n## Twice\n## Twice\n[a](b.md) [c](#twice-1) `[x](y.md)`\n```\n[z](w.md)\n```\n";
    let file = |path: &str| (path == "b.md").then(|| page.to_owned());
    assert!(broken("a.md", page, &file).is_empty());
    assert_eq!(anchors(page).into_iter().collect::<Vec<_>>(), ["cost-and-effect-pay", "twice", "twice-1"]);
    assert_eq!(broken("a.md", "[a](c.md) [b](b.md#none) ![c](d.png) [d](../b.md)", &file).len(), 4);
}

#[test]
fn no_page_has_a_name_that_the_site_reserves() {
    let pages = root().join("engine/docs/src");
    for name in ["print.md", "toc.md", "404.md", "searchindex.md"] {
        assert!(!pages.join(name).exists(), "mdBook makes a page of its own of this name: rename {name}");
    }
}
