//! Open sides of cards.

use motherlode::declare::{Attribute, AttributeType, Declarations, Definition, Shape, Value as Printed};
use serde::{Deserialize, Serialize};

/// A marked side of a card on a board, such as an exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Side {
    /// Rows down to the cell beyond the side.
    pub row: i32,
    /// Half cells to the right to the cell beyond the side.
    pub half: i32,
}

/// The sides that an attribute lists. Content lists them as definitions with the offset to the neighbouring cell, in
/// rows and columns. In an offset grid, odd rows are shifted by half a cell.
pub fn listed(d: &Declarations, shape: Option<Shape>, attribute: &Attribute, value: &Printed) -> Vec<Side> {
    let (AttributeType::List(of, _), Printed::List(list)) = (&attribute.of, value) else { return Vec::new() };
    let AttributeType::Id(kind) = **of else { return Vec::new() };
    let offsets = d.kinds.get_index(kind).and_then(|(_, declared)| declared.offset);
    let Some([row, column]) = offsets else { return Vec::new() };
    let offset = |at: usize, side: &Definition| match side.attributes.get(at) {
        Some(Printed::Integer(n)) => Some(*n),
        _ => None,
    };
    let side = |id: &Printed| {
        let Printed::Text(id) = id else { return None };
        let side = d.definitions_of(kind).iter().find(|side| side.id == *id)?;
        let (row, column) = (offset(row, side)?, offset(column, side)?);
        let aside = if matches!(shape, Some(Shape::Offset { .. })) { row.rem_euclid(2) } else { 0 };
        Some(Side { row, half: 2 * column + aside })
    };
    list.iter().filter_map(side).collect()
}
