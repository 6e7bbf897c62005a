//! Prints the verdict on a new value.

use std::io::Write;

use comfy_table::Cell;
use motherlode_lab::VerdictRow;

use crate::fault::Fault;
use crate::lab::{draw, judged_cells, number_cell};
use crate::paint::{self, right};

/// Prints the rows.
pub fn print(out: &mut dyn Write, rows: &[VerdictRow]) -> Result<(), Fault> {
    let Some(first) = rows.first() else { return Ok(()) };
    let by_lead = rows.iter().any(|row| row.lead.is_some());
    let mut table = paint::table();
    let mut header = vec![Cell::new("against"), right("players"), right("games"), right(first.objective.name())];
    header.extend([right("95 % interval"), right(if by_lead { "lead" } else { "even" }), Cell::new("")]);
    table.set_header(header);
    for row in rows {
        let mut cells = vec![Cell::new(row.rival), right(row.players), right(row.games)];
        cells.extend(judged_cells(row.objective, row.result));
        let even = if row.objective.is_share() { paint::percent(row.even) } else { format!("{:.1}", row.even) };
        cells.push(if by_lead { number_cell(row.lead) } else { right(even) });
        cells.push(Cell::new(if row.is_better { "better" } else { "" }));
        table.add_row(cells);
    }
    draw(out, table)
}
