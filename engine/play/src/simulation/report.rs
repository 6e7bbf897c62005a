//! The results of a simulation, as data.

use motherlode::{Game, ModId, Setup};
use serde::{Deserialize, Serialize};

use crate::simulation::rows::{GameRow, is_whole};
use crate::simulation::statistics::{Interval, Sample, Summary, wilson};
use crate::simulation::tally::PromptReport;

/// The summary of a simulation. Everything except `speed` is the same on every machine and with any number of
/// threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint of the pack with its mods.
    pub fingerprint: String,
    /// The mods, in load order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Players and options; the seed is that of the simulation.
    pub setup: Setup,
    /// The bot of each seat.
    pub bots: Vec<String>,
    /// Games played, including aborted ones.
    pub games: u64,
    /// Games that ended. All following fields except `aborted` cover only these.
    pub finished: u64,
    /// AbortReport games by reason, in order of first occurrence.
    pub aborted: Vec<AbortReport>,
    /// Decisions per game.
    pub decisions: Summary,
    /// Rounds per game.
    pub rounds: Summary,
    /// Games by the reason of their end, in order of first occurrence.
    pub endings: Vec<EndingReport>,
    /// Games with a shared first place, by seats or teams.
    pub shared: u64,
    /// A seat's share of first places if seats and bots made no difference: 1/n for n players without teams.
    pub even_share: f64,
    /// Games that the players won; `None` if the game is not cooperative, or has only a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won: Option<WonReport>,
    /// The number of steps in a point: with 2, a score of 7 is 3½ points. 0: scores are whole points.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub unit: i32,
    /// Results by seat.
    pub seats: Vec<SeatReport>,
    /// Answers to the selected prompts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<PromptReport>,
    /// Measured speed, which differs from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
}

/// Wins of a cooperative game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WonReport {
    /// Games won.
    pub games: u64,
    /// Their share of the finished games, from 0 to 1.
    pub share: f64,
    /// 95 % interval of the share (Wilson's score interval).
    pub interval: Interval,
}

/// Games aborted for one reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AbortReport {
    /// The fault.
    pub reason: String,
    /// Number of games.
    pub games: u64,
    /// The first of them, with its seed and answers.
    pub first: GameRow,
}

/// Games that ended for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndingReport {
    /// The reason, as the rules give it.
    pub reason: String,
    /// Number of games.
    pub games: u64,
}

/// Results of one seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatReport {
    /// The seat, from 0.
    pub seat: u8,
    /// Its bot.
    pub bot: String,
    /// Games in which the seat or its team was first alone. In a cooperative game all winners share the first place.
    pub wins: u64,
    /// Games in which the seat or its team shared the first place.
    pub shared: u64,
    /// The seat's share of first places, from 0 to 1; a first place shared by k seats (or teams) counts 1/k.
    pub share: f64,
    /// 95 % interval of the share (Wilson's score interval).
    pub interval: Interval,
    /// Whether the even share is outside the interval: the seat or its bot is better or worse than the others.
    pub uneven: bool,
    /// The seat's scores, in steps of the score counter.
    pub scores: Summary,
}

/// The speed of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Number of threads.
    pub threads: usize,
    /// Wall-clock time, in seconds.
    pub seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
    /// Decisions per second, including those of aborted games.
    pub decisions_per_second: f64,
}

/// Maximum reasons counted separately; further reasons count as [`OTHER`].
const MOST_REASONS: usize = 100;

/// The reason for games beyond [`MOST_REASONS`].
const OTHER: &str = "other reasons";

/// Whether two reasons come from the same mistake: they name the same lines and differ only in other numbers.
fn alike(one: &str, other: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let names_line = |word: &str| word.contains(".luau:") || word.contains(".toml:");
    let same = |(one, other): (&str, &str)| {
        one == other
            || !names_line(one)
                && one
                    .split(is_digit)
                    .filter(|part| !part.is_empty())
                    .eq(other.split(is_digit).filter(|part| !part.is_empty()))
    };
    let (mut words, mut others) = (one.split(' '), other.split(' '));
    words.by_ref().zip(others.by_ref()).all(same) && words.next().is_none() && others.next().is_none()
}

/// Collects rows into a report, in constant memory.
pub struct Collector {
    games: u64,
    all_decisions: u64,
    aborted: Vec<AbortReport>,
    aborted_games: u64,
    decisions: Sample,
    rounds: Sample,
    endings: Vec<EndingReport>,
    shared: u64,
    /// Games won in a cooperative game.
    won: Option<u64>,
    seats: Vec<SeatCollector>,
}

struct SeatCollector {
    scores: Sample,
    /// First places by the number of seats or teams that share them, from 1.
    firsts: Vec<u64>,
}

impl Collector {
    pub(crate) fn new(game: &Game, players: u8) -> Self {
        Self::of(players, game.declarations().outcome.won.map(|_| 0))
    }

    fn of(players: u8, won: Option<u64>) -> Self {
        let seat = || SeatCollector { scores: Sample::default(), firsts: vec![0; usize::from(players)] };
        Self {
            games: 0,
            all_decisions: 0,
            aborted: Vec::new(),
            aborted_games: 0,
            decisions: Sample::default(),
            rounds: Sample::default(),
            endings: Vec::new(),
            shared: 0,
            won,
            seats: (0..players).map(|_| seat()).collect(),
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.games
    }

    pub(crate) fn aborted(&self) -> u64 {
        self.aborted_games
    }

    pub(crate) fn decisions(&self) -> u64 {
        self.all_decisions
    }

    pub(crate) fn add(&mut self, row: &GameRow) {
        self.games += 1;
        self.all_decisions += u64::from(row.decisions);
        if let Some(reason) = &row.aborted {
            self.aborted_games += 1;
            self.add_aborted(reason, row);
            return;
        }
        self.decisions.add(i64::from(row.decisions));
        self.rounds.add(i64::from(row.rounds));
        self.add_ending(&row.reason);
        let sharing = row.sharing();
        if let (Some(games), Some(true)) = (&mut self.won, row.won) {
            *games += 1;
        }
        self.shared += u64::from(sharing > 1);
        for winner in row.winners() {
            if let Some(count) = self.seats.get_mut(winner).and_then(|seat| seat.firsts.get_mut(sharing - 1)) {
                *count += 1;
            }
        }
        for (seat, score) in self.seats.iter_mut().zip(&row.scores) {
            seat.scores.add(i64::from(*score));
        }
    }

    fn add_aborted(&mut self, reason: &str, row: &GameRow) {
        let room = self.aborted.len() < MOST_REASONS;
        // Report one mistake once, whichever player or card it affects.
        let known = |known: &AbortReport| alike(&known.reason, reason);
        let reason = if room || self.aborted.iter().any(known) { reason } else { OTHER };
        match self.aborted.iter_mut().find(|known| alike(&known.reason, reason)) {
            Some(known) => known.games += 1,
            None => self.aborted.push(AbortReport { reason: reason.to_owned(), games: 1, first: row.clone() }),
        }
    }

    fn add_ending(&mut self, reason: &str) {
        let room = self.endings.len() < MOST_REASONS;
        let reason = if room || self.endings.iter().any(|known| known.reason == reason) { reason } else { OTHER };
        match self.endings.iter_mut().find(|known| known.reason == reason) {
            Some(known) => known.games += 1,
            None => self.endings.push(EndingReport { reason: reason.to_owned(), games: 1 }),
        }
    }

    /// Each seat's share of first places if all were equal. With teams, the shares of all seats add up to more than
    /// one.
    #[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 games")]
    fn even_share(&self, game: &Game, players: u8, finished: u64) -> f64 {
        let players = f64::from(players.max(1));
        if game.declarations().outcome.teams.is_none() || finished == 0 {
            return 1.0 / players;
        }
        self.seats.iter().map(SeatCollector::places).sum::<f64>() / (players * finished as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 games")]
    pub(crate) fn report(self, game: &Game, setup: Setup, bots: &[String]) -> Report {
        let finished = self.decisions.count();
        let even_share = self.even_share(game, setup.players, finished);
        let won = self.won.map(|games| WonReport {
            games,
            share: if finished == 0 { 0.0 } else { ratio(games, finished) },
            interval: wilson(games as f64, finished),
        });
        let seats = self
            .seats
            .iter()
            .zip(0u8..)
            .map(|(seat, number)| seat.report(number, bots, finished, even_share))
            .collect();
        Report {
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            setup,
            bots: bots.to_vec(),
            games: self.games,
            finished,
            aborted: self.aborted,
            decisions: self.decisions.summary(),
            rounds: self.rounds.summary(),
            endings: self.endings,
            shared: self.shared,
            even_share,
            won,
            unit: game.declarations().counters[game.declarations().outcome.score].unit,
            seats,
            answers: Vec::new(),
            speed: None,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 games")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

impl SeatCollector {
    /// First places; one shared by k counts 1/k.
    fn places(&self) -> f64 {
        self.firsts.iter().zip(1u32..).map(|(count, sharing)| ratio(*count, 1) / f64::from(sharing)).sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "no simulation has 2^53 games")]
    fn report(&self, seat: u8, bots: &[String], finished: u64, even_share: f64) -> SeatReport {
        let wins = self.firsts.first().copied().unwrap_or(0);
        let shared = self.firsts.iter().skip(1).sum();
        let places = self.places();
        let interval = wilson(places, finished);
        SeatReport {
            seat,
            bot: bots.get(usize::from(seat)).cloned().unwrap_or_default(),
            wins,
            shared,
            share: if finished == 0 { 0.0 } else { places / finished as f64 },
            interval,
            uneven: !interval.contains(even_share),
            scores: self.scores.summary(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(index: u64, ranks: &[u8], scores: &[i32]) -> GameRow {
        GameRow {
            index,
            seed: index,
            players: 2,
            rounds: 4,
            decisions: 10,
            aborted: None,
            scores: scores.to_vec(),
            unit: 0,
            ranks: ranks.to_vec(),
            teams: Vec::new(),
            won: None,
            reason: "rounds".to_owned(),
            answers: Vec::new(),
        }
    }

    #[test]
    fn shared_places_count_their_share() {
        let mut collector = Collector::of(2, None);
        for (index, ranks) in [[1, 2], [1, 2], [1, 1], [2, 1]].iter().enumerate() {
            collector.add(&row(index as u64, ranks, &[5, 3]));
        }
        let seat = collector.seats[0].report(0, &["random".to_owned(), "first".to_owned()], 4, 0.5);
        assert_eq!((seat.wins, seat.shared, seat.bot.as_str()), (2, 1, "random"));
        assert!((seat.share - 0.625).abs() < 1e-12);
        assert!(!seat.uneven);
        assert_eq!((collector.shared, seat.scores.median), (1, 5));
    }

    #[test]
    fn a_team_has_its_first_place_alone() {
        let mut collector = Collector::of(4, None);
        for ranks in [[1, 2, 1, 2], [1, 1, 1, 1]] {
            collector.add(&GameRow { teams: vec![1, 2, 1, 2], ..row(0, &ranks, &[5, 3, 5, 3]) });
        }
        let seat = |seat: u8| collector.seats[usize::from(seat)].report(seat, &[], 2, 0.5);
        assert_eq!([(seat(0).wins, seat(0).shared), (seat(1).wins, seat(1).shared)], [(1, 1), (0, 1)]);
        assert!((seat(0).share - 0.75).abs() < 1e-12 && (seat(3).share - 0.25).abs() < 1e-12);
        assert_eq!(collector.shared, 1);
    }

    #[test]
    fn games_won_together_are_counted() {
        let mut collector = Collector::of(3, Some(0));
        for won in [true, false, true] {
            let rank = if won { 1 } else { 2 };
            collector.add(&GameRow { won: Some(won), ..row(0, &[rank; 3], &[7; 3]) });
        }
        assert_eq!((collector.won, collector.shared, collector.seats[0].scores.summary().median), (Some(2), 2, 7));
    }

    #[test]
    fn reasons_are_counted_apart_up_to_a_limit() {
        let mut collector = Collector::of(2, None);
        for index in 0..250 {
            let reason = format!("lib.luau:{}: no player {}", index % 120, index);
            collector.add(&GameRow { aborted: Some(reason), ..row(index, &[], &[]) });
        }
        assert_eq!(collector.aborted.len(), MOST_REASONS + 1);
        assert_eq!((collector.aborted[0].reason.as_str(), collector.aborted[0].games), ("lib.luau:0: no player 0", 3));
        assert_eq!((collector.aborted[100].reason.as_str(), collector.aborted[100].games), (OTHER, 40));
        assert_eq!(collector.aborted[100].first.index, 100);
        assert_eq!((collector.games(), collector.aborted()), (250, 250));
    }
}
