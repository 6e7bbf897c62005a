//! A playout of a search: down the trees, then by habit, to the end of the game or to a position that can be looked up.

use motherlode::{Decision, Match, MatchError};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::all;
use crate::bots::habits::Habits;
use crate::bots::limits::Limits;
use crate::bots::playout::DECISION_LIMIT;
use crate::bots::trees::{MANY, Trees};
use crate::reward::reward;
use crate::seeds::mix;
use crate::value::evaluator::Evaluator;

/// Most seats.
pub(crate) const SEATS: usize = 16;

/// Turns of the seat itself, after that in which it searches, before a position is looked up. None at all, or three of them, are no stronger at equal time.
const TURNS: u32 = 1;
/// Decisions of all seats before that, at least. Where a turn is a single decision, a few of them tell little, and the end is near.
const DECISIONS: u32 = 20;

/// Buffers of one playout.
#[derive(Default)]
pub(crate) struct Room {
    pub codes: Vec<u64>,
    /// The answers that were found in trees.
    pub path: Vec<(u8, u32)>,
}

/// How a playout ended.
pub(crate) enum Ended {
    Worth([f64; SEATS]),
    Endless,
    /// Not within the steps of a match.
    Costly,
    Failed,
}

/// What a playout needs.
pub(crate) struct Descent<'s> {
    pub trees: Option<&'s mut Trees>,
    /// What the seat that searches keeps to.
    pub limits: Option<(u8, &'s Limits)>,
    pub habits: &'s mut Habits,
    /// Without one, playouts go to the end.
    pub evaluator: Option<&'s mut Evaluator>,
    pub room: &'s mut Room,
    pub generator: &'s mut Pcg64Mcg,
}

/// The node to which a seat has come by its first answer, with this code.
pub(crate) fn node_after(seat: u8, code: u64) -> u64 {
    mix(first_node(usize::from(seat)), code)
}

/// The root of a seat's tree.
fn first_node(seat: usize) -> u64 {
    seat as u64
}

impl Descent<'_> {
    /// Plays on after an answer of the seat that searches, given in this simultaneous phase, by which it has come to a node.
    pub fn play(&mut self, m: &mut Match, seat: u8, phase: Option<u64>, node: u64) -> Ended {
        self.room.path.clear();
        self.habits.begin();
        let mut nodes: [u64; SEATS] = std::array::from_fn(first_node);
        nodes[usize::from(seat)] = node;
        let mut in_tree = [self.trees.is_some(); SEATS];
        let mut horizon = Horizon { seat, phase, last: seat, turns: 0, decisions: 0 };
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = m.decision() else { return ended(m) };
            if let Some(evaluator) = self.evaluator.as_mut().filter(|_| horizon.is_reached(m, decision)) {
                return Ended::Worth(of_seats(m, |seat| evaluator.value(m, seat)));
            }
            let (seat, count) = (usize::from(decision.seat), m.choices().len());
            let own = self.limits.filter(|(seat, _)| *seat == decision.seat);
            let allowed = own.map(|(_, limits)| limits.allowed(m, decision, &all(m))).filter(|left| left.len() < count);
            let index = match &mut self.trees {
                Some(trees) if in_tree[seat] && count > MANY && allowed.is_none() => {
                    let prompt = decision.prompt_index();
                    let node = mix(nodes[seat], prompt as u64 + 1);
                    let expected = |code| self.habits.worth(decision.seat, prompt, code);
                    let picked =
                        trees.pick_of_many(node, count, |index| m.choice_code(index), expected, self.generator);
                    let code = m.choice_code(picked.index);
                    self.habits.take(decision.seat, prompt, code);
                    self.room.path.push((decision.seat, picked.edge));
                    nodes[seat] = mix(node, code);
                    in_tree[seat] = !picked.is_new;
                    picked.index
                }
                Some(trees) if in_tree[seat] => {
                    m.choice_codes(&mut self.room.codes);
                    if let Some(allowed) = &allowed {
                        self.room.codes = allowed.iter().map(|choice| self.room.codes[*choice]).collect();
                    }
                    let prompt = decision.prompt_index();
                    let node = mix(nodes[seat], prompt as u64 + 1);
                    let expected = |code| self.habits.worth(decision.seat, prompt, code);
                    let picked = trees.pick(node, &self.room.codes, expected, self.generator);
                    self.habits.take(decision.seat, prompt, self.room.codes[picked.index]);
                    self.room.path.push((decision.seat, picked.edge));
                    nodes[seat] = mix(node, self.room.codes[picked.index]);
                    in_tree[seat] = !picked.is_new;
                    allowed.map_or(picked.index, |allowed| allowed[picked.index])
                }
                _ => self.habits.pick(m, allowed.as_deref(), self.generator),
            };
            match m.answer(index) {
                Ok(()) => {}
                Err(MatchError::Steps(_)) => return Ended::Costly,
                Err(_) => return Ended::Failed,
            }
        }
        Ended::Endless
    }
}

/// How far a playout goes that does not go to the end.
struct Horizon {
    /// The seat that searches.
    seat: u8,
    /// The simultaneous phase in which the last answer was given.
    phase: Option<u64>,
    /// The seat that gave it.
    last: u8,
    turns: u32,
    decisions: u32,
}

impl Horizon {
    /// Whether the position at a decision is to be looked up: that of a later turn, not in the middle of it or when some have answered and others
    /// have not.
    fn is_reached(&mut self, m: &Match, decision: Decision) -> bool {
        let is_open = self.phase.is_some() && m.simultaneous() == self.phase;
        let follows = m.is_mid_hook() && self.last == decision.seat;
        (self.last, self.phase) = (decision.seat, m.simultaneous());
        if !is_open && !follows && (m.is_simultaneous() || decision.seat == self.seat) {
            self.turns += 1;
        }
        self.decisions += 1;
        self.turns > TURNS && self.decisions > DECISIONS && !is_open && !follows
    }
}

fn ended(m: &Match) -> Ended {
    let Some(outcome) = m.outcome() else { return Ended::Failed };
    let declared = &m.game().declarations().outcome;
    Ended::Worth(of_seats(m, |seat| reward(declared, &outcome, seat)))
}

fn of_seats(m: &Match, mut worth: impl FnMut(u8) -> f64) -> [f64; SEATS] {
    let mut all = [0.0; SEATS];
    (0..m.setup().players).zip(&mut all).for_each(|(seat, of)| *of = worth(seat));
    all
}
