//! Bots: programs that answer decisions, and the searches behind them.
//!
//! Direction: bot, halving, pattern, reuse <- habits, limits, plan, playout, trees <- estimate, look, rollout <- descent <- learned <-
//! search <- spec <- rollout_cost

pub(crate) mod bot;
mod descent;
pub(crate) mod estimate;
mod habits;
mod halving;
pub(crate) mod learned;
pub(crate) mod limits;
mod look;
pub(crate) mod pattern;
mod plan;
pub(crate) mod playout;
pub(crate) mod reuse;
pub(crate) mod rollout;
pub(crate) mod rollout_cost;
pub(crate) mod search;
pub(crate) mod spec;
mod trees;
