//! Hooks that only look, and write all the same.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint};
use crate::reach::reached;
use crate::script::Resolved;
use crate::script::place::Places;
use crate::script::returned::{Hook, Owner};
use motherlode::language::{Accessor, LOOKING_HOOKS};
use motherlode_content::declare::{Declarations, Turns};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "forbidden-write",
    severity: Severity::Error,
    why: "`applies`, `order`, `skip` and `offer` only look at the position: the engine may call them as often as it likes. \
        What they change, draw, ask or write to the transcript belongs in `start`, `run`, `turn`, `act` or `finish`. In a sealed \
        phase all act at once, so `turn` and `act` draw nothing, ask nobody else and do not end the game. `redeal` of the game sets counters only.",
    bad: r#"return {
    play = {
        skip = function(player)
            gain(player, "gold", 1)
            return get(player, "gold") > 3
        end,
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    good: r#"return {
    play = {
        skip = function(player)
            return get(player, "gold") > 3
        end,
        turn = function(player)
            gain(player, "gold", 1)
        end,
    },
}
"#,
    finds: Finds::InScripts(check),
};

/// What some hooks must not call.
struct Rule {
    forbids: fn(&str, &Accessor) -> bool,
    because: &'static str,
    help: &'static str,
}

const LOOKING: Rule = Rule {
    forbids: |_, accessor| ["writes", "draws", "asks"].contains(&accessor.place),
    because: "it only looks",
    help: "do it in `start`, `run`, `turn`, `act` or `finish` of a phase",
};

const SEALED: Rule = Rule {
    forbids: |name, accessor| accessor.place == "draws" || ["end_game", "ask_all", "ask_in_turn"].contains(&name),
    because: "in a sealed phase all act at once, each for themselves",
    help: "do it in `start` or `finish` of the phase",
};

const REDEAL: Rule = Rule {
    forbids: |name, accessor| {
        let sets = ["set", "gain", "pay", "gain_up_to", "random"].contains(&name);
        ["writes", "draws", "asks", "lists"].contains(&accessor.place) && !sets
    },
    because: "it only deals counters again",
    help: "set counters with `redeal = \"hook\"`, and draw with `random`",
};

/// The rule for a hook, if there is one. `section`: its phase.
fn rule_of(d: &Declarations, hook: &Hook<'_>, section: Option<&str>) -> Option<&'static Rule> {
    match hook.owner {
        Owner::Phase if LOOKING_HOOKS.contains(&hook.name) => Some(&LOOKING),
        Owner::Phase if ["turn", "act"].contains(&hook.name) => {
            let phase = d.phases.get(section?)?;
            (phase.turns == Turns::Sealed).then_some(&SEALED)
        }
        Owner::Game if hook.name == "redeal" => Some(&REDEAL),
        _ => None,
    }
}

/// The phase whose hook this is: the last one named before it.
fn section_of<'a>(script: &Resolved<'a>, hook: &Hook<'a>) -> Option<&'a str> {
    let before = |key| Places::start(key) < Places::start(hook.key);
    let sections = script.returned.sections.iter().filter(|section| before(section.key));
    sections.max_by_key(|section| Places::start(section.key)).map(|section| section.name)
}

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for script in scripts.list {
        for hook in &script.returned.hooks {
            let Some(rule) = rule_of(scripts.known.d, hook, section_of(script, hook)) else { continue };
            for one in reached(scripts, script, hook, &rule.forbids) {
                let message = one.message(hook.name, rule.because);
                found.push(Finding::new(&script.places, one.token, message).help(rule.help.to_owned()));
            }
        }
    }
    found
}
