//! Data shared by all script hosts of one game.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use indexmap::IndexSet;

use crate::script::luau::stretch::Stretch;
use crate::script::machine::choosable::Choosable;
use crate::state::Layout;
use motherlode_content::declare::Declarations;

/// Data shared by all script hosts of one game.
#[derive(Debug)]
pub struct Parts {
    /// All declarations.
    pub declarations: Arc<Declarations>,
    /// The layout of the state block.
    pub layout: Arc<Layout>,
    /// Keys of all labels of all prompts; the raw choice -n is the label at n - 1.
    pub labels: Vec<String>,
    /// The choices that each prompt accepts.
    pub choosable: Arc<Choosable>,
    /// Bytecode by path of the script, compiled by the first host.
    compiled: Mutex<BTreeMap<String, CompiledScript>>,
}

/// A compiled script.
#[derive(Debug, Clone)]
pub(super) struct CompiledScript {
    pub(super) code: Arc<[u8]>,
    pub(super) stretch: Stretch,
    /// Whether its functions assign to variables outside themselves.
    pub(super) assigns: bool,
}

impl Parts {
    /// The parts of a game, with nothing compiled yet.
    pub fn new(declarations: Arc<Declarations>) -> Self {
        let layout = Layout::new(&declarations);
        let labels = declarations.prompts.values().flat_map(|prompt| prompt.labels.keys());
        let labels: IndexSet<&String> = labels.collect();
        let labels = labels.into_iter().cloned().collect();
        let choosable = Arc::new(Choosable::new(&declarations));
        Self { declarations, layout: Arc::new(layout), labels, choosable, compiled: Mutex::default() }
    }

    /// The bytecode of a script, if a host has compiled it.
    pub(super) fn compiled(&self, path: &str) -> Option<CompiledScript> {
        self.compiled.lock().ok()?.get(path).cloned()
    }

    /// Stores the bytecode of a script.
    pub(super) fn keep(&self, path: &str, script: CompiledScript) {
        if let Ok(mut compiled) = self.compiled.lock() {
            compiled.insert(path.to_owned(), script);
        }
    }
}
