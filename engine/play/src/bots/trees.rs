//! Search trees: one per seat, over its own answers.

use std::collections::BTreeMap;

use rand_pcg::Pcg64Mcg;

use crate::bots::bot::random_index;

/// Weight of exploration in the upper confidence bound, for results from 0 to 1.
const EXPLORATION: f64 = 0.25;
/// Minimum spread of results that scales the exploration.
const LEAST_SPREAD: f64 = 0.01;

/// Above this many choices, a visit compares only some of them.
pub(crate) const MANY: usize = 512;
/// Choices sampled per visit of a node with more than [`MANY`] choices.
const DRAWN: usize = 8;
/// Edges allowed at a new node, and additional edges per square root of its visits ("progressive widening": Coulom,
/// "Computing Elo ratings of move patterns in the game of Go", 2007).
const WIDTH: f64 = 8.0;
const WIDENING: f64 = 2.0;

/// Marks the absence of an edge.
const NONE: u32 = u32::MAX;

/// The trees of all seats, with nodes identified by hashes.
pub(crate) struct Trees {
    /// Weight of exploration; narrower if the results are.
    exploration: f64,
    /// The smallest and the largest noted result.
    noted: (f64, f64),
    /// The first edge of each node.
    nodes: BTreeMap<u64, u32>,
    edges: Vec<Edge>,
    /// A buffer: the choices of a decision that have no edge yet.
    untried: Vec<usize>,
}

/// An answer tried at a node.
struct Edge {
    code: u64,
    visits: u32,
    /// How often the choice was available since its edge exists: choices come and go with the determinization
    /// (Cowling, Powley and Whitehouse 2012).
    available: u32,
    total: f64,
    /// The next edge of the node.
    next: u32,
    /// The index at which the choice was last listed.
    index: u32,
}

impl Edge {
    fn bound(&self, exploration: f64) -> f64 {
        // A visit whose playout failed is not counted.
        let visits = f64::from(self.visits.max(1));
        self.total / visits + exploration * (f64::from(self.available).ln() / visits).sqrt()
    }
}

/// The answer selected at a node.
pub(crate) struct Selection {
    pub index: usize,
    pub edge: u32,
    /// Whether the answer is untried.
    pub is_new: bool,
}

impl Default for Trees {
    fn default() -> Self {
        let (nodes, edges, untried) = Default::default();
        Self { exploration: EXPLORATION, noted: (f64::INFINITY, f64::NEG_INFINITY), nodes, edges, untried }
    }
}

impl Trees {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.exploration = EXPLORATION;
        self.noted = (f64::INFINITY, f64::NEG_INFINITY);
    }

    /// Narrows the exploration to the spread of the results since the last [`clear`](Self::clear). A declared range of
    /// scores may be much wider than the scores of one decision.
    pub fn note(&mut self, rewards: &[f64]) {
        let widen = |(least, most): (f64, f64), reward: &f64| (least.min(*reward), most.max(*reward));
        self.noted = rewards.iter().fold(self.noted, widen);
        self.exploration = EXPLORATION * (self.noted.1 - self.noted.0).max(LEAST_SPREAD);
    }

    /// Selects one of the choices with these codes by upper confidence bounds. An untried choice counts as one visit
    /// with the result that `expected` returns.
    pub fn pick(
        &mut self,
        node: u64,
        codes: &[u64],
        expected: impl Fn(u64) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Selection {
        let first = self.nodes.get(&node).copied().unwrap_or(NONE);
        let (mut best, mut most) = (Selection { index: 0, edge: NONE, is_new: true }, f64::NEG_INFINITY);
        let mut visits = 1;
        self.untried.clear();
        for (index, &code) in codes.iter().enumerate() {
            let Some(at) = self.find(first, code) else {
                self.untried.push(index);
                continue;
            };
            let edge = &mut self.edges[at as usize];
            edge.available += 1;
            visits += edge.visits;
            let bound = edge.bound(self.exploration);
            if bound > most {
                (best, most) = (Selection { index, edge: at, is_new: false }, bound);
            }
        }
        let width = self.exploration * f64::from(visits).ln().sqrt();
        // Break ties at random.
        if !self.untried.is_empty() {
            let turn = random_index(self.untried.len(), generator);
            self.untried.rotate_left(turn);
        }
        for &index in &self.untried {
            let bound = expected(codes[index]) + width;
            if bound > most {
                (best, most) = (Selection { index, edge: NONE, is_new: true }, bound);
            }
        }
        if best.is_new { self.begin(node, first, best.index, codes[best.index]) } else { best }
    }

    /// As [`pick`](Self::pick) for more than [`MANY`] choices, in time independent of their number.
    ///
    /// Choices are tried in random order; more visits to a node admit more of them. `code` returns the code of a
    /// choice. A tried choice counts as available if its index has not changed.
    pub fn pick_of_many(
        &mut self,
        node: u64,
        count: usize,
        code: impl Fn(usize) -> u64,
        expected: impl Fn(u64) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Selection {
        let first = self.nodes.get(&node).copied().unwrap_or(NONE);
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        let (mut visits, mut edges, mut at) = (1, 0, first);
        while at != NONE {
            let edge = &mut self.edges[at as usize];
            let index = edge.index as usize;
            if index < count && code(index) == edge.code {
                edge.available += 1;
                let bound = edge.bound(self.exploration);
                if bound > most {
                    (best, most) = (Some(Selection { index, edge: at, is_new: false }), bound);
                }
            }
            visits += edge.visits;
            edges += 1;
            at = edge.next;
        }
        if best.is_some() && f64::from(edges) >= WIDTH + WIDENING * f64::from(visits).sqrt() {
            return best.unwrap_or(Selection { index: 0, edge: NONE, is_new: true });
        }
        let width = self.exploration * f64::from(visits).ln().sqrt();
        for _ in 0..DRAWN {
            let index = random_index(count, generator);
            let code = code(index);
            if let Some(at) = self.find(first, code) {
                self.edges[at as usize].index = u32::try_from(index).unwrap_or(NONE);
                best.get_or_insert(Selection { index, edge: at, is_new: false });
                continue;
            }
            let bound = expected(code) + width;
            if bound > most {
                (best, most) = (Some(Selection { index, edge: NONE, is_new: true }), bound);
            }
        }
        match best {
            Some(picked) if !picked.is_new => picked,
            picked => {
                let index = picked.map_or(0, |picked| picked.index);
                self.begin(node, first, index, code(index))
            }
        }
    }

    fn begin(&mut self, node: u64, first: u32, index: usize, code: u64) -> Selection {
        let edge = u32::try_from(self.edges.len()).unwrap_or(NONE);
        let place = u32::try_from(index).unwrap_or(NONE);
        self.edges.push(Edge { code, visits: 0, available: 1, total: 0.0, next: first, index: place });
        self.nodes.insert(node, edge);
        Selection { index, edge, is_new: true }
    }

    fn find(&self, first: u32, code: u64) -> Option<u32> {
        let mut at = first;
        while at != NONE {
            let edge = &self.edges[at as usize];
            if edge.code == code {
                return Some(at);
            }
            at = edge.next;
        }
        None
    }

    /// Adds the result of a playout to an edge.
    pub fn reward(&mut self, edge: u32, reward: f64) {
        let edge = &mut self.edges[edge as usize];
        edge.visits += 1;
        edge.total += reward;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rand::SeedableRng as _;

    use super::*;

    /// The number of choices compared in this many visits of a node with 4,000 choices, and how often a good one was
    /// selected.
    fn visit(visits: usize) -> (usize, u32) {
        let (mut trees, mut generator) = (Trees::default(), Pcg64Mcg::seed_from_u64(1));
        let (looked, mut best) = (Cell::new(0), 0);
        let code = |index: usize| {
            looked.set(looked.get() + 1);
            index as u64
        };
        for _ in 0..visits {
            let picked = trees.pick_of_many(7, 4000, code, |_| 0.5, &mut generator);
            // One in ten is good.
            let is_good = picked.index % 10 == 0;
            best += u32::from(is_good);
            trees.reward(picked.edge, if is_good { 1.0 } else { 0.0 });
        }
        (looked.get(), best)
    }

    #[test]
    fn a_visit_looks_at_few_of_many_choices() {
        let (looked, best) = visit(2000);
        assert!(looked < 2000 * 150, "{looked} choices were looked at");
        assert!(best > 1200, "a good one was taken {best} times");
        assert_eq!(visit(2000), (looked, best), "the same generator chooses the same");
    }
}
