//! Experiments: which bot is better ([`Arena`]), what an edit of the content changes ([`Compare`]), what a card is worth ([`Effects`]), whether a
//! simple plan beats a bot ([`Exploit`]), and whether a game is as its `balance.toml` says ([`Balance`]).
//!
//! Whoever edits a card knows in a tenth of a second whether it can be played, and not at all what it does to the game. What is said
//! about that here comes with an interval, and can be repeated:
//!
//! - **The unit is a block** ([`Blocks`]): one seed, every cyclic seating of the bots. Intervals are bootstrapped over blocks.
//! - **What is compared is paired**: both versions of a game are played with the same seeds, seatings and bots.
//! - **Results depend on the packs, the setup, the seed and the bots only**, with any number of threads; processor time, which does not,
//!   stands apart. What may end early looks at the longest prefix of the blocks, never at the order in which threads finish.
//!
//! Direction: blocks, place, ratio, role, sequential <- series <- item, metric, rows <- course, fork, judge, luck, of_blocks <- arena,
//! balance, compare, effects, exploit <- level <- page
#![forbid(unsafe_code)]

mod arena;
mod balance;
mod blocks;
mod compare;
mod course;
mod effects;
mod exploit;
mod fork;
mod item;
mod judge;
mod level;
mod luck;
mod metric;
mod of_blocks;
mod page;
mod place;
mod ratio;
mod role;
mod rows;
mod sequential;
mod series;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use arena::{Arena, ArenaReport, Cost, Ladder, Notable, RoleStanding, Rung, Standing, doubled};
pub use balance::Balance;
pub use blocks::Blocks;
pub use compare::{Compare, CompareReport, MetricDifference, Opinion, Parting, Told};
pub use course::{Course, PLAYOUTS, Point};
pub use effects::columns::{Figure, ITEM_COLUMNS, ItemColumn, item_legend, sorted};
pub use effects::report::{Flag, ItemReport};
pub use effects::{Effects, EffectsReport};
pub use exploit::{Exploit, ExploitReport, PlanReport};
pub use judge::{Expectation, Finding, Judgement, SubjectFinding};
pub use level::{Followed, Length, Level, LevelReport, Variety};
pub use luck::{LuckReport, Together, TogetherReport};
pub use page::{Page, Shown, page};
pub use ratio::{Difference, Estimate};
pub use sequential::{Hypotheses, Verdict};
pub use series::{Block, LabError, Series, Sitting};
