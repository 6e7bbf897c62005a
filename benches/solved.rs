//! Bots against perfect play, in games that a program can solve.
//!
//! `cargo bench --bench solved` plays them all in a few minutes; `-- BOT` takes another bot than `search`, such as
//! `rollout`; `-- --quick` (or `LODE_BENCH=short`) plays a tenth of the games. `-- --only=connect_four` plays one game,
//! and `-- --first=1000000` plays other positions of Connect Four. `-- search:B+learned:FILE` puts each budget for `B`.

#[path = "solved/connect_four.rs"]
mod connect_four;
#[path = "solved/kuhn.rs"]
mod kuhn;
#[path = "solved/last_stone.rs"]
mod last_stone;
#[path = "solved/tictactoe.rs"]
mod tictactoe;

use std::env;
use std::path::Path;

use motherlode::{Game, Match, Pack};
use motherlode_play::{Bot, bot};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let is_short = args.iter().any(|arg| arg == "--quick") || env::var("LODE_BENCH").is_ok_and(|form| form == "short");
    let kind = args.iter().find(|arg| !arg.starts_with('-')).map_or("search", String::as_str);
    let games = if is_short { 0.1 } else { 1.0 };
    let value_of = |option: &str| args.iter().find_map(|arg| arg.strip_prefix(option));
    let first = value_of("--first=").map_or(0, |seed| seed.parse().expect("a seed is a number"));
    let only = value_of("--only=");
    let is_played = |game: &str| only.is_none_or(|only| only == game);
    if is_played("tictactoe") {
        tictactoe::measure(kind, games);
    }
    if is_played("last_stone") {
        last_stone::measure(kind, games);
    }
    if is_played("connect_four") {
        connect_four::measure(kind, games, first);
    }
    if is_played("kuhn") {
        kuhn::measure(kind, games);
    }
}

/// A game of the benches.
fn load(id: &str) -> Game {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/packs");
    let pack = Pack::open(&root, id).expect("the pack can be read");
    Game::load(&pack).expect("the pack has no faults")
}

/// A bot that spends `budget` playouts on a decision.
fn bot_of(kind: &str, budget: u32, game: &Game, seed: u64) -> Box<dyn Bot> {
    let spec = match kind.split_once(":B") {
        Some((kind, rest)) => format!("{kind}:{budget}{rest}"),
        None => format!("{kind}:{budget}"),
    };
    bot(&spec, game, seed).expect("a kind of bot with a budget")
}

/// The index of the bot's choice.
fn choice_of(bot: &mut dyn Bot, m: &Match) -> usize {
    let decision = m.decision().expect("a match that is not over has a decision");
    bot.choose(m, decision).expect("the bot chooses")
}

/// The share with its 95 % interval (Wilson 1927), in percent.
fn share(hits: u32, trials: u32) -> String {
    let (n, z) = (f64::from(trials.max(1)), 1.96);
    let p = f64::from(hits) / n;
    let (centre, width) = (p + z * z / (2.0 * n), z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt());
    let of = |x: f64| 100.0 * x / (1.0 + z * z / n);
    format!("{hits} of {trials} ({:.1} %, {:.1} to {:.1})", 100.0 * p, of(centre - width).max(0.0), of(centre + width))
}
