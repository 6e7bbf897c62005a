//! Tables that a hook makes, in the shape that Luau gives them.
//!
//! Luau charges for large memory when a table grows, and puts whole numbers into an array or among other fields then. So a
//! table here grows when Luau's grows, to the same size: `rehash`, `computesizes`, `adjustasize` and `resize` in Luau's
//! `ltable.cpp`.

use crate::script::machine::budget::{Allocation, Budget, LARGE};
use crate::script::native::raw::arena::{Arena, Value};
use crate::script::native::ty::tag;

/// Maximum other fields of a table.
pub const MOST_FIELDS: usize = 64;
/// The largest whole number that may belong to a list, as a power of 2.
const MOST_BITS: usize = 26;

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
    fields: *mut [Value; 2],
    /// Number of other fields, those that are `nil` now too.
    count: u32,
    /// Number of other fields that are `nil` now.
    gone: u32,
    /// Room for other fields: 0, or a power of 2.
    space: u32,
    /// Whether Luau's table may have other sizes: where it puts a field depends on hashes once others are gone.
    pub is_doubtful: bool,
    /// Whether Luau may keep whole numbers outside its list, so that a loop may visit them in another order.
    pub is_mixed: bool,
    /// Whether it is read-only.
    pub is_frozen: bool,
}

impl NewTable {
    /// An empty table with room for a list and for other fields, which is charged; `None`: there is no memory.
    pub fn make(arena: &mut Arena, budget: &Budget, room: usize, fields: usize) -> Option<*mut Self> {
        let table = arena.take(size_of::<Self>())?.cast::<Self>();
        let mut empty = Self {
            list: std::ptr::null_mut(),
            room: 0,
            last: 0,
            used: 0,
            fields: std::ptr::null_mut(),
            count: 0,
            gone: 0,
            space: 0,
            is_doubtful: false,
            is_mixed: false,
            is_frozen: false,
        };
        if room > 0 || fields > 0 {
            empty.resize(arena, budget, room, fields)?;
        }
        // SAFETY: `take` gave room for a table, aligned to 16 bytes.
        unsafe { table.write(empty) };
        Some(table)
    }

    /// The value of a key.
    pub fn get(&self, key: Value) -> Value {
        if self.is_listed(key) {
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
        self.count > self.gone
    }

    /// The number of its fields.
    pub fn count_fields(&self) -> usize {
        self.used as usize + (self.count - self.gone) as usize
    }

    /// Its length; `None`: Luau decides, because there is a gap, or perhaps a whole number beyond the list.
    pub fn length(&self) -> Option<usize> {
        let is_beyond = |key: &Value| key.tag == i64::from(tag::INT) && key.payload > self.last;
        let has_more = || self.others().iter().any(|[key, value]| value.tag != 0 && is_beyond(key));
        (self.used == self.last && !(self.is_doubtful && has_more())).then_some(self.last as usize)
    }

    /// Fills the places of an empty list with values, of which none is nil.
    pub fn fill(&mut self, values: impl Iterator<Item = Value>) {
        let mut count = 0;
        for (own, value) in self.list_mut().iter_mut().zip(values) {
            *own = value;
            count += 1;
        }
        (self.used, self.last) = (count, count);
    }

    /// Adds fields to an empty table without a list that has room for them.
    pub fn add_fields(&mut self, fields: &[[Value; 2]]) -> Option<()> {
        fields.iter().try_for_each(|field| self.push(*field))
    }

    /// Removes the value at a place before the last one, and moves those behind it.
    pub fn remove(&mut self, place: i64) -> Value {
        let (from, last) = (place as usize - 1, self.last as usize);
        let list = &mut self.list_mut()[from..last];
        let value = list[0];
        list.rotate_left(1);
        self.write(self.last, Value::NIL);
        value
    }

    /// Sets the value of a key; `None`: there is no memory, or Luau's table may have another size.
    pub fn put(&mut self, arena: &mut Arena, budget: &Budget, key: Value, value: Value) -> Option<()> {
        if self.is_listed(key) {
            self.write(key.payload, value);
            return Some(());
        }
        let Some(at) = self.others().iter().position(|field| field[0] == key) else {
            return self.insert(arena, budget, [key, value]);
        };
        // SAFETY: so many fields were written.
        let own = unsafe { &mut (*self.fields.add(at))[1] };
        let (had, has) = (own.tag != 0, value.tag != 0);
        *own = value;
        self.gone = self.gone + u32::from(had && !has) - u32::from(has && !had);
        // The collector may forget a text whose field is gone.
        self.is_doubtful |= had && !has && key.tag != i64::from(tag::INT);
        Some(())
    }

    /// Makes room for a list up to a place, as for the values of a constructor.
    pub fn reserve(&mut self, arena: &mut Arena, budget: &Budget, last: i64) -> Option<()> {
        if last <= self.room {
            return Some(());
        }
        let room = self.adjusted(last, Value::NIL);
        self.resize(arena, budget, room as usize, self.space as usize)
    }

    /// A copy of the same shape; `None`: there is no memory.
    pub fn copy(&self, arena: &mut Arena, budget: &Budget) -> Option<*mut Self> {
        let copy = Self::make(arena, budget, self.room as usize, self.space as usize)?;
        // SAFETY: made above; nothing else refers to it.
        let own = unsafe { &mut *copy };
        own.list_mut().copy_from_slice(self.listed());
        self.others().iter().try_for_each(|field| own.push(*field))?;
        (own.last, own.used) = (self.last, self.used);
        (own.is_doubtful, own.is_mixed) = (self.is_doubtful, self.is_mixed);
        Some(copy)
    }

    fn is_listed(&self, key: Value) -> bool {
        key.tag == i64::from(tag::INT) && (1..=self.room).contains(&key.payload)
    }

    fn list_mut(&mut self) -> &mut [Value] {
        if self.room == 0 {
            return &mut [];
        }
        // SAFETY: the list has this many values.
        unsafe { std::slice::from_raw_parts_mut(self.list, self.room as usize) }
    }

    /// Writes a value of the list, at a place that it has.
    fn write(&mut self, place: i64, value: Value) {
        let own = &mut self.list_mut()[place as usize - 1];
        let (had, has) = (own.tag != 0, value.tag != 0);
        *own = value;
        self.used += i64::from(has) - i64::from(had);
        if has {
            self.last = self.last.max(place);
        } else if place == self.last {
            let before = self.listed()[..place as usize].iter().rposition(|value| value.tag != 0);
            self.last = before.map_or(0, |last| last as i64 + 1);
        }
    }

    /// Adds a field for which there is room; `None`: there is none.
    fn push(&mut self, field: [Value; 2]) -> Option<()> {
        if self.count == self.space {
            return None;
        }
        // SAFETY: there is room for one more.
        unsafe { self.fields.add(self.count as usize).write(field) };
        self.count += 1;
        self.gone += u32::from(field[1].tag == 0);
        Some(())
    }

    /// Adds a key, even for `nil`.
    fn insert(&mut self, arena: &mut Arena, budget: &Budget, field: [Value; 2]) -> Option<()> {
        let [key, value] = field;
        let is_next = key == Value::int(self.room + 1);
        // Luau may use the place of a field that is gone.
        self.is_doubtful |= self.gone > 0 && !is_next;
        self.is_mixed |= self.is_doubtful && key.tag == i64::from(tag::INT) && !is_next;
        if !is_next && self.count < self.space {
            return self.push(field);
        }
        self.rehash(arena, budget, key)?;
        if self.is_listed(key) {
            self.write(key.payload, value);
            return Some(());
        }
        self.push(field)
    }

    /// Finds the best sizes of the list and of the other fields with a new key, and gives them.
    fn rehash(&mut self, arena: &mut Arena, budget: &Budget, key: Value) -> Option<()> {
        if self.space == 0 && self.used == self.room && key == Value::int(self.room + 1) {
            // A full list alone.
            return self.resize(arena, budget, (self.room as usize + 1).next_power_of_two(), 0);
        }
        // The whole numbers from 2^(n-1) + 1 to 2^n, for each n.
        let mut counts = [0; MOST_BITS + 1];
        let mut whole = 0;
        let mut count = |key: Value| {
            if key.tag == i64::from(tag::INT) && (1..=1 << MOST_BITS).contains(&key.payload) {
                counts[(key.payload as u64).next_power_of_two().trailing_zeros() as usize] += 1;
                whole += 1;
            }
        };
        (1..).zip(self.listed()).filter(|(_, value)| value.tag != 0).for_each(|(place, _)| count(Value::int(place)));
        self.others().iter().filter(|[_, value]| value.tag != 0).for_each(|[key, _]| count(*key));
        count(key);
        let (best, moved) = best_room(&counts, whole);
        let mut others = self.count_fields() + 1 - moved;
        let mut room = self.adjusted(best, key);
        if room > best {
            others -= (room - best) as usize;
            room = self.adjusted(room + (room - best), key);
        }
        self.resize(arena, budget, room as usize, others)
    }

    /// The room of a list after which no value follows.
    fn adjusted(&self, mut room: i64, key: Value) -> i64 {
        let may_follow = self.space > 0 || room < self.room;
        while key == Value::int(room + 1) || may_follow && self.get(Value::int(room + 1)).tag != 0 {
            room += 1;
        }
        room
    }

    /// Gives list and other fields new room, and moves what then belongs to the other.
    fn resize(&mut self, arena: &mut Arena, budget: &Budget, room: usize, fields: usize) -> Option<()> {
        let space = if fields == 0 { 0 } else { fields.next_power_of_two() };
        if space > MOST_FIELDS {
            return None;
        }
        let before = (self.list_mut() as *mut [Value], self.others() as *const [[Value; 2]]);
        // SAFETY: the arena keeps what it has given until it is cleared, and never gives it again before.
        let (list, others) = unsafe { (&*before.0, &*before.1) };
        if room > list.len() {
            self.list = arena.values(room)?;
            self.charge(budget, room * size_of::<Value>())?;
        }
        self.fields = std::ptr::null_mut();
        if space > 0 {
            self.fields = arena.take(space * size_of::<[Value; 2]>())?.cast();
            self.charge(budget, space * size_of::<[Value; 2]>())?;
        }
        (self.room, self.count, self.gone, self.space) = (room as i64, 0, 0, space as u32);
        let kept = room.min(list.len());
        if room > list.len() {
            self.list_mut()[..kept].copy_from_slice(list);
        }
        for (value, place) in list[kept..].iter().zip(kept as i64 + 1..).filter(|(value, _)| value.tag != 0) {
            self.push([Value::int(place), *value])?;
        }
        if kept < list.len() {
            let has = |place: &usize| list[*place].tag != 0;
            self.used = (0..kept).filter(has).count() as i64;
            self.last = (0..kept).rfind(has).map_or(0, |place| place as i64 + 1);
        }
        for [key, value] in others.iter().filter(|[_, value]| value.tag != 0) {
            if self.is_listed(*key) {
                self.write(key.payload, *value);
            } else {
                self.push([*key, *value])?;
            }
        }
        Some(())
    }

    /// Charges for memory as Luau does; `None`: nobody knows whether it does.
    fn charge(&self, budget: &Budget, bytes: usize) -> Option<()> {
        if self.is_doubtful && bytes >= LARGE {
            return None;
        }
        budget.charge_memory(Allocation::Object, 0, bytes);
        Some(())
    }
}

/// The largest room of which more than half is used, and how many of the whole numbers it holds.
fn best_room(counts: &[usize], whole: usize) -> (i64, usize) {
    let (mut room, mut held, mut below) = (0, 0, 0);
    for (bits, count) in counts.iter().enumerate() {
        let size = 1_usize << bits;
        if size / 2 >= whole {
            break;
        }
        below += count;
        if *count > 0 && below > size / 2 {
            (room, held) = (size as i64, below);
        }
        if below == whole {
            break;
        }
    }
    (room, held)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(payload: i64) -> Value {
        Value::int(payload)
    }

    fn with(
        room: usize,
        fields: usize,
        check: impl FnOnce(&mut NewTable, &mut dyn FnMut(&mut NewTable, Value, Value)),
    ) {
        let (mut arena, budget) = (Arena::new(), Budget::default());
        // SAFETY: the arena outlives the table.
        let table = unsafe { &mut *NewTable::make(&mut arena, &budget, room, fields).unwrap() };
        check(table, &mut |table, key, value| table.put(&mut arena, &budget, key, value).unwrap());
    }

    #[test]
    fn lists_grow_and_have_lengths() {
        with(0, 0, |table, put| {
            for n in 1..=20 {
                put(table, int(n), int(n * 10));
                assert_eq!((table.length(), table.room), (Some(n as usize), (n as u64).next_power_of_two() as i64));
            }
            assert_eq!((table.get(int(20)), table.get(int(21))), (int(200), Value::NIL));
            assert_eq!((table.remove(3), table.get(int(3)), table.length()), (int(30), int(40), Some(19)));
            put(table, int(5), Value::NIL);
            assert_eq!(table.length(), None, "a list with a gap");
            put(table, int(19), Value::NIL);
            put(table, int(5), int(1));
            assert_eq!(table.length(), Some(18));
        });
    }

    #[test]
    fn fields_move_into_the_list_that_reaches_them() {
        let text = Value { payload: 7, tag: i64::from(tag::TEXT) };
        with(1, 0, |table, put| {
            for key in [int(4), text, int(1), int(2), int(3)] {
                put(table, key, int(key.payload));
            }
            assert_eq!((table.length(), table.get(text), table.get(int(4))), (Some(4), int(7), int(4)));
            assert!(table.has_others());
            put(table, text, Value::NIL);
            assert!(!table.has_others() && table.is_doubtful);
        });
    }

    #[test]
    fn sizes_are_those_of_luau() {
        // More than half of 32 places are used, so the list takes them.
        with(16, 0, |table, put| {
            (1..=16).for_each(|n| put(table, int(n), int(1)));
            put(table, int(18), int(1));
            assert_eq!((table.room, table.space, table.length()), (32, 0, None));
        });
        // Whole numbers far apart stay outside, in room that doubles.
        with(0, 0, |table, put| {
            (1..=9).for_each(|n| put(table, int(n * 100), int(n)));
            assert_eq!((table.room, table.space, table.count, table.length()), (0, 16, 9, Some(0)));
            put(table, int(300), Value::NIL);
            assert_eq!((table.count_fields(), table.is_doubtful), (8, false));
            put(table, int(1000), int(1));
            assert!(table.is_doubtful && table.is_mixed);
        });
        assert_eq!(best_room(&[1, 1, 2, 0], 4), (4, 4));
        assert_eq!(best_room(&[0, 0, 1, 1], 2), (0, 0));
    }
}
