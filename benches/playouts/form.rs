//! The form of a run: full, or short for everyday use.

use std::time::Duration;

use criterion::Criterion;

/// Form of a run, from the arguments and the environment.
pub struct Form {
    short: bool,
    tables: bool,
}

impl Form {
    pub fn from_arguments() -> Self {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let short = arguments.iter().any(|a| a == "--quick") || std::env::var("LODE_BENCH").is_ok_and(|v| v == "short");
        // Cargo adds `--bench`. Any other argument is for criterion alone.
        let tables = arguments.iter().all(|a| a == "--bench" || a == "--quick");
        Self { short, tables }
    }

    /// Returns `short` in the short form, otherwise `full`.
    pub fn pick<T>(&self, short: T, full: T) -> T {
        if self.short { short } else { full }
    }

    pub fn has_tables(&self) -> bool {
        self.tables
    }

    /// Time for one figure of the tables.
    pub fn budget(&self) -> Duration {
        Duration::from_millis(self.pick(100, 1500))
    }

    pub fn criterion(&self) -> Criterion {
        Criterion::default()
            .without_plots()
            .sample_size(self.pick(10, 20))
            .nresamples(self.pick(2_000, 20_000))
            .warm_up_time(Duration::from_millis(self.pick(50, 500)))
            .measurement_time(Duration::from_millis(self.pick(150, 3_000)))
            .configure_from_args()
    }
}
