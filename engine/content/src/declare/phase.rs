//! Phases, with their offers and questions.

use crate::declare::location::Location;

/// When a phase is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// Once, before the first round.
    Setup,
    /// In every round.
    #[default]
    Round,
    /// Once, after the last round.
    End,
}

/// The players that act in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turns {
    /// Nobody: the hook `run` is called once.
    #[default]
    None,
    /// Every player once, in order.
    Once,
    /// In turns until everybody has passed.
    Passes,
    /// In turns until a script ends the phase or the game.
    Around,
    /// In turns until everybody has passed in a row; then the top of the stack resolves. Ends when all pass while the stack is empty.
    Priority,
    /// All at once; the answers are secret until all are revealed together.
    Sealed,
}

/// An offer without a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Every cell whose counter (index into `counters`) has this value, in cell order.
    Cells {
        /// The cell counter.
        counter: usize,
        /// The value.
        equals: i32,
    },
    /// Every token of this zone (index into `zones`), from the bottom. If the zone belongs to players: the zone of
    /// the player on turn.
    Zone(usize),
}

/// A question without a script: the answer changes counters of the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The prompt (index into `prompts`).
    pub prompt: usize,
    /// The possible answers, and their effects.
    pub choices: AskChoices,
}

/// The possible answers to an [`Ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskChoices {
    /// The labels of the prompt, in order.
    Labels {
        /// Player counter (index into `counters`) that stores the answer.
        store: usize,
        /// The stored value for each label.
        values: Vec<i32>,
    },
    /// The players still in the game, by number.
    Players {
        /// Player counter that stores the answer.
        store: usize,
        /// Whether the asked player is excluded.
        others: bool,
    },
    /// Whole numbers up to the value of a counter.
    Numbers {
        /// Player counter that stores the answer.
        store: usize,
        /// The smallest.
        from: i32,
        /// Player counter that holds the largest.
        upto: usize,
    },
    /// Definitions of a kind that the player can pay for, then the prompt's labels, which end the purchases. If the
    /// player can pay for none, the question is skipped.
    Buy {
        /// The kind (index into `kinds`).
        kind: usize,
        /// The attributes with the price and the gain (indices into the kind's `attributes`).
        attributes: [usize; 2],
        /// The changes that each definition of the kind makes to the player's counters.
        prices: Vec<Vec<Change>>,
        /// Whether the question is asked again after every purchase.
        again: bool,
    },
}

/// A change of a player counter, which must stay in its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The counter (index into `counters`).
    pub counter: usize,
    /// The added number.
    pub by: i32,
}

/// One phase.
#[derive(Debug, Clone, Default)]
pub struct Phase {
    /// Displayed name.
    pub name: String,
    /// Its description.
    pub text: String,
    /// When it is played.
    pub when: When,
    /// The players that act.
    pub turns: Turns,
    /// Prompt of the hooks `offer` and `act` (index into `prompts`).
    pub prompt: Option<usize>,
    /// Choices listed by the engine, before those of the hook `offer`.
    pub offer: Option<Offer>,
    /// Transcript text if a player has no choices (index into `texts`).
    pub stuck: Option<usize>,
    /// Questions of a sealed phase without a script, asked in order; counters store the answers.
    pub asks: Vec<Ask>,
    /// Game counter that holds the player who begins (1 is the first seat; index into `counters`).
    pub first: Option<usize>,
    /// Game counter of the turns of the phase (index into `counters`): at its maximum, the phase ends.
    pub limit: Option<usize>,
    /// Zone of the game (index into `zones`) whose top resolves when all have passed, if `turns` is `Priority`.
    pub stack: Option<usize>,
    /// Number of times that the phase is played in a row.
    pub times: u16,
    /// Its place in the file.
    pub place: Location,
}
