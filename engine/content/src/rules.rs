//! The numbered rules of `rules.md`.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::declare::Rule;
use super::diagnostic::Diagnostic;
use super::source::SourceFile;

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
pub(crate) fn read(sources: &[&SourceFile], faults: &mut Vec<Diagnostic>) -> Vec<Rule> {
    let mut rules: IndexMap<String, Rule> = IndexMap::new();
    for source in sources {
        read_file(source, &mut rules, faults);
    }
    rules.into_values().collect()
}

fn read_file(source: &SourceFile, rules: &mut IndexMap<String, Rule>, faults: &mut Vec<Diagnostic>) {
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut section = String::new();
    let mut open: Option<String> = None;
    let mut start = 0;
    for full in source.text.split_inclusive('\n') {
        let line = full.trim_end();
        let text = line.trim_start();
        if let Some(heading) = line.strip_prefix('#') {
            section = heading.trim_start_matches('#').trim().to_owned();
            open = None;
        } else if let Some((number, rest)) = item(text) {
            if !own.insert(number.to_owned()) {
                faults.push(twice(source, start, full, number));
                open = None;
            } else {
                let rule = Rule { number: number.to_owned(), text: rest.to_owned(), section: section.clone() };
                rules.insert(number.to_owned(), rule);
                open = Some(number.to_owned());
            }
        } else if text.is_empty() || text.len() == line.len() {
            // A blank line or one that is not indented ends the rule.
            open = None;
        } else if let Some(rule) = open.as_ref().and_then(|number| rules.get_mut(number)) {
            rule.text.push(' ');
            rule.text.push_str(text);
        }
        start += full.len();
    }
}

fn twice(source: &SourceFile, start: usize, full: &str, number: &str) -> Diagnostic {
    let start = start + full.find(number).unwrap_or(0);
    let mut diagnostic = Diagnostic::of_file("duplicate", &source.path, format!("rule `{number}` is listed twice"));
    (diagnostic.line, diagnostic.column) = source.position(start);
    (diagnostic.start, diagnostic.end) = (start, start + number.len());
    diagnostic
}

/// Number and text of a list item that is a rule.
fn item(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix(['-', '*']).or_else(|| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < text.len() { rest.strip_prefix('.') } else { None }
    })?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
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
        let mut faults = Vec::new();
        let rules = read(&[&source], &mut faults);
        let rules = rules.into_iter().map(|rule| (rule.number, rule.section, rule.text)).collect();
        (rules, faults.iter().map(Diagnostic::to_string).collect())
    }

    #[test]
    fn every_form_of_a_rule() {
        let text = "# Game\n\n- G-0 before\n\n## 4. Turn\n- P-12 one\n  goes on\n  - O-3 inner\n* P-42a: two\n\
                    12. T-P13 three\n- Q7 four\n- L1 no rule\n1. **L1: 36 cards** no rule\nP-9 no rule\n- P-10\n";
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
    fn odd_texts_are_no_rules() {
        for text in ["", "-", "- ", "-P-1", "- P-", "- -1", "- Q", "1.", "1 P-1", "- PPP-1", "- P-1ab", "- ä-1"] {
            assert!(rules(text).0.is_empty(), "{text}");
        }
    }
}
