//! Formats numbers, with no more digits than their intervals justify.

use maud::{Markup, html};
use motherlode_play::Interval;

use crate::objective::Objective;
use crate::ratio::Estimate;

/// Formats `31 %`, with one decimal if the interval is narrower than two points.
pub fn percent(estimate: Estimate) -> String {
    format!("{:.*} %", digits(estimate.interval, 100.0), estimate.value * 100.0)
}

/// Formats `26 to 36`, in percent.
pub fn percents(Interval { low, high }: Interval) -> String {
    let digits = digits(Interval { low, high }, 100.0);
    format!("{:.digits$} to {:.digits$}", low * 100.0, high * 100.0)
}

/// Formats `31 % (26 to 36)`.
pub fn share(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "no data".to_owned(), |one| format!("{} ({})", percent(one), percents(one.interval)))
}

/// Formats `12.3`.
pub fn points(Estimate { value, interval, .. }: Estimate) -> String {
    format!("{:.*}", digits(interval, 1.0), nonzero(value))
}

/// Formats a share or a number of points with its interval.
pub fn figure(objective: Objective, estimate: Option<Estimate>) -> String {
    if objective.is_share() { share(estimate) } else { number(estimate) }
}

/// Formats `12.3 (11.9 to 12.8)`.
pub fn number(estimate: Option<Estimate>) -> String {
    let text = |Estimate { value, interval, blocks }: Estimate| {
        let digits = digits(interval, 1.0);
        let range = || format!("{:.digits$} to {:.digits$}", interval.low, interval.high);
        format!("{value:.digits$} ({})", Estimate { value, interval, blocks }.agreement().unwrap_or_else(range))
    };
    estimate.map_or_else(|| "no data".to_owned(), text)
}

/// Formats a difference times `scale`: `+3`, `-0.4`.
pub fn signed(estimate: Option<Estimate>, scale: f64) -> String {
    let text = |one: Estimate| format!("{:+.*}", digits(one.interval, scale), nonzero(one.value * scale));
    estimate.map_or_else(String::new, text)
}

/// Formats `+1 to +5`, times `scale`.
pub fn signed_interval(estimate: Option<Estimate>, scale: f64) -> String {
    let text = |estimate: Estimate| {
        let (interval, digits) = (estimate.interval, digits(estimate.interval, scale));
        let range =
            || format!("{:+.digits$} to {:+.digits$}", nonzero(interval.low * scale), nonzero(interval.high * scale));
        estimate.agreement().unwrap_or_else(range)
    };
    estimate.map_or_else(String::new, text)
}

/// Formats a share without an interval.
pub fn plain(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Formats `1 game`, `2 games`.
pub fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Formats `towers, ports and mines`.
pub fn join_list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Renders the command that reproduces the figures above it.
pub fn command_note(command: &str) -> Markup {
    html! { p.how { "Reproduce with " code { (command) } } }
}

/// Formats a name of the content for reading: underscores become spaces.
pub fn readable(name: &str) -> String {
    name.replace('_', " ")
}

fn digits(interval: Interval, scale: f64) -> usize {
    let width = (interval.high - interval.low) * scale;
    interval.digits(scale, usize::from(width > 0.0 && width < 2.0))
}

/// Avoids a negative zero.
fn nonzero(value: f64) -> f64 {
    if value.abs() < 0.05 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, interval: Interval { low, high }, blocks: 9 }
    }

    #[test]
    fn no_figure_has_more_digits_than_its_interval_justifies() {
        assert_eq!(share(Some(of(0.3141, 0.26, 0.36))), "31 % (26 to 36)");
        assert_eq!(share(Some(of(0.3141, 0.31, 0.32))), "31.4 % (31.0 to 32.0)");
        assert_eq!(number(Some(of(12.34, 11.0, 14.0))), "12 (11 to 14)");
        assert_eq!(signed(Some(of(0.031, 0.03, 0.04)), 100.0), "+3.1");
        assert_eq!(signed_interval(Some(of(-0.0001, -0.02, 0.05)), 100.0), "-2 to +5");
        assert_eq!(signed(Some(of(-0.0001, -0.001, 0.001)), 100.0), "+0.0");
        assert_eq!(number(Some(of(10.0, 10.0, 10.0))), "10 (all 9 equal)");
        assert_eq!(signed_interval(Some(of(0.1, 0.1, 0.1)), 100.0), "all 9 equal");
        assert_eq!(percents(Interval { low: 0.9996, high: 1.0 }), "99.96 to 100.00");
        assert_eq!((share(None), signed(None, 1.0)), ("no data".to_owned(), String::new()));
    }

    #[test]
    fn lists_and_plurals_are_english() {
        let parts: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!((join_list(&parts), join_list(&parts[..1])), ("a, b and c".to_owned(), "a".to_owned()));
        assert_eq!((plural(1, "game"), plural(0, "game")), ("1 game".to_owned(), "0 games".to_owned()));
    }
}
