//! Options that are compared with a text and never equal it.

use crate::finding::Finding;
use crate::lints::{Finds, Lint};
use crate::script::Resolved;
use crate::script::known::Known;
use crate::script::mention::Mention;
use crate::script::signature::Takes;
use motherlode_content::declare::OptionValue;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "wrong-comparison",
    severity: Severity::Error,
    why: "The value of this option is a number, or true or false. It never equals a text.",
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
    finds: Finds::InScript(check),
};

fn check(script: &Resolved<'_>, known: &Known<'_>) -> Vec<Finding> {
    let unknown = |mention: &&Mention<'_>| !known.knows(mention.takes, mention.name, mention.context);
    let mentions = script.mentions.iter().filter(|mention| mention.takes == Takes::OptionValue).filter(unknown);
    let finding = |mention: &Mention<'_>| {
        let (option, declared) = known.d.options.get_index(mention.context.option?)?;
        let is = match declared.default {
            OptionValue::Name(_) => return None,
            OptionValue::Bool(_) => "true or false",
            OptionValue::Integer(_) => "a number",
        };
        Some(Finding::new(&script.places, mention.token, format!("option `{option}` is {is}, never text")))
    };
    mentions.filter_map(finding).collect()
}
