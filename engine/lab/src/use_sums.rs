//! Sums the uses of items over the games of one version.

use motherlode::Game;
use motherlode::declare::{Goal, OutcomeDecl};
use motherlode_play::{first_place, mix};
use serde::{Deserialize, Serialize};

use crate::item_use::ItemUse;
use crate::ratio::{DIFFERENCE_BOUNDS, Difference, Estimate, Ratio, SHARE_BOUNDS};
use crate::series::SeatedGame;

/// Derives the seeds of resamples from the seed of the series.
const USES: u64 = 0x0069_7465_6d73;

/// A quantity of the uses of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UseMeasure {
    /// Decisions per game that offer the item.
    Offered,
    /// Decisions per game that take it.
    Chosen,
    /// Decisions that take it divided by those that offer it.
    ChosenOfOffered,
    /// Points per game of the deciding seats while the rules resolve these decisions.
    Scored,
    /// Mean final score of the seats that took it.
    TakersScore,
    /// Mean win share of the seats that took it; only if players win or lose.
    TakersShare,
}

impl UseMeasure {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Offered, Self::Chosen, Self::ChosenOfOffered, Self::Scored, Self::TakersScore, Self::TakersShare];

    /// Returns its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Offered => "offered",
            Self::Chosen => "chosen",
            Self::ChosenOfOffered => "chosen share",
            Self::Scored => "scored",
            Self::TakersScore => "taker score",
            Self::TakersShare => "taker wins",
        }
    }

    /// Whether it is a share, from 0 to 1.
    #[must_use]
    pub fn is_share(self) -> bool {
        matches!(self, Self::ChosenOfOffered | Self::TakersShare)
    }
}

/// The uses of items in one version of a game, block by block.
#[derive(Debug, Clone)]
pub struct UseSums {
    /// By item and measure.
    ratios: Vec<[Ratio; UseMeasure::ALL.len()]>,
    declared: OutcomeDecl,
}

impl UseSums {
    /// Returns empty sums of this number of items.
    #[must_use]
    pub fn new(game: &Game, items: usize) -> Self {
        Self { ratios: vec![Default::default(); items], declared: game.declarations().outcome.clone() }
    }

    /// Adds the games of the next block, without the aborted ones.
    pub fn add(&mut self, games: &[SeatedGame]) {
        let games: Vec<&SeatedGame> = games.iter().filter(|game| game.row.aborted.is_none()).collect();
        for (place, ratios) in self.ratios.iter_mut().enumerate() {
            let mut sums = [(0.0, 0.0); UseMeasure::ALL.len()];
            for game in &games {
                let found = parts(&self.declared, game, game.items.get(place).copied().unwrap_or_default());
                for (sum, more) in sums.iter_mut().zip(found) {
                    *sum = (sum.0 + more.0, sum.1 + more.1);
                }
            }
            for (ratio, (part, whole)) in ratios.iter_mut().zip(sums) {
                ratio.push(part, whole);
            }
        }
    }

    fn ratio(&self, item: usize, measure: UseMeasure) -> Option<&Ratio> {
        let place = UseMeasure::ALL.iter().position(|other| *other == measure)?;
        self.ratios.get(item).map(|ratios| &ratios[place])
    }

    /// Returns a measurement with its interval. `seed` is that of the series.
    #[must_use]
    pub fn estimate(&self, item: usize, measure: UseMeasure, seed: u64) -> Option<Estimate> {
        let bounds = measure.is_share().then_some(SHARE_BOUNDS);
        self.ratio(item, measure)?.estimate(mix(seed, USES), bounds)
    }

    /// Returns a measurement of this version minus that of the base, block by block.
    #[must_use]
    pub fn difference_from(&self, base: &Self, item: usize, measure: UseMeasure, seed: u64) -> Option<Difference> {
        let bounds = measure.is_share().then_some(DIFFERENCE_BOUNDS);
        self.ratio(item, measure)?.difference_from(base.ratio(item, measure)?, mix(seed, USES), bounds)
    }
}

/// Returns the part and the whole of each measure in one game, in the order of [`UseMeasure::ALL`].
fn parts(declared: &OutcomeDecl, game: &SeatedGame, uses: ItemUse) -> [(f64, f64); UseMeasure::ALL.len()] {
    let row = &game.row;
    let (offered, chosen) = (f64::from(uses.offered), f64::from(uses.chosen));
    let scored = f64::from(uses.scored) / f64::from(row.unit.max(1));
    let (mut scores, mut shares) = ((0.0, 0.0), (0.0, 0.0));
    for seat in 0..row.scores.len() {
        if !uses.has_taker(seat) {
            continue;
        }
        scores = (scores.0 + row.score(seat), scores.1 + 1.0);
        if declared.goal == Goal::Rank && !declared.shared {
            shares = (shares.0 + first_place(row.won, &row.ranks, seat), shares.1 + 1.0);
        }
    }
    [(offered, 1.0), (chosen, 1.0), (chosen, offered), (scored, 1.0), scores, shares]
}
