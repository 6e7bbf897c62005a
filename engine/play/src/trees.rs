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
    /// Of the choices of one decision, those that have an edge: place in the list, and edge.
    known: Vec<(usize, u32)>,
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

    /// Chooses at a node among the choices with these codes: one that was not tried yet, or else by upper confidence bounds.
    pub fn pick(&mut self, node: u64, codes: &[u64], generator: &mut Pcg64Mcg) -> Picked {
        let first = self.nodes.get(&node).copied().unwrap_or(NONE);
        self.known.clear();
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for (index, &code) in codes.iter().enumerate() {
            let Some(at) = self.find(first, code) else { continue };
            self.known.push((index, at));
            let edge = &mut self.edges[at as usize];
            edge.available += 1;
            let visits = f64::from(edge.visits);
            let bound = edge.total / visits + EXPLORATION * (f64::from(edge.available).ln() / visits).sqrt();
            if bound > most {
                (best, most) = (Some(Picked { index, edge: at, is_new: false }), bound);
            }
        }
        let untried = codes.len() - self.known.len();
        if let (Some(best), 0) = (best, untried) {
            return best;
        }
        let nth = any(untried, generator);
        let is_known = |index: &usize| self.known.iter().any(|(known, _)| known == index);
        let index = (0..codes.len()).filter(|index| !is_known(index)).nth(nth).unwrap_or(0);
        let edge = u32::try_from(self.edges.len()).unwrap_or(NONE);
        self.edges.push(Edge { code: codes[index], visits: 0, available: 1, total: 0.0, next: first });
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
