//! One game of a simulation as a row of a table.

use std::io;

use motherlode::Answer;
use motherlode::tools::sharing;
use serde::{Deserialize, Serialize};

/// How one game went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRow {
    /// Number of the game in the simulation, from 0.
    pub index: u64,
    /// The game's own seed: a match with this seed and the same bots is the same game.
    pub seed: u64,
    /// Number of players.
    pub players: u8,
    /// Round in which the game ended.
    pub rounds: i32,
    /// How many decisions were answered.
    pub decisions: u32,
    /// Why the game was aborted; `None` if it came to its end.
    pub aborted: Option<String>,
    /// Scores by seat; empty if aborted.
    pub scores: Vec<i32>,
    /// Ranks by seat, 1 for the first place; equal ranks share a place; in a cooperative game 1 if all have won, else 2; empty if
    /// aborted.
    pub ranks: Vec<u8>,
    /// Team of each seat; empty if there are no teams, or the game was aborted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<i32>,
    /// Whether all have won; `None`: the game is not cooperative, or was aborted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won: Option<bool>,
    /// Why the game ended, as the rules say; empty if aborted.
    pub reason: String,
    /// The answers until it was aborted, so that it can be replayed; empty if it came to its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
}

impl GameRow {
    /// How many seats share the first place; teams count as one.
    #[must_use]
    pub fn sharing(&self) -> usize {
        sharing(&self.ranks, &self.teams)
    }

    /// The seats in first place, in seat order; none if aborted.
    pub fn winners(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranks.iter().enumerate().filter(|(_, rank)| **rank == 1).map(|(seat, _)| seat)
    }
}

/// Writes rows as comma-separated values: `index, seed, players, rounds, decisions, reason, aborted, score_1 ..., rank_1 ...`,
/// with seats from 1. Scores and ranks of an aborted game are empty. In a cooperative game rank 1 is a game won, rank 2 one lost.
pub struct CsvRows<W: io::Write> {
    writer: csv::Writer<W>,
    players: usize,
}

impl<W: io::Write> CsvRows<W> {
    /// Writes the header for games with this many players.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn new(writer: W, players: u8) -> io::Result<Self> {
        let mut rows = Self { writer: csv::Writer::from_writer(writer), players: usize::from(players) };
        let columns = ["index", "seed", "players", "rounds", "decisions", "reason", "aborted"].map(str::to_owned);
        let seats =
            ["score", "rank"].into_iter().flat_map(|name| (1..=rows.players).map(move |seat| format!("{name}_{seat}")));
        rows.writer.write_record(columns.into_iter().chain(seats))?;
        Ok(rows)
    }

    /// Writes one row.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(&mut self, row: &GameRow) -> io::Result<()> {
        let fields = [
            row.index.to_string(),
            row.seed.to_string(),
            row.players.to_string(),
            row.rounds.to_string(),
            row.decisions.to_string(),
            row.reason.clone(),
            row.aborted.clone().unwrap_or_default(),
        ];
        let scores = (0..self.players).map(|seat| row.scores.get(seat).map(i32::to_string).unwrap_or_default());
        let ranks = (0..self.players).map(|seat| row.ranks.get(seat).map(u8::to_string).unwrap_or_default());
        Ok(self.writer.write_record(fields.into_iter().chain(scores).chain(ranks))?)
    }

    /// Flushes the writer and returns it.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut rows = CsvRows::new(Vec::new(), 2).unwrap();
        rows.write(&done).unwrap();
        rows.write(&aborted).unwrap();
        assert_eq!(
            String::from_utf8(rows.finish().unwrap()).unwrap(),
            "index,seed,players,rounds,decisions,reason,aborted,score_1,score_2,rank_1,rank_2\n\
             0,9,2,3,12,\"rounds, all played\",,4,-1,1,2\n\
             1,9,2,3,12,,a fault,,,,\n"
        );
    }
}
