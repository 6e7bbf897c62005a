//! Zones and grids.

use crate::declare::counter::{Holder, Show, Visibility};
use crate::declare::option::Only;

/// An ordered list of tokens. The last token is the top.
#[derive(Debug, Clone, Default)]
pub struct Zone {
    /// Shown label.
    pub text: String,
    /// `Game` or `Player`.
    pub per: Holder,
    /// Kinds of tokens it may hold (indices into `kinds`).
    pub holds: Vec<usize>,
    /// The seats that see it.
    pub visible: Visibility,
    /// Whether everybody sees to whom a token of the zone is shown. If not, only that player knows.
    pub open_looks: bool,
    /// Largest number of tokens; `None`: no limit.
    pub size: Option<u16>,
    /// A display: refilled up to `size` from this zone after each hook.
    pub refill: Option<usize>,
    /// When this zone is empty and a token is wanted, that zone is shuffled into it.
    pub reshuffle: Option<usize>,
    /// Bookkeeping: scripts and tests see it, players do not. What it holds must follow from what all of them see, and a redeal
    /// keeps it.
    pub internal: bool,
    /// When a table shows it to people.
    pub show: Show,
    /// The row of a table that it shares with others of this group; empty: a row of its own.
    pub group: String,
    /// When it exists.
    pub only: Only,
}

/// Geometry of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Squares with four neighbours.
    Square {
        /// Number of columns.
        columns: u16,
        /// Number of rows.
        rows: u16,
    },
    /// A hexagon of hexagons with this many cells on a side; three directions of lines.
    Hex {
        /// Cells on a side.
        side: u16,
    },
    /// Rows shifted by half a cell: up to six neighbours (left, right, two above, two below).
    Offset {
        /// Number of columns.
        columns: u16,
        /// Number of rows.
        rows: u16,
    },
}

impl Default for Shape {
    /// A single square.
    fn default() -> Self {
        Self::Square { columns: 1, rows: 1 }
    }
}

/// A board.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// Shown label.
    pub text: String,
    /// `Game` or `Player`.
    pub per: Holder,
    /// Its geometry.
    pub shape: Shape,
    /// Names of cells that do not exist as places. A hole does not cut a line.
    pub holes: Vec<String>,
    /// Cell counters drawn in a picture, in this order (indices into `counters`).
    pub show: Vec<usize>,
    /// The kind whose definitions name the cells, row by row (index into `kinds`); `None`: people read coordinates.
    pub names: Option<usize>,
    /// When it exists.
    pub only: Only,
}
