//! What a pick is worth: the same position played on with it and with the best other one.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

use motherlode::{Decision, Match, MatchError, Outcome, Snapshot};
use motherlode_play::{Failures, Watch, first_place, mix, own_match, play_out};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use crate::item::Item;
use crate::series::{Pool, Series};

/// Most other choices that are tried where the bot itself took the item.
const OTHERS: usize = 4;

/// The number that mixes the seeds of forks from that of the game.
const FORK: u64 = 0x666f_726b;

/// What one item was worth in a game, over all its forks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "[u64; 4]", into = "[u64; 4]")]
pub struct Worth {
    /// Number of forks.
    pub forks: f64,
    /// What it won more of first places.
    pub share: f64,
    /// What it scored more.
    pub score: f64,
    /// Forks in which it was better than the best other; equally good ones count half.
    pub better: f64,
}

impl Worth {
    /// All of it, in the order in which it is kept.
    fn parts(&mut self) -> [&mut f64; 4] {
        let Self { forks, share, score, better } = self;
        [forks, share, score, better]
    }

    /// Whether what somebody else has written can be of a game.
    pub(crate) fn is_possible(&self) -> bool {
        let Self { forks, share, score, better } = *self;
        (0.0..=f64::from(u32::MAX)).contains(&forks)
            && share.abs() <= forks
            && score.abs() <= forks * f64::from(u32::MAX)
            && (0.0..=forks).contains(&better)
    }
}

/// As bits: what is read again must be the same number, which decimal digits do not promise.
impl From<Worth> for [u64; 4] {
    fn from(mut worth: Worth) -> Self {
        worth.parts().map(|part| part.to_bits())
    }
}

impl From<[u64; 4]> for Worth {
    fn from(bits: [u64; 4]) -> Self {
        let mut worth = Self::default();
        worth.parts().into_iter().zip(bits).for_each(|(part, bits)| *part = f64::from_bits(bits));
        worth
    }
}

impl AddAssign for Worth {
    fn add_assign(&mut self, mut more: Self) {
        self.parts().into_iter().zip(more.parts()).for_each(|(part, more)| *part += *more);
    }
}

/// Forks a game where items are offered, and plays both arms to the end with the same bots, seeds and chance.
///
/// The other arm is the bot's own choice where it chose otherwise. Where it took the item, up to four other choices are tried
/// in a playout each, and the best of them is the other arm. The tries play on one deal of what the seat cannot know, with a chance of its
/// own: whoever chose by the cards and the chance of the game itself would foresee them.
pub struct Forker {
    /// How likely each item is forked where it is offered, in 2^-32.
    chances: BTreeMap<Item, u32>,
    halt: Option<&'static AtomicBool>,
    specs: Vec<String>,
    pool: Pool,
    scratch: Option<Match>,
    decisions: u64,
    /// What was found in the game.
    pub found: BTreeMap<Item, Worth>,
    /// Forks that failed, with the seeds of their games.
    pub failed: Failures,
    /// Whether forks of the game are missing, since the series was halted.
    pub is_cut: bool,
}

impl Forker {
    /// Forks the games of a series, each item as likely as this. Once it is halted, nothing is forked any more.
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

    /// Forgets the game before; these bots play the next one, by seat.
    pub fn begin(&mut self, specs: Vec<String>) {
        self.specs = specs;
        self.decisions = 0;
        self.is_cut = false;
        self.found.clear();
    }

    fn fork(&mut self, m: &Match, decision: Decision, items: &[Option<Item>], item: Item, taken: usize) {
        let Some(own) = items.iter().position(|other| *other == Some(item)) else { return };
        let mut kept = self.scratch.take();
        let Ok(scratch) = own_match(&mut kept, m) else { return };
        let seed = mix(mix(m.setup().seed, FORK), self.decisions);
        let root = m.snapshot();
        let mut arm = |forker: &mut Self, choice: usize, seed: u64, redeal: bool| {
            forker.arm(scratch, &root, (decision.seat, choice), seed, redeal)
        };
        let other = if items.get(taken).copied().flatten() == Some(item) {
            let others: Vec<usize> = (0..items.len()).filter(|choice| items[*choice] != Some(item)).collect();
            // As many as are tried, spread over the list and begun at a place that the seed names.
            let step = others.len().div_ceil(OTHERS).max(1);
            let first = usize::try_from(seed % step as u64).unwrap_or(0);
            let tried = others.into_iter().skip(first).step_by(step);
            let tried: Vec<(usize, (f64, f64))> =
                tried.filter_map(|choice| Some((choice, arm(self, choice, mix(seed, 1), true).ok()?))).collect();
            tried
                .into_iter()
                .max_by(|one, two| one.1.0.total_cmp(&two.1.0).then(one.1.1.total_cmp(&two.1.1)))
                .map(|(choice, _)| choice)
        } else {
            Some(taken)
        };
        let mut last = |choice: usize| arm(self, choice, mix(seed, 2), false);
        let arms = other.map(|other| Ok::<_, String>((last(own)?, last(other)?)));
        self.scratch = kept;
        match arms {
            Some(Ok(((share, score), (other, other_score)))) => {
                let worth = self.found.entry(item).or_default();
                worth.forks += 1.0;
                worth.share += share - other;
                worth.score += score - other_score;
                let more = share.total_cmp(&other).then(score.total_cmp(&other_score));
                worth.better += match more {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 1.0,
                };
            }
            Some(Err(reason)) => self.failed.add(&reason, m.setup().seed),
            None => {}
        }
    }

    /// Part of the first places and score of a seat, if it chooses this and all play on; or why the game fails. On request what the
    /// seat cannot know is dealt again before it chooses; that fails where no deal is possible.
    fn arm(
        &mut self,
        own: &mut Match,
        root: &Snapshot,
        (seat, choice): (u8, usize),
        seed: u64,
        redeal: bool,
    ) -> Result<(f64, f64), String> {
        let told = |error: MatchError| error.to_string();
        own.restore(root).map_err(told)?;
        if redeal {
            own.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)).map_err(told)?;
        }
        own.answer_as(seat, choice).map_err(told)?;
        // The specs have been checked.
        let mut bots = self.pool.take(self.specs.iter().map(String::as_str)).map_err(|error| error.to_string())?;
        for (bot, number) in bots.iter_mut().zip(1..) {
            motherlode_play::Bot::reseed(bot, mix(seed, number));
        }
        let played = play_out(own, &mut bots, &mut (), &mut 0);
        self.pool.give(bots);
        played?;
        let outcome = own.outcome().ok_or("the match is over but has no outcome")?;
        Ok(worth(&outcome, seat))
    }
}

fn worth(outcome: &Outcome, seat: u8) -> (f64, f64) {
    let seat = usize::from(seat);
    let score = f64::from(outcome.scores.get(seat).copied().unwrap_or_default());
    (first_place(outcome.won, &outcome.ranks, seat), score)
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
            self.is_cut |= self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed));
            if self.is_cut {
                return;
            }
            // The upper half of the bits: as likely as any other number of 32 bits.
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
    fn the_best_other_is_not_chosen_by_the_chance_that_follows() {
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
        let content = [
            ("content/toss/game.toml", game),
            ("content/toss/phases.toml", "[bet]\nturns = \"once\"\nprompt = \"bet\"\n"),
            ("content/toss/prompts.toml", prompts),
            ("scripts/toss/phases.luau", script),
        ];
        let game = load("toss", content);
        let label = |name: &str| game.labels().iter().position(|label| label == name).unwrap();
        let sure = Item::Label(0, label("sure"));
        let setup = game.setup(None, &[], 1).unwrap();
        let series = Series {
            game: (game.clone(), setup),
            other: None,
            bots: vec!["first".into()],
            seed: 1,
            threads: 1,
            halt: None,
        };
        let mut all = Worth::default();
        series
            .each(
                0..60,
                || Forker::new(&series, [(sure, u32::MAX)].into()),
                |forker, specs| forker.begin(specs),
                |forker, _| Some(forker.found.get(&sure).copied().unwrap_or_default()),
                |games| {
                    for worth in games {
                        all.forks += worth.forks;
                        all.score += worth.score;
                    }
                    true
                },
            )
            .unwrap();
        assert!(all.forks > 100.0, "{all:?}");
        // A bet on a side is worth 1 as well. Whoever knows the toss wins one point more in every fork.
        assert!((all.score / all.forks).abs() < 0.4, "{all:?}");
    }
}
