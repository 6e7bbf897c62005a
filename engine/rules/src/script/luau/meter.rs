//! The meter of the library: what a call of one of its functions costs in steps, told before it begins from what it will touch.
//!
//! A step is about what a turn of an empty loop takes. All functions of `string`, `table`, `math`, `bit32` and `utf8` are metered, and
//! the plain ones that read texts or lists. What a function calls back (`table.sort`, `string.gsub`) pays for itself.

use crate::script::machine::budget::{Budget, MAX_TEXT};

/// Most values that one call hands over: `unpack`, `string.byte`, `utf8.codepoint`.
const MAX_VALUES: f64 = 250.0;
/// Longest list that is sorted, joined or moved.
const MAX_LIST: usize = 100_000;
/// The price of a function that calls another one, which may fail in the middle of it.
const CALLS_BACK: i64 = 200;

/// A call to be paid: its arguments, from 1.
pub trait Given {
    /// The steps from which the call is paid.
    fn budget(&self) -> &Budget;
    /// How many there are.
    fn count(&self) -> usize;
    /// A text; `None` for everything else.
    fn text(&self, at: usize) -> Option<&[u8]>;
    /// A number; `None` for everything else.
    fn number(&self, at: usize) -> Option<f64>;
    /// The length of a list; 0 for everything else.
    fn list(&self, at: usize) -> usize;
    /// The name of its type.
    fn kind(&self, at: usize) -> &'static str;
    /// The lengths of all texts in a part of a list, together.
    fn texts_in(&self, at: usize, from: usize, to: usize) -> usize;
}

/// The price of a call, in steps.
///
/// # Errors
/// A refusal; why.
pub type Meter = fn(&dyn Given) -> Result<i64, String>;

/// The functions that cost more than reading their arguments: table (`""`: none), name, meter.
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

/// The price of reading all arguments: any text may be read as a number.
fn arguments(given: &dyn Given) -> Result<i64, String> {
    let texts = (1..=given.count()).map(|at| given.text(at).map_or(0, <[u8]>::len) as i64);
    Ok(texts.sum::<i64>() / 2 + given.count() as i64 / 4)
}

fn len_of(given: &dyn Given, at: usize) -> usize {
    given.text(at).map_or(0, <[u8]>::len)
}

/// A place in a text or list: negative ones count from the end.
fn place(given: &dyn Given, at: usize, len: usize, otherwise: f64) -> f64 {
    let place = given.number(at).unwrap_or(otherwise);
    if place < 0.0 { place + len as f64 + 1.0 } else { place }
}

/// Refuses to hand over too many values.
fn few_values(from: f64, to: f64) -> Result<i64, String> {
    let values = to - from + 1.0;
    if values > MAX_VALUES { Err(format!("more than {MAX_VALUES} values")) } else { Ok(values.max(0.0) as i64) }
}

fn bytes(given: &dyn Given) -> Result<i64, String> {
    let len = len_of(given, 1);
    let from = place(given, 2, len, 1.0);
    let values = few_values(from.max(1.0), place(given, 3, len, from).min(len as f64))?;
    Ok(arguments(given)? + values * 8)
}

fn values_of_list(given: &dyn Given) -> Result<i64, String> {
    let (from, to) = (given.number(2).unwrap_or(1.0), given.number(3).unwrap_or(given.list(1) as f64));
    // The places of a list need not hold anything, nor begin at 1.
    Ok(arguments(given)? + few_values(from, to)? * 4)
}

/// A search without a pattern compares the text at every place.
fn plain_search(len: usize, sought: usize) -> i64 {
    (len * (6 + sought / 32)) as i64
}

/// The price of `string.find`, and that of every safepoint from then on.
pub(super) fn search(text: usize, sought: &[u8], plain: bool) -> (i64, i64) {
    if plain || !sought.iter().any(|b| b"^$*+?.([%-".contains(b)) {
        return (plain_search(text, sought.len()), 0);
    }
    let work = matching(text, sought);
    (work, work)
}

fn find(given: &dyn Given) -> Result<i64, String> {
    let plain = given.count() >= 4 && given.kind(4) != "nil";
    let (cost, safepoint) = search(len_of(given, 1), given.text(2).unwrap_or_default(), plain);
    given.budget().raise_price(safepoint);
    Ok(arguments(given)? + cost)
}

fn pattern(given: &dyn Given) -> Result<i64, String> {
    let work = matching(len_of(given, 1), given.text(2).unwrap_or_default());
    given.budget().raise_price(work);
    Ok(arguments(given)? + work)
}

/// The price of matching a pattern, in steps. It passes a safepoint wherever it goes deeper; what it may touch in between is what it costs
/// before it begins, and what each of them costs from then on.
pub(super) fn matching(text: usize, pattern: &[u8]) -> i64 {
    let longest_set = pattern.split(|&b| b == b'[').skip(1).map(<[u8]>::len).max().unwrap_or(0);
    let captures = pattern.iter().filter(|&&b| b == b'(').count();
    // Only these go through the text without a safepoint.
    let runs = pattern.iter().any(|b| b"*+".contains(b))
        || pattern.windows(2).any(|pair| pair[0] == b'%' && (pair[1] == b'b' || pair[1].is_ascii_digit()));
    let run = if runs { text * (2 + longest_set) } else { 0 };
    ((run + pattern.len() * 2 + text * captures) / 4) as i64
}

fn gsub(given: &dyn Given) -> Result<i64, String> {
    Ok(pattern(given)? + CALLS_BACK + len_of(given, 3) as i64)
}

/// Refuses a text that would be too long.
fn short(len: usize) -> Result<usize, String> {
    if len > MAX_TEXT { Err(format!("the text would be longer than {MAX_TEXT} bytes")) } else { Ok(len) }
}

fn rep(given: &dyn Given) -> Result<i64, String> {
    let len = short((len_of(given, 1) as f64 * given.number(2).unwrap_or(0.0).max(0.0)) as usize)?;
    Ok(arguments(given)? + len as i64 / 4)
}

fn format(given: &dyn Given) -> Result<i64, String> {
    let mut len = 0;
    for at in 1..=given.count() {
        let kind = given.kind(at);
        // The text would have an address, which differs from run to run.
        if !["number", "string", "boolean", "nil"].contains(&kind) {
            return Err(format!("string.format: a {kind} cannot be shown"));
        }
        len += len_of(given, at);
    }
    let items = given.text(1).unwrap_or_default().iter().filter(|&&b| b == b'%').count();
    short(len)?;
    // A number can have hundreds of digits, which take long to work out.
    let large = (2..=given.count()).any(|at| given.number(at).is_some_and(|number| number.abs() > 1e15));
    Ok(arguments(given)? + len as i64 * 2 + items as i64 * if large { 8000 } else { 250 })
}

fn split(given: &dyn Given) -> Result<i64, String> {
    let len = len_of(given, 1);
    Ok(arguments(given)? + plain_search(len, len_of(given, 2)) + len as i64 * 12)
}

fn characters(given: &dyn Given) -> Result<i64, String> {
    Ok(arguments(given)? + len_of(given, 1) as i64 * 2)
}

fn whole_list(given: &dyn Given) -> Result<i64, String> {
    Ok(arguments(given)? + given.list(1) as i64 * 3)
}

fn concat(given: &dyn Given) -> Result<i64, String> {
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

fn create(given: &dyn Given) -> Result<i64, String> {
    // The number may be infinite. A sum that is too large must not turn into steps that are given.
    Ok(arguments(given)?.saturating_add(given.number(1).unwrap_or(0.0).max(0.0) as i64))
}

/// Putting something in, or taking it out, moves all that is behind it.
fn shift(given: &dyn Given) -> Result<i64, String> {
    let len = given.list(1) as f64;
    let moved = given.number(2).filter(|_| given.count() > 1).map_or(0.0, |at| (len - at).clamp(0.0, len));
    Ok(arguments(given)? + moved as i64 * 3)
}

fn move_part(given: &dyn Given) -> Result<i64, String> {
    let len = given.number(3).unwrap_or(0.0) - given.number(2).unwrap_or(0.0);
    if len > MAX_LIST as f64 {
        return Err("table.move: range too long".into());
    }
    Ok(arguments(given)? + len.max(0.0) as i64 * 12)
}

fn sort(given: &dyn Given) -> Result<i64, String> {
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
