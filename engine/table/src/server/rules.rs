//! What all matches of a server share: the game, and who plays.

use std::fmt;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use motherlode::{Decision, Game, Match, MatchError};

use super::message;
use super::workshop::Workshop;
use crate::face::Faces;

/// Who plays the seats. It belongs to its thread, and plays any match of the game.
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

/// Brings players to a thread; or says why they cannot come.
pub type Invite = Arc<dyn Fn() -> Result<Box<dyn Players>, String> + Send + Sync>;

/// A game, and who plays it.
pub struct Rules {
    /// The game.
    pub game: Game,
    /// What is printed on its cards.
    pub faces: Faces,
    /// What is sent of them.
    pub skeleton: Utf8Bytes,
    /// The seats that people play.
    pub people: Vec<u8>,
    /// Who plays each seat, in a word.
    pub names: Vec<String>,
    /// Brings those who play to a thread.
    pub invite: Invite,
    /// The tools of designers.
    pub workshop: Option<Arc<dyn Workshop>>,
}

/// Rules that have been saved; or why they cannot be played.
pub type Renewed = Result<Rules, String>;

impl Rules {
    /// A game for so many players.
    ///
    /// # Errors
    /// Why a player cannot come.
    pub fn new(game: &Game, players: u8, invite: Invite) -> Result<Self, String> {
        let guests = invite()?;
        let faces = Faces::new(game);
        Ok(Self {
            game: game.clone(),
            skeleton: message::skeleton(game, &faces).into(),
            faces,
            people: (0..players).filter(|&seat| guests.is_person(seat)).collect(),
            names: guests.names(),
            invite,
            workshop: None,
        })
    }

    /// The same with tools for designers.
    #[must_use]
    pub fn with(self, workshop: Arc<dyn Workshop>) -> Self {
        Self { workshop: Some(workshop), ..self }
    }

    /// The same with other names of those who play the seats, if there are any.
    #[must_use]
    pub fn named(self, names: Option<Vec<String>>) -> Self {
        Self { names: names.unwrap_or(self.names), ..self }
    }

    /// Whether nobody plays who must be asked.
    #[must_use]
    pub fn alone(&self) -> bool {
        self.people.len() < 2
    }

    /// Whether a person plays the seat.
    #[must_use]
    pub fn is_person(&self, seat: u8) -> bool {
        self.people.contains(&seat)
    }

    /// What a seat is called.
    #[must_use]
    pub fn name(&self, seat: u8) -> String {
        motherlode::tools::player_name(self.game.declarations(), i32::from(seat) + 1)
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("game", &self.game.declarations().id).field("names", &self.names).finish()
    }
}
