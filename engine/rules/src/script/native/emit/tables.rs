//! Tables: known ones as arrays, new ones in the arena.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use cranelift_module::Module;

use crate::script::bytecode::Constant;
use crate::script::native::data::{By, Column, MISSING, only_parts, parts};
use crate::script::native::decode::Operand;
use crate::script::native::emit::{Emitter, End, Pair, offset};
use crate::script::native::infer::State;
use crate::script::native::known::{Access, Known};
use crate::script::native::lookup::usable_key;
use crate::script::native::raw::arena::Value as Passed;
use crate::script::native::raw::table::NewTable;
use crate::script::native::ty::{Set, Ty, bit, tag};

/// The helpers, by their place in the list of helpers.
pub mod helper {
    pub const KERNEL: usize = 0;
    pub const ASK: usize = 1;
    pub const NEW_TABLE: usize = 2;
    pub const GET: usize = 3;
    pub const PUT: usize = 4;
    pub const LENGTH: usize = 5;
    pub const INSERT: usize = 6;
    pub const REMOVE: usize = 7;
    pub const NEXT: usize = 8;
    pub const PLAYERS: usize = 9;
    pub const FIND: usize = 10;
    pub const FILLED: usize = 11;
    pub const CLONED: usize = 12;
    pub const COUNT_FIELDS: usize = 13;
    pub const FOUND: usize = 14;
    pub const IS_FROZEN: usize = 15;
    pub const SHAPED: usize = 16;
    pub const RESERVE: usize = 17;
}

/// Where an array is: constants for one table, values for several.
struct Place {
    address: Value,
    first: Value,
    span: Value,
}

/// A place in the list of a new table.
struct ListPlace {
    address: Value,
    /// The path of other keys.
    outside: Block,
    /// The end of both paths.
    done: Block,
}

impl Emitter<'_, '_, '_> {
    /// Calls a helper.
    pub fn help(&mut self, helper: usize, arguments: &[Value]) -> Option<Value> {
        let id = self.functions.helpers[helper];
        let function = self.functions.module.declare_func_in_func(id, self.builder.func);
        let call = self.builder.ins().call(function, arguments);
        self.builder.inst_results(call).first().copied()
    }

    fn help_number(&mut self, helper: usize, arguments: &[Value]) -> Value {
        match self.help(helper, arguments) {
            Some(value) => value,
            None => self.number(0),
        }
    }

    fn load(&mut self, address: Value, offset: i32) -> Value {
        self.builder.ins().load(types::I64, MemFlagsData::trusted(), address, offset)
    }

    /// The first result of a helper.
    pub fn first_result(&mut self) -> Pair {
        Pair { payload: self.load_frame(offset!(results)), tag: self.load_frame(offset!(results) + 8) }
    }

    /// Reads a field.
    pub fn get(&mut self, to: usize, table: usize, key: Operand, before: &State, after: &State) {
        let of = before.registers[table].clone();
        let readable = of.readable();
        let (known, new) = (readable.only_tags(bit(tag::TABLE)), readable.only_tags(bit(tag::NEW)));
        let own = self.register(table, &of);
        self.expect(own, &of, readable.mask);
        let (key, by) = self.operand(key, before);
        let result = after.registers[to].clone();
        let pair = match (known.mask != 0, new.mask != 0) {
            (false, _) => self.get_new(own.payload, key, &by),
            (true, false) => self.get_known(own.payload, &known, (key, &by), &result),
            (true, true) => {
                let is_new = self.has_tag(own, bit(tag::NEW));
                let known = |emitter: &mut Self| emitter.get_known(own.payload, &known, (key, &by), &Ty::any());
                self.either(is_new, |emitter| emitter.get_new(own.payload, key, &by), known)
            }
        };
        self.set(to, pair);
    }

    /// Reads a field of a known table.
    fn get_known(&mut self, table: Value, known: &Ty, (key, by): (Pair, &Ty), result: &Ty) -> Pair {
        if let Some(special) = self.analysis.special(known) {
            return self.get_special(special, known, by, result);
        }
        let Set::Of(tables) = &known.tables else { return self.nothing() };
        let usable = usable_key(self.analysis.constants, tables, by);
        self.expect(key, by, usable.mask);
        if let Some((payload, tag)) = only_parts(result) {
            let may_miss = tables.iter().any(|table| self.may_miss(*table, &usable));
            if !may_miss {
                return self.constant((payload, tag));
            }
        }
        if let (Some(only), true) = (usable.only(), tables.len() > 1) {
            let column = self.data.by_table(self.analysis.constants, &known.tables, tables, only);
            let place = self.place(column);
            return self.read(&place, table, true, column.has_gaps, result);
        }
        let may_miss = tables.iter().any(|table| self.may_miss(*table, &usable));
        if usable.is(bit(tag::INT) | bit(tag::TEXT)) && usable.tag().is_none() {
            let numbers = self.place_by_key(known, tables, table, By::Number);
            let texts = self.place_by_key(known, tables, table, By::Text);
            let is_int = self.has_tag(key, bit(tag::INT));
            let (Some(a), Some(b)) = (numbers, texts) else {
                let of = |emitter: &mut Self, by| {
                    emitter.get_by_key(known, tables, by, (table, key.payload), may_miss, &Ty::any())
                };
                return self.either(is_int, |emitter| of(emitter, By::Number), |emitter| of(emitter, By::Text));
            };
            let place = Place {
                address: self.builder.ins().select(is_int, a.address, b.address),
                first: self.builder.ins().select(is_int, a.first, b.first),
                span: self.builder.ins().select(is_int, a.span, b.span),
            };
            return self.read(&place, key.payload, false, may_miss, result);
        }
        let by = match usable.tag() {
            Some(tag::INT) => By::Number,
            Some(tag::TEXT) => By::Text,
            _ => return self.nothing(),
        };
        self.get_by_key(known, tables, by, (table, key.payload), may_miss, result)
    }

    fn get_by_key(
        &mut self,
        known: &Ty,
        tables: &[u32],
        by: By,
        (table, key): (Value, Value),
        may_miss: bool,
        result: &Ty,
    ) -> Pair {
        if let Some(place) = self.place_by_key(known, tables, table, by) {
            return self.read(&place, key, false, may_miss, result);
        }
        // The keys are far apart.
        let (address, count) = if let [only] = tables {
            let column = self.data.rows(self.analysis.constants, *only, by);
            (self.number(column.address), self.number(column.span))
        } else {
            let Some(column) = self.data.rows_of(self.analysis.constants, &known.tables, tables, by) else {
                return self.nothing();
            };
            let row = self.row(column, table);
            (row.address, row.first)
        };
        let missing = self.number(if may_miss { MISSING } else { 0 });
        self.help(helper::FIND, &[self.frame, address, count, key, missing]);
        let mut pair = self.first_result();
        if may_miss {
            let found = self.builder.ins().icmp_imm_s(IntCC::NotEqual, pair.tag, MISSING);
            self.check(found);
        }
        if let Some(tag) = result.tag() {
            pair.tag = self.number(i64::from(tag));
        }
        pair
    }

    /// The result of one of two pieces of code.
    pub fn either(
        &mut self,
        is_first: Value,
        first: impl FnOnce(&mut Self) -> Pair,
        second: impl FnOnce(&mut Self) -> Pair,
    ) -> Pair {
        let (a, b, done) = (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let payload = self.builder.append_block_param(done, types::I64);
        let tag = self.builder.append_block_param(done, types::I64);
        self.builder.ins().brif(is_first, a, &[], b, &[]);
        self.builder.switch_to_block(a);
        let found = first(self);
        self.builder.ins().jump(done, &[found.payload.into(), found.tag.into()]);
        self.builder.switch_to_block(b);
        let found = second(self);
        self.builder.ins().jump(done, &[found.payload.into(), found.tag.into()]);
        self.builder.switch_to_block(done);
        Pair { payload, tag }
    }

    /// Ends the machine code; the rest of the path is written, but never runs.
    fn nothing(&mut self) -> Pair {
        self.fail_here("a key of an unknown kind");
        self.known(0, tag::NIL)
    }

    /// Whether a lookup may find nothing, although a guarded table ends the machine code then.
    fn may_miss(&self, table: u32, key: &Ty) -> bool {
        let known = self.analysis.constants.table(table);
        if known.access == Access::Plain {
            return false;
        }
        match key.only() {
            Some(only) => !known.fields.contains_key(&only.bits()),
            None => match &key.texts {
                Set::Of(texts) if key.is(bit(tag::TEXT)) => {
                    !texts.iter().all(|text| known.fields.contains_key(&Known::Text(*text).bits()))
                }
                _ => {
                    let size = key.range.1 - key.range.0 + 1;
                    let inside = |n: i64| known.fields.contains_key(&Known::Number(n as f64).bits());
                    !(key.is(bit(tag::INT))
                        && size <= known.fields.len() as i64
                        && (key.range.0..=key.range.1).all(inside))
                }
            },
        }
    }

    fn place(&mut self, column: Column) -> Place {
        Place { address: self.number(column.address), first: self.number(column.first), span: self.number(column.span) }
    }

    fn place_by_key(&mut self, known: &Ty, tables: &[u32], table: Value, by: By) -> Option<Place> {
        if let [only] = tables {
            let column = self.data.column(self.analysis.constants, *only, by)?;
            return Some(self.place(column));
        }
        let column = self.data.columns_of(self.analysis.constants, &known.tables, tables, by)?;
        Some(self.row(column, table))
    }

    /// The row of a table in an array of rows.
    fn row(&mut self, column: Column, table: Value) -> Place {
        let base = self.number(column.address - 32 * column.first);
        let offset = self.builder.ins().ishl_imm_s(table, 5);
        let row = self.builder.ins().iadd(base, offset);
        Place { address: self.load(row, 0), first: self.load(row, 8), span: self.load(row, 16) }
    }

    /// Reads a value of an array. `is_inside`: the index is that of a field. `may_miss`: the field may be missing.
    fn read(&mut self, place: &Place, index: Value, is_inside: bool, may_miss: bool, ty: &Ty) -> Pair {
        let mut at = self.builder.ins().isub(index, place.first);
        if !is_inside {
            let fits = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, place.span);
            at = self.builder.ins().select(fits, at, place.span);
        }
        let offset = self.builder.ins().ishl_imm_s(at, 4);
        let address = self.builder.ins().iadd(place.address, offset);
        let payload = self.load(address, 0);
        let mut loaded = None;
        if may_miss {
            let own = self.load(address, 8);
            let found = self.builder.ins().icmp_imm_s(IntCC::NotEqual, own, MISSING);
            self.check(found);
            loaded = Some(own);
        }
        let tag = match (ty.tag(), loaded) {
            (Some(tag), _) => self.number(i64::from(tag)),
            (None, Some(loaded)) => loaded,
            (None, None) => self.load(address, 8),
        };
        Pair { payload, tag }
    }

    fn get_special(&mut self, special: Access, known: &Ty, key: &Ty, result: &Ty) -> Pair {
        if special == Access::Players {
            let list = self.help_number(helper::PLAYERS, &[self.frame]);
            self.check_status();
            return Pair { payload: list, tag: self.number(i64::from(tag::NEW)) };
        }
        let place = match (key.only(), known.tables.only()) {
            (Some(name), Some(table)) => self.analysis.constants.table(table).fields.get_index_of(&name.bits()),
            _ => None,
        };
        let Some(place) = place else {
            self.fail_here("an unknown option");
            return self.known(0, tag::NIL);
        };
        let options = self.load_frame(offset!(options));
        let at = (place * size_of::<Passed>()) as i32;
        let tag = match result.tag() {
            Some(tag) => self.number(i64::from(tag)),
            None => self.load(options, at + 8),
        };
        Pair { payload: self.load(options, at), tag }
    }

    /// Ends the machine code; the rest of the path is written, but never runs.
    pub fn fail_here(&mut self, why: &'static str) {
        self.functions.ends.push(End { instance: self.instance, at: self.at, why });
        let never = self.number(0);
        self.check(never);
    }

    fn get_new(&mut self, table: Value, key: Pair, by: &Ty) -> Pair {
        if !by.is(bit(tag::INT)) {
            let by_number = by.may(bit(tag::NUMBER));
            if by_number {
                self.expect(key, by, by.mask & !bit(tag::NUMBER));
            }
            let payload = self.help_number(helper::GET, &[self.frame, table, key.tag, key.payload]);
            let own = self.load_frame(offset!(results) + 8);
            return Pair { payload, tag: own };
        }
        let place = self.in_list(table, key);
        let payload = self.builder.append_block_param(place.done, types::I64);
        let own = self.builder.append_block_param(place.done, types::I64);
        let found = self.load_pair(place.address, 0);
        self.builder.ins().jump(place.done, &[found.payload.into(), found.tag.into()]);
        self.builder.switch_to_block(place.outside);
        let a = self.help_number(helper::GET, &[self.frame, table, key.tag, key.payload]);
        let b = self.load_frame(offset!(results) + 8);
        self.builder.ins().jump(place.done, &[a.into(), b.into()]);
        self.builder.switch_to_block(place.done);
        Pair { payload, tag: own }
    }

    /// Begins the path on which a whole number is a place of a new table's list, so that no helper is needed.
    fn in_list(&mut self, table: Value, key: Pair) -> ListPlace {
        let (inside, outside, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let room = self.load(table, std::mem::offset_of!(NewTable, room) as i32);
        let at = self.builder.ins().iadd_imm_s(key.payload, -1);
        let fits = self.builder.ins().icmp(IntCC::UnsignedLessThan, at, room);
        self.builder.ins().brif(fits, inside, &[], outside, &[]);
        self.builder.switch_to_block(inside);
        let list = self.load(table, std::mem::offset_of!(NewTable, list) as i32);
        let offset = self.builder.ins().ishl_imm_s(at, 4);
        ListPlace { address: self.builder.ins().iadd(list, offset), outside, done }
    }

    /// Writes a field of a new table.
    pub fn put(&mut self, table: usize, key: Operand, value: usize, before: &State) {
        let of = before.registers[table].clone();
        let own = self.register(table, &of);
        self.expect(own, &of, bit(tag::NEW));
        let (key, by) = self.operand(key, before);
        let value_ty = before.registers[value].clone();
        let value = self.register(value, &value_ty);
        self.expect(value, &value_ty, !bit(tag::OTHER));
        self.expect(key, &by, by.mask & !(bit(tag::NIL) | bit(tag::NUMBER) | bit(tag::OTHER)));
        self.put_new(own.payload, key, by.is(bit(tag::INT)), value);
    }

    fn put_new(&mut self, table: Value, key: Pair, is_int: bool, value: Pair) {
        let call = |this: &mut Self| {
            this.help(helper::PUT, &[this.frame, table, key.tag, key.payload, value.tag, value.payload]);
            this.check_status();
        };
        if !is_int {
            return call(self);
        }
        let frozen = std::mem::offset_of!(NewTable, is_frozen) as i32;
        let frozen = self.builder.ins().uload8(types::I64, MemFlagsData::trusted(), table, frozen);
        let is_open = self.builder.ins().icmp_imm_s(IntCC::Equal, frozen, 0);
        self.check(is_open);
        let place = self.in_list(table, key);
        // The helper counts values that appear and vanish.
        let before = self.load(place.address, 8);
        let had = self.builder.ins().icmp_imm_s(IntCC::NotEqual, before, 0);
        let has = self.builder.ins().icmp_imm_s(IntCC::NotEqual, value.tag, 0);
        let stays = self.builder.ins().band(had, has);
        let over = self.builder.create_block();
        self.builder.ins().brif(stays, over, &[], place.outside, &[]);
        self.builder.switch_to_block(over);
        self.store_pair(value, place.address, 0);
        self.builder.ins().jump(place.done, &[]);
        self.builder.switch_to_block(place.outside);
        call(self);
        self.builder.ins().jump(place.done, &[]);
        self.builder.switch_to_block(place.done);
    }

    /// The length of a list.
    pub fn length(&mut self, to: usize, from: usize, before: &State, after: &State) {
        let of = before.registers[from].clone();
        let own = self.register(from, &of);
        let known = of.readable();
        self.expect(own, &of, known.mask);
        let result = after.registers[to].clone();
        let pair = if let Some((payload, tag)) = only_parts(&result) {
            self.constant((payload, tag))
        } else if known.is(bit(tag::NEW)) {
            let length = self.help_number(helper::LENGTH, &[self.frame, own.payload]);
            self.check_status();
            self.int(length)
        } else {
            let items = match &known.tables {
                Set::Of(tables) if known.is(bit(tag::TABLE)) => {
                    self.data.items_of(self.analysis.constants, &known.tables, tables)
                }
                _ => None,
            };
            let Some(items) = items else {
                let pair = self.nothing();
                return self.set(to, pair);
            };
            let row = self.row(items, own.payload);
            self.int(row.span)
        };
        self.set(to, pair);
    }

    /// Makes a table.
    pub fn new_table(&mut self, to: usize, room: usize, fields: usize) {
        let (room, fields) = (self.number(room as i64), self.number(fields as i64));
        self.made_table(to, helper::NEW_TABLE, [room, fields]);
    }

    /// Makes a table by a helper.
    fn made_table(&mut self, to: usize, helper: usize, [first, second]: [Value; 2]) {
        let table = self.help_number(helper, &[self.frame, first, second]);
        self.check_status();
        let pair = Pair { payload: table, tag: self.number(i64::from(tag::NEW)) };
        self.set(to, pair);
    }

    /// Makes a table with fields; those without a value get one at once.
    pub fn copy_table(&mut self, to: usize, shape: usize) {
        let Some(Constant::Shape(fields)) = self.function.constants.get(shape).cloned() else { return };
        let mut words = Vec::new();
        for (name, value) in &fields {
            let (payload, tag) = parts(self.analysis.constant(self.function, *name));
            words.extend([payload, tag]);
            let value = value.map(|value| self.analysis.constant(self.function, value));
            let (payload, tag) = value.map_or((0, i64::from(tag::INT)), parts);
            words.extend([payload, tag]);
        }
        let address = self.data.keep(words);
        let (address, count) = (self.number(address), self.number(fields.len() as i64));
        self.made_table(to, helper::SHAPED, [address, count]);
    }

    /// Writes values into a list.
    pub fn set_list(&mut self, table: usize, from: usize, count: usize, first: usize, before: &State) {
        let own = self.register(table, &before.registers[table]);
        let last = (first + count).saturating_sub(1) as i64;
        let room = self.load(own.payload, std::mem::offset_of!(NewTable, room) as i32);
        let fits = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, room, last);
        let (grows, done) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(fits, done, &[], grows, &[]);
        self.builder.switch_to_block(grows);
        let last = self.number(last);
        self.help(helper::RESERVE, &[self.frame, own.payload, last]);
        self.check_status();
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        for n in 0..count {
            let value = self.register(from + n, &before.registers[from + n]);
            let key = self.known((first + n) as i64, tag::INT);
            self.put_new(own.payload, key, true, value);
        }
    }

    /// Begins a loop over a table.
    pub fn prepare_fields(&mut self, at: usize, before: &State) {
        let subject = if before.registers[at].is(bit(tag::NIL)) { at + 1 } else { at };
        let of = before.registers[subject].clone();
        let own = self.register(subject, &of);
        self.expect(own, &of, of.readable().mask);
        self.set(at + 1, own);
        let nil = self.known(0, tag::NIL);
        self.set(at, nil);
        let zero = self.known(0, tag::INT);
        self.set(at + 2, zero);
    }

    /// Continues a loop over a table.
    pub fn loop_fields(
        &mut self,
        at: usize,
        variables: usize,
        is_list: bool,
        (body, exit): (usize, usize),
        before: &State,
    ) {
        self.safepoint();
        let of = before.registers[at + 1].clone();
        let own = self.register(at + 1, &of);
        let index = self.builder.use_var(self.variables[at + 2][0]);
        let (Some(body), Some(exit)) = (self.blocks.get(&body).copied(), self.blocks.get(&exit).copied()) else {
            if let Some(exit) = self.blocks.get(&exit).copied() {
                self.builder.ins().jump(exit, &[]);
            } else {
                self.fail("a loop");
            }
            return;
        };
        let inside = self.builder.create_block();
        let (items, next) = if of.is(bit(tag::NEW)) {
            let stops = self.number(i64::from(is_list));
            let found = self.help_number(helper::NEXT, &[self.frame, own.payload, index, stops]);
            self.check_status();
            let is_over = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, found, 0);
            self.builder.ins().brif(is_over, exit, &[], inside, &[]);
            self.builder.switch_to_block(inside);
            let next = self.builder.ins().iadd_imm_s(found, 1);
            ([self.int(next), self.first_result()], next)
        } else {
            let (address, count) = self.items_of(&of, own.payload, is_list);
            let goes_on = self.builder.ins().icmp(IntCC::SignedLessThan, index, count);
            self.builder.ins().brif(goes_on, inside, &[], exit, &[]);
            self.builder.switch_to_block(inside);
            let offset = self.builder.ins().ishl_imm_s(index, 5);
            let item = self.builder.ins().iadd(address, offset);
            let pair = |this: &mut Self, at| Pair { payload: this.load(item, at), tag: this.load(item, at + 8) };
            let items = [pair(self, 0), pair(self, 16)];
            let next = self.builder.ins().iadd_imm_s(index, 1);
            (items, next)
        };
        let index = self.int(next);
        self.set(at + 2, index);
        for variable in 0..variables {
            let nil = self.known(0, tag::NIL);
            self.set(at + 3 + variable, items.get(variable).copied().unwrap_or(nil));
        }
        self.builder.ins().jump(body, &[]);
    }

    /// The address and the number of the items of a known table, or of its list.
    pub fn items_of(&mut self, of: &Ty, table: Value, is_list: bool) -> (Value, Value) {
        let Set::Of(tables) = &of.tables else { return (self.number(0), self.number(0)) };
        if let [only] = tables[..] {
            let column = self.data.items(self.analysis.constants, only);
            let length = self.analysis.constants.table(only).length as i64;
            return (self.number(column.address), self.number(if is_list { length } else { column.span }));
        }
        match self.data.items_of(self.analysis.constants, &of.tables, tables) {
            Some(column) => {
                let row = self.row(column, table);
                (row.address, if is_list { row.span } else { row.first })
            }
            None => (self.number(0), self.number(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::helper;
    use crate::script::native::raw::frame::helpers;

    #[test]
    fn helpers_stand_at_their_places() {
        let names = helpers().map(|(name, ..)| name);
        let places = [
            (helper::KERNEL, "kernel"),
            (helper::ASK, "ask"),
            (helper::NEW_TABLE, "new_table"),
            (helper::GET, "get"),
            (helper::PUT, "put"),
            (helper::LENGTH, "length"),
            (helper::INSERT, "insert"),
            (helper::REMOVE, "remove"),
            (helper::NEXT, "next"),
            (helper::PLAYERS, "players"),
            (helper::FIND, "find"),
            (helper::FILLED, "filled"),
            (helper::CLONED, "cloned"),
            (helper::COUNT_FIELDS, "count_fields"),
            (helper::FOUND, "found"),
            (helper::IS_FROZEN, "is_frozen"),
            (helper::SHAPED, "shaped"),
            (helper::RESERVE, "reserve"),
        ];
        assert_eq!(places.len(), names.len());
        for (place, name) in places {
            assert_eq!(names[place], name);
        }
    }
}
