//! Numbers and flags among the arguments, with messages that name the argument and its range.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Maximum threads, as of the commands of `lode`.
const MOST_THREADS: u64 = 1024;

/// A seed.
pub fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", given, 0, u64::MAX)
}

/// A seed, or none.
pub fn optional_seed(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    (!given.is_none()).then(|| seed(given)).transpose()
}

/// Number of threads; 0: as many as the caller of the engine decides.
pub fn threads(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole("threads", given, 0, MOST_THREADS)? as usize)
}

/// A number of players, or none.
pub fn players(given: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    (!given.is_none()).then(|| Ok(whole("players", given, 1, u8::MAX.into())? as u8)).transpose()
}

/// An environment of a vector.
pub fn environment(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("environment", given, 0, u64::MAX)
}

/// A match of an environment.
pub fn episode(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("number", given, 0, u64::MAX)
}

/// Whether scripts become machine code.
pub fn machine_code(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    flag("machine_code", given)
}

/// Whether a vector keeps the last observations.
pub fn final_observation(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    flag("final_observation", given)
}

/// True or false.
fn flag(name: &str, given: &Bound<'_, PyAny>) -> PyResult<bool> {
    given.extract().map_err(|_| PyTypeError::new_err(format!("`{name}` is {}: use True or False", shown(given))))
}

/// A wrong argument in a message.
pub fn shown(given: &Bound<'_, PyAny>) -> String {
    given.repr().map_or_else(|_| "something else".to_owned(), |text| text.to_string())
}

/// An action. No action has a number beyond 64 bits, so such a one becomes the greatest or the smallest.
pub fn action(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    saturated("action", given)
}

/// A player, also one that does not exist.
pub fn player(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    saturated("player", given)
}

/// A player, or none.
pub fn optional_player(given: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    (!given.is_none()).then(|| player(given)).transpose()
}

fn saturated(name: &str, given: &Bound<'_, PyAny>) -> PyResult<i64> {
    let number = index(name, given)?;
    number.extract().or_else(|_| Ok(if number.lt(0)? { i64::MIN } else { i64::MAX }))
}

/// The integer that a value is; another value raises `TypeError`.
fn index<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    given.call_method0("__index__").map_err(|_| {
        let kind = given.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        PyTypeError::new_err(format!("`{name}` takes a whole number, not `{kind}`"))
    })
}

/// A whole number within bounds.
pub fn whole(name: &str, given: &Bound<'_, PyAny>, low: u64, high: u64) -> PyResult<u64> {
    let number = index(name, given)?;
    let found = number.extract::<u64>().ok().filter(|number| (low..=high).contains(number));
    found.ok_or_else(|| PyValueError::new_err(format!("`{name}` is {number}: use {low} to {high}")))
}
