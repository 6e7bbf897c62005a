//! Effects of cards, actions and roles: the change in utility and score that each makes.
//!
//! Direction: report <- columns, dominance, flags, self <- item_table

pub mod columns;
mod dominance;
pub mod flags;
mod item_table;
pub mod report;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use motherlode::{ModId, Setup};
use motherlode_play::{Cell, Column, Experiment, Failures, Pattern, RolloutCost};
use serde::{Deserialize, Serialize};

use self::dominance::{DeclaredPair, declared_pairs};
use self::item_table::ItemTable;
use self::report::{DeclaredReport, ItemReport, RoleReport, discover};
use crate::fork::{ForkPlan, ForkTotals, Forker};
use crate::item::{Item, ItemFilter, OfferCount, OfferCounter};
use crate::metric::Metrics;
use crate::objective::{Objective, difference_bounds};
use crate::rows;
use crate::series::{LabError, SeatedGame, Series, check, run_experiment};
use crate::standing::{RoleStanding, played_roles};

/// Measures the effect of each item of a game, for these bots.
#[derive(Clone)]
pub struct Effects {
    /// The game and the bots.
    pub series: Series,
    /// Number of blocks.
    pub blocks: u64,
    /// Approximate number of forks for each item.
    pub forks: u32,
    /// The choices whose items are measured; empty: all.
    pub items: Vec<Pattern>,
    /// The bot that plays all seats after a fork; `None`: the bots of the series.
    pub after: Option<String>,
}

/// Effects of items. Reproducible on every machine and with any number of threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EffectsReport {
    /// Id of the pack.
    pub game: String,
    /// Fingerprint of the pack with its mods.
    pub fingerprint: String,
    /// The mods, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mods: Vec<ModId>,
    /// Players and options. The seed is that of the experiment.
    pub setup: Setup,
    /// Bot specs.
    pub bots: Vec<String>,
    /// Blocks played.
    pub blocks: u64,
    /// Games played, without forks.
    pub games: u64,
    /// Aborted games.
    #[serde(flatten)]
    pub failures: Failures,
    /// Failed forks, with the seeds of their games.
    pub failed: Failures,
    /// The quantity by which the game is judged: the unit of `dealt` and `picked`.
    pub objective: Objective,
    /// The bot that played all seats after a fork; `None`: the same bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The smallest gain of a must-have, in the objective.
    pub must_have_gain: f64,
    /// The smallest gain of a must-have in points, if the score is not the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_have_points: Option<f64>,
    /// Effects by item.
    pub items: Vec<ItemReport>,
    /// Items that declarations alone tell apart from another one of their kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared: Vec<DeclaredReport>,
    /// Results by role, tested against the even win share, or a lead of 0.
    pub roles: Vec<RoleReport>,
    /// Whether the run was stopped before the last block.
    pub stopped: bool,
}

/// First pass of a game, without forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FirstPass {
    #[serde(rename = "sitting")]
    seated_game: SeatedGame,
    items: Vec<(Item, OfferCount)>,
    dealt: Vec<Vec<usize>>,
}

/// Second pass of a game, with forks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForkPass {
    items: Vec<(Item, ForkTotals)>,
    failed: Failures,
}

/// One pass of the games of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectsPiece {
    /// First pass, with the index of the block.
    #[serde(rename = "seen")]
    FirstPass(u64, Vec<FirstPass>),
    /// Second pass.
    #[serde(rename = "forked")]
    ForkPass(Vec<ForkPass>),
}

/// Sums over the blocks of both passes.
pub struct EffectsSum {
    item_table: ItemTable,
    metrics: Metrics,
    blocks: u64,
    games: u64,
    failures: Failures,
    failed: Failures,
}

impl Experiment for Effects {
    type Piece = EffectsPiece;
    type Sum = EffectsSum;
    /// By item: probability of a fork where it is offered, in units of 2^-32.
    type Plan = BTreeMap<Item, u32>;
    type Report = EffectsReport;
    type Error = LabError;

    /// Every block is played twice: to count offers, then again with forks.
    fn stages(&self) -> Vec<Range<u64>> {
        vec![0..self.blocks, self.blocks..self.blocks.saturating_mul(2)]
    }

    fn check(&self) -> Result<(), LabError> {
        self.series.check()?;
        check(self.after.as_slice(), &self.series.game.0).or_else(|error| match error {
            LabError::Bots(0) => Ok(()),
            error => Err(error),
        })
    }

    fn begin(&self) -> EffectsSum {
        let game = &self.series.game.0;
        EffectsSum {
            item_table: ItemTable::new(game, self.filter()),
            metrics: Metrics::of(game),
            blocks: 0,
            games: 0,
            failures: Failures::default(),
            failed: Failures::default(),
        }
    }

    fn plan(&self, sum: &EffectsSum) -> BTreeMap<Item, u32> {
        sum.item_table.chances(self.forks)
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
                || OfferCounter::new(game, setup.players, self.filter()),
                |offers, _| offers.begin(),
                |offers, seated_game| {
                    Some(FirstPass {
                        seated_game: SeatedGame { roles: offers.roles.take(), ..seated_game },
                        items: offers.items.iter().map(|(item, counts)| (*item, *counts)).collect(),
                        dealt: offers.dealt.take().unwrap_or_default(),
                    })
                },
                |games| {
                    block += 1;
                    sink(EffectsPiece::FirstPass(block - 1, games)).is_continue()
                },
            );
        }
        self.series.each(
            range.start - self.blocks..range.end - self.blocks,
            || {
                let (chances, after) = (chances.clone(), self.after.clone());
                Forker::new(&self.series, ForkPlan { chances, items: self.filter(), after })
            },
            |forker, specs| forker.begin(specs),
            |forker, _| {
                let items = std::mem::take(&mut forker.found).into_iter().collect();
                let fork_pass = ForkPass { items, failed: std::mem::take(&mut forker.failed) };
                (!forker.is_cut).then_some(fork_pass)
            },
            |games| sink(EffectsPiece::ForkPass(games)).is_continue(),
        )
    }

    fn is_possible(&self, piece: &EffectsPiece) -> bool {
        let (game, Setup { players, .. }) = &self.series.game;
        let d = game.declarations();
        let definitions = d.definitions.len();
        let differences = difference_bounds(&d.outcome, d.counters[d.outcome.score].unit);
        let first_pass = |first_pass: &FirstPass| {
            let dealt = first_pass.dealt.is_empty() || first_pass.dealt.len() == usize::from(*players);
            self.series.is_possible_game(&first_pass.seated_game)
                && first_pass.items.iter().all(|(item, count)| item.exists_in(game) && count.is_possible())
                && dealt
                && first_pass.dealt.iter().flatten().all(|definition| *definition < definitions)
        };
        let fork_pass = |fork_pass: &ForkPass| {
            fork_pass.items.iter().all(|(item, totals)| item.exists_in(game) && totals.is_possible(differences))
                && fork_pass.failed.aborted <= u64::from(u32::MAX)
        };
        let most = self.series.blocks().games();
        match piece {
            EffectsPiece::FirstPass(block, games) => {
                *block < self.blocks && games.len() <= most && games.iter().all(first_pass)
            }
            EffectsPiece::ForkPass(games) => games.len() <= most && games.iter().all(fork_pass),
        }
    }

    fn add(&self, sum: &mut EffectsSum, piece: &EffectsPiece) -> ControlFlow<()> {
        sum.blocks += 1;
        match piece {
            EffectsPiece::FirstPass(_, games) => {
                let seated_games: Vec<SeatedGame> = games.iter().map(|game| game.seated_game.clone()).collect();
                sum.games += seated_games.len() as u64;
                seated_games.iter().for_each(|seated_game| sum.failures.see(&seated_game.row));
                sum.item_table.add_first_pass(games);
                sum.metrics.add(&seated_games);
            }
            EffectsPiece::ForkPass(games) => {
                games.iter().for_each(|game| sum.failed.append(&game.failed));
                sum.item_table.add_fork_pass(games);
            }
        }
        ControlFlow::Continue(())
    }

    fn report(&self, sum: EffectsSum, stopped: bool) -> Result<EffectsReport, LabError> {
        let EffectsSum { item_table, metrics, blocks, games, failures, failed } = sum;
        let (game, setup) = &self.series.game;
        let objective = Objective::of(&game.declarations().outcome);
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
            objective,
            after: self.after.clone(),
            must_have_points: Some(item_table.must_have_points()).filter(|_| !objective.is_score()),
            must_have_gain: item_table.must_have_gain(),
            declared: self.declared(),
            items: item_table.report(game, self.series.seed),
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

    /// A block of the second pass is played again, and each arm plays half a game on average.
    fn next_stage_cost(&self, sum: &EffectsSum) -> Option<f64> {
        /// Arms for each fork: some forks of a decision share the arm of the bot's choice.
        const ARMS: f64 = 1.2;
        // Another bot has another speed.
        (sum.blocks < self.blocks && self.after.is_none())
            .then(|| 1.0 + ARMS / 2.0 * sum.item_table.forks_per_block(self.forks, self.blocks))
    }

    fn remark(&self, sum: &EffectsSum) -> Option<String> {
        sum.failures.remark()
    }

    fn columns(&self) -> Vec<Column> {
        rows::columns(&self.series)
    }

    /// Rows of the first pass; forks are no games.
    fn rows(&self, piece: &EffectsPiece) -> Vec<Vec<Cell>> {
        match piece {
            EffectsPiece::FirstPass(block, games) => {
                let games = games.iter().enumerate().map(|(turn, game)| (0, turn, &game.seated_game));
                rows::rows(&self.series, *block, games)
            }
            EffectsPiece::ForkPass(_) => Vec::new(),
        }
    }
}

impl Effects {
    fn filter(&self) -> ItemFilter {
        ItemFilter(self.items.clone())
    }

    /// Returns the items that declarations tell apart, as far as they are asked about.
    fn declared(&self) -> Vec<DeclaredReport> {
        let (game, filter) = (&self.series.game.0, self.filter());
        let is_asked = |pair: &DeclaredPair| {
            let both = [pair.definition, pair.than];
            if pair.is_worse {
                filter.has_definition(both[0])
            } else {
                both.iter().any(|one| filter.has_definition(*one))
            }
        };
        let report = |DeclaredPair { definition, than, differences, is_worse }| {
            let (sort, name) = Item::Definition(definition).kind_and_name(game);
            DeclaredReport { sort, name, than: Item::Definition(than).kind_and_name(game).1, differences, is_worse }
        };
        declared_pairs(game).into_iter().filter(is_asked).map(report).collect()
    }

    /// Plays every block twice: to count offers, then again with forks. `progress` gets the number of finished
    /// blocks of both passes and returns whether to continue.
    ///
    /// # Errors
    /// See [`Series::play`].
    pub fn run(&self, progress: impl FnMut(u64) -> bool) -> Result<EffectsReport, LabError> {
        run_experiment(self, progress)
    }
}

/// Returns the results of each role, tested for evenness. Cooperative and solo games have no test.
fn roles(series: &Series, metrics: &Metrics) -> Vec<RoleReport> {
    let players = series.game.1.players;
    let report = |subject| RoleReport {
        standing: RoleStanding::of(metrics, series, subject),
        p: metrics.p_uneven(subject, players),
        found: false,
    };
    let mut found: Vec<RoleReport> = played_roles(metrics).map(report).collect();
    discover(found.iter_mut().map(|role| (role.p, &mut role.found)));
    found
}

#[cfg(test)]
mod tests;
