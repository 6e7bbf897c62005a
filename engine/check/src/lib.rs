//! Checks game content before any match runs.
//!
//! [`check`] loads a game as [`Game::load`] does and also lints it: unknown names in scripts, unused definitions and the like.
//! [`lints`] holds the lints, and [`codes`] explains every diagnostic code.
//! The other modules describe a game to editors and people: [`schema`], [`types`], [`explain`], [`mod@reference`].
//!
//! Direction: explain, images, possible, reactions, schema, types <- reference, script <- uses <- finding <- reach <- lints <-
//! codes, lint <- references, rule_tests

pub use lint::THREAD;

pub mod codes;
pub mod explain;
mod finding;
mod images;
mod lint;
pub mod lints;
mod possible;
mod reach;
mod reactions;
pub mod reference;
pub mod references;
pub mod rule_tests;
pub mod schema;
mod script;
pub mod types;
mod uses;

use std::sync::Arc;

use motherlode::{Diagnostics, Game, Pack, Severity};
use motherlode_files::Images;

use self::images::card_images;

/// A playable game with the warnings for its author.
#[derive(Debug, Clone)]
pub struct CheckedGame {
    /// The game.
    pub game: Game,
    /// The images of its cards.
    pub images: Images,
    /// Likely mistakes that do not prevent play.
    pub warnings: Diagnostics,
}

/// Loads a pack and checks all its files and scripts.
///
/// # Errors
/// All errors and warnings, if there is at least one error.
pub fn check(pack: &Pack) -> Result<CheckedGame, Diagnostics> {
    let (declarations, mut found) = motherlode_content::read(pack);
    if found.has_errors() {
        let findings = lint::lint(pack, &declarations, &found);
        found.list.extend(findings);
        return Err(finish(pack, found));
    }
    let declarations = Arc::new(declarations);
    // Building and linting are independent and take about the same time.
    let (built, findings) = std::thread::scope(|scope| {
        let build = || Game::build(pack, declarations.clone(), Diagnostics::new(found.sources.clone()));
        let built = scope.spawn(build);
        let findings = lint::lint(pack, &declarations, &found);
        (built.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), findings)
    });
    found.list.extend(findings);
    let (images, faults) = card_images(pack, &declarations);
    found.list.extend(faults);
    // A lint error rejects the game even if it builds: the match would fail at that line.
    match built {
        Ok(game) if !found.has_errors() => Ok(CheckedGame { game, images, warnings: finish(pack, found) }),
        Ok(_) => Err(finish(pack, found)),
        Err(faults) => {
            // One unknown name can make many scripts fail to load: report only the name.
            if !found.has_errors() {
                found.list.extend(faults.list);
            }
            Err(finish(pack, found))
        }
    }
}

/// Sorts the diagnostics. With mods, drops warnings about the base game, because the mod's author cannot fix them, and
/// says which mod removes an unknown name.
fn finish(pack: &Pack, mut found: Diagnostics) -> Diagnostics {
    if !pack.mods().is_empty() {
        found.list.retain(|one| one.severity == Severity::Error || pack.file(&one.file).is_none());
        for one in found.list.iter_mut().filter(|one| one.code.starts_with("unknown-")) {
            // The name stands first: unknown verb `rest` for `do`.
            let name = one.message.split('`').nth(1).unwrap_or_default();
            one.related.extend(pack.mods().iter().find_map(|layer| layer.removal(name)));
        }
    }
    found.sort();
    found
}
