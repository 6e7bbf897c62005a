//! Budgets of a match's scripts.

/// Budgets of a match's scripts, as counts.
///
/// ```
/// # use motherlode::Match;
/// fn shorten(m: &mut Match) {
///     m.limits_mut().match_steps = 1_000_000;
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Safepoints (loop iterations, calls) between two decisions.
    pub steps: i64,
    /// Questions that one hook may ask.
    pub choices: usize,
    /// Rounds in a match.
    pub rounds: i32,
    /// Hooks between two decisions.
    pub hooks: u32,
    /// Steps of all hooks of a match; a playout counts the steps of the match in which it begins.
    pub match_steps: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 3_000_000, choices: 1000, rounds: 1000, hooks: 20_000, match_steps: 200_000_000 }
    }
}
