//! The arguments that set up a match, shared by all subcommands that play.

use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};

use motherlode::{Game, Setup};

use crate::fault::Fault;
use crate::number::whole_number;
use crate::paint;

/// Players, options and seed.
#[derive(Debug, Clone, clap::Args)]
pub struct SetupArgs {
    /// Number of players [default: set by the game]
    #[arg(short, long, value_name = "N", value_parser = whole_number(1..=u8::MAX))]
    pub players: Option<u8>,
    #[command(flatten)]
    pub variant: VariantArgs,
}

/// Options and seed.
#[derive(Debug, Clone, clap::Args)]
pub struct VariantArgs {
    /// Seed of all random events [default: random in play, table and stdio, else 1]
    #[arg(short, long, value_name = "S", value_parser = whole_number(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Set an option of the game, as listed by `lode games`; may be repeated
    #[arg(short, long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub options: Vec<(String, String)>,
}

impl SetupArgs {
    /// The setup for a game, with its options resolved; `seed` is the default.
    pub fn setup(&self, game: &Game, seed: u64) -> Result<Setup, Fault> {
        self.variant.setup(game, self.players, seed)
    }
}

impl VariantArgs {
    /// The setup for a game, with its options resolved; `seed` is the default.
    pub fn setup(&self, game: &Game, players: Option<u8>, seed: u64) -> Result<Setup, Fault> {
        let names = self.options.iter().map(|(name, _)| name);
        if let Some(twice) = names.enumerate().find_map(|(i, name)| self.options[..i].iter().find(|one| one.0 == *name))
        {
            return Err(Fault::usage(format!("option `{}` is given twice: give it once", twice.0)));
        }
        game.setup(players, &self.options, self.seed.unwrap_or(seed)).map_err(|error| Fault::usage(error.to_string()))
    }
}

/// Parses `NAME=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_string(), value.trim().to_string())),
        _ => Err("use NAME=VALUE".to_string()),
    }
}

/// A random seed, short enough to retype and exact as a float in every language.
pub fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// A game and its mods in load order: `checkers + kings 1.0.0`.
pub fn title(game: &Game) -> String {
    let mods = game.mods().iter().map(ToString::to_string);
    std::iter::once(game.declarations().id.clone()).chain(mods).collect::<Vec<_>>().join(" + ")
}

/// Describes a setup: `checkers: 4 players, seed 7, towers=6`.
pub fn describe(game: &Game, setup: &Setup) -> String {
    describe_for(game, &[setup.players], setup)
}

/// Describes a setup for several numbers of players: `checkers: 2, 3 or 4 players, seed 7, towers=6`.
pub fn describe_for(game: &Game, players: &[u8], setup: &Setup) -> String {
    let (last, others) = players.split_last().unwrap_or((&setup.players, &[]));
    let others: Vec<String> = others.iter().map(u8::to_string).collect();
    let or = if others.is_empty() { "" } else { " or " };
    let players = format!("{}{or}{}", others.join(", "), paint::plural(*last, "player"));
    let mut text = format!("{}: {players}, seed {}", title(game), setup.seed);
    for (name, value) in &setup.options {
        // Writing to a string does not fail.
        let _ = write!(text, ", {name}={value}");
    }
    text
}

/// The options of a setup as command-line flags: ` -o towers=6`.
pub fn option_flags(setup: &Setup) -> String {
    setup.options.iter().map(|(name, value)| format!(" -o {name}={value}")).collect()
}
