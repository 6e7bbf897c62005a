//! The transcript: descriptions of events, and who may read them.

/// One line of the transcript. `examples/play_a_game.rs` prints them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    text: String,
    seat: Option<u8>,
    cover: Option<String>,
    round: i32,
    phase: usize,
    answer: Option<AnswerText>,
}

/// An answer in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerText {
    /// The seat that answered, from 0.
    pub seat: u8,
    /// The question as people read it.
    pub question: String,
    /// The choice as people read it.
    pub choice: String,
}

impl Line {
    /// A line for everybody.
    pub(crate) fn public_line(text: String) -> Self {
        Self { text, seat: None, cover: None, round: 0, phase: 0, answer: None }
    }

    /// A line for one seat; other seats read `cover` instead, or nothing.
    pub(crate) fn private(seat: u8, text: String, cover: Option<String>) -> Self {
        Self { text, seat: Some(seat), cover, round: 0, phase: 0, answer: None }
    }

    /// Sets the round and phase of the line.
    pub(crate) fn at(self, round: i32, phase: i32) -> Self {
        Self { round, phase: usize::try_from(phase).unwrap_or(0), ..self }
    }

    /// Marks the line as one that repeats this answer.
    pub(crate) fn answering(self, answer: AnswerText) -> Self {
        Self { answer: Some(answer), ..self }
    }

    /// The line after other lines: of several private answers in a row by one seat, other seats read its cover only
    /// once. The number of covers could reveal the answers.
    pub(crate) fn behind(mut self, lines: &[Self]) -> Self {
        let own = |line: &&Self| line.is_answer() && line.seat == self.seat;
        let covered = lines.iter().rev().take_while(own).any(|line| line.cover == self.cover);
        if self.is_answer() && self.seat.is_some() && covered {
            self.cover = None;
        }
        self
    }

    /// Round of the line; 0 before the first.
    #[must_use]
    pub fn round(&self) -> i32 {
        self.round
    }

    /// Phase of the line (index into [`Declarations::phases`](crate::declare::Declarations::phases)).
    #[must_use]
    pub fn phase_index(&self) -> usize {
        self.phase
    }

    /// Whether the line repeats an answer; otherwise it comes from the content.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.answer.is_some()
    }

    /// The answer that the line repeats, for readers of its full text; `None`: the line comes from the content.
    #[must_use]
    pub fn answer(&self) -> Option<&AnswerText> {
        self.answer.as_ref()
    }

    /// The only seat (from 0) that may read the text; `None`: everybody may.
    #[must_use]
    pub fn seat(&self) -> Option<u8> {
        self.seat
    }

    /// The full text, for readers who may see everything.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text for everybody; `None`: this line is private and has no public cover.
    #[must_use]
    pub fn public(&self) -> Option<&str> {
        if self.seat.is_none() { Some(&self.text) } else { self.cover.as_deref() }
    }

    /// The text for a seat (from 0); `None`: the seat reads nothing.
    #[must_use]
    pub fn seen_by(&self, seat: u8) -> Option<&str> {
        if self.seat == Some(seat) { Some(&self.text) } else { self.public() }
    }
}
