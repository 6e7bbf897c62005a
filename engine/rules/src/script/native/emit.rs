//! Writes the machine code of a function for arguments of some types.
//!
//! Each register is two variables of 64 bits: the payload and the tag of its value. Where the type tells the value or the
//! tag, constants stand in their place. A check that fails ends the machine code, and Luau runs the hook from its start.
//!
//! Direction: self <- tables <- library, questions <- calls <- ops

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlagsData, Signature, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};

use crate::script::bytecode::Function;
use crate::script::native::data::{Data, only_parts};
use crate::script::native::decode::{Operand, decode, registers};
use crate::script::native::infer::{Analysis, Exits, Instance, State, leaders};
use crate::script::native::live::Live;
use crate::script::native::raw::frame::status;
use crate::script::native::ty::{ANY, Mask, Ty, bit, tag};

mod calls;
mod library;
mod ops;
mod questions;
mod tables;

/// The functions of a game that are being written.
pub struct Functions {
    /// The module that gets them.
    pub module: JITModule,
    /// The helpers, by their place in the list of helpers.
    pub helpers: Vec<FuncId>,
    /// The instances.
    pub instances: HashMap<usize, FuncId>,
    /// The entries of instances: arguments and result in the frame.
    pub entries: HashMap<usize, FuncId>,
    /// Instances that are not written yet.
    pub open: Vec<usize>,
    /// Tables of functions for calls that may call several.
    pub dispatch: Vec<DispatchTable>,
    /// Places where machine code ends in any case.
    pub ends: Vec<End>,
}

/// A place where machine code ends in any case.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// The instance.
    pub instance: usize,
    /// The place in its bytecode.
    pub at: usize,
    /// The reason.
    pub why: &'static str,
}

/// A table of functions for a call that may call several.
#[derive(Debug)]
pub struct DispatchTable {
    /// The place of its array in the data.
    pub list: usize,
    /// The instances, by their place in the array.
    pub instances: Vec<(usize, usize)>,
}

impl Functions {
    /// The signature of an instance.
    pub fn signature(&self, instance: &Instance) -> Signature {
        let mut signature = self.module.make_signature();
        let passed = instance.arguments.iter().map(|ty| {
            let (payload, tag) = passes(ty);
            usize::from(payload) + usize::from(tag)
        });
        let count = 1 + usize::from(instance.is_made) + passed.sum::<usize>();
        signature.params.extend(vec![AbiParam::new(types::I64); count]);
        signature.returns.extend([AbiParam::new(types::I64); 2]);
        signature
    }

    /// The signature of an entry.
    pub fn entry_signature(&self) -> Signature {
        let mut signature = self.module.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        signature
    }

    /// The function of an instance, which is written later if it is new.
    pub fn instance(&mut self, at: usize, instance: &Instance) -> Option<FuncId> {
        if let Some(id) = self.instances.get(&at) {
            return Some(*id);
        }
        let signature = self.signature(instance);
        let id = self.module.declare_anonymous_function(&signature).ok()?;
        self.instances.insert(at, id);
        self.open.push(at);
        Some(id)
    }
}

/// A value in machine code.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    payload: Value,
    tag: Value,
}

/// Writes one function.
pub struct Emitter<'a, 'b, 'c> {
    pub analysis: &'b mut Analysis<'a>,
    pub builder: FunctionBuilder<'c>,
    pub data: &'b mut Data,
    pub functions: &'b mut Functions,
    pub instance: usize,
    pub function: &'a Function,
    variables: Vec<[Variable; 2]>,
    blocks: BTreeMap<usize, Block>,
    end: Option<Block>,
    quiet: Option<Block>,
    frame: Value,
    captured: Option<Variable>,
    /// The addresses of variables that other functions share at some place, by register. They have the value at any time.
    cells: BTreeMap<usize, Variable>,
    more: Vec<[Variable; 2]>,
    steps: Value,
    price: Value,
    at: usize,
    /// Where the function continues after a question, if it may ask.
    points: Vec<Block>,
    /// The call that is being written: the place after it, the registers of its results, the state after it.
    after: Option<(usize, Range<usize>, State)>,
    live: Option<Live>,
}

/// Whether the payload and the tag of an argument are passed.
#[must_use]
pub fn passes(ty: &Ty) -> (bool, bool) {
    if ty.only().is_some() {
        return (false, false);
    }
    let simple = bit(tag::NIL) | bit(tag::FALSE) | bit(tag::TRUE);
    (!ty.is(simple), ty.tag().is_none())
}

/// Offsets in the frame.
macro_rules! offset {
    ($field:ident) => {
        std::mem::offset_of!(crate::script::native::raw::frame::Frame, $field) as i32
    };
}
pub(super) use offset;

impl<'a, 'b, 'c> Emitter<'a, 'b, 'c> {
    /// Begins a function.
    pub fn new(
        analysis: &'b mut Analysis<'a>,
        mut builder: FunctionBuilder<'c>,
        data: &'b mut Data,
        functions: &'b mut Functions,
        instance: usize,
        function: &'a Function,
    ) -> Self {
        let variables = (0..registers(function))
            .map(|_| [builder.declare_var(types::I64), builder.declare_var(types::I64)])
            .collect();
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let frame = builder.block_params(entry)[0];
        let flags = MemFlagsData::trusted();
        let steps = builder.ins().load(types::I64, flags, frame, offset!(steps));
        let price = builder.ins().load(types::I64, flags, frame, offset!(price));
        Self {
            analysis,
            builder,
            data,
            functions,
            instance,
            function,
            variables,
            blocks: BTreeMap::new(),
            end: None,
            quiet: None,
            frame,
            captured: None,
            cells: BTreeMap::new(),
            more: Vec::new(),
            steps,
            price,
            at: 0,
            points: Vec::new(),
            after: None,
            live: None,
        }
    }

    /// Writes the whole function.
    pub fn write(mut self) -> FunctionBuilder<'c> {
        let instance = &self.analysis.instances[self.instance];
        let (is_made, asks, calls) = (instance.is_made, instance.asks, instance.calls);
        let entry = self.builder.current_block();
        let parameters: Vec<Value> = entry.map(|entry| self.builder.block_params(entry).to_vec()).unwrap_or_default();
        if calls {
            self.check_stack();
        }
        let resumes = asks.then(|| self.divert());
        self.take_arguments(is_made, &parameters);
        let starts: Vec<usize> = self.analysis.instances[self.instance].blocks.keys().copied().collect();
        for &start in &starts {
            let block = self.builder.create_block();
            self.blocks.insert(start, block);
        }
        let first = self.blocks[&0];
        self.builder.ins().jump(first, &[]);
        let leaders = leaders(self.function);
        for start in starts {
            let Some(mut state) = self.analysis.instances[self.instance].blocks.get(&start).cloned() else { continue };
            self.builder.switch_to_block(self.blocks[&start]);
            let mut pc = start;
            loop {
                self.at = pc;
                let (op, next) = decode(self.function, pc);
                let before = state.clone();
                let exits = self.analysis.step(self.instance, self.function, &op, next, &mut state);
                let next = match exits {
                    Exits::Missing(why) => {
                        self.fail(self.analysis.reason(self.function, pc, &before, why));
                        break;
                    }
                    Exits::Next(next) => Some(next),
                    Exits::To(_) | Exits::Return => None,
                };
                self.operation(&op, next, &before, &state);
                let Some(next) = next else { break };
                if leaders.contains(&next) {
                    self.jump(next);
                    break;
                }
                pc = next;
            }
        }
        if let Some(resumes) = resumes {
            self.continue_at(resumes);
        }
        self.write_ends();
        self.builder.seal_all_blocks();
        self.builder
    }

    fn take_arguments(&mut self, is_made: bool, parameters: &[Value]) {
        for cell in self.analysis.instances[self.instance].cells.clone() {
            let variable = self.builder.declare_var(types::I64);
            let address = self.new_cell();
            self.builder.def_var(variable, address);
            self.cells.insert(cell, variable);
        }
        let mut next = 1;
        if is_made {
            let captured = self.builder.declare_var(types::I64);
            self.builder.def_var(captured, parameters[next]);
            self.captured = Some(captured);
            next += 1;
        }
        let arguments = self.analysis.instances[self.instance].arguments.clone();
        for (at, ty) in arguments.iter().enumerate() {
            let (payload, tag) = passes(ty);
            let known = only_parts(ty).unwrap_or((0, i64::from(ty.tag().unwrap_or(0))));
            let mut part = |this: &mut Self, is_passed: bool, known: i64| {
                if !is_passed {
                    return this.number(known);
                }
                next += 1;
                parameters[next - 1]
            };
            let pair = Pair { payload: part(self, payload, known.0), tag: part(self, tag, known.1) };
            if at < self.function.parameters {
                self.set(at, pair);
            } else {
                let more = [self.builder.declare_var(types::I64), self.builder.declare_var(types::I64)];
                self.builder.def_var(more[0], pair.payload);
                self.builder.def_var(more[1], pair.tag);
                self.more.push(more);
            }
        }
        let nil = self.known(0, tag::NIL);
        for at in self.function.parameters..self.variables.len() {
            self.set(at, nil);
        }
    }

    /// Ends the machine code if the stack is deep: Luau then reports endless recursion.
    fn check_stack(&mut self) {
        let pointer = self.builder.ins().get_stack_pointer(types::I64);
        let floor = self.load_frame(offset!(floor));
        let fits = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, pointer, floor);
        self.check(fits);
    }

    fn write_ends(&mut self) {
        let zero = |this: &mut Self| {
            let zero = this.number(0);
            this.builder.ins().return_(&[zero, zero]);
        };
        if let Some(end) = self.end {
            self.builder.switch_to_block(end);
            let ends = self.number(status::ENDS);
            self.store_frame(ends, offset!(status));
            zero(self);
        }
        if let Some(quiet) = self.quiet {
            self.builder.switch_to_block(quiet);
            zero(self);
        }
    }

    fn number(&mut self, n: i64) -> Value {
        self.builder.ins().iconst(types::I64, n)
    }

    fn known(&mut self, payload: i64, tag: u8) -> Pair {
        Pair { payload: self.number(payload), tag: self.number(i64::from(tag)) }
    }

    /// A known payload with its tag.
    fn constant(&mut self, (payload, tag): (i64, i64)) -> Pair {
        Pair { payload: self.number(payload), tag: self.number(tag) }
    }

    fn load_pair(&mut self, address: Value, at: i32) -> Pair {
        let flags = MemFlagsData::trusted();
        let payload = self.builder.ins().load(types::I64, flags, address, at);
        Pair { payload, tag: self.builder.ins().load(types::I64, flags, address, at + 8) }
    }

    fn store_pair(&mut self, pair: Pair, address: Value, at: i32) {
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, pair.payload, address, at);
        self.builder.ins().store(flags, pair.tag, address, at + 8);
    }

    fn set(&mut self, register: usize, pair: Pair) {
        if let Some(cell) = self.cells.get(&register) {
            let address = self.builder.use_var(*cell);
            self.store_pair(pair, address, 0);
        }
        let [payload, tag] = self.variables[register];
        self.builder.def_var(payload, pair.payload);
        self.builder.def_var(tag, pair.tag);
    }

    /// The value of a register of a type. A shared variable may have any; its memory has its value.
    fn register(&mut self, register: usize, ty: &Ty) -> Pair {
        if let (Some(cell), ANY) = (self.cells.get(&register), ty.mask) {
            let address = self.builder.use_var(*cell);
            return self.load_pair(address, 0);
        }
        if let Some(known) = only_parts(ty) {
            return self.constant(known);
        }
        let [payload, tag] = self.variables[register];
        let payload = self.builder.use_var(payload);
        let tag = match ty.tag() {
            Some(tag) => self.number(i64::from(tag)),
            None => self.builder.use_var(tag),
        };
        Pair { payload, tag }
    }

    /// The value and the type of an operand.
    fn operand(&mut self, operand: Operand, state: &State) -> (Pair, Ty) {
        let ty = self.analysis.operand(self.function, state, operand);
        let register = if let Operand::Register(register) = operand { register } else { 0 };
        (self.register(register, &ty), ty)
    }

    fn load_frame(&mut self, offset: i32) -> Value {
        self.builder.ins().load(types::I64, MemFlagsData::trusted(), self.frame, offset)
    }

    fn store_frame(&mut self, value: Value, offset: i32) {
        self.builder.ins().store(MemFlagsData::trusted(), value, self.frame, offset);
    }

    /// The block in which machine code ends.
    fn end_block(&mut self) -> Block {
        match self.end {
            Some(end) => end,
            None => {
                let end = self.builder.create_block();
                self.builder.set_cold_block(end);
                self.end = Some(end);
                end
            }
        }
    }

    /// Ends the machine code here, in any case.
    fn fail(&mut self, why: &'static str) {
        self.functions.ends.push(End { instance: self.instance, at: self.at, why });
        let end = self.end_block();
        self.builder.ins().jump(end, &[]);
    }

    /// Ends the machine code if a condition does not hold.
    fn check(&mut self, holds: Value) {
        let (end, next) = (self.end_block(), self.builder.create_block());
        self.builder.ins().brif(holds, next, &[], end, &[]);
        self.builder.switch_to_block(next);
    }

    /// Ends the machine code if a called function has ended it.
    fn check_status(&mut self) {
        let quiet = match self.quiet {
            Some(quiet) => quiet,
            None => {
                let quiet = self.builder.create_block();
                self.builder.set_cold_block(quiet);
                self.quiet = Some(quiet);
                quiet
            }
        };
        let status = self.load_frame(offset!(status));
        let next = self.builder.create_block();
        self.builder.ins().brif(status, quiet, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    /// Ends the machine code if a value has none of these tags.
    fn expect(&mut self, pair: Pair, ty: &Ty, mask: Mask) {
        if ty.is(mask) {
            return;
        }
        let holds = self.has_tag(pair, ty.mask & mask);
        self.check(holds);
    }

    fn has_tag(&mut self, pair: Pair, mask: Mask) -> Value {
        if mask.count_ones() == 1 {
            return self.builder.ins().icmp_imm_s(IntCC::Equal, pair.tag, i64::from(mask.trailing_zeros()));
        }
        let mask = self.number(i64::from(mask));
        let shifted = self.builder.ins().ushr(mask, pair.tag);
        let low = self.builder.ins().band_imm_s(shifted, 1);
        self.builder.ins().icmp_imm_s(IntCC::NotEqual, low, 0)
    }

    fn jump(&mut self, to: usize) {
        let block = self.blocks[&to];
        self.builder.ins().jump(block, &[]);
    }

    /// Charges for a safepoint.
    fn safepoint(&mut self) {
        let given = self.analysis.instances[self.instance].arguments.len();
        let values = if self.function.is_variadic { self.function.stack } else { self.function.stack + given };
        let flags = MemFlagsData::trusted();
        let left = self.builder.ins().load(types::I64, flags, self.steps, 0);
        let price = self.builder.ins().load(types::I64, flags, self.price, 0);
        let mut rest = self.builder.ins().isub(left, price);
        if let Some(more) = values.checked_sub(64).filter(|more| *more >= 4) {
            rest = self.builder.ins().iadd_imm_s(rest, -(more as i64 / 4));
        }
        self.builder.ins().store(flags, rest, self.steps, 0);
        let enough = self.builder.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, rest, 0);
        self.check(enough);
    }
}
