//! Speed of measured commits, kept in `benches/history.jsonl`, and the rule that finds a loss.
//!
//! A figure is a ratio to a baseline of the same run: absolute times of different days and machines do not compare.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Path of the history below the root.
pub const FILE: &str = "benches/history.jsonl";
/// Minimum rounds of a comparison.
pub const ROUNDS: usize = 10;
/// Relative loss that a change must not exceed.
pub const LOSS: f64 = 0.05;

/// Figures of one round: the ratio of each game.
pub type Round = BTreeMap<String, f64>;

/// Median of the rounds with the quartiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

/// Figures of one commit: a line of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Date of the commit, as in `2026-11-25`.
    pub date: String,
    /// Short id of the commit.
    pub commit: String,
    /// Processor of the run.
    pub machine: String,
    pub rounds: usize,
    /// Time of the engine as a multiple of the baseline's.
    pub games: BTreeMap<String, Spread>,
}

impl Spread {
    /// Summarises values by nearest rank. `None` without values.
    pub fn new(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let rank = |quarters: usize| values.get(values.len() * quarters / 4).copied();
        Some(Self { low: rank(1)?, median: rank(2)?, high: rank(3)? })
    }

    /// Rounds to three decimals, which is less than the noise.
    fn rounded(self) -> Self {
        let round = |value: f64| (value * 1e3).round() / 1e3;
        Self { low: round(self.low), median: round(self.median), high: round(self.high) }
    }
}

/// Summarises the rounds of one program, game by game.
pub fn summary(rounds: &[Round]) -> BTreeMap<String, Spread> {
    let games = rounds.first().into_iter().flat_map(Round::keys);
    let spread = |game: &String| Spread::new(rounds.iter().filter_map(|round| round.get(game).copied()).collect());
    games.filter_map(|game| Some((game.clone(), spread(game)?.rounded()))).collect()
}

/// Parses a history.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let entry = |(line, number): (&str, usize)| {
        serde_json::from_str(line).map_err(|error| {
            format!("{FILE}:{number}: {error}: delete the line and run `cargo bench --bench playouts -- --record`")
        })
    };
    text.lines().zip(1..).map(entry).collect()
}

/// Adds an entry in the order of dates. An entry of the same commit is replaced.
pub fn add(entries: &mut Vec<Entry>, entry: Entry) {
    entries.retain(|other| other.commit != entry.commit);
    let at = entries.partition_point(|other| other.date <= entry.date);
    entries.insert(at, entry);
}

/// Formats a history: one JSON object a line.
pub fn format(entries: &[Entry]) -> serde_json::Result<String> {
    entries.iter().map(|entry| Ok(serde_json::to_string(entry)? + "\n")).collect()
}

/// Result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    /// The median exceeds [`LOSS`], but the lower quartile does not: noise may explain it.
    Unclear,
    /// The lower quartile exceeds [`LOSS`].
    Slower,
}

/// Relative loss of each game both programs play: positive if `new` is slower. Rounds are compared in pairs.
pub fn losses(base: &[Round], new: &[Round]) -> BTreeMap<String, Spread> {
    let loss = |(base, new): (&Round, &Round)| -> Round {
        new.iter().filter_map(|(game, ratio)| Some((game.clone(), ratio / base.get(game)? - 1.0))).collect()
    };
    summary(&base.iter().zip(new).map(loss).collect::<Vec<_>>())
}

/// Applies the rule to the loss of a game.
pub fn verdict(loss: Spread) -> Verdict {
    match loss {
        Spread { low, .. } if low > LOSS => Verdict::Slower,
        Spread { median, .. } if median > LOSS => Verdict::Unclear,
        _ => Verdict::Fine,
    }
}
