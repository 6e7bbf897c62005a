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
    /// Whether a short table leaves it out.
    pub is_detail: bool,
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
        column("offered", String::new(), |item| Some(Figure::Count(item.offered))),
        column("taken", String::new(), |item| item.taken.map(Figure::Share)),
        ItemColumn {
            is_detail: true,
            ..column("dealt", format!("{gain} by the item in the opening deal{in_percent}"), dealt)
        },
        column("picked", format!("{gain} {instead}{in_percent}"), pick),
    ];
    if !objective.is_score() {
        let meaning = format!("score gained {instead}");
        columns.push(column("points", meaning, |item| item.points.map(Figure::Points)));
    }
    let meaning = "share of forks in which taking it was better; ties count as half".to_owned();
    columns.push(ItemColumn { is_detail: true, ..column("better", meaning, |item| item.better.map(Figure::Share)) });
    columns
}

fn column(name: &'static str, meaning: String, of: FigureOf) -> ItemColumn {
    ItemColumn { name, meaning, of, is_detail: false }
}

/// Returns the explanations of columns: `dealt: ...; picked: ...`.
#[must_use]
pub fn item_legend(columns: &[ItemColumn]) -> String {
    let explained = columns.iter().filter(|column| !column.meaning.is_empty());
    explained.map(|column| format!("{}: {}", column.name, column.meaning)).collect::<Vec<_>>().join("; ")
}

/// Sorts items by the size of the effect that is certain: the bound of the interval of `picked` that is nearer to zero, or
/// zero within it. Gains come before losses of the same size, items without forks last.
#[must_use]
pub fn sort_items(items: &[ItemReport]) -> Vec<&ItemReport> {
    let mut items: Vec<&ItemReport> = items.iter().collect();
    let order = |item: &ItemReport| item.pick.map_or((-1.0, 0.0), |pick| (certain(pick).abs(), pick.value));
    items.sort_by(|one, two| {
        let ((one, gain), (two, other)) = (order(one), order(two));
        two.total_cmp(&one).then(other.total_cmp(&gain))
    });
    items
}

/// Returns the bound of the interval that is nearer to zero, or zero within it.
fn certain(Estimate { interval, .. }: Estimate) -> f64 {
    if interval.low > 0.0 { interval.low } else { interval.high.min(0.0) }
}
