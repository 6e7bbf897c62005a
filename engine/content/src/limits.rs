//! Limits of content: maximum numbers and sizes.

use std::ops::RangeInclusive;

/// Maximum size of a TOML or Markdown file, in bytes. Parsing TOML can take a hundred times its size in memory, and
/// quadratic time.
pub const MAX_TEXT: u64 = 128 << 10;
/// Maximum size of an image, in bytes.
pub(crate) const MAX_IMAGE: u64 = 1 << 20;
/// Maximum size of a learned value, in bytes.
pub const MAX_LEARNED: u64 = 256 << 10;
/// Maximum number of icons.
pub(crate) const MAX_ICONS: usize = 200;
/// Maximum length of the drawing of an icon, in bytes.
pub(crate) const MAX_ICON_PATH: usize = 1000;
/// Maximum TOML in a game and its mods, in bytes.
pub(crate) const MAX_CONTENT: usize = 1 << 20;
/// Maximum size of a script, in bytes, because compiling one huge expression cannot be interrupted.
pub const MAX_SCRIPT: u64 = 64 << 10;
/// Maximum length of a text in a TOML file, in bytes, because a script may show it thousands of times.
pub(crate) const MAX_PRINTED: usize = 2000;
/// Maximum length of a definition's composed text, in bytes: the limit for texts of scripts.
pub(crate) const MAX_COMPOSED: usize = 64 << 10;
/// Maximum files in one folder of a pack.
pub(crate) const MAX_FILES: usize = 1000;

/// Maximum files and folders in a mod.
pub(crate) const MAX_MOD_FILES: usize = 2000;
/// Maximum size of a zip, and of a mod's files together, in bytes.
pub(crate) const MAX_MOD_BYTES: u64 = 64 << 20;
/// Maximum depth of folders in a mod.
pub(crate) const MAX_MOD_DEPTH: usize = 8;

/// Maximum players.
pub(crate) const MAX_PLAYERS: i32 = 16;
/// Maximum rounds.
pub(crate) const MAX_ROUNDS: i32 = 1000;
/// Maximum times that a phase is played in a row.
pub(crate) const MAX_TIMES: i32 = 1000;
/// Default maximum of a counter.
pub(crate) const DEFAULT_MAX: i32 = 1_000_000;
/// Largest number of steps in a whole, for counters of fractions.
pub(crate) const MAX_STEPS: i32 = 1000;
/// Maximum columns or rows of a grid.
pub(crate) const MAX_LINES: i32 = 100;
/// Maximum side of a hexagonal grid, in cells.
pub(crate) const MAX_SIDE: i32 = 50;
/// Maximum declared length of a list.
pub(crate) const MAX_LENGTH: i32 = 1000;
/// Hooks of one list.
pub(crate) const HOOK_LIST: RangeInclusive<i32> = 1..=100;
/// Tokens of one definition.
pub(crate) const COPIES: RangeInclusive<i32> = 0..=1000;
/// Maximum values of one family, its members times their holders; and maximum members of all families of a section.
pub(crate) const MAX_FAMILY: usize = 100_000;
/// Maximum values of all families.
pub(crate) const MAX_FAMILIES: usize = 4 * MAX_FAMILY;
/// Maximum places of all copies of all grids.
pub(crate) const MAX_PLACES: usize = 200_000;
/// Maximum attribute values of all definitions.
pub(crate) const MAX_VALUES: usize = 500_000;
/// Maximum length of a chain of `like`.
pub(crate) const MAX_LIKE: usize = 100;
/// Maximum definitions made by a product.
pub(crate) const MAX_PRODUCT: usize = 1000;
