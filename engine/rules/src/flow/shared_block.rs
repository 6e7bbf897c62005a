//! State blocks that open calls share with snapshots.

use std::ops::Deref;
use std::sync::Arc;

use crate::state::Layout;

/// A state block. Snapshots share it with the match, so that neither a snapshot nor a restore copies it.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedBlock(Arc<[i32]>);

impl Deref for SharedBlock {
    type Target = [i32];

    #[inline]
    fn deref(&self) -> &[i32] {
        &self.0
    }
}

impl SharedBlock {
    /// The block, to change; copies it first if a snapshot shares it.
    pub fn to_mut(&mut self) -> &mut [i32] {
        Arc::make_mut(&mut self.0)
    }

    /// Replaces the block, without a copy of the old one.
    pub fn set(&mut self, layout: &Layout, from: &[i32]) {
        match Arc::get_mut(&mut self.0) {
            Some(into) if into.len() == from.len() => layout.copy_over(from, into),
            _ => self.0 = from.into(),
        }
    }

    /// Whether nothing else shares the block.
    #[inline]
    fn is_own(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }
}

/// Blocks that nothing shares any more, reused so that an answer allocates nothing.
#[derive(Debug, Default)]
pub(super) struct SpareBlocks(Vec<SharedBlock>);

impl SpareBlocks {
    /// Maximum spare blocks: each answer takes one at most, and each restore gives one back.
    const MOST: usize = 4;

    /// Writes a state into a block; if it is shared, into another one.
    #[inline]
    pub fn write(&mut self, layout: &Layout, from: &[i32], into: &mut SharedBlock) {
        if !into.is_own()
            && let Some(spare) = self.0.pop()
        {
            *into = spare;
        }
        into.set(layout, from);
    }

    /// Replaces a block by a shared one.
    pub fn share(&mut self, from: &SharedBlock, into: &mut SharedBlock) {
        let old = std::mem::replace(into, from.clone());
        if old.is_own() && self.0.len() < Self::MOST {
            self.0.push(old);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::fixture::Table;

    #[test]
    fn a_shared_block_is_never_written() {
        let layout = &Table::new(2).layout;
        let block = |value: i32| vec![value; layout.words];
        let (mut spare, mut open) = (SpareBlocks::default(), SharedBlock::default());
        spare.write(layout, &block(0), &mut open);
        let snapshot = open.clone();
        spare.write(layout, &block(0), &mut open);
        open.to_mut()[0] = 7;
        assert_eq!((open[0], snapshot[0]), (7, 0));
        spare.share(&snapshot, &mut open);
        assert_eq!((open.as_ptr(), spare.0.len()), (snapshot.as_ptr(), 1));
        open.to_mut()[1] = 8;
        assert_eq!((open[1], snapshot[1]), (8, 0));
    }
}
