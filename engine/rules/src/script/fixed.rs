//! FixedChance that is fixed by hand, for tests: what the next random numbers are, and what lies on top after the next shuffle.
//!
//! How many results have been used is not kept: the generator takes one step for each, so its state tells. What is taken back, saved or
//! run again therefore finds the same results.

use crate::state::PositionMut;
use crate::state::layout::word;

/// Step of the generator, see [`PositionMut::next_u64`].
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// One result of chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fixed {
    /// What `random(n)` gives.
    Number(i32),
    /// What lies on top after a shuffle, the topmost last: for each place the tokens that may lie there, in order of preference.
    Top(Vec<Vec<i32>>),
}

/// The next results of chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedChance {
    /// The generator when they were fixed.
    from: u64,
    results: Vec<Fixed>,
}

impl FixedChance {
    /// The next results in this position.
    pub fn new(position: &PositionMut<'_>, results: Vec<Fixed>) -> Self {
        Self { from: generator(position), results }
    }

    /// How many results have not been used.
    pub fn left(&self, position: &PositionMut<'_>) -> usize {
        self.used(position).map_or(0, |used| self.results.len().saturating_sub(used))
    }

    /// How many results have been used; `None`: the generator has gone another way.
    fn used(&self, position: &PositionMut<'_>) -> Option<usize> {
        usize::try_from(generator(position).wrapping_sub(self.from).wrapping_mul(inverse(STEP))).ok()
    }

    fn next(&self, position: &PositionMut<'_>) -> Option<&Fixed> {
        self.results.get(self.used(position)?)
    }
}

fn generator(position: &PositionMut<'_>) -> u64 {
    let half = |at: usize| u64::from(position.words[at].cast_unsigned());
    half(word::RNG_HIGH) << 32 | half(word::RNG_LOW)
}

/// The inverse of an odd number modulo 2^64, by Newton's method.
const fn inverse(n: u64) -> u64 {
    let (mut x, mut i) = (n, 0);
    while i < 6 {
        x = x.wrapping_mul(2_u64.wrapping_sub(n.wrapping_mul(x)));
        i += 1;
    }
    x
}

/// A random number from 1 to n: the next fixed one, or one of the generator.
///
/// # Errors
/// The next result is another one.
pub fn random(fixed: Option<&FixedChance>, position: &mut PositionMut<'_>, n: u32) -> Result<i32, String> {
    match fixed.and_then(|fixed| fixed.next(position)) {
        None => Ok(position.random(n).cast_signed()),
        Some(Fixed::Number(number)) if *number >= 1 && number.cast_unsigned() <= n => {
            position.next_u64();
            Ok(*number)
        }
        Some(Fixed::Number(number)) => Err(format!("chance is fixed to {number} here, but random({n}) gives 1 to {n}")),
        Some(Fixed::Top(_)) => Err(format!("chance is fixed to a shuffle here, but random({n}) comes first")),
    }
}

/// Shuffles a pile: the next fixed tokens come to lie on top of the others.
///
/// # Errors
/// The next result is another one, or a token is not there.
pub fn shuffle(fixed: Option<&FixedChance>, position: &mut PositionMut<'_>, pile: usize) -> Result<(), String> {
    let top = match fixed.and_then(|fixed| fixed.next(position)) {
        None => {
            position.shuffle(pile);
            return Ok(());
        }
        Some(Fixed::Number(number)) => {
            return Err(format!("chance is fixed to {number} here, but a shuffle comes first"));
        }
        Some(Fixed::Top(top)) => top,
    };
    // One step for one result: the shuffle itself draws from a generator of its own.
    let own = position.next_u64();
    let after = generator(position);
    position.seed(own);
    position.shuffle(pile);
    position.seed(after);
    let mut placed: Vec<i32> = Vec::with_capacity(top.len());
    for tokens in top {
        let there = |token: &&i32| position.tokens(pile).contains(token) && !placed.contains(token);
        let Some(&token) = tokens.iter().find(there) else {
            return Err("chance is fixed to a shuffle here, but a token of it is not in the zone".into());
        };
        placed.push(token);
        position.put(token, pile, false);
    }
    Ok(())
}

/// The top token of a pile, after shuffling `reserve` into an empty one. It stays where it is.
///
/// # Errors
/// As [`shuffle`].
pub fn draw(
    fixed: Option<&FixedChance>,
    position: &mut PositionMut<'_>,
    from: usize,
    reserve: Option<usize>,
) -> Result<Option<i32>, String> {
    let empty = position.tokens(from).is_empty();
    let shuffles = empty && reserve.is_some_and(|reserve| !position.tokens(reserve).is_empty());
    let before = generator(position);
    let token = position.draw(from, reserve);
    if !shuffles || fixed.is_none() {
        return Ok(token);
    }
    position.seed(before);
    shuffle(fixed, position, from)?;
    Ok(position.tokens(from).last().copied())
}
