//! The memory that machine code shares with the engine, and the functions that it calls.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::script::kernels::context::Context;
use crate::script::kernels::{Answer, KERNELS};
use crate::script::machine::budget::Budget;
use crate::script::machine::choices::{BUFFER_WORDS, MAX_CHOICES};
use crate::script::machine::{HookCopy, NIL, Question, Values};
use crate::script::native::raw::arena::{Arena, Value};
use crate::script::native::raw::table::NewTable;
use crate::script::native::ty::tag;
use crate::state::layout::{MAX_PLAYERS, word};
use crate::state::sight::Sight;
use crate::state::{Layout, Position};

/// Maximum arguments and results that are passed in memory.
pub const PASSED: usize = 32;

/// How a hook stands.
pub mod status {
    /// The hook runs.
    pub const RUNS: i64 = 0;
    /// Machine code cannot continue: Luau must run the hook from its start.
    pub const ENDS: i64 = 1;
    /// The hook asks, and was not called as one that asks.
    pub const NEEDS_COROUTINE: i64 = 2;
    /// The hook asks: its functions are leaving, and store what they need to continue.
    pub const ASKS: i64 = 3;
}

/// The memory of a running hook.
#[repr(C)]
pub struct Frame {
    /// The state block.
    pub state: *mut i32,
    /// The choice buffer.
    pub choices: *mut i32,
    /// The marks of written words.
    pub marks: *mut u8,
    /// The steps left.
    pub steps: *const Cell<i64>,
    /// The price of a safepoint.
    pub price: *const Cell<i64>,
    /// See [`status`].
    pub status: i64,
    /// The lowest address that the stack of machine code may reach.
    pub floor: i64,
    /// Whether the functions continue where they left.
    pub resumes: i64,
    /// The raw choice that answers the question.
    pub answer: i64,
    /// The next free place for what the functions of a suspended hook store.
    pub stored: *mut i64,
    /// The first place of what is stored.
    pub first: *mut i64,
    /// The options of the match, by place in their table.
    pub options: *const Value,
    /// The upvalues of a function that is called through a table of functions.
    pub upvalues: i64,
    /// Arguments of calls through a table of functions.
    pub arguments: [Value; PASSED],
    /// Results after the first.
    pub results: [Value; PASSED],
    /// Arguments of kernels.
    pub scratch: [i64; PASSED],
    /// Memory for what suspended functions store.
    pub store: Box<[i64]>,
    /// Memory for tables.
    pub arena: Arena,
    /// The working memory of kernels.
    pub context: *mut Context,
    /// The layout of the state block.
    pub layout: *const Layout,
    /// Number of words of the state block.
    pub state_len: usize,
    /// The list of the players who are in the game, with its key.
    pub players: (i64, *mut NewTable),
    /// The value that the hook keeps, `false` at its start.
    pub kept: Value,
    /// A number that no other frame of the process has.
    pub number: u64,
}

/// A [number](Frame::number) for a new frame.
pub fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl Frame {
    /// Copies the hook that waits for an answer here.
    pub fn copy_hook(&self, into: &mut HookCopy) {
        // SAFETY: both point into `store`, and what lies between them was written when the hook asked.
        let registers = unsafe { std::slice::from_raw_parts(self.first, self.stored.offset_from_unsigned(self.first)) };
        into.registers.clear();
        into.registers.extend_from_slice(registers);
        self.arena.copy(&mut into.tables);
        into.of = self.number;
        into.players = (self.players.0, self.players.1 as i64);
        into.kept = (self.kept.payload, self.kept.tag);
    }

    /// Puts a copied hook back; false: it is of another frame. Its addresses point into the arena of this frame, which
    /// has kept its blocks since.
    pub fn put_hook(&mut self, from: &HookCopy) -> bool {
        if from.of != self.number || from.registers.len() > self.store.len() {
            return false;
        }
        self.store[..from.registers.len()].copy_from_slice(&from.registers);
        self.first = self.store.as_mut_ptr();
        // SAFETY: the store is at least so long.
        self.stored = unsafe { self.first.add(from.registers.len()) };
        self.arena.put_back(&from.tables);
        self.players = (from.players.0, from.players.1 as *mut NewTable);
        self.kept = Value::from(from.kept);
        true
    }

    fn end(&mut self) {
        self.status = status::ENDS;
    }

    /// The memory of new tables, and the budget that pays for it.
    fn memory(&mut self) -> (&mut Arena, &Budget) {
        // SAFETY: the context lives as long as the VM, whose hook is running.
        (&mut self.arena, unsafe { &(*self.context).budget })
    }

    /// An empty table with room for a list and other fields; null: there is no memory, and the machine code ends.
    fn new_table(&mut self, room: usize, fields: usize) -> *mut NewTable {
        let (arena, budget) = self.memory();
        let made = NewTable::make(arena, budget, room, fields);
        self.or_end(made)
    }

    fn or_end(&mut self, made: Option<*mut NewTable>) -> *mut NewTable {
        made.unwrap_or_else(|| {
            self.end();
            std::ptr::null_mut()
        })
    }
}

/// Words that the functions of a suspended hook may store.
pub const MOST_STORED: usize = 16 << 10;

/// Runs a kernel with the arguments in `scratch`; the result is in `results`.
pub unsafe extern "C" fn kernel(frame: *mut Frame, index: i64) {
    // SAFETY: machine code passes the frame of the running hook; Rust holds no other reference to it or to the buffers,
    // whose addresses and lengths `Vm` has written.
    unsafe {
        let frame = &mut *frame;
        let kernel = &KERNELS[index as usize];
        let mut args = [0; 14];
        for (arg, given) in args.iter_mut().zip(&frame.scratch).take(kernel.args.len()) {
            *arg = *given as i32;
        }
        let words = std::slice::from_raw_parts_mut(frame.state, frame.state_len);
        let choices = std::slice::from_raw_parts_mut(frame.choices, BUFFER_WORDS);
        let (context, layout) = (&mut *frame.context, &*frame.layout);
        let run = || (kernel.run)(context, &mut Position::new(layout, words), choices, &args);
        frame.results[0] = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(Answer::Nothing)) => Value::NIL,
            Ok(Ok(Answer::Number(n))) => Value::int(i64::from(n)),
            Ok(Ok(Answer::List)) => {
                let list = std::mem::take(&mut context.traces.list);
                let table = frame.new_table(list.len(), 0);
                if !table.is_null() {
                    (*table).fill(list.iter().map(|n| Value::int(i64::from(*n))));
                }
                (*frame.context).traces.list = list;
                Value { payload: table as i64, tag: i64::from(tag::NEW) }
            }
            _ => {
                frame.end();
                Value::NIL
            }
        };
    }
}

/// Asks a player; the number of values for the question's text is `values`, and they are in `scratch` from 2 on. The
/// answer is in `results`.
pub unsafe extern "C" fn ask(frame: *mut Frame, values: i64) {
    // SAFETY: as in `kernel`.
    unsafe {
        let frame = &mut *frame;
        let (player, prompt) = (frame.scratch[0], frame.scratch[1]);
        let words = std::slice::from_raw_parts(frame.state, frame.state_len);
        let listed = std::slice::from_raw_parts_mut(frame.choices, BUFFER_WORDS);
        let (context, layout) = (&mut *frame.context, &*frame.layout);
        let seat = player - 1;
        let is_asked = (0..i64::from(words[word::PLAYERS])).contains(&seat)
            && context.grants.seat.is_none_or(|own| i64::from(own) == seat);
        let mut shown = Values::NONE;
        for at in 0..values as usize {
            let value = frame.scratch[at + 2] as i32;
            if value != NIL {
                shown.set(at, value);
            }
        }
        let (seat, prompt) = (seat as u8, prompt as usize);
        let sight = Sight { declared: &context.declarations, layout, words, seat: Some(seat) };
        if !is_asked || context.choosable.prepare(&sight, prompt, listed, &context.budget).is_err() || listed[0] <= 0 {
            return frame.end();
        }
        let listed = &listed[1..=(listed[0].max(0) as usize).min(MAX_CHOICES)];
        let moment = (words[word::ROUND], words[word::PHASE]);
        match context.take_single(Question { seat, prompt, values: shown }, moment, listed) {
            Some(only) => {
                *frame.choices = 0;
                frame.results[0] = Value::int(i64::from(only));
            }
            None if context.in_coroutine => {
                context.traces.question = Some(Question { seat, prompt, values: shown });
                frame.status = status::ASKS;
            }
            None => frame.status = status::NEEDS_COROUTINE,
        }
    }
}

/// A new table with room for a list and for other fields.
pub unsafe extern "C" fn new_table(frame: *mut Frame, room: i64, fields: i64) -> *mut NewTable {
    // SAFETY: as in `kernel`.
    unsafe { (*frame).new_table(room as usize, fields as usize) }
}

/// A new table with fields.
pub unsafe extern "C" fn shaped(frame: *mut Frame, fields: *const [Value; 2], count: i64) -> *mut NewTable {
    // SAFETY: as in `kernel`; the address is that of so many fields, and the table is new, or null.
    unsafe {
        let table = (*frame).new_table(0, count as usize);
        if let Some(own) = table.as_mut()
            && own.add_fields(std::slice::from_raw_parts(fields, count as usize)).is_none()
        {
            (*frame).end();
        }
        table
    }
}

/// A new list of equal values.
pub unsafe extern "C" fn filled(frame: *mut Frame, room: i64, tag: i64, payload: i64) -> *mut NewTable {
    // SAFETY: as in `kernel`; the list of a new table has this much room.
    unsafe {
        let table = (*frame).new_table(room as usize, 0);
        if !table.is_null() && tag != 0 {
            (*table).fill(std::iter::repeat(Value { payload, tag }));
        }
        table
    }
}

/// A copy of a table: of a new one, or with a number of items of a known one.
pub unsafe extern "C" fn cloned(frame: *mut Frame, from: *const Value, count: i64) -> *mut NewTable {
    // SAFETY: as in `kernel`; the address is that of a new table if the count is negative, and else that of four words for
    // each item.
    unsafe {
        let frame = &mut *frame;
        if count < 0 {
            let table = &*from.cast::<NewTable>();
            let Some(length) = table.length() else {
                frame.end();
                return std::ptr::null_mut();
            };
            let (arena, budget) = frame.memory();
            budget.charge(length as i64 * 3);
            let copy = table.copy(arena, budget);
            return frame.or_end(copy);
        }
        let pairs = std::slice::from_raw_parts(from.cast::<[Value; 2]>(), count as usize);
        let numbers = pairs.iter().map(|pair| pair[0]).filter(|key| key.tag == i64::from(tag::INT));
        let (listed, most) = numbers.fold((0, 0), |(listed, most), key| (listed + 1, key.payload.max(most)));
        let is_ordered = pairs.iter().take(listed).zip(1..).all(|(pair, place)| pair[0] == Value::int(place));
        if pairs.len() > MOST_KNOWN {
            frame.end();
            return std::ptr::null_mut();
        }
        frame.memory().1.charge(most.min(listed as i64) * 3);
        let table = frame.new_table(listed, pairs.len() - listed);
        for [key, value] in pairs {
            if !table.is_null() {
                put(frame, table, key.tag, key.payload, value.tag, value.payload);
            }
        }
        if let Some(own) = table.as_mut() {
            // Nobody has looked at the sizes of known tables.
            (own.is_doubtful, own.is_mixed) = (true, !is_ordered);
        }
        table
    }
}

/// Reads a field.
pub unsafe extern "C" fn get(frame: *mut Frame, table: *const NewTable, tag: i64, payload: i64) -> i64 {
    // SAFETY: as in `kernel`; machine code passes a table of the frame's arena.
    unsafe {
        let value = (*table).get(Value { payload, tag });
        (*frame).results[0] = value;
        value.payload
    }
}

/// Writes a field.
pub unsafe extern "C" fn put(
    frame: *mut Frame,
    table: *mut NewTable,
    key_tag: i64,
    key: i64,
    value_tag: i64,
    value: i64,
) {
    // SAFETY: as in `get`; the arena and the table do not overlap.
    unsafe {
        let frame = &mut *frame;
        if (*table).is_frozen {
            return frame.end();
        }
        let (key, value) = (Value { payload: key, tag: key_tag }, Value { payload: value, tag: value_tag });
        let (arena, budget) = frame.memory();
        if (*table).put(arena, budget, key, value).is_none() {
            frame.end();
        }
    }
}

/// Makes room for a list up to a place.
pub unsafe extern "C" fn reserve(frame: *mut Frame, table: *mut NewTable, last: i64) {
    // SAFETY: as in `put`.
    unsafe {
        let frame = &mut *frame;
        let (arena, budget) = frame.memory();
        if (*table).reserve(arena, budget, last).is_none() {
            frame.end();
        }
    }
}

/// Items of a known table that may be copied: no memory of a table with so few is charged.
const MOST_KNOWN: usize = 8;

/// The length of a table.
pub unsafe extern "C" fn length(frame: *mut Frame, table: *const NewTable) -> i64 {
    // SAFETY: as in `get`.
    unsafe {
        match (*table).length() {
            Some(length) => length as i64,
            None => {
                (*frame).end();
                0
            }
        }
    }
}

/// Leaves the place of a value in a list in `results`, or `nil`. The list is as in [`cloned`].
pub unsafe extern "C" fn found(frame: *mut Frame, from: *const Value, count: i64, tag: i64, payload: i64) {
    // SAFETY: as in `cloned`.
    unsafe {
        let value = Value { payload, tag };
        let (length, place) = if count < 0 {
            let table = &*from.cast::<NewTable>();
            let Some(length) = table.length() else { return (*frame).end() };
            // Luau compares numbers, however they are stored.
            if table.listed().iter().any(|one| one.tag == i64::from(tag::NUMBER)) {
                return (*frame).end();
            }
            (length, table.listed().iter().take(length).position(|one| *one == value))
        } else {
            let items = std::slice::from_raw_parts(from.cast::<[Value; 2]>(), count as usize);
            let listed = items.iter().zip(1..).take_while(|(item, place)| item[0] == Value::int(*place));
            (listed.clone().count(), listed.clone().position(|(item, _)| item[1] == value))
        };
        (*(*frame).context).budget.charge(length as i64 * 3);
        (*frame).results[0] = place.map_or(Value::NIL, |place| Value::int(place as i64 + 1));
    }
}

/// Whether a table is read-only: a known one is.
pub unsafe extern "C" fn is_frozen(of: i64, table: *const NewTable) -> i64 {
    // SAFETY: as in `get`, unless the tag is that of a known table, which has a number instead of an address.
    unsafe { i64::from(of == i64::from(tag::TABLE) || (*table).is_frozen) }
}

/// The number of fields of a table.
pub unsafe extern "C" fn count_fields(table: *const NewTable) -> i64 {
    // SAFETY: as in `get`.
    unsafe { (*table).count_fields() as i64 }
}

/// Adds a value to the end of a list.
pub unsafe extern "C" fn insert(frame: *mut Frame, table: *mut NewTable, value_tag: i64, value: i64) {
    // SAFETY: as in `get`.
    unsafe {
        let next = length(frame, table) + 1;
        put(frame, table, i64::from(tag::INT), next, value_tag, value);
    }
}

/// Removes the value at a place of a list, or the last one for 0, and leaves it in `results`.
pub unsafe extern "C" fn remove(frame: *mut Frame, table: *mut NewTable, at: i64) -> i64 {
    // SAFETY: as in `get`; the list has `last` values, and `at` is one of their places.
    unsafe {
        let last = length(frame, table);
        if at != 0 && at != last {
            if !(1..last).contains(&at) || last > (*table).room || (*table).is_frozen {
                (*frame).end();
                return 0;
            }
            let moved = last - at;
            (*(*frame).context).budget.charge(moved * 3);
            let value = (*table).remove(at);
            (*frame).results[0] = value;
            return value.payload;
        }
        let value = get(frame, table, i64::from(tag::INT), last);
        if last > 0 {
            put(frame, table, i64::from(tag::INT), last, 0, 0);
        }
        value
    }
}

/// The next place of a loop over a table, from 0, and its value in `results`; -1: the loop is over. `stops`: the loop ends
/// at the first place without a value.
pub unsafe extern "C" fn next(frame: *mut Frame, table: *const NewTable, from: i64, stops: i64) -> i64 {
    // SAFETY: as in `get`.
    unsafe {
        let table = &*table;
        if stops != 0 {
            let value = table.get(Value::int(from + 1));
            (*frame).results[0] = value;
            return if value.tag == 0 { -1 } else { from };
        }
        let list = table.listed();
        let found = (from as usize..list.len()).find(|&at| list[at].tag != 0);
        // The order of other fields is Luau's.
        if table.is_mixed || found.is_none() && table.has_others() {
            (*frame).end();
            return -1;
        }
        let Some(at) = found else { return -1 };
        (*frame).results[0] = list[at];
        at as i64
    }
}

/// Finds a key among sorted ones; each is followed by the payload and the tag of its value. What is missing has a tag of
/// its own.
pub unsafe extern "C" fn find(frame: *mut Frame, rows: *const [i64; 3], count: i64, key: i64, missing: i64) -> i64 {
    // SAFETY: as in `kernel`; machine code passes rows of a known table with their number.
    unsafe {
        let rows = std::slice::from_raw_parts(rows, count as usize);
        let found = rows.binary_search_by_key(&key, |row| row[0]).map(|at| rows[at]);
        let [_, payload, tag] = found.unwrap_or([0, 0, missing]);
        (*frame).results[0] = Value { payload, tag };
        payload
    }
}

/// The list of the players who are still in the game.
pub unsafe extern "C" fn players(frame: *mut Frame) -> *mut NewTable {
    // SAFETY: as in `kernel`.
    unsafe {
        let frame = &mut *frame;
        let (seats, out) = (*frame.state.add(word::PLAYERS), *frame.state.add(word::OUT));
        let seats = seats.clamp(0, MAX_PLAYERS as i32);
        let key = i64::from(seats) << 32 | i64::from(out);
        if frame.players.0 != key || frame.players.1.is_null() {
            let staying: Vec<i32> = (1..=seats).filter(|player| out & (1 << (player - 1)) == 0).collect();
            let table = frame.new_table(staying.len(), 0);
            if table.is_null() {
                return table;
            }
            (*table).fill(staying.iter().map(|n| Value::int(i64::from(*n))));
            (*table).is_frozen = true;
            frame.players = (key, table);
        }
        frame.players.1
    }
}

/// A function that machine code calls.
pub type Helper = (&'static str, *const u8, usize, bool);

/// All of them: name, address, number of arguments, whether they return a number.
#[must_use]
pub fn helpers() -> [Helper; 18] {
    [
        ("kernel", kernel as *const u8, 2, false),
        ("ask", ask as *const u8, 2, false),
        ("new_table", new_table as *const u8, 3, true),
        ("get", get as *const u8, 4, true),
        ("put", put as *const u8, 6, false),
        ("length", length as *const u8, 2, true),
        ("insert", insert as *const u8, 4, false),
        ("remove", remove as *const u8, 3, true),
        ("next", next as *const u8, 4, true),
        ("players", players as *const u8, 1, true),
        ("find", find as *const u8, 5, true),
        ("filled", filled as *const u8, 4, true),
        ("cloned", cloned as *const u8, 3, true),
        ("count_fields", count_fields as *const u8, 1, true),
        ("found", found as *const u8, 5, false),
        ("is_frozen", is_frozen as *const u8, 2, true),
        ("shaped", shaped as *const u8, 3, true),
        ("reserve", reserve as *const u8, 3, false),
    ]
}
