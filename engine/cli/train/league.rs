//! Prints the league of a training.

use std::io::Write;

use motherlode_lab::League;

use crate::fault::Fault;
use crate::paint;

/// Prints the plans that beat the value of each round.
pub fn print(out: &mut dyn Write, league: &League) -> Result<(), Fault> {
    for (round, plans) in (1..).zip(league.rounds()) {
        writeln!(
            out,
            "league, round {round}: {} the value",
            match plans.len() {
                0 => "no plan beats".to_owned(),
                1 => "1 plan beats".to_owned(),
                some => format!("{} beat", paint::plural(some as u64, "plan")),
            }
        )?;
        for plan in plans {
            writeln!(out, "  {plan}")?;
        }
    }
    Ok(())
}
