//! The transcript: what happened, in words, and who may read it.

/// One line of the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    text: String,
    seat: Option<u8>,
    cover: Option<String>,
    round: i32,
    phase: usize,
    answer: bool,
}

impl Line {
    /// A line for everybody.
    pub(crate) fn public_line(text: String) -> Self {
        Self { text, seat: None, cover: None, round: 0, phase: 0, answer: false }
    }

    /// A line for one seat alone; the others read `cover` instead, or nothing.
    pub(crate) fn private(seat: u8, text: String, cover: Option<String>) -> Self {
        Self { text, seat: Some(seat), cover, round: 0, phase: 0, answer: false }
    }

    /// Said in this round and phase.
    pub(crate) fn at(self, round: i32, phase: i32) -> Self {
        Self { round, phase: usize::try_from(phase).unwrap_or(0), ..self }
    }

    /// The line repeats an answer.
    pub(crate) fn answering(self) -> Self {
        Self { answer: true, ..self }
    }

    /// The same behind other lines: of several answers in a row that a seat keeps to itself, the others read once that it has decided. How many
    /// there were may tell them what it has.
    pub(crate) fn behind(mut self, lines: &[Self]) -> Self {
        let own = |line: &&Self| line.answer && line.seat == self.seat;
        let covered = lines.iter().rev().take_while(own).any(|line| line.cover == self.cover);
        if self.answer && self.seat.is_some() && covered {
            self.cover = None;
        }
        self
    }

    /// Round in which it was said; 0 before the first.
    #[must_use]
    pub fn round(&self) -> i32 {
        self.round
    }

    /// Phase in which it was said (index into [`Declarations::phases`](crate::declare::Declarations::phases)).
    #[must_use]
    pub fn phase_index(&self) -> usize {
        self.phase
    }

    /// Whether it repeats an answer; otherwise the content has said it.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.answer
    }

    /// The only seat (from 0) that may read the text; `None`: everybody may.
    #[must_use]
    pub fn seat(&self) -> Option<u8> {
        self.seat
    }

    /// The whole text, for those who may see everything.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A line that everybody may read.
    #[must_use]
    pub fn public(&self) -> Option<&str> {
        if self.seat.is_none() { Some(&self.text) } else { self.cover.as_deref() }
    }

    /// A line that a seat (from 0) may read.
    #[must_use]
    pub fn seen_by(&self, seat: u8) -> Option<&str> {
        if self.seat == Some(seat) { Some(&self.text) } else { self.public() }
    }
}
