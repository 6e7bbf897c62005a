//! The quantity by which a game judges its players: the declared goal.

use motherlode::declare::{Goal, OutcomeDecl};
use motherlode_play::Interval;
use serde::{Deserialize, Serialize};

use crate::ratio::{DIFFERENCE_BOUNDS, SHARE_BOUNDS};

/// The quantity that measures the goal of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The share of first places.
    #[default]
    WinShare,
    /// The score, in points.
    Score,
    /// The score, in points; less is better.
    LeastScore,
    /// The score minus the best other score, in points.
    Margin,
}

impl Objective {
    /// Returns the objective of a game.
    #[must_use]
    pub fn of(declared: &OutcomeDecl) -> Self {
        match declared.goal {
            Goal::Rank => Self::WinShare,
            Goal::Score if declared.least_score() => Self::LeastScore,
            Goal::Score => Self::Score,
            Goal::Margin => Self::Margin,
        }
    }

    /// Returns its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WinShare => "win share",
            Self::Score | Self::LeastScore => "score",
            Self::Margin => "margin",
        }
    }

    /// Returns the words for a gain: `points gained`.
    #[must_use]
    pub fn gain(self) -> &'static str {
        match self {
            Self::WinShare => "win share gained",
            Self::Score => "points gained",
            Self::LeastScore => "points saved",
            Self::Margin => "margin gained",
        }
    }

    /// Returns the words for the unit of a gain.
    #[must_use]
    pub fn unit(self) -> &'static str {
        if self == Self::WinShare { "percentage points" } else { "points" }
    }

    /// Whether players win or lose by it.
    #[must_use]
    pub fn is_share(self) -> bool {
        self == Self::WinShare
    }

    /// Whether it is the score.
    #[must_use]
    pub fn is_score(self) -> bool {
        matches!(self, Self::Score | Self::LeastScore)
    }
}

/// Returns the bounds of the utility in a single game, in points.
pub fn utility_bounds(declared: &OutcomeDecl, unit: i32) -> Interval {
    let Some((least, most)) = declared.range.filter(|_| declared.goal != Goal::Rank) else { return SHARE_BOUNDS };
    let (least, most) = (f64::from(least), f64::from(most));
    let (low, high) = match Objective::of(declared) {
        Objective::Margin => (least - most, most - least),
        Objective::LeastScore => (-most, -least),
        _ => (least, most),
    };
    let unit = f64::from(unit.max(1));
    Interval { low: low / unit, high: high / unit }
}

/// Returns the bounds of the difference of two utilities.
pub fn difference_bounds(declared: &OutcomeDecl, unit: i32) -> Interval {
    if declared.goal == Goal::Rank {
        return DIFFERENCE_BOUNDS;
    }
    let Interval { low, high } = utility_bounds(declared, unit);
    Interval { low: low - high, high: high - low }
}
