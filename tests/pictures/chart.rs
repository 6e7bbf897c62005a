//! The history of the speed as SVG: one panel for each game.

use std::collections::BTreeSet;

use crate::history::{Entry, Spread};

/// Panels in a row.
const COLUMNS: usize = 2;
/// Size of a panel, in pixels.
const PANEL: [f64; 2] = [400.0, 170.0];
/// Space in a panel left, right, above and below the plot.
const SPACE: [f64; 4] = [36.0, 56.0, 40.0, 36.0];

/// Plot of a panel, in pixels.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Largest value.
    most: f64,
}

impl Plot {
    fn new(number: usize, most: f64) -> Self {
        let [width, height] = PANEL;
        let (x, y) = ((number % COLUMNS) as f64 * width, (number / COLUMNS) as f64 * height);
        let [left, right, above, below] = SPACE;
        Self { left: x + left, right: x + width - right, top: y + above, bottom: y + height - below, most }
    }

    fn x(&self, index: usize, entries: usize) -> f64 {
        self.left + (self.right - self.left) * index as f64 / entries.saturating_sub(1).max(1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top) * value / self.most
    }
}

/// A text element; `anchor` is `start`, `middle` or `end`.
fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>\n")
}

/// The panel of a game. The axis begins at 0, so that noise looks small and a loss looks like its size.
fn panel(number: usize, game: &str, entries: &[Entry]) -> String {
    let spread = |(index, entry): (usize, &Entry)| entry.games.get(game).map(|spread| (index, *spread));
    let points: Vec<(usize, Spread)> = entries.iter().enumerate().filter_map(spread).collect();
    let most = points.iter().map(|(_, spread)| spread.high).fold(0.0, f64::max).ceil();
    let plot = Plot::new(number, most);
    let Plot { left, right, top, bottom, .. } = plot;
    let mut made = label(left, top - 16.0, "start", game);
    for value in [0.0, most] {
        let y = plot.y(value);
        made += &format!("<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#30363d\"/>\n");
        made += &label(left - 8.0, y + 4.0, "end", &format!("{value}"));
    }
    for (index, anchor) in BTreeSet::from([0, entries.len() - 1]).into_iter().zip(["start", "end"]) {
        let Entry { date, commit, .. } = &entries[index];
        made += &label(plot.x(index, entries.len()), bottom + 20.0, anchor, &format!("{date} {commit}"));
    }
    let mut line = Vec::new();
    for &(index, Spread { low, median, high }) in &points {
        let (x, [low, y, high]) = (plot.x(index, entries.len()), [low, median, high].map(|value| plot.y(value)));
        line.push(format!("{x:.1},{y:.1}"));
        made += &format!(
            "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"#79c0ff\" stroke-width=\"7\" opacity=\"0.5\"/>\n"
        );
        made += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#79c0ff\"/>\n");
    }
    made += &format!("<polyline points=\"{}\" fill=\"none\" stroke=\"#79c0ff\"/>\n", line.join(" "));
    if let Some((index, last)) = points.last() {
        let x = plot.x(*index, entries.len()) + 10.0;
        made += &label(x, plot.y(last.median) + 4.0, "start", &format!("{:.2}", last.median));
    }
    made
}

/// Draws the history: medians as points, quartiles as bars.
pub fn svg(title: &str, entries: &[Entry]) -> String {
    let games: BTreeSet<&String> = entries.iter().flat_map(|entry| entry.games.keys()).collect();
    let body: String = games.iter().enumerate().map(|(number, game)| panel(number, game, entries)).collect();
    let (width, height) = (PANEL[0] * COLUMNS as f64, PANEL[1] * games.len().div_ceil(COLUMNS) as f64);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g fill=\"#e6edf3\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"12\">\n\
         {body}</g>\n</svg>\n"
    )
}
