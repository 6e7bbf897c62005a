//! Reads a list of seats, such as `human,random,rollout:50`, and lets its bots answer.

use motherlode::tools::nearest;
use motherlode::{Decision, Game, Match, MatchError, Setup};
use motherlode_play::{Bot, BotError};

use crate::fault::Fault;

/// The player of one seat.
pub enum Occupant {
    /// A person, or a program, at the other end of the input.
    Guest,
    /// A bot.
    Bot(Box<dyn Bot>),
}

/// The seats of a match.
pub struct Seats {
    occupants: Vec<Occupant>,
    guest: &'static str,
}

impl Seats {
    /// Reads a list of seats; `guest` is the word for a person or a program. Missing seats are `random`.
    pub fn new(list: &str, guest: &'static str, game: &Game, setup: &Setup) -> Result<Self, Fault> {
        let players = usize::from(setup.players);
        if list.trim().is_empty() {
            return Err(Fault::usage(format!("--seats is empty: use a list such as {guest},random")));
        }
        let mut words: Vec<&str> = list.split(',').map(str::trim).collect();
        if words.len() > players {
            return Err(Fault::usage(format!(
                "--seats lists {} seats for {players} players: leave some out",
                words.len()
            )));
        }
        words.resize(players, "");
        let words = words.into_iter().map(|word| if word.is_empty() { "random" } else { word });
        let occupant = |word: &str| {
            if word == guest {
                return Ok(Occupant::Guest);
            }
            motherlode_play::bot(word, game, setup.seed).map(Occupant::Bot).map_err(|error| {
                Fault::usage(match (&error, nearest(word, [guest])) {
                    (_, Some(_)) => format!("unknown seat `{word}`; did you mean `{guest}`?"),
                    (BotError::Unknown { nearest: None, .. }, None) => format!("{error}, {guest}"),
                    (_, None) => error.to_string(),
                })
            })
        };
        let occupants = words.map(occupant).collect::<Result<_, _>>()?;
        let mut seats = Self { occupants, guest };
        seats.reseed(setup.seed);
        Ok(seats)
    }

    /// Seeds the bots for a match.
    pub fn reseed(&mut self, seed: u64) {
        for (occupant, number) in self.occupants.iter_mut().zip(1..) {
            if let Occupant::Bot(bot) = occupant {
                bot.reseed(motherlode_play::mix(seed, number));
            }
        }
    }

    /// Whether a guest plays the seat.
    pub fn is_guest(&self, seat: u8) -> bool {
        matches!(self.occupants.get(usize::from(seat)), Some(Occupant::Guest))
    }

    /// Number of guests.
    pub fn guests(&self) -> usize {
        self.occupants.iter().filter(|occupant| matches!(occupant, Occupant::Guest)).count()
    }

    /// The player of each seat, as typed in `--seats`.
    pub fn names(&self) -> Vec<String> {
        let name = |occupant: &Occupant| match occupant {
            Occupant::Guest => self.guest.to_string(),
            Occupant::Bot(bot) => bot.name().to_string(),
        };
        self.occupants.iter().map(name).collect()
    }

    /// Lets a bot choose an answer to the current decision.
    ///
    /// Without a guest, bots are seeded once, as in a simulation, so that a seed of `lode sim` gives the same game here.
    /// With a guest, the number of answers so far seeds the bot again: it repeats its choice after an undo and in a resumed match,
    /// so nobody can undo to get another one.
    pub fn choose(&mut self, played: &Match, decision: Decision) -> Result<usize, MatchError> {
        let step = played.answers().len() as u64;
        let guests = self.guests() > 0;
        match self.occupants.get_mut(usize::from(decision.seat)) {
            Some(Occupant::Bot(bot)) => {
                if guests {
                    bot.reseed(motherlode_play::mix(played.setup().seed, step));
                }
                bot.choose(played, decision)
            }
            _ => Err(MatchError::NotPending { seat: decision.seat }),
        }
    }
}
