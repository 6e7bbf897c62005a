//! An attack: one file of `fixtures/hostile`. Its first lines are directives, the rest is the body of a function:
//!
//! ```text
//! -- An endless loop.                  description
//! -- expect: spent its budget of       part of the error's text; `|` separates alternatives. `nothing`: no error;
//!                                      `anything`: error or not; `anything but nothing`: any error
//! -- in: act turn                      places; without this line: all hooks and tests
//! -- line: 5                           line of the error, or `4 to 7`, or `any`; without this line: any of the file's own
//! -- line load: 1                      the same in one place
//! -- before: local memo = {}           code before the function
//! --* 200 local v{n} = {n}             replaced by 200 copies on one line; {u+001B} is a character, {x500} is 500 times x
//! ```

use std::path::Path;

use super::place::Place;

pub struct Fixture {
    /// Path below the folder without the extension: `loops/continue`.
    pub name: String,
    /// The source text as a script contains it.
    pub source: String,
    head: String,
}

impl Fixture {
    pub fn read(root: &Path, path: &Path) -> Self {
        let head = std::fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(root).unwrap().with_extension("").to_string_lossy().into_owned();
        Self { name, source: head.lines().map(|line| expand(line) + "\n").collect(), head }
    }

    /// All fixtures, sorted by path.
    pub fn all() -> Vec<Self> {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/hostile"));
        let files = |folder: &Path| {
            let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            all.sort();
            all
        };
        files(root).iter().flat_map(|folder| files(folder)).map(|path| Self::read(root, &path)).collect()
    }

    fn line_of_head(&self, key: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix("-- ")?.strip_prefix(key)?.strip_prefix(": "))
    }

    fn in_place(&self, key: &str, place: &str) -> Option<&str> {
        self.line_of_head(&format!("{key} {place}")).or_else(|| self.line_of_head(key))
    }

    /// The places of the fixture; `None`: all.
    pub fn places(&self) -> Option<Vec<&str>> {
        Some(self.line_of_head("in")?.split(' ').collect())
    }

    /// The code before the function.
    pub fn before(&self) -> &str {
        self.line_of_head("before").unwrap_or_default()
    }

    /// Whether the attack may end without an error.
    pub fn may_be_legal(&self, place: &str) -> bool {
        self.expected(place).any(|text| text == "nothing" || text == "anything")
    }

    /// Whether the fixture expects an error with this text.
    pub fn expects(&self, place: &str, message: &str) -> bool {
        self.expected(place).any(|text| text.starts_with("anything") || text != "nothing" && message.contains(text))
    }

    fn expected(&self, place: &str) -> impl Iterator<Item = &str> {
        self.in_place("expect", place).expect("a fixture says what it expects").split('|')
    }

    /// The expectation, for messages.
    pub fn promise(&self, place: &str) -> &str {
        self.in_place("expect", place).unwrap_or_default()
    }

    /// Whether the error may be on this line. A missing `end` is reported after the last line.
    pub fn fits(&self, place: Place, line: u32) -> bool {
        let Some(wanted) = self.in_place("line", place.name) else {
            return (1..=self.source.lines().count() as u32 + 1).contains(&line);
        };
        let (first, last) = wanted.split_once(" to ").unwrap_or((wanted, wanted));
        wanted == "any" || (first.parse().unwrap()..=last.parse().unwrap()).contains(&line)
    }

    /// The file as the body of the function `attack`, with its line breaks.
    pub fn function(&self) -> String {
        format!("{} local function attack(player, t: any?) {}end", self.before(), self.source)
    }
}

/// A line of the file, expanded for a script.
fn expand(line: &str) -> String {
    let Some((count, text)) = line.strip_prefix("--* ").and_then(|rest| rest.split_once(' ')) else {
        return line.to_owned();
    };
    let count: usize = count.parse().expect("`--* 200 text`");
    let piece = |n: usize| fill(text, n);
    (1..=count).map(piece).collect::<Vec<_>>().join(" ")
}

/// Replaces the placeholders in braces. Unknown ones stay.
fn fill(text: &str, n: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let filled = after.split_once('}').and_then(|(inside, behind)| {
            let code =
                inside.strip_prefix("u+").and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
            let digit = inside.chars().next().filter(char::is_ascii_alphanumeric);
            let many = digit.and_then(|c| Some(c.to_string().repeat(inside[1..].parse().ok()?)));
            let filled = if inside == "n" { Some(n.to_string()) } else { code.map(String::from).or(many) };
            Some((filled?, behind))
        });
        match filled {
            Some((filled, behind)) => {
                out.push_str(&filled);
                rest = behind;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out + rest
}
