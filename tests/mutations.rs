//! The check, measured: mistakes such as people make are put into the shipped games one at a time, at seeded places, and counted is
//! how many of them loading finds. `LODE_MUTATIONS=400` makes more of each sort; `-- --nocapture mutations` prints the table.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use motherlode::{Game, Pack, SourceFile};

use crate::shipped::root;
use crate::twins::SplitMix64;

/// Mistakes of each sort in each game.
fn each() -> usize {
    std::env::var("LODE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(20)
}

/// A piece of a file.
#[derive(Debug, Clone)]
struct Token {
    file: usize,
    span: Range<usize>,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// A key of a TOML table, or a part of a header.
    Key,
    /// A text in TOML, without its quotes.
    TomlText,
    /// A number, `true` or `false` in TOML.
    TomlValue,
    /// An identifier of a script.
    Word,
    /// A text in a script, without its quotes.
    LuauText,
}

/// What is replaced by what.
type Mistake = (Range<usize>, String);

/// A sort of mistake, and the share of it that must be found.
struct Sort {
    name: &'static str,
    least: f64,
    /// The mistake at a place, if there can be one: what is replaced by what.
    make: fn(&Case, &Token, &mut SplitMix64) -> Option<Mistake>,
}

const SORTS: [Sort; 8] = [
    Sort { name: "TOML: misspelt key or name", least: 0.99, make: misspelt_key },
    Sort { name: "TOML: misspelt reference", least: 0.99, make: misspelt_reference },
    Sort { name: "TOML: wrong type", least: 0.95, make: wrong_type },
    Sort { name: "TOML: bad value", least: 0.95, make: bad_value },
    Sort { name: "TOML: deleted key", least: 0.95, make: deleted_key },
    Sort { name: "TOML: dangling reference", least: 0.95, make: dangling },
    Sort { name: "Luau: misspelt reference", least: 0.99, make: misspelt_text },
    Sort { name: "Luau: misspelt word", least: 0.99, make: misspelt_word },
];

/// A game whose files are spoilt.
struct Case {
    id: String,
    files: Vec<SourceFile>,
    tokens: Vec<Token>,
    /// Names that are declared: ids, counters, zones, prompts ...
    names: BTreeSet<String>,
    /// Every word anywhere: a misspelling that is one of them would be another mistake.
    words: BTreeSet<String>,
    warnings: usize,
}

impl Case {
    fn new(id: &str) -> Self {
        let pack = Pack::open(root(), id).unwrap_or_else(|faults| panic!("{faults}"));
        let game = Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"));
        let d = game.declarations();
        let mut names: BTreeSet<String> = BTreeSet::new();
        names.extend(d.counters.keys().chain(d.zones.keys()).chain(d.grids.keys()).chain(d.kinds.keys()).cloned());
        names.extend(d.prompts.keys().chain(d.texts.keys()).chain(d.options.keys()).chain(d.phases.keys()).cloned());
        names.extend(d.definitions.iter().map(|definition| definition.id.clone()));
        names.extend(d.counters.values().flat_map(|counter| counter.values.clone()));
        names.extend(d.kinds.values().flat_map(|kind| kind.attributes.keys().chain(kind.hooks.keys()).cloned()));
        let files: Vec<SourceFile> = pack.files.iter().filter(|file| !file.path.ends_with(".md")).cloned().collect();
        let tokens: Vec<Token> = files
            .iter()
            .enumerate()
            .flat_map(|(at, file)| scan(at, &file.text, file.path.ends_with(".toml")))
            .collect();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = files.iter().flat_map(|file| file.text.split(|c| !is_word(c))).map(str::to_owned).collect();
        Self { id: id.to_owned(), files, tokens, names, words, warnings: game.warnings().list.len() }
    }

    fn text(&self, token: &Token) -> &str {
        &self.files[token.file].text[token.span.clone()]
    }

    fn before(&self, token: &Token) -> &str {
        &self.files[token.file].text[..token.span.start]
    }

    fn after(&self, token: &Token) -> &str {
        &self.files[token.file].text[token.span.end..]
    }

    /// Whether loading says anything that it does not say of the game as it is.
    fn finds(&self, file: usize, span: &Range<usize>, by: &str) -> bool {
        let mut files = self.files.clone();
        files[file].text.replace_range(span.clone(), by);
        let files = files.into_iter().map(|file| (file.path, file.text));
        match Game::load(&Pack::from_files(&self.id, files)) {
            Ok(game) => game.warnings().list.len() > self.warnings,
            Err(_) => true,
        }
    }
}

/// The pieces of a file; comments are left out.
fn scan(file: usize, text: &str, toml: bool) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    while at < bytes.len() {
        let start = at;
        let comment = if toml { bytes[at] == b'#' } else { bytes[at..].starts_with(b"--") };
        if comment {
            at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at);
        } else if matches!(bytes[at], b'"' | b'\'') {
            at += 1;
            while at < bytes.len() && bytes[at] != bytes[start] {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            let what = if toml { What::TomlText } else { What::LuauText };
            tokens.push(Token { file, span: start + 1..at.min(bytes.len()), what });
            at += 1;
        } else if is_word(bytes[at]) {
            at += bytes[at..].iter().position(|b| !is_word(*b)).unwrap_or(bytes.len() - at);
            let after = text[at..].trim_start_matches(' ');
            let line = text[..start].rfind('\n').map_or(0, |line| line + 1);
            let header = text[line..start].trim_start().starts_with('[') && !text[line..start].contains('=');
            let what = match toml {
                false => What::Word,
                true if header || after.starts_with('=') || after.starts_with('.') => What::Key,
                true => What::TomlValue,
            };
            tokens.push(Token { file, span: start..at, what });
        } else {
            at += 1;
        }
    }
    tokens
}

/// A slip of the fingers: a letter missing, doubled, changed, or two of them swapped.
fn typo(case: &Case, word: &str, random: &mut SplitMix64) -> Option<String> {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b.is_ascii_digit()) {
        return None;
    }
    let mut letters: Vec<u8> = word.bytes().collect();
    let at = random.below(letters.len() - 1);
    match random.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = b'a' + random.below(26) as u8,
        _ => letters.swap(at, at + 1),
    }
    let wrong = String::from_utf8(letters).unwrap();
    // Another word that is there is another mistake, and no name is what nobody types.
    let fine = wrong != word && wrong.starts_with(|c: char| c.is_ascii_lowercase()) && !case.words.contains(&wrong);
    fine.then_some(wrong)
}

fn misspelt_key(case: &Case, token: &Token, random: &mut SplitMix64) -> Option<Mistake> {
    if token.what != What::Key {
        return None;
    }
    Some((token.span.clone(), typo(case, case.text(token), random)?))
}

fn misspelt_reference(case: &Case, token: &Token, random: &mut SplitMix64) -> Option<Mistake> {
    let text = case.text(token);
    // What is printed may be anything; a list of values declares names instead of using them.
    let line = case.before(token).rsplit('\n').next().unwrap_or_default();
    let printed = ["name", "text", "symbols", "values"].iter().any(|key| line.contains(&format!("{key} =")));
    if token.what != What::TomlText || printed || !case.names.contains(text) {
        return None;
    }
    Some((token.span.clone(), typo(case, text, random)?))
}

fn wrong_type(case: &Case, token: &Token, random: &mut SplitMix64) -> Option<Mistake> {
    let text = case.text(token);
    let by = match token.what {
        What::TomlValue if text.starts_with(|c: char| c.is_ascii_digit()) => ["\"x\"", "true", "[]", "1.5"],
        What::TomlValue => ["1", "\"yes\"", "[]", "0.5"],
        What::TomlText => ["1", "true", "{}", "2.5"],
        _ => return None,
    };
    let by = by[random.below(4)].to_owned();
    // With its quotes.
    let around = usize::from(token.what == What::TomlText);
    let span = token.span.start - around..token.span.end + around;
    // The default of an option may be of any type.
    let line = case.before(token).rsplit('\n').next().unwrap_or_default();
    (!line.trim_start().starts_with("default")).then_some((span, by))
}

fn bad_value(case: &Case, token: &Token, random: &mut SplitMix64) -> Option<Mistake> {
    let line = case.before(token).rsplit('\n').next().unwrap_or_default();
    let key = line.rsplit(['=', '{', ',']).nth(1).unwrap_or_default().trim();
    match token.what {
        // Words of the engine: a word of another sort, or none.
        What::TomlText if ["per", "visible", "redeal", "shape", "turns", "when", "colour", "type"].contains(&key) => {
            let by = ["nothing", "", "PUBLIC", "every"][random.below(4)];
            Some((token.span.clone(), by.to_owned()))
        }
        What::TomlValue
            if ["players", "columns", "rows", "side", "size", "copies", "times", "min", "rounds"].contains(&key) =>
        {
            let by = ["-99999999", "99999999999"][random.below(2)];
            let digits = case.text(token).starts_with(|c: char| c.is_ascii_digit());
            (digits && !(key == "min" && by.starts_with('-'))).then(|| (token.span.clone(), by.to_owned()))
        }
        _ => None,
    }
}

fn deleted_key(case: &Case, token: &Token, _: &mut SplitMix64) -> Option<Mistake> {
    const NEEDED: [&str; 10] =
        ["name", "version", "players", "per", "holds", "shape", "type", "score", "outcome", "default"];
    let text = &case.files[token.file].text;
    let start = text[..token.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[token.span.end..].find('\n').map_or(text.len(), |at| token.span.end + at + 1);
    let line = &text[start..end];
    let alone = token.what == What::Key && start == token.span.start && line.contains('=');
    // The name of a phase and the default number of players have defaults; lists go on in the next line.
    let optional = case.files[token.file].path.ends_with("phases.toml") || line.trim_end().ends_with('[');
    let attribute = !case.files[token.file].path.ends_with("game.toml");
    let needed = NEEDED.contains(&case.text(token)) && !(attribute && case.text(token) != "name");
    (alone && needed && !optional).then(|| (start..end, String::new()))
}

/// A table whose name is used elsewhere is taken away.
fn dangling(case: &Case, token: &Token, _: &mut SplitMix64) -> Option<Mistake> {
    let text = &case.files[token.file].text;
    let name = case.text(token);
    if token.what != What::Key || !case.after(token).starts_with(']') || !case.names.contains(name) {
        return None;
    }
    let start = text[..token.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[token.span.end..].find("\n[").map_or(text.len(), |at| token.span.end + at + 1);
    let quoted = format!("\"{name}\"");
    let used = case.files.iter().enumerate().any(|(at, file)| {
        let rest = if at == token.file { format!("{}{}", &text[..start], &text[end..]) } else { file.text.clone() };
        file.path.ends_with(".luau") && rest.contains(&quoted)
    });
    // A name that stands for two things is still there when one of them is gone.
    let twice = case.tokens.iter().filter(|other| other.what == What::Key && case.text(other) == name).count() > 1;
    (used && !twice).then(|| (start..end, String::new()))
}

fn misspelt_text(case: &Case, token: &Token, random: &mut SplitMix64) -> Option<Mistake> {
    if token.what != What::LuauText || !case.names.contains(case.text(token)) {
        return None;
    }
    Some((token.span.clone(), typo(case, case.text(token), random)?))
}

fn misspelt_word(case: &Case, token: &Token, random: &mut SplitMix64) -> Option<Mistake> {
    let word = case.text(token);
    if token.what != What::Word || case.before(token).ends_with(['.', ':']) {
        return None;
    }
    let file = &case.files[token.file].text;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // A parameter that nobody reads may have any name.
    let often = file.split(|c| !is_word(c)).filter(|other| *other == word).count() > 1;
    often.then(|| typo(case, word, random)).flatten().map(|wrong| (token.span.clone(), wrong))
}

/// How the check did with one sort of mistake in one game.
#[derive(Default)]
struct Counted {
    made: u32,
    found: u32,
    missed: Vec<String>,
}

fn spoil(sort: &Sort, case: &Case, seed: u64) -> Counted {
    let mut random = SplitMix64::new(seed);
    let mut counted = Counted::default();
    let most = each();
    // Some sorts have few places or none in a small game.
    for _ in 0..most * 200 {
        let token = &case.tokens[random.below(case.tokens.len())];
        let Some((span, by)) = (sort.make)(case, token, &mut random) else { continue };
        counted.made += 1;
        if case.finds(token.file, &span, &by) {
            counted.found += 1;
        } else {
            let file = &case.files[token.file];
            let (line, _) = file.position(span.start);
            let old = file.text[span].trim().to_owned();
            counted.missed.push(format!("{}: {}:{line}: `{old}` became `{by}`", sort.name, file.path));
        }
        if counted.made as usize == most {
            break;
        }
    }
    counted
}

#[test]
fn mistakes_are_found() {
    let mut table = String::new();
    let mut short = Vec::new();
    let mut missed = Vec::new();
    let cases: Vec<Case> = motherlode::find_packs(root()).unwrap().iter().map(|id| Case::new(id)).collect();
    for sort in &SORTS {
        let (mut made, mut found) = (0, 0);
        let results: Vec<Counted> = std::thread::scope(|scope| {
            let runs: Vec<_> =
                cases.iter().zip(7..).map(|(case, seed)| scope.spawn(move || spoil(sort, case, seed))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        for one in results {
            (made, found) = (made + one.made, found + one.found);
            missed.extend(one.missed);
        }
        let share = f64::from(found) / f64::from(made.max(1));
        // Writing to a string does not fail.
        let _ = writeln!(table, "{:<28} {made:>5} made {found:>5} found {:>6.1} %", sort.name, share * 100.0);
        assert!(made > 0, "{}: no place for it", sort.name);
        if share < sort.least {
            short.push(format!(
                "{}: {:.1} % of {made}, at least {:.0} %",
                sort.name,
                share * 100.0,
                sort.least * 100.0
            ));
        }
    }
    println!("{table}\n{}", missed.join("\n"));
    assert!(short.is_empty(), "{}\n{table}\n{}", short.join("\n"), missed.join("\n"));
}
