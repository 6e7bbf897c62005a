//! The utility of a game: its bounds, and what the utilities of all seats add up to.

use motherlode::declare::{Goal, OutcomeDecl};
use motherlode::{Game, Match, Setup};

use crate::reward::utility_in_points;

/// The sum of the utilities of all seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UtilitySum {
    /// Always 0.
    Zero,
    /// Always the same number, here 1.
    Constant,
    /// All seats have the same utility.
    Identical,
    /// Any other.
    General,
}

impl UtilitySum {
    /// Its name: `zero_sum`, `constant_sum`, `identical`, `general_sum`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero_sum",
            Self::Constant => "constant_sum",
            Self::Identical => "identical",
            Self::General => "general_sum",
        }
    }
}

/// The declared utility of the seats, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Utility {
    /// The goal.
    pub goal: Goal,
    /// The smallest utility of a seat.
    pub least: f64,
    /// The largest utility of a seat.
    pub most: f64,
    /// The sum over all seats.
    pub sum: UtilitySum,
}

impl Utility {
    /// The utility that an outcome declares.
    #[must_use]
    pub fn new(declared: &OutcomeDecl, setup: &Setup, game: &Game) -> Self {
        let unit = f64::from(game.declarations().counters[declared.score].unit.max(1));
        let (low, high) = declared.range.unwrap_or_default();
        let (low, high) = (f64::from(low) / unit, f64::from(high) / unit);
        let (least, most) = match declared.goal {
            Goal::Rank => (0.0, 1.0),
            Goal::Margin => (low - high, high - low),
            Goal::Score if declared.least_score() => (-high, -low),
            Goal::Score => (low, high),
        };
        let sum = match declared.goal {
            _ if declared.shared || setup.players == 1 => UtilitySum::Identical,
            Goal::Rank => UtilitySum::Constant,
            Goal::Score if declared.zero_sum && declared.teams.is_none() => UtilitySum::Zero,
            Goal::Margin if setup.players == 2 && declared.teams.is_none() => UtilitySum::Zero,
            Goal::Score | Goal::Margin => UtilitySum::General,
        };
        Self { goal: declared.goal, least, most, sum }
    }

    /// The utility of a seat in points: 0 until the match is over.
    #[must_use]
    pub fn of(m: &Match, seat: u8) -> f64 {
        m.outcome().map_or(0.0, |outcome| utility_in_points(&m.game().declarations().outcome, &outcome, seat))
    }
}
