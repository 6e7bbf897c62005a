//! Runs a training: self-play, a new value, games against the best value so far, repeat.

use std::sync::Arc;

use motherlode::{Match, Setup};

use crate::bots::spec::BotSpec;
use crate::learning::batch::{BatchTask, LocalPlayers, TrainingBatch, TrainingPlayers};
use crate::learning::fit::{Rows, fit, loss};
use crate::learning::player::SeatPolicy;
use crate::learning::training::{
    AT_FIRST, Iteration, OF_LEAGUE, Training, TrainingError, TrainingProgress, TrainingResult, TrainingStage,
};
use crate::seeds::mix;
use crate::simulation::failures::Failures;
use crate::value::features::Features;
use crate::value::{Horizon, Origin, Weights, write};

/// Maximum training rows; older ones are dropped.
const MOST_ROWS: usize = 100_000;
/// Iterations whose rows are kept. Random games, in particular, must be dropped soon: the value cannot fit both them
/// and good play.
const KEPT: usize = 3;
/// Playouts per decision in games that compare horizons.
const BUDGET: u32 = 48;
/// Playouts per decision in games of search iterations.
const LESS: u32 = 16;
/// Minimum lead for the horizon at the end of the game, because its searches take longer.
const BETTER: f64 = 0.05;
/// One game in this many is held out to measure the loss.
const APART: u64 = 20;

impl Training {
    /// Runs the training. Calls `progress` after every game; the training stops if it returns false.
    ///
    /// # Errors
    /// No match can be made, almost all games are aborted, or the training is stopped before the first value.
    pub fn run(&self, progress: impl FnMut(TrainingProgress) -> bool) -> Result<TrainingResult, TrainingError> {
        self.run_against(progress, |_| Vec::new(), &mut LocalPlayers)
    }

    /// Runs the training with a league. After the iterations, and after each round of the league, `find_rivals` gets
    /// the text of the best value and returns the specs of bots that beat it. These bots play in the next games. The
    /// league ends when no new rival is found. `players` play the games; the result does not depend on them.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_against(
        &self,
        progress: impl FnMut(TrainingProgress) -> bool,
        find_rivals: impl FnMut(&str) -> Vec<String>,
        players: &mut dyn TrainingPlayers,
    ) -> Result<TrainingResult, TrainingError> {
        // Find a wrong setup before any thread starts.
        for &players in &self.players {
            drop(Match::new(&self.game, &Setup { players, ..self.setup.clone() })?);
        }
        TrainingRun::new(self, progress, players).run(find_rivals)
    }
}

/// A running training.
struct TrainingRun<'t, P> {
    training: &'t Training,
    players: &'t mut dyn TrainingPlayers,
    /// Called after every game; returns whether to continue.
    progress: P,
    features: Arc<Features>,
    /// Training rows.
    rows: Rows,
    /// Held-out rows, which measure the loss.
    apart: Rows,
    /// Training and held-out rows added by each iteration.
    added: Vec<[usize; 2]>,
    /// The value of each iteration.
    learned: Vec<Arc<Weights>>,
    /// Index of the best value.
    best: usize,
    /// Specs of the bots of the league.
    rivals: Vec<String>,
    iterations: Vec<Iteration>,
    /// Games played.
    done: u64,
    /// The current stage, and the games played before it.
    stage: (TrainingStage, u64),
    failures: Failures,
}

impl<'t, P: FnMut(TrainingProgress) -> bool> TrainingRun<'t, P> {
    fn new(training: &'t Training, progress: P, players: &'t mut dyn TrainingPlayers) -> Self {
        Self {
            training,
            players,
            progress,
            features: Arc::new(Features::new(&training.game)),
            rows: Rows::default(),
            apart: Rows::default(),
            added: Vec::new(),
            learned: Vec::new(),
            best: 0,
            rivals: Vec::new(),
            iterations: Vec::new(),
            done: 0,
            stage: (TrainingStage::Random, 0),
            failures: Failures::default(),
        }
    }

    fn run(mut self, mut find_rivals: impl FnMut(&str) -> Vec<String>) -> Result<TrainingResult, TrainingError> {
        let mut goes_on = true;
        for iteration in 0..self.training.all_iterations() {
            goes_on = self.iterate(iteration)?;
            if !goes_on {
                break;
            }
        }
        if self.learned.is_empty() {
            return Err(TrainingError::Stopped);
        }
        for round in 0..self.training.league {
            if !goes_on || !self.has_new_rivals(&mut find_rivals) {
                break;
            }
            for iteration in 0..OF_LEAGUE {
                goes_on = goes_on && self.iterate(self.training.all_iterations() + round * OF_LEAGUE + iteration)?;
            }
        }
        self.learned.swap(0, self.best);
        self.learned.truncate(1);
        let horizon = if goes_on { self.best_horizon()? } else { None };
        Ok(self.trained(horizon))
    }

    /// Searches rivals of the best value, and returns whether there are new ones.
    fn has_new_rivals(&mut self, find_rivals: &mut impl FnMut(&str) -> Vec<String>) -> bool {
        let known = self.rivals.len();
        let text = write(&self.features, &self.learned[self.best], Horizon::Turn, &self.origin(String::new()));
        for rival in find_rivals(&text) {
            let is_bot = rival.parse::<BotSpec>().is_ok_and(|spec| spec.bot(&self.training.game, 0).is_ok());
            if is_bot && !self.rivals.contains(&rival) {
                self.rivals.push(rival);
            }
        }
        self.rivals.len() > known
    }

    /// Begins a stage, unless it is the current one.
    fn begin_stage(&mut self, stage: TrainingStage) {
        if self.stage.0 != stage {
            self.stage = (stage, self.done);
        }
    }

    /// Runs one iteration: plays, fits a value, compares it with the best. Returns whether to continue.
    fn iterate(&mut self, iteration: u32) -> Result<bool, TrainingError> {
        let first_search = self.training.iterations.max(1);
        let is_search = self.training.search_iterations > 0 && iteration >= first_search;
        if is_search && iteration == first_search {
            // Searches play differently, and a value cannot fit both kinds of games.
            (self.rows, self.apart) = Default::default();
            self.added.clear();
        }
        let all = self.training.all_iterations();
        self.begin_stage(match iteration {
            0 => TrainingStage::Random,
            later if later >= all => TrainingStage::League((later - all) / OF_LEAGUE),
            _ if is_search => TrainingStage::Searches,
            _ => TrainingStage::Values,
        });
        let policy = |value| match is_search {
            true => SeatPolicy::Search { value, budget: LESS, horizon: Horizon::Turn },
            false => SeatPolicy::Value(value),
        };
        if !self.play_on(iteration, policy(self.best))? {
            return Ok(false);
        }
        let kept =
            |which: usize| self.added.iter().rev().take(KEPT).map(|added| added[which]).sum::<usize>().min(MOST_ROWS);
        self.rows.keep_last(kept(0));
        self.apart.keep_last(kept(1));
        let seed = mix(self.seed_of(iteration), u64::MAX);
        self.learned.push(Arc::new(fit(&self.rows, self.features.names().len(), seed)));
        let newest = self.learned.len() - 1;
        let mut lead = 0.0;
        if newest > 0 {
            let policies = [newest, self.best].map(policy);
            let Some(by) = self.meet(iteration, self.training.matches, BatchTask::Compare(policies))? else {
                return Ok(false);
            };
            lead = by;
            // The better value is the one that also loses less to the league.
            let has_rivals = !self.rivals.is_empty();
            for (policy, sign) in policies.into_iter().zip([1.0, -1.0]).filter(|_| has_rivals) {
                let against = BatchTask::Rivals(policy);
                let Some(by) = self.meet(iteration, self.training.matches, against)? else { return Ok(false) };
                lead += sign * by;
            }
        }
        let is_best = lead >= 0.0;
        if is_best {
            self.best = newest;
        }
        let loss = loss(&self.learned[newest], &self.apart);
        self.iterations.push(Iteration { rows: self.rows.len(), loss, lead, is_best });
        Ok(true)
    }

    /// Plays the games of an iteration and keeps their positions. Returns whether to continue.
    fn play_on(&mut self, iteration: u32, policy: SeatPolicy) -> Result<bool, TrainingError> {
        let training = self.training;
        let count = if iteration == 0 { training.games * AT_FIRST } else { training.games };
        let task = BatchTask::Learn { best: self.best, policy };
        let batch = self.batch(self.seed_of(iteration), count, task);
        let Self { players, progress, rows, apart, done, stage, failures, .. } = self;
        let (mut added, mut index) = ([0, 0], 0);
        let goes_on = players.play(training, &batch, &mut |piece| {
            let which = usize::from(index % APART == 0);
            index += 1;
            match piece.failed {
                None => {
                    added[which] += piece.rows.len();
                    let kept = if which == 0 { &mut *rows } else { &mut *apart };
                    kept.append(&piece.rows);
                    if kept.len() > 2 * MOST_ROWS {
                        kept.keep_last(MOST_ROWS);
                    }
                }
                Some((reason, seed)) => failures.add(&reason, seed),
            }
            let done = *done + index;
            let (stage, before) = *stage;
            progress(TrainingProgress { done, games: training.all_games(), iteration, stage, in_stage: done - before })
        })?;
        if !goes_on {
            return Ok(false);
        }
        self.done += count;
        if iteration == 0 && (count - self.failures.aborted) * 10 < count {
            return Err(TrainingError::Games { failures: self.failures.clone(), games: count });
        }
        self.added.push(added);
        Ok(true)
    }

    /// The stronger horizon for searches with the best value, which is the only one left; `None` if stopped.
    fn best_horizon(&mut self) -> Result<Option<Horizon>, TrainingError> {
        let policies =
            [Horizon::End, Horizon::Turn].map(|horizon| SeatPolicy::Search { value: 0, budget: BUDGET, horizon });
        self.begin_stage(TrainingStage::Horizon);
        let lead = self.meet(self.training.all_iterations(), self.training.searches, BatchTask::Compare(policies))?;
        Ok(lead.map(|lead| if lead > BETTER { Horizon::End } else { Horizon::Turn }))
    }

    /// The mean lead of the first policy over the second, from -1 to 1; `None` if stopped.
    fn meet(&mut self, iteration: u32, games: u64, task: BatchTask) -> Result<Option<f64>, TrainingError> {
        let training = self.training;
        let blocks = training.blocks(games);
        let batch = self.batch(mix(training.setup.seed, 2 * u64::from(iteration) + 2), blocks, task);
        let Self { players, progress, done, stage, failures, .. } = self;
        let (mut sum, mut count, mut played) = (0.0, 0u64, 0);
        let goes_on = players.play(training, &batch, &mut |piece| {
            played += 1;
            match piece.failed {
                None => (sum, count) = (sum + piece.lead, count + 1),
                Some((reason, seed)) => failures.add(&reason, seed),
            }
            let done = *done + training.games_of(played);
            let iteration = iteration.min(training.all_iterations() - 1);
            let (stage, before) = *stage;
            progress(TrainingProgress { done, games: training.all_games(), iteration, stage, in_stage: done - before })
        })?;
        if !goes_on {
            return Ok(None);
        }
        self.done += training.games_of(blocks);
        Ok(Some(sum / count.max(1) as f64))
    }

    /// The result, from the only value left. `horizon` is `None` if the training was stopped.
    fn trained(self, horizon: Option<Horizon>) -> TrainingResult {
        let mut command = self.training.command();
        if horizon.is_none() {
            command += &format!(", stopped after {} games", self.done);
        }
        let origin = self.origin(command);
        let Self { features, learned, iterations, failures, .. } = self;
        let stopped = horizon.is_none();
        let horizon = horizon.unwrap_or(Horizon::Turn);
        let text = write(&features, &learned[0], horizon, &origin);
        TrainingResult { text, horizon, origin, iterations, failures, stopped }
    }

    fn origin(&self, command: String) -> Origin {
        let training = self.training;
        Origin {
            game: training.game.declarations().id.clone(),
            players: training.players.clone(),
            seed: training.setup.seed,
            games: self.done,
            is_mixed: training.is_mixed,
            command,
        }
    }

    fn batch(&self, seed: u64, count: u64, task: BatchTask) -> TrainingBatch {
        TrainingBatch { count, seed, learned: self.learned.clone(), rivals: self.rivals.clone(), task }
    }

    fn seed_of(&self, iteration: u32) -> u64 {
        mix(self.training.setup.seed, 2 * u64::from(iteration) + 1)
    }
}
