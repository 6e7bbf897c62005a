//! Atacama: neutral rigs on a map, on which every player scores the lines of one direction.
//! Rule numbers (`A-15`, `Q8`) refer to the rules of the game.

use std::array;
use std::sync::LazyLock;

use super::atacama_map::{Field, Geometry, MOST_FIELDS, Maps, Ore, SQUARE};
use super::chance::{self, stream};
use super::{Twin, ranks_by};

const MOST_PLAYERS: usize = 4;
/// Number of rigs that a scored line needs.
const SCORED: i32 = 4;
/// Number of turns before the second and before the third stage of the growing board.
const STAGE_TURNS: [u32; 2] = [6, 12];
/// Row and column of each tile of the growing board, in the order of laying (Q3).
const GROWTH: [(usize, usize); 9] = [(0, 0), (0, 1), (1, 0), (0, 2), (1, 1), (2, 0), (1, 2), (2, 1), (2, 2)];

const COLUMNS: usize = 0;
const ROWS: usize = 1;

/// Choices that are not fields count from here; a lower choice is the number of a field.
const CLAIM: u32 = 100;
const DECLINE: u32 = 104;
const BASIC: u32 = 105;
const SECOND: u32 = 106;
const LABELS: [&str; 7] = [
    "claim turquoise_columns",
    "claim turquoise_rows",
    "claim orange_columns",
    "claim orange_rows",
    "decline",
    "basic",
    "second",
];

/// Options of a game.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    /// Number of players, 2 to 4.
    pub players: usize,
    /// Growing board with claims, for two players.
    pub enhanced: bool,
    /// Rigs in a second colour, which count double.
    pub tactical: bool,
    /// Gives the claimer's opponent one more rig (Q4).
    pub claim_bonus_rig: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { players: 2, enhanced: false, tactical: false, claim_bonus_rig: false }
    }
}

/// A concession, named after the commodity that counts as negative.
#[derive(Debug, Clone, Copy)]
struct Concession {
    forbidden: Ore,
    direction: usize,
}

const TURQUOISE: Ore = Ore::Copper;
const ORANGE: Ore = Ore::Silver;

const fn concession(forbidden: Ore, direction: usize) -> Concession {
    Concession { forbidden, direction }
}

/// Concessions of the seats on the square (A-11, Q7) and on the hexagon.
const ON_SQUARE: [Concession; 4] = [
    concession(TURQUOISE, COLUMNS),
    concession(ORANGE, ROWS),
    concession(ORANGE, COLUMNS),
    concession(TURQUOISE, ROWS),
];
const ON_HEXAGON: [Concession; 3] = [concession(Ore::Silver, 0), concession(Ore::Copper, 1), concession(Ore::Gold, 2)];

/// Unplaced rigs of one player.
#[derive(Debug, Clone, Copy, Default)]
struct Rigs {
    basic: u32,
    second: u32,
}

impl Rigs {
    fn sum(self) -> u32 {
        self.basic + self.second
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Place,
    /// Colour of the rig for this field.
    Colour(usize),
    /// Colour of the rig that pays for the claim.
    PayRig,
    /// No question: the game is over.
    Over,
}

/// Keys of the random draws: the order of the tiles, and the first player.
struct Keys {
    stack: u64,
    tiles: [(u64, u8); 9],
    laying: u64,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys {
    stack: chance::pile("stack", 0),
    tiles: array::from_fn(|tile| {
        let letter = char::from(b'a' + tile as u8);
        (chance::card("tiles", &format!("tile_{letter}"), 0, 0), tile as u8)
    }),
    laying: chance::run("laying"),
});

/// A game of Atacama.
#[derive(Debug, Clone)]
pub struct Atacama {
    setup: Setup,
    maps: Maps,
    geometry: Geometry,
    fields: [Field; MOST_FIELDS],
    /// Multiplier of a field: 0 without a rig, 1 for a basic rig, 2 for a rig of the second colour.
    rigs: [i32; MOST_FIELDS],
    blocked: [bool; MOST_FIELDS],
    /// Fields that are not blocked, in order.
    free: Vec<u32>,
    choices: Vec<u32>,
    question: Question,
    seat: usize,
    left: [Rigs; MOST_PLAYERS],
    concessions: [Concession; MOST_PLAYERS],
    claimed: bool,
    turns: u32,
    /// Tiles in the order of laying.
    order: [usize; 9],
}

impl Atacama {
    /// Game at its first decision.
    pub fn new(setup: Setup, maps: &Maps, seed: u64) -> Self {
        let hexagon = setup.players == 3;
        let mut game = Self {
            setup,
            maps: maps.clone(),
            geometry: if hexagon { Geometry::hexagon() } else { Geometry::square() },
            fields: [None; MOST_FIELDS],
            rigs: [0; MOST_FIELDS],
            blocked: [true; MOST_FIELDS],
            free: Vec::with_capacity(MOST_FIELDS),
            choices: Vec::with_capacity(MOST_FIELDS + 5),
            question: Question::Over,
            seat: 0,
            left: [Rigs::default(); MOST_PLAYERS],
            concessions: ON_SQUARE,
            claimed: false,
            turns: 0,
            order: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        };
        if hexagon {
            game.concessions[..3].copy_from_slice(&ON_HEXAGON);
            game.fields = maps.hexagon;
        }
        game.begin(seed);
        game
    }

    /// Restarts with the same setup and maps.
    fn begin(&mut self, seed: u64) {
        let Setup { players, enhanced, tactical, .. } = self.setup;
        self.rigs = [0; MOST_FIELDS];
        self.blocked = [true; MOST_FIELDS];
        self.turns = 0;
        self.claimed = false;
        self.lay_board(seed);
        let (basic, second) = match (players, tactical) {
            (2, false) => (14, 0),
            (2, true) => (11, 3),
            (3, false) => (11, 0),
            (3, true) => (9, 2),
            (_, false) => (7, 0),
            (_, true) => (6, 1),
        };
        self.left = [Rigs { basic, second }; MOST_PLAYERS];
        // Q1: player 1 begins the basic game of two.
        let first = if players == 2 && !enhanced && !tactical { 0 } else { stream(seed, KEYS.laying).below(players) };
        self.begin_turn(first);
    }

    fn lay_board(&mut self, seed: u64) {
        if self.setup.players == 3 {
            for field in 0..self.geometry.len {
                self.blocked[field] = self.fields[field].is_none();
            }
        } else if self.setup.enhanced {
            // The shuffle fills the stack from the bottom, and tiles are drawn from the top.
            let mut stack = stream(seed, KEYS.stack).shuffle(KEYS.tiles);
            stack.reverse();
            self.order = stack.map(usize::from);
            self.lay_stage(0);
        } else {
            for tile in 0..9 {
                self.lay_tile(tile, tile / 3, tile % 3);
            }
        }
        self.list_free();
    }

    /// Lays three tiles of the growing board.
    fn lay_stage(&mut self, stage: usize) {
        for (index, (row, column)) in GROWTH.into_iter().enumerate().skip(3 * stage).take(3) {
            self.lay_tile(self.order[index], row, column);
        }
    }

    fn lay_tile(&mut self, tile: usize, row: usize, column: usize) {
        for (index, printed) in self.maps.tiles[tile].iter().enumerate() {
            let field = (3 * row + index / 3) * SQUARE + 3 * column + index % 3;
            self.fields[field] = *printed;
            let near = self.geometry.neighbours[field].iter().any(|&other| self.rigs[usize::from(other)] > 0);
            self.blocked[field] = near;
        }
    }

    fn list_free(&mut self) {
        let blocked = &self.blocked[..self.geometry.len];
        self.free.clear();
        self.free.extend(blocked.iter().enumerate().filter(|(_, blocked)| !**blocked).map(|(field, _)| field as u32));
    }

    /// Begins the turn of this seat, or of the next seat with a rig.
    fn begin_turn(&mut self, seat: usize) {
        let players = self.setup.players;
        let Some(seat) = (seat..seat + players).map(|seat| seat % players).find(|&seat| self.left[seat].sum() > 0)
        else {
            return self.end();
        };
        self.seat = seat;
        self.choices.clear();
        self.choices.extend_from_slice(&self.free);
        if self.may_claim() {
            self.choices.extend(CLAIM..CLAIM + 4);
            if self.free.is_empty() {
                self.choices.push(DECLINE);
            }
        }
        // Q8: a blocked board ends the game.
        if self.choices.is_empty() {
            return self.end();
        }
        self.question = Question::Place;
        // A single free field is taken without a question.
        if self.choices.len() == 1 {
            self.answer(0);
        }
    }

    fn may_claim(&self) -> bool {
        self.setup.enhanced && !self.claimed
    }

    fn answer(&mut self, index: usize) {
        let choice = self.choices[index];
        match self.question {
            Question::Place if choice < CLAIM => self.place(choice as usize),
            Question::Place if choice == DECLINE => self.end(),
            Question::Place => self.claim(choice - CLAIM),
            Question::Colour(field) => self.drill(field, choice),
            Question::PayRig => self.pay(choice),
            Question::Over => {}
        }
    }

    /// Returns the colour if the seat has only one left; otherwise asks for the colour.
    fn colour(&mut self, question: Question) -> Option<u32> {
        let left = self.left[self.seat];
        if left.basic > 0 && left.second > 0 {
            self.question = question;
            self.choices.clear();
            self.choices.extend([BASIC, SECOND]);
            return None;
        }
        Some(if left.basic > 0 { BASIC } else { SECOND })
    }

    fn spend(&mut self, colour: u32) {
        let left = &mut self.left[self.seat];
        let rigs = if colour == BASIC { &mut left.basic } else { &mut left.second };
        *rigs -= 1;
    }

    fn place(&mut self, field: usize) {
        if let Some(colour) = self.colour(Question::Colour(field)) {
            self.drill(field, colour);
        }
    }

    /// Puts a rig here and blocks its neighbours, on the hexagon only neighbours of the same ore.
    fn drill(&mut self, field: usize, colour: u32) {
        self.spend(colour);
        self.rigs[field] = if colour == BASIC { 1 } else { 2 };
        self.blocked[field] = true;
        let ore = |field: usize| self.fields[field].map(|(ore, _)| ore);
        for &other in &self.geometry.neighbours[field] {
            let other = usize::from(other);
            if self.setup.players != 3 || ore(other) == ore(field) {
                self.blocked[other] = true;
            }
        }
        let blocked = &self.blocked;
        self.free.retain(|&field| !blocked[field as usize]);
        self.end_turn();
    }

    /// Claims a concession; the other player gets the other concession and the other direction.
    fn claim(&mut self, choice: u32) {
        let (own, other) = if choice < 2 { (TURQUOISE, ORANGE) } else { (ORANGE, TURQUOISE) };
        let direction = choice as usize % 2;
        self.concessions[self.seat] = concession(own, direction);
        self.concessions[1 - self.seat] = concession(other, 1 - direction);
        self.claimed = true;
        if self.setup.claim_bonus_rig {
            self.left[1 - self.seat].basic += 1;
        }
        if let Some(colour) = self.colour(Question::PayRig) {
            self.pay(colour);
        }
    }

    fn pay(&mut self, colour: u32) {
        self.spend(colour);
        self.end_turn();
    }

    fn end_turn(&mut self) {
        self.turns += 1;
        let stage = STAGE_TURNS.iter().position(|&turns| turns == self.turns);
        if let Some(stage) = stage.filter(|_| self.setup.enhanced) {
            self.lay_stage(stage + 1);
            self.list_free();
        }
        self.begin_turn(self.seat + 1);
    }

    /// Ends the game; without a claim, the concessions of the basic game count (Q9).
    fn end(&mut self) {
        if self.may_claim() {
            self.concessions = ON_SQUARE;
        }
        self.choices.clear();
        self.question = Question::Over;
    }

    /// Score of a concession.
    fn score(&self, concession: Concession) -> i32 {
        let mut lines = [(0, 0); 11];
        let of = &self.geometry.line[concession.direction];
        for (field, &times) in self.rigs[..self.geometry.len].iter().enumerate() {
            let Some((ore, value)) = self.fields[field].filter(|_| times > 0) else {
                continue;
            };
            let (rigs, sum) = &mut lines[usize::from(of[field])];
            *rigs += 1;
            *sum += if ore == concession.forbidden { -times * value } else { times * value };
        }
        lines.iter().filter(|(rigs, _)| *rigs >= SCORED).map(|(_, sum)| sum).sum()
    }
}

impl Twin for Atacama {
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
        match self.choices[index] {
            field if field < CLAIM => self.geometry.names[field as usize].clone(),
            choice => LABELS[(choice - CLAIM) as usize].to_owned(),
        }
    }

    fn seat(&self) -> u8 {
        self.seat as u8
    }

    fn ranks(&self) -> Vec<u8> {
        ranks_by(&self.scores())
    }

    fn scores(&self) -> Vec<i32> {
        self.concessions.iter().take(self.setup.players).map(|&concession| self.score(concession)).collect()
    }
}

#[cfg(test)]
mod tests;
