//! Phases, and what they offer and ask.

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
    /// Nobody takes turns: the hook `run` is called once.
    #[default]
    None,
    /// Every player once, in order.
    Once,
    /// Around and around until everybody has passed.
    Passes,
    /// Around and around until a script ends the phase or the game.
    Around,
    /// All at once and secretly; answers are revealed together.
    Sealed,
}

/// Choices that need no script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Every cell whose counter (index into `counters`) has this value, in cell order.
    Cells {
        /// The cell counter.
        counter: usize,
        /// The value.
        equals: i32,
    },
    /// Every token of this zone (index into `zones`), from the bottom; of the player on turn if the zone belongs to players.
    Zone(usize),
}

/// A question that needs no script: the answer changes counters of the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The prompt (index into `prompts`).
    pub prompt: usize,
    /// The possible answers, and what each does.
    pub choices: AskChoices,
}

/// The possible answers to an [`Ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskChoices {
    /// The labels of the prompt, in order.
    Labels {
        /// Player counter (index into `counters`) that keeps the answer.
        store: usize,
        /// The value that is stored for each label.
        values: Vec<i32>,
    },
    /// The players still in the game, by number.
    Players {
        /// Player counter that keeps the answer.
        store: usize,
        /// Without the player asked.
        others: bool,
    },
    /// Whole numbers up to what the player has of something.
    Numbers {
        /// Player counter that keeps the answer.
        store: usize,
        /// The smallest.
        from: i32,
        /// Player counter whose value is the largest.
        upto: usize,
    },
    /// Definitions of a kind that the player can pay for, then the prompt's labels, which end the purchases. If the player can
    /// pay for none, nothing is asked.
    Buy {
        /// The kind (index into `kinds`).
        kind: usize,
        /// The attributes with the price and the gain (indices into the kind's `attributes`).
        attributes: [usize; 2],
        /// The changes that each definition of the kind makes to the player's counters.
        prices: Vec<Vec<Change>>,
        /// Asked again after every purchase.
        again: bool,
    },
}

/// A change of a player counter that must stay in its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The counter (index into `counters`).
    pub counter: usize,
    /// The number that is added.
    pub by: i32,
}

/// One phase.
#[derive(Debug, Clone, Default)]
pub struct Phase {
    /// Shown name.
    pub name: String,
    /// Its purpose.
    pub text: String,
    /// When it is played.
    pub when: When,
    /// The players that act.
    pub turns: Turns,
    /// Prompt of the hooks `offer` and `act` (index into `prompts`).
    pub prompt: Option<usize>,
    /// Choices that the engine lists itself, before those of the hook `offer`.
    pub offer: Option<Offer>,
    /// Line told when a player is offered nothing (index into `texts`).
    pub stuck: Option<usize>,
    /// Questions of a sealed phase that needs no script: asked one after the other, the answers stored in counters.
    pub asks: Vec<Ask>,
    /// Game counter that names the player who begins (1 is the first seat; index into `counters`).
    pub first: Option<usize>,
    /// How many times in a row the phase is played.
    pub times: u16,
    /// Where it is written.
    pub place: Location,
}
