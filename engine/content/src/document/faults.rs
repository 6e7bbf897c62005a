//! Faults of files while they are read.

use std::cell::{OnceCell, RefCell};

use crate::diagnostic::Diagnostic;

/// Faults of all files while they are read.
#[derive(Debug, Default)]
pub struct Faults {
    pub(super) list: RefCell<Vec<Diagnostic>>,
    pub(super) mended: Texts,
}

/// Texts that were mended in order to be read; none moves as more are added.
#[derive(Debug, Default)]
pub struct Texts(OnceCell<Box<(String, Texts)>>);

impl Texts {
    /// Keeps a text.
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

    /// Takes every fault recorded so far.
    pub fn take(&self) -> Vec<Diagnostic> {
        self.list.take()
    }
}
