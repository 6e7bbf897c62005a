//! Counts which lines and hooks of a host's scripts have run.

use mlua::{Function, Table};

use crate::coverage::{Coverage, ScriptFunction};

/// The counts of one host.
#[derive(Debug)]
pub struct HostCounts {
    /// The top-level function of each script, with its path.
    pub scripts: Vec<(String, Function)>,
    /// Hooks that ran, by index of the definition and name: `12:operate`.
    pub hooks: Table,
}

impl HostCounts {
    /// Adds the counts to a coverage.
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
                // Line 1 belongs to the header; a function without statements has no lines to reach.
                if function.depth == 0 || line < 2 || !function.hits.iter().any(|hits| *hits >= 0) {
                    return;
                }
                let name = function.function.unwrap_or_default();
                *into.functions.entry(ScriptFunction { file: file.clone(), line, name }).or_default() |= reached;
            });
        }
    }
}
