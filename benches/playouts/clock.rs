//! A clock for measurements, and the median.

use std::fs;
use std::time::{Duration, Instant};

/// Measures the work: processor time of this thread on Linux, wall-clock time elsewhere.
pub fn time(work: impl FnOnce()) -> Duration {
    let (wall, processor) = (Instant::now(), processor_time());
    work();
    match (processor, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall.elapsed(),
    }
}

fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Median of the values; of an even number, the upper of the two in the middle. NaN without values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
