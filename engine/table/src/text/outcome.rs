//! The final ranking in the terminal.

use comfy_table::Cell;
use motherlode::declare::Declarations;
use motherlode::tools::fraction;
use motherlode::{Game, Match, Outcome};
use motherlode_content::sentence::list;

use crate::paint;
use crate::points::{self, Columns};

/// The winner, and the final ranking, best first; empty before the end of the match.
pub fn outcome(played: &Match, seats: &[String], points: &Columns, width: usize) -> String {
    let (Some(outcome), game) = (played.outcome(), played.game()) else { return String::new() };
    let declared = game.declarations();
    let mut order: Vec<usize> = (0..outcome.ranks.len()).collect();
    let team = |seat: usize| outcome.teams.get(seat).copied().unwrap_or_default();
    order.sort_by_key(|&seat| (outcome.ranks[seat], team(seat)));
    let mut table = paint::table_in(width);
    let counter_label = |counter: usize, other: &'static str| {
        declared.counters.get_index(counter).map_or(other, |(_, counter)| &counter.text)
    };
    let score = counter_label(declared.outcome.score, "Score");
    let teams = declared.outcome.teams.filter(|_| !outcome.teams.is_empty());
    // A cooperative game has one result, shown above the table.
    let alone = !declared.outcome.shared;
    let sources: Vec<(&String, &Vec<String>)> =
        points.iter().filter(|(_, of)| alone && of.iter().any(|points| points != "0")).collect();
    let header = [alone.then_some("Place"), Some("Player"), Some("Played by")];
    let header = header.into_iter().chain([teams.map(|teams| counter_label(teams, "Team"))]).flatten();
    let header = header.chain(sources.iter().map(|(name, _)| name.as_str())).chain(alone.then_some(score));
    table.set_header(header);
    for seat in order {
        let number = u8::try_from(seat).unwrap_or(u8::MAX);
        let colour = declared.seats.get(seat).map_or("", |seat| &seat.colour);
        let total = outcome.scores.get(seat).map(|score| fraction::shown(*score, outcome.unit)).unwrap_or_default();
        let cells = [
            alone.then(|| Cell::new(outcome.ranks[seat])),
            Some(paint::cell(paint::seat_name(declared, number), colour)),
            Some(Cell::new(seats.get(seat).map_or_else(String::new, |bot| paint::bot(bot)))),
            teams.map(|counter| team_cell(game, counter, team(seat))),
        ];
        let parts = sources.iter().map(|(_, of)| Cell::new(of.get(seat).map_or("0", String::as_str)));
        table.add_row(cells.into_iter().flatten().chain(parts).chain(alone.then(|| Cell::new(total))));
    }
    let strong = paint::strong();
    let rounds = paint::plural(outcome.rounds, "round");
    // A normal end of the game needs no reason.
    let reason = if outcome.reason == "script" { String::new() } else { format!(" ({})", outcome.reason) };
    let total = fraction::shown(outcome.scores.first().copied().unwrap_or_default(), outcome.unit);
    let result = match outcome.won {
        Some(won) => format!("{strong}{}{strong:#}, {score}: {total}\n", if won { "Won" } else { "Lost" }),
        None if alone && teams.is_none() && outcome.ranks.len() > 1 => {
            format!("{}{}.\n", winners(declared, &outcome), points::lead(game, played))
        }
        None if alone => String::new(),
        None => format!("{score}: {strong}{total}{strong:#}\n"),
    };
    format!("{strong}The game is over{strong:#} after {rounds}{reason}\n{result}{}\n", table.trim_fmt())
}

/// The winners: `Ann wins`, `Ann and Ben draw`.
fn winners(declared: &Declarations, outcome: &Outcome) -> String {
    let first = outcome.ranks.iter().zip(0..).filter(|(rank, _)| **rank == 1);
    let names: Vec<String> = first.map(|(_, seat)| paint::seat_name(declared, seat)).collect();
    format!("{} {}", list(&names), if names.len() == 1 { "wins" } else { "draw" })
}

/// A team: the value name of its counter, or the number.
fn team_cell(game: &Game, counter: usize, team: i32) -> Cell {
    let counter = game.declarations().counters.get_index(counter).map(|(_, counter)| counter);
    let at = usize::try_from(team).ok();
    let of = |list: &'_ Vec<String>| at.and_then(|at| list.get(at)).cloned();
    let name = counter.and_then(|counter| of(&counter.values)).unwrap_or_else(|| team.to_string());
    paint::cell(name, &counter.and_then(|counter| of(&counter.colours)).unwrap_or_default())
}
