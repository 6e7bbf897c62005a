//! Benchmarks of the engine, each beside a baseline or a target.
//!
//! `cargo bench --bench playouts` takes a few minutes; the short form (`-- --quick` or `LODE_BENCH=short`) takes less
//! than a minute. Criterion's groups come first, then plain tables with a target for each figure. Criterion's
//! arguments (a filter, `--save-baseline` ...) work as usual; any of them but `--quick` turns the tables off.
//!
//! `-- --record` measures the commit in turns with its baselines and writes it to `benches/history.jsonl`.
//! `-- --against PROGRAM` compares this build with the bench of another commit, and fails if a game loses over 5 %.
//!
//! Otherwise, a slow result does not fail the run. Single-threaded times are processor time of the measuring thread,
//! where the system reports it: a busy machine distorts processor time less than wall-clock time.

#[path = "playouts/clock.rs"]
mod clock;
#[path = "playouts/drafts.rs"]
mod drafts;
#[path = "playouts/events.rs"]
mod events;
#[path = "playouts/form.rs"]
mod form;
#[path = "playouts/games.rs"]
mod games;
#[path = "playouts/history.rs"]
mod history;
#[path = "playouts/loading.rs"]
mod loading;
#[path = "playouts/memory.rs"]
mod memory;
#[path = "playouts/overhead.rs"]
mod overhead;
#[path = "playouts/pairs.rs"]
mod pairs;
#[path = "playouts/snapshots.rs"]
mod snapshots;
#[path = "playouts/subject.rs"]
mod subject;
#[path = "playouts/table.rs"]
mod table;
#[path = "playouts/threads.rs"]
mod threads;
#[path = "playouts/turns.rs"]
mod turns;
#[path = "playouts/variants.rs"]
mod variants;
#[path = "playouts/watch.rs"]
mod watch;

#[path = "twins/mod.rs"]
mod twins;

use std::process::ExitCode;
use std::time::Instant;

use form::Form;

fn main() -> ExitCode {
    // The memory bench starts this program again, to measure a simulation in its own process.
    if memory::measures_here() {
        return ExitCode::SUCCESS;
    }
    if let Some(code) = turns::run() {
        return code;
    }
    let start = Instant::now();
    let form = Form::from_arguments();
    let mut criterion = form.criterion();
    pairs::bench(&mut criterion);
    overhead::bench(&mut criterion);
    events::bench(&mut criterion);
    snapshots::bench(&mut criterion);
    loading::bench(&mut criterion);
    criterion.final_summary();
    if form.has_tables() {
        pairs::print(&form);
        variants::print(&form);
        overhead::print(&form);
        events::print(&form);
        snapshots::print(&form);
        loading::print(&form);
        watch::print(&form);
        drafts::print(&form);
        threads::print(&form);
        memory::print(&form);
        println!("\nTotal time: {:.0} s.", start.elapsed().as_secs_f64());
    }
    ExitCode::SUCCESS
}
