//! Tests and loops over numbers: which way they go, and what is known afterwards.

use crate::script::bytecode::Function;
use crate::script::native::decode::{Op, Operand, Test};
use crate::script::native::infer::{Analysis, Exits, State, narrow};
use crate::script::native::known::Known;
use crate::script::native::numbers::{is_less, refine};
use crate::script::native::ty::{FALSY, NUMERIC, Set, Ty, bit, tag};

impl Analysis<'_> {
    /// Whether a test holds; `None`: unknown.
    pub fn holds(&mut self, function: &Function, state: &State, test: &Test) -> Option<bool> {
        match test {
            Test::True(register) => state.registers[*register].is_true(),
            Test::Nil(register) => tag_test(&state.registers[*register], bit(tag::NIL)),
            Test::Boolean(register, is) => {
                tag_test(&state.registers[*register], bit(if *is { tag::TRUE } else { tag::FALSE }))
            }
            Test::Less(a, b) => is_less(&state.registers[*a], &state.registers[*b], false),
            Test::AtMost(a, b) => is_less(&state.registers[*a], &state.registers[*b], true),
            Test::Equal(a, b) => {
                let other = self.operand(function, state, *b);
                are_equal(&state.registers[*a], &other)
            }
        }
    }

    pub(super) fn branch(&mut self, function: &Function, state: &State, test: &Test, yes: usize, no: usize) -> Exits {
        // The identity of functions that hooks make is Luau's.
        let mut state = state.clone();
        if let Test::Equal(a, b) = test {
            let made = bit(tag::CLOSURE) | bit(tag::OTHER);
            for operand in [Operand::Register(*a), *b] {
                let ty = self.operand(function, &state, operand);
                if ty.is(made) {
                    return Exits::Missing("a comparison of functions");
                }
                narrow(&mut state, operand, !made);
            }
        }
        let state = &state;
        if let Test::Less(a, b) | Test::AtMost(a, b) = test {
            let both = [a, b].map(|register| state.registers[*register].only_tags(NUMERIC).mask != 0);
            if both != [true, true] {
                return Exits::Missing("a comparison of other values than numbers");
            }
        }
        match self.holds(function, state, test) {
            Some(true) => Exits::To(vec![(yes, state.clone())]),
            Some(false) => Exits::To(vec![(no, state.clone())]),
            None => {
                let with = |this: &mut Self, result| {
                    let mut state = state.clone();
                    this.refine(function, &mut state, test, result);
                    state
                };
                Exits::To(vec![(no, with(self, false)), (yes, with(self, true))])
            }
        }
    }

    /// Changes the types to those after a test with this result.
    fn refine(&mut self, function: &Function, state: &mut State, test: &Test, result: bool) {
        let tags = |state: &mut State, register: usize, mask| {
            state.registers[register] = state.registers[register].only_tags(if result { mask } else { !mask });
        };
        match test {
            Test::True(register) => tags(state, *register, !FALSY),
            Test::Nil(register) => tags(state, *register, bit(tag::NIL)),
            Test::Boolean(register, is) => tags(state, *register, bit(if *is { tag::TRUE } else { tag::FALSE })),
            Test::Less(a, b) | Test::AtMost(a, b) => {
                for register in [*a, *b] {
                    let own = &state.registers[register];
                    // What may be anything stays so: later arithmetic takes it as an integer.
                    if !own.is_open() {
                        let numbers = own.numbers();
                        narrow(state, Operand::Register(register), numbers);
                    }
                }
                if a != b {
                    let (mut x, mut y) = (state.registers[*a].clone(), state.registers[*b].clone());
                    refine(&mut x, &mut y, matches!(test, Test::AtMost(..)), result);
                    (state.registers[*a], state.registers[*b]) = (x, y);
                }
            }
            Test::Equal(a, b) => {
                let other = self.operand(function, state, *b);
                let Some(only) = other.only() else { return };
                let known = Ty::known(only);
                if known.may(NUMERIC) {
                    return;
                }
                let own = state.registers[*a].clone();
                if result {
                    state.registers[*a] = known;
                } else if let (Known::Text(text), Set::Of(texts)) = (only, &own.texts) {
                    let rest: Vec<u32> = texts.iter().copied().filter(|one| *one != text).collect();
                    let mask = if rest.is_empty() { own.mask & !bit(tag::TEXT) } else { own.mask };
                    state.registers[*a] = Ty { texts: Set::Of(rest.into()), ..own.clone() }.only_tags(mask);
                } else if !matches!(only, Known::Text(_) | Known::Table(_) | Known::Function(_)) {
                    state.registers[*a] = own.only_tags(!known.mask);
                }
            }
        }
    }
}

fn tag_test(ty: &Ty, mask: u16) -> Option<bool> {
    match (ty.may(mask), ty.may(!mask)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Whether two values are equal; `None`: unknown.
#[must_use]
fn are_equal(a: &Ty, b: &Ty) -> Option<bool> {
    let class = |mask: u16| if mask & NUMERIC == 0 { mask } else { mask | NUMERIC };
    if class(a.mask) & class(b.mask) == 0 {
        return Some(false);
    }
    if let (Some(x), Some(y)) = (a.only(), b.only()) {
        return Some(x == y);
    }
    if let (Set::Of(x), Set::Of(y)) = (&a.texts, &b.texts)
        && a.is(bit(tag::TEXT))
        && b.is(bit(tag::TEXT))
        && !x.iter().any(|text| y.contains(text))
    {
        return Some(false);
    }
    let int = bit(tag::INT);
    if a.is(int) && b.is(int) && (a.range.1 < b.range.0 || b.range.1 < a.range.0) {
        return Some(false);
    }
    None
}

/// Loops over numbers: registers hold limit, step and index.
pub(super) fn loop_numbers(op: &Op, state: &mut State) -> Exits {
    let (Op::PrepareNumbers { at, body, exit } | Op::LoopNumbers { at, body, exit }) = *op else {
        return Exits::Missing("a loop");
    };
    let int = bit(tag::INT);
    for register in at..at + 3 {
        state.registers[register] = state.registers[register].only_tags(int);
        if state.registers[register].mask == 0 {
            return Exits::Missing("a loop over numbers that are not whole");
        }
    }
    let [limit, step, index] = [at, at + 1, at + 2].map(|register| state.registers[register].range);
    if step.0 != step.1 || step.0 == 0 {
        return Exits::Missing("a loop with an unknown step");
    }
    let (by, is_loop) = (step.0, matches!(op, Op::LoopNumbers { .. }));
    let ahead = if is_loop { (index.0 + by, index.1 + by) } else { index };
    let mut exits = Vec::new();
    let ends = if by > 0 { ahead.1 > limit.0 } else { ahead.0 < limit.1 };
    let enters = if by > 0 { ahead.0 <= limit.1 } else { ahead.1 >= limit.0 };
    if ends {
        let mut out = state.clone();
        out.registers[at + 2] = Ty::int(ahead.0, ahead.1);
        exits.push((exit, out));
    }
    if enters {
        let mut inside = state.clone();
        // The index takes all values up to the limit.
        let range = if by > 0 { (ahead.0, limit.1) } else { (limit.0, ahead.1) };
        inside.registers[at + 2] = Ty::int(range.0, range.1.max(range.0));
        exits.push((body, inside));
    }
    Exits::To(exits)
}
