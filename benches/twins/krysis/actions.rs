//! Actions of a team: load, raid or work overtime (C-40 to C-49), and the forced actions of the short game (C-81).

use super::goods::Way;
use super::mine::{BLUE, COLOURS, Crystals, RED, VALUES, WHITE, add, subtract};
use super::{Destinations, Krysis, LEAVE, LOAD_BANK, LOAD_HOME, LOAD_SPLIT, OVERTIME, Question, Seat};

/// Worth of the crystals from overtime (C-47).
const OVERTIME_WORTH: u8 = 6;

/// Forced action of a team in the short game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Must {
    Steal,
    Load,
    Mine,
}

impl Seat {
    /// Whether the team can carry any of its own goods (C-42).
    fn can_load(&self) -> bool {
        self.load > 0 && (self.camp != [0; COLOURS] || !self.camp_relics.is_empty())
    }

    /// Whether the team can raid this campsite (C-45, C-46, C-46a).
    fn can_raid(&self, victim: &Self) -> bool {
        !victim.guarded || self.combat > victim.combat
    }
}

impl Krysis {
    /// Asks for the action of the current team (C-40).
    pub(super) fn ask_action(&mut self) {
        let own = &self.seats[self.seat];
        self.choices.clear();
        if own.can_load() {
            self.choices.push(LOAD_HOME);
            self.choices.push(LOAD_BANK);
            if self.setup.single_destination == Destinations::None {
                self.choices.push(LOAD_SPLIT);
            }
        } else {
            self.choices.push(LEAVE);
        }
        for (seat, victim) in self.seats.iter().enumerate().take(self.setup.players) {
            if seat != self.seat && own.can_raid(victim) {
                self.choices.push(seat as u8);
            }
        }
        self.choices.push(OVERTIME);
        self.ask(Question::Action);
    }

    pub(super) fn do_action(&mut self, choice: u8) {
        match choice {
            OVERTIME => self.work_overtime(),
            LEAVE => {
                self.seats[self.seat].leave();
                self.end_turn();
            }
            LOAD_HOME => self.take_goods(self.seat, Way::Home),
            LOAD_BANK => self.take_goods(self.seat, Way::Bank),
            LOAD_SPLIT => self.take_goods(self.seat, Way::Split),
            victim => {
                self.seats[self.seat].guarded = false; // C-46e
                self.take_goods(victim.into(), Way::Loot);
            }
        }
    }

    /// Asks for the number of red crystals; if no mix is worth 6, the next lower worth counts (C-47, Q13).
    fn work_overtime(&mut self) {
        for worth in (1..=OVERTIME_WORTH).rev() {
            self.choices.clear();
            for red in 0..=self.supply[RED].min(worth / VALUES[RED]) {
                let rest = worth - red * VALUES[RED];
                if (0..=self.most_blue(rest)).any(|blue| self.completes(rest, blue)) {
                    self.choices.push(red);
                }
            }
            if !self.choices.is_empty() {
                self.dug = worth;
                return self.ask(Question::OvertimeRed);
            }
        }
        self.end_turn();
    }

    fn most_blue(&self, rest: u8) -> u8 {
        self.supply[BLUE].min(rest / VALUES[BLUE])
    }

    /// Whether the supply has enough white crystals for the worth that `blue` blue crystals leave.
    fn completes(&self, rest: u8, blue: u8) -> bool {
        rest - blue * VALUES[BLUE] <= self.supply[WHITE]
    }

    /// Takes red crystals, and asks for the number of blue crystals.
    pub(super) fn dig_red(&mut self, red: u8) {
        self.red = red;
        self.dug -= red * VALUES[RED];
        self.choices.clear();
        for blue in 0..=self.most_blue(self.dug) {
            if self.completes(self.dug, blue) {
                self.choices.push(blue);
            }
        }
        self.ask(Question::OvertimeBlue);
    }

    /// Takes blue crystals, and white crystals for the rest (C-48).
    pub(super) fn dig_blue(&mut self, blue: u8) {
        let white = self.dug - blue * VALUES[BLUE];
        self.take_from_supply(self.seat, &[self.red, blue, white]);
        self.end_turn();
    }

    /// Performs the first action that the team can do (C-81); the player chooses the colours (Q22).
    pub(super) fn do_what_it_must(&mut self) {
        let (own, other) = (&self.seats[self.seat], &self.seats[1 - self.seat]);
        let in_all = |crystals: &Crystals| crystals[RED] + crystals[BLUE];
        let (must, source) = if own.load > 0 && in_all(&other.camp) > 0 && own.can_raid(other) {
            (Must::Steal, other.camp)
        } else if in_all(&own.camp) >= own.load {
            (Must::Load, own.camp)
        } else {
            (Must::Mine, self.supply)
        };
        self.dug = own.load.min(in_all(&source));
        let least = self.dug.saturating_sub(source[BLUE]);
        self.count(Question::RedOnes(must), least, self.dug.min(source[RED]));
    }

    /// Performs a forced action with `red` red crystals; the others are blue.
    pub(super) fn do_with_red(&mut self, must: Must, red: u8) {
        let crystals = [red, self.dug - red, 0];
        match must {
            Must::Steal => {
                self.carry_home(1 - self.seat, &crystals);
                self.seats[self.seat].guarded = false;
            }
            Must::Load => {
                self.carry_home(self.seat, &crystals);
                self.seats[self.seat].leave();
            }
            Must::Mine => self.take_from_supply(self.seat, &crystals),
        }
        self.end_turn();
    }

    fn carry_home(&mut self, from: usize, crystals: &Crystals) {
        subtract(&mut self.seats[from].camp, crystals);
        add(&mut self.seats[self.seat].home, crystals);
    }
}
