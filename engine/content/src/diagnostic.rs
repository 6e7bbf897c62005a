//! Diagnostics: faults with a location, a code and, if possible, a suggested fix.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::hidden::clean_message;
use super::source::SourceFile;

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The pack cannot be played.
    Error,
    /// The pack can be played, but probably contains a mistake.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// One fault of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// Short name of this type of fault: `unknown-key`.
    pub code: &'static str,
    /// Displayed path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// First byte of the faulty text.
    pub start: usize,
    /// Byte after the faulty text.
    pub end: usize,
    /// The mistake, in lower case without a full stop.
    pub message: String,
    /// How to fix it, if known.
    pub help: Option<String>,
    /// Related places.
    pub related: Vec<Related>,
}

/// A related place of a fault, such as the other of two mods that set the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Displayed path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// First byte of the text.
    pub start: usize,
    /// Byte after the text.
    pub end: usize,
    /// A note on the place, in lower case without a full stop.
    pub message: String,
}

impl Diagnostic {
    /// An error without a location in its file.
    #[must_use]
    pub fn of_file(code: &'static str, file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            file: file.into(),
            line: 1,
            column: 1,
            start: 0,
            end: 0,
            message: clean_message(message.into()),
            help: None,
            related: Vec::new(),
        }
    }

    /// Adds a suggested fix.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(clean_message(help.into()));
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn with_related(mut self, related: Related) -> Self {
        self.related.push(related);
        self
    }

    /// The rank of its type: a fault may be the consequence of one with a lower rank. A file that cannot be read hides
    /// its declarations, scripts use what the TOML files declare, and a faulty script fails in play.
    fn rank(&self) -> u8 {
        const UNREAD: [&str; 9] = [
            "duplicate-file",
            "hidden-character",
            "missing-file",
            "not-a-file",
            "not-utf8",
            "outside",
            "syntax",
            "too-large",
            "unreadable",
        ];
        match (self.severity, self.code) {
            (Severity::Warning, _) => 5,
            (_, code) if UNREAD.contains(&code) => 0,
            (_, "fails-in-play") => 4,
            (_, "missing-script") => 3,
            (_, "script") => 2,
            _ if self.file.ends_with(".toml") => 1,
            _ => 3,
        }
    }

    /// Whether it is not in the file of the game, which declares what the others use.
    fn is_elsewhere(&self) -> bool {
        self.file.rsplit('/').next() != Some("game.toml")
    }

    /// Makes it a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, code, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity}[{code}]: {message}")?;
        for Related { file, line, column, message, .. } in &self.related {
            write!(f, "; {message} at {file}:{line}:{column}")?;
        }
        match &self.help {
            Some(help) => write!(f, "; help: {help}"),
            None => Ok(()),
        }
    }
}

/// All faults, sorted from causes to consequences, then by file and location.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    /// The faults.
    pub list: Vec<Diagnostic>,
    /// The texts that the faults refer to.
    pub sources: Arc<Vec<SourceFile>>,
}

impl Diagnostics {
    /// An empty list for these texts.
    #[must_use]
    pub fn new(sources: Arc<Vec<SourceFile>>) -> Self {
        Self { list: Vec::new(), sources }
    }

    /// Whether there is no diagnostic, not even a warning.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether there is an error. A pack with only warnings can be played.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Adds a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// The text that a diagnostic refers to.
    #[must_use]
    pub fn source_of(&self, diagnostic: &Diagnostic) -> Option<&SourceFile> {
        self.sources.iter().find(|source| source.path == diagnostic.file)
    }

    /// Sorts causes before their consequences, then by file and location. Keeps the order of discovery within one
    /// location, and drops duplicates.
    pub fn sort(&mut self) {
        let key = |one: &Diagnostic| (one.rank(), one.is_elsewhere());
        self.list.sort_by(|a, b| (key(a), &a.file, a.line, a.column).cmp(&(key(b), &b.file, b.line, b.column)));
        self.list.dedup();
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.list.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

/// The candidate nearest to `name`, if it is near enough: at most one edit (insertion, removal, change, swap of
/// neighbours) for every three letters. Ties go to the likeliest mistake: a swapped or missing letter before a wrong
/// letter before an extra one, then a common beginning, then the order of the candidates. Only the first hundreds of
/// candidates are compared, and the name itself is none of them.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Limits the time for thousands of wrong names among thousands of candidates.
    const MOST_COMPARED: usize = 600;
    const LONGEST: usize = 64;
    let length = name.chars().count();
    if length > LONGEST {
        return None;
    }
    let candidates: Vec<&str> = candidates.into_iter().filter(|one| *one != name).take(MOST_COMPARED).collect();
    if let Some(meant) = synonym(name, &candidates) {
        return Some(meant);
    }
    let lower = name.to_lowercase();
    let mut best = None;
    for candidate in candidates {
        let other = candidate.chars().count();
        let longest = length.max(other);
        // The difference in length is a lower bound on the number of edits.
        if other > LONGEST || length.abs_diff(other) > (longest / 3).max(1) {
            continue;
        }
        let other = candidate.to_lowercase();
        let edits = strsim::osa_distance(&lower, &other);
        if edits > (longest / 3).max(1) {
            continue;
        }
        let common = lower.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let rank = (edits, slip(&lower, &other), std::cmp::Reverse(common));
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The candidate that says the same with another first word: `on` for `after`, `on_move` for `after_move`.
fn synonym<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let rest = name.strip_prefix("after").filter(|rest| rest.is_empty() || rest.starts_with('_'))?;
    candidates.iter().copied().find(|candidate| candidate.strip_prefix("on") == Some(rest))
}

/// How unlikely a mistake is: 0 for swapped and missing letters, 1 for wrong ones, 2 for extra ones.
fn slip(name: &str, meant: &str) -> u8 {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    match name.chars().count().cmp(&meant.chars().count()) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => u8::from(sorted(name) != sorted(meant)),
        std::cmp::Ordering::Greater => 2,
    }
}

/// Help for a wrong name: the nearest candidate, or a short list of all candidates.
#[must_use]
pub fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const MOST_LISTED: usize = 8;
    let mut seen = BTreeSet::new();
    let candidates: Vec<&str> = candidates.into_iter().filter(|one| *one != name && seen.insert(*one)).collect();
    if let Some(right) = nearest(name, candidates.iter().copied()) {
        return Some(format!("did you mean `{right}`?"));
    }
    match candidates.as_slice() {
        [] => None,
        [only] => Some(format!("there is only `{only}`")),
        some if some.len() <= MOST_LISTED => Some(format!("use one of {}", list(some))),
        _ => None,
    }
}

/// A list for messages: `` `a`, `b`, `c` ``.
pub fn list<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        let names = ["visible", "values", "text"];
        assert_eq!(nearest("vissible", names), Some("visible"));
        assert_eq!(nearest("Visible", names), Some("visible"));
        assert_eq!(nearest("BOADRS", ["BOARDS"]), Some("BOARDS"));
        assert_eq!(nearest("txet", names), Some("text"), "a swap is one edit");
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("ab", ["xy"]), None);
        assert_eq!(nearest("x", ["sx", "xs"]), Some("xs"), "a common beginning");
        assert_eq!(nearest("xy", ["xyb", "xya"]), Some("xyb"), "the first of equals");
        assert_eq!(
            nearest("atr", ["at", "attr"]),
            Some("attr"),
            "a letter is missing more often than there is one too many"
        );
        assert_eq!(nearest("gian", ["gin", "gain", "gan"]), Some("gain"), "two letters change places");
        assert_eq!(nearest("pat", ["pit", "pay"]), Some("pay"), "wrong at its end rather than in the middle");
        assert_eq!(nearest("gain", ["gain", "gait"]), Some("gait"), "the name itself is no help");
        assert_eq!(nearest("after", ["aft", "on"]), Some("on"), "the same in other words");
        assert_eq!(nearest("after_move", ["on_moves", "on_move"]), Some("on_move"));
        assert_eq!(nearest(&"a".repeat(1000), ["a"]), None);
    }

    #[test]
    fn help_names_the_few_there_are() {
        assert_eq!(suggestion("q", ["alpha", "beta"]).as_deref(), Some("use one of `alpha`, `beta`"));
        assert_eq!(suggestion("q", ["alpha"]).as_deref(), Some("there is only `alpha`"));
        assert_eq!(
            suggestion("q", ["alpha", "beta", "alpha"]).as_deref(),
            Some("use one of `alpha`, `beta`"),
            "each once"
        );
        assert_eq!(suggestion("q", []), None);
        assert_eq!(suggestion("qqqqq", ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"]), None);
    }

    #[test]
    fn one_line_each() {
        let mut all = Diagnostics::default();
        all.push(Diagnostic::of_file("b", "z.toml", "second"));
        all.push(Diagnostic::of_file("a", "a.toml", "first").with_help("do").as_warning());
        all.sort();
        assert_eq!(all.to_string(), "z.toml:1:1: error[b]: second\na.toml:1:1: warning[a]: first; help: do");
        assert!(all.has_errors());
    }

    #[test]
    fn causes_come_before_consequences() {
        let mut all = Diagnostics::default();
        for (code, file) in [
            ("fails-in-play", "scripts/x/cards.luau"),
            ("missing-script", "content/x/game.toml"),
            ("unknown-verb", "scripts/x/cards.luau"),
            ("script", "scripts/x/verbs.luau"),
            ("unknown-key", "content/x/cards.toml"),
            ("unknown-kind", "content/x/game.toml"),
            ("syntax", "content/x/verbs.toml"),
        ] {
            all.push(Diagnostic::of_file(code, file, "wrong"));
        }
        all.list.insert(3, Diagnostic::of_file("unused-field", "content/x/cards.toml", "odd").as_warning());
        all.sort();
        let codes: Vec<&str> = all.list.iter().map(|one| one.code).collect();
        let expected = [
            "syntax",
            "unknown-kind",
            "unknown-key",
            "script",
            "missing-script",
            "unknown-verb",
            "fails-in-play",
            "unused-field",
        ];
        assert_eq!(codes, expected);
    }
}
