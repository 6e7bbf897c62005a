//! Shows the progress of a long run on the error stream.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time of the first progress line without a terminal; each later one takes twice as long.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// Maximum number of marks of a stage.
const MARKS: usize = 64;

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
    pace: Pace,
}

impl Progress {
    /// Progress through `all` units.
    pub fn new(all: u64, unit: &'static str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            let template = format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit}{{prefix}} {{msg}}");
            bar.set_style(ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        let due = (!terminal).then_some(FIRST_LINE);
        Self { bar, all, unit, aside: String::new(), start: Instant::now(), due, pace: Pace::default() }
    }

    /// Sets the text behind the bar.
    pub fn set_message(&self, message: impl Into<String>) {
        self.bar.set_message(message.into());
    }

    /// Sets the end of the lines that appear without a terminal.
    pub fn end_lines_with(&mut self, aside: &str) {
        self.aside = format!("; {aside}");
    }

    /// Sets the counts of units at which stages of different speed end. The time estimate covers one stage, or two if the
    /// cost of the next stage is known.
    pub fn set_stages(&mut self, ends: Vec<u64>) {
        self.pace.ends = ends;
    }

    /// Sets the time of a unit of the next stage, in units of this one, if it is known.
    pub fn set_next_stage_cost(&mut self, cost: Option<f64>) {
        self.pace.next_cost = cost;
    }

    /// Marks the time estimate as an upper bound, because the run may end early.
    pub fn may_end_early(&mut self) {
        self.pace.may_end_early = true;
    }

    /// Starts after units that need no playing, which the time estimate leaves out.
    pub fn start_at(&mut self, done: u64) {
        self.bar.set_position(done);
        self.pace.begin(self.start.elapsed(), done);
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
        self.pace.mark(passed, done);
        let left = self.pace.shown(self.all);
        let due = self.due.filter(|due| passed >= *due && done < self.all);
        if let Some(due) = due {
            let (all, unit, aside, passed) = (self.all, self.unit, &self.aside, passed.as_secs());
            eprintln!("note: {done} of {all} {unit} after {passed} s{left}{aside}");
            self.due = Some(due * 2);
        }
        self.bar.set_prefix(left);
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Estimates the remaining time of a stage from the later half of its time so far, because the first units are often quicker than
/// the rest. The time up to the first units is left out: it includes the start of the threads.
#[derive(Debug, Default)]
struct Pace {
    /// The counts of units at which stages end; empty: one stage.
    ends: Vec<u64>,
    may_end_early: bool,
    /// The time of a unit of the next stage, in units of this one.
    next_cost: Option<f64>,
    /// Times and counts since the first units of the stage, at most `MARKS` of them, and the last one.
    marks: Vec<(Duration, u64)>,
    last: (Duration, u64),
}

impl Pace {
    fn begin(&mut self, passed: Duration, done: u64) {
        self.marks.clear();
        self.last = (passed, done);
    }

    /// Returns the index of the stage after `done` units.
    fn stage(&self, done: u64) -> usize {
        self.ends.iter().filter(|end| **end <= done).count()
    }

    fn mark(&mut self, passed: Duration, done: u64) {
        if self.stage(done) != self.stage(self.last.1) {
            // The next unit is the first one of the new stage.
            self.begin(passed, done);
            return;
        }
        self.last = (passed, done);
        self.marks.push(self.last);
        if self.marks.len() > MARKS {
            let mut number = 0;
            self.marks.retain(|_| {
                number += 1;
                number % 2 == 1
            });
        }
    }

    /// Returns the number of units of the next stage, and what each costs; `None` if there is none or its cost is unknown.
    fn next(&self) -> Option<(u64, f64)> {
        let stage = self.stage(self.last.1);
        Some((self.ends.get(stage + 1)? - self.ends[stage], self.next_cost?))
    }

    /// Estimates the remaining time of the stage, and of the next one if its cost is known; `None` without data.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn left(&self, all: u64) -> Option<Duration> {
        let (passed, done) = self.last;
        let begin = self.marks.first()?;
        let middle = begin.0 + passed.saturating_sub(begin.0) / 2;
        let from = self.marks.iter().rfind(|mark| mark.0 <= middle)?;
        let end = self.ends.get(self.stage(done)).copied().unwrap_or(all);
        let (units, left) = (done.saturating_sub(from.1), end.saturating_sub(done));
        let next = self.next().map_or(0.0, |(units, cost)| units as f64 * cost);
        let seconds = passed.saturating_sub(from.0).as_secs_f64() * (left as f64 + next) / units as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// `, at most 12 s left in stage 1 of 2`; empty without data.
    fn shown(&self, all: u64) -> String {
        let at_most = if self.may_end_early { "at most " } else { "" };
        let (stage, stages) = (self.stage(self.last.1) + 1, self.ends.len());
        let is_all = stages < 2 || stage + 1 == stages && self.next().is_some();
        let stage = if is_all { String::new() } else { format!(" in stage {} of {stages}", stage.min(stages)) };
        self.left(all).map_or_else(String::new, |left| format!(", {at_most}{} s left{stage}", left.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks units of these durations in milliseconds. Asserts that each estimate after the first tenth of a stage is within a factor
    /// of two, and returns the last text.
    fn assert_estimates(stages: &[&[u64]]) -> String {
        let mut ends = Vec::new();
        for stage in stages {
            ends.push(ends.last().copied().unwrap_or_default() + stage.len() as u64);
        }
        let all = ends.last().copied().unwrap();
        let mut pace = Pace { ends, ..Pace::default() };
        let (mut passed, mut done, mut text) = (0, 0, String::new());
        for stage in stages {
            let (start, end) = (passed, passed + stage.iter().sum::<u64>());
            for unit in *stage {
                passed += unit;
                done += 1;
                pace.mark(Duration::from_millis(passed), done);
                let real = Duration::from_millis(end - passed).as_secs_f64();
                // The estimate of the last tenth is a matter of single units.
                if (passed - start) * 10 >= end - start && (end - passed) * 10 >= end - start {
                    let left = pace.left(all).unwrap().as_secs_f64();
                    assert!(left <= 2.0 * real && left >= real / 2.0, "{left} for {real} after {done}");
                    text = pace.shown(all);
                }
            }
        }
        text
    }

    #[test]
    fn estimates_are_within_a_factor_of_two_after_a_tenth() {
        let uneven: Vec<u64> = (0..400).map(|unit| 20 + 7 * (unit * 13 % 11)).collect();
        let slower: Vec<u64> = (0..400).map(|unit| 100 + unit / 4).collect();
        // Two threads finish in bursts.
        let bursts: Vec<u64> = (0..400).map(|unit| if unit % 2 == 0 { 300 } else { 1 }).collect();
        for stage in [&uneven, &slower, &bursts] {
            assert_estimates(&[stage]);
        }
        let text = assert_estimates(&[&[10; 200], &[700; 200]]);
        assert!(text.ends_with(" s left in stage 2 of 2"), "{text}");
    }

    #[test]
    fn an_estimate_covers_the_next_stage_if_its_cost_is_known() {
        let mut pace = Pace { ends: vec![10, 20], next_cost: Some(3.0), ..Pace::default() };
        pace.mark(Duration::from_secs(4), 1);
        pace.mark(Duration::from_secs(20), 5);
        // Five units of 4 s, and ten of 12 s.
        assert_eq!(pace.shown(20), ", 140 s left");
        pace.mark(Duration::from_secs(40), 10);
        pace.mark(Duration::from_secs(52), 11);
        pace.mark(Duration::from_secs(64), 12);
        assert_eq!(pace.shown(20), ", 96 s left in stage 2 of 2");
    }

    #[test]
    fn an_estimate_of_a_run_that_may_end_early_is_an_upper_bound() {
        let mut pace = Pace { may_end_early: true, ..Pace::default() };
        assert_eq!(pace.shown(9), "", "no estimate");
        pace.mark(Duration::from_secs(15), 1);
        assert_eq!(pace.shown(50), "", "the first unit may include the start");
        pace.mark(Duration::from_secs(35), 41);
        assert_eq!(pace.shown(51), ", at most 5 s left");
        pace.begin(Duration::from_secs(30), 45);
        assert_eq!(pace.shown(50), "", "no estimate after units that need no playing");
    }
}
