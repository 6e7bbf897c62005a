//! The numbered rules of `rules.md`.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::declare::Rule;
use super::diagnostic::Diagnostic;
use super::document::Faults;
use super::source::SourceFile;

/// Maximum warnings about lines without a number for each file.
const MAX_UNNUMBERED: usize = 20;

/// Reads the rules: list items that begin with a number, each with the heading above it. A rule of a later source
/// replaces one with the same number.
///
/// ```text
/// ## 4. Turn                      heading
/// - P-12 text                     a rule
///   goes on here                  more of it
/// 1. T-P1 text                    an example
/// - Q7 text                       a ruling
/// ```
pub(crate) fn read(sources: &[&SourceFile], faults: &Faults) -> Vec<Rule> {
    let mut rules: IndexMap<String, Rule> = IndexMap::new();
    for source in sources {
        read_file(source, &mut rules, faults);
    }
    rules.into_values().collect()
}

fn read_file(source: &SourceFile, rules: &mut IndexMap<String, Rule>, faults: &Faults) {
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut unnumbered: Vec<(usize, UnnumberedLine<'_>)> = Vec::new();
    let mut section = String::new();
    let mut open: Option<String> = None;
    // The rule above in the same list.
    let mut last_rule: Option<String> = None;
    let mut is_block_start = true;
    let mut start = 0;
    for full in source.text.split_inclusive('\n') {
        let line = full.trim_end();
        let text = line.trim_start();
        let is_blank = text.is_empty() || line.starts_with('#');
        if let Some(heading) = line.strip_prefix('#') {
            section = heading.trim_start_matches('#').trim().to_owned();
            open = None;
        } else if let Some((number, rest)) = item(text) {
            last_rule = Some(number.to_owned());
            if !own.insert(number.to_owned()) {
                faults.push(twice(source, start, full, number));
                open = None;
            } else {
                let rule = Rule { number: number.to_owned(), text: rest.to_owned(), section: section.clone() };
                rules.insert(number.to_owned(), rule);
                open = Some(number.to_owned());
            }
        } else if is_blank || text.len() == line.len() {
            // A blank line or one that is not indented ends the rule.
            open = None;
            let found = unnumbered_line(text, last_rule.as_ref(), is_block_start);
            unnumbered.extend(found.map(|found| (start, found)));
        } else if let Some(rule) = open.as_ref().and_then(|number| rules.get_mut(number)) {
            rule.text.push(' ');
            rule.text.push_str(text);
        }
        last_rule = last_rule.filter(|_| !is_blank);
        is_block_start = is_blank;
        start += full.len();
    }
    let found = unnumbered.iter().filter_map(|(start, line)| line.fault(source, *start, &own, rules));
    found.take(MAX_UNNUMBERED).for_each(|fault| faults.push(fault));
}

/// A line that looks like a rule but has no number.
enum UnnumberedLine<'t> {
    /// An item whose first word may be a number: `g-4`, `**G-4**`.
    Misspelt(&'t str),
    /// An item of a list of rules, after the rule with this number.
    ItemAfter(String),
    /// A number at the start of a paragraph.
    Paragraph(&'t str),
}

/// Classifies a line that is not indented and not a rule.
fn unnumbered_line<'t>(text: &'t str, before: Option<&String>, is_block_start: bool) -> Option<UnnumberedLine<'t>> {
    let word_of = |text: &str| text.split([' ', '\t', ':']).next().map(str::len).unwrap_or_default();
    match list_item(text) {
        Some(content) => {
            let word = &content[..word_of(content)];
            if word.contains(|c: char| c.is_ascii_digit()) && word.contains(|c: char| c.is_ascii_alphabetic()) {
                return Some(UnnumberedLine::Misspelt(word));
            }
            before.cloned().map(UnnumberedLine::ItemAfter)
        }
        None => {
            let word = &text[..word_of(text)];
            (is_block_start && is_number(word)).then_some(UnnumberedLine::Paragraph(word))
        }
    }
}

impl UnnumberedLine<'_> {
    /// A warning, if the other rules of the file make the mistake certain. `rules` also has the rules of the layers below.
    fn fault(
        &self,
        source: &SourceFile,
        start: usize,
        own: &BTreeSet<String>,
        rules: &IndexMap<String, Rule>,
    ) -> Option<Diagnostic> {
        let (message, help) = match self {
            Self::Misspelt(word) => {
                // A text may refer to a rule that the file already has.
                let right = respelt(word, own).filter(|right| !own.contains(right))?;
                (format!("`{word}` is not a rule number"), format!("write `{right}`"))
            }
            Self::ItemAfter(before) => {
                let message = "this item is in a list of rules but has no number".to_owned();
                (message, format!("begin it with a number, such as `{}`", next_number(prefix(before), rules)?))
            }
            Self::Paragraph(number) => {
                own.iter().find(|other| prefix(other) == prefix(number))?;
                (format!("`{number}` is not in a list, so it is no rule"), format!("write `- {number}`"))
            }
        };
        let mut fault = Diagnostic::of_file("missing-number", &source.path, message).with_help(help).as_warning();
        let line = source.text[start..].lines().next().unwrap_or_default();
        (fault.line, fault.column) = source.position(start);
        (fault.start, fault.end) = (start, start + line.trim_end().len());
        Some(fault)
    }
}

/// The part of a rule number before its digits: `P-`, `T-P`, `Q`; `None` if the word is no rule number.
#[must_use]
pub fn rule_prefix(word: &str) -> Option<&str> {
    is_number(word).then(|| prefix(word))
}

fn prefix(number: &str) -> &str {
    number.find(|c: char| c.is_ascii_digit()).map_or(number, |at| &number[..at])
}

/// The rule number that a word may mean: `G-4` for `g4`, `**G-4**`, `G_4`.
fn respelt(word: &str, own: &BTreeSet<String>) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_uppercase();
    let digits = &word[prefix(word).len()..];
    let of = own.iter().map(|number| prefix(number)).find(|of| letters(of) == letters(prefix(word)))?;
    let right = format!("{of}{}", digits.to_lowercase());
    is_number(&right).then_some(right)
}

/// The number after the largest one with this prefix.
fn next_number(of: &str, rules: &IndexMap<String, Rule>) -> Option<String> {
    let digits = |number: &String| number[of.len()..].trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().ok();
    let largest: u32 = rules.keys().filter(|number| prefix(number) == of).filter_map(digits).max()?;
    Some(format!("{of}{}", largest.checked_add(1)?))
}

fn twice(source: &SourceFile, start: usize, full: &str, number: &str) -> Diagnostic {
    let start = start + full.find(number).unwrap_or(0);
    let mut diagnostic = Diagnostic::of_file("duplicate", &source.path, format!("rule `{number}` is listed twice"));
    (diagnostic.line, diagnostic.column) = source.position(start);
    (diagnostic.start, diagnostic.end) = (start, start + number.len());
    diagnostic
}

/// Text of a list item after its mark.
#[must_use]
pub fn list_item(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*']).or_else(|| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < text.len() { rest.strip_prefix('.') } else { None }
    })?;
    Some(rest.strip_prefix([' ', '\t'])?.trim_start())
}

/// Number and text of a line that is a rule.
fn item(text: &str) -> Option<(&str, &str)> {
    numbered(list_item(text)?)
}

/// Number and text of the content of a list item that is a rule.
#[must_use]
pub fn numbered(content: &str) -> Option<(&str, &str)> {
    let end = content.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(content.len());
    let (number, rest) = content.split_at(end);
    is_number(number).then(|| (number, rest.trim_start_matches([':', '.']).trim()))
}

/// Whether a text is a rule number: `P-12`, `P-42a`, `Q7`, `T-P1`.
fn is_number(number: &str) -> bool {
    let digits = |text: &str| {
        let text = text.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(text);
        !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
    };
    if let Some(rest) = number.strip_prefix("T-")
        && rest.starts_with(|c: char| c.is_ascii_uppercase())
    {
        return digits(rest.trim_start_matches(|c: char| c.is_ascii_uppercase()));
    }
    match number.split_once('-') {
        Some((letters, rest)) => {
            (1..=2).contains(&letters.len()) && letters.chars().all(|c| c.is_ascii_uppercase()) && digits(rest)
        }
        None => number.strip_prefix('Q').is_some_and(digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> (Vec<(String, String, String)>, Vec<String>) {
        let source = SourceFile { path: "rules.md".into(), text: text.into() };
        let faults = Faults::default();
        let rules = read(&[&source], &faults);
        let rules = rules.into_iter().map(|rule| (rule.number, rule.section, rule.text)).collect();
        (rules, faults.take().iter().map(Diagnostic::to_string).collect())
    }

    #[test]
    fn every_form_of_a_rule() {
        let text = "# Game\n\n- G-0 before\n\n## 4. Turn\n- P-12 one\n  goes on\n  - O-3 inner\n* P-42a: two\n\
                    12. T-P13 three\n- Q7 four\n\n- L1 no rule\n1. **L1: 36 cards** no rule\nP-9 no rule\n- P-10\n";
        let (found, faults) = rules(text);
        let found: Vec<(&str, &str, &str)> =
            found.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
        assert_eq!(
            found,
            [
                ("G-0", "Game", "before"),
                ("P-12", "4. Turn", "one goes on"),
                ("O-3", "4. Turn", "inner"),
                ("P-42a", "4. Turn", "two"),
                ("T-P13", "4. Turn", "three"),
                ("Q7", "4. Turn", "four"),
                ("P-10", "4. Turn", ""),
            ]
        );
        assert!(faults.is_empty());
    }

    #[test]
    fn a_rule_ends_at_a_blank_line() {
        let (found, _) = rules("- P-1 one\n\n  table\n- P-2 two\nPlain text.\n  more\n");
        assert_eq!(found[0].2, "one");
        assert_eq!(found[1].2, "two");
    }

    #[test]
    fn a_number_is_listed_once() {
        let (found, faults) = rules("- P-1 one\n- P-1 again\n");
        assert_eq!(found.len(), 1);
        assert_eq!(faults, ["rules.md:2:3: error[duplicate]: rule `P-1` is listed twice"]);
    }

    #[test]
    fn lines_without_a_number_get_a_warning() {
        let warn = |lines: &str| rules(&format!("# G\n\n- G-1 one\n- G-2 two\n{lines}")).1;
        let warning = "rules.md:5:1: warning[missing-number]:";
        for (line, text) in [
            ("- g-3 three", "`g-3` is not a rule number; help: write `G-3`"),
            ("- **G-3**: three", "`**G-3**` is not a rule number; help: write `G-3`"),
            ("- G3 three", "`G3` is not a rule number; help: write `G-3`"),
            (
                "- three",
                "this item is in a list of rules but has no number; help: begin it with a number, such as `G-3`",
            ),
        ] {
            assert_eq!(warn(line), [format!("{warning} {text}")], "{line}");
        }
        let paragraph = "`G-3` is not in a list, so it is no rule; help: write `- G-3`";
        assert_eq!(warn("\nG-3 three"), [format!("rules.md:6:1: warning[missing-number]: {paragraph}")]);
        for line in ["  - a part of two", "\n- a note", "plain text", "\nL-3 text", "\n- 3d dice", "\n- **G-2** again"]
        {
            assert!(warn(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn the_suggested_number_is_free_in_all_layers() {
        let source = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        let (game, layer) = (source("rules.md", "- G-1 one\n- G-9 nine\n"), source("mod.md", "- G-1 new\n- more\n"));
        let faults = Faults::default();
        read(&[&game, &layer], &faults);
        let warning = "this item is in a list of rules but has no number";
        let help = "begin it with a number, such as `G-10`";
        let faults: Vec<String> = faults.take().iter().map(Diagnostic::to_string).collect();
        assert_eq!(faults, [format!("mod.md:2:1: warning[missing-number]: {warning}; help: {help}")]);
    }

    #[test]
    fn odd_texts_are_no_rules() {
        for text in ["", "-", "- ", "-P-1", "- P-", "- -1", "- Q", "1.", "1 P-1", "- PPP-1", "- P-1ab", "- ä-1"] {
            assert!(rules(text).0.is_empty(), "{text}");
        }
    }
}
