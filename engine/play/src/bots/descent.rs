//! One playout of a search: down the trees, then by the playout policy, to the end of the game or to an evaluated
//! position.

use motherlode::{Decision, Match, MatchError};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::all_choices;
use crate::bots::limits::Limits;
use crate::bots::playout::DECISION_LIMIT;
use crate::bots::policy::PlayoutPolicy;
use crate::bots::trees::{MANY, Trees};
use crate::reward::reward;
use crate::seeds::mix;
use crate::value::evaluator::Evaluator;

/// Maximum seats.
pub(crate) const SEATS: usize = 16;

/// Later turns of the searching seat before a position is evaluated. Zero and three are no stronger at equal time.
const TURNS: u32 = 1;
/// Minimum decisions of all seats before a position is evaluated. If a turn is a single decision, a few decisions say
/// little and the end is near.
const DECISIONS: u32 = 20;

/// Buffers of a playout.
#[derive(Default)]
pub(crate) struct Buffers {
    pub codes: Vec<u64>,
    /// The edges that the playout followed, each with its seat.
    pub path: Vec<(u8, u32)>,
}

/// How a playout ended.
pub(crate) enum PlayoutEnd {
    Rewards([f64; SEATS]),
    Endless,
    /// Exceeded the step budget of a match.
    Costly,
    Failed,
}

/// The parts of the search that a playout uses.
pub(crate) struct Descent<'s> {
    pub trees: Option<&'s mut Trees>,
    /// The searching seat and its limits.
    pub limits: Option<(u8, &'s Limits)>,
    pub policy: &'s mut PlayoutPolicy,
    /// Ends playouts early; `None` plays to the end.
    pub evaluator: Option<&'s mut Evaluator>,
    pub buffers: &'s mut Buffers,
    pub generator: &'s mut Pcg64Mcg,
}

/// The node of a seat after its first answer, given by its code.
pub(crate) fn node_after(seat: u8, code: u64) -> u64 {
    mix(root_node(usize::from(seat)), code)
}

/// The root of a seat's tree.
fn root_node(seat: usize) -> u64 {
    seat as u64
}

impl Descent<'_> {
    /// Continues after an answer of the searching seat, given in this simultaneous phase, that led to `node`.
    pub fn play(&mut self, m: &mut Match, seat: u8, phase: Option<u64>, node: u64) -> PlayoutEnd {
        self.buffers.path.clear();
        self.policy.begin();
        let mut nodes: [u64; SEATS] = std::array::from_fn(root_node);
        nodes[usize::from(seat)] = node;
        let mut is_in_tree = [self.trees.is_some(); SEATS];
        let mut stop = StopRule { seat, phase, last: seat, turns: 0, decisions: 0 };
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = m.decision() else { return final_rewards(m) };
            if let Some(evaluator) = self.evaluator.as_mut().filter(|_| stop.is_reached(m, decision)) {
                return PlayoutEnd::Rewards(per_seat(m, |seat| evaluator.value(m, seat)));
            }
            let (seat, count) = (usize::from(decision.seat), m.choices().len());
            let own = self.limits.filter(|(seat, _)| *seat == decision.seat);
            let allowed =
                own.map(|(_, limits)| limits.allowed(m, decision, &all_choices(m))).filter(|left| left.len() < count);
            let index = match &mut self.trees {
                Some(trees) if is_in_tree[seat] && count > MANY && allowed.is_none() => {
                    let prompt = decision.prompt_index();
                    let node = mix(nodes[seat], prompt as u64 + 1);
                    let expected = |code| self.policy.mean_result(decision.seat, prompt, code);
                    let picked =
                        trees.pick_of_many(node, count, |index| m.choice_code(index), expected, self.generator);
                    let code = m.choice_code(picked.index);
                    self.policy.take(decision.seat, prompt, code);
                    self.buffers.path.push((decision.seat, picked.edge));
                    nodes[seat] = mix(node, code);
                    is_in_tree[seat] = !picked.is_new;
                    picked.index
                }
                Some(trees) if is_in_tree[seat] => {
                    m.choice_codes(&mut self.buffers.codes);
                    if let Some(allowed) = &allowed {
                        self.buffers.codes = allowed.iter().map(|choice| self.buffers.codes[*choice]).collect();
                    }
                    let prompt = decision.prompt_index();
                    let node = mix(nodes[seat], prompt as u64 + 1);
                    let expected = |code| self.policy.mean_result(decision.seat, prompt, code);
                    let picked = trees.pick(node, &self.buffers.codes, expected, self.generator);
                    self.policy.take(decision.seat, prompt, self.buffers.codes[picked.index]);
                    self.buffers.path.push((decision.seat, picked.edge));
                    nodes[seat] = mix(node, self.buffers.codes[picked.index]);
                    is_in_tree[seat] = !picked.is_new;
                    allowed.map_or(picked.index, |allowed| allowed[picked.index])
                }
                _ => self.policy.pick(m, allowed.as_deref(), self.generator),
            };
            match m.answer(index) {
                Ok(()) => {}
                Err(MatchError::Steps(_)) => return PlayoutEnd::Costly,
                Err(_) => return PlayoutEnd::Failed,
            }
        }
        PlayoutEnd::Endless
    }
}

/// Decides when a playout stops before the end of the game.
struct StopRule {
    /// The searching seat.
    seat: u8,
    /// The simultaneous phase of the last answer.
    phase: Option<u64>,
    /// The seat of the last answer.
    last: u8,
    turns: u32,
    decisions: u32,
}

impl StopRule {
    /// Whether to evaluate the position at this decision: after enough turns, and neither in the middle of a turn nor
    /// of a simultaneous phase.
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

fn final_rewards(m: &Match) -> PlayoutEnd {
    let Some(outcome) = m.outcome() else { return PlayoutEnd::Failed };
    let declared = &m.game().declarations().outcome;
    PlayoutEnd::Rewards(per_seat(m, |seat| reward(declared, &outcome, seat)))
}

fn per_seat(m: &Match, mut worth: impl FnMut(u8) -> f64) -> [f64; SEATS] {
    let mut all = [0.0; SEATS];
    (0..m.setup().players).zip(&mut all).for_each(|(seat, of)| *of = worth(seat));
    all
}
