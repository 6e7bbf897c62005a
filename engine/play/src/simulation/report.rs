//! The results of a simulation, as data.

use motherlode::declare::{Goal, OutcomeDecl};
use motherlode::{Game, ModId, Setup};
use serde::{Deserialize, Serialize};

use crate::reward::points;
use crate::simulation::rows::GameRow;
use crate::simulation::statistics::{Interval, Sample, Summary, Z_95, is_unlikely, wilson, z_of_several};
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
    /// Games with a shared first place, by seats or teams; 0 if nobody can win.
    pub shared: u64,
    /// A seat's share of first places if seats and bots made no difference: 1/n for n players without teams. `None` if
    /// nobody can win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub even_share: Option<f64>,
    /// Games that the players won; `None` if the game is not cooperative, or has only a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won: Option<WonReport>,
    /// Results by seat.
    pub seats: Vec<SeatReport>,
    /// Answers to the selected prompts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<PromptReport>,
    /// Whether all finished games are the same game: neither the game nor the bots use chance, so they count as one.
    #[serde(default)]
    pub is_repetition: bool,
    /// The number of different games, if it is at most a quarter of the games: the results hold for these games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub few_games: Option<usize>,
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
    /// First places; `None` if nobody can win.
    #[serde(flatten)]
    pub places: Option<PlacesReport>,
    /// The lead, if players compete and the goal is a score or a margin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<LeadReport>,
    /// Whether the seat or its bot is better or worse than the others. At most 5 % of fair runs flag any seat: the
    /// flags use wider intervals than the printed ones if there are more than two seats.
    pub uneven: bool,
    /// The seat's scores.
    pub scores: Summary,
    /// The seat's margins, if they are the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margins: Option<Summary>,
}

/// First places of one seat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlacesReport {
    /// Games in which the seat or its team was first alone. In a cooperative game all winners share the first place.
    pub wins: u64,
    /// Games in which the seat or its team shared the first place.
    pub shared: u64,
    /// The seat's share of first places, from 0 to 1; a first place shared by k seats (or teams) counts 1/k.
    pub share: f64,
    /// 95 % interval of the share (Wilson's score interval).
    pub interval: Interval,
}

/// The mean lead of one seat: its utility minus the mean utility of the others, in points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LeadReport {
    /// The mean.
    pub mean: f64,
    /// 95 % interval of the mean.
    pub interval: Interval,
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
    declared: OutcomeDecl,
    /// Steps in a point of the score.
    unit: i32,
}

#[derive(Default)]
struct SeatCollector {
    scores: Sample,
    /// Margins, if they are the goal.
    margins: Sample,
    /// Leads in steps, times the number of rivals, if the goal is a score or a margin.
    leads: Sample,
    /// First places by the number of seats or teams that share them, from 1.
    firsts: Vec<u64>,
}

impl Collector {
    pub(crate) fn new(game: &Game, players: u8) -> Self {
        let d = game.declarations();
        let unit = d.counters.get_index(d.outcome.score).map_or(0, |(_, score)| score.unit);
        Self { unit, ..Self::of(players, d.outcome.clone()) }
    }

    fn of(players: u8, declared: OutcomeDecl) -> Self {
        let seat = || SeatCollector { firsts: vec![0; usize::from(players)], ..SeatCollector::default() };
        let won = declared.won.map(|_| 0);
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
            declared,
            unit: 0,
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
        self.shared += u64::from(sharing > 1 && self.declared.has_winners());
        for winner in row.winners() {
            if let Some(count) = self.seats.get_mut(winner).and_then(|seat| seat.firsts.get_mut(sharing - 1)) {
                *count += 1;
            }
        }
        for (seat, score) in self.seats.iter_mut().zip(&row.scores) {
            seat.scores.add(i64::from(*score));
        }
        if self.declared.goal != Goal::Rank && !self.declared.shared {
            self.add_leads(row);
        }
    }

    /// Adds margins, and the leads in utility over the others.
    fn add_leads(&mut self, row: &GameRow) {
        let (outcome, count) = (row.outcome(), row.scores.len() as i64);
        let utilities: Vec<i64> = (0..row.scores.len()).map(|seat| points(&self.declared, &outcome, seat)).collect();
        let sum: i64 = utilities.iter().sum();
        for (seat, utility) in self.seats.iter_mut().zip(utilities) {
            seat.leads.add(count * utility - sum);
            if self.declared.goal == Goal::Margin {
                seat.margins.add(utility);
            }
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
        let even_share = self.declared.has_winners().then(|| self.even_share(game, setup.players, finished));
        let won = self.won.map(|games| WonReport {
            games,
            share: if finished == 0 { 0.0 } else { ratio(games, finished) },
            interval: wilson(games as f64, finished),
        });
        let seats = self
            .seats
            .iter()
            .zip(0u8..)
            .map(|(seat, number)| seat.report(number, bots, finished, even_share, self.unit))
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
            seats,
            answers: Vec::new(),
            is_repetition: false,
            few_games: None,
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
    fn report(&self, seat: u8, bots: &[String], finished: u64, even_share: Option<f64>, unit: i32) -> SeatReport {
        let places = even_share.map(|_| PlacesReport {
            wins: self.firsts.first().copied().unwrap_or(0),
            shared: self.firsts.iter().skip(1).sum(),
            share: if finished == 0 { 0.0 } else { self.places() / finished as f64 },
            interval: wilson(self.places(), finished),
        });
        let lead = self.lead(unit);
        // The results of two seats mirror each other, so they are one test.
        let tests = if self.firsts.len() > 2 { self.firsts.len() } else { 1 };
        let z = z_of_several(tests);
        let uneven = match (lead, even_share) {
            (Some(lead), _) => lead.mean.abs() > (lead.interval.high - lead.mean) * z / Z_95,
            (None, Some(even)) => is_unlikely(self.places(), finished, even, tests),
            (None, None) => false,
        };
        let summary = |sample: &Sample| Summary { unit, ..sample.summary() };
        SeatReport {
            seat,
            bot: bots.get(usize::from(seat)).cloned().unwrap_or_default(),
            places,
            lead,
            uneven,
            scores: summary(&self.scores),
            margins: (self.margins.count() > 0).then(|| summary(&self.margins)),
        }
    }

    /// The mean lead; `None` with fewer than two leads or without rivals.
    fn lead(&self, unit: i32) -> Option<LeadReport> {
        let rivals = self.firsts.len().checked_sub(1).filter(|rivals| *rivals > 0)?;
        let summary = Summary { unit, ..self.leads.summary() };
        let scale = |number: f64| number / rivals as f64;
        let Interval { low, high } = summary.interval_in_points()?;
        let interval = Interval { low: scale(low), high: scale(high) };
        Some(LeadReport { mean: scale(summary.mean_in_points()), interval })
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
            scores: scores.to_vec(),
            ranks: ranks.to_vec(),
            reason: "rounds".to_owned(),
            ..GameRow::default()
        }
    }

    #[test]
    fn shared_places_count_their_share() {
        let mut collector = Collector::of(2, OutcomeDecl::default());
        for (index, ranks) in [[1, 2], [1, 2], [1, 1], [2, 1]].iter().enumerate() {
            collector.add(&row(index as u64, ranks, &[5, 3]));
        }
        let seat = collector.seats[0].report(0, &["random".to_owned(), "first".to_owned()], 4, Some(0.5), 0);
        let places = seat.places.unwrap();
        assert_eq!((places.wins, places.shared, seat.bot.as_str()), (2, 1, "random"));
        assert!((places.share - 0.625).abs() < 1e-12);
        assert!(!seat.uneven);
        assert_eq!((collector.shared, seat.scores.median), (1, 5));
    }

    #[test]
    fn a_team_has_its_first_place_alone() {
        let mut collector = Collector::of(4, OutcomeDecl::default());
        for ranks in [[1, 2, 1, 2], [1, 1, 1, 1]] {
            collector.add(&GameRow { teams: vec![1, 2, 1, 2], ..row(0, &ranks, &[5, 3, 5, 3]) });
        }
        let seat = |seat: u8| collector.seats[usize::from(seat)].report(seat, &[], 2, Some(0.5), 0).places.unwrap();
        assert_eq!([(seat(0).wins, seat(0).shared), (seat(1).wins, seat(1).shared)], [(1, 1), (0, 1)]);
        assert!((seat(0).share - 0.75).abs() < 1e-12 && (seat(3).share - 0.25).abs() < 1e-12);
        assert_eq!(collector.shared, 1);
    }

    /// Plays a fair lottery of four seats many times, by wins or by scores.
    #[test]
    fn few_fair_runs_flag_a_seat() {
        use rand::{RngExt as _, SeedableRng as _};
        for goal in [Goal::Rank, Goal::Score] {
            let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(7);
            let flagged = (0..400).filter(|_| {
                let declared = OutcomeDecl { goal, range: Some((0, 100)), ..OutcomeDecl::default() };
                let mut collector = Collector::of(4, declared);
                for index in 0..300 {
                    let scores: Vec<i32> = (0..4).map(|_| generator.random_range(0..100)).collect();
                    let ranks: Vec<u8> = scores
                        .iter()
                        .map(|own| scores.iter().map(|other| u8::from(other > own)).sum::<u8>() + 1)
                        .collect();
                    collector.add(&row(index, &ranks, &scores));
                }
                collector.seats.iter().any(|seat| seat.report(0, &[], 300, Some(0.25), 0).uneven)
            });
            let flagged = flagged.count();
            // The expectation is 20 at most, with a deviation of 4.4. Without correction, more than 50 are flagged.
            assert!((5..=33).contains(&flagged), "{goal:?}: {flagged} of 400");
        }
    }

    #[test]
    fn a_score_or_a_margin_has_a_lead() {
        let of = |goal| {
            let declared = OutcomeDecl { goal, range: Some((0, 20)), ..OutcomeDecl::default() };
            let mut collector = Collector::of(3, declared);
            for scores in [[12, 2, 4], [8, 6, 4]] {
                collector.add(&row(0, &[1, 2, 3], &scores));
            }
            collector.seats[0].report(0, &[], 2, Some(1.0 / 3.0), 2)
        };
        let seat = of(Goal::Score);
        assert!((seat.lead.unwrap().mean - 3.0).abs() < 1e-9 && seat.margins.is_none(), "{seat:?}");
        assert!((seat.scores.mean_in_points() - 5.0).abs() < 1e-9 && seat.scores.unit == 2);
        let seat = of(Goal::Margin);
        // Margins are 8, -10 and -8 halves, then 2, -2 and -4.
        assert!((seat.lead.unwrap().mean - 5.5).abs() < 1e-9, "{seat:?}");
        assert!((seat.margins.unwrap().mean_in_points() - 2.5).abs() < 1e-9);
    }

    #[test]
    fn without_winners_there_are_no_places() {
        let declared = OutcomeDecl { shared: true, goal: Goal::Score, range: Some((0, 9)), ..OutcomeDecl::default() };
        let mut collector = Collector::of(2, declared);
        collector.add(&row(0, &[1, 1], &[7, 7]));
        let seat = collector.seats[0].report(0, &[], 1, None, 0);
        assert!(seat.places.is_none() && seat.lead.is_none() && !seat.uneven && collector.shared == 0);
    }

    #[test]
    fn games_won_together_are_counted() {
        let mut collector = Collector::of(3, OutcomeDecl { shared: true, won: Some(0), ..OutcomeDecl::default() });
        for won in [true, false, true] {
            let rank = if won { 1 } else { 2 };
            collector.add(&GameRow { won: Some(won), ..row(0, &[rank; 3], &[7; 3]) });
        }
        assert_eq!((collector.won, collector.shared, collector.seats[0].scores.summary().median), (Some(2), 2, 7));
    }

    #[test]
    fn reasons_are_counted_apart_up_to_a_limit() {
        let mut collector = Collector::of(2, OutcomeDecl::default());
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
