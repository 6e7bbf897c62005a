//! Fields that nothing reads, with a name close to a field that is read.

use std::collections::BTreeSet;

use motherlode::language::{GAME_HOOKS, PHASE_HOOKS};

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, MAX_COMPARED_NAMES, find_typo};
use crate::script::ResolvedScript;
use crate::script::token::identifier;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unused-field",
    severity: Severity::Warning,
    why: "No script reads a field of this name, but a script reads a field whose name differs by one letter.",
    bad: r#"return {
    play = {
        turn = function(player)
            local ship = { speed = 2, armour = 1, armuor = 3 }
            gain(player, "gold", ship.speed + ship.armour)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        turn = function(player)
            local ship = { speed = 2, armour = 3 }
            gain(player, "gold", ship.speed + ship.armour)
        end,
    },
}
"#,
    check: LintCheck::AllScripts(check),
};

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let (known, uses) = (context.known, &context.uses);
    // Listeners read the arguments of events.
    let args = known.d.events.values().flat_map(|event| event.args.keys()).map(String::as_str);
    let fields = context.scripts.iter().flat_map(|script| &script.calls.fields);
    let read: BTreeSet<&str> = fields.filter_map(|field| identifier(field)).chain(args).collect();
    let is_read = |name: &str| {
        read.contains(name)
            || uses.texts.contains(name)
            || context.names.contains(name)
            || uses.functions.contains(name)
            || PHASE_HOOKS.contains(&name)
            || GAME_HOOKS.contains(&name)
            || known.is_doubtful(name)
    };
    // `unset-field` reports fields that are read but never set.
    let others = read.iter().filter(|name| uses.assigned_fields.contains(*name));
    let others: Vec<&str> =
        others.chain(&uses.texts).chain(&context.names).copied().filter(|other| other.len() > 2).collect();
    let keys = context.scripts.iter().flat_map(|script| script.names.keys.iter().map(move |key| (script, *key)));
    let finding = |(script, key, name): (&ResolvedScript<'_>, _, &str)| {
        let finding = Finding::new(&script.source_map, key, format!("no script reads the field `{name}`"));
        let near = find_typo(name, others.iter().copied()).filter(|_| !context.is_reported(&finding))?;
        Some(finding.help(format!("did you mean `{near}`?")))
    };
    let unread = keys.filter_map(|(script, key)| Some((script, key, identifier(key)?)));
    unread.filter(|(_, _, name)| !is_read(name)).take(MAX_COMPARED_NAMES).filter_map(finding).collect()
}
