//! Hooks that change the match although they must not.

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck};
use crate::reach::find_forbidden_calls;
use crate::script::ResolvedScript;
use crate::script::returned::{Hook, Owner};
use crate::script::source_map::SourceMap;
use motherlode::language::{Accessor, LOOKING_HOOKS};
use motherlode_content::declare::{Declarations, Turns};
use motherlode_content::diagnostic::Severity;

pub const LINT: Lint = Lint {
    name: "forbidden-write",
    severity: Severity::Error,
    why: "`applies`, `order`, `skip` and `offer` are read-only: the engine may call them any number of times. Change the state, draw, ask \
        and log in `start`, `run`, `turn`, `act` or `finish`. In a sealed phase all players act at once, so `turn` and `act` must not \
        draw, ask other players or end the game. `redeal` of the game may only set counters.",
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
    check: LintCheck::AllScripts(check),
};

/// A rule that forbids some hooks to call some accessors.
struct Rule {
    forbids: fn(&str, &Accessor) -> bool,
    because: &'static str,
    help: &'static str,
}

const READ_ONLY: Rule = Rule {
    forbids: |_, accessor| ["writes", "draws", "asks"].contains(&accessor.place),
    because: "it is read-only",
    help: "do it in `start`, `run`, `turn`, `act` or `finish` of a phase",
};

const SEALED: Rule = Rule {
    forbids: |name, accessor| accessor.place == "draws" || ["end_game", "ask_all", "ask_in_turn"].contains(&name),
    because: "all players act at once in a sealed phase",
    help: "do it in `start` or `finish` of the phase",
};

const REDEAL: Rule = Rule {
    forbids: |name, accessor| {
        let sets = ["set", "gain", "pay", "gain_up_to", "random"].contains(&name);
        ["writes", "draws", "asks", "lists"].contains(&accessor.place) && !sets
    },
    because: "it may only set counters",
    help: "set counters with `redeal = \"hook\"`, and draw with `random`",
};

/// Returns the rule for a hook, if there is one. `section`: the hook's phase.
fn rule_of(d: &Declarations, hook: &Hook<'_>, section: Option<&str>) -> Option<&'static Rule> {
    match hook.owner {
        Owner::Phase if LOOKING_HOOKS.contains(&hook.name) => Some(&READ_ONLY),
        Owner::Phase if ["turn", "act"].contains(&hook.name) => {
            let phase = d.phases.get(section?)?;
            (phase.turns == Turns::Sealed).then_some(&SEALED)
        }
        Owner::Game if hook.name == "redeal" => Some(&REDEAL),
        _ => None,
    }
}

/// Returns the phase of a hook: the last phase whose key precedes the hook.
fn section_of<'a>(script: &ResolvedScript<'a>, hook: &Hook<'a>) -> Option<&'a str> {
    let before = |key| SourceMap::start(key) < SourceMap::start(hook.key);
    let sections = script.returned.sections.iter().filter(|section| before(section.key));
    sections.max_by_key(|section| SourceMap::start(section.key)).map(|section| section.name)
}

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for script in context.scripts {
        for hook in &script.returned.hooks {
            let Some(rule) = rule_of(context.known.d, hook, section_of(script, hook)) else { continue };
            for one in find_forbidden_calls(context, script, hook, &rule.forbids) {
                let message = one.message(hook.name, rule.because);
                let finding = Finding::new(&script.source_map, one.token, message).help(rule.help.to_owned());
                found.push(Finding { is_guess: one.through.is_some(), ..finding });
            }
        }
    }
    found
}
