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

const DEALT_POINTS: &str = "dealt points";

/// Returns the columns of an item table for this objective, in order.
#[must_use]
pub fn item_columns(objective: Objective) -> Vec<ItemColumn> {
    let in_percent = if objective.is_share() { ", in percentage points" } else { "" };
    let gain = objective.gain();
    let instead = "by taking it instead of the best other choice";
    let [dealt, pick, kept]: [FigureOf; 3] = if objective.is_share() {
        [
            |item| item.dealt.map(|dealt| Figure::Percentage(dealt.delta)),
            |item| item.pick.map(Figure::Percentage),
            |item| item.kept.map(Figure::Percentage),
        ]
    } else {
        [
            |item| item.dealt.map(|dealt| Figure::Points(dealt.delta)),
            |item| item.pick.map(Figure::Points),
            |item| item.kept.map(Figure::Points),
        ]
    };
    let mut columns = vec![
        column("offered", String::new(), |item| Some(Figure::Count(item.offered))),
        column("taken", String::new(), |item| item.taken.map(Figure::Share)),
        ItemColumn {
            is_detail: true,
            ..column("dealt", format!("{gain} by the item in the opening deal{in_percent}"), dealt)
        },
        ItemColumn {
            is_detail: true,
            ..column(DEALT_POINTS, "score gained by the item in the opening deal".to_owned(), |item| {
                item.dealt_points.map(|dealt| Figure::Points(dealt.delta))
            })
        },
        column("picked", format!("{gain} {instead}{in_percent}"), pick),
    ];
    if !objective.is_score() {
        let meaning = format!("score gained {instead}");
        columns.push(column("points", meaning, |item| item.points.map(Figure::Points)));
    }
    let meaning = format!("{gain} over doing without it from then on{in_percent}");
    columns.push(column("kept", meaning, kept));
    let meaning = "share of forks in which taking it was better; ties count as half".to_owned();
    columns.retain(|column| !(objective.is_score() && column.name == DEALT_POINTS));
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

/// Sorts items by the size of the effect that is certain: the bound of the interval of `picked` that is nearer to
/// zero, or zero within it. Items without forks are last, by the same bound of `dealt`.
#[must_use]
pub fn sort_items(items: &[ItemReport]) -> Vec<&ItemReport> {
    let mut items: Vec<&ItemReport> = items.iter().collect();
    let order = |item: &ItemReport| {
        let dealt = item.dealt_points.or(item.dealt).map(|dealt| dealt.delta);
        let of = |effect: Option<Estimate>| effect.map_or([-1.0, 0.0], |effect| [certain(effect).abs(), effect.value]);
        [of(item.pick), of(dealt)].concat()
    };
    items.sort_by(|one, two| {
        let pairs = order(two).into_iter().zip(order(one));
        pairs.map(|(two, one)| two.total_cmp(&one)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    items
}

/// Returns the bound of the interval that is nearer to zero, or zero within it.
fn certain(Estimate { interval, .. }: Estimate) -> f64 {
    if interval.low > 0.0 { interval.low } else { interval.high.min(0.0) }
}
