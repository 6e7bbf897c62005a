//! Library functions.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

use crate::script::machine::choices::BUFFER_WORDS;
use crate::script::native::data::only_parts;
use crate::script::native::decode::Operand;
use crate::script::native::emit::tables::helper;
use crate::script::native::emit::{Emitter, Pair, offset};
use crate::script::native::infer::State;
use crate::script::native::known::Buffer;
use crate::script::native::library::{TYPES, builtin};
use crate::script::native::ty::{FALSY, NUMERIC, Ty, bit, tag};
use crate::state::layout::MARKED;

impl Emitter<'_, '_, '_> {
    /// Calls a library function.
    pub fn call_library(&mut self, name: &str, given: &[(Pair, Ty)]) -> Vec<Pair> {
        if name == "engine.kept" {
            return vec![Pair { payload: self.load_frame(offset!(kept)), tag: self.load_frame(offset!(kept) + 8) }];
        }
        let Some((first, ty)) = given.first().cloned() else {
            self.fail_here("a function of the library");
            return Vec::new();
        };
        let lists = ty.readable().mask;
        match name {
            "ipairs" | "pairs" => {
                self.expect(first, &ty, lists);
                vec![self.known(0, tag::NIL), first, self.known(0, tag::INT)]
            }
            "assert" => {
                self.expect(first, &ty, ty.mask & !FALSY);
                given.iter().map(|(pair, _)| *pair).collect()
            }
            "table.remove" => {
                self.expect(first, &ty, bit(tag::NEW));
                let at = match given.get(1) {
                    Some((at, of)) => {
                        self.expect(*at, of, bit(tag::INT));
                        at.payload
                    }
                    None => self.number(0),
                };
                self.help(helper::REMOVE, &[self.frame, first.payload, at]);
                self.check_status();
                vec![self.first_result()]
            }
            "table.clone" => {
                self.expect(first, &ty, lists);
                self.clone_table(first, &ty)
            }
            "table.find" => {
                self.expect(first, &ty, lists);
                self.find_value(first, &ty, &given[1])
            }
            "table.isfrozen" => {
                self.expect(first, &ty, lists);
                let is = self.help(helper::IS_FROZEN, &[first.tag, first.payload]);
                let is = is.map(|is| self.builder.ins().icmp_imm_s(IntCC::NotEqual, is, 0));
                is.map(|is| self.boolean(is)).into_iter().collect()
            }
            "table.create" => {
                self.expect(first, &ty, bit(tag::INT));
                self.create(first.payload, given.get(1))
            }
            "engine.keep" => {
                self.store_frame(first.payload, offset!(kept));
                self.store_frame(first.tag, offset!(kept) + 8);
                Vec::new()
            }
            "engine.count_fields" => {
                self.expect(first, &ty, bit(tag::NEW));
                let count = self.help(helper::COUNT_FIELDS, &[first.payload]);
                count.map(|count| self.int(count)).into_iter().collect()
            }
            _ => {
                self.fail_here("a function of the library");
                Vec::new()
            }
        }
    }

    /// The place of a value in a list.
    fn find_value(&mut self, table: Pair, ty: &Ty, (value, of): &(Pair, Ty)) -> Vec<Pair> {
        self.expect(*value, of, of.mask & !(bit(tag::OTHER) | bit(tag::NUMBER)));
        let (address, count) = self.list_or_items(table, &ty.readable());
        let arguments = [self.frame, address, count, value.tag, value.payload];
        self.help(helper::FOUND, &arguments);
        self.check_status();
        vec![self.first_result()]
    }

    /// A copy of a table.
    fn clone_table(&mut self, table: Pair, ty: &Ty) -> Vec<Pair> {
        let (address, count) = self.list_or_items(table, &ty.readable());
        let Some(copy) = self.help(helper::CLONED, &[self.frame, address, count]) else { return Vec::new() };
        self.check_status();
        vec![Pair { payload: copy, tag: self.number(i64::from(tag::NEW)) }]
    }

    /// The address of a new table with -1, or that of the items of a known one with their number.
    fn list_or_items(&mut self, table: Pair, ty: &Ty) -> (Value, Value) {
        let (mut address, mut count) = (table.payload, self.number(-1));
        if ty.may(bit(tag::TABLE)) {
            let known = ty.only_tags(bit(tag::TABLE));
            let items = self.items_of(&known, table.payload, false);
            if ty.may(bit(tag::NEW)) {
                let is_new = self.has_tag(table, bit(tag::NEW));
                address = self.builder.ins().select(is_new, table.payload, items.0);
                count = self.builder.ins().select(is_new, count, items.1);
            } else {
                (address, count) = items;
            }
        }
        (address, count)
    }

    /// A list with room for some values. Only short ones: others cost steps.
    fn create(&mut self, room: Value, value: Option<&(Pair, Ty)>) -> Vec<Pair> {
        let is_short = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, room, 32);
        self.check(is_short);
        let steps = self.builder.ins().load(types::I64, MemFlagsData::trusted(), self.steps, 0);
        let rest = self.builder.ins().isub(steps, room);
        self.builder.ins().store(MemFlagsData::trusted(), rest, self.steps, 0);
        let nil = self.known(0, tag::NIL);
        let filling = value.map_or(nil, |(pair, _)| *pair);
        let arguments = [self.frame, room, filling.tag, filling.payload];
        let Some(table) = self.help(helper::FILLED, &arguments) else { return Vec::new() };
        self.check_status();
        vec![Pair { payload: table, tag: self.number(i64::from(tag::NEW)) }]
    }

    /// Calls a library function without a safepoint.
    pub fn fast(
        &mut self,
        number: u8,
        arguments: &[Operand],
        (at, results): (usize, Option<usize>),
        before: &State,
        after: &State,
    ) {
        let given: Vec<(Pair, Ty)> = arguments.iter().map(|one| self.operand(*one, before)).collect();
        let out = self.fast_result(number, &given, after, at);
        let nil = self.known(0, tag::NIL);
        for n in 0..results.unwrap_or(1) {
            self.set(at + n, if n == 0 { out } else { nil });
        }
    }

    fn fast_result(&mut self, number: u8, given: &[(Pair, Ty)], after: &State, at: usize) -> Pair {
        let nil = self.known(0, tag::NIL);
        let (first, ty) = given[0].clone();
        match number {
            builtin::ASSERT => self.expect(first, &ty, ty.mask & !FALSY),
            builtin::FLOOR | builtin::CEIL => return self.rounded(number == builtin::FLOOR, first, &ty),
            builtin::ABS => {
                self.expect(first, &ty, bit(tag::INT));
                let out = self.builder.ins().iabs(first.payload);
                return self.int(out);
            }
            builtin::MAX | builtin::MIN => return self.extreme(number == builtin::MAX, given),
            builtin::CLAMP => {
                for (pair, ty) in given {
                    self.expect(*pair, ty, bit(tag::INT));
                }
                let [low, high] = [given[1].0.payload, given[2].0.payload];
                let is_range = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, low, high);
                self.check(is_range);
                let out = self.builder.ins().smax(first.payload, low);
                let out = self.builder.ins().smin(out, high);
                return self.int(out);
            }
            builtin::AND | builtin::OR | builtin::XOR | builtin::TEST => return self.bits(number, given),
            builtin::NOT => {
                self.expect(first, &ty, bit(tag::INT));
                let not = self.builder.ins().bnot(first.payload);
                let out = self.low_word(not);
                return self.int(out);
            }
            builtin::EXTRACT | builtin::REPLACE => return self.one_bit(number == builtin::REPLACE, given),
            builtin::SHIFT_LEFT | builtin::SHIFT_RIGHT => return self.shift(number == builtin::SHIFT_LEFT, given),
            builtin::TYPE | builtin::TYPE_OF => {
                let ty_after = after.registers[at].clone();
                return match only_parts(&ty_after) {
                    Some((payload, tag)) => self.constant((payload, tag)),
                    None => self.type_name(first),
                };
            }
            builtin::INSERT => {
                self.expect(first, &ty, bit(tag::NEW));
                let (value, of) = given[1].clone();
                self.expect(value, &of, of.mask & !bit(tag::OTHER));
                self.help(helper::INSERT, &[self.frame, first.payload, value.tag, value.payload]);
                self.check_status();
            }
            builtin::READ_WORD | builtin::WRITE_WORD | builtin::WRITE_BYTE => return self.access(number, given),
            _ => self.fail_here("a function of the library"),
        }
        nil
    }

    fn rounded(&mut self, is_down: bool, pair: Pair, ty: &Ty) -> Pair {
        self.expect(pair, ty, ty.numbers());
        let ty = ty.only_tags(ty.numbers());
        if ty.is(bit(tag::INT)) {
            return self.int(pair.payload);
        }
        let float = self.float(pair, &ty);
        let round = if is_down { self.builder.ins().floor(float) } else { self.builder.ins().ceil(float) };
        let limit = self.builder.ins().f64const(9e15);
        let size = self.builder.ins().fabs(round);
        let fits = self.builder.ins().fcmp(FloatCC::LessThan, size, limit);
        self.check(fits);
        let out = self.builder.ins().fcvt_to_sint_sat(types::I64, round);
        self.int(out)
    }

    fn extreme(&mut self, is_max: bool, given: &[(Pair, Ty)]) -> Pair {
        for (pair, ty) in given {
            self.expect(*pair, ty, NUMERIC);
        }
        if given.iter().all(|(_, ty)| !ty.may(bit(tag::NUMBER))) {
            let payloads = given.iter().map(|(pair, _)| pair.payload);
            let best = payloads.reduce(|best, own| {
                if is_max { self.builder.ins().smax(best, own) } else { self.builder.ins().smin(best, own) }
            });
            return match best {
                Some(best) => self.int(best),
                None => self.known(0, tag::NIL),
            };
        }
        let how = if is_max { FloatCC::GreaterThan } else { FloatCC::LessThan };
        let mut best: Option<(Pair, Value)> = None;
        for (pair, ty) in given {
            let own = self.float(*pair, &ty.only_tags(NUMERIC));
            best = Some(match best {
                None => (*pair, own),
                Some((before, float)) => {
                    let better = self.builder.ins().fcmp(how, own, float);
                    let mut pick = |a, b| self.builder.ins().select(better, a, b);
                    let chosen = Pair { payload: pick(pair.payload, before.payload), tag: pick(pair.tag, before.tag) };
                    (chosen, pick(own, float))
                }
            });
        }
        match best {
            Some((best, _)) => best,
            None => self.known(0, tag::NIL),
        }
    }

    fn low_word(&mut self, value: Value) -> Value {
        self.builder.ins().band_imm_u(value, i64::from(u32::MAX))
    }

    fn bits(&mut self, number: u8, given: &[(Pair, Ty)]) -> Pair {
        let both: Vec<Value> = given
            .iter()
            .map(|(pair, ty)| {
                self.expect(*pair, ty, bit(tag::INT));
                pair.payload
            })
            .collect();
        let out = match number {
            builtin::OR => self.builder.ins().bor(both[0], both[1]),
            builtin::XOR => self.builder.ins().bxor(both[0], both[1]),
            _ => self.builder.ins().band(both[0], both[1]),
        };
        let out = self.low_word(out);
        if number == builtin::TEST {
            let is = self.builder.ins().icmp_imm_s(IntCC::NotEqual, out, 0);
            return self.boolean(is);
        }
        self.int(out)
    }

    /// Reads or writes one bit.
    fn one_bit(&mut self, writes: bool, given: &[(Pair, Ty)]) -> Pair {
        for (pair, ty) in given {
            self.expect(*pair, ty, bit(tag::INT));
        }
        let place = given[given.len() - 1].0.payload;
        let fits = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, place, 32);
        self.check(fits);
        let own = self.low_word(given[0].0.payload);
        if !writes {
            let low = self.builder.ins().ushr(own, place);
            let out = self.builder.ins().band_imm_u(low, 1);
            return self.int(out);
        }
        let one = self.number(1);
        let mask = self.builder.ins().ishl(one, place);
        let value = self.builder.ins().band_imm_u(given[1].0.payload, 1);
        let value = self.builder.ins().ishl(value, place);
        let rest = self.builder.ins().band_not(own, mask);
        let out = self.builder.ins().bor(rest, value);
        self.int(out)
    }

    fn shift(&mut self, is_left: bool, given: &[(Pair, Ty)]) -> Pair {
        let (value, by) = (given[0].clone(), given[1].clone());
        self.expect(value.0, &value.1, bit(tag::INT));
        self.expect(by.0, &by.1, bit(tag::INT));
        let fits = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, by.0.payload, 32);
        self.check(fits);
        let low = self.low_word(value.0.payload);
        let out = if is_left {
            let out = self.builder.ins().ishl(low, by.0.payload);
            self.low_word(out)
        } else {
            self.builder.ins().ushr(low, by.0.payload)
        };
        self.int(out)
    }

    fn type_name(&mut self, of: Pair) -> Pair {
        let mut names = vec![0; TYPES.len()];
        for (tag, name) in TYPES {
            names[usize::from(tag)] = i64::from(self.analysis.constants.text(name.as_bytes()));
        }
        let base = self.data.keep(names);
        let base = self.number(base);
        let offset = self.builder.ins().ishl_imm_s(of.tag, 3);
        let at = self.builder.ins().iadd(base, offset);
        let payload = self.builder.ins().load(types::I64, MemFlagsData::trusted(), at, 0);
        Pair { payload, tag: self.number(i64::from(tag::TEXT)) }
    }

    /// Reads or writes a buffer.
    fn access(&mut self, number: u8, given: &[(Pair, Ty)]) -> Pair {
        let words = self.analysis.words as i64;
        let (field, bytes) = match given[0].1.buffer {
            Some(buffer) if buffer == Buffer::State as u8 => (offset!(state), words * 4),
            Some(buffer) if buffer == Buffer::Choices as u8 => (offset!(choices), BUFFER_WORDS as i64 * 4),
            _ => (offset!(marks), (words as usize).div_ceil(MARKED) as i64),
        };
        let (at, by) = given[1].clone();
        self.expect(at, &by, bit(tag::INT));
        let size = if number == builtin::WRITE_BYTE { 1 } else { 4 };
        if by.range.0 < 0 || by.range.1 > bytes - size {
            let fits = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, at.payload, (bytes - size).max(0));
            self.check(fits);
        }
        let base = self.load_frame(field);
        let address = self.builder.ins().iadd(base, at.payload);
        if number == builtin::READ_WORD {
            let out = self.builder.ins().sload32(MemFlagsData::trusted(), address, 0);
            return self.int(out);
        }
        let (value, of) = given[2].clone();
        let value = self.exact(value, &of);
        if number == builtin::WRITE_BYTE {
            self.builder.ins().istore8(MemFlagsData::trusted(), value, address, 0);
        } else {
            self.builder.ins().istore32(MemFlagsData::trusted(), value, address, 0);
        }
        self.known(0, tag::NIL)
    }

    /// A number that must be whole, as an integer.
    fn exact(&mut self, pair: Pair, ty: &Ty) -> Value {
        self.expect(pair, ty, ty.numbers());
        let ty = ty.only_tags(ty.numbers());
        if ty.is(bit(tag::INT)) {
            return pair.payload;
        }
        let float = self.float(pair, &ty);
        let out = self.builder.ins().fcvt_to_sint_sat(types::I64, float);
        let again = self.builder.ins().fcvt_from_sint(types::F64, out);
        let is_same = self.builder.ins().fcmp(FloatCC::Equal, float, again);
        self.check(is_same);
        out
    }
}
