//! Values of a running hook, and the memory of its tables, which live until it ends.

use std::alloc::{Layout, alloc_zeroed, dealloc};

use crate::script::native::ty::tag;

/// A value of a running hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Value {
    /// Its payload; see [`tag`](crate::script::native::ty::tag).
    pub payload: i64,
    /// Its tag.
    pub tag: i64,
}

impl From<(i64, i64)> for Value {
    fn from((payload, tag): (i64, i64)) -> Self {
        Self { payload, tag }
    }
}

impl Value {
    /// `nil`.
    pub const NIL: Self = Self { payload: 0, tag: 0 };

    /// `false`.
    pub const FALSE: Self = Self { payload: 0, tag: tag::FALSE as i64 };

    /// An integer.
    #[must_use]
    pub const fn int(payload: i64) -> Self {
        Self { payload, tag: tag::INT as i64 }
    }
}

/// Memory of one hook: freed as a whole.
#[derive(Debug)]
pub struct Arena {
    blocks: Vec<*mut u8>,
    block: usize,
    at: usize,
}

const BLOCK: usize = 64 << 10;
/// Most blocks of a hook: 16 MiB, half of what Luau may use.
const MOST_BLOCKS: usize = 256;

impl Arena {
    /// An arena without memory.
    #[must_use]
    pub const fn new() -> Self {
        Self { blocks: Vec::new(), block: 0, at: BLOCK }
    }

    /// Forgets everything.
    #[inline]
    pub fn clear(&mut self) {
        (self.block, self.at) = (0, if self.blocks.is_empty() { BLOCK } else { 0 });
    }

    /// Room for bytes, aligned for values; `None`: there is none.
    #[inline]
    pub fn take(&mut self, bytes: usize) -> Option<*mut u8> {
        let bytes = bytes.next_multiple_of(16);
        if self.at + bytes > BLOCK {
            self.next_block(bytes)?;
        }
        // SAFETY: the block has `BLOCK` bytes, and the check above leaves room for these.
        let out = unsafe { self.blocks[self.block].add(self.at) };
        self.at += bytes;
        Some(out)
    }

    /// Copies the memory in use.
    pub fn copy(&self, into: &mut Vec<u8>) {
        into.clear();
        for (number, &block) in self.blocks.iter().enumerate().take(self.block + 1) {
            let len = if number < self.block { BLOCK } else { self.at };
            // SAFETY: the block has `BLOCK` bytes, which are initialised from the start.
            into.extend_from_slice(unsafe { std::slice::from_raw_parts(block, len) });
        }
    }

    /// Puts a copy of its memory back where it was.
    pub fn put_back(&mut self, copy: &[u8]) {
        self.clear();
        for (number, (bytes, &block)) in copy.chunks(BLOCK).zip(&self.blocks).enumerate() {
            // SAFETY: the block has `BLOCK` bytes, and the copy is elsewhere.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), block, bytes.len()) };
            (self.block, self.at) = (number, bytes.len());
        }
    }

    #[cold]
    fn next_block(&mut self, bytes: usize) -> Option<()> {
        if bytes > BLOCK {
            return None;
        }
        let next = if self.blocks.is_empty() { 0 } else { self.block + 1 };
        if next == self.blocks.len() {
            if next == MOST_BLOCKS {
                return None;
            }
            // SAFETY: the size is not zero.
            let block = unsafe { alloc_zeroed(Self::layout()) };
            if block.is_null() {
                return None;
            }
            self.blocks.push(block);
        }
        (self.block, self.at) = (next, 0);
        Some(())
    }

    fn layout() -> Layout {
        Layout::new::<[u128; BLOCK / 16]>()
    }

    /// Room for values, all `nil`; `None`: there is none.
    pub fn values(&mut self, room: usize) -> Option<*mut Value> {
        if room == 0 {
            return Some(std::ptr::null_mut());
        }
        let out = self.take(room.checked_mul(size_of::<Value>())?)?.cast::<Value>();
        for at in 0..room {
            // SAFETY: `take` gave room for this many values.
            unsafe { out.add(at).write(Value::NIL) };
        }
        Some(out)
    }
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for block in &self.blocks {
            // SAFETY: made by `alloc` with this layout, freed once.
            unsafe { dealloc(*block, Self::layout()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arena_is_used_again_and_has_an_end() {
        let mut arena = Arena::new();
        let first = arena.take(64).unwrap();
        arena.clear();
        assert_eq!(arena.take(64), Some(first));
        assert_eq!(arena.take(BLOCK + 1), None);
        assert!((0..).map_while(|_| arena.take(BLOCK)).take(2 * MOST_BLOCKS).count() <= MOST_BLOCKS);
    }
}
