//! Chance fixed by hand, for tests and for explicit chance: the next random numbers, and the top tokens after the next
//! shuffle.
//!
//! The number of used results is not stored: each result is one draw, and the state counts its draws. So a hook that
//! is rolled back, restored or repeated finds the same results.

use crate::state::PositionMut;

/// One fixed result.
///
/// ```
/// # use motherlode::{FixedResult, Match};
/// fn roll_two_sixes(m: &mut Match) {
///     m.edit().fix_chance(vec![FixedResult::Number(6), FixedResult::Number(6)]);
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FixedResult {
    /// The result of `random(n)`.
    Number(i32),
    /// The top tokens after a shuffle, the topmost last: for each place, the acceptable tokens in order of
    /// preference.
    Top(Vec<Vec<i32>>),
}

/// The next results of chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedChance {
    /// The seed and the number of draws when the results were fixed.
    from: (u64, u32),
    results: Vec<FixedResult>,
    /// The first draw beyond the results.
    wanted: Option<WantedDraw>,
}

/// A draw for which no result is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedDraw {
    /// A number from 1 to this.
    Number(u32),
    /// An order of the tokens of a shuffled pile. Copies with equal counters form one set.
    Order(Vec<Vec<i32>>),
}

impl FixedChance {
    /// Fixes the next results in this position.
    pub fn new(position: &PositionMut<'_>, results: Vec<FixedResult>) -> Self {
        Self { from: (position.seed_of_draws(), position.draws()), results, wanted: None }
    }

    /// Fixes the results since this number of draws after this seed was set.
    pub const fn since(from: (u64, u32), results: Vec<FixedResult>) -> Self {
        Self { from, results, wanted: None }
    }

    /// The first draw beyond the results.
    pub const fn wanted(&self) -> Option<&WantedDraw> {
        self.wanted.as_ref()
    }

    /// Number of unused results.
    pub fn left(&self, position: &PositionMut<'_>) -> usize {
        self.used(position).map_or(0, |used| self.results.len().saturating_sub(used))
    }

    /// Number of used results; `None`: the seed has changed.
    fn used(&self, position: &PositionMut<'_>) -> Option<usize> {
        let (seed, before) = self.from;
        (position.seed_of_draws() == seed).then(|| position.draws().wrapping_sub(before) as usize)
    }

    fn next(&self, position: &PositionMut<'_>) -> Option<&FixedResult> {
        self.results.get(self.used(position)?)
    }

    /// Notes the draw of this number if it is the first beyond the results.
    fn want(&mut self, used: Option<usize>, draw: impl FnOnce() -> WantedDraw) {
        if used == Some(self.results.len()) {
            self.wanted = Some(draw());
        }
    }
}

/// A random number from 1 to n for a script: the next fixed result, or a random one.
///
/// # Errors
/// The next result is not a number from 1 to n.
pub fn random(
    fixed: Option<&mut FixedChance>,
    position: &mut PositionMut<'_>,
    n: u32,
    script: i32,
) -> Result<i32, String> {
    let Some(fixed) = fixed else { return Ok(position.random(n, script).cast_signed()) };
    let used = fixed.used(position);
    fixed.want(used, || WantedDraw::Number(n));
    let next = fixed.next(position);
    let fallen = position.random(n, script).cast_signed();
    match next {
        None => Ok(fallen),
        Some(FixedResult::Number(number)) if *number >= 1 && number.cast_unsigned() <= n => Ok(*number),
        Some(FixedResult::Number(number)) => {
            Err(format!("chance is fixed to {number} here, but random({n}) gives 1 to {n}"))
        }
        Some(FixedResult::Top(_)) => Err(format!("chance is fixed to a shuffle here, but random({n}) comes first")),
    }
}

/// Shuffles a pile; the next fixed tokens go on top.
///
/// # Errors
/// The next result is not a list of tokens, or a token is missing.
pub fn shuffle(fixed: Option<&mut FixedChance>, position: &mut PositionMut<'_>, pile: usize) -> Result<(), String> {
    let used = fixed.as_ref().and_then(|fixed| fixed.used(position));
    position.shuffle(pile);
    fixed.map_or(Ok(()), |fixed| fixed.arrange(used, position, pile))
}

/// The top token of a pile, after shuffling `reserve` into an empty one. The token stays there.
///
/// # Errors
/// As [`shuffle`].
pub fn draw(
    fixed: Option<&mut FixedChance>,
    position: &mut PositionMut<'_>,
    from: usize,
    reserve: Option<usize>,
) -> Result<Option<i32>, String> {
    let (used, before) = (fixed.as_ref().and_then(|fixed| fixed.used(position)), position.draws());
    let token = position.draw(from, reserve);
    match fixed {
        Some(fixed) if position.draws() != before => {
            fixed.arrange(used, position, from)?;
            Ok(position.tokens(from).last().copied())
        }
        _ => Ok(token),
    }
}

impl FixedChance {
    /// Moves the fixed tokens of this draw to the top of a pile that was just shuffled.
    fn arrange(&mut self, used: Option<usize>, position: &mut PositionMut<'_>, pile: usize) -> Result<(), String> {
        self.want(used, || WantedDraw::Order(position.copies(pile)));
        let top = match used.and_then(|used| self.results.get(used)) {
            None => return Ok(()),
            Some(FixedResult::Number(number)) => {
                return Err(format!("chance is fixed to {number} here, but a shuffle comes first"));
            }
            Some(FixedResult::Top(top)) => top,
        };
        let mut placed: Vec<i32> = Vec::with_capacity(top.len());
        for tokens in top {
            let there = |token: &&i32| position.tokens(pile).contains(token) && !placed.contains(token);
            let Some(&token) = tokens.iter().find(there) else {
                return Err("chance is fixed to a shuffle here, but one of its tokens is not in the zone".into());
            };
            placed.push(token);
            position.put(token, pile, false);
        }
        Ok(())
    }
}
