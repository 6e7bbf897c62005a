//! How many matches one table server carries: answers a second, and how long each takes until it is kept and shown.
//!
//! `cargo bench --bench tables` starts the program with many matches that it keeps on a disk, opens sockets to some of them, and answers
//! with any choice at a fixed rate, whether the server keeps up or not (an open loop: what waits counts as waiting). Then it does the same
//! to boardgame.io, with a match of the same size; that part needs node and npm. Arguments come after `--`, as
//! `rates=1000,2000 seconds=20 held=10000 active=1000 sockets=4000 game=photon folder=/var/tmp`. `program=PATH` measures another build,
//! `beside=nothing` leaves boardgame.io out. The folder should be on the disk that is meant: in memory a sync costs nothing.

#[path = "tables/boardgame_io.rs"]
mod boardgame_io;
#[path = "tables/browser.rs"]
mod browser;
#[path = "tables/figures.rs"]
mod figures;
#[path = "tables/load.rs"]
mod load;
#[path = "tables/seat.rs"]
mod seat;
#[path = "tables/server.rs"]
mod server;

use std::io;
use std::process::ExitCode;

use figures::Figures;
use load::Load;
use server::Server;

fn main() -> ExitCode {
    let load = match Load::from_arguments(std::env::args().skip(1)) {
        Ok(load) => load,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    match run(&load) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(load: &Load) -> io::Result<()> {
    let folder = tempfile::tempdir_in(&load.folder)?;
    let own = measure(load, &Server::lode(load, folder.path())?)?;
    if !load.beside {
        return Ok(());
    }
    match boardgame_io::start(load, folder.path())? {
        Some(server) => {
            let other = measure(load, &server)?;
            figures::compare(&own, &other);
        }
        None => eprintln!("\nboardgame.io is not measured: that needs node and npm (on Debian: apt-get install npm)"),
    }
    Ok(())
}

/// Puts a server under the load, and tells what came of it.
fn measure(load: &Load, server: &Server) -> io::Result<Vec<Figures>> {
    let (open, memory) = (server.opened.as_secs_f64(), server.memory() >> 20);
    println!("\n{}: {} matches held in {memory} MiB, open after {open:.1} s", server.name, server.matches.len());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let figures = tokio::task::LocalSet::new().block_on(&runtime, browser::drive(load, server))?;
    println!("the server has {} MiB", server.memory() >> 20);
    Ok(figures)
}
