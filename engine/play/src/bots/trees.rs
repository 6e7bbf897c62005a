//! The trees of a search: one for each seat, of its own answers.

use std::collections::BTreeMap;

use rand_pcg::Pcg64Mcg;

use crate::bots::bot::any;

/// How eagerly what was tried seldom is tried again.
const EXPLORATION: f64 = 0.25;

/// Choices of a decision from which on only some of them are looked at.
pub(crate) const MANY: usize = 512;
/// Of so many, how many that were not tried are compared in one visit.
const DRAWN: usize = 8;
/// How many of them are tried at all, at first and for each doubling of the root of the visits ("progressive widening": Coulom,
/// "Computing Elo ratings of move patterns in the game of Go", 2007).
const WIDTH: f64 = 8.0;
const WIDENING: f64 = 2.0;

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
    /// Where the choice stood in the list when it was met last.
    index: u32,
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

    /// The same among more than [`MANY`] choices, in a time that does not grow with their number: choices are tried in a random order, the more of
    /// them the more often the node was visited. `code` gives that of a choice. One that was tried counts as there if it stands where it stood.
    pub fn pick_of_many(
        &mut self,
        node: u64,
        count: usize,
        code: impl Fn(usize) -> u64,
        expected: impl Fn(u64) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Picked {
        let first = self.nodes.get(&node).copied().unwrap_or(NONE);
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        let (mut visits, mut edges, mut at) = (1, 0, first);
        while at != NONE {
            let edge = &mut self.edges[at as usize];
            let index = edge.index as usize;
            if index < count && code(index) == edge.code {
                edge.available += 1;
                let bound = edge.bound();
                if bound > most {
                    (best, most) = (Some(Picked { index, edge: at, is_new: false }), bound);
                }
            }
            visits += edge.visits;
            edges += 1;
            at = edge.next;
        }
        if best.is_some() && f64::from(edges) >= WIDTH + WIDENING * f64::from(visits).sqrt() {
            return best.unwrap_or(Picked { index: 0, edge: NONE, is_new: true });
        }
        let width = EXPLORATION * f64::from(visits).ln().sqrt();
        for _ in 0..DRAWN {
            let index = any(count, generator);
            let code = code(index);
            if let Some(at) = self.find(first, code) {
                self.edges[at as usize].index = u32::try_from(index).unwrap_or(NONE);
                best.get_or_insert(Picked { index, edge: at, is_new: false });
                continue;
            }
            let bound = expected(code) + width;
            if bound > most {
                (best, most) = (Some(Picked { index, edge: NONE, is_new: true }), bound);
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

    fn begin(&mut self, node: u64, first: u32, index: usize, code: u64) -> Picked {
        let edge = u32::try_from(self.edges.len()).unwrap_or(NONE);
        let place = u32::try_from(index).unwrap_or(NONE);
        self.edges.push(Edge { code, visits: 0, available: 1, total: 0.0, next: first, index: place });
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rand::SeedableRng as _;

    use super::*;

    /// Choices that are looked at in so many visits of a node with 4,000 of them, and how often the best was taken.
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
