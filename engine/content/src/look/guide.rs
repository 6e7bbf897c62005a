//! The guide of a first game: the rules that explain prompts.

use indexmap::IndexMap;

use crate::declare::{Declarations, GuideRule, Rule};
use crate::diagnostic::suggestion;
use crate::document::Table;
use crate::names::{Names, PROMPT};

use super::value::reference;

/// Reads `guide` of `look.toml`: numbers of rules, by prompt.
pub(super) fn read(root: &Table<'_>, names: &Names, d: &Declarations) -> IndexMap<String, Vec<GuideRule>> {
    let mut guide = IndexMap::new();
    let Some(table) = root.table("guide", "the guide") else { return guide };
    for (key, node) in table.entries() {
        reference(&key, &PROMPT, &names.prompts);
        let mut rules = Vec::new();
        for element in node.list(true).unwrap_or_default() {
            let Some(number) = element.text() else { continue };
            match d.rules.iter().find(|rule| rule.number == number) {
                Some(rule) => rules.push(plain(rule)),
                None => {
                    let help = suggestion(number, d.rules.iter().map(|rule| rule.number.as_str()))
                        .or_else(|| Some("write the number of a rule in rules.md".to_owned()));
                    let message = format!("there is no rule `{number}` for {}", element.what);
                    element.fault("unknown-value", message, help);
                }
            }
        }
        guide.insert(key.text.to_owned(), rules);
    }
    guide
}

/// A rule as plain text: without marks in parentheses, emphasis and quoted code.
fn plain(rule: &Rule) -> GuideRule {
    let mut text = String::new();
    let mut rest = rule.text.as_str();
    while let Some((before, after)) = rest.split_once("*(") {
        text.push_str(before.trim_end());
        rest = after.split_once(")*").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.retain(|c| c != '*' && c != '`');
    GuideRule { number: rule.number.clone(), text }
}

#[cfg(test)]
mod tests {
    use crate::declare::Rule;

    #[test]
    fn marks_of_rules_are_left_out() {
        let text = "Pay **1** coin *(published)*. Read `cost` *(ruling Q1)* twice.".to_owned();
        let rule = Rule { number: "C-1".to_owned(), text, section: String::new() };
        assert_eq!(super::plain(&rule).text, "Pay 1 coin. Read cost twice.");
    }
}
