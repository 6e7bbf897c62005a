//! The trees of a search: one for each seat, of its own answers.

use std::collections::BTreeMap;

use rand_pcg::Pcg64Mcg;

use crate::bot::any;

/// How eagerly what was tried seldom is tried again.
const EXPLORATION: f64 = 0.25;

/// No edge.
const NONE: u32 = u32::MAX;

/// Trees of several seats, kept by keys.
#[derive(Default)]
pub(crate) struct Trees {
    /// The first edge of each node.
    nodes: BTreeMap<u64, u32>,
    edges: Vec<Edge>,
    /// Of the choices of one decision, those that have no edge.
    untried: Vec<usize>,
}

/// An answer that was tried at a node.
struct Edge {
    code: u64,
    visits: u32,
    /// How often it could have been chosen since it was there: choices come and go with the deal (Cowling, Powley and Whitehouse 2012).
    available: u32,
    total: f64,
    /// The next edge of the node.
    next: u32,
}

impl Edge {
    fn bound(&self) -> f64 {
        // A visit whose playout came to nothing is not counted yet.
        let visits = f64::from(self.visits.max(1));
        self.total / visits + EXPLORATION * (f64::from(self.available).ln() / visits).sqrt()
    }
}

/// What was chosen at a node.
pub(crate) struct Picked {
    pub index: usize,
    pub edge: u32,
    /// It had not been tried before.
    pub is_new: bool,
}

impl Trees {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    /// Chooses at a node among the choices with these codes by upper confidence bounds; one that was not tried yet counts as if it had been once,
    /// with the result that is expected of it.
    pub fn pick(
        &mut self,
        node: u64,
        codes: &[u64],
        expected: impl Fn(u64) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Picked {
        let first = self.nodes.get(&node).copied().unwrap_or(NONE);
        let (mut best, mut most) = (Picked { index: 0, edge: NONE, is_new: true }, f64::NEG_INFINITY);
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
            let bound = edge.bound();
            if bound > most {
                (best, most) = (Picked { index, edge: at, is_new: false }, bound);
            }
        }
        let width = EXPLORATION * f64::from(visits).ln().sqrt();
        // Among equals, any.
        if !self.untried.is_empty() {
            let turn = any(self.untried.len(), generator);
            self.untried.rotate_left(turn);
        }
        for &index in &self.untried {
            let bound = expected(codes[index]) + width;
            if bound > most {
                (best, most) = (Picked { index, edge: NONE, is_new: true }, bound);
            }
        }
        if best.is_new { self.begin(node, first, best.index, codes[best.index]) } else { best }
    }

    fn begin(&mut self, node: u64, first: u32, index: usize, code: u64) -> Picked {
        let edge = u32::try_from(self.edges.len()).unwrap_or(NONE);
        self.edges.push(Edge { code, visits: 0, available: 1, total: 0.0, next: first });
        self.nodes.insert(node, edge);
        Picked { index, edge, is_new: true }
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

    /// An answer has led to this.
    pub fn reward(&mut self, edge: u32, reward: f64) {
        let edge = &mut self.edges[edge as usize];
        edge.visits += 1;
        edge.total += reward;
    }
}
