//! A game: a loaded pack with its layout. Immutable, and shared between threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use motherlode_content::declare::{Declarations, Turns, Visibility};
use motherlode_content::source::word_span;
use motherlode_content::{Diagnostic, Diagnostics, Mod, ModId, Pack, Severity};

use crate::coverage::Coverage;
use crate::script::luau::{Contributions, FunctionPlace, Host, Mode, Parts};
use crate::script::machine::choosable::Choosable;
use crate::script::native::program::HookCode;
use crate::script::{Driver, driver};
use crate::setup::{Setup, SetupError};
use crate::state::Layout;

/// A loaded game.
///
/// The [front page](crate) has an example.
#[derive(Debug, Clone)]
pub struct Game {
    inner: Arc<Inner>,
    /// How the scripts of its matches run.
    mode: Mode,
    /// Whether its matches ask every question.
    asks_all: bool,
    /// Coverage of its matches; `None`: not counted.
    counts: Option<Arc<Mutex<Coverage>>>,
    /// When set to true, its matches refuse to continue.
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

/// Maximum size of a game's state in 32-bit words: 4 MiB.
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

    /// Builds a game from a pack that has already been read, with its declarations and warnings.
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
                let faults: Vec<Diagnostic> = faults.into_iter().map(|fault| with_span(fault, &diagnostics)).collect();
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
        Ok(Self { inner: Arc::new(inner), mode: Mode::Play, asks_all: false, counts: None, halt: None })
    }

    /// A copy of the game whose matches count coverage; they are slower.
    #[must_use]
    pub fn counted(&self) -> Self {
        Self { counts: Some(Arc::default()), ..self.clone() }
    }

    /// A copy of the game whose matches refuse to continue once `halt` is true, including those of bots that look
    /// ahead.
    #[must_use]
    pub fn halted_by(&self, halt: &'static AtomicBool) -> Self {
        Self { halt: Some(halt), ..self.clone() }
    }

    /// A copy of the game without the halt flag, to replay earlier matches.
    #[must_use]
    pub fn unhalted(&self) -> Self {
        Self { halt: None, ..self.clone() }
    }

    /// Whether the halt flag is set.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// Whether every seat sees every zone and counter, and no phase is simultaneous.
    #[must_use]
    pub fn is_public(&self) -> bool {
        let d = self.declarations();
        let is_open = |visible: Visibility, internal: bool| visible == Visibility::Public || internal;
        d.zones.values().all(|zone| is_open(zone.visible, zone.internal))
            && d.counters.values().all(|counter| is_open(counter.visible, counter.internal))
            && d.phases.values().all(|phase| phase.turns != Turns::Sealed)
    }

    /// A copy of the game that compiles its hooks to machine code at once, instead of after some time in the interpreter.
    /// Every match must play identically.
    #[must_use]
    pub fn native(&self) -> Self {
        Self { mode: Mode::Compiled, ..self.clone() }
    }

    /// The hooks of this game, in order, with the parts that machine code does. `None`: the machine has no back end, or
    /// forbids new code.
    ///
    /// # Errors
    /// Memory has run out.
    pub fn machine_code(&self) -> Result<Option<Vec<HookCode>>, Diagnostics> {
        let hooks = Host::machine_code(&self.inner.parts);
        hooks.map_err(|list| Diagnostics { list, ..Diagnostics::default() })
    }

    /// A copy of the game that never compiles its hooks.
    #[must_use]
    pub fn interpreted(&self) -> Self {
        Self { mode: Mode::Plain, ..self.clone() }
    }

    /// A copy of the game in the mode that locates faults: interpreted, nothing inlined, tables guarded. Slow, but
    /// every match must play identically.
    #[must_use]
    pub fn careful(&self) -> Self {
        Self { mode: Mode::Careful, ..self.clone() }
    }

    /// A copy of the game whose matches record refused choices.
    pub(crate) fn explaining(&self) -> Self {
        Self { mode: Mode::Reasons, counts: None, ..self.clone() }
    }

    /// A copy of the game that asks every question, also one with a single choice. A player who can only pass is asked, too, if the
    /// prompt has the label `pass`.
    #[must_use]
    pub fn asking(&self) -> Self {
        let mut declarations = self.declarations().clone();
        declarations.prompts.values_mut().for_each(|prompt| prompt.auto = false);
        let Inner { fingerprint, learned, mods, warnings, functions, contributions, .. } = &*self.inner;
        let inner = Inner {
            parts: Arc::new(Parts::new(Arc::new(declarations))),
            fingerprint: fingerprint.clone(),
            learned: learned.clone(),
            mods: mods.clone(),
            warnings: warnings.clone(),
            functions: functions.clone(),
            contributions: contributions.clone(),
        };
        Self { inner: Arc::new(inner), asks_all: true, ..self.clone() }
    }

    /// Whether its matches ask every question.
    pub(crate) fn is_asking(&self) -> bool {
        self.asks_all
    }

    /// The coverage of the finished matches of a [counted](Self::counted) game.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.counts.as_ref().and_then(|counts| counts.lock().ok().map(|counts| counts.clone())).unwrap_or_default()
    }

    /// Whether its matches count coverage.
    pub(crate) fn is_counted(&self) -> bool {
        self.counts.is_some()
    }

    /// The coverage so far, if this game is counted.
    pub(crate) fn counts(&self) -> Option<MutexGuard<'_, Coverage>> {
        self.counts.as_ref()?.lock().ok()
    }

    /// The text of its `learned.value`: the trained evaluation for bots that name no other file.
    #[must_use]
    pub fn learned(&self) -> Option<&str> {
        self.inner.learned.as_deref()
    }

    /// All declarations of the game.
    #[must_use]
    pub fn declarations(&self) -> &Declarations {
        &self.inner.parts.declarations
    }

    /// The layout of the state block.
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

    /// The mods over the game, in load order.
    #[must_use]
    pub fn mods(&self) -> &[ModId] {
        &self.inner.mods
    }

    /// Likely mistakes that do not prevent playing.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        debug_assert!(
            self.inner.warnings.list.iter().all(|d| d.severity == Severity::Warning),
            "a pack with errors is not loaded"
        );
        &self.inner.warnings
    }

    /// The functions that the engine calls, by file and line.
    #[must_use]
    pub fn functions(&self) -> &[FunctionPlace] {
        &self.inner.functions
    }

    /// Resolves a number of players, options and a seed into a setup.
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

    /// The choices that each prompt accepts.
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

/// Adds its bytes to a fault that has only a line and a column: the scripts' host does not have the TOML files.
fn with_span(mut fault: Diagnostic, read: &Diagnostics) -> Diagnostic {
    let source = read.source_of(&fault).filter(|_| fault.end == 0 && (fault.line, fault.column) > (1, 1));
    if let Some(source) = source {
        (fault.start, fault.end) = word_span(&source.text, fault.line, fault.column);
    }
    fault
}
