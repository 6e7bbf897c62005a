//! Columns of an item table, shared by `lode effects` and the page.

use super::report::ItemReport;
use crate::objective::Objective;
use crate::ratio::Estimate;

/// One column of an item table.
#[derive(Debug)]
pub struct ItemColumn {
    /// Heading.
    pub name: &'static str,
    /// Explanation of the heading; empty if the heading needs none.
    pub meaning: String,
    /// Value of the column; `None` without data.
    pub of: FigureOf,
}

/// The value of an item in a column.
type FigureOf = fn(&ItemReport) -> Option<Figure>;

/// A value, by unit.
#[derive(Debug, Clone, Copy)]
pub enum Figure {
    /// A count.
    Count(f64),
    /// A share, shown in percent.
    Share(Estimate),
    /// A difference of shares, shown in percentage points.
    Percentage(Estimate),
    /// A difference of scores or margins, in points.
    Points(Estimate),
}

/// Returns the columns of an item table for this objective, in order.
#[must_use]
pub fn item_columns(objective: Objective) -> Vec<ItemColumn> {
    let in_percent = if objective.is_share() { ", in percentage points" } else { "" };
    let gain = objective.gain();
    let instead = "by taking it instead of the best other choice";
    let (dealt, pick): (FigureOf, FigureOf) = if objective.is_share() {
        (|item| item.dealt.map(|dealt| Figure::Percentage(dealt.delta)), |item| item.pick.map(Figure::Percentage))
    } else {
        (|item| item.dealt.map(|dealt| Figure::Points(dealt.delta)), |item| item.pick.map(Figure::Points))
    };
    let mut columns = vec![
        ItemColumn { name: "offered", meaning: String::new(), of: |item| Some(Figure::Count(item.offered)) },
        ItemColumn { name: "taken", meaning: String::new(), of: |item| item.taken.map(Figure::Share) },
        ItemColumn { name: "dealt", meaning: format!("{gain} by the item in the opening deal{in_percent}"), of: dealt },
        ItemColumn { name: "picked", meaning: format!("{gain} {instead}{in_percent}"), of: pick },
    ];
    if !objective.is_score() {
        let meaning = format!("score gained {instead}");
        columns.push(ItemColumn { name: "points", meaning, of: |item| item.points.map(Figure::Points) });
    }
    let meaning = "share of forks in which taking it was better; ties count as half".to_owned();
    columns.push(ItemColumn { name: "better", meaning, of: |item| item.better.map(Figure::Share) });
    columns
}

/// Returns the explanations of all columns: `dealt: ...; picked: ...`.
#[must_use]
pub fn item_legend(objective: Objective) -> String {
    let columns = item_columns(objective);
    let explained = columns.iter().filter(|column| !column.meaning.is_empty());
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
