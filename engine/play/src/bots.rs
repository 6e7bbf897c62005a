//! Bots: programs that answer decisions, and the searches behind them.
//!
//! A kind of bot is a [`BotKind`](kind::BotKind) in its file and a line in the list of `spec`.
//!
//! Direction: bot, form, halving, pattern, reuse <- habits, limits, plan, playout, trees <- kind, look <- estimate, first, random,
//! rollout <- descent <- learned, search <- spec <- rollout_cost

pub(crate) mod bot;
mod descent;
pub(crate) mod estimate;
pub(crate) mod first;
pub(crate) mod form;
mod habits;
mod halving;
pub(crate) mod kind;
pub(crate) mod learned;
pub(crate) mod limits;
mod look;
pub(crate) mod pattern;
mod plan;
pub(crate) mod playout;
pub(crate) mod random;
pub(crate) mod reuse;
pub(crate) mod rollout;
pub(crate) mod rollout_cost;
pub(crate) mod search;
pub(crate) mod spec;
mod trees;
