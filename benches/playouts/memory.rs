//! Resident memory of a simulation after 10,000 and after 100,000 games.

use std::process::Command;

use motherlode_play::Simulation;

use crate::form::Form;
use crate::games::{setup, shipped};
use crate::subject::sure;
use crate::table::{Figures, grouped, verdict};

/// Environment variable with the id of a game: the program plays the game, prints its memory and ends.
const VARIABLE: &str = "LODE_BENCH_MEMORY";

/// Numbers of games after which the memory is measured.
const GAMES: [u64; 2] = [10_000, 100_000];

/// Maximum relative change.
const TARGET: f64 = 0.05;

/// Resident pages of this process; Linux only.
fn resident() -> Option<u64> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()
}

/// Plays and prints the resident pages at both marks, if this process was started for that.
pub fn measures_here() -> bool {
    let Ok(id) = std::env::var(VARIABLE) else { return false };
    let game = shipped(&id);
    let setup = setup(&game, game.declarations().players.default, &[]);
    let mut marks = GAMES.into_iter().peekable();
    let simulation = Simulation { games: GAMES[1], threads: 2, ..Simulation::new(&game, setup) };
    sure(simulation.run(|progress| {
        if marks.next_if(|&mark| progress.done >= mark).is_some() {
            println!("{}", resident().unwrap_or(0));
        }
    }));
    true
}

fn measure(id: &str) -> Option<[f64; 2]> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program).env(VARIABLE, id).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let pages: Vec<f64> = text.lines().filter_map(|line| line.parse().ok()).collect();
    pages.try_into().ok().filter(|pages: &[f64; 2]| pages[0] > 0.0)
}

pub fn print(form: &Form) {
    let header = GAMES.map(|games| format!("pages after {}", grouped(games as f64)));
    let mut table = Figures::new(
        "Resident memory of a simulation with two threads",
        &["game", &header[0], &header[1], "change", "target", ""],
    );
    for id in form.pick(&["photon"][..], &["photon", "atacama"][..]) {
        let Some([first, last]) = measure(id) else {
            println!("\nThis system does not report the resident memory of {id}.");
            continue;
        };
        let change = last / first - 1.0;
        table.row([
            (*id).to_owned(),
            grouped(first),
            grouped(last),
            format!("{:+.1} %", change * 100.0),
            format!("±{:.0} %", TARGET * 100.0),
            verdict(change.abs() <= TARGET),
        ]);
    }
    table.print();
}
