//! What every script host of a game is made from.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::state::Layout;
use motherlode_content::declare::Declarations;

/// What the hosts of a game share.
#[derive(Debug)]
pub struct Parts {
    /// Everything the packs declare.
    pub declarations: Arc<Declarations>,
    /// Where everything lies in a state.
    pub layout: Arc<Layout>,
    /// Keys of all labels of all prompts; label n of a raw choice is element n - 1.
    pub labels: Vec<String>,
    /// Bytecode by the path of its script: only the first host compiles.
    compiled: Mutex<BTreeMap<String, Arc<[u8]>>>,
}

impl Parts {
    /// Nothing compiled yet.
    pub fn new(declarations: Arc<Declarations>) -> Self {
        let layout = Layout::new(&declarations);
        let mut labels: Vec<String> = Vec::new();
        for label in declarations.prompts.values().flat_map(|prompt| prompt.labels.keys()) {
            if !labels.contains(label) {
                labels.push(label.clone());
            }
        }
        Self { declarations, layout: Arc::new(layout), labels, compiled: Mutex::default() }
    }

    /// The bytecode of a script, if a host has compiled it.
    pub(super) fn compiled(&self, path: &str) -> Option<Arc<[u8]>> {
        self.compiled.lock().ok()?.get(path).cloned()
    }

    /// Keeps the bytecode of a script.
    pub(super) fn keep(&self, path: &str, code: &[u8]) {
        if let Ok(mut compiled) = self.compiled.lock() {
            compiled.insert(path.to_owned(), code.into());
        }
    }
}
