//! What scripts and content name.

use std::collections::BTreeSet;

use crate::script::Resolved;
use crate::script::call::Table;
use crate::script::resolve::Use;
use crate::script::signature::{SIGNATURES, Takes};
use crate::script::token::{identifier, literal};
use motherlode_content::declare::{AskChoices, AttributeType, Declarations, Family, Offer, OptionValue, Value};
use motherlode_content::sort::Sort;

/// What scripts name.
#[derive(Debug, Default)]
pub struct Uses<'a> {
    /// Every text that is written out in a script.
    pub texts: BTreeSet<&'a str>,
    /// Fields that a script sets.
    pub set: BTreeSet<&'a str>,
    /// Sorts of which a name may be used that does not stand where it is used: it comes out of a variable.
    pub dynamic: BTreeSet<Sort>,
    /// How texts begin and end that scripts put together.
    pub made: BTreeSet<(&'a str, &'a str)>,
    /// Functions of `lib.luau` that other scripts name.
    pub functions: BTreeSet<&'a str>,
    /// Whether any of them may be used.
    pub any_function: bool,
    /// Whether any name may be used: a script could not be read.
    pub any_name: bool,
}

impl<'a> Uses<'a> {
    /// What these scripts name; `unread`: there are others.
    pub fn of(scripts: &'a [Resolved<'a>], unread: bool) -> Self {
        let mut uses = Self { any_function: unread, any_name: unread, ..Self::default() };
        for script in scripts {
            uses.texts.extend(script.names.texts.iter().filter_map(|token| literal(token)));
            uses.set.extend(&script.names.set);
            uses.made.extend(script.names.made.iter().map(|(begin, end)| (begin.as_str(), end.as_str())));
            uses.dynamic.extend(&script.dynamic);
            // An accessor that is handed on may be called with any name.
            let handed_on = script.names.free.iter().filter(|free| free.how != Use::Call);
            let takes = handed_on.filter_map(|free| SIGNATURES.get(free.name)).flat_map(|signature| &signature.takes);
            uses.dynamic.extend(takes.filter_map(|takes| match takes {
                Takes::Name(sort) => Some(sort),
                _ => None,
            }));
            let of_lib = script.calls.named.iter().filter(|named| named.table == Table::Lib);
            uses.functions.extend(of_lib.filter_map(|named| identifier(named.field)));
            uses.any_function |= script.calls.lib_escapes;
        }
        if unread {
            use Sort::{Counter, Hook, Label, Prompt, Text, Verb, Zone};
            uses.dynamic.extend([Counter, Hook, Label, Prompt, Text, Verb, Zone]);
        }
        uses
    }

    /// Whether scripts may put this name together.
    pub fn makes(&self, name: &str) -> bool {
        self.any_name || self.made.iter().any(|(begin, end)| name.starts_with(begin) && name.ends_with(end))
    }
}

/// Every text that scripts can get out of the content: ids, values, names of zones and kinds, and what stands among the attributes.
pub fn values(d: &Declarations) -> BTreeSet<&str> {
    let mut values = Named::of(d).values;
    let words = d.zones.keys().chain(d.kinds.keys()).chain(d.prompts.values().flat_map(|prompt| prompt.labels.keys()));
    let words = words.chain(d.counters.values().flat_map(|counter| &counter.values));
    let words = words.chain(d.options.values().flat_map(|option| option.values.keys()));
    values.extend(words.chain(d.definitions.iter().map(|definition| &definition.id)).map(String::as_str));
    values
}

/// Every name that is declared.
pub fn names<'d>(d: &'d Declarations, values: &BTreeSet<&'d str>) -> BTreeSet<&'d str> {
    let mut names = values.clone();
    let words = d.counters.keys().chain(d.zones.keys()).chain(d.grids.keys()).chain(d.kinds.keys());
    let words = words.chain(d.counter_families.keys()).chain(d.zone_families.keys());
    let words = words.chain(d.prompts.keys()).chain(d.texts.keys()).chain(d.options.keys()).chain(d.phases.keys());
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

/// What the content names.
#[derive(Debug, Default)]
pub struct Named<'d> {
    /// Counters by index.
    pub counters: BTreeSet<usize>,
    /// Zones by index.
    pub zones: BTreeSet<usize>,
    /// Verbs.
    pub verbs: BTreeSet<&'d str>,
    /// Texts and keys among the attributes and the arguments of verbs; any of them may be handed to an accessor.
    pub values: BTreeSet<&'d str>,
}

impl<'d> Named<'d> {
    /// Reads it off the declarations.
    pub fn of(d: &'d Declarations) -> Self {
        let mut named = Self::default();
        named.counters.extend(d.outcome.rank.iter().map(|key| key.counter));
        named.counters.insert(d.outcome.score);
        named.counters.extend(d.outcome.teams.into_iter().chain(d.outcome.won));
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
            named.counters.extend(d.counter_families.get(name).into_iter().flat_map(Family::members));
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
