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

/// A whole number within bounds.
pub fn whole(name: &str, given: &Bound<'_, PyAny>, low: u64, high: u64) -> PyResult<u64> {
    // A number that is no integer raises `TypeError`.
    let number = given.call_method0("__index__").map_err(|_| {
        let kind = given.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
        PyTypeError::new_err(format!("`{name}` takes a whole number, not `{kind}`"))
    })?;
    let found = number.extract::<u64>().ok().filter(|number| (low..=high).contains(number));
    found.ok_or_else(|| PyValueError::new_err(format!("`{name}` is {number}: use {low} to {high}")))
}
