//! Photon: players build in secret, then raid, defend or blow up buildings in secret. 15 gold or the last base wins.
//! Rule numbers (`P-41`, `Q8`) refer to the rules of the game.

use std::sync::LazyLock;

use super::chance::{self, stream};
use super::{SplitMix64, Twin, ranks_by};

const MOST_PLAYERS: usize = 6;
const SALOON_COST: i32 = 2;
const MINE_COST: i32 = 1;

/// Options of a game.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// Number of players, 2 to 6 (Q1).
    pub players: usize,
    /// Towers at the start, 4 to 12 (Q3).
    pub towers: i32,
    /// Price of the deed in gold (P-53, Q11).
    pub deed_price: i32,
    /// Number of the last round; after it, the game ends without a winner.
    pub max_rounds: i32,
}

impl Default for Setup {
    fn default() -> Self {
        Self { players: 4, towers: 6, deed_price: 15, max_rounds: 200 }
    }
}

/// Numbers of buildings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Buildings {
    saloons: i32,
    mines: i32,
}

impl Buildings {
    fn sum(self) -> i32 {
        self.saloons + self.mines
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Raid,
    Defend,
    Photon,
}

const ACTIONS: [Action; 3] = [Action::Raid, Action::Defend, Action::Photon];

/// State of one player.
#[derive(Debug, Clone, Copy)]
struct Seat {
    plays: bool,
    won: bool,
    gold: i32,
    mercenaries: i32,
    towers: i32,
    /// Operational buildings.
    open: Buildings,
    /// Face-down buildings, bought this round (P-18).
    hidden: Buildings,
    action: Action,
    target: usize,
    /// Raid damage of this round, applied at the end of the resolution.
    damage: i32,
    /// Mercenaries lost in this round's battles.
    fallen: i32,
}

impl Seat {
    fn new(plays: bool, towers: i32) -> Self {
        Self {
            plays,
            won: false,
            gold: 2,
            mercenaries: 1,
            towers,
            open: Buildings::default(),
            hidden: Buildings::default(),
            action: Action::Raid,
            target: 0,
            damage: 0,
            fallen: 0,
        }
    }

    fn buildings(&self) -> i32 {
        self.open.sum() + self.hidden.sum()
    }
}

/// Pending question. A choice is an index: into the labels for `Build` and `Destroy`, into `ACTIONS` for `Action`, and
/// a seat for `Target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Build,
    Action,
    Target,
    Destroy,
    /// No question: the game is over.
    Over,
}

const BUILD_LABELS: [&str; 3] = ["saloon", "mine", "done"];
const ACTION_LABELS: [&str; 3] = ["raid", "defend", "photon"];
const DESTROY_LABELS: [&str; 3] = ["saloon", "mine", "face_down"];

/// Key of the random draws: the face-down buildings that are destroyed (Q14).
static RESOLUTION: LazyLock<u64> = LazyLock::new(|| chance::run("resolution"));

/// A game of Photon.
#[derive(Debug, Clone)]
pub struct Photon {
    setup: Setup,
    chance: SplitMix64,
    seats: [Seat; MOST_PLAYERS],
    round: i32,
    question: Question,
    /// Seat of the pending question.
    seat: usize,
    choices: Vec<u32>,
    /// Photon attackers of this round, in the order in which they choose (Q13).
    attackers: Vec<usize>,
    /// Index of the next attacker in `attackers`.
    next_attacker: usize,
    to_destroy: i32,
}

impl Photon {
    /// Game at its first decision.
    pub fn new(setup: Setup, seed: u64) -> Self {
        let mut game = Self {
            setup,
            chance: stream(seed, *RESOLUTION),
            seats: [Seat::new(false, 0); MOST_PLAYERS],
            round: 0,
            question: Question::Over,
            seat: 0,
            choices: Vec::with_capacity(MOST_PLAYERS),
            attackers: Vec::with_capacity(MOST_PLAYERS),
            next_attacker: 0,
            to_destroy: 0,
        };
        game.begin(seed);
        game
    }

    /// Restarts with the same setup.
    fn begin(&mut self, seed: u64) {
        self.chance = stream(seed, *RESOLUTION);
        for (index, seat) in self.seats.iter_mut().enumerate() {
            *seat = Seat::new(index < self.setup.players, self.setup.towers);
        }
        self.round = 0;
        self.begin_round();
    }

    fn answer(&mut self, index: usize) {
        let choice = self.choices[index] as usize;
        let own = &mut self.seats[self.seat];
        match self.question {
            Question::Build => {
                match choice {
                    0 => {
                        own.gold -= SALOON_COST;
                        own.hidden.saloons += 1;
                    }
                    1 => {
                        own.gold -= MINE_COST;
                        own.hidden.mines += 1;
                    }
                    _ => return self.ask_building(self.seat + 1),
                }
                self.ask_building(self.seat);
            }
            Question::Action => {
                own.action = ACTIONS[choice];
                self.ask_target();
            }
            Question::Target => {
                own.target = choice;
                self.ask_action(self.seat + 1);
            }
            Question::Destroy => {
                self.destroy(choice);
                self.ask_destruction();
            }
            Question::Over => {}
        }
    }

    fn ask(&mut self, question: Question, seat: usize) {
        self.question = question;
        self.seat = seat;
    }

    /// Turns the buildings of the last round up: they are operational now (P-16).
    fn begin_round(&mut self) {
        self.round += 1;
        for seat in &mut self.seats {
            seat.open.saloons += seat.hidden.saloons;
            seat.open.mines += seat.hidden.mines;
            seat.hidden = Buildings::default();
        }
        self.ask_building(0);
    }

    /// Asks the first seat, from this one on, that can buy anything (P-17).
    fn ask_building(&mut self, from: usize) {
        let Some(seat) = (from..self.setup.players).find(|&seat| self.seats[seat].plays && self.seats[seat].gold > 0)
        else {
            return self.ask_action(0);
        };
        let gold = self.seats[seat].gold;
        self.choices.clear();
        if gold >= SALOON_COST {
            self.choices.push(0);
        }
        if gold >= MINE_COST {
            self.choices.push(1);
        }
        self.choices.push(2);
        self.ask(Question::Build, seat);
    }

    /// Asks the first playing seat, from this one on, for its action; reveals all actions after the last (P-25).
    fn ask_action(&mut self, from: usize) {
        match (from..self.setup.players).find(|&seat| self.seats[seat].plays) {
            Some(seat) => {
                self.choices.clear();
                self.choices.extend([0, 1, 2]);
                self.ask(Question::Action, seat);
            }
            None => {
                self.reveal();
                self.next_attack();
            }
        }
    }

    /// Asks for a target (P-27); a single target is not asked (Q17).
    fn ask_target(&mut self) {
        self.choices.clear();
        for (seat, other) in self.seats.iter().enumerate() {
            if other.plays && seat != self.seat {
                self.choices.push(seat as u32);
            }
        }
        self.question = Question::Target;
        if self.choices.len() == 1 {
            self.answer(0);
        }
    }

    /// Computes battles and raid damage (P-30 to P-46), and the order in which attackers destroy buildings (Q13).
    fn reveal(&mut self) {
        self.attackers.clear();
        for seat in 0..self.setup.players {
            self.seats[seat].damage = 0;
            self.seats[seat].fallen = 0;
        }
        for seat in 0..self.setup.players {
            let own = self.seats[seat];
            if !own.plays {
                continue;
            }
            let raiders: i32 = (0..self.setup.players).map(|raider| self.raid_on(seat, raider)).sum();
            let mut damage = raiders;
            match own.action {
                Action::Raid => {}
                Action::Defend => {
                    let lost = raiders.min(2 * own.mercenaries);
                    self.seats[seat].fallen += if raiders > lost { own.mercenaries } else { raiders / 2 };
                    self.share_losses(seat, lost);
                    damage = raiders - lost;
                }
                Action::Photon => {
                    damage *= 2;
                    if own.mercenaries > 0 {
                        self.attackers.push(seat);
                    }
                }
            }
            self.seats[seat].damage = damage;
        }
        let seats = &self.seats;
        self.attackers.sort_by_key(|&seat| (-seats[seat].mercenaries, seat));
        self.next_attacker = 0;
        self.to_destroy = 0;
    }

    /// Strength of a seat's raid on a base.
    fn raid_on(&self, base: usize, raider: usize) -> i32 {
        let other = &self.seats[raider];
        if other.plays && other.action == Action::Raid && other.target == base { other.mercenaries } else { 0 }
    }

    /// Divides the losses among the raiders of a base, the strongest first (Q8).
    fn share_losses(&mut self, base: usize, mut lost: i32) {
        let mut order = [(0, 0); MOST_PLAYERS];
        let mut raiders = 0;
        for raider in 0..self.setup.players {
            let strength = self.raid_on(base, raider);
            if strength > 0 {
                order[raiders] = (-strength, raider);
                raiders += 1;
            }
        }
        order[..raiders].sort_unstable();
        for &(_, raider) in order[..raiders].iter().cycle() {
            if lost == 0 {
                break;
            }
            if self.seats[raider].fallen < self.seats[raider].mercenaries {
                self.seats[raider].fallen += 1;
                lost -= 1;
            }
        }
    }

    /// Goes on to the next Photon attacker; applies all losses after the last (P-37).
    fn next_attack(&mut self) {
        let Some(&seat) = self.attackers.get(self.next_attacker) else {
            self.apply_losses();
            return self.end_resolution();
        };
        self.next_attacker += 1;
        self.seat = seat;
        let own = self.seats[seat];
        let target = &mut self.seats[own.target];
        let left = target.buildings();
        self.to_destroy = own.mercenaries.min(left);
        if target.damage >= target.towers {
            self.to_destroy = 0;
        } else if self.to_destroy == left {
            target.open = Buildings::default();
            target.hidden = Buildings::default();
            self.to_destroy = 0;
        }
        self.ask_destruction();
    }

    /// Asks the current attacker for the next building; takes a single choice without a question.
    fn ask_destruction(&mut self) {
        while self.to_destroy > 0 {
            let target = &self.seats[self.seats[self.seat].target];
            self.choices.clear();
            if target.open.saloons > 0 {
                self.choices.push(0);
            }
            if target.open.mines > 0 {
                self.choices.push(1);
            }
            if target.hidden.sum() > 0 {
                self.choices.push(2);
            }
            if self.choices.len() > 1 {
                return self.ask(Question::Destroy, self.seat);
            }
            self.destroy(self.choices[0] as usize);
        }
        self.next_attack();
    }

    /// Destroys buildings; face-down buildings at random (Q14). Beyond fifty charges, an answer sets off several (Q19).
    fn destroy(&mut self, choice: usize) {
        const SINGLE: i32 = 50;
        const BURSTS: i32 = 10;
        let target = self.seats[self.seat].target;
        let target = &mut self.seats[target];
        let there = match choice {
            0 => target.open.saloons,
            1 => target.open.mines,
            _ => target.hidden.sum(),
        };
        let gone = ((self.to_destroy - SINGLE) / BURSTS).max(1).min(there);
        self.to_destroy -= gone;
        for _ in 0..gone {
            match choice {
                0 => target.open.saloons -= 1,
                1 => target.open.mines -= 1,
                _ if self.chance.random(target.hidden.sum() as usize) as i32 <= target.hidden.saloons => {
                    target.hidden.saloons -= 1;
                }
                _ => target.hidden.mines -= 1,
            }
        }
    }

    /// Removes fallen mercenaries and towers (P-40 to P-45).
    fn apply_losses(&mut self) {
        for seat in self.seats.iter_mut().filter(|seat| seat.plays) {
            seat.mercenaries -= seat.fallen;
            seat.towers = (seat.towers - seat.damage).max(0);
        }
    }

    /// Eliminates destroyed bases (P-48). The last base wins; if none is left, the bases that fell together tie (Q10).
    fn end_resolution(&mut self) {
        let standing = self.seats.iter().filter(|seat| seat.plays && seat.towers > 0).count();
        for seat in self.seats.iter_mut().filter(|seat| seat.plays) {
            if seat.towers == 0 {
                seat.won = standing == 0;
                seat.plays = false;
                seat.gold = 0;
                seat.mercenaries = 0;
                seat.open = Buildings::default();
                seat.hidden = Buildings::default();
            } else {
                seat.won = standing == 1;
            }
        }
        if standing < 2 { self.end() } else { self.collect() }
    }

    /// Pays gold and checks for the end (P-50 to P-55).
    fn collect(&mut self) {
        let mut bought = false;
        for seat in self.seats.iter_mut().filter(|seat| seat.plays) {
            let relief = |held: i32, operational: i32| i32::from(held == 0 && operational == 0);
            seat.gold += seat.open.mines + relief(seat.gold, seat.open.mines);
            seat.mercenaries += seat.open.saloons + relief(seat.mercenaries, seat.open.saloons);
            seat.won = seat.gold >= self.setup.deed_price;
            bought |= seat.won;
        }
        if bought || self.round == self.setup.max_rounds { self.end() } else { self.begin_round() }
    }

    fn end(&mut self) {
        self.choices.clear();
        self.question = Question::Over;
    }
}

impl Twin for Photon {
    fn reset(&mut self, seed: u64) {
        self.begin(seed);
    }

    fn count(&self) -> usize {
        self.choices.len()
    }

    fn choices(&self, out: &mut Vec<u32>) {
        out.clone_from(&self.choices);
    }

    fn apply(&mut self, index: usize) {
        self.answer(index);
    }

    fn over(&self) -> bool {
        self.question == Question::Over
    }

    fn label(&self, index: usize) -> String {
        let choice = self.choices[index] as usize;
        match self.question {
            Question::Build => BUILD_LABELS[choice].to_owned(),
            Question::Action => ACTION_LABELS[choice].to_owned(),
            Question::Target => (choice + 1).to_string(),
            Question::Destroy => DESTROY_LABELS[choice].to_owned(),
            Question::Over => String::new(),
        }
    }

    fn seat(&self) -> u8 {
        self.seat as u8
    }

    /// Ranks winners, then all others, each by towers and then mercenaries (P-54).
    fn ranks(&self) -> Vec<u8> {
        let seats = self.seats.iter().take(self.setup.players);
        ranks_by(&seats.map(|seat| (seat.won, seat.towers, seat.mercenaries)).collect::<Vec<_>>())
    }

    fn scores(&self) -> Vec<i32> {
        self.seats.iter().take(self.setup.players).map(|seat| seat.gold).collect()
    }
}

#[cfg(test)]
mod tests;
