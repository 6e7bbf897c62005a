//! Prints the verdict on a new value.

use std::io::Write;

use comfy_table::Cell;
use motherlode_lab::VerdictRow;

use crate::fault::Fault;
use crate::lab::{difference, draw, judged_cells, number_cell};
use crate::paint::{self, right};

/// Prints the rows.
pub fn print(out: &mut dyn Write, rows: &[VerdictRow]) -> Result<(), Fault> {
    let Some(first) = rows.first() else { return Ok(()) };
    let by_lead = rows.iter().any(|row| row.lead.is_some());
    let meets = |row: &VerdictRow| row.over_rival.is_none();
    let is_mixed = rows.iter().any(|row| row.objective != first.objective);
    let mut table = paint::table();
    let judged = if is_mixed { "result" } else { first.objective.name() };
    // Where bots never meet, the interval of the difference is the one that counts.
    let has_interval = rows.iter().any(meets);
    let mut header = vec![Cell::new("against"), right("players"), right("games"), right(judged)];
    header.extend(has_interval.then(|| right("95 % interval")));
    let par = match (rows.iter().any(meets), rows.iter().all(meets)) {
        (true, true) if by_lead => "lead",
        (true, true) => "even",
        (false, _) => "rival",
        _ => "even or rival",
    };
    header.push(right(par));
    let has_difference = !rows.iter().all(meets);
    header.extend(has_difference.then(|| right("difference")));
    header.push(Cell::new(""));
    table.set_header(header);
    for row in rows {
        let mut cells = vec![Cell::new(row.rival), right(row.players), right(row.games)];
        let [result, interval] = judged_cells(row.objective, row.result);
        cells.push(result);
        cells.extend(has_interval.then_some(interval));
        let even = if row.objective.is_share() { paint::percent(row.even) } else { format!("{:.1}", row.even) };
        cells.push(if row.lead.is_some() { number_cell(row.lead) } else { right(even) });
        let over = row.over_rival.map(|over| difference(row.objective, over));
        cells.extend(has_difference.then(|| right(over.unwrap_or_default())));
        cells.push(Cell::new(if row.is_better { "better" } else { "" }));
        table.add_row(cells);
    }
    draw(out, table)
}
