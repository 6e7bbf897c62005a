//! Fields that nothing reads, with a name close to one that something does.

use std::collections::BTreeSet;

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, MOST_GUESSED, slip};
use crate::script::Resolved;
use crate::script::token::identifier;
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "unused-field",
    severity: Severity::Warning,
    why: "No script reads a field of this name, but one reads a field whose name differs by a single letter.",
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
    finds: Finds::InScripts(check),
};

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let (known, uses) = (scripts.known, &scripts.uses);
    let fields = scripts.list.iter().flat_map(|script| &script.calls.fields);
    let read: BTreeSet<&str> = fields.filter_map(|field| identifier(field)).collect();
    let is_read = |name: &str| {
        read.contains(name)
            || uses.texts.contains(name)
            || scripts.names.contains(name)
            || uses.functions.contains(name)
            || known.is_doubtful(name)
    };
    // A field that is read and never set has been told, with this key beside it.
    let others = read.iter().filter(|name| uses.set.contains(*name));
    let others: Vec<&str> =
        others.chain(&uses.texts).chain(&scripts.names).copied().filter(|other| other.len() > 2).collect();
    let keys = scripts.list.iter().flat_map(|script| script.names.keys.iter().map(move |key| (script, *key)));
    let finding = |(script, key, name): (&Resolved<'_>, _, &str)| {
        let finding = Finding::new(&script.places, key, format!("no script reads the field `{name}`"));
        let near = slip(name, others.iter().copied()).filter(|_| !scripts.is_told(&finding))?;
        Some(finding.help(format!("did you mean `{near}`?")))
    };
    let unread = keys.filter_map(|(script, key)| Some((script, key, identifier(key)?)));
    unread.filter(|(_, _, name)| !is_read(name)).take(MOST_GUESSED).filter_map(finding).collect()
}
