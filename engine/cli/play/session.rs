//! Runs a match in the terminal: lets bots answer, asks people, and prints the transcript.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Decision, Game, Match, Replay, Snapshot};
use motherlode_play::DECISION_LIMIT;
use motherlode_table::{Changes, Disclosure, Faces, Points, Text, View, points};

use super::transcript::TranscriptPrinter;
use crate::fault::Fault;
use crate::paint;
use crate::seats::Seats;

/// Maximum text that bots may add to the transcript between two decisions of people, in bytes.
const MAX_BOT_TEXT: usize = 4 << 20;

/// A seat that no player has: it sees public information only.
const SPECTATOR: u8 = u8::MAX;

/// A match with its seats, its history and its file.
pub struct Session<'g> {
    pub(super) game: &'g Game,
    pub(super) faces: Faces,
    pub(super) played: Match,
    pub(super) seats: Seats,
    pub(super) transcript: TranscriptPrinter,
    /// By seat: the view last shown to its person.
    pub(super) shown: Vec<Option<View>>,
    /// The view of the watcher when the transcript was last printed.
    watched: View,
    pub(super) history: Vec<UndoPoint>,
    points: Points,
    file: Option<PathBuf>,
    /// The seat of the person who last saw the table.
    pub(super) shown_to: Option<u8>,
    /// Whether the list of keys has been shown.
    pub(super) keys_shown: bool,
}

/// A position to which an undo can return.
pub struct UndoPoint {
    seat: u8,
    position: Snapshot,
    /// Length of the transcript then.
    lines: usize,
    points: Points,
}

/// The result of asking a person.
pub enum Turn {
    Answered,
    Undone,
    Left,
}

/// The result of an undo.
pub enum UndoResult {
    /// The person has seen nothing new since the decision.
    Clean,
    /// The person has seen hidden information or later answers.
    AfterReveal,
    /// The person would gain information over others.
    Refused,
    /// There is no earlier decision.
    First,
}

impl<'g> Session<'g> {
    pub fn new(game: &'g Game, played: Match, seats: Seats, file: Option<PathBuf>) -> Self {
        let faces = Faces::new(game);
        let players = played.setup().players;
        let watched = View::of(&played, &faces, watcher(&seats, players));
        let shown = vec![None; usize::from(players)];
        let (transcript, mut points) = (TranscriptPrinter::new(game, played.setup()), Points::new());
        points::add(&mut points, &played);
        Self {
            game,
            faces,
            played,
            seats,
            transcript,
            shown,
            watched,
            history: Vec::new(),
            points,
            file,
            shown_to: None,
            keys_shown: false,
        }
    }

    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    pub(super) fn text(&self) -> Text<'_> {
        Text::new(&self.faces, paint::width())
    }

    /// Replays the answers of a recorded match, so that they can be undone.
    pub fn catch_up(&mut self, replay: &Replay) -> Result<(), Fault> {
        for answer in &replay.answers {
            let point = self.undo_point(answer.seat);
            let asked = self.seats.guests() > 1 || self.played.legal_of(answer.seat).is_ok_and(|all| all.len() > 1);
            self.answer_as(answer.seat, usize::from(answer.index))?;
            if asked && self.seats.is_guest(answer.seat) {
                self.history.push(point);
            }
            let lines = self.played.take_log();
            self.transcript.keep(lines);
        }
        self.watched = self.watch();
        Ok(())
    }

    pub fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), Fault> {
        self.show_news(out)?;
        let (mut by_bots, mut said) = (0, 0);
        while let Some(decision) = self.played.decision() {
            // Answer for a single person if there is only one choice.
            let only = self.seats.guests() == 1 && self.played.choices().len() == 1;
            if !self.seats.is_guest(decision.seat) || only {
                by_bots += 1;
                if by_bots > DECISION_LIMIT {
                    self.save()?;
                    return Err(endless(&format!("made {DECISION_LIMIT} decisions")));
                }
                let done = if only { self.answer(decision.seat, 0, out) } else { self.bot(decision, out) };
                self.save_on_failure(done)?;
                let before = self.transcript.len();
                self.show_news(out)?;
                said += self.transcript.since(before).iter().map(|line| line.text().len()).sum::<usize>();
                if said > MAX_BOT_TEXT {
                    self.save()?;
                    return Err(endless(&format!("written more than {} MiB", MAX_BOT_TEXT >> 20)));
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

    fn bot(&mut self, decision: Decision, out: &mut dyn Write) -> Result<(), Fault> {
        let index = self.seats.choose(&self.played, decision)?;
        self.answer(decision.seat, index, out)
    }

    /// As [`Self::answer_as`]. Prints an answer that fails, because the transcript of the match does not have it.
    pub(super) fn answer(&mut self, seat: u8, index: usize, out: &mut dyn Write) -> Result<(), Fault> {
        let done = self.answer_as(seat, index);
        if done.is_err() {
            let view = View::of(&self.played, &self.faces, Some(seat));
            let choices = view.question.iter().flat_map(|question| &question.choices);
            let label = choices.filter(|choice| choice.index == index).map(|choice| choice.label.as_str()).next();
            let (name, faint) = (paint::seat(self.game.declarations(), seat), paint::faint());
            writeln!(out, "{name}{faint}: {}, which fails{faint:#}", label.unwrap_or("?"))?;
        }
        done
    }

    /// Answers a decision and records the points gained.
    pub(super) fn answer_as(&mut self, seat: u8, index: usize) -> Result<(), Fault> {
        self.played.answer_as(seat, index)?;
        points::add(&mut self.points, &self.played);
        Ok(())
    }

    /// Prints the events since the last call, and the changes of the table that their counters' `transcript` allows.
    fn show_news(&mut self, out: &mut dyn Write) -> Result<(), Fault> {
        let lines = self.played.take_log();
        let silent = lines.iter().all(motherlode::Line::is_answer);
        let text = Text::new(&self.faces, paint::width());
        for line in lines {
            let alone = line.seat().is_some_and(|seat| self.seats.guests() == 1 && self.seats.is_guest(seat));
            self.transcript.print(self.game, &text, line, alone, out)?;
        }
        let now = self.watch();
        let faint = paint::faint();
        for change in &Changes::between(&self.watched, &now).told(&now, silent) {
            write!(out, "{faint}{}{faint:#}", paint::hanging("  →", 4, change, paint::width()))?;
        }
        self.mark_known(&now, silent);
        self.watched = now;
        Ok(())
    }

    /// Marks printed changes as known, so that the view of a single person does not repeat them.
    fn mark_known(&mut self, now: &View, silent: bool) {
        let Some(shown) = now.seat.and_then(|seat| self.shown.get_mut(usize::from(seat))?.as_mut()) else { return };
        if self.seats.guests() == 1 {
            shown.learn(now, &self.watched, silent);
        }
    }

    /// The view of the watcher: the only person, or the public view.
    fn watch(&self) -> View {
        View::of(&self.played, &self.faces, watcher(&self.seats, self.played.setup().players))
    }

    /// The current position, for an undo.
    pub(super) fn undo_point(&self, seat: u8) -> UndoPoint {
        let (position, lines) = (self.played.snapshot(), self.transcript.len());
        UndoPoint { seat, position, lines, points: self.points.clone() }
    }

    /// Returns to the previous decision of a person. Among several people, each can undo only their own answers, and only if the
    /// answers revealed nothing to them.
    pub(super) fn undo(&mut self, seat: u8) -> Result<UndoResult, Fault> {
        let Some(past) = self.history.pop() else { return Ok(UndoResult::First) };
        if self.seats.guests() > 1 && past.seat != seat {
            self.history.push(past);
            return Ok(UndoResult::Refused);
        }
        let (now, answers) = (self.played.snapshot(), self.played.answers().len());
        let others = self.played.answers().iter().rev();
        let others = others.map(|answer| answer.seat).take_while(|&seat| seat != past.seat).count();
        let all = self.played.answers().to_vec();
        self.played.restore(&past.position)?;
        let since = all.get(self.played.answers().len()..).unwrap_or_default();
        let is_certain = Disclosure::of(&mut self.played, since)? == Disclosure::Certain;
        let gains = is_certain || (others > 0 && answers > self.played.answers().len());
        if gains && self.seats.guests() > 1 {
            self.played.restore(&now)?;
            self.played.take_log();
            self.history.push(past);
            return Ok(UndoResult::Refused);
        }
        // The events before the position have been printed already.
        self.played.take_log();
        self.transcript.truncate(past.lines);
        self.points = past.points;
        self.watched = self.watch();
        Ok(if gains { UndoResult::AfterReveal } else { UndoResult::Clean })
    }

    /// Writes the match to its file, if it has one.
    fn save(&self) -> Result<(), Fault> {
        let Some(file) = &self.file else { return Ok(()) };
        // Save a match of bots only at its end.
        if self.seats.guests() == 0 && !self.played.is_over() {
            return Ok(());
        }
        self.write(file)
    }

    fn write(&self, file: &Path) -> Result<(), Fault> {
        let replay = Replay { seats: self.seats.names(), ..Replay::record(&self.played) };
        let saved = replay.save(file);
        saved.map_err(|error| Fault::unsaved(file, &error))
    }

    /// Passes a result on. On failure, saves the match first, for debugging.
    pub(super) fn save_on_failure<T>(&self, done: Result<T, Fault>) -> Result<T, Fault> {
        if let (Err(_), Some(file)) = (&done, &self.file) {
            self.write(file)?;
        }
        done
    }

    fn leave(&self, out: &mut dyn Write) -> Result<(), Fault> {
        match &self.file {
            Some(file) => writeln!(out, "saved; continue with `lode play --resume {}`", hidden::path(file))?,
            None => writeln!(out, "left without saving")?,
        }
        Ok(())
    }

    fn end(&self, out: &mut dyn Write) -> Result<(), Fault> {
        let text = self.text();
        // The match is over: show hidden information.
        let view = View::of(&self.played, &self.faces, None);
        write!(
            out,
            "\n{}",
            if self.seats.guests() == 0 {
                text.whole(&view)
            } else {
                text.standing(self.shown.iter().flatten().next(), &view)
            }
        )?;
        let points = points::parts(self.game, &self.played, &self.points);
        write!(out, "{}", text.outcome(&self.played, &self.seats.names(), &points))?;
        if let Some(file) = &self.file {
            writeln!(out, "saved in {}", hidden::path(file))?;
        }
        Ok(())
    }
}

/// The seat whose view decides which changes are printed.
fn watcher(seats: &Seats, players: u8) -> Option<u8> {
    let mut people = (0..players).filter(|&seat| seats.is_guest(seat));
    Some(people.next().filter(|_| seats.guests() == 1).unwrap_or(SPECTATOR))
}

/// The error of a match in which bots play without end.
fn endless(what: &str) -> Fault {
    Fault::failed(format!("bots have {what} in a row: check that the game can end"))
}
