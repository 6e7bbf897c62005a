//! Views for the terminal, line by line: for a pipe and for a screen reader as well.
//!
//! Escape codes for colours are always written; whoever writes to the terminal removes them where they are not wanted. No colour
//! says what a word or a symbol does not say.
//!
//! Direction: card, picture <- piles, rows <- choices, outcome

mod card;
mod choices;
mod outcome;
mod picture;
mod piles;
mod rows;

use crate::change::Changes;
use crate::face::{Face, Faces};
use crate::paint;
use crate::view::{Board, Question, View};

use crate::names::rounds;
use crate::points::Points;
use motherlode::Game;

/// Draws views of a game as text of a given width.
#[derive(Debug, Clone, Copy)]
pub struct Text<'f> {
    faces: &'f Faces,
    width: usize,
}

impl<'f> Text<'f> {
    /// Draws in so many columns.
    #[must_use]
    pub fn new(faces: &'f Faces, width: usize) -> Self {
        Self { faces, width }
    }

    /// `── Round 3 of 5 · Action ──`; how many there are is said if the game always has as many.
    #[must_use]
    pub fn heading(&self, game: &Game, round: i32, phase: &str) -> String {
        let (strong, faint) = (paint::strong(), paint::faint());
        let of = rounds(game).map_or_else(String::new, |rounds| format!(" of {rounds}"));
        let title = if round > 0 { format!("Round {round}{of} · {phase}") } else { phase.to_owned() };
        let rest = self.width.saturating_sub(paint::length(&title) + 4);
        format!("{faint}──{faint:#} {strong}{title}{strong:#} {faint}{}{faint:#}\n", "─".repeat(rest))
    }

    /// All of the table.
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

    /// The end: boards that are other than when they were last shown, and what the players have.
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

    /// What has changed on the table since an earlier view.
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

    /// A question with its choices, each with the text of the card that it is.
    #[must_use]
    pub fn question(&self, view: &View, question: &Question) -> String {
        choices::question(view, question, self.faces, self.width)
    }

    /// A card whole.
    #[must_use]
    pub fn card(&self, face: &Face) -> String {
        card::whole(face, self.width)
    }

    /// The places of a name, such as `b2`, with what there is on each; empty: there is none.
    #[must_use]
    pub fn places(&self, view: &View, name: &str) -> String {
        picture::cells(view, name, self.width)
    }

    /// The final ranking, best first.
    #[must_use]
    pub fn outcome(&self, game: &Game, outcome: &motherlode::Outcome, seats: &[String], points: &Points) -> String {
        outcome::outcome(game, outcome, seats, points, self.width)
    }
}
