//! Declarations that neither content nor scripts name.

use std::collections::BTreeSet;

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, MOST_GUESSED, at_key};
use crate::uses::{Named, Uses};
use motherlode_content::declare::{Declarations, MEMBER};
use motherlode_content::diagnostic::{Severity, nearest};
use motherlode_content::sort::Sort;

pub const LINT: Lint = Lint {
    name: "unused-definition",
    severity: Severity::Warning,
    why: "Neither a script nor another TOML file names this counter, zone, prompt, label, text, verb or hook. \
        It may be left over, or a script may name it wrongly.",
    bad: r#"-- texts.toml
raid = "{1:player} raids {2:player} with {3}."
calm = "Calm."
storm = "A storm rises."
"#,
    good: r#"return {
    play = {
        turn = function(player)
            log("storm")
        end,
    },
}

-- texts.toml
raid = "{1:player} raids {2:player} with {3}."
calm = "Calm."
storm = "A storm rises."
"#,
    finds: Finds::Unused(check),
};

/// What nothing names: stem of its file, keys to it, and what it is.
type Unused<'d> = (&'static str, Vec<&'d str>, &'static str);

fn check(scripts: &Scripts<'_>) -> Vec<Finding> {
    let (d, uses) = (scripts.known.d, &scripts.uses);
    let named = Named::of(d);
    let ids: BTreeSet<&str> = d.definitions.iter().map(|definition| definition.id.as_str()).collect();
    let values = d.counters.values().flat_map(|counter| &counter.values);
    let values = values.chain(d.options.values().flat_map(|option| option.values.keys())).map(String::as_str);
    let labels = d.prompts.values().flat_map(|prompt| prompt.labels.keys()).map(String::as_str);
    let looking = Looking { d, uses, named, values: values.collect(), labels: labels.collect(), ids };
    let mut unused = looking.counters_and_zones();
    unused.extend(looking.prompts());
    unused.extend(looking.texts_and_verbs());
    unused.extend(looking.hooks());
    // What a script names and nothing declares, of whatever sort, may be meant.
    let texts: Vec<&str> = uses.texts.iter().copied().filter(|text| !scripts.names.contains(text)).collect();
    let findings = unused.iter().enumerate().filter_map(|(index, (stem, path, noun))| {
        let finding = at_key(scripts, stem, path, &format!("{noun} `{}` is never used", path.last()?))?;
        let texts = texts.iter().copied().filter(|_| index < MOST_GUESSED);
        let near = nearest(path.last()?, texts).map(|text| format!("did you mean `{text}`, as a script says?"));
        Some(finding.help(near.or_else(|| (*noun == "verb").then(|| how_to_use(d, path.last().copied())))))
    });
    findings.collect()
}

struct Looking<'l, 'd> {
    d: &'d Declarations,
    uses: &'l Uses<'l>,
    named: Named<'d>,
    /// Ids of definitions.
    ids: BTreeSet<&'d str>,
    /// Values of counters and options.
    values: BTreeSet<&'d str>,
    /// Labels of prompts.
    labels: BTreeSet<&'d str>,
}

impl<'d> Looking<'_, 'd> {
    /// Whether scripts name it.
    fn is_used(&self, sort: Sort, name: &str) -> bool {
        // What comes out of a variable was written in a script or in the content, is another name, or was put together.
        let reached = || self.named.values.contains(name) || self.uses.makes(name) || self.is_other_name(sort, name);
        self.uses.texts.contains(name) || self.uses.dynamic.contains(&sort) && reached()
    }

    /// Whether scripts get this name as another one: of a definition, a value, a zone, a label.
    fn is_other_name(&self, sort: Sort, name: &str) -> bool {
        self.ids.contains(name)
            || self.values.contains(name)
            || sort != Sort::Zone && self.d.zones.contains_key(name)
            || sort != Sort::Label && self.labels.contains(name)
    }

    fn counters_and_zones(&self) -> Vec<Unused<'d>> {
        let (d, named) = (self.d, &self.named);
        let counter_used = |(index, name): &(usize, &String)| {
            self.is_used(Sort::Counter, name) || named.counters.contains(index) || named.values.contains(name.as_str())
        };
        let zone_used = |(index, name): &(usize, &String)| {
            self.is_used(Sort::Zone, name) || named.zones.contains(index) || named.values.contains(name.as_str())
        };
        // A family is used as a whole.
        let plain = |(_, name): &(usize, &String)| !name.contains(MEMBER);
        let counters = d.counters.keys().enumerate().filter(|one| plain(one) && !counter_used(one));
        let zones = d.zones.keys().enumerate().filter(|one| plain(one) && !zone_used(one));
        let family_used = |name: &str| {
            self.is_used(Sort::CounterFamily, name) || self.is_used(Sort::Family, name) || named.values.contains(name)
        };
        let counter_families = d.counter_families.iter().filter(|(name, family)| {
            let mut members = d.counters.keys().enumerate().skip(family.first).take(family.len);
            !family_used(name) && !members.any(|one| counter_used(&one))
        });
        let zone_families = d.zone_families.iter().filter(|(name, family)| {
            let mut members = d.zones.keys().enumerate().skip(family.first).take(family.len);
            !family_used(name) && !members.any(|one| zone_used(&one))
        });
        let counters = counters.map(|(_, name)| name).chain(counter_families.map(|(name, _)| name));
        let zones = zones.map(|(_, name)| name).chain(zone_families.map(|(name, _)| name));
        let counters = counters.map(|name| ("game", vec!["counters", name.as_str()], "counter"));
        counters.chain(zones.map(|name| ("game", vec!["zones", name.as_str()], "zone"))).collect()
    }

    fn prompts(&self) -> Vec<Unused<'d>> {
        let d = self.d;
        let mut found = Vec::new();
        for (index, (name, prompt)) in d.prompts.iter().enumerate() {
            let declared = d.phases.values().any(|phase| phase.asks.iter().any(|ask| ask.prompt == index));
            let offered = d.phases.values().any(|phase| phase.prompt == Some(index));
            if !self.is_used(Sort::Prompt, name) && !declared && !offered {
                found.push(("prompts", vec![name.as_str()], "prompt"));
                continue;
            }
            // Ids come from lists such as `defs("claims")`.
            let is_value = |label: &str| self.named.values.contains(label) || self.ids.contains(label);
            for label in prompt.labels.keys().filter(|_| !declared) {
                if !self.is_used(Sort::Label, label) && !is_value(label) {
                    found.push(("prompts", vec![name, "labels", label], "label"));
                }
            }
        }
        found
    }

    fn texts_and_verbs(&self) -> Vec<Unused<'d>> {
        let d = self.d;
        let told = |text: usize| d.phases.values().any(|phase| phase.stuck == Some(text));
        let texts = d.texts.keys().enumerate().filter(|(index, name)| !self.is_used(Sort::Text, name) && !told(*index));
        let verbs = d.verbs.iter().filter(|(_, verb)| !verb.standard).map(|(name, _)| name);
        let verbs = verbs.filter(|name| !self.is_used(Sort::Verb, name) && !self.named.verbs.contains(name.as_str()));
        let texts = texts.map(|(_, name)| ("texts", vec![name.as_str()], "text"));
        texts.chain(verbs.map(|name| ("verbs", vec![name.as_str()], "verb"))).collect()
    }

    fn hooks(&self) -> Vec<Unused<'d>> {
        let d = self.d;
        let mut found = Vec::new();
        for (kind, declared) in &d.kinds {
            let definitions = &d.definitions[declared.first..declared.first + declared.len];
            for hook in declared.hooks.keys().filter(|hook| !self.is_used(Sort::Hook, hook)) {
                let in_script = d.scripts_of(kind).iter().any(|script| script.source.contains(hook.as_str()));
                if !in_script && !definitions.iter().any(|definition| definition.verbs.contains_key(hook)) {
                    found.push(("game", vec!["kinds", kind, "hooks", hook], "hook"));
                }
            }
        }
        found
    }
}

/// How a verb is used by a definition.
fn how_to_use(d: &Declarations, verb: Option<&str>) -> String {
    let hook = d.kinds.values().find_map(|kind| kind.hooks.keys().next()).map_or("play", String::as_str);
    let verb = verb.unwrap_or_default();
    let args = d.verbs.get(verb).map(|verb| verb.args.keys().map(|arg| format!("{arg} = ...")).collect::<Vec<_>>());
    match args.filter(|args| !args.is_empty()) {
        Some(args) => format!("a definition uses it in a hook: `{hook} = [{{ {verb} = {{ {} }} }}]`", args.join(", ")),
        None => format!("a definition uses it in a hook: `{hook} = [{{ {verb} = {{}} }}]`"),
    }
}
