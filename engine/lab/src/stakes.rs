//! Measures how much decisions matter, and how much they touch other seats.
//!
//! Sampled decisions of finished games are played on by the bots of the game, with several choices. Each continuation first redeals
//! what the deciding seat cannot know, and all choices share redeals and seeds. A first set of continuations selects the best and the
//! second choice, and a second set compares them: the best of several noisy means would seem better than it is.
//!
//! - **Gap**: the value of the best choice minus the value of the second one. Farahmand (2011): "Action-gap phenomenon in reinforcement
//!   learning", Advances in Neural Information Processing Systems 24, calls it the action gap.
//! - **Interaction**: the change that a choice makes to others, by comparison with a choice that was not made. Jaques et al. (2019):
//!   "Social influence as intrinsic motivation for multi-agent deep reinforcement learning", Proceedings of Machine Learning Research 97,
//!   3040-3049, measure influence in this way.

use motherlode::{Game, Match, MatchError, Snapshot};
use motherlode_play::{Bot as _, Watch, mix, play_out, utility_in_points};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::objective::{Objective, difference_bounds};
use crate::ratio::{Estimate, Ratio, SHARE_BOUNDS, bootstrap};
use crate::scratch::ScratchPair;
use crate::series::{LabError, Pool, Series, TimedBot, check};

/// Maximum number of choices that are played on from a decision.
const CHOICES: usize = 6;
/// Continuations of each choice that select the best and the second choice.
const SELECTING: u64 = 4;
/// Continuations of both that compare them, an even number.
const COMPARING: u64 = 12;
/// Number of decisions of a game.
const PER_GAME: u64 = 2;
/// The one-sided 5 % point of Student's t with `COMPARING - 1` degrees of freedom.
const T: f64 = 1.796;
/// Share of decisions without a gap that `T` finds by chance.
const BY_CHANCE: f64 = 0.05;

/// Derives the seeds of decisions and continuations from the seed of the game.
const STAKES: u64 = 0x7374_616b_6573;

/// Forks of sampled decisions in self-play of one bot.
#[derive(Clone)]
pub struct Stakes {
    /// The game and the bot.
    pub series: Series,
    /// Approximate number of decisions, two of each game.
    pub decisions: u64,
}

/// How much decisions matter. Means over decisions with several choices; games are blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StakesReport {
    /// Spec of the bot that decides and plays on.
    pub bot: String,
    /// Number of decisions.
    pub decisions: u64,
    /// The quantity by which the game is judged.
    pub objective: Objective,
    /// Utility of the best choice minus that of the second one: win share, or points.
    pub gap: Option<Estimate>,
    /// Score after the best choice minus that after the second one, in points.
    pub points: Option<Estimate>,
    /// Share of decisions with a gap, at least: decisions whose gap is significant at the one-sided level of 5 %, without those that
    /// are significant by chance. Twelve continuations miss small gaps.
    pub matters: Option<Estimate>,
    /// Effect of a choice on the score of a rival, divided by its effect on the own score. 0: nobody touches others; 1: a choice
    /// changes a rival's score as much as its own. Both effects are root mean squares over decisions. `None` in games without rivals
    /// or without effects on scores.
    pub on_scores: Option<Estimate>,
    /// Share of decisions after which the next decision of another seat offers other choices if the second choice replaces the best.
    pub on_choices: Option<Estimate>,
    /// Whether the run was stopped before the last game.
    pub stopped: bool,
}

/// The results of one decision.
#[derive(Debug, Clone, Default)]
struct ForkedDecision {
    gap: f64,
    points: f64,
    is_significant: bool,
    /// Products of two independent estimates of the effect on a score: unbiased for its square, unlike the square of a noisy mean.
    own: f64,
    rivals: f64,
    /// Whether the next decision of another seat differs; `None` if no such decision follows.
    changes_choices: Option<bool>,
}

impl Stakes {
    /// Returns the number of games, for a progress bar.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.decisions.div_ceil(PER_GAME)
    }

    /// Plays games and forks two decisions of each. `progress` gets the number of finished games and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<StakesReport, LabError> {
        check(&self.series.bots, &self.series.game.0)?;
        let mut games: Vec<Vec<ForkedDecision>> = Vec::new();
        let mut goes_on = true;
        self.series.each(
            0..self.games(),
            || StakesObserver::new(&self.series),
            |observer, specs| observer.begin(specs),
            |observer, _| (!self.series.is_halted()).then(|| std::mem::take(&mut observer.found)),
            |block| {
                games.push(block.into_iter().flatten().collect());
                goes_on = progress(games.len() as u64);
                goes_on
            },
        )?;
        Ok(self.report(&games))
    }

    fn report(&self, games: &[Vec<ForkedDecision>]) -> StakesReport {
        let (game, setup) = &self.series.game;
        let declared = &game.declarations().outcome;
        let seed = mix(self.series.seed, STAKES);
        let unit = game.declarations().counters[declared.score].unit;
        let mean = |number: u64, bounds, of: &dyn Fn(&ForkedDecision) -> Option<f64>| {
            let mut ratio = Ratio::default();
            for decisions in games {
                let (sum, count) =
                    decisions.iter().filter_map(of).fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
                ratio.push(sum, count);
            }
            ratio.estimate(mix(seed, number), bounds)
        };
        let share = |is_true: bool| f64::from(u8::from(is_true));
        let at_least = |found: f64| ((found - BY_CHANCE) / (1.0 - BY_CHANCE)).max(0.0);
        let matters = mean(2, Some(SHARE_BOUNDS), &|one| Some(share(one.is_significant)));
        let has_rivals = setup.players > 1 && !declared.shared;
        StakesReport {
            bot: self.series.bots.first().cloned().unwrap_or_default(),
            decisions: games.iter().map(|decisions| decisions.len() as u64).sum(),
            objective: Objective::of(declared),
            gap: mean(0, Some(difference_bounds(declared, unit)), &|one| Some(one.gap)),
            points: mean(1, None, &|one| Some(one.points)),
            matters: matters.map(|found| map(found, at_least)),
            on_scores: if has_rivals { relative_effect(games, mix(seed, 3)) } else { None },
            on_choices: mean(4, Some(SHARE_BOUNDS), &|one| one.changes_choices.filter(|_| has_rivals).map(share)),
            stopped: (games.len() as u64) < self.games(),
        }
    }
}

/// Applies a rising function to an estimate.
fn map(estimate: Estimate, f: impl Fn(f64) -> f64) -> Estimate {
    let Estimate { value, interval, blocks } = estimate;
    let interval = motherlode_play::Interval { low: f(interval.low), high: f(interval.high) };
    Estimate { value: f(value), interval, blocks }
}

/// Returns the root mean square effect on a rival's score, divided by the one on the own score.
fn relative_effect(games: &[Vec<ForkedDecision>], seed: u64) -> Option<Estimate> {
    let sums = |of: fn(&ForkedDecision) -> f64| -> Vec<f64> {
        games.iter().map(|decisions| decisions.iter().map(of).sum()).collect()
    };
    let (own, rivals) = (sums(|one| one.own), sums(|one| one.rivals));
    let weighted =
        |values: &[f64], counts: &[f64]| -> f64 { values.iter().zip(counts).map(|(value, count)| value * count).sum() };
    let effect = |counts: &[f64]| {
        let own = weighted(&own, counts);
        (own > 0.0).then(|| (weighted(&rivals, counts).max(0.0) / own).sqrt())
    };
    let blocks = games.iter().filter(|decisions| !decisions.is_empty()).count() as u64;
    let value = effect(&vec![1.0; games.len()])?;
    Some(Estimate { value, interval: bootstrap(games.len(), blocks, seed, effect)?, blocks })
}

/// Observes finished games: forks some of their decisions.
struct StakesObserver {
    game: Game,
    pool: Pool,
    specs: Vec<String>,
    scratch: ScratchPair,
    found: Vec<ForkedDecision>,
}

/// A position before a decision, and a match to play on in.
struct Fork<'m> {
    root: &'m Snapshot,
    own: &'m mut Match,
    seat: u8,
    seed: u64,
}

/// The result of a continuation.
struct Continuation {
    utility: f64,
    /// Scores by seat, in points.
    scores: Vec<f64>,
}

impl StakesObserver {
    fn new(series: &Series) -> Self {
        let game = &series.game.0;
        let (pool, scratch) = (Pool::new(game), ScratchPair::new(game));
        Self { game: game.clone(), pool, specs: Vec::new(), scratch, found: Vec::new() }
    }

    fn begin(&mut self, specs: Vec<String>) {
        self.specs = specs;
        self.found.clear();
    }

    fn observe(&mut self, m: &Match) -> Result<(), MatchError> {
        let [mut again, mut own] = self.scratch.take(m.setup())?;
        let answers = m.answers();
        let seed = mix(m.setup().seed, STAKES);
        let mut due = (0..PER_GAME).map(|part| sampled(answers.len() as u64, part, seed)).peekable();
        let mut root = Snapshot::default();
        for (given, answer) in answers.iter().enumerate() {
            // A forced answer is no decision: the next one takes its place.
            if due.peek().is_some_and(|due| *due <= given as u64) && again.choices().len() > 1 {
                due.next();
                again.snapshot_into(&mut root);
                let choices = again.choices().len();
                let fork = Fork { root: &root, own: &mut own, seat: answer.seat, seed: mix(seed, given as u64) };
                let found = self.fork(fork, choices, usize::from(answer.index));
                self.found.extend(found);
            }
            again.answer_as(answer.seat, usize::from(answer.index))?;
        }
        self.scratch.keep([again, own]);
        Ok(())
    }

    /// Forks a decision; `None` if too many continuations fail.
    fn fork(&mut self, mut fork: Fork<'_>, choices: usize, taken: usize) -> Option<ForkedDecision> {
        let mut candidates: Vec<(usize, f64, f64)> =
            spread(choices, taken).into_iter().map(|choice| (choice, 0.0, 0.0)).collect();
        for number in 0..SELECTING {
            for (choice, utility, score) in &mut candidates {
                let end = self.play_on(&mut fork, *choice, number)?;
                *utility += end.utility;
                *score += end.scores.get(usize::from(fork.seat)).copied().unwrap_or_default();
            }
        }
        let is_least = self.game.declarations().outcome.least_score();
        let sign = if is_least { -1.0 } else { 1.0 };
        candidates.sort_by(|one, two| two.1.total_cmp(&one.1).then((sign * two.2).total_cmp(&(sign * one.2))));
        let [(best, ..), (second, ..), ..] = candidates.as_slice() else { return None };
        let mut pairs = Vec::new();
        for number in SELECTING..SELECTING + COMPARING {
            pairs.push((self.play_on(&mut fork, *best, number)?, self.play_on(&mut fork, *second, number)?));
        }
        let next = [*best, *second].map(|choice| self.next_choices(&mut fork, choice));
        let changes_choices = match next {
            [Some(one), Some(other)] => Some(one != other),
            _ => None,
        };
        Some(ForkedDecision { changes_choices, ..compare(&pairs, usize::from(fork.seat)) })
    }

    /// Redeals, takes a choice and reseeds the bots of all seats.
    fn set_out(&mut self, fork: &mut Fork<'_>, choice: usize, number: u64) -> Option<Vec<TimedBot>> {
        let seed = mix(fork.seed, number);
        fork.own.restore(fork.root).ok()?;
        fork.own.redeal(fork.seat, &mut Pcg64Mcg::seed_from_u64(seed)).ok()?;
        fork.own.answer_as(fork.seat, choice).ok()?;
        // The specs were checked before.
        let mut bots = self.pool.take(self.specs.iter().map(String::as_str)).ok()?;
        for (bot, number) in bots.iter_mut().zip(1..) {
            bot.reseed(mix(seed, number));
        }
        Some(bots)
    }

    /// Plays a choice to the end.
    fn play_on(&mut self, fork: &mut Fork<'_>, choice: usize, number: u64) -> Option<Continuation> {
        let mut bots = self.set_out(fork, choice, number)?;
        let played = play_out(fork.own, &mut bots, &mut (), &mut 0);
        self.pool.give(bots);
        played.ok()?;
        let outcome = fork.own.outcome()?;
        let unit = f64::from(outcome.unit.max(1));
        let utility = utility_in_points(&self.game.declarations().outcome, &outcome, fork.seat);
        Some(Continuation { utility, scores: outcome.scores.iter().map(|score| f64::from(*score) / unit).collect() })
    }

    /// Returns the next decision of another seat after a choice: its seat, its question and its choices.
    fn next_choices(&mut self, fork: &mut Fork<'_>, choice: usize) -> Option<(u8, usize, Vec<i32>)> {
        let mut bots = self.set_out(fork, choice, SELECTING + COMPARING)?;
        let mut found = None;
        while let Some(decision) = fork.own.decision() {
            if decision.seat != fork.seat {
                found = Some((decision.seat, decision.prompt_index(), fork.own.choices().to_vec()));
                break;
            }
            let Some(Ok(own)) = bots.get_mut(usize::from(decision.seat)).map(|bot| bot.choose(fork.own, decision))
            else {
                break;
            };
            if fork.own.answer_as(decision.seat, own).is_err() {
                break;
            }
        }
        self.pool.give(bots);
        found
    }
}

impl Watch for StakesObserver {
    fn ended(&mut self, m: &Match) {
        if self.observe(m).is_err() {
            self.found.clear();
        }
    }
}

/// Returns the number of the answer to fork in one part of a game.
fn sampled(answers: u64, part: u64, seed: u64) -> u64 {
    let (begin, end) = (part * answers / PER_GAME, (part + 1) * answers / PER_GAME);
    begin + mix(seed, part) % (end - begin).max(1)
}

/// Returns up to `CHOICES` choices: the taken one, and others spread evenly over the list.
fn spread(choices: usize, taken: usize) -> Vec<usize> {
    let others: Vec<usize> = (0..choices).filter(|choice| *choice != taken).collect();
    let kept = others.len().min(CHOICES - 1);
    let mut all: Vec<usize> = (0..kept).map(|number| others[number * others.len() / kept]).collect();
    all.push(taken);
    all
}

/// Compares continuations of two choices, pair by pair.
fn compare(pairs: &[(Continuation, Continuation)], seat: usize) -> ForkedDecision {
    let gaps: Vec<f64> = pairs.iter().map(|(best, second)| best.utility - second.utility).collect();
    let difference = |(best, second): &(Continuation, Continuation), seat: usize| {
        best.scores.get(seat).zip(second.scores.get(seat)).map_or(0.0, |(best, second)| best - second)
    };
    // Every other pair: two independent halves.
    let half = |first: usize, seat: usize| {
        let values: Vec<f64> = pairs.iter().skip(first).step_by(2).map(|pair| difference(pair, seat)).collect();
        mean(&values)
    };
    let product = |seat: usize| half(0, seat) * half(1, seat);
    let seats = pairs.first().map_or(0, |(best, _)| best.scores.len());
    let rivals: Vec<f64> = (0..seats).filter(|other| *other != seat).map(product).collect();
    let points: Vec<f64> = pairs.iter().map(|pair| difference(pair, seat)).collect();
    let (gap, count) = (mean(&gaps), gaps.len().max(2));
    let squares: f64 = gaps.iter().map(|own| (own - gap) * (own - gap)).sum();
    #[expect(clippy::cast_precision_loss, reason = "a dozen pairs")]
    let error = (squares / (count - 1) as f64 / count as f64).sqrt();
    ForkedDecision {
        gap,
        points: mean(&points),
        is_significant: gap > 0.0 && gap > T * error,
        own: product(seat),
        rivals: mean(&rivals),
        changes_choices: None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few values")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Stall, load};

    fn stakes(game: &Game, decisions: u64, threads: usize) -> StakesReport {
        let setup = game.setup(None, &[], 1).unwrap();
        let bots = vec!["random".to_owned()];
        let series = Series { threads, ..Series::new((game.clone(), setup), bots, 1) };
        Stakes { series, decisions }.run(|_| true).unwrap()
    }

    /// Each player takes `own` or nothing; with `taken`, the others lose as much.
    fn tolls(own: i32, taken: bool) -> Game {
        let content = [
            (
                "game",
                "name = \"Tolls\"\nversion = \"1.0.0\"\nrounds = 3\nplayers = { min = 2, max = 2, default = 2 }\nseats = [{ name = \"One\" }, { name = \"Two\" }]\n\
                 [counters.points]\nper = \"player\"\nmin = -100\n[outcome]\nscore = \"points\"\n",
            ),
            ("phases", "[work]\nturns = \"once\"\nprompt = \"job\"\n"),
            ("prompts", "[job]\ntext = \"Which?\"\nlabels = { rest = \"Rest\", dig = \"Dig\" }\n"),
        ];
        let rob = if taken { format!("gain(3 - player, \"points\", -{own})") } else { String::new() };
        let phases = format!(
            "return {{ work = {{ offer = function() choice(\"rest\") choice(\"dig\") end, act = function(player, job)\n\
             if job == \"dig\" then gain(player, \"points\", {own}) {rob} end end }} }}"
        );
        load("tolls", &content, &[("phases", &phases)])
    }

    #[test]
    fn effects_on_others_are_measured_against_those_on_the_own_score() {
        let alone = stakes(&tolls(2, false), 24, 1);
        assert_eq!(alone.decisions, 24);
        let close = |estimate: Option<Estimate>, value: f64| (estimate.unwrap().value - value).abs() < 1e-9;
        assert!(close(alone.points, 2.0) && close(alone.on_scores, 0.0) && close(alone.on_choices, 0.0), "{alone:?}");
        let robbing = stakes(&tolls(2, true), 24, 1);
        assert!(close(robbing.points, 2.0) && close(robbing.on_scores, 1.0), "{robbing:?}");
        let none = stakes(&tolls(0, false), 24, 1);
        assert!(close(none.gap, 0.0) && close(none.matters, 0.0) && none.on_scores.is_none(), "{none:?}");
        // In a game of three rounds with two players, two points of a single choice often decide.
        assert!(alone.gap.unwrap().value > 0.1 && alone.matters.unwrap().value > 0.2, "{alone:?}");
    }

    #[test]
    fn a_display_lets_a_choice_change_the_choices_of_others() {
        let game = Stall { ruby: 9, ..Stall::default() }.load();
        let found = stakes(&game, 16, 2);
        assert!(found.on_choices.unwrap().value > 0.9, "{found:?}");
        assert_eq!(found, stakes(&game, 16, 1), "results depend on threads");
    }

    #[test]
    fn choices_without_effect_have_no_gap() {
        let gaps = |of: fn(usize) -> f64| -> Vec<(Continuation, Continuation)> {
            let end = |utility: f64| Continuation { utility, scores: vec![utility, 0.0] };
            (0..12).map(|number| (end(of(number)), end(0.0))).collect()
        };
        assert!(!compare(&gaps(|number| if number % 2 == 0 { 1.0 } else { -1.0 }), 0).is_significant);
        let steady = compare(&gaps(|_| 0.5), 0);
        assert!(steady.is_significant && steady.gap == 0.5 && steady.own == 0.25 && steady.rivals == 0.0);
    }

    #[test]
    fn tried_choices_are_different() {
        for (choices, taken) in [(2, 0), (6, 5), (7, 3), (90, 89)] {
            let mut tried = spread(choices, taken);
            assert!(tried.contains(&taken) && tried.len() == choices.min(CHOICES));
            tried.sort_unstable();
            tried.dedup();
            assert_eq!(tried.len(), choices.min(CHOICES));
        }
    }
}
