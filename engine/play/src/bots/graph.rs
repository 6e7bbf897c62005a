//! The search graph of a public game: its nodes are positions, whatever answers led to them.
//!
//! At each node, the seat that is asked picks an answer by upper confidence bounds (Kocsis and Szepesvári, "Bandit
//! based Monte-Carlo planning", 2006). Certain results are proven and passed back to earlier positions (Winands,
//! Björnsson and Saito, "Monte-Carlo tree search solver", 2008). A proven answer needs no more playouts, and a proven
//! root ends the search. An answer that draws random numbers is never proven.
//!
//! Below the graph, a seat wins at once where it can, and avoids answers after which the next seat can (Teytaud and
//! Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms", 2010), as long as such tests
//! find enough.

use std::collections::BTreeMap;
use std::ops::Range;

use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{random_index, random_order};

/// Maximum seats.
pub(crate) const SEATS: usize = 16;
/// Weight of exploration in the upper confidence bound, relative to the spread of the results.
const EXPLORATION: f64 = 0.35;
/// Growth of this weight with the visits of a position, and the visits after which it begins (Silver et al. 2018).
const GROWTH: f64 = 0.2;
const GROWS_FROM: f64 = 4000.0;
/// Weight of the best result for an untried choice, beside the expected one ("first play urgency").
const URGENCY: f64 = 0.5;
/// Minimum spread of results that scales the exploration.
const LEAST_SPREAD: f64 = 0.01;
/// Maximum edges, about 64 MiB. The graph then stops to grow, and playouts leave it earlier.
const MAX_EDGES: usize = 1 << 22;
/// Maximum choices that are tested for the end of the game.
pub(crate) const MOST_TESTED: usize = 64;
/// Positions are tested while at least one in so many has a choice that ends the game, after the first tests.
const ONE_IN: u32 = 16;
const TESTS: u32 = 64;
/// Marks the absence of a proof.
const NONE: u32 = u32::MAX;

/// The positions that a search has reached.
#[derive(Default)]
pub(crate) struct Graph {
    /// The node of each position, by its key.
    by_key: BTreeMap<u64, u32>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    proofs: Vec<Proof>,
    /// The smallest and the largest result.
    spread: Option<(f64, f64)>,
    /// The steps of the current playout within the graph.
    path: Vec<Step>,
    /// Number of the current playout.
    playout: u32,
    /// The proof that ended the current playout, an index into `proofs`.
    ended: u32,
    /// Positions whose choices were tested for the end of the game, and those where a choice ended it.
    tested: u32,
    ends: u32,
    /// The same outside the graph, since the game began; only an end counts that is best for the seat that chooses.
    tested_outside: u32,
    wins_outside: u32,
    /// A buffer: the untried choices of a node.
    untried: Vec<usize>,
}

/// A position.
struct Node {
    /// Index of its first edge; it has one for each choice.
    first: u32,
    count: u32,
    visits: u32,
    /// The seat that is asked.
    seat: u8,
    /// The last playout that reached it.
    reached: u32,
    /// Index into `proofs`.
    proof: u32,
}

/// A choice at a position.
#[derive(Clone)]
struct Edge {
    /// Sum of the results of the seat that chooses.
    total: f64,
    visits: u32,
    /// Index into `proofs`.
    proof: u32,
}

/// A certain result.
#[derive(Clone, Copy)]
pub(crate) struct Proof {
    pub rewards: [f64; SEATS],
    /// The seats for which no result is better, as bits.
    pub best_for: u16,
}

/// A choice that the current playout took.
struct Step {
    node: u32,
    edge: u32,
    /// Whether nothing random happened after it.
    is_certain: bool,
}

/// The next step of a playout at a position.
pub(crate) enum Selection {
    /// Take a choice, given by its index.
    Choice(usize),
    /// End: the position or the best choice is proven.
    Proven,
    /// Leave the graph.
    Outside,
}

impl Graph {
    /// Forgets everything, before another game.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        let (path, untried) = (std::mem::take(&mut self.path), std::mem::take(&mut self.untried));
        let Self { tested_outside, wins_outside, .. } = *self;
        *self = Self { path, untried, tested_outside, wins_outside, ..Self::default() };
    }

    /// Gives the choices of a position these results in advance: the sum and the number of each.
    pub fn expect(&mut self, key: u64, seat: u8, results: &[(f64, u32)]) {
        let Some(node) = self.node(key, seat, results.len()) else { return };
        let edges = self.edges_of(node);
        for (edge, &(total, visits)) in self.edges[edges].iter_mut().zip(results) {
            (edge.total, edge.visits) = (total, visits);
        }
    }

    /// Begins a playout.
    pub fn begin(&mut self) {
        self.path.clear();
        self.playout += 1;
    }

    /// Selects one of `count` choices of `seat` at a position. `expected` returns the expected result of an untried
    /// choice.
    pub fn pick(
        &mut self,
        key: u64,
        seat: u8,
        count: usize,
        expected: impl Fn(usize) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Selection {
        let Some(node) = self.node(key, seat, count) else { return Selection::Outside };
        let Node { visits, reached, proof, .. } = self.nodes[node as usize];
        if proof != NONE {
            self.ended = proof;
            return Selection::Proven;
        }
        // A playout that comes back to a position learns nothing there.
        if reached == self.playout {
            return Selection::Outside;
        }
        let spread = self.spread.map_or(1.0, |(least, most)| (most - least).max(LEAST_SPREAD));
        let log = f64::from(visits + 1).ln();
        let exploration = (EXPLORATION + GROWTH * (f64::from(visits) / GROWS_FROM).ln_1p()) * spread;
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        self.untried.clear();
        for (index, edge) in self.edges[self.edges_of(node)].iter().enumerate() {
            let bound = if edge.proof != NONE {
                self.proofs[edge.proof as usize].rewards[usize::from(seat)]
            } else if edge.visits == 0 {
                self.untried.push(index);
                continue;
            } else {
                let visits = f64::from(edge.visits);
                edge.total / visits + exploration * (log / visits).sqrt()
            };
            if bound > most {
                (best, most) = (index, bound);
            }
        }
        // Break ties at random.
        if !self.untried.is_empty() {
            let turn = random_index(self.untried.len(), generator);
            self.untried.rotate_left(turn);
        }
        for &index in &self.untried {
            let bound = (1.0 - URGENCY) * expected(index) + URGENCY + exploration * log.sqrt();
            if bound > most {
                (best, most) = (index, bound);
            }
        }
        let edge = self.nodes[node as usize].first + best as u32;
        self.nodes[node as usize].reached = self.playout;
        self.path.push(Step { node, edge, is_certain: true });
        self.ended = self.edges[edge as usize].proof;
        if self.ended == NONE { Selection::Choice(best) } else { Selection::Proven }
    }

    /// Whether to test which choices of a position end the game: it is new, and such tests have found enough.
    pub fn is_worth_testing(&self, key: u64, count: usize) -> bool {
        count <= MOST_TESTED && self.ends * ONE_IN + TESTS >= self.tested && !self.by_key.contains_key(&key)
    }

    /// Whether to test which choices of a position outside the graph win at once: such tests have found enough.
    pub fn is_worth_testing_outside(&self, count: usize) -> bool {
        count <= MOST_TESTED && self.wins_outside * ONE_IN + TESTS >= self.tested_outside
    }

    /// Notes a test outside the graph.
    pub fn note_test(&mut self, wins: bool) {
        self.tested_outside += 1;
        self.wins_outside += u32::from(wins);
    }

    /// Proves choices of a new position that end the game; returns whether they prove its result.
    pub fn prove(&mut self, key: u64, seat: u8, count: usize, ends: &[(usize, Proof)]) -> bool {
        self.tested += 1;
        self.ends += u32::from(!ends.is_empty());
        let Some(node) = self.node(key, seat, count) else { return false };
        for &(index, proof) in ends {
            let edge = self.nodes[node as usize].first as usize + index;
            self.edges[edge].proof = self.keep(proof);
        }
        self.ended = self.solve(node);
        self.ended != NONE
    }

    /// Records that the last choice drew random numbers.
    pub fn note_chance(&mut self) {
        if let Some(step) = self.path.last_mut() {
            step.is_certain = false;
        }
    }

    /// Whether the last choice of the playout had not been tried before.
    pub fn is_at_new_edge(&self) -> bool {
        self.path.last().is_some_and(|step| self.edges[step.edge as usize].visits == 0)
    }

    /// Adds the results of the playout. `proof`: the game ended right after the last choice in the graph.
    pub fn add(&mut self, rewards: &[f64], proof: Option<Proof>) {
        let proof = proof.map_or(NONE, |proof| self.keep(proof));
        self.pass_back(rewards, proof);
    }

    /// Adds the results of the playout, which are those of a proof if there is one.
    fn pass_back(&mut self, rewards: &[f64], mut proof: u32) {
        for reward in rewards {
            let (least, most) = self.spread.unwrap_or((*reward, *reward));
            self.spread = Some((least.min(*reward), most.max(*reward)));
        }
        let mut is_proving = true;
        for place in (0..self.path.len()).rev() {
            let Step { node, edge, is_certain } = self.path[place];
            self.nodes[node as usize].visits += 1;
            let seat = self.nodes[node as usize].seat;
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += rewards.get(usize::from(seat)).copied().unwrap_or_default();
            is_proving &= is_certain && proof != NONE;
            if is_proving {
                edge.proof = proof;
                proof = self.solve(node);
            }
        }
    }

    /// Adds the results of a playout that ended at a proven position or choice; returns them.
    pub fn add_proven(&mut self, players: usize) -> Option<[f64; SEATS]> {
        let rewards = self.proofs.get(self.ended as usize)?.rewards;
        self.pass_back(&rewards[..players], self.ended);
        Some(rewards)
    }

    /// Adds a playout without a result.
    pub fn add_failure(&mut self) {
        for Step { node, edge, .. } in &self.path {
            self.nodes[*node as usize].visits += 1;
            self.edges[*edge as usize].visits += 1;
        }
    }

    /// Whether the result of a position is proven.
    pub fn is_proven(&self, key: u64) -> bool {
        self.by_key.get(&key).is_some_and(|node| self.nodes[*node as usize].proof != NONE)
    }

    /// The best choice at a position: a proven one, or the one with most visits; one of them at random if several are
    /// equal. `None` without a playout.
    pub fn best(&self, key: u64, generator: &mut Pcg64Mcg) -> Option<usize> {
        let node = *self.by_key.get(&key)?;
        let seat = usize::from(self.nodes[node as usize].seat);
        let edges = &self.edges[self.edges_of(node)];
        let order = random_order(edges.len(), generator);
        let proven = |at: usize| self.proofs.get(edges[at].proof as usize).map(|proof| proof.rewards[seat]);
        let mean = |at: usize| proven(at).unwrap_or(edges[at].total / f64::from(edges[at].visits.max(1)));
        let open = order.iter().copied().filter(|at| edges[*at].visits > 0 && proven(*at).is_none());
        let most_visited = open.reduce(|one, other| if edges[other].visits > edges[one].visits { other } else { one });
        let certain = order.iter().copied().filter(|at| proven(*at).is_some());
        let best_proven = certain.reduce(|one, other| if mean(other) > mean(one) { other } else { one });
        match (most_visited, best_proven) {
            (Some(one), Some(other)) if mean(other) >= mean(one) => Some(other),
            (one, other) => one.or(other),
        }
    }

    /// The node of a position; a new one if there is room.
    fn node(&mut self, key: u64, seat: u8, count: usize) -> Option<u32> {
        if let Some(&node) = self.by_key.get(&key) {
            return (self.nodes[node as usize].count as usize == count).then_some(node);
        }
        if self.edges.len() + count > MAX_EDGES {
            return None;
        }
        let (node, first) = (self.nodes.len() as u32, self.edges.len() as u32);
        self.edges.resize(self.edges.len() + count, Edge { total: 0.0, visits: 0, proof: NONE });
        self.nodes.push(Node { first, count: count as u32, visits: 0, seat, reached: 0, proof: NONE });
        self.by_key.insert(key, node);
        Some(node)
    }

    fn edges_of(&self, node: u32) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.first as usize..(node.first + node.count) as usize
    }

    fn keep(&mut self, proof: Proof) -> u32 {
        self.proofs.push(proof);
        self.proofs.len() as u32 - 1
    }

    /// Proves the result of a position if its edges do; returns the proof. The seat takes its best result, and nothing
    /// is better than the best possible one.
    fn solve(&mut self, node: u32) -> u32 {
        let seat = usize::from(self.nodes[node as usize].seat);
        let (mut best, mut are_all) = (NONE, true);
        for edge in &self.edges[self.edges_of(node)] {
            let Some(proof) = self.proofs.get(edge.proof as usize) else {
                are_all = false;
                continue;
            };
            if best == NONE || proof.rewards[seat] > self.proofs[best as usize].rewards[seat] {
                best = edge.proof;
            }
        }
        let is_best = self.proofs.get(best as usize).is_some_and(|proof| proof.best_for >> seat & 1 == 1);
        if are_all || is_best {
            self.nodes[node as usize].proof = best;
        }
        self.nodes[node as usize].proof
    }
}
