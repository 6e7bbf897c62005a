//! A change, as the table sees it and as every seat does.
//!
//! The table sees everything. `gold of player 1: 3 -> 5` is public. Differing views follow in brackets: `deck -> hand
//! of player 1: ace (2 3: 1 unknown)`, and `(2: -)` if player 2 sees nothing. A change that only one player sees, such
//! as its own sealed answer, reads `only 2: bid of player 2: 0 -> 3`.

use std::fmt::Write as _;

use motherlode::Line;
use motherlode::tools::{Change, Sight, Spot, diff_seen, word};

/// Subject and change: `gold of player 1`, `3 -> 5`.
pub type Fact = (String, String);

/// The recorded words of the flow. The current turn shows in the decisions, and the phase in the heading.
const TOLD_FLOW: [usize; 2] = [word::PASSED, word::OUT];

/// Tokens that move between two places, with their identity if known.
type Move = ((Spot, Spot), Vec<Option<i32>>);

/// The changes that one seat sees. Tokens that move together form one change.
pub fn changes(before: &Sight<'_>, after: &Sight<'_>) -> Vec<Fact> {
    let mut said = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    for change in diff_seen(before, after) {
        match change {
            Change::Drawn => {}
            Change::Flow { word, .. } if !TOLD_FLOW.contains(&word) => {}
            Change::Moved { token, from, to } => match moves.iter_mut().find(|(way, _)| *way == (from, to)) {
                Some((_, tokens)) => tokens.push(token),
                None => moves.push(((from, to), vec![token])),
            },
            change => {
                let text = without_numbers(&change.describe(after).to_string());
                let (what, how) = text.split_once(": ").unwrap_or((&text, ""));
                said.push((what.to_owned(), how.to_owned()));
            }
        }
    }
    said.extend(moves.iter().map(|&((from, to), ref tokens)| moved(after, from, to, tokens)));
    said
}

/// For example `deck -> hand of player 1`, `ace, 2 king, 1 unknown`.
fn moved(after: &Sight<'_>, from: Spot, to: Spot, tokens: &[Option<i32>]) -> Fact {
    let way = Change::Moved { token: None, from, to }.describe(after).to_string();
    let (_, way) = way.split_once(": ").unwrap_or(("", &way));
    let name = |token: Option<i32>| match token {
        Some(token) => {
            let info = &after.layout.tokens[token as usize - 1];
            after.declared.definitions[info.definition].id.as_str()
        }
        None => "unknown",
    };
    let mut names: Vec<(&str, usize)> = Vec::new();
    for name in tokens.iter().map(|&token| name(token)) {
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, times)) => *times += 1,
            None => names.push((name, 1)),
        }
    }
    let counted = |&(name, times): &(&str, usize)| match (name, times) {
        ("unknown", times) | (_, times @ 2..) => format!("{times} {name}"),
        (name, _) => name.to_owned(),
    };
    let names: Vec<String> = names.iter().map(counted).collect();
    (way.to_owned(), names.join(", "))
}

/// `ace (token 3)` without the number, which any new token would shift.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" (token ") {
        out += before;
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    out + rest
}

/// A transcript line, as one seat or the table reads it. An echo repeats a decision.
pub fn spoken(line: &Line, echo: bool, seat: Option<u8>) -> Fact {
    let text = seat.map_or(Some(line.text()), |seat| line.seen_by(seat));
    let text = if echo && text == Some(line.text()) { Some("(as decided)") } else { text };
    (String::new(), text.unwrap_or("-").to_owned())
}

/// The table's changes, each followed by the differing views of the seats. `seats` has the changes of each seat.
pub fn told(table: Vec<Fact>, mut seats: Vec<Vec<Fact>>) -> Vec<String> {
    let mut told: Vec<SharedFact> = Vec::new();
    for (what, how) in table {
        let seen = seats.iter_mut().map(|said| {
            let at = said.iter().position(|(about, _)| *about == what)?;
            Some(said.remove(at).1)
        });
        let others = seen.map(|seen| (seen.as_ref() != Some(&how)).then(|| seen.unwrap_or("-".to_owned())));
        let others = by_seat(others.collect());
        let (what, whose) = what.split_once(" of ").unwrap_or((&what, ""));
        match told.iter_mut().find(|told| !whose.is_empty() && told.is_like(what, &how, &others)) {
            Some(told) => told.whose.push(whose.to_owned()),
            None => told.push(SharedFact { what: what.to_owned(), whose: vec![whose.to_owned()], how, others }),
        }
    }
    let alone = seats.iter().map(|said| {
        let said: Vec<String> = said.iter().map(|(what, how)| sentence(what, how)).collect();
        (!said.is_empty()).then(|| said.join("; "))
    });
    let alone = by_seat(alone.collect()).into_iter().map(|(seats, said)| format!("only {seats}: {said}"));
    told.iter().map(SharedFact::line).chain(alone).collect()
}

/// A change. Equal changes of several holders become one.
struct SharedFact {
    what: String,
    whose: Vec<String>,
    how: String,
    /// Differing views of the players.
    others: Vec<(String, String)>,
}

impl SharedFact {
    fn is_like(&self, what: &str, how: &str, others: &[(String, String)]) -> bool {
        !self.whose[0].is_empty()
            && (self.what.as_str(), self.how.as_str(), self.others.as_slice()) == (what, how, others)
    }

    /// For example `gold of player 1, player 2: 0 -> 1 (3: -)`.
    fn line(&self) -> String {
        let of = if self.whose[0].is_empty() { "" } else { " of " };
        let mut line = sentence(&format!("{}{of}{}", self.what, self.whose.join(", ")), &self.how);
        if !self.others.is_empty() {
            let parts: Vec<String> = self.others.iter().map(|(seats, how)| format!("{seats}: {how}")).collect();
            let _ = write!(line, " ({})", parts.join("; "));
        }
        line
    }
}

fn sentence(what: &str, how: &str) -> String {
    match (what, how) {
        (what, "") => what.to_owned(),
        ("", how) => how.to_owned(),
        (what, how) => format!("{what}: {how}"),
    }
}

/// The players (from 1), grouped by their view.
fn by_seat(said: Vec<Option<String>>) -> Vec<(String, String)> {
    let everybody = said.len();
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for (player, text) in (1..).zip(said) {
        let Some(text) = text else { continue };
        match groups.iter_mut().find(|(_, known)| *known == text) {
            Some((players, _)) => players.push(player.to_string()),
            None => groups.push((vec![player.to_string()], text)),
        }
    }
    let named = |players: Vec<String>| if players.len() == everybody { "all".to_owned() } else { players.join(" ") };
    groups.into_iter().map(|(players, text)| (named(players), text)).collect()
}
