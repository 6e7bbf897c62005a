//! Fields of players and tokens, which are numbers.

use full_moon::tokenizer::TokenReference;

use crate::finding::Finding;
use crate::lints::{Lint, LintCheck};
use crate::script::ResolvedScript;
use crate::script::known::DeclaredNames;
use crate::script::role::{Role, role_of_name};
use crate::script::token::{identifier, plain_field};
use motherlode_content::declare::{Declarations, Holder};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "number-field",
    severity: Severity::Error,
    why: "Players and tokens are numbers without fields. Calls read and change their counters and attributes.",
    bad: r#"return {
    play = {
        turn = function(player)
            player.gold += 1
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    check: LintCheck::Script(check),
};

fn check(script: &ResolvedScript<'_>, known: &DeclaredNames<'_>) -> Vec<Finding> {
    let read = script.names.chains.iter().filter_map(|chain| Some((chain.token, chain.first_field()?, false)));
    let set = script.names.field_targets.iter().filter_map(|target| {
        let (name, field) = plain_field(target)?;
        Some((name, field, true))
    });
    let finding = |(name, field, is_set): (&TokenReference, &TokenReference, bool)| {
        let (role, counter) = (role_of_name(&script.names, &script.returned, known.d, name)?, identifier(field)?);
        let (noun, name) = (role.noun(), identifier(name)?);
        let message = format!("{noun} is a number and has no field `{counter}`");
        Some(Finding::new(&script.source_map, field, message).help(help(known.d, role, name, counter, is_set)))
    };
    read.chain(set).filter_map(finding).collect()
}

/// The call that reads or changes what the field names.
fn help(d: &Declarations, role: Role, name: &str, field: &str, is_set: bool) -> String {
    let is_of = |per: Holder| match role {
        Role::Game => per == Holder::Game,
        Role::Player => per == Holder::Player,
        Role::Token => matches!(per, Holder::Token(_)),
    };
    let is_counter = d.counters.get(field).is_some_and(|counter| is_of(counter.per));
    let is_attribute = || d.kinds.values().any(|kind| kind.attributes.contains_key(field));
    match role {
        _ if is_counter && is_set => format!("write `set({name}, \"{field}\", value)`, or `gain` or `pay`"),
        _ if is_counter => format!("write `get({name}, \"{field}\")`"),
        Role::Token if is_attribute() => format!("write `attr({name}, \"{field}\")`"),
        Role::Token => "read an attribute with `attr` and a counter with `get`".to_owned(),
        _ => "read a counter with `get`, and change it with `gain`, `pay` or `set`".to_owned(),
    }
}
