//! What a designer is told before anything runs.
//!
//! [`check`] reads a game as [`Game::load`] does and adds what only an author wants to know: wrong names in scripts, definitions
//! that nothing uses. [`lints`] are its findings in scripts, [`codes`] explains every code.
//! The other modules describe a game to editors and people: [`schema`], [`types`], [`explain`], [`mod@reference`].
//!
//! Direction: explain, schema, types <- reference, script <- uses <- finding <- reach <- lints <- codes, lint

pub use lint::THREAD;

pub mod codes;
pub mod explain;
mod finding;
mod lint;
pub mod lints;
mod reach;
pub mod reference;
pub mod schema;
mod script;
pub mod types;
mod uses;

use std::sync::Arc;

use motherlode::{Diagnostics, Game, Pack, Severity};

/// A game that can be played, and what its author should know.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The game.
    pub game: Game,
    /// What can be played but is likely a mistake.
    pub warnings: Diagnostics,
}

/// Reads a pack and checks everything in it.
///
/// # Errors
/// All faults of all files and scripts, with the warnings.
pub fn check(pack: &Pack) -> Result<Checked, Diagnostics> {
    let (declarations, mut found) = motherlode_content::read(pack);
    if found.has_errors() {
        let findings = lint::lint(pack, &declarations, &found);
        found.list.extend(findings);
        return Err(told(pack, found));
    }
    let declarations = Arc::new(declarations);
    // Each takes half the time, and neither needs the other.
    let (built, findings) = std::thread::scope(|scope| {
        let build = || Game::build(pack, declarations.clone(), Diagnostics::default());
        let built = scope.spawn(build);
        let findings = lint::lint(pack, &declarations, &found);
        (built.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), findings)
    });
    found.list.extend(findings);
    // Errors of names end it as well, although the game could be played until it uses one.
    match built {
        Ok(game) if !found.has_errors() => Ok(Checked { game, warnings: told(pack, found) }),
        Ok(_) => Err(told(pack, found)),
        Err(faults) => {
            // A wrong name is one mistake, however many scripts fail to load because of it.
            if !found.has_errors() {
                found.list.extend(faults.list);
            }
            Err(told(pack, found))
        }
    }
}

/// In order, and without warnings about the game under a mod: the mod's author cannot mend them.
fn told(pack: &Pack, mut found: Diagnostics) -> Diagnostics {
    if !pack.mods().is_empty() {
        found.list.retain(|one| one.severity == Severity::Error || pack.file(&one.file).is_none());
    }
    found.sort();
    found
}
