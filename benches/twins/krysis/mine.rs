//! Bidding and mining (C-26 to C-33): closed hands, then galleries in the order of generosity.

use super::{Krysis, MOST_PLAYERS, Question, Setup};

/// Numbers of crystals by colour: red, blue, white.
pub type Crystals = [u8; COLOURS];

pub const COLOURS: usize = 3;
pub const RED: usize = 0;
pub const BLUE: usize = 1;
pub const WHITE: usize = 2;

/// Worth of a crystal of each colour (C-5).
pub const VALUES: Crystals = [3, 2, 1];
/// All crystals of the game (D-6).
pub const ALL: Crystals = [25, 40, 60];
pub const AT_HOME: Crystals = [1, 2, 3];
pub const IN_SHORT_CAMP: Crystals = [2, 3, 0];

/// Colours that replace a missing crystal of each colour, best first (Q13).
const INSTEAD: [[usize; 2]; COLOURS] = [[BLUE, WHITE], [WHITE, RED], [BLUE, RED]];

/// Number of levels below the entrances (C-22).
pub const LEVELS: u8 = 5;
pub const RANKS: usize = 4;

/// A space of the mine.
#[derive(Debug, Clone, Copy)]
struct Space {
    crystals: Crystals,
    relics: u8,
}

const fn space(red: u8, blue: u8, white: u8, relics: u8) -> Space {
    Space { crystals: [red, blue, white], relics }
}

/// Spaces of the entrances, then of level after level (D-1).
const SPACES: [[Space; RANKS]; LEVELS as usize + 1] = [
    [space(0, 1, 2, 0), space(0, 1, 1, 0), space(0, 1, 0, 0), space(0, 0, 1, 0)],
    [space(2, 0, 0, 1), space(0, 1, 0, 1), space(1, 0, 0, 0), space(0, 1, 0, 0)],
    [space(2, 1, 0, 1), space(0, 1, 1, 1), space(0, 0, 1, 1), space(1, 0, 0, 0)],
    [space(2, 0, 1, 2), space(0, 1, 0, 2), space(0, 1, 0, 1), space(0, 2, 0, 0)],
    [space(3, 0, 0, 2), space(1, 0, 0, 2), space(0, 0, 0, 2), space(0, 1, 0, 1)],
    [space(3, 0, 0, 3), space(1, 1, 0, 2), space(1, 1, 0, 1), space(1, 0, 0, 1)],
];

/// Worth of crystals.
pub fn worth(crystals: &Crystals) -> u16 {
    crystals.iter().zip(VALUES).map(|(&n, value)| u16::from(n) * u16::from(value)).sum()
}

/// Number of crystals.
pub fn number(crystals: &Crystals) -> u16 {
    crystals.iter().map(|&n| u16::from(n)).sum()
}

pub fn add(to: &mut Crystals, crystals: &Crystals) {
    to.iter_mut().zip(crystals).for_each(|(to, n)| *to += n);
}

pub fn subtract(from: &mut Crystals, crystals: &Crystals) {
    from.iter_mut().zip(crystals).for_each(|(from, n)| *from -= n);
}

impl Krysis {
    /// Asks a seat how many crystals of a colour it bids, then goes on; opens all hands after the last seat (C-26).
    pub(super) fn bid(&mut self, seat: usize, colour: usize) {
        if colour < COLOURS {
            self.seat = seat;
            self.count(Question::Bid(colour), 0, self.seats[seat].home[colour]);
        } else if seat + 1 < self.setup.players {
            self.bid(seat + 1, 0);
        } else {
            self.open_hands();
        }
    }

    /// Opens all hands and orders the seats by generosity (C-27 to C-30).
    fn open_hands(&mut self) {
        let mut keys = [0; MOST_PLAYERS];
        for (seat, key) in self.seats.iter_mut().zip(&mut keys).take(self.setup.players) {
            let bid = std::mem::take(&mut seat.bid);
            subtract(&mut seat.home, &bid);
            add(&mut self.supply, &bid);
            seat.generosity = if self.setup.bid_by_number { number(&bid) } else { worth(&bid) };
            *key = key_of(seat.generosity, seat.rank);
        }
        self.put_in_order(keys);
        self.free = (1 << RANKS) - 1;
        self.mine();
    }

    /// Asks the next miner for a space; goes on to the teams after the last (C-31).
    fn mine(&mut self) {
        if self.turn == self.setup.players {
            self.free = 0;
            self.seats.iter_mut().for_each(|seat| seat.generosity = 0);
            return self.pick_agent(0);
        }
        self.seat = self.order[self.turn];
        self.choices.clear();
        (0..RANKS as u8).filter(|rank| self.free >> rank & 1 == 1).for_each(|rank| self.choices.push(rank));
        self.ask(Question::Space);
    }

    /// Moves the current miner to the space of this rank, from 0.
    pub(super) fn dig(&mut self, rank: u8) {
        self.free &= !(1 << rank);
        self.enter(self.seat, self.round, rank);
        self.turn += 1;
        self.mine();
    }

    /// Moves a miner to a space, which gives its goods (C-18, C-31, Q6).
    pub(super) fn enter(&mut self, seat: usize, level: u8, rank: u8) {
        let space = SPACES[usize::from(level)][usize::from(rank)];
        self.take_from_supply(seat, &space.crystals);
        let own = &mut self.seats[seat];
        own.level = level;
        own.rank = rank + 1;
        for _ in 0..space.relics {
            let Some(relic) = self.deck.pop() else { break };
            own.camp_relics.push(relic);
        }
    }

    /// Moves crystals to a campsite; then other colours replace missing crystals (Q13).
    pub(super) fn take_from_supply(&mut self, seat: usize, crystals: &Crystals) {
        let camp = &mut self.seats[seat].camp;
        let mut missing = [0; COLOURS];
        for colour in 0..COLOURS {
            let taken = crystals[colour].min(self.supply[colour]);
            self.supply[colour] -= taken;
            camp[colour] += taken;
            missing[colour] = crystals[colour] - taken;
        }
        if missing == [0; COLOURS] {
            return;
        }
        for colour in 0..COLOURS {
            for other in INSTEAD[colour] {
                let taken = missing[colour].min(self.supply[other]);
                self.supply[other] -= taken;
                camp[other] += taken;
                missing[colour] -= taken;
            }
        }
    }

    /// Orders the seats by their keys, greatest first; no two keys are equal.
    pub(super) fn put_in_order(&mut self, keys: [u16; MOST_PLAYERS]) {
        self.order = [0, 1, 2, 3];
        self.order[..self.setup.players].sort_unstable_by(|&a, &b| keys[b].cmp(&keys[a]));
        self.turn = 0;
    }
}

/// Sort key: of equal values, the miner further ahead comes first (C-30, C-38). No two miners share a rank (C-24).
pub fn key_of(value: u16, rank: u8) -> u16 {
    value * (RANKS as u16 + 1) + u16::from(rank)
}

/// Supply after the setup of homes (C-17) or, in the short game, of campsites (C-81).
pub fn supply(setup: &Setup) -> Crystals {
    let (mut left, given) = if setup.speed { ([ALL[RED], ALL[BLUE], 0], IN_SHORT_CAMP) } else { (ALL, AT_HOME) };
    (0..setup.players).for_each(|_| subtract(&mut left, &given));
    left
}
