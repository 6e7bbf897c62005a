//! How fast the engine is: every figure about speed, beside what it is compared with.
//!
//! `cargo bench --bench playouts` runs all of it in a few minutes; with `-- --quick` (or `LODE_BENCH=short`) the short form
//! takes little more than a minute. Criterion's groups come first, then plain tables with the target for each figure. Criterion's own
//! arguments (a filter, `--save-baseline` ...) work as usual; with any of them but `--quick` the tables are left out.
//!
//! Nothing here fails for being slow: it prints figures. Single-threaded times are processor time of the measuring thread
//! where the system reports it, so that a busy machine distorts them less.

#[path = "playouts/clock.rs"]
mod clock;
#[path = "playouts/form.rs"]
mod form;
#[path = "playouts/games.rs"]
mod games;
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
#[path = "playouts/variants.rs"]
mod variants;
#[path = "playouts/watch.rs"]
mod watch;

#[path = "twins/mod.rs"]
mod twins;

use std::time::Instant;

use form::Form;

fn main() {
    // The memory of a simulation is measured in a process of its own: this program, started again.
    if memory::measures_here() {
        return;
    }
    let start = Instant::now();
    let form = Form::from_arguments();
    let mut criterion = form.criterion();
    pairs::bench(&mut criterion);
    overhead::bench(&mut criterion);
    snapshots::bench(&mut criterion);
    loading::bench(&mut criterion);
    criterion.final_summary();
    if form.has_tables() {
        pairs::print(&form);
        variants::print(&form);
        overhead::print(&form);
        snapshots::print(&form);
        loading::print(&form);
        watch::print(&form);
        threads::print(&form);
        memory::print(&form);
        println!("\nAll of it took {:.0} s.", start.elapsed().as_secs_f64());
    }
}
