//! The meter of the library: computes the cost of a library call in steps, before the call begins, from its
//! arguments.
//!
//! A step takes about as long as an iteration of an empty loop. All functions of `string`, `table`, `math`, `bit32`
//! and `utf8` are metered, and the global functions that read texts or lists. Callbacks (`table.sort`, `string.gsub`)
//! pay for themselves.

use crate::script::machine::budget::{Budget, MAX_TEXT};

/// Maximum values passed by one call: `unpack`, `string.byte`, `utf8.codepoint`.
const MAX_VALUES: f64 = 250.0;
/// Maximum length of a list that is sorted, joined or moved.
const MAX_LIST: usize = 100_000;
/// The price of a function with a callback, which may fail in the middle.
const CALLS_BACK: i64 = 200;

/// A library call to be charged. Arguments count from 1.
pub trait CallArgs {
    /// The budget that pays.
    fn budget(&self) -> &Budget;
    /// Number of arguments.
    fn count(&self) -> usize;
    /// A text argument; `None` for other types.
    fn text(&self, at: usize) -> Option<&[u8]>;
    /// A numeric argument; `None` for other types.
    fn number(&self, at: usize) -> Option<f64>;
    /// The length of a list argument; 0 for other types.
    fn list(&self, at: usize) -> usize;
    /// The name of an argument's type.
    fn kind(&self, at: usize) -> &'static str;
    /// The total length of the texts in a part of a list.
    fn texts_in(&self, at: usize, from: usize, to: usize) -> usize;
}

/// Computes the price of a call, in steps.
///
/// # Errors
/// Why the call is refused.
pub type Meter = fn(&dyn CallArgs) -> Result<i64, String>;

/// The functions that cost more than reading their arguments: table (`""`: global), name, meter.
const METERS: &[(&str, &str, Meter)] = &[
    ("", "unpack", values_of_list),
    ("string", "byte", bytes),
    ("string", "find", find),
    ("string", "format", format),
    ("string", "gmatch", pattern),
    ("string", "gsub", gsub),
    ("string", "match", pattern),
    ("string", "rep", rep),
    ("string", "split", split),
    ("table", "clear", whole_list),
    ("table", "clone", whole_list),
    ("table", "concat", concat),
    ("table", "create", create),
    ("table", "find", whole_list),
    ("table", "insert", shift),
    ("table", "move", move_part),
    ("table", "remove", shift),
    ("table", "sort", sort),
    ("table", "unpack", values_of_list),
    ("utf8", "codepoint", bytes),
    ("utf8", "len", characters),
    ("utf8", "offset", characters),
];

/// The meter of a function.
pub(super) fn meter_of(table: &str, name: &str) -> Meter {
    METERS.iter().find(|(t, n, _)| (*t, *n) == (table, name)).map_or(arguments, |(_, _, meter)| *meter)
}

/// The price of reading all arguments; any text may be read as a number.
fn arguments(given: &dyn CallArgs) -> Result<i64, String> {
    let texts = (1..=given.count()).map(|at| given.text(at).map_or(0, <[u8]>::len) as i64);
    Ok(texts.sum::<i64>() / 2 + given.count() as i64 / 4)
}

fn len_of(given: &dyn CallArgs, at: usize) -> usize {
    given.text(at).map_or(0, <[u8]>::len)
}

/// An index into a text or list; negative indices count from the end.
fn place(given: &dyn CallArgs, at: usize, len: usize, otherwise: f64) -> f64 {
    let place = given.number(at).unwrap_or(otherwise);
    if place < 0.0 { place + len as f64 + 1.0 } else { place }
}

/// Refuses to pass too many values.
fn few_values(from: f64, to: f64) -> Result<i64, String> {
    let values = to - from + 1.0;
    if values > MAX_VALUES { Err(format!("more than {MAX_VALUES} values")) } else { Ok(values.max(0.0) as i64) }
}

fn bytes(given: &dyn CallArgs) -> Result<i64, String> {
    let len = len_of(given, 1);
    let from = place(given, 2, len, 1.0);
    let values = few_values(from.max(1.0), place(given, 3, len, from).min(len as f64))?;
    Ok(arguments(given)? + values * 8)
}

fn values_of_list(given: &dyn CallArgs) -> Result<i64, String> {
    let (from, to) = (given.number(2).unwrap_or(1.0), given.number(3).unwrap_or(given.list(1) as f64));
    // The range need not begin at 1 or contain values.
    Ok(arguments(given)? + few_values(from, to)? * 4)
}

/// A search without a pattern compares the text at every position.
fn plain_search(len: usize, sought: usize) -> i64 {
    (len * (6 + sought / 32)) as i64
}

/// The price of `string.find`, and the price of every safepoint after it.
pub(super) fn search(text: usize, sought: &[u8], plain: bool) -> (i64, i64) {
    if plain || !sought.iter().any(|b| b"^$*+?.([%-".contains(b)) {
        return (plain_search(text, sought.len()), 0);
    }
    let work = matching(text, sought);
    (work, work)
}

fn find(given: &dyn CallArgs) -> Result<i64, String> {
    let plain = given.count() >= 4 && given.kind(4) != "nil";
    let (cost, safepoint) = search(len_of(given, 1), given.text(2).unwrap_or_default(), plain);
    given.budget().raise_price(safepoint);
    Ok(arguments(given)? + cost)
}

fn pattern(given: &dyn CallArgs) -> Result<i64, String> {
    let work = matching(len_of(given, 1), given.text(2).unwrap_or_default());
    given.budget().raise_price(work);
    Ok(arguments(given)? + work)
}

/// The price of matching a pattern, in steps. Recursion passes safepoints; the work between two of them is charged in
/// advance and raises the price of a safepoint.
pub(super) fn matching(text: usize, pattern: &[u8]) -> i64 {
    let longest_set = pattern.split(|&b| b == b'[').skip(1).map(<[u8]>::len).max().unwrap_or(0);
    let captures = pattern.iter().filter(|&&b| b == b'(').count();
    // Only these items scan the text without a safepoint.
    let runs = pattern.iter().any(|b| b"*+".contains(b))
        || pattern.windows(2).any(|pair| pair[0] == b'%' && (pair[1] == b'b' || pair[1].is_ascii_digit()));
    let run = if runs { text * (2 + longest_set) } else { 0 };
    ((run + pattern.len() * 2 + text * captures) / 4) as i64
}

fn gsub(given: &dyn CallArgs) -> Result<i64, String> {
    Ok(pattern(given)? + CALLS_BACK + len_of(given, 3) as i64)
}

/// Refuses a text that would be too long.
fn short(len: usize) -> Result<usize, String> {
    if len > MAX_TEXT { Err(format!("the text would be longer than {MAX_TEXT} bytes")) } else { Ok(len) }
}

fn rep(given: &dyn CallArgs) -> Result<i64, String> {
    let len = short((len_of(given, 1) as f64 * given.number(2).unwrap_or(0.0).max(0.0)) as usize)?;
    Ok(arguments(given)? + len as i64 / 4)
}

fn format(given: &dyn CallArgs) -> Result<i64, String> {
    let mut len = 0;
    for at in 1..=given.count() {
        let kind = given.kind(at);
        // The text would contain an address, which differs from run to run.
        if !["number", "string", "boolean", "nil"].contains(&kind) {
            return Err(format!("string.format: a {kind} cannot be shown"));
        }
        len += len_of(given, at);
    }
    let items = given.text(1).unwrap_or_default().iter().filter(|&&b| b == b'%').count();
    short(len)?;
    // Formatting a number with hundreds of digits takes long.
    let large = (2..=given.count()).any(|at| given.number(at).is_some_and(|number| number.abs() > 1e15));
    Ok(arguments(given)? + len as i64 * 2 + items as i64 * if large { 8000 } else { 250 })
}

fn split(given: &dyn CallArgs) -> Result<i64, String> {
    let len = len_of(given, 1);
    Ok(arguments(given)? + plain_search(len, len_of(given, 2)) + len as i64 * 12)
}

fn characters(given: &dyn CallArgs) -> Result<i64, String> {
    Ok(arguments(given)? + len_of(given, 1) as i64 * 2)
}

fn whole_list(given: &dyn CallArgs) -> Result<i64, String> {
    Ok(arguments(given)? + given.list(1) as i64 * 3)
}

fn concat(given: &dyn CallArgs) -> Result<i64, String> {
    let from = given.number(3).unwrap_or(1.0).max(1.0);
    let to = given.number(4).unwrap_or(given.list(1) as f64);
    let items = (to - from + 1.0).max(0.0) as usize;
    if items > MAX_LIST {
        return Err("table.concat: list too long".into());
    }
    given.budget().charge(items as i64 * 60);
    if given.budget().fault().is_some() {
        return Ok(0);
    }
    let len = short(given.texts_in(1, from as usize, to.max(0.0) as usize) + len_of(given, 2) * items)?;
    Ok(arguments(given)? + len as i64 / 4)
}

fn create(given: &dyn CallArgs) -> Result<i64, String> {
    // The number may be infinite. An overflow must not refund steps.
    Ok(arguments(given)?.saturating_add(given.number(1).unwrap_or(0.0).max(0.0) as i64))
}

/// Inserting or removing an element moves all elements behind it.
fn shift(given: &dyn CallArgs) -> Result<i64, String> {
    let len = given.list(1) as f64;
    let moved = given.number(2).filter(|_| given.count() > 1).map_or(0.0, |at| (len - at).clamp(0.0, len));
    Ok(arguments(given)? + moved as i64 * 3)
}

fn move_part(given: &dyn CallArgs) -> Result<i64, String> {
    let len = given.number(3).unwrap_or(0.0) - given.number(2).unwrap_or(0.0);
    if len > MAX_LIST as f64 {
        return Err("table.move: range too long".into());
    }
    Ok(arguments(given)? + len.max(0.0) as i64 * 12)
}

fn sort(given: &dyn CallArgs) -> Result<i64, String> {
    let len = given.list(1);
    if len > MAX_LIST {
        return Err("table.sort: list too long".into());
    }
    let compared = len as i64 * i64::from(len.max(1).ilog2() + 1);
    // Texts are compared as a whole.
    Ok(arguments(given)?
        + CALLS_BACK.min(len as i64 * 8)
        + compared.saturating_mul(4).saturating_mul(given.budget().text()))
}
