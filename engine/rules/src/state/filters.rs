//! Compiled filters: each condition on a token is a look-up by its definition, or a comparison of one word.

use motherlode_content::declare::{Declarations, Definition, Field, Filter, Test};

use crate::state::bearers::TokenWords;

/// A filter on tokens, compiled.
#[derive(Debug, Clone)]
pub struct CompiledFilter {
    /// For each definition, whether its tokens may pass: by kind, by id, and by printed values that nothing changes.
    pub(super) definitions: Vec<bool>,
    /// Counters and current values, each with its range, inclusive.
    pub(super) words: Vec<(TokenWords, i32, i32)>,
    /// The other tests.
    pub(super) others: Vec<Test>,
    /// Whether it asks neither whose a token is nor which one.
    pub(super) is_of_all: bool,
}

impl CompiledFilter {
    /// Whether the counters and current values of a token are in their ranges.
    #[inline(always)]
    pub(super) fn fits(&self, words: &[i32], token: i32) -> bool {
        self.words.iter().all(|(of_tokens, min, max)| {
            let value = of_tokens.value(words, token);
            *min <= value && value <= *max
        })
    }

    /// Compiles a filter. `printed`: the printed values of an attribute by definition, unless it has current values;
    /// `words_of`: the words of a counter or of current values.
    pub(super) fn new<'p>(
        d: &Declarations,
        filter: &Filter,
        printed: impl Fn(usize) -> Option<&'p Vec<i32>>,
        words_of: impl Fn(Field) -> Option<TokenWords>,
    ) -> Self {
        let is_kind = |of: &Definition| {
            let is_like = |kind: &usize| d.is_of(motherlode_content::declare::Holder::Token(*kind), of.kind);
            filter.kinds.is_empty() || filter.kinds.iter().any(is_like)
        };
        let is_one = |index: usize| {
            let is_same = |(kind, number): &(usize, usize)| d.kinds[*kind].first + number == index;
            filter.definitions.is_empty() || filter.definitions.iter().any(is_same)
        };
        let mut compiled = Self {
            definitions: (0..).zip(&d.definitions).map(|(index, of)| is_kind(of) && is_one(index)).collect(),
            words: Vec::new(),
            others: Vec::new(),
            is_of_all: filter.whose.is_none() && filter.is.is_none() && filter.is_not.is_none(),
        };
        for test in &filter.tests {
            if test.range.bounds.is_some() {
                compiled.others.push(test.clone());
                continue;
            }
            let values = if let Field::Attribute(attribute) = test.field { printed(attribute) } else { None };
            if let Some(values) = values {
                compiled
                    .definitions
                    .iter_mut()
                    .zip(values)
                    .for_each(|(passes, value)| *passes &= test.range.contains(*value));
            } else if let Some(words) = words_of(test.field).filter(|_| test.range.is_plain()) {
                compiled.words.push((words, test.range.min, test.range.max));
            } else {
                compiled.others.push(test.clone());
            }
        }
        compiled
    }
}
