//! One playout of a search: down the trees, then by the playout policy, to the end of the game or to an evaluated
//! position.

use motherlode::declare::Goal;
use motherlode::{Decision, Match, MatchError, Snapshot};
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{all_choices, random_index};
use crate::bots::graph::{Graph, MOST_TESTED, Proof, SEATS, Selection};
use crate::bots::limits::Limits;
use crate::bots::lines::LineValue;
use crate::bots::playout::{DECISION_LIMIT, MOST_ENDLESS};
use crate::bots::policy::PlayoutPolicy;
use crate::bots::trees::{MANY, Trees};
use crate::observation::ObservationSpace;
use crate::reward::{first_place, reward};
use crate::seeds::mix;
use crate::value::evaluator::Evaluator;

/// Later turns of the searching seat before a position is evaluated. Zero and three are no stronger at equal time.
const TURNS: u32 = 1;
/// Minimum decisions of all seats before a position is evaluated. If a turn is a single decision, a few decisions say
/// little and the end is near.
const DECISIONS: u32 = 20;
/// Percentage of answers below the graph that have the best value of lines, where one is learned.
const BY_LINES: usize = 80;

/// Buffers of a playout.
#[derive(Default)]
pub(crate) struct Buffers {
    pub codes: Vec<u64>,
    /// An observation.
    pub seen: Vec<f32>,
    /// The edges that the playout followed, each with its seat.
    pub path: Vec<(u8, u32)>,
    /// A position whose choices are tested.
    pub position: Snapshot,
    /// The position before the last answer below the graph.
    pub before: Snapshot,
    /// The choices at `before` that are not refuted.
    pub open: Vec<usize>,
    /// The values of lines after each choice at `before`.
    pub worth: Vec<f32>,
    /// The same at the next position; empty if a choice draws random numbers.
    pub next_worth: Vec<f32>,
}

/// How a playout ended.
pub(crate) enum PlayoutEnd {
    Rewards([f64; SEATS]),
    /// The game ended right after a choice in the graph.
    Ended(Proof),
    /// Reached a position or a choice whose result is proven.
    Proven,
    Endless,
    /// Exceeded the step budget of a match.
    Costly,
    Failed,
}

impl PlayoutEnd {
    /// The end of a playout whose answer the match refused.
    const fn without_result(error: &MatchError) -> Self {
        match error {
            MatchError::Steps(_) => Self::Costly,
            _ => Self::Failed,
        }
    }

    /// Number of endless playouts as which a playout without a result counts: a costly one ends the search.
    pub fn weight(&self) -> u32 {
        match self {
            Self::Costly => MOST_ENDLESS,
            Self::Endless => 1,
            _ => 0,
        }
    }
}

/// The results that a search keeps of its playouts.
pub(crate) enum Memory<'s> {
    None,
    /// A tree for each seat.
    Trees(&'s mut Trees),
    /// One graph, whose nodes are positions.
    Graph(&'s mut Graph),
}

/// The parts of the search that a playout uses.
pub(crate) struct Descent<'s> {
    pub memory: Memory<'s>,
    /// The observations of the game, by which the results in trees are divided; `None` leaves them undivided.
    pub space: Option<&'s ObservationSpace>,
    /// The choices to try at the first decision of a playout in a graph.
    pub first: Option<&'s [usize]>,
    /// The searching seat and its limits.
    pub limits: Option<(u8, &'s Limits)>,
    pub policy: &'s mut PlayoutPolicy,
    /// Chooses most answers below the graph; `None` without lines to learn.
    pub lines: Option<&'s mut LineValue>,
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
        self.lines.iter_mut().for_each(|lines| lines.begin_playout());
        let mut nodes: [u64; SEATS] = std::array::from_fn(root_node);
        nodes[usize::from(seat)] = node;
        let mut is_in_tree = [matches!(self.memory, Memory::Trees(_)); SEATS];
        let mut is_in_graph = matches!(self.memory, Memory::Graph(_));
        // With another goal, no result is certainly the best.
        let may_win = m.game().declarations().outcome.goal == Goal::Rank;
        let mut stop = StopRule { seat, phase, last: seat, turns: 0, decisions: 0 };
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = m.decision() else {
                return match proof(m) {
                    None => PlayoutEnd::Failed,
                    Some(proof) if is_in_graph => PlayoutEnd::Ended(proof),
                    Some(proof) => PlayoutEnd::Rewards(proof.rewards),
                };
            };
            let stops = self.evaluator.is_some() && stop.is_reached(m, decision) && !is_in_graph;
            if let Some(evaluator) = self.evaluator.as_mut().filter(|_| stops) {
                return PlayoutEnd::Rewards(per_seat(m, |seat| evaluator.value(m, seat)));
            }
            let own = self.limits.filter(|(seat, _)| *seat == decision.seat);
            let first = self.first.take().map(<[usize]>::to_vec);
            let allowed = first
                .or_else(|| own.map(|(_, limits)| limits.allowed(m, decision, &all_choices(m))))
                .filter(|left| left.len() < m.choices().len());
            let seat = usize::from(decision.seat);
            let index = if is_in_graph {
                self.lines.iter_mut().for_each(|lines| lines.note(m));
                let key = m.position_key();
                if allowed.is_none() && self.proves(m, decision, key) {
                    return PlayoutEnd::Proven;
                }
                match self.pick_at_position(m, decision, key, allowed.as_deref()) {
                    Selection::Choice(index) => index,
                    Selection::Proven => return PlayoutEnd::Proven,
                    Selection::Outside => {
                        is_in_graph = false;
                        self.policy.pick(m, allowed.as_deref(), self.generator)
                    }
                }
            } else if is_in_tree[seat] {
                self.pick_in_tree(m, decision, allowed.as_deref(), &mut nodes[seat], &mut is_in_tree[seat])
            } else {
                self.policy.pick(m, allowed.as_deref(), self.generator)
            };
            let draws = is_in_graph.then(|| m.draws());
            if let Err(error) = m.answer(index) {
                return PlayoutEnd::without_result(&error);
            }
            if let (Memory::Graph(graph), Some(draws)) = (&mut self.memory, draws) {
                if m.draws() != draws {
                    graph.note_chance();
                }
                is_in_graph = !graph.is_at_new_edge() || m.is_over();
                if let Some(next) = m.decision().filter(|_| !is_in_graph)
                    && self.proves(m, next, m.position_key())
                {
                    return PlayoutEnd::Proven;
                }
                if may_win && !is_in_graph && !m.is_over() && self.limits.is_none() && self.evaluator.is_none() {
                    return self.play_below(m);
                }
            }
        }
        PlayoutEnd::Endless
    }

    /// Plays on below the graph: a seat wins at once where it can, and avoids answers after which the next seat can.
    fn play_below(&mut self, m: &mut Match) -> PlayoutEnd {
        let mut is_tested = false;
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = m.decision() else {
                return proof(m).map_or(PlayoutEnd::Failed, |proof| PlayoutEnd::Rewards(proof.rewards));
            };
            self.lines.iter_mut().for_each(|lines| lines.note(m));
            let count = m.choices().len();
            let Memory::Graph(graph) = &self.memory else { return PlayoutEnd::Failed };
            if count < 2 || !graph.is_worth_testing_outside(count) {
                let index = self.policy.pick(m, None, self.generator);
                if let Err(error) = m.answer(index) {
                    return PlayoutEnd::without_result(&error);
                }
                is_tested = false;
                continue;
            }
            if !is_tested && let Some(won) = self.win(m, decision) {
                return PlayoutEnd::Rewards(won.rewards);
            }
            m.snapshot_into(&mut self.buffers.before);
            std::mem::swap(&mut self.buffers.worth, &mut self.buffers.next_worth);
            self.buffers.open.clear();
            self.buffers.open.extend(0..count);
            loop {
                let open = std::mem::take(&mut self.buffers.open);
                let index = self.pick_open(m, decision, &open);
                self.buffers.open = open;
                if let Err(error) = m.answer(index) {
                    return PlayoutEnd::without_result(&error);
                }
                let next = m.decision();
                is_tested = next.is_some_and(|next| next.seat != decision.seat) && m.choices().len() <= MOST_TESTED;
                let Some(next) = next.filter(|_| is_tested) else { break };
                let Some(won) = self.win(m, next) else { break };
                // The next seat wins at once: try another answer.
                self.buffers.open.retain(|other| *other != index);
                if self.buffers.open.is_empty() {
                    return PlayoutEnd::Rewards(won.rewards);
                }
                self.policy.take_back();
                if m.restore(&self.buffers.before).is_err() {
                    return PlayoutEnd::Failed;
                }
            }
        }
        PlayoutEnd::Endless
    }

    /// Picks one of the choices that are not refuted, mostly by the value of lines.
    fn pick_open(&mut self, m: &Match, decision: Decision, open: &[usize]) -> usize {
        let worth = &self.buffers.worth;
        if open.len() < 2 || worth.len() < m.choices().len() || random_index(100, self.generator) >= BY_LINES {
            return self.policy.pick(m, Some(open), self.generator);
        }
        // Break ties at random.
        let (before, from) = open.split_at(random_index(open.len(), self.generator));
        let better = |one: usize, other: usize| if worth[other] > worth[one] { other } else { one };
        let best = from.iter().chain(before).copied().reduce(better).unwrap_or(0);
        self.policy.take(decision.seat, decision.prompt_index(), m.choice_code(best));
        best
    }

    /// The result of a choice that ends the game and is best for the seat that chooses, if there is one. If there is
    /// none, the values of lines after all choices are noted.
    fn win(&mut self, m: &mut Match, decision: Decision) -> Option<Proof> {
        m.snapshot_into(&mut self.buffers.position);
        let (mut won, mut is_certain) = (None, self.lines.is_some());
        self.buffers.next_worth.clear();
        for index in 0..m.choices().len() {
            let draws = m.draws();
            let is_answered = m.answer(index).is_ok();
            is_certain &= is_answered && m.draws() == draws;
            let mut worth = 0.0;
            if is_answered && m.draws() == draws && m.is_over() {
                let proof = proof(m);
                worth = proof.map_or(0.0, |proof| proof.rewards[usize::from(decision.seat)] as f32);
                won = proof.filter(|proof| proof.best_for >> decision.seat & 1 == 1);
            } else if let Some(lines) = self.lines.as_ref().filter(|_| is_certain) {
                worth = lines.value(m, decision.seat);
            }
            self.buffers.next_worth.push(worth);
            if m.restore(&self.buffers.position).is_err() || won.is_some() {
                break;
            }
        }
        if !is_certain {
            self.buffers.next_worth.clear();
        }
        if let Memory::Graph(graph) = &mut self.memory {
            graph.note_test(won.is_some());
        }
        won
    }

    /// Tests which choices end the game, if the position is new; returns whether its result is proven.
    fn proves(&mut self, m: &mut Match, decision: Decision, key: u64) -> bool {
        let Memory::Graph(graph) = &mut self.memory else { return false };
        let count = m.choices().len();
        if !graph.is_worth_testing(key, count) || self.limits.is_some_and(|(seat, _)| seat == decision.seat) {
            return false;
        }
        m.snapshot_into(&mut self.buffers.position);
        let mut ends = Vec::new();
        for index in 0..count {
            let draws = m.draws();
            if m.answer(index).is_ok()
                && m.draws() == draws
                && let Some(proof) = proof(m)
            {
                ends.push((index, proof));
            }
            if m.restore(&self.buffers.position).is_err() {
                return false;
            }
        }
        graph.prove(key, decision.seat, count, &ends)
    }

    /// Picks an answer in the graph of positions.
    fn pick_at_position(&mut self, m: &Match, decision: Decision, key: u64, allowed: Option<&[usize]>) -> Selection {
        let Memory::Graph(graph) = &mut self.memory else { return Selection::Outside };
        let count = allowed.map_or(m.choices().len(), <[usize]>::len);
        if count > MANY {
            return Selection::Outside;
        }
        let prompt = decision.prompt_index();
        let code = |index: usize| m.choice_code(allowed.map_or(index, |allowed| allowed[index]));
        let expected = |index: usize| self.policy.mean_result(decision.seat, prompt, code(index));
        let picked = graph.pick(key, decision.seat, count, expected, self.generator);
        if let Selection::Choice(index) = picked {
            self.policy.take(decision.seat, prompt, code(index));
            return Selection::Choice(allowed.map_or(index, |allowed| allowed[index]));
        }
        picked
    }

    /// Picks an answer in the tree of a seat, which is at `node`.
    fn pick_in_tree(
        &mut self,
        m: &Match,
        decision: Decision,
        allowed: Option<&[usize]>,
        node: &mut u64,
        is_in_tree: &mut bool,
    ) -> usize {
        let Memory::Trees(trees) = &mut self.memory else { return 0 };
        let (count, prompt) = (m.choices().len(), decision.prompt_index());
        let at = mix(*node, prompt as u64 + 1);
        let expected = |code| self.policy.mean_result(decision.seat, prompt, code);
        let (picked, code) = if count > MANY && allowed.is_none() {
            let picked = trees.pick_of_many(at, count, |index| m.choice_code(index), expected, self.generator);
            let code = m.choice_code(picked.index);
            (picked, code)
        } else {
            m.choice_codes(&mut self.buffers.codes);
            if let Some(allowed) = allowed {
                self.buffers.codes = allowed.iter().map(|choice| self.buffers.codes[*choice]).collect();
            }
            let space = self.space.filter(|_| trees.is_divided(at));
            let set = space.map(|space| mix(at, observation_key(space, m, decision.seat, &mut self.buffers.seen)));
            let picked = trees.pick(at, set, &self.buffers.codes, expected, self.generator);
            let code = self.buffers.codes[picked.index];
            (picked, code)
        };
        self.policy.take(decision.seat, prompt, code);
        let edges = std::iter::once(picked.edge).chain(picked.set_edge);
        self.buffers.path.extend(edges.map(|edge| (decision.seat, edge)));
        *node = mix(at, code);
        *is_in_tree = !picked.is_new;
        allowed.map_or(picked.index, |allowed| allowed[picked.index])
    }
}

/// The result of a match that is over.
fn proof(m: &Match) -> Option<Proof> {
    let (outcome, declared) = (m.outcome()?, &m.game().declarations().outcome);
    let rewards = per_seat(m, |seat| reward(declared, &outcome, seat));
    let is_best = |seat: u8| match declared.goal {
        Goal::Rank => first_place(outcome.won, &outcome.ranks, seat.into()) >= 1.0,
        Goal::Score | Goal::Margin => rewards[usize::from(seat)] >= 1.0,
    };
    let best_for = (0..m.setup().players).filter(|seat| is_best(*seat)).fold(0, |bits, seat| bits | 1 << seat);
    Some(Proof { rewards, best_for })
}

/// A hash of the seat's observation: with its own answers, the key of its information set.
fn observation_key(space: &ObservationSpace, m: &Match, seat: u8, seen: &mut Vec<f32>) -> u64 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    seen.resize(space.len(), 0.0);
    space.write(m, seat, seen);
    // Lanes that do not wait for each other take a quarter of the time.
    let mut lanes = [1u64; 4];
    let add = |lane: &mut u64, number: u64| *lane = (lane.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    let eights = seen.chunks_exact(8);
    eights.remainder().iter().for_each(|number| add(&mut lanes[0], number.to_bits().into()));
    for eight in eights {
        for (lane, pair) in lanes.iter_mut().zip(eight.chunks_exact(2)) {
            add(lane, u64::from(pair[0].to_bits()) << 32 | u64::from(pair[1].to_bits()));
        }
    }
    lanes.into_iter().fold(0, mix)
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

fn per_seat(m: &Match, mut worth: impl FnMut(u8) -> f64) -> [f64; SEATS] {
    let mut all = [0.0; SEATS];
    (0..m.setup().players).zip(&mut all).for_each(|(seat, of)| *of = worth(seat));
    all
}
