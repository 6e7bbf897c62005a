//! Experiments with bots and content. Each measures one question and reports confidence intervals:
//!
//! - [`Arena`]: which bot is stronger?
//! - [`Compare`]: which figures does an edit of the content change?
//! - [`Sweep`]: how do they depend on one declared number?
//! - [`Effects`]: how much does a card, an action or a role change the result?
//! - [`Exploit`]: does a simple plan beat a bot?
//! - [`Balance`]: does a game meet the expectations in its `balance.toml`?
//!
//! The check tells a designer at once whether a card works, but not what the card does to the game. These
//! experiments do, and anyone can repeat them:
//!
//! - **The unit is a block** ([`Blocks`]): one seed, played in every cyclic seating of the bots. Games of one
//!   block share a deal, so only blocks are independent observations. Intervals are bootstrapped over blocks.
//! - **Comparisons are paired.** Both versions of a game are played with the same seeds, seatings and bots.
//! - **Results are reproducible.** They depend only on the packs, the setup, the seed and the bots, not on the
//!   number of threads. Processor time is measured and reported apart. An experiment that can end early looks
//!   at blocks in order, never at the order in which threads finish.
//!
//! Terms: a **win share** is a share of first place, averaged over games (tied seats split it); it is **even**
//! at 1 divided by the number of players. If the goal of a game is a score or a margin, that is the [`Objective`]
//! instead of the win share, and even is a **lead** of 0: a seat's utility minus the mean utility of the others. A
//! **role** is a public card or counter that says what a seat plays as. An **item** is anything that can be chosen.
//! A **fork** plays one position to the end twice, with two different choices.
//!
//! Direction: blocks, scratch, win_share, ratio, role, sequential <- objective, item <- changed_items, item_use
//! <- series <- metric, rows, use_sums <- standing, trajectory, fork, judge, luck, block_experiment <-
//! arena, balance, compare, effects, exploit, stakes, sweep <- best, flows, league, quality, value_verdict <- self_play
//! <- page
#![forbid(unsafe_code)]

mod arena;
mod balance;
mod best;
mod block_experiment;
mod blocks;
mod changed_items;
mod compare;
mod effects;
mod exploit;
mod flows;
mod fork;
mod item;
mod item_use;
mod judge;
mod league;
mod luck;
mod metric;
mod objective;
mod page;
mod quality;
mod ratio;
mod role;
mod rows;
mod scratch;
mod self_play;
mod sequential;
mod series;
mod stakes;
mod standing;
mod sweep;
mod trajectory;
mod use_sums;
mod value_verdict;
mod win_share;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use arena::{Arena, ArenaReport, Cost, Ladder, NotableGame, OverFirst, Rung, Standing, ladder_specs};
pub use balance::Balance;
pub use best::{BestBotReport, BestBotSearch, Duel, DuelResult};
pub use blocks::Blocks;
pub use changed_items::{ChangedItem, ItemChange};
pub use compare::{ChangedItemReport, Compare, CompareReport, Divergence, MetricDifference, Opinion, RecordedDecision};
pub use effects::columns::{Figure, ItemColumn, item_columns, item_legend, sort_items};
pub use effects::flags::MIN_FLAG_BLOCKS;
pub use effects::report::{DeclaredReport, Flag, ItemReport, RoleReport};
pub use effects::{Effects, EffectsReport};
pub use exploit::{Exploit, ExploitReport, PlanReport};
pub use flows::CounterFlow;
pub use judge::{Expectation, Finding, Judgement, SubjectFinding};
pub use league::{League, LeagueRound};
pub use luck::{LuckReport, MixedTable, MixedTableReport};
pub use objective::Objective;
pub use page::{Page, ShownGame, page, sweep_page};
pub use quality::PlayQuality;
pub use ratio::{Difference, Estimate};
pub use self_play::{LengthDistribution, SelfPlay, SelfPlayReport, TrajectorySummary, Variety};
pub use sequential::{Hypotheses, Verdict};
pub use series::{Block, LabError, SeatedGame, Series};
pub use stakes::{Stakes, StakesReport};
pub use standing::RoleStanding;
pub use sweep::{Sweep, SweepFigure, SweepReport, SweepValue};
pub use trajectory::{PLAYOUTS, TrajectoryPoint, WinTrajectory};
pub use use_sums::UseMeasure;
pub use value_verdict::{IterationSummary, TrainingSummary, ValueVerdict, VerdictError, VerdictRow};
