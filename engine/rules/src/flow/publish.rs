//! The transcript of a step: its lines, and questions with a single choice.

use crate::flow::forced::GroupedAnswer;
use crate::flow::open::Kind;
use crate::flow::scores::{ScoreChange, StepScores};
use crate::flow::{Decision, Match};
use crate::game::Game;
use crate::script::machine::ForcedAnswer;
use crate::script::machine::Machine;
use crate::transcript::{AnswerText, Line};

impl Match {
    /// The transcript line that repeats an answer of this round.
    pub(super) fn line_of(&self, decision: Decision, round: i32, raw: i32) -> Line {
        let game = self.game();
        let name = crate::text::player_name(game.declarations(), i32::from(decision.seat) + 1);
        let choice = self.choices_in_words(decision.seat, decision.prompt, &[raw]).pop();
        let (question, choice) = (decision.text(game), choice.map_or_else(String::new, |choice| choice.label));
        let text = format!("{name}: {question} {choice}");
        let line = if game.declarations().prompts[decision.prompt].secret {
            Line::private(decision.seat, text, Some(format!("{name} has decided.")))
        } else {
            Line::public_line(text)
        };
        line.at(round, i32::try_from(decision.phase).unwrap_or(0)).answering(AnswerText {
            seat: decision.seat,
            question,
            choice,
        })
    }

    /// A forced answer's question, as a decision.
    pub(super) fn forced_decision(&self, forced: &ForcedAnswer) -> Decision {
        let phase = usize::try_from(forced.phase).unwrap_or(0);
        Decision { phase, ..self.decision_of(forced.question) }
    }

    /// Publishes the transcript of a step: the answer that led to it (`line`) and everything after it. `before` is
    /// the id of the simultaneous questions that were answered.
    pub(super) fn publish_step(&mut self, line: Option<Line>, before: Option<u64>) {
        self.record_forced(before);
        if !self.runner.logging() {
            return;
        }
        self.track_scores(StepScores::record);
        self.events.append(&mut self.runner.machine.traces_mut().events);
        let mut said = self.step_lines();
        let open = self.open.simultaneous();
        if open.is_some() && open.map(|(number, _)| number) == before {
            self.held.extend(line.map(|line| line.behind(&self.held)));
            self.held.append(&mut said);
            return;
        }
        self.log.append(&mut self.held);
        self.log.extend(line.map(|line| line.behind(&self.log)));
        if let Some((_, from)) = open {
            self.held = said.split_off((from.lines + from.forced).min(said.len()));
        }
        self.log.append(&mut said);
    }

    /// The answers of a seat in the running simultaneous phase, in words. The transcript tells them to everybody when
    /// the phase is revealed; the seat itself knows them.
    pub fn held_answers(&self, seat: u8) -> impl Iterator<Item = &Line> {
        self.held.iter().filter(move |line| line.answer().is_some_and(|answer| answer.seat == seat))
    }

    /// Changes of the players' scores in the last step, by source, in order. Recorded while the transcript is on; empty
    /// if the score belongs to the game.
    #[must_use]
    pub fn score_changes(&self) -> &[ScoreChange] {
        &self.runner.scores.changes
    }

    /// Begins to record changes of scores from the present state, if the transcript is on.
    pub(super) fn begin_scores(&mut self) {
        self.track_scores(StepScores::begin);
    }

    /// Does this with the scores of the step and the present state, if the transcript is on. In a simultaneous phase,
    /// changes count when it is revealed.
    fn track_scores(&mut self, track: impl FnOnce(&mut StepScores, &Game, &[i32])) {
        let Self { open, runner, .. } = self;
        if runner.logging() {
            let words = if open.kind == Kind::Simultaneous { &open.start[..] } else { runner.machine.words() };
            track(&mut runner.scores, &runner.game, words);
        }
    }

    /// The lines of the step, with its forced answers at the places where they were asked.
    fn step_lines(&mut self) -> Vec<Line> {
        let traces = self.runner.machine.traces_mut();
        let (lines, forced) = (std::mem::take(&mut traces.log), std::mem::take(&mut traces.forced));
        let mut said = Vec::with_capacity(lines.len() + forced.len());
        let (mut lines, mut taken) = (lines.into_iter(), 0);
        for forced in &forced {
            said.extend(lines.by_ref().take(forced.at.saturating_sub(taken)));
            taken = taken.max(forced.at);
            said.push(self.line_of(self.forced_decision(forced), forced.round, forced.choice));
        }
        said.extend(lines);
        said
    }

    /// Records forced answers; those of simultaneous questions stay with their seats until all have answered.
    pub(super) fn record_forced(&mut self, before: Option<u64>) {
        let Self { automatic, revealed, runner, open, .. } = self;
        let open = open.simultaneous();
        if before.is_some() && open.map(|(number, _)| number) == before {
            return;
        }
        automatic.clear();
        let mut from = 0;
        if let Some(step) = before {
            automatic.extend(revealed.forced.drain(..).map(|forced| GroupedAnswer { forced, step }));
            from = revealed.noted;
        }
        let noted = &runner.machine.traces().forced;
        let until = open.map_or(noted.len(), |(_, said)| said.forced).min(noted.len());
        if from < until {
            let step = runner.spare.next_number();
            automatic.extend(noted[from..until].iter().map(|&forced| GroupedAnswer { forced, step }));
        }
    }
}
