//! Calls: of other machine code, kernels and library functions; new functions.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_module::Module;

use crate::script::kernels::KERNELS;
use crate::script::machine::NIL;
use crate::script::native::data::{only_parts, parts};
use crate::script::native::decode::Capture;
use crate::script::native::emit::questions::CalledCode;
use crate::script::native::emit::tables::helper;
use crate::script::native::emit::{DispatchTable, Emitter, Pair, offset, passes};
use crate::script::native::infer::{Callee, State};
use crate::script::native::known::KnownFunction;
use crate::script::native::raw::arena::Value as Passed;
use crate::script::native::raw::frame::PASSED;
use crate::script::native::ty::{Ty, bit, tag};

impl Emitter<'_, '_, '_> {
    /// Makes a function.
    pub fn make_function(&mut self, to: usize, captures: &[Capture], before: &State, after: &State) {
        let made = after.registers[to].made.clone();
        let own = made.as_ref().and_then(|made| made.own);
        let types = made.map(|made| made.upvalues.clone()).unwrap_or_default();
        let shared = after.registers[to].made.as_ref().is_some_and(|made| made.shared.contains(&true));
        let is_passed = |(n, ty): (usize, &Ty)| own != Some(n) && ty.only().is_none();
        if !shared && !types.iter().enumerate().any(is_passed) {
            let pair = self.known(0, tag::CLOSURE);
            return self.set(to, pair);
        }
        let (room, zero) = (self.number(captures.len() as i64), self.number(0));
        let Some(table) = self.help(helper::NEW_TABLE, &[self.frame, room, zero]) else { return };
        self.check_status();
        let list = self.builder.ins().load(types::I64, MemFlagsData::trusted(), table, 0);
        for (n, capture) in captures.iter().enumerate().filter(|(n, _)| own != Some(*n)) {
            let pair = match capture {
                Capture::Value(register) => self.register(*register, &before.registers[*register]),
                Capture::Upvalue(index) => self.captured_value(*index),
                Capture::Variable(register) => {
                    let address = self.builder.use_var(self.cells[register]);
                    self.int(address)
                }
            };
            let at = (n * size_of::<Passed>()) as i32;
            self.store_pair(pair, list, at);
        }
        let pair = Pair { payload: list, tag: self.number(i64::from(tag::CLOSURE)) };
        self.set(to, pair);
    }

    /// A captured value that cannot change.
    pub fn captured_value(&mut self, index: usize) -> Pair {
        let instance = &self.analysis.instances[self.instance];
        let ty = instance.upvalues.get(index).cloned().unwrap_or_else(Ty::nil);
        if let (Some(captured), true) = (self.captured, instance.own == Some(index)) {
            return Pair { payload: self.builder.use_var(captured), tag: self.number(i64::from(tag::CLOSURE)) };
        }
        if let Some((payload, tag)) = only_parts(&ty) {
            return self.constant((payload, tag));
        }
        let pair = self.captured_word(index);
        match ty.tag() {
            Some(tag) => Pair { tag: self.number(i64::from(tag)), ..pair },
            None => pair,
        }
    }

    /// A captured value, or the address of a shared variable, as it was stored.
    fn captured_word(&mut self, index: usize) -> Pair {
        let Some(captured) = self.captured else { return self.known(0, tag::NIL) };
        let captured = self.builder.use_var(captured);
        self.load_pair(captured, (index * size_of::<Passed>()) as i32)
    }

    /// The address of a new variable that functions share.
    pub fn new_cell(&mut self) -> Value {
        let (one, zero) = (self.number(1), self.number(0));
        let table = self.help(helper::NEW_TABLE, &[self.frame, one, zero]);
        self.check_status();
        match table {
            Some(table) => self.builder.ins().load(types::I64, MemFlagsData::trusted(), table, 0),
            None => one,
        }
    }

    /// Gives registers from one on new variables, because functions keep the old ones.
    pub fn close(&mut self, from: usize, before: &State) {
        for &register in before.shared.range(from..) {
            let before = self.register(register, &Ty::any());
            let address = self.new_cell();
            self.builder.def_var(self.cells[&register], address);
            self.set(register, before);
        }
    }

    /// Writes a shared variable.
    pub fn set_upvalue(&mut self, index: usize, pair: Pair) {
        let address = self.captured_word(index).payload;
        self.store_pair(pair, address, 0);
    }

    /// Reads a shared variable.
    pub fn shared_upvalue(&mut self, index: usize) -> Pair {
        let address = self.captured_word(index).payload;
        self.load_pair(address, 0)
    }

    /// Calls a function.
    pub fn call(
        &mut self,
        at: usize,
        arguments: Option<usize>,
        results: Option<usize>,
        next: usize,
        (before, after): (&State, &State),
    ) {
        self.safepoint();
        let called = before.registers[at].clone();
        let own = self.register(at, &called);
        let mask = bit(tag::FUNCTION) | bit(tag::CLOSURE);
        self.expect(own, &called, mask);
        let end = arguments.map_or(before.top, |count| at + 1 + count);
        let given: Vec<(Pair, Ty)> = (at + 1..end)
            .map(|register| {
                let ty = before.registers[register].clone();
                (self.register(register, &ty), ty)
            })
            .collect();
        let count = results.unwrap_or_else(|| after.top.saturating_sub(at));
        let Some(callees) = self.analysis.callees(&called.only_tags(mask)) else { return };
        self.after = Some((next, at..at + count, after.clone()));
        let out = match &callees[..] {
            [(callee @ Callee::Known(function), _)] => {
                match self.analysis.constants.functions[*function as usize].clone() {
                    KnownFunction::Script { .. } => self.call_instance(callee, None, &given, count),
                    other => self.call_engine(&other, &given, count),
                }
            }
            [(callee @ Callee::Made(_), list)] if list.is_empty() => {
                self.call_instance(callee, Some(own.payload), &given, count)
            }
            _ => self.call_one_of(&callees, own.payload, &given, count),
        };
        self.after = None;
        let nil = self.known(0, tag::NIL);
        for n in 0..count {
            self.set(at + n, out.get(n).copied().unwrap_or(nil));
        }
    }

    /// Calls one instance.
    fn call_instance(&mut self, callee: &Callee, made: Option<Value>, given: &[(Pair, Ty)], count: usize) -> Vec<Pair> {
        let types: Vec<Ty> = given.iter().map(|(_, ty)| ty.clone()).collect();
        let Some(instance) = self.analysis.instance(callee, &types) else {
            self.fail_here("too many functions");
            return Vec::new();
        };
        let Some(id) = self.functions.instance(instance, &self.analysis.instances[instance]) else {
            self.fail_here("a function without machine code");
            return Vec::new();
        };
        let function = self.functions.module.declare_func_in_func(id, self.builder.func);
        let wanted = self.analysis.instances[instance].arguments.clone();
        let mut passed = vec![self.frame];
        passed.extend(made);
        for (n, ty) in wanted.iter().enumerate() {
            let nil = self.known(0, tag::NIL);
            let pair = given.get(n).map_or(nil, |(pair, _)| *pair);
            let (payload, tag) = passes(ty);
            passed.extend(payload.then_some(pair.payload));
            passed.extend(tag.then_some(pair.tag));
        }
        let called = CalledCode::Function(function, passed.len());
        let first = if self.analysis.instances[instance].asks {
            self.call_asking(called, &passed)
        } else {
            self.call_code(called, &passed)
        };
        self.check_status();
        let returned = self.analysis.instances[instance].results.len();
        self.results(first, returned, count)
    }

    /// The results of a call: the first one, and others in the frame.
    fn results(&mut self, first: Pair, returned: usize, count: usize) -> Vec<Pair> {
        let mut out = Vec::new();
        for n in 0..count.min(returned) {
            let at = offset!(results) + (n * size_of::<Passed>()) as i32;
            out.push(if n == 0 { first } else { Pair { payload: self.load_frame(at), tag: self.load_frame(at + 8) } });
        }
        out
    }

    /// Calls one of several functions.
    fn call_one_of(
        &mut self,
        callees: &[(Callee, Vec<u32>)],
        function: Value,
        given: &[(Pair, Ty)],
        count: usize,
    ) -> Vec<Pair> {
        let passed_types: Vec<Ty> = given.iter().map(|(_, ty)| ty.clone()).collect();
        let mut known: Vec<(u32, usize)> = Vec::new();
        for (callee, list) in callees {
            let is_engine = matches!(callee, Callee::Known(function)
                if !matches!(self.analysis.constants.functions[*function as usize], KnownFunction::Script { .. }));
            if !is_engine && let Some(instance) = self.analysis.instance(callee, &passed_types) {
                known.extend(list.iter().map(|function| (*function, instance)));
            }
        }
        let all = || callees.iter().flat_map(|(_, list)| list.iter().copied());
        let (Some(first), Some(last)) = (all().min(), all().max()) else { return Vec::new() };
        if given.len() > PASSED {
            self.fail_here("many arguments");
            return Vec::new();
        }
        // For each function: the address of its code, and that of its upvalues.
        let mut rows = vec![0; 2 * ((last - first) as usize + 1)];
        for (function, instance) in &known {
            if self.analysis.instances[*instance].is_made
                && let KnownFunction::Script { upvalues, .. } = &self.analysis.constants.functions[*function as usize]
            {
                let words = upvalues.iter().flat_map(|value| <[i64; 2]>::from(parts(*value))).collect();
                rows[2 * (function - first) as usize + 1] = self.data.keep(words);
            }
        }
        let address = self.data.keep(rows);
        let list = self.data.lists.len() - 1;
        let instances = known.iter().map(|(function, instance)| (2 * (function - first) as usize, *instance)).collect();
        self.functions.dispatch.push(DispatchTable { list, instances });
        for (n, (pair, _)) in given.iter().enumerate() {
            let at = offset!(arguments) + (n * size_of::<Passed>()) as i32;
            self.store_frame(pair.payload, at);
            self.store_frame(pair.tag, at + 8);
        }
        let base = self.number(address - 16 * i64::from(first));
        let offset = self.builder.ins().ishl_imm_s(function, 4);
        let at = self.builder.ins().iadd(base, offset);
        let code = self.builder.ins().load(types::I64, MemFlagsData::trusted(), at, 0);
        let upvalues = self.builder.ins().load(types::I64, MemFlagsData::trusted(), at, 8);
        self.store_frame(upvalues, offset!(upvalues));
        let exists = self.builder.ins().icmp_imm_s(IntCC::NotEqual, code, 0);
        self.check(exists);
        let signature = self.functions.entry_signature();
        let called = CalledCode::Address(self.builder.import_signature(signature));
        if known.iter().any(|(_, instance)| self.analysis.instances[*instance].asks) {
            self.call_asking(called, &[code]);
        } else {
            self.call_code(called, &[code]);
        }
        self.check_status();
        let returned = known.iter().map(|(_, instance)| self.analysis.instances[*instance].results.len()).max();
        let returned = returned.unwrap_or(0);
        let first = self.first_result();
        let mut out = self.results(first, returned.min(1), count);
        // Functions with fewer results have left others in the frame.
        if returned > 1 && count > 1 {
            let all = known.iter().all(|(_, at)| self.analysis.instances[*at].results.len() == returned);
            if all {
                out = self.results(first, returned, count);
            } else {
                self.fail_here("an unknown number of results");
            }
        }
        out
    }

    /// Calls a function of the engine.
    fn call_engine(&mut self, function: &KnownFunction, given: &[(Pair, Ty)], count: usize) -> Vec<Pair> {
        match function {
            KnownFunction::Kernel(kernel) => self.call_kernel(*kernel, given, count),
            KnownFunction::Ask => self.call_ask(given),
            KnownFunction::Library(name) => self.call_library(name, given),
            _ => {
                self.fail_here("a function of the library");
                Vec::new()
            }
        }
    }

    /// Stores an argument of a kernel.
    fn pass(&mut self, place: usize, argument: Option<&(Pair, Ty)>) {
        let nil = self.number(i64::from(NIL));
        let value = match argument {
            None => nil,
            Some((_, ty)) if ty.is(bit(tag::NIL)) => nil,
            Some((pair, ty)) => {
                let (int, nothing) = (bit(tag::INT), bit(tag::NIL));
                self.expect(*pair, ty, int | nothing);
                if ty.range.0 <= i64::from(i32::MIN) || ty.range.1 > i64::from(i32::MAX) {
                    let high = self.builder.ins().iadd_imm_s(pair.payload, i64::from(i32::MAX));
                    let fits =
                        self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, high, i64::from(u32::MAX) - 1);
                    self.check(fits);
                }
                if ty.may(nothing) {
                    let is_nil = self.has_tag(*pair, nothing);
                    self.builder.ins().select(is_nil, nil, pair.payload)
                } else {
                    pair.payload
                }
            }
        };
        self.store_frame(value, offset!(scratch) + 8 * place as i32);
    }

    fn call_kernel(&mut self, kernel: usize, given: &[(Pair, Ty)], count: usize) -> Vec<Pair> {
        for place in 0..KERNELS[kernel].args.len() {
            self.pass(place, given.get(place));
        }
        let number = self.number(kernel as i64);
        self.help(helper::KERNEL, &[self.frame, number]);
        self.check_status();
        if count == 0 {
            return Vec::new();
        }
        let mut out = self.first_result();
        // The tag that the types promise.
        let (types, _) = crate::script::native::library::kernel_results(KERNELS[kernel].name);
        if let Some(ty) = types.first() {
            self.expect(out, &Ty::any(), ty.mask);
            if let Some(tag) = ty.tag() {
                out.tag = self.number(i64::from(tag));
            }
        }
        vec![out]
    }

    fn call_ask(&mut self, given: &[(Pair, Ty)]) -> Vec<Pair> {
        for place in 0..given.len().clamp(2, PASSED) {
            self.pass(place, given.get(place));
        }
        let values = self.number(given.len().saturating_sub(2) as i64);
        self.help(helper::ASK, &[self.frame, values]);
        // Raw choices: a plain label is a negative number.
        let raw = self.wait_for_answer();
        vec![self.answer(raw)]
    }

    /// An answer as scripts see it.
    fn answer(&mut self, raw: Value) -> Pair {
        let labels = self.analysis.label_texts.clone();
        let list: Vec<i64> = labels.iter().map(|text| i64::from(*text)).collect();
        let count = list.len() as i64;
        let address = self.data.keep(if list.is_empty() { vec![0] } else { list });
        let number = self.builder.ins().ineg(raw);
        let at = self.builder.ins().iadd_imm_s(number, -1);
        let is_label = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, at, count);
        let zero = self.number(0);
        let place = self.builder.ins().select(is_label, at, zero);
        let offset = self.builder.ins().ishl_imm_s(place, 3);
        let base = self.number(address);
        let address = self.builder.ins().iadd(base, offset);
        let text = self.builder.ins().load(types::I64, MemFlagsData::trusted(), address, 0);
        let (of_text, of_int) = (self.number(i64::from(tag::TEXT)), self.number(i64::from(tag::INT)));
        Pair {
            payload: self.builder.ins().select(is_label, text, raw),
            tag: self.builder.ins().select(is_label, of_text, of_int),
        }
    }
}
