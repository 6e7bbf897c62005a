//! Definitions that nothing ever names.

use std::collections::BTreeSet;

use motherlode_content::declare::{AskChoices, AttributeType, Declarations, Offer, Value};
use motherlode_content::diagnostic::{Diagnostic, nearest};
use motherlode_content::document::{Document, Faults};
use motherlode_content::mods::Mod;
use motherlode_content::pack::Pack;
use motherlode_content::sort::Sort;
use motherlode_content::source::SourceFile;

/// What scripts name.
#[derive(Debug, Default, Clone)]
pub struct Uses {
    /// Every text that is written out in a script.
    pub texts: BTreeSet<String>,
    /// Sorts of which a name may be used that does not stand where it is used: it comes out of a variable.
    pub dynamic: BTreeSet<Sort>,
    /// How texts begin and end that scripts put together.
    pub made: BTreeSet<(String, String)>,
    /// Whether any name may be used.
    pub any_name: bool,
    /// Functions of `lib.luau` that other scripts name.
    pub functions: BTreeSet<String>,
    /// Whether any of them may be used.
    pub any_function: bool,
}

impl Uses {
    /// Scripts that may name anything, because they could not be read.
    #[must_use]
    pub fn anything() -> Self {
        use Sort::{Counter, Hook, Label, Prompt, Text, Verb, Zone};
        let dynamic = [Counter, Hook, Label, Prompt, Text, Verb, Zone].into();
        Self { dynamic, any_name: true, any_function: true, ..Self::default() }
    }

    /// Whether scripts may put this name together.
    fn makes(&self, name: &str) -> bool {
        let fits = |(begin, end): &(String, String)| name.starts_with(begin.as_str()) && name.ends_with(end.as_str());
        self.any_name || self.made.iter().any(fits)
    }
}

/// Every text that scripts can get out of the content: ids, values, names of zones and kinds, and what stands among the attributes.
pub(crate) fn values(d: &Declarations) -> BTreeSet<&str> {
    let mut values = Named::of(d).values;
    let words = d.zones.keys().chain(d.kinds.keys()).chain(d.prompts.values().flat_map(|prompt| prompt.labels.keys()));
    let words = words.chain(d.counters.values().flat_map(|counter| &counter.values));
    let words = words.chain(d.options.values().flat_map(|option| option.values.keys()));
    values.extend(words.chain(d.definitions.iter().map(|definition| &definition.id)).map(String::as_str));
    values
}

/// Warns of every counter, zone, prompt, text, label, verb and hook that neither content nor scripts name.
///
/// Only for packs without errors: what could not be read may name anything.
#[must_use]
pub fn unused(pack: &Pack, d: &Declarations, uses: &Uses) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let named = Named::of(d);
    let is_used = |sort: Sort, name: &str| {
        // What comes out of a variable was written in a script or in the content, is another name, or was put together.
        let reached = || named.values.contains(name) || uses.makes(name) || is_other_name(d, sort, name);
        uses.texts.contains(name) || uses.dynamic.contains(&sort) && reached()
    };
    for (index, name) in d.counters.keys().enumerate() {
        if !is_used(Sort::Counter, name) && !named.counters.contains(&index) && !named.values.contains(name.as_str()) {
            found.push(("game", vec!["counters", name], "counter"));
        }
    }
    for (index, name) in d.zones.keys().enumerate() {
        if !is_used(Sort::Zone, name) && !named.zones.contains(&index) && !named.values.contains(name.as_str()) {
            found.push(("game", vec!["zones", name], "zone"));
        }
    }
    for (index, (name, prompt)) in d.prompts.iter().enumerate() {
        let declared = d.phases.values().any(|p| p.asks.iter().any(|ask| ask.prompt == index));
        let offered = d.phases.values().any(|p| p.prompt == Some(index));
        if !is_used(Sort::Prompt, name) && !declared && !offered {
            found.push(("prompts", vec![name], "prompt"));
            continue;
        }
        if declared {
            continue;
        }
        for label in prompt.labels.keys().filter(|label| !is_used(Sort::Label, label)) {
            // Ids come from lists such as `defs("claims")`.
            if !named.values.contains(label.as_str()) && !d.definitions.iter().any(|x| x.id == **label) {
                found.push(("prompts", vec![name, "labels", label], "label"));
            }
        }
    }
    for name in d.texts.keys().filter(|name| !is_used(Sort::Text, name)) {
        found.push(("texts", vec![name], "text"));
    }
    for (name, _) in d.verbs.iter().filter(|(_, verb)| !verb.standard) {
        if !is_used(Sort::Verb, name) && !named.verbs.contains(name.as_str()) {
            found.push(("verbs", vec![name], "verb"));
        }
    }
    for (kind, declared) in &d.kinds {
        for hook in declared.hooks.keys().filter(|hook| !is_used(Sort::Hook, hook)) {
            let verbs = d.definitions[declared.first..declared.first + declared.len].iter();
            let script = d.scripts_of(kind).iter().any(|script| script.source.contains(hook.as_str()));
            if !script && !verbs.into_iter().any(|definition| definition.verbs.contains_key(hook)) {
                found.push(("game", vec!["kinds", kind, "hooks", hook], "hook"));
            }
        }
    }
    let warnings = found.iter().filter_map(|(stem, path, noun)| {
        let name: &str = path.last()?;
        let mut warning = warning(pack, stem, path, noun)?;
        // What a script names and nothing declares may be this.
        let texts = uses.texts.iter().map(String::as_str).filter(|text| !is_declared(d, noun, path, text));
        warning.help = nearest(name, texts).map(|text| format!("did you mean `{text}`, as a script says?"));
        Some(warning)
    });
    warnings.collect()
}

/// Whether scripts get this name as another one: of a definition, a value, a zone, a label.
fn is_other_name(d: &Declarations, sort: Sort, name: &str) -> bool {
    d.definitions.iter().any(|definition| definition.id == name)
        || d.counters.values().any(|counter| counter.values.iter().any(|value| value == name))
        || d.options.values().any(|option| option.values.contains_key(name))
        || sort != Sort::Zone && d.zones.contains_key(name)
        || sort != Sort::Label && d.prompts.values().any(|prompt| prompt.labels.contains_key(name))
}

/// Whether something of the same sort is declared by this name.
fn is_declared(d: &Declarations, noun: &str, path: &[&str], name: &str) -> bool {
    match noun {
        "counter" => d.counters.contains_key(name),
        "zone" => d.zones.contains_key(name),
        "prompt" => d.prompts.contains_key(name),
        "label" => path.first().and_then(|prompt| d.prompts.get(*prompt)).is_some_and(|p| p.labels.contains_key(name)),
        "text" => d.texts.contains_key(name),
        "verb" => d.verbs.contains_key(name),
        _ => d.kinds.values().any(|kind| kind.hooks.contains_key(name)),
    }
}

/// A warning at the key of this path, in the lowest layer that has it.
fn warning(pack: &Pack, stem: &str, path: &[&str], noun: &str) -> Option<Diagnostic> {
    let sources = pack.files.iter().chain(pack.mods().iter().flat_map(Mod::files));
    let mut sources = sources.filter(|source| pack.stem_of(&source.path) == Some(stem));
    sources.find_map(|source| warning_in(source, path, noun))
}

fn warning_in(source: &SourceFile, path: &[&str], noun: &str) -> Option<Diagnostic> {
    let faults = Faults::default();
    let document = Document::parse(source, &faults);
    let (last, before) = path.split_last()?;
    let mut table = document.root("");
    for key in before {
        table = table.get(key)?.table("")?;
    }
    let (key, _) = table.entries().into_iter().find(|(key, _)| key.text == *last)?;
    key.fault("unused-definition", format!("{noun} `{last}` is never used"), None);
    faults.take().pop().map(Diagnostic::as_warning)
}

/// What the content names.
#[derive(Debug, Default)]
struct Named<'d> {
    counters: BTreeSet<usize>,
    zones: BTreeSet<usize>,
    verbs: BTreeSet<&'d str>,
    /// Texts and keys among the attributes and the arguments of verbs; any of them may be handed to an accessor.
    values: BTreeSet<&'d str>,
}

impl<'d> Named<'d> {
    fn of(d: &'d Declarations) -> Self {
        let mut named = Self::default();
        named.counters.extend(&d.outcome.rank);
        named.counters.insert(d.outcome.score);
        named.counters.extend(d.grids.values().flat_map(|grid| &grid.show));
        for phase in d.phases.values() {
            named.counters.extend(phase.first);
            for ask in &phase.asks {
                match ask.choices {
                    AskChoices::Labels { store, .. } | AskChoices::Players { store, .. } => {
                        named.counters.extend([store])
                    }
                    AskChoices::Numbers { store, upto, .. } => named.counters.extend([store, upto]),
                    AskChoices::Buy { .. } => {}
                }
            }
            match phase.offer {
                Some(Offer::Cells { counter, .. }) => drop(named.counters.insert(counter)),
                Some(Offer::Zone(zone)) => drop(named.zones.insert(zone)),
                None => {}
            }
        }
        let texts = d.texts.values().chain(d.prompts.values().map(|prompt| &prompt.text));
        for rest in texts.flat_map(|text| text.split(":counter ").skip(1)) {
            let name = rest.split('}').next().unwrap_or_default().trim();
            named.counters.extend(d.counters.get_index_of(name));
        }
        named.zones.extend(d.zones.values().flat_map(|zone| zone.refill.into_iter().chain(zone.reshuffle)));
        named.zones.extend(d.kinds.values().filter_map(|kind| kind.zone));
        for attribute in d.kinds.values().flat_map(|kind| kind.attributes.values()) {
            named.values.extend(listed(&attribute.of).iter().map(String::as_str));
            attribute.default.iter().for_each(|value| named.value(value));
        }
        for default in d.verbs.values().flat_map(|verb| verb.args.values()).filter_map(|arg| arg.default.as_ref()) {
            named.value(default);
        }
        for definition in &d.definitions {
            definition.attributes.iter().for_each(|value| named.value(value));
            for call in definition.verbs.values().flatten() {
                named.verbs.insert(&call.verb);
                call.args.values().for_each(|value| named.value(value));
            }
        }
        named
    }

    fn value(&mut self, value: &'d Value) {
        match value {
            Value::Text(text) => drop(self.values.insert(text)),
            Value::List(list) => list.iter().for_each(|value| self.value(value)),
            Value::Map(map) => {
                for (key, value) in map {
                    self.values.insert(key);
                    self.value(value);
                }
            }
            Value::Boolean(_) | Value::Integer(_) => {}
        }
    }
}

/// The names that amounts may have.
fn listed(of: &AttributeType) -> &[String] {
    match of {
        AttributeType::Amounts(names) => names,
        AttributeType::List(of, _) => listed(of),
        _ => &[],
    }
}
