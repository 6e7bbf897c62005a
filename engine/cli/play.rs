//! `lode play`: plays a match in the terminal.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use motherlode::declare::{Declarations, Turns, Visibility};
use motherlode::{Choice, Decision, Game, Line, Match, MatchError, Replay, Snapshot};
use motherlode_play::DECISION_LIMIT;

use crate::fault::Fault;
use crate::project::{self, GlobalArgs, Project};
use crate::seats::Seats;
use crate::setup::{SetupArgs, begin, describe, fresh_seed};
use crate::{paint, render};

/// Most text that bots may add to the transcript before a person is asked, in bytes.
const MOST_SAID: usize = 4 << 20;

/// Shown for `?`.
const HELP: &str = "\
  a number  choose (the name of a choice works as well)
  u         undo: back to your previous decision
  o         show the table again
  l         show the log of the match
  q         leave (a match with --save can be resumed)
  ?         this help";

/// Arguments of `lode play`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder; not needed with --resume
    #[arg(required_unless_present = "resume")]
    game: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays each seat: human, or a bot (see --bots of `lode sim`); missing seats are random [default: human; with --resume
    /// those who have played so far]
    #[arg(long, value_name = "SEAT,SEAT,...")]
    seats: Option<String>,
    /// Save the match to this file after every answer
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Resume the match in this file, and save it there unless --save names another
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "options"])]
    resume: Option<PathBuf>,
    /// Overwrite an existing --save file
    #[arg(long, requires = "save")]
    force: bool,
}

/// Plays a match, or watches one when all seats are bots.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(file) = &args.save
        && file.exists()
        && !args.force
        && args.resume.as_ref() != Some(file)
    {
        return Err(Fault::usage(format!("`{}` exists; --force overwrites it, --resume continues it", file.display())));
    }
    let (game, replay) = start(args, global)?;
    let setup = match &replay {
        Some(replay) => replay.setup.clone(),
        None => args.setup.setup(&game, fresh_seed())?,
    };
    let kept = replay.as_ref().map(|replay| replay.seats.join(",")).filter(|seats| !seats.is_empty());
    let seats = args.seats.clone().or(kept).unwrap_or_else(|| "human".to_owned());
    let seats = Seats::new(&seats, "human", &game, &setup)?;
    let played = begin(&game, &setup)?;
    let file = args.save.clone().or_else(|| args.resume.clone());
    writeln!(out, "{}", describe(&game, &setup))?;
    let private_until = vec![0; usize::from(setup.players)];
    let mut session = Session {
        game: &game,
        played,
        seats,
        history: Vec::new(),
        log: Vec::new(),
        private_until,
        file,
        shown_to: None,
    };
    if let Some(replay) = &replay {
        session.catch_up(replay)?;
        let changed = replay.fingerprint != game.fingerprint();
        let about = if changed { "; the content has changed since, but so far the match is the same" } else { "" };
        writeln!(out, "resumed after {}{about}", paint::plural(replay.answers.len(), "answer"))?;
        writeln!(out, "played by {}", session.seats.names().join(", "))?;
    }
    let stdin = std::io::stdin();
    let mut input = stdin.lock();
    session.play(&mut input, out)
}

/// The game, and the match to resume.
fn start(args: &Args, global: &GlobalArgs) -> Result<(Game, Option<Replay>), Fault> {
    let Some(file) = &args.resume else {
        return Ok((project::game(global, args.game.as_deref().unwrap_or_default())?, None));
    };
    let replay = load(file)?;
    let game = match &args.game {
        Some(name) => project::game(global, name)?,
        None => Project::find(global)?.load_named(&replay.game)?,
    };
    if game.declarations().id != replay.game {
        let (shown, other) = (file.display(), &game.declarations().id);
        return Err(Fault::usage(format!("`{shown}` is a match of `{}`, not of `{other}`", replay.game)));
    }
    // If the game has changed, this names the first step that differs.
    replay.verify(&game).map_err(|error| Fault::failed(format!("`{}` cannot be resumed: {error}", file.display())))?;
    Ok((game, Some(replay)))
}

/// Reads a recorded match.
pub fn load(file: &Path) -> Result<Replay, Fault> {
    if !file.is_file() {
        return Err(Fault::usage(format!("there is no file `{}`", file.display())));
    }
    Replay::load(file).map_err(|error| Fault::failed(format!("`{}`: {error}", file.display())))
}

/// A match with its seats, its history and its file.
struct Session<'g> {
    game: &'g Game,
    played: Match,
    seats: Seats,
    /// The positions in which a person was asked, with the length of the log at that time.
    history: Vec<(Snapshot, usize)>,
    /// The transcript.
    log: Vec<Line>,
    /// By seat: up to where in the log it has been shown its private lines, if several people share the terminal.
    private_until: Vec<usize>,
    file: Option<PathBuf>,
    /// The person that was last shown the table.
    shown_to: Option<u8>,
}

/// What a person did.
enum Turn {
    Answered,
    Undone,
    Left,
}

impl Session<'_> {
    /// Plays the answers of a recorded match again, so that they can be undone.
    fn catch_up(&mut self, replay: &Replay) -> Result<(), Fault> {
        for answer in &replay.answers {
            if self.seats.is_guest(answer.seat) {
                self.history.push((self.played.snapshot(), self.log.len()));
            }
            self.played.answer_as(answer.seat, usize::from(answer.index))?;
            self.log.extend(self.played.take_log());
        }
        Ok(())
    }

    fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), Fault> {
        self.show_news(out)?;
        let (mut by_bots, mut said) = (0, 0);
        while let Some(decision) = self.played.decision() {
            if !self.seats.is_guest(decision.seat) {
                by_bots += 1;
                if by_bots > DECISION_LIMIT {
                    self.save()?;
                    return Err(endless(&format!("made {DECISION_LIMIT} decisions")));
                }
                let done = self.bot(decision);
                self.save_on_failure(done)?;
                let before = self.log.len();
                self.show_news(out)?;
                said += self.log[before..].iter().map(|line| line.text().len()).sum::<usize>();
                if said > MOST_SAID {
                    self.save()?;
                    return Err(endless(&format!("said more than {} MiB", MOST_SAID >> 20)));
                }
                continue;
            }
            match self.person(decision, input, out)? {
                Turn::Answered => {
                    (by_bots, said) = (0, 0);
                    self.save()?;
                    self.show_news(out)?;
                }
                Turn::Undone => self.save()?,
                Turn::Left => {
                    self.save()?;
                    return self.leave(out);
                }
            }
        }
        self.save()?;
        self.end(out)
    }

    fn bot(&mut self, decision: Decision) -> Result<(), Fault> {
        let index = self.seats.choose(&self.played, decision)?;
        self.played.answer(index)?;
        Ok(())
    }

    /// Shows what has happened since the last call.
    fn show_news(&mut self, out: &mut dyn Write) -> Result<(), Fault> {
        for line in self.played.take_log() {
            // With several people, private lines wait until their reader is alone.
            let alone = line.seat().is_some_and(|seat| self.seats.guests() == 1 && self.seats.is_guest(seat));
            if let Some(text) = if alone { Some(line.text()) } else { line.public() } {
                writeln!(out, "{text}")?;
            }
            self.log.push(line);
        }
        Ok(())
    }

    /// Shows a person the new lines that nobody else may read.
    fn show_private(&mut self, seat: u8, out: &mut dyn Write) -> Result<(), Fault> {
        let shown = std::mem::replace(&mut self.private_until[usize::from(seat)], self.log.len());
        if self.seats.guests() < 2 {
            return Ok(());
        }
        for line in self.log.iter().skip(shown).filter(|line| line.seat() == Some(seat) && line.public().is_none()) {
            writeln!(out, "{}", line.text())?;
        }
        Ok(())
    }

    /// Asks a person until there is an answer that can be played.
    fn person(&mut self, decision: Decision, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Turn, Fault> {
        self.played.focus(decision.seat)?;
        let choices = self.played.legal();
        self.hand_over(decision.seat, input, out)?;
        writeln!(out)?;
        self.show_private(decision.seat, out)?;
        self.show_table(decision.seat, out)?;
        self.ask(decision, &choices, out)?;
        loop {
            write!(out, "{}> ", paint::seat(self.game.declarations(), decision.seat))?;
            out.flush()?;
            let Some(line) = read_line(input)? else {
                writeln!(out)?;
                return Ok(Turn::Left);
            };
            match line.trim() {
                "" => {}
                "q" => return Ok(Turn::Left),
                "?" => writeln!(out, "{HELP}")?,
                "o" => {
                    self.show_table(decision.seat, out)?;
                    self.ask(decision, &choices, out)?;
                }
                "l" => self.show_log(decision.seat, out)?,
                "u" => {
                    if self.undo()? {
                        writeln!(out, "back to your previous decision")?;
                        return Ok(Turn::Undone);
                    }
                    writeln!(out, "this is your first decision")?;
                }
                typed => match pick(&choices, typed) {
                    Ok(index) => {
                        let past = (self.played.snapshot(), self.log.len());
                        match self.played.answer(index) {
                            Ok(()) => {
                                self.history.push(past);
                                return Ok(Turn::Answered);
                            }
                            Err(error @ MatchError::BadChoice { .. }) => writeln!(out, "{error}")?,
                            Err(error) => return self.save_on_failure(Err(error.into())),
                        }
                    }
                    Err(hint) => writeln!(out, "{hint}")?,
                },
            }
        }
    }

    /// Clears the screen between people who share a terminal and have secrets.
    fn hand_over(&mut self, seat: u8, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), Fault> {
        let before = self.shown_to.replace(seat);
        let secrets = has_secrets(self.game.declarations())
            || self.played.is_simultaneous()
            || self.log.iter().any(|line| line.seat().is_some());
        let alone = self.seats.guests() < 2 || before == Some(seat) || !secrets;
        if alone || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Ok(());
        }
        // The only command to the terminal, which `out` would mark as one that came from content.
        out.flush()?;
        write!(anstream::stdout(), "\x1b[2J\x1b[H")?;
        write!(out, "{}: press Enter when nobody else is looking ", paint::seat(self.game.declarations(), seat))?;
        out.flush()?;
        read_line(input)?;
        Ok(())
    }

    fn show_table(&self, seat: u8, out: &mut dyn Write) -> Result<(), Fault> {
        let heading = render::heading(self.game.declarations(), self.played.round(), self.played.phase());
        writeln!(out, "{heading}\n{}", render::observation(self.game, &self.played.observe(Some(seat))))?;
        Ok(())
    }

    fn ask(&self, decision: Decision, choices: &[Choice], out: &mut dyn Write) -> Result<(), Fault> {
        let name = paint::seat(self.game.declarations(), decision.seat);
        let strong = paint::strong();
        writeln!(out, "{name}: {strong}{}{strong:#}", decision.text(self.game))?;
        let width = choices.len().to_string().len();
        let numbered = |(choice, number): (&Choice, usize)| format!("{number:>width$}  {}", choice.label);
        let texts: Vec<String> = choices.iter().zip(1..).map(numbered).collect();
        write!(out, "{}", paint::columns(&texts))?;
        let faint = paint::faint();
        writeln!(out, "{faint}u undo, o table, l log, q leave, ? help{faint:#}")?;
        Ok(())
    }

    fn show_log(&self, seat: u8, out: &mut dyn Write) -> Result<(), Fault> {
        if self.log.is_empty() {
            writeln!(out, "nothing has happened yet")?;
        }
        for line in self.log.iter().filter_map(|line| line.seen_by(seat)) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// Goes back to the previous position in which a person was asked. False if there is none.
    fn undo(&mut self) -> Result<bool, Fault> {
        let Some((position, lines)) = self.history.pop() else { return Ok(false) };
        self.played.restore(&position)?;
        // What led to the position has been shown already.
        self.played.take_log();
        self.log.truncate(lines);
        self.private_until.iter_mut().for_each(|shown| *shown = (*shown).min(lines));
        Ok(true)
    }

    /// Writes the match to its file, if it has one.
    fn save(&self) -> Result<(), Fault> {
        let Some(file) = &self.file else { return Ok(()) };
        // A match of bots is saved once, at its end.
        if self.seats.guests() == 0 && !self.played.is_over() {
            return Ok(());
        }
        self.write(file)
    }

    fn write(&self, file: &Path) -> Result<(), Fault> {
        let replay = Replay { seats: self.seats.names(), ..Replay::record(&self.played) };
        let saved = replay.save(file);
        saved.map_err(|error| Fault::failed(format!("cannot write `{}`: {error}", file.display())))
    }

    /// Passes a result on. Saves the match first if it is a failure, so that it can be investigated.
    fn save_on_failure<T>(&self, done: Result<T, Fault>) -> Result<T, Fault> {
        if let (Err(_), Some(file)) = (&done, &self.file) {
            self.write(file)?;
        }
        done
    }

    fn leave(&self, out: &mut dyn Write) -> Result<(), Fault> {
        match &self.file {
            Some(file) => writeln!(out, "saved; `lode play --resume {}` continues it", file.display())?,
            None => writeln!(out, "left without saving")?,
        }
        Ok(())
    }

    fn end(&self, out: &mut dyn Write) -> Result<(), Fault> {
        let Some(outcome) = self.played.outcome() else {
            return Err(Fault::failed("the match is over but has no outcome"));
        };
        // Nothing is secret any more.
        writeln!(out, "\n{}", render::observation(self.game, &self.played.observe(None)))?;
        write!(out, "{}", render::outcome(self.game.declarations(), &outcome, &self.seats.names()))?;
        if let Some(file) = &self.file {
            writeln!(out, "saved in {}", file.display())?;
        }
        Ok(())
    }
}

/// What ends a match in which bots have done this without a person's turn.
fn endless(what: &str) -> Fault {
    Fault::failed(format!("bots have {what} in a row: does the game ever end?"))
}

/// Whether a player may know what another may not.
fn has_secrets(game: &Declarations) -> bool {
    let own = |visible: Visibility| matches!(visible, Visibility::Owner | Visibility::Secret | Visibility::Face);
    game.counters.values().any(|counter| own(counter.visible))
        || game.zones.values().any(|zone| own(zone.visible))
        || game.phases.values().any(|phase| phase.turns == Turns::Sealed)
        || game.prompts.values().any(|prompt| prompt.secret)
}

/// A line of input; `None` at its end. Invalid UTF-8 makes a wrong answer.
fn read_line(input: &mut dyn BufRead) -> Result<Option<String>, Fault> {
    let mut line = Vec::new();
    let read = input.read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// The choice that was typed: its number in the list, its id or its label.
fn pick(choices: &[Choice], typed: &str) -> Result<usize, String> {
    if let Ok(number) = typed.parse::<usize>() {
        let within = number.checked_sub(1).filter(|&index| index < choices.len());
        return within.ok_or_else(|| format!("there is no choice {number}; type a number from 1 to {}", choices.len()));
    }
    let same = |choice: &Choice| choice.id.eq_ignore_ascii_case(typed) || choice.label.eq_ignore_ascii_case(typed);
    let mut found = choices.iter().enumerate().filter(|(_, choice)| same(choice));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => return Ok(index),
        (Some(_), Some(_)) => return Err(format!("`{typed}` is ambiguous; type a number")),
        (None, _) => {}
    }
    // Short names, such as those of cells, are all close to each other.
    let ids = choices.iter().map(|choice| choice.id.as_str()).filter(|id| id.len() > 3);
    let hint =
        project::nearest(typed, ids).map_or_else(|| "? for help".to_string(), |near| format!("did you mean `{near}`?"));
    Err(format!("`{typed}` is not a choice; {hint}"))
}
