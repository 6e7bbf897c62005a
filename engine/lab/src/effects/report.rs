//! Results of an item, and the flags that follow from them.

use serde::{Deserialize, Serialize};

use crate::ratio::{Difference, Estimate, discoveries};

/// Minimum number of offers before an item can be dead.
const MIN_OFFERS: f64 = 50.0;

/// An item taken in a smaller share of offers is dead.
const DEAD_SHARE: f64 = 0.01;

/// An item that is better in a smaller share of forks, and costs win share, is dominated.
const DOMINATED_SHARE: f64 = 0.15;

/// An item that gains at least this win share, and is nearly always better, is a must-have.
const MUST_HAVE_GAIN: f64 = 0.05;

/// Results of one item, or of one role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// Kind of the item: the kind of a card, the prompt of an action, a grid. Of a role: its source.
    pub sort: String,
    /// Name.
    pub name: String,
    /// Number of decisions that offered it. Of a role: number of seats that had it.
    pub offered: f64,
    /// Share of offers in which it was taken. Of a role: its win share.
    pub taken: Option<Estimate>,
    /// Win share of seats that were dealt it at the start, compared with the others at the table.
    pub dealt: Option<Difference>,
    /// Number of forks.
    pub forks: f64,
    /// Win share gained by taking it instead of the best other choice.
    pub pick: Option<Estimate>,
    /// Score gained by taking it instead of the best other choice.
    pub points: Option<Estimate>,
    /// Share of forks in which it was better than the best other choice, with ties as half.
    pub better: Option<Estimate>,
    /// Two-sided p-value of `pick`; of a role, of the deviation from the even win share.
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
    /// Gains win share, and is nearly always better than any other choice.
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

/// Marks discoveries among all tested items.
pub fn discover(items: &mut [ItemReport]) {
    let tested: Vec<usize> = (0..items.len()).filter(|index| items[*index].p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|index| items[*index].p).collect();
    for (index, found) in tested.into_iter().zip(discoveries(&p)) {
        items[index].found = found;
    }
}

/// Returns the flag of an item, if any.
pub fn flag(item: &ItemReport) -> Option<Flag> {
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
    (item.found && pick.interval.low > MUST_HAVE_GAIN && better.value > 1.0 - DOMINATED_SHARE).then_some(Flag::MustHave)
}
