//! Results of an item, and the flags that follow from them.

use serde::{Deserialize, Serialize};

use crate::ratio::{Difference, Estimate, discoveries};
use crate::standing::RoleStanding;

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
    /// The same if all choices were equally likely.
    #[serde(default)]
    pub even: f64,
    /// Utility of seats that were dealt it at the start, compared with the others at the table.
    pub dealt: Option<Difference>,
    /// The same in points, if the score is not the utility.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealt_points: Option<Difference>,
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
    /// Utility gained by having taken it instead of doing without it for the rest of the game, in a
    /// third of the forks where the bot took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Estimate>,
    /// Two-sided p-value of `pick`.
    pub p: Option<f64>,
    /// Whether the effect is a discovery. The false-discovery rate of the table is held at 5 % (Benjamini and
    /// Hochberg).
    pub found: bool,
    /// Flag of the item.
    pub flag: Option<Flag>,
}

/// An item that differs from another one of its kind in a few numbers only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredReport {
    /// Kind of both items.
    pub sort: String,
    /// Name of the item.
    pub name: String,
    /// Name of the other item.
    pub than: String,
    /// The numbers that differ, each of the item before that of the other: `cost 3 > 2`.
    pub differences: String,
    /// Whether the item is dominated: the other one is better in all of them. If not, nothing declares which way the
    /// number is better.
    pub is_worse: bool,
}

/// A verdict about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Never offered, although others of its kind were.
    NeverOffered,
    /// Hardly ever taken, and taking it costs utility or points.
    Dead,
    /// Another choice is nearly always better, or another item of its kind is better by declaration.
    Dominated,
    /// Gains much utility, or many points.
    MustHave,
}

impl Flag {
    /// All flags, the most urgent first.
    pub const ALL: [Self; 4] = [Self::MustHave, Self::Dominated, Self::Dead, Self::NeverOffered];

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
