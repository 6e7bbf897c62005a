//! What each card, action and role is worth.
//!
//! Direction: report <- columns, self <- accounts

mod accounts;
pub mod columns;
pub mod report;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use motherlode::{ModId, Setup};
use motherlode_play::{Cell, Column, Experiment, Failures, RolloutCost, mix};
use serde::{Deserialize, Serialize};

use self::accounts::Accounts;
use self::report::{ItemReport, discover};
use crate::fork::{Forker, Worth};
use crate::item::{Item, Offers};
use crate::metric::{Measure, Metrics, Subject, subject_name};
use crate::ratio::PART;
use crate::role::Roles;
use crate::rows;
use crate::series::{LabError, Series, Sitting, counted};

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

/// How uneven the parts of the first places are by what seats were; where nobody plays against another, no part is the even one.
fn roles(series: &Series, metrics: &Metrics) -> Vec<ItemReport> {
    let (game, setup) = &series.game;
    let places = Roles::of(game, setup.players);
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
mod tests;
