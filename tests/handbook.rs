//! Handbook: every listing of `engine/docs` is a file or a command, and every command is run.
//!
//! All pages share one folder, in the order of `SUMMARY.md`. `cd` leads into a folder below it, to the end of the page.
//! The words after the language of a fence say how to test the listing:
//!
//! - `toml PATH`, `luau PATH`, `markdown PATH`: a new file; `appended`: at the end of an existing file; `instead`: replaces the tables or
//!   rule tests of the same name;
//!   `inserted`: after the last `return {` or, without one, after `local verbs = {`. The paragraph before the listing names PATH;
//! - `toml excerpt`, `luau excerpt`: parsed only;
//! - `rust`: includes an example, which cargo builds and tests;
//! - `python`: `engine/python/tests/test_pages.py` runs it;
//! - `sh`: commands of `lode`, `mkdir` and `cd` that must succeed; `sh fails`: the last command ends with code 1;
//! - `text`: output of the last command before it. `...` matches any text within a line, and alone on a line it matches any lines.
//!   `text typed`: the text after `Name> ` is the input. `text sent`: the text after `< ` is the input;
//! - no language: not tested.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use motherlode_check::codes;
use motherlode_fixtures::{copy, write};

use crate::cli::program::{Run, run};
use crate::docs::{Page, pages};
use crate::shipped::{SHIPPED, root};

/// Minimum number of listings of each sort.
const PASTED: usize = 115;
const COMMANDS: usize = 95;
const COMPARED: usize = 79;
const PARSED: usize = 24;

/// A fenced block.
#[derive(Debug, Clone)]
struct Block {
    /// Page and line of the fence, as in `guide/card.md:12`.
    at: String,
    /// Words after the fence.
    words: Vec<String>,
    text: String,
    /// The paragraph right before the fence; empty after another listing.
    before: String,
}

impl Block {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }
}

fn blocks(page: &Page) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    let (mut paragraph, mut ended) = (String::new(), false);
    for (line, n) in page.source.lines().zip(1..) {
        let at = format!("{}:{n}", page.path);
        match line.strip_prefix("```") {
            Some(words) if !open => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                found.push(Block { at, words, text: String::new(), before: std::mem::take(&mut paragraph) });
                open = true;
            }
            Some(rest) => {
                assert!(rest.is_empty(), "{at}: a fence with words inside a listing");
                open = false;
            }
            None if open => found.last_mut().unwrap().text += &format!("{line}\n"),
            None if line.trim().is_empty() => ended = true,
            None => {
                if std::mem::take(&mut ended) {
                    paragraph.clear();
                }
                paragraph += line;
            }
        }
    }
    assert!(!open, "{}: the last listing has no end", page.path);
    let fences = page.source.lines().filter(|line| line.trim_start().starts_with("```")).count();
    assert_eq!(fences, 2 * found.len(), "{}: a fence that does not begin its line", page.path);
    found
}

/// A folder with the shipped games, and counts of the tested listings.
struct Desk {
    folder: tempfile::TempDir,
    /// Page of the last block.
    page: String,
    /// The folder in which the page works.
    current: PathBuf,
    pasted: usize,
    commands: usize,
    compared: usize,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for id in SHIPPED {
            copy(root(), folder.path(), &["content", "scripts", "tests"].map(|room| format!("{room}/{id}")));
        }
        let current = folder.path().to_path_buf();
        Self { folder, page: String::new(), current, pasted: 0, commands: 0, compared: 0 }
    }

    /// Returns to the shared folder if the block begins a page.
    fn turn_to(&mut self, block: &Block) {
        let page = block.at.split(':').next().unwrap();
        if page != self.page {
            page.clone_into(&mut self.page);
            self.current = self.folder.path().to_path_buf();
        }
    }

    fn paste(&mut self, block: &Block) {
        let path: PathBuf = self.current.join(block.word(1));
        let at = format!("{}: {}", block.at, block.word(1));
        assert!(
            block.before.contains(&format!("`{}`", block.word(1))),
            "{at}: name this file in the paragraph before the listing"
        );
        let before = fs::read_to_string(&path);
        let text = match (block.word(2), before) {
            ("", Err(_)) => block.text.clone(),
            ("", Ok(_)) => panic!("{at} exists already: say `appended`, `instead` or `inserted`"),
            (_, Err(error)) => panic!("{at}: {error}"),
            ("appended", Ok(before)) => format!("{before}\n{}", block.text),
            ("instead", Ok(before)) => instead(&before, &block.text, &at),
            ("inserted", Ok(before)) => {
                let openings = ["return {\n", "local verbs = {\n"];
                let behind = openings.into_iter().find_map(|line| Some(before.rfind(line)? + line.len()));
                let behind = behind.unwrap_or_else(|| panic!("{at} has no `return {{`"));
                format!("{}{}\n{}", &before[..behind], block.text, &before[behind..])
            }
            (other, _) => panic!("{at}: unknown word `{other}`"),
        };
        write(path, text);
        self.pasted += 1;
    }

    /// Runs the commands and compares the output of the last one.
    fn run(&mut self, block: &Block, shown: Option<&Block>) {
        let lines: Vec<&str> = block.text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            let at = format!("{}, command {}: {line}", block.at, n + 1);
            let last = n + 1 == lines.len();
            let shown = shown.filter(|_| last);
            let words = words(line);
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            match words[0].as_str() {
                "lode" => {}
                "mkdir" => {
                    arguments.iter().for_each(|name| fs::create_dir(self.current.join(name)).unwrap());
                    continue;
                }
                "cd" => {
                    self.current.push(arguments[0]);
                    continue;
                }
                _ => panic!("{at}: unknown command"),
            }
            let (typed, expected) = shown.map(expected).unwrap_or_default();
            let Run { code, out, err } = run(&self.current, &arguments, typed.as_bytes());
            let wanted = i32::from(last && block.word(1) == "fails");
            assert_eq!(code, wanted, "{at}\n{out}{err}");
            self.commands += 1;
            if shown.is_some() {
                let got: Vec<&str> = out.lines().chain(err.lines()).map(str::trim_end).collect();
                let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
                assert!(fits(&expected, &got), "{at}\nexpected:\n{}\ngot:\n{}", expected.join("\n"), got.join("\n"));
                self.compared += 1;
            }
        }
    }
}

/// Words of a command. Quoted text is one word.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
    words.map(str::to_owned).collect()
}

/// The file with its tables or rule tests replaced by the listing's parts of the same name.
fn instead(file: &str, listing: &str, at: &str) -> String {
    let begins = |line: &str| line.starts_with('[') || line.starts_with("    [\"") || line == "}";
    let parts_of = |text: &str| -> Vec<String> {
        let mut parts = vec![String::new()];
        for line in text.lines() {
            if begins(line) {
                parts.push(String::new());
            }
            *parts.last_mut().unwrap() += &format!("{line}\n");
        }
        parts
    };
    let mut parts = parts_of(file);
    for part in parts_of(listing).into_iter().filter(|part| !part.trim().is_empty()) {
        let head = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let Some(old) = parts.iter_mut().find(|old| head(old) == head(&part)) else {
            panic!("{at} has no {}", head(&part))
        };
        *old = part;
    }
    parts.concat()
}

/// The input, and the expected output lines.
fn expected(shown: &Block) -> (String, Vec<String>) {
    let (mut typed, mut lines, mut prompt) = (String::new(), Vec::new(), String::new());
    for line in shown.text.lines() {
        if shown.word(1) == "typed"
            && let Some((name, answer)) = line.split_once("> ")
        {
            typed += &format!("{answer}\n");
            // The program does not print its input, so the next line follows the prompt.
            prompt = format!("{name}> ");
            continue;
        }
        if shown.word(1) == "sent"
            && let Some(answer) = line.strip_prefix("< ")
        {
            typed += &format!("{answer}\n");
            continue;
        }
        lines.push(std::mem::take(&mut prompt) + line.trim_end());
    }
    (typed, lines)
}

/// Whether lines match a pattern.
fn fits(pattern: &[&str], lines: &[&str]) -> bool {
    match (pattern.split_first(), lines.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"...", pattern)), _) => (0..=lines.len()).any(|from| fits(pattern, &lines[from..])),
        (Some((first, pattern)), Some((line, lines))) => line_fits(first, line) && fits(pattern, lines),
        (Some(_), None) => false,
    }
}

fn line_fits(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once("...") else { return pattern == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    (0..=line.len()).filter(|at| line.is_char_boundary(*at)).any(|at| line_fits(rest, &line[at..]))
}

fn parses(block: &Block) {
    let at = &block.at;
    match block.word(0) {
        "toml" => drop(toml::from_str::<toml::Table>(&block.text).unwrap_or_else(|error| panic!("{at}: {error}"))),
        _ => {
            let parsed = full_moon::parse_fallible(&block.text, full_moon::LuaVersion::luau());
            assert!(parsed.errors().is_empty(), "{at}: {:?}", parsed.errors());
        }
    }
}

/// Checks that a Rust listing is an example of a crate, which cargo builds and tests.
fn is_example(block: &Block) {
    let file = block.text.trim().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"));
    let file = file.unwrap_or_else(|| panic!("{}: include an example of a crate", block.at));
    let path = root().join("engine/docs/src").join(file);
    assert!(file.contains("/examples/") && path.is_file(), "{}: {file} is not an example", block.at);
}

#[test]
fn every_listing_of_the_handbook_works() {
    let blocks: Vec<Block> = pages().iter().flat_map(blocks).collect();
    let mut desk = Desk::new();
    let mut parsed = 0;
    for (n, block) in blocks.iter().enumerate() {
        desk.turn_to(block);
        let next = blocks.get(n + 1).filter(|next| next.word(0) == "text");
        match (block.word(0), block.word(1)) {
            ("toml" | "luau", "excerpt") => {
                parses(block);
                parsed += 1;
            }
            ("toml" | "luau" | "markdown", path) if path.contains('/') => desk.paste(block),
            ("rust", "") => is_example(block),
            // `engine/python/tests/test_pages.py` runs them.
            ("python", "" | "excerpt") => {}
            ("sh", "excerpt") => {}
            ("sh", "" | "fails") => desk.run(block, next),
            ("text", _) => assert!(n > 0 && blocks[n - 1].word(0) == "sh", "{}: output of which command?", block.at),
            ("", "") => {}
            _ => panic!("{}: {:?} does not say how to test the listing", block.at, block.words),
        }
    }
    // If the parser found no listings, no other assertion would fail.
    let counts = (desk.pasted, desk.commands, desk.compared, parsed);
    assert!(
        desk.pasted >= PASTED && desk.commands >= COMMANDS && desk.compared >= COMPARED && parsed >= PARSED,
        "{counts:?}"
    );
}

#[test]
fn output_is_compared_literally_apart_from_dots() {
    assert!(fits(&["a", "...", "d"], &["a", "b", "c", "d"]) && fits(&["a", "...", "d"], &["a", "d"]));
    assert!(fits(&["a ... c"], &["a b b c"]) && fits(&["..."], &[]));
    assert!(!fits(&["a"], &["a", "b"]) && !fits(&["a", "b"], &["a"]) && !fits(&["a ... c"], &["a b"]));
    assert!(!fits(&["a", "...", "d"], &["a", "b"]) && !fits(&["A"], &["a"]));
}

#[test]
fn a_listing_replaces_the_table_of_its_name() {
    assert_eq!(instead("# top\n[a]\nx = 1\n\n[b]\ny = 1\n", "[b]\ny = 2\n", ""), "# top\n[a]\nx = 1\n\n[b]\ny = 2\n");
    let test = |body: &str| format!("    [\"O-1\"] = function(t)\n        {body}\n    end,\n");
    let file = |body: &str| format!("return {{\n{}}}\n", test(body));
    assert_eq!(instead(&file("t.left()"), &test("t.over()"), ""), file("t.over()"));
}

#[test]
fn the_reference_is_the_output_of_lode_reference() {
    let path = root().join("engine/docs/src/reference.md");
    let made = run(Path::new("."), &["reference"], b"").code(0).out;
    if std::env::var_os("LODE_WRITE_REFERENCE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made,
        "engine/docs/src/reference.md is not the output of `lode reference`; LODE_WRITE_REFERENCE=1 writes it again"
    );
}

/// Compares the table below this head with `rows`, or writes it.
fn check_table(page: &str, head: &str, rows: &str) {
    let path = root().join("engine/docs/src").join(page);
    let text = fs::read_to_string(&path).unwrap();
    let from = text.find(head).unwrap_or_else(|| panic!("{page} has no table `{head}`")) + head.len();
    let to = text[from..].find("\n\n").map_or(text.len(), |end| from + end + 1);
    if std::env::var_os("LODE_WRITE_REFERENCE").is_some() {
        fs::write(&path, [&text[..from], rows, &text[to..]].concat()).unwrap();
    } else {
        assert_eq!(&text[from..to], rows, "LODE_WRITE_REFERENCE=1 writes the table in engine/docs/src/{page}");
    }
}

#[test]
fn the_table_of_bots_is_complete() {
    let head = "| bot | how it plays | its number |\n| --- | --- | --- |\n";
    let row = |form: &motherlode_play::BotForm| format!("| `{}` | {} | {} |\n", form.form, form.plays, form.budget);
    check_table("bots.md", head, &motherlode_play::bot_forms().iter().map(row).collect::<String>());
}

#[test]
fn the_tables_of_codes_are_complete() {
    let mut by_word: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut meanings = String::new();
    for code in codes::codes() {
        for word in code.split('-').filter(|word| word.len() > 2) {
            let singular = word.strip_suffix('s').filter(|singular| !singular.ends_with('s'));
            by_word.entry(singular.unwrap_or(word)).or_default().push(code);
        }
        let why = codes::explanation(code).unwrap().why.replace('|', "\\|");
        meanings += &format!("| `{code}` | {why} |\n");
    }
    // A word of many codes, such as `unknown`, finds nothing.
    by_word.retain(|word, codes| codes.len() <= 10 && *word != "not");
    let row = |(word, codes): (&&str, &Vec<&str>)| format!("| {word} | `{}` |\n", codes.join("`, `"));
    let words: String = by_word.iter().map(row).collect();
    check_table("codes.md", "| word | codes |\n| --- | --- |\n", &words);
    check_table("codes.md", "| code | meaning |\n| --- | --- |\n", &meanings);
}

#[test]
fn the_table_of_versions_is_true() {
    let page = fs::read_to_string(root().join("engine/docs/src/versions.md")).unwrap();
    let rows = page.lines().filter(|line| line.contains("` in `"));
    let mut seen = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let mut names = cells[4].split('`').skip(1).step_by(2);
        let (name, file) = (names.next().unwrap(), names.next().unwrap());
        let source = fs::read_to_string(root().join(file)).unwrap();
        let declares = |line: &&str| line.contains(&format!("const {name}:")) || line.starts_with(&format!("{name} ="));
        let line = source.lines().find(declares).unwrap_or_else(|| panic!("{file} has no {name}"));
        let value = line.rsplit("= ").next().unwrap().trim_matches([';', '"']);
        assert_eq!(cells[1], value, "{row}");
        seen += 1;
    }
    assert_eq!(seen, 6, "versions.md has six rows that name their code");
}

#[test]
fn the_readme_is_short_and_shows_a_real_card() {
    let source = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(source.len() <= 8_000, "README.md has {} bytes; pages in engine/docs/src have room", source.len());
    let readme = Page { path: "README.md".to_owned(), source };
    let shown: Vec<Block> = blocks(&readme).into_iter().filter(|block| block.word(1).contains('/')).collect();
    assert_eq!(shown.iter().map(|block| block.word(0)).collect::<Vec<_>>(), ["toml", "luau"]);
    for block in shown {
        let file = fs::read_to_string(root().join(block.word(1))).unwrap();
        assert!(file.contains(&block.text), "{}: {} has no such lines", block.at, block.word(1));
    }
}

#[test]
fn the_reference_prints_json() {
    let run = run(Path::new("."), &["reference", "--format", "json"], b"").code(0);
    let chapters: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let calls = chapters.as_array().unwrap().iter().find(|chapter| chapter["title"] == "Calls in scripts").unwrap();
    let row = &calls["sections"][0]["rows"][0];
    assert_eq!(row["call"], "get(holder: Holder, counter: Counter): number");
    assert_eq!(row["meaning"], "value of a counter");
}
