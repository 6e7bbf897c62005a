//! Follows one operation.

use std::collections::BTreeSet;

use crate::script::bytecode::{Constant, Function};
use crate::script::native::decode::{Arithmetic, Capture, Op, Operand, target};
use crate::script::native::infer::branches::loop_numbers;
use crate::script::native::infer::calls::set_results;
use crate::script::native::infer::{Analysis, Exits, State, narrow};
use crate::script::native::library;
use crate::script::native::numbers::compute;
use crate::script::native::raw::table::MOST_FIELDS;
use crate::script::native::ty::{FALSY, Ty, bit, tag};

impl<'a> Analysis<'a> {
    /// Follows an operation: changes the state to that after it, and returns where the path continues. The same call
    /// for the same state gives the same answer once the analysis is complete.
    pub fn step(&mut self, at: usize, function: &'a Function, op: &Op, next: usize, state: &mut State) -> Exits {
        let mut exits = self.follow(at, function, op, next, state);
        if !self.instances[at].cells.is_empty() {
            share(op, state);
            if let Exits::To(exits) = &mut exits {
                exits.iter_mut().for_each(|(_, state)| share(op, state));
            }
        }
        exits
    }

    fn follow(&mut self, at: usize, function: &'a Function, op: &Op, next: usize, state: &mut State) -> Exits {
        match op {
            Op::Get { to, table, key } => self.get(function, (*to, *table, *key), next, state),
            Op::Call { at: place, arguments, results, next } => {
                self.call(at, state, (*place, *arguments, *results), *next)
            }
            Op::Fast { builtin, arguments, at: place, results, next: after } => {
                let given: Vec<Ty> = arguments.iter().map(|one| self.operand(function, state, *one)).collect();
                match library::fast(self.constants, *builtin, &given, *results) {
                    None => Exits::Next(next),
                    Some(None) => Exits::Missing("an argument of another type"),
                    Some(Some(result)) => {
                        set_results(state, *place, *results, &[result]);
                        Exits::Next(*after)
                    }
                }
            }
            Op::Return { from, count } => self.returns(at, state, *from, *count),
            Op::Jump { to, .. } => Exits::Next(*to),
            Op::Branch { test, yes, no } => self.branch(function, state, test, *yes, *no),
            Op::PrepareNumbers { .. } | Op::LoopNumbers { .. } => loop_numbers(op, state),
            Op::PrepareFields { at: place, to } => {
                let subject = if state.registers[*place].is(bit(tag::NIL)) { *place + 1 } else { *place };
                let tables = state.registers[subject].readable();
                if tables.mask == 0 {
                    return Exits::Missing("a loop over something other than a table");
                }
                state.registers[*place + 1] = tables;
                state.registers[*place] = Ty::nil();
                state.registers[*place + 2] = Ty::int(0, i64::from(i32::MAX));
                Exits::Next(*to)
            }
            Op::LoopFields { at: place, variables, is_list, body, exit } => {
                self.loop_fields(state, *place, *variables, *is_list, (*body, *exit))
            }
            _ => match self.assign(at, function, op, state) {
                Ok(()) => Exits::Next(following(op, next)),
                Err(why) => Exits::Missing(why),
            },
        }
    }

    /// Follows an operation that changes registers and continues at the next place.
    fn assign(&mut self, at: usize, function: &Function, op: &Op, state: &mut State) -> Result<(), &'static str> {
        let value = match op {
            Op::LoadNil { .. } => Ty::nil(),
            Op::LoadBoolean { value, .. } => Ty::truth(*value),
            Op::Load { value, .. } => self.operand(function, state, *value),
            Op::Move { from, .. } => state.registers[*from].clone(),
            Op::Import { constant, .. } => Ty::known(self.import(function, *constant).ok_or("an unknown global")?),
            Op::Global { name, .. } => {
                let name = self.constant(function, *name);
                let globals = self.constants.globals.ok_or("an unknown global")?;
                Ty::known(self.constants.field(globals, name).ok_or("an unknown global")?)
            }
            Op::Upvalue { index, .. } => {
                self.instances[at].upvalues.get(*index).cloned().ok_or("an unknown variable")?
            }
            Op::MakeFunction { to, inner, captures, .. } => self.made(at, (*to, *inner), captures, state),
            Op::NewTable { fields, .. } if *fields <= MOST_FIELDS => Ty::of(bit(tag::NEW)),
            Op::CopyTable { shape, .. } if fields_of(function, *shape) <= MOST_FIELDS => Ty::of(bit(tag::NEW)),
            Op::NewTable { .. } | Op::CopyTable { .. } => return Err("a large table"),
            Op::SetUpvalue { index, .. } => {
                let is_shared = self.instances[at].shared.get(*index) == Some(&true);
                return if is_shared { Ok(()) } else { Err("an assignment to a variable outside the function") };
            }
            Op::Put { table, key, .. } => return self.put(function, *table, *key, state),
            Op::SetList { table, from, count, .. } => {
                let is_unknown = count.is_none() && (state.top < *from || state.is_padded);
                let is_new = state.registers[*table].is(bit(tag::NEW));
                return match (is_unknown, is_new) {
                    (true, _) => Err("an unknown number of values"),
                    (_, false) => Err("a write to a table that cannot change"),
                    _ => Ok(()),
                };
            }
            Op::Arguments { to, count } => return self.variadic(at, function, (*to, *count), state),
            Op::Missing(why) => return Err(why),
            Op::Nothing | Op::Close { .. } => return Ok(()),
            _ => self.computed(function, op, state)?,
        };
        if let Some(to) = target(op) {
            state.registers[to] = value;
        }
        Ok(())
    }

    fn put(&mut self, function: &Function, table: usize, key: Operand, state: &mut State) -> Result<(), &'static str> {
        let key = self.operand(function, state, key);
        if !state.registers[table].may(bit(tag::NEW)) {
            return Err("a write to a table that cannot change");
        }
        if key.is(bit(tag::NIL) | bit(tag::NUMBER) | bit(tag::OTHER)) {
            return Err("a write without a key");
        }
        state.registers[table] = state.registers[table].only_tags(bit(tag::NEW));
        Ok(())
    }

    fn variadic(
        &mut self,
        at: usize,
        function: &Function,
        (to, count): (usize, Option<usize>),
        state: &mut State,
    ) -> Result<(), &'static str> {
        let given = self.instances[at].arguments.get(function.parameters..).unwrap_or_default();
        let count = count.unwrap_or(given.len());
        if state.registers.len() < to + count + 1 {
            return Err("many arguments");
        }
        for n in 0..count {
            state.registers[to + n] = given.get(n).cloned().unwrap_or_else(Ty::nil);
        }
        (state.top, state.is_padded) = (to + count, false);
        Ok(())
    }

    /// The type of the result of an operator.
    fn computed(&mut self, function: &Function, op: &Op, state: &mut State) -> Result<Ty, &'static str> {
        const NO_NUMBERS: &str = "arithmetic on other values than numbers";
        Ok(match op {
            Op::Compute { how, a, b, .. } => {
                let (x, y) = (self.operand(function, state, *a), self.operand(function, state, *b));
                let is_power = *how == Arithmetic::Power && x.numbers() != 0 && y.numbers() != 0;
                let (_, result) = compute(*how, &x, &y).ok_or(if is_power { "a power: `^`" } else { NO_NUMBERS })?;
                narrow(state, *a, x.numbers());
                narrow(state, *b, y.numbers());
                result
            }
            Op::Not { from, .. } => match state.registers[*from].is_true() {
                Some(is) => Ty::truth(!is),
                None => Ty::boolean(),
            },
            Op::Negate { from, .. } => {
                let own = state.registers[*from].clone();
                let (_, result) = compute(Arithmetic::Subtract, &Ty::int(0, 0), &own).ok_or(NO_NUMBERS)?;
                narrow(state, Operand::Register(*from), own.numbers());
                result
            }
            Op::Length { from, .. } => {
                let lists = state.registers[*from].readable().mask;
                if lists == 0 {
                    return Err("the length of something other than a list");
                }
                narrow(state, Operand::Register(*from), lists);
                self.length(&state.registers[*from])
            }
            Op::Pick { is_and, a, b, .. } => {
                let (x, y) = (state.registers[*a].clone(), self.operand(function, state, *b));
                match (x.is_true(), *is_and) {
                    (Some(true), true) | (Some(false), false) => y,
                    (Some(_), _) => x,
                    (None, true) => x.only_tags(FALSY).join(&y),
                    (None, false) => x.only_tags(!FALSY).join(&y),
                }
            }
            _ => return Err("an operation without a result"),
        })
    }

    /// The type of an operand.
    pub fn operand(&mut self, function: &Function, state: &State, operand: Operand) -> Ty {
        match operand {
            Operand::Register(register) => state.registers[register].clone(),
            Operand::Constant(constant) => Ty::known(self.constant(function, constant)),
            Operand::Whole(n) => Ty::int(n, n),
        }
    }
}

/// Shares variables with a new function, or ends that. Other functions may change what is shared.
fn share(op: &Op, state: &mut State) {
    let mut ended = BTreeSet::new();
    match op {
        Op::MakeFunction { captures, .. } => state.shared.extend(captures.iter().filter_map(|capture| match capture {
            Capture::Variable(register) => Some(*register),
            _ => None,
        })),
        Op::Close { from } => ended = state.shared.split_off(from),
        _ => {}
    }
    ended.iter().chain(&state.shared).for_each(|register| state.registers[*register] = Ty::any());
}

fn fields_of(function: &Function, shape: usize) -> usize {
    match function.constants.get(shape) {
        Some(Constant::Shape(fields)) => fields.len(),
        _ => usize::MAX,
    }
}

/// The place after an operation that changes registers.
fn following(op: &Op, next: usize) -> usize {
    match op {
        Op::LoadBoolean { next, .. } | Op::MakeFunction { next, .. } => *next,
        _ => next,
    }
}
