//! Goods on their way from a campsite (C-41 to C-46b): home, to the bank or, as loot, to the raider's campsite.

use super::cards::{CARDS, PRICE, Pile};
use super::mine::{COLOURS, Crystals, add, subtract, worth};
use super::{BANK, CAMP, DONE, Destinations, HOME, Krysis, Question, SPLIT};

/// Where goods go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Home,
    Bank,
    /// Loaded goods, each home or to the bank (Q10).
    Split,
    /// Stolen goods: that is asked when they are known.
    Loot,
}

/// What the team on turn carries.
#[derive(Debug, Clone, Copy)]
pub struct Cargo {
    way: Way,
    /// Whose campsite it comes from.
    pub from: usize,
    /// What the team can still carry.
    room: u8,
    /// Crystals chosen so far, those of them for home, and those for the bank.
    chosen: Crystals,
    home: Crystals,
    bank: Crystals,
    /// What has left the campsite.
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

    /// How many goods have left the campsite.
    fn goods(&self) -> usize {
        self.relics.len() + self.crystals.iter().map(|&n| usize::from(n)).sum::<usize>()
    }
}

impl Krysis {
    /// C-41, C-46b: asks which goods of a campsite the team on turn takes, at most as many as its load (C-42).
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

    /// All goods are taken.
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

    /// C-46b, Q10
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

    /// Asks how many crystals of each colour go home, and of loot also how many to the bank; then about relics.
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

    /// Divided goods arrive. The rest of loot stays in the campsite; of a load only relics for the bank are left.
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

    /// C-10
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

    /// C-12, C-43, Q4
    fn sell(&mut self) {
        add(&mut self.supply, &self.cargo.crystals);
        self.seats[self.seat].vp += worth(&self.cargo.crystals);
        while let Some(relic) = self.cargo.relics.pop() {
            self.sell_relic(relic);
        }
        self.unload();
    }

    /// C-43, Q5
    fn sell_relic(&mut self, relic: u8) {
        self.gone.push(relic);
        self.seats[self.seat].vp += PRICE;
    }

    /// All goods are where they go.
    fn unload(&mut self) {
        self.cargo.crystals = [0; COLOURS];
        self.end_turn();
    }
}
