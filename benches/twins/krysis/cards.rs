//! Agents, relics and piles of cards.

use std::array;
use std::sync::LazyLock;

use super::MOST_PLAYERS;
use crate::twins::chance;

/// An agent (C-6): one number in `AGENTS`.
#[derive(Debug, Clone, Copy)]
pub struct Agent {
    pub name: &'static str,
    pub speed: u8,
    pub load: u8,
    pub combat: u8,
    /// Crystal multiplier, which the short game leaves out (C-7, C-81).
    pub multiplier: bool,
}

const fn transporter(name: &'static str, speed: u8, load: u8) -> Agent {
    Agent { name, speed, load, combat: 0, multiplier: false }
}

const fn fighter(name: &'static str, speed: u8, combat: u8) -> Agent {
    Agent { name, speed, load: 0, combat, multiplier: false }
}

const fn multiplied(agent: Agent) -> Agent {
    Agent { multiplier: true, ..agent }
}

/// Number of transporters of each player, and of fighters (C-15).
pub const STACK: usize = 9;

/// Nine transporters, then nine fighters (D-2, D-3).
pub const AGENTS: [Agent; 2 * STACK] = [
    transporter("fuse_runner", 9, 1),
    transporter("errand_girl", 8, 2),
    transporter("ladder_hand", 7, 3),
    multiplied(transporter("rope_hauler", 6, 4)),
    transporter("barrow_driver", 5, 5),
    transporter("mule_leader", 4, 6),
    multiplied(transporter("sledge_puller", 3, 7)),
    transporter("cart_driver", 2, 8),
    transporter("ox_drover", 1, 9),
    multiplied(fighter("slinger", 9, 8)),
    fighter("knife_dancer", 8, 9),
    multiplied(fighter("night_watch", 7, 10)),
    fighter("club_bearer", 6, 11),
    multiplied(fighter("wrestler", 5, 12)),
    fighter("pike_guard", 4, 13),
    multiplied(fighter("powder_hand", 3, 14)),
    fighter("shield_bearer", 2, 15),
    multiplied(fighter("hammer_giant", 1, 16)),
];

/// A kind of relic (C-8): one number in `RELICS`.
#[derive(Debug, Clone, Copy)]
pub struct Relic {
    pub name: &'static str,
    pub combat: u8,
    pub load: u8,
}

/// Number of kinds of relics (D-4).
pub const KINDS: usize = 6;
pub const COPIES: usize = 4;
pub const CARDS: usize = KINDS * COPIES;

pub const RELICS: [Relic; KINDS] = [
    Relic { name: "bronze_maul", combat: 1, load: 0 },
    Relic { name: "thunder_rod", combat: 2, load: 0 },
    Relic { name: "sun_lance", combat: 3, load: 0 },
    Relic { name: "reed_sled", combat: 0, load: 1 },
    Relic { name: "clay_mule", combat: 0, load: 2 },
    Relic { name: "drifting_barge", combat: 0, load: 3 },
];

/// VP for a relic at the bank (Q5).
pub const PRICE: u16 = 2;

/// A pile of at most `N` cards (or a list of choices), bottom first.
#[derive(Debug, Clone, Copy)]
pub struct Pile<const N: usize> {
    len: u8,
    cards: [u8; N],
}

impl<const N: usize> Pile<N> {
    pub const EMPTY: Self = Self { len: 0, cards: [0; N] };

    pub fn cards(&self) -> &[u8] {
        &self.cards[..usize::from(self.len)]
    }

    /// Pile with its maximum number of cards.
    pub const fn full(cards: [u8; N]) -> Self {
        Self { len: N as u8, cards }
    }

    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn push(&mut self, card: u8) {
        self.cards[usize::from(self.len)] = card;
        self.len += 1;
    }

    /// Takes the top card.
    pub fn pop(&mut self) -> Option<u8> {
        self.len = self.len.checked_sub(1)?;
        Some(self.cards[usize::from(self.len)])
    }

    /// Takes the card at an index, and closes the gap.
    pub fn remove(&mut self, place: usize) -> u8 {
        let card = self.cards[place];
        self.cards.copy_within(place + 1..usize::from(self.len), place);
        self.len -= 1;
        card
    }
}

/// Pile of `N` consecutive numbers.
const fn in_order<const N: usize>(first: u8) -> Pile<N> {
    let mut pile = Pile { len: N as u8, cards: [0; N] };
    let mut i = 0;
    while i < N {
        pile.cards[i] = first + i as u8;
        i += 1;
    }
    pile
}

/// Stacks of a player before the shuffle.
pub const TRANSPORTERS: Pile<STACK> = in_order(0);
pub const FIGHTERS: Pile<STACK> = in_order(STACK as u8);

/// All relics before the shuffle.
pub const DECK: Pile<CARDS> = {
    let mut deck = in_order(0);
    let mut i = 0;
    while i < CARDS {
        deck.cards[i] /= COPIES as u8;
        i += 1;
    }
    deck
};

/// Keys of the random draws, computed once.
pub struct Keys {
    pub relic_deck: u64,
    /// Relics with their kinds.
    pub relics: [(u64, u8); CARDS],
    pub players: [PlayerKeys; MOST_PLAYERS],
    /// Key of the draw of entrances.
    pub arrival: u64,
}

/// Keys of a player's stacks.
pub struct PlayerKeys {
    pub transporter_stack: u64,
    pub transporters: [(u64, u8); STACK],
    pub fighter_stack: u64,
    pub fighters: [(u64, u8); STACK],
}

pub static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys {
    relic_deck: chance::pile("relic_deck", 0),
    relics: array::from_fn(|i| {
        (chance::card("relics", RELICS[i / COPIES].name, 0, (i % COPIES) as u64), DECK.cards[i])
    }),
    players: array::from_fn(|seat| {
        let player = seat as u64 + 1;
        let agent = |kind, number: u8| (chance::card(kind, AGENTS[usize::from(number)].name, player, 0), number);
        PlayerKeys {
            transporter_stack: chance::pile("transporter_stack", player),
            transporters: TRANSPORTERS.cards.map(|number| agent("transporters", number)),
            fighter_stack: chance::pile("fighter_stack", player),
            fighters: FIGHTERS.cards.map(|number| agent("fighters", number)),
        }
    }),
    arrival: chance::run("arrival"),
});
