//! Shows the progress of a long run on the error stream.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time of the first progress line without a terminal; each later one takes twice as long.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// A progress bar; without a terminal, a line after 10 seconds, 20, 40 and so on.
pub struct Progress {
    bar: ProgressBar,
    all: u64,
    /// The unit in the plural: `games`.
    unit: &'static str,
    /// The end of every line.
    aside: String,
    start: Instant,
    /// Time of the next line; `None` on a terminal.
    due: Option<Duration>,
    /// Time and count of the last line.
    last: (Duration, u64),
}

impl Progress {
    /// Progress through `all` units.
    pub fn new(all: u64, unit: &'static str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit}, {{eta}} left {{msg}}");
            bar.set_style(ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        let due = (!terminal).then_some(FIRST_LINE);
        Self { bar, all, unit, aside: String::new(), start: Instant::now(), due, last: (Duration::ZERO, 0) }
    }

    /// Sets the text behind the bar.
    pub fn set_message(&self, message: impl Into<String>) {
        self.bar.set_message(message.into());
    }

    /// Sets the end of the lines that appear without a terminal.
    pub fn end_lines_with(&mut self, aside: &str) {
        self.aside = format!("; {aside}");
    }

    /// Starts after units that need no playing, which the time estimate leaves out.
    pub fn start_at(&mut self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
        self.last = (self.start.elapsed(), done);
    }

    /// Changes the number of units.
    pub fn set_all(&mut self, all: u64) {
        if self.all != all {
            self.all = all;
            self.bar.set_length(all);
        }
    }

    /// Reports that `done` units are complete.
    pub fn done(&mut self, done: u64) {
        self.bar.set_position(done);
        let passed = self.start.elapsed();
        if let Some(due) = self.due.filter(|due| passed >= *due && done < self.all) {
            let left = left(passed.saturating_sub(self.last.0), done.saturating_sub(self.last.1), self.all - done);
            let left = left.map_or_else(String::new, |left| format!(", {} s left at this pace", left.as_secs()));
            let (all, unit, aside, passed) = (self.all, self.unit, &self.aside, passed.as_secs());
            eprintln!("note: {done} of {all} {unit} after {passed} s{left}{aside}");
            self.last = (self.start.elapsed(), done);
            self.due = Some(due * 2);
        }
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Estimates the remaining time from the time since the last line, because the first units are often quicker than the rest.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn left(passed: Duration, done: u64, left: u64) -> Option<Duration> {
    Duration::try_from_secs_f64(passed.as_secs_f64() * left as f64 / done as f64).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_estimated_by_the_last_stretch() {
        assert_eq!(left(Duration::from_secs(20), 40, 10), Some(Duration::from_secs(5)));
        assert_eq!(left(Duration::from_secs(20), 0, 10), None, "no estimate");
    }
}
