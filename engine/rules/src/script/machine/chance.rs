//! Chance in a hook that is run again: recorded, and in part given.

use crate::state::PositionMut;

/// Results of chance in place of those of the match's seed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The results of `random`, in order; `None`, and beyond the end: those of the seed.
    pub draws: Vec<Option<u32>>,
    /// Exchanges in shuffled piles.
    pub swaps: Vec<Swap>,
}

/// Two tokens of a pile that change places after it was shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// The number of the shuffle in the hook, from 0.
    pub shuffle: usize,
    /// Their places in the pile, from 0 at the bottom.
    pub places: [usize; 2],
}

impl Given {
    /// Whether everything falls as it falls.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.draws.is_empty() && self.swaps.is_empty()
    }

    /// Becomes another one; the buffers are kept.
    pub fn copy(&mut self, from: &Self) {
        self.draws.clone_from(&from.draws);
        self.swaps.clone_from(&from.swaps);
    }
}

/// A record of chance in a run of a hook.
#[derive(Debug, Default)]
pub struct Chance {
    /// The results that are given.
    pub given: Given,
    /// The draws of `random`: out of how many, and which.
    pub draws: Vec<(u32, u32)>,
    /// Every pile that was shuffled, as it lay afterwards.
    pub shuffles: Vec<Vec<i32>>,
}

impl Chance {
    /// A run in which this is given.
    #[must_use]
    pub fn new(given: Given) -> Box<Self> {
        Box::new(Self { given, ..Self::default() })
    }

    /// This number fell out of `n`; what the script gets.
    pub fn draw(&mut self, n: u32, fallen: u32) -> u32 {
        let given = self.given.draws.get(self.draws.len()).copied().flatten();
        let drawn = given.filter(|given| (1..=n).contains(given)).unwrap_or(fallen);
        self.draws.push((n, drawn));
        drawn
    }

    /// This pile was just shuffled.
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
