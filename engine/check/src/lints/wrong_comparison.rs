//! Comparisons of an option with a text that it never equals.

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::mention::Mention;
use crate::script::signature::ExpectedName;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-comparison",
    severity: Severity::Error,
    why: "The value of this option is a number or a boolean, and never equals a text.",
    bad: r#"return {
    play = {
        turn = function(player)
            if option("towers") == "2" then
                log("calm")
            end
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            if option("towers") == 2 then
                log("calm")
            end
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let unknown = |mention: &&Mention<'_>| !known.is_valid(mention.expected, mention.name, mention.context);
    let mentions =
        script.mentions.iter().filter(|mention| mention.expected == ExpectedName::OptionValue).filter(unknown);
    let finding = |mention: &Mention<'_>| {
        let (option, declared) = known.d.options.get_index(mention.context.option?)?;
        let is = match declared.default {
            OptionValue::Name(_) => return None,
            OptionValue::Bool(_) => "true or false",
            OptionValue::Integer(_) => "a number",
        };
        let message = format!("option `{option}` is {is}, never text");
        Some(Finding::new(&script.source_map, mention.token, message).help(format!("compare it with {is}")))
    };
    mentions.filter_map(finding).collect()
}
