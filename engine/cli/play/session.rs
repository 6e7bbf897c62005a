//! A match in the terminal: bots answer, people are asked, and all is told.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use motherlode::tools::hidden;
use motherlode::{Decision, Game, Match, Replay, Snapshot};
use motherlode_play::DECISION_LIMIT;
use motherlode_table::{Changes, Disclosure, Faces, Points, Text, View, points};

use super::story::Story;
use crate::fault::Fault;
use crate::paint;
use crate::seats::Seats;

/// Most text that bots may add to the transcript before a person is asked, in bytes.
const MOST_SAID: usize = 4 << 20;

/// A seat beyond those at any table: it sees what is public.
const ONLOOKER: u8 = u8::MAX;

/// A match with its seats, its history and its file.
pub struct Session<'g> {
    pub(super) game: &'g Game,
    pub(super) faces: Faces,
    pub(super) played: Match,
    pub(super) seats: Seats,
    pub(super) story: Story,
    /// By seat: the table as it was last shown to the person there.
    pub(super) shown: Vec<Option<View>>,
    /// The table as whoever watches it saw it when something was last told.
    watched: View,
    pub(super) history: Vec<Past>,
    points: Points,
    file: Option<PathBuf>,
    /// The person that was last shown the table.
    pub(super) shown_to: Option<u8>,
    /// Whether the keys have been told.
    pub(super) told_keys: bool,
}

/// A position in which a person was asked.
pub struct Past {
    seat: u8,
    position: Snapshot,
    /// Length of the transcript.
    lines: usize,
    points: Points,
}

/// What a person did.
pub enum Turn {
    Answered,
    Undone,
    Left,
}

/// What came of an undo.
pub enum Undone {
    /// Nothing had been seen since that was not known before.
    Clean,
    /// The person has seen what came after.
    Wiser,
    /// Others would play against somebody who knows what comes.
    Refused,
    /// It is the first decision.
    First,
}

impl<'g> Session<'g> {
    pub fn new(game: &'g Game, played: Match, seats: Seats, file: Option<PathBuf>) -> Self {
        let faces = Faces::new(game);
        let players = played.setup().players;
        let watched = View::of(&played, &faces, watcher(&seats, players));
        let shown = vec![None; usize::from(players)];
        let (story, points) = (Story::new(players), Points::new());
        Self {
            game,
            faces,
            played,
            seats,
            story,
            shown,
            watched,
            history: Vec::new(),
            points,
            file,
            shown_to: None,
            told_keys: false,
        }
    }

    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    pub(super) fn text(&self) -> Text<'_> {
        Text::new(&self.faces, paint::width())
    }

    /// Plays the answers of a recorded match again, so that they can be undone.
    pub fn catch_up(&mut self, replay: &Replay) -> Result<(), Fault> {
        for answer in &replay.answers {
            let past = self.past(answer.seat);
            let asked = self.seats.guests() > 1 || self.played.legal_of(answer.seat).is_ok_and(|all| all.len() > 1);
            self.answer_as(answer.seat, usize::from(answer.index))?;
            if asked && self.seats.is_guest(answer.seat) {
                self.history.push(past);
            }
            let lines = self.played.take_log();
            self.story.keep(lines);
        }
        self.watched = self.watch();
        Ok(())
    }

    pub fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), Fault> {
        self.show_news(out)?;
        let (mut by_bots, mut said) = (0, 0);
        while let Some(decision) = self.played.decision() {
            // Whoever plays alone is not asked what only one answer has.
            let only = self.seats.guests() == 1 && self.played.choices().len() == 1;
            if !self.seats.is_guest(decision.seat) || only {
                by_bots += 1;
                if by_bots > DECISION_LIMIT {
                    self.save()?;
                    return Err(endless(&format!("made {DECISION_LIMIT} decisions")));
                }
                let done = if only { self.answer_as(decision.seat, 0) } else { self.bot(decision) };
                self.save_on_failure(done)?;
                let before = self.story.len();
                self.show_news(out)?;
                said += self.story.since(before).iter().map(|line| line.text().len()).sum::<usize>();
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
        self.answer_as(decision.seat, index)
    }

    /// Answers, and notes what that brought.
    pub(super) fn answer_as(&mut self, seat: u8, index: usize) -> Result<(), Fault> {
        let before = points::scores(&self.played);
        let phase = self.played.phase().to_owned();
        self.played.answer_as(seat, index)?;
        let name = self.game.declarations().phases.get(&phase).map_or(phase.as_str(), |phase| &phase.name);
        points::add(&mut self.points, &self.played, name, &before);
        Ok(())
    }

    /// Shows what has happened since the last call. What the script of the game does not tell, the counters do.
    fn show_news(&mut self, out: &mut dyn Write) -> Result<(), Fault> {
        let lines = self.played.take_log();
        let silent = lines.iter().all(motherlode::Line::is_answer);
        let text = Text::new(&self.faces, paint::width());
        for line in lines {
            let alone = line.seat().is_some_and(|seat| self.seats.guests() == 1 && self.seats.is_guest(seat));
            self.story.tell(self.game, &text, line, alone, out)?;
        }
        let now = self.watch();
        if silent {
            let faint = paint::faint();
            let told = Changes::between(&self.watched, &now).told(&now);
            for change in &told {
                write!(out, "{faint}{}{faint:#}", paint::hanging("  →", 4, change, paint::width()))?;
            }
            self.know(&now);
        }
        self.watched = now;
        Ok(())
    }

    /// What was told need not be shown again to the person who watches.
    fn know(&mut self, now: &View) {
        let Some(shown) = now.seat.and_then(|seat| self.shown.get_mut(usize::from(seat))?.as_mut()) else { return };
        if self.seats.guests() == 1 {
            shown.learn(now, &self.watched);
        }
    }

    /// The table as whoever watches sees it: the only person, or all of them.
    fn watch(&self) -> View {
        View::of(&self.played, &self.faces, watcher(&self.seats, self.played.setup().players))
    }

    /// The position in which a person is asked.
    pub(super) fn past(&self, seat: u8) -> Past {
        let (position, lines) = (self.played.snapshot(), self.story.len());
        Past { seat, position, lines, points: self.points.clone() }
    }

    /// Goes back to the previous position in which a person was asked. Of several people, each takes back its own answers alone, and only
    /// while nothing has come of them that it did not know.
    pub(super) fn undo(&mut self, seat: u8) -> Result<Undone, Fault> {
        let Some(past) = self.history.pop() else { return Ok(Undone::First) };
        if self.seats.guests() > 1 && past.seat != seat {
            self.history.push(past);
            return Ok(Undone::Refused);
        }
        let (now, answers) = (self.played.snapshot(), self.played.answers().len());
        let others = self.played.answers().iter().rev();
        let others = others.map(|answer| answer.seat).take_while(|&seat| seat != past.seat).count();
        let all = self.played.answers().to_vec();
        self.played.restore(&past.position)?;
        let since = all.get(self.played.answers().len()..).unwrap_or_default();
        let is_certain = Disclosure::of(&mut self.played, since)? == Disclosure::Certain;
        let wiser = is_certain || (others > 0 && answers > self.played.answers().len());
        if wiser && self.seats.guests() > 1 {
            self.played.restore(&now)?;
            self.played.take_log();
            self.history.push(past);
            return Ok(Undone::Refused);
        }
        // What led to the position has been shown already.
        self.played.take_log();
        self.story.forget(past.lines);
        self.points = past.points;
        self.watched = self.watch();
        Ok(if wiser { Undone::Wiser } else { Undone::Clean })
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
        saved.map_err(|error| Fault::unsaved(file, &error))
    }

    /// Passes a result on. Saves the match first if it is a failure, so that it can be investigated.
    pub(super) fn save_on_failure<T>(&self, done: Result<T, Fault>) -> Result<T, Fault> {
        if let (Err(_), Some(file)) = (&done, &self.file) {
            self.write(file)?;
        }
        done
    }

    fn leave(&self, out: &mut dyn Write) -> Result<(), Fault> {
        match &self.file {
            Some(file) => writeln!(out, "saved; `lode play --resume {}` continues it", hidden::path(file))?,
            None => writeln!(out, "left without saving")?,
        }
        Ok(())
    }

    fn end(&self, out: &mut dyn Write) -> Result<(), Fault> {
        let Some(outcome) = self.played.outcome() else {
            return Err(Fault::failed("the match is over but has no outcome"));
        };
        let text = self.text();
        // Nothing is secret any more.
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
        write!(out, "{}", text.outcome(self.game, &outcome, &self.seats.names(), &points))?;
        if let Some(file) = &self.file {
            writeln!(out, "saved in {}", hidden::path(file))?;
        }
        Ok(())
    }
}

/// Through whose eyes the changes of the table are told.
fn watcher(seats: &Seats, players: u8) -> Option<u8> {
    let mut people = (0..players).filter(|&seat| seats.is_guest(seat));
    Some(people.next().filter(|_| seats.guests() == 1).unwrap_or(ONLOOKER))
}

/// What ends a match in which bots have done this without a person's turn.
fn endless(what: &str) -> Fault {
    Fault::failed(format!("bots have {what} in a row: does the game ever end?"))
}
