//! Charts as inline SVG, coloured by the style of the page.
//!
//! A chart is as wide as a phone, so that its text is as large as the text of the page. A wide screen shows
//! several side by side.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::figures::{percent, plain, points};
use crate::ratio::Estimate;
use crate::trajectory::WinTrajectory;

const WIDTH: f64 = 360.0;
/// Space for labels left of a vertical axis.
const LEFT: f64 = 44.0;
/// Space at the right.
const RIGHT: f64 = 14.0;
/// Space for a horizontal axis and its title.
const AXIS: f64 = 34.0;
/// Maximum length of a name.
const NAME: usize = 34;
/// Maximum number of bars in a histogram.
const BARS: u32 = 16;

/// Signs of bots, in order. Signs and colours distinguish bots together, for readers who cannot tell the colours
/// apart.
pub const SIGNS: [&str; 4] = ["\u{25cb}", "\u{25c6}", "\u{25a0}", "\u{25b2}"];

/// One row of a dot chart: a name and a value for each bot.
pub struct Row {
    /// Name of the row.
    pub name: String,
    /// Value for each bot.
    pub values: Vec<Option<Estimate>>,
}

/// Draws a dot chart of shares or points: a sign and an interval for each bot in each row, and a line at the even share.
pub fn dots(rows: &[Row], even: Option<f64>, title: &str, is_share: bool) -> Markup {
    const TRACK: f64 = 13.0;
    let intervals = || rows.iter().flat_map(|row| row.values.iter().flatten()).map(|value| value.interval);
    let high = intervals().map(|interval| interval.high).chain(even).reduce(f64::max).unwrap_or(0.0);
    let low = intervals().map(|interval| interval.low).chain(even).reduce(f64::min).unwrap_or(0.0);
    let ticks = if is_share { ticks(end(high)) } else { point_ticks(low, high) };
    let bottom_value = ticks.first().copied().unwrap_or(0.0);
    let top = if is_share { end(high) } else { ticks.last().copied().unwrap_or(1.0) };
    let label = |tick: f64| if is_share { plain(tick) } else { tick_label(tick, top - bottom_value) };
    let figure = |value: Estimate| if is_share { percent(value) } else { points(value) };
    let x = |value: f64| 10.0 + (value - bottom_value) / (top - bottom_value) * (WIDTH - 10.0 - RIGHT);
    let tracks = count(rows.iter().map(|row| row.values.len()).max().unwrap_or(1));
    let step = 26.0 + tracks * TRACK;
    let bottom = count(rows.len()) * step;
    html! {
        svg viewBox=(view(bottom + AXIS)) role="img" aria-label=(title) {
            @for tick in ticks.iter().copied() {
                line.grid x1=(px(x(tick))) x2=(px(x(tick))) y1="0" y2=(px(bottom)) {}
                @let part = (tick - bottom_value) / (top - bottom_value);
                text.axis x=(px(x(tick))) y=(px(bottom + 14.0)) text-anchor=(anchor(part, 1.0)) { (label(tick)) }
            }
            text.axis x=(px(WIDTH / 2.0)) y=(px(bottom + 29.0)) text-anchor="middle" { (title) }
            @if let Some(even) = even {
                line.even x1=(px(x(even))) x2=(px(x(even))) y1="0" y2=(px(bottom)) {}
            }
            @for (row, number) in rows.iter().zip(0..) {
                @let y = count(number) * step;
                text.name x="10" y=(px(y + 15.0)) { (clipped(&row.name)) }
                text.name x=(px(WIDTH - 4.0)) y=(px(y + 15.0)) text-anchor="end" {
                    @for (skill, share) in row.values.iter().enumerate() {
                        @if let Some(share) = share {
                            tspan.{ "k" (skill) } { @if row.values.len() > 1 { "\u{a0}\u{a0}" (SIGNS[skill % SIGNS.len()]) "\u{a0}" } (figure(*share)) }
                        }
                    }
                }
                @for (skill, share) in row.values.iter().enumerate() {
                    @if let Some(share) = share {
                        @let at = y + 26.0 + count(skill) * TRACK;
                        line.interval x1=(px(x(share.interval.low))) x2=(px(x(share.interval.high))) y1=(px(at)) y2=(px(at)) {}
                        @for side in [share.interval.low, share.interval.high] {
                            line.interval x1=(px(x(side))) x2=(px(x(side))) y1=(px(at - 3.5)) y2=(px(at + 3.5)) {}
                        }
                        (sign(skill, x(share.value), at))
                    }
                }
            }
        }
    }
}

fn sign(skill: usize, x: f64, y: f64) -> Markup {
    let class = format!("sign k{skill}");
    let points = |offsets: &[(f64, f64)]| -> String {
        let point = |(dx, dy): &(f64, f64)| format!("{},{}", px(x + dx), px(y + dy));
        offsets.iter().map(point).collect::<Vec<_>>().join(" ")
    };
    html! {
        @match skill % SIGNS.len() {
            0 => { circle class=(class) cx=(px(x)) cy=(px(y)) r="4" {} }
            1 => { polygon class=(class) points=(points(&[(0.0, -5.5), (5.5, 0.0), (0.0, 5.5), (-5.5, 0.0)])) {} }
            2 => { polygon class=(class) points=(points(&[(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)])) {} }
            _ => { polygon class=(class) points=(points(&[(0.0, -5.0), (5.0, 4.0), (-5.0, 4.0)])) {} }
        }
    }
}

/// Draws a histogram of game lengths. Charts in `beside` share its range and bar width.
pub fn histogram(games: &BTreeMap<u32, u64>, beside: &[&BTreeMap<u32, u64>], title: &str) -> Markup {
    let all = || beside.iter().flat_map(|games| games.keys().copied());
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let width = width_of_bars(low, high);
    let low = low / width * width;
    let mut bars = vec![0u64; usize::try_from((high - low) / width + 1).unwrap_or(1)];
    for (length, games) in games {
        bars[usize::try_from((length - low) / width).unwrap_or(0)] += games;
    }
    let labels = |number: usize| {
        let from = low + width * u32::try_from(number).unwrap_or(0);
        if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) }
    };
    columns(&bars, &|number| (low + width * u32::try_from(number).unwrap_or(0)).to_string(), &labels, title)
}

/// Draws a histogram of shares from 0 to 1, in tenths.
pub fn tenths(parts: &[f64], title: &str) -> Markup {
    let mut bars = vec![0u64; 10];
    for part in parts {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 9")]
        let at = (part * 10.0).clamp(0.0, 9.0) as usize;
        bars[at] += 1;
    }
    let label = |number: usize| plain(count(number) / 10.0);
    columns(&bars, &label, &|number| format!("{} to {}", label(number), label(number + 1)), title)
}

fn width_of_bars(low: u32, high: u32) -> u32 {
    let nice = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u32.pow(power)));
    nice.into_iter().find(|width| high / width - low / width < BARS).unwrap_or(1_000_000_000)
}

fn columns(bars: &[u64], label: &dyn Fn(usize) -> String, whole: &dyn Fn(usize) -> String, title: &str) -> Markup {
    const HEIGHT: f64 = 150.0;
    const TOP: f64 = 22.0;
    let most = bars.iter().copied().max().unwrap_or(0).max(1);
    let step = (WIDTH - LEFT - RIGHT) / count(bars.len());
    let height = |games: u64| share_of(games, most) * (HEIGHT - TOP);
    // Labels that fit.
    let every = bars.len().div_ceil(8);
    html! {
        svg viewBox=(view(HEIGHT + AXIS)) role="img" aria-label=(title) {
            text.axis x="2" y="12" { "games" }
            @for games in if most > 1 { vec![0, most / 2, most] } else { vec![0, 1] } {
                line.grid x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(HEIGHT - height(games))) y2=(px(HEIGHT - height(games))) {}
                text.axis x=(px(LEFT - 6.0)) y=(px(HEIGHT - height(games) + 4.0)) text-anchor="end" { (games) }
            }
            @for (number, games) in bars.iter().enumerate() {
                @let x = LEFT + count(number) * step;
                rect.bar x=(px(x + 1.0)) y=(px(HEIGHT - height(*games))) width=(px((step - 2.0).max(1.0))) height=(px(height(*games))) {
                    title { (whole(number)) ": " (games) " games" }
                }
                @if number % every == 0 {
                    text.axis x=(px(x + step / 2.0)) y=(px(HEIGHT + 14.0)) text-anchor="middle" { (label(number)) }
                }
            }
            text.axis x=(px(LEFT + (WIDTH - LEFT - RIGHT) / 2.0)) y=(px(HEIGHT + 29.0)) text-anchor="middle" { (title) }
        }
    }
}

/// Draws the leading seat during each game: a ribbon per game, with the winner behind it.
pub fn ribbons(games: &[(u64, WinTrajectory)]) -> Markup {
    const STEP: f64 = 20.0;
    let x = |at: f64| LEFT + at * (WIDTH - LEFT - 30.0);
    let bottom = 16.0 + count(games.len()) * STEP;
    html! {
        svg viewBox=(view(bottom + AXIS)) role="img" aria-label="leading seat" {
            text.axis x="2" y="11" { "block" }
            text.axis x=(px(WIDTH - 4.0)) y="11" text-anchor="end" { "won by" }
            @for ((block, trajectory), number) in games.iter().zip(0..) {
                @let y = 16.0 + count(number) * STEP;
                text.axis x=(px(LEFT - 6.0)) y=(px(y + 13.0)) text-anchor="end" { (block) }
                @for (from, to, leader) in runs(trajectory) {
                    @let class = leader.map_or_else(|| "nobody".to_owned(), |seat| format!("seat s{}", seat % SEATS));
                    rect class=(class) x=(px(x(from))) y=(px(y)) width=(px(x(to) - x(from))) height="17" {}
                    @if x(to) - x(from) > 11.0 {
                        text.on x=(px(x(f64::midpoint(from, to)))) y=(px(y + 13.0)) text-anchor="middle" {
                            (leader.map_or_else(|| "\u{2013}".to_owned(), |seat| (seat + 1).to_string()))
                        }
                    }
                }
                text.name x=(px(WIDTH - 4.0)) y=(px(y + 13.0)) text-anchor="end" { (winners(trajectory)) }
            }
            @for tick in [0.0, 0.5, 1.0] {
                text.axis x=(px(x(tick))) y=(px(bottom + 14.0)) text-anchor=(if tick < 1.0 { "middle" } else { "end" }) { (plain(tick)) }
            }
            text.axis x=(px(x(0.5))) y=(px(bottom + 29.0)) text-anchor="middle" { "share of answers given" }
        }
    }
}

/// Number of seat colours. They repeat for more seats, whose numbers still differ.
const SEATS: usize = 6;

fn runs(trajectory: &WinTrajectory) -> Vec<(f64, f64, Option<usize>)> {
    let mut runs: Vec<(f64, f64, Option<usize>)> = Vec::new();
    let ends = trajectory.points.iter().skip(1).map(|point| point.at);
    for ((point, to), leader) in trajectory.points.iter().zip(ends).zip(trajectory.leaders()) {
        match runs.last_mut() {
            Some(last) if last.2 == leader => last.1 = to,
            _ => runs.push((point.at, to, leader)),
        }
    }
    runs
}

fn winners(trajectory: &WinTrajectory) -> String {
    let shares = trajectory.points.last().map_or(&[][..], |point| &point.shares);
    let won = (0..shares.len()).filter(|seat| shares[*seat] > 0.0).map(|seat| (seat + 1).to_string());
    won.collect::<Vec<_>>().join("+")
}

/// Draws how likely each seat was to win: stacked bands with the numbers of the seats.
pub fn bands(trajectory: &WinTrajectory) -> Markup {
    const HEIGHT: f64 = 150.0;
    const TOP: f64 = 8.0;
    let x = |at: f64| LEFT + at * (WIDTH - LEFT - RIGHT);
    let y = |share: f64| TOP + share * (HEIGHT - TOP);
    let seats = trajectory.points.first().map_or(0, |point| point.shares.len());
    let points = &trajectory.points;
    let below = |point: usize, seat: usize| points[point].shares[..seat].iter().sum::<f64>();
    let outline = |seat: usize| -> String {
        let there = (0..points.len()).map(|point| (points[point].at, below(point, seat)));
        let back = (0..points.len()).rev().map(|point| (points[point].at, below(point, seat + 1)));
        there.chain(back).map(|(at, share)| format!("{},{}", px(x(at)), px(y(share)))).collect::<Vec<_>>().join(" ")
    };
    let inner = 1..points.len().saturating_sub(1).max(2).min(points.len());
    let widest = |seat: usize| {
        let share = |point: &usize| points[*point].shares[seat];
        inner.clone().max_by(|one, two| share(one).total_cmp(&share(two)))
    };
    let rounds = rounds(trajectory);
    let every = rounds.len().div_ceil(8).max(1);
    html! {
        svg viewBox=(view(HEIGHT + AXIS)) role="img" aria-label="chance to be first in playouts" {
            @for share in [0.0, 0.5, 1.0] {
                text.axis x=(px(LEFT - 6.0)) y=(px(y(share) + 4.0)) text-anchor="end" { (plain(1.0 - share)) }
            }
            @for seat in 0..seats {
                polygon class={ "seat s" (seat % SEATS) } points=(outline(seat)) {}
            }
            @for seat in 0..seats {
                @if let Some(point) = widest(seat).filter(|point| points[*point].shares[seat] * (HEIGHT - TOP) > 13.0) {
                    @let middle = below(point, seat) + points[point].shares[seat] / 2.0;
                    text.on x=(px(x(points[point].at))) y=(px(y(middle) + 4.0)) text-anchor="middle" { (seat + 1) }
                }
            }
            line.half x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(y(0.5))) y2=(px(y(0.5))) {}
            @for (at, round) in rounds.iter().step_by(every) {
                text.axis x=(px(x(*at))) y=(px(HEIGHT + 14.0)) text-anchor="middle" { (round) }
            }
            text.axis x=(px(x(0.5))) y=(px(HEIGHT + 29.0)) text-anchor="middle" { "round" }
        }
    }
}

/// Returns the first position of each round.
fn rounds(trajectory: &WinTrajectory) -> Vec<(f64, i32)> {
    let mut found: Vec<(f64, i32)> = Vec::new();
    for point in trajectory.points.iter().take(trajectory.points.len().saturating_sub(1)) {
        if found.last().is_none_or(|(_, round)| *round < point.round) {
            found.push((point.at, point.round));
        }
    }
    found
}

/// Draws shares as a line chart over equal steps.
pub fn steps(points: &[(String, Estimate)], even: f64, title: &str, upright: &str) -> Markup {
    const HEIGHT: f64 = 190.0;
    const TOP: f64 = 24.0;
    let step = (WIDTH - LEFT - RIGHT) / count(points.len().max(1));
    let x = |number: usize| LEFT + (count(number) + 0.5) * step;
    let y = |share: f64| TOP + (HEIGHT - TOP) * (1.0 - share);
    let line: Vec<String> = points
        .iter()
        .enumerate()
        .map(|(number, (_, share))| format!("{},{}", px(x(number)), px(y(share.value))))
        .collect();
    html! {
        svg viewBox=(view(HEIGHT + AXIS)) role="img" aria-label=(title) {
            text.axis x="2" y="12" { (upright) }
            @for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                line.grid x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(y(tick))) y2=(px(y(tick))) {}
                text.axis x=(px(LEFT - 6.0)) y=(px(y(tick) + 4.0)) text-anchor="end" { (plain(tick)) }
            }
            line.even x1=(px(LEFT)) x2=(px(WIDTH - RIGHT)) y1=(px(y(even))) y2=(px(y(even))) {}
            polyline.curve points=(line.join(" ")) {}
            @for (number, (label, share)) in points.iter().enumerate() {
                line.interval x1=(px(x(number))) x2=(px(x(number))) y1=(px(y(share.interval.low))) y2=(px(y(share.interval.high))) {}
                (sign(1, x(number), y(share.value)))
                text.name x=(px(x(number) + 9.0)) y=(px(y(share.value) + 4.0)) { (percent(*share)) }
                text.axis x=(px(x(number))) y=(px(HEIGHT + 14.0)) text-anchor="middle" { (label) }
            }
            text.axis x=(px(LEFT + (WIDTH - LEFT - RIGHT) / 2.0)) y=(px(HEIGHT + 29.0)) text-anchor="middle" { (title) }
        }
    }
}

/// Draws a small interval about zero for a table cell. The range is -`most` to `most`.
pub fn whisker(estimate: Estimate, most: f64) -> Markup {
    const WIDE: f64 = 96.0;
    let x = |value: f64| (0.5 + value / most / 2.0).clamp(0.0, 1.0) * (WIDE - 6.0) + 3.0;
    html! {
        svg.whisker viewBox="0 0 96 14" aria-hidden="true" {
            line.even x1="48" x2="48" y1="0" y2="14" {}
            line.interval x1=(px(x(estimate.interval.low))) x2=(px(x(estimate.interval.high))) y1="7" y2="7" {}
            circle.dot cx=(px(x(estimate.value))) cy="7" r="3" {}
        }
    }
}

/// Returns the end of an axis: a multiple of one tenth that covers the largest value.
fn end(most: f64) -> f64 {
    ((most * 10.0 - 1e-9).ceil() / 10.0).clamp(0.1, 1.0)
}

/// Returns about five ticks of an axis from 0.
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

/// Returns about five ticks of an axis that covers these points.
fn point_ticks(low: f64, high: f64) -> Vec<f64> {
    let width = (high - low).max(0.1);
    let mut nice = (-1..10).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    let step = nice.find(|step| width / step <= 5.0).unwrap_or(width);
    let first = (low / step).floor();
    let last = (high / step).ceil().max(first + 1.0);
    (0..8).map(|number| first + f64::from(number)).take_while(|tick| *tick <= last).map(|tick| tick * step).collect()
}

/// Formats a tick of an axis of this length in points.
fn tick_label(tick: f64, length: f64) -> String {
    let digits = usize::from(length < 4.0);
    format!("{:.digits$}", if tick == 0.0 { 0.0 } else { tick })
}

/// Returns the text anchor of a label: the first and last one must stay inside the chart.
fn anchor(tick: f64, top: f64) -> &'static str {
    if tick == 0.0 {
        "start"
    } else if tick > top * 0.97 {
        "end"
    } else {
        "middle"
    }
}

fn view(height: f64) -> String {
    format!("0 0 {} {}", px(WIDTH), px(height))
}

#[expect(clippy::cast_precision_loss, reason = "a few rows")]
fn count(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "no experiment has 2^53 games")]
fn share_of(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// Formats a length with one decimal, so that the page is the same on every machine.
fn px(length: f64) -> String {
    format!("{length:.1}")
}

fn clipped(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(std::iter::once('\u{2026}')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_every_game() {
        let games: BTreeMap<u32, u64> = [(7, 3), (48, 2), (212, 1)].into();
        let drawn = histogram(&games, &[&games], "decisions").into_string();
        let counted: u64 =
            drawn.split(" games</title>").filter_map(|part| part.rsplit(": ").next()?.parse::<u64>().ok()).sum();
        assert_eq!(counted, 6, "{drawn}");
        assert!(drawn.contains("0 to 19: 3 games") && drawn.contains("200 to 219: 1 games"), "{drawn}");
        assert_eq!((width_of_bars(1, 10), width_of_bars(0, 16), width_of_bars(0, 15)), (1, 2, 1));
    }

    #[test]
    fn long_names_are_clipped_and_axes_end_at_a_tick() {
        assert_eq!(clipped(&"x".repeat(40)).chars().count(), NAME);
        assert!((end(0.31) - 0.4).abs() < 1e-9 && (end(0.3) - 0.3).abs() < 1e-9 && (end(2.0) - 1.0).abs() < 1e-9);
        assert_eq!(ticks(0.5).len(), 6);
        assert_eq!(point_ticks(-7.0, 41.0), [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!((point_ticks(12.0, 12.0).len(), point_ticks(0.2, 1.9)), (2, vec![0.0, 0.5, 1.0, 1.5, 2.0]));
        assert_eq!((tick_label(-0.0, 2.0), tick_label(40.0, 60.0)), ("0.0".to_owned(), "40".to_owned()));
    }
}
