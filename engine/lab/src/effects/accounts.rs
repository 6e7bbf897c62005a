//! What all blocks say of each item.

use std::collections::{BTreeMap, BTreeSet};

use motherlode::Game;
use motherlode_play::{first_place, mix};

use super::report::{Flag, ItemReport, discover, flag};
use super::{Forked, Seen};
use crate::fork::Worth;
use crate::item::Item;
use crate::ratio::{DIFFERENCE, Estimate, PART, Ratio};

/// Fewest blocks from whose forks something is said if all come out alike.
const ALIKE: u64 = 16;

/// What one item has in all blocks.
#[derive(Debug, Clone, Default)]
struct Account {
    taken: Ratio,
    with: Ratio,
    without: Ratio,
    pick: Ratio,
    points: Ratio,
    better: Ratio,
}

impl Account {
    /// Blocks that it is not in say nothing.
    fn fill(&mut self, seen: usize, forked: usize) {
        let Self { taken, with, without, pick, points, better } = self;
        [taken, with, without].into_iter().for_each(|ratio| ratio.fill(seen));
        [pick, points, better].into_iter().for_each(|ratio| ratio.fill(forked));
    }
}

/// All items.
#[derive(Debug, Default)]
pub struct Accounts {
    all: BTreeMap<Item, Account>,
    /// Blocks seen, and blocks forked.
    blocks: [usize; 2],
}

impl Accounts {
    fn of(&mut self, item: Item) -> &mut Account {
        self.all.entry(item).or_default()
    }

    pub fn see(&mut self, games: &[Seen]) {
        let whole = || games.iter().filter(|game| game.sitting.row.aborted.is_none());
        let mut taken: BTreeMap<Item, (f64, f64)> = BTreeMap::new();
        let mut dealt: BTreeMap<usize, [(f64, f64); 2]> = BTreeMap::new();
        for game in whole() {
            for (item, (offers, takes)) in &game.items {
                let sum = taken.entry(*item).or_default();
                *sum = (sum.0 + f64::from(*takes), sum.1 + f64::from(*offers));
            }
            let held: BTreeSet<usize> = game.dealt.iter().flatten().copied().collect();
            for definition in held {
                let row = &game.sitting.row;
                for (seat, own) in game.dealt.iter().enumerate() {
                    let sums = dealt.entry(definition).or_default();
                    let sum = &mut sums[usize::from(!own.contains(&definition))];
                    *sum = (sum.0 + first_place(row.won, &row.ranks, seat), sum.1 + 1.0);
                }
            }
        }
        let blocks = self.blocks[0];
        for (item, (takes, offers)) in taken {
            let account = self.of(item);
            account.taken.put(blocks, takes, offers);
        }
        for (definition, [with, without]) in dealt {
            // Dealt to everybody alike, it says nothing.
            if with.1 > 0.0 && without.1 > 0.0 {
                let account = self.of(Item::Definition(definition));
                account.with.put(blocks, with.0, with.1);
                account.without.put(blocks, without.0, without.1);
            }
        }
        self.blocks[0] += 1;
    }

    pub fn fork(&mut self, games: &[Forked]) {
        let mut sums: BTreeMap<Item, Worth> = BTreeMap::new();
        for (item, worth) in games.iter().flat_map(|game| &game.items) {
            let sum = sums.entry(*item).or_default();
            *sum += *worth;
        }
        let blocks = self.blocks[1];
        for (item, worth) in sums {
            let account = self.of(item);
            account.pick.put(blocks, worth.share, worth.forks);
            account.points.put(blocks, worth.score, worth.forks);
            account.better.put(blocks, worth.better, worth.forks);
        }
        self.blocks[1] += 1;
    }

    /// How likely each item is forked where it is offered, for about so many forks.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^32 - 1")]
    pub fn chances(&self, forks: u32) -> BTreeMap<Item, u32> {
        let chance = |account: &Account| f64::from(forks) / account.taken.whole().max(1.0);
        self.all
            .iter()
            .map(|(item, account)| (*item, (chance(account).min(1.0) * f64::from(u32::MAX)) as u32))
            .collect()
    }

    pub fn report(mut self, game: &Game, seed: u64) -> Vec<ItemReport> {
        let [seen, forked] = self.blocks;
        self.all.values_mut().for_each(|account| account.fill(seen, forked));
        let one = |(number, (item, account)): (u64, (&Item, &Account))| {
            let (sort, name) = item.words(game);
            let seed = mix(seed, number);
            ItemReport {
                sort,
                name,
                offered: account.taken.whole(),
                taken: account.taken.estimate(seed, Some(PART)),
                dealt: account.with.more_than(&account.without, seed, Some(DIFFERENCE)),
                forks: account.pick.whole(),
                pick: account.pick.estimate(seed, Some(DIFFERENCE)),
                points: account.points.estimate(seed, None).filter(tells),
                better: account.better.estimate(seed, Some(PART)),
                p: account.pick.value().map(|_| account.pick.p(0.0, DIFFERENCE)),
                found: false,
                flag: None,
            }
        };
        let mut items: Vec<ItemReport> = (0..).zip(&self.all).map(one).collect();
        discover(&mut items);
        let never = self.never(game);
        for (item, report) in self.all.keys().zip(&mut items) {
            let never = matches!(item, Item::Definition(index) if never.contains(index));
            report.flag = if never { Some(Flag::NeverOffered) } else { flag(report) };
        }
        let of = |index: usize| {
            let (sort, name) = Item::Definition(index).words(game);
            ItemReport { sort, name, flag: Some(Flag::NeverOffered), ..ItemReport::default() }
        };
        // One that was dealt has a row already.
        let unseen = never.into_iter().filter(|index| !self.all.contains_key(&Item::Definition(*index)));
        items.extend(unseen.map(of));
        items
    }

    /// Definitions that were never offered, of kinds of which others were.
    fn never(&self, game: &Game) -> Vec<usize> {
        let d = game.declarations();
        let offered =
            |index: usize| self.all.get(&Item::Definition(index)).is_some_and(|account| account.taken.whole() > 0.0);
        let of_kind = |kind: usize| (0..d.definitions.len()).filter(move |index| d.definitions[*index].kind == kind);
        let kinds = (0..d.kinds.len()).filter(|kind| of_kind(*kind).any(offered));
        kinds.flat_map(of_kind).filter(|index| !offered(*index)).collect()
    }
}

/// Points have no bounds, so a few forks that come out alike say nothing of others.
fn tells(points: &Estimate) -> bool {
    points.interval.low < points.interval.high || points.blocks >= ALIKE
}
