//! Tables for listeners and modifiers: who may have them, and the attributes that they read.

use std::collections::BTreeSet;

use crate::state::bearers::{BearerIndex, Gate, TokenWords};
use crate::state::filters::CompiledFilter;
use crate::state::modifier_reads::ModifierReads;
use motherlode_content::declare::{
    ArgFilter, Bearer, Declarations, Definition, Field, Filter, Held, Holder, Kind, Listener, Modifier, ModifierLayer,
    Moment, Reference, Thing, Value,
};

/// Tables for listeners, modifiers, filters and formulas.
#[derive(Debug, Clone, Default)]
pub struct Reactions {
    /// For each event, its listeners (indices into `listeners`) by [`Moment`].
    pub(super) by_event: Vec<[Vec<usize>; 3]>,
    /// For each event and moment, its listeners that tokens have in some zones.
    pub(super) indexed_listeners: Vec<[BearerIndex; 3]>,
    /// For each listener, whether it is in such an index.
    pub(super) is_indexed_listener: Vec<bool>,
    /// Modifiers that the tokens of a definition have in some zones.
    pub(super) own_modifiers: BearerIndex,
    /// Modifiers that all tokens of a kind have in some zones.
    pub(super) shared_modifiers: Vec<usize>,
    /// The zones in which these act, in ascending order.
    pub(super) shared_zones: Vec<usize>,
    /// For each modifier of these two, whether its bearers have the order of their numbers, not that of the zones.
    pub(super) is_by_number: Vec<Option<bool>>,
    /// The declared filters, and for each modifier the filter of the tokens that it changes.
    pub(super) filters: Vec<CompiledFilter>,
    pub(super) modified: Vec<CompiledFilter>,
    /// For each target (index into `aims`), its filter.
    pub(super) aimed: Vec<CompiledFilter>,
    /// For each modifier, its condition on counters of its own token.
    pub(super) gates: Vec<Option<Gate>>,
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
    /// For each token, the word of the counter that makes it a copy; 0: none.
    pub(super) copy_words: Vec<usize>,
    /// The words of all counters that make tokens copies.
    pub(super) copies: Vec<TokenWords>,
    /// Words of the options that formulas read.
    pub(super) options: Vec<usize>,
    /// For each listener, the argument that must be its own token.
    pub(super) own_args: Vec<Option<usize>>,
    /// The counters and zones that modifiers read.
    watched: ModifierReads,
    /// The zones in which tokens may be active; empty: tokens of some kind are active everywhere.
    pub(super) active_zones: Vec<usize>,
    /// For each listener, whether it looks back: it acts in the zone that the token of the event leaves.
    pub(super) looks_back: Vec<bool>,
    /// Printed values of the attributes that filters and formulas read, by token.
    pub(super) printed: Vec<Vec<i32>>,
    /// Printed values of the attributes with current values, as the block has them.
    pub(super) printed_block: Vec<i32>,
    /// Word of the first token's current value of each read attribute; `None`: only printed values exist.
    pub(super) current: Vec<Option<usize>>,
    /// Whether any attribute has current values.
    has_current: bool,
    /// For each token, the attribute (index into `read_attributes`) that it loses with all its abilities.
    pub(super) abilities: Vec<Option<usize>>,
    /// For each kind, the attributes that its tokens lose with their abilities.
    pub(super) lost: Vec<Vec<usize>>,
    /// Whether a definition is printed without its abilities.
    pub(super) is_printed_lost: bool,
    /// For each kind, and each zone in it, whether its tokens act there; without a zone, see `acts_nowhere`.
    pub(super) active: Vec<Vec<bool>>,
    /// For each kind, whether its tokens act in every zone, and in none.
    pub(super) acts_nowhere: Vec<bool>,
    /// For each kind, and each kind in it, whether it is like that one or the same.
    pub(super) like: Vec<Vec<bool>>,
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
    /// The tables of a game. `tokens` has the definition and the kind of each token, `counters` the words of each
    /// counter; `current` is the word of the first current value, `options` that of the first option.
    #[must_use]
    pub fn new(
        d: &Declarations,
        tokens: &[(usize, usize)],
        counters: &[TokenWords],
        current: usize,
        options: usize,
    ) -> Self {
        let slot = |attribute: usize| d.current.iter().position(|other| *other == attribute);
        let abilities: Vec<Option<usize>> = d
            .kinds
            .values()
            .map(|kind| kind.abilities.as_ref().and_then(|name| d.read_attributes.get_index_of(name)))
            .collect();
        let like = |kind: usize| (0..d.kinds.len()).map(|other| d.is_of(Holder::Token(other), kind)).collect();
        let printed: Vec<Vec<i32>> = (0..d.read_attributes.len()).map(|at| printed(d, at, tokens)).collect();
        let printed_on: Vec<Vec<i32>> = (0..d.read_attributes.len()).map(|at| printed_on(d, at)).collect();
        let becomes: Vec<Option<usize>> = d.kinds.values().map(|kind| kind.becomes).collect();
        let mut reactions = Self {
            by_event: by_event(d),
            bearers_of_listeners: d.listeners.iter().map(|listener| bearers(d, tokens, listener.bearer)).collect(),
            bearers_of_modifiers: d.modifiers.iter().map(|modifier| bearers(d, tokens, modifier.bearer)).collect(),
            steps: steps(d),
            held_by_listeners: d.listeners.iter().map(|listener| held(d, listener.bearer)).collect(),
            held_by_modifiers: d.modifiers.iter().map(|modifier| held(d, modifier.bearer)).collect(),
            within: d
                .counters
                .values()
                .enumerate()
                .filter(|(_, counter)| !counter.within.is_empty())
                .map(|(index, counter)| (index, counter.within.clone()))
                .collect(),
            is_printed_lost: abilities.iter().flatten().any(|switch| printed_on[*switch].contains(&0)),
            printed_on,
            first_of_kind: d.kinds.values().map(|kind| kind.first).collect(),
            copy_words: copy_words(tokens, &becomes, counters),
            copies: becomes.iter().flatten().map(|counter| counters[*counter]).collect(),
            becomes,
            options: (0..d.read_options.len()).map(|index| options + index).collect(),
            own_args: d.listeners.iter().map(|listener| own_arg(d, listener)).collect(),
            watched: ModifierReads::new(d, &active_zones(d)),
            active_zones: active_zones(d),
            looks_back: d.listeners.iter().map(|listener| looks_back(d, listener)).collect(),
            printed_block: d.current.iter().flat_map(|attribute| printed[*attribute].iter().copied()).collect(),
            printed,
            current: (0..d.read_attributes.len())
                .map(|attribute| slot(attribute).map(|slot| current + slot * tokens.len()))
                .collect(),
            has_current: !d.current.is_empty() && !tokens.is_empty(),
            abilities: tokens.iter().map(|(_, kind)| abilities.get(*kind).copied().flatten()).collect(),
            lost: d.kinds.values().map(|kind| lost(d, kind)).collect(),
            active: d.kinds.values().map(|kind| active(d, kind)).collect(),
            acts_nowhere: d.kinds.values().map(|kind| kind.active.is_empty()).collect(),
            like: (0..d.kinds.len()).map(like).collect(),
            ..Self::default()
        };
        reactions.index_listeners(d);
        reactions.index_modifiers(d, counters);
        reactions.compile_filters(d, counters, tokens.len());
        reactions
    }

    /// Whether so few tokens may have a listener or a modifier that looking at them is faster than at all in play.
    fn is_rare(&self, d: &Declarations, bearer: Bearer, bearers: &[i32]) -> bool {
        /// Maximum tokens.
        const FEW: usize = 4;
        let Bearer::Definition(definition) = bearer else { return false };
        bearers.len() <= FEW && self.becomes[d.definitions[definition].kind].is_none()
    }

    /// Indexes the listeners that tokens have in some zones.
    fn index_listeners(&mut self, d: &Declarations) {
        let of_tokens = |(index, listener): (usize, &Listener)| {
            let is_of_token =
                !matches!(listener.bearer, Bearer::Game | Bearer::Players) && self.held_by_listeners[index].is_none();
            let is_rare = self.is_rare(d, listener.bearer, &self.bearers_of_listeners[index]);
            is_of_token && self.own_args[index].is_none() && !listener.zones.is_empty() && !is_rare
        };
        self.is_indexed_listener = d.listeners.iter().enumerate().map(of_tokens).collect();
        let index_of = |listeners: &Vec<usize>| {
            let indexed = listeners.iter().filter(|listener| self.is_indexed_listener[**listener]);
            let part = |&index: &usize| (index, d.listeners[index].bearer, d.listeners[index].zones.as_slice());
            BearerIndex::new(d, indexed.map(part))
        };
        self.indexed_listeners = self.by_event.iter().map(|moments| moments.each_ref().map(index_of)).collect();
    }

    /// Indexes the modifiers that tokens have in some zones.
    fn index_modifiers(&mut self, d: &Declarations, counters: &[TokenWords]) {
        self.is_by_number = (0..d.modifiers.len())
            .map(|index| {
                let is_rare = self.is_rare(d, d.modifiers[index].bearer, &self.bearers_of_modifiers[index]);
                is_by_number(d, index).filter(|_| self.held_by_modifiers[index].is_none() && !is_rare)
            })
            .collect();
        let indexed = || d.modifiers.iter().enumerate().filter(|(index, _)| self.is_by_number[*index].is_some());
        let is_shared = |(_, modifier): &(usize, &Modifier)| matches!(modifier.bearer, Bearer::Kind(_));
        let part = |(index, modifier): (usize, &'_ Modifier)| (index, modifier.bearer, modifier.zones.clone());
        let own: Vec<_> = indexed().filter(|one| !is_shared(one)).map(part).collect();
        let shared: Vec<_> = indexed().filter(is_shared).map(part).collect();
        self.own_modifiers =
            BearerIndex::new(d, own.iter().map(|(index, bearer, zones)| (*index, *bearer, zones.as_slice())));
        self.shared_modifiers = shared.iter().map(|(index, ..)| *index).collect();
        self.shared_zones = sorted(shared.iter().flat_map(|(_, _, zones)| zones.iter().copied()));
        self.gates = d.modifiers.iter().map(|modifier| Gate::new(modifier, |counter| counters[counter])).collect();
    }

    fn compile_filters(&mut self, d: &Declarations, counters: &[TokenWords], tokens: usize) {
        let words_of = |field: Field| match field {
            Field::Counter(counter) => Some(counters[counter]),
            Field::Attribute(attribute) => {
                self.current[attribute].map(|offset| TokenWords { offset, first: 1, len: tokens })
            }
            Field::Zone(_) | Field::Owner | Field::Holder => None,
        };
        let printed = |attribute: usize| self.current[attribute].is_none().then(|| &self.printed_on[attribute]);
        let compile = |filter: &Filter| CompiledFilter::new(d, filter, printed, words_of);
        let filters = d.filters.values().map(compile).collect();
        let modified = d.modifiers.iter().map(|modifier| compile(&modifier.of)).collect();
        let aimed = d.aims.iter().map(|aim| compile(&aim.filter)).collect();
        (self.filters, self.modified, self.aimed) = (filters, modified, aimed);
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
        self.watched.counters.get(counter).copied().unwrap_or(false)
    }

    /// Whether current values may depend on the tokens in a zone (index into `zones`).
    #[must_use]
    pub fn is_watched_zone(&self, zone: usize) -> bool {
        self.watched.zones.get(zone).copied().unwrap_or(false)
    }

    /// The counters that a token loses when it leaves a zone for another (`None`: for none).
    pub fn lost_between(&self, from: usize, to: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let lost =
            move |(_, zones): &&(usize, Vec<usize>)| zones.contains(&from) && to.is_none_or(|to| !zones.contains(&to));
        self.within.iter().filter(lost).map(|(counter, _)| *counter)
    }

    /// The word of the counter that makes a token (index) a copy; `None`: it is never one.
    #[must_use]
    pub fn copy_word(&self, token: usize) -> Option<usize> {
        self.copy_words.get(token).copied().filter(|word| *word != 0)
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

/// For each event, its listeners by moment.
fn by_event(d: &Declarations) -> Vec<[Vec<usize>; 3]> {
    let mut by_event = vec![<[Vec<usize>; 3]>::default(); d.events.len()];
    for (index, listener) in d.listeners.iter().enumerate() {
        let event = d.events.get_index(listener.event).and_then(|(_, event)| event.of).unwrap_or(listener.event);
        if let Some(moments) = by_event.get_mut(event) {
            moments[listener.moment as usize].push(index);
        }
    }
    by_event
}

/// The tokens that may have a listener or a modifier.
fn bearers(d: &Declarations, tokens: &[(usize, usize)], bearer: Bearer) -> Vec<i32> {
    let has = |&(definition, of): &(usize, usize)| match bearer {
        Bearer::Game | Bearer::Players => false,
        // A copy of any other may have it.
        Bearer::Definition(wanted) if d.kinds[of].becomes.is_some() => d.definitions[wanted].kind == of,
        Bearer::Definition(wanted) => definition == wanted,
        Bearer::Kind(kind) => d.is_of(Holder::Token(kind), of),
    };
    (1..).zip(tokens).filter(|(_, token)| has(token)).map(|(number, _)| number).collect()
}

/// How a definition or a kind without tokens is held, and the number of the definition within its kind.
fn held(d: &Declarations, bearer: Bearer) -> Option<(Held, Option<usize>)> {
    match bearer {
        Bearer::Game | Bearer::Players => None,
        Bearer::Definition(index) => {
            let (_, kind) = d.kinds.get_index(d.definitions.get(index)?.kind)?;
            Some((kind.held?, Some(index - kind.first)))
        }
        Bearer::Kind(kind) => Some((d.kinds.get_index(kind)?.1.held?, None)),
    }
}

/// The attributes that tokens of a kind lose with their abilities.
fn lost(d: &Declarations, kind: &Kind) -> Vec<usize> {
    let abilities = kind.attributes.iter().filter(|(_, attribute)| attribute.ability);
    abilities.filter_map(|(name, _)| d.read_attributes.get_index_of(name)).collect()
}

/// For each zone, whether tokens of a kind act there.
fn active(d: &Declarations, kind: &Kind) -> Vec<bool> {
    (0..d.zones.len()).map(|zone| kind.active.is_empty() || kind.active.contains(&zone)).collect()
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
    sorted(kinds().flat_map(|kind| kind.active.iter().copied()))
}

/// Zones in ascending order, each once.
fn sorted(zones: impl Iterator<Item = usize>) -> Vec<usize> {
    zones.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether the bearers of a modifier that act in some zones have the order of their numbers; `None`: a modifier with other
/// bearers, or with zones in another order than theirs.
fn is_by_number(d: &Declarations, modifier: usize) -> Option<bool> {
    let modifier = &d.modifiers[modifier];
    let is_by_number = match modifier.bearer {
        Bearer::Game | Bearer::Players => return None,
        Bearer::Definition(definition) => d.kinds[d.definitions[definition].kind].becomes.is_none(),
        Bearer::Kind(_) => false,
    };
    (!modifier.zones.is_empty() && (is_by_number || modifier.zones.is_sorted())).then_some(is_by_number)
}

/// For each token, the word of the counter that makes it a copy; 0: none.
fn copy_words(tokens: &[(usize, usize)], becomes: &[Option<usize>], counters: &[TokenWords]) -> Vec<usize> {
    let word = |(number, (_, kind)): (i32, &(usize, usize))| {
        let TokenWords { offset, first, .. } = counters[becomes[*kind]?];
        Some(offset + (number - first) as usize)
    };
    (1..).zip(tokens).map(|one| word(one).unwrap_or(0)).collect()
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
