//! The game and its players, shared by all matches of a server.

use std::fmt;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use motherlode::{Decision, Game, Match, MatchError};
use motherlode_files::Images;
use serde_json::json;

use super::image::{ServedImages, serve};
use super::message;
use super::workshop::DesignerTools;
use crate::face::Faces;
use crate::wire::{CardFigures, Skeleton};

/// The players of the seats. A value belongs to one thread and plays any match of the game.
pub trait Players {
    /// Whether a person at a browser plays the seat.
    fn is_person(&self, seat: u8) -> bool;
    /// The choice of the bot at the seat.
    ///
    /// # Errors
    /// The rules fail.
    fn choose(&mut self, played: &Match, decision: Decision) -> Result<usize, MatchError>;
    /// The players of the seats, such as `person` or the name of a bot.
    fn names(&self) -> Vec<String>;
}

/// Creates the players for a thread, or returns why they cannot be created.
pub type PlayersFactory = Arc<dyn Fn() -> Result<Box<dyn Players>, String> + Send + Sync>;

/// A game and its players.
pub struct Rules {
    /// The game.
    pub game: Game,
    /// Printed texts of its cards.
    pub faces: Faces,
    /// Fingerprint of the game, its figures and its images: a browser that knows it needs no other.
    pub fingerprint: String,
    /// The encoded `skeleton` message.
    pub skeleton: Utf8Bytes,
    /// The images of its cards.
    pub images: ServedImages,
    /// The encoded `rulebook` message.
    pub rulebook: Utf8Bytes,
    /// The seats of people.
    pub people: Vec<u8>,
    /// Names of the players, by seat.
    pub names: Vec<String>,
    /// Creates the players for a thread.
    pub invite: PlayersFactory,
    /// Designer tools.
    pub workshop: Option<Arc<dyn DesignerTools>>,
}

/// New rules after a save, or the reason why they cannot be played.
pub type NewRules = Result<Rules, String>;

impl Rules {
    /// The rules of a game for this number of players, with images and measured figures of its cards.
    ///
    /// # Errors
    /// The reason why the players cannot be created.
    pub fn new(
        game: &Game,
        players: u8,
        invite: PlayersFactory,
        images: Images,
        figures: CardFigures,
    ) -> Result<Self, String> {
        let guests = invite()?;
        let (faces, (images, addresses)) = (Faces::new(game), serve(images));
        // Figures and images change while the game stays.
        let parts = json!([game.fingerprint(), figures, addresses]).to_string();
        let fingerprint = blake3::hash(parts.as_bytes()).to_hex().to_string();
        let skeleton =
            Skeleton { fingerprint: fingerprint.clone(), figures, images: addresses, ..Skeleton::new(game, &faces) };
        Ok(Self {
            game: game.clone(),
            skeleton: message::skeleton(&skeleton).into(),
            fingerprint,
            images,
            rulebook: message::rulebook(game).into(),
            faces,
            people: (0..players).filter(|&seat| guests.is_person(seat)).collect(),
            names: guests.names(),
            invite,
            workshop: None,
        })
    }

    /// Adds designer tools.
    #[must_use]
    pub fn with(self, workshop: Arc<dyn DesignerTools>) -> Self {
        Self { workshop: Some(workshop), ..self }
    }

    /// Replaces the names of the players, if given.
    #[must_use]
    pub fn named(self, names: Option<Vec<String>>) -> Self {
        Self { names: names.unwrap_or(self.names), ..self }
    }

    /// Whether at most one person plays, so that an undo needs no consent.
    #[must_use]
    pub fn alone(&self) -> bool {
        self.people.len() < 2
    }

    /// Whether a person plays the seat.
    #[must_use]
    pub fn is_person(&self, seat: u8) -> bool {
        self.people.contains(&seat)
    }

    /// Name of a seat.
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
