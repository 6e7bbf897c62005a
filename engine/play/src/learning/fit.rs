//! Fits weights to training rows.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::bots::bot::random_index;
use crate::value::{Input, UNITS, Weights, softsign};

/// Passes over the data.
const EPOCHS: usize = 5;
/// Initial step size (AdaGrad: Duchi, Hazan and Singer, 2011).
const RATE: f32 = 0.03;
/// Initial sum of squared gradients of each weight.
const FIRST_SQUARE: f32 = 1e-3;
/// Weight decay.
const DECAY: f32 = 2e-5;
/// Minimum deviation for scaling, so that nearly constant features are not amplified.
const LEAST_DEVIATION: f32 = 0.2;
/// Half-width of the hidden units' random initial weights, which must differ.
const SPREAD: f32 = 0.1;
/// Minimum rows in which a used feature is not 0.
const FEWEST: u32 = 20;

/// Training rows: features of positions, and their targets.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Rows {
    /// Index and value of the features that are not 0, of all rows.
    seen: Vec<(u32, f32)>,
    /// The end of each row in `seen`.
    ends: Vec<usize>,
    results: Vec<f32>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn push(&mut self, features: &[f32], result: f32) {
        let seen = features.iter().enumerate().filter(|(_, value)| **value != 0.0);
        self.seen.extend(seen.map(|(place, &value)| (place as u32, value)));
        self.ends.push(self.seen.len());
        self.results.push(result);
    }

    pub fn append(&mut self, other: &Self) {
        let before = self.seen.len();
        self.seen.extend_from_slice(&other.seen);
        self.ends.extend(other.ends.iter().map(|end| end + before));
        self.results.extend_from_slice(&other.results);
    }

    /// Keeps only the last `most` rows.
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

    fn row(&self, index: usize) -> &[(u32, f32)] {
        let from = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.seen[from..self.ends[index]]
    }

    /// The inverse deviation of each feature; 0 for features that are almost always 0.
    fn scale(&self, features: usize) -> Vec<f32> {
        let mut sums = vec![(0.0f64, 0.0f64, 0u32); features];
        for &(place, value) in &self.seen {
            let (sum, square, count) = &mut sums[place as usize];
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

/// Fits weights by logistic regression with a layer of hidden units.
pub(crate) fn fit(rows: &Rows, features: usize, seed: u64) -> Weights {
    let mut weights = Weights::new(rows.scale(features));
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    for number in weights.into.iter_mut().flatten().chain(&mut weights.out) {
        *number = generator.random_range(-SPREAD..SPREAD);
    }
    let mut squares = Weights::all(FIRST_SQUARE, vec![0.0; features]);
    let mut input = Input::default();
    for _ in 0..EPOCHS * rows.len() {
        let index = random_index(rows.len(), &mut generator);
        weights.scale_row_into(rows.row(index), &mut input);
        let units = weights.units(&input);
        let error = weights.value(&input) - rows.results[index];
        let mut slopes = [0.0; UNITS];
        for unit in 0..UNITS {
            slopes[unit] = error * weights.out[unit] / (1.0 + units[unit].abs()).powi(2);
            step(&mut weights.out[unit], &mut squares.out[unit], error * softsign(units[unit]));
            step(&mut weights.base[unit], &mut squares.base[unit], slopes[unit]);
        }
        step(&mut weights.bias, &mut squares.bias, error);
        for &(place, value) in &input.features {
            let place = place as usize;
            let ([weight, timed], [of_weight, of_timed]) = (&mut weights.weights[place], &mut squares.weights[place]);
            step(weight, of_weight, error * value);
            step(timed, of_timed, error * value * input.time);
            let (into, of_into) = (&mut weights.into[place], &mut squares.into[place]);
            for unit in 0..UNITS {
                step(&mut into[unit], &mut of_into[unit], slopes[unit] * value);
            }
        }
    }
    weights.round();
    weights
}

/// Mean cross entropy of the weights on these rows.
pub(crate) fn loss(weights: &Weights, rows: &Rows) -> f64 {
    let mut input = Input::default();
    let mut total = 0.0;
    for index in 0..rows.len() {
        weights.scale_row_into(rows.row(index), &mut input);
        let guess = f64::from(weights.value(&input)).clamp(1e-6, 1.0 - 1e-6);
        let result = f64::from(rows.results[index]);
        total -= result * guess.ln() + (1.0 - result) * (1.0 - guess).ln();
    }
    total / rows.len().max(1) as f64
}

/// One gradient step.
fn step(weight: &mut f32, squares: &mut f32, slope: f32) {
    let slope = slope + DECAY * *weight;
    *squares += slope * slope;
    *weight -= RATE * slope / squares.sqrt();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_change_with_time_are_learned() {
        // Feature 2 is good early and bad late, feature 3 is always good, feature 4 is noise.
        let mut rows = Rows::default();
        for number in 0..6000 {
            let bit = |place: u32| (number >> place & 1) as f32;
            let (late, second, third) = (bit(0), bit(1), bit(2));
            let result = 0.5 + (0.2 - 0.4 * late) * (2.0 * second - 1.0) + 0.2 * third - 0.1;
            rows.push(&[late, second, third, bit(3)], result);
        }
        let weights = fit(&rows, 4, 1);
        let value = |features: [f32; 4]| {
            let mut input = Input::default();
            weights.scale_into(&features, &mut input);
            weights.value(&input)
        };
        for (features, result) in
            [([0.0, 1.0, 1.0, 0.0], 0.8), ([1.0, 1.0, 1.0, 0.0], 0.4), ([1.0, 0.0, 0.0, 1.0], 0.6)]
        {
            assert!((value(features) - result).abs() < 0.08, "{features:?}: {}", value(features));
        }
        assert!(loss(&weights, &rows) < 0.66, "{}", loss(&weights, &rows));
    }

    #[test]
    fn the_last_rows_are_kept() {
        let mut rows = Rows::default();
        (1..=5).for_each(|number| rows.push(&[0.0, number as f32], 0.0));
        rows.keep_last(2);
        assert_eq!((rows.len(), rows.row(0), rows.row(1)), (2, &[(1, 4.0)][..], &[(1, 5.0)][..]));
    }
}
