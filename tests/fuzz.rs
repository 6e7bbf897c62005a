//! Fuzzing: random inputs must never make the engine panic, hang, grow without bound or contradict itself.
//!
//! An input is a list of numbers, its genes. The target gives each gene a meaning: one piece of damage, one call, one answer or
//! one line. An input that reaches a new outcome (a message without names and numbers, or a position's shape)
//! joins the corpus, and most inputs are mutations of the corpus. So the search follows the engine's behaviour without
//! instrumentation: it runs on stable Rust, in the build of all other tests.
//!
//! `cargo test` tries a few hundred inputs of each target. Longer runs, with seconds per target and all threads by default:
//!
//! ```sh
//! LODE_FUZZ=3600 cargo test --test tests fuzz::calls -- --nocapture
//! LODE_FUZZ=3600 LODE_FUZZ_THREADS=1 LODE_FUZZ_SEED=7 cargo test --test tests fuzz:: -- --nocapture --test-threads 1
//! ```
//!
//! A finding prints the command for its shortest failing input. Each fixed finding has a test beside the repaired part of
//! the engine. Genes are no fixtures, because their meaning changes with the content.

mod driver;
/// Text mutations driven by genes: TOML, Luau or JSON.
mod mangle;

/// Damaged files of the shipped games.
mod packs;

/// All match operations, in any order.
mod matches;

/// All script functions, with any arguments.
mod calls;

/// Saved matches, damaged as bytes and as JSON.
mod saves;

/// Server journals, damaged as bytes and line by line.
#[cfg(feature = "table")]
mod journals;

/// Mods, damaged as files and as archives.
mod mods;

/// The line protocol of `lode stdio`.
mod lines;

/// Shards of runs.
mod shards;

/// Redeals of generated games.
mod redeals;

/// Value files of trained bots.
mod values;

/// Bot specs, plans and expectations.
mod specs;
