//! Infers the types of all registers of a function for given arguments, along the paths that can be taken.
//!
//! Direction: self <- branches, tables <- calls <- step

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::script::bytecode::{Constant, Function, Numbered};
use crate::script::native::decode::{Op, Operand, decode, registers, shared_registers};
use crate::script::native::known::{Constants, Known, KnownFunction};
use crate::script::native::library;
use crate::script::native::ty::{Made, Set, Ty, bit, tag};

mod branches;
mod calls;
mod step;
mod tables;

/// Joins of a block's state before ranges grow to their widest.
const PATIENCE: usize = 4;
/// Maximum instances of one function; further ones take any arguments.
const MOST_INSTANCES: usize = 12;
/// Maximum instances of a game.
const MOST_ALL: usize = 3000;
/// Maximum operations that are followed in a game, each perhaps several times.
const MOST_WORK: usize = 1_000_000;
/// Maximum instruction words of a function.
const MOST_LONG: usize = 8000;

/// A called function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A known function, by its index.
    Known(u32),
    /// A function made by a hook.
    Made(Rc<Made>),
}

/// A function for arguments of these types.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The function.
    pub callee: Callee,
    /// Its arguments; of a function without `...`, as many as it has parameters.
    pub arguments: Vec<Ty>,
}

/// The types of all registers at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The types by register.
    pub registers: Vec<Ty>,
    /// The register after the results of a call with any number of them.
    pub top: usize,
    /// Whether the last of these results may not exist; they are `nil` then.
    pub is_padded: bool,
    /// The registers whose variables other functions share now.
    pub shared: BTreeSet<usize>,
}

/// The analysis of a function for some arguments.
#[derive(Debug, Default)]
pub struct Instance {
    /// The number of the function in the bytecode.
    pub number: usize,
    /// The types of its arguments.
    pub arguments: Vec<Ty>,
    /// The types of its upvalues.
    pub upvalues: Vec<Ty>,
    /// Whether each upvalue is a variable shared with another function.
    pub shared: Vec<bool>,
    /// The upvalue that is the function itself.
    pub own: Option<usize>,
    /// The registers whose variables other functions share at some place.
    pub cells: BTreeSet<usize>,
    /// The states at the beginnings of blocks.
    pub blocks: BTreeMap<usize, State>,
    /// The types of its results.
    pub results: Vec<Ty>,
    /// The number of its results, if it is always the same.
    pub count: Option<usize>,
    /// Whether it was made by a hook.
    pub is_made: bool,
    /// Whether it calls other functions of scripts.
    pub calls: bool,
    /// The instances that it calls, each with the place of a call.
    pub called: BTreeMap<usize, usize>,
    /// The place that is being analysed.
    pub at: usize,
    /// Whether it may ask, or calls what may ask.
    pub asks: bool,
    /// Why it ended last.
    pub why: Option<&'static str>,
    /// All places where it ended, and why.
    pub ends: BTreeSet<(usize, &'static str)>,
    returns: bool,
    is_done: bool,
}

/// Where a path continues.
#[derive(Debug)]
pub enum Exits {
    /// At the next instruction.
    Next(usize),
    /// At these places, in these states.
    To(Vec<(usize, State)>),
    /// Nowhere: the function returns.
    Return,
    /// Nowhere: machine code lacks the operation.
    Missing(&'static str),
}

/// The functions of a game and what is known about them.
#[derive(Debug)]
pub struct Analysis<'a> {
    /// All values that are the same in every match.
    pub constants: &'a mut Constants,
    /// All functions, by their number in the bytecode.
    pub code: &'a [Numbered],
    /// All instances.
    pub instances: Vec<Instance>,
    /// The instances by function and arguments.
    pub by_key: HashMap<Key, usize>,
    work: usize,
    counts: HashMap<Callee, usize>,
    fields: HashMap<(Set, Ty), Option<Ty>>,
    /// The labels of all prompts, as texts.
    pub labels: Ty,
    /// The labels of all prompts, in their order.
    pub label_texts: Vec<u32>,
    /// The labels of each prompt, as texts.
    pub prompts: Vec<Ty>,
    /// Number of words of the state block.
    pub words: usize,
}

impl Instance {
    /// Whether it can return.
    #[must_use]
    pub fn returns(&self) -> bool {
        self.returns
    }

    fn end(&mut self, at: usize, why: &'static str) {
        self.why = Some(why);
        self.ends.insert((at, why));
    }
}

impl<'a> Analysis<'a> {
    /// An analysis without instances.
    pub fn new(
        constants: &'a mut Constants,
        code: &'a [Numbered],
        label_texts: Vec<u32>,
        prompts: Vec<Ty>,
        words: usize,
    ) -> Self {
        let labels = Ty::union(label_texts.iter().map(|text| Known::Text(*text)));
        Self {
            prompts,
            label_texts,
            words,
            constants,
            code,
            instances: Vec::new(),
            by_key: HashMap::new(),
            work: 0,
            counts: HashMap::new(),
            fields: HashMap::new(),
            labels,
        }
    }

    /// The function with this number in the bytecode.
    #[must_use]
    pub fn function(&self, number: usize) -> Option<&'a Function> {
        self.code.get(number).map(Numbered::function)
    }

    /// The number of a function inside another one.
    #[must_use]
    pub(super) fn inner(&self, number: usize, inner: usize) -> usize {
        number - self.code[number].place + inner
    }

    /// The constant of a function as a value.
    pub fn constant(&mut self, function: &Function, at: usize) -> Known {
        match function.constants.get(at) {
            Some(Constant::Nil) => Known::Nil,
            Some(Constant::Boolean(is)) => Known::Boolean(*is),
            Some(Constant::Number(n)) => Known::Number(*n),
            Some(Constant::Text(text)) => Known::Text(self.constants.text(text)),
            _ => Known::Other,
        }
    }

    /// The value of an import.
    #[must_use]
    pub fn import(&self, function: &Function, at: usize) -> Option<Known> {
        let Some(Constant::Import(path)) = function.constants.get(at) else { return None };
        let names: Option<Vec<&[u8]>> = path
            .iter()
            .map(|name| match function.constants.get(*name) {
                Some(Constant::Text(text)) => Some(&text[..]),
                _ => None,
            })
            .collect();
        self.constants.import(&names?)
    }

    /// The instance of a function for arguments; it is analysed now if it is new. `None`: not a function of a script,
    /// or there are too many instances.
    pub fn instance(&mut self, callee: &Callee, arguments: &[Ty]) -> Option<usize> {
        let made = match callee {
            Callee::Known(function) => match &self.constants.functions[*function as usize] {
                KnownFunction::Script { number, upvalues } => Made {
                    number: *number,
                    upvalues: upvalues.iter().map(|value| Ty::known(*value)).collect(),
                    shared: vec![false; upvalues.len()],
                    own: None,
                },
                _ => return None,
            },
            Callee::Made(made) => Made { upvalues: made.upvalues_inside(), ..(**made).clone() },
        };
        let function = self.function(made.number)?;
        let mut arguments: Vec<Ty> = arguments.iter().map(passed).collect();
        if !function.is_variadic {
            arguments.resize(function.parameters, Ty::nil());
        }
        let mut key = Key { callee: callee.clone(), arguments };
        if let Some(known) = self.by_key.get(&key) {
            return Some(*known);
        }
        let count = self.counts.entry(callee.clone()).or_default();
        *count += 1;
        if *count > MOST_INSTANCES {
            key.arguments.iter_mut().for_each(|argument| *argument = generalised(argument));
            if let Some(known) = self.by_key.get(&key) {
                return Some(*known);
            }
        }
        if self.instances.len() >= MOST_ALL || self.work > MOST_WORK || function.instructions.len() > MOST_LONG {
            return None;
        }
        let at = self.instances.len();
        let arguments = key.arguments.clone();
        self.by_key.insert(key, at);
        let is_made = matches!(callee, Callee::Made(_));
        let cells = shared_registers(function);
        let Made { number, upvalues, shared, own } = made;
        let instance = Instance { number, arguments, upvalues, shared, own, cells, is_made, ..Instance::default() };
        self.instances.push(instance);
        self.analyse(at);
        Some(at)
    }

    /// Why machine code ends at a place: only to make the text of an error, if that comes next.
    #[must_use]
    pub fn reason(&self, function: &Function, from: usize, state: &State, why: &'static str) -> &'static str {
        let mut at = from;
        while at < function.instructions.len() {
            let (op, next) = decode(function, at);
            match op {
                Op::Call { at: place, .. } if self.is_error(&state.registers[place]) => return library::SAYS,
                Op::Jump { .. } | Op::Branch { .. } | Op::Return { .. } => return why,
                _ => at = next,
            }
        }
        why
    }

    fn is_error(&self, called: &Ty) -> bool {
        let Some(Known::Function(function)) = called.only() else { return false };
        matches!(&self.constants.functions[function as usize], KnownFunction::Library(name) if name == "error")
    }

    /// Marks all instances that call what may ask.
    pub fn spread_asks(&mut self) {
        loop {
            let asking: Vec<usize> = (0..self.instances.len())
                .filter(|at| {
                    let instance = &self.instances[*at];
                    !instance.asks && instance.called.keys().any(|called| self.instances[*called].asks)
                })
                .collect();
            if asking.is_empty() {
                return;
            }
            asking.into_iter().for_each(|at| self.instances[at].asks = true);
        }
    }

    /// The state in which an instance begins.
    fn beginning(&self, instance: &Instance, function: &Function) -> State {
        let mut registers = vec![Ty::nil(); registers(function)];
        for (register, argument) in registers.iter_mut().zip(instance.arguments.iter().take(function.parameters)) {
            *register = argument.clone();
        }
        State { registers, top: 0, is_padded: false, shared: BTreeSet::new() }
    }

    fn analyse(&mut self, at: usize) {
        let Some(function) = self.function(self.instances[at].number) else { return };
        let leaders = leaders(function);
        let start = self.beginning(&self.instances[at], function);
        let mut open = BTreeSet::from([0]);
        let mut visits: HashMap<usize, usize> = HashMap::new();
        self.instances[at].blocks.insert(0, start);
        while let Some(block) = open.pop_first() {
            if self.work > MOST_WORK {
                // The game is too large to be compiled as a whole.
                self.instances[at].returns = false;
                self.instances[at].end(block, "too much to compile");
                break;
            }
            let Some(mut state) = self.instances[at].blocks.get(&block).cloned() else { continue };
            let mut pc = block;
            let exits = loop {
                self.work += 1;
                let (op, next) = decode(function, pc);
                self.instances[at].at = pc;
                match self.step(at, function, &op, next, &mut state) {
                    Exits::Next(next) if leaders.contains(&next) => break vec![(next, state)],
                    Exits::Next(next) => pc = next,
                    Exits::To(exits) => break exits,
                    Exits::Return => break Vec::new(),
                    Exits::Missing(why) => {
                        let why = self.reason(function, pc, &state, why);
                        self.instances[at].end(pc, why);
                        break Vec::new();
                    }
                }
            };
            for (target, next) in exits {
                let blocks = &mut self.instances[at].blocks;
                let joined = match blocks.get(&target) {
                    None => next,
                    Some(before) => {
                        let visits = visits.entry(target).or_default();
                        *visits += 1;
                        let joined = joined(before, &next, *visits > PATIENCE);
                        if joined == *before {
                            continue;
                        }
                        joined
                    }
                };
                blocks.insert(target, joined);
                open.insert(target);
            }
        }
        self.instances[at].is_done = true;
    }
}

/// The type of an argument in the function: numbers lose their ranges, so that few instances serve all calls.
#[must_use]
fn passed(ty: &Ty) -> Ty {
    let mut out = ty.clone();
    if out.may(bit(tag::INT)) && (out.mask != bit(tag::INT) || out.range.0 != out.range.1) {
        let word = (i64::from(i32::MIN), i64::from(i32::MAX));
        let is_word = out.range.0 >= word.0 && out.range.1 <= word.1;
        let wide = Ty::of(bit(tag::INT)).range;
        out.range = match (is_word, out.range.0 >= 0) {
            (true, true) => (0, word.1),
            (true, false) => word,
            _ => wide,
        };
    }
    out
}

/// The type of an argument of which a function has had too many.
fn generalised(ty: &Ty) -> Ty {
    let mut out = Ty::of(ty.mask);
    if out.may(bit(tag::INT)) {
        out.range = passed(&Ty { range: (ty.range.0, ty.range.1.max(ty.range.0 + 1)), ..ty.clone() }).range;
    }
    out.functions = ty.functions.clone();
    out.made.clone_from(&ty.made);
    out.tables = ty.tables.clone();
    out
}

/// Restricts a register to some tags, because others have ended the machine code.
fn narrow(state: &mut State, operand: Operand, mask: u16) {
    if let Operand::Register(register) = operand {
        state.registers[register] = state.registers[register].only_tags(mask);
    }
}

fn joined(before: &State, next: &State, is_last: bool) -> State {
    let pairs = before.registers.iter().zip(&next.registers);
    let registers = pairs.map(|(a, b)| if is_last { a.widen(b) } else { a.join(b) }).collect();
    State {
        registers,
        top: if before.top == next.top { before.top } else { 0 },
        is_padded: before.is_padded || next.is_padded,
        shared: before.shared.union(&next.shared).copied().collect(),
    }
}

/// The places at which blocks begin: targets of jumps.
#[must_use]
pub fn leaders(function: &Function) -> BTreeSet<usize> {
    let mut out = BTreeSet::from([0]);
    let mut at = 0;
    while at < function.instructions.len() {
        let (op, next) = decode(function, at);
        match op {
            Op::LoadBoolean { next: to, .. } if to != next => drop(out.insert(to)),
            Op::Jump { to, .. } | Op::PrepareFields { to, .. } => drop(out.insert(to)),
            Op::Branch { yes, no, .. } => out.extend([yes, no]),
            Op::PrepareNumbers { body, exit, .. }
            | Op::LoopNumbers { body, exit, .. }
            | Op::LoopFields { body, exit, .. } => out.extend([body, exit]),
            _ => {}
        }
        at = next;
    }
    out
}
