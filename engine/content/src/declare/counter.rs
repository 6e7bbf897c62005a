//! Counters, and to whom they belong.

use indexmap::IndexMap;
use serde::Serialize;

use crate::declare::option::{Amount, Only, OptionValue};
use crate::declare::prompt::Domain;

/// The seats that may see a counter or a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everybody sees everything.
    #[default]
    Public,
    /// The owner sees it; the others see only how many tokens there are (of a counter: nothing).
    Owner,
    /// The owner sees it; the others see nothing, not even how many.
    Secret,
    /// Everybody sees how many tokens there are, nobody which.
    Count,
    /// Nobody sees anything.
    Nobody,
    /// Each token by its face: face-up ones are public, face-down ones known to those who have seen them.
    Face,
}

/// When a table shows a counter or a zone to people. Programs and bots get it in any case, if their seat may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// At any time.
    #[default]
    Always,
    /// While somebody has any of it.
    Used,
    /// When the match is over.
    End,
    /// Never: people follow it from elsewhere.
    Never,
}

/// The holders of a counter or a zone: there is one of it for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holder {
    /// One for the whole game.
    #[default]
    Game,
    /// One for each player.
    Player,
    /// One for each token of this kind (index into `kinds`), and of the kinds like it.
    Token(usize),
    /// One for each cell of this grid (index into `grids`).
    Cell(usize),
}

/// The fate of a counter that the seat cannot see, in a determinization (`redeal`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Redeal {
    /// Every value of its range is as likely as any other, whatever the other holders have.
    #[default]
    Range,
    /// The sum over all hidden holders is public knowledge; it is split at random.
    Pool,
    /// The hook `redeal` of the game deals it.
    Hook,
    /// The value stays, because those who watch can conclude it.
    Keep,
}

/// A whole number in the state.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    /// Shown label.
    pub text: String,
    /// There is one counter for each of these.
    pub per: Holder,
    /// Value at the start.
    pub start: Amount,
    /// Smallest value allowed.
    pub min: i32,
    /// Largest value allowed.
    pub max: i32,
    /// Names of the values 0, 1, 2 ... of an enumerated counter; empty for a plain number.
    pub values: Vec<String>,
    /// Symbols drawn for the values 0, 1, 2 ... in a picture of the grid; empty: the number or the name.
    pub symbols: Vec<String>,
    /// Terminal colours of the values; empty: none.
    pub colours: Vec<String>,
    /// How an amount of it reads in a text: `{n:coin|coins}`; empty: the number and the label.
    pub amount: String,
    /// The things that its value numbers: a player, a token or a cell; 0 is none of them.
    pub means: Domain,
    /// The seats that see it (`Public`, `Owner`, `Nobody`).
    pub visible: Visibility,
    /// Its fate in a redeal, as declared; see [`Counter::dealt`].
    pub redeal: Option<Redeal>,
    /// Bookkeeping: scripts and tests see it, players do not. It must follow from what all of them see, and a redeal keeps it.
    pub internal: bool,
    /// When a table shows it to people.
    pub show: Show,
    /// The row of a table that it shares with others of this group; empty: a row of its own.
    pub group: String,
    /// When it exists.
    pub only: Only,
}

impl Counter {
    /// The value at the start of a match with these options.
    #[must_use]
    pub fn starts_at(&self, options: &IndexMap<String, OptionValue>) -> i32 {
        self.start.resolve(options).clamp(self.min, self.max)
    }

    /// Its fate in a redeal.
    #[must_use]
    pub fn dealt(&self) -> Redeal {
        self.redeal.unwrap_or_default()
    }
}
