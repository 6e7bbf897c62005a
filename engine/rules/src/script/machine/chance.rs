//! Chance in a repeated hook: recorded, and partly overridden.

use crate::state::PositionMut;

/// Random results that override the seed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChanceOverrides {
    /// Results of `random`, in order; `None`, or beyond the end: taken from the seed.
    pub draws: Vec<Option<u32>>,
    /// Exchanges in shuffled piles.
    pub swaps: Vec<Swap>,
}

/// A random number that a hook drew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The result.
    pub result: u32,
    /// The players who see it, as bits: everybody for `random`, nobody or one player for `random_hidden`.
    pub seen_by: i32,
}

/// An exchange of two tokens of a pile, after it is shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// Index of the shuffle in the hook, from 0.
    pub shuffle: usize,
    /// Their places in the pile, from 0 at the bottom.
    pub places: [usize; 2],
}

impl ChanceOverrides {
    /// Whether nothing is overridden.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.draws.is_empty() && self.swaps.is_empty()
    }

    /// Resets to no overrides; keeps the buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.draws.clear();
        self.swaps.clear();
    }

    /// Copies another override; keeps the buffers.
    pub fn copy(&mut self, from: &Self) {
        self.draws.clone_from(&from.draws);
        self.swaps.clone_from(&from.swaps);
    }
}

/// Random results in one run of a hook.
#[derive(Debug, Default)]
pub struct Chance {
    /// The overridden results.
    pub given: ChanceOverrides,
    /// Random numbers, in order.
    pub draws: Vec<Draw>,
    /// Every shuffled pile, in its order after the shuffle.
    pub shuffles: Vec<Vec<i32>>,
}

impl Chance {
    /// A run with these overrides.
    #[must_use]
    pub fn new(given: ChanceOverrides) -> Box<Self> {
        Box::new(Self { given, ..Self::default() })
    }

    /// Records a draw from 1 to `n` that these players see. Returns the overridden result, or the drawn one.
    pub fn draw(&mut self, n: u32, fallen: u32, seen_by: i32) -> u32 {
        let given = self.given.draws.get(self.draws.len()).copied().flatten();
        let result = given.filter(|given| (1..=n).contains(given)).unwrap_or(fallen);
        self.draws.push(Draw { result, seen_by });
        result
    }

    /// Records a shuffle and applies its exchanges.
    pub fn shuffle(&mut self, position: &mut PositionMut<'_>, pile: usize) {
        let places = position.places(pile);
        let number = self.shuffles.len();
        for Swap { places: [one, other], .. } in self.given.swaps.iter().filter(|swap| swap.shuffle == number) {
            if one.max(other) < &places.len() {
                position.words.swap(places.start + one, places.start + other);
            }
        }
        self.shuffles.push(position.tokens(pile).to_vec());
    }
}
