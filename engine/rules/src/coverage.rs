//! Coverage: the parts of a game that its matches have exercised, for authors of content and tests.
//!
//! Only hosts of a [counted](crate::Game::counted) game count: their scripts are compiled with line counters, and
//! their hooks are wrapped. Other games are compiled without counters and pay nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::label::unpack;
use crate::state::{Layout, Position};
use motherlode_content::declare::{Declarations, Domain};

/// The exercised parts, by indices into the declarations.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// Phases that began.
    pub phases: BTreeSet<usize>,
    /// Prompts that were answered.
    pub prompts: BTreeSet<usize>,
    /// Chosen labels, each with the index of its prompt.
    pub labels: BTreeSet<(usize, usize)>,
    /// Definitions that were chosen, whose hook ran, or whose token moved.
    pub definitions: BTreeSet<usize>,
    /// Hooks that ran, by definition and name.
    pub hooks: BTreeSet<(usize, String)>,
    /// Listeners that an event reached.
    pub listeners: BTreeSet<usize>,
    /// Modifiers that changed a value after a step.
    pub modifiers: BTreeSet<usize>,
    /// All functions of the scripts; true if any of their lines ran.
    pub functions: BTreeMap<ScriptFunction, bool>,
}

/// A function of a script.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptFunction {
    /// Displayed path of the script.
    pub file: String,
    /// First line, from 1.
    pub line: u32,
    /// Its name, if Luau knows one.
    pub name: String,
}

impl Coverage {
    /// Counts an answer, given as in the choice buffer: a number, or a negative label.
    pub(crate) fn choose(&mut self, d: &Declarations, layout: &Layout, labels: &[String], prompt: usize, raw: i32) {
        self.prompts.insert(prompt);
        let declared = &d.prompts[prompt];
        if raw < 0 {
            let label = unpack(raw, labels.len()).and_then(|(label, _)| labels.get(label));
            let index = label.and_then(|label| declared.labels.get_index_of(label));
            self.labels.extend(index.map(|index| (prompt, index)));
            return;
        }
        match declared.domain {
            Domain::Token => {
                let token = usize::try_from(raw - 1).ok().and_then(|token| layout.tokens.get(token));
                self.definitions.extend(token.map(|token| token.definition));
            }
            Domain::Definition(kind) => {
                let kind = &d.kinds[kind];
                self.definitions
                    .extend(usize::try_from(raw - 1).ok().filter(|n| *n < kind.len).map(|n| kind.first + n));
            }
            Domain::Number | Domain::Player | Domain::Cell(_) => {}
        }
    }

    /// Counts the tokens that have moved.
    pub(crate) fn moved(&mut self, layout: &Layout, before: &[Option<usize>], now: &[Option<usize>]) {
        for (token, (before, now)) in layout.tokens.iter().zip(before.iter().zip(now)) {
            if before != now {
                self.definitions.insert(token.definition);
            }
        }
    }
}

/// The pile of every token; `None`: in no zone.
pub(crate) fn piles(position: Position<'_>) -> Vec<Option<usize>> {
    (1..=position.layout.tokens.len() as i32).map(|token| position.pile_of(token)).collect()
}
