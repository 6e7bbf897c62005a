//! Work to measure, repeated many times.

use std::fmt::Display;
use std::time::Duration;

use criterion::{BenchmarkGroup, measurement::WallTime};

use crate::clock;

/// Function that repeats the work and returns the number of answered decisions.
pub type Run = Box<dyn FnMut(u64) -> u64>;

/// Minimum time of one slice: a shorter slice would measure the clock.
const SLICE: Duration = Duration::from_millis(40);

/// Named work to measure.
pub struct Subject {
    pub name: String,
    run: Run,
}

/// Medians over the slices of a subject.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// Seconds of one repetition.
    pub seconds: f64,
    /// Decisions of one repetition.
    pub decisions: f64,
}

impl Figure {
    /// Repetitions a second.
    pub fn rate(&self) -> f64 {
        1.0 / self.seconds
    }

    pub fn decisions_per_second(&self) -> f64 {
        self.decisions / self.seconds
    }

    fn middle(slices: &[Self]) -> Self {
        let of = |value: fn(&Self) -> f64| clock::median(slices.iter().map(value).collect());
        Self { seconds: of(|s| s.seconds), decisions: of(|s| s.decisions) }
    }
}

impl Subject {
    pub fn new(name: impl Into<String>, run: impl FnMut(u64) -> u64 + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }

    /// Repeats the work; returns the number of answered decisions.
    pub fn run(&mut self, times: u64) -> u64 {
        (self.run)(times)
    }

    /// Measures the work with criterion.
    pub fn bench(&mut self, group: &mut BenchmarkGroup<'_, WallTime>) {
        let run = &mut self.run;
        group.bench_function(self.name.as_str(), |b| {
            b.iter_custom(|times| {
                clock::time(|| {
                    run(times);
                })
            });
        });
    }

    /// Measures the work for about `budget`.
    pub fn measure(&mut self, budget: Duration) -> Figure {
        let times = self.times();
        let mut slices = vec![self.slice(times)];
        while slices.iter().map(|s| s.seconds * times as f64).sum::<f64>() < budget.as_secs_f64() {
            slices.push(self.slice(times));
        }
        Figure::middle(&slices)
    }

    /// Repetitions for one slice; the search for the number also warms the work up.
    fn times(&mut self) -> u64 {
        let mut times = 1;
        loop {
            let took = clock::time(|| {
                self.run(times);
            });
            if took >= SLICE {
                return times;
            }
            let factor = SLICE.as_secs_f64() * 1.2 / took.as_secs_f64().max(1e-9);
            times = (times as f64 * factor.clamp(1.5, 10.0)).ceil() as u64;
        }
    }

    fn slice(&mut self, times: u64) -> Figure {
        let mut decisions = 0;
        let took = clock::time(|| decisions = self.run(times));
        Figure { seconds: took.as_secs_f64() / times as f64, decisions: decisions as f64 / times as f64 }
    }
}

/// Measures two subjects alternately, each for about `budget`, so other work of the machine slows both down alike.
/// The last value is the time of the first as a multiple of the second's.
pub fn side_by_side(one: &mut Subject, other: &mut Subject, budget: Duration) -> (Figure, Figure, f64) {
    let times = [one.times(), other.times()];
    let rounds = (budget.as_secs_f64() / SLICE.as_secs_f64()).ceil().max(3.0) as usize;
    let mut slices = [Vec::with_capacity(rounds), Vec::with_capacity(rounds)];
    for _ in 0..rounds {
        slices[0].push(one.slice(times[0]));
        slices[1].push(other.slice(times[1]));
    }
    let ratios = slices[0].iter().zip(&slices[1]).map(|(a, b)| a.seconds / b.seconds).collect();
    (Figure::middle(&slices[0]), Figure::middle(&slices[1]), clock::median(ratios))
}

/// Unwraps a result; an error ends the run with its message.
pub fn sure<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
