//! What each card, action and role is worth.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use motherlode::{Game, ModId, Setup};
use motherlode_play::{Cell, Column, Experiment, Failures, RolloutCost, mix};
use serde::{Deserialize, Serialize};

use crate::fork::{Forker, Worth};
use crate::item::{Item, Offers};
use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::place::share;
use crate::ratio::{DIFFERENCE, Difference, Estimate, PART, Ratio, discoveries};
use crate::rows;
use crate::series::{LabError, Series, Sitting, counted};

/// Fewest offers from which something is called dead.
const FEWEST: f64 = 50.0;

/// Fewest blocks from whose forks something is said if all come out alike.
const ALIKE: u64 = 16;

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
    /// Games played, without forks.
    pub games: u64,
    /// Games that were aborted.
    #[serde(flatten)]
    pub failures: Failures,
    /// Forks that failed, with the seeds of their games.
    pub failed: Failures,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    sitting: Sitting,
    /// How often each was offered, and how often taken.
    items: Vec<(Item, (u32, u32))>,
    dealt: Vec<Vec<usize>>,
}

/// What the forks of a game say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forked {
    items: Vec<(Item, Worth)>,
    failed: Failures,
}

/// The games of a block, seen or forked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectsPiece {
    /// Without forks; with the number of the block.
    Seen(u64, Vec<Seen>),
    /// Again, with forks.
    Forked(Vec<Forked>),
}

/// What the blocks say together.
#[derive(Default)]
pub struct EffectsSum {
    accounts: Accounts,
    metrics: Metrics,
    blocks: u64,
    games: u64,
    failures: Failures,
    failed: Failures,
}

impl Experiment for Effects {
    type Piece = EffectsPiece;
    type Sum = EffectsSum;
    /// How likely each item is forked where it is offered.
    type Plan = BTreeMap<Item, u32>;
    type Report = EffectsReport;
    type Error = LabError;

    /// Every block is played twice: once to see what is offered, then again with forks.
    fn stages(&self) -> Vec<Range<u64>> {
        vec![0..self.blocks, self.blocks..self.blocks.saturating_mul(2)]
    }

    fn check(&self) -> Result<(), LabError> {
        self.series.check()
    }

    fn begin(&self) -> EffectsSum {
        EffectsSum::default()
    }

    fn plan(&self, sum: &EffectsSum) -> BTreeMap<Item, u32> {
        sum.accounts.chances(self.forks)
    }

    fn play(
        &self,
        chances: &BTreeMap<Item, u32>,
        range: Range<u64>,
        sink: &mut dyn FnMut(EffectsPiece) -> ControlFlow<()>,
    ) -> Result<(), LabError> {
        self.check()?;
        let (game, setup) = &self.series.game;
        if range.start < self.blocks {
            let mut block = range.start;
            return self.series.each(
                range,
                || Offers::new(game, setup.players),
                |offers, _| offers.begin(),
                |offers, sitting| {
                    Some(Seen {
                        sitting: Sitting { roles: offers.roles.take(), ..sitting },
                        items: offers.items.iter().map(|(item, counts)| (*item, *counts)).collect(),
                        dealt: offers.dealt.take().unwrap_or_default(),
                    })
                },
                |games| {
                    block += 1;
                    sink(EffectsPiece::Seen(block - 1, games)).is_continue()
                },
            );
        }
        self.series.each(
            range.start - self.blocks..range.end - self.blocks,
            || Forker::new(&self.series, chances.clone()),
            |forker, specs| forker.begin(specs),
            |forker, _| {
                let items = std::mem::take(&mut forker.found).into_iter().collect();
                let forked = Forked { items, failed: std::mem::take(&mut forker.failed) };
                (!forker.is_cut).then_some(forked)
            },
            |games| sink(EffectsPiece::Forked(games)).is_continue(),
        )
    }

    fn is_possible(&self, piece: &EffectsPiece) -> bool {
        let (game, Setup { players, .. }) = &self.series.game;
        let definitions = game.declarations().definitions.len();
        let seen = |seen: &Seen| {
            let dealt = seen.dealt.is_empty() || seen.dealt.len() == usize::from(*players);
            self.series.is_possible_sitting(&seen.sitting)
                && seen.items.iter().all(|(item, (offers, takes))| item.is_of(game) && takes <= offers)
                && dealt
                && seen.dealt.iter().flatten().all(|definition| *definition < definitions)
        };
        let forked = |forked: &Forked| {
            forked.items.iter().all(|(item, worth)| item.is_of(game) && worth.is_possible())
                && forked.failed.aborted <= u64::from(u32::MAX)
        };
        let most = self.series.blocks().games();
        match piece {
            EffectsPiece::Seen(block, games) => *block < self.blocks && games.len() <= most && games.iter().all(seen),
            EffectsPiece::Forked(games) => games.len() <= most && games.iter().all(forked),
        }
    }

    fn add(&self, sum: &mut EffectsSum, piece: &EffectsPiece) -> ControlFlow<()> {
        sum.blocks += 1;
        match piece {
            EffectsPiece::Seen(_, games) => {
                let sittings: Vec<Sitting> = games.iter().map(|game| game.sitting.clone()).collect();
                sum.games += sittings.len() as u64;
                sittings.iter().for_each(|sitting| sum.failures.see(&sitting.row));
                sum.accounts.see(games);
                sum.metrics.add(&sittings);
            }
            EffectsPiece::Forked(games) => {
                games.iter().for_each(|game| sum.failed.append(&game.failed));
                sum.accounts.fork(games);
            }
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: EffectsSum, stopped: bool) -> Result<EffectsReport, LabError> {
        let EffectsSum { accounts, metrics, blocks, games, failures, failed } = sum;
        let (game, setup) = &self.series.game;
        Ok(EffectsReport {
            game: game.declarations().id.clone(),
            fingerprint: game.fingerprint().to_owned(),
            mods: game.mods().to_vec(),
            setup: Setup { seed: self.series.seed, ..setup.clone() },
            bots: self.series.bots.clone(),
            blocks: blocks.min(self.blocks),
            games,
            failures,
            failed,
            items: accounts.report(game, self.series.seed),
            roles: roles(&self.series, &metrics),
            stopped,
        })
    }

    fn alike(&self, one: &EffectsPiece, other: &EffectsPiece) -> bool {
        one == other
    }

    fn cost(&self) -> Option<RolloutCost> {
        self.series.cost()
    }

    fn remark(&self, sum: &EffectsSum) -> Option<String> {
        sum.failures.remark()
    }

    fn columns(&self) -> Vec<Column> {
        rows::columns(&self.series)
    }

    /// Those of the games without forks.
    fn rows(&self, piece: &EffectsPiece) -> Vec<Vec<Cell>> {
        match piece {
            EffectsPiece::Seen(block, games) => {
                let games = games.iter().enumerate().map(|(turn, game)| (0, turn, &game.sitting));
                rows::rows(&self.series, *block, games)
            }
            EffectsPiece::Forked(_) => Vec::new(),
        }
    }
}

impl Effects {
    /// Plays twice: once to see what is offered, then again with forks. `progress` gets the number of blocks done of both, and says
    /// whether to go on.
    ///
    /// # Errors
    /// As [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<EffectsReport, LabError> {
        counted(self, progress)
    }
}

impl Accounts {
    fn of(&mut self, item: Item) -> &mut Account {
        self.all.entry(item).or_default()
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
                let row = &game.sitting.row;
                for (seat, own) in game.dealt.iter().enumerate() {
                    let sums = dealt.entry(definition).or_default();
                    let sum = &mut sums[usize::from(!own.contains(&definition))];
                    *sum = (sum.0 + share(row.won, &row.ranks, seat), sum.1 + 1.0);
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

    fn fork(&mut self, games: &[Forked]) {
        let mut sums: BTreeMap<Item, Worth> = BTreeMap::new();
        for (item, worth) in games.iter().flat_map(|game| &game.items) {
            let sum = sums.entry(*item).or_default();
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

fn discover(items: &mut [ItemReport]) {
    let tested: Vec<usize> = (0..items.len()).filter(|index| items[*index].p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|index| items[*index].p).collect();
    for (index, found) in tested.into_iter().zip(discoveries(&p)) {
        items[index].found = found;
    }
}

fn flag(item: &ItemReport) -> Option<Flag> {
    let taken = item.taken?;
    // What was never taken is dead however few blocks offered it so often.
    if item.offered >= FEWEST && taken.value < DEAD && (taken.value <= 0.0 || taken.interval.high < 2.0 * DEAD) {
        return Some(Flag::Dead);
    }
    let (pick, better) = (item.pick?, item.better?);
    if item.found && pick.interval.high < 0.0 && better.interval.high < DOMINATED {
        return Some(Flag::Dominated);
    }
    (item.found && pick.interval.low > MUST && better.value > 1.0 - DOMINATED).then_some(Flag::MustHave)
}

/// How uneven the parts of the first places are by what seats were; where nobody plays against another, no part is the even one.
fn roles(series: &Series, metrics: &Metrics) -> Vec<ItemReport> {
    let (game, setup) = &series.game;
    let places = crate::role::Roles::of(game, setup.players);
    let even = 1.0 / f64::from(setup.players.max(1));
    let contest = setup.players > 1 && game.declarations().outcome.won.is_none();
    let of_roles = metrics
        .all()
        .filter(|(subject, measure, _)| matches!(subject, Subject::Role(..)) && *measure == Measure::Share);
    let mut found: Vec<ItemReport> = of_roles
        .map(|(subject, _, ratio)| {
            let name = subject_name(game, &places, &series.bots, subject);
            let (sort, name) = name
                .split_once(": ")
                .map_or((String::new(), name.clone()), |(sort, name)| (sort.to_owned(), name.to_owned()));
            let (offered, taken) = (ratio.whole(), ratio.estimate(mix(series.seed, 1), Some(PART)));
            ItemReport { sort, name, offered, taken, p: contest.then(|| ratio.p(even, PART)), ..ItemReport::default() }
        })
        .collect();
    discover(&mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Stall, load};

    fn effects(game: &Game, blocks: u64) -> Effects {
        let setup = game.setup(None, &[], 1).unwrap();
        let bots = vec!["random".to_owned()];
        Effects {
            series: Series { game: (game.clone(), setup), other: None, bots, seed: 1, threads: 1, halt: None },
            blocks,
            forks: 1,
        }
    }

    #[test]
    fn no_role_is_uneven_where_all_win_together() {
        let game = r#"
            name = "Rescue"
            version = "1.0.0"
            players = { min = 2, max = 2, default = 2 }
            rounds = 1
            seats = [{ name = "One" }, { name = "Two" }]
            [counters.rescued]
            per = "game"
            [zones]
            pile = { per = "game", holds = "crafts", visible = "count" }
            craft = { per = "player", holds = "crafts", size = 1, text = "Craft" }
            [kinds.crafts]
            zone = "pile"
            shuffle = true
            [outcome]
            shared = true
            score = "rescued"
            won = "rescued"
        "#;
        let script = r#"return {
            deal = {
                run = function()
                    for player = 1, player_count() do draw("pile", nil, "craft", player) end
                    gain(game, "rescued", 1)
                end,
            },
            work = { offer = function(player) choice("on") choice("off") end, act = function() end },
        }"#;
        let content = [
            ("content/rescue/game.toml", game),
            ("content/rescue/crafts.toml", "medic = { name = \"Medic\" }\npilot = { name = \"Pilot\" }\n"),
            ("content/rescue/phases.toml", "[deal]\nwhen = \"setup\"\n[work]\nturns = \"once\"\nprompt = \"work\"\n"),
            ("content/rescue/prompts.toml", "[work]\ntext = \"What?\"\nlabels = { on = \"On\", off = \"Off\" }\n"),
            ("scripts/rescue/phases.luau", script),
        ];
        let game = load("rescue", content);
        let report = effects(&game, 30).run(|_| true).unwrap();
        assert_eq!(report.roles.len(), 2, "{:?}", report.roles);
        assert!(report.roles.iter().all(|role| role.taken.unwrap().value == 1.0), "{:?}", report.roles);
        assert!(report.roles.iter().all(|role| role.p.is_none() && !role.found), "{:?}", report.roles);
    }

    #[test]
    fn what_was_dealt_but_never_offered_is_told_once() {
        let game = Stall::default().load();
        let d = game.declarations();
        let of = |name: &str| d.definitions.iter().position(|definition| definition.name == name).unwrap();
        let mut games = Vec::new();
        let mut keep = |piece: EffectsPiece| {
            if let EffectsPiece::Seen(_, seen) = piece {
                games.extend(seen);
            }
            ControlFlow::Continue(())
        };
        effects(&game, 1).play(&BTreeMap::new(), 0..1, &mut keep).unwrap();
        for seen in &mut games {
            seen.items = vec![(Item::Definition(of("Ruby")), (4, 2))];
            seen.dealt = vec![vec![of("Opal")], vec![of("Ruby")], vec![of("Ruby")]];
        }
        let mut accounts = Accounts::default();
        accounts.see(&games);
        let report = accounts.report(&game, 1);
        let flags = |name: &str| -> Vec<Option<Flag>> {
            report.iter().filter(|item| item.name == name).map(|item| item.flag).collect()
        };
        assert_eq!(flags("Opal"), [Some(Flag::NeverOffered)], "dealt");
        assert_eq!(flags("Glass"), [Some(Flag::NeverOffered)], "neither dealt nor offered");
        assert_eq!(flags("Ruby"), [None]);
        assert_eq!(flags("Cutters"), [], "no guild is offered");
    }

    #[test]
    fn no_number_of_blocks_is_too_large() {
        let game = Stall::default().load();
        assert_eq!(effects(&game, u64::MAX).stages(), [0..u64::MAX, u64::MAX..u64::MAX]);
    }
}
