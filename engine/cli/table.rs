//! `lode table`: a table in the browser, for people and bots, or one at which a recorded match is shown.
//!
//! Direction: workshop <- self

mod workshop;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use motherlode::tools::hidden;
use motherlode::{Decision, Game, Match, MatchError, Replay, Setup, Severity};
use motherlode_table::server::{Course, Door, Hall, Head, Journal, JournalError, Kept, Players, Role, Rules};

use self::workshop::Bench;
use crate::balance::seated;
use crate::departure::Departure;
use crate::fault::{Fault, remedy};
use crate::output::Output;
use crate::play::load;
use crate::project::{GlobalArgs, Project};
use crate::seats::Seats;
use crate::setup::{SetupArgs, describe, fresh_seed};
use crate::{paint, saved};

/// Most matches of one server.
const MOST: u32 = 100_000;

/// Play in the browser: opens a table on this machine and prints the link to it
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder; not needed with --replay, nor to take up what --keep has kept
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays each seat: human, or a bot (see --bots of `lode sim`); missing seats are random [default: human]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
    /// Open so many matches, each with links of its own and the next seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    matches: u32,
    /// Keep the matches in this folder: no answer that was shown is lost, and the same command takes them up again with the same links
    #[arg(long, value_name = "DIR", conflicts_with = "save")]
    keep: Option<PathBuf>,
    /// Save the match to this file after every answer of a person and of the bots after it; a branch after an edit gets a file of its own beside it
    #[arg(long, value_name = "FILE", conflicts_with = "matches")]
    save: Option<PathBuf>,
    /// Overwrite an existing --save file
    #[arg(long, requires = "save")]
    force: bool,
    /// Show the recorded match in this file, step by step
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "options", "seats", "save", "keep", "matches"])]
    replay: Option<PathBuf>,
    /// The port on this machine [default: any that is free; with --keep the one before]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

/// Opens a table and prints the links to it; ends when the program is stopped.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(file) = &args.save {
        // Found before the match, not when its first answer is to be saved.
        Output::new(file, args.force)?;
    }
    let kept = args.keep.as_deref().map(Journal::open).transpose().map_err(failed)?.flatten();
    if let Some((journal, kept)) = kept {
        return take_up(args, global, journal, &kept, out);
    }
    let replay = args.replay.as_deref().map(load).transpose()?;
    let Some(name) = args.game.as_deref().or(replay.as_ref().map(|replay| replay.game.as_str())) else {
        return Err(Fault::usage("name the game to play; `lode games` lists them"));
    };
    let (project, id) = Project::locate(global, name)?;
    let game = project.load(&id)?;
    let setup = match &replay {
        Some(replay) => replay.setup.clone(),
        None => args.setup.setup(&game, fresh_seed())?,
    };
    // What is wrong with the game is said here, and not to the first who comes.
    Match::telling(&game, &setup)?;
    let list = match &replay {
        Some(replay) => playing_on(replay, &game),
        None => seated(global, &game, args.seats.as_deref().unwrap_or("human"))?,
    };
    let bench = Arc::new(Bench::new(&project, &id, args.keep.is_none())?);
    // Who played a recorded match, its file says; nobody else is named.
    let recorded = replay.as_ref().map(|replay| replay.seats.clone());
    let rules = played_by(&game, &setup, &list)?.with(Arc::clone(&bench) as _).named(recorded.clone());
    let (people, names) = (rules.people.clone(), rules.names.clone());
    let mut hall = Hall::new(rules);
    let mut door = open(args.port.unwrap_or(0))?;
    let mut course = Course::new(setup.clone());
    let mut departure = None;
    match (&replay, &args.save) {
        (Some(replay), _) => {
            departure = departed(replay, &game)?;
            let count = departure.as_ref().map_or(replay.answers.len(), |departure| departure.answers);
            course.answers = replay.answers.iter().take(count).copied().collect();
            hall.show(course);
        }
        (None, Some(file)) => {
            let mut files = Files::new(file, names);
            hall.add_saved(course, Box::new(move |branch, played| files.save(branch, played)));
        }
        (None, None) => {
            for number in 0..u64::from(args.matches) {
                hall.add(Course::new(Setup { seed: setup.seed.wrapping_add(number), ..setup.clone() }));
            }
        }
    }
    writeln!(out, "{}", describe(&game, &setup))?;
    if let Some(replay) = &replay {
        tell_replay(replay, departure.as_ref(), out)?;
    }
    let mut links = Vec::new();
    for of in 0..args.matches {
        let which = if args.matches > 1 { format!("match {}, ", of + 1) } else { String::new() };
        links.extend(
            invite(&mut door, of, &game, &people, replay.is_some())?.map(|(who, link)| (which.clone() + &who, link)),
        );
    }
    if let Some(folder) = &args.keep {
        let head = Head::new(&game, &list, door.port());
        let journal = Journal::begin(folder, head, hall.courses(), door.gate().keys()).map_err(failed)?;
        hall = hall.kept(journal);
    } else if let Some(saved) = watch(&project, global, &id)? {
        let list = list.to_owned();
        let global = global.clone();
        let renew = move || -> Result<Rules, Fault> {
            let rules = played_by(&project.reopen(&global, &id)?.load(&id)?, &setup, &list)?;
            Ok(rules.with(Arc::clone(&bench) as _).named(recorded.clone()))
        };
        hall = hall.renewed(Box::new(move || saved.wait().then(|| renew().map_err(|fault| broken(&fault)))));
    }
    // Links that lead to a match which is not kept would be good for nothing.
    for (who, link) in links {
        writeln!(out, "{who}: {}{link}{0:#}", paint::strong())?;
    }
    serve(door, hall, out)
}

/// Tells who played a recorded match, and how much of it is shown.
fn tell_replay(replay: &Replay, departure: Option<&Departure>, out: &mut dyn Write) -> Result<(), Fault> {
    if !replay.seats.is_empty() {
        writeln!(out, "played by {}", replay.seats.join(", "))?;
    }
    if let Some(departure) = departure {
        let (fit, all) = (departure.answers, paint::plural(replay.answers.len(), "answer"));
        writeln!(out, "{}: {fit} of its {all} are shown; take the edit back to see all", departure.sentence())?;
    }
    Ok(())
}

/// Where a recorded match leaves its course by rules that have changed since.
fn departed(replay: &Replay, game: &Game) -> Result<Option<Departure>, Fault> {
    let Err(error) = replay.verify(game) else { return Ok(None) };
    let departure = Departure::of(&error, replay, game);
    departure.map(Some).ok_or_else(|| Fault::failed(format!("the match cannot be shown: {error}")))
}

/// Goes on with the matches that are kept in a folder.
fn take_up(args: &Args, global: &GlobalArgs, journal: Journal, kept: &Kept, out: &mut dyn Write) -> Result<(), Fault> {
    let folder = hidden::path(args.keep.as_deref().unwrap_or(Path::new(".")));
    let Kept { head, matches, links, torn } = kept;
    let SetupArgs { players, variant } = &args.setup;
    let other = players.is_some()
        || variant.seed.is_some()
        || !variant.options.is_empty()
        || args.seats.is_some()
        || args.matches != 1;
    if other || args.game.as_ref().is_some_and(|game| *game != head.game) {
        return Err(Fault::usage(format!(
            "`{folder}` has matches of {} already, which go on as they began: leave out the game and how it is set up, or name another folder",
            head.game
        )));
    }
    let project = Project::find(global)?;
    let game = project.load_named(&head.game)?;
    if *head != Head::new(&game, &head.seats, head.port) {
        return Err(Fault::failed(format!(
            "the matches in `{folder}` were played by {} with other content or mods, or by another version of the program; they cannot go on by these rules",
            head.game
        )));
    }
    let Some(setup) = matches.first().map(|course| &course.setup) else {
        return Err(Fault::failed(format!("`{folder}` has no matches")));
    };
    let bench = Bench::new(&project, &head.game, false)?;
    let mut hall = Hall::new(played_by(&game, setup, &head.seats)?.with(Arc::new(bench)));
    let mut door = open(args.port.unwrap_or(head.port))?;
    for course in matches {
        hall.add(course.clone());
    }
    for &(key, of, role) in links {
        door.gate().know(key, of, role);
    }
    let count = if matches.len() == 1 { "1 match".to_owned() } else { format!("{} matches", matches.len()) };
    writeln!(out, "{} goes on: {count} in `{folder}`, with the links of before at port {}", head.game, door.port())?;
    if *torn > 0 {
        writeln!(out, "cut off {torn} bytes of an answer that was not written to its end")?;
    }
    serve(door, hall.kept(journal), out)
}

/// Makes the links to a match, each with who is meant by it.
fn invite(
    door: &mut Door,
    of: u32,
    game: &Game,
    people: &[u8],
    shown: bool,
) -> Result<impl Iterator<Item = (String, String)> + use<>, Fault> {
    let designs = shown || people.len() <= 1;
    let mut links = Vec::new();
    for &seat in people.iter().take(if shown { 1 } else { people.len() }) {
        let name = motherlode::tools::player_name(game.declarations(), i32::from(seat) + 1);
        let who = if designs { "open".to_owned() } else { name };
        links.push((who, door.link(of, Role { seat: Some(seat), designer: designs })?));
    }
    if people.len() != 1 {
        links.push(("look on".to_owned(), door.link(of, Role { seat: None, designer: people.is_empty() })?));
    }
    Ok(links.into_iter())
}

fn serve(door: Door, hall: Hall, out: &mut dyn Write) -> Result<(), Fault> {
    writeln!(out, "Ctrl-C closes the table")?;
    out.flush()?;
    door.serve(hall).map_err(|error| Fault::failed(format!("the table is closed: {error}")))?;
    Err(Fault::failed("the table cannot be reached any more"))
}

fn open(port: u16) -> Result<Door, Fault> {
    Door::open(port).map_err(|error| Fault::failed(format!("cannot open port {port}: {error}; --port names another")))
}

fn failed(error: JournalError) -> Fault {
    let remedy = match &error {
        JournalError::Io { doing: "write", error, .. } => remedy(error),
        _ => "",
    };
    Fault::failed(format!("{error}{remedy}"))
}

/// A game, and who plays it.
fn played_by(game: &Game, setup: &Setup, list: &str) -> Result<Rules, Fault> {
    // Said as it stands, before anything is wrapped.
    Seats::new(list, "human", game, setup)?;
    let (for_all, list, setup) = (game.clone(), list.to_owned(), setup.clone());
    let players = setup.players;
    let invite = move || -> Result<Box<dyn Players>, String> {
        let seats = Seats::new(&list, "human", &for_all, &setup).map_err(|fault| fault.reason().unwrap_or_default())?;
        Ok(Box::new(seats))
    };
    Rules::new(game, players, Arc::new(invite)).map_err(Fault::failed)
}

/// Who plays on from an answer of a recorded match: a person at the first seat that was one's, else at the first of all; at the others the
/// bots of the file, or random ones where people or programs played.
fn playing_on(replay: &Replay, game: &Game) -> String {
    let person = replay.seats.iter().position(|name| name == "human").unwrap_or(0);
    let seat = |at: usize| match replay.seats.get(at).map(String::as_str) {
        _ if at == person => "human",
        Some(name) if motherlode_play::bot(name, game, replay.setup.seed).is_ok() => name,
        _ => "random",
    };
    (0..usize::from(replay.setup.players)).map(seat).collect::<Vec<_>>().join(",")
}

/// Why rules cannot be played, and where the first mistake is.
fn broken(fault: &Fault) -> String {
    let Fault::Content { diagnostics, .. } = fault else { return fault.reason().unwrap_or_default() };
    let errors = || diagnostics.list.iter().filter(|one| one.severity == Severity::Error);
    let first = errors().next().map(|one| format!("{}:{}:{}: {}", one.file, one.line, one.column, one.message));
    let more = errors().count().saturating_sub(1);
    let more = if more == 0 { String::new() } else { format!(", and {} more", paint::plural(more, "error")) };
    format!("{}{more}; the last good ones stay", first.unwrap_or_default())
}

/// Notices that files of a game are saved.
struct Saved {
    changes: Receiver<()>,
    _watcher: notify::RecommendedWatcher,
}

impl Saved {
    /// Whether something has been saved. An editor saves in several steps: waits until it is done.
    fn wait(&self) -> bool {
        self.changes.try_recv().is_ok() && saved::settle(&self.changes)
    }
}

/// Watches the folders of a game and the mods over it; a built-in game cannot be changed. `None`: there is nothing to watch.
fn watch(project: &Project, global: &GlobalArgs, id: &str) -> Result<Option<Saved>, Fault> {
    let folder = project.folder("table").ok();
    if folder.is_none() && global.mods.is_empty() {
        return Ok(None);
    }
    let rooms = folder.into_iter().flat_map(|folder| ["content", "scripts"].map(|room| folder.join(room).join(id)));
    let (watcher, changes) = saved::watch(&rooms.collect::<Vec<_>>(), &global.mods)?;
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

/// The files of a match, one for each branch that an edit of the rules begins.
struct Files {
    first: PathBuf,
    of: BTreeMap<u32, PathBuf>,
    names: Vec<String>,
}

impl Files {
    fn new(first: &Path, names: Vec<String>) -> Self {
        Self { first: first.to_owned(), of: BTreeMap::new(), names }
    }

    /// Saves a branch; returns its file if that is new and not the one of `--save`. A match that cannot be saved goes on; the terminal says so.
    fn save(&mut self, branch: u32, played: &Match) -> Option<String> {
        let is_new = !self.of.contains_key(&branch);
        if is_new {
            let file = if self.of.is_empty() { self.first.clone() } else { self.unused() };
            self.of.insert(branch, file);
        }
        let file = self.of.get(&branch)?;
        let replay = Replay { seats: self.names.clone(), ..Replay::record(played) };
        if let Err(error) = replay.save(file) {
            Fault::unsaved(file, &error).report();
            return None;
        }
        let begins = is_new && *file != self.first;
        begins.then(|| {
            let (branch, first) = (hidden::path(file), hidden::path(&self.first));
            eprintln!(
                "note: answers by the new rules are saved in `{branch}`; `{first}` keeps the match before the edit"
            );
            branch.to_string()
        })
    }

    /// A file beside the first one: `evening-2.json`.
    fn unused(&self) -> PathBuf {
        let stem = self.first.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.first.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
        let mut all = (2_u64..).map(|number| self.first.with_file_name(format!("{stem}-{number}{ending}")));
        all.find(|file| !file.exists()).unwrap_or_else(|| self.first.clone())
    }
}
