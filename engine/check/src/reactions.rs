//! Collects what events, listeners and modifiers use.

use std::collections::BTreeSet;

use motherlode_content::aim::{stack_of, target_counters};
use motherlode_content::declare::{
    ArgFilter, Condition, Declarations, Event, EventArg, Field, Filter, Formula, Held, ListenerAction, Reference, Term,
    VerbCall,
};

/// Names that filters, formulas, listeners and modifiers use.
#[derive(Debug, Default)]
pub struct ReactionUses<'d> {
    /// Indices of counters.
    pub counters: BTreeSet<usize>,
    /// Indices of zones.
    pub zones: BTreeSet<usize>,
    /// Indices of prompts that ask for the order of listeners.
    pub orders: BTreeSet<usize>,
    /// Indices of prompts that ask whether a listener acts.
    pub questions: BTreeSet<usize>,
    /// Indices of prompts that ask for targets.
    pub targets: BTreeSet<usize>,
    /// Attributes that are read. A modifier alone reads none.
    pub attributes: BTreeSet<&'d str>,
    /// Declared filters.
    pub filters: BTreeSet<&'d str>,
    /// Calls of verbs.
    pub calls: Vec<&'d VerbCall>,
}

impl<'d> ReactionUses<'d> {
    /// Collects the names from the declarations.
    pub fn of(d: &'d Declarations) -> Self {
        let mut uses = Self::default();
        for kind in d.kinds.values() {
            uses.zones.extend(&kind.active);
            uses.attributes.extend(kind.abilities.as_deref());
            uses.counters.extend(kind.becomes);
            if let Some(Held::One(counter) | Held::Family(counter)) = kind.held {
                uses.counters.insert(counter);
            }
        }
        uses.zones.extend(d.counters.values().flat_map(|counter| &counter.within));
        for event in d.events.values() {
            uses.orders.extend(event.order);
            uses.add_where(d, event, &event.filters);
        }
        for listener in &d.listeners {
            uses.zones.extend(&listener.zones);
            uses.questions.extend(listener.may);
            if let Some((_, event)) = d.events.get_index(listener.event) {
                uses.add_where(d, event, &listener.filters);
            }
            uses.add_conditions(d, &listener.conditions);
            listener.set.iter().for_each(|(_, formula)| uses.add_formula(d, formula));
            listener.x.iter().for_each(|formula| uses.add_formula(d, formula));
            if let ListenerAction::Verbs(calls) = &listener.action {
                uses.calls.extend(calls);
            }
        }
        for modifier in &d.modifiers {
            uses.zones.extend(&modifier.zones);
            uses.add_filter(d, &modifier.of);
            uses.add_conditions(d, &modifier.conditions);
            modifier.changes.iter().for_each(|(_, _, formula)| uses.add_formula(d, formula));
        }
        d.aims.iter().for_each(|aim| uses.add_filter(d, &aim.filter));
        d.filters.values().filter(|filter| filter.is_untargetable).for_each(|filter| uses.add_filter(d, filter));
        for (kind, aim) in (0..d.kinds.len()).flat_map(|kind| d.aims.iter().map(move |aim| (kind, aim))) {
            let (token, player) = target_counters(d, kind, &aim.name);
            uses.counters.extend([token, player].iter().filter_map(|name| d.counters.get_index_of(name)));
        }
        let ability = |(index, name): (usize, &String)| name.starts_with("ability_").then_some(index);
        if stack_of(d).is_some() {
            uses.counters.extend(d.counters.keys().enumerate().filter_map(ability));
        }
        d.formulas.iter().for_each(|formula| uses.add_formula(d, formula));
        uses
    }

    /// Adds the conditions on the arguments of an event.
    fn add_where(&mut self, d: &'d Declarations, event: &Event, filters: &'d [(usize, ArgFilter)]) {
        for (arg, filter) in filters {
            match filter {
                ArgFilter::Token(filter) | ArgFilter::Player(filter) => self.add_filter(d, filter),
                ArgFilter::OneOf(numbers) => {
                    let indices = numbers.iter().filter_map(|number| usize::try_from(number - 1).ok());
                    match event.args.get_index(*arg) {
                        Some((_, EventArg::Zone)) => self.zones.extend(indices),
                        Some((_, EventArg::Counter)) => self.counters.extend(indices),
                        _ => {}
                    }
                }
                ArgFilter::Range(..) => {}
            }
        }
    }

    fn add_filter(&mut self, d: &'d Declarations, filter: &'d Filter) {
        self.filters.extend(Some(filter.name.as_str()).filter(|name| !name.is_empty()));
        self.zones.extend(&filter.zones);
        self.targets.extend(filter.prompt);
        for test in &filter.tests {
            self.add_field(d, test.field);
            test.range.formulas().for_each(|formula| self.add_formula(d, formula));
        }
        [filter.is, filter.is_not].into_iter().flatten().for_each(|reference| self.add_reference(reference));
    }

    fn add_reference(&mut self, reference: Reference) {
        if let Reference::Counter(_, counter) = reference {
            self.counters.insert(counter);
        }
    }

    fn add_conditions(&mut self, d: &'d Declarations, conditions: &'d [Condition]) {
        for condition in conditions {
            self.add_formula(d, &condition.formula);
            condition.range.formulas().for_each(|formula| self.add_formula(d, formula));
            condition.equals.into_iter().for_each(|reference| self.add_reference(reference));
        }
    }

    fn add_formula(&mut self, d: &'d Declarations, formula: &'d Formula) {
        for (_, term) in &formula.terms {
            match term {
                Term::Read(_, field) => self.add_field(d, *field),
                Term::Count(filter) => self.add_filter(d, filter),
                Term::Least(pair) | Term::Most(pair) => pair.iter().for_each(|formula| self.add_formula(d, formula)),
                Term::Number(reference) => self.add_reference(*reference),
                _ => {}
            }
        }
    }

    fn add_field(&mut self, d: &'d Declarations, field: Field) {
        match field {
            Field::Attribute(index) => {
                self.attributes.extend(d.read_attributes.get_index(index).map(|(name, _)| name.as_str()));
            }
            Field::Counter(counter) => drop(self.counters.insert(counter)),
            Field::Zone(zone) => drop(self.zones.insert(zone)),
            Field::Owner | Field::Holder => {}
        }
    }
}
