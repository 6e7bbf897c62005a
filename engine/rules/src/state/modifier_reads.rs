//! Counters and zones that modifiers read: only their changes make current values out of date.

use motherlode_content::declare::{
    Bearer, Condition, Declarations, Field, Filter, Formula, Held, Reference, Term, ValueRange,
};

/// The counters and zones that modifiers read.
#[derive(Debug, Clone, Default)]
pub struct ModifierReads {
    /// For each counter, whether a modifier reads it.
    pub(super) counters: Vec<bool>,
    /// For each zone, whether a modifier acts on a token there, counts it, or asks whose it is.
    pub(super) zones: Vec<bool>,
}

impl ModifierReads {
    /// Collects them. `active_zones`: the zones of filters that name none; empty: all.
    pub(super) fn new(d: &Declarations, active_zones: &[usize]) -> Self {
        let mut reads = Self { counters: vec![false; d.counters.len()], zones: vec![false; d.zones.len()] };
        let mut list = Reading { reads: &mut reads, active_zones };
        for modifier in &d.modifiers {
            list.of_filter(&modifier.of);
            modifier.conditions.iter().for_each(|condition| list.of_condition(condition));
            modifier.changes.iter().for_each(|(_, _, formula)| list.of_formula(formula));
            let kind = match modifier.bearer {
                Bearer::Game | Bearer::Players => None,
                Bearer::Definition(index) => d.definitions.get(index).map(|definition| definition.kind),
                Bearer::Kind(kind) => Some(kind),
            };
            for copied in d.kinds.values().filter_map(|kind| kind.becomes) {
                list.counter(copied);
            }
            let kind = kind.and_then(|kind| d.kinds.get_index(kind)).map(|(_, kind)| kind);
            match kind.map(|kind| (kind.held, kind.len)) {
                Some((Some(Held::One(counter)), _)) => list.counter(counter),
                Some((Some(Held::Family(first)), len)) => {
                    (first..first + len).for_each(|counter| list.counter(counter))
                }
                Some((None, _)) => list.zones(&modifier.zones),
                None => {}
            }
        }
        reads
    }
}

/// Notes what filters and formulas read.
struct Reading<'r> {
    reads: &'r mut ModifierReads,
    active_zones: &'r [usize],
}

impl Reading<'_> {
    fn counter(&mut self, counter: usize) {
        if let Some(is_read) = self.reads.counters.get_mut(counter) {
            *is_read = true;
        }
    }

    /// Notes zones; none given: all.
    fn zones(&mut self, zones: &[usize]) {
        if zones.is_empty() {
            self.reads.zones.fill(true);
        }
        for zone in zones {
            self.reads.zones[*zone] = true;
        }
    }

    fn of_field(&mut self, field: Field) {
        match field {
            Field::Counter(counter) => self.counter(counter),
            Field::Zone(zone) => self.zones(&[zone]),
            Field::Holder => self.zones(&[]),
            Field::Attribute(_) | Field::Owner => {}
        }
    }

    fn of_reference(&mut self, reference: Option<Reference>) {
        if let Some(Reference::Counter(_, counter)) = reference {
            self.counter(counter);
        }
    }

    fn of_filter(&mut self, filter: &Filter) {
        if filter.is.is_none() && filter.zones.is_empty() {
            self.zones(self.active_zones);
        } else if filter.whose.is_some() || !filter.zones.is_empty() {
            self.zones(&filter.zones);
        }
        self.of_reference(filter.is);
        self.of_reference(filter.is_not);
        for test in &filter.tests {
            self.of_field(test.field);
            self.of_range(&test.range);
        }
    }

    fn of_condition(&mut self, condition: &Condition) {
        self.of_formula(&condition.formula);
        self.of_reference(condition.equals);
        self.of_range(&condition.range);
    }

    fn of_range(&mut self, range: &ValueRange) {
        range.formulas().for_each(|formula| self.of_formula(formula));
    }

    fn of_formula(&mut self, formula: &Formula) {
        for (_, term) in &formula.terms {
            match term {
                Term::Read(_, field) => self.of_field(*field),
                Term::Count(filter) => self.of_filter(filter),
                Term::Least(pair) | Term::Most(pair) => pair.iter().for_each(|formula| self.of_formula(formula)),
                Term::Number(reference) => self.of_reference(Some(*reference)),
                Term::X | Term::Argument(_) | Term::Option(_) | Term::Round | Term::Players => {}
            }
        }
    }
}
