//! Who sits where: `human,random,rollout:50`.

use motherlode::{Decision, Match, MatchError, Setup};
use motherlode_play::Bot;

use crate::fault::Fault;
use crate::project::nearest;

/// Who answers the decisions of one seat.
pub enum Sitter {
    /// Whoever is at the other end of the input: a person, or a program.
    Guest,
    /// A bot.
    Bot(Box<dyn Bot>),
}

/// The seats of a match.
pub struct Seats {
    sitters: Vec<Sitter>,
    guest: &'static str,
    seed: u64,
}

impl Seats {
    /// Reads a list of seats; `guest` is the word for whoever is at the other end. Seats left out are `random`.
    pub fn new(list: &str, guest: &'static str, setup: &Setup) -> Result<Self, Fault> {
        let players = usize::from(setup.players);
        let mut words: Vec<&str> = list.split(',').map(str::trim).collect();
        if words.len() > players {
            return Err(Fault::usage(format!("there are {} seats for {players} players", words.len())));
        }
        words.resize(players, "");
        let words = words.into_iter().map(|word| if word.is_empty() { "random" } else { word });
        let sitter = |word: &str| {
            if word == guest {
                return Ok(Sitter::Guest);
            }
            motherlode_play::bot(word, setup.seed).map(Sitter::Bot).map_err(|error| match nearest(word, [guest]) {
                Some(_) => Fault::usage(format!("there is no `{word}` for a seat; did you mean `{guest}`?")),
                None => Fault::usage(format!("{error}, {guest}")),
            })
        };
        let sitters = words.map(sitter).collect::<Result<_, _>>()?;
        let mut seats = Self { sitters, guest, seed: setup.seed };
        for (sitter, number) in seats.sitters.iter_mut().zip(1..) {
            if let Sitter::Bot(bot) = sitter {
                bot.reseed(motherlode_play::mix(setup.seed, number));
            }
        }
        Ok(seats)
    }

    /// Whether the seat is answered from outside.
    pub fn is_guest(&self, seat: u8) -> bool {
        matches!(self.sitters.get(usize::from(seat)), Some(Sitter::Guest))
    }

    /// Number of seats answered from outside.
    pub fn guests(&self) -> usize {
        self.sitters.iter().filter(|sitter| matches!(sitter, Sitter::Guest)).count()
    }

    /// What sits there, as it is typed.
    pub fn names(&self) -> Vec<String> {
        let name = |sitter: &Sitter| match sitter {
            Sitter::Guest => self.guest.to_string(),
            Sitter::Bot(bot) => bot.name().to_string(),
        };
        self.sitters.iter().map(name).collect()
    }

    /// What a bot chooses in the decision that is to be answered now.
    ///
    /// Among bots alone they are seeded once, as in a simulation, so that a game of `lode sim` can be watched by its
    /// seed. With a guest a bot is seeded anew by the number of answers given so far: it does the same again after an
    /// undo or in a resumed match, so nobody can try its luck twice.
    pub fn choose(&mut self, table: &Match, decision: Decision) -> Result<usize, MatchError> {
        let step = table.answers().len() as u64;
        let guests = self.guests() > 0;
        match self.sitters.get_mut(usize::from(decision.seat)) {
            Some(Sitter::Bot(bot)) => {
                if guests {
                    bot.reseed(motherlode_play::mix(self.seed, step));
                }
                bot.choose(table, decision)
            }
            _ => Err(MatchError::NotPending { seat: decision.seat }),
        }
    }
}
