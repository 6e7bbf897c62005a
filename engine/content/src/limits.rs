//! How much content may hold: numbers and sizes that the engine caps.

use std::ops::RangeInclusive;

/// Largest TOML or Markdown file, in bytes. Parsing TOML can take a hundred times its size in memory, and the square of it in time.
pub const MAX_TEXT: u64 = 128 << 10;
/// Bytes of what was learned.
pub const MAX_LEARNED: u64 = 256 << 10;
/// Most TOML in a game and its mods, in bytes.
pub(crate) const MAX_CONTENT: usize = 1 << 20;
/// Largest script, in bytes: compiling one huge straight line cannot be interrupted.
pub const MAX_SCRIPT: u64 = 64 << 10;
/// Longest text in a TOML file, in bytes: a script may show it thousands of times.
pub(crate) const MAX_PRINTED: usize = 2000;
/// Longest text that the verbs of a definition compose, in bytes: scripts hold no longer one.
pub(crate) const MAX_COMPOSED: usize = 64 << 10;
/// Most files in one folder of a pack.
pub(crate) const MAX_FILES: usize = 1000;

/// Most files and folders in a mod.
pub(crate) const MAX_MOD_FILES: usize = 2000;
/// Largest zip, and largest total size of a mod's files, in bytes.
pub(crate) const MAX_MOD_BYTES: u64 = 64 << 20;
/// Most folders inside one another in a mod.
pub(crate) const MAX_MOD_DEPTH: usize = 8;

/// Most players of any game.
pub(crate) const MAX_PLAYERS: i32 = 16;
/// Most rounds of any game.
pub(crate) const MAX_ROUNDS: i32 = 1000;
/// Most times a phase is played in a row.
pub(crate) const MAX_TIMES: i32 = 1000;
/// Largest value of a counter that sets no `max`.
pub(crate) const DEFAULT_MAX: i32 = 1_000_000;
/// Most columns or rows of a grid.
pub(crate) const MAX_LINES: i32 = 100;
/// Longest side of a hexagonal grid, in cells.
pub(crate) const MAX_SIDE: i32 = 50;
/// Longest list an attribute may declare.
pub(crate) const MAX_LENGTH: i32 = 1000;
/// Tokens of one definition.
pub(crate) const COPIES: RangeInclusive<i32> = 0..=1000;
/// Most values of one family, its members times their holders; and most members of all families of a section.
pub(crate) const MAX_FAMILY: usize = 100_000;
/// Most values of all families.
pub(crate) const MAX_FAMILIES: usize = 4 * MAX_FAMILY;
/// Most places of all grids, as often as there are copies of them.
pub(crate) const MAX_PLACES: usize = 200_000;
/// Most attribute values of all definitions.
pub(crate) const MAX_VALUES: usize = 500_000;
/// Most counters, zones or kinds in a row that are each `like` the next.
pub(crate) const MAX_LIKE: usize = 100;
/// Most definitions that a product makes.
pub(crate) const MAX_PRODUCT: usize = 1000;
