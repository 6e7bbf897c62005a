//! Rule numbers in the names of tests.

use std::collections::BTreeSet;

use motherlode::declare::Rule;
use motherlode::tools::rule_prefix;
use motherlode::{Diagnostic, SourceFile};

use super::order;

/// Maximum warnings for each file.
const MAX_WARNINGS: usize = 20;

/// Warnings about rule numbers in the test names of a file that no rule has. A prefix that no rule has may mean anything.
pub(super) fn find_unknown(file: &SourceFile, rules: &[Rule]) -> Vec<Diagnostic> {
    let known: BTreeSet<&str> = rules.iter().map(|rule| rule.number.as_str()).collect();
    let prefixes: BTreeSet<&str> = known.iter().filter_map(|number| rule_prefix(number)).collect();
    let names = order::names(&file.text);
    let words = names.iter().flat_map(|(name, line)| words(name).map(move |word| (word, *line)));
    let is_unknown =
        |word: &str| rule_prefix(word).is_some_and(|prefix| prefixes.contains(prefix)) && !known.contains(word);
    let unknown = words.filter(|(word, _)| is_unknown(word)).take(MAX_WARNINGS);
    unknown.map(|(word, line)| warning(file, word, line, &known)).collect()
}

fn warning(file: &SourceFile, word: &str, line: u32, known: &BTreeSet<&str>) -> Diagnostic {
    let message = format!("`rules.md` has no rule `{word}`");
    let mut fault = Diagnostic::of_file("unknown-rule", &file.path, message).as_warning();
    if let Some(near) = nearest(word, known) {
        fault = fault.with_help(format!("the nearest rule is `{near}`"));
    }
    let before = line.saturating_sub(1) as usize;
    let start: usize = file.text.split_inclusive('\n').take(before).map(str::len).sum();
    let start = start + file.text[start..].find(word).unwrap_or_default();
    (fault.line, fault.column) = file.position(start);
    (fault.start, fault.end) = (start, start + word.len());
    fault
}

/// The words of a test's name. Rule numbers are whole words.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| !word.is_empty())
}

/// The rule of the same prefix with the nearest number; of equals, the smaller one.
fn nearest<'r>(word: &str, known: &BTreeSet<&'r str>) -> Option<&'r str> {
    let prefix = rule_prefix(word)?;
    let digits = |number: &str| {
        let digits = number.strip_prefix(prefix)?;
        digits.trim_end_matches(|c: char| c.is_ascii_lowercase()).parse::<i64>().ok()
    };
    let wanted = digits(word)?;
    let distances = known.iter().filter_map(|number| Some((digits(number)?, *number)));
    distances.min_by_key(|(number, _)| (wanted.abs_diff(*number), *number)).map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_no_rule_get_the_nearest() {
        let rule = |number: &str| Rule { number: number.to_owned(), text: String::new(), section: String::new() };
        let rules = ["G-1", "G-2", "G-5a", "T-P3", "Q7"].map(rule);
        let text = "return {\n    [\"G-9 T-P3 one\"] = f,\n    [\"Q7 Q12 G-2 a D-6 and P-1 G-2x-y\"] = f,\n    [\"G-5\"] = f,\n}\n";
        let file = SourceFile { path: "tests/g/a.luau".into(), text: text.into() };
        let found: Vec<String> = find_unknown(&file, &rules).iter().map(ToString::to_string).collect();
        let warning = |place: &str, number: &str, near: &str| {
            format!(
                "tests/g/a.luau:{place}: warning[unknown-rule]: `rules.md` has no rule `{number}`; help: the nearest rule \
                 is `{near}`"
            )
        };
        assert_eq!(found, [warning("2:7", "G-9", "G-5a"), warning("3:10", "Q12", "Q7"), warning("4:7", "G-5", "G-5a")]);
        assert!(find_unknown(&file, &[]).is_empty());
    }
}
