//! The games of a training thread: self-play, and matches between values.

use std::sync::Arc;

use motherlode::{Decision, Match, MatchError, Setup};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::bots::bot::{Bot, all_choices, random_index};
use crate::bots::learned::LearnedBot;
use crate::bots::playout::DECISION_LIMIT;
use crate::bots::search::Search;
use crate::bots::spec;
use crate::learning::fit::Rows;
use crate::learning::training::Training;
use crate::reward::reward;
use crate::seeds::mix;
use crate::value::evaluator::Evaluator;
use crate::value::features::Features;
use crate::value::{Horizon, Weights};

/// Positions kept per game, each as all seats see it.
const POSITIONS: usize = 20;
/// Percentage of decisions in self-play that are answered at random.
const RANDOM: usize = 8;
/// Percentage of seats that use the value of an earlier iteration.
const EARLIER: usize = 25;
/// Percentage of seats that a bot of the league plays, if there is one.
const RIVALS: usize = 25;

/// The result of a game or a block, or the reason why a game was aborted and its seed.
pub(super) type GameResult<T> = Result<T, (String, u64)>;

/// The policy of a seat in training games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum SeatPolicy {
    /// One-step lookahead with the value of an iteration.
    Value(usize),
    /// A search with such a value.
    Search { value: usize, budget: u32, horizon: Horizon },
    /// A bot of the league.
    Rival(usize),
}

/// The state of one training thread.
pub(super) struct Player<'t> {
    training: &'t Training,
    features: Arc<Features>,
    setup: Setup,
    m: Match,
    bot: LearnedBot,
    /// One evaluator per iteration.
    evaluators: Vec<Evaluator>,
    /// The bots of the league.
    rivals: Vec<Box<dyn Bot>>,
    /// Searches created so far, by policy.
    searches: Vec<(SeatPolicy, Search)>,
    seen: Vec<f32>,
}

impl<'t> Player<'t> {
    pub fn new(
        training: &'t Training,
        features: &Arc<Features>,
        learned: &[Arc<Weights>],
        rivals: &[String],
    ) -> Result<Self, MatchError> {
        let setup = Setup { players: training.players_of(0), ..training.setup.clone() };
        let mut m = Match::new(&training.game, &setup)?;
        m.set_recording(false);
        let evaluators: Vec<Evaluator> =
            learned.iter().map(|one| Evaluator::new(features.clone(), one.clone())).collect();
        let blank = || Evaluator::new(features.clone(), Arc::new(Weights::new(Vec::new())));
        let bot = LearnedBot::for_training(evaluators.first().cloned().unwrap_or_else(blank), training.is_mixed);
        Ok(Self {
            training,
            features: features.clone(),
            setup,
            m,
            bot,
            evaluators,
            // The run has checked that each can be made.
            rivals: rivals.iter().filter_map(|rival| spec::bot(rival, &training.game, 0).ok()).collect(),
            searches: Vec::new(),
            seen: Vec::new(),
        })
    }

    /// Plays a game of self-play with the given policy; `best` is the value that estimates targets.
    pub fn learn(&mut self, seed: u64, best: usize, policy: SeatPolicy) -> GameResult<Rows> {
        self.learned_from(seed, best, policy).map_err(|reason| (reason, seed))
    }

    fn learned_from(&mut self, seed: u64, best: usize, policy: SeatPolicy) -> Result<Rows, String> {
        let mut generator = Pcg64Mcg::seed_from_u64(mix(seed, 1));
        let players = self.training.players_of(random_index(usize::from(u16::MAX), &mut generator) as u64);
        let learned = self.evaluators.len();
        let seats: Vec<SeatPolicy> = (0..players)
            .map(|_| match policy {
                _ if !self.rivals.is_empty() && random_index(100, &mut generator) < RIVALS => {
                    SeatPolicy::Rival(random_index(self.rivals.len(), &mut generator))
                }
                SeatPolicy::Value(_) if random_index(100, &mut generator) < EARLIER => {
                    SeatPolicy::Value(random_index(learned, &mut generator))
                }
                policy => policy,
            })
            .collect();
        let mut kept: Vec<(usize, Vec<Vec<f32>>)> = Vec::new();
        let mut met = 0;
        self.begin(seed, players)?;
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = self.m.decision() else { break };
            let index = if learned == 0 || random_index(100, &mut generator) < RANDOM {
                let among = self.allowed(decision);
                among[random_index(among.len(), &mut generator)]
            } else {
                self.choose(seats[usize::from(decision.seat)], decision)?
            };
            let phase = self.m.simultaneous();
            self.m.answer(index).map_err(|error| error.to_string())?;
            // Keep only positions that bots evaluate: not in the middle of a turn or of a simultaneous phase.
            let follows = self.m.is_mid_hook() && self.m.decision().is_some_and(|next| next.seat == decision.seat);
            if phase.is_some() && self.m.simultaneous() == phase || follows || self.m.is_over() {
                continue;
            }
            // Keep each position with equal probability (Vitter's algorithm R).
            met += 1;
            let place = if kept.len() < POSITIONS { kept.len() } else { random_index(met, &mut generator) };
            if place < POSITIONS {
                let seen = (0..players).map(|seat| {
                    self.features.fill(&self.m, seat, &mut self.seen);
                    self.seen.clone()
                });
                let seen = (met, seen.collect());
                if place == kept.len() { kept.push(seen) } else { kept[place] = seen }
            }
        }
        let mut targets = self.rewards()?;
        kept.sort_by_key(|(met, _)| *met);
        let mut rows = Rows::default();
        for (_, position) in kept.iter().rev() {
            position.iter().zip(&targets).for_each(|(seen, target)| rows.push(seen, *target as f32));
            if let Some(evaluator) = self.evaluators.get_mut(best) {
                let values: Vec<f64> = position.iter().map(|seen| evaluator.of(seen)).collect();
                self.training.targets.before(&mut targets, &values);
            }
        }
        Ok(rows)
    }

    /// The mean lead of the first policy over the second, over all seatings in which one seat plays the first and all
    /// others play the second. In solo and cooperative games, each plays its own game.
    pub fn compare(&mut self, seed: u64, block: u64, policies: [SeatPolicy; 2]) -> GameResult<f64> {
        self.lead(seed, block, policies).map_err(|reason| (reason, seed))
    }

    fn lead(&mut self, seed: u64, block: u64, [one, other]: [SeatPolicy; 2]) -> Result<f64, String> {
        let players = self.training.players_of(block);
        if players == 1 || self.training.is_shared() {
            let mut play = |policy| {
                self.meet(seed, players, |_| policy)?;
                Ok::<f64, String>(self.rewards()?[0])
            };
            return Ok(play(one)? - play(other)?);
        }
        let mut lead = 0.0;
        for seat in 0..players {
            self.meet(seed, players, |of| if of == seat { one } else { other })?;
            let rewards = self.rewards()?;
            let (sum, own) = (rewards.iter().sum::<f64>(), rewards[usize::from(seat)]);
            lead += own - (sum - own) / f64::from(players - 1);
        }
        Ok(lead / f64::from(players))
    }

    /// Plays a game; `policy` returns the policy of a seat.
    fn meet(&mut self, seed: u64, players: u8, policy: impl Fn(u8) -> SeatPolicy) -> Result<(), String> {
        self.begin(seed, players)?;
        let mut generator = Pcg64Mcg::seed_from_u64(mix(seed, 3));
        for played in 0..DECISION_LIMIT {
            let Some(decision) = self.m.decision() else { break };
            // Without random openings, a game without chance would be the same in every block; with one in every game,
            // a game of one decision would compare nothing.
            let index = if played < u32::from(players) && random_index(2, &mut generator) == 0 {
                let among = self.allowed(decision);
                among[random_index(among.len(), &mut generator)]
            } else {
                self.choose(policy(decision.seat), decision)?
            };
            self.m.answer(index).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn begin(&mut self, seed: u64, players: u8) -> Result<(), String> {
        (self.setup.seed, self.setup.players) = (seed, players);
        self.bot.reseed(mix(seed, 2));
        self.rivals.iter_mut().for_each(|rival| rival.reseed(mix(seed, 2)));
        self.searches.iter_mut().for_each(|(_, search)| search.reseed(mix(seed, 2)));
        self.m.restart(&self.setup).map_err(|error| error.to_string())
    }

    /// The choices that the limits allow.
    fn allowed(&self, decision: Decision) -> Vec<usize> {
        let among = all_choices(&self.m);
        match &self.training.limits {
            Some(limits) => limits.allowed(&self.m, decision, &among),
            None => among,
        }
    }

    fn choose(&mut self, policy: SeatPolicy, decision: Decision) -> Result<usize, String> {
        let among = self.allowed(decision);
        let chosen = match policy {
            SeatPolicy::Rival(rival) => self.rivals[rival].choose_among(&self.m, decision, &among),
            SeatPolicy::Value(value) => self.bot.choose_with(&mut self.evaluators[value], &self.m, decision, &among),
            SeatPolicy::Search { value, budget, horizon } => {
                let known = self.searches.iter().position(|(of, _)| *of == policy);
                let place = known.unwrap_or_else(|| {
                    let seed = mix(self.setup.seed, 2);
                    let search = Search::looking(budget, self.evaluators[value].clone(), horizon, seed);
                    self.searches.push((policy, search.within(self.training.limits.clone())));
                    self.searches.len() - 1
                });
                self.searches[place].1.choose_among(&self.m, decision, &among)
            }
        };
        chosen.map_err(|error| error.to_string())
    }

    /// The rewards of all seats, unless the game is not over.
    fn rewards(&self) -> Result<Vec<f64>, String> {
        let endless = || format!("more than {DECISION_LIMIT} decisions");
        let outcome = self.m.outcome().ok_or_else(endless)?;
        let declared = &self.training.game.declarations().outcome;
        Ok((0..self.setup.players).map(|seat| reward(declared, &outcome, seat)).collect())
    }
}
