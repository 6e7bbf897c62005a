//! Values that a counter, an attribute or an option does not have.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::signature::ExpectedName;
use motherlode_content::declare::{Declarations, Domain, OptionValue};
use motherlode_content::diagnostic::{Severity, suggestion};

pub const LINT: Lint = Lint {
    name: "unknown-value",
    severity: Severity::Error,
    why: "game.toml does not declare this value of the counter, attribute or option. A comparison with it is never true.",
    bad: r#"return {
    play = {
        turn = function(player)
            local ore = value("ore", "silvr")
            log("calm", ore)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local ore = value("ore", "silver")
            log("calm", ore)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let unknown = |mention: &&Mention<'_>| !known.is_valid(mention.expected, mention.name, mention.context);
    let mentions = script.mentions.iter().filter(unknown);
    let finding = |mention: &Mention<'_>| {
        let (message, values) = match mention.expected {
            ExpectedName::Value => of_counter(known.d, mention)?,
            ExpectedName::OptionValue => of_option(known.d, mention)?,
            ExpectedName::AttributeValue => of_attribute(known, mention)?,
            _ => return None,
        };
        Some(Finding::new(&script.source_map, mention.token, message).help(suggestion(mention.name, values)))
    };
    mentions.filter_map(finding).collect()
}

fn of_counter<'d>(d: &'d Declarations, mention: &Mention<'_>) -> Option<(String, Vec<&'d str>)> {
    let (counter, declared) = d.counters.get_index(mention.context.counter?)?;
    let (name, by) = (mention.name, mention.by);
    if declared.means != Domain::Number && name == "none" {
        return None;
    }
    if declared.values.is_empty() {
        return Some((format!("counter `{counter}` has no named values: `{name}` in `{by}`"), Vec::new()));
    }
    Some((
        format!("`{name}` is not a value of counter `{counter}`"),
        declared.values.iter().map(String::as_str).collect(),
    ))
}

fn of_option<'d>(d: &'d Declarations, mention: &Mention<'_>) -> Option<(String, Vec<&'d str>)> {
    let (option, declared) = d.options.get_index(mention.context.option?)?;
    // Numbers and booleans have no named values.
    let OptionValue::Name(_) = declared.default else { return None };
    let message = format!("`{}` is not a value of option `{option}`", mention.name);
    Some((message, declared.values.keys().map(String::as_str).collect()))
}

fn of_attribute<'d>(known: &DeclaredNames<'d>, mention: &Mention<'_>) -> Option<(String, Vec<&'d str>)> {
    let (kind, attribute) = mention.context.attribute?;
    let (attribute, _) = known.d.kinds.get_index(kind)?.1.attributes.get_index(attribute)?;
    // The empty text is the default that says "none".
    if mention.name.is_empty() {
        return None;
    }
    let message = format!("`{}` is not a value of attribute `{attribute}`", mention.name);
    Some((message, known.names(mention.expected, mention.context)?))
}
