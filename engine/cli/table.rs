//! `lode table`: plays a match in the browser, with people and bots, or shows a recorded match there.
//!
//! Direction: figures, workshop <- self

mod figures;
mod workshop;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use motherlode::tools::hidden;
use motherlode::{Decision, Game, Match, MatchError, Replay, Setup};
use motherlode_check::CheckedGame;
use motherlode_files::reason;
use motherlode_table::CardFigures;
use motherlode_table::server::{
    Door, Hall, Journal, JournalContents, JournalError, JournalHeader, MatchRecord, Players, Role, Rules,
};

use self::figures::read_figures;
use self::workshop::{DesignTools, describe_fault};
use crate::balance::expand_seats;
use crate::divergence::Divergence;
use crate::fault::{Fault, remedy};
use crate::number::whole_number;
use crate::output::Output;
use crate::play::load;
use crate::project::{GlobalArgs, Project};
use crate::seats::Seats;
use crate::setup::{SetupArgs, describe, fresh_seed};
use crate::{paint, saved};

/// Maximum matches of one server.
const MAX_MATCHES: u32 = 100_000;

/// Play in the browser: serve a table on this machine and print its links
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder; optional with --replay, and with --keep of a folder that has matches
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Player of each seat: human, or a bot as for --bots of `lode sim`; missing seats are random [default: human]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
    /// Number of matches to open, each with its own links and the next seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number(1..=MAX_MATCHES))]
    matches: u32,
    /// Save the matches in this folder after each answer; with the folder alone, the command resumes them
    #[arg(long, value_name = "DIR", conflicts_with = "save")]
    keep: Option<PathBuf>,
    /// Save the match to this file after each answer of a person; after an edit of the game, save the new branch beside it
    #[arg(long, value_name = "FILE", conflicts_with = "matches")]
    save: Option<PathBuf>,
    /// Overwrite an existing --save file
    #[arg(long, requires = "save")]
    force: bool,
    /// Show the recorded match in this file step by step
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "options", "seats", "save", "keep", "matches"])]
    replay: Option<PathBuf>,
    /// Show the figures of this file on the cards of the gallery: the output of `lode effects GAME --format json`
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,
    /// Port on this machine [default: any free port; with --keep the port of before]
    #[arg(long, value_name = "PORT", value_parser = whole_number(0..=u16::MAX))]
    port: Option<u16>,
}

/// Serves a table and prints its links, until the program is stopped.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(file) = &args.save {
        // Find errors before the match, not at its first answer.
        Output::new(file, args.force)?;
    }
    let kept = args.keep.as_deref().map(Journal::open).transpose().map_err(journal_fault)?.flatten();
    if let Some((journal, kept)) = kept {
        return resume(args, global, journal, &kept, out);
    }
    let replay = replay(args, global)?;
    let Some(name) = args.game.as_deref().or(replay.as_ref().map(|replay| replay.game.as_str())) else {
        return Err(Fault::usage("name a game to play; list the games with `lode games`"));
    };
    let (project, id) = Project::locate(global, name)?;
    let checked = project.check(&id)?;
    let game = checked.game.clone();
    let setup = match &replay {
        Some(replay) => replay.setup.clone(),
        None => args.setup.setup(&game, fresh_seed())?,
    };
    // Report an error of the game here, not to the first person who joins.
    Match::with_transcript(&game, &setup)?;
    let list = match &replay {
        Some(replay) => seats_of_replay(replay, &game),
        None => expand_seats(global, &game, args.seats.as_deref().unwrap_or("human"))?,
    };
    let tools = Arc::new(DesignTools::new(&project, global, &id, args.keep.is_none())?);
    let figures = args.figures.as_deref().map(|file| read_figures(file, &game)).transpose()?.unwrap_or_default();
    // The file of a recorded match names its players.
    let recorded = replay.as_ref().map(|replay| replay.seats.clone());
    let rules = rules_of(&checked, &setup, &list, figures.clone())?;
    let rules = rules.with(Arc::clone(&tools) as _).named(recorded.clone());
    let (people, names) = (rules.people.clone(), rules.names.clone());
    let mut hall = Hall::new(rules);
    let mut door = open(args.port.unwrap_or(0))?;
    let mut course = MatchRecord::new(setup.clone());
    let mut divergence = None;
    match (&replay, &args.save) {
        (Some(replay), _) => {
            divergence = find_divergence(replay, &game)?;
            let count = divergence.as_ref().map_or(replay.answers.len(), |divergence| divergence.answers);
            course.answers = replay.answers.iter().take(count).copied().collect();
            hall.show(course);
        }
        (None, Some(file)) => {
            let mut files = BranchFiles::new(file, names);
            hall.add_saved(course, Box::new(move |branch, played| files.save(branch, played)));
        }
        (None, None) => {
            for number in 0..u64::from(args.matches) {
                hall.add(MatchRecord::new(Setup { seed: setup.seed.wrapping_add(number), ..setup.clone() }));
            }
        }
    }
    writeln!(out, "{}", describe(&game, &setup))?;
    if let Some(replay) = &replay {
        print_replay(replay, divergence.as_ref(), out)?;
    }
    let mut links = Vec::new();
    for of in 0..args.matches {
        let which = if args.matches > 1 { format!("match {}, ", of + 1) } else { String::new() };
        links.extend(
            make_links(&mut door, of, &game, &people, replay.is_some())?
                .map(|(who, link)| (which.clone() + &who, link)),
        );
    }
    if let Some(folder) = &args.keep {
        let head = JournalHeader::new(&game, &list, door.port());
        let journal = Journal::begin(folder, head, hall.courses(), door.gate().keys()).map_err(journal_fault)?;
        hall = hall.kept(journal);
    } else if let Some(saved) = watch(&project, global, &id)? {
        let list = list.to_owned();
        let global = global.clone();
        let renew = move || -> Result<Rules, Fault> {
            let rules = rules_of(&project.reopen(&global, &id)?.check(&id)?, &setup, &list, figures.clone())?;
            Ok(rules.with(Arc::clone(&tools) as _).named(recorded.clone()))
        };
        hall = hall
            .renewed(Box::new(move || saved.wait().then(|| renew().map_err(|fault| describe_broken_rules(&fault)))));
    }
    // Print the links only after the match is saved, because they would be useless otherwise.
    for (who, link) in links {
        writeln!(out, "{who}: {}{link}{0:#}", paint::strong())?;
    }
    serve(door, hall, out)
}

/// The recorded match to show.
fn replay(args: &Args, global: &GlobalArgs) -> Result<Option<Replay>, Fault> {
    let Some(replay) = args.replay.as_deref().map(load).transpose()? else { return Ok(None) };
    if let Some(name) = &args.game
        && Project::locate(global, name)?.1 != replay.game
    {
        let message = format!("the match is one of `{}`, not of `{name}`: leave out the game", replay.game);
        return Err(Fault::usage(message));
    }
    Ok(Some(replay))
}

/// Prints the players of a recorded match, and how much of it is shown.
fn print_replay(replay: &Replay, divergence: Option<&Divergence>, out: &mut dyn Write) -> Result<(), Fault> {
    if !replay.seats.is_empty() {
        writeln!(out, "players: {}", replay.seats.join(", "))?;
    }
    if let Some(divergence) = divergence {
        let (fit, all) = (divergence.answers, paint::plural(replay.answers.len(), "answer"));
        writeln!(out, "{}: showing {fit} of {all}; revert the edit to see all", divergence.sentence())?;
    }
    Ok(())
}

/// The step at which a recorded match diverges because the rules have changed.
fn find_divergence(replay: &Replay, game: &Game) -> Result<Option<Divergence>, Fault> {
    let Err(error) = replay.verify(game) else { return Ok(None) };
    let divergence = Divergence::of(&error, replay, game);
    divergence.map(Some).ok_or_else(|| Fault::failed(format!("cannot show the match: {error}")))
}

/// Resumes the matches saved in a folder.
fn resume(
    args: &Args,
    global: &GlobalArgs,
    journal: Journal,
    kept: &JournalContents,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    let folder = hidden::path(args.keep.as_deref().unwrap_or(Path::new(".")));
    let JournalContents { head, matches, links, torn } = kept;
    let SetupArgs { players, variant } = &args.setup;
    let other = players.is_some()
        || variant.seed.is_some()
        || !variant.options.is_empty()
        || args.seats.is_some()
        || args.matches != 1;
    if other || args.game.as_ref().is_some_and(|game| *game != head.game) {
        return Err(Fault::usage(format!(
            "`{folder}` already has matches of {}, whose setup cannot change: leave out the game and its setup, or name another folder",
            head.game
        )));
    }
    let project = Project::find(global)?;
    let checked = project.check_named(&head.game)?;
    let game = &checked.game;
    if *head != JournalHeader::new(game, &head.seats, head.port) {
        return Err(Fault::failed(format!(
            "the matches in `{folder}` need {} with the content, mods and program version they began with: restore those, or name another folder",
            head.game
        )));
    }
    let Some(setup) = matches.first().map(|course| &course.setup) else {
        return Err(Fault::failed(format!("`{folder}` has no matches")));
    };
    let tools = DesignTools::new(&project, global, &head.game, false)?;
    let figures = args.figures.as_deref().map(|file| read_figures(file, game)).transpose()?.unwrap_or_default();
    let rules = rules_of(&checked, setup, &head.seats, figures)?.with(Arc::new(tools));
    let mut hall = Hall::new(rules);
    let mut door = open(args.port.unwrap_or(head.port))?;
    for course in matches {
        hall.add(course.clone());
    }
    for &(key, of, role) in links {
        door.gate().know(key, of, role);
    }
    let count = if matches.len() == 1 { "1 match".to_owned() } else { format!("{} matches", matches.len()) };
    writeln!(out, "{} resumes: {count} in `{folder}`, at port {}", head.game, door.port())?;
    writeln!(out, "the links of before open them; the folder does not have the links themselves")?;
    if *torn > 0 {
        writeln!(out, "removed {torn} bytes of an incomplete answer")?;
    }
    serve(door, hall.kept(journal), out)
}

/// Makes the links to a match, each with the name of its reader.
fn make_links(
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
        links.push(("spectator".to_owned(), door.link(of, Role { seat: None, designer: people.is_empty() })?));
    }
    Ok(links.into_iter())
}

fn serve(door: Door, hall: Hall, out: &mut dyn Write) -> Result<(), Fault> {
    writeln!(out, "press Ctrl-C to close the table")?;
    out.flush()?;
    door.serve(hall).map_err(|error| Fault::failed(format!("the table is closed: {}", reason(&error))))?;
    Err(Fault::failed("the table has stopped: run the command again"))
}

fn open(port: u16) -> Result<Door, Fault> {
    Door::open(port).map_err(|error| {
        Fault::failed(format!("cannot open port {port}: {}; name another one with --port", reason(&error)))
    })
}

/// The error of a journal, with a remedy if there is one.
fn journal_fault(error: JournalError) -> Fault {
    let remedy = match &error {
        JournalError::Io { doing: "write", error, .. } => remedy(error),
        _ => "",
    };
    Fault::failed(format!("{error}{remedy}"))
}

/// The rules of a game and its players.
fn rules_of(checked: &CheckedGame, setup: &Setup, list: &str, figures: CardFigures) -> Result<Rules, Fault> {
    let game = &checked.game;
    // Report an error in the list of seats directly.
    Seats::new(list, "human", game, setup)?;
    let (for_all, list, setup) = (game.clone(), list.to_owned(), setup.clone());
    let players = setup.players;
    let invite = move || -> Result<Box<dyn Players>, String> {
        let seats = Seats::new(&list, "human", &for_all, &setup).map_err(|fault| fault.reason().unwrap_or_default())?;
        Ok(Box::new(seats))
    };
    Rules::new(game, players, Arc::new(invite), checked.images.clone(), figures).map_err(Fault::failed)
}

/// The seats that continue a recorded match: a person at the first seat that a person had, else at the first seat. The other seats get
/// the bots of the file, or `random` in place of people and programs.
fn seats_of_replay(replay: &Replay, game: &Game) -> String {
    let person = replay.seats.iter().position(|name| name == "human").unwrap_or(0);
    let seat = |at: usize| match replay.seats.get(at).map(String::as_str) {
        _ if at == person => "human",
        Some(name) if motherlode_play::bot(name, game, replay.setup.seed).is_ok() => name,
        _ => "random",
    };
    (0..usize::from(replay.setup.players)).map(seat).collect::<Vec<_>>().join(",")
}

/// Describes broken rules by their first error.
fn describe_broken_rules(fault: &Fault) -> String {
    let kept = if matches!(fault, Fault::Content { .. }) { "; keeping the last rules without errors" } else { "" };
    format!("{}{kept}", describe_fault(fault))
}

/// Notices saved files of a game.
struct FileChanges {
    changes: Receiver<()>,
    _watcher: notify::RecommendedWatcher,
}

impl FileChanges {
    /// Whether a file has been saved. Waits until an editor has completed all steps of a save.
    fn wait(&self) -> bool {
        self.changes.try_recv().is_ok() && saved::wait_for_quiet(&self.changes)
    }
}

/// Watches the folders of a game and the mods over it. `None` if there is nothing to watch, because built-in games never change.
fn watch(project: &Project, global: &GlobalArgs, id: &str) -> Result<Option<FileChanges>, Fault> {
    let folder = project.folder("table").ok();
    if folder.is_none() && global.mods.is_empty() {
        return Ok(None);
    }
    let rooms = folder.into_iter().flat_map(|folder| ["content", "scripts"].map(|room| folder.join(room).join(id)));
    let (watcher, changes) = saved::watch(&rooms.collect::<Vec<_>>(), &global.mods)?;
    Ok(Some(FileChanges { changes, _watcher: watcher }))
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

/// The files of a match, one for each branch that an edit of the rules starts.
struct BranchFiles {
    first: PathBuf,
    of: BTreeMap<u32, PathBuf>,
    names: Vec<String>,
}

impl BranchFiles {
    fn new(first: &Path, names: Vec<String>) -> Self {
        Self { first: first.to_owned(), of: BTreeMap::new(), names }
    }

    /// Saves a branch. Returns its file if the file is new and not that of `--save`. If saving fails, prints the error and continues.
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
            eprintln!("note: saving further answers in `{branch}`; `{first}` keeps the earlier match");
            branch.to_string()
        })
    }

    /// An unused name beside the first file: `evening-2.json`.
    fn unused(&self) -> PathBuf {
        let stem = self.first.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.first.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
        let mut all = (2_u64..).map(|number| self.first.with_file_name(format!("{stem}-{number}{ending}")));
        all.find(|file| !file.exists()).unwrap_or_else(|| self.first.clone())
    }
}
