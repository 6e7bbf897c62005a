//! Collects faults while files are read.

use std::cell::{OnceCell, RefCell};

use crate::diagnostic::Diagnostic;

/// Faults of all files that are being read.
#[derive(Debug, Default)]
pub struct Faults {
    pub(super) list: RefCell<Vec<Diagnostic>>,
    pub(super) mended: Texts,
}

/// Repaired texts. Adding a text moves no earlier one.
#[derive(Debug, Default)]
pub struct Texts(OnceCell<Box<(String, Texts)>>);

impl Texts {
    /// Stores a text.
    pub fn keep(&self, text: String) -> &str {
        let mut last = self;
        while let Some(kept) = last.0.get() {
            last = &kept.1;
        }
        &last.0.get_or_init(|| Box::new((text, Self::default()))).0
    }
}

impl Faults {
    pub(crate) fn push(&self, diagnostic: Diagnostic) {
        self.list.borrow_mut().push(diagnostic);
    }

    /// Takes all faults recorded so far.
    pub fn take(&self) -> Vec<Diagnostic> {
        self.list.take()
    }
}
