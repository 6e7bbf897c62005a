//! A game with damaged files, and the mistakes in it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use motherlode::{Diagnostic, Game, Pack, SourceFile};
use motherlode_check::check;

use super::entry::{Content, Role};
use super::scripts::{Token, TokenKind, scan};
use crate::shipped::root;
use crate::twins::SplitMix64;

/// A change of a file.
#[derive(Debug, Clone)]
pub enum Change {
    /// Replaces a piece of the file.
    Text { file: usize, span: Range<usize>, by: String },
    /// Adds a file.
    Added { path: String, text: String },
    /// Moves a file; `None` deletes it.
    Moved { file: usize, to: Option<String> },
}

/// A mistake.
#[derive(Debug, Clone)]
pub struct Mistake {
    /// Changes that make the mistake.
    pub changes: Vec<Change>,
    /// The right and the wrong name of a misspelling.
    pub names: Option<(String, String)>,
}

impl Mistake {
    /// Replaces a piece of a file.
    pub fn text(file: usize, span: Range<usize>, by: impl Into<String>) -> Self {
        Self { changes: vec![Change::Text { file, span, by: by.into() }], names: None }
    }

    /// Misspells a name.
    pub fn misspelt(file: usize, span: Range<usize>, right: &str, wrong: String) -> Self {
        let names = Some((right.to_owned(), wrong.clone()));
        Self { names, ..Self::text(file, span, wrong) }
    }
}

/// A piece of text that names something, with its place.
pub struct NameUse {
    pub file: usize,
    pub at: usize,
    pub name: String,
}

/// The check's answer to a mistake.
pub struct CheckResult {
    pub found: bool,
    /// Whether a message suggests the right name.
    pub suggested: bool,
    /// Whether a message points to the line with the mistake.
    pub placed: bool,
}

/// A game with its files.
pub struct Case {
    pub id: String,
    pub game: Game,
    pub files: Vec<SourceFile>,
    pub content: Content,
    /// The tokens of each script.
    pub scripts: Vec<(usize, Vec<Token>)>,
    /// Every word in the game. A misspelling that equals one of them is another mistake.
    words: BTreeSet<String>,
    /// All names in use.
    named: Vec<NameUse>,
    said: Vec<Diagnostic>,
}

impl Case {
    pub fn new(id: &str) -> Self {
        Self::at(root(), id)
    }

    /// A game in a folder with `content/` and `scripts/`.
    pub fn at(root: &Path, id: &str) -> Self {
        let pack = Pack::open(root, id).unwrap_or_else(|faults| panic!("{faults}"));
        let checked = check(&pack).unwrap_or_else(|faults| panic!("{faults}"));
        let files: Vec<SourceFile> = pack.files.iter().filter(|file| !file.path.ends_with(".md")).cloned().collect();
        let content = Content::read(&files);
        let of_script = |(at, file): (usize, &SourceFile)| (at, scan(&file.text));
        let scripts: Vec<_> =
            files.iter().enumerate().filter(|(_, file)| file.path.ends_with(".luau")).map(of_script).collect();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = files.iter().flat_map(|file| file.text.split(|c| !is_word(c))).map(str::to_owned).collect();
        let (game, said) = (checked.game, checked.warnings.list);
        assert!(said.is_empty(), "{said:?}");
        let mut case = Self { id: id.to_owned(), game, files, content, scripts, words, named: Vec::new(), said };
        case.named = case.names();
        case
    }

    /// The file name without folder and extension.
    pub fn stem(&self, file: usize) -> &str {
        self.files[file].stem()
    }

    /// A piece of a file.
    pub fn piece(&self, file: usize, span: &Range<usize>) -> &str {
        &self.files[file].text[span.clone()]
    }

    /// All names in use: texts and keys of the content that neither declare nor print, texts, fields and keys of
    /// scripts, placeholders, and files (of kinds).
    fn names(&self) -> Vec<NameUse> {
        let mut named = Vec::new();
        for entry in &self.content.entries {
            if let Some(text) = entry.text() {
                if self.is_name_used(entry) {
                    named.push(NameUse { file: entry.file, at: entry.value.start, name: text.to_owned() });
                } else {
                    for inside in
                        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(inside, _)| inside)
                    {
                        let name = inside.rsplit([':', ' ']).next().unwrap_or_default();
                        named.push(NameUse { file: entry.file, at: entry.value.start, name: name.to_owned() });
                    }
                }
            }
            if let (Some(key), Role::Own) = (&entry.key, entry.role()) {
                named.push(NameUse { file: entry.file, at: key.start, name: entry.name().to_owned() });
            }
        }
        for (file, tokens) in &self.scripts {
            for token in tokens.iter().filter(|token| token.what == TokenKind::Text || token.field || token.key) {
                let name = self.piece(*file, &token.span).to_owned();
                named.push(NameUse { file: *file, at: token.span.start, name });
            }
        }
        for (file, source) in self.files.iter().enumerate() {
            named.push(NameUse { file, at: source.text.len(), name: source.stem().to_owned() });
        }
        named
    }

    /// Whether another piece names this item.
    pub fn is_named(&self, name: &str, file: usize, but: &Range<usize>) -> bool {
        self.named.iter().any(|named| named.name == name && !(named.file == file && but.contains(&named.at)))
    }

    /// A typing slip: a letter missing, doubled or changed, or two letters swapped.
    pub fn typo(&self, word: &str, random: &mut SplitMix64) -> Option<String> {
        if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
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
        // An existing word is another mistake, and a word that begins with a digit is no name.
        let fine = wrong != word && !wrong.starts_with(|c: char| c.is_ascii_digit()) && !self.words.contains(&wrong);
        fine.then_some(wrong)
    }

    /// The faults that loading reports with the mistake and not without it.
    pub fn answer(&self, mistake: &Mistake) -> CheckResult {
        let mut files = self.files.clone();
        let mut lines = Vec::new();
        // The reverse order keeps earlier positions valid.
        for change in mistake.changes.iter().rev() {
            match change {
                Change::Text { file, span, by } => {
                    lines.push((files[*file].path.clone(), files[*file].position(span.start).0));
                    files[*file].text.replace_range(span.clone(), by);
                }
                Change::Added { path, text } => {
                    lines.push((path.clone(), 1));
                    files.push(SourceFile { path: path.clone(), text: text.clone() });
                }
                Change::Moved { file, to } => {
                    lines.push((files[*file].path.clone(), 1));
                    lines.extend(to.iter().map(|to| (to.clone(), 1)));
                    files[*file].path = to.clone().unwrap_or_default();
                }
            }
        }
        files.retain(|file| !file.path.is_empty());
        let files = files.into_iter().map(|file| (file.path, file.text));
        let said = match check(&Pack::from_files(&self.id, files)) {
            Ok(checked) => checked.warnings.list,
            Err(faults) => faults.list,
        };
        let new: Vec<&Diagnostic> = said.iter().filter(|one| !self.said.contains(one)).collect();
        let names_it = |one: &&Diagnostic| {
            let (Some((right, wrong)), Some(help)) = (&mistake.names, &one.help) else { return false };
            // For a misspelt declaration, the faults of its uses suggest the declared name.
            [right, wrong].iter().any(|name| {
                ["did you mean ", "or did you mean ", "is it ", "or is "].iter().any(|asked| help.starts_with(asked))
                    && help.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == *name)
            })
        };
        CheckResult {
            found: !new.is_empty(),
            suggested: new.iter().any(names_it),
            placed: new.iter().any(|one| lines.iter().any(|(file, line)| *file == one.file && *line == one.line)),
        }
    }
}
