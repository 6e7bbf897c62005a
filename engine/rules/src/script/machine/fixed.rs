//! FixedChance that is fixed by hand, for tests: what the next random numbers are, and what lies on top after the next shuffle.
//!
//! How many results have been used is not kept: each is one draw, and the state counts its draws. What is taken back, saved or run again
//! therefore finds the same results.

use crate::state::PositionMut;

/// One result of chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fixed {
    /// The result of `random(n)`.
    Number(i32),
    /// The tokens on top after a shuffle, the topmost last: for each place the tokens that may lie there, in order of preference.
    Top(Vec<Vec<i32>>),
}

/// The next results of chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedChance {
    /// The seed, and what had been drawn of it, when they were fixed.
    from: (u64, u32),
    results: Vec<Fixed>,
}

impl FixedChance {
    /// The next results in this position.
    pub fn new(position: &PositionMut<'_>, results: Vec<Fixed>) -> Self {
        Self { from: (position.seed_of_draws(), position.draws()), results }
    }

    /// How many results have not been used.
    pub fn left(&self, position: &PositionMut<'_>) -> usize {
        self.used(position).map_or(0, |used| self.results.len().saturating_sub(used))
    }

    /// How many results have been used; `None`: there is another seed by now.
    fn used(&self, position: &PositionMut<'_>) -> Option<usize> {
        let (seed, before) = self.from;
        (position.seed_of_draws() == seed).then(|| position.draws().wrapping_sub(before) as usize)
    }

    fn next(&self, position: &PositionMut<'_>) -> Option<&Fixed> {
        self.results.get(self.used(position)?)
    }
}

/// A random number from 1 to n for a script: the next fixed one, or one as it falls.
///
/// # Errors
/// The next result is another one.
pub fn random(fixed: Option<&FixedChance>, position: &mut PositionMut<'_>, n: u32, script: i32) -> Result<i32, String> {
    let next = fixed.and_then(|fixed| fixed.next(position));
    let fallen = position.random(n, script).cast_signed();
    match next {
        None => Ok(fallen),
        Some(Fixed::Number(number)) if *number >= 1 && number.cast_unsigned() <= n => Ok(*number),
        Some(Fixed::Number(number)) => Err(format!("chance is fixed to {number} here, but random({n}) gives 1 to {n}")),
        Some(Fixed::Top(_)) => Err(format!("chance is fixed to a shuffle here, but random({n}) comes first")),
    }
}

/// Shuffles a pile: the next fixed tokens come to lie on top of the others.
///
/// # Errors
/// The next result is another one, or a token is not there.
pub fn shuffle(fixed: Option<&FixedChance>, position: &mut PositionMut<'_>, pile: usize) -> Result<(), String> {
    let next = fixed.and_then(|fixed| fixed.next(position));
    position.shuffle(pile);
    next.map_or(Ok(()), |next| arrange(next, position, pile))
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
    let (next, before) = (fixed.and_then(|fixed| fixed.next(position)), position.draws());
    let token = position.draw(from, reserve);
    match next {
        Some(next) if position.draws() != before => {
            arrange(next, position, from)?;
            Ok(position.tokens(from).last().copied())
        }
        _ => Ok(token),
    }
}

/// Puts what is fixed on top of a pile that was just shuffled.
fn arrange(next: &Fixed, position: &mut PositionMut<'_>, pile: usize) -> Result<(), String> {
    let top = match next {
        Fixed::Number(number) => return Err(format!("chance is fixed to {number} here, but a shuffle comes first")),
        Fixed::Top(top) => top,
    };
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
