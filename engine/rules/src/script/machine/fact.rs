//! Facts of a step for the histories of the seats. Nothing is recorded unless the match keeps histories.

use crate::script::machine::question::ForcedAnswer;
use crate::state::Position;
use crate::state::hearing::EventArgs;
use crate::transcript::Line;
use motherlode_content::declare::{Declarations, MAX_ARGS};

/// A fact, with the players who can tell its token as bits. Each seat gets its own view of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// A round began.
    Round(i32),
    /// A phase (its index) began.
    Phase(usize),
    /// The turn of a player (from 1) began.
    Turn(i32),
    /// A line of the transcript.
    Line(Line),
    /// A question was answered without asking.
    Forced(ForcedAnswer),
    /// A question was answered.
    Answer {
        /// The seat.
        seat: u8,
        /// Index of the prompt.
        prompt: usize,
        /// The choice's key for the seat.
        own: String,
        /// The key for other seats; `None`: the answer is secret.
        public: Option<String>,
        /// The text of the question, if it has values: only the seat reads it.
        question: Option<String>,
    },
    /// An event happened.
    Event {
        /// Its index.
        event: usize,
        /// Its arguments.
        args: EventArgs,
        /// For each token among them, the players who identified it, as bits.
        known: EventArgs,
    },
    /// A token moved.
    Move {
        /// The token.
        token: i32,
        /// Its former pile.
        from: Option<usize>,
        /// Its new pile.
        to: Option<usize>,
        /// The players who identified it before or after, as bits.
        known: i32,
    },
    /// A pile was shuffled.
    Shuffle {
        /// The pile.
        pile: usize,
        /// A pile whose tokens were added before.
        with: Option<usize>,
    },
    /// A token was turned or shown.
    Seen {
        /// The token.
        token: i32,
        /// Its pile.
        pile: usize,
        /// Its place in the pile, from 0.
        place: usize,
        /// The players who identified it before and after, as bits.
        known: [i32; 2],
        /// Its face and witnesses before and after.
        seen: [i32; 2],
    },
    /// Changes that became public together. Their order tells nothing.
    Together {
        /// Moves and turns of tokens.
        facts: Vec<Fact>,
        /// All changed words, for the seat that changed them.
        words: Vec<(u32, i32)>,
    },
}

/// A fact of a step, and the seat of the simultaneous phase whose hook or answer caused it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The seat; `None`: everybody gets the fact at once.
    pub by: Option<u8>,
    /// The fact.
    pub fact: Fact,
}

/// A token before it moves.
#[derive(Debug, Clone, Copy)]
pub struct Departure {
    /// Its pile.
    pub from: Option<usize>,
    /// The players who identify it, as bits.
    pub known: i32,
}

/// The players who can tell a token, as bits. Nobody can in an internal zone or in a supply.
pub fn identified_by<W: std::ops::Deref<Target = [i32]>>(
    d: &Declarations,
    position: &Position<'_, W>,
    token: i32,
) -> i32 {
    match position.pile_of(token) {
        Some(pile) if d.zones[position.layout.piles[pile].zone].internal => 0,
        None if position.is_unplaced(token) => 0,
        _ => position.identified_by(token),
    }
}

/// The players who can tell each token among the arguments of an event, as bits.
pub fn known_args<W: std::ops::Deref<Target = [i32]>>(
    d: &Declarations,
    position: &Position<'_, W>,
    event: usize,
    args: EventArgs,
) -> EventArgs {
    let mut known = [0; MAX_ARGS];
    for ((into, of), token) in known.iter_mut().zip(d.events[event].args.values()).zip(args) {
        if *of == motherlode_content::declare::EventArg::Token && token > 0 {
            *into = identified_by(d, position, token);
        }
    }
    known
}

/// Moves and turns of tokens between two positions.
#[must_use]
pub fn differences(
    d: &Declarations,
    before: &Position<'_>,
    after: &Position<'_>,
    tokens: impl Iterator<Item = i32>,
) -> Vec<Fact> {
    let fact = |token: i32| {
        let (from, to) = (before.pile_of(token), after.pile_of(token));
        let known = [identified_by(d, before, token), identified_by(d, after, token)];
        if from != to {
            return Some(Fact::Move { token, from, to, known: known[0] | known[1] });
        }
        let seen = [before.seen(token), after.seen(token)];
        let pile = to.filter(|_| seen[0] != seen[1])?;
        let place = after.tokens(pile).iter().position(|&other| other == token)?;
        Some(Fact::Seen { token, pile, place, known, seen })
    };
    tokens.filter_map(fact).collect()
}
