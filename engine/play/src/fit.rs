//! Fitting a network to what positions have led to.

use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bot::any;
use crate::value::{HIDDEN, Network};

/// Passes over the data.
const EPOCHS: usize = 5;
/// How far a step goes at first (AdaGrad: Duchi, Hazan and Singer, 2011).
const RATE: f32 = 0.03;
/// How strongly weights are drawn to 0.
const DECAY: f32 = 2e-5;
/// Deviations below this count as this: what is almost always the same is not blown up.
const LEAST_DEVIATION: f32 = 0.2;
/// Rows in which a feature must not be 0, to count.
const FEWEST: u32 = 20;

/// Positions as seats have seen them, and what became of them.
#[derive(Debug, Default, Clone)]
pub(crate) struct Rows {
    /// Features that are not 0, of all rows: place and value.
    seen: Vec<(u16, f32)>,
    /// Where each row ends.
    ends: Vec<usize>,
    results: Vec<f32>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn push(&mut self, features: &[f32], result: f32) {
        let seen = features.iter().enumerate().filter(|(_, value)| **value != 0.0);
        self.seen.extend(seen.map(|(place, &value)| (place as u16, value)));
        self.ends.push(self.seen.len());
        self.results.push(result);
    }

    pub fn append(&mut self, other: &Self) {
        let before = self.seen.len();
        self.seen.extend_from_slice(&other.seen);
        self.ends.extend(other.ends.iter().map(|end| end + before));
        self.results.extend_from_slice(&other.results);
    }

    /// Keeps the last so many rows.
    pub fn keep_last(&mut self, most: usize) {
        let drop = self.len().saturating_sub(most);
        if drop > 0 {
            let cut = self.ends[drop - 1];
            self.seen.drain(..cut);
            self.ends.drain(..drop);
            self.ends.iter_mut().for_each(|end| *end -= cut);
            self.results.drain(..drop);
        }
    }

    fn row(&self, index: usize) -> &[(u16, f32)] {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.seen[from..self.ends[index]]
    }

    /// One over the deviation of each feature; 0 for those that hardly ever differ from 0.
    fn scale(&self, features: usize) -> Vec<f32> {
        let mut sums = vec![(0.0f64, 0.0f64, 0u32); features];
        for &(place, value) in &self.seen {
            let (sum, square, count) = &mut sums[usize::from(place)];
            let value = f64::from(value);
            *sum += value;
            *square += value * value;
            *count += 1;
        }
        let rows = self.len().max(1) as f64;
        let of = |(sum, square, count): (f64, f64, u32)| {
            let deviation = (square / rows - (sum / rows).powi(2)).max(0.0).sqrt() as f32;
            if count < FEWEST || deviation == 0.0 { 0.0 } else { 1.0 / deviation.max(LEAST_DEVIATION) }
        };
        sums.into_iter().map(of).collect()
    }
}

/// A network that has learned these rows.
pub(crate) fn fit(rows: &Rows, features: usize, seed: u64) -> Network {
    let mut network = Network::new(rows.scale(features), seed);
    let mut fitting = Fitting {
        inner: vec![[1e-3; HIDDEN]; features],
        direct: vec![1e-3; features],
        inner_bias: [1e-3; HIDDEN],
        outer: [1e-3; HIDDEN],
        bias: 1e-3,
    };
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    let mut input = Vec::new();
    for _ in 0..EPOCHS * rows.len() {
        let index = any(rows.len(), &mut generator);
        network.enter_row(rows.row(index), &mut input);
        fitting.step(&mut network, &input, rows.results[index]);
    }
    network.round();
    network
}

/// Mean cross entropy of the network on the rows.
pub(crate) fn loss(network: &Network, rows: &Rows) -> f64 {
    let mut input = Vec::new();
    let mut total = 0.0;
    for index in 0..rows.len() {
        network.enter_row(rows.row(index), &mut input);
        let guess = f64::from(network.forward(&input).1).clamp(1e-6, 1.0 - 1e-6);
        let result = f64::from(rows.results[index]);
        total -= result * guess.ln() + (1.0 - result) * (1.0 - guess).ln();
    }
    total / rows.len().max(1) as f64
}

/// Sums of the squares of all slopes so far.
struct Fitting {
    inner: Vec<[f32; HIDDEN]>,
    direct: Vec<f32>,
    inner_bias: [f32; HIDDEN],
    outer: [f32; HIDDEN],
    bias: f32,
}

/// One step against the slope.
fn go(weight: &mut f32, squares: &mut f32, slope: f32) {
    let slope = slope + DECAY * *weight;
    *squares += slope * slope;
    *weight -= RATE * slope / squares.sqrt();
}

impl Fitting {
    fn step(&mut self, network: &mut Network, input: &[(u16, f32)], result: f32) {
        let (hidden, guess) = network.forward(input);
        let error = guess - result;
        let mut back = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            if hidden[unit] > 0.0 {
                back[unit] = error * network.outer[unit];
                go(&mut network.outer[unit], &mut self.outer[unit], error * hidden[unit]);
            }
        }
        go(&mut network.bias, &mut self.bias, error);
        for unit in 0..HIDDEN {
            go(&mut network.inner_bias[unit], &mut self.inner_bias[unit], back[unit]);
        }
        for &(place, value) in input {
            let place = usize::from(place);
            go(&mut network.direct[place], &mut self.direct[place], error * value);
            let (weights, squares) = (&mut network.inner[place], &mut self.inner[place]);
            for unit in 0..HIDDEN {
                go(&mut weights[unit], &mut squares[unit], back[unit] * value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_with_an_exception_is_learned() {
        // The first is good and so is the second, but not both: no sum says that.
        let mut rows = Rows::default();
        for number in 0..4000 {
            let (one, other) = (number % 2, number / 2 % 2);
            rows.push(&[one as f32, other as f32, 1.0], if one == other { 0.1 } else { 0.9 });
        }
        let network = fit(&rows, 3, 1);
        let value = |features: [f32; 3]| {
            let mut input = Vec::new();
            network.enter(&features, &mut input);
            network.forward(&input).1
        };
        assert!(value([1.0, 0.0, 1.0]) > 0.8 && value([0.0, 1.0, 1.0]) > 0.8, "{network:?}");
        assert!(value([1.0, 1.0, 1.0]) < 0.2 && value([0.0, 0.0, 1.0]) < 0.2, "{network:?}");
        assert!((loss(&network, &rows) - 0.325).abs() < 0.03, "{}", loss(&network, &rows));
    }

    #[test]
    fn the_last_rows_are_kept() {
        let mut rows = Rows::default();
        (1..=5).for_each(|number| rows.push(&[0.0, number as f32], 0.0));
        rows.keep_last(2);
        assert_eq!((rows.len(), rows.row(0), rows.row(1)), (2, &[(1, 4.0)][..], &[(1, 5.0)][..]));
    }
}
