//! Declarations that neither content nor scripts name.

use crate::finding::{Finding, Scripts};
use crate::lints::{Finds, Lint, at_key};
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
    let looking = Looking { d, uses, named };
    let mut unused = looking.counters_and_zones();
    unused.extend(looking.prompts());
    unused.extend(looking.texts_and_verbs());
    unused.extend(looking.hooks());
    let findings = unused.iter().filter_map(|(stem, path, noun)| {
        let message = format!("{noun} `{}` is never used", path.last()?);
        let finding = at_key(scripts.pack, stem, path, LINT.name, message)?;
        // What a script names and nothing declares, of whatever sort, may be this.
        let texts = uses.texts.iter().copied().filter(|text| !scripts.names.contains(text));
        let near = nearest(path.last()?, texts).map(|text| format!("did you mean `{text}`, as a script says?"));
        Some(finding.help(near.or_else(|| (*noun == "verb").then(|| how_to_use(d, path.last().copied())))))
    });
    findings.collect()
}

struct Looking<'l, 'd> {
    d: &'d Declarations,
    uses: &'l Uses<'l>,
    named: Named<'d>,
}

impl<'d> Looking<'_, 'd> {
    /// Whether scripts name it.
    fn is_used(&self, sort: Sort, name: &str) -> bool {
        // What comes out of a variable was written in a script or in the content, is another name, or was put together.
        let reached = || self.named.values.contains(name) || self.uses.makes(name) || is_other_name(self.d, sort, name);
        self.uses.texts.contains(name) || self.uses.dynamic.contains(&sort) && reached()
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
            let is_value =
                |label: &str| self.named.values.contains(label) || d.definitions.iter().any(|x| x.id == label);
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

/// Whether scripts get this name as another one: of a definition, a value, a zone, a label.
fn is_other_name(d: &Declarations, sort: Sort, name: &str) -> bool {
    d.definitions.iter().any(|definition| definition.id == name)
        || d.counters.values().any(|counter| counter.values.iter().any(|value| value == name))
        || d.options.values().any(|option| option.values.contains_key(name))
        || sort != Sort::Zone && d.zones.contains_key(name)
        || sort != Sort::Label && d.prompts.values().any(|prompt| prompt.labels.contains_key(name))
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
