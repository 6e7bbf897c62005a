//! Hooks: the script functions that the engine calls by name. This is the only list of them.

use motherlode_content::declare::Declarations;

/// Identifies a hook, so that it can be called again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hook {
    /// `setup` of the game.
    Setup,
    /// `finish` of the game.
    Finish,
    /// `redeal` of the game.
    Redeal,
    /// A hook of a phase.
    Phase(usize, PhaseHook),
}

/// The hooks of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhaseHook {
    /// `applies()`: whether the phase is played.
    Applies,
    /// `start()`
    Start,
    /// `run()`: the action of a phase without turns.
    Run,
    /// `order()`: the players in turn order.
    Order,
    /// `skip(player)`: whether the player's turn is skipped.
    Skip,
    /// `begin_turn(player)`: before the player's turn.
    BeginTurn,
    /// `turn(player)`
    Turn,
    /// `offer(player)`: lists the player's choices.
    Offer,
    /// `act(player, choice)`: performs a choice of the offer.
    Act,
    /// `end_turn(player)`: after the player's turn.
    EndTurn,
    /// `resolve(token)`: the top of the stack takes effect.
    Resolve,
    /// `finish()`
    Finish,
}

use PhaseHook::{Act, Applies, BeginTurn, EndTurn, Finish, Offer, Order, Resolve, Run, Skip, Start, Turn};

/// Names of the hooks of a game.
pub const GAME_HOOKS: [&str; 3] = ["setup", "finish", "redeal"];
/// Names of the hooks of a phase, in the order of `PhaseHook::ALL`.
pub const PHASE_HOOKS: [&str; 12] =
    ["applies", "start", "run", "order", "skip", "begin_turn", "turn", "offer", "act", "end_turn", "resolve", "finish"];
/// Read-only hooks of a phase.
pub const LOOKING_HOOKS: [&str; 4] = ["applies", "order", "skip", "offer"];

impl PhaseHook {
    /// All hooks of a phase.
    pub const ALL: [Self; 12] =
        [Applies, Start, Run, Order, Skip, BeginTurn, Turn, Offer, Act, EndTurn, Resolve, Finish];

    /// Its name in scripts: `offer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        PHASE_HOOKS[self as usize]
    }
}

impl Hook {
    /// All hooks of a game with this many phases, by [index](Self::index).
    pub fn all(phases: usize) -> impl Iterator<Item = Self> {
        let of_phases = (0..phases).flat_map(|phase| PhaseHook::ALL.map(|hook| Self::Phase(phase, hook)));
        [Self::Setup, Self::Finish, Self::Redeal].into_iter().chain(of_phases)
    }

    /// Its index among all hooks of a game.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::Setup => 0,
            Self::Finish => 1,
            Self::Redeal => 2,
            Self::Phase(phase, hook) => GAME_HOOKS.len() + phase * PhaseHook::ALL.len() + hook as usize,
        }
    }

    /// The name of a read-only hook: `applies`, `order`, `skip` or `offer`; `None`: the hook may write.
    #[must_use]
    pub fn looks(self) -> Option<&'static str> {
        match self {
            Self::Phase(_, hook @ (Applies | Order | Skip | Offer)) => Some(hook.name()),
            Self::Phase(..) | Self::Setup | Self::Finish | Self::Redeal => None,
        }
    }

    /// Its name for people: `setup`, `act.turn`.
    #[must_use]
    pub fn shown(self, d: &Declarations) -> String {
        match self {
            Self::Setup | Self::Finish | Self::Redeal => GAME_HOOKS[self.index()].to_owned(),
            Self::Phase(phase, which) => {
                let phase = d.phases.get_index(phase).map_or("", |(name, _)| name.as_str());
                format!("{phase}.{}", which.name())
            }
        }
    }

    /// The player who takes part in this call, from 1.
    #[must_use]
    pub fn player(self, args: &[i32]) -> Option<i32> {
        args.first().copied().filter(|_| !matches!(self, Self::Setup | Self::Finish | Self::Phase(_, Resolve)))
    }

    /// Whether the hook may ask a player.
    #[must_use]
    pub fn may_ask(self) -> bool {
        matches!(
            self,
            Self::Setup
                | Self::Finish
                | Self::Phase(_, Run | BeginTurn | Turn | Act | EndTurn | Resolve | Start | Finish)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_that_only_look_are_listed() {
        let all = PhaseHook::ALL.map(|hook| Hook::Phase(0, hook));
        assert_eq!(all.into_iter().filter_map(Hook::looks).collect::<Vec<_>>(), LOOKING_HOOKS);
    }

    #[test]
    fn indices_are_in_order() {
        assert!(Hook::all(3).map(Hook::index).eq(0..GAME_HOOKS.len() + 3 * PHASE_HOOKS.len()));
    }
}
