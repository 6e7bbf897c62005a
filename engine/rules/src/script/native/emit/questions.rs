//! Questions: functions that wait for an answer store their registers, leave, and continue later.
//!
//! When a hook asks, its functions leave one after the other, the innermost first. Each stores the registers that it still
//! reads, and the number of the place. To continue, each is called again, the outermost first: it takes its registers
//! back, and calls the next one at the same place.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, FuncRef, InstBuilder, JumpTableData, MemFlagsData, SigRef, Value, types};
use cranelift_frontend::Variable;

use crate::script::native::data::only_parts;
use crate::script::native::emit::{Emitter, Pair, offset, passes};
use crate::script::native::live::Live;
use crate::script::native::raw::frame::{MOST_STORED, status};

/// Code that is called.
#[derive(Debug, Clone, Copy)]
pub enum CalledCode {
    /// A function with this many parameters.
    Function(FuncRef, usize),
    /// The entry whose address is the only argument.
    Address(SigRef),
}

/// A variable that a suspended function stores.
struct Stored {
    variable: Variable,
    /// The value that it holds if it need not be stored.
    known: Option<i64>,
}

impl Emitter<'_, '_, '_> {
    /// At the beginning of a function that may ask: a block for a function that continues.
    pub fn divert(&mut self) -> Block {
        let (resumes, begins) = (self.builder.create_block(), self.builder.create_block());
        let is_resumed = self.load_frame(offset!(resumes));
        self.builder.ins().brif(is_resumed, resumes, &[], begins, &[]);
        self.builder.switch_to_block(begins);
        resumes
    }

    /// Continues at the place that was stored last.
    pub fn continue_at(&mut self, block: Block) {
        self.builder.switch_to_block(block);
        if self.points.is_empty() {
            return self.fail("a function that did not ask");
        }
        let stored = self.load_frame(offset!(stored));
        let id = self.builder.ins().load(types::I64, MemFlagsData::trusted(), stored, -8);
        let id = self.builder.ins().ireduce(types::I32, id);
        let targets: Vec<_> = self.points.iter().map(|point| self.builder.func.dfg.block_call(*point, &[])).collect();
        let table = self.builder.create_jump_table(JumpTableData::new(targets[0], &targets));
        self.builder.ins().br_table(id, table);
    }

    /// Calls code; returns its first result, if it has one.
    pub fn call_code(&mut self, code: CalledCode, arguments: &[Value]) -> Pair {
        match code {
            CalledCode::Function(function, _) => {
                let call = self.builder.ins().call(function, arguments);
                let first = self.builder.inst_results(call);
                Pair { payload: first[0], tag: first[1] }
            }
            CalledCode::Address(signature) => {
                self.builder.ins().call_indirect(signature, arguments[0], &[self.frame]);
                let zero = self.number(0);
                Pair { payload: zero, tag: zero }
            }
        }
    }

    /// Calls code that may ask.
    pub fn call_asking(&mut self, code: CalledCode, arguments: &[Value]) -> Pair {
        let address = match code {
            CalledCode::Address(_) => {
                let variable = self.builder.declare_var(types::I64);
                self.builder.def_var(variable, arguments[0]);
                Some(variable)
            }
            CalledCode::Function(..) => None,
        };
        let first = self.call_code(code, arguments);
        let (check, slow, done) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let results = [check, done].map(|block| {
            let payload = self.builder.append_block_param(block, types::I64);
            Pair { payload, tag: self.builder.append_block_param(block, types::I64) }
        });
        let passed = |pair: Pair| [BlockArg::Value(pair.payload), BlockArg::Value(pair.tag)];
        self.builder.ins().jump(check, &passed(first));
        self.builder.switch_to_block(check);
        let now = self.load_frame(offset!(status));
        let asks = self.builder.ins().icmp_imm_s(IntCC::Equal, now, status::ASKS);
        self.builder.ins().brif(asks, slow, &[], done, &passed(results[0]));
        self.builder.set_cold_block(slow);
        self.builder.switch_to_block(slow);
        let stored = self.stored(address);
        self.leave(&stored);
        // The same call, which then continues.
        self.take_back(&stored);
        let again: Vec<Value> = match (code, address) {
            (CalledCode::Function(_, count), _) => {
                let zero = self.number(0);
                let mut all = vec![self.frame];
                all.resize(count, zero);
                all
            }
            (CalledCode::Address(_), Some(address)) => vec![self.builder.use_var(address)],
            (CalledCode::Address(_), None) => Vec::new(),
        };
        let first = self.call_code(code, &again);
        self.builder.ins().jump(check, &passed(first));
        self.builder.switch_to_block(done);
        results[1]
    }

    /// After the helper that asks: waits if it must, and returns the raw answer.
    pub fn wait_for_answer(&mut self) -> Value {
        let (slow, done, has_failed) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        let raw = self.builder.append_block_param(done, types::I64);
        let now = self.load_frame(offset!(status));
        let only = self.load_frame(offset!(results));
        self.builder.ins().brif(now, slow, &[], done, &[BlockArg::Value(only)]);
        self.builder.switch_to_block(slow);
        let asks = self.builder.ins().icmp_imm_s(IntCC::Equal, now, status::ASKS);
        let leaves = self.builder.create_block();
        self.builder.ins().brif(asks, leaves, &[], has_failed, &[]);
        self.builder.switch_to_block(has_failed);
        let zero = self.number(0);
        self.builder.ins().return_(&[zero, zero]);
        self.builder.switch_to_block(leaves);
        let stored = self.stored(None);
        self.leave(&stored);
        self.take_back(&stored);
        let zero = self.number(0);
        self.store_frame(zero, offset!(resumes));
        let answer = self.load_frame(offset!(answer));
        self.builder.ins().jump(done, &[BlockArg::Value(answer)]);
        self.builder.switch_to_block(done);
        raw
    }

    /// The variables that are read after the call that is being written.
    fn stored(&mut self, address: Option<Variable>) -> Vec<Stored> {
        let function = self.function;
        let live = self.live.get_or_insert_with(|| Live::of(function));
        let Some((next, results, state)) = &self.after else { return Vec::new() };
        let mut out = Vec::new();
        for register in live.at(*next).filter(|register| !results.contains(register)) {
            let ty = &state.registers[register];
            let (payload, tag) = passes(ty);
            let known = only_parts(ty).unwrap_or((0, i64::from(ty.tag().unwrap_or(0))));
            let [own, of] = self.variables[register];
            out.push(Stored { variable: own, known: (!payload).then_some(known.0) });
            out.push(Stored { variable: of, known: (!tag).then_some(known.1) });
        }
        let more = self.more.iter().flatten().chain(&self.captured).chain(&address).chain(self.cells.values()).copied();
        out.extend(more.map(|variable| Stored { variable, known: None }));
        out
    }

    /// Stores variables and the place, and leaves the function.
    fn leave(&mut self, stored: &[Stored]) {
        let values: Vec<Variable> = stored.iter().filter(|one| one.known.is_none()).map(|one| one.variable).collect();
        let to = self.load_frame(offset!(stored));
        let end = self.builder.ins().iadd_imm_s(to, 8 * (values.len() as i64 + 1));
        let store = self.load_frame(offset!(first));
        let used = self.builder.ins().isub(end, store);
        let fits = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, used, 8 * MOST_STORED as i64);
        self.check(fits);
        for (place, variable) in values.iter().enumerate() {
            let value = self.builder.use_var(*variable);
            self.builder.ins().store(MemFlagsData::trusted(), value, to, 8 * place as i32);
        }
        let id = self.number(self.points.len() as i64);
        self.builder.ins().store(MemFlagsData::trusted(), id, end, -8);
        self.store_frame(end, offset!(stored));
        let zero = self.number(0);
        self.builder.ins().return_(&[zero, zero]);
    }

    /// Begins the block that continues at the place stored last: takes the variables back.
    fn take_back(&mut self, stored: &[Stored]) {
        let point = self.builder.create_block();
        self.points.push(point);
        self.builder.switch_to_block(point);
        let count = stored.iter().filter(|one| one.known.is_none()).count() as i64;
        let end = self.load_frame(offset!(stored));
        let from = self.builder.ins().iadd_imm_s(end, -8 * (count + 1));
        self.store_frame(from, offset!(stored));
        let mut place = 0;
        for Stored { variable, known } in stored {
            let value = match known {
                Some(known) => self.number(*known),
                None => {
                    place += 8;
                    self.builder.ins().load(types::I64, MemFlagsData::trusted(), from, place - 8)
                }
            };
            self.builder.def_var(*variable, value);
        }
    }
}
