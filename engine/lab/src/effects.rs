//! What each card, action and role is worth.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use motherlode::{Game, ModId, Setup};
use motherlode_play::mix;
use serde::{Deserialize, Serialize};

use crate::fork::{Forker, Worth};
use crate::item::{Item, Offers};
use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::place::share;
use crate::ratio::{Difference, Estimate, Ratio, discoveries};
use crate::series::{LabError, Series, Sitting, check};

/// The share of false discoveries among all of a table.
const LEVEL: f64 = 0.05;

/// Fewest offers from which something is called dead.
const FEWEST: f64 = 50.0;

/// What is taken less often than this is dead.
const DEAD: f64 = 0.01;

/// What is better than the best other less often than this, and costs first places, is dominated.
const DOMINATED: f64 = 0.15;

/// What brings this much of the first places when it is taken, and hardly ever is not, is a must.
const MUST: f64 = 0.05;

/// Measures what each item of a game is worth to these bots.
#[derive(Clone)]
pub struct Effects {
    /// The game and the bots.
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
    /// Forks of each item, about.
    pub forks: u32,
}

/// What each item is worth; the same on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EffectsReport {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint of the pack with its mods.
    pub fingerprint: String,
    /// The mods, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Players and options; the seed is that of the experiment.
    pub setup: Setup,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Blocks played.
    pub blocks: u64,
    /// Games that were aborted: they say nothing.
    pub aborted: u64,
    /// Forks that failed.
    pub failed: u64,
    /// By item.
    pub items: Vec<ItemReport>,
    /// By what seats were: part of the first places against the even one.
    pub roles: Vec<ItemReport>,
    /// Whether it was stopped before all blocks were played.
    pub stopped: bool,
}

/// What one item is worth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// What sort of thing it is: the kind of a card, the prompt of an action, a grid.
    pub sort: String,
    /// Its name.
    pub name: String,
    /// How often it was among the choices; of a role: how often somebody was it.
    pub offered: f64,
    /// The share of offers in which it was taken; of a role: the part of the first places.
    pub taken: Option<Estimate>,
    /// What those had more of the first places to whom chance had dealt it at the start, than the others at the table.
    pub dealt: Option<Difference>,
    /// Number of forks.
    pub forks: f64,
    /// What picking it brings more of the first places than the best other choice.
    pub pick: Option<Estimate>,
    /// What picking it brings more of points than the best other choice.
    pub points: Option<Estimate>,
    /// How often picking it was better than the best other choice.
    pub better: Option<Estimate>,
    /// How likely so large an effect of picking it (of a role: so uneven a part) would be if there were none.
    pub p: Option<f64>,
    /// Whether that is a discovery: at most 5 % of those of the table are false (Benjamini and Hochberg).
    pub found: bool,
    /// What is to be said about it.
    pub flag: Option<Flag>,
}

/// What is to be said about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Others of its sort were offered, it never was.
    NeverOffered,
    /// It is hardly ever taken.
    Dead,
    /// Something else is nearly always better.
    Dominated,
    /// It wins games, and is nearly always better than anything else.
    MustHave,
}

impl Flag {
    /// As people read it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::NeverOffered => "never offered",
            Self::Dead => "dead",
            Self::Dominated => "dominated",
            Self::MustHave => "must-have",
        }
    }
}

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

#[derive(Debug, Default)]
struct Accounts {
    all: BTreeMap<Item, Account>,
    blocks: [usize; 2],
}

/// What a game says of its items, without forks.
struct Seen {
    sitting: Sitting,
    items: BTreeMap<Item, (u32, u32)>,
    dealt: Vec<Vec<usize>>,
}

impl Effects {
    /// Plays twice: once to see what is offered, then again with forks. `progress` gets the number of blocks done of both, and says
    /// whether to go on.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn run(&self, mut progress: impl FnMut(u64) -> bool) -> Result<EffectsReport, LabError> {
        let (game, setup) = &self.series.game;
        check(&self.series.bots, game)?;
        let mut accounts = Accounts::default();
        let mut metrics = Metrics::default();
        let (mut blocks, mut aborted, mut stopped) = (0, 0, false);
        self.series.each(
            0..self.blocks,
            || Offers::new(game, setup.players),
            |offers, _| offers.begin(),
            |offers, sitting| Seen {
                sitting: Sitting { roles: offers.roles.take(), ..sitting },
                items: offers.items.clone(),
                dealt: offers.dealt.take().unwrap_or_default(),
            },
            |games| {
                aborted += games.iter().filter(|game| game.sitting.row.aborted.is_some()).count() as u64;
                accounts.see(&games);
                metrics.add(&games.into_iter().map(|game| game.sitting).collect::<Vec<_>>());
                blocks += 1;
                stopped = !progress(blocks);
                !stopped
            },
        )?;
        let mut failed = 0;
        if !stopped {
            let chances = accounts.chances(self.forks);
            self.series.each(
                0..self.blocks,
                || Forker::new(game, chances.clone()),
                |forker, specs| forker.begin(specs),
                |forker, _| (std::mem::take(&mut forker.found), std::mem::take(&mut forker.failed)),
                |games| {
                    failed += games.iter().map(|game| game.1).sum::<u64>();
                    accounts.fork(games.into_iter().map(|game| game.0));
                    blocks += 1;
                    stopped = !progress(blocks);
                    !stopped
                },
            )?;
        }
        Ok(EffectsReport {
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            setup: Setup { seed: self.series.seed, ..setup.clone() },
            bots: self.series.bots.clone(),
            blocks: blocks.min(self.blocks),
            aborted,
            failed,
            items: accounts.report(game, self.series.seed),
            roles: roles(&self.series, &metrics),
            stopped,
        })
    }
}

impl Accounts {
    fn of(&mut self, item: Item) -> &mut Account {
        match self.all.entry(item) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Account::default()),
        }
    }

    fn see(&mut self, games: &[Seen]) {
        let whole = || games.iter().filter(|game| game.sitting.row.aborted.is_none());
        let mut taken: BTreeMap<Item, (f64, f64)> = BTreeMap::new();
        let mut dealt: BTreeMap<usize, [(f64, f64); 2]> = BTreeMap::new();
        for game in whole() {
            for (item, (offers, takes)) in &game.items {
                let sum = taken.entry(*item).or_default();
                *sum = (sum.0 + f64::from(*takes), sum.1 + f64::from(*offers));
            }
            let held: std::collections::BTreeSet<usize> = game.dealt.iter().flatten().copied().collect();
            for definition in held {
                for (seat, own) in game.dealt.iter().enumerate() {
                    let sums = dealt.entry(definition).or_default();
                    let sum = &mut sums[usize::from(!own.contains(&definition))];
                    *sum = (sum.0 + share(&game.sitting.row, seat), sum.1 + 1.0);
                }
            }
        }
        let blocks = self.blocks[0];
        for (item, (takes, offers)) in taken {
            let account = self.of(item);
            account.taken.fill(blocks);
            account.taken.push(takes, offers);
        }
        for (definition, [with, without]) in dealt {
            // Dealt to everybody alike, it says nothing.
            if with.1 > 0.0 && without.1 > 0.0 {
                let account = self.of(Item::Definition(definition));
                account.with.fill(blocks);
                account.without.fill(blocks);
                account.with.push(with.0, with.1);
                account.without.push(without.0, without.1);
            }
        }
        self.blocks[0] += 1;
        let blocks = self.blocks[0];
        for account in self.all.values_mut() {
            account.taken.fill(blocks);
            account.with.fill(blocks);
            account.without.fill(blocks);
        }
    }

    fn fork(&mut self, games: impl Iterator<Item = BTreeMap<Item, Worth>>) {
        let mut sums: BTreeMap<Item, Worth> = BTreeMap::new();
        for (item, worth) in games.flatten() {
            let sum = sums.entry(item).or_default();
            sum.forks += worth.forks;
            sum.share += worth.share;
            sum.score += worth.score;
            sum.better += worth.better;
        }
        let blocks = self.blocks[1];
        for (item, worth) in sums {
            let account = self.of(item);
            let parts = [worth.share, worth.score, worth.better];
            for (ratio, part) in [&mut account.pick, &mut account.points, &mut account.better].into_iter().zip(parts) {
                ratio.fill(blocks);
                ratio.push(part, worth.forks);
            }
        }
        self.blocks[1] += 1;
        let blocks = self.blocks[1];
        for account in self.all.values_mut() {
            [&mut account.pick, &mut account.points, &mut account.better]
                .into_iter()
                .for_each(|ratio| ratio.fill(blocks));
        }
    }

    /// How likely each item is forked where it is offered, for about so many forks.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^32 - 1")]
    fn chances(&self, forks: u32) -> BTreeMap<Item, u32> {
        let chance = |account: &Account| f64::from(forks) / account.taken.whole().max(1.0);
        self.all
            .iter()
            .map(|(item, account)| (*item, (chance(account).min(1.0) * f64::from(u32::MAX)) as u32))
            .collect()
    }

    fn report(&self, game: &Game, seed: u64) -> Vec<ItemReport> {
        let one = |(number, (item, account)): (u64, (&Item, &Account))| {
            let (sort, name) = item.words(game);
            let seed = mix(seed, number);
            ItemReport {
                sort,
                name,
                offered: account.taken.whole(),
                taken: account.taken.estimate(seed),
                dealt: account.with.more_than(&account.without, seed),
                forks: account.pick.whole(),
                pick: account.pick.estimate(seed),
                points: account.points.estimate(seed),
                better: account.better.estimate(seed),
                p: account.pick.value().map(|_| account.pick.p(0.0)),
                found: false,
                flag: None,
            }
        };
        let mut items: Vec<ItemReport> = (0..).zip(&self.all).map(one).collect();
        discover(&mut items);
        items.iter_mut().for_each(|item| item.flag = flag(item));
        items.extend(self.never(game));
        items
    }

    /// Definitions that were never offered, of kinds of which others were.
    fn never(&self, game: &Game) -> Vec<ItemReport> {
        let d = game.declarations();
        let offered =
            |index: usize| self.all.get(&Item::Definition(index)).is_some_and(|account| account.taken.whole() > 0.0);
        let of_kind = |kind: usize| (0..d.definitions.len()).filter(move |index| d.definitions[*index].kind == kind);
        let kinds = (0..d.kinds.len()).filter(|kind| of_kind(*kind).any(offered));
        let never = kinds.flat_map(of_kind).filter(|index| !self.all.contains_key(&Item::Definition(*index)));
        let report = |index: usize| {
            let (sort, name) = Item::Definition(index).words(game);
            ItemReport { sort, name, flag: Some(Flag::NeverOffered), ..ItemReport::default() }
        };
        never.map(report).collect()
    }
}

fn discover(items: &mut [ItemReport]) {
    let tested: Vec<usize> = (0..items.len()).filter(|index| items[*index].p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|index| items[*index].p).collect();
    for (index, found) in tested.into_iter().zip(discoveries(&p, LEVEL)) {
        items[index].found = found;
    }
}

fn flag(item: &ItemReport) -> Option<Flag> {
    let taken = item.taken?;
    if item.offered >= FEWEST && taken.value < DEAD && taken.interval.high < 2.0 * DEAD {
        return Some(Flag::Dead);
    }
    let (pick, better) = (item.pick?, item.better?);
    if item.found && pick.interval.high < 0.0 && better.interval.high < DOMINATED {
        return Some(Flag::Dominated);
    }
    (item.found && pick.interval.low > MUST && better.value > 1.0 - DOMINATED).then_some(Flag::MustHave)
}

/// How uneven the parts of the first places are by what seats were.
fn roles(series: &Series, metrics: &Metrics) -> Vec<ItemReport> {
    let (game, setup) = &series.game;
    let places = crate::role::Roles::of(game, setup.players);
    let even = 1.0 / f64::from(setup.players.max(1));
    let of_roles = metrics
        .all()
        .filter(|(subject, measure, _)| matches!(subject, Subject::Role(..)) && *measure == Measure::Share);
    let mut found: Vec<ItemReport> = of_roles
        .map(|(subject, _, ratio)| {
            let name = subject_name(game, &places, &series.bots, subject);
            let (sort, name) = name
                .split_once(": ")
                .map_or((String::new(), name.clone()), |(sort, name)| (sort.to_owned(), name.to_owned()));
            let (offered, taken) = (ratio.whole(), ratio.estimate(mix(series.seed, 1)));
            ItemReport { sort, name, offered, taken, p: Some(ratio.p(even)), ..ItemReport::default() }
        })
        .collect();
    discover(&mut found);
    found
}
