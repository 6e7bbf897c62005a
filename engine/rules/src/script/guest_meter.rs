//! A meter for VMs other than those of a match: rule tests run in a sandbox of their own, under prices of the same kind. There is one for
//! each thread; `watch_allocations` connects it to a VM.

use std::cell::Cell;

use mlua::chunk::Compiler;

use crate::script::bytecode::functions;
use crate::script::meter::{matching, search};
use crate::script::stretch::{MAX_SUMS, Stretch};

/// Size of an object, in bytes, from which on allocating it is charged.
const LARGE: usize = 1 << 10;
/// Size of an object, in bytes, from which on every step costs more.
const HUGE: usize = 1 << 14;
/// Size of a text, in bytes, from which on every step costs more, and how many of them do one step.
const LONG: usize = 128;
const BYTES_A_STEP: usize = 8;

/// Functions that Luau would compile to instructions of their own, so that those which the sandbox has in their place would never be
/// called.
const NO_BUILTINS: [&str; 14] = [
    "tonumber",
    "tostring",
    "unpack",
    "string.byte",
    "string.char",
    "string.len",
    "string.sub",
    "table.unpack",
    "math.max",
    "math.min",
    "bit32.band",
    "bit32.bor",
    "bit32.bxor",
    "bit32.btest",
];

/// What a step costs, and why.
#[derive(Debug, Clone, Copy)]
struct Meter {
    /// Steps that allocations have cost since they were last asked for.
    due: u64,
    /// What it takes to go through the largest object.
    object: u64,
    /// What it takes to read the longest text as a number.
    text: u64,
    /// What the longest stretch of the scripts without a step takes, and how many sums it has, and one more.
    stretch: u64,
    sums: u64,
}

impl Meter {
    const LEAST: Self = Self { due: 0, object: 1, text: 0, stretch: 1, sums: 1 };

    fn of_step(self) -> u64 {
        self.stretch.max(self.object).max(self.text.saturating_mul(self.sums))
    }
}

thread_local! {
    static METER: Cell<Meter> = const { Cell::new(Meter::LEAST) };
}

/// Forgets all that was counted on this thread, and its scripts.
pub fn begin() {
    METER.set(Meter::LEAST);
}

/// Forgets all that was counted on this thread.
pub fn reset() {
    let Meter { stretch, sums, .. } = METER.get();
    METER.set(Meter { stretch, sums, ..Meter::LEAST });
}

/// Compiles a script that will run on this thread, whose steps are as dear as its longest way from one to the next; `None`: it cannot be
/// compiled, and a VM that tries to says why.
///
/// # Errors
/// That way is too long; the line of the function that has it, and a message.
pub fn compile(source: &str) -> Result<Option<Vec<u8>>, (usize, String)> {
    let Ok(code) = Compiler::new().set_disabled_builtins(NO_BUILTINS).compile(source) else { return Ok(None) };
    let Some(functions) = functions(&code) else { return Ok(None) };
    let stretch = Stretch::of(&functions);
    if let Some(line) = stretch.too_long() {
        let message = format!("more than {MAX_SUMS} sums in a row, with no loop and no call among them");
        return Err((line, message));
    }
    let meter = METER.get();
    METER.set(Meter {
        stretch: meter.stretch.max(stretch.price().unsigned_abs()),
        sums: meter.sums.max(1 + stretch.sums().unsigned_abs()),
        ..meter
    });
    Ok(Some(code))
}

/// What the step that begins costs, with what was allocated before it: more, the larger the largest object and the longest text are,
/// because functions and operators go through them without passing another step.
#[must_use]
pub fn step() -> u64 {
    let meter = METER.get();
    METER.set(Meter { due: 0, ..meter });
    meter.due.saturating_add(meter.of_step())
}

/// Counts an allocation, of a text or of another object.
pub(super) fn count(text: bool, old: usize, new: usize) {
    if new < LONG || new <= old {
        return;
    }
    let meter = METER.get();
    let text = if text { meter.text.max((new / BYTES_A_STEP) as u64) } else { meter.text };
    let size = (new >> 10) as u64;
    let (due, object) = match new {
        ..LARGE => (0, 1),
        LARGE..HUGE => (new >> 6, 1),
        _ => (new >> 6, 1 + size + size.saturating_mul(size) / 128),
    };
    METER.set(Meter { due: meter.due.saturating_add(due as u64), object: meter.object.max(object), text, ..meter });
}

/// What `string.find` costs, in steps.
#[must_use]
pub fn find(text: usize, sought: &[u8], plain: bool) -> u64 {
    paid(search(text, sought, plain))
}

/// What any other function costs that matches a pattern, in steps.
#[must_use]
pub fn pattern(text: usize, pattern: &[u8]) -> u64 {
    let work = matching(text, pattern);
    paid((work, work))
}

/// Makes every step from here on cost what those of a search do; returns what it costs before it begins.
fn paid((cost, step): (i64, i64)) -> u64 {
    let meter = METER.get();
    METER.set(Meter { object: meter.object.max(step.unsigned_abs()), ..meter });
    cost.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_objects_make_steps_dear() {
        begin();
        count(false, 0, 1000);
        assert_eq!(step(), 1);
        count(false, 0, 1_000_000);
        assert!(step() > 20_000 && step() > 5_000);
        reset();
        assert_eq!(step(), 1);
    }

    #[test]
    fn long_texts_make_sums_dear() {
        begin();
        assert!(compile("return function(x) return x + 1 + 2 end").unwrap().is_some());
        count(true, 0, 100);
        assert_eq!(step(), 1);
        count(true, 0, 800);
        assert_eq!(step(), 300);
        reset();
        count(true, 0, 800);
        assert_eq!(step(), 300, "the scripts stay");
        begin();
        let (line, message) = compile(&format!("return function(x)\n{}end", "x += x\n".repeat(1001))).unwrap_err();
        assert!(line == 1 && message.starts_with("more than 1000 sums"), "{line}: {message}");
        assert_eq!(compile("return +"), Ok(None));
    }

    #[test]
    fn patterns_make_steps_dear() {
        begin();
        assert!(find(200, b"gold", false) < 2000 && step() == 1);
        assert!(pattern(9000, b"a*b") > 4000 && step() > 4000);
    }
}
