//! Who plays each seat: `human,random,rollout:50`.

use motherlode::{Decision, Game, Match, MatchError, Setup};
use motherlode_play::{Bot, BotError};

use crate::fault::Fault;
use crate::project::nearest;

/// Who answers the decisions of one seat.
pub enum Occupant {
    /// The other end of the input: a person, or a program.
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
    /// Reads a list of seats; `guest` is the word for the other end of the input. Missing seats are `random`.
    pub fn new(list: &str, guest: &'static str, game: &Game, setup: &Setup) -> Result<Self, Fault> {
        let players = usize::from(setup.players);
        if list.trim().is_empty() {
            return Err(Fault::usage(format!("--seats names nobody; it takes a list such as {guest},random")));
        }
        let mut words: Vec<&str> = list.split(',').map(str::trim).collect();
        if words.len() > players {
            return Err(Fault::usage(format!("--seats lists {} seats for {players} players", words.len())));
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
        for (occupant, number) in seats.occupants.iter_mut().zip(1..) {
            if let Occupant::Bot(bot) = occupant {
                bot.reseed(motherlode_play::mix(setup.seed, number));
            }
        }
        Ok(seats)
    }

    /// Whether a guest plays the seat.
    pub fn is_guest(&self, seat: u8) -> bool {
        matches!(self.occupants.get(usize::from(seat)), Some(Occupant::Guest))
    }

    /// Number of seats that guests play.
    pub fn guests(&self) -> usize {
        self.occupants.iter().filter(|occupant| matches!(occupant, Occupant::Guest)).count()
    }

    /// Who plays each seat, as one types it.
    pub fn names(&self) -> Vec<String> {
        let name = |occupant: &Occupant| match occupant {
            Occupant::Guest => self.guest.to_string(),
            Occupant::Bot(bot) => bot.name().to_string(),
        };
        self.occupants.iter().map(name).collect()
    }

    /// What a bot chooses in the current decision.
    ///
    /// Without a guest, bots are seeded once, as in a simulation, so that a game of `lode sim` can be watched by its seed.
    /// With a guest, a bot is seeded again by the number of answers so far: it makes the same choice after an undo or in a
    /// resumed match, so nobody can make it try again.
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
