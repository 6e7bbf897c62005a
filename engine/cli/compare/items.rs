//! Prints how the uses of changed items differ.

use std::io::Write;

use comfy_table::Cell;
use motherlode_lab::{ChangedItemReport, ItemChange, MetricDifference};

use crate::fault::Fault;
use crate::lab::{draw, signed_range};
use crate::paint::{self, right};

/// Maximum number of items in the table. The JSON output has all.
const MAX_ITEMS: usize = 8;

/// Explains the quantities of the table.
const LEGEND: &str = "`offered`, `chosen` and `scored` are per game: decisions that offer the item, decisions that take it, and \
                      points of the taker while that decision is resolved; `chosen share` is chosen divided by offered; \
                      `taker score` is the mean final score of the seats that took it";
const WINS: &str = ", and `taker wins` their win share";
/// The quantity that only games with winners have.
pub const TAKER_WINS: &str = "taker wins";

/// Explains the quantities of changed items.
pub fn legend(has_wins: bool) -> String {
    format!("{LEGEND}{}", if has_wins { WINS } else { "" })
}

/// Prints the changed items, those with the smallest p-value first.
pub fn print(out: &mut dyn Write, items: &[ChangedItemReport]) -> Result<(), Fault> {
    if items.is_empty() {
        writeln!(out, "the edit changes no single card, action or cell")?;
        return Ok(());
    }
    let mut sorted: Vec<&ChangedItemReport> = items.iter().collect();
    let least = |item: &ChangedItemReport| item.uses.iter().map(|row| row.difference.p).fold(1.0, f64::min);
    sorted.sort_by(|one, other| least(one).total_cmp(&least(other)));
    let mut table = paint::table();
    let header = ["base", "changed", "difference, 95 % interval"].map(right);
    table.set_header([Cell::new("item"), Cell::new("uses")].into_iter().chain(header).chain([Cell::new("")]));
    for item in sorted.iter().take(MAX_ITEMS) {
        let change = match item.change {
            ItemChange::Added => " (new)",
            ItemChange::Removed => " (removed)",
            ItemChange::Edited => "",
        };
        for (number, row) in item.uses.iter().enumerate() {
            let name = if number == 0 { format!("{}: {}{change}", item.kind, item.name) } else { String::new() };
            table.add_row([Cell::new(name)].into_iter().chain(cells(row)));
        }
    }
    draw(out, table)?;
    if sorted.len() > MAX_ITEMS {
        let more = paint::plural((sorted.len() - MAX_ITEMS) as u64, "more changed item");
        writeln!(out, "{more}: see --format json")?;
    }
    let has_wins = items.iter().any(|item| item.uses.iter().any(|row| row.what == TAKER_WINS));
    for line in paint::wrapped(&legend(has_wins), paint::width()) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The cells of a quantity.
fn cells(row: &MetricDifference) -> [Cell; 5] {
    let difference = &row.difference;
    let is_share = row.what == "chosen share" || row.what == TAKER_WINS;
    let (scale, digits, unit) = if is_share { (100.0, 1, " %") } else { (1.0, 2, "") };
    let shown = |value: f64| right(format!("{:.digits$}{unit}", value * scale));
    let range = signed_range(difference.delta, scale, digits);
    [
        Cell::new(&row.what),
        shown(difference.base),
        shown(difference.changed),
        right(format!("{:+.digits$} ({range})", difference.delta.value * scale)),
        Cell::new(if row.found { "differs" } else { "" }),
    ]
}
