//! Which registers are still read after a place.

use crate::script::bytecode::Function;
use crate::script::native::decode::{Capture, Op, Operand, Test, decode, registers, target};

/// The registers that are read from each place on, by index of the instruction word.
#[derive(Debug)]
pub struct Live(Vec<Vec<bool>>);

impl Live {
    /// The live registers of a function.
    #[must_use]
    pub fn of(function: &Function) -> Self {
        let size = registers(function);
        let count = function.instructions.len();
        let mut live = vec![vec![false; size]; count + 1];
        let mut places = Vec::new();
        let mut at = 0;
        while at < count {
            let (op, next) = decode(function, at);
            let targets = targets(&op, next);
            places.push((at, op, targets));
            at = next;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (at, op, targets) in places.iter().rev() {
                let mut own = vec![false; size];
                for target in targets.iter().filter(|target| **target <= count) {
                    for (register, is) in live[*target].iter().enumerate() {
                        own[register] |= *is;
                    }
                }
                written(op, size, &mut |register| own[register] = false);
                read(op, size, &mut |register| own[register] = true);
                if own != live[*at] {
                    live[*at] = own;
                    changed = true;
                }
            }
        }
        Self(live)
    }

    /// The registers that are read from a place on.
    pub fn at(&self, place: usize) -> impl Iterator<Item = usize> {
        self.0[place].iter().enumerate().filter_map(|(register, is)| is.then_some(register))
    }
}

fn targets(op: &Op, next: usize) -> Vec<usize> {
    match op {
        Op::LoadBoolean { next, .. } | Op::MakeFunction { next, .. } | Op::Call { next, .. } => vec![*next],
        // A fast call may also take the usual way.
        Op::Fast { next: after, .. } => vec![*after, next],
        Op::Return { .. } | Op::Missing(_) => Vec::new(),
        Op::Jump { to, .. } | Op::PrepareFields { to, .. } => vec![*to],
        Op::Branch { yes, no, .. } => vec![*yes, *no],
        Op::PrepareNumbers { body, exit, .. }
        | Op::LoopNumbers { body, exit, .. }
        | Op::LoopFields { body, exit, .. } => vec![*body, *exit],
        _ => vec![next],
    }
}

fn written(op: &Op, size: usize, mark: &mut impl FnMut(usize)) {
    match op {
        Op::Call { at, results: Some(count), .. } => (*at..(at + count).min(size)).for_each(mark),
        Op::Arguments { to, count: Some(count) } => (*to..(to + count).min(size)).for_each(mark),
        _ => target(op).into_iter().for_each(mark),
    }
}

fn read(op: &Op, size: usize, mark: &mut impl FnMut(usize)) {
    let operand = |operand: &Operand| {
        if let Operand::Register(register) = operand {
            mark(*register);
        }
    };
    match op {
        Op::Get { table, key, .. } => [Operand::Register(*table), *key].iter().for_each(operand),
        Op::Put { table, key, value } => {
            [Operand::Register(*table), *key, Operand::Register(*value)].iter().for_each(operand);
        }
        Op::Compute { a, b, .. } => [a, b].into_iter().for_each(operand),
        Op::Pick { a, b, .. } => [Operand::Register(*a), *b].iter().for_each(operand),
        Op::SetUpvalue { from, .. }
        | Op::Move { from, .. }
        | Op::Not { from, .. }
        | Op::Negate { from, .. }
        | Op::Length { from, .. } => mark(*from),
        Op::SetList { table, from, count, .. } => {
            mark(*table);
            (*from..count.map_or(size, |count| from + count).min(size)).for_each(mark);
        }
        Op::MakeFunction { captures, .. } => {
            for capture in captures {
                if let Capture::Value(register) = capture {
                    mark(*register);
                }
            }
        }
        Op::Call { at, arguments, .. } => {
            (*at..arguments.map_or(size, |count| at + 1 + count).min(size)).for_each(mark);
        }
        Op::Fast { arguments, .. } => arguments.iter().for_each(operand),
        Op::Return { from, count } => (*from..count.map_or(size, |count| from + count).min(size)).for_each(mark),
        Op::Branch { test, .. } => match test {
            Test::True(register) | Test::Nil(register) | Test::Boolean(register, _) => mark(*register),
            Test::Equal(a, b) => [Operand::Register(*a), *b].iter().for_each(operand),
            Test::Less(a, b) | Test::AtMost(a, b) => [*a, *b].into_iter().for_each(mark),
        },
        Op::PrepareNumbers { at, .. } | Op::LoopNumbers { at, .. } => (*at..at + 3).for_each(mark),
        Op::PrepareFields { at, .. } | Op::LoopFields { at, .. } => (*at..at + 3).for_each(mark),
        _ => {}
    }
}
