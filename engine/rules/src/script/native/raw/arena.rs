//! Tables that a hook makes: they live until it ends.

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

/// A table: a list from 1, and other fields in the order in which they were added.
#[derive(Debug)]
#[repr(C)]
pub struct NewTable {
    /// The values from 1 on.
    pub list: *mut Value,
    /// Room of the list: values that are in use, perhaps `nil`.
    pub room: i64,
    /// The last place of the list that is not `nil`, or 0.
    pub last: i64,
    /// Places of the list that are not `nil`.
    pub used: i64,
    /// Other keys and values.
    pub fields: *mut [Value; 2],
    /// Number of other fields.
    pub count: u32,
    /// Room for other fields.
    pub space: u32,
    /// Whether Luau may keep whole numbers outside its list, so that a loop may visit them in another order.
    pub is_mixed: bool,
    /// Whether it is read-only.
    pub is_frozen: bool,
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

    /// An empty table with room for a list.
    pub fn table(&mut self, room: usize) -> Option<*mut NewTable> {
        let list = self.values(room)?;
        let table = self.take(size_of::<NewTable>())?.cast::<NewTable>();
        let empty = NewTable {
            list,
            room: room as i64,
            last: 0,
            used: 0,
            fields: std::ptr::null_mut(),
            count: 0,
            space: 0,
            is_mixed: false,
            is_frozen: false,
        };
        // SAFETY: `take` gave room for a table, aligned to 16 bytes.
        unsafe { table.write(empty) };
        Some(table)
    }

    /// Room for values, all `nil`.
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

impl NewTable {
    /// The value of a key.
    pub fn get(&self, key: Value) -> Value {
        if key.tag == i64::from(tag::INT) && (1..=self.room).contains(&key.payload) {
            // SAFETY: the list has this many values.
            return unsafe { *self.list.add(key.payload as usize - 1) };
        }
        self.others().iter().find(|[own, _]| *own == key).map_or(Value::NIL, |[_, value]| *value)
    }

    /// Its fields that are not in its list, those that are `nil` now too.
    pub fn others(&self) -> &[[Value; 2]] {
        if self.count == 0 {
            return &[];
        }
        // SAFETY: so many fields were written.
        unsafe { std::slice::from_raw_parts(self.fields, self.count as usize) }
    }

    /// The values of the list.
    pub fn listed(&self) -> &[Value] {
        if self.room == 0 {
            return &[];
        }
        // SAFETY: the list has this many values.
        unsafe { std::slice::from_raw_parts(self.list, self.room as usize) }
    }

    /// Whether it has fields that are not in its list.
    pub fn has_others(&self) -> bool {
        self.others().iter().any(|[_, value]| value.tag != 0)
    }

    /// The number of its fields.
    pub fn count_fields(&self) -> usize {
        self.used as usize + self.others().iter().filter(|[_, value]| value.tag != 0).count()
    }

    /// Its length; `None`: Luau decides, because there is a gap, or a whole number beyond the list.
    pub fn length(&self) -> Option<usize> {
        let is_beyond = |key: &Value| key.tag == i64::from(tag::INT) && key.payload > self.last;
        let has_more = || self.others().iter().any(|[key, value]| value.tag != 0 && is_beyond(key));
        (self.used == self.last && !has_more()).then_some(self.last as usize)
    }

    /// Writes a value of the list.
    fn write(&mut self, place: i64, value: Value) {
        // SAFETY: the callers have checked that the list has this place.
        let own = unsafe { &mut *self.list.add(place as usize - 1) };
        self.used += i64::from(value.tag != 0) - i64::from(own.tag != 0);
        *own = value;
        if value.tag != 0 {
            self.last = self.last.max(place);
        } else if place == self.last {
            let before = self.listed()[..place as usize].iter().rposition(|value| value.tag != 0);
            self.last = before.map_or(0, |last| last as i64 + 1);
        }
    }

    /// Fills the places of an empty list with values, of which none is nil.
    pub fn fill(&mut self, values: impl Iterator<Item = Value>) {
        if self.room == 0 {
            return;
        }
        // SAFETY: the list has this many places.
        let list = unsafe { std::slice::from_raw_parts_mut(self.list, self.room as usize) };
        let mut count = 0;
        for (own, value) in list.iter_mut().zip(values) {
            *own = value;
            count += 1;
        }
        (self.used, self.last) = (count, count);
    }

    /// Removes the value at a place before the last one, and moves those behind it.
    pub fn remove(&mut self, place: i64) -> Value {
        let (from, last) = (place as usize - 1, self.last as usize);
        // SAFETY: the list has this many values.
        let list = unsafe { std::slice::from_raw_parts_mut(self.list, last) };
        let value = list[from];
        list[from..].rotate_left(1);
        self.write(self.last, Value::NIL);
        value
    }

    /// Sets the value of a key; `None`: there is no memory.
    pub fn put(&mut self, arena: &mut Arena, key: Value, value: Value) -> Option<()> {
        if key.tag == i64::from(tag::INT) {
            if (1..=self.room).contains(&key.payload) {
                self.write(key.payload, value);
                return Some(());
            }
            if key.payload == self.room + 1 && value.tag != 0 {
                self.grow(arena)?;
                return self.put(arena, key, value);
            }
        }
        for at in 0..self.count as usize {
            // SAFETY: so many fields were written.
            let field = unsafe { &mut *self.fields.add(at) };
            if field[0] == key {
                field[1] = value;
                return Some(());
            }
        }
        if value.tag == 0 {
            return Some(());
        }
        if self.count == self.space {
            let space = (self.space * 2).max(4);
            let fields = arena.take(space as usize * size_of::<[Value; 2]>())?.cast::<[Value; 2]>();
            if self.count > 0 {
                // SAFETY: two different pieces of the arena, both with room for `count` fields.
                unsafe { std::ptr::copy_nonoverlapping(self.fields, fields, self.count as usize) };
            }
            (self.fields, self.space) = (fields, space);
        }
        // SAFETY: there is room for one more.
        unsafe { self.fields.add(self.count as usize).write([key, value]) };
        self.count += 1;
        Some(())
    }

    /// Doubles the room of the list, and moves fields that then belong to it.
    fn grow(&mut self, arena: &mut Arena) -> Option<()> {
        let room = (self.room as usize * 2).max(1);
        let list = arena.values(room)?;
        if self.room > 0 {
            // SAFETY: two different pieces of the arena, both with room for the list.
            unsafe { std::ptr::copy_nonoverlapping(self.list, list, self.room as usize) };
        }
        (self.list, self.room) = (list, room as i64);
        for at in 0..self.count as usize {
            // SAFETY: so many fields were written.
            let [key, value] = unsafe { &mut *self.fields.add(at) };
            if key.tag == i64::from(tag::INT) && (1..=self.room).contains(&key.payload) {
                // Its old key becomes one that no lookup finds.
                let moved = (key.payload, *value);
                (*key, *value) = (Value::NIL, Value::NIL);
                self.write(moved.0, moved.1);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(payload: i64) -> Value {
        Value::int(payload)
    }

    #[test]
    fn lists_grow_and_have_lengths() {
        let mut arena = Arena::new();
        // SAFETY: the arena outlives the table.
        let table = unsafe { &mut *arena.table(0).unwrap() };
        for n in 1..=20 {
            table.put(&mut arena, int(n), int(n * 10)).unwrap();
            assert_eq!(table.length(), Some(n as usize));
        }
        assert_eq!((table.get(int(20)), table.get(int(21))), (int(200), Value::NIL));
        assert_eq!((table.remove(3), table.get(int(3)), table.length()), (int(30), int(40), Some(19)));
        table.put(&mut arena, int(5), Value::NIL).unwrap();
        assert_eq!(table.length(), None, "a list with a gap");
        table.put(&mut arena, int(19), Value::NIL).unwrap();
        table.put(&mut arena, int(5), int(1)).unwrap();
        assert_eq!(table.length(), Some(18));
    }

    #[test]
    fn fields_move_into_the_list_that_reaches_them() {
        let mut arena = Arena::new();
        // SAFETY: the arena outlives the table.
        let table = unsafe { &mut *arena.table(1).unwrap() };
        let text = Value { payload: 7, tag: i64::from(tag::TEXT) };
        for key in [int(4), text, int(1), int(2), int(3)] {
            table.put(&mut arena, key, int(key.payload)).unwrap();
        }
        assert_eq!((table.length(), table.get(text), table.get(int(4))), (Some(4), int(7), int(4)));
        assert!(table.has_others());
        table.put(&mut arena, text, Value::NIL).unwrap();
        assert!(!table.has_others());
    }

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
