//! Figures of one rate, and their comparison.

use std::time::Duration;

use crate::server::Server;

/// Figures of one rate.
#[derive(Debug)]
pub struct Figures {
    pub rate: u32,
    pub answered: f64,
    /// Delay from the due time of an answer until the seat sees its result, in milliseconds: median, 99th percentile, maximum.
    pub waits: [f64; 3],
    /// Processor time of the server for one answer, in milliseconds.
    pub used: f64,
    /// Processor time of this driver for one answer, in milliseconds.
    pub driver: f64,
    pub syncs: f64,
    pub kib: f64,
}

/// Counters at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Usage {
    syncs: usize,
    used: f64,
    driver: f64,
}

impl Usage {
    pub fn now(server: &Server) -> Self {
        Self { syncs: server.syncs(), used: server.used(), driver: crate::server::used("self") }
    }
}

impl Figures {
    pub const HEAD: &str =
        "offered/s  answered/s   p50 ms   p99 ms   max ms  CPU ms/answer  of the driver   syncs/s   KiB/s";

    /// Figures of the time since `before`.
    pub fn since(
        before: Usage,
        server: &Server,
        rate: u32,
        time: Duration,
        waits: &mut [Duration],
        bytes: usize,
    ) -> Self {
        waits.sort_unstable();
        let now = Usage::now(server);
        let (time, answers) = (time.as_secs_f64(), waits.len().max(1) as f64);
        let at = |part: f64| {
            let wait = waits.get(((waits.len() as f64 - 1.0) * part).max(0.0) as usize);
            wait.map_or(f64::NAN, |wait| wait.as_secs_f64() * 1e3)
        };
        Self {
            rate,
            answered: waits.len() as f64 / time,
            waits: [at(0.5), at(0.99), at(1.0)],
            used: (now.used - before.used) / answers,
            driver: (now.driver - before.driver) / answers,
            syncs: (now.syncs - before.syncs) as f64 / time,
            kib: bytes as f64 / time / 1024.0,
        }
    }

    pub fn print(&self) {
        let Self { rate, answered, waits: [p50, p99, max], used, driver, syncs, kib } = self;
        println!(
            "{rate:>9}  {answered:>10.0} {p50:>8.1} {p99:>8.1} {max:>8.1} {used:>14.2} {driver:>14.2} {syncs:>9.0} {kib:>7.0}"
        );
    }
}

/// Prints the figures of this project as shares of another's, rate by rate.
pub fn compare(own: &[Figures], other: &[Figures]) {
    println!("\nlode table / boardgame.io (less is better; boardgame.io saves nothing to disk):");
    println!("offered/s   p50      p99      CPU    bytes");
    for (own, other) in own.iter().zip(other) {
        let of = |own: f64, other: f64| own / other;
        let bytes = of(own.kib / own.answered, other.kib / other.answered);
        println!(
            "{:>9} {:>5.2} {:>8.2} {:>8.2} {bytes:>8.2}",
            own.rate,
            of(own.waits[0], other.waits[0]),
            of(own.waits[1], other.waits[1]),
            of(own.used, other.used)
        );
    }
}
