//! Columns of an item table, shared by `lode effects` and the page.

use super::report::ItemReport;
use crate::ratio::Estimate;

/// One column of an item table.
#[derive(Debug)]
pub struct ItemColumn {
    /// Heading.
    pub name: &'static str,
    /// Explanation of the heading; empty if the heading needs none.
    pub meaning: &'static str,
    /// Value of the column; `None` without data.
    pub of: fn(&ItemReport) -> Option<Figure>,
}

/// A value, by unit.
#[derive(Debug, Clone, Copy)]
pub enum Figure {
    /// A count.
    Count(f64),
    /// A share, shown in percent.
    Share(Estimate),
    /// A difference of shares, shown in percentage points.
    Points(Estimate),
    /// A difference of scores.
    Score(Estimate),
}

/// The columns of an item table, in order.
pub static ITEM_COLUMNS: [ItemColumn; 6] = [
    ItemColumn { name: "offered", meaning: "", of: |item| Some(Figure::Count(item.offered)) },
    ItemColumn { name: "taken", meaning: "", of: |item| item.taken.map(Figure::Share) },
    ItemColumn {
        name: "dealt",
        meaning: "win share gained by the item in the opening deal, in percentage points",
        of: |item| item.dealt.map(|dealt| Figure::Points(dealt.delta)),
    },
    ItemColumn {
        name: "picked",
        meaning: "win share gained by taking it instead of the best other choice, in percentage points",
        of: |item| item.pick.map(Figure::Points),
    },
    ItemColumn {
        name: "points",
        meaning: "score gained by taking it instead of the best other choice",
        of: |item| item.points.map(Figure::Score),
    },
    ItemColumn {
        name: "better",
        meaning: "share of forks in which taking it was better; ties count as half",
        of: |item| item.better.map(Figure::Share),
    },
];

/// Returns the explanations of all columns: `dealt: ...; picked: ...`.
#[must_use]
pub fn item_legend() -> String {
    let explained = ITEM_COLUMNS.iter().filter(|column| !column.meaning.is_empty());
    explained.map(|column| format!("{}: {}", column.name, column.meaning)).collect::<Vec<_>>().join("; ")
}

/// Sorts items: flagged ones first, then by falling effect of picking them.
#[must_use]
pub fn sort_items(items: &[ItemReport]) -> Vec<&ItemReport> {
    let mut items: Vec<&ItemReport> = items.iter().collect();
    let effect = |item: &ItemReport| item.pick.map_or(f64::NEG_INFINITY, |pick| pick.value);
    items.sort_by(|one, two| two.flag.is_some().cmp(&one.flag.is_some()).then(effect(two).total_cmp(&effect(one))));
    items
}
