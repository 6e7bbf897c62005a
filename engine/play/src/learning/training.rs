//! Learning a value by self-play.

use std::sync::Arc;

use motherlode::{Game, MatchError, Setup};

use crate::bots::limits::Limits;
use crate::bots::pattern::Pattern;
use crate::learning::targets::Targets;
use crate::simulation::failures::Failures;
use crate::value::{Horizon, Origin};

/// Random games for each game of an iteration, before the first.
pub(super) const AT_FIRST: u64 = 2;

/// Learning a value of a game. The result depends on the fields alone, but for the threads.
#[derive(Clone)]
pub struct Training {
    /// The game.
    pub game: Game,
    /// Options and seed.
    pub setup: Setup,
    /// Numbers of players; any of them sit down to a game.
    pub players: Vec<u8>,
    /// Games of self-play in an iteration.
    pub games: u64,
    /// How often a value is fitted to all games so far and plays the next.
    pub iterations: u32,
    /// So many iterations more, in which searches play with the best value so far, instead of it alone (expert iteration: Anthony, Tian and
    /// Barber, "Thinking fast and slow with deep learning and tree search", 2017). They take some five times as long. What pays only if
    /// it is followed up for several turns, searches find and one step ahead does not.
    pub search_iterations: u32,
    /// What a position teaches.
    pub targets: Targets,
    /// Games in which a new value meets the best one so far.
    pub matches: u64,
    /// Games in which searches meet that end their playouts here or there; 0: none, they end at a later turn.
    pub searches: u64,
    /// What everybody keeps to in all its games. A bot that must do without something plays badly by a value of games in which everybody
    /// does it.
    pub limits: Option<Arc<Limits>>,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
}

/// How far a training has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrainingProgress {
    /// Games played.
    pub done: u64,
    /// Games to play, those between learned included.
    pub games: u64,
    /// Values fitted.
    pub iteration: u32,
}

/// One iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// Positions it has learned from.
    pub rows: usize,
    /// How well it foretells games that it has not seen: mean cross entropy.
    pub loss: f64,
    /// By how much its results were better than those of the best value before it, from -1 to 1.
    pub lead: f64,
    /// It became the best.
    pub is_best: bool,
}

/// What a training has led to.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The text of the file.
    pub text: String,
    /// How it came to be.
    pub origin: Origin,
    /// Where searches with it end their playouts: what has won more against the other.
    pub horizon: Horizon,
    /// Its iterations.
    pub iterations: Vec<Iteration>,
    /// Games that were aborted, of those of its origin: it has learned nothing from them.
    pub failures: Failures,
    /// Whether it was stopped before the end: the value is the best one up to there.
    pub stopped: bool,
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// No match could be made.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// It was stopped before there was a value.
    #[error("stopped before anything was learned")]
    Stopped,
    /// Hardly a game has ended.
    #[error("there is nothing to learn from: {}", .failures.told(*.games).unwrap_or_default())]
    Games {
        /// Games that did not.
        failures: Failures,
        /// Games that were played.
        games: u64,
    },
}

impl Training {
    /// A training of some minutes, for any number of players that play against each other.
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
            targets: Targets::default(),
            matches: 60,
            searches: 60,
            limits: None,
            threads: 0,
        }
    }

    /// The command that learns the same once more, with mods by their names: what is as usual is left out.
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

    /// All games that it plays.
    #[must_use]
    pub fn all_games(&self) -> u64 {
        let later = u64::from(self.all_iterations() - 1);
        let meet = self.games_of(self.blocks(self.matches)) * later + self.games_of(self.blocks(self.searches));
        self.games * (AT_FIRST + later) + meet
    }

    /// How many values it fits.
    #[must_use]
    pub fn all_iterations(&self) -> u32 {
        self.iterations.max(1).saturating_add(self.search_iterations)
    }

    /// Seeds for so many games against each other, each with every seating.
    pub(super) fn blocks(&self, games: u64) -> u64 {
        let kinds = self.players.len().max(1) as u64;
        games.div_ceil(self.games_of(kinds)) * kinds
    }

    /// Games in so many blocks.
    pub(super) fn games_of(&self, blocks: u64) -> u64 {
        (0..blocks).map(|block| u64::from(self.players_of(block)).max(2)).sum()
    }

    pub(super) fn players_of(&self, block: u64) -> u8 {
        self.players.get(block as usize % self.players.len().max(1)).copied().unwrap_or(self.setup.players)
    }
}
