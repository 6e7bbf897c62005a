//! Configuration and results of a training.

use std::sync::Arc;

use motherlode::{Game, MatchError, Setup};

use crate::bots::limits::Limits;
use crate::bots::pattern::Pattern;
use crate::learning::targets::Targets;
use crate::simulation::failures::Failures;
use crate::value::{Horizon, Origin};

/// Random games before the first iteration, per game of an iteration.
pub(super) const AT_FIRST: u64 = 2;

/// Iterations after each search for rivals.
pub(super) const OF_LEAGUE: u32 = 2;

/// The training of a value by self-play. The result depends on all fields except `threads`.
#[derive(Clone)]
pub struct Training {
    /// The game.
    pub game: Game,
    /// Options and seed.
    pub setup: Setup,
    /// Numbers of players; each game uses one of them.
    pub players: Vec<u8>,
    /// Games of self-play per iteration.
    pub games: u64,
    /// Iterations: each fits a value to recent games; the best value plays the next games.
    pub iterations: u32,
    /// Additional iterations in which searches with the best value play, instead of one-step lookahead (expert
    /// iteration: Anthony, Tian and Barber, "Thinking fast and slow with deep learning and tree search", 2017). They
    /// take about five times as long. Searches find plans that pay only over several turns; one-step lookahead does
    /// not.
    pub search_iterations: u32,
    /// Rounds at the end in which bots that beat the best value join its games: see [`Self::run_against`].
    pub league: u32,
    /// Whether bots play mixed strategies in simultaneous phases, in training and with its value. They need more
    /// positions, so where the choices of others hardly matter, they are weaker.
    pub is_mixed: bool,
    /// The computation of training targets.
    pub targets: Targets,
    /// Games between each new value and the best one so far.
    pub matches: u64,
    /// Games between searches with different horizons; with 0, the horizon is a later turn.
    pub searches: u64,
    /// Limits of all seats in all training games. A bot that obeys limits plays badly with a value from games in
    /// which nobody did.
    pub limits: Option<Arc<Limits>>,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
}

/// A part of a training whose games take about equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrainingStage {
    /// Random games.
    Random,
    /// Iterations whose games are played by one step of lookahead.
    Values,
    /// Iterations whose games are played by searches.
    Searches,
    /// A round of the league, from 0. A round follows a search for rivals, and is left out if there are none.
    League(u32),
    /// Games between searches with different horizons.
    Horizon,
}

/// The progress of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainingProgress {
    /// Games played.
    pub done: u64,
    /// All games to play, including those that compare values.
    pub games: u64,
    /// Values fitted.
    pub iteration: u32,
    /// The current stage.
    pub stage: TrainingStage,
    /// Games played in this stage.
    pub in_stage: u64,
}

/// The results of one iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// Training rows.
    pub rows: usize,
    /// Mean cross entropy on games held out from training.
    pub loss: f64,
    /// Mean lead over the best earlier value, from -1 to 1.
    pub lead: f64,
    /// Whether this value became the best.
    pub is_best: bool,
}

/// The result of a training.
#[derive(Debug, Clone)]
pub struct TrainingResult {
    /// The text of the value file.
    pub text: String,
    /// The origin of the value.
    pub origin: Origin,
    /// The horizon that won more games in searches with this value.
    pub horizon: Horizon,
    /// The iterations.
    pub iterations: Vec<Iteration>,
    /// Aborted games among those of `origin`; the training does not learn from them.
    pub failures: Failures,
    /// Whether the training was stopped early, with the best value up to then.
    pub stopped: bool,
}

/// Why no value was trained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// No match could be made.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// The training was stopped before the first value.
    #[error("stopped before anything was learned")]
    Stopped,
    /// Almost all games were aborted.
    #[error("no games to learn from: {}", .failures.told(*.games).unwrap_or_default())]
    Games {
        /// Aborted games.
        failures: Failures,
        /// Games played.
        games: u64,
    },
}

impl Training {
    /// A training of some minutes, for all numbers of players with opponents.
    #[must_use]
    pub fn new(game: &Game, setup: Setup) -> Self {
        let declared = &game.declarations().players;
        let players = (declared.min.max(2).min(declared.max)..=declared.max).collect();
        Self {
            game: game.clone(),
            setup,
            players,
            games: 300,
            iterations: 6,
            search_iterations: 0,
            league: 0,
            is_mixed: false,
            targets: Targets::default(),
            matches: 60,
            searches: 60,
            limits: None,
            threads: 0,
        }
    }

    /// The command that repeats this training, with mods by their names; default options are left out.
    #[must_use]
    pub fn command(&self) -> String {
        let declared = self.game.declarations();
        let usual = Self::new(&self.game, self.setup.clone());
        let mut text = format!("lode train {}", declared.id);
        let mut says = |option: &str, value: String, is_usual: bool| {
            if !is_usual {
                text.push_str(format!(" --{option} {value}").trim_end());
            }
        };
        for one in self.game.mods() {
            says("mod", one.id.clone(), false);
        }
        let players: Vec<String> = self.players.iter().map(u8::to_string).collect();
        says("players", players.join(","), self.players == usual.players);
        let options = Setup::resolve(declared, None, &[], 0).map(|setup| setup.options).unwrap_or_default();
        for (name, value) in &self.setup.options {
            says("option", format!("{name}={value}"), options.get(name) == Some(value));
        }
        says("games", self.games.to_string(), self.games == usual.games);
        says("iterations", self.iterations.to_string(), self.iterations == usual.iterations);
        says("search-iterations", self.search_iterations.to_string(), self.search_iterations == 0);
        says("league", self.league.to_string(), self.league == 0);
        says("mixed", String::new(), !self.is_mixed);
        says("lambda", self.targets.lambda.to_string(), self.targets.lambda == usual.targets.lambda);
        says("centred", String::new(), self.targets.is_centred == usual.targets.is_centred);
        says("matches", self.matches.to_string(), self.matches == usual.matches);
        for (option, patterns) in
            self.limits.iter().flat_map(|limits| [("never", &limits.never), ("always", &limits.always)])
        {
            let names: Vec<&str> = patterns.iter().map(Pattern::text).collect();
            says(option, names.join("/"), names.is_empty());
        }
        says("seed", self.setup.seed.to_string(), false);
        text
    }

    /// The stages in order, each with its number of games. Stages without games are left out.
    #[must_use]
    pub fn stages(&self) -> Vec<(TrainingStage, u64)> {
        let meet = self.games_of(self.blocks(self.matches));
        let iteration = self.games + meet;
        let values = u64::from(self.iterations.max(1) - 1);
        let league = (0..self.league).map(|round| {
            // The new value meets the best one, and both meet the rivals.
            (TrainingStage::League(round), u64::from(OF_LEAGUE) * (self.games + 3 * meet))
        });
        let stages = [
            (TrainingStage::Random, self.games * AT_FIRST),
            (TrainingStage::Values, values * iteration),
            (TrainingStage::Searches, u64::from(self.search_iterations) * iteration),
        ];
        let horizon = (TrainingStage::Horizon, self.games_of(self.blocks(self.searches)));
        stages.into_iter().chain(league).chain([horizon]).filter(|(_, games)| *games > 0).collect()
    }

    /// All games of the training.
    #[must_use]
    pub fn all_games(&self) -> u64 {
        self.stages().into_iter().map(|(_, games)| games).sum()
    }

    /// The number of values to fit.
    #[must_use]
    pub fn all_iterations(&self) -> u32 {
        self.iterations.max(1).saturating_add(self.search_iterations)
    }

    /// Blocks needed for at least `games` games. A block is one seed, played in every seating.
    pub(super) fn blocks(&self, games: u64) -> u64 {
        let kinds = self.players.len().max(1) as u64;
        games.div_ceil(self.games_of(kinds)) * kinds
    }

    /// Games in this many blocks.
    pub(super) fn games_of(&self, blocks: u64) -> u64 {
        let of = |block| if self.is_shared() { 2 } else { u64::from(self.players_of(block)).max(2) };
        (0..blocks).map(of).sum()
    }

    /// Whether the game is cooperative: then its seats never meet each other.
    pub(super) fn is_shared(&self) -> bool {
        self.game.declarations().outcome.shared
    }

    pub(super) fn players_of(&self, block: u64) -> u8 {
        self.players.get(block as usize % self.players.len().max(1)).copied().unwrap_or(self.setup.players)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::batch::LocalPlayers;
    use crate::samples::noughts;

    #[test]
    fn a_training_plays_the_games_of_its_stages() {
        let game = noughts();
        let setup = game.setup(None, &[], 1).unwrap();
        let training = Training {
            games: 8,
            iterations: 3,
            league: 2,
            matches: 4,
            searches: 4,
            threads: 1,
            ..Training::new(&game, setup)
        };
        let mut played: Vec<(TrainingStage, u64)> = Vec::new();
        let mut rivals = 0;
        let note = |progress: crate::TrainingProgress| {
            match played.last_mut().filter(|last| last.0 == progress.stage) {
                Some(last) => last.1 = progress.in_stage,
                None => played.push((progress.stage, progress.in_stage)),
            }
            true
        };
        let find = |_: &str| {
            rivals += 1;
            if rivals == 1 { vec!["random".to_owned()] } else { Vec::new() }
        };
        training.run_against(note, find, &mut LocalPlayers).unwrap();
        let mut expected = training.stages();
        // The second round of the league finds no new rival.
        expected.retain(|(stage, _)| *stage != TrainingStage::League(1));
        assert_eq!(played, expected);
    }
}
