//! The view and the transcript of one seat, or of the onlookers, and the messages about their changes.

use motherlode::{AnswerText, Game, Match};
use serde_json::Value;

use super::message::{self, AnswerLine, Extras, Line, LineSource, UndoRequestView, Viewpoint};
use crate::change::Changes;
use crate::face::Faces;
use crate::names::phase_heading;
use crate::seen::ViewKey;
use crate::view::View;
use crate::wire::Patch;

/// The data that a seat has been shown.
#[derive(Debug, Clone)]
pub struct Viewer {
    seat: u8,
    view: View,
    /// Key of the current view, if known.
    key: Option<ViewKey>,
    /// Result of the match.
    outcome: Option<Value>,
    lines: Vec<Line>,
    /// Transcript length at the last message.
    sent: usize,
    /// Number of those lines that stay.
    kept: usize,
    /// Number of the question. Counts only the questions of this seat, and so reveals nothing about other seats.
    decision: u32,
    /// Number of this seat's answers, to distinguish a repeated question from an unchanged one.
    answers: usize,
    /// Number of its answers in the transcript that other seats do not know yet.
    early: usize,
    /// The pending undo request.
    request: Option<UndoRequestView>,
}

/// The words of a step to one seat.
#[derive(Debug, Clone)]
pub struct StepWords<'a> {
    /// The lines for everybody and for single seats.
    lines: &'a [motherlode::Line],
    /// The seat's answers that other seats do not know yet.
    held: Vec<motherlode::Line>,
    /// Number of all answers of the seat.
    answers: usize,
}

impl<'a> StepWords<'a> {
    /// The words of the last step, whose lines have been taken from the match.
    #[must_use]
    pub fn of(played: &Match, seat: u8, lines: &'a [motherlode::Line]) -> Self {
        Self { lines, held: played.held_answers(seat).cloned().collect(), answers: count(played, seat) }
    }
}

impl Viewer {
    /// A viewer with its first view.
    #[must_use]
    pub fn new(seat: u8, view: View) -> Self {
        Self {
            seat,
            view,
            key: None,
            outcome: None,
            lines: Vec::new(),
            sent: 0,
            kept: 0,
            decision: 0,
            answers: 0,
            early: 0,
            request: None,
        }
    }

    /// The seat, from 0; a seat beyond the table sees public information only.
    #[must_use]
    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// Number of the question.
    #[must_use]
    pub fn decision(&self) -> u32 {
        self.decision
    }

    /// Number of transcript lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The message with the whole table.
    #[must_use]
    pub fn whole(&self, place: Option<Viewpoint>) -> String {
        message::whole(&self.view, self.extras(0), place)
    }

    /// Updates the view from the match, and the transcript from new lines. Returns a message if anything changed.
    /// Most answers in a simultaneous phase change nothing for other seats, so their views are not rebuilt.
    pub fn watch(
        &mut self,
        played: &Match,
        faces: &Faces,
        said: &[motherlode::Line],
        outcome: Option<&Value>,
    ) -> Option<String> {
        let key = ViewKey::of(played, Some(self.seat));
        let same = self.key.as_ref() == Some(&key);
        let view = if same { self.view.clone() } else { key.view(played, faces) };
        self.key = Some(key);
        let told = StepWords::of(played, self.seat, said);
        self.see(played.game(), view, &told, outcome)
    }

    /// Updates the view, the transcript and the number of this seat's answers. Returns a message if anything changed.
    /// Adds lines about changed counters, as their `transcript` says, below the answer that changed them.
    pub fn see(&mut self, game: &Game, view: View, told: &StepWords<'_>, outcome: Option<&Value>) -> Option<String> {
        let answers = told.answers;
        let again = self.answers != answers && view.question.is_some() && view.question == self.view.question;
        self.decision += u32::from(again);
        self.answers = answers;
        let other = again || self.outcome.as_ref() != outcome;
        self.outcome = outcome.cloned();
        let before = self.lines.len();
        self.read(game, told);
        let silent = self.lines[before..].iter().all(|line| line.by == LineSource::Answer);
        let (round, phase) = (self.view.round, &self.view.phase.name);
        let changes = Changes::between(&self.view, &view).told(&view, silent);
        let line = |text| Line { round, phase: phase.clone(), by: LineSource::Change, text, answer: None };
        // The step may have led to another phase, whose lines stay below its heading.
        let here = |line: &Line| line.round == round && line.phase == *phase;
        let at = self.lines[before..].iter().rposition(here).map_or(before, |last| before + last + 1);
        self.lines.splice(at..at, changes.into_iter().map(line));
        self.show(view, other)
    }

    /// Adds the lines of a step. The seat reads its own answer in a simultaneous phase at once. When the phase is
    /// revealed, the answer appears again only if lines of the game follow it.
    fn read(&mut self, game: &Game, told: &StepWords<'_>) {
        if !told.lines.is_empty() {
            let mut known = std::mem::take(&mut self.early);
            let followed = |at: usize| told.lines.get(at + 1).is_some_and(|next| !next.is_answer());
            for (at, line) in told.lines.iter().enumerate() {
                let is_known = known > 0 && line.answer().is_some_and(|answer| answer.seat == self.seat);
                known -= usize::from(is_known);
                if !is_known || followed(at) {
                    self.lines.extend(read_by(game, self.seat, line));
                }
            }
        }
        let held = told.held.iter().skip(self.early);
        self.lines.extend(held.filter_map(|line| read_by(game, self.seat, line)));
        self.early = told.held.len();
    }

    /// Returns to an earlier position with this number of transcript lines.
    pub fn go_back(&mut self, played: &Match, faces: &Faces, lines: usize, note: &str) -> Option<String> {
        self.replace_with(self.at(played, faces, lines), note)
    }

    /// A viewer of the same seat at an earlier position with this number of transcript lines.
    #[must_use]
    pub fn at(&self, played: &Match, faces: &Faces, lines: usize) -> Self {
        let mut other = Self::new(self.seat, View::of(played, faces, Some(self.seat)));
        other.lines = self.lines[..lines.min(self.lines.len())].to_vec();
        other.answers = count(played, self.seat);
        other.early = played.held_answers(self.seat).count();
        other
    }

    /// Replaces the shown data by another viewer's, and adds a note.
    pub fn replace_with(&mut self, other: Self, note: &str) -> Option<String> {
        (self.key, self.outcome, self.request) = (None, other.outcome, None);
        (self.answers, self.early) = (other.answers, other.early);
        let same = self.lines.iter().zip(&other.lines).take_while(|(old, new)| old == new).count();
        self.kept = self.kept.min(same);
        self.lines = other.lines;
        self.lines.push(by_table(&other.view, note));
        // A repeated question gets a new number.
        self.decision += u32::from(other.view.question.is_some() && other.view.question == self.view.question);
        self.show(other.view, true)
    }

    /// Whether both viewers show the same data.
    #[must_use]
    pub fn shows_same_as(&self, other: &Self) -> bool {
        (&self.view, &self.lines, &self.outcome) == (&other.view, &other.lines, &other.outcome)
    }

    /// Continues the numbering of questions, so that an answer to an older question is refused.
    pub fn number_questions_after(&mut self, decision: u32) {
        self.decision = decision + 1;
    }

    /// Sets or clears the undo request.
    pub fn ask(&mut self, request: Option<UndoRequestView>) -> Option<String> {
        let other = self.request != request;
        self.request = request;
        self.show(self.view.clone(), other)
    }

    /// Adds a note of the table to the transcript.
    pub fn note(&mut self, text: &str) -> Option<String> {
        self.lines.push(by_table(&self.view, text));
        self.show(self.view.clone(), true)
    }

    /// The message with the differences; `None`: nothing changed. A message per answer of another seat would
    /// reveal the number of its secret answers.
    fn show(&mut self, view: View, other: bool) -> Option<String> {
        let patch = Patch::between(&self.view, &view);
        let same = patch == Patch::default() && self.kept == self.sent && self.sent == self.lines.len();
        self.decision += u32::from(view.question.is_some() && patch.question.is_some());
        self.view = view;
        let message = (other || !same).then(|| message::patch(&patch, self.extras(self.kept)));
        (self.sent, self.kept) = (self.lines.len(), self.lines.len());
        message
    }

    fn extras(&self, kept: usize) -> Extras<'_> {
        Extras {
            decision: self.decision,
            kept,
            lines: &self.lines[kept..],
            outcome: self.outcome.as_ref(),
            request: self.request.as_ref(),
        }
    }
}

/// A line by the table itself.
fn by_table(view: &View, text: &str) -> Line {
    Line {
        round: view.round,
        phase: view.phase.name.clone(),
        by: LineSource::Table,
        text: text.to_owned(),
        answer: None,
    }
}

/// Number of answers of a seat.
fn count(played: &Match, seat: u8) -> usize {
    played.answers().iter().filter(|answer| answer.seat == seat).count()
}

/// A transcript line as a seat reads it; `None`: the line is hidden.
pub fn read_by(game: &Game, seat: u8, line: &motherlode::Line) -> Option<Line> {
    let text = line.seen_by(seat)?.to_owned();
    let phase = phase_heading(game.declarations(), line.round(), line.phase_index()).to_owned();
    let by = match (line.is_answer(), line.seat()) {
        (true, _) => LineSource::Answer,
        (_, Some(reader)) if reader == seat => LineSource::Secret,
        _ => LineSource::Game,
    };
    let may_read = |_: &&AnswerText| line.seat().is_none_or(|reader| reader == seat);
    let answer = line.answer().filter(may_read).map(|AnswerText { seat, question, choice }| AnswerLine {
        seat: *seat,
        question: question.clone(),
        choice: choice.clone(),
    });
    Some(Line { round: line.round(), phase, by, text, answer })
}
