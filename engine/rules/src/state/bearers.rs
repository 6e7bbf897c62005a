//! The index of listeners and modifiers by the definitions that may have them. A position looks only at the tokens in
//! the zones where they act.

use std::collections::BTreeSet;

use motherlode_content::declare::{Bearer, Declarations, Field, Formula, Holder, Modifier, ModifierLayer, Term, Thing};

/// The words of a counter of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenWords {
    /// Word of the first token.
    pub offset: usize,
    /// Number of the first token.
    pub first: i32,
    /// Number of tokens.
    pub len: usize,
}

impl TokenWords {
    /// The value of a token; 0 if it has no such counter.
    #[inline(always)]
    pub(super) fn value(self, words: &[i32], token: i32) -> i32 {
        let index = token.wrapping_sub(self.first) as usize;
        if index < self.len { words[self.offset + index] } else { 0 }
    }

    /// Whether any token has another value than 0.
    pub(super) fn has_values(self, words: &[i32]) -> bool {
        words[self.offset..self.offset + self.len].iter().fold(0, |all, value| all | value) != 0
    }
}

/// Listeners or modifiers of tokens, by definition.
#[derive(Debug, Clone, Default)]
pub struct BearerIndex {
    /// The zones in which any of them acts, in ascending order.
    pub(super) zones: Vec<usize>,
    /// For each definition, those that its tokens have. Empty: there are none at all.
    pub(super) of: Vec<Vec<usize>>,
}

impl BearerIndex {
    /// The index of some listeners or modifiers: number, bearer and zones of each.
    pub(super) fn new<'d>(d: &Declarations, all: impl Iterator<Item = (usize, Bearer, &'d [usize])>) -> Self {
        let mut index = Self::default();
        let mut zones = BTreeSet::new();
        for (number, bearer, acts_in) in all {
            index.of.resize(d.definitions.len(), Vec::new());
            zones.extend(acts_in.iter().copied());
            for (at, definition) in d.definitions.iter().enumerate() {
                let has = match bearer {
                    Bearer::Game | Bearer::Players => false,
                    Bearer::Definition(wanted) => wanted == at,
                    Bearer::Kind(kind) => d.is_of(Holder::Token(kind), definition.kind),
                };
                if has {
                    index.of[at].push(number);
                }
            }
        }
        index.zones = zones.into_iter().collect();
        index
    }
}

/// A condition of a modifier on counters of its own token: without it, the modifier changes nothing.
#[derive(Debug, Clone)]
pub enum Gate {
    /// The counter is in a range, inclusive.
    Within(TokenWords, i32, i32),
    /// One of the counters is not 0.
    Any(Vec<TokenWords>),
}

impl Gate {
    /// The gate of a modifier, if it has one: a condition on a counter of its token, or else the counters that it adds.
    pub(super) fn new(modifier: &Modifier, words_of: impl Fn(usize) -> TokenWords) -> Option<Self> {
        let counter = |formula: &Formula, factors: &dyn Fn(i32) -> bool| match formula.terms.as_slice() {
            [(factor, Term::Read(Thing::This, Field::Counter(counter)))] if formula.constant == 0 => {
                factors(*factor).then_some(*counter)
            }
            _ => None,
        };
        for condition in modifier.conditions.iter().filter(|condition| condition.equals.is_none()) {
            if let Some(counter) = counter(&condition.formula, &|factor| factor == 1) {
                return Some(Self::Within(words_of(counter), condition.range.min, condition.range.max));
            }
        }
        let added = modifier.changes.iter().map(|(layer, _, formula)| {
            let counter = counter(formula, &|_| true)?;
            (*layer == ModifierLayer::Add).then(|| words_of(counter))
        });
        added.collect::<Option<Vec<_>>>().map(Self::Any)
    }

    /// Whether any token may pass.
    pub(super) fn may_be_open(&self, words: &[i32]) -> bool {
        match self {
            Self::Within(counter, min, max) => (*min..=*max).contains(&0) || counter.has_values(words),
            Self::Any(counters) => counters.iter().any(|counter| counter.has_values(words)),
        }
    }

    /// Whether a token passes.
    pub(super) fn is_open(&self, words: &[i32], token: i32) -> bool {
        match self {
            Self::Within(counter, min, max) => (*min..=*max).contains(&counter.value(words, token)),
            Self::Any(counters) => counters.iter().any(|counter| counter.value(words, token) != 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_outside_a_counter_have_0() {
        let counter = TokenWords { offset: 1, first: 3, len: 2 };
        let values: Vec<i32> = (0..7).map(|token| counter.value(&[9, 7, 8, 9], token)).collect();
        assert_eq!(values, [0, 0, 0, 7, 8, 0, 0]);
        assert!(counter.has_values(&[0, 0, 8, 0]) && !counter.has_values(&[9, 0, 0, 9]));
    }
}
