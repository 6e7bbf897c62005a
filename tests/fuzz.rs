//! Fuzzing: inputs at random, and whether what they reach is what may be reached. No input may make the engine panic, run on, grow or
//! contradict itself, whatever else it says.
//!
//! An input is a list of numbers, its genes; what a gene means is for the target to say: one piece of damage, one call, one answer,
//! one line. An input that reaches an outcome never seen before (a message with its names and numbers taken out, a shape of a position)
//! joins the corpus, and most inputs are made from those of the corpus. So the search follows what the engine does, without any
//! instrumentation of it: it runs on stable, in the build of all other tests.
//!
//! `cargo test` tries a few hundred inputs of each target. At length, for so many seconds each, on all threads, or those named:
//!
//! ```sh
//! LODE_FUZZ=3600 cargo test --test tests fuzz::calls -- --nocapture
//! LODE_FUZZ=3600 LODE_FUZZ_THREADS=1 LODE_FUZZ_SEED=7 cargo test --test tests fuzz:: -- --nocapture --test-threads 1
//! ```
//!
//! A finding is printed with the shortest input that still leads to it, as a command. What was found has a test of its own beside the
//! part of the engine that was wrong; genes are no fixtures, because what they mean changes with the content.

mod driver;
/// Genes become changes of a text: TOML, Luau or JSON.
mod mangle;

/// Games: files of the shipped games, damaged.
mod packs;

/// Matches: everything that a program may ask of one, in any order.
mod matches;

/// Calls: all that a script may call, with any arguments.
mod calls;

/// Saved matches: as bytes, and as JSON.
mod saves;

/// Journals of servers: as bytes, and line by line.
#[cfg(feature = "table")]
mod journals;

/// Mods: their files, and archives of them.
mod mods;

/// Lines: the protocol of `lode stdio`.
mod lines;

/// Shards: pieces of runs that others have played.
mod shards;

/// Redeals of made games.
mod redeals;

/// Values: files of what bots have learned.
mod values;

/// Bots by their specs, and plans and expectations that name choices.
mod specs;
