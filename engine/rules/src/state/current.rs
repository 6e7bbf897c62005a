//! Current values of attributes that an observation may show beside the printed ones.

use std::ops::Deref;

use motherlode_content::declare::{
    Bearer, Condition, Declarations, Field, Filter, Formula, Held, Modifier, Reference, Term, Thing, ValueRange,
    Visibility,
};

use crate::state::Position;
use crate::state::layout::word;
use crate::state::modifiers::AppliedChange;
use crate::state::sight::Sight;

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// The printed value of an attribute (index into `read_attributes`) of a token.
    #[must_use]
    pub fn printed(&self, attribute: usize, token: i32) -> i32 {
        let Some(index) = self.index_of(token) else { return 0 };
        let reactions = &self.layout.reactions;
        match self.copied(index) {
            Some(definition) => reactions.printed_on[attribute][definition],
            None => reactions.printed[attribute][index],
        }
    }

    /// The attributes (indices into `read_attributes`) of a token whose current value is not the printed one, each with
    /// its current value. Internal attributes are left out.
    pub fn changed_attributes<'a>(
        &'a self,
        d: &'a Declarations,
        token: i32,
    ) -> impl Iterator<Item = (usize, i32)> + use<'a, W> {
        let kind = self.index_of(token).and_then(|index| d.kinds.get_index(self.layout.tokens[index].kind));
        let is_shown = move |attribute: &usize| {
            let name = d.read_attributes.get_index(*attribute).map(|(name, _)| name);
            let declared = name.and_then(|name| kind?.1.attributes.get(name));
            declared.is_some_and(|declared| !declared.internal)
        };
        let is_known = self.words[word::STALE] == 0 && self.layout.reactions.has_current();
        let all = d.current.iter().copied().filter(move |_| is_known).filter(is_shown);
        all.map(move |attribute| (attribute, self.attribute(attribute, token)))
            .filter(move |(attribute, value)| *value != self.printed(*attribute, token))
    }
}

/// A token as `lode explain` shows it: the modifiers behind its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedToken {
    /// For each attribute that modifiers may change (index into `read_attributes`): printed and current value.
    pub values: Vec<(usize, i32, i32)>,
    /// The changes, in order.
    pub changes: Vec<AppliedChange>,
}

impl ExplainedToken {
    /// The token, if the seat can identify it and may see current values.
    #[must_use]
    pub fn of(sight: &Sight<'_>, token: i32) -> Option<Self> {
        let (d, mut words) = (sight.declared, sight.words.to_vec());
        if !sight.identifies(token) || sight.seat.is_some() && !are_public(d) {
            return None;
        }
        let changes = sight.position().applied_changes(d, token);
        let mut position = Position::new(sight.layout, words.as_mut_slice());
        position.refresh_all(d);
        let kind = &d.kinds[sight.layout.tokens[token as usize - 1].kind];
        let has = |attribute: &usize| {
            let name = d.read_attributes.get_index(*attribute).map(|(name, _)| name);
            name.and_then(|name| kind.attributes.get(name)).is_some_and(|one| sight.seat.is_none() || !one.internal)
        };
        let values = d.current.iter().copied().filter(has);
        let values = values
            .map(|attribute| (attribute, position.printed(attribute, token), position.attribute(attribute, token)));
        Some(Self { values: values.collect(), changes })
    }
}

/// Whether all modifiers of a game depend on public facts alone, so that current values reveal nothing.
pub fn are_public(d: &Declarations) -> bool {
    hidden_modifier(d).is_none()
}

/// The first modifier of a game that depends on hidden facts.
#[must_use]
pub fn hidden_modifier(d: &Declarations) -> Option<&Modifier> {
    d.modifiers.iter().find(|modifier| !is_public(d, modifier))
}

fn is_public(d: &Declarations, modifier: &Modifier) -> bool {
    let is_own = modifier.of.is == Some(Reference::Thing(Thing::This));
    let kind = match modifier.bearer {
        Bearer::Game | Bearer::Players => None,
        Bearer::Definition(index) => d.definitions.get(index).map(|definition| definition.kind),
        Bearer::Kind(kind) => Some(kind),
    };
    let held = kind.and_then(|kind| d.kinds.get_index(kind)).and_then(|(_, kind)| kind.held);
    let bearers = match held {
        Some(Held::One(counter) | Held::Family(counter)) => counter_is_public(d, counter),
        None => kind.is_none() || is_own || zones_are_public(d, &modifier.zones),
    };
    bearers
        && filter_is_public(d, &modifier.of)
        && modifier.conditions.iter().all(|condition| condition_is_public(d, condition))
        && modifier.changes.iter().all(|(_, _, formula)| formula_is_public(d, formula))
}

/// Whether everybody sees the tokens in these zones; none given: in all zones.
fn zones_are_public(d: &Declarations, zones: &[usize]) -> bool {
    let is_public = |zone: usize| d.zones.get_index(zone).is_some_and(|(_, zone)| zone.visible == Visibility::Public);
    if zones.is_empty() { (0..d.zones.len()).all(is_public) } else { zones.iter().copied().all(is_public) }
}

fn counter_is_public(d: &Declarations, counter: usize) -> bool {
    // An internal counter follows from public facts.
    d.counters.get_index(counter).is_some_and(|(_, one)| one.internal || one.visible == Visibility::Public)
}

fn field_is_public(d: &Declarations, field: Field) -> bool {
    match field {
        Field::Counter(counter) => counter_is_public(d, counter),
        Field::Zone(zone) => {
            let zone = d.zones.get_index(zone).map(|(_, zone)| zone.visible);
            !matches!(zone, Some(Visibility::Secret | Visibility::Nobody) | None)
        }
        Field::Attribute(_) | Field::Owner | Field::Holder => true,
    }
}

fn reference_is_public(d: &Declarations, reference: Reference) -> bool {
    match reference {
        Reference::Counter(_, counter) => counter_is_public(d, counter),
        Reference::Thing(_) => true,
    }
}

/// Whether what a filter reads of a token is public. Its zones need not be: who identifies the token sees where it is.
fn filter_is_public(d: &Declarations, filter: &Filter) -> bool {
    [filter.is, filter.is_not].into_iter().flatten().all(|reference| reference_is_public(d, reference))
        && filter.tests.iter().all(|test| field_is_public(d, test.field) && range_is_public(d, &test.range))
}

/// Whether everybody can count the tokens that pass a filter.
fn count_is_public(d: &Declarations, filter: &Filter) -> bool {
    // Tokens that no zone holds are not counted.
    let kinds = d.kinds.values().enumerate().filter(|(index, kind)| kind.tokens && d.is_held(*index));
    let mut kinds = kinds.filter(|(index, _)| filter.kinds.is_empty() || filter.kinds.contains(index));
    let zones = match filter.zones.as_slice() {
        [] => filter.is.is_some() || kinds.all(|(_, kind)| zones_are_public(d, &kind.active)),
        zones => zones_are_public(d, zones),
    };
    zones && filter_is_public(d, filter)
}

fn range_is_public(d: &Declarations, range: &ValueRange) -> bool {
    range.formulas().all(|formula| formula_is_public(d, formula))
}

fn condition_is_public(d: &Declarations, condition: &Condition) -> bool {
    formula_is_public(d, &condition.formula)
        && range_is_public(d, &condition.range)
        && condition.equals.is_none_or(|reference| reference_is_public(d, reference))
}

fn formula_is_public(d: &Declarations, formula: &Formula) -> bool {
    formula.terms.iter().all(|(_, term)| match term {
        Term::Read(_, field) => field_is_public(d, *field),
        Term::Count(filter) => count_is_public(d, filter),
        Term::Least(pair) | Term::Most(pair) => pair.iter().all(|formula| formula_is_public(d, formula)),
        Term::Number(reference) => reference_is_public(d, *reference),
        Term::X | Term::Argument(_) | Term::Round | Term::Players | Term::Option(_) => true,
    })
}
