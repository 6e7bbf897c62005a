//! Draws a sweep as bars of text.

use std::io::Write;

use motherlode_lab::{Estimate, SweepReport, SweepValue};

use crate::fault::Fault;
use crate::paint;

/// Width of the bars, in columns.
const BARS: usize = 48;

/// Prints a bar for each value: full up to the low end of the interval, shaded up to its high end, with a mark at the estimate.
pub fn print(out: &mut dyn Write, report: &SweepReport) -> Result<(), Fault> {
    let drawn = report.drawn();
    let Some(figure) = report.values.first().and_then(|value| value.figures.get(drawn)) else { return Ok(()) };
    let (scale, digits, unit) = if figure.is_share { (100.0, 1, " %") } else { (1.0, 2, "") };
    let estimates = || report.values.iter().filter_map(|value| value.figures[drawn].estimate);
    let high = estimates().map(|estimate| estimate.interval.high).fold(0.0, f64::max);
    let low = estimates().map(|estimate| estimate.interval.low).fold(0.0, f64::min);
    writeln!(out, "{} by {}, with 95 % intervals:", figure.what, report.key)?;
    let names: Vec<String> = report.values.iter().map(value_name).collect();
    let width = names.iter().map(|name| paint::length(name)).max().unwrap_or(0);
    for (value, name) in report.values.iter().zip(&names) {
        let Some(estimate) = value.figures[drawn].estimate else {
            writeln!(out, "  {name:width$}  no data")?;
            continue;
        };
        let interval = estimate.interval;
        let range = || format!("{:.digits$} to {:.digits$}", interval.low * scale, interval.high * scale);
        let range = estimate.agreement().unwrap_or_else(range);
        let (bar, value) = (bar(estimate, low, high), estimate.value * scale);
        writeln!(out, "  {name:width$}  {bar}  {value:.digits$}{unit} ({range})")?;
    }
    Ok(())
}

/// A value in the table: `3 (now)`.
pub fn value_name(value: &SweepValue) -> String {
    format!("{}{}", value.value, if value.is_current { " (now)" } else { "" })
}

/// The bar of an estimate on an axis from `low` to `high`.
fn bar(estimate: Estimate, low: f64, high: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a few columns"
    )]
    let column = |value: f64| {
        if high > low {
            ((value - low) / (high - low) * BARS as f64).round().clamp(0.0, BARS as f64) as usize
        } else {
            0
        }
    };
    let (from, to) = (column(estimate.interval.low), column(estimate.interval.high));
    let mark = column(estimate.value).min(BARS - 1);
    let sign = |at: usize| match at {
        at if at == mark => '\u{2503}',
        at if at < from => '\u{2588}',
        at if at < to => '\u{2592}',
        _ => ' ',
    };
    (0..BARS).map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use motherlode_play::Interval;

    #[test]
    fn a_bar_shows_the_interval_and_the_estimate() {
        let estimate = Estimate { value: 0.5, interval: Interval { low: 0.25, high: 0.75 }, blocks: 9 };
        let drawn = bar(estimate, 0.0, 1.0);
        let count = |sign: char| drawn.chars().filter(|other| *other == sign).count();
        assert_eq!((count('\u{2588}'), count('\u{2592}'), count('\u{2503}'), count(' ')), (12, 23, 1, 12), "{drawn}");
        assert_eq!(drawn.chars().position(|sign| sign == '\u{2503}'), Some(24));
        let none = Estimate { value: 0.0, interval: Interval { low: 0.0, high: 0.0 }, blocks: 9 };
        assert_eq!(bar(none, 0.0, 0.0).chars().count(), BARS, "an axis without length");
    }
}
