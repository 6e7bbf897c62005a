//! Forks: play one position to the end with an item and with the best other choice.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use motherlode::declare::OutcomeDecl;
use motherlode::{Decision, Match, MatchError, Snapshot};
use motherlode_play::{Failures, Interval, Watch, mix, play_out, scratch_match, utility_in_points};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::item::Item;
use crate::series::{Pool, Series};

/// Maximum number of other choices that are tried if the bot took the item itself.
const OTHERS: usize = 4;

/// Derives the seeds of forks from the seed of the game.
const FORK: u64 = 0x666f_726b;

/// Totals of one item over all forks of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[u64; 4]", into = "[u64; 4]")]
pub struct ForkTotals {
    /// Number of forks.
    pub forks: f64,
    /// Total utility gained by the item over the other choice: win share, score or margin, in points.
    pub utility: f64,
    /// Total score gained by the item over the other choice.
    pub score: f64,
    /// Number of forks in which the item was better; ties count as half.
    pub better: f64,
}

impl ForkTotals {
    /// Returns all fields, in their order in files.
    fn parts(&mut self) -> [&mut f64; 4] {
        let Self { forks, utility, score, better } = self;
        [forks, utility, score, better]
    }

    /// Whether totals from an untrusted shard are possible for a game with these differences of utilities.
    pub(crate) fn is_possible(&self, differences: Interval) -> bool {
        let Self { forks, utility, score, better } = *self;
        (0.0..=f64::from(u32::MAX)).contains(&forks)
            && utility.abs() <= forks * differences.high
            && score.abs() <= forks * f64::from(u32::MAX)
            && (0.0..=forks).contains(&better)
    }
}

/// Written as bits: decimal digits do not guarantee the same number when read again.
impl From<ForkTotals> for [u64; 4] {
    fn from(mut totals: ForkTotals) -> Self {
        totals.parts().map(|part| part.to_bits())
    }
}

impl From<[u64; 4]> for ForkTotals {
    fn from(bits: [u64; 4]) -> Self {
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

/// Forks games where items are offered. Both arms are played to the end with the same bots, seeds and chance.
///
/// If the bot chose something else, its choice is the other arm. If it took the item, up to four other choices
/// are tried with one playout each, and the best is the other arm. These tries use a redealt position and other
/// chance: with the cards and the chance of the game itself, the best try would be the one that foresees them.
pub struct Forker {
    /// By item: probability of a fork where it is offered, in units of 2^-32.
    chances: BTreeMap<Item, u32>,
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

impl Forker {
    /// Creates a forker for the games of a series, with a probability for each item. It stops forking once the
    /// series is halted.
    #[must_use]
    pub fn new(series: &Series, chances: BTreeMap<Item, u32>) -> Self {
        let game = &series.game.0;
        Self {
            chances,
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

    fn fork(&mut self, m: &Match, decision: Decision, items: &[Option<Item>], item: Item, taken: usize) {
        let Some(own) = items.iter().position(|other| *other == Some(item)) else { return };
        let declared = &m.game().declarations().outcome;
        let mut kept = self.scratch.take();
        let Ok(scratch) = scratch_match(&mut kept, m) else { return };
        let seed = mix(mix(m.setup().seed, FORK), self.decisions);
        let root = m.snapshot();
        let mut arm = |forker: &mut Self, choice: usize, seed: u64, redeal: bool| {
            forker.arm(scratch, &root, (decision.seat, choice), seed, redeal)
        };
        let other = if items.get(taken).copied().flatten() == Some(item) {
            let others: Vec<usize> = (0..items.len()).filter(|choice| items[*choice] != Some(item)).collect();
            // Tries are spread evenly over the list, from an offset that depends on the seed.
            let step = others.len().div_ceil(OTHERS).max(1);
            let first = usize::try_from(seed % step as u64).unwrap_or(0);
            let tried = others.into_iter().skip(first).step_by(step);
            let tried: Vec<(usize, (f64, f64))> =
                tried.filter_map(|choice| Some((choice, arm(self, choice, mix(seed, 1), true).ok()?))).collect();
            tried.into_iter().max_by(|one, two| compare(declared, one.1, two.1)).map(|(choice, _)| choice)
        } else {
            Some(taken)
        };
        let mut last = |choice: usize| arm(self, choice, mix(seed, 2), false);
        let arms = other.map(|other| Ok::<_, String>((last(own)?, last(other)?)));
        self.scratch = kept;
        match arms {
            Some(Ok((own, other))) => {
                let totals = self.found.entry(item).or_default();
                totals.forks += 1.0;
                totals.utility += own.0 - other.0;
                totals.score += own.1 - other.1;
                let more = compare(declared, own, other);
                totals.better += match more {
                    Ordering::Less => 0.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 1.0,
                };
            }
            Some(Err(reason)) => self.failed.add(&reason, m.setup().seed),
            None => {}
        }
    }

    /// Returns utility and score of a seat, in points, if it makes this choice and all bots play on. `redeal` first
    /// redeals what the seat cannot know.
    ///
    /// # Errors
    /// The game fails, or no redeal is possible.
    fn arm(
        &mut self,
        own: &mut Match,
        root: &Snapshot,
        (seat, choice): (u8, usize),
        seed: u64,
        redeal: bool,
    ) -> Result<(f64, f64), String> {
        let text = |error: MatchError| error.to_string();
        own.restore(root).map_err(text)?;
        if redeal {
            own.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)).map_err(text)?;
        }
        own.answer_as(seat, choice).map_err(text)?;
        // The specs were checked before.
        let mut bots = self.pool.take(self.specs.iter().map(String::as_str)).map_err(|error| error.to_string())?;
        for (bot, number) in bots.iter_mut().zip(1..) {
            motherlode_play::Bot::reseed(bot, mix(seed, number));
        }
        let played = play_out(own, &mut bots, &mut (), &mut 0);
        self.pool.give(bots);
        played?;
        let outcome = own.outcome().ok_or("the match is over but has no outcome")?;
        let score = outcome.scores.get(usize::from(seat)).copied().unwrap_or_default();
        let utility = utility_in_points(&own.game().declarations().outcome, &outcome, seat);
        Ok((utility, f64::from(score) / f64::from(outcome.unit.max(1))))
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
        let items = Item::of_choices(m, decision);
        let mut offered: Vec<Item> = items.iter().copied().flatten().collect();
        offered.sort_unstable();
        offered.dedup();
        if offered.len() < 2 {
            return;
        }
        let drawn = mix(mix(m.setup().seed, FORK), !self.decisions);
        for (item, number) in offered.into_iter().zip(0u64..) {
            let chance = self.chances.get(&item).copied().unwrap_or_default();
            self.is_cut |= self.halt.is_some_and(|halt| halt.load(Relaxed));
            if self.is_cut {
                return;
            }
            // The upper 32 bits are uniform.
            if (mix(drawn, number) >> 32) < u64::from(chance) {
                self.fork(m, decision, &items, item, choice);
            }
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
        let series = Series {
            game: (game.clone(), setup),
            others: Vec::new(),
            bots: vec!["first".into()],
            seed: 1,
            threads: 1,
            halt: None,
        };
        let mut all = ForkTotals::default();
        series
            .each(
                0..60,
                || Forker::new(&series, [(sure, u32::MAX)].into()),
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
