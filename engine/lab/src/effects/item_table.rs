//! Data of all blocks, by item.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::Game;
use motherlode::declare::OutcomeDecl;
use motherlode_play::{Interval, mix};

use super::dominance::declared_pairs;
use super::flags::{Effect, EffectMeasure, Evidence, Moments};
use super::report::{Flag, ItemReport, discover};
use super::{FirstPass, ForkPass};
use crate::fork::ForkTotals;
use crate::item::{Item, ItemFilter, MILLION, OfferCount};
use crate::objective::{Objective, difference_bounds};
use crate::ratio::{Estimate, Ratio, SHARE_BOUNDS, discoveries};

/// Minimum number of blocks for a score effect without variance.
const ALIKE: u64 = 16;

/// Data of one item in all blocks.
#[derive(Debug, Clone, Default)]
struct ItemRatios {
    taken: Ratio,
    /// Utility and score of seats that were dealt it, and of the others at the table.
    with: [Ratio; 2],
    without: [Ratio; 2],
    pick: Ratio,
    points: Ratio,
    better: Ratio,
    /// Gain over doing without it, in utility and in score.
    kept: [Ratio; 2],
    /// Expected number of takes if all choices were equally likely.
    even: f64,
}

impl ItemRatios {
    /// Blocks without the item have no data.
    fn fill(&mut self, first_pass: usize, fork_pass: usize) {
        let Self { taken, with, without, pick, points, better, kept, even: _ } = self;
        let dealt = with.iter_mut().chain(without);
        dealt.chain([taken]).for_each(|ratio| ratio.fill(first_pass));
        [pick, points, better].into_iter().chain(kept).for_each(|ratio| ratio.fill(fork_pass));
    }
}

/// Data of all items.
#[derive(Debug)]
pub struct ItemTable {
    all: BTreeMap<Item, ItemRatios>,
    /// Number of blocks in the first and the second pass.
    blocks: [usize; 2],
    declared: OutcomeDecl,
    /// Steps in a point of the score.
    unit: i32,
    filter: ItemFilter,
    utilities: Moments,
    scores: Moments,
}

impl ItemTable {
    pub fn new(game: &Game, filter: ItemFilter) -> Self {
        let d = game.declarations();
        let unit = d.counters.get_index(d.outcome.score).map_or(0, |(_, score)| score.unit);
        Self {
            all: BTreeMap::new(),
            blocks: [0, 0],
            declared: d.outcome.clone(),
            unit,
            filter,
            utilities: Moments::default(),
            scores: Moments::default(),
        }
    }

    /// Returns the smallest gain of a must-have.
    pub fn must_have_gain(&self) -> f64 {
        self.utilities.must_have_gain(Objective::of(&self.declared).is_share())
    }

    /// Returns the smallest gain of a must-have in points.
    pub fn must_have_points(&self) -> f64 {
        self.scores.must_have_gain(false)
    }

    fn of(&mut self, item: Item) -> &mut ItemRatios {
        self.all.entry(item).or_default()
    }

    pub fn add_first_pass(&mut self, games: &[FirstPass]) {
        let whole = || games.iter().filter(|game| game.seated_game.row.aborted.is_none());
        let mut counts: BTreeMap<Item, OfferCount> = BTreeMap::new();
        // By definition: sums of utilities and scores, and seats, with it and without it.
        let mut dealt: BTreeMap<usize, [([f64; 2], f64); 2]> = BTreeMap::new();
        for game in whole() {
            for (item, count) in &game.items {
                *counts.entry(*item).or_default() += *count;
            }
            let row = &game.seated_game.row;
            let utilities: Vec<f64> = (0..row.ranks.len()).map(|seat| row.utility(&self.declared, seat)).collect();
            utilities.iter().for_each(|utility| self.utilities.add(*utility));
            let scores = row.scores.iter().map(|score| f64::from(*score) / f64::from(row.unit.max(1)));
            let scores: Vec<f64> = scores.collect();
            scores.iter().for_each(|score| self.scores.add(*score));
            let held: BTreeSet<usize> = game.dealt.iter().flatten().copied().collect();
            for definition in held {
                for (own, (utility, score)) in game.dealt.iter().zip(utilities.iter().zip(&scores)) {
                    let sums = dealt.entry(definition).or_default();
                    let ([utilities, scores], seats) = &mut sums[usize::from(!own.contains(&definition))];
                    (*utilities, *scores, *seats) = (*utilities + utility, *scores + score, *seats + 1.0);
                }
            }
        }
        let blocks = self.blocks[0];
        for (item, OfferCount { offers, takes, even }) in counts {
            let ratios = self.of(item);
            ratios.taken.put(blocks, count(takes), count(offers));
            ratios.even += count(even) / count(MILLION);
        }
        for (definition, [with, without]) in dealt {
            // A card that all seats or none were dealt has no group to compare with.
            if with.1 > 0.0 && without.1 > 0.0 {
                let ratios = self.of(Item::Definition(definition));
                for (ratios, (sums, seats)) in [(&mut ratios.with, with), (&mut ratios.without, without)] {
                    ratios.iter_mut().zip(sums).for_each(|(ratio, sum)| ratio.put(blocks, sum, seats));
                }
            }
        }
        self.blocks[0] += 1;
    }

    pub fn add_fork_pass(&mut self, games: &[ForkPass]) {
        let mut sums: BTreeMap<Item, ForkTotals> = BTreeMap::new();
        for (item, totals) in games.iter().flat_map(|game| &game.items) {
            let sum = sums.entry(*item).or_default();
            *sum += *totals;
        }
        let blocks = self.blocks[1];
        for (item, totals) in sums {
            let ratios = self.of(item);
            ratios.pick.put(blocks, totals.utility, totals.forks);
            ratios.points.put(blocks, totals.score, totals.forks);
            ratios.better.put(blocks, totals.better, totals.forks);
            ratios.kept[0].put(blocks, totals.kept_utility, totals.takes);
            ratios.kept[1].put(blocks, totals.kept_score, totals.takes);
        }
        self.blocks[1] += 1;
    }

    /// Returns the probability of a fork where the item is offered, in units of 2^-32, for about `forks` forks
    /// of each item.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^32 - 1")]
    pub fn chances(&self, forks: u32) -> BTreeMap<Item, u32> {
        let chance = |ratios: &ItemRatios| f64::from(forks) / ratios.taken.whole().max(1.0);
        self.all.iter().map(|(item, ratios)| (*item, (chance(ratios).min(1.0) * f64::from(u32::MAX)) as u32)).collect()
    }

    /// Returns the expected number of forks in a block, if `blocks` blocks have about `forks` forks of each item.
    pub fn forks_per_block(&self, forks: u32, blocks: u64) -> f64 {
        let played = count(self.blocks[0].max(1) as u64);
        let of_item =
            |ratios: &ItemRatios| (ratios.taken.whole() / played).min(f64::from(forks) / count(blocks.max(1)));
        self.all.values().map(of_item).sum()
    }

    pub fn report(mut self, game: &Game, seed: u64) -> Vec<ItemReport> {
        let [first_pass, fork_pass] = self.blocks;
        self.all.values_mut().for_each(|ratios| ratios.fill(first_pass, fork_pass));
        let objective = Objective::of(&self.declared);
        let differences = difference_bounds(&self.declared, self.unit);
        // A score or a margin has no bounds that help.
        let bounds = Some(differences).filter(|_| objective.is_share());
        let report = |(number, (item, ratios)): (u64, (&Item, &ItemRatios))| {
            let (sort, name) = item.kind_and_name(game);
            let seed = mix(seed, number);
            ItemReport {
                sort,
                name,
                offered: ratios.taken.whole(),
                even: ratios.even / ratios.taken.whole().max(1.0),
                taken: ratios.taken.estimate(seed, Some(SHARE_BOUNDS)),
                dealt: ratios.with[0].difference_from(&ratios.without[0], seed, bounds),
                dealt_points: (ratios.with[1].difference_from(&ratios.without[1], seed, None))
                    .filter(|_| !objective.is_score()),
                forks: ratios.pick.whole(),
                pick: ratios.pick.estimate(seed, bounds).filter(|pick| objective.is_share() || is_informative(pick)),
                points: ratios
                    .points
                    .estimate(seed, None)
                    .filter(|points| !objective.is_score() && is_informative(points)),
                better: ratios.better.estimate(seed, Some(SHARE_BOUNDS)),
                kept: ratios.kept[0].estimate(seed, bounds).filter(|kept| objective.is_share() || is_informative(kept)),
                p: ratios.pick.value().map(|_| ratios.pick.p(0.0, differences)),
                found: false,
                flag: None,
            }
        };
        let mut items: Vec<ItemReport> = (0..).zip(&self.all).map(report).collect();
        discover(items.iter_mut().map(|item| (item.p, &mut item.found)));
        for (report, flag) in items.iter_mut().zip(self.flags(differences)) {
            report.flag = flag;
        }
        let worse: BTreeSet<usize> =
            declared_pairs(game).into_iter().filter(|pair| pair.is_worse).map(|pair| pair.definition).collect();
        let never = self.never_offered(game);
        for (item, report) in self.all.keys().zip(&mut items) {
            if matches!(item, Item::Definition(index) if never.contains(index)) {
                report.flag = Some(Flag::NeverOffered);
            } else if matches!(item, Item::Definition(index) if worse.contains(index)) {
                report.flag = report.flag.or(Some(Flag::Dominated));
            }
        }
        let unoffered = |index: usize| {
            let (sort, name) = Item::Definition(index).kind_and_name(game);
            ItemReport { sort, name, flag: Some(Flag::NeverOffered), ..ItemReport::default() }
        };
        // Items that were dealt have a row already.
        let unlisted = never.into_iter().filter(|index| !self.all.contains_key(&Item::Definition(*index)));
        items.extend(unlisted.map(unoffered));
        items
    }

    /// Returns the flag of each item, if any.
    fn flags(&self, differences: Interval) -> Vec<Option<Flag>> {
        let objective = Objective::of(&self.declared);
        let (gain, points) = (self.must_have_gain(), self.must_have_points());
        let hypotheses = |ratios: &ItemRatios| {
            let effect = |utility, score| Effect {
                utility: EffectMeasure {
                    gain: utility,
                    is_reversed: false,
                    bounds: Some(differences),
                    must_have: gain,
                },
                points: (!objective.is_score()).then_some(EffectMeasure {
                    gain: score,
                    is_reversed: self.declared.least_score(),
                    bounds: None,
                    must_have: points,
                }),
            };
            let (picked, kept) = (effect(&ratios.pick, &ratios.points), effect(&ratios.kept[0], &ratios.kept[1]));
            let even = ratios.even / ratios.taken.whole().max(1.0);
            Evidence { picked, kept, better: &ratios.better, taken: &ratios.taken, even }.hypotheses()
        };
        let all: Vec<(usize, Flag, f64)> = (0..)
            .zip(self.all.values())
            .flat_map(|(index, ratios)| hypotheses(ratios).into_iter().map(move |(flag, p)| (index, flag, p)))
            .collect();
        let mut flags = vec![None; self.all.len()];
        let p: Vec<f64> = all.iter().map(|(.., p)| *p).collect();
        for ((index, flag, _), _) in all.iter().zip(discoveries(&p)).filter(|(_, found)| *found) {
            let of: &mut Option<Flag> = &mut flags[*index];
            *of = of.or(Some(*flag));
        }
        flags
    }

    /// Returns definitions that were never offered, if others of their kind were.
    fn never_offered(&self, game: &Game) -> Vec<usize> {
        let d = game.declarations();
        // Without a token, no rule can offer it.
        let exists = |index: &usize| {
            let definition = &d.definitions[*index];
            (definition.copies > 0 || !d.kinds[definition.kind].tokens) && self.filter.has_definition(*index)
        };
        let offered =
            |index: usize| self.all.get(&Item::Definition(index)).is_some_and(|ratios| ratios.taken.whole() > 0.0);
        let of_kind = |kind: usize| (0..d.definitions.len()).filter(move |index| d.definitions[*index].kind == kind);
        let kinds = (0..d.kinds.len()).filter(|kind| of_kind(*kind).any(offered));
        kinds.flat_map(of_kind).filter(|index| !offered(*index) && exists(index)).collect()
    }
}

/// Whether a score effect has a meaningful interval. Scores have no bounds, so a few equal forks say nothing
/// about others.
fn is_informative(points: &Estimate) -> bool {
    points.interval.low < points.interval.high || points.blocks >= ALIKE
}

#[expect(clippy::cast_precision_loss, reason = "below 2^52")]
fn count(number: u64) -> f64 {
    number as f64
}
