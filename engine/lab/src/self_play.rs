//! Self-play: one bot in all seats. Measures win shares, lengths, leads and the variety of choices.

use std::collections::BTreeMap;

use motherlode::{Decision, Game, Match};
use motherlode_play::{Failures, Interval, Watch, mix};
use serde::{Deserialize, Serialize};

use crate::arena::NotableGame;
use crate::flows::{CounterFlow, FlowObserver, GameFlows, counter_flows};
use crate::item::{Item, ItemFilter, OfferCount, OfferCounter};
use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::objective::Objective;
use crate::quality::{PlayQuality, QualitySum, idle_share};
use crate::ratio::{Estimate, Ratio, SHARE_BOUNDS, discoveries};
use crate::role::Roles;
use crate::series::{LabError, SeatedGame, Series, check};
use crate::standing::{RoleStanding, played_roles};
use crate::trajectory::{TrajectoryObserver, WinTrajectory};

/// Self-play of one bot in all seats.
#[derive(Clone)]
pub struct SelfPlay {
    /// The game and the bot.
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
    /// Number of blocks, from the first, with win trajectories.
    pub followed: u64,
    /// Number of playouts from each position of a trajectory.
    pub playouts: u64,
}

/// Results of self-play. Reproducible on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelfPlayReport {
    /// Spec of the bot.
    pub bot: String,
    /// Number of blocks played, with one game each.
    pub blocks: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// The quantity by which the game is judged.
    pub objective: Objective,
    /// The even win share: 1 divided by the number of players.
    pub even: f64,
    /// Whether seats compete: false in cooperative and solo games.
    pub contest: bool,
    /// Results by seat.
    pub seats: Vec<RoleStanding>,
    /// Results by role.
    pub roles: Vec<RoleStanding>,
    /// Names of seats and roles whose win share is not the even one, or whose lead is not 0. The false-discovery rate is
    /// held at 5 %.
    pub uneven: Vec<String>,
    /// Number of rounds.
    pub rounds: LengthDistribution,
    /// Number of decisions.
    pub decisions: LengthDistribution,
    /// Variety of choices, by kind.
    pub choices: Vec<Variety>,
    /// How the game plays for its seats.
    pub quality: PlayQuality,
    /// Gains and losses of counters in the first games, per round.
    pub flows: Vec<CounterFlow>,
    /// Win trajectories of the first games.
    pub followed: TrajectorySummary,
    /// NotableGame games, with their win trajectories.
    pub notable: Vec<(NotableGame, Option<WinTrajectory>)>,
    /// Whether the run was stopped before the last block.
    pub stopped: bool,
}

/// Lengths of games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LengthDistribution {
    /// Mean length.
    pub mean: Option<Estimate>,
    /// Number of games by length.
    pub games: BTreeMap<u32, u64>,
}

/// Variety of choices of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variety {
    /// Kind of the items: the kind of a card, the prompt of an action, a grid.
    pub sort: String,
    /// Number of choices made.
    pub made: u64,
    /// Number of different items offered.
    pub offered: u64,
    /// Effective number of items: e to the power of the entropy of the items taken. This many items, taken
    /// equally often, are as varied.
    pub effective: f64,
}

/// Win trajectories and their means.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrajectorySummary {
    /// Trajectories, each with the index of its block.
    pub games: Vec<(u64, WinTrajectory)>,
    /// Mean number of changes of the lead.
    pub changes: Option<Estimate>,
    /// Mean share of a game after which it was decided.
    pub decided: Option<Estimate>,
    /// How often the leader at half time won.
    pub middle: Option<Estimate>,
}

/// Observers of one game.
struct GameObserver {
    offers: OfferCounter,
    trajectories: TrajectoryObserver,
    idle: Option<f64>,
    flows: FlowObserver,
}

impl Watch for GameObserver {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.offers.chosen(m, decision, choice);
        self.flows.chosen(m, decision, choice);
    }

    fn accepted(&mut self, m: &Match) {
        self.flows.accepted(m);
    }

    fn ended(&mut self, m: &Match) {
        self.offers.ended(m);
        self.trajectories.ended(m);
        self.idle = idle_share(m);
    }
}

/// Observations of one game.
struct ObservedGame {
    seated_game: SeatedGame,
    items: BTreeMap<Item, OfferCount>,
    trajectory: Option<WinTrajectory>,
    idle: Option<f64>,
    flows: Option<GameFlows>,
}

/// Sums over all games so far.
struct SelfPlaySum {
    metrics: Metrics,
    blocks: u64,
    failures: Failures,
    rounds: BTreeMap<u32, u64>,
    decisions: BTreeMap<u32, u64>,
    items: BTreeMap<Item, OfferCount>,
    trajectories: Vec<(u64, WinTrajectory)>,
    quality: QualitySum,
    /// Number of rounds and flows of each followed game.
    flows: Vec<(u32, GameFlows)>,
    notable: Vec<NotableGame>,
    /// The biggest comeback: lowest win share of the winner, its position, and the game.
    comeback: Option<((f64, f64), NotableGame)>,
}

impl SelfPlay {
    /// Runs the self-play. `progress` gets the number of finished blocks and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<SelfPlayReport, LabError> {
        let (game, setup) = &self.series.game;
        check(&self.series.bots, game)?;
        let mut sum = SelfPlaySum::of(game);
        let mut stopped = false;
        let followed = self.followed.min(self.blocks);
        for (range, is_followed) in [(0..followed, true), (followed..self.blocks, false)] {
            let playouts = if is_followed { self.playouts } else { 0 };
            if stopped {
                break;
            }
            self.series.each(
                range,
                || GameObserver {
                    offers: OfferCounter::new(game, setup.players, ItemFilter::default()),
                    trajectories: TrajectoryObserver::new(game, playouts),
                    idle: None,
                    flows: FlowObserver::new(game, setup.players, is_followed),
                },
                |observer, _| {
                    observer.offers.begin();
                    observer.trajectories.begin();
                    observer.flows.begin();
                },
                |observer, seated_game| {
                    Some(ObservedGame {
                        trajectory: observer.trajectories.take(),
                        idle: observer.idle.take(),
                        flows: is_followed.then(|| observer.flows.take()),
                        seated_game: SeatedGame { roles: observer.offers.roles.take(), ..seated_game },
                        items: observer.offers.items.clone(),
                    })
                },
                |games| {
                    sum.add(games, &self.series);
                    stopped = !progress(sum.blocks) && sum.blocks < self.blocks;
                    !stopped
                },
            )?;
            stopped |= self.series.is_halted() && sum.blocks < self.blocks;
        }
        self.report(sum, stopped)
    }

    fn report(&self, sum: SelfPlaySum, stopped: bool) -> Result<SelfPlayReport, LabError> {
        let series = &self.series;
        let (game, setup) = &series.game;
        let roles = Roles::of(game, setup.players);
        let of = |subject, measure| sum.metrics.estimate(subject, measure, series.seed);
        let standing = |subject| RoleStanding::of(&sum.metrics, series, subject);
        let name = |subject| subject_name(game, &roles, &series.bots, subject);
        let even = 1.0 / f64::from(setup.players.max(1));
        let contest = setup.players > 1 && !game.declarations().outcome.shared;
        let mut notable = Vec::new();
        for one in sum.notable.iter().chain(sum.comeback.as_ref().map(|(_, one)| one)) {
            // Only a few games, so more playouts are affordable.
            let mut trajectories = TrajectoryObserver::new(game, 4 * self.playouts);
            series.replay(0, one.block, one.turn, &mut trajectories)?;
            notable.push((one.clone(), trajectories.take()));
        }
        Ok(SelfPlayReport {
            bot: series.bots.first().cloned().unwrap_or_default(),
            blocks: sum.blocks,
            failures: sum.failures,
            objective: Objective::of(&game.declarations().outcome),
            even,
            contest,
            uneven: uneven(&sum.metrics, setup.players, name),
            seats: (0..usize::from(setup.players)).map(|seat| standing(Subject::Seat(seat))).collect(),
            roles: played_roles(&sum.metrics).map(standing).collect(),
            rounds: LengthDistribution { mean: of(Subject::All, Measure::Rounds), games: sum.rounds },
            decisions: LengthDistribution { mean: of(Subject::All, Measure::Decisions), games: sum.decisions },
            choices: varieties(game, &sum.items),
            quality: sum.quality.report(series.seed),
            flows: counter_flows(game, &sum.flows, series.seed),
            followed: followed(sum.trajectories, series.seed),
            notable,
            stopped,
        })
    }
}

impl SelfPlaySum {
    fn of(game: &Game) -> Self {
        Self {
            metrics: Metrics::of(game),
            blocks: 0,
            failures: Failures::default(),
            rounds: BTreeMap::new(),
            decisions: BTreeMap::new(),
            items: BTreeMap::new(),
            trajectories: Vec::new(),
            quality: QualitySum::default(),
            flows: Vec::new(),
            notable: Vec::new(),
            comeback: None,
        }
    }

    fn add(&mut self, games: Vec<ObservedGame>, series: &Series) {
        let block = self.blocks;
        self.blocks += 1;
        for (turn, observed) in games.iter().enumerate() {
            let row = &observed.seated_game.row;
            if row.aborted.is_some() {
                self.failures.see(row);
                continue;
            }
            *self.rounds.entry(row.rounds.unsigned_abs()).or_default() += 1;
            *self.decisions.entry(row.decisions).or_default() += 1;
            NotableGame::keep(&mut self.notable, block, turn, &observed.seated_game, series);
            for (item, count) in &observed.items {
                *self.items.entry(*item).or_default() += *count;
            }
            self.quality.add(&series.game.0, row, observed.idle, observed.trajectory.as_ref());
            self.flows.extend(observed.flows.clone().map(|flows| (row.rounds.unsigned_abs(), flows)));
            let Some(trajectory) = &observed.trajectory else { continue };
            self.trajectories.push((block, trajectory.clone()));
            let Some((least, at)) = trajectory.lowest() else { continue };
            let further = |(known, when): (f64, f64)| least < known || least <= known && at > when;
            if self.comeback.as_ref().is_none_or(|(known, _)| further(*known)) {
                let mut one = Vec::new();
                NotableGame::keep(&mut one, block, turn, &observed.seated_game, series);
                let one = one.into_iter().next().map(|one| NotableGame { why: "comeback".to_owned(), ..one });
                self.comeback = one.map(|one| ((least, at), one));
            }
        }
        self.metrics.add(&games.into_iter().map(|observed| observed.seated_game).collect::<Vec<_>>());
    }
}

fn uneven(metrics: &Metrics, players: u8, name: impl Fn(Subject) -> String) -> Vec<String> {
    let is_tested = |subject: Subject| matches!(subject, Subject::Seat(_) | Subject::Role(..));
    let scores = metrics.all().filter(|(subject, measure, _)| is_tested(*subject) && *measure == Measure::Score);
    let (subjects, p): (Vec<Subject>, Vec<f64>) =
        scores.filter_map(|(subject, ..)| Some((subject, metrics.p_uneven(subject, players)?))).unzip();
    let found = subjects.into_iter().zip(discoveries(&p)).filter(|(_, found)| *found);
    found.map(|(subject, _)| name(subject)).collect()
}

fn varieties(game: &Game, items: &BTreeMap<Item, OfferCount>) -> Vec<Variety> {
    let mut sorts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (item, count) in items {
        sorts.entry(item.kind_and_name(game).0).or_default().push(count.takes);
    }
    let variety = |(sort, taken): (String, Vec<u64>)| {
        let made: u64 = taken.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "no experiment has 2^53 choices")]
        let parts = taken.iter().filter(|count| **count > 0).map(|count| *count as f64 / made as f64);
        let entropy: f64 = parts.map(|part| -part * part.ln()).sum();
        (made > 0).then(|| Variety { sort, made, offered: taken.len() as u64, effective: entropy.exp() })
    };
    sorts.into_iter().filter_map(variety).collect()
}

fn followed(games: Vec<(u64, WinTrajectory)>, seed: u64) -> TrajectorySummary {
    let mean = |number: u64, bounds: Option<Interval>, of: &dyn Fn(&WinTrajectory) -> Option<f64>| {
        let mut ratio = Ratio::default();
        for (_, trajectory) in &games {
            let value = of(trajectory);
            ratio.push(value.unwrap_or_default(), f64::from(u8::from(value.is_some())));
        }
        ratio.estimate(mix(seed, number), bounds)
    };
    let changes = |trajectory: &WinTrajectory| u32::try_from(trajectory.changes()).ok().map(f64::from);
    TrajectorySummary {
        changes: mean(1, None, &changes),
        decided: mean(2, Some(SHARE_BOUNDS), &WinTrajectory::decided),
        middle: mean(3, Some(SHARE_BOUNDS), &WinTrajectory::middle),
        games,
    }
}
