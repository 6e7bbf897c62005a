//! Declarations that neither content nor scripts use.

use std::collections::BTreeSet;

use crate::finding::{Finding, LintContext};
use crate::lints::{Lint, LintCheck, MAX_COMPARED_NAMES, report_at_key};
use crate::uses::{ContentReferences, Uses};
use motherlode_content::declare::{AttributeType, Declarations, MEMBER};
use motherlode_content::diagnostic::{Severity, nearest};
use motherlode_content::sort::NameKind;

pub const LINT: Lint = Lint {
    name: "unused-definition",
    severity: Severity::Warning,
    why: "Neither a script nor another TOML file names this counter, zone, prompt, label, text, verb, hook or filter. \
        It may be a leftover, or a script may misspell its name.",
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
    check: LintCheck::WholeGame(check),
};

/// An unused declaration: stem of its file, key path and noun for messages.
type UnusedName<'d> = (&'static str, Vec<&'d str>, &'static str);

fn check(context: &LintContext<'_>) -> Vec<Finding> {
    let (d, uses) = (context.known.d, &context.uses);
    let content = ContentReferences::of(d);
    let ids: BTreeSet<&str> = d.definitions.iter().map(|definition| definition.id.as_str()).collect();
    let values = d.counters.values().flat_map(|counter| &counter.values);
    let values = values.chain(d.options.values().flat_map(|option| option.values.keys())).map(String::as_str);
    let labels = d.prompts.values().flat_map(|prompt| prompt.labels.keys()).map(String::as_str);
    let finder = UnusedFinder { d, uses, content, values: values.collect(), labels: labels.collect(), ids };
    let mut unused = finder.find_counters_and_zones();
    unused.extend(finder.find_prompts());
    unused.extend(finder.find_texts_and_verbs());
    unused.extend(finder.find_hooks());
    unused.extend(finder.find_filters());
    // A script may have misspelt the name: suggest texts that are not declared.
    let texts: Vec<&str> = uses.texts.iter().copied().filter(|text| !context.names.contains(text)).collect();
    let findings = unused.iter().enumerate().filter_map(|(index, (stem, path, noun))| {
        let finding = report_at_key(context, stem, path, &format!("{noun} `{}` is never used", path.last()?))?;
        let texts = texts.iter().copied().filter(|_| index < MAX_COMPARED_NAMES);
        let near = nearest(path.last()?, texts).map(|text| format!("did you mean `{text}`, which a script uses?"));
        Some(finding.help(near.or_else(|| (*noun == "verb").then(|| explain_use(d, path.last().copied())))))
    });
    findings.collect()
}

/// Finds unused declarations.
struct UnusedFinder<'l, 'd> {
    d: &'d Declarations,
    uses: &'l Uses<'l>,
    content: ContentReferences<'d>,
    /// Ids of definitions.
    ids: BTreeSet<&'d str>,
    /// Values of counters and options.
    values: BTreeSet<&'d str>,
    /// Labels of prompts.
    labels: BTreeSet<&'d str>,
}

impl<'d> UnusedFinder<'_, 'd> {
    /// Whether scripts use a name.
    fn is_used(&self, sort: NameKind, name: &str) -> bool {
        // A name from a variable comes from the content, from another declared name, or from concatenation.
        let can_be_reached =
            || self.content.values.contains(name) || self.uses.can_build(name) || self.is_other_name(sort, name);
        self.uses.texts.contains(name) || self.uses.dynamic.contains(&sort) && can_be_reached()
    }

    /// Whether the name is also an id, a value, a zone or a label, and scripts can get it as such.
    fn is_other_name(&self, sort: NameKind, name: &str) -> bool {
        self.ids.contains(name)
            || self.values.contains(name)
            || sort != NameKind::Zone && self.d.zones.contains_key(name)
            || sort != NameKind::Label && self.labels.contains(name)
    }

    fn find_counters_and_zones(&self) -> Vec<UnusedName<'d>> {
        let (d, content) = (self.d, &self.content);
        let counter_used = |(index, name): &(usize, &String)| {
            self.is_used(NameKind::Counter, name)
                || content.counters.contains(index)
                || content.values.contains(name.as_str())
        };
        let zone_used = |(index, name): &(usize, &String)| {
            self.is_used(NameKind::Zone, name)
                || content.zones.contains(index)
                || content.values.contains(name.as_str())
        };
        // Members of a family count together, as the family.
        let plain = |(_, name): &(usize, &String)| !name.contains(MEMBER);
        let counters = d.counters.keys().enumerate().filter(|one| plain(one) && !counter_used(one));
        let zones = d.zones.keys().enumerate().filter(|one| plain(one) && !zone_used(one));
        let family_used = |name: &str| {
            self.is_used(NameKind::CounterFamily, name)
                || self.is_used(NameKind::Family, name)
                || content.values.contains(name)
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

    fn find_prompts(&self) -> Vec<UnusedName<'d>> {
        let d = self.d;
        let mut found = Vec::new();
        for (index, (name, prompt)) in d.prompts.iter().enumerate() {
            let declared = d.phases.values().any(|phase| phase.asks.iter().any(|ask| ask.prompt == index));
            let offered = d.phases.values().any(|phase| phase.prompt == Some(index));
            let reactions = &self.content.reactions;
            let asked = reactions.questions.contains(&index);
            let aimed = reactions.targets.contains(&index);
            let heard = asked || aimed || reactions.orders.contains(&index) || self.content.prompts.contains(&index);
            if !self.is_used(NameKind::Prompt, name) && !declared && !offered && !heard {
                found.push(("prompts", vec![name.as_str()], "prompt"));
                continue;
            }
            // Labels may be ids from lists such as `defs("claims")`.
            let is_value = |label: &str| self.content.values.contains(label) || self.ids.contains(label);
            let by_listener = |label: &str| asked && ["yes", "no"].contains(&label) || aimed && label == "player";
            for label in prompt.labels.keys().filter(|label| !declared && !by_listener(label)) {
                if !self.is_used(NameKind::Label, label) && !is_value(label) {
                    found.push(("prompts", vec![name, "labels", label], "label"));
                }
            }
        }
        found
    }

    fn find_texts_and_verbs(&self) -> Vec<UnusedName<'d>> {
        let d = self.d;
        let is_shown_by_phase = |text: usize| {
            self.content.texts.contains(&text) || d.phases.values().any(|phase| phase.stuck == Some(text))
        };
        let texts = d
            .texts
            .keys()
            .enumerate()
            .filter(|(index, name)| !self.is_used(NameKind::Text, name) && !is_shown_by_phase(*index));
        let verbs = d.verbs.iter().filter(|(_, verb)| !verb.standard).map(|(name, _)| name);
        let verbs =
            verbs.filter(|name| !self.is_used(NameKind::Verb, name) && !self.content.verbs.contains(name.as_str()));
        let texts = texts.map(|(_, name)| ("texts", vec![name.as_str()], "text"));
        texts.chain(verbs.map(|name| ("verbs", vec![name.as_str()], "verb"))).collect()
    }

    fn find_filters(&self) -> Vec<UnusedName<'d>> {
        // A script may pass an argument of a verb on.
        let args = self.d.verbs.values().flat_map(|verb| verb.args.values()).map(|arg| &arg.of);
        let listed = args.filter(|_| self.uses.dynamic.contains(&NameKind::Filter)).flat_map(|of| match of {
            AttributeType::Text(values) => values.as_slice(),
            _ => &[],
        });
        let listed: BTreeSet<&str> = listed.map(String::as_str).collect();
        let is_used = |name: &str| {
            self.content.reactions.filters.contains(name)
                || listed.contains(name)
                || self.is_used(NameKind::Filter, name)
        };
        let unused = self.d.filters.keys().filter(|name| !is_used(name));
        unused.map(|name| ("reactions", vec!["filters", name], "filter")).collect()
    }

    fn find_hooks(&self) -> Vec<UnusedName<'d>> {
        let d = self.d;
        let mut found = Vec::new();
        for (kind, declared) in &d.kinds {
            let definitions = &d.definitions[declared.first..declared.first + declared.len];
            let is_written = |hook: &String| {
                definitions.iter().any(|one| one.verbs.contains_key(hook) || one.scripted.contains(hook))
            };
            let unused = |hook: &&String| !self.is_used(NameKind::Hook, hook) && !is_written(hook);
            for hook in declared.hooks.keys().filter(|hook| declared.list_of(hook).is_none()).filter(unused) {
                found.push(("game", vec!["kinds", kind, "hooks", hook], "hook"));
            }
            for list in declared.lists.keys().filter(|list| !self.is_used(NameKind::HookList, list)) {
                found.push(("game", vec!["kinds", kind, "hooks", list], "list of hooks"));
            }
        }
        found
    }
}

/// Shows how a definition uses a verb.
fn explain_use(d: &Declarations, verb: Option<&str>) -> String {
    let hook = d.kinds.values().find_map(|kind| kind.hooks.keys().next()).map_or("play", String::as_str);
    let verb = verb.unwrap_or_default();
    let args = d.verbs.get(verb).map(|verb| verb.args.keys().map(|arg| format!("{arg} = ...")).collect::<Vec<_>>());
    match args.filter(|args| !args.is_empty()) {
        Some(args) => {
            format!("use it in a hook of a definition: `{hook} = [{{ {verb} = {{ {} }} }}]`", args.join(", "))
        }
        None => format!("use it in a hook of a definition: `{hook} = [{{ {verb} = {{}} }}]`"),
    }
}
