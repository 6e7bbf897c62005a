//! Forks: play one position to the end with an item and with the best other choice.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use motherlode::declare::OutcomeDecl;
use motherlode::{Decision, Match, MatchError, Snapshot};
use motherlode_play::{Bot, Failures, Interval, Watch, mix, play_out, scratch_match, utility_in_points};
use serde::{Deserialize, Serialize};

use crate::item::{Item, ItemFilter};
use crate::series::{Pool, Series, TimedBot};

/// One in this many forks of a taken item has the third arm: effects of doing without an item are large or do not
/// matter.
const KEPT_EVERY: u64 = 3;

/// Derives the seeds of forks from the seed of the game.
const FORK: u64 = 0x666f_726b;

/// Totals of one item over all forks of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[u64; 7]", into = "[u64; 7]")]
pub struct ForkTotals {
    /// Number of forks.
    pub forks: f64,
    /// Total utility gained by the item over the other choice: win share, score or margin, in points.
    pub utility: f64,
    /// Total score gained by the item over the other choice.
    pub score: f64,
    /// Number of forks in which the item was better; ties count as half.
    pub better: f64,
    /// Number of forks in which the bot had taken the item, and that have a third arm.
    pub takes: f64,
    /// Total utility gained in these by the item over doing without it for the rest of the game.
    pub kept_utility: f64,
    /// The same for the score.
    pub kept_score: f64,
}

impl ForkTotals {
    /// Returns all fields, in their order in files.
    fn parts(&mut self) -> [&mut f64; 7] {
        let Self { forks, utility, score, better, takes, kept_utility, kept_score } = self;
        [forks, utility, score, better, takes, kept_utility, kept_score]
    }

    /// Returns the totals of one fork, from utility and score of both arms.
    fn of(declared: &OutcomeDecl, own: (f64, f64), other: (f64, f64)) -> Self {
        let better = match compare(declared, own, other) {
            Ordering::Less => 0.0,
            Ordering::Equal => 0.5,
            Ordering::Greater => 1.0,
        };
        Self { forks: 1.0, utility: own.0 - other.0, score: own.1 - other.1, better, ..Self::default() }
    }

    /// Whether totals from an untrusted shard are possible for a game with these differences of utilities.
    pub(crate) fn is_possible(&self, differences: Interval) -> bool {
        let Self { forks, utility, score, better, takes, kept_utility, kept_score } = *self;
        (0.0..=f64::from(u32::MAX)).contains(&forks)
            && utility.abs() <= forks * differences.high
            && score.abs() <= forks * f64::from(u32::MAX)
            && (0.0..=forks).contains(&better)
            && (0.0..=forks).contains(&takes)
            && kept_utility.abs() <= takes * differences.high
            && kept_score.abs() <= takes * f64::from(u32::MAX)
    }
}

/// Written as bits: decimal digits do not guarantee the same number when read again.
impl From<ForkTotals> for [u64; 7] {
    fn from(mut totals: ForkTotals) -> Self {
        totals.parts().map(|part| part.to_bits())
    }
}

impl From<[u64; 7]> for ForkTotals {
    fn from(bits: [u64; 7]) -> Self {
        let mut totals = Self::default();
        totals.parts().into_iter().zip(bits).for_each(|(part, bits)| *part = f64::from_bits(bits));
        totals
    }
}

impl AddAssign for ForkTotals {
    fn add_assign(&mut self, mut more: Self) {
        self.parts().into_iter().zip(more.parts()).for_each(|(part, more)| *part += *more);
    }
}

/// Forks games where items are offered. An **arm** is the rest of the game after one choice; all arms of a decision
/// have the same bots, seeds and chance.
///
/// A fork compares the arm of the item with the arm of the best other choice: the choice of the bot, or, if the bot
/// took the item, its choice among the others. The bot knows only what its seat knows, so it does not foresee
/// chance. All forks of a decision share their arms: items are drawn together, and most of them need one arm more.
///
/// If the bot took the item, in one of three such forks a third arm makes the same other choice, and the seat does without the item for the
/// rest of the game. An item that is offered again and again hardly matters in one decision, but may matter as a
/// whole.
pub struct Forker {
    forks: ForkPlan,
    halt: Option<&'static AtomicBool>,
    specs: Vec<String>,
    pool: Pool,
    scratch: Option<Match>,
    decisions: u64,
    /// Totals by item.
    pub found: BTreeMap<Item, ForkTotals>,
    /// Failed forks, with the seeds of their games.
    pub failed: Failures,
    /// Whether the series was halted, so that forks of the game are missing.
    pub is_cut: bool,
}

/// Which decisions to fork, and who plays on.
#[derive(Debug, Clone, Default)]
pub struct ForkPlan {
    /// By item: probability of a fork where it is offered, in units of 2^-32.
    pub chances: BTreeMap<Item, u32>,
    /// The items to fork.
    pub items: ItemFilter,
    /// The bot that plays all seats after the fork; `None`: the bots of the series.
    pub after: Option<String>,
}

/// The arms of a decision: utility and score of the deciding seat by choice, in points.
struct Arms<'m> {
    scratch: &'m mut Match,
    root: Snapshot,
    seat: u8,
    seed: u64,
    /// By choice, and the item that the seat does without.
    played: BTreeMap<(usize, Option<Item>), (f64, f64)>,
}

impl Forker {
    /// Creates a forker for the games of a series. It stops forking once the series is halted.
    #[must_use]
    pub fn new(series: &Series, forks: ForkPlan) -> Self {
        let game = &series.game.0;
        Self {
            forks,
            halt: series.halt,
            specs: Vec::new(),
            pool: Pool::new(game),
            scratch: None,
            decisions: 0,
            found: BTreeMap::new(),
            failed: Failures::default(),
            is_cut: false,
        }
    }

    /// Resets for the next game, with the bot specs of its seats.
    pub fn begin(&mut self, specs: Vec<String>) {
        self.specs = specs;
        self.decisions = 0;
        self.is_cut = false;
        self.found.clear();
    }

    /// Forks a decision for each of the drawn items. `taken` is the choice of the bot.
    fn fork(&mut self, m: &Match, decision: Decision, items: &[Option<Item>], drawn: &[Item], taken: usize) {
        let declared = &m.game().declarations().outcome;
        let mut kept = self.scratch.take();
        let Ok(scratch) = scratch_match(&mut kept, m) else { return };
        let seed = mix(mix(m.setup().seed, FORK), self.decisions);
        let mut arms =
            Arms { scratch, root: m.snapshot(), seat: decision.seat, seed: mix(seed, 2), played: BTreeMap::new() };
        for item in drawn {
            self.is_cut |= self.halt.is_some_and(|halt| halt.load(Relaxed));
            if self.is_cut {
                break;
            }
            let (of_item, others): (Vec<usize>, Vec<usize>) =
                (0..items.len()).partition(|choice| items[*choice] == Some(*item));
            let is_taken = of_item.contains(&taken);
            if of_item.is_empty() || others.is_empty() {
                continue;
            }
            let among = if is_taken { &others } else { &of_item };
            let results = self.choose_among(m, decision, among, mix(seed, 1)).and_then(|choice| {
                let (own, other) = if is_taken { (taken, choice) } else { (choice, taken) };
                let is_kept = is_taken && mix(seed, 3).is_multiple_of(KEPT_EVERY);
                let without = if is_kept { Some(self.arm(&mut arms, other, Some(*item))?) } else { None };
                Ok((self.arm(&mut arms, own, None)?, self.arm(&mut arms, other, None)?, without))
            });
            match results {
                Ok((own, other, without)) => {
                    let totals = self.found.entry(*item).or_default();
                    *totals += ForkTotals::of(declared, own, other);
                    if let Some(without) = without {
                        totals.takes += 1.0;
                        totals.kept_utility += own.0 - without.0;
                        totals.kept_score += own.1 - without.1;
                    }
                }
                Err(reason) => self.failed.add(&reason, m.setup().seed),
            }
        }
        self.scratch = kept;
    }

    /// Returns the choice of the deciding seat's bot among some choices.
    ///
    /// # Errors
    /// The bot fails.
    fn choose_among(&mut self, m: &Match, d: Decision, among: &[usize], seed: u64) -> Result<usize, String> {
        if let [only] = among {
            return Ok(*only);
        }
        let spec = self.specs.get(usize::from(d.seat)).ok_or("the seat has no bot")?;
        // The specs were checked before.
        let mut bots = self.pool.take([spec.as_str()]).map_err(|error| error.to_string())?;
        let chosen = bots.first_mut().map_or(Ok(0), |bot| {
            bot.reseed(seed);
            bot.choose_among(m, d, among).map_err(|error| error.to_string())
        });
        self.pool.give(bots);
        chosen
    }

    /// Returns utility and score of the seat, in points, if it makes this choice and all bots play on, the seat
    /// without an item.
    ///
    /// # Errors
    /// The game fails.
    fn arm(&mut self, arms: &mut Arms<'_>, choice: usize, without: Option<Item>) -> Result<(f64, f64), String> {
        if let Some(played) = arms.played.get(&(choice, without)) {
            return Ok(*played);
        }
        let text = |error: MatchError| error.to_string();
        let (own, seat) = (&mut *arms.scratch, arms.seat);
        own.restore(&arms.root).map_err(text)?;
        own.answer_as(seat, choice).map_err(text)?;
        let specs = self.specs.iter().map(|spec| self.forks.after.as_ref().unwrap_or(spec).as_str());
        // The specs were checked before.
        let bots = self.pool.take(specs).map_err(|error| error.to_string())?;
        let mut bots: Vec<AbstainingBot> = bots.into_iter().map(|bot| AbstainingBot { bot, without: None }).collect();
        for (bot, number) in bots.iter_mut().zip(1..) {
            bot.reseed(mix(arms.seed, number));
        }
        if let Some(bot) = bots.get_mut(usize::from(seat)) {
            bot.without = without.map(|item| (item, self.forks.items.clone()));
        }
        let played = play_out(own, &mut bots, &mut (), &mut 0);
        self.pool.give(bots.into_iter().map(|bot| bot.bot).collect());
        played?;
        let outcome = own.outcome().ok_or("the match is over but has no outcome")?;
        let score = outcome.scores.get(usize::from(seat)).copied().unwrap_or_default();
        let utility = utility_in_points(&own.game().declarations().outcome, &outcome, seat);
        let result = (utility, f64::from(score) / f64::from(outcome.unit.max(1)));
        arms.played.insert((choice, without), result);
        Ok(result)
    }
}

/// A bot that does without an item, unless nothing else is left.
struct AbstainingBot {
    bot: TimedBot,
    without: Option<(Item, ItemFilter)>,
}

impl Bot for AbstainingBot {
    fn name(&self) -> &str {
        self.bot.name()
    }

    fn choose(&mut self, m: &Match, d: Decision) -> Result<usize, MatchError> {
        let Some((item, filter)) = &self.without else { return self.bot.choose(m, d) };
        let items = filter.of_choices(m, d);
        let left: Vec<usize> = (0..items.len()).filter(|choice| items[*choice] != Some(*item)).collect();
        if left.is_empty() || left.len() == items.len() {
            return self.bot.choose(m, d);
        }
        self.bot.choose_among(m, d, &left)
    }

    fn reseed(&mut self, seed: u64) {
        self.bot.reseed(seed);
    }
}

/// Orders two results by utility, then by score.
fn compare(declared: &OutcomeDecl, one: (f64, f64), two: (f64, f64)) -> Ordering {
    let by_score = one.1.total_cmp(&two.1);
    one.0.total_cmp(&two.0).then(if declared.least_score() { by_score.reverse() } else { by_score })
}

impl Watch for Forker {
    fn chosen(&mut self, m: &Match, decision: Decision, choice: usize) {
        self.decisions += 1;
        let items = self.forks.items.of_choices(m, decision);
        if items.len() < 2 {
            return;
        }
        // The upper 32 bits are uniform. All items have the same draw, so that their forks share arms.
        let draw = mix(mix(m.setup().seed, FORK), !self.decisions) >> 32;
        let chance = |item: &Item| u64::from(self.forks.chances.get(item).copied().unwrap_or_default());
        let mut drawn: Vec<Item> = items.iter().copied().flatten().filter(|item| draw < chance(item)).collect();
        drawn.sort_unstable();
        drawn.dedup();
        if !drawn.is_empty() {
            self.fork(m, decision, &items, &drawn, choice);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::load;
    use crate::series::Series;

    #[test]
    fn the_best_other_choice_does_not_foresee_chance() {
        let game = r#"
            name = "Toss"
            version = "1.0.0"
            players = { min = 2, max = 2, default = 2 }
            rounds = 1
            seats = [{ name = "One" }, { name = "Two" }]
            [counters.points]
            per = "player"
            [outcome]
            score = "points"
        "#;
        let prompts = r#"
            [bet]
            text = "What do you bet on?"
            labels = { sure = "Neither", heads = "Heads", tails = "Tails" }
        "#;
        let script = r#"return {
            bet = {
                offer = function(player) choice("sure") choice("heads") choice("tails") end,
                act = function(player, bet)
                    local side = if random(2) == 1 then "heads" else "tails"
                    if bet == "sure" then
                        gain(player, "points", 1)
                    elseif bet == side then
                        gain(player, "points", 2)
                    end
                end,
            },
        }"#;
        let content = [("game", game), ("phases", "[bet]\nturns = \"once\"\nprompt = \"bet\"\n"), ("prompts", prompts)];
        let game = load("toss", &content, &[("phases", script)]);
        let label = |name: &str| game.labels().iter().position(|label| label == name).unwrap();
        let sure = Item::Label(0, label("sure"));
        let setup = game.setup(None, &[], 1).unwrap();
        let series = Series::new((game.clone(), setup), vec!["first".into()], 1);
        let mut all = ForkTotals::default();
        series
            .each(
                0..60,
                || Forker::new(&series, ForkPlan { chances: [(sure, u32::MAX)].into(), ..ForkPlan::default() }),
                |forker, specs| forker.begin(specs),
                |forker, _| Some(forker.found.get(&sure).copied().unwrap_or_default()),
                |games| {
                    for totals in games {
                        all.forks += totals.forks;
                        all.score += totals.score;
                    }
                    true
                },
            )
            .unwrap();
        assert!(all.forks > 100.0, "{all:?}");
        // A bet on a side has expected value 1, too. A choice that foresees the toss would gain a point in every
        // fork.
        assert!((all.score / all.forks).abs() < 0.4, "{all:?}");
    }
}
