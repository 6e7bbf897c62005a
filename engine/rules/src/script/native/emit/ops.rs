//! Operations on registers.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

use crate::script::native::data::only_parts;
use crate::script::native::decode::{Arithmetic, Op, Operand, Test, target};
use crate::script::native::emit::{Emitter, Pair, offset};
use crate::script::native::infer::State;
use crate::script::native::numbers::{DIVISIBLE, How, compute};
use crate::script::native::raw::arena::Value as Passed;
use crate::script::native::ty::{EXACT, NUMERIC, Ty, bit, tag};

impl Emitter<'_, '_, '_> {
    /// Writes an operation between two states. `next`: the place that follows.
    pub fn operation(&mut self, op: &Op, next: Option<usize>, before: &State, after: &State) {
        match op {
            Op::Nothing | Op::Missing(_) => {}
            Op::Upvalue { to, index } => self.upvalue(*to, *index),
            Op::Close { from } => self.close(*from, before),
            Op::SetUpvalue { index, from } => {
                let ty = before.registers[*from].clone();
                let pair = self.register(*from, &ty);
                self.expect(pair, &ty, !bit(tag::OTHER));
                self.set_upvalue(*index, pair);
            }
            Op::Get { to, table, key } => self.get(*to, *table, *key, before, after),
            Op::Put { table, key, value } => self.put(*table, *key, *value, before),
            Op::Length { to, from } => self.length(*to, *from, before, after),
            Op::NewTable { to, array, fields } => self.new_table(*to, *array, *fields),
            Op::CopyTable { to, shape } => self.copy_table(*to, *shape),
            Op::SetList { table, from, count, first } => {
                let count = count.unwrap_or_else(|| before.top - from);
                self.set_list(*table, *from, count, *first, before);
            }
            Op::MakeFunction { to, captures, .. } => self.make_function(*to, captures, before, after),
            Op::Call { at, arguments, results, next } => {
                self.call(*at, *arguments, *results, *next, (before, after));
            }
            Op::Fast { builtin, arguments, at, results, next: after_call } => {
                if next == Some(*after_call) {
                    self.fast(*builtin, arguments, (*at, *results), before, after);
                }
            }
            Op::Return { from, count } => self.return_(*from, *count, before),
            Op::Jump { is_safepoint, .. } => {
                if *is_safepoint {
                    self.safepoint();
                }
            }
            Op::Branch { test, yes, no } => self.branch(test, *yes, *no, before),
            Op::PrepareNumbers { .. } | Op::LoopNumbers { .. } => self.loop_numbers(op, before),
            Op::PrepareFields { at, .. } => self.prepare_fields(*at, before),
            Op::LoopFields { at, variables, is_list, body, exit } => {
                self.loop_fields(*at, *variables, *is_list, (*body, *exit), before);
            }
            Op::Arguments { to, count } => self.variadic(*to, *count),
            _ => self.assign(op, before, after),
        }
    }

    /// Writes an operation that only computes the value of a register.
    fn assign(&mut self, op: &Op, before: &State, after: &State) {
        let Some(to) = target(op) else { return };
        let pair = match op {
            Op::Move { from, .. } => self.register(*from, &before.registers[*from]),
            Op::Compute { how, a, b, .. } => {
                let (a, b) = (self.operand(*a, before), self.operand(*b, before));
                self.compute(*how, a, b)
            }
            Op::Negate { from, .. } => self.negate(*from, before),
            Op::Not { from, .. } => {
                if let Some((payload, tag)) = only_parts(&after.registers[to]) {
                    self.constant((payload, tag))
                } else {
                    let own = self.register(*from, &before.registers[*from]);
                    let is_false = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, own.tag, 2);
                    self.boolean(is_false)
                }
            }
            Op::Pick { is_and, a, b, .. } => self.pick(*is_and, *a, *b, before),
            _ => self.loaded(op, &after.registers[to]),
        };
        self.set(to, pair);
    }

    fn negate(&mut self, from: usize, before: &State) -> Pair {
        let zero = (self.known(0, tag::INT), Ty::int(0, 0));
        let own = self.operand(Operand::Register(from), before);
        if own.1.numbers() & bit(tag::NUMBER) == 0 {
            return self.compute(Arithmetic::Subtract, zero, own);
        }
        self.expect(own.0, &own.1, own.1.numbers());
        let float = self.float(own.0, &own.1.only_tags(own.1.numbers()));
        let negative = self.builder.ins().fneg(float);
        self.float_pair(negative)
    }

    fn variadic(&mut self, to: usize, count: Option<usize>) {
        for n in 0..count.unwrap_or(self.more.len()) {
            let pair = match self.more.get(n).copied() {
                Some(more) => Pair { payload: self.builder.use_var(more[0]), tag: self.builder.use_var(more[1]) },
                None => self.known(0, tag::NIL),
            };
            self.set(to + n, pair);
        }
    }

    /// The value that an operation without operands loads.
    fn loaded(&mut self, op: &Op, after: &Ty) -> Pair {
        let ty = match op {
            Op::LoadNil { .. } => Ty::nil(),
            Op::LoadBoolean { value, .. } => Ty::truth(*value),
            Op::Load { value: Operand::Whole(n), .. } => Ty::int(*n, *n),
            Op::Load { value: Operand::Constant(constant), .. } => {
                Ty::known(self.analysis.constant(self.function, *constant))
            }
            Op::Import { constant, .. } => {
                self.analysis.import(self.function, *constant).map_or_else(Ty::nil, Ty::known)
            }
            _ => after.clone(),
        };
        let (payload, tag) = only_parts(&ty).unwrap_or((0, i64::from(tag::OTHER)));
        self.constant((payload, tag))
    }

    fn upvalue(&mut self, to: usize, index: usize) {
        let is_shared = self.analysis.instances[self.instance].shared.get(index) == Some(&true);
        let pair = if is_shared { self.shared_upvalue(index) } else { self.captured_value(index) };
        self.set(to, pair);
    }

    /// A boolean from a condition.
    pub fn boolean(&mut self, is: Value) -> Pair {
        let wide = self.builder.ins().uextend(types::I64, is);
        let tag = self.builder.ins().iadd_imm_s(wide, 1);
        Pair { payload: self.number(0), tag }
    }

    /// An integer.
    pub fn int(&mut self, payload: Value) -> Pair {
        Pair { payload, tag: self.number(i64::from(tag::INT)) }
    }

    fn float_pair(&mut self, value: Value) -> Pair {
        let payload = self.builder.ins().bitcast(types::I64, MemFlagsData::new(), value);
        Pair { payload, tag: self.number(i64::from(tag::NUMBER)) }
    }

    /// A number as floating point.
    pub fn float(&mut self, pair: Pair, ty: &Ty) -> Value {
        let bits = |this: &mut Self| this.builder.ins().bitcast(types::F64, MemFlagsData::new(), pair.payload);
        let whole = |this: &mut Self| this.builder.ins().fcvt_from_sint(types::F64, pair.payload);
        match ty.tag() {
            Some(tag::INT) => whole(self),
            Some(_) => bits(self),
            None => {
                let (a, b) = (whole(self), bits(self));
                let is_int = self.builder.ins().icmp_imm_s(IntCC::Equal, pair.tag, i64::from(tag::INT));
                self.builder.ins().select(is_int, a, b)
            }
        }
    }

    fn compute(&mut self, how: Arithmetic, (a, x): (Pair, Ty), (b, y): (Pair, Ty)) -> Pair {
        self.expect(a, &x, x.numbers());
        self.expect(b, &y, y.numbers());
        let (x, y) = (x.only_tags(x.numbers()), y.only_tags(y.numbers()));
        let Some((way, ty)) = compute(how, &x, &y) else { return self.known(0, tag::NIL) };
        match way {
            How::Integers { is_checked } => {
                if ty.range.0 == ty.range.1 && !is_checked && !matches!(how, Arithmetic::Modulo | Arithmetic::Floor) {
                    return self.known(ty.range.0, tag::INT);
                }
                let payload = self.whole(how, (a.payload, &x), (b.payload, &y));
                if is_checked {
                    self.check_exact(payload);
                }
                self.int(payload)
            }
            How::Floats => self.compute_floats(how, (a, &x), (b, &y)),
            How::Either => {
                let are_whole = self.are_whole((a, &x), (b, &y));
                let integers = |this: &mut Self| {
                    let payload = this.whole(how, (a.payload, &x), (b.payload, &y));
                    this.check_exact(payload);
                    this.int(payload)
                };
                self.either(are_whole, integers, |this| this.compute_floats(how, (a, &x), (b, &y)))
            }
        }
    }

    /// Ends the machine code if an integer is not exact as a number.
    fn check_exact(&mut self, payload: Value) {
        let high = self.builder.ins().iadd_imm_s(payload, EXACT);
        let fits = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, high, 2 * EXACT);
        self.check(fits);
    }

    /// Whether two numbers are integers.
    fn are_whole(&mut self, (a, x): (Pair, &Ty), (b, y): (Pair, &Ty)) -> Value {
        let int = bit(tag::INT);
        match (x.is(int), y.is(int)) {
            (true, _) => self.has_tag(b, int),
            (_, true) => self.has_tag(a, int),
            _ => {
                let both = [a, b].map(|pair| self.has_tag(pair, int));
                self.builder.ins().band(both[0], both[1])
            }
        }
    }

    fn compute_floats(&mut self, how: Arithmetic, (a, x): (Pair, &Ty), (b, y): (Pair, &Ty)) -> Pair {
        let (p, q) = (self.float(a, x), self.float(b, y));
        if matches!(how, Arithmetic::Divide | Arithmetic::Floor | Arithmetic::Modulo) {
            let zero = self.builder.ins().f64const(0.0);
            let fits = self.builder.ins().fcmp(FloatCC::NotEqual, q, zero);
            self.check(fits);
        }
        let out = match how {
            Arithmetic::Add => self.builder.ins().fadd(p, q),
            Arithmetic::Subtract => self.builder.ins().fsub(p, q),
            Arithmetic::Multiply => self.builder.ins().fmul(p, q),
            Arithmetic::Divide | Arithmetic::Power => self.builder.ins().fdiv(p, q),
            Arithmetic::Floor | Arithmetic::Modulo => {
                let quotient = self.builder.ins().fdiv(p, q);
                let floor = self.builder.ins().floor(quotient);
                if how == Arithmetic::Floor {
                    floor
                } else {
                    let back = self.builder.ins().fmul(floor, q);
                    self.builder.ins().fsub(p, back)
                }
            }
        };
        self.float_pair(out)
    }

    fn whole(&mut self, how: Arithmetic, (a, x): (Value, &Ty), (b, y): (Value, &Ty)) -> Value {
        match how {
            Arithmetic::Add => self.builder.ins().iadd(a, b),
            Arithmetic::Subtract => self.builder.ins().isub(a, b),
            Arithmetic::Multiply => {
                let (most_a, most_b) = (most(x), most(y));
                if most_a.saturating_mul(most_b) > i128::from(i64::MAX) {
                    let high = self.builder.ins().smulhi(a, b);
                    let low = self.builder.ins().imul(a, b);
                    let sign = self.builder.ins().sshr_imm_s(low, 63);
                    let fits = self.builder.ins().icmp(IntCC::Equal, high, sign);
                    self.check(fits);
                    return low;
                }
                self.builder.ins().imul(a, b)
            }
            _ => {
                if y.range.0 <= 0 && y.range.1 >= 0 {
                    let fits = self.builder.ins().icmp_imm_s(IntCC::NotEqual, b, 0);
                    self.check(fits);
                }
                if how == Arithmetic::Floor && most(x) > i128::from(DIVISIBLE) {
                    let high = self.builder.ins().iadd_imm_s(a, DIVISIBLE);
                    let fits = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, high, 2 * DIVISIBLE);
                    self.check(fits);
                }
                self.floored(how, (a, x), (b, y))
            }
        }
    }

    /// Quotient or remainder of a division that rounds down.
    fn floored(&mut self, how: Arithmetic, (a, x): (Value, &Ty), (b, y): (Value, &Ty)) -> Value {
        let is_floor = how == Arithmetic::Floor;
        if let (true, Some(shift)) = (y.range.0 == y.range.1, power_of_two(y.range.0)) {
            return if is_floor {
                self.builder.ins().sshr_imm_s(a, shift)
            } else {
                self.builder.ins().band_imm_s(a, y.range.0 - 1)
            };
        }
        let (quotient, rest) = self.divide(a, b, most(x).max(most(y)) <= i128::from(i32::MAX));
        let is_plain = x.range.0 >= 0 && y.range.0 > 0;
        if is_plain {
            return if is_floor { quotient } else { rest };
        }
        // Different signs and a rest: the quotient was rounded up.
        let signs = self.builder.ins().bxor(rest, b);
        let differ = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let has_rest = self.builder.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let was_up = self.builder.ins().band(differ, has_rest);
        if is_floor {
            let less = self.builder.ins().iadd_imm_s(quotient, -1);
            self.builder.ins().select(was_up, less, quotient)
        } else {
            let more = self.builder.ins().iadd(rest, b);
            self.builder.ins().select(was_up, more, rest)
        }
    }

    fn divide(&mut self, a: Value, b: Value, is_short: bool) -> (Value, Value) {
        if !is_short {
            let quotient = self.builder.ins().sdiv(a, b);
            let product = self.builder.ins().imul(quotient, b);
            return (quotient, self.builder.ins().isub(a, product));
        }
        let short = [a, b].map(|value| self.builder.ins().ireduce(types::I32, value));
        let quotient = self.builder.ins().sdiv(short[0], short[1]);
        let quotient = self.builder.ins().sextend(types::I64, quotient);
        let product = self.builder.ins().imul(quotient, b);
        (quotient, self.builder.ins().isub(a, product))
    }

    fn pick(&mut self, is_and: bool, a: usize, b: Operand, before: &State) -> Pair {
        let (own, ty) = self.operand(Operand::Register(a), before);
        let (other, _) = self.operand(b, before);
        match ty.is_true() {
            Some(is) => {
                if is == is_and {
                    other
                } else {
                    own
                }
            }
            None => {
                let is_true = self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, own.tag, 1);
                let (yes, no) = if is_and { (other, own) } else { (own, other) };
                Pair {
                    payload: self.builder.ins().select(is_true, yes.payload, no.payload),
                    tag: self.builder.ins().select(is_true, yes.tag, no.tag),
                }
            }
        }
    }

    fn branch(&mut self, test: &Test, yes: usize, no: usize, before: &State) {
        if let Some(holds) = self.analysis.holds(self.function, before, test) {
            return self.jump(if holds { yes } else { no });
        }
        let condition = self.condition(test, before);
        let (yes, no) = (self.blocks[&yes], self.blocks[&no]);
        self.builder.ins().brif(condition, yes, &[], no, &[]);
    }

    fn condition(&mut self, test: &Test, before: &State) -> Value {
        match test {
            Test::True(register) => {
                let own = self.register(*register, &before.registers[*register]);
                self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, own.tag, 1)
            }
            Test::Nil(register) => {
                let own = self.register(*register, &before.registers[*register]);
                self.has_tag(own, bit(tag::NIL))
            }
            Test::Boolean(register, is) => {
                let own = self.register(*register, &before.registers[*register]);
                self.has_tag(own, bit(if *is { tag::TRUE } else { tag::FALSE }))
            }
            Test::Less(a, b) => self.is_less(*a, *b, false, before),
            Test::AtMost(a, b) => self.is_less(*a, *b, true, before),
            Test::Equal(a, b) => {
                let (own, x) = self.operand(Operand::Register(*a), before);
                let (other, y) = self.operand(*b, before);
                let made = bit(tag::CLOSURE) | bit(tag::OTHER);
                self.expect(own, &x, !made);
                self.expect(other, &y, !made);
                self.are_equal((own, &x.only_tags(!made)), (other, &y.only_tags(!made)))
            }
        }
    }

    fn is_less(&mut self, a: usize, b: usize, or_equal: bool, before: &State) -> Value {
        let (own, x) = self.operand(Operand::Register(a), before);
        let (other, y) = self.operand(Operand::Register(b), before);
        self.expect(own, &x, NUMERIC);
        self.expect(other, &y, NUMERIC);
        let (x, y) = (x.only_tags(NUMERIC), y.only_tags(NUMERIC));
        if x.is(bit(tag::INT)) && y.is(bit(tag::INT)) {
            let how = if or_equal { IntCC::SignedLessThanOrEqual } else { IntCC::SignedLessThan };
            return self.builder.ins().icmp(how, own.payload, other.payload);
        }
        let how = if or_equal { FloatCC::LessThanOrEqual } else { FloatCC::LessThan };
        let (p, q) = (self.float(own, &x), self.float(other, &y));
        self.builder.ins().fcmp(how, p, q)
    }

    /// Whether two values are equal.
    pub fn are_equal(&mut self, (a, x): (Pair, &Ty), (b, y): (Pair, &Ty)) -> Value {
        let number = bit(tag::NUMBER);
        let (is_x, is_y) = (x.may(NUMERIC), y.may(NUMERIC));
        let mut same = self.builder.ins().icmp(IntCC::Equal, a.payload, b.payload);
        if x.tag().is_none() || y.tag().is_none() || x.tag() != y.tag() {
            let tags = self.builder.ins().icmp(IntCC::Equal, a.tag, b.tag);
            same = self.builder.ins().band(same, tags);
        }
        if !(is_x && is_y && (x.may(number) || y.may(number))) {
            return same;
        }
        let both = [(a, x), (b, y)].map(|(pair, ty)| {
            let numeric = ty.only_tags(NUMERIC);
            let is = if ty.is(NUMERIC) { None } else { Some(self.has_tag(pair, NUMERIC & ty.mask)) };
            (self.float(pair, &numeric), is)
        });
        let equal = self.builder.ins().fcmp(FloatCC::Equal, both[0].0, both[1].0);
        // Payloads of equal bits need not be equal numbers.
        let mut numbers = None;
        for is in both.iter().filter_map(|(_, is)| *is) {
            numbers = Some(match numbers {
                None => is,
                Some(before) => self.builder.ins().band(before, is),
            });
        }
        match numbers {
            None => equal,
            Some(numbers) => self.builder.ins().select(numbers, equal, same),
        }
    }

    fn loop_numbers(&mut self, op: &Op, before: &State) {
        let (Op::PrepareNumbers { at, body, exit } | Op::LoopNumbers { at, body, exit }) = *op else { return };
        if matches!(op, Op::LoopNumbers { .. }) {
            self.safepoint();
        }
        let int = bit(tag::INT);
        let [limit, step, index] = [at, at + 1, at + 2].map(|register| {
            let pair = self.register(register, &before.registers[register]);
            self.expect(pair, &before.registers[register], int);
            pair.payload
        });
        let by = before.registers[at + 1].range.0;
        let index = if matches!(op, Op::LoopNumbers { .. }) {
            let _ = step;
            let ahead = self.builder.ins().iadd_imm_s(index, by);
            let pair = self.int(ahead);
            self.set(at + 2, pair);
            ahead
        } else {
            index
        };
        let (yes, no) = (self.blocks.get(&body).copied(), self.blocks.get(&exit).copied());
        match (yes, no) {
            (Some(yes), Some(no)) => {
                let how = if by > 0 { IntCC::SignedLessThanOrEqual } else { IntCC::SignedGreaterThanOrEqual };
                let enters = self.builder.ins().icmp(how, index, limit);
                self.builder.ins().brif(enters, yes, &[], no, &[]);
            }
            (Some(only), None) | (None, Some(only)) => drop(self.builder.ins().jump(only, &[])),
            (None, None) => self.fail("a loop"),
        }
    }

    /// Ends the function with these results.
    fn return_(&mut self, from: usize, count: Option<usize>, before: &State) {
        self.safepoint();
        let count = count.unwrap_or_else(|| before.top - from);
        let most = self.analysis.instances[self.instance].results.len();
        let mut first = self.known(0, tag::NIL);
        for n in 0..count.max(most) {
            let pair =
                if n < count { self.register(from + n, &before.registers[from + n]) } else { self.known(0, tag::NIL) };
            if n == 0 {
                first = pair;
            } else {
                let at = offset!(results) + (n * size_of::<Passed>()) as i32;
                self.store_frame(pair.payload, at);
                self.store_frame(pair.tag, at + 8);
            }
        }
        self.builder.ins().return_(&[first.payload, first.tag]);
    }
}

fn most(ty: &Ty) -> i128 {
    i128::from(ty.range.0).abs().max(i128::from(ty.range.1).abs())
}

fn power_of_two(n: i64) -> Option<i64> {
    (n > 0 && n.count_ones() == 1).then(|| i64::from(n.trailing_zeros()))
}
