//! The guard: the parts of the state that the running hook may change. `applies`, `order`, `skip` and `offer` are
//! read-only; a hook of a `sealed` phase may change only what belongs to its own player.
//!
//! Kernels check the guard before they write. Counter writes bypass kernels: the accessors leave marks, which are
//! checked afterwards. The careful VM, which runs a failed hook again to locate the fault, checks counter writes at
//! once.

use crate::state::Layout;
use crate::state::PositionMut;
use motherlode_content::declare::{Declarations, Holder};

/// The parts of the state that the running hook may change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Guard {
    /// Everything.
    #[default]
    Open,
    /// Nothing: the hook with this name is read-only.
    Looks(&'static str),
    /// The words of one player (from 1), by [`owners`].
    Own {
        /// The player.
        player: i32,
        /// The owner of each word.
        owners: Vec<u8>,
    },
}

/// Error for a read-only hook that calls `what`.
pub fn looks(hook: &str, what: &str) -> String {
    format!("`{hook}` must not {what}: only `start`, `run`, `turn`, `act` and `finish` of a phase may")
}

impl Guard {
    /// Whether the hook may call an accessor that writes.
    ///
    /// # Errors
    /// The hook is read-only.
    pub fn writes(&self, accessor: &str) -> Result<(), String> {
        match self {
            Self::Looks(hook) => Err(looks(hook, &format!("call `{accessor}`"))),
            Self::Open | Self::Own { .. } => Ok(()),
        }
    }

    /// Whether the hook may change the course of the game.
    ///
    /// # Errors
    /// The hook is read-only, or belongs to one player.
    pub fn steers(&self, accessor: &str) -> Result<(), String> {
        self.writes(accessor)?;
        if matches!(self, Self::Own { .. }) { Err(foreign("the flow of the game")) } else { Ok(()) }
    }

    /// Whether the hook may change a word of the state.
    ///
    /// # Errors
    /// The hook is read-only, or the word belongs to another player.
    pub fn word(&self, d: &Declarations, layout: &Layout, at: usize) -> Result<(), String> {
        match self {
            Self::Looks(hook) => Err(looks(hook, &format!("set {}", name_of(d, layout, at)))),
            Self::Own { player, owners } if owners.get(at).is_none_or(|owner| i32::from(*owner) != *player) => {
                Err(foreign(&name_of(d, layout, at)))
            }
            Self::Open | Self::Own { .. } => Ok(()),
        }
    }

    /// Whether the hook may change a pile.
    ///
    /// # Errors
    /// The pile belongs to another player.
    pub fn pile(&self, d: &Declarations, layout: &Layout, pile: usize) -> Result<(), String> {
        match self {
            Self::Own { player, .. } if layout.piles[pile].holder != *player => {
                Err(foreign(&name_of(d, layout, layout.piles[pile].offset)))
            }
            _ => Ok(()),
        }
    }

    /// Whether the hook may change a token (from 1), or its place.
    ///
    /// # Errors
    /// The token is in no zone of the hook's player, and not an unplaced token of the player's set.
    pub fn token(&self, d: &Declarations, position: &PositionMut<'_>, token: i32) -> Result<(), String> {
        let Self::Own { player, .. } = self else { return Ok(()) };
        let layout = position.layout;
        let of_set = layout.tokens[token as usize - 1].owner;
        let owner = position.pile_of(token).map_or(of_set, |pile| layout.piles[pile].holder);
        if owner == *player {
            return Ok(());
        }
        Err(foreign(&format!("token {}", crate::text::token_name(d, layout, token))))
    }
}

/// Error for a simultaneous hook that changes another player's state.
pub fn foreign(what: &str) -> String {
    format!("a hook of a sealed phase may change only what belongs to its player, not {what}")
}

/// The player (from 1) who owns each word; 0: nobody, or the owner of the token's zone.
pub fn owners(d: &Declarations, layout: &Layout) -> Vec<u8> {
    let mut out = vec![0; layout.words];
    for (counter, slot) in d.counters.values().zip(&layout.counters) {
        match counter.per {
            Holder::Player => (0..slot.len).for_each(|i| out[slot.offset + i] = i as u8 + 1),
            Holder::Token(_) => {
                for i in 0..slot.len {
                    let token = slot.first as usize - 1 + i;
                    out[slot.offset + i] = layout.tokens[token].owner as u8;
                }
            }
            Holder::Cell(grid) if d.grids[grid].per == Holder::Player => {
                let places = layout.grids[grid].places().max(1);
                (0..slot.len).for_each(|i| out[slot.offset + i] = (i / places) as u8 + 1);
            }
            Holder::Game | Holder::Cell(_) => {}
        }
    }
    for pile in &layout.piles {
        out[pile.offset..=pile.offset + pile.capacity].fill(pile.holder as u8);
    }
    out
}

/// The name of a word in messages: ``counter `gold` of player 2``.
pub fn name_of(d: &Declarations, layout: &Layout, at: usize) -> String {
    for ((name, counter), slot) in d.counters.iter().zip(&layout.counters) {
        if (slot.offset..slot.offset + slot.len).contains(&at) {
            let holder = slot.first + (at - slot.offset) as i32;
            return format!("counter `{name}` of {}", crate::text::holder_name(d, layout, counter.per, holder));
        }
    }
    for pile in &layout.piles {
        if (pile.offset..=pile.offset + pile.capacity).contains(&at) {
            return format!("zone `{}`", d.zones.keys()[pile.zone]);
        }
    }
    let tokens = layout.tokens.len();
    for first in [layout.token_pile, layout.token_seen] {
        if (first..first + tokens).contains(&at) {
            return format!("token {}", crate::text::token_name(d, layout, (at - first) as i32 + 1));
        }
    }
    "the flow of the game".into()
}
