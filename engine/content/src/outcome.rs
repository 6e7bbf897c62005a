//! Reads `outcome`: scores, ranks, and the utility that bots maximise.

use indexmap::IndexMap;

use super::declare::{Counter, Goal, Holder, OutcomeDecl, PlayerRange, RankKey};
use super::document::{Node, Table};
use super::keys;
use super::limits::DEFAULT_MAX;
use super::names::{COUNTER, Names};
use super::words::GOALS;

/// The declarations that an outcome refers to.
pub(crate) struct Known<'a> {
    pub(crate) names: &'a Names,
    pub(crate) counters: &'a IndexMap<String, Counter>,
    pub(crate) players: Option<PlayerRange>,
}

/// Reads `[outcome]`.
pub(crate) fn read(table: Table<'_>, known: &Known<'_>) -> OutcomeDecl {
    let shared = table.boolean("shared", false);
    let (won, rank, teams) = (table.get("won"), table.get("rank"), table.get("teams"));
    let score = table.need("score");
    let parts = table.get("parts");
    let holder = if shared { Holder::Game } else { Holder::Player };
    let of = |node: &Node<'_>| known.counter(node, holder);
    let score_index = score.as_ref().and_then(of);
    let mut outcome = if shared {
        for node in [&rank, &teams].into_iter().flatten() {
            let message = format!("{} has no meaning: all players share one result", node.what);
            node.fault("conflict", message, Some("remove it, or `shared`".to_owned()));
        }
        OutcomeDecl { won: won.as_ref().and_then(of), ..OutcomeDecl::default() }
    } else {
        if let Some(node) = &won {
            let message = format!("{} has no meaning: players win by their rank", node.what);
            node.fault("conflict", message, Some("set `shared = true`, or remove it".to_owned()));
        }
        let rank = match &rank {
            Some(node) => read_rank(node, of, known.names),
            None => score_index.map(|counter| RankKey { counter, least: false }).into_iter().collect(),
        };
        OutcomeDecl { rank, teams: teams.as_ref().and_then(of), ..OutcomeDecl::default() }
    };
    (outcome.score, outcome.shared) = (score_index.unwrap_or(0), shared);
    for element in parts.and_then(|node| node.list(false)).unwrap_or_default() {
        outcome.parts.extend(of(&element));
    }
    let score = score_index.and_then(|index| known.counters.get_index(index));
    read_goal(&table, known, won.is_some(), score, &mut outcome);
    table.finish(keys::outcome);
    outcome
}

impl Known<'_> {
    /// The counter named here, which must be per this holder.
    fn counter(&self, node: &Node<'_>, holder: Holder) -> Option<usize> {
        let index = node.reference(&COUNTER, &self.names.counters)?;
        let (name, counter) = self.counters.get_index(index)?;
        if counter.per != holder {
            let per = if holder == Holder::Game { "game" } else { "player" };
            let message = format!("{} must be a {per} counter, and `{name}` is not one", node.what);
            node.fault("wrong-holder", message, Some(format!("set `per = \"{per}\"` in counter `{name}`")));
        }
        Some(index)
    }
}

/// Reads `goal`, `zero_sum` and `range`.
fn read_goal(
    table: &Table<'_>,
    known: &Known<'_>,
    has_won: bool,
    score: Option<(&String, &Counter)>,
    outcome: &mut OutcomeDecl,
) {
    let node = table.get("goal");
    let declared = node.as_ref().and_then(|node| node.word(&GOALS));
    let by_score = outcome.shared && !has_won;
    outcome.goal = declared.unwrap_or(if by_score { Goal::Score } else { Goal::Rank });
    // A misspelt goal makes no other fault.
    let is_known = node.is_none() || declared.is_some();
    if let Some(node) = &node {
        check_goal(node, known, by_score, outcome);
    }
    if let Some(node) = table.get("zero_sum") {
        outcome.zero_sum = node.boolean().unwrap_or(false);
        if outcome.zero_sum && is_known {
            check_zero_sum(&node, score, outcome);
        }
    }
    let range = table.get("range");
    outcome.range = range.as_ref().and_then(read_range);
    if range.is_none() && outcome.goal != Goal::Rank && is_known {
        let of_counter = score.map(|(_, counter)| (counter.min, counter.max));
        outcome.range = of_counter.filter(|(_, max)| *max < DEFAULT_MAX && outcome.teams.is_none());
        if let (None, Some((name, _))) = (outcome.range, score) {
            report_missing_range(table, by_score && node.is_none(), name, outcome);
        }
    }
}

fn report_missing_range(table: &Table<'_>, by_score: bool, score: &str, outcome: &OutcomeDecl) {
    let (reason, won) = match by_score {
        true => ("without `won` only the score counts".to_owned(), "`won`, or "),
        false => (format!("`goal` is `{}`", outcome.goal.name()), ""),
    };
    let or = if outcome.teams.is_some() { String::new() } else { format!("; or set `max` in counter `{score}`") };
    let help = format!("add {won}`range = [smallest, largest]`: bots compare scores within this range{or}");
    table.fault("missing-key", format!("{} needs `range`, because {reason}", table.what), Some(help));
}

fn check_goal(node: &Node<'_>, known: &Known<'_>, by_score: bool, outcome: &OutcomeDecl) {
    let what = &node.what;
    match outcome.goal {
        Goal::Rank if by_score => {
            let message = format!("{what} is `rank`, but nobody wins: all players share one score");
            node.fault("conflict", message, Some("add `won`, or set `goal = \"score\"`".to_owned()));
        }
        Goal::Margin if outcome.shared => {
            let message = format!("{what} is `margin`, but all players share one score");
            node.fault("conflict", message, Some("set `goal = \"score\"`, or remove `shared`".to_owned()));
        }
        Goal::Margin if known.players.is_some_and(|players| players.min < 2) => {
            let message = format!("{what} is `margin`, but a game for 1 player has no other score");
            node.fault("conflict", message, Some("set `min = 2` in players, or `goal = \"score\"`".to_owned()));
        }
        _ => {}
    }
}

fn check_zero_sum(node: &Node<'_>, score: Option<(&String, &Counter)>, outcome: &OutcomeDecl) {
    let what = &node.what;
    if outcome.goal != Goal::Score {
        let message = format!("{what} has no meaning: `goal` is `{}`", outcome.goal.name());
        node.fault("conflict", message, Some("set `goal = \"score\"`, or remove it".to_owned()));
    } else if outcome.shared {
        let message = format!("{what} is true, but all players share one score");
        node.fault("conflict", message, Some("remove it, or `shared`".to_owned()));
    } else if let Some((name, _)) = score.filter(|(_, counter)| counter.min >= 0) {
        let message = format!("{what} is true, but counter `{name}` is never negative");
        node.fault("conflict", message, Some(format!("set `min` below 0 in counter `{name}`")));
    }
}

/// Reads `[smallest, largest]`.
fn read_range(node: &Node<'_>) -> Option<(i32, i32)> {
    let elements = node.list(false)?;
    let [least, most] = elements.as_slice() else {
        let message = format!("{} must have 2 entries, not {}", node.what, elements.len());
        node.fault("wrong-length", message, Some("list the smallest and the largest score: `[0, 40]`".to_owned()));
        return None;
    };
    let (least, most) = (least.integer(i32::MIN..=i32::MAX)?, most.integer(i32::MIN..=i32::MAX)?);
    if least >= most {
        let message = format!("{} is [{least}, {most}], but the smallest score comes first", node.what);
        let help = if least == most {
            "the largest score must be greater than the smallest".to_owned()
        } else {
            format!("write [{most}, {least}]")
        };
        node.fault("out-of-range", message, Some(help));
        return None;
    }
    Some((least, most))
}

/// Reads `rank`: `"score"`, `{ least = "debt" }`, or a list of these.
fn read_rank(node: &Node<'_>, counter: impl Fn(&Node<'_>) -> Option<usize>, names: &Names) -> Vec<RankKey> {
    let elements = node.list(true).unwrap_or_default();
    if elements.is_empty() {
        node.fault("empty", format!("{} is empty", node.what), None);
    }
    let mut rank: Vec<RankKey> = Vec::new();
    for element in &elements {
        let key = if element.is_table() {
            element.table(element.what.clone()).and_then(|table| {
                let key = table.need("least").and_then(|node| Some(RankKey { counter: counter(&node)?, least: true }));
                table.finish(keys::least);
                key
            })
        } else {
            counter(element).map(|counter| RankKey { counter, least: false })
        };
        let Some(key) = key else { continue };
        if rank.iter().any(|known| known.counter == key.counter) {
            let name = names.counters.get_index(key.counter).map_or("", String::as_str);
            element.fault("duplicate", format!("`{name}` is listed twice in {}", element.what), None);
        } else {
            rank.push(key);
        }
    }
    rank
}
