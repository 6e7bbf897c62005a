//! The step budget of a VM's scripts: a meter of work.
//!
//! Loops and calls pass safepoints, which are charged one by one. Other work is charged as follows:
//!
//! - Library functions and kernels: before they begin, by the amount of data (`meter.rs`).
//! - Allocations: by their size.
//! - Operators on long texts, and loops over large tables: through a higher price for every later safepoint.
//! - Long stretches of code without a safepoint: through a higher price for all safepoints.
//!
//! All charges depend on the script alone, never on earlier work of the VM.

use std::cell::Cell;

/// The error raised at every safepoint beyond the budget.
pub const SPENT: &str = "step budget spent";
/// The text of `fatal` after a script has caught a memory error.
pub const EXHAUSTED: &str = "not enough memory";
/// The error raised at every safepoint after a script has made a text that is too long.
pub const TOO_LONG: &str = "a text is longer than 65536 bytes";

/// Maximum length of a script's text in bytes.
pub const MAX_TEXT: usize = 64 << 10;
/// The memory category of scripts. Stacks and the table of all texts are in category 0: their growth depends on
/// earlier work of the VM.
pub const SCRIPTS: u8 = 1;

/// Minimum size of a charged object in bytes.
pub const LARGE: usize = 512;
/// Minimum size of a charged text in bytes, including Luau's header. Luau joins shorter texts on its stack, and
/// allocates them only if no equal text exists.
pub const LARGE_TEXT: usize = 512 + 25;
/// Allocated size above which a text must be longer than [`MAX_TEXT`]: library buffers grow by half.
const LONG_TEXT: usize = MAX_TEXT + MAX_TEXT / 2 + 64;
/// Bytes of a text per extra step of an arithmetic operation, which may read all of it as a number.
const BYTES_A_STEP: usize = 8;
/// Digits of a number that are free, and digits beyond them per step, in a text that is not [large](LARGE_TEXT).
const SHORT_NUMBER: usize = 32;
const DIGITS_A_STEP: usize = 4;
/// Bytes of a text per extra step of a comparison.
const COMPARED_A_STEP: usize = 512;
/// Values on a function's stack that are free at a safepoint, and values beyond them per step.
const FREE_VALUES: i32 = 64;
const VALUES_A_STEP: i64 = 4;
/// Bytes of a table per extra step of a pass over its empty slots.
const PLACES_A_STEP: usize = 256;

/// The remaining steps of one VM, and the price of a safepoint. Shared by kernels and the VM's callbacks.
#[derive(Debug)]
pub struct Budget {
    /// Steps left to the running code.
    steps: Cell<i64>,
    /// The price of a safepoint, in steps.
    price: Cell<i64>,
    /// The components of the price.
    reasons: Cell<Price>,
    /// Whether the script has made a text that is too long.
    has_long_text: Cell<bool>,
}

impl Default for Budget {
    /// An unlimited budget.
    fn default() -> Self {
        let (steps, price, reasons) = (Cell::new(i64::MAX), Cell::new(1), Cell::new(Price::LEAST));
        Self { steps, price, reasons, has_long_text: Cell::new(false) }
    }
}

impl Budget {
    /// The cells of the steps and of the price, for machine code.
    pub fn cells(&self) -> (*const Cell<i64>, *const Cell<i64>) {
        (&raw const self.steps, &raw const self.price)
    }

    /// Sets the steps of the code that runs next, and the initial price of a safepoint.
    pub fn allow(&self, steps: i64, price: Price) {
        self.steps.set(steps);
        self.reasons.set(price);
        self.price.set(price.of_safepoint());
        self.has_long_text.set(false);
    }

    /// Raises the price of every later safepoint.
    fn raise(&self, change: impl FnOnce(&mut Price)) {
        let mut price = self.reasons.get();
        change(&mut price);
        self.reasons.set(price);
        self.price.set(price.of_safepoint());
    }

    /// Raises the price of every later safepoint to at least this.
    pub fn raise_price(&self, price: i64) {
        self.raise(|reasons| reasons.object = reasons.object.max(price));
    }

    /// Charges for work without safepoints.
    pub fn charge(&self, steps: i64) {
        self.steps.set(self.steps.get().saturating_sub(steps));
    }

    /// Limits the remaining steps to this many safepoints.
    pub fn cut(&self, safepoints: i64) {
        self.steps.set(self.steps.get().min(safepoints.saturating_mul(self.price.get())));
    }

    /// Charges for a safepoint in a function with this many values on its stack. Arguments and results are copied one
    /// by one.
    ///
    /// # Errors
    /// Why the script must stop.
    #[inline]
    pub fn charge_safepoint(&self, values: i32) -> Result<(), &'static str> {
        let (steps, price) = (self.steps.get(), self.price.get());
        // The usual safepoint, without further arithmetic.
        if values <= FREE_VALUES && steps >= price {
            self.steps.set(steps - price);
            return Ok(());
        }
        let copied = i64::from((values - FREE_VALUES).max(0)) / VALUES_A_STEP;
        let left = steps.saturating_sub(price).saturating_sub(copied);
        self.steps.set(left);
        if left >= 0 { Ok(()) } else { Err(self.fault().unwrap_or(SPENT)) }
    }

    /// Charges for an allocation by a script.
    pub fn charge_memory(&self, made: Allocation, old: usize, new: usize) {
        let large = if made == Allocation::Object { LARGE } else { LARGE_TEXT };
        if new < large || new <= old {
            return;
        }
        let steps = |bytes| i64::try_from(new / bytes).unwrap_or(i64::MAX);
        match made {
            Allocation::Object => {
                self.charge(steps(64));
                self.raise_price(steps(PLACES_A_STEP));
            }
            Allocation::Joined | Allocation::Text => {
                if new > LONG_TEXT {
                    self.has_long_text.set(true);
                    self.charge(i64::MAX);
                }
                if made == Allocation::Joined {
                    self.charge(steps(8));
                }
                self.raise(|reasons| reasons.text = reasons.text.max(steps(BYTES_A_STEP)));
            }
        }
    }

    /// Refunds the safepoint of the running call: reading the transcript must not change a script's steps.
    pub fn refund(&self) {
        self.steps.set(self.steps.get().saturating_add(self.price.get()));
    }

    /// Steps left.
    pub fn left(&self) -> i64 {
        self.steps.get()
    }

    /// Why the script must stop: its budget is overdrawn, or it has made a text that is too long.
    pub fn fault(&self) -> Option<&'static str> {
        if self.has_long_text.get() {
            return Some(TOO_LONG);
        }
        (self.left() < 0).then_some(SPENT)
    }

    /// The current maximum price of comparing two texts, in steps.
    pub fn text(&self) -> i64 {
        self.reasons.get().text
    }

    /// Raises the price of arithmetic by the cost of reading this text as a number. The text was returned by a
    /// library function. Texts joined by operators have been charged by length; short ones are rarely numbers.
    pub fn returned_text(&self, text: &[u8]) {
        if (SHORT_NUMBER..LARGE_TEXT).contains(&text.len())
            && let Ok(text) = std::str::from_utf8(text)
        {
            let price = number_price(read_as_number(text));
            self.raise(|reasons| reasons.text = reasons.text.max(price));
        }
    }
}

/// The type of an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// A text made by an operator of the script.
    Joined,
    /// A text made by a library function, which has already been charged.
    Text,
    /// Any other object.
    Object,
}

/// The components of a safepoint's price: the most expensive work possible between two safepoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// The price of the longest stretch of code without a safepoint, in steps, at least 1; see `stretch.rs`.
    pub stretch: i64,
    /// One more than the arithmetic operations in a stretch.
    pub sums: i64,
    /// The price of reading the longest existing text as a number, in steps.
    text: i64,
    /// The price of iterating over the largest existing object, in steps.
    object: i64,
}

impl Price {
    /// The price for the engine's own code.
    pub const LEAST: Self = Self { stretch: 1, sums: 1, text: 1, object: 1 };

    /// Includes the objects made by the code that ran last.
    pub fn with_made_objects(self, budget: &Budget) -> Self {
        let made = budget.reasons.get();
        Self { text: self.text.max(made.text), object: self.object.max(made.object), ..self }
    }

    /// Includes this text, which exists in every match.
    pub fn with_text(self, text: &str) -> Self {
        let price = read_as_number(text) / BYTES_A_STEP + text.len() / COMPARED_A_STEP;
        Self { text: self.text.max(price as i64), ..self }
    }

    /// Includes the longest run of digits in a script's source.
    pub fn with_source(self, source: &str) -> Self {
        let digit = |c: char| c.is_ascii_hexdigit() || matches!(c, 'x' | 'X' | '.' | '_');
        let longest = source.split(|c| !digit(c)).map(str::len).max().unwrap_or(0);
        Self { text: self.text.max(number_price(longest)), ..self }
    }

    fn of_safepoint(self) -> i64 {
        self.stretch.max(self.object).max(self.text.saturating_mul(self.sums))
    }
}

/// Maximum bytes read to decide whether a text is a number.
fn read_as_number(text: &str) -> usize {
    let digits = text.trim_start().trim_start_matches(['+', '-']);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || digits.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("nan"));
    let read = if is_number { digits.find(char::is_whitespace).unwrap_or(digits.len()) } else { 0 };
    text.len() - digits.len() + read
}

/// The price of reading this many digits, in steps, if they exceed those of a normal number.
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
    fn short_texts_of_digits_raise_the_price_of_arithmetic() {
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
    fn texts_that_are_not_numbers_are_cheap() {
        let price = |text: &str| Price::LEAST.with_text(&text.repeat(100)).of_safepoint();
        assert_eq!(["1234", ".5", "nan(", "    ", "If ", "+1 VP "].map(price), [50, 25, 50, 50, 1, 1]);
        assert!(Price::LEAST.with_text(&"x".repeat(64 << 10)).of_safepoint() > 100);
    }

    #[test]
    fn no_size_is_too_large_to_charge() {
        let budget = Budget::default();
        budget.allow(1000, Price::LEAST);
        budget.charge_memory(Allocation::Object, 0, usize::MAX);
        assert_eq!(budget.charge_safepoint(0), Err(SPENT));
        budget.allow(1_000_000_000, Price::LEAST);
        budget.charge_memory(Allocation::Joined, 0, MAX_TEXT + 24);
        assert_eq!(budget.charge_safepoint(0), Ok(()));
        budget.charge_memory(Allocation::Joined, 0, 2 * MAX_TEXT);
        assert_eq!(budget.charge_safepoint(0), Err(TOO_LONG));
    }
}
