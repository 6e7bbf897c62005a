//! How many matches one table server carries: answers a second, and how long each takes until it is kept and shown.
//!
//! `cargo bench --bench tables` starts the program with many matches that it keeps on a disk, opens sockets to some of them, and answers
//! with any choice at a fixed rate, whether the server keeps up or not (an open loop: what waits counts as waiting). Arguments come after
//! `--`, as `rates=1000,2000 seconds=20 held=10000 active=1000 sockets=4000 game=photon`. `program=PATH` measures another build.
//! `benches/tables/boardgame_io.sh` puts boardgame.io under the same load.

#[path = "tables/browser.rs"]
mod browser;
#[path = "tables/load.rs"]
mod load;
#[path = "tables/server.rs"]
mod server;

use std::process::ExitCode;

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

fn run(load: &Load) -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(load, folder.path())?;
    println!(
        "{} of {}: {} matches held in {} MiB, open after {:.1} s",
        load.game,
        load.players,
        load.held,
        server.memory() >> 20,
        server.opened.as_secs_f64()
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, browser::drive(load, &server))
}
