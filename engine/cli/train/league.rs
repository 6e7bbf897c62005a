//! Prints the league of a training.

use std::io::Write;

use motherlode_lab::League;

use crate::fault::Fault;
use crate::paint;

/// Prints the plans that beat the value of each round.
pub fn print(out: &mut dyn Write, league: &League) -> Result<(), Fault> {
    for (number, round) in (1..).zip(league.rounds()) {
        let verb = if round.plans.len() == 1 { "beats" } else { "beat" };
        match round.plans.len() as u64 {
            0 => writeln!(out, "league, round {number}: no plan beats the value")?,
            plans => {
                let (plans, players) = (paint::plural(plans, "plan"), paint::plural(round.players, "player"));
                writeln!(out, "league, round {number}: {plans} {verb} the value, {players}")?;
            }
        }
        for plan in round.plans {
            writeln!(out, "  {plan}")?;
        }
    }
    Ok(())
}
