//! One seat at a table, or those who only look on: what it has been shown, and what differs from that.

use motherlode::{Game, Match};
use serde_json::Value;

use super::message::{self, Beside, Line, Place, Request, Teller};
use crate::change::Changes;
use crate::face::Faces;
use crate::seen::Basis;
use crate::view::View;
use crate::wire::Patch;

/// What one seat has been shown.
#[derive(Debug, Clone)]
pub struct Viewer {
    seat: u8,
    view: View,
    /// What the view was made of, if that is known.
    basis: Option<Basis>,
    /// How the match ended.
    outcome: Option<Value>,
    lines: Vec<Line>,
    /// How many lines were there when something was last sent.
    sent: usize,
    /// How many of those still stand.
    kept: usize,
    /// Number of the question: one more for each that this seat is asked. It counts nothing that other seats do.
    decision: u32,
    /// How many answers this seat had given: the same question may be put twice.
    answers: usize,
    /// What a seat asks of the others.
    request: Option<Request>,
}

impl Viewer {
    /// A seat that sees this.
    #[must_use]
    pub fn new(seat: u8, view: View) -> Self {
        Self {
            seat,
            view,
            basis: None,
            outcome: None,
            lines: Vec::new(),
            sent: 0,
            kept: 0,
            decision: 0,
            answers: 0,
            request: None,
        }
    }

    /// The seat, from 0; a seat beyond those at the table sees what is public.
    #[must_use]
    pub fn seat(&self) -> u8 {
        self.seat
    }

    /// The number of the question.
    #[must_use]
    pub fn decision(&self) -> u32 {
        self.decision
    }

    /// Lines of the transcript.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The whole table, as a message.
    #[must_use]
    pub fn whole(&self, place: Option<Place>) -> String {
        message::whole(&self.view, self.beside(0), place)
    }

    /// Takes over what the seat sees of a match, and what was said since. In secret phases most answers change nothing for most seats, whose
    /// views are not made again.
    pub fn watch(
        &mut self,
        played: &Match,
        faces: &Faces,
        said: &[motherlode::Line],
        outcome: Option<&Value>,
    ) -> Option<String> {
        let basis = Basis::of(played, Some(self.seat));
        let same = self.basis.as_ref() == Some(&basis);
        let view = if same { self.view.clone() } else { basis.view(played, faces) };
        self.basis = Some(basis);
        self.see(played.game(), view, (said, count(played, self.seat)), outcome)
    }

    /// Takes over what the seat sees now, what was said since, and how many answers this seat has given by now. What a game does not tell, the changes of counters do.
    pub fn see(
        &mut self,
        game: &Game,
        view: View,
        (said, answers): (&[motherlode::Line], usize),
        outcome: Option<&Value>,
    ) -> Option<String> {
        let again = self.answers != answers && view.question.is_some() && view.question == self.view.question;
        self.decision += u32::from(again);
        self.answers = answers;
        let other = again || self.outcome.as_ref() != outcome;
        self.outcome = outcome.cloned();
        let before = self.lines.len();
        self.lines.extend(said.iter().filter_map(|line| read_by(game, self.seat, line)));
        if self.lines[before..].iter().all(|line| line.by == Teller::Answer) {
            let (round, phase) = (self.view.round, &self.view.phase.name);
            let told = Changes::between(&self.view, &view).told(&view);
            let line = |text| Line { round, phase: phase.clone(), by: Teller::Change, text };
            self.lines.extend(told.into_iter().map(line));
        }
        self.show(view, other)
    }

    /// Goes back to a position in which the transcript had so many lines.
    pub fn go_back(&mut self, played: &Match, faces: &Faces, lines: usize, note: &str) -> Option<String> {
        self.become_of(self.at(played, faces, lines), note)
    }

    /// The same seat in a position in which its transcript had so many lines.
    #[must_use]
    pub fn at(&self, played: &Match, faces: &Faces, lines: usize) -> Self {
        let mut other = Self::new(self.seat, View::of(played, faces, Some(self.seat)));
        other.lines = self.lines[..lines.min(self.lines.len())].to_vec();
        other.answers = count(played, self.seat);
        other
    }

    /// Shows what another shows, and a note.
    pub fn become_of(&mut self, other: Self, note: &str) -> Option<String> {
        (self.basis, self.outcome, self.request, self.answers) = (None, other.outcome, None, other.answers);
        let same = self.lines.iter().zip(&other.lines).take_while(|(old, new)| old == new).count();
        self.kept = self.kept.min(same);
        self.lines = other.lines;
        self.lines.push(by_table(&other.view, note));
        // The same question is put again, with a new number.
        self.decision += u32::from(other.view.question.is_some() && other.view.question == self.view.question);
        self.show(other.view, true)
    }

    /// Whether it shows what another does.
    #[must_use]
    pub fn shows_what(&self, other: &Self) -> bool {
        (&self.view, &self.lines, &self.outcome) == (&other.view, &other.lines, &other.outcome)
    }

    /// Numbers questions from here on: an answer to an older one does not fit.
    pub fn count_on_from(&mut self, decision: u32) {
        self.decision = decision + 1;
    }

    /// A seat asks something of the others, or does not any more.
    pub fn ask(&mut self, request: Option<Request>) -> Option<String> {
        let other = self.request != request;
        self.request = request;
        self.show(self.view.clone(), other)
    }

    /// The table itself says something.
    pub fn note(&mut self, text: &str) -> Option<String> {
        self.lines.push(by_table(&self.view, text));
        self.show(self.view.clone(), true)
    }

    /// What differs from what was sent before; nothing, if nothing does: a message for each answer of another seat would tell how many it
    /// gives in secret.
    fn show(&mut self, view: View, other: bool) -> Option<String> {
        let patch = Patch::between(&self.view, &view);
        let same = patch == Patch::default() && self.kept == self.sent && self.sent == self.lines.len();
        self.decision += u32::from(view.question.is_some() && patch.question.is_some());
        self.view = view;
        let message = (other || !same).then(|| message::patch(&patch, self.beside(self.kept)));
        (self.sent, self.kept) = (self.lines.len(), self.lines.len());
        message
    }

    fn beside(&self, kept: usize) -> Beside<'_> {
        Beside {
            decision: self.decision,
            kept,
            lines: &self.lines[kept..],
            outcome: self.outcome.as_ref(),
            request: self.request.as_ref(),
        }
    }
}

/// What the table itself says in a position.
fn by_table(view: &View, text: &str) -> Line {
    Line { round: view.round, phase: view.phase.name.clone(), by: Teller::Table, text: text.to_owned() }
}

/// The number of answers that a seat has given.
fn count(played: &Match, seat: u8) -> usize {
    played.answers().iter().filter(|answer| answer.seat == seat).count()
}

/// A line of the transcript, if a seat may read it.
pub fn read_by(game: &Game, seat: u8, line: &motherlode::Line) -> Option<Line> {
    let text = line.seen_by(seat)?.to_owned();
    let phase = game.declarations().phases.get_index(line.phase_index());
    let phase = phase.map(|(id, phase)| if phase.name.is_empty() { id } else { &phase.name });
    let by = match (line.is_answer(), line.seat()) {
        (true, _) => Teller::Answer,
        (_, Some(reader)) if reader == seat => Teller::Secret,
        _ => Teller::Game,
    };
    Some(Line { round: line.round(), phase: phase.cloned().unwrap_or_default(), by, text })
}
