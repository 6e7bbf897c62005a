//! `lode table`: a table in the browser, for people and bots, or one at which a recorded match is shown.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use motherlode::{Decision, Game, Match, MatchError, Replay};
use motherlode_table::server::{Door, Players, Role, Table};
use notify::{RecursiveMode, Watcher};

use crate::fault::Fault;
use crate::paint;
use crate::play::load;
use crate::project::{GlobalArgs, Project};
use crate::seats::Seats;
use crate::setup::{SetupArgs, describe, fresh_seed};

/// The pause after which a save is complete.
const QUIET: Duration = Duration::from_millis(10);

/// Arguments of `lode table`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder; not needed with --replay
    #[arg(required_unless_present = "replay")]
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays each seat: human, or a bot (see --bots of `lode sim`); missing seats are random
    #[arg(long, value_name = "SEAT,SEAT,...", default_value = "human")]
    seats: String,
    /// Save the match to this file after every answer of a person
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Overwrite an existing --save file
    #[arg(long, requires = "save")]
    force: bool,
    /// Show the recorded match in this file, step by step
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "options", "save"])]
    replay: Option<PathBuf>,
    /// The port on this machine [default: any that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

/// Opens a table and prints the links to it; ends when the program is stopped.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(file) = args.save.as_ref().filter(|file| file.exists() && !args.force) {
        return Err(Fault::usage(format!("`{}` exists; --force overwrites it", file.display())));
    }
    let replay = args.replay.as_deref().map(load).transpose()?;
    let name = args.game.as_deref().or(replay.as_ref().map(|replay| replay.game.as_str())).unwrap_or_default();
    let (project, id) = Project::locate(global, name)?;
    let game = project.load(&id)?;
    let setup = match &replay {
        Some(replay) => replay.setup.clone(),
        None => args.setup.setup(&game, fresh_seed())?,
    };
    let mut played = Match::telling(&game, &setup)?;
    let seats = match &replay {
        Some(replay) => {
            replay.verify(&game).map_err(|error| Fault::failed(format!("the match cannot be shown: {error}")))?;
            for answer in &replay.answers {
                played.answer_as(answer.seat, usize::from(answer.index))?;
            }
            Seats::new("human", "human", &game, &setup)?
        }
        None => Seats::new(&args.seats, "human", &game, &setup)?,
    };
    let people: Vec<u8> = (0..setup.players).filter(|&seat| seats.is_guest(seat)).collect();
    let names = seats.names();
    let mut table = Table::new(played, Box::new(seats), Box::new(|played| save(args.save.as_deref(), &names, played)));
    if replay.is_some() {
        table = table.shown();
    }
    if let Some(saved) = watch(&project, &id)? {
        let (list, setup) = (args.seats.clone(), setup.clone());
        let renew = move || -> Result<(Game, Box<dyn Players>), Fault> {
            let game = project.load(&id)?;
            let seats = Seats::new(&list, "human", &game, &setup)?;
            Ok((game, Box::new(seats)))
        };
        table = table.renewed(Box::new(move || {
            saved.wait().then(|| renew().map_err(|fault| fault.reason().unwrap_or_default()))
        }));
    }
    let taken = |error| Fault::failed(format!("cannot open port {}: {error}", args.port));
    let mut door = Door::open(args.port).map_err(taken)?;
    writeln!(out, "{}", describe(&game, &setup))?;
    let designs = replay.is_some() || people.len() <= 1;
    for &seat in people.iter().take(if replay.is_some() { 1 } else { people.len() }) {
        let link = door.link(Role { seat: Some(seat), designer: designs })?;
        let name = motherlode::tools::player_name(game.declarations(), i32::from(seat) + 1);
        let what = if designs { "open" } else { name.as_str() };
        writeln!(out, "{what}: {}{link}{0:#}", paint::strong())?;
    }
    if people.len() != 1 {
        let link = door.link(Role { seat: None, designer: people.is_empty() })?;
        writeln!(out, "look on: {}{link}{0:#}", paint::strong())?;
    }
    writeln!(out, "Ctrl-C closes the table")?;
    out.flush()?;
    door.serve(&mut table);
    Err(Fault::failed("the table cannot be reached any more"))
}

/// Notices that files of a game are saved.
struct Saved {
    changes: Receiver<()>,
    _watcher: notify::RecommendedWatcher,
}

impl Saved {
    /// Whether something has been saved. An editor saves in several steps: waits until it is done.
    fn wait(&self) -> bool {
        if self.changes.try_recv().is_err() {
            return false;
        }
        while self.changes.recv_timeout(QUIET).is_ok() {}
        true
    }
}

/// Watches the folders of a game; those of the built-in games cannot be changed.
fn watch(project: &Project, id: &str) -> Result<Option<Saved>, Fault> {
    let Ok(folder) = project.folder("table") else { return Ok(None) };
    let (keep, changes) = channel();
    let wrong = |error: notify::Error| Fault::failed(format!("cannot watch files: {error}"));
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file does not change it, and the receiver may be gone.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = keep.send(());
        }
    })
    .map_err(wrong)?;
    for room in ["content", "scripts"].map(|room| folder.join(room).join(id)).iter().filter(|room| room.is_dir()) {
        watcher.watch(room, RecursiveMode::Recursive).map_err(wrong)?;
    }
    Ok(Some(Saved { changes, _watcher: watcher }))
}

impl Players for Seats {
    fn is_person(&self, seat: u8) -> bool {
        self.is_guest(seat)
    }

    fn choose(&mut self, played: &Match, decision: Decision) -> Result<usize, MatchError> {
        Self::choose(self, played, decision)
    }

    fn names(&self) -> Vec<String> {
        Self::names(self)
    }
}

/// A match that cannot be saved goes on; the terminal says so.
fn save(file: Option<&Path>, names: &[String], played: &Match) {
    let Some(file) = file else { return };
    let replay = Replay { seats: names.to_vec(), ..Replay::record(played) };
    if let Err(error) = replay.save(file) {
        Fault::failed(format!("cannot write `{}`: {error}", file.display())).report();
    }
}
