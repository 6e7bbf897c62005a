//! Data shared by all script hosts of one game.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use indexmap::IndexSet;

use crate::script::bytecode::{Function, Numbered, functions, numbered};
use crate::script::luau::stretch::Stretch;
use crate::script::machine::choosable::Choosable;
use crate::script::native::program::Compiled;
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
    /// The functions of all scripts, by number.
    numbered: Mutex<Vec<Numbered>>,
    /// Bytecode of the engine's own scripts, by name.
    own: Mutex<BTreeMap<String, Arc<[u8]>>>,
    /// The machine code of the hooks, made by the first host that needs it.
    pub(super) native: OnceLock<Option<Arc<Compiled>>>,
    /// Whether a thread has begun to make it.
    pub(super) is_compiling: AtomicBool,
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
        Self {
            declarations,
            layout: Arc::new(layout),
            labels,
            choosable,
            compiled: Mutex::default(),
            numbered: Mutex::default(),
            own: Mutex::default(),
            native: OnceLock::new(),
            is_compiling: AtomicBool::new(false),
        }
    }

    /// Bytecode whose functions tell their numbers.
    pub(super) fn number(&self, name: &str, code: &[u8], functions: Vec<Function>) -> Arc<[u8]> {
        let Ok(mut all) = self.numbered.lock() else { return code.into() };
        let out = numbered(code, &functions, all.len());
        all.extend(Numbered::all(functions, name));
        out.into()
    }

    /// The functions of all scripts, by number.
    pub(super) fn numbered_functions(&self) -> Vec<Numbered> {
        self.numbered.lock().map(|all| all.clone()).unwrap_or_default()
    }

    /// The bytecode of one of the engine's own scripts; numbered and kept if hosts that play fast use it.
    pub(super) fn own(
        &self,
        name: &str,
        is_fast: bool,
        compile: impl FnOnce() -> mlua::Result<Vec<u8>>,
    ) -> mlua::Result<Arc<[u8]>> {
        if !is_fast {
            return compile().map(Into::into);
        }
        if let Some(code) = self.own.lock().ok().and_then(|own| own.get(name).cloned()) {
            return Ok(code);
        }
        let code = compile()?;
        let code = match functions(&code) {
            Some(functions) => self.number(name, &code, functions),
            None => code.into(),
        };
        if let Ok(mut own) = self.own.lock() {
            own.insert(name.to_owned(), code.clone());
        }
        Ok(code)
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
