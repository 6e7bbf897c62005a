//! Instructions of Luau's bytecode as operations with named parts.

use std::collections::BTreeSet;

use crate::script::bytecode::{Constant, Function, words};

/// A register, or a constant of the function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operand {
    /// A register.
    Register(usize),
    /// A constant, by its index.
    Constant(usize),
    /// A whole number.
    Whole(i64),
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    Floor,
}

/// A test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Test {
    /// Whether a register is neither `nil` nor `false`.
    True(usize),
    /// Whether two values are equal.
    Equal(usize, Operand),
    /// Whether a register is `nil`.
    Nil(usize),
    /// Whether a register is this boolean.
    Boolean(usize, bool),
    /// Whether the first is less than the second.
    Less(usize, usize),
    /// Whether the first is at most the second.
    AtMost(usize, usize),
}

/// A captured variable of a new function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// The value of a register.
    Value(usize),
    /// The variable of a register, which may change.
    Variable(usize),
    /// An upvalue of the function that makes it.
    Upvalue(usize),
}

/// An operation. Registers are numbers; places in the code are indices of instruction words.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    Nothing,
    Load {
        to: usize,
        value: Operand,
    },
    LoadNil {
        to: usize,
    },
    LoadBoolean {
        to: usize,
        value: bool,
        next: usize,
    },
    Move {
        to: usize,
        from: usize,
    },
    Import {
        to: usize,
        constant: usize,
    },
    Global {
        to: usize,
        name: usize,
    },
    Upvalue {
        to: usize,
        index: usize,
    },
    SetUpvalue {
        index: usize,
        from: usize,
    },
    /// Variables of registers from this one on are no longer shared.
    Close {
        from: usize,
    },
    Get {
        to: usize,
        table: usize,
        key: Operand,
    },
    Put {
        table: usize,
        key: Operand,
        value: usize,
    },
    Compute {
        how: Arithmetic,
        to: usize,
        a: Operand,
        b: Operand,
    },
    Not {
        to: usize,
        from: usize,
    },
    Negate {
        to: usize,
        from: usize,
    },
    Length {
        to: usize,
        from: usize,
    },
    /// `and` if `is_and`, otherwise `or`.
    Pick {
        is_and: bool,
        to: usize,
        a: usize,
        b: Operand,
    },
    NewTable {
        to: usize,
        array: usize,
        fields: usize,
    },
    CopyTable {
        to: usize,
        shape: usize,
    },
    SetList {
        table: usize,
        from: usize,
        count: Option<usize>,
        first: usize,
    },
    MakeFunction {
        to: usize,
        inner: usize,
        captures: Vec<Capture>,
        next: usize,
    },
    Call {
        at: usize,
        arguments: Option<usize>,
        results: Option<usize>,
        next: usize,
    },
    /// A call of a library function without a safepoint, if its arguments allow it.
    Fast {
        builtin: u8,
        arguments: Vec<Operand>,
        at: usize,
        results: Option<usize>,
        next: usize,
    },
    Return {
        from: usize,
        count: Option<usize>,
    },
    Jump {
        to: usize,
        is_safepoint: bool,
    },
    Branch {
        test: Test,
        yes: usize,
        no: usize,
    },
    PrepareNumbers {
        at: usize,
        body: usize,
        exit: usize,
    },
    LoopNumbers {
        at: usize,
        body: usize,
        exit: usize,
    },
    PrepareFields {
        at: usize,
        to: usize,
    },
    LoopFields {
        at: usize,
        variables: usize,
        is_list: bool,
        body: usize,
        exit: usize,
    },
    Arguments {
        to: usize,
        count: Option<usize>,
    },
    /// An operation that machine code lacks.
    Missing(&'static str),
}

/// The register that an operation writes, if it writes one.
#[must_use]
pub fn target(op: &Op) -> Option<usize> {
    match op {
        Op::LoadNil { to }
        | Op::LoadBoolean { to, .. }
        | Op::Load { to, .. }
        | Op::Move { to, .. }
        | Op::Import { to, .. }
        | Op::Global { to, .. }
        | Op::Upvalue { to, .. }
        | Op::Get { to, .. }
        | Op::Compute { to, .. }
        | Op::Not { to, .. }
        | Op::Negate { to, .. }
        | Op::Length { to, .. }
        | Op::Pick { to, .. }
        | Op::NewTable { to, .. }
        | Op::CopyTable { to, .. }
        | Op::MakeFunction { to, .. } => Some(*to),
        _ => None,
    }
}

/// The operation at a place, and the place of the next one.
#[must_use]
pub fn decode(function: &Function, at: usize) -> (Op, usize) {
    let word = function.instructions[at];
    let next = at + words(word);
    let [op, a, b, c] = word.to_le_bytes().map(usize::from);
    let d = (word as i32 >> 16) as isize;
    let aux = function.instructions.get(at + 1).copied().unwrap_or_default();
    let target = |by: isize| at.wrapping_add_signed(by + 1);
    let register = Operand::Register;
    let branch = |test, by: isize, is_not: bool| {
        let (yes, no) = (target(by), next);
        Op::Branch { test, yes: if is_not { no } else { yes }, no: if is_not { yes } else { no } }
    };
    let (constant, is_not) = ((aux & 0xff_ffff) as usize, aux >> 31 != 0);
    let multiple = |n: usize| n.checked_sub(1);
    let out = match op {
        0 | 65 => Op::Nothing,
        2 => Op::LoadNil { to: a },
        3 => Op::LoadBoolean { to: a, value: b != 0, next: at + 1 + c },
        4 => Op::Load { to: a, value: Operand::Whole(d as i64) },
        5 => Op::Load { to: a, value: Operand::Constant(d as u16 as usize) },
        6 => Op::Move { to: a, from: b },
        7 => Op::Global { to: a, name: aux as usize },
        8 => Op::Missing("an assignment to a global"),
        9 => Op::Upvalue { to: a, index: b },
        10 => Op::SetUpvalue { index: b, from: a },
        11 => Op::Close { from: a },
        12 => Op::Import { to: a, constant: d as u16 as usize },
        13 => Op::Get { to: a, table: b, key: register(c) },
        14 => Op::Put { table: b, key: register(c), value: a },
        15 => Op::Get { to: a, table: b, key: Operand::Constant(aux as usize) },
        16 => Op::Put { table: b, key: Operand::Constant(aux as usize), value: a },
        17 => Op::Get { to: a, table: b, key: Operand::Whole(c as i64 + 1) },
        18 => Op::Put { table: b, key: Operand::Whole(c as i64 + 1), value: a },
        19 => make_function(function, at, a, function.inner.get(d as usize).copied()),
        64 => match function.constants.get(d as u16 as usize) {
            Some(Constant::Function(inner)) => make_function(function, at, a, Some(*inner)),
            _ => Op::Missing("a function"),
        },
        20 => Op::Missing(method(function.constants.get(aux as usize))),
        21 | 87 => Op::Call { at: a, arguments: multiple(b), results: multiple(c), next },
        22 => Op::Return { from: a, count: multiple(b) },
        23 => Op::Jump { to: target(d), is_safepoint: false },
        24 => Op::Jump { to: target(d), is_safepoint: true },
        67 => Op::Jump { to: target((word as i32 >> 8) as isize), is_safepoint: true },
        25 => branch(Test::True(a), d, false),
        26 => branch(Test::True(a), d, true),
        27 => branch(Test::Equal(a, register(aux as usize)), d, false),
        28 => branch(Test::AtMost(a, aux as usize), d, false),
        29 => branch(Test::Less(a, aux as usize), d, false),
        30 => branch(Test::Equal(a, register(aux as usize)), d, true),
        31 => branch(Test::AtMost(a, aux as usize), d, true),
        32 => branch(Test::Less(a, aux as usize), d, true),
        77 => branch(Test::Nil(a), d, is_not),
        78 => branch(Test::Boolean(a, aux & 1 != 0), d, is_not),
        79 | 80 => branch(Test::Equal(a, Operand::Constant(constant)), d, is_not),
        33..=38 => Op::Compute { how: ARITHMETIC[op - 33], to: a, a: register(b), b: register(c) },
        39..=44 => Op::Compute { how: ARITHMETIC[op - 39], to: a, a: register(b), b: Operand::Constant(c) },
        71 => Op::Compute { how: Arithmetic::Subtract, to: a, a: Operand::Constant(b), b: register(c) },
        72 => Op::Compute { how: Arithmetic::Divide, to: a, a: Operand::Constant(b), b: register(c) },
        81 => Op::Compute { how: Arithmetic::Floor, to: a, a: register(b), b: register(c) },
        82 => Op::Compute { how: Arithmetic::Floor, to: a, a: register(b), b: Operand::Constant(c) },
        45 | 46 => Op::Pick { is_and: op == 45, to: a, a: b, b: register(c) },
        47 | 48 => Op::Pick { is_and: op == 47, to: a, a: b, b: Operand::Constant(c) },
        49 => Op::Missing("a text that is put together"),
        50 => Op::Not { to: a, from: b },
        51 => Op::Negate { to: a, from: b },
        52 => Op::Length { to: a, from: b },
        53 => Op::NewTable { to: a, array: aux as usize, fields: if b == 0 { 0 } else { 1 << (b - 1) } },
        54 => Op::CopyTable { to: a, shape: d as u16 as usize },
        55 => Op::SetList { table: a, from: b, count: multiple(c), first: aux as usize },
        56 => Op::PrepareNumbers { at: a, body: next, exit: target(d) },
        57 => Op::LoopNumbers { at: a, body: target(d), exit: next },
        58 => Op::LoopFields { at: a, variables: (aux & 255) as usize, is_list: is_not, body: target(d), exit: next },
        59 | 61 | 76 => Op::PrepareFields { at: a, to: target(d) },
        60 | 68 | 73..=75 => fast(function, at, [op, a, b, c], aux),
        63 => Op::Arguments { to: a, count: multiple(b) },
        66 => Op::Load { to: a, value: Operand::Constant(aux as usize) },
        _ => Op::Missing("a rare instruction"),
    };
    (out, next)
}

/// A call of a method that machine code lacks. Luau makes texts with values by the method `format`.
fn method(name: Option<&Constant>) -> &'static str {
    match name {
        Some(Constant::Text(name)) if &name[..] == b"format" => "a text with values in it",
        _ => "a call of a method",
    }
}

/// The operations of the instructions from `ADD` and from `ADDK` on.
const ARITHMETIC: [Arithmetic; 6] = [
    Arithmetic::Add,
    Arithmetic::Subtract,
    Arithmetic::Multiply,
    Arithmetic::Divide,
    Arithmetic::Modulo,
    Arithmetic::Power,
];

/// The registers whose variables functions share.
#[must_use]
pub fn shared_registers(function: &Function) -> BTreeSet<usize> {
    let captures = function.instructions.iter().filter(|word| **word & 0xffff == 70 | 1 << 8);
    captures.map(|word| (word >> 16 & 255) as usize).collect()
}

/// A new function with its captured variables, which the following instructions name.
fn make_function(function: &Function, at: usize, to: usize, inner: Option<usize>) -> Op {
    let Some(inner) = inner else { return Op::Missing("a function") };
    let mut captures = Vec::new();
    let mut next = at + 1;
    while let Some(word) = function.instructions.get(next).filter(|word| **word & 255 == 70) {
        let [_, how, what, _] = word.to_le_bytes().map(usize::from);
        captures.push(match how {
            0 => Capture::Value(what),
            1 => Capture::Variable(what),
            _ => Capture::Upvalue(what),
        });
        next += 1;
    }
    Op::MakeFunction { to, inner, captures, next }
}

/// A fast call: the call that follows it has the place of the results.
fn fast(function: &Function, at: usize, [op, builtin, b, c]: [usize; 4], aux: u32) -> Op {
    let call = at + c + 1;
    let [_, to, count, results] =
        function.instructions.get(call).copied().unwrap_or_default().to_le_bytes().map(usize::from);
    let register = |aux: u32| Operand::Register(aux as usize & 255);
    let arguments = match op {
        73 => vec![Operand::Register(b)],
        74 => vec![Operand::Register(b), register(aux)],
        75 => vec![Operand::Register(b), Operand::Constant(aux as usize)],
        60 => vec![Operand::Register(b), register(aux), register(aux >> 8)],
        // The arguments of the call; too many to list if the last one is a call.
        _ if count == 0 => return Op::Nothing,
        _ => (1..count).map(|n| Operand::Register(to + n)).collect(),
    };
    let next = call + words(function.instructions.get(call).copied().unwrap_or_default());
    Op::Fast { builtin: builtin as u8, arguments, at: to, results: results.checked_sub(1), next }
}

/// Registers after the last one of a function, for results of calls with any number of them.
const MORE: usize = 8;

/// The number of registers of a function.
#[must_use]
pub fn registers(function: &Function) -> usize {
    let own = function.stack.max(function.parameters) + 1;
    let mut at = 0;
    while at < function.instructions.len() {
        let (op, next) = decode(function, at);
        if matches!(op, Op::Call { results: None, .. }) {
            return own + MORE;
        }
        at = next;
    }
    own
}
