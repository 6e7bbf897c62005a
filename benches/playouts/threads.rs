//! Speedup of a simulation with two threads. The times are wall-clock times, so a busy machine distorts them.

use std::thread::available_parallelism;

use motherlode_play::Simulation;

use crate::clock::median;
use crate::form::Form;
use crate::games::{playouts, setup, shipped};
use crate::subject::sure;
use crate::table::{Figures, grouped, verdict};

/// Minimum speedup by the second thread.
const TARGET: f64 = 1.8;

/// Load average of the machine; Linux only.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|n| !n.is_empty()).map_or("load unknown".to_owned(), |load| format!("load {load}"))
}

pub fn print(form: &Form) {
    let cores = available_parallelism().map_or(1, usize::from);
    let mut table = Figures::new(
        format!("Simulation with two threads against one, wall-clock time ({cores} cores, {})", load()),
        &["game", "games", "games/s with 1", "games/s with 2", "times faster", "target", ""],
    );
    for (id, players) in [("photon", 4), ("atacama", 2)] {
        let game = shipped(id);
        let setup = setup(&game, players, &[]);
        let rate = playouts("", &game, &setup).measure(form.budget()).rate();
        let games = (rate * form.pick(0.5, 2.0)).ceil() as u64;
        let mut rates = [Vec::new(), Vec::new()];
        for _ in 0..form.pick(3, 7) {
            for (threads, rates) in (1..).zip(&mut rates) {
                let report = sure(Simulation { games, threads, ..Simulation::new(&game, setup.clone()) }.run(|_| {}));
                rates.push(report.speed.map_or(f64::NAN, |speed| speed.games_per_second));
            }
        }
        let faster = median(rates[0].iter().zip(&rates[1]).map(|(one, two)| two / one).collect());
        let [one, two] = rates.map(median);
        table.row([
            format!("{id}, {players} players"),
            grouped(games as f64),
            grouped(one),
            grouped(two),
            format!("{faster:.2}"),
            format!("{TARGET}"),
            verdict(faster >= TARGET),
        ]);
    }
    table.print();
}
