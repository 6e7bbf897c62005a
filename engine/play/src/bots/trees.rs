//! Search trees: one per seat, over its own answers. A node keeps its results for all positions of the seat, and apart
//! for each information set.

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

/// Visits of a node before its results are kept by information set: an observation takes time.
const DIVIDED_FROM: u32 = 16;
/// Visits of an information set before its own results decide: some, and some for each choice.
const TRUSTED_FROM: u32 = 8;
const TRUSTED_PER_CHOICE: u32 = 2;
/// Largest share of the visits of its node, in percent: a set with almost all of them tells nothing that the node does
/// not.
const LARGEST_SHARE: u32 = 75;
/// Weight of the result of the whole node in an information set, in playouts.
const NODE_WEIGHT: f64 = 16.0;

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
    /// The edge of the information set, if results are kept for it.
    pub set_edge: Option<u32>,
    /// Whether the answer is untried.
    pub is_new: bool,
}

impl Selection {
    /// An untried answer.
    const fn new(index: usize, edge: u32) -> Self {
        Self { index, edge, set_edge: None, is_new: true }
    }

    /// A tried answer.
    const fn tried(index: usize, edge: u32) -> Self {
        Self { index, edge, set_edge: None, is_new: false }
    }
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

    /// Whether a node has enough visits to keep its results by information set.
    pub fn is_divided(&self, node: u64) -> bool {
        self.visits_of(self.first_of(node)) >= DIVIDED_FROM
    }

    /// Selects one of the choices with these codes by upper confidence bounds. An untried choice counts as one visit
    /// with the result that `expected` returns. `set` is the key of the seat's information set at this node: its own
    /// results decide once it has enough of them.
    pub fn pick(
        &mut self,
        node: u64,
        set: Option<u64>,
        codes: &[u64],
        expected: impl Fn(u64) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Selection {
        let mut picked = self.pick_by_bounds(node, set, codes, expected, generator);
        if let Some(set) = set {
            let (first, code) = (self.first_of(set), codes[picked.index]);
            let edge = self.find(first, code).unwrap_or_else(|| self.begin(set, first, picked.index, code).edge);
            picked.set_edge = Some(edge);
        }
        picked
    }

    fn pick_by_bounds(
        &mut self,
        node: u64,
        set: Option<u64>,
        codes: &[u64],
        expected: impl Fn(u64) -> f64,
        generator: &mut Pcg64Mcg,
    ) -> Selection {
        let first = self.first_of(node);
        let in_set = set.map_or(NONE, |set| self.first_of(set));
        let set_visits = self.visits_of(in_set);
        let is_trusted = self.is_trusted(first, set_visits, codes.len());
        let (mut best, mut most) = (Selection::new(0, NONE), f64::NEG_INFINITY);
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
            let bound =
                if is_trusted { self.bound_in_set(at, in_set, set_visits) } else { edge.bound(self.exploration) };
            if bound > most {
                (best, most) = (Selection::tried(index, at), bound);
            }
        }
        if is_trusted {
            visits = set_visits + 1;
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
                (best, most) = (Selection::new(index, NONE), bound);
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
        let first = self.first_of(node);
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        let (mut visits, mut edges, mut at) = (1, 0, first);
        while at != NONE {
            let edge = &mut self.edges[at as usize];
            let index = edge.index as usize;
            if index < count && code(index) == edge.code {
                edge.available += 1;
                let bound = edge.bound(self.exploration);
                if bound > most {
                    (best, most) = (Some(Selection::tried(index, at)), bound);
                }
            }
            visits += edge.visits;
            edges += 1;
            at = edge.next;
        }
        if best.is_some() && f64::from(edges) >= WIDTH + WIDENING * f64::from(visits).sqrt() {
            return best.unwrap_or(Selection::new(0, NONE));
        }
        let width = self.exploration * f64::from(visits).ln().sqrt();
        for _ in 0..DRAWN {
            let index = random_index(count, generator);
            let code = code(index);
            if let Some(at) = self.find(first, code) {
                self.edges[at as usize].index = u32::try_from(index).unwrap_or(NONE);
                best.get_or_insert(Selection::tried(index, at));
                continue;
            }
            let bound = expected(code) + width;
            if bound > most {
                (best, most) = (Some(Selection::new(index, NONE)), bound);
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
        Selection::new(index, edge)
    }

    /// Whether the results of an information set decide at a node with this first edge and so many choices.
    fn is_trusted(&self, first: u32, set_visits: u32, choices: usize) -> bool {
        let choices = u32::try_from(choices).unwrap_or(u32::MAX);
        let least = TRUSTED_FROM.saturating_add(TRUSTED_PER_CHOICE.saturating_mul(choices));
        let divided = || self.visits_of(first).saturating_sub(DIVIDED_FROM);
        set_visits >= least && set_visits.saturating_mul(100) <= divided().saturating_mul(LARGEST_SHARE)
    }

    /// The upper confidence bound of an edge by the results of an information set, which begin with those of the node.
    fn bound_in_set(&self, edge: u32, in_set: u32, set_visits: u32) -> f64 {
        let edge = &self.edges[edge as usize];
        let mean = edge.total / f64::from(edge.visits.max(1));
        let own = self.find(in_set, edge.code).map(|own| &self.edges[own as usize]);
        let (total, visits) = own.map_or((0.0, 0.0), |own| (own.total, f64::from(own.visits)));
        // In an information set, the same choices are always available.
        let width = (f64::from(set_visits + 1).ln() / visits.max(1.0)).sqrt();
        (total + NODE_WEIGHT * mean) / (visits + NODE_WEIGHT) + self.exploration * width
    }

    /// The first edge of a node.
    fn first_of(&self, node: u64) -> u32 {
        self.nodes.get(&node).copied().unwrap_or(NONE)
    }

    /// The visits of a node, given its first edge.
    fn visits_of(&self, mut at: u32) -> u32 {
        let mut visits = 0;
        while at != NONE {
            let edge = &self.edges[at as usize];
            visits += edge.visits;
            at = edge.next;
        }
        visits
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

    /// How often each of two choices was selected in each of two information sets of a node, each visited so often.
    fn visit_sets(visits: u32) -> [[u32; 2]; 2] {
        let (mut trees, mut generator) = (Trees::default(), Pcg64Mcg::seed_from_u64(1));
        let mut counts = [[0; 2]; 2];
        for visit in 0..2 * visits {
            let set = (visit % 2) as usize;
            let key = trees.is_divided(7).then_some(100 + set as u64);
            let picked = trees.pick(7, key, &[1, 2], |_| 0.5, &mut generator);
            let reward = if picked.index == set { 1.0 } else { 0.0 };
            for edge in [Some(picked.edge), picked.set_edge].into_iter().flatten() {
                trees.reward(edge, reward);
            }
            counts[set][picked.index] += 1;
        }
        counts
    }

    #[test]
    fn each_information_set_finds_its_own_answer() {
        let counts = visit_sets(200);
        assert!(counts[0][0] > 150 && counts[1][1] > 150, "{counts:?}");
        assert_eq!(visit_sets(200), counts, "the same generator chooses the same");
    }

    #[test]
    fn a_visit_looks_at_few_of_many_choices() {
        let (looked, best) = visit(2000);
        assert!(looked < 2000 * 150, "{looked} choices were looked at");
        assert!(best > 1200, "a good one was taken {best} times");
        assert_eq!(visit(2000), (looked, best), "the same generator chooses the same");
    }
}
