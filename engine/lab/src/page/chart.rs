//! Charts as SVG within the page, in colours of its style.

use maud::{Markup, html};
use motherlode_play::Interval;

/// One value with its interval, both shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it is of.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: Interval,
}

const WIDTH: f64 = 640.0;
const ROW: f64 = 26.0;
/// Room for names at the left, and for the last figure at the right.
const LEFT: f64 = 210.0;
const RIGHT: f64 = 30.0;
/// Room for the axis.
const AXIS: f64 = 24.0;

/// Most characters of a name.
const NAME: usize = 30;

/// A row for each value: a bar, its interval, and a line where all would be even.
#[must_use]
pub fn bars(bars: &[Bar], even: Option<f64>) -> Markup {
    let top = top(bars);
    let x = |share: f64| LEFT + share / top * (WIDTH - LEFT - RIGHT);
    let height = rows(bars.len()) * ROW + AXIS;
    let bottom = height - AXIS;
    html! {
        svg viewBox={ "0 0 " (px(WIDTH)) " " (px(height)) } role="img" {
            @for tick in ticks(top) {
                line.grid x1=(px(x(tick))) x2=(px(x(tick))) y1="0" y2=(px(bottom)) {}
                text.axis x=(px(x(tick))) y=(px(height - 7.0)) text-anchor="middle" { (percent(tick, 0)) }
            }
            @for (bar, number) in bars.iter().zip(0..) {
                @let middle = (rows(number) + 0.5) * ROW;
                text x=(px(LEFT - 8.0)) y=(px(middle + 4.0)) text-anchor="end" { (clipped(&bar.name)) }
                rect.bar x=(px(LEFT)) y=(px(middle - 7.0)) width=(px(x(bar.value) - LEFT)) height="14" {
                    title { (bar.name) ": " (percent(bar.value, 0)) }
                }
                line.interval x1=(px(x(bar.interval.low))) x2=(px(x(bar.interval.high))) y1=(px(middle)) y2=(px(middle)) {}
                @for end in [bar.interval.low, bar.interval.high] {
                    line.interval x1=(px(x(end))) x2=(px(x(end))) y1=(px(middle - 4.0)) y2=(px(middle + 4.0)) {}
                }
            }
            @if let Some(even) = even {
                line.even x1=(px(x(even))) x2=(px(x(even))) y1="0" y2=(px(bottom)) {}
            }
        }
    }
}

/// Values one after the other, as a line over equal steps.
#[must_use]
pub fn steps(points: &[Bar], even: f64) -> Markup {
    const HEIGHT: f64 = 240.0;
    const MARGIN: f64 = 46.0;
    let top = top(points);
    let step = (WIDTH - 2.0 * MARGIN) / rows(points.len().max(1));
    let x = |number: usize| MARGIN + (rows(number) + 0.5) * step;
    let y = |share: f64| (HEIGHT - AXIS) * (1.0 - share / top) + 6.0;
    let line: Vec<String> =
        points.iter().enumerate().map(|(number, point)| format!("{},{}", px(x(number)), px(y(point.value)))).collect();
    html! {
        svg viewBox={ "0 0 " (px(WIDTH)) " " (px(HEIGHT + 10.0)) } role="img" {
            @for tick in ticks(top) {
                line.grid x1=(px(MARGIN)) x2=(px(WIDTH - MARGIN)) y1=(px(y(tick))) y2=(px(y(tick))) {}
                text.axis x=(px(MARGIN - 6.0)) y=(px(y(tick) + 4.0)) text-anchor="end" { (percent(tick, 0)) }
            }
            line.even x1=(px(MARGIN)) x2=(px(WIDTH - MARGIN)) y1=(px(y(even))) y2=(px(y(even))) {}
            polyline.curve points=(line.join(" ")) {}
            @for (number, point) in points.iter().enumerate() {
                line.interval x1=(px(x(number))) x2=(px(x(number))) y1=(px(y(point.interval.low))) y2=(px(y(point.interval.high))) {}
                circle.point cx=(px(x(number))) cy=(px(y(point.value))) r="4" { title { (point.name) ": " (percent(point.value, 0)) } }
                text.axis x=(px(x(number))) y=(px(HEIGHT + 4.0)) text-anchor="middle" { (clipped(&point.name)) }
            }
        }
    }
}

/// The end of the axis: above all intervals, a whole number of tenths.
fn top(bars: &[Bar]) -> f64 {
    let most = bars.iter().map(|bar| bar.interval.high).fold(0.0, f64::max);
    ((most * 10.0).ceil() / 10.0).clamp(0.1, 1.0)
}

/// About five places of an axis that begins at 0.
fn ticks(top: f64) -> Vec<f64> {
    let step = if top > 0.6 {
        0.2
    } else if top > 0.3 {
        0.1
    } else {
        0.05
    };
    (0..=20).map(|number| f64::from(number) * step).take_while(|tick| *tick <= top + 1e-9).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a few rows")]
fn rows(count: usize) -> f64 {
    count as f64
}

/// A length with one digit behind the point, so that a page is the same on every machine.
fn px(length: f64) -> String {
    format!("{length:.1}")
}

/// A share with so many digits behind the point.
pub fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$} %", share * 100.0)
}

fn clipped(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(std::iter::once('\u{2026}')).collect()
}
