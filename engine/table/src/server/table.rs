//! A match at a table: it asks those who sit there, lets bots play, and tells each browser what its seat sees.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use motherlode::{Answer, Decision, Game, Match, MatchError, Replay, ReplayError, Snapshot};
use serde_json::json;
use tokio::sync::mpsc::Sender;

use super::message::{self, Beside, Place, Refusal, Said};
use super::viewer::{Viewer, read_by};
use crate::face::Faces;
use crate::known::Known;
use crate::view::View;

/// Most decisions that bots make before a person is asked.
const MOST_BY_BOTS: usize = 100_000;

/// Messages that may wait for a slow reader before it is dropped.
pub const BACKLOG: usize = 256;

/// How long a decision of bots is shown where nobody else plays.
const PACE: Duration = Duration::from_millis(600);

/// How often the table asks for newer rules while nobody says anything.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Who plays the seats.
pub trait Players {
    /// Whether a person at a browser plays the seat.
    fn is_person(&self, seat: u8) -> bool;
    /// What the bot at the seat chooses.
    ///
    /// # Errors
    /// The rules fail.
    fn choose(&mut self, played: &Match, decision: Decision) -> Result<usize, MatchError>;
    /// Who plays each seat, in a word.
    fn names(&self) -> Vec<String>;
}

/// Rules that have been saved, and who plays by them; or why they cannot be played.
pub type Renewed<'p> = Result<(Game, Box<dyn Players + 'p>), String>;

/// What whoever has a link may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// The seat, from 0; `None`: looks on.
    pub seat: Option<u8>,
    /// May see everything and go through the match.
    pub designer: bool,
}

/// What happens at the door.
#[derive(Debug)]
pub enum Event {
    /// Somebody has come.
    Came {
        /// Number of the connection.
        id: u64,
        /// What it may do.
        role: Role,
        /// Whether it has the skeleton of these rules already.
        known: Option<String>,
        /// Takes messages for it. If it is full, the reader is too slow.
        to: Sender<String>,
    },
    /// Somebody says something.
    Said {
        /// Number of the connection.
        id: u64,
        /// The message.
        said: Said,
    },
    /// Somebody has gone.
    Left {
        /// Number of the connection.
        id: u64,
    },
}

/// A match, who plays it, and who watches.
pub struct Table<'p> {
    game: Game,
    faces: Faces,
    played: Match,
    players: Box<dyn Players + 'p>,
    /// One for each seat, and one for those who look on.
    viewers: Vec<Viewer>,
    clients: Vec<Client>,
    history: Vec<Past>,
    by_bots: usize,
    /// The rules have failed, or the match is only shown.
    still: bool,
    /// The number of answers after which the newest rules first make a difference.
    differs: Option<usize>,
    kept: Box<dyn FnMut(&Match) + 'p>,
    renewed: Box<dyn FnMut() -> Option<Renewed<'p>> + 'p>,
}

struct Client {
    id: u64,
    role: Role,
    to: Sender<String>,
    /// Where a designer looks; `None`: at the own seat, now.
    looks: Option<Place>,
}

/// A position in which a person was asked.
struct Past {
    seat: u8,
    position: Snapshot,
    /// Lines of each viewer.
    lines: Vec<usize>,
}

impl<'p> Table<'p> {
    /// A table at which this match goes on. `kept` is called after each answer of a person and at the end.
    #[must_use]
    pub fn new(mut played: Match, players: Box<dyn Players + 'p>, kept: Box<dyn FnMut(&Match) + 'p>) -> Self {
        let game = played.game().clone();
        let faces = Faces::new(&game);
        let said = played.take_log();
        let outcome = outcome(&played, players.as_ref());
        let seats = (0..played.setup().players).chain([u8::MAX]);
        let viewers = seats.map(|seat| {
            let view = View::of(&played, &faces, Some(seat));
            let mut viewer = Viewer::new(seat, view.clone());
            viewer.see(&game, view, (&said, answers_of(&played, seat)), outcome.as_ref());
            viewer
        });
        let viewers = viewers.collect();
        let (clients, history) = (Vec::new(), Vec::new());
        Self {
            game,
            faces,
            played,
            players,
            viewers,
            clients,
            history,
            by_bots: 0,
            still: false,
            differs: None,
            kept,
            renewed: Box::new(|| None),
        }
    }

    /// A table that asks now and then for newer rules, by which its match is played again.
    #[must_use]
    pub fn renewed(self, renewed: Box<dyn FnMut() -> Option<Renewed<'p>> + 'p>) -> Self {
        Self { renewed, ..self }
    }

    /// A table at which a finished or open match is only shown.
    #[must_use]
    pub fn shown(self) -> Self {
        Self { still: true, ..self }
    }

    /// Plays until nobody is left at the door.
    pub fn run(&mut self, events: &Receiver<Event>) {
        loop {
            while let Ok(event) = events.try_recv() {
                self.take(event);
            }
            self.renew();
            let event = match self.decision_of_nobody() {
                Some(_) if self.people() > 0 => {
                    self.step();
                    continue;
                }
                // Where only bots play, somebody should see it.
                Some(_) if !self.clients.is_empty() => events.recv_timeout(PACE),
                _ => events.recv_timeout(LOOK_AGAIN),
            };
            match event {
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) if !self.clients.is_empty() => self.step(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Plays the match again by newer rules, if there are any.
    fn renew(&mut self) {
        match (self.renewed)() {
            None => {}
            Some(Err(why)) => self.send(|viewer, _| viewer.note(&format!("The new rules cannot be played: {why}."))),
            Some(Ok((game, players))) => {
                let answers = self.played.answers().to_vec();
                let differs = match Replay::record(&self.played).verify(&game) {
                    Ok(_) => None,
                    Err(ReplayError::Differs { step, .. }) => Some(step),
                    Err(ReplayError::Outcome { .. }) => Some(answers.len()),
                    Err(_) => Some(0),
                };
                match self.again(&game, &answers) {
                    Ok(taken) => {
                        self.players = players;
                        self.differs = differs.map(|step| step.min(taken));
                        self.show_anew();
                        let note = match (differs, answers.len() - taken) {
                            (None, _) => "New rules: the match so far is the same.".to_owned(),
                            (Some(step), 0) => format!("New rules: the first difference is after answer {step}."),
                            (Some(step), left) => format!(
                                "New rules: the first difference is after answer {step}; {left} of the answers do not fit any more."
                            ),
                        };
                        self.send(|viewer, _| viewer.note(&note));
                    }
                    Err(error) => {
                        self.send(|viewer, _| viewer.note(&format!("The new rules cannot begin this match: {error}.")));
                    }
                }
            }
        }
    }

    /// Plays these answers from the beginning, as far as they fit; returns how many that are.
    fn again(&mut self, game: &Game, answers: &[Answer]) -> Result<usize, MatchError> {
        let (mut played, faces) = (Match::telling(game, self.played.setup())?, Faces::new(game));
        let people = self.people();
        let mut said = played.take_log();
        let mut history = Vec::new();
        let mut taken = 0;
        for answer in answers {
            let asked = people > 1 || played.legal_of(answer.seat).is_ok_and(|all| all.len() > 1);
            let read = |viewer: &Viewer| said.iter().filter(|line| line.seen_by(viewer.seat()).is_some()).count();
            let lines = self.viewers.iter().map(read).collect();
            let past = Past { seat: answer.seat, position: played.snapshot(), lines };
            if played.answer_as(answer.seat, usize::from(answer.index)).is_err() {
                break;
            }
            if asked && self.players.is_person(answer.seat) {
                history.push(past);
            }
            said.extend(played.take_log());
            taken += 1;
        }
        let outcome = outcome(&played, self.players.as_ref());
        for viewer in &mut self.viewers {
            let lines = said.iter().filter_map(|line| read_by(game, viewer.seat(), line)).collect();
            viewer.begin_anew(View::of(&played, &faces, Some(viewer.seat())), lines, outcome.as_ref());
        }
        let game = game.clone();
        (self.game, self.faces, self.played, self.history) = (game, faces, played, history);
        (self.by_bots, self.still, self.differs) = (0, false, None);
        Ok(taken)
    }

    /// Sends everything to everybody.
    fn show_anew(&mut self) {
        let skeleton = message::skeleton(&self.game, &self.faces);
        for client in &mut self.clients {
            client.looks = None;
        }
        let clients = std::mem::take(&mut self.clients);
        let shown = |client: &Client| {
            client.to.try_send(skeleton.clone()).is_ok() && client.to.try_send(self.whole(client)).is_ok()
        };
        self.clients = clients.into_iter().filter(shown).collect();
    }

    /// Number of people who play.
    fn people(&self) -> usize {
        (0..self.played.setup().players).filter(|&seat| self.players.is_person(seat)).count()
    }

    /// A decision that needs no person: that of a bot, or one with a single choice of whoever plays alone.
    fn decision_of_nobody(&self) -> Option<Decision> {
        let decision = self.played.decision().filter(|_| !self.still)?;
        let only = self.people() == 1 && self.played.choices().len() == 1;
        (!self.players.is_person(decision.seat) || only).then_some(decision)
    }

    fn step(&mut self) {
        let Some(decision) = self.decision_of_nobody() else { return };
        self.by_bots += 1;
        if self.by_bots > MOST_BY_BOTS {
            return self.stop(&format!("Bots have made {MOST_BY_BOTS} decisions in a row: does the game ever end?"));
        }
        let index =
            if self.players.is_person(decision.seat) { Ok(0) } else { self.players.choose(&self.played, decision) };
        if let Err(error) = index.and_then(|index| self.played.answer_as(decision.seat, index)) {
            return self.stop(&format!("The rules failed: {error}"));
        }
        self.tell();
    }

    /// Nothing more can be played.
    fn stop(&mut self, why: &str) {
        self.still = true;
        self.send(|viewer, _| viewer.note(why));
    }

    /// Shows everybody what has happened.
    fn tell(&mut self) {
        let said = self.played.take_log();
        let outcome = outcome(&self.played, self.players.as_ref());
        self.send(|viewer, (game, faces, played)| {
            let view = View::of(played, faces, Some(viewer.seat()));
            let answers = answers_of(played, viewer.seat());
            viewer.see(game, view, (&said, answers), outcome.as_ref())
        });
        if self.played.is_over() {
            (self.kept)(&self.played);
        }
    }

    /// Sends each viewer's message to all who look through its eyes.
    fn send(&mut self, mut message: impl FnMut(&mut Viewer, (&Game, &Faces, &Match)) -> Option<String>) {
        for viewer in &mut self.viewers {
            if let Some(text) = message(viewer, (&self.game, &self.faces, &self.played)) {
                let sees =
                    |client: &Client| client.looks.is_none() && client.role.seat.unwrap_or(u8::MAX) == viewer.seat();
                self.clients.retain(|client| !sees(client) || client.to.try_send(text.clone()).is_ok());
            }
        }
        let places: Vec<(u64, String)> = self
            .clients
            .iter()
            .filter(|client| client.role.designer && client.looks.is_none())
            .map(|client| (client.id, message::place(self.place(client.role.seat.unwrap_or(u8::MAX)))))
            .collect();
        for (id, text) in places {
            self.clients.retain(|client| client.id != id || client.to.try_send(text.clone()).is_ok());
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Came { id, role, known, to } => {
                if known.as_deref() != Some(self.game.fingerprint())
                    && to.try_send(message::skeleton(&self.game, &self.faces)).is_err()
                {
                    return;
                }
                let client = Client { id, role, to, looks: None };
                if client.to.try_send(self.whole(&client)).is_ok() {
                    self.clients.push(client);
                }
            }
            Event::Left { id } => self.clients.retain(|client| client.id != id),
            Event::Said { id, said } => {
                let Some(client) = self.clients.iter().position(|client| client.id == id) else { return };
                let done = match said {
                    Said::Answer { decision, index } => self.answer(client, decision, index),
                    Said::Undo {} => self.undo(client),
                    Said::Look { seat, step } => self.look(client, seat, step),
                    Said::Branch { step } => self.branch(client, step),
                };
                if let (Err(why), Some(client)) = (done, self.clients.iter().find(|client| client.id == id)) {
                    // A reader that is too slow for this is dropped with the next message.
                    let _ = client.to.try_send(message::refused(why));
                }
            }
        }
    }

    fn viewer(&self, role: Role) -> &Viewer {
        let seat = role.seat.unwrap_or(u8::MAX);
        let own = self.viewers.iter().position(|viewer| viewer.seat() == seat);
        &self.viewers[own.unwrap_or(self.viewers.len() - 1)]
    }

    fn whole(&self, client: &Client) -> String {
        let viewer = self.viewer(client.role);
        viewer.whole(client.role.designer.then(|| self.place(viewer.seat())))
    }

    /// Where a designer is who looks at the match as it is.
    fn place(&self, seat: u8) -> Place {
        let steps = self.played.answers().len();
        Place { seat, step: steps, steps, live: true, differs: self.differs }
    }

    fn answer(&mut self, client: usize, decision: u32, index: usize) -> Result<(), Refusal> {
        let Client { role, looks, .. } = self.clients[client];
        let seat = role.seat.filter(|&seat| !self.still && looks.is_none() && self.players.is_person(seat));
        let seat = seat.ok_or(Refusal::NotAsked)?;
        let asked = self.played.pending().iter().any(|decision| decision.seat == seat);
        if !asked || decision != self.viewer(role).decision() {
            return Err(Refusal::NotAsked);
        }
        let past =
            Past { seat, position: self.played.snapshot(), lines: self.viewers.iter().map(Viewer::lines).collect() };
        match self.played.answer_as(seat, index) {
            Ok(()) => {}
            Err(MatchError::BadChoice { .. }) => return Err(Refusal::NoChoice),
            Err(error) => {
                self.stop(&format!("The rules failed: {error}"));
                return Err(Refusal::Failed);
            }
        }
        self.history.push(past);
        self.by_bots = 0;
        (self.kept)(&self.played);
        self.tell();
        Ok(())
    }

    /// Takes back the last answer of a person. Of several people, each takes back its own alone, and only while nothing has come of it that
    /// it did not know.
    fn undo(&mut self, client: usize) -> Result<(), Refusal> {
        let seat = self.clients[client].role.seat.ok_or(Refusal::NoUndo)?;
        let several = self.people() > 1;
        let past = self.history.pop().ok_or(Refusal::NoUndo)?;
        if past.seat != seat {
            self.history.push(past);
            return Err(Refusal::NoUndo);
        }
        let (now, known) = (self.played.snapshot(), Known::of(&self.played, seat));
        let by_others = |answers: &[Answer]| answers.iter().filter(|answer| answer.seat != seat).count();
        let others = by_others(self.played.answers());
        self.played.restore(&past.position).map_err(|_| Refusal::Failed)?;
        let wiser = Known::of(&self.played, seat) != known || by_others(self.played.answers()) < others;
        if wiser && several {
            self.played.restore(&now).map_err(|_| Refusal::Failed)?;
            self.played.take_log();
            self.history.push(past);
            return Err(Refusal::NoUndo);
        }
        // What led to the position has been shown already.
        self.played.take_log();
        self.still = false;
        let name = motherlode::tools::player_name(self.game.declarations(), i32::from(seat) + 1);
        let note = if wiser {
            format!("{name} takes back an answer, and knows what came of it.")
        } else {
            format!("{name} takes back an answer.")
        };
        let mut lines = past.lines.iter().copied();
        self.send(|viewer, (_, faces, played)| {
            let view = View::of(played, faces, Some(viewer.seat()));
            viewer.go_back(view, lines.next().unwrap_or(0), &note)
        });
        (self.kept)(&self.played);
        Ok(())
    }

    /// Shows a designer the table as another seat sees it, or as it was.
    fn look(&mut self, client: usize, seat: Option<u8>, step: Option<usize>) -> Result<(), Refusal> {
        let role = self.clients[client].role;
        if !role.designer {
            return Err(Refusal::Designer);
        }
        let steps = self.played.answers().len();
        let own = role.seat.unwrap_or(u8::MAX);
        let place =
            Place { seat: seat.unwrap_or(own), step: step.unwrap_or(steps), steps, live: false, differs: self.differs };
        let live = place.seat == own && step.is_none();
        let message = if live { self.whole(&self.clients[client]) } else { self.past(place)? };
        let client = &mut self.clients[client];
        client.looks = (!live).then_some(place);
        // A reader that is too slow for this is dropped with the next message.
        let _ = client.to.try_send(message);
        Ok(())
    }

    /// Goes on from an earlier position.
    fn branch(&mut self, client: usize, step: usize) -> Result<(), Refusal> {
        if !self.clients[client].role.designer {
            return Err(Refusal::Designer);
        }
        let answers = self.played.answers().get(..step).ok_or(Refusal::NoStep)?.to_vec();
        let game = self.game.clone();
        self.again(&game, &answers).map_err(|_| Refusal::Failed)?;
        self.show_anew();
        self.send(|viewer, _| viewer.note(&format!("The match goes on after answer {step}.")));
        (self.kept)(&self.played);
        Ok(())
    }

    /// The table as a seat saw it after so many answers.
    fn past(&self, place: Place) -> Result<String, Refusal> {
        let answers = self.played.answers().get(..place.step).ok_or(Refusal::NoStep)?;
        if place.seat != u8::MAX && place.seat >= self.played.setup().players {
            return Err(Refusal::NoStep);
        }
        let again = || -> Result<Match, MatchError> {
            let mut again = Match::telling(&self.game, self.played.setup())?;
            for answer in answers {
                again.answer_as(answer.seat, usize::from(answer.index))?;
            }
            Ok(again)
        };
        let mut again = again().map_err(|_| Refusal::Failed)?;
        let lines = again.take_log();
        let lines: Vec<_> = lines.iter().filter_map(|line| read_by(&self.game, place.seat, line)).collect();
        let view = View::of(&again, &self.faces, Some(place.seat));
        let outcome = outcome(&again, self.players.as_ref());
        let beside = Beside { decision: 0, kept: 0, lines: &lines, outcome: outcome.as_ref() };
        Ok(message::whole(&view, beside, Some(place)))
    }
}

/// How many answers a seat has given.
fn answers_of(played: &Match, seat: u8) -> usize {
    played.answers().iter().filter(|answer| answer.seat == seat).count()
}

/// How a match ended, and who played it.
fn outcome(played: &Match, players: &dyn Players) -> Option<serde_json::Value> {
    Some(json!({ "outcome": played.outcome()?, "players": players.names() }))
}
