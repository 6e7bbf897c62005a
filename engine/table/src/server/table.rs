//! A match at a table: it asks those who sit there, lets bots play, and tells each browser what its seat sees.
//!
//! A table is data and may pass from thread to thread. A match belongs to its thread, so whoever attends to a table lends it one
//! ([`Hands`]), puts it where the table stands, and takes it back: there are as many script hosts as threads, however many tables.
//! A table at which nobody is left falls asleep: then it is the course of its match and nothing else.

use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use motherlode::tools::StateHash;
use motherlode::{Decision, Match, MatchError, Snapshot};
use serde_json::{Value, json};

use super::branches::Branches;
use super::client::{Client, Event, Mailbox, Role};
use super::course::{Course, Deed, Note};
use super::journal::Commit;
use super::message::{self, Place, Refusal, Said};
use super::requests::Requests;
use super::rules::{Players, Rules};
use super::viewer::Viewer;
use super::workshop::Trying;
use crate::disclosure::Disclosure;
use crate::points;
use crate::view::View;

/// Most decisions that bots make before a person is asked.
const MOST_BY_BOTS: usize = 100_000;

/// How long a decision of bots is shown where nobody else plays.
const PACE: Duration = Duration::from_millis(600);

/// How long bots may play before others get their turn at the thread.
const TURN: Duration = Duration::from_millis(10);

/// Saves the branch of this number, from 1: after each answer of a person, after the bots that follow, and at the end. Returns the place of a
/// branch that it saves for the first time.
pub type Save = Box<dyn FnMut(u32, &Match) -> Option<String> + Send>;

/// A match, and who watches.
pub struct Table {
    pub(super) rules: Arc<Rules>,
    pub(super) course: Course,
    pub(super) branches: Branches,
    /// Rules that were saved while it was asleep.
    newer: Option<Arc<Rules>>,
    pub(super) awake: Option<Awake>,
    pub(super) clients: Vec<Client>,
    /// How long the others have to say whether an answer may be taken back.
    pub(super) patience: Duration,
    /// Whether the match is only shown.
    shown: bool,
    save: Option<Save>,
}

/// What there is besides while somebody looks.
pub(super) struct Awake {
    position: Snapshot,
    /// Whose hands left the table like this.
    mark: u64,
    pub(super) scene: Scene,
}

/// What was shown to whom.
#[derive(Default)]
pub(super) struct Scene {
    /// One for each person, and one for those who look on.
    pub(super) viewers: Vec<Viewer>,
    pub(super) history: Vec<Past>,
    pub(super) by_bots: usize,
    /// Nothing more is played: the rules have failed, or the match is only shown.
    pub(super) still: bool,
    /// The number of answers after which the newest rules first make a difference.
    pub(super) differs: Option<usize>,
    pub(super) asking: Option<Asking>,
    /// How many times somebody has asked to take back an answer.
    pub(super) asked: u32,
    pub(super) requests: Requests,
    /// Whose choices are being tried.
    pub(super) trying: Option<Trying>,
}

/// A position in which a person was asked.
#[derive(Debug, Clone)]
pub(super) struct Past {
    pub(super) seat: u8,
    /// The number of answers before.
    pub(super) step: usize,
    /// Lines of each viewer.
    pub(super) lines: Vec<usize>,
}

/// Somebody asks to take back an answer.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    pub(super) number: u32,
    pub(super) seat: u8,
    pub(super) past: Past,
    pub(super) disclosure: Disclosure,
    /// Those who have not said anything.
    pub(super) missing: Vec<u8>,
    /// When it began.
    pub(super) since: Instant,
    /// When it lapses.
    pub(super) until: Instant,
}

/// What a thread plays with: one script host, and the bots.
#[derive(Default)]
pub struct Hands {
    played: Option<Match>,
    /// Whose match it is at the moment.
    mark: u64,
    players: Option<(Arc<Rules>, Box<dyn Players>)>,
}

/// What a table waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Somebody who says something.
    Nothing,
    /// Bots that play on.
    Bots,
    /// A moment, whatever happens.
    Moment(Instant),
}

/// A table to which somebody attends, with its match in hand.
pub(super) struct Sitting<'a> {
    pub(super) rules: Arc<Rules>,
    pub(super) course: &'a mut Course,
    pub(super) branches: &'a mut Branches,
    pub(super) clients: &'a mut Vec<Client>,
    pub(super) scene: &'a mut Scene,
    pub(super) played: &'a mut Match,
    pub(super) patience: Duration,
    players: &'a mut dyn Players,
    /// Whether the match is only shown.
    pub(super) shown: &'a mut bool,
    pub(super) save: Option<&'a mut Save>,
    pub(super) out: &'a mut Commit,
}

impl Table {
    /// A table at which this match goes on.
    #[must_use]
    pub fn new(rules: &Arc<Rules>, course: Course, patience: Duration) -> Self {
        Self {
            rules: Arc::clone(rules),
            course,
            branches: Branches::default(),
            newer: None,
            awake: None,
            clients: Vec::new(),
            patience,
            shown: false,
            save: None,
        }
    }

    /// A table at which a finished or open match is only shown.
    #[must_use]
    pub fn shown(self) -> Self {
        Self { shown: true, ..self }
    }

    /// A table whose match is saved.
    #[must_use]
    pub fn saved(self, save: Save) -> Self {
        Self { save: Some(save), ..self }
    }

    /// The course of its match.
    #[must_use]
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// Whether it takes the memory of a table at which somebody sits, though nobody does.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.awake.is_some() && self.clients.is_empty()
    }

    /// Keeps only the course of the match.
    pub fn sleep(&mut self) {
        self.awake = None;
    }

    /// Other rules, by which the match is played again, or why there are none.
    pub fn renew(&mut self, renewed: &Result<Arc<Rules>, String>, hands: &mut Hands, out: &mut Commit) {
        if self.awake.is_some() || !self.clients.is_empty() {
            let renewed = renewed.clone();
            self.sit(hands, out, |sitting| sitting.renew(renewed));
        } else if let Ok(rules) = renewed {
            self.newer = Some(Arc::clone(rules));
        }
    }

    /// Hears what has happened, and lets bots play if they may.
    pub fn attend(&mut self, hands: &mut Hands, events: Vec<Event>, bots: bool, out: &mut Commit) -> Next {
        if events.is_empty() && self.awake.is_none() {
            return Next::Nothing;
        }
        if let Some(newer) = self.newer.take() {
            self.sit(hands, out, |sitting| sitting.renew(Ok(newer)));
        }
        let mut events = events.into_iter();
        let next = self.sit(hands, out, |sitting| {
            for event in events.by_ref() {
                sitting.take(event);
            }
            sitting.hurry();
            if bots {
                sitting.bots();
            }
            sitting.next()
        });
        for event in events {
            if let Event::Came { mailbox, .. } = event {
                out.letters.push((mailbox, message::refused(Refusal::Failed).into()));
            }
        }
        next.unwrap_or(Next::Nothing)
    }

    /// Lends a match to the table. If the rules cannot even begin it, everybody is told and sent away.
    fn sit<T>(&mut self, hands: &mut Hands, out: &mut Commit, act: impl FnOnce(&mut Sitting<'_>) -> T) -> Option<T> {
        let fresh = self.awake.is_none();
        let Awake { position, mark, mut scene } = self.awake.take().unwrap_or_else(|| Awake {
            position: Snapshot::default(),
            mark: 0,
            scene: Scene::default(),
        });
        let rules = Arc::clone(&self.rules);
        let lent = hands.lend(&rules, self, if fresh { None } else { Some((&position, mark)) });
        let Ok((played, players)) = lent else {
            for client in self.clients.drain(..) {
                out.letters.push((client.mailbox, message::refused(Refusal::Failed).into()));
            }
            return None;
        };
        let mut sitting = Sitting {
            rules,
            course: &mut self.course,
            branches: &mut self.branches,
            clients: &mut self.clients,
            scene: &mut scene,
            played,
            patience: self.patience,
            players,
            shown: &mut self.shown,
            save: self.save.as_mut(),
            out,
        };
        if fresh {
            sitting.wake();
        }
        let done = act(&mut sitting);
        // They may be others by now.
        self.rules = sitting.rules;
        let mut position = position;
        hands.give_back(&mut position);
        self.awake = Some(Awake { position, mark: hands.mark, scene });
        Some(done)
    }
}

impl Hands {
    /// A match where the table stands, or at its beginning.
    fn lend(
        &mut self,
        rules: &Arc<Rules>,
        table: &Table,
        at: Option<(&Snapshot, u64)>,
    ) -> Result<(&mut Match, &mut dyn Players), MatchError> {
        let same = |played: &Match| played.game().fingerprint() == rules.game.fingerprint();
        let setup = &table.course.setup;
        let mut played = match self.played.take().filter(same) {
            Some(played) => played,
            None => {
                self.mark = 0;
                Match::telling(&rules.game, setup)?
            }
        };
        match at {
            Some((_, mark)) if mark == self.mark => {}
            Some((position, _)) => played.resume(setup, position)?,
            None => played.restart(setup)?,
        }
        if at.is_some() {
            // What led to the position has been told already.
            played.take_log();
        }
        if self.players.as_ref().is_none_or(|(of, _)| !Arc::ptr_eq(of, rules)) {
            let players = (rules.invite)().map_err(MatchError::Setup)?;
            self.players = Some((Arc::clone(rules), players));
        }
        let Some((_, players)) = &mut self.players else { return Err(MatchError::NoDecision) };
        Ok((self.played.insert(played), players.as_mut()))
    }

    /// Notes where the match stands.
    fn give_back(&mut self, position: &mut Snapshot) {
        static MARKS: AtomicU64 = AtomicU64::new(1);
        if let Some(played) = &self.played {
            played.snapshot_into(position);
            self.mark = MARKS.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Sitting<'_> {
    /// Plays the match up to where it stood.
    fn wake(&mut self) {
        let rules = Arc::clone(&self.rules);
        let taken = self.again(&rules);
        let other = self.course.state.is_some_and(|state| state != StateHash(self.played.state().hash()));
        if taken < self.course.answers.len() || other {
            self.scene.still = true;
            self.send(|viewer, _| viewer.note("The rules lead elsewhere than before: the match is only shown."));
        }
    }

    /// Plays the answers from the beginning, as far as they fit; returns how many that are. The match has just begun.
    pub(super) fn again(&mut self, rules: &Arc<Rules>) -> usize {
        self.rules = Arc::clone(rules);
        let decisions: Vec<u32> = self.scene.viewers.iter().map(Viewer::decision).collect();
        // Bots are shown nothing.
        let seats = rules.people.iter().copied().chain([u8::MAX]);
        let mut viewers: Vec<Viewer> =
            seats.map(|seat| Viewer::new(seat, View::of(self.played, &rules.faces, Some(seat)))).collect();
        for (viewer, decision) in viewers.iter_mut().zip(decisions) {
            viewer.count_on_from(decision);
        }
        *self.scene = Scene { viewers, asked: self.scene.asked, still: *self.shown, ..Scene::default() };
        self.see(None);
        self.retell(0);
        let answers = self.course.answers.clone();
        for (step, answer) in answers.iter().enumerate() {
            let past = self.past(answer.seat);
            let asked = !rules.alone() || self.played.legal_of(answer.seat).is_ok_and(|all| all.len() > 1);
            if self.played.answer_as(answer.seat, usize::from(answer.index)).is_err() {
                return step;
            }
            if asked && rules.is_person(answer.seat) {
                self.scene.history.push(past);
            }
            self.see(None);
            self.retell(step + 1);
        }
        answers.len()
    }

    /// What the table has said after so many answers.
    pub(super) fn retell(&mut self, step: usize) {
        for note in self.course.notes.iter().filter(|note| note.step == step) {
            let hears = |viewer: &&mut Viewer| note.seat.is_none_or(|seat| seat == viewer.seat());
            self.scene.viewers.iter_mut().filter(hears).for_each(|viewer| drop(viewer.note(&note.text)));
        }
    }

    /// The position now, in which a seat is asked.
    pub(super) fn past(&self, seat: u8) -> Past {
        let lines = self.scene.viewers.iter().map(Viewer::lines).collect();
        Past { seat, step: self.played.answers().len(), lines }
    }

    /// A decision that needs no person: that of a bot, or one with a single choice of whoever plays alone.
    fn decision_of_nobody(&self) -> Option<Decision> {
        let decision = self.played.decision().filter(|_| !self.scene.still && self.scene.asking.is_none())?;
        let only = self.rules.people.len() == 1 && self.played.choices().len() == 1;
        (!self.rules.is_person(decision.seat) || only).then_some(decision)
    }

    /// Lets bots play: for a moment, or where only they play, once.
    fn bots(&mut self) {
        let (begin, before) = (Instant::now(), self.course.answers.len());
        while let Some(decision) = self.decision_of_nobody() {
            self.step(decision);
            if self.rules.people.is_empty() || begin.elapsed() > TURN {
                break;
            }
        }
        if self.course.answers.len() > before && self.decision_of_nobody().is_none() {
            self.save_after_bots();
        }
    }

    fn next(&self) -> Next {
        match (&self.scene.asking, self.decision_of_nobody()) {
            (Some(asking), _) => Next::Moment(asking.until),
            (None, Some(_)) if !self.rules.people.is_empty() => Next::Bots,
            // Where only bots play, somebody should see it.
            (None, Some(_)) if !self.clients.is_empty() => Next::Moment(Instant::now() + PACE),
            (None, _) => Next::Nothing,
        }
    }

    fn step(&mut self, decision: Decision) {
        self.scene.by_bots += 1;
        if self.scene.by_bots > MOST_BY_BOTS {
            return self.stop(&format!("Bots have made {MOST_BY_BOTS} decisions in a row: does the game ever end?"));
        }
        let index =
            if self.rules.is_person(decision.seat) { Ok(0) } else { self.players.choose(self.played, decision) };
        if let Err(error) = index.and_then(|index| self.played.answer_as(decision.seat, index)) {
            return self.stop(&format!("The rules failed: {error}"));
        }
        self.answered();
        self.tell();
    }

    /// Nothing more can be played.
    fn stop(&mut self, why: &str) {
        self.scene.still = true;
        let again = |note: &Note| note.step == self.course.answers.len() && note.text == why;
        // After a restart the rules fail once more.
        if !self.course.notes.last().is_some_and(again) {
            self.note(None, why.to_owned());
        }
    }

    /// The match has taken an answer.
    fn answered(&mut self) {
        if let Some(&answer) = self.played.answers().last() {
            let state = StateHash(self.played.state().hash());
            self.note_deed(Deed::Answer { seat: answer.seat, index: answer.index, state });
        }
    }

    /// Something happened that must not be lost.
    pub(super) fn note_deed(&mut self, deed: Deed) {
        // What the match itself has taken fits.
        let _ = self.course.take(&deed);
        self.out.deeds.push(deed);
    }

    /// The table itself says something, to all or to one seat.
    pub(super) fn note(&mut self, seat: Option<u8>, text: String) {
        self.send(|viewer, _| if seat.is_none_or(|seat| seat == viewer.seat()) { viewer.note(&text) } else { None });
        self.note_deed(Deed::Note { seat, text });
    }

    /// Shows everybody what has happened.
    fn tell(&mut self) {
        let mut messages = Vec::new();
        self.see(Some(&mut messages));
        for (eyes, text) in messages {
            self.pass_on(eyes, &text);
        }
        self.places();
        if self.played.is_over() {
            self.save_at_end();
        }
    }

    /// Lets all viewers see what has happened; gathers what is sent of it.
    pub(super) fn see(&mut self, mut messages: Option<&mut Vec<(u8, String)>>) {
        let said = self.played.take_log();
        let outcome = self.outcome();
        for viewer in &mut self.scene.viewers {
            let text = viewer.watch(self.played, &self.rules.faces, &said, outcome.as_ref());
            if let (Some(messages), Some(text)) = (&mut messages, text) {
                messages.push((viewer.seat(), text));
            }
        }
    }

    /// How the match ended, and who played it.
    pub(super) fn outcome(&self) -> Option<Value> {
        let (outcome, game) = (self.played.outcome()?, &self.rules.game);
        let parts = points::by_phase(self.played).map(|by_phase| points::parts(game, self.played, &by_phase));
        let parts: Vec<_> = parts.unwrap_or_default().into_iter().collect();
        Some(json!({ "outcome": outcome, "players": self.rules.names, "parts": parts }))
    }

    /// Sends each viewer's message to all who look through its eyes.
    pub(super) fn send(&mut self, mut message: impl FnMut(&mut Viewer, &Match) -> Option<String>) {
        let mut viewers = take(&mut self.scene.viewers);
        for viewer in &mut viewers {
            if let Some(text) = message(viewer, self.played) {
                self.pass_on(viewer.seat(), &text);
            }
        }
        self.scene.viewers = viewers;
        self.places();
    }

    fn pass_on(&mut self, eyes: u8, text: &str) {
        let text = Utf8Bytes::from(text);
        let sees = |client: &&Client| client.looks.is_none() && client.role.eyes() == eyes;
        let letters = self.clients.iter().filter(sees).map(|client| (client.mailbox.clone(), text.clone()));
        self.out.letters.extend(letters);
    }

    pub(super) fn put(&mut self, mailbox: &Mailbox, text: String) {
        self.out.letters.push((mailbox.clone(), text.into()));
    }

    /// Tells those who may go through the match how far it has come.
    fn places(&mut self) {
        let live = |client: &&Client| client.looks.is_none();
        let to: Vec<(Mailbox, Option<Place>)> =
            self.clients.iter().filter(live).map(|client| (client.mailbox.clone(), self.place(client.role))).collect();
        for (mailbox, place) in to {
            if let Some(place) = place {
                self.put(&mailbox, message::place(place));
            }
        }
    }

    /// Where somebody is who may go through the match, and looks at it as it is: a designer, and at the end everybody.
    pub(super) fn place(&self, role: Role) -> Option<Place> {
        let steps = self.played.answers().len();
        let (seat, differs) = (role.eyes(), self.scene.differs);
        let older = role.designer && self.branches.has_other();
        let place = Place { seat, step: steps, steps, live: true, differs, designer: role.designer, older };
        (role.designer || self.played.is_over()).then_some(place)
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Came { id, role, known, mailbox } => {
                if known.as_deref() != Some(self.rules.game.fingerprint()) {
                    self.out.letters.push((mailbox.clone(), self.rules.skeleton.clone()));
                }
                let whole = self.whole(role);
                self.put(&mailbox, whole);
                self.clients.push(Client { id, role, mailbox, looks: None });
            }
            Event::Left { id } => {
                let Some(at) = self.clients.iter().position(|client| client.id == id) else { return };
                let role = self.clients.swap_remove(at).role;
                self.left(role);
            }
            Event::Said { id, said } => {
                let Some(client) = self.clients.iter().position(|client| client.id == id) else { return };
                let done = match said {
                    Said::Answer { decision, index } => self.answer(client, decision, index),
                    Said::Undo {} => self.undo(client),
                    Said::Consent { request, agree } => self.consent(client, request, agree),
                    Said::Look { seat, step } => self.look(client, seat, step),
                    Said::Branch { step } => self.branch(client, step),
                    other => self.consult(client, other),
                };
                if let Err(why) = done {
                    let mailbox = self.clients[client].mailbox.clone();
                    self.put(&mailbox, message::refused(why));
                }
            }
            Event::Estimated { number, choices } => self.tell_estimates(number, &choices),
        }
    }

    pub(super) fn viewer(&self, role: Role) -> &Viewer {
        let own = self.scene.viewers.iter().position(|viewer| viewer.seat() == role.eyes());
        &self.scene.viewers[own.unwrap_or(self.scene.viewers.len() - 1)]
    }

    pub(super) fn whole(&self, role: Role) -> String {
        self.viewer(role).whole(self.place(role))
    }

    fn answer(&mut self, client: usize, decision: u32, index: usize) -> Result<(), Refusal> {
        let Client { role, looks, .. } = self.clients[client];
        let seat = role.seat.filter(|&seat| !self.scene.still && looks.is_none() && self.rules.is_person(seat));
        let seat = seat.ok_or(Refusal::NotAsked)?;
        let asked = self.played.pending().iter().any(|decision| decision.seat == seat);
        if !asked || decision != self.viewer(role).decision() {
            return Err(Refusal::NotAsked);
        }
        let step = self.played.answers().len();
        match self.played.answer_as(seat, index) {
            Ok(()) => {}
            Err(MatchError::BadChoice { .. }) => return Err(Refusal::NoChoice),
            Err(error) => {
                self.stop(&format!("The rules failed: {error}"));
                return Err(Refusal::Failed);
            }
        }
        self.scene.by_bots = 0;
        self.scene.requests.answer(self.played.answers().len());
        self.goes_on(seat);
        self.end_trial();
        // The end of a request is told before the answer, and stays when that is taken back.
        self.scene.history.push(Past { step, ..self.past(seat) });
        self.answered();
        self.save();
        self.tell();
        Ok(())
    }
}
