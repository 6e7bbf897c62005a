//! Tables for listeners and modifiers: who may have them, and the attributes that they read.

use std::collections::BTreeSet;

use motherlode_content::declare::{
    ArgFilter, Bearer, Bounds, Condition, Declarations, Definition, Field, Filter, Formula, Held, Holder, Listener,
    ModifierLayer, Moment, Reference, Term, Thing, Value,
};

/// Tables for listeners, modifiers, filters and formulas.
#[derive(Debug, Clone, Default)]
pub struct Reactions {
    /// For each event, its listeners (indices into `listeners`) by [`Moment`].
    pub(super) by_event: Vec<[Vec<usize>; 3]>,
    /// For each listener, the tokens that may have it.
    pub(super) bearers_of_listeners: Vec<Vec<i32>>,
    /// For each modifier, the tokens that may have it.
    pub(super) bearers_of_modifiers: Vec<Vec<i32>>,
    /// The modifiers in the order in which they apply.
    pub(super) steps: Vec<ModifierStep>,
    /// For each listener and each modifier of definitions without tokens, how they are held, and the number of the definition
    /// within its kind, from 0; `None` in its place: any of the kind.
    pub(super) held_by_listeners: Vec<Option<(Held, Option<usize>)>>,
    pub(super) held_by_modifiers: Vec<Option<(Held, Option<usize>)>>,
    /// Counters of tokens that count only within zones: the counter, and the zones.
    pub(super) within: Vec<(usize, Vec<usize>)>,
    /// Printed values of the read attributes, by definition.
    pub(super) printed_on: Vec<Vec<i32>>,
    /// For each kind, the index of its first definition.
    pub(super) first_of_kind: Vec<usize>,
    /// For each kind, the counter of its copies.
    pub(super) becomes: Vec<Option<usize>>,
    /// Words of the options that formulas read.
    pub(super) options: Vec<usize>,
    /// For each listener, the argument that must be its own token.
    pub(super) own_args: Vec<Option<usize>>,
    /// For each counter, whether a modifier reads it.
    watched: Vec<bool>,
    /// The zones in which tokens may be active; empty: tokens of some kind are active everywhere.
    pub(super) active_zones: Vec<usize>,
    /// For each listener, whether it looks back: it acts in the zone that the token of the event leaves.
    pub(super) looks_back: Vec<bool>,
    /// Printed values of the attributes that filters and formulas read, by token.
    pub(super) printed: Vec<Vec<i32>>,
    /// Word of the first token's current value of each read attribute; `None`: only printed values exist.
    pub(super) current: Vec<Option<usize>>,
    /// Whether any attribute has current values.
    has_current: bool,
    /// For each token, the attribute (index into `read_attributes`) that it loses with all its abilities.
    pub(super) abilities: Vec<Option<usize>>,
    /// For each kind, the attributes that its tokens lose with their abilities.
    pub(super) lost: Vec<Vec<usize>>,
    /// For each kind, the zones in which its tokens act; empty: all.
    pub(super) active: Vec<Vec<usize>>,
    /// For each kind, the kinds that it is like, itself first.
    pub(super) like: Vec<Vec<usize>>,
}

/// The changes of one modifier in one layer.
#[derive(Debug, Clone)]
pub struct ModifierStep {
    /// Index into `modifiers`.
    pub modifier: usize,
    /// The layer.
    pub layer: ModifierLayer,
    /// Whether it takes all abilities from tokens, or gives them back.
    pub is_loss: bool,
    /// Indices into its changes.
    pub changes: Vec<usize>,
}

impl Reactions {
    /// The tables of a game. `tokens` has the definition and the kind of each token; `current` is the word of the first
    /// current value, `options` that of the first option.
    #[must_use]
    pub fn new(d: &Declarations, tokens: &[(usize, usize)], current: usize, options: usize) -> Self {
        let mut by_event = vec![<[Vec<usize>; 3]>::default(); d.events.len()];
        for (index, listener) in d.listeners.iter().enumerate() {
            let event = d.events.get_index(listener.event).and_then(|(_, event)| event.of).unwrap_or(listener.event);
            if let Some(moments) = by_event.get_mut(event) {
                moments[listener.moment as usize].push(index);
            }
        }
        let bearers = |bearer: Bearer| -> Vec<i32> {
            let has = |&(definition, of): &(usize, usize)| match bearer {
                Bearer::Game | Bearer::Players => false,
                // A copy of any other may have it.
                Bearer::Definition(wanted) if d.kinds[of].becomes.is_some() => d.definitions[wanted].kind == of,
                Bearer::Definition(wanted) => definition == wanted,
                Bearer::Kind(kind) => d.is_of(Holder::Token(kind), of),
            };
            (1..).zip(tokens).filter(|(_, token)| has(token)).map(|(number, _)| number).collect()
        };
        let held = |bearer: Bearer| match bearer {
            Bearer::Game | Bearer::Players => None,
            Bearer::Definition(index) => {
                let (_, kind) = d.kinds.get_index(d.definitions.get(index)?.kind)?;
                Some((kind.held?, Some(index - kind.first)))
            }
            Bearer::Kind(kind) => Some((d.kinds.get_index(kind)?.1.held?, None)),
        };
        let like = |kind: usize| (0..d.kinds.len()).filter(|&other| d.is_of(Holder::Token(other), kind)).collect();
        let at = |attribute: &usize| d.current.iter().position(|other| other == attribute);
        let abilities: Vec<Option<usize>> = d
            .kinds
            .values()
            .map(|kind| kind.abilities.as_ref().and_then(|name| d.read_attributes.get_index_of(name)))
            .collect();
        Self {
            by_event,
            bearers_of_listeners: d.listeners.iter().map(|listener| bearers(listener.bearer)).collect(),
            bearers_of_modifiers: d.modifiers.iter().map(|modifier| bearers(modifier.bearer)).collect(),
            steps: steps(d),
            held_by_listeners: d.listeners.iter().map(|listener| held(listener.bearer)).collect(),
            held_by_modifiers: d.modifiers.iter().map(|modifier| held(modifier.bearer)).collect(),
            within: d
                .counters
                .values()
                .enumerate()
                .filter(|(_, counter)| !counter.within.is_empty())
                .map(|(index, counter)| (index, counter.within.clone()))
                .collect(),
            printed_on: (0..d.read_attributes.len()).map(|attribute| printed_on(d, attribute)).collect(),
            first_of_kind: d.kinds.values().map(|kind| kind.first).collect(),
            becomes: d.kinds.values().map(|kind| kind.becomes).collect(),
            options: (0..d.read_options.len()).map(|index| options + index).collect(),
            own_args: d.listeners.iter().map(|listener| own_arg(d, listener)).collect(),
            watched: watched(d),
            active_zones: active_zones(d),
            looks_back: d.listeners.iter().map(|listener| looks_back(d, listener)).collect(),
            printed: (0..d.read_attributes.len()).map(|attribute| printed(d, attribute, tokens)).collect(),
            current: (0..d.read_attributes.len())
                .map(|attribute| at(&attribute).map(|slot| current + slot * tokens.len()))
                .collect(),
            has_current: !d.current.is_empty() && !tokens.is_empty(),
            abilities: tokens.iter().map(|(_, kind)| abilities.get(*kind).copied().flatten()).collect(),
            lost: d
                .kinds
                .values()
                .map(|kind| {
                    let abilities = kind.attributes.iter().filter(|(_, attribute)| attribute.ability);
                    abilities.filter_map(|(name, _)| d.read_attributes.get_index_of(name)).collect()
                })
                .collect(),
            active: d.kinds.values().map(|kind| kind.active.clone()).collect(),
            like: (0..d.kinds.len()).map(like).collect(),
        }
    }

    /// Whether any listener of an event acts at this moment.
    #[must_use]
    pub fn is_heard(&self, event: usize, moment: Moment) -> bool {
        self.by_event.get(event).is_some_and(|moments| !moments[moment as usize].is_empty())
    }

    /// The listeners of an event at a moment (indices into `listeners`).
    #[must_use]
    pub fn listeners_of(&self, event: usize, moment: Moment) -> &[usize] {
        self.by_event.get(event).map_or(&[], |moments| &moments[moment as usize])
    }

    /// Whether a listener is found before the event, because its token may leave.
    #[must_use]
    pub fn is_looking_back(&self, listener: usize) -> bool {
        self.looks_back.get(listener).copied().unwrap_or(false)
    }

    /// Whether attributes have current values.
    #[must_use]
    pub fn has_current(&self) -> bool {
        self.has_current
    }

    /// Whether the game has listeners, or attributes with current values.
    #[must_use]
    pub fn are_used(&self) -> bool {
        self.has_current || !self.bearers_of_listeners.is_empty()
    }

    /// Whether counters of tokens count only within zones.
    #[must_use]
    pub fn has_within(&self) -> bool {
        !self.within.is_empty()
    }

    /// Whether a modifier reads a counter (index into `counters`).
    #[must_use]
    pub fn is_watched(&self, counter: usize) -> bool {
        self.watched.get(counter).copied().unwrap_or(false)
    }

    /// The counters that a token loses when it leaves a zone for another (`None`: for none).
    pub fn lost_between(&self, from: usize, to: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let lost =
            move |(_, zones): &&(usize, Vec<usize>)| zones.contains(&from) && to.is_none_or(|to| !zones.contains(&to));
        self.within.iter().filter(lost).map(|(counter, _)| *counter)
    }

    /// The words of the options that formulas read, in their order.
    #[must_use]
    pub fn option_words(&self) -> &[usize] {
        &self.options
    }

    /// The word of the first token's current value of an attribute (index into `read_attributes`).
    #[must_use]
    pub fn current_of(&self, attribute: usize) -> Option<usize> {
        self.current.get(attribute).copied().flatten()
    }
}

/// Whether a listener is matched before a token moves: it requires a zone that the token leaves, in which its own token
/// acts.
fn looks_back(d: &Declarations, listener: &Listener) -> bool {
    let Some((name, event)) = d.events.get_index(listener.event) else { return false };
    let (base, _) = d.events.get_index(event.of.unwrap_or(listener.event)).unwrap_or((name, event));
    if base != "move" && base != "draw" {
        return false;
    }
    let Some(from) = event.args.get_index_of("from") else { return false };
    let zones = event.filters.iter().chain(&listener.filters).filter(|(arg, _)| *arg == from);
    let mut zones =
        zones.flat_map(|(_, filter)| if let ArgFilter::OneOf(zones) = filter { zones.as_slice() } else { &[] });
    zones.any(|zone| listener.zones.is_empty() || listener.zones.contains(&(*zone as usize - 1)))
}

/// The printed values of an attribute, by token.
fn printed(d: &Declarations, attribute: usize, tokens: &[(usize, usize)]) -> Vec<i32> {
    let values = printed_on(d, attribute);
    tokens.iter().map(|(definition, _)| values.get(*definition).copied().unwrap_or(0)).collect()
}

/// The printed values of an attribute, by definition.
fn printed_on(d: &Declarations, attribute: usize) -> Vec<i32> {
    let Some((name, words)) = d.read_attributes.get_index(attribute) else { return Vec::new() };
    let value = |definition: &Definition| {
        let at = d.kinds.get_index(definition.kind).and_then(|(_, kind)| kind.attributes.get_index_of(name))?;
        Some(match definition.attributes.get(at)? {
            Value::Integer(number) => *number,
            Value::Boolean(is_set) => i32::from(*is_set),
            Value::Text(text) => words.iter().position(|word| word == text).map_or(0, |at| at as i32 + 1),
            Value::List(_) | Value::Map(_) | Value::Formula(_) => 0,
        })
    };
    d.definitions.iter().map(|definition| value(definition).unwrap_or(0)).collect()
}

/// The argument of a listener's event that must be the listener's own token.
fn own_arg(d: &Declarations, listener: &Listener) -> Option<usize> {
    let part = d.events.get_index(listener.event).map(|(_, event)| event.filters.as_slice()).unwrap_or_default();
    let is_own = |filter: &ArgFilter| matches!(filter, ArgFilter::Token(filter) if filter.is == Some(Reference::Thing(Thing::This)));
    part.iter().chain(&listener.filters).find(|(_, filter)| is_own(filter)).map(|(arg, _)| *arg)
}

/// The zones in which tokens of any kind are active.
fn active_zones(d: &Declarations) -> Vec<usize> {
    let kinds = || d.kinds.values().filter(|kind| kind.tokens);
    if kinds().any(|kind| kind.active.is_empty()) {
        return Vec::new();
    }
    let zones: BTreeSet<usize> = kinds().flat_map(|kind| kind.active.iter().copied()).collect();
    zones.into_iter().collect()
}

/// For each counter, whether a modifier reads it.
fn watched(d: &Declarations) -> Vec<bool> {
    let mut watched = vec![false; d.counters.len()];
    let mut read = Counters(&mut watched);
    for modifier in &d.modifiers {
        read.of_filter(&modifier.of);
        modifier.conditions.iter().for_each(|condition| read.of_condition(condition));
        modifier.changes.iter().for_each(|(_, _, formula)| read.of_formula(formula));
        let kind = match modifier.bearer {
            Bearer::Game | Bearer::Players => None,
            Bearer::Definition(index) => d.definitions.get(index).map(|definition| definition.kind),
            Bearer::Kind(kind) => Some(kind),
        };
        for copied in d.kinds.values().filter_map(|kind| kind.becomes) {
            read.note(copied);
        }
        match kind.and_then(|kind| d.kinds.get_index(kind)).and_then(|(_, kind)| kind.held.map(|held| (held, kind.len)))
        {
            Some((Held::One(counter), _)) => read.note(counter),
            Some((Held::Family(first), len)) => (first..first + len).for_each(|counter| read.note(counter)),
            None => {}
        }
    }
    watched
}

/// Collects the counters that filters and formulas read.
struct Counters<'w>(&'w mut [bool]);

impl Counters<'_> {
    fn note(&mut self, counter: usize) {
        if let Some(is_watched) = self.0.get_mut(counter) {
            *is_watched = true;
        }
    }

    fn of_field(&mut self, field: Field) {
        if let Field::Counter(counter) = field {
            self.note(counter);
        }
    }

    fn of_reference(&mut self, reference: Option<Reference>) {
        if let Some(Reference::Counter(_, counter)) = reference {
            self.note(counter);
        }
    }

    fn of_filter(&mut self, filter: &Filter) {
        self.of_reference(filter.is);
        self.of_reference(filter.is_not);
        for test in &filter.tests {
            self.of_field(test.field);
            self.of_bounds(test.bounds.as_deref());
        }
    }

    fn of_condition(&mut self, condition: &Condition) {
        self.of_formula(&condition.formula);
        self.of_reference(condition.equals);
        self.of_bounds(condition.bounds.as_deref());
    }

    fn of_bounds(&mut self, bounds: Option<&Bounds>) {
        bounds.into_iter().flat_map(Bounds::formulas).for_each(|formula| self.of_formula(formula));
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

/// The steps of all modifiers: losses of abilities first, then the others; each in the order of layers.
fn steps(d: &Declarations) -> Vec<ModifierStep> {
    let switches: Vec<usize> = d
        .kinds
        .values()
        .filter_map(|kind| kind.abilities.as_ref().and_then(|name| d.read_attributes.get_index_of(name)))
        .collect();
    let mut steps: Vec<ModifierStep> = Vec::new();
    for (modifier, declared) in d.modifiers.iter().enumerate() {
        for (change, (layer, attribute, _)) in declared.changes.iter().enumerate() {
            let is_loss = switches.contains(attribute);
            let same =
                |step: &&mut ModifierStep| (step.modifier, step.layer, step.is_loss) == (modifier, *layer, is_loss);
            match steps.iter_mut().find(same) {
                Some(step) => step.changes.push(change),
                None => steps.push(ModifierStep { modifier, layer: *layer, is_loss, changes: vec![change] }),
            }
        }
    }
    steps.sort_by_key(|step| (!step.is_loss, step.layer, step.modifier));
    steps
}
