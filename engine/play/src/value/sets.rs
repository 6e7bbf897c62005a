//! Features of the tokens in a player's zone beside each other: equal attributes, and numbers in succession.
//!
//! A hand is often worth more than the sum of its cards: pairs, flushes, straights, melds.

use std::collections::BTreeMap;

use motherlode::declare::{AttributeType, Declarations, Definition, Holder, Value, Visibility};
use motherlode::tools::{Layout, TokenInfo};

/// Maximum values of an attribute or an enumerated counter with features of its own per value.
pub(super) const MOST_VALUES: usize = 40;
/// Minimum values of an attribute: with fewer, equal values say little.
const FEWEST_VALUES: usize = 3;
/// Maximum groups within which numbers follow each other, such as suits.
const MOST_GROUPS: usize = 8;
/// Maximum attributes of a kind, and maximum pairs of a number and a group.
const MOST_ATTRIBUTES: usize = 4;
/// Tokens of a zone that count.
const MOST_TOKENS: usize = 24;
/// The value of a definition without one.
const NONE: u8 = u8::MAX;

/// Features of one kind of token in one zone of each player.
#[derive(Debug)]
pub(super) struct SetFeatures {
    name: String,
    /// Word of the first holder's length.
    offset: usize,
    stride: usize,
    /// Other seats see the tokens.
    is_public: bool,
    kind: usize,
    first: usize,
    equals: Vec<Equals>,
    runs: Vec<Runs>,
    /// Index of the first feature.
    pub out: usize,
}

/// Tokens with equal values of an attribute: the numbers of values that two, three or four tokens share.
#[derive(Debug)]
struct Equals {
    name: String,
    /// The value of each definition.
    values: Vec<u8>,
}

/// Tokens whose numbers follow each other, within each value of another attribute: pairs, threes and fours.
#[derive(Debug)]
struct Runs {
    name: String,
    /// The number of each definition.
    numbers: Vec<u8>,
    /// The group of each definition.
    groups: Vec<u8>,
}

/// Features of [`Equals`] and of [`Runs`].
const EACH: usize = 3;

/// The features of all zones, without their indices.
pub(super) fn sets(d: &Declarations, layout: &Layout) -> Vec<SetFeatures> {
    let mut all = Vec::new();
    for ((zone_name, zone), slot) in d.zones.iter().zip(&layout.zones) {
        let is_seen = matches!(zone.visible, Visibility::Public | Visibility::Owner | Visibility::Secret);
        if zone.per != Holder::Player || zone.internal || !is_seen {
            continue;
        }
        for &kind in &zone.holds {
            let (equals, runs) = of_kind(d, kind);
            if equals.is_empty() && runs.is_empty() {
                continue;
            }
            all.push(SetFeatures {
                name: format!("{zone_name}:{}", d.kinds.keys()[kind]),
                offset: slot.offset,
                stride: slot.capacity + 1,
                is_public: zone.visible == Visibility::Public,
                kind,
                first: d.kinds[kind].first,
                equals,
                runs,
                out: 0,
            });
        }
    }
    all
}

/// The attributes of a kind whose values several definitions or copies share.
fn of_kind(d: &Declarations, kind: usize) -> (Vec<Equals>, Vec<Runs>) {
    let definitions = d.definitions_of(kind);
    let (mut equals, mut numbers, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (name, attribute)) in d.kinds[kind].attributes.iter().enumerate().filter(|(_, (_, one))| one.learned) {
        let name = name.clone();
        match attribute.of {
            AttributeType::Integer { .. } => {
                let values = integers(definitions, at);
                if let Some(values) = values.filter(|values| are_shared(definitions, values)) {
                    equals.push(Equals { name: name.clone(), values: values.clone() });
                    numbers.push((name, values));
                }
            }
            AttributeType::Text(_) | AttributeType::Id(_) => {
                let values = texts(definitions, at);
                if let Some(values) = values.filter(|values| are_shared(definitions, values)) {
                    if values.iter().all(|&value| usize::from(value) < MOST_GROUPS || value == NONE) {
                        groups.push((name.clone(), values.clone()));
                    }
                    equals.push(Equals { name, values });
                }
            }
            _ => {}
        }
    }
    let mut runs = Vec::new();
    for (number, numbers) in numbers {
        runs.push(Runs { name: number.clone(), numbers: numbers.clone(), groups: vec![0; definitions.len()] });
        let within = |(group, groups): &(String, Vec<u8>)| Runs {
            name: format!("{number} by {group}"),
            numbers: numbers.clone(),
            groups: groups.clone(),
        };
        runs.extend(groups.iter().map(within));
    }
    equals.truncate(MOST_ATTRIBUTES);
    runs.truncate(MOST_ATTRIBUTES);
    (equals, runs)
}

/// The numbers of an attribute from the least, or `None` if there are too few or their range is too large.
fn integers(definitions: &[Definition], at: usize) -> Option<Vec<u8>> {
    let number = |definition: &Definition| match definition.attributes.get(at) {
        Some(Value::Integer(number)) => Some(*number),
        _ => None,
    };
    let least = definitions.iter().filter_map(number).min()?;
    let of = |definition| match number(definition) {
        Some(number) => u8::try_from(number.checked_sub(least)?).ok().filter(|&place| usize::from(place) < MOST_VALUES),
        None => Some(NONE),
    };
    definitions.iter().map(of).collect()
}

/// The names of an attribute as numbers, or `None` if there are too many.
fn texts(definitions: &[Definition], at: usize) -> Option<Vec<u8>> {
    let mut known = BTreeMap::new();
    let of = |definition: &Definition| match definition.attributes.get(at) {
        Some(Value::Text(text)) if !text.is_empty() => {
            let next = known.len();
            let place = *known.entry(text.clone()).or_insert(next);
            u8::try_from(place).ok().filter(|_| place < MOST_VALUES)
        }
        _ => Some(NONE),
    };
    definitions.iter().map(of).collect()
}

/// Whether an attribute has several values, of which most belong to several tokens.
fn are_shared(definitions: &[Definition], values: &[u8]) -> bool {
    let mut counts = [0u32; MOST_VALUES];
    for (definition, &value) in definitions.iter().zip(values).filter(|(_, value)| **value != NONE) {
        counts[usize::from(value)] += u32::from(definition.copies.max(1));
    }
    let known = counts.iter().filter(|count| **count > 0).count();
    known >= FEWEST_VALUES && 2 * counts.iter().filter(|count| **count > 1).count() > known
}

impl SetFeatures {
    /// The names of the features, in order.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for holder in if self.is_public { &["own", "others"][..] } else { &["own"] } {
            let of = |what: &str, name: &str| format!("{}.{holder} {what} {name}", self.name);
            let equals = self.equals.iter().map(|one| of("equal", &one.name));
            for name in equals.chain(self.runs.iter().map(|one| of("successive", &one.name))) {
                names.extend((2..2 + EACH).map(|count| format!("{name}={count}")));
            }
        }
        names
    }

    /// Writes the features for a seat.
    pub fn fill(&self, words: &[i32], tokens: &[TokenInfo], players: usize, me: usize, out: &mut [f32]) {
        let half = EACH * (self.equals.len() + self.runs.len());
        let others = 1.0 / (players.max(2) - 1) as f32;
        for holder in (0..players).filter(|&holder| holder == me || self.is_public) {
            let offset = self.offset + holder * self.stride;
            let len = (words[offset].max(0) as usize).min(self.stride - 1);
            let mut held = [0; MOST_TOKENS];
            let mut count = 0;
            for &token in &words[offset + 1..=offset + len] {
                let token = tokens.get(token.wrapping_sub(1) as usize).filter(|token| token.kind == self.kind);
                if let Some(token) = token.filter(|_| count < MOST_TOKENS) {
                    held[count] = token.definition - self.first;
                    count += 1;
                }
            }
            if count > 1 {
                let (at, share) = if holder == me { (self.out, 1.0) } else { (self.out + half, others) };
                self.count(&held[..count], share, &mut out[at..at + half]);
            }
        }
    }

    fn count(&self, held: &[usize], share: f32, out: &mut [f32]) {
        let (equals, runs) = out.split_at_mut(EACH * self.equals.len());
        for (of, out) in self.equals.iter().zip(equals.chunks_exact_mut(EACH)) {
            let mut counts = [0u8; MOST_VALUES];
            for &value in held.iter().map(|&one| &of.values[one]).filter(|value| **value != NONE) {
                let count = &mut counts[usize::from(value)];
                *count += 1;
                // The second token makes a pair, the third a three.
                if let Some(place) = usize::from(*count).checked_sub(2).filter(|&place| place < EACH) {
                    out[place] += share;
                }
            }
        }
        for (of, out) in self.runs.iter().zip(runs.chunks_exact_mut(EACH)) {
            let mut masks = [0u64; MOST_GROUPS];
            for (number, group) in held.iter().map(|&one| (of.numbers[one], of.groups[one])) {
                if number != NONE && group != NONE {
                    masks[usize::from(group)] |= 1 << number;
                }
            }
            for mask in masks.into_iter().filter(|mask| mask & (mask >> 1) != 0) {
                let mut run = mask;
                for (place, out) in out.iter_mut().enumerate() {
                    run &= mask >> (place + 1);
                    *out += run.count_ones() as f32 * share;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_and_successive_tokens_are_counted() {
        // Two suits of five ranks.
        let (ranks, suits): (Vec<u8>, Vec<u8>) = (0..10u8).map(|card| (card % 5, card / 5)).unzip();
        let set = SetFeatures {
            name: "hand:cards".to_owned(),
            offset: 0,
            stride: 1,
            is_public: false,
            kind: 0,
            first: 0,
            equals: vec![Equals { name: "rank".to_owned(), values: ranks.clone() }],
            runs: vec![Runs { name: "rank by suit".to_owned(), numbers: ranks, groups: suits }],
            out: 0,
        };
        let counts = |held: &[usize]| {
            let mut out = [0.0; 6];
            set.count(held, 1.0, &mut out);
            out
        };
        assert_eq!(set.names().len(), 6);
        // Ranks 0, 1 and 2 of the first suit, and rank 2 of the second.
        assert_eq!(counts(&[0, 1, 2, 7]), [1.0, 0.0, 0.0, 2.0, 1.0, 0.0]);
        // The last rank of the first suit does not precede the first of the second.
        assert_eq!(counts(&[4, 5]), [0.0; 6]);
    }
}
