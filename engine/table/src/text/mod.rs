//! Views for the terminal, line by line, also for pipes and screen readers.
//!
//! The renderers always write escape codes for colours; the output stream strips them if necessary.
//! A colour never carries information that a word or a symbol does not.
//!
//! Direction: card, named <- picture <- piles, rows <- choices, outcome

mod card;
mod choices;
mod named;
mod outcome;
mod picture;
mod piles;
mod rows;

use crate::change::Changes;
use crate::face::{Face, Faces};
use crate::paint;
use crate::view::{Board, Question, View};

use crate::points::Columns;
use motherlode::Match;

/// Draws views of a game as text of a given width.
#[derive(Debug, Clone, Copy)]
pub struct Text<'f> {
    faces: &'f Faces,
    width: usize,
}

impl<'f> Text<'f> {
    /// A renderer for `width` columns.
    #[must_use]
    pub fn new(faces: &'f Faces, width: usize) -> Self {
        Self { faces, width }
    }

    /// The heading of a round: `── Round 3 of 5 · Action ──`. `rounds`: their number, if it is
    /// declared.
    #[must_use]
    pub fn heading(&self, rounds: Option<i32>, round: i32, phase: &str) -> String {
        let (strong, faint) = (paint::strong(), paint::faint());
        let of = rounds.map_or_else(String::new, |rounds| format!(" of {rounds}"));
        let title = if round > 0 { format!("Round {round}{of} · {phase}") } else { phase.to_owned() };
        let rest = self.width.saturating_sub(paint::length(&title) + 4);
        format!("{faint}──{faint:#} {strong}{title}{strong:#} {faint}{}{faint:#}\n", "─".repeat(rest))
    }

    /// The whole table.
    #[must_use]
    pub fn whole(&self, view: &View) -> String {
        let mut out = String::new();
        for board in &view.boards {
            picture::board(&mut out, view, board, self.width);
        }
        rows::players(&mut out, view, self.width);
        rows::meanings(&mut out, view, self.faces, self.width);
        rows::shared(&mut out, &view.shared, self.width);
        piles::all(&mut out, view, self.faces, self.width);
        out
    }

    /// The meanings of all symbols of the boards, and of the signs on the table; empty: there are none.
    #[must_use]
    pub fn key(&self, view: &View) -> String {
        let mut out = String::new();
        picture::key(&mut out, view, &self.whole(view), self.width);
        out
    }

    /// The final position: boards that differ from `before`, and the counters of the players.
    #[must_use]
    pub fn standing(&self, before: Option<&View>, view: &View) -> String {
        let mut out = String::new();
        let known = |board: &&Board| before.is_some_and(|before| before.board(&board.id, board.seat) == Some(*board));
        for board in view.boards.iter().filter(|board| !known(board)) {
            picture::board(&mut out, view, board, self.width);
        }
        rows::players(&mut out, view, self.width);
        out
    }

    /// The changes since an earlier view.
    #[must_use]
    pub fn changes(&self, before: &View, now: &View) -> String {
        let changes = Changes::between(before, now);
        let mut out = String::new();
        for (index, cells) in &changes.boards {
            if let Some(board) = now.boards.get(*index) {
                picture::changed(&mut out, now, board, cells, self.width);
            }
        }
        rows::changed(&mut out, now, &changes.rows, self.width);
        rows::shared_changed(&mut out, &changes.shared, self.width);
        piles::changed(&mut out, (before, now), &changes.piles, self.faces, self.width);
        out
    }

    /// A question with its choices, each with the text of its card.
    #[must_use]
    pub fn question(&self, view: &View, question: &Question) -> String {
        choices::question(view, question, self.faces, self.width)
    }

    /// A full card.
    #[must_use]
    pub fn card(&self, face: &Face) -> String {
        card::whole(face, self.width)
    }

    /// The cells with a name or coordinates such as `b2`, with their contents; empty: no such cell.
    #[must_use]
    pub fn places(&self, view: &View, name: &str) -> String {
        picture::cells(view, name, self.width)
    }

    /// The winner, and the final ranking, best first; empty before the end of the match.
    #[must_use]
    pub fn outcome(&self, played: &Match, seats: &[String], points: &Columns) -> String {
        outcome::outcome(played, seats, points, self.width)
    }
}
