//! Objects that one thread uses at a time.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The contents of an object that one thread changes, or several read.
#[derive(Debug)]
pub struct Exclusive<T>(RwLock<T>);

impl<T> Exclusive<T> {
    /// Wraps the contents.
    pub const fn new(contents: T) -> Self {
        Self(RwLock::new(contents))
    }

    /// Reads. Raises `RuntimeError` while another thread writes.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, T>> {
        match self.0.try_read() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(in_use()),
        }
    }

    /// Writes. Raises `RuntimeError` while another thread reads or writes.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, T>> {
        match self.0.try_write() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(in_use()),
        }
    }
}

fn in_use() -> PyErr {
    let message = "two threads use this object at once: use it in one thread at a time, or a copy of it in each thread";
    PyRuntimeError::new_err(message)
}
