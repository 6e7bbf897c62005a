//! Goods that leave a campsite (C-41 to C-46b): home, to the bank or, as loot, to the raider's campsite.

use super::cards::{CARDS, PRICE, Pile};
use super::mine::{COLOURS, Crystals, add, subtract, worth};
use super::{BANK, CAMP, DONE, Destinations, HOME, Krysis, Question, SPLIT};

/// Destination of goods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Home,
    Bank,
    /// Loaded goods, divided between home and bank (Q10).
    Split,
    /// Stolen goods; their destination is asked after the raid.
    Loot,
}

/// Goods that the current team carries.
#[derive(Debug, Clone, Copy)]
pub struct Cargo {
    way: Way,
    /// Seat whose campsite the goods come from.
    pub from: usize,
    /// Number of goods that the team can still carry.
    room: u8,
    /// Chosen crystals; `home` and `bank` are their destinations.
    chosen: Crystals,
    home: Crystals,
    bank: Crystals,
    /// Crystals that have left the campsite.
    pub crystals: Crystals,
    pub relics: Pile<CARDS>,
}

impl Cargo {
    pub const NONE: Self = Self {
        way: Way::Home,
        from: 0,
        room: 0,
        chosen: [0; COLOURS],
        home: [0; COLOURS],
        bank: [0; COLOURS],
        crystals: [0; COLOURS],
        relics: Pile::EMPTY,
    };

    /// Number of goods that have left the campsite.
    fn goods(&self) -> usize {
        self.relics.len() + self.crystals.iter().map(|&n| usize::from(n)).sum::<usize>()
    }
}

impl Krysis {
    /// Asks which goods of a campsite the current team takes (C-41, C-46b), at most as many as its load (C-42).
    pub(super) fn take_goods(&mut self, from: usize, way: Way) {
        self.cargo.way = way;
        self.cargo.from = from;
        self.cargo.room = self.seats[self.seat].load;
        self.take_colour(0);
    }

    fn take_colour(&mut self, colour: usize) {
        let camp = &mut self.seats[self.cargo.from].camp;
        if colour < COLOURS {
            let most = self.cargo.room.min(camp[colour]);
            return self.count(Question::Take(colour), 0, most);
        }
        subtract(camp, &self.cargo.chosen);
        self.cargo.crystals = self.cargo.chosen;
        self.ask_relic_to_take();
    }

    pub(super) fn take_crystals(&mut self, colour: usize, n: u8) {
        self.cargo.chosen[colour] = n;
        self.cargo.room -= n;
        self.take_colour(colour + 1);
    }

    fn ask_relic_to_take(&mut self) {
        let relics = self.seats[self.cargo.from].camp_relics.len();
        if self.cargo.room == 0 || relics == 0 {
            return self.set_off();
        }
        self.list_relics(relics);
        self.ask(Question::TakeRelic);
    }

    pub(super) fn take_relic(&mut self, choice: u8) {
        if choice == DONE {
            return self.set_off();
        }
        let relic = self.seats[self.cargo.from].camp_relics.remove(usize::from(choice));
        self.cargo.relics.push(relic);
        self.cargo.room -= 1;
        self.ask_relic_to_take();
    }

    /// Sends the chosen goods on their way.
    fn set_off(&mut self) {
        if self.cargo.way != Way::Loot {
            self.seats[self.seat].leave();
        }
        if self.cargo.goods() == 0 {
            return self.end_turn(); // Q11, T-C10
        }
        match self.cargo.way {
            Way::Home => self.put_home(),
            Way::Bank => self.sell(),
            Way::Split => self.divide(0),
            Way::Loot => self.ask_loot(),
        }
    }

    /// Asks for the destination of loot (C-46b, Q10).
    fn ask_loot(&mut self) {
        self.choices.clear();
        self.choices.push(HOME);
        self.choices.push(CAMP);
        self.choices.push(BANK);
        if self.cargo.goods() > 1 && self.setup.single_destination != Destinations::Both {
            self.choices.push(SPLIT);
        }
        self.ask(Question::Loot);
    }

    pub(super) fn send_loot(&mut self, choice: u8) {
        match choice {
            HOME => self.put_home(),
            BANK => self.sell(),
            CAMP => self.put_in_camp(),
            _ => self.divide(0),
        }
    }

    /// Asks for the crystals of each colour that go home and, for loot, to the bank; then asks about relics.
    fn divide(&mut self, colour: usize) {
        if colour < COLOURS {
            self.count(Question::GoHome(colour), 0, self.cargo.crystals[colour]);
        } else {
            self.ask_relic_home();
        }
    }

    pub(super) fn go_home(&mut self, colour: usize, n: u8) {
        self.cargo.home[colour] = n;
        let rest = self.cargo.crystals[colour] - n;
        if self.cargo.way == Way::Loot {
            self.count(Question::GoToBank(colour), 0, rest);
        } else {
            self.go_to_bank(colour, rest);
        }
    }

    pub(super) fn go_to_bank(&mut self, colour: usize, n: u8) {
        self.cargo.bank[colour] = n;
        self.divide(colour + 1);
    }

    fn ask_relic_home(&mut self) {
        if self.cargo.relics.is_empty() {
            return self.put_down();
        }
        self.list_relics(self.cargo.relics.len());
        self.ask(Question::RelicHome);
    }

    pub(super) fn relic_home(&mut self, choice: u8) {
        if choice != DONE {
            let relic = self.cargo.relics.remove(usize::from(choice));
            self.seats[self.seat].home_relics.push(relic);
            self.ask_relic_home();
        } else if self.cargo.way == Way::Loot {
            self.ask_relic_to_sell();
        } else {
            self.put_down();
        }
    }

    fn ask_relic_to_sell(&mut self) {
        if self.cargo.relics.is_empty() {
            return self.put_down();
        }
        self.list_relics(self.cargo.relics.len());
        self.ask(Question::RelicBank);
    }

    pub(super) fn relic_bank(&mut self, choice: u8) {
        if choice == DONE {
            return self.put_down();
        }
        let relic = self.cargo.relics.remove(usize::from(choice));
        self.sell_relic(relic);
        self.ask_relic_to_sell();
    }

    /// Delivers divided goods. The rest of loot stays in the campsite; of a load, only relics for the bank remain.
    fn put_down(&mut self) {
        let Cargo { way, home, bank, crystals, .. } = self.cargo;
        let mut camp = crystals;
        subtract(&mut camp, &home);
        subtract(&mut camp, &bank);
        let own = &mut self.seats[self.seat];
        add(&mut own.home, &home);
        add(&mut own.camp, &camp);
        if way == Way::Loot {
            self.put_relics_in_camp();
        }
        self.cargo.crystals = bank;
        self.sell();
    }

    /// Puts all goods into the home (C-10).
    fn put_home(&mut self) {
        let own = &mut self.seats[self.seat];
        add(&mut own.home, &self.cargo.crystals);
        while let Some(relic) = self.cargo.relics.pop() {
            own.home_relics.push(relic);
        }
        self.unload();
    }

    fn put_in_camp(&mut self) {
        add(&mut self.seats[self.seat].camp, &self.cargo.crystals);
        self.put_relics_in_camp();
        self.unload();
    }

    fn put_relics_in_camp(&mut self) {
        while let Some(relic) = self.cargo.relics.pop() {
            self.seats[self.seat].camp_relics.push(relic);
        }
    }

    /// Sells all goods to the bank (C-12, C-43, Q4).
    fn sell(&mut self) {
        add(&mut self.supply, &self.cargo.crystals);
        self.seats[self.seat].vp += worth(&self.cargo.crystals);
        while let Some(relic) = self.cargo.relics.pop() {
            self.sell_relic(relic);
        }
        self.unload();
    }

    /// Sells a relic to the bank (C-43, Q5).
    fn sell_relic(&mut self, relic: u8) {
        self.gone.push(relic);
        self.seats[self.seat].vp += PRICE;
    }

    /// Ends the transport: all goods have arrived.
    fn unload(&mut self) {
        self.cargo.crystals = [0; COLOURS];
        self.end_turn();
    }
}
