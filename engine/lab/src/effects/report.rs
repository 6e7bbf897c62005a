//! Results of an item, and the flags that follow from them.

use serde::{Deserialize, Serialize};

use crate::objective::Objective;
use crate::ratio::{Difference, Estimate, discoveries};
use crate::standing::RoleStanding;

/// Minimum number of offers before an item can be dead.
const MIN_OFFERS: f64 = 50.0;

/// An item taken in a smaller share of offers is dead.
const DEAD_SHARE: f64 = 0.01;

/// An item that is better in a smaller share of forks, and costs utility, is dominated.
const DOMINATED_SHARE: f64 = 0.15;

/// An item that gains at least this win share, and is nearly always better, is a must-have.
const MUST_HAVE_SHARE: f64 = 0.05;

/// An item that gains at least this part of the standard deviation of the score or margin, and is nearly always better,
/// is a must-have.
const MUST_HAVE_DEVIATION: f64 = 0.1;

/// Results of one role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RoleReport {
    /// Its results.
    #[serde(flatten)]
    pub standing: RoleStanding,
    /// Two-sided p-value of the deviation from the even win share, or from a lead of 0.
    pub p: Option<f64>,
    /// Whether the role is uneven. The false-discovery rate of the table is held at 5 % (Benjamini and Hochberg).
    pub found: bool,
}

/// Results of one item.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// Kind of the item: the kind of a card, the prompt of an action, a grid.
    pub sort: String,
    /// Name.
    pub name: String,
    /// Number of decisions that offered it.
    pub offered: f64,
    /// Share of offers in which it was taken.
    pub taken: Option<Estimate>,
    /// Utility of seats that were dealt it at the start, compared with the others at the table.
    pub dealt: Option<Difference>,
    /// Number of forks.
    pub forks: f64,
    /// Utility gained by taking it instead of the best other choice.
    #[serde(rename = "picked")]
    pub pick: Option<Estimate>,
    /// Score gained by taking it instead of the best other choice, if the score is not the utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Estimate>,
    /// Share of forks in which it was better than the best other choice, with ties as half.
    pub better: Option<Estimate>,
    /// Two-sided p-value of `pick`.
    pub p: Option<f64>,
    /// Whether the effect is a discovery. The false-discovery rate of the table is held at 5 % (Benjamini and
    /// Hochberg).
    pub found: bool,
    /// Flag of the item.
    pub flag: Option<Flag>,
}

/// A verdict about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Never offered, although others of its kind were.
    NeverOffered,
    /// Hardly ever taken.
    Dead,
    /// Another choice is nearly always better.
    Dominated,
    /// Gains utility, and is nearly always better than any other choice.
    MustHave,
}

impl Flag {
    /// Returns the flag as text.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::NeverOffered => "never offered",
            Self::Dead => "dead",
            Self::Dominated => "dominated",
            Self::MustHave => "must-have",
        }
    }
}

/// Marks discoveries among p-values and their marks, as far as they were tested.
pub fn discover<'i>(all: impl Iterator<Item = (Option<f64>, &'i mut bool)>) {
    let (p, marks): (Vec<f64>, Vec<&mut bool>) = all.filter_map(|(p, mark)| Some((p?, mark))).unzip();
    for (mark, found) in marks.into_iter().zip(discoveries(&p)) {
        *mark = found;
    }
}

/// Returns the smallest gain of a must-have, from the standard deviation of the utility.
pub fn must_have_gain(objective: Objective, deviation: f64) -> f64 {
    if objective.is_share() { MUST_HAVE_SHARE } else { MUST_HAVE_DEVIATION * deviation }
}

/// Returns the flag of an item, if any. `gain` is the smallest gain of a must-have.
pub fn flag(item: &ItemReport, gain: f64) -> Option<Flag> {
    let taken = item.taken?;
    // A card never taken is dead even if few blocks offered it that often, so its interval does not matter.
    if item.offered >= MIN_OFFERS
        && taken.value < DEAD_SHARE
        && (taken.value <= 0.0 || taken.interval.high < 2.0 * DEAD_SHARE)
    {
        return Some(Flag::Dead);
    }
    let (pick, better) = (item.pick?, item.better?);
    if item.found && pick.interval.high < 0.0 && better.interval.high < DOMINATED_SHARE {
        return Some(Flag::Dominated);
    }
    (item.found && pick.interval.low > gain && better.value > 1.0 - DOMINATED_SHARE).then_some(Flag::MustHave)
}
