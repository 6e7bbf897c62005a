//! The shipped games, their variants, and random play, shared by the other modules.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use motherlode::declare::Turns;
use motherlode::{Decision, Game, Match, MatchError, Mod, Pack, Setup};
use motherlode_fixtures::{Texts, pack};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::twins::SplitMix64;

/// The games of this project, sorted by id. Recordings and requirements do not apply to other games in the same folders.
pub const SHIPPED: [&str; 5] = ["atacama", "imperial_miners", "krysis", "miners_lagoon", "photon"];

/// The seeds of a slow property: one in a test run, this many with `LODE_SEEDS=all`.
pub fn seeds(by_hand: u64) -> Range<u64> {
    let all = std::env::var("LODE_SEEDS").is_ok_and(|which| which == "all");
    0..if all { by_hand } else { 1 }
}

/// The folder with `content/` and `scripts/`.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A project with a copy of one shipped game and of its tests.
pub fn copy_of(game: &str) -> tempfile::TempDir {
    let project = tempfile::tempdir().unwrap();
    let rooms = ["content", "scripts", "tests"].map(|room| format!("{room}/{game}"));
    motherlode_fixtures::copy(root(), project.path(), &rooms);
    project
}

/// Loads a game below a root. Any fault fails the test.
pub fn load(root: &Path, id: &str) -> Game {
    load_modded(root, id, Vec::new())
}

/// Loads a game below a root with mods. Any fault fails the test.
pub fn load_modded(root: &Path, id: &str, mods: Vec<Mod>) -> Game {
    let pack = Pack::with_mods(root, id, mods).unwrap_or_else(|faults| panic!("{faults}"));
    Game::load(&pack).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Loads a game from texts in memory.
pub fn load_texts(id: &str, content: Texts<'_>, scripts: Texts<'_>) -> Game {
    Game::load(&pack(id, content, scripts)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The shipped games by id.
static GAMES: LazyLock<BTreeMap<String, Game>> =
    LazyLock::new(|| SHIPPED.iter().map(|id| ((*id).to_owned(), load(root(), id))).collect());

fn connect_four() -> &'static Game {
    static GAME: OnceLock<Game> = OnceLock::new();
    GAME.get_or_init(|| load(&root().join("benches/packs"), "connect_four"))
}

/// A game with a number of players and options.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    source: Source,
    pub players: u8,
    pub options: &'static [(&'static str, &'static str)],
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Shipped(&'static str),
    Made(fn() -> &'static Game),
}

impl Variant {
    /// A variant of a shipped game.
    pub const fn of(id: &'static str, players: u8, options: &'static [(&'static str, &'static str)]) -> Self {
        Self { source: Source::Shipped(id), players, options }
    }

    /// A variant of a test game.
    pub const fn new(
        game: fn() -> &'static Game,
        players: u8,
        options: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { source: Source::Made(game), players, options }
    }

    pub const fn connect_four() -> Self {
        Self::new(connect_four, 2, &[])
    }

    /// The loaded game.
    pub fn game(&self) -> &'static Game {
        match self.source {
            Source::Shipped(id) => GAMES.get(id).unwrap_or_else(|| panic!("no game {id}")),
            Source::Made(game) => game(),
        }
    }

    /// The setup with this seed.
    pub fn setup(&self, seed: u64) -> Setup {
        let options: Vec<(String, String)> =
            self.options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.game().setup(Some(self.players), &options, seed).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A match with this seed at its first decision.
    pub fn begin(&self, seed: u64) -> Match {
        Match::new(self.game(), &self.setup(seed)).unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    /// Restarts an existing match of this variant with a seed, which is much faster than a new match.
    pub fn again(&self, m: &mut Match, seed: u64) {
        m.restart(&self.setup(seed)).unwrap_or_else(|error| panic!("{self}: {error}"));
    }
}

impl std::fmt::Display for Variant {
    /// For example `photon_4_towers_12`, which is also the stem of the recorded playthrough.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}_{}", self.game().declarations().id, self.players)?;
        for (name, value) in self.options {
            match *value {
                "true" => write!(f, "_{name}")?,
                "false" => write!(f, "_no_{name}")?,
                value if value.parse::<i32>().is_ok() => write!(f, "_{name}_{value}")?,
                value => write!(f, "_{value}")?,
            }
        }
        Ok(())
    }
}

/// Every variant of the shipped games with rules of its own.
pub const VARIANTS: &[Variant] = &[
    Variant::of("photon", 2, &[]),
    Variant::of("photon", 3, &[]),
    Variant::of("photon", 4, &[]),
    Variant::of("photon", 5, &[]),
    Variant::of("photon", 6, &[]),
    Variant::of("atacama", 2, &[]),
    Variant::of("atacama", 2, &[("tactical", "true")]),
    Variant::of("atacama", 2, &[("board", "enhanced")]),
    Variant::of("atacama", 2, &[("board", "enhanced"), ("tactical", "true")]),
    Variant::of("atacama", 2, &[("board", "enhanced"), ("tactical", "true"), ("claim_bonus_rig", "true")]),
    Variant::of("atacama", 3, &[]),
    Variant::of("atacama", 3, &[("tactical", "true")]),
    Variant::of("atacama", 4, &[]),
    Variant::of("atacama", 4, &[("tactical", "true")]),
    Variant::of("krysis", 2, &[]),
    Variant::of("krysis", 2, &[("speed", "true")]),
    Variant::of("krysis", 3, &[("single_destination", "both"), ("bid_measure", "number")]),
    Variant::of("krysis", 4, &[]),
    Variant::of("krysis", 4, &[("single_destination", "none")]),
    Variant::of("miners_lagoon", 2, &[]),
    Variant::of("miners_lagoon", 2, &[("recycle_galleries", "false"), ("spot_closes_per_round", "0")]),
    Variant::of("miners_lagoon", 3, &[("depart_surcharge", "false"), ("hide_wasted_miners", "true")]),
    Variant::of("miners_lagoon", 4, &[]),
    Variant::of("imperial_miners", 1, &[]),
    Variant::of("imperial_miners", 3, &[]),
    Variant::of("imperial_miners", 5, &[]),
    Variant::of("imperial_miners", 1, &[("first_game", "true"), ("row1_gaps", "true")]),
    Variant::of("imperial_miners", 2, &[("row1_gaps", "true"), ("reentry_effect", "true"), ("tiebreak2", "level_4")]),
];

/// A random player. Uniform choices rarely reach the extremes of a game (nobody claims, a war of many rounds), so half
/// of all games draw a bias.
#[derive(Debug, Clone)]
pub struct Player {
    chance: SplitMix64,
    leaning: Leaning,
}

#[derive(Debug, Clone, Copy)]
enum Leaning {
    None,
    /// Prefers early choices.
    First,
    /// Prefers late choices.
    Last,
    /// Takes a label only if there is no other choice.
    NoLabel,
}

impl Player {
    pub fn new(seed: u64) -> Self {
        let mut chance = SplitMix64::new(seed ^ 0x5EED_0F0A_C4A2);
        let leaning = match chance.below(8) {
            0 => Leaning::First,
            1 => Leaning::Last,
            2 | 3 => Leaning::NoLabel,
            _ => Leaning::None,
        };
        Self { chance, leaning }
    }

    /// Any number below `n`, all equally likely.
    pub fn below(&mut self, n: usize) -> usize {
        self.chance.below(n)
    }

    /// Index of one of these raw choices.
    pub fn choose(&mut self, choices: &[i32]) -> usize {
        let n = choices.len();
        let index = self.below(n);
        match self.leaning {
            Leaning::None => index,
            Leaning::First => index.min(self.below(n)),
            Leaning::Last => index.max(self.below(n)),
            Leaning::NoLabel => match choices.iter().filter(|&&choice| choice >= 0).count() {
                0 => index,
                plain => {
                    let nth = self.below(plain);
                    let places = choices.iter().enumerate().filter(|&(_, &choice)| choice >= 0);
                    places.map(|(index, _)| index).nth(nth).unwrap_or(index)
                }
            },
        }
    }

    /// Answers the pending decision.
    pub fn step(&mut self, m: &mut Match) -> usize {
        let index = self.choose(m.choices());
        m.answer(index).unwrap_or_else(|error| panic!("an offered choice is refused: {error}"));
        index
    }
}

/// A state's tokens, counters and zones, without flow and generator.
pub fn dealt(m: &Match) -> &[i32] {
    &m.state().words()[m.game().layout().counts.end..]
}

/// Whether a decision belongs to a sealed phase.
pub fn is_sealed(m: &Match, decision: Decision) -> bool {
    m.game().declarations().phases[decision.phase_index()].turns == Turns::Sealed
}

/// Whether a running hook asks the decision, and not the phase's `offer`.
pub fn is_mid_hook(m: &Match, decision: Decision) -> bool {
    !is_sealed(m, decision) && m.is_mid_hook()
}

/// Copies `m` into `other` and permutes the state hidden from the seat. Returns whether anything differs from `m`;
/// `None`: no redeal was found.
pub fn permuted(m: &Match, other: &mut Match, seat: u8, seed: u64) -> Option<bool> {
    other.restore(&m.snapshot()).unwrap();
    match other.redeal(seat, &mut Pcg64Mcg::seed_from_u64(seed)) {
        Ok(_) => Some(dealt(other) != dealt(m)),
        Err(MatchError::NoDeal { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The same for observations. It skips one case: a seat that has answered may see its phase end when the others' new
/// cards leave them no choice.
pub fn permuted_alike(m: &Match, other: &mut Match, seat: u8, seed: u64) -> Option<bool> {
    let permuted = permuted(m, other, seat, seed);
    permuted.filter(|_| !m.is_simultaneous() || (other.round(), other.phase()) == (m.round(), m.phase()))
}
