//! The handbook, tried as a new user would: every listing of `content/README.md` is pasted or parsed, every command is run.
//!
//! What is to be done with a listing stands behind its language, where readers do not see it:
//!
//! - `toml PATH`, `luau PATH`: a file that is not there yet; `appended`: put at the end of one that is; `instead`: its tables take the
//!   place of those of the same name; `inserted`: put behind the last `return {` or, if there is none, `local verbs = {`;
//! - `toml excerpt`, `luau excerpt`: only parsed;
//! - `sh`: commands, each of which must succeed; `sh fails`: the last one ends with code 1;
//! - `text`: what the last command before it prints. `...` stands for anything within a line, and on a line of its own for any lines.
//!   `text typed`: what is behind `Name> ` was typed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::design::copy;
use crate::cli::program::{Run, run};
use crate::shipped::{SHIPPED, root};

/// A fenced block.
#[derive(Debug, Clone)]
struct Block {
    line: usize,
    /// Words behind the fence.
    words: Vec<String>,
    text: String,
}

impl Block {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(words) if !open => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                found.push(Block { line: at + 1, words, text: String::new() });
                open = true;
            }
            Some(rest) => {
                assert!(rest.is_empty(), "line {}: a fence with words inside a listing", at + 1);
                open = false;
            }
            None if open => found.last_mut().unwrap().text += &format!("{line}\n"),
            None => {}
        }
    }
    assert!(!open, "the last listing has no end");
    found
}

/// A folder with the shipped games, and what was done in it.
struct Desk {
    folder: tempfile::TempDir,
    pasted: usize,
    commands: usize,
    compared: usize,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for id in SHIPPED {
            for room in ["content", "scripts", "tests"] {
                copy(&root().join(room).join(id), &folder.path().join(room).join(id));
            }
        }
        Self { folder, pasted: 0, commands: 0, compared: 0 }
    }

    fn paste(&mut self, block: &Block) {
        let path: PathBuf = self.folder.path().join(block.word(1));
        let at = format!("line {}: {}", block.line, block.word(1));
        let before = fs::read_to_string(&path);
        let text = match (block.word(2), before) {
            ("", Err(_)) => block.text.clone(),
            ("", Ok(_)) => panic!("{at} is there already: say `appended`, `instead` or `inserted`"),
            (_, Err(error)) => panic!("{at}: {error}"),
            ("appended", Ok(before)) => format!("{before}\n{}", block.text),
            ("instead", Ok(before)) => instead(&before, &block.text, &at),
            ("inserted", Ok(before)) => {
                let openings = ["return {\n", "local verbs = {\n"];
                let behind = openings.into_iter().find_map(|line| Some(before.rfind(line)? + line.len()));
                let behind = behind.unwrap_or_else(|| panic!("{at} has no `return {{`"));
                format!("{}{}\n{}", &before[..behind], block.text, &before[behind..])
            }
            (other, _) => panic!("{at}: `{other}` is not known"),
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.pasted += 1;
    }

    /// Runs the commands, and compares what the last one prints.
    fn run(&mut self, block: &Block, shown: Option<&Block>) {
        let lines: Vec<&str> = block.text.lines().collect();
        for (n, line) in lines.iter().enumerate() {
            let at = format!("line {}: {line}", block.line + 1 + n);
            let last = n + 1 == lines.len();
            let shown = shown.filter(|_| last);
            let words = words(line);
            assert_eq!(words.first().map(String::as_str), Some("lode"), "{at}");
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let (typed, expected) = shown.map(expected).unwrap_or_default();
            let Run { code, out, err } = run(self.folder.path(), &arguments, typed.as_bytes());
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

/// Words of a command; those in quotes are one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
    words.map(str::to_owned).collect()
}

/// The file with each table of the listing in the place of its own of the same name.
fn instead(file: &str, listing: &str, at: &str) -> String {
    let tables = |text: &str| -> Vec<String> {
        let mut parts = vec![String::new()];
        for line in text.lines() {
            if line.starts_with('[') {
                parts.push(String::new());
            }
            *parts.last_mut().unwrap() += &format!("{line}\n");
        }
        parts
    };
    let mut parts = tables(file);
    for table in tables(listing).into_iter().filter(|table| !table.trim().is_empty()) {
        let head = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let Some(old) = parts.iter_mut().find(|part| head(part) == head(&table)) else {
            panic!("{at} has no {}", head(&table))
        };
        *old = table;
    }
    parts.concat()
}

/// What is typed, and the lines that are then printed.
fn expected(shown: &Block) -> (String, Vec<String>) {
    let (mut typed, mut lines, mut prompt) = (String::new(), Vec::new(), String::new());
    for line in shown.text.lines() {
        if shown.word(1) == "typed"
            && let Some((name, answer)) = line.split_once("> ")
        {
            typed += &format!("{answer}\n");
            // What is typed is not printed, so the next line follows on the prompt.
            prompt = format!("{name}> ");
            continue;
        }
        lines.push(std::mem::take(&mut prompt) + line.trim_end());
    }
    (typed, lines)
}

/// Whether lines are those of a pattern.
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
    let at = format!("line {}", block.line);
    match block.word(0) {
        "toml" => drop(toml::from_str::<toml::Table>(&block.text).unwrap_or_else(|error| panic!("{at}: {error}"))),
        _ => {
            let parsed = full_moon::parse_fallible(&block.text, full_moon::LuaVersion::luau());
            assert!(parsed.errors().is_empty(), "{at}: {:?}", parsed.errors());
        }
    }
}

#[test]
fn the_handbook_works_as_it_stands() {
    let text = fs::read_to_string(root().join("content/README.md")).unwrap();
    let blocks = blocks(&text);
    let mut desk = Desk::new();
    let mut parsed = 0;
    for (n, block) in blocks.iter().enumerate() {
        let next = blocks.get(n + 1).filter(|next| next.word(0) == "text");
        match (block.word(0), block.word(1)) {
            ("toml" | "luau", "excerpt") => {
                parses(block);
                parsed += 1;
            }
            ("toml" | "luau", path) if path.contains('/') => desk.paste(block),
            ("sh", "" | "fails") => desk.run(block, next),
            ("text", _) => assert!(n > 0 && blocks[n - 1].word(0) == "sh", "line {}: which command?", block.line),
            ("", "") => {}
            _ => panic!("line {}: what is done with {:?}? It must be run or parse", block.line, block.words),
        }
    }
    // Were listings no longer found, nothing would fail.
    assert!(desk.pasted >= 80 && desk.commands >= 40 && desk.compared >= 35 && parsed >= 10);
    let lost = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
    assert_eq!(lost, 2 * blocks.len(), "a fence that does not begin its line");
}

#[test]
fn what_is_printed_is_compared_literally_but_for_dots() {
    assert!(fits(&["a", "...", "d"], &["a", "b", "c", "d"]) && fits(&["a", "...", "d"], &["a", "d"]));
    assert!(fits(&["a ... c"], &["a b b c"]) && fits(&["..."], &[]));
    assert!(!fits(&["a"], &["a", "b"]) && !fits(&["a", "b"], &["a"]) && !fits(&["a ... c"], &["a b"]));
    assert!(!fits(&["a", "...", "d"], &["a", "b"]) && !fits(&["A"], &["a"]));
}

#[test]
fn a_table_takes_the_place_of_the_one_of_its_name() {
    assert_eq!(instead("# top\n[a]\nx = 1\n\n[b]\ny = 1\n", "[b]\ny = 2\n", ""), "# top\n[a]\nx = 1\n\n[b]\ny = 2\n");
}

#[test]
fn the_reference_is_what_the_engine_knows() {
    let path = root().join("content/REFERENCE.md");
    let made = run(Path::new("."), &["reference"], b"").code(0).out;
    if std::env::var_os("LODE_WRITE_REFERENCE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made,
        "content/REFERENCE.md is not what `lode reference` prints; LODE_WRITE_REFERENCE=1 writes it anew"
    );
}

#[test]
fn the_page_of_the_bots_lists_them() {
    let path = root().join("engine/docs/src/bots.md");
    let page = fs::read_to_string(&path).unwrap();
    let head = "| bot | how it plays | its number |\n| --- | --- | --- |\n";
    let row = |form: &motherlode_play::BotForm| format!("| `{}` | {} | {} |\n", form.form, form.plays, form.budget);
    let made = motherlode_play::bot_forms().iter().map(row).collect::<String>();
    let from = page.find(head).expect("the page has a table of bots") + head.len();
    let to = from + page[from..].find("\n\n").unwrap() + 1;
    if std::env::var_os("LODE_WRITE_REFERENCE").is_some() {
        fs::write(&path, [&page[..from], &made, &page[to..]].concat()).unwrap();
    } else {
        assert_eq!(&page[from..to], made, "LODE_WRITE_REFERENCE=1 writes the table of bots in engine/docs/src/bots.md");
    }
}

#[test]
fn the_readme_is_short_and_shows_a_real_card() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.len() <= 8_000, "README.md has {} bytes; pages in engine/docs/src have room", readme.len());
    let shown: Vec<Block> = blocks(&readme).into_iter().filter(|block| block.word(1).contains('/')).collect();
    assert_eq!(shown.iter().map(|block| block.word(0)).collect::<Vec<_>>(), ["toml", "luau"]);
    for block in shown {
        let file = fs::read_to_string(root().join(block.word(1))).unwrap();
        assert!(file.contains(&block.text), "README.md, line {}: {} has no such lines", block.line, block.word(1));
    }
}

#[test]
fn the_reference_is_also_data() {
    let run = run(Path::new("."), &["reference", "--format", "json"], b"").code(0);
    let chapters: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let calls = chapters.as_array().unwrap().iter().find(|chapter| chapter["title"] == "Calls in scripts").unwrap();
    let row = &calls["sections"][0]["rows"][0];
    assert_eq!(row["call"], "get(holder: Holder, counter: Counter): number");
    assert_eq!(row["meaning"], "value of a counter");
}
