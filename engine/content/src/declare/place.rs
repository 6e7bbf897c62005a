//! Zones and grids.

use crate::declare::counter::{Holder, Show, Visibility};
use crate::declare::option::Only;

/// An ordered list of tokens. The last token is the top.
#[derive(Debug, Clone, Default)]
pub struct Zone {
    /// Displayed label.
    pub text: String,
    /// `Game` or `Player`.
    pub per: Holder,
    /// Kinds of tokens it may hold (indices into `kinds`).
    pub holds: Vec<usize>,
    /// Its visibility.
    pub visible: Visibility,
    /// Whether everybody sees to whom a token of the zone is shown; otherwise only that player knows.
    pub open_looks: bool,
    /// Maximum number of tokens; `None`: unlimited.
    pub size: Option<u16>,
    /// Zone that refills this zone up to `size` after each hook (a display).
    pub refill: Option<usize>,
    /// Zone that is shuffled into this zone when this zone is empty and a token is drawn.
    pub reshuffle: Option<usize>,
    /// Definition as whose tokens listeners wait here: its kind (index into `kinds`), and its number there, from 0.
    pub listeners: Option<(usize, usize)>,
    /// Whether it is internal: visible to scripts and tests, not to players. Its contents must follow from public
    /// facts, and a redeal keeps them.
    pub internal: bool,
    /// When it is displayed to people.
    pub show: Show,
    /// Zones with the same group share a row; empty: a row of its own.
    pub group: String,
    /// The setups in which it exists.
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
    /// A hexagon of hexagonal cells with this many cells on a side; lines run in three directions.
    Hex {
        /// Cells on a side.
        side: u16,
    },
    /// Rows shifted by half a cell. A cell has up to six neighbours (left, right, two above, two below).
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
    /// Displayed label.
    pub text: String,
    /// `Game` or `Player`.
    pub per: Holder,
    /// Its geometry.
    pub shape: Shape,
    /// Names of missing cells. A hole does not interrupt a line.
    pub holes: Vec<String>,
    /// Cell counters drawn on the board, in this order (indices into `counters`).
    pub show: Vec<usize>,
    /// The kind whose definitions name the cells, row by row (index into `kinds`); `None`: cells are named by
    /// coordinates.
    pub names: Option<usize>,
    /// The setups in which it exists.
    pub only: Only,
}
