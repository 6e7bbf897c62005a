//! The step budget of the script that runs on this thread: a meter of work.
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

thread_local! {
    /// Steps left to the hook that is running on this thread.
    static STEPS: Cell<i64> = const { Cell::new(i64::MAX) };
    /// The price of a safepoint, in steps.
    static PRICE: Cell<i64> = const { Cell::new(1) };
    /// Why.
    static REASONS: Cell<Price> = const { Cell::new(Price::LEAST) };
    /// The script has made a text that is too long.
    static TEXT: Cell<bool> = const { Cell::new(false) };
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

    /// With the objects that the code which ran last on this thread has made.
    pub fn with_what_was_made(self) -> Self {
        let made = REASONS.get();
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

/// Makes every sum from here on cost what it takes to read this text as a number, which a function of the library has returned. Texts that
/// operators join have been charged as far as they are long; a short one is too rarely a number.
pub fn returned_text(text: &[u8]) {
    if (SHORT_NUMBER..LARGE_TEXT).contains(&text.len())
        && let Ok(text) = std::str::from_utf8(text)
    {
        let price = number_price(read_as_number(text));
        raise(|reasons| reasons.text = reasons.text.max(price));
    }
}

/// The price of reading so many digits, in steps, if they are more than a number has.
fn number_price(digits: usize) -> i64 {
    if digits < SHORT_NUMBER { 1 } else { (digits / DIGITS_A_STEP) as i64 }
}

/// Sets the budget of the code that runs next on this thread, and what a safepoint costs at first.
pub fn allow(steps: i64, price: Price) {
    STEPS.set(steps);
    REASONS.set(price);
    PRICE.set(price.of_safepoint());
    TEXT.set(false);
}

/// The budget of the code that runs on this thread, set aside while other code runs.
pub struct SetAside {
    steps: i64,
    price: Price,
    text: bool,
}

/// Takes the budget of the code that runs.
pub fn take_all() -> SetAside {
    SetAside { steps: STEPS.get(), price: REASONS.get(), text: TEXT.get() }
}

/// Sets the budget again that was set aside.
pub fn give_back(SetAside { steps, price, text }: SetAside) {
    allow(steps, price);
    TEXT.set(text);
}

/// Makes every safepoint from here on cost more.
fn raise(change: impl FnOnce(&mut Price)) {
    let mut price = REASONS.get();
    change(&mut price);
    REASONS.set(price);
    PRICE.set(price.of_safepoint());
}

/// Makes every safepoint from here on cost at least this.
pub fn raise_price(price: i64) {
    raise(|reasons| reasons.object = reasons.object.max(price));
}

/// Charges for work that passes no safepoint.
pub fn charge(steps: i64) {
    STEPS.set(STEPS.get().saturating_sub(steps));
}

/// Leaves no more than so many safepoints.
pub fn cut(safepoints: i64) {
    STEPS.set(STEPS.get().min(safepoints.saturating_mul(PRICE.get())));
}

/// Charges for a safepoint, at which the function that runs has so many values on its stack: arguments and results are copied one by one.
///
/// # Errors
/// The script must not go on; why.
pub fn charge_safepoint(values: i32) -> Result<(), &'static str> {
    let copied = i64::from((values - FREE_VALUES).max(0)) / VALUES_A_STEP;
    let left = STEPS.get().saturating_sub(PRICE.get()).saturating_sub(copied);
    STEPS.set(left);
    if left >= 0 { Ok(()) } else { Err(fault().unwrap_or(SPENT)) }
}

/// Charges for an allocation that belongs to scripts.
pub fn charge_memory(made: Made, old: usize, new: usize) {
    let large = if made == Made::Object { LARGE } else { LARGE_TEXT };
    if new < large || new <= old {
        return;
    }
    let steps = |bytes| i64::try_from(new / bytes).unwrap_or(i64::MAX);
    match made {
        Made::Object => {
            charge(steps(64));
            raise_price(steps(PLACES_A_STEP));
        }
        Made::Joined | Made::Text => {
            if new > LONG_TEXT {
                TEXT.set(true);
                charge(i64::MAX);
            }
            if made == Made::Joined {
                charge(steps(8));
            }
            raise(|reasons| reasons.text = reasons.text.max(steps(BYTES_A_STEP)));
        }
    }
}

/// Gives back the safepoint of the call that is running: a script must not need more steps because somebody reads the transcript.
pub fn refund() {
    STEPS.set(STEPS.get().saturating_add(PRICE.get()));
}

/// Steps left.
pub fn left() -> i64 {
    STEPS.get()
}

/// Why the script must not go on: its budget is overdrawn, or it has made a text that is too long.
pub fn fault() -> Option<&'static str> {
    if TEXT.get() {
        return Some(TOO_LONG);
    }
    (left() < 0).then_some(SPENT)
}

/// The highest price of comparing two texts now, in steps.
pub fn text() -> i64 {
    REASONS.get().text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overdrawn_budget_stays_overdrawn() {
        allow(10, Price { sums: 2, text: i64::MAX, ..Price::LEAST });
        charge(i64::MAX);
        charge(i64::MAX);
        for _ in 0..3 {
            assert_eq!(charge_safepoint(0), Err(SPENT));
        }
        allow(i64::MAX, Price::LEAST);
        refund();
        assert_eq!(charge_safepoint(0), Ok(()));
    }

    #[test]
    fn short_texts_of_digits_make_sums_dear() {
        allow(i64::MAX, Price { sums: 10, ..Price::LEAST });
        for (text, price) in
            [("1".repeat(20), 10), ("x".repeat(300), 10), ("1".repeat(200), 500), ("1".repeat(40), 500)]
        {
            returned_text(text.as_bytes());
            assert_eq!(PRICE.get(), price, "{text}");
        }
        let source = format!("local s = \"{}\" + 1", "7".repeat(400));
        assert_eq!(Price::LEAST.with_source(&source).of_safepoint(), 100);
        assert_eq!(Price::LEAST.with_source("local s = 1234567 + 0xffff").of_safepoint(), 1);
    }

    #[test]
    fn many_arguments_are_charged() {
        allow(1000, Price::LEAST);
        assert_eq!(charge_safepoint(FREE_VALUES), Ok(()));
        assert_eq!(left(), 999);
        assert_eq!(charge_safepoint(FREE_VALUES + 400), Ok(()));
        assert_eq!(left(), 898);
        assert_eq!(charge_safepoint(i32::MAX), Err(SPENT));
    }

    #[test]
    fn texts_that_are_no_numbers_are_cheap() {
        let price = |text: &str| Price::LEAST.with_text(&text.repeat(100)).of_safepoint();
        assert_eq!(["1234", ".5", "nan(", "    ", "If ", "+1 VP "].map(price), [50, 25, 50, 50, 1, 1]);
        assert!(Price::LEAST.with_text(&"x".repeat(64 << 10)).of_safepoint() > 100);
    }

    #[test]
    fn no_size_is_too_large_to_charge() {
        allow(1000, Price::LEAST);
        charge_memory(Made::Object, 0, usize::MAX);
        assert_eq!(charge_safepoint(0), Err(SPENT));
        allow(1_000_000_000, Price::LEAST);
        charge_memory(Made::Joined, 0, MAX_TEXT + 24);
        assert_eq!(charge_safepoint(0), Ok(()));
        charge_memory(Made::Joined, 0, 2 * MAX_TEXT);
        assert_eq!(charge_safepoint(0), Err(TOO_LONG));
    }
}
