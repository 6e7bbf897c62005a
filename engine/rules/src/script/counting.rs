//! Counters in the lines and around the hooks of a host's scripts.

use mlua::{Function, Table};

use crate::coverage::{Coverage, ScriptFunction};

/// What one host has counted.
#[derive(Debug)]
pub struct Counting {
    /// The top level of each script, by path.
    pub scripts: Vec<(String, Function)>,
    /// Hooks that ran: `12:operate`.
    pub hooks: Table,
}

impl Counting {
    /// Adds what was counted.
    pub fn add_to(&self, into: &mut Coverage) {
        for key in self.hooks.pairs::<String, bool>().flatten().map(|(key, _)| key) {
            if let Some((definition, hook)) = key.split_once(':')
                && let Ok(definition) = definition.parse()
            {
                into.definitions.insert(definition);
                into.hooks.insert((definition, hook.to_owned()));
            }
        }
        for (file, script) in &self.scripts {
            script.coverage(|function| {
                let reached = function.hits.iter().any(|hits| *hits > 0);
                let line = u32::try_from(function.line_defined).unwrap_or(0);
                // The first line is that of the header; what has no statement cannot be reached.
                if function.depth == 0 || line < 2 || !function.hits.iter().any(|hits| *hits >= 0) {
                    return;
                }
                let name = function.function.unwrap_or_default();
                *into.functions.entry(ScriptFunction { file: file.clone(), line, name }).or_default() |= reached;
            });
        }
    }
}
