//! Krysis: secret bids for the galleries of a mine, teams of three, and raids on campsites; most VP win.
//! Rule numbers (`C-41`, `Q8`) refer to the rules of the game.

mod actions;
mod cards;
mod goods;
mod mine;
mod scoring;
mod teams;
mod twin;

use actions::Must;
use cards::{AGENTS, CARDS, DECK, FIGHTERS, KEYS, Pile, STACK, TRANSPORTERS};
use goods::Cargo;
use mine::{AT_HOME, COLOURS, Crystals, IN_SHORT_CAMP, RANKS};

use super::chance::stream;

const MOST_PLAYERS: usize = 4;
/// Cards of each stack in the first hand (C-16).
const FIRST_HAND: usize = 3;
/// Maximum number of agents in hand, reached in the short game (C-81).
const MOST_IN_HAND: usize = 11;
/// Maximum number of relics in use (Q9).
const MOST_GEAR: usize = 9;
/// Maximum number of crystals in one answer; a player who takes this many is asked again.
const HANDFUL: u8 = 20;
/// Maximum number of choices of a decision: all relics and `DONE`.
const MOST_CHOICES: usize = CARDS + 1;

/// Labels count from here; a lower choice is a number of crystals, a rank or seat from 0, or an index into a pile.
const LABEL: u8 = 100;
const DONE: u8 = 100;
const LOAD_HOME: u8 = 101;
const LOAD_BANK: u8 = 102;
const LOAD_SPLIT: u8 = 103;
const LEAVE: u8 = 104;
const OVERTIME: u8 = 105;
const HOME: u8 = 106;
const CAMP: u8 = 107;
const BANK: u8 = 108;
const SPLIT: u8 = 109;
const TRANSPORTER: u8 = 110;
const FIGHTER: u8 = 111;

/// Goods that go to one place together (Q10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Destinations {
    /// Loaded goods.
    Loading,
    /// Loaded and stolen goods.
    Both,
    None,
}

/// Options of a game.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// Number of players, 2 to 4.
    pub players: usize,
    /// Measures a bid by the number of its crystals, not by their worth (Q1).
    pub bid_by_number: bool,
    pub single_destination: Destinations,
    /// Maximum number of relics that a team may use (Q9), 0 to 9.
    pub relics_per_team: u8,
    /// Short game (C-81), for two players.
    pub speed: bool,
    /// Number of rounds of the short game, 1 to 3.
    pub speed_rounds: u8,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            players: 4,
            bid_by_number: false,
            single_destination: Destinations::Loading,
            relics_per_team: 3,
            speed: false,
            speed_rounds: 3,
        }
    }
}

/// State of one player.
#[derive(Debug, Clone, Copy)]
struct Seat {
    home: Crystals,
    camp: Crystals,
    /// Closed hand of crystals.
    bid: Crystals,
    generosity: u16,
    /// Level of the miner; on a level, rank 4 is foremost.
    level: u8,
    rank: u8,
    /// Whether the team defends the campsite.
    guarded: bool,
    initiative: u8,
    combat: u8,
    load: u8,
    /// VP on the track.
    vp: u16,
    /// Final score.
    score: u16,
    transporters: Pile<STACK>,
    fighters: Pile<STACK>,
    hand: Pile<MOST_IN_HAND>,
    team: Pile<3>,
    discard: Pile<{ 2 * STACK }>,
    off_duty: Pile<{ 2 * STACK }>,
    camp_relics: Pile<CARDS>,
    home_relics: Pile<CARDS>,
    gear: Pile<MOST_GEAR>,
}

impl Seat {
    const NEW: Self = Self {
        home: [0; COLOURS],
        camp: [0; COLOURS],
        bid: [0; COLOURS],
        generosity: 0,
        level: 0,
        rank: 0,
        guarded: true,
        initiative: 0,
        combat: 0,
        load: 0,
        vp: 0,
        score: 0,
        transporters: TRANSPORTERS,
        fighters: FIGHTERS,
        hand: Pile::EMPTY,
        team: Pile::EMPTY,
        discard: Pile::EMPTY,
        off_duty: Pile::EMPTY,
        camp_relics: Pile::EMPTY,
        home_relics: Pile::EMPTY,
        gear: Pile::EMPTY,
    };
}

/// Pending question; a question about crystals has the colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Bid(usize),
    Space,
    Agent,
    Gear,
    Action,
    Take(usize),
    TakeRelic,
    Loot,
    GoHome(usize),
    GoToBank(usize),
    RelicHome,
    RelicBank,
    OvertimeRed,
    OvertimeBlue,
    RedOnes(Must),
    Stack,
    /// No question: the game is over.
    Over,
}

/// A number that is asked in handfuls.
#[derive(Debug, Clone, Copy)]
struct Tally {
    n: u8,
    least: u8,
    most: u8,
}

/// A game of Krysis.
#[derive(Debug, Clone)]
pub struct Krysis {
    setup: Setup,
    seats: [Seat; MOST_PLAYERS],
    supply: Crystals,
    deck: Pile<CARDS>,
    /// Sold and used relics.
    gone: Pile<CARDS>,
    round: u8,
    question: Question,
    /// Seat of the pending question.
    seat: usize,
    choices: Pile<MOST_CHOICES>,
    tally: Tally,
    /// Seats in the order in which they act; `turn` of them have acted.
    order: [usize; MOST_PLAYERS],
    turn: usize,
    /// Free spaces of the current level as bits; rank 1 is the lowest bit.
    free: u8,
    /// Secret pick of each seat; `picked` counts the complete rounds of picks.
    picks: [u8; MOST_PLAYERS],
    picked: u8,
    /// Number of relics that the current team has put to use.
    geared: u8,
    cargo: Cargo,
    /// Worth left to dig in overtime; in the short game, the number of crystals that move.
    dug: u8,
    red: u8,
}

impl Krysis {
    /// Game at its first decision.
    pub fn new(setup: Setup, seed: u64) -> Self {
        let mut game = Self {
            setup,
            seats: [Seat::NEW; MOST_PLAYERS],
            supply: [0; COLOURS],
            deck: DECK,
            gone: Pile::EMPTY,
            round: 0,
            question: Question::Over,
            seat: 0,
            choices: Pile::EMPTY,
            tally: Tally { n: 0, least: 0, most: 0 },
            order: [0, 1, 2, 3],
            turn: 0,
            free: 0,
            picks: [0; MOST_PLAYERS],
            picked: 0,
            geared: 0,
            cargo: Cargo::NONE,
            dug: 0,
            red: 0,
        };
        game.begin(seed);
        game
    }

    /// Restarts with the same setup.
    fn begin(&mut self, seed: u64) {
        let players = self.setup.players;
        self.seats[..players].fill(Seat::NEW);
        self.supply = mine::supply(&self.setup);
        let keys = &*KEYS;
        self.deck = Pile::full(stream(seed, keys.relic_deck).shuffle(keys.relics));
        self.gone.clear();
        self.picked = 0;
        for (seat, keys) in self.seats[..players].iter_mut().zip(&keys.players) {
            seat.transporters = Pile::full(stream(seed, keys.transporter_stack).shuffle(keys.transporters));
            seat.fighters = Pile::full(stream(seed, keys.fighter_stack).shuffle(keys.fighters));
        }
        let mut chance = stream(seed, keys.arrival);
        let mut lots = Pile::<RANKS>::EMPTY;
        (1..=RANKS as u8).for_each(|rank| lots.push(rank));
        for seat in &mut self.seats[..players] {
            seat.rank = lots.remove(chance.below(lots.len()));
        }
        for seat in 0..players {
            if self.setup.speed { self.arrive_fast(seat) } else { self.arrive(seat) }
        }
        self.round = 0;
        self.begin_round();
    }

    /// Sets up a player (C-16 to C-18).
    fn arrive(&mut self, seat: usize) {
        let own = &mut self.seats[seat];
        own.home = AT_HOME;
        for _ in 0..FIRST_HAND {
            own.transporters.pop().into_iter().for_each(|agent| own.hand.push(agent));
        }
        for _ in 0..FIRST_HAND {
            own.fighters.pop().into_iter().for_each(|agent| own.hand.push(agent));
        }
        let rank = own.rank - 1;
        self.enter(seat, 0, rank);
    }

    /// Sets up a player for the short game (C-81).
    fn arrive_fast(&mut self, seat: usize) {
        let own = &mut self.seats[seat];
        own.camp = IN_SHORT_CAMP;
        for stack in [&mut own.transporters, &mut own.fighters] {
            while let Some(agent) = stack.pop() {
                let to_duty = !AGENTS[usize::from(agent)].multiplier;
                if to_duty { own.hand.push(agent) } else { own.off_duty.push(agent) }
            }
        }
    }

    fn begin_round(&mut self) {
        self.round += 1;
        if self.setup.speed { self.pick_agent(0) } else { self.bid(0, 0) }
    }

    /// Ends the game and counts the score (C-71 to C-73).
    fn end(&mut self) {
        for seat in &mut self.seats[..self.setup.players] {
            seat.score = seat.vp + mine::worth(&seat.home) + scoring::relic_points(seat.home_relics.cards());
        }
        self.choices.clear();
        self.question = Question::Over;
    }

    fn answer(&mut self, index: usize) {
        let choice = self.choices.cards()[index];
        match self.question {
            Question::Bid(_)
            | Question::Take(_)
            | Question::GoHome(_)
            | Question::GoToBank(_)
            | Question::RedOnes(_) => {
                self.tally.n += choice;
                if choice < HANDFUL { self.counted() } else { self.count_on() }
            }
            Question::Space => self.dig(choice),
            Question::Agent => {
                self.picks[self.seat] = choice;
                self.pick_agent(self.seat + 1);
            }
            Question::Stack => {
                self.picks[self.seat] = choice;
                self.pick_stack(self.seat + 1);
            }
            Question::Gear => self.use_relic(choice),
            Question::Action => self.do_action(choice),
            Question::TakeRelic => self.take_relic(choice),
            Question::Loot => self.send_loot(choice),
            Question::RelicHome => self.relic_home(choice),
            Question::RelicBank => self.relic_bank(choice),
            Question::OvertimeRed => self.dig_red(choice),
            Question::OvertimeBlue => self.dig_blue(choice),
            Question::Over => {}
        }
    }

    /// Asks the listed choices; takes a single choice without a question.
    fn ask(&mut self, question: Question) {
        self.question = question;
        if self.choices.len() == 1 {
            self.answer(0);
        }
    }

    /// Lists the indices of `relics` relics, and `DONE`.
    fn list_relics(&mut self, relics: usize) {
        self.choices.clear();
        (0..relics as u8).for_each(|place| self.choices.push(place));
        self.choices.push(DONE);
    }

    /// Asks for a number from `least` to `most`, in handfuls.
    fn count(&mut self, question: Question, least: u8, most: u8) {
        self.question = question;
        self.tally = Tally { n: 0, least, most };
        self.count_on();
    }

    /// Asks for the next handful; skips a question with a single choice.
    fn count_on(&mut self) {
        let Tally { n, least, most } = &mut self.tally;
        while n < most {
            let (from, to) = (least.saturating_sub(*n), (*most - *n).min(HANDFUL));
            if from < to {
                self.choices.clear();
                (from..=to).for_each(|number| self.choices.push(number));
                return;
            }
            *n += to;
        }
        self.counted();
    }

    fn counted(&mut self) {
        let n = self.tally.n;
        match self.question {
            Question::Bid(colour) => {
                self.seats[self.seat].bid[colour] = n;
                self.bid(self.seat, colour + 1);
            }
            Question::Take(colour) => self.take_crystals(colour, n),
            Question::GoHome(colour) => self.go_home(colour, n),
            Question::GoToBank(colour) => self.go_to_bank(colour, n),
            Question::RedOnes(must) => self.do_with_red(must, n),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
