//! Measurements of blocks, by subject and measure.

use std::collections::BTreeMap;

use motherlode::Game;
use motherlode::declare::{Goal, OutcomeDecl};
use motherlode_play::{GameRow, Interval, first_place, mix};

use crate::objective::{Objective, difference_bounds};
use crate::ratio::{Estimate, Ratio, SHARE_BOUNDS};
use crate::role::Roles;
use crate::series::SeatedGame;
use crate::win_share::{score_against, share_against};

/// The subject of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The game, or all seats together.
    All,
    /// A bot.
    Bot(usize),
    /// The first bot against the second.
    Pair(usize, usize),
    /// A seat.
    Seat(usize),
    /// Seats with a role: index of its source in [`Roles`], then index of the definition. With two versions of a
    /// game, both are indices of the base.
    Role(usize, usize),
}

/// A measured quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Win share: first places divided by games, with ties split. Measured if players win or lose.
    Share,
    /// Mean rank, 1 for the first. Measured if players win or lose.
    Rank,
    /// Mean score, in points.
    Score,
    /// Mean margin, in points. Measured if it is the goal.
    Margin,
    /// Mean lead: the utility minus the mean utility of the others, in points. Measured if players compete and the goal
    /// is not the rank.
    Lead,
    /// Number of rounds.
    Rounds,
    /// Number of decisions.
    Decisions,
}

impl From<Objective> for Measure {
    fn from(objective: Objective) -> Self {
        match objective {
            Objective::WinShare => Self::Share,
            Objective::Score | Objective::LeastScore => Self::Score,
            Objective::Margin => Self::Margin,
        }
    }
}

impl Measure {
    /// Returns its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "win share",
            Self::Rank => "rank",
            Self::Score => "score",
            Self::Margin => "margin",
            Self::Lead => "lead",
            Self::Rounds => "rounds",
            Self::Decisions => "decisions",
        }
    }

    /// Bounds of the quantity in a single game, if it has any.
    #[must_use]
    pub fn bounds(self) -> Option<Interval> {
        (self == Self::Share).then_some(SHARE_BOUNDS)
    }
}

/// All measurements, block by block.
#[derive(Debug, Clone)]
pub struct Metrics {
    found: BTreeMap<(Subject, Measure), Ratio>,
    blocks: usize,
    declared: OutcomeDecl,
    /// Steps in a point of the score.
    unit: i32,
    /// Bounds of a score, in points.
    scores: Option<Interval>,
}

impl Metrics {
    /// Returns empty measurements of the quantities that have a meaning in the game.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let d = game.declarations();
        let score = d.counters.get_index(d.outcome.score).map(|(_, score)| score);
        let scores = score.map(|counter| {
            let unit = f64::from(counter.unit.max(1));
            Interval { low: f64::from(counter.min) / unit, high: f64::from(counter.max) / unit }
        });
        let unit = score.map_or(0, |score| score.unit);
        Self { found: BTreeMap::new(), blocks: 0, declared: d.outcome.clone(), unit, scores }
    }

    /// Adds the games of the next block, without the aborted ones.
    pub fn add(&mut self, games: &[SeatedGame]) {
        let declared = &self.declared;
        let against = |row: &GameRow, seat, other| match declared.goal {
            Goal::Rank => share_against(row, seat, other),
            _ if declared.least_score() => score_against(row, other, seat),
            _ => score_against(row, seat, other),
        };
        let (wins, margins) = (declared.has_winners(), declared.goal == Goal::Margin);
        let (contest, leads) = (!declared.shared, !declared.shared && declared.goal != Goal::Rank);
        let mut sums: BTreeMap<(Subject, Measure), (f64, f64)> = BTreeMap::new();
        let mut add = |subject, measure, value: f64| {
            let sum = sums.entry((subject, measure)).or_default();
            *sum = (sum.0 + value, sum.1 + 1.0);
        };
        for game in games.iter().filter(|game| game.row.aborted.is_none()) {
            let row = &game.row;
            add(Subject::All, Measure::Rounds, f64::from(row.rounds));
            add(Subject::All, Measure::Decisions, f64::from(row.decisions));
            if let Some(won) = row.won {
                add(Subject::All, Measure::Share, f64::from(u8::from(won)));
            }
            for (seat, &bot) in game.bots.iter().enumerate() {
                let share = first_place(row.won, &row.ranks, seat);
                let score = row.score(seat);
                let rank = f64::from(row.ranks.get(seat).copied().unwrap_or_default());
                add(Subject::All, Measure::Score, score);
                let roles = game.roles.iter().enumerate();
                let roles = roles.filter_map(|(source, seats)| Some(Subject::Role(source, seats.get(seat).copied()??)));
                for subject in [Subject::Bot(bot), Subject::Seat(seat)].into_iter().chain(roles) {
                    if wins {
                        add(subject, Measure::Share, share);
                        add(subject, Measure::Rank, rank);
                    }
                    add(subject, Measure::Score, score);
                    if margins {
                        add(subject, Measure::Margin, row.utility(declared, seat));
                    }
                    if leads {
                        add(subject, Measure::Lead, lead(declared, row, seat));
                    }
                }
                for (other, &rival) in game.bots.iter().enumerate().filter(|(_, rival)| contest && **rival != bot) {
                    add(Subject::Pair(bot, rival), Measure::Share, against(row, seat, other));
                }
            }
        }
        for (key, (part, whole)) in sums {
            let ratio = self.found.entry(key).or_default();
            ratio.fill(self.blocks);
            ratio.push(part, whole);
        }
        self.blocks += 1;
        self.found.values_mut().for_each(|ratio| ratio.fill(self.blocks));
    }

    /// Returns the measurement of one subject.
    #[must_use]
    pub fn ratio(&self, subject: Subject, measure: Measure) -> Option<&Ratio> {
        self.found.get(&(subject, measure))
    }

    /// Returns the measurement of one subject with its interval. `seed` draws the resamples.
    #[must_use]
    pub fn estimate(&self, subject: Subject, measure: Measure, seed: u64) -> Option<Estimate> {
        let Estimate { value, interval, blocks } =
            self.ratio(subject, measure)?.estimate(mix(seed, 1), measure.bounds())?;
        // An estimate from few blocks may reach beyond what is possible.
        let possible = match measure {
            Measure::Rounds | Measure::Decisions => Some(Interval { low: 0.0, high: f64::INFINITY }),
            Measure::Score => self.scores,
            _ => None,
        };
        let interval = possible.map_or(interval, |possible| Interval {
            low: interval.low.max(possible.low.min(value)),
            high: interval.high.min(possible.high.max(value)),
        });
        Some(Estimate { value, interval, blocks })
    }

    /// Returns the p-value of an uneven seat or role: of its win share against the even one, or of its lead against 0.
    /// `None` if players do not compete.
    #[must_use]
    pub fn p_uneven(&self, subject: Subject, players: u8) -> Option<f64> {
        if self.declared.shared || players < 2 {
            return None;
        }
        Some(match self.declared.goal {
            Goal::Rank => self.ratio(subject, Measure::Share)?.p(1.0 / f64::from(players), SHARE_BOUNDS),
            _ => self.ratio(subject, Measure::Lead)?.p(0.0, difference_bounds(&self.declared, self.unit)),
        })
    }

    /// Iterates over all measurements.
    pub fn all(&self) -> impl Iterator<Item = (Subject, Measure, &Ratio)> {
        self.found.iter().map(|((subject, measure), ratio)| (*subject, *measure, ratio))
    }
}

/// Returns the utility of a seat minus the mean utility of the others.
fn lead(declared: &OutcomeDecl, row: &GameRow, seat: usize) -> f64 {
    let others = (0..row.scores.len()).filter(|other| *other != seat);
    let (sum, count) = others.fold((0.0, 0.0), |(sum, count), other| (sum + row.utility(declared, other), count + 1.0));
    row.utility(declared, seat) - if count > 0.0 { sum / count } else { 0.0 }
}

/// Returns the display name of a subject.
#[must_use]
pub fn subject_name(game: &Game, roles: &Roles, bots: &[String], subject: Subject) -> String {
    let d = game.declarations();
    let bot = |bot: usize| bots.get(bot).cloned().unwrap_or_default();
    match subject {
        Subject::All => "all".to_owned(),
        Subject::Bot(own) => bot(own),
        Subject::Pair(own, rival) => format!("{} against {}", bot(own), bot(rival)),
        Subject::Seat(seat) => match d.seats.get(seat) {
            Some(declared) if !declared.name.is_empty() => format!("seat {}: {}", seat + 1, declared.name),
            _ => format!("seat {}", seat + 1),
        },
        Subject::Role(source, definition) => {
            let source = roles.names().get(source).cloned().unwrap_or_default();
            let name = d.definitions.get(definition).map_or("", |definition| &definition.name);
            format!("{source}: {name}")
        }
    }
}
