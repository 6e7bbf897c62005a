//! Finds conditions that no token, player or number can meet, as far as the declarations tell.

use motherlode_content::declare::{
    Bearer, Condition, Declarations, Field, Filter, Holder, Reference, Term, Test, Thing, Value, ValueRange,
};

/// Whether something can pass all these filters of tokens. `zones`: lists of zones; the token's kind must fit one of each.
pub fn can_token_pass(d: &Declarations, bearer: Bearer, filters: &[&Filter], zones: &[&[usize]]) -> bool {
    let passes = |definition: usize| {
        let kind = d.definitions[definition].kind;
        d.kinds[kind].tokens
            && zones.iter().all(|zones| is_held(d, zones, kind))
            && filters.iter().all(|filter| can_definition_pass(d, bearer, filter, definition))
    };
    !exclude_each_other(filters) && (0..d.definitions.len()).any(passes)
}

/// Whether filters of tokens or players contradict each other.
pub fn exclude_each_other(filters: &[&Filter]) -> bool {
    let pairs = || filters.iter().flat_map(|one| filters.iter().map(move |other| (one, other)));
    let mut zones = filters.iter().map(|filter| &filter.zones).filter(|zones| !zones.is_empty());
    let no_zone = zones.next().is_some_and(|first| {
        let others: Vec<_> = zones.collect();
        !first.iter().any(|zone| others.iter().all(|zones| zones.contains(zone)))
    });
    let whose = pairs().any(|(one, other)| matches!((one.whose, other.whose), (Some(a), Some(b)) if a != b));
    let is = pairs().any(|(one, other)| one.is.is_some() && one.is == other.is_not);
    let tests = || filters.iter().flat_map(|filter| &filter.tests);
    let apart = |one: &Test| tests().any(|other| other.field == one.field && (one.range.min > other.range.max));
    no_zone || whose || is || tests().any(apart)
}

/// Whether one of the zones holds tokens of a kind. An empty list means every zone.
pub fn is_held(d: &Declarations, zones: &[usize], kind: usize) -> bool {
    let holds = |zone: &usize| {
        let held = d.zones.get_index(*zone).map(|(_, zone)| &zone.holds);
        held.is_none_or(|held| held.is_empty() || held.contains(&kind))
    };
    zones.is_empty() || zones.iter().any(holds)
}

/// The definitions whose tokens have a listener or a modifier (indices into `definitions`).
pub fn bearers(d: &Declarations, bearer: Bearer) -> Vec<usize> {
    let has = |index: &usize| match bearer {
        Bearer::Game | Bearer::Players => false,
        // A copy has the listeners of what it is a copy of.
        Bearer::Definition(one) => {
            let (kind, own) = (d.definitions[one].kind, d.definitions[*index].kind);
            *index == one || kind == own && d.kinds[kind].becomes.is_some()
        }
        Bearer::Kind(kind) => d.is_of(Holder::Token(kind), d.definitions[*index].kind),
    };
    (0..d.definitions.len()).filter(has).collect()
}

/// Whether all conditions can hold.
pub fn can_hold(d: &Declarations, bearer: Bearer, conditions: &[Condition]) -> bool {
    let bearers = bearers(d, bearer);
    conditions.iter().filter(|condition| condition.equals.is_none()).all(|condition| {
        let [(1, Term::Read(thing, field))] = condition.formula.terms.as_slice() else {
            return !condition.formula.terms.is_empty() || condition.range.contains(condition.formula.constant);
        };
        let constant = condition.formula.constant;
        let less = |value: &i32| value.saturating_sub(constant);
        let ValueRange { min, max, one_of, .. } = &condition.range;
        let one_of = one_of.iter().map(less).collect();
        let test = Test { field: *field, range: ValueRange { one_of, ..ValueRange::new(less(min), less(max)) } };
        match thing {
            Thing::This => bearers.iter().any(|bearer| can_have(d, &test, *bearer)),
            Thing::You | Thing::Game => can_count(d, &test),
            _ => true,
        }
    })
}

fn can_definition_pass(d: &Declarations, bearer: Bearer, filter: &Filter, index: usize) -> bool {
    let definition = &d.definitions[index];
    let number = index - d.kinds[definition.kind].first;
    let is_of = |kind: &usize| d.is_of(Holder::Token(*kind), definition.kind);
    let is_copy = d.kinds[definition.kind].becomes.is_some();
    (filter.kinds.is_empty() || filter.kinds.iter().any(is_of))
        && (is_copy || filter.definitions.is_empty() || filter.definitions.contains(&(definition.kind, number)))
        && is_held(d, &filter.zones, definition.kind)
        && (filter.is != Some(Reference::Thing(Thing::This)) || bearers(d, bearer).contains(&index))
        && filter.tests.iter().all(|test| can_have(d, test, index))
}

/// Whether a token of a definition can have a value in the range of a test.
fn can_have(d: &Declarations, test: &Test, definition: usize) -> bool {
    let kind = d.definitions[definition].kind;
    match test.field {
        Field::Attribute(attribute) if !d.current.contains(&attribute) => {
            test.range.contains(printed(d, attribute, definition))
        }
        Field::Counter(counter) if !d.counters.get_index(counter).is_some_and(|(_, one)| d.is_of(one.per, kind)) => {
            test.range.contains(0)
        }
        _ => can_count(d, test),
    }
}

/// Whether a counter can have a value in the range of a test. Other values can.
fn can_count(d: &Declarations, test: &Test) -> bool {
    let Field::Counter(counter) = test.field else { return true };
    d.counters
        .get_index(counter)
        .is_none_or(|(_, counter)| counter.min <= test.range.max && counter.max >= test.range.min)
}

/// The printed value of an attribute (index into `read_attributes`) as a number; 0 if the definition has none.
fn printed(d: &Declarations, attribute: usize, definition: usize) -> i32 {
    let Some((name, words)) = d.read_attributes.get_index(attribute) else { return 0 };
    let definition = &d.definitions[definition];
    let at = d.kinds[definition.kind].attributes.get_index_of(name);
    match at.and_then(|at| definition.attributes.get(at)) {
        Some(Value::Integer(number)) => *number,
        Some(Value::Boolean(is_set)) => i32::from(*is_set),
        Some(Value::Text(text)) => {
            let at = words.iter().position(|word| word == text);
            at.and_then(|at| i32::try_from(at + 1).ok()).unwrap_or(0)
        }
        _ => 0,
    }
}
