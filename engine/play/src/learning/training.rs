//! Learning a value by self-play.

use std::sync::Arc;

use motherlode::{Decision, Game, Match, MatchError, Setup};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use crate::bots::bot::{Bot as _, all, any};
use crate::bots::learned::Learned;
use crate::bots::limits::Limits;
use crate::bots::pattern::Pattern;
use crate::bots::playout::DECISION_LIMIT;
use crate::bots::search::Search;
use crate::learning::fit::{Rows, fit, loss};
use crate::learning::targets::Targets;
use crate::reward::reward;
use crate::seeds::mix;
use crate::simulation::failures::Failures;
use crate::simulation::queue::{Work, threads};
use crate::value::evaluator::Evaluator;
use crate::value::features::Features;
use crate::value::{Horizon, Origin, Weights, write};

/// Positions that are kept of a game, each as all seats see it.
const POSITIONS: usize = 20;
/// Rows that are kept; older ones are forgotten.
const MOST_ROWS: usize = 100_000;
/// Iterations whose rows are kept. Random games, above all, are forgotten soon: a sum cannot fit them and good play at once.
const KEPT: usize = 3;
/// Of a hundred decisions of self-play, so many are answered at random.
const RANDOM: usize = 8;
/// Of a hundred seats, so many are played by the value of an earlier iteration.
const EARLIER: usize = 25;
/// Random games for each game of an iteration, before the first.
const AT_FIRST: u64 = 2;
/// Playouts for a decision, where searches play against each other that end their playouts here or there.
const BUDGET: u32 = 48;
/// The same in games that searches play to be learned from.
const LESS: u32 = 16;
/// By how much better the results of the search must be that plays on to the end, which takes it longer.
const BETTER: f64 = 0.05;
/// One game in so many measures how well a value foretells games that it has not seen.
const APART: u64 = 20;

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
    fn blocks(&self, games: u64) -> u64 {
        let kinds = self.players.len().max(1) as u64;
        games.div_ceil(self.games_of(kinds)) * kinds
    }

    /// Games in so many blocks.
    fn games_of(&self, blocks: u64) -> u64 {
        (0..blocks).map(|block| u64::from(self.players_of(block)).max(2)).sum()
    }

    fn players_of(&self, block: u64) -> u8 {
        self.players.get(block as usize % self.players.len().max(1)).copied().unwrap_or(self.setup.players)
    }

    /// Plays and learns. Calls `progress` after every game, which says whether to go on.
    ///
    /// # Errors
    /// When no match can be made, hardly a game ends, or it is stopped before there is a value.
    pub fn run(&self, mut progress: impl FnMut(TrainingProgress) -> bool) -> Result<Trained, TrainingError> {
        // A setup that does not fit is found before any thread is started.
        for &players in &self.players {
            drop(Match::new(&self.game, &Setup { players, ..self.setup.clone() })?);
        }
        let features = Arc::new(Features::new(&self.game));
        let width = features.names().len();
        let (mut rows, mut apart) = (Rows::default(), Rows::default());
        let mut learned: Vec<Arc<Weights>> = Vec::new();
        let (mut best, mut iterations) = (0, Vec::new());
        let mut news: Vec<[usize; 2]> = Vec::new();
        let (mut done, mut failures, mut stopped) = (0, Failures::default(), false);
        for iteration in 0..self.all_iterations() {
            let searches = iteration >= self.iterations.max(1);
            let mind = |value| match searches {
                true => Mind::Search { value, budget: LESS, horizon: Horizon::Turn },
                false => Mind::Value(value),
            };
            if iteration == self.iterations.max(1) {
                // Searches play otherwise; a sum cannot fit both.
                (rows, apart) = Default::default();
                news.clear();
            }
            let count = if iteration == 0 { self.games * AT_FIRST } else { self.games };
            let seed = mix(self.setup.seed, 2 * u64::from(iteration) + 1);
            let mut report = |more: u64, iteration| {
                progress(TrainingProgress { done: done + more, games: self.all_games(), iteration })
            };
            let learn = |player: &mut Player, index| player.learn(mix(seed, index), best, mind(best));
            let mut new = [0, 0];
            let goes_on = self.play(count, &features, &learned, learn, |index, game: Played<Rows>| {
                let which = usize::from(index % APART == 0);
                match game {
                    Ok(game) => {
                        new[which] += game.len();
                        let kept = if which == 0 { &mut rows } else { &mut apart };
                        kept.append(&game);
                        if kept.len() > 2 * MOST_ROWS {
                            kept.keep_last(MOST_ROWS);
                        }
                    }
                    Err((reason, seed)) => failures.add(&reason, seed),
                }
                report(index + 1, iteration)
            })?;
            if !goes_on {
                stopped = true;
                break;
            }
            done += count;
            if iteration == 0 && (count - failures.aborted) * 10 < count {
                return Err(TrainingError::Games { failures, games: count });
            }
            news.push(new);
            let kept = |which: usize| news.iter().rev().take(KEPT).map(|new| new[which]).sum::<usize>().min(MOST_ROWS);
            rows.keep_last(kept(0));
            apart.keep_last(kept(1));
            learned.push(Arc::new(fit(&rows, width, mix(seed, u64::MAX))));
            let newest = learned.len() - 1;
            let mut lead = 0.0;
            if newest > 0 {
                let minds = [newest, best].map(mind);
                let met = self.meet((iteration, self.matches), minds, &features, &learned, &mut failures, |more| {
                    progress(TrainingProgress { done: done + more, games: self.all_games(), iteration })
                })?;
                let Some(by) = met else {
                    stopped = true;
                    break;
                };
                lead = by;
                done += self.games_of(self.blocks(self.matches));
            }
            let is_best = lead >= 0.0;
            if is_best {
                best = newest;
            }
            iterations.push(Iteration { rows: rows.len(), loss: loss(&learned[newest], &apart), lead, is_best });
        }
        if learned.is_empty() {
            return Err(TrainingError::Stopped);
        }
        learned.swap(0, best);
        let mut horizon = Horizon::Turn;
        if !stopped {
            let minds = [Horizon::End, Horizon::Turn].map(|horizon| Mind::Search { value: 0, budget: BUDGET, horizon });
            let last = self.all_iterations();
            let met = self.meet((last, self.searches), minds, &features, &learned[..1], &mut failures, |more| {
                progress(TrainingProgress { done: done + more, games: self.all_games(), iteration: last - 1 })
            })?;
            stopped = met.is_none();
            if let Some(on) = met {
                done += self.games_of(self.blocks(self.searches));
                if on > BETTER {
                    horizon = Horizon::End;
                }
            }
        }
        let mut command = self.command();
        if stopped {
            command += &format!(", stopped after {done} games");
        }
        let origin = Origin {
            game: self.game.declarations().id.clone(),
            players: self.players.clone(),
            seed: self.setup.seed,
            games: done,
            command,
        };
        let text = write(&features, &learned[0], horizon, &origin);
        Ok(Trained { text, horizon, origin, iterations, failures, stopped })
    }

    /// By how much the results of one mind are better than those of another, from -1 to 1, on average. `None`: it was stopped.
    fn meet(
        &self,
        (iteration, games): (u32, u64),
        minds: [Mind; 2],
        features: &Arc<Features>,
        learned: &[Arc<Weights>],
        failures: &mut Failures,
        mut progress: impl FnMut(u64) -> bool,
    ) -> Result<Option<f64>, TrainingError> {
        let seed = mix(self.setup.seed, 2 * u64::from(iteration) + 2);
        let (mut sum, mut count) = (0.0, 0u64);
        let game = |player: &mut Player, block| player.compare(mix(seed, block), block, minds);
        let goes_on = self.play(self.blocks(games), features, learned, game, |block, lead| {
            match lead {
                Ok(lead) => (sum, count) = (sum + lead, count + 1),
                Err((reason, seed)) => failures.add(&reason, seed),
            }
            progress(self.games_of(block + 1))
        })?;
        Ok(goes_on.then_some(sum / count.max(1) as f64))
    }

    /// Plays games on all threads. `sink` gets the number of each and what became of it, in order, and says whether to go on; whether all
    /// were played.
    fn play<T: Send>(
        &self,
        count: u64,
        features: &Arc<Features>,
        learned: &[Arc<Weights>],
        game: impl Fn(&mut Player, u64) -> Played<T> + Sync,
        mut sink: impl FnMut(u64, Played<T>) -> bool,
    ) -> Result<bool, TrainingError> {
        let mut numbers = 0..count;
        let done = Work::large(0..count, threads(self.threads)).run(
            // That a match can be made has been tried.
            || Player::new(self, features, learned).ok(),
            |player, index| game(player, index),
            drop,
            |more| {
                // A game that was halted ends the training: it says nothing.
                let is_cut = |one: &Played<T>| one.is_err() && self.game.is_halted();
                let goes_on =
                    more.into_iter().zip(numbers.by_ref()).all(|(one, index)| !is_cut(&one) && sink(index, one));
                if goes_on { Ok(()) } else { Err(()) }
            },
        );
        Ok(done.map_err(|error| TrainingError::Threads(error.to_string()))?.is_ok())
    }
}

/// What came of a game or a block, or why a game was aborted, and its seed.
type Played<T> = Result<T, (String, u64)>;

/// What answers in games in which values are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mind {
    /// The value of an iteration, one step ahead.
    Value(usize),
    /// A search with such a value.
    Search { value: usize, budget: u32, horizon: Horizon },
}

/// What belongs to one thread.
struct Player<'t> {
    training: &'t Training,
    features: Arc<Features>,
    setup: Setup,
    m: Match,
    bot: Learned,
    /// One a value.
    evaluators: Vec<Evaluator>,
    /// The searches that were needed so far.
    searches: Vec<(Mind, Search)>,
    seen: Vec<f32>,
}

impl<'t> Player<'t> {
    fn new(training: &'t Training, features: &Arc<Features>, learned: &[Arc<Weights>]) -> Result<Self, MatchError> {
        let setup = Setup { players: training.players_of(0), ..training.setup.clone() };
        let mut m = Match::new(&training.game, &setup)?;
        m.set_recording(false);
        let evaluators: Vec<Evaluator> =
            learned.iter().map(|one| Evaluator::new(features.clone(), one.clone())).collect();
        let blank = || Evaluator::new(features.clone(), Arc::new(Weights::new(Vec::new())));
        let bot = Learned::for_training(evaluators.first().cloned().unwrap_or_else(blank));
        Ok(Self {
            training,
            features: features.clone(),
            setup,
            m,
            bot,
            evaluators,
            searches: Vec::new(),
            seen: Vec::new(),
        })
    }

    /// A game of self-play, given the best value so far and who plays by it.
    fn learn(&mut self, seed: u64, best: usize, mind: Mind) -> Played<Rows> {
        self.learned_from(seed, best, mind).map_err(|reason| (reason, seed))
    }

    fn learned_from(&mut self, seed: u64, best: usize, mind: Mind) -> Result<Rows, String> {
        let mut generator = Pcg64Mcg::seed_from_u64(mix(seed, 1));
        let players = self.training.players_of(any(usize::from(u16::MAX), &mut generator) as u64);
        let learned = self.evaluators.len();
        let seats: Vec<Mind> = (0..players)
            .map(|_| match mind {
                Mind::Value(_) if any(100, &mut generator) < EARLIER => Mind::Value(any(learned, &mut generator)),
                mind => mind,
            })
            .collect();
        let mut kept: Vec<(usize, Vec<Vec<f32>>)> = Vec::new();
        let mut met = 0;
        self.begin(seed, players)?;
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = self.m.decision() else { break };
            let index = if learned == 0 || any(100, &mut generator) < RANDOM {
                let among = self.allowed(decision);
                among[any(among.len(), &mut generator)]
            } else {
                self.choose(seats[usize::from(decision.seat)], decision)?
            };
            let phase = self.m.simultaneous();
            self.m.answer(index).map_err(|error| error.to_string())?;
            // Only what is looked up: no position in the middle of a turn, or when some have answered and others have not.
            let follows = self.m.is_mid_hook() && self.m.decision().is_some_and(|next| next.seat == decision.seat);
            if phase.is_some() && self.m.simultaneous() == phase || follows || self.m.is_over() {
                continue;
            }
            // Any of the positions is as likely to be kept as any other (Vitter's algorithm R).
            met += 1;
            let place = if kept.len() < POSITIONS { kept.len() } else { any(met, &mut generator) };
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

    /// By how much the result of one is better than that of the other, with the other in all other seats, over all seatings; alone at the
    /// table, in a game of its own.
    fn compare(&mut self, seed: u64, block: u64, minds: [Mind; 2]) -> Played<f64> {
        self.lead(seed, block, minds).map_err(|reason| (reason, seed))
    }

    fn lead(&mut self, seed: u64, block: u64, [one, other]: [Mind; 2]) -> Result<f64, String> {
        let players = self.training.players_of(block);
        if players == 1 {
            let mut play = |mind| {
                self.meet(seed, players, |_| mind)?;
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

    /// Plays a game; who answers for each seat.
    fn meet(&mut self, seed: u64, players: u8, mind: impl Fn(u8) -> Mind) -> Result<(), String> {
        self.begin(seed, players)?;
        for _ in 0..DECISION_LIMIT {
            let Some(decision) = self.m.decision() else { break };
            let index = self.choose(mind(decision.seat), decision)?;
            self.m.answer(index).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn begin(&mut self, seed: u64, players: u8) -> Result<(), String> {
        (self.setup.seed, self.setup.players) = (seed, players);
        self.bot.reseed(mix(seed, 2));
        self.searches.iter_mut().for_each(|(_, search)| search.reseed(mix(seed, 2)));
        self.m.restart(&self.setup).map_err(|error| error.to_string())
    }

    /// The choices that are within the limits.
    fn allowed(&self, decision: Decision) -> Vec<usize> {
        let among = all(&self.m);
        match &self.training.limits {
            Some(limits) => limits.allowed(&self.m, decision, &among),
            None => among,
        }
    }

    fn choose(&mut self, mind: Mind, decision: Decision) -> Result<usize, String> {
        let among = self.allowed(decision);
        let chosen = match mind {
            Mind::Value(value) => self.bot.choose_with(&mut self.evaluators[value], &self.m, decision, &among),
            Mind::Search { value, budget, horizon } => {
                let known = self.searches.iter().position(|(of, _)| *of == mind);
                let place = known.unwrap_or_else(|| {
                    let seed = mix(self.setup.seed, 2);
                    let search = Search::looking(budget, self.evaluators[value].clone(), horizon, seed);
                    self.searches.push((mind, search.within(self.training.limits.clone())));
                    self.searches.len() - 1
                });
                self.searches[place].1.choose_among(&self.m, decision, &among)
            }
        };
        chosen.map_err(|error| error.to_string())
    }

    /// Of all seats, unless the game is not over.
    fn rewards(&self) -> Result<Vec<f64>, String> {
        let endless = || format!("more than {DECISION_LIMIT} decisions");
        let outcome = self.m.outcome().ok_or_else(endless)?;
        let declared = &self.training.game.declarations().outcome;
        Ok((0..self.setup.players).map(|seat| reward(declared, &outcome, seat)).collect())
    }
}
