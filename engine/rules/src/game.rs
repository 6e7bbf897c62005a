//! A game: a pack, read and laid out. Immutable, and shared between threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use motherlode_content::declare::Declarations;
use motherlode_content::{Diagnostic, Diagnostics, Mod, ModId, Pack, Severity};

use crate::coverage::Coverage;
use crate::script::luau::{Contributions, FunctionPlace, Host, Mode, Parts};
use crate::script::machine::choosable::Choosable;
use crate::script::{Driver, driver};
use crate::setup::{Setup, SetupError};
use crate::state::Layout;

/// A loaded game.
#[derive(Debug, Clone)]
pub struct Game {
    inner: Arc<Inner>,
    /// How the scripts of its matches run.
    mode: Mode,
    /// Collects what its matches exercise, if that is counted.
    counts: Option<Arc<Mutex<Coverage>>>,
    /// Set once its matches are to end.
    halt: Option<&'static AtomicBool>,
}

#[derive(Debug)]
struct Inner {
    parts: Arc<Parts>,
    fingerprint: String,
    learned: Option<String>,
    mods: Vec<ModId>,
    warnings: Diagnostics,
    functions: Vec<FunctionPlace>,
    contributions: Contributions,
}

/// Most 32-bit words in the state of a game: 4 MiB.
const MAX_WORDS: usize = 1 << 20;

impl Game {
    /// Reads a pack and compiles every script once.
    ///
    /// # Errors
    /// All faults of all files.
    pub fn load(pack: &Pack) -> Result<Self, Diagnostics> {
        let (declarations, diagnostics) = motherlode_content::read(pack);
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        Self::build(pack, Arc::new(declarations), diagnostics)
    }

    /// Builds a game from a pack that has been read already, with its declarations and the warnings found on the way.
    ///
    /// # Errors
    /// All faults of all scripts.
    pub fn build(
        pack: &Pack,
        declarations: Arc<Declarations>,
        mut diagnostics: Diagnostics,
    ) -> Result<Self, Diagnostics> {
        let parts = Parts::new(declarations);
        if parts.layout.words > MAX_WORDS {
            let message = format!(
                "the game has {} words of state; at most {MAX_WORDS} are allowed: fewer counters, cells, zones, tokens or players",
                parts.layout.words
            );
            let path = parts.declarations.game_file();
            diagnostics.list.push(Diagnostic::of_file("too-large", path, message));
            diagnostics.sort();
            return Err(diagnostics);
        }
        let contributions = match Host::dry_run(&parts) {
            Ok(contributions) => contributions,
            Err(faults) => {
                diagnostics.list.extend(faults);
                diagnostics.sort();
                return Err(diagnostics);
            }
        };
        let inner = Inner {
            parts: Arc::new(parts),
            fingerprint: pack.fingerprint(),
            learned: pack.learned.clone(),
            mods: pack.mods().iter().map(Mod::exactly).collect(),
            warnings: diagnostics,
            functions: FunctionPlace::all(&contributions),
            contributions,
        };
        Ok(Self { inner: Arc::new(inner), mode: Mode::Warming, counts: None, halt: None })
    }

    /// The same game with matches that count what they exercise; they are slower.
    #[must_use]
    pub fn counted(&self) -> Self {
        Self { counts: Some(Arc::default()), ..self.clone() }
    }

    /// The same game, whose matches refuse to go on once this is set: those of bots that look ahead, too.
    #[must_use]
    pub fn halted_by(&self, halt: &'static AtomicBool) -> Self {
        Self { halt: Some(halt), ..self.clone() }
    }

    /// The same game, whose matches nothing halts: to play again what was played before.
    #[must_use]
    pub fn unhalted(&self) -> Self {
        Self { halt: None, ..self.clone() }
    }

    /// Whether its matches are to end.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// The same game as native code from the start; otherwise its scripts are interpreted until they have run for some time. It must
    /// play every game as the others do.
    #[must_use]
    pub fn native(&self) -> Self {
        Self { mode: Mode::Native, ..self.clone() }
    }

    /// The same game without native code.
    #[must_use]
    pub fn interpreted(&self) -> Self {
        Self { mode: Mode::Plain, ..self.clone() }
    }

    /// The same game as the VM that looks for faults runs it: interpreted, nothing inlined, tables guarded. It must play every game as
    /// the others do, only slowly.
    #[must_use]
    pub fn careful(&self) -> Self {
        Self { mode: Mode::Careful, ..self.clone() }
    }

    /// The coverage of the finished matches of a [counted](Self::counted) game.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.counts.as_ref().and_then(|counts| counts.lock().ok().map(|counts| counts.clone())).unwrap_or_default()
    }

    /// Whether its matches count what they exercise.
    pub(crate) fn is_counted(&self) -> bool {
        self.counts.is_some()
    }

    /// The counts, if this game is counted.
    pub(crate) fn counts(&self) -> Option<MutexGuard<'_, Coverage>> {
        self.counts.as_ref()?.lock().ok()
    }

    /// The text of its `learned.value`: what bots that name no file have learned of it.
    #[must_use]
    pub fn learned(&self) -> Option<&str> {
        self.inner.learned.as_deref()
    }

    /// Everything the game declares.
    #[must_use]
    pub fn declarations(&self) -> &Declarations {
        &self.inner.parts.declarations
    }

    /// Where everything is in the state block.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.inner.parts.layout
    }

    /// Keys of all labels of all prompts; the raw choice -n is the label at n - 1.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.inner.parts.labels
    }

    /// Hash of everything that can change a match.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.inner.fingerprint
    }

    /// The mods over the game, in the order in which they were loaded.
    #[must_use]
    pub fn mods(&self) -> &[ModId] {
        &self.inner.mods
    }

    /// Likely mistakes that do not keep the game from being played.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        debug_assert!(
            self.inner.warnings.list.iter().all(|d| d.severity == Severity::Warning),
            "a pack with errors is not loaded"
        );
        &self.inner.warnings
    }

    /// Where the functions that the engine calls are defined, by file and line.
    #[must_use]
    pub fn functions(&self) -> &[FunctionPlace] {
        &self.inner.functions
    }

    /// Resolves names and texts into a setup.
    ///
    /// # Errors
    /// As [`Setup::resolve`].
    pub fn setup(&self, players: Option<u8>, options: &[(String, String)], seed: u64) -> Result<Setup, SetupError> {
        Setup::resolve(self.declarations(), players, options, seed)
    }

    /// Which layers (the game, mods) contributed to each function, by the function's path: `phases.building.turn`.
    #[must_use]
    pub fn contributions(&self) -> &Contributions {
        &self.inner.contributions
    }

    /// The choices that prompts take.
    pub(crate) fn choosable(&self) -> &Choosable {
        &self.inner.parts.choosable
    }

    /// A new machine with the game's scripts.
    pub(crate) fn machine(&self) -> Result<Driver, String> {
        let host = match &self.counts {
            Some(counts) => Host::counting(&self.inner.parts, counts),
            None => Host::new(&self.inner.parts, self.mode),
        };
        host.map(driver).map_err(|faults| {
            faults.first().map_or_else(String::new, |f| format!("{}:{}: {}", f.file, f.line, f.message))
        })
    }
}
