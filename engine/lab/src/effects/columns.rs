//! The figures of an item: each is a column of `lode effects` and of the page.

use super::report::ItemReport;
use crate::ratio::Estimate;

/// A figure of an item.
#[derive(Debug)]
pub struct ItemColumn {
    /// Its heading.
    pub name: &'static str,
    /// What the heading means; empty: what it says.
    pub meaning: &'static str,
    /// The figure; `None`: nothing is known.
    pub of: fn(&ItemReport) -> Option<Figure>,
}

/// A figure, by how it is written.
#[derive(Debug, Clone, Copy)]
pub enum Figure {
    /// A number of times.
    Count(f64),
    /// A share, in percent.
    Share(Estimate),
    /// A difference of shares, in points of a hundred.
    Points(Estimate),
    /// A difference of scores.
    Score(Estimate),
}

/// Every figure of an item, in the order of the tables.
pub static ITEM_COLUMNS: [ItemColumn; 6] = [
    ItemColumn { name: "offered", meaning: "", of: |item| Some(Figure::Count(item.offered)) },
    ItemColumn { name: "taken", meaning: "", of: |item| item.taken.map(Figure::Share) },
    ItemColumn {
        name: "dealt",
        meaning: "points of win share that it brings to have it from the opening deal",
        of: |item| item.dealt.map(|dealt| Figure::Points(dealt.more)),
    },
    ItemColumn {
        name: "picked",
        meaning: "the same for taking it, against the best other choice",
        of: |item| item.pick.map(Figure::Points),
    },
    ItemColumn { name: "points", meaning: "of the score", of: |item| item.points.map(Figure::Score) },
    ItemColumn { name: "better", meaning: "how often taking it was better", of: |item| item.better.map(Figure::Share) },
];

/// The meanings of all columns: `points: of the score; better: ...`.
#[must_use]
pub fn item_legend() -> String {
    let told = ITEM_COLUMNS.iter().filter(|column| !column.meaning.is_empty());
    told.map(|column| format!("{}: {}", column.name, column.meaning)).collect::<Vec<_>>().join("; ")
}

/// Items with a flag first, then by what picking them brings.
#[must_use]
pub fn sorted(items: &[ItemReport]) -> Vec<&ItemReport> {
    let mut items: Vec<&ItemReport> = items.iter().collect();
    let worth = |item: &ItemReport| item.pick.map_or(f64::NEG_INFINITY, |pick| pick.value);
    items.sort_by(|one, two| two.flag.is_some().cmp(&one.flag.is_some()).then(worth(two).total_cmp(&worth(one))));
    items
}
