//! The rows of a simulation: one per game.

use motherlode::declare::OutcomeDecl;
use motherlode::tools::sharing;
use motherlode::{Answer, Game, Outcome};
use serde::{Deserialize, Serialize};

use crate::bots::playout::DECISION_LIMIT;
use crate::reward::utility_in_points;
use crate::simulation::sheet::{Cell, Column, Kind};
use crate::simulation::statistics::is_whole;

/// The result of one game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// Index of the game in the simulation, from 0.
    pub index: u64,
    /// The game's seed; a match with this seed and the same bots repeats the game.
    pub seed: u64,
    /// Number of players.
    pub players: u8,
    /// Round in which the game ended.
    pub rounds: i32,
    /// Number of answered decisions.
    pub decisions: u32,
    /// The reason for aborting the game; `None` if it ended.
    pub aborted: Option<String>,
    /// Scores by seat; empty if aborted.
    pub scores: Vec<i32>,
    /// The number of steps in a point: with 2, a score of 7 is 3½ points. 0: scores are whole points.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub unit: i32,
    /// Ranks by seat, 1 for the first place; equal ranks share a place. In a cooperative game 1 after a win, else 2.
    /// Empty if aborted.
    pub ranks: Vec<u8>,
    /// Team of each seat; empty if there are no teams, or the game was aborted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<i32>,
    /// Whether the players won; `None` if the game is not cooperative, has only a score, or was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won: Option<bool>,
    /// The reason of the game's end, as the rules give it; empty if aborted.
    pub reason: String,
    /// The answers of an aborted game, for replay; empty if the game ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

impl GameRow {
    /// Whether a row from a foreign file is consistent with a game for this number of players.
    #[must_use]
    pub fn is_possible(&self, players: u8) -> bool {
        let seats = usize::from(players);
        let of_all = |length: usize| length == seats;
        let is_rank = |rank: &u8| (1..=players.max(2)).contains(rank);
        let result = match self.aborted {
            Some(_) => self.scores.is_empty() && self.ranks.is_empty() && self.teams.is_empty(),
            None => of_all(self.scores.len()) && of_all(self.ranks.len()) && self.ranks.iter().all(is_rank),
        };
        let teams = self.teams.is_empty() || of_all(self.teams.len());
        self.players == players && self.decisions <= DECISION_LIMIT && result && teams
    }

    /// The score of a seat in points; 0 if aborted.
    #[must_use]
    pub fn score(&self, seat: usize) -> f64 {
        f64::from(self.scores.get(seat).copied().unwrap_or_default()) / f64::from(self.unit.max(1))
    }

    /// The declared [utility](crate::utility()) of a seat; a score or a margin in points. 0 if aborted.
    #[must_use]
    pub fn utility(&self, declared: &OutcomeDecl, seat: usize) -> f64 {
        if self.aborted.is_some() {
            return 0.0;
        }
        utility_in_points(declared, &self.outcome(), u8::try_from(seat).unwrap_or(u8::MAX))
    }

    /// The outcome of the game, without its reason.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome {
            scores: self.scores.clone(),
            unit: self.unit,
            ranks: self.ranks.clone(),
            reason: String::new(),
            rounds: self.rounds,
            teams: self.teams.clone(),
            won: self.won,
        }
    }

    /// The number of seats that share the first place; a team counts as one.
    #[must_use]
    pub fn sharing(&self) -> usize {
        sharing(&self.ranks, &self.teams)
    }

    /// The seats in first place, in seat order; none if aborted.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranks.iter().enumerate().filter(|(_, rank)| **rank == 1).map(|(seat, _)| seat)
    }
}

/// The columns of game rows: `index, seed, players, rounds, decisions, reason, aborted, score_1 ..., rank_1 ...`,
/// with seats from 1.
///
/// Games with teams also have `team_1 ...`, games that can be won together also `won`, games with fractions of points
/// also `unit`: the number of steps in a point. Scores and ranks of aborted games are missing. In a cooperative game,
/// rank 1 is a win and rank 2 a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameColumns {
    players: u8,
    has_teams: bool,
    has_won: bool,
    has_unit: bool,
}

impl GameColumns {
    /// The columns for games with this number of players.
    #[must_use]
    pub fn of(game: &Game, players: u8) -> Self {
        let d = game.declarations();
        let has_unit = d.counters.get_index(d.outcome.score).is_some_and(|(_, score)| score.unit > 0);
        Self { players, has_teams: d.outcome.teams.is_some(), has_won: d.outcome.won.is_some(), has_unit }
    }

    /// Names and kinds of the columns.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        let game = [
            ("index", Kind::Number),
            ("seed", Kind::Seed),
            ("players", Kind::Number),
            ("rounds", Kind::Number),
            ("decisions", Kind::Number),
            ("reason", Kind::Text),
            ("aborted", Kind::Text),
        ];
        let seats = |name: &str| Column::seats(name, Kind::Number, self.players).collect::<Vec<_>>();
        let teams = if self.has_teams { seats("team") } else { Vec::new() };
        let won = self.has_won.then(|| Column::new("won", Kind::Flag));
        let unit = self.has_unit.then(|| Column::new("unit", Kind::Number));
        let game = game.into_iter().map(|(name, kind)| Column::new(name, kind));
        game.chain(seats("score")).chain(seats("rank")).chain(teams).chain(won).chain(unit).collect()
    }

    /// The values of a game in these columns.
    #[must_use]
    pub fn values(self, row: &GameRow) -> Vec<Cell> {
        let seats = 0..usize::from(self.players);
        let mut values = vec![
            number(row.index),
            row.seed.into(),
            row.players.into(),
            row.rounds.into(),
            row.decisions.into(),
            row.reason.as_str().into(),
            row.aborted.as_deref().into(),
        ];
        values.extend(seats.clone().map(|seat| Cell::from(row.scores.get(seat).copied())));
        values.extend(seats.clone().map(|seat| Cell::from(row.ranks.get(seat).copied())));
        if self.has_teams {
            values.extend(seats.map(|seat| Cell::from(row.teams.get(seat).copied())));
        }
        if self.has_won {
            values.push(row.won.into());
        }
        if self.has_unit {
            values.push(row.unit.into());
        }
        values
    }
}

/// A count as a cell; no count reaches 2^63.
pub fn number(count: u64) -> Cell {
    Cell::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::sheet::{Sheet, SheetFormat};

    #[test]
    fn rows_have_one_column_for_each_seat() {
        let done = GameRow {
            index: 0,
            seed: 9,
            players: 2,
            rounds: 3,
            decisions: 12,
            aborted: None,
            scores: vec![4, -1],
            unit: 0,
            ranks: vec![1, 2],
            teams: Vec::new(),
            won: None,
            reason: "rounds, all played".to_owned(),
            answers: Vec::new(),
        };
        let aborted = GameRow {
            index: 1,
            aborted: Some("a fault".to_owned()),
            scores: Vec::new(),
            ranks: Vec::new(),
            reason: String::new(),
            ..done.clone()
        };
        assert_eq!(done.winners().collect::<Vec<_>>(), [0]);
        let written = |columns: GameColumns, rows: &[&GameRow]| {
            let mut sheet = Sheet::new(Vec::new(), SheetFormat::Csv, columns.columns()).unwrap();
            rows.iter().for_each(|row| sheet.write(columns.values(row)).unwrap());
            String::from_utf8(sheet.finish().unwrap()).unwrap()
        };
        assert_eq!(
            written(GameColumns { players: 2, has_teams: false, has_won: false, has_unit: false }, &[&done, &aborted]),
            "index,seed,players,rounds,decisions,reason,aborted,score_1,score_2,rank_1,rank_2\n\
             0,9,2,3,12,\"rounds, all played\",,4,-1,1,2\n\
             1,9,2,3,12,,a fault,,,,\n"
        );
        let together = GameRow { unit: 2, won: Some(true), teams: vec![1, 1], ranks: vec![1, 1], ..done };
        assert_eq!(
            written(GameColumns { players: 2, has_teams: true, has_won: true, has_unit: true }, &[&together]),
            "index,seed,players,rounds,decisions,reason,aborted,score_1,score_2,rank_1,rank_2,team_1,team_2,won,unit\n\
             0,9,2,3,12,\"rounds, all played\",,4,-1,1,1,1,1,true,2\n"
        );
    }
}
