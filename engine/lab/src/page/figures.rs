//! Numbers as people read them: no more digits than their intervals bear.

use maud::{Markup, html};
use motherlode_play::Interval;

use crate::ratio::Estimate;

/// `31 %`; with a digit behind the point where the interval is narrower than two points.
pub fn percent(estimate: Estimate) -> String {
    format!("{:.*} %", digits(estimate.interval, 100.0), estimate.value * 100.0)
}

/// `26 to 36`, in percent.
pub fn percents(Interval { low, high }: Interval) -> String {
    let digits = digits(Interval { low, high }, 100.0);
    format!("{:.digits$} to {:.digits$}", low * 100.0, high * 100.0)
}

/// `31 % (26 to 36)`.
pub fn share(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "not known".to_owned(), |one| format!("{} ({})", percent(one), percents(one.interval)))
}

/// `12.3 (11.9 to 12.8)`.
pub fn number(estimate: Option<Estimate>) -> String {
    let text = |Estimate { value, interval, .. }: Estimate| {
        let digits = digits(interval, 1.0);
        format!("{value:.digits$} ({:.digits$} to {:.digits$})", interval.low, interval.high)
    };
    estimate.map_or_else(|| "not known".to_owned(), text)
}

/// `+3`, `-0.4`: a difference, scaled.
pub fn signed(estimate: Option<Estimate>, scale: f64) -> String {
    let text = |one: Estimate| format!("{:+.*}", digits(one.interval, scale), nonzero(one.value * scale));
    estimate.map_or_else(String::new, text)
}

/// `+1 to +5`.
pub fn signed_interval(estimate: Option<Estimate>, scale: f64) -> String {
    let text = |Estimate { interval, .. }: Estimate| {
        let digits = digits(interval, scale);
        format!("{:+.digits$} to {:+.digits$}", nonzero(interval.low * scale), nonzero(interval.high * scale))
    };
    estimate.map_or_else(String::new, text)
}

/// A share without an interval.
pub fn plain(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// `1 game`, `2 games`.
pub fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `towers, ports and mines`.
pub fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A command that shows what stands above it.
pub fn shown_by(command: &str) -> Markup {
    html! { p.how { "Shown by " code { (command) } } }
}

/// A name of content as words.
pub fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn digits(Interval { low, high }: Interval, scale: f64) -> usize {
    let width = (high - low) * scale;
    usize::from(width > 0.0 && width < 2.0)
}

/// There is no negative zero on the page.
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
    fn no_figure_has_more_digits_than_it_bears() {
        assert_eq!(share(Some(of(0.3141, 0.26, 0.36))), "31 % (26 to 36)");
        assert_eq!(share(Some(of(0.3141, 0.31, 0.32))), "31.4 % (31.0 to 32.0)");
        assert_eq!(number(Some(of(12.34, 11.0, 14.0))), "12 (11 to 14)");
        assert_eq!(signed(Some(of(0.031, 0.03, 0.04)), 100.0), "+3.1");
        assert_eq!(signed_interval(Some(of(-0.0001, -0.02, 0.05)), 100.0), "-2 to +5");
        assert_eq!(signed(Some(of(-0.0001, -0.001, 0.001)), 100.0), "+0.0");
        assert_eq!(number(Some(of(10.0, 10.0, 10.0))), "10 (10 to 10)");
        assert_eq!((share(None), signed(None, 1.0)), ("not known".to_owned(), String::new()));
    }

    #[test]
    fn lists_and_plurals_are_english() {
        let parts: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!((listed(&parts), listed(&parts[..1])), ("a, b and c".to_owned(), "a".to_owned()));
        assert_eq!((plural(1, "game"), plural(0, "game")), ("1 game".to_owned(), "0 games".to_owned()));
    }
}
