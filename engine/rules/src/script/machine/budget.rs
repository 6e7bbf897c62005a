//! The step budget of the scripts of a VM: a meter of work.
//!
//! Loops and calls pass safepoints, which are charged one by one. What passes none is charged otherwise: library functions and kernels
//! before they begin, by what they will touch (`meter.rs`); allocations by their size; and operators on long texts, or loops over
//! large tables, by what every later safepoint costs; long stretches without any, by what all of them cost. All of that depends on the
//! script alone and on nothing that the VM did before.

use std::cell::Cell;

/// The error that is raised at every safepoint beyond the budget.
pub const SPENT: &str = "step budget spent";
/// The text of `fatal` when a script has caught a memory error.
pub const EXHAUSTED: &str = "not enough memory";
/// The error that is raised at every safepoint once a script has made a text that is too long.
pub const TOO_LONG: &str = "a text is longer than 65536 bytes";

/// Longest text that scripts can make, in bytes.
pub const MAX_TEXT: usize = 64 << 10;
/// The category of memory that belongs to scripts: stacks and the table of all texts are of category 0, and how they grow depends on
/// what the VM did before.
pub const SCRIPTS: u8 = 1;

/// Size of an object, in bytes, from which on it is charged.
pub const LARGE: usize = 512;
/// The same for a text, with what Luau keeps besides: it joins shorter ones on its stack, and whether it then allocates depends on whether
/// the same text happens to exist.
pub const LARGE_TEXT: usize = 512 + 25;
/// Size of a text in memory that must be longer than [`MAX_TEXT`]: buffers of the library grow by half.
const LONG_TEXT: usize = MAX_TEXT + MAX_TEXT / 2 + 64;
/// Bytes of a text for which a sum costs one step more: it may read all of it as a number.
const BYTES_A_STEP: usize = 8;
/// Digits that any number may have, and how many beyond them one step reads of a text that is not [large](LARGE_TEXT).
const SHORT_NUMBER: usize = 32;
const DIGITS_A_STEP: usize = 4;
/// Bytes of a text for which comparing it with another costs one step more.
const COMPARED_A_STEP: usize = 512;
/// Values on the stack of a function that cost nothing, and how many beyond them cost one step at a safepoint.
const FREE_VALUES: i32 = 64;
const VALUES_A_STEP: i64 = 4;
/// Bytes of a table for which one pass over its empty places costs one step more.
const PLACES_A_STEP: usize = 256;

/// The steps that the code of one VM may still take, and the price of a safepoint. Kernels share it with the callbacks of the VM.
#[derive(Debug)]
pub struct Budget {
    /// Steps left to the code that runs.
    steps: Cell<i64>,
    /// The price of a safepoint, in steps.
    price: Cell<i64>,
    /// Why.
    reasons: Cell<Price>,
    /// The script has made a text that is too long.
    has_long_text: Cell<bool>,
}

impl Default for Budget {
    /// No end of steps.
    fn default() -> Self {
        let (steps, price, reasons) = (Cell::new(i64::MAX), Cell::new(1), Cell::new(Price::LEAST));
        Self { steps, price, reasons, has_long_text: Cell::new(false) }
    }
}

impl Budget {
    /// Sets the steps of the code that runs next, and the price of a safepoint at first.
    pub fn allow(&self, steps: i64, price: Price) {
        self.steps.set(steps);
        self.reasons.set(price);
        self.price.set(price.of_safepoint());
        self.has_long_text.set(false);
    }

    /// Makes every safepoint from here on cost more.
    fn raise(&self, change: impl FnOnce(&mut Price)) {
        let mut price = self.reasons.get();
        change(&mut price);
        self.reasons.set(price);
        self.price.set(price.of_safepoint());
    }

    /// Makes every safepoint from here on cost at least this.
    pub fn raise_price(&self, price: i64) {
        self.raise(|reasons| reasons.object = reasons.object.max(price));
    }

    /// Charges for work that passes no safepoint.
    pub fn charge(&self, steps: i64) {
        self.steps.set(self.steps.get().saturating_sub(steps));
    }

    /// Leaves no more than so many safepoints.
    pub fn cut(&self, safepoints: i64) {
        self.steps.set(self.steps.get().min(safepoints.saturating_mul(self.price.get())));
    }

    /// Charges for a safepoint, at which the function that runs has so many values on its stack: arguments and results are copied one by one.
    ///
    /// # Errors
    /// The script must not go on; why.
    pub fn charge_safepoint(&self, values: i32) -> Result<(), &'static str> {
        let copied = i64::from((values - FREE_VALUES).max(0)) / VALUES_A_STEP;
        let left = self.steps.get().saturating_sub(self.price.get()).saturating_sub(copied);
        self.steps.set(left);
        if left >= 0 { Ok(()) } else { Err(self.fault().unwrap_or(SPENT)) }
    }

    /// Charges for an allocation that belongs to scripts.
    pub fn charge_memory(&self, made: Made, old: usize, new: usize) {
        let large = if made == Made::Object { LARGE } else { LARGE_TEXT };
        if new < large || new <= old {
            return;
        }
        let steps = |bytes| i64::try_from(new / bytes).unwrap_or(i64::MAX);
        match made {
            Made::Object => {
                self.charge(steps(64));
                self.raise_price(steps(PLACES_A_STEP));
            }
            Made::Joined | Made::Text => {
                if new > LONG_TEXT {
                    self.has_long_text.set(true);
                    self.charge(i64::MAX);
                }
                if made == Made::Joined {
                    self.charge(steps(8));
                }
                self.raise(|reasons| reasons.text = reasons.text.max(steps(BYTES_A_STEP)));
            }
        }
    }

    /// Gives back the safepoint of the call that is running: a script must not need more steps because somebody reads the transcript.
    pub fn refund(&self) {
        self.steps.set(self.steps.get().saturating_add(self.price.get()));
    }

    /// Steps left.
    pub fn left(&self) -> i64 {
        self.steps.get()
    }

    /// Why the script must not go on: its budget is overdrawn, or it has made a text that is too long.
    pub fn fault(&self) -> Option<&'static str> {
        if self.has_long_text.get() {
            return Some(TOO_LONG);
        }
        (self.left() < 0).then_some(SPENT)
    }

    /// The highest price of comparing two texts now, in steps.
    pub fn text(&self) -> i64 {
        self.reasons.get().text
    }

    /// Makes every sum from here on cost what it takes to read this text as a number, which a function of the library has returned. Texts that
    /// operators join have been charged as far as they are long; a short one is too rarely a number.
    pub fn returned_text(&self, text: &[u8]) {
        if (SHORT_NUMBER..LARGE_TEXT).contains(&text.len())
            && let Ok(text) = std::str::from_utf8(text)
        {
            let price = number_price(read_as_number(text));
            self.raise(|reasons| reasons.text = reasons.text.max(price));
        }
    }
}

/// The sort of an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// A text, by an operator of the script.
    Joined,
    /// A text, by a function of the library, which has been charged for it.
    Text,
    /// Anything else.
    Object,
}

/// Why a safepoint costs what it does: because of what may happen between two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// The price of the longest stretch of the scripts, in steps, at least 1; see `stretch.rs`.
    pub stretch: i64,
    /// Sums in a stretch of the scripts, and one more.
    pub sums: i64,
    /// The price of reading the longest text that exists as a number, in steps.
    text: i64,
    /// The price of going through the largest object that exists, in steps.
    object: i64,
}

impl Price {
    /// The price of the engine's own code.
    pub const LEAST: Self = Self { stretch: 1, sums: 1, text: 1, object: 1 };

    /// With the objects that the code which ran last has made.
    pub fn with_what_was_made(self, budget: &Budget) -> Self {
        let made = budget.reasons.get();
        Self { text: self.text.max(made.text), object: self.object.max(made.object), ..self }
    }

    /// With this text, which is there whatever the scripts do.
    pub fn with_text(self, text: &str) -> Self {
        let price = read_as_number(text) / BYTES_A_STEP + text.len() / COMPARED_A_STEP;
        Self { text: self.text.max(price as i64), ..self }
    }

    /// With the digits that stand in a script in a row.
    pub fn with_source(self, source: &str) -> Self {
        let digit = |c: char| c.is_ascii_hexdigit() || matches!(c, 'x' | 'X' | '.' | '_');
        let longest = source.split(|c| !digit(c)).map(str::len).max().unwrap_or(0);
        Self { text: self.text.max(number_price(longest)), ..self }
    }

    fn of_safepoint(self) -> i64 {
        self.stretch.max(self.object).max(self.text.saturating_mul(self.sums))
    }
}

/// How many bytes of a text are read to find out whether it is a number, at most.
fn read_as_number(text: &str) -> usize {
    let digits = text.trim_start().trim_start_matches(['+', '-']);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || digits.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("nan"));
    let read = if is_number { digits.find(char::is_whitespace).unwrap_or(digits.len()) } else { 0 };
    text.len() - digits.len() + read
}

/// The price of reading so many digits, in steps, if they are more than a number has.
fn number_price(digits: usize) -> i64 {
    if digits < SHORT_NUMBER { 1 } else { (digits / DIGITS_A_STEP) as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overdrawn_budget_stays_overdrawn() {
        let budget = Budget::default();
        budget.allow(10, Price { sums: 2, text: i64::MAX, ..Price::LEAST });
        budget.charge(i64::MAX);
        budget.charge(i64::MAX);
        for _ in 0..3 {
            assert_eq!(budget.charge_safepoint(0), Err(SPENT));
        }
        budget.allow(i64::MAX, Price::LEAST);
        budget.refund();
        assert_eq!(budget.charge_safepoint(0), Ok(()));
    }

    #[test]
    fn short_texts_of_digits_make_sums_dear() {
        let budget = Budget::default();
        budget.allow(i64::MAX, Price { sums: 10, ..Price::LEAST });
        for (text, price) in
            [("1".repeat(20), 10), ("x".repeat(300), 10), ("1".repeat(200), 500), ("1".repeat(40), 500)]
        {
            budget.returned_text(text.as_bytes());
            assert_eq!(budget.price.get(), price, "{text}");
        }
        let source = format!("local s = \"{}\" + 1", "7".repeat(400));
        assert_eq!(Price::LEAST.with_source(&source).of_safepoint(), 100);
        assert_eq!(Price::LEAST.with_source("local s = 1234567 + 0xffff").of_safepoint(), 1);
    }

    #[test]
    fn many_arguments_are_charged() {
        let budget = Budget::default();
        budget.allow(1000, Price::LEAST);
        assert_eq!(budget.charge_safepoint(FREE_VALUES), Ok(()));
        assert_eq!(budget.left(), 999);
        assert_eq!(budget.charge_safepoint(FREE_VALUES + 400), Ok(()));
        assert_eq!(budget.left(), 898);
        assert_eq!(budget.charge_safepoint(i32::MAX), Err(SPENT));
    }

    #[test]
    fn texts_that_are_no_numbers_are_cheap() {
        let price = |text: &str| Price::LEAST.with_text(&text.repeat(100)).of_safepoint();
        assert_eq!(["1234", ".5", "nan(", "    ", "If ", "+1 VP "].map(price), [50, 25, 50, 50, 1, 1]);
        assert!(Price::LEAST.with_text(&"x".repeat(64 << 10)).of_safepoint() > 100);
    }

    #[test]
    fn no_size_is_too_large_to_charge() {
        let budget = Budget::default();
        budget.allow(1000, Price::LEAST);
        budget.charge_memory(Made::Object, 0, usize::MAX);
        assert_eq!(budget.charge_safepoint(0), Err(SPENT));
        budget.allow(1_000_000_000, Price::LEAST);
        budget.charge_memory(Made::Joined, 0, MAX_TEXT + 24);
        assert_eq!(budget.charge_safepoint(0), Ok(()));
        budget.charge_memory(Made::Joined, 0, 2 * MAX_TEXT);
        assert_eq!(budget.charge_safepoint(0), Err(TOO_LONG));
    }
}
