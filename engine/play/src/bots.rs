//! Bots: programs that answer decisions, and the searches behind them.
//!
//! Each kind of bot is a [`BotKind`](kind::BotKind) in its own file and an entry in the list `KINDS` of `spec`.
//!
//! - **Search.** `halving` divides a budget among the choices of a decision, `trees` holds a tree for each seat, and
//!   `search` joins both. A node is the list of a seat's own answers since the search began, as codes that are equal in
//!   every determinization ([`Match::choice_codes`](motherlode::Match::choice_codes)). Often visited nodes are divided
//!   by the seat's observation into information sets. A tree therefore uses nothing that its seat does not know, and
//!   seats that answer at the same time choose independently.
//!   In a public game, all seats share one `graph` instead, whose nodes are positions. On shared boards, `lines` learns
//!   a value from the playouts of the graph, which steers the next ones.
//! - **Lookahead.** `lookahead` evaluates the position after a choice and its follow-up questions. `learned` plays by
//!   these estimates and divides its positions among the choices by halving; searches start from them. In a
//!   simultaneous phase, `regret` gives it a mixed strategy.
//! - **Patterns.** `pattern` names choices by names of the content, for plans, limits and `balance.toml`. A pattern is
//!   resolved to numbers, so a search can test it at every node. Plans and limits steer any bot through
//!   [`Bot::choose_among`](bot::Bot::choose_among). Limits also hold for the searching seat within its own tree.
//!
//! Direction: bot, form, halving, lines, pattern, reuse <- graph, guest, limits, network, plan, playout, policy, trees
//! <- kind, lookahead <- estimate, first, random, regret, rollout <- descent <- learned, search <- spec <- rollout_cost

pub(crate) mod bot;
mod descent;
pub(crate) mod estimate;
pub(crate) mod first;
pub(crate) mod form;
mod graph;
pub(crate) mod guest;
mod halving;
pub(crate) mod kind;
pub(crate) mod learned;
pub(crate) mod limits;
mod lines;
mod lookahead;
pub(crate) mod network;
pub(crate) mod pattern;
mod plan;
pub(crate) mod playout;
mod policy;
pub(crate) mod random;
mod regret;
pub(crate) mod reuse;
pub(crate) mod rollout;
pub(crate) mod rollout_cost;
pub(crate) mod search;
pub(crate) mod spec;
mod trees;
