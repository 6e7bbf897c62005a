//! Collects the names that scripts and content use.

use std::collections::BTreeSet;

use crate::reactions::ReactionUses;
use crate::script::ResolvedScript;
use crate::script::call::FunctionTable;
use crate::script::resolve::UseKind;
use crate::script::signature::{ExpectedName, SIGNATURES};
use crate::script::token::{identifier, literal};
use motherlode_content::declare::{
    AskChoices, AttributeType, Declarations, Family, Offer, OptionValue, Pick, PickSource, ShownValue, Upto, Value,
};
use motherlode_content::sort::NameKind;

/// Names and texts in scripts.
#[derive(Debug, Default)]
pub struct Uses<'a> {
    /// Every string literal.
    pub texts: BTreeSet<&'a str>,
    /// Fields that a script assigns.
    pub assigned_fields: BTreeSet<&'a str>,
    /// Sorts whose names scripts pass in variables.
    pub dynamic: BTreeSet<NameKind>,
    /// Prefix and suffix of each text that a script builds.
    pub affixes: BTreeSet<(&'a str, &'a str)>,
    /// Functions of `lib.luau` that other scripts mention.
    pub functions: BTreeSet<&'a str>,
    /// Whether scripts may use any function of `lib.luau`.
    pub is_any_function_used: bool,
    /// Whether scripts may use any name, because one of them cannot be parsed.
    pub is_any_name_used: bool,
}

impl<'a> Uses<'a> {
    /// Collects the uses. `has_unread`: there are scripts that cannot be parsed.
    pub fn of(scripts: &'a [ResolvedScript<'a>], has_unread: bool) -> Self {
        let mut uses = Self { is_any_function_used: has_unread, is_any_name_used: has_unread, ..Self::default() };
        for script in scripts {
            uses.texts.extend(script.names.texts.iter().filter_map(|token| literal(token)));
            uses.assigned_fields.extend(&script.names.assigned_fields);
            uses.affixes.extend(script.names.affixes.iter().map(|(begin, end)| (begin.as_str(), end.as_str())));
            uses.dynamic.extend(&script.dynamic);
            // An accessor passed as a value may be called with any name.
            let passed = script.names.free.iter().filter(|free| free.use_kind != UseKind::Call);
            let expected =
                passed.filter_map(|free| SIGNATURES.get(free.name)).flat_map(|signature| &signature.expected);
            uses.dynamic.extend(expected.filter_map(|expected| match expected {
                ExpectedName::Name(sort) => Some(sort),
                _ => None,
            }));
            let of_lib = script.calls.function_references.iter().filter(|named| named.table == FunctionTable::Lib);
            uses.functions.extend(of_lib.filter_map(|named| identifier(named.field)));
            uses.is_any_function_used |= script.calls.has_escaped_lib;
        }
        if has_unread {
            use NameKind::{Counter, Hook, Label, Prompt, Text, Verb, Zone};
            uses.dynamic.extend([Counter, Hook, Label, Prompt, Text, Verb, Zone]);
        }
        uses
    }

    /// Whether scripts may build this name by concatenation.
    pub fn can_build(&self, name: &str) -> bool {
        self.is_any_name_used || self.affixes.iter().any(|(begin, end)| name.starts_with(begin) && name.ends_with(end))
    }
}

/// Collects every text that scripts can get from the content: ids, values, names of zones and kinds, labels, attributes.
pub fn values(d: &Declarations) -> BTreeSet<&str> {
    let mut values = ContentReferences::of(d).values;
    let words = d.zones.keys().chain(d.kinds.keys()).chain(d.prompts.values().flat_map(|prompt| prompt.labels.keys()));
    let words = words.chain(d.counters.values().flat_map(|counter| &counter.values));
    let words = words.chain(d.options.values().flat_map(|option| option.values.keys()));
    values.extend(words.chain(d.definitions.iter().map(|definition| &definition.id)).map(String::as_str));
    values
}

/// Collects every declared name and every text of `values`.
pub fn names<'d>(d: &'d Declarations, values: &BTreeSet<&'d str>) -> BTreeSet<&'d str> {
    let mut names = values.clone();
    let words = d.counters.keys().chain(d.zones.keys()).chain(d.grids.keys()).chain(d.kinds.keys());
    let words = words.chain(d.counter_families.keys()).chain(d.zone_families.keys());
    let words = words.chain(d.prompts.keys()).chain(d.texts.keys()).chain(d.options.keys()).chain(d.phases.keys());
    let words = words.chain(d.events.keys()).chain(d.filters.keys());
    let of_kinds = d.kinds.values().flat_map(|kind| kind.attributes.keys().chain(kind.hooks.keys()));
    let of_verbs = d.verbs.iter().flat_map(|(name, verb)| [name].into_iter().chain(verb.args.keys()));
    names.extend(words.chain(of_kinds).chain(of_verbs).map(String::as_str));
    for option in d.options.values() {
        if let OptionValue::Name(name) = &option.default {
            names.insert(name);
        }
    }
    names
}

/// Names that the content uses.
#[derive(Debug, Default)]
pub struct ContentReferences<'d> {
    /// Indices of counters.
    pub counters: BTreeSet<usize>,
    /// Indices of zones.
    pub zones: BTreeSet<usize>,
    /// Verbs.
    pub verbs: BTreeSet<&'d str>,
    /// Prompts (indices) of choices.
    pub prompts: BTreeSet<usize>,
    /// Texts (indices) that say why nothing can be chosen.
    pub texts: BTreeSet<usize>,
    /// Texts and keys in attributes and verb arguments. A script may pass any of them to an accessor.
    pub values: BTreeSet<&'d str>,
    /// What events, listeners and modifiers use.
    pub reactions: ReactionUses<'d>,
}

impl<'d> ContentReferences<'d> {
    /// Collects the names from the declarations.
    pub fn of(d: &'d Declarations) -> Self {
        let mut named = Self { reactions: ReactionUses::of(d), ..Self::default() };
        named.counters.extend(d.outcome.rank.iter().map(|key| key.counter));
        named.counters.insert(d.outcome.score);
        named.counters.extend(d.outcome.teams.into_iter().chain(d.outcome.won));
        named.counters.extend(d.grids.values().flat_map(|grid| &grid.show));
        for phase in d.phases.values() {
            named.counters.extend(phase.first);
            named.counters.extend(phase.limit);
            named.zones.extend(phase.stack);
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
        named.texts.extend(d.prompts.values().filter_map(|prompt| prompt.none));
        let texts = d.texts.values().chain(d.prompts.values().map(|prompt| &prompt.text));
        for rest in texts.flat_map(|text| text.split(":counter ").skip(1)) {
            let name = rest.split('}').next().unwrap_or_default().trim();
            named.counters.extend(d.counters.get_index_of(name));
            named.counters.extend(d.counter_families.get(name).into_iter().flat_map(Family::members));
        }
        named.zones.extend(d.zones.values().flat_map(|zone| zone.refill.into_iter().chain(zone.reshuffle)));
        named.zones.extend(d.kinds.values().filter_map(|kind| kind.zone));
        for attribute in d.kinds.values().flat_map(|kind| kind.attributes.values()) {
            named.values.extend(amount_names(&attribute.of).iter().map(String::as_str));
            attribute.default.iter().for_each(|value| named.add_value(value));
        }
        for default in d.verbs.values().flat_map(|verb| verb.args.values()).filter_map(|arg| arg.default.as_ref()) {
            named.add_value(default);
        }
        for verb in d.verbs.values() {
            named.texts.extend(verb.none);
            for pick in verb.picks.list.values() {
                named.add_pick(pick, d);
            }
            named.values.extend(verb.picks.done.iter().map(String::as_str));
            for call in verb.stands_for.values() {
                named.verbs.insert(&call.verb);
                call.args.values().for_each(|value| named.add_value(value));
            }
        }
        for definition in &d.definitions {
            definition.attributes.iter().for_each(|value| named.add_value(value));
        }
        let calls = d.definitions.iter().flat_map(|definition| definition.verbs.values().flatten());
        for call in calls.chain(std::mem::take(&mut named.reactions.calls)) {
            named.verbs.insert(&call.verb);
            call.args.values().for_each(|value| named.add_value(value));
        }
        named.counters.extend(&named.reactions.counters);
        named.zones.extend(&named.reactions.zones);
        named
    }

    fn add_pick(&mut self, pick: &'d Pick, d: &'d Declarations) {
        self.prompts.insert(pick.prompt);
        self.texts.extend(pick.none);
        self.values.extend(pick.labels.iter().map(String::as_str));
        match pick.source {
            Some(PickSource::Zone(zone)) => drop(self.zones.insert(zone)),
            Some(PickSource::Numbers { upto: Upto::Counter(upto), .. }) => drop(self.counters.insert(upto)),
            Some(PickSource::Filter(filter)) => {
                self.reactions.filters.extend(d.filters.get_index(filter).map(|(name, _)| name.as_str()));
            }
            _ => {}
        }
        for shown in &pick.shows {
            if let ShownValue::Counter(counter) = shown {
                self.counters.insert(*counter);
            }
        }
    }

    fn add_value(&mut self, value: &'d Value) {
        match value {
            Value::Text(text) => drop(self.values.insert(text)),
            Value::List(list) => list.iter().for_each(|value| self.add_value(value)),
            Value::Map(map) => {
                for (key, value) in map {
                    self.values.insert(key);
                    self.add_value(value);
                }
            }
            Value::Boolean(_) | Value::Integer(_) | Value::Formula(_) => {}
        }
    }
}

/// Returns the keys that amounts may have.
fn amount_names(of: &AttributeType) -> &[String] {
    match of {
        AttributeType::Amounts(names) => names,
        AttributeType::List(of, _) => amount_names(of),
        _ => &[],
    }
}
