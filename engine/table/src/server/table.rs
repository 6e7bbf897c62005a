//! A table: a match with its browsers. It passes on questions and answers, lets bots play, and sends each
//! browser its seat's view.
//!
//! A table is data and moves between threads, while a match stays on its thread. A thread therefore lends a
//! table its match ([`WorkerMatch`]), sets it to the table's position, and takes it back. There are as many
//! script hosts as threads, for any number of tables. A table without browsers goes to sleep and keeps only the
//! record of its match.

use std::collections::BTreeSet;
use std::mem::take;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use motherlode::tools::StateHash;
use motherlode::{Decision, Match, MatchError, Snapshot};

use super::branches::Branches;
use super::client::{Client, Event, Mailbox, Role};
use super::journal::Commit;
use super::match_record::{JournalEvent, MatchRecord, Note};
use super::message::{self, ClientMessage, Refusal, Viewpoint};
use super::reach::Reach;
use super::rules::{Players, Rules};
use super::undo_limits::UndoLimits;
use super::viewer::Viewer;
use super::worker_match::WorkerMatch;
use super::workshop::EstimateRun;
use crate::view::View;

/// Maximum decisions of bots in a row, before a person's.
const MAX_BOT_DECISIONS: usize = 100_000;

/// Delay before each decision of bots in a match without people, so that onlookers can follow.
const BOT_DELAY: Duration = Duration::from_millis(600);

/// Maximum time of bots before other tables get their turn.
const BOT_TURN: Duration = Duration::from_millis(10);

/// Saves a branch by its number, from 1: after each answer of a person, after the bots that follow, and at the end.
/// Returns the place of a branch that is saved for the first time.
pub type Save = Box<dyn FnMut(u32, &Match) -> Option<String> + Send>;

/// A match with its browsers.
pub struct Table {
    pub(super) rules: Arc<Rules>,
    pub(super) match_record: MatchRecord,
    pub(super) branches: Branches,
    /// Rules saved while the table was asleep.
    newer: Option<Arc<Rules>>,
    pub(super) live: Option<LiveTable>,
    pub(super) clients: Vec<Client>,
    /// Maximum time for consent to an undo.
    pub(super) patience: Duration,
    /// Whether the match is only displayed, not played.
    view_only: bool,
    save: Option<Save>,
}

/// The additional state of a table that is awake.
pub(super) struct LiveTable {
    position: Snapshot,
    /// Mark of the thread's match when the table last released it.
    mark: u64,
    pub(super) shown_state: ShownState,
}

/// The state that viewers have been shown.
#[derive(Default)]
pub(super) struct ShownState {
    /// One viewer per person, and one for onlookers.
    pub(super) viewers: Vec<Viewer>,
    pub(super) history: Vec<PastDecision>,
    pub(super) bot_decisions: usize,
    /// Whether nothing more is played: the rules failed, or the match is view-only.
    pub(super) is_frozen: bool,
    /// First step at which the newest rules make a difference.
    pub(super) first_difference: Option<usize>,
    pub(super) undo_request: Option<UndoRequest>,
    /// Number of undo requests so far.
    pub(super) undo_requests: u32,
    pub(super) undo_limits: UndoLimits,
    /// Seats that ask for a rematch.
    pub(super) rematch: BTreeSet<u8>,
    /// The estimate run in progress.
    pub(super) estimate_run: Option<EstimateRun>,
    pub(super) last_reasons: Option<LastReasons>,
}

/// The last reply to `why`, for browsers that ask again.
#[derive(Debug, Clone)]
pub(super) struct LastReasons {
    pub(super) seat: u8,
    pub(super) decision: u32,
    /// Number of answers before.
    pub(super) step: usize,
    pub(super) text: String,
}

/// A decision of a person that can be undone.
#[derive(Debug, Clone)]
pub(super) struct PastDecision {
    pub(super) seat: u8,
    /// Number of answers before it.
    pub(super) step: usize,
    /// Transcript length of each viewer before it.
    pub(super) lines: Vec<usize>,
    /// Whether it was given together with the decision of the seat before it.
    pub(super) is_joined: bool,
}

/// A pending undo request.
#[derive(Debug, Clone)]
pub(super) struct UndoRequest {
    pub(super) number: u32,
    pub(super) seat: u8,
    pub(super) past: PastDecision,
    pub(super) reach: Reach,
    /// The request in words.
    pub(super) text: String,
    /// Seats whose consent is missing.
    pub(super) missing: Vec<u8>,
    /// Time of the request.
    pub(super) since: Instant,
    /// Time at which the request expires.
    pub(super) until: Instant,
}

/// The event that a table waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitFor {
    /// A message from a browser.
    Event,
    /// A turn of bots.
    Bots,
    /// A point in time.
    Time(Instant),
}

/// A table in use, with a match set to its position.
pub(super) struct TableSession<'a> {
    pub(super) rules: Arc<Rules>,
    pub(super) match_record: &'a mut MatchRecord,
    pub(super) branches: &'a mut Branches,
    pub(super) clients: &'a mut Vec<Client>,
    pub(super) shown_state: &'a mut ShownState,
    pub(super) played: &'a mut Match,
    pub(super) patience: Duration,
    players: &'a mut dyn Players,
    /// Whether the match is only displayed, not played.
    pub(super) view_only: &'a mut bool,
    pub(super) save: Option<&'a mut Save>,
    pub(super) out: &'a mut Commit,
}

impl Table {
    /// A table that continues a match.
    #[must_use]
    pub fn new(rules: &Arc<Rules>, match_record: MatchRecord, patience: Duration) -> Self {
        Self {
            rules: Arc::clone(rules),
            match_record,
            branches: Branches::default(),
            newer: None,
            live: None,
            clients: Vec::new(),
            patience,
            view_only: false,
            save: None,
        }
    }

    /// Makes the table view-only.
    #[must_use]
    pub fn view_only(self) -> Self {
        Self { view_only: true, ..self }
    }

    /// Saves the match of the table.
    #[must_use]
    pub fn saved(self, save: Save) -> Self {
        Self { save: Some(save), ..self }
    }

    /// The record of the match.
    #[must_use]
    pub fn match_record(&self) -> &MatchRecord {
        &self.match_record
    }

    /// Whether the table is awake without any browser.
    #[must_use]
    pub fn is_deserted(&self) -> bool {
        self.live.is_some() && self.clients.is_empty()
    }

    /// Frees everything but the record of the match.
    pub fn sleep(&mut self) {
        self.live = None;
    }

    /// Replays the match under new rules, or shows why they cannot be played.
    pub fn apply_new_rules(
        &mut self,
        renewed: &Result<Arc<Rules>, String>,
        worker: &mut WorkerMatch,
        out: &mut Commit,
    ) {
        if self.live.is_some() || !self.clients.is_empty() {
            let renewed = renewed.clone();
            self.with_session(worker, out, |session| session.apply_new_rules(renewed));
        } else if let Ok(rules) = renewed {
            self.newer = Some(Arc::clone(rules));
        }
    }

    /// Handles events, and lets bots play if `bots` is set.
    pub fn serve(&mut self, worker: &mut WorkerMatch, events: Vec<Event>, bots: bool, out: &mut Commit) -> WaitFor {
        if events.is_empty() && self.live.is_none() {
            return WaitFor::Event;
        }
        if let Some(newer) = self.newer.take() {
            self.with_session(worker, out, |session| session.apply_new_rules(Ok(newer)));
        }
        let mut events = events.into_iter();
        let next = self.with_session(worker, out, |session| {
            for event in events.by_ref() {
                session.handle(event);
            }
            session.expire_request();
            if bots {
                session.play_bots();
            }
            session.waits_for()
        });
        for event in events {
            if let Event::Joined { mailbox, .. } = event {
                out.messages.push((mailbox, message::refused(Refusal::Failed).into()));
            }
        }
        next.unwrap_or(WaitFor::Event)
    }

    /// Runs `act` with a match for the table. If the rules cannot even begin the match, every browser is
    /// disconnected.
    fn with_session<T>(
        &mut self,
        worker: &mut WorkerMatch,
        out: &mut Commit,
        act: impl FnOnce(&mut TableSession<'_>) -> T,
    ) -> Option<T> {
        let fresh = self.live.is_none();
        let LiveTable { position, mark, mut shown_state } = self.live.take().unwrap_or_else(|| LiveTable {
            position: Snapshot::default(),
            mark: 0,
            shown_state: ShownState::default(),
        });
        let rules = Arc::clone(&self.rules);
        let lent = worker.lend(&rules, &self.match_record.setup, if fresh { None } else { Some((&position, mark)) });
        let Ok((played, players)) = lent else {
            for client in self.clients.drain(..) {
                out.messages.push((client.mailbox, message::refused(Refusal::Failed).into()));
            }
            return None;
        };
        let mut session = TableSession {
            rules,
            match_record: &mut self.match_record,
            branches: &mut self.branches,
            clients: &mut self.clients,
            shown_state: &mut shown_state,
            played,
            patience: self.patience,
            players,
            view_only: &mut self.view_only,
            save: self.save.as_mut(),
            out,
        };
        if fresh {
            session.wake();
        }
        let done = act(&mut session);
        // An edit may have replaced the rules.
        self.rules = session.rules;
        let mut position = position;
        worker.give_back(&mut position);
        self.live = Some(LiveTable { position, mark: worker.mark, shown_state });
        Some(done)
    }
}

impl TableSession<'_> {
    /// Replays the match up to its last position.
    fn wake(&mut self) {
        let rules = Arc::clone(&self.rules);
        let taken = self.replay(&rules);
        let other = self.match_record.state.is_some_and(|state| state != StateHash(self.played.state().hash()));
        if taken < self.match_record.answers.len() || other {
            self.shown_state.is_frozen = true;
            self.send(|viewer, _| viewer.note("The rules now lead to another position, so the match is view-only."));
        }
    }

    /// Replays the recorded answers from a new match, as far as they fit. Returns their number.
    pub(super) fn replay(&mut self, rules: &Arc<Rules>) -> usize {
        self.rules = Arc::clone(rules);
        let decisions: Vec<u32> = self.shown_state.viewers.iter().map(Viewer::decision).collect();
        // Bots need no view.
        let seats = rules.people.iter().copied().chain([u8::MAX]);
        let mut viewers: Vec<Viewer> =
            seats.map(|seat| Viewer::new(seat, View::of(self.played, &rules.faces, Some(seat)))).collect();
        for (viewer, decision) in viewers.iter_mut().zip(decisions) {
            viewer.number_questions_after(decision);
        }
        *self.shown_state = ShownState {
            viewers,
            undo_requests: self.shown_state.undo_requests,
            is_frozen: *self.view_only,
            ..ShownState::default()
        };
        self.update_viewers(None);
        self.replay_notes(0);
        let answers = self.match_record.answers.clone();
        for (step, answer) in answers.iter().enumerate() {
            let past = self.past_decision(answer.seat);
            let asked = !rules.alone() || self.played.legal_of(answer.seat).is_ok_and(|all| all.len() > 1);
            if self.played.answer_as(answer.seat, usize::from(answer.index)).is_err() {
                return step;
            }
            if asked && rules.is_person(answer.seat) {
                self.shown_state.history.push(past);
            }
            self.update_viewers(None);
            self.replay_notes(step + 1);
        }
        answers.len()
    }

    /// Adds the notes of this step to the transcripts.
    pub(super) fn replay_notes(&mut self, step: usize) {
        for note in self.match_record.notes.iter().filter(|note| note.step == step) {
            let hears = |viewer: &&mut Viewer| note.seat.is_none_or(|seat| seat == viewer.seat());
            self.shown_state.viewers.iter_mut().filter(hears).for_each(|viewer| drop(viewer.note(&note.text)));
        }
    }

    /// The current position, as a past decision of a seat.
    pub(super) fn past_decision(&self, seat: u8) -> PastDecision {
        let lines = self.shown_state.viewers.iter().map(Viewer::lines).collect();
        PastDecision { seat, step: self.played.answers().len(), lines, is_joined: false }
    }

    /// A decision that needs no person: a bot's, or the single choice of the only person.
    fn decision_without_person(&self) -> Option<Decision> {
        let decision = self
            .played
            .decision()
            .filter(|_| !self.shown_state.is_frozen && self.shown_state.undo_request.is_none())?;
        let only = self.rules.people.len() == 1 && self.played.choices().len() == 1;
        (!self.rules.is_person(decision.seat) || only).then_some(decision)
    }

    /// Lets bots play: for a short time, or for one decision in a match without people.
    fn play_bots(&mut self) {
        let (begin, before) = (Instant::now(), self.match_record.answers.len());
        while let Some(decision) = self.decision_without_person() {
            self.play_decision(decision);
            if self.rules.people.is_empty() || begin.elapsed() > BOT_TURN {
                break;
            }
        }
        if self.match_record.answers.len() > before && self.decision_without_person().is_none() {
            self.save_after_bots();
        }
    }

    fn waits_for(&self) -> WaitFor {
        match (&self.shown_state.undo_request, self.decision_without_person()) {
            (Some(undo_request), _) => WaitFor::Time(undo_request.until),
            (None, Some(_)) if !self.rules.people.is_empty() => WaitFor::Bots,
            // In a match without people, wait so that onlookers can follow.
            (None, Some(_)) if !self.clients.is_empty() => WaitFor::Time(Instant::now() + BOT_DELAY),
            (None, _) => WaitFor::Event,
        }
    }

    fn play_decision(&mut self, decision: Decision) {
        self.shown_state.bot_decisions += 1;
        if self.shown_state.bot_decisions > MAX_BOT_DECISIONS {
            return self.stop(&format!("Bots made {MAX_BOT_DECISIONS} decisions in a row: the game may never end."));
        }
        let index =
            if self.rules.is_person(decision.seat) { Ok(0) } else { self.players.choose(self.played, decision) };
        if let Err(error) = index.and_then(|index| self.played.answer_as(decision.seat, index)) {
            return self.stop(&format!("The rules failed: {error}"));
        }
        self.record_answer();
        self.show_update();
    }

    /// Stops play for good and notes the reason.
    fn stop(&mut self, why: &str) {
        self.shown_state.is_frozen = true;
        let again = |note: &Note| note.step == self.match_record.answers.len() && note.text == why;
        // After a restart the same failure occurs again.
        if !self.match_record.notes.last().is_some_and(again) {
            self.note(None, why.to_owned());
        }
    }

    /// Records the latest answer.
    fn record_answer(&mut self) {
        if let Some(&answer) = self.played.answers().last() {
            let state = StateHash(self.played.state().hash());
            self.record(JournalEvent::Answer { seat: answer.seat, index: answer.index, state });
        }
    }

    /// Adds an event to the record of the match and to the journal.
    pub(super) fn record(&mut self, event: JournalEvent) {
        // Events that the match accepted are valid.
        let _ = self.match_record.apply(&event);
        self.out.events.push(event);
    }

    /// Adds a note to the transcript of all seats, or of one.
    pub(super) fn note(&mut self, seat: Option<u8>, text: String) {
        self.send(|viewer, _| if seat.is_none_or(|seat| seat == viewer.seat()) { viewer.note(&text) } else { None });
        self.record(JournalEvent::Note { seat, text });
    }

    /// Sends everybody the latest changes.
    pub(super) fn show_update(&mut self) {
        let mut messages = Vec::new();
        self.update_viewers(Some(&mut messages));
        for (eyes, text) in messages {
            self.send_to_seat(eyes, &text);
        }
        self.send_viewpoints();
        if self.played.is_over() {
            self.save_at_end();
        }
    }

    /// Updates all viewers and collects their messages.
    pub(super) fn update_viewers(&mut self, mut messages: Option<&mut Vec<(u8, String)>>) {
        let said = self.played.take_log();
        let outcome = self.outcome();
        for viewer in &mut self.shown_state.viewers {
            let text = viewer.watch(self.played, &self.rules.faces, &said, outcome.as_ref());
            if let (Some(messages), Some(text)) = (&mut messages, text) {
                messages.push((viewer.seat(), text));
            }
        }
    }

    /// Updates each viewer, and sends its message to all browsers of its seat.
    pub(super) fn send(&mut self, mut message: impl FnMut(&mut Viewer, &Match) -> Option<String>) {
        let mut viewers = take(&mut self.shown_state.viewers);
        for viewer in &mut viewers {
            if let Some(text) = message(viewer, self.played) {
                self.send_to_seat(viewer.seat(), &text);
            }
        }
        self.shown_state.viewers = viewers;
        self.send_viewpoints();
    }

    fn send_to_seat(&mut self, eyes: u8, text: &str) {
        let text = Utf8Bytes::from(text);
        let sees = |client: &&Client| client.viewpoint.is_none() && client.role.eyes() == eyes;
        let messages = self.clients.iter().filter(sees).map(|client| (client.mailbox.clone(), text.clone()));
        self.out.messages.extend(messages);
    }

    pub(super) fn send_to(&mut self, mailbox: &Mailbox, text: String) {
        self.out.messages.push((mailbox.clone(), text.into()));
    }

    /// Sends the progress of the match to browsers that may step through it.
    fn send_viewpoints(&mut self) {
        let live = |client: &&Client| client.viewpoint.is_none();
        let to: Vec<(Mailbox, Option<Viewpoint>)> =
            self.clients.iter().filter(live).map(|client| (client.mailbox.clone(), self.place(client.role))).collect();
        for (mailbox, place) in to {
            if let Some(place) = place {
                self.send_to(&mailbox, message::place(place));
            }
        }
    }

    /// The live viewpoint of a browser that may step through the match: the designer's, and after the match
    /// everybody's.
    pub(super) fn place(&self, role: Role) -> Option<Viewpoint> {
        let steps = self.played.answers().len();
        let (seat, differs) = (role.eyes(), self.shown_state.first_difference);
        let older = role.designer && self.branches.has_other();
        let place = Viewpoint { seat, step: steps, steps, live: true, differs, designer: role.designer, older };
        (role.designer || self.played.is_over()).then_some(place)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Joined { id, role, known, mailbox } => {
                if known.as_deref() != Some(&self.rules.fingerprint) {
                    self.out.messages.push((mailbox.clone(), self.rules.skeleton.clone()));
                }
                let whole = self.whole(role);
                self.send_to(&mailbox, whole);
                self.clients.push(Client { id, role, mailbox, viewpoint: None });
                self.tell_presence();
            }
            Event::Left { id } => {
                let Some(at) = self.clients.iter().position(|client| client.id == id) else { return };
                let role = self.clients.swap_remove(at).role;
                self.client_left(role);
                self.tell_presence();
            }
            Event::Message { id, message } => {
                let Some(client) = self.clients.iter().position(|client| client.id == id) else { return };
                let done = match message {
                    ClientMessage::Answer { decision, index } => self.answer(client, decision, index),
                    ClientMessage::Several { decision, indices } => self.answer_several(client, decision, &indices),
                    ClientMessage::Why { decision } => self.explain_refusals(client, decision),
                    ClientMessage::Preview { decision, index } => self.preview(client, decision, index),
                    ClientMessage::Undo {} => self.undo(client),
                    ClientMessage::Rematch {} => self.rematch(client),
                    ClientMessage::Consent { request, agree } => self.consent(client, request, agree),
                    ClientMessage::Look { seat, step } => self.look(client, seat, step),
                    ClientMessage::Branch { step } => self.branch(client, step),
                    ClientMessage::Rules {} => {
                        let message = (self.clients[client].mailbox.clone(), self.rules.rulebook.clone());
                        self.out.messages.push(message);
                        Ok(())
                    }
                    other => self.consult(client, other),
                };
                if let Err(why) = done {
                    let mailbox = self.clients[client].mailbox.clone();
                    self.send_to(&mailbox, message::refused(why));
                }
            }
            Event::ChoiceEstimate { number, choices } => self.send_estimates(number, &choices),
        }
    }

    pub(super) fn viewer(&self, role: Role) -> &Viewer {
        let own = self.shown_state.viewers.iter().position(|viewer| viewer.seat() == role.eyes());
        &self.shown_state.viewers[own.unwrap_or(self.shown_state.viewers.len() - 1)]
    }

    pub(super) fn whole(&self, role: Role) -> String {
        self.viewer(role).whole(self.place(role))
    }

    /// The seat of a browser, if the question with this number is pending for it and on its screen.
    pub(super) fn asked_seat(&self, client: usize, decision: u32) -> Result<u8, Refusal> {
        let Client { role, viewpoint, .. } = self.clients[client];
        let seat = role.seat.filter(|_| viewpoint.is_none()).ok_or(Refusal::NotAsked)?;
        let is_asked = self.played.pending().iter().any(|decision| decision.seat == seat);
        if is_asked && decision == self.viewer(role).decision() { Ok(seat) } else { Err(Refusal::NotAsked) }
    }

    fn answer(&mut self, client: usize, decision: u32, index: usize) -> Result<(), Refusal> {
        let seat = self.asked_seat(client, decision)?;
        self.answer_for(seat, index)?;
        self.show_update();
        Ok(())
    }

    /// Answers the question of a seat. The viewers do not see it yet.
    pub(super) fn answer_for(&mut self, seat: u8, index: usize) -> Result<(), Refusal> {
        if self.shown_state.is_frozen || !self.rules.is_person(seat) {
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
        self.shown_state.bot_decisions = 0;
        self.shown_state.undo_limits.answer(self.played.answers().len());
        self.cancel_on_answer(seat);
        self.end_trial();
        // The note about the cancelled request comes before the answer, so it stays if the answer is undone.
        self.shown_state.history.push(PastDecision { step, ..self.past_decision(seat) });
        self.record_answer();
        self.save();
        Ok(())
    }
}
