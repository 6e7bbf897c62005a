//! Bots: programs that answer decisions, and the searches behind them.
//!
//! Each kind of bot is a [`BotKind`](kind::BotKind) in its own file and an entry in the list `KINDS` of `spec`.
//!
//! Direction: bot, form, halving, pattern, reuse <- limits, plan, playout, policy, trees <- kind, lookahead <- estimate, first, random,
//! rollout <- descent <- learned, search <- spec <- rollout_cost

pub(crate) mod bot;
mod descent;
pub(crate) mod estimate;
pub(crate) mod first;
pub(crate) mod form;
mod halving;
pub(crate) mod kind;
pub(crate) mod learned;
pub(crate) mod limits;
mod lookahead;
pub(crate) mod pattern;
mod plan;
pub(crate) mod playout;
mod policy;
pub(crate) mod random;
pub(crate) mod reuse;
pub(crate) mod rollout;
pub(crate) mod rollout_cost;
pub(crate) mod search;
pub(crate) mod spec;
mod trees;
