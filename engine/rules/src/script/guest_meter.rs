//! A meter for VMs other than those of a match: rule tests run in a sandbox of their own, under prices of the same kind. There is one for
//! each thread; `meter_guest` connects it to a VM.

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

/// Why a step costs more than one.
#[derive(Debug, Clone, Copy)]
struct Dear {
    /// What it takes to go through the largest object.
    object: u64,
    /// What it takes to read the longest text as a number.
    text: u64,
    /// What the longest stretch of the scripts without a step takes, and how many sums it has, and one more.
    stretch: u64,
    sums: u64,
}

impl Dear {
    const LEAST: Self = Self { object: 1, text: 0, stretch: 1, sums: 1 };

    fn of_step(self) -> u64 {
        self.stretch.max(self.object).max(self.text.saturating_mul(self.sums))
    }
}

/// What is counted. Each on its own: a step reads and writes no more than it needs.
struct Meter {
    /// Steps taken, with what was allocated on the way.
    taken: Cell<u64>,
    /// How many may be.
    most: Cell<u64>,
    /// What a step costs, and why.
    step: Cell<u64>,
    dear: Cell<Dear>,
}

impl Meter {
    fn set(&self, dear: Dear) {
        self.dear.set(dear);
        self.step.set(dear.of_step());
    }

    /// Takes steps; whether they may be taken.
    fn take(&self, steps: u64) -> bool {
        let taken = self.taken.get().saturating_add(steps);
        self.taken.set(taken);
        taken <= self.most.get()
    }
}

thread_local! {
    static METER: Meter = const {
        Meter { taken: Cell::new(0), most: Cell::new(u64::MAX), step: Cell::new(1), dear: Cell::new(Dear::LEAST) }
    };
}

/// Forgets all that was counted on this thread, and its scripts. What may be taken stays.
pub fn begin() {
    METER.with(|meter| {
        meter.taken.set(0);
        meter.set(Dear::LEAST);
    });
}

/// Forgets all that was counted on this thread; returns the steps that were taken.
pub fn reset() -> u64 {
    METER.with(|meter| {
        let Dear { stretch, sums, .. } = meter.dear.get();
        meter.set(Dear { stretch, sums, ..Dear::LEAST });
        meter.taken.take()
    })
}

/// Sets how many steps may be taken. Beyond, every step is refused.
pub fn allow(most: u64) {
    METER.with(|meter| meter.most.set(most));
}

/// Steps taken since all was forgotten.
#[must_use]
pub fn taken() -> u64 {
    METER.with(|meter| meter.taken.get())
}

/// Takes steps; whether they may be taken.
#[must_use]
pub fn take(steps: u64) -> bool {
    METER.with(|meter| meter.take(steps))
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
    METER.with(|meter| {
        let dear = meter.dear.get();
        meter.set(Dear {
            stretch: dear.stretch.max(stretch.price().unsigned_abs()),
            sums: dear.sums.max(1 + stretch.sums().unsigned_abs()),
            ..dear
        });
    });
    Ok(Some(code))
}

/// Takes the step that begins: more than one, the larger the largest object and the longest text are, because functions and operators go
/// through them without passing another step. Whether it may be taken.
pub(super) fn step() -> bool {
    METER.with(|meter| meter.take(meter.step.get()))
}

/// Counts an allocation, of a text or of another object.
pub(super) fn count(text: bool, old: usize, new: usize) {
    if new < LONG || new <= old {
        return;
    }
    let size = (new >> 10) as u64;
    let (due, object) = match new {
        ..LARGE => (0, 1),
        LARGE..HUGE => (new >> 6, 1),
        _ => (new >> 6, 1 + size + size.saturating_mul(size) / 128),
    };
    METER.with(|meter| {
        meter.taken.set(meter.taken.get().saturating_add(due as u64));
        let dear = meter.dear.get();
        let text = if text { dear.text.max((new / BYTES_A_STEP) as u64) } else { dear.text };
        meter.set(Dear { object: dear.object.max(object), text, ..dear });
    });
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
    METER.with(|meter| {
        let dear = meter.dear.get();
        meter.set(Dear { object: dear.object.max(step.unsigned_abs()), ..dear });
    });
    cost.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one step costs.
    fn cost() -> u64 {
        let before = taken();
        assert!(step());
        taken() - before
    }

    #[test]
    fn steps_are_taken_up_to_those_allowed() {
        begin();
        allow(3);
        assert!(step() && take(2) && !step());
        assert_eq!((taken(), reset(), taken()), (4, 4, 0));
        assert!(take(3) && !take(u64::MAX) && !step());
        allow(u64::MAX);
    }

    #[test]
    fn large_objects_make_steps_dear() {
        begin();
        count(false, 0, 1000);
        assert_eq!(cost(), 1);
        count(false, 0, 1_000_000);
        assert!(taken() > 15_000 && cost() > 5_000 && cost() > 5_000);
        reset();
        assert_eq!(cost(), 1);
    }

    #[test]
    fn long_texts_make_sums_dear() {
        begin();
        assert!(compile("return function(x) return x + 1 + 2 end").unwrap().is_some());
        count(true, 0, 100);
        assert_eq!(cost(), 1);
        count(true, 0, 800);
        assert_eq!(cost(), 300);
        reset();
        count(true, 0, 800);
        assert_eq!(cost(), 300, "the scripts stay");
        begin();
        let (line, message) = compile(&format!("return function(x)\n{}end", "x += x\n".repeat(1001))).unwrap_err();
        assert!(line == 1 && message.starts_with("more than 1000 sums"), "{line}: {message}");
        assert_eq!(compile("return +"), Ok(None));
    }

    #[test]
    fn patterns_make_steps_dear() {
        begin();
        assert!(find(200, b"gold", false) < 2000 && cost() == 1);
        assert!(pattern(9000, b"a*b") > 4000 && cost() > 4000);
    }
}
