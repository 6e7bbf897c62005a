//! Seeded damage to the files of the shipped games: what is read of it ends in a game or in faults, soon, and never in a panic.
//!
//! `mutations.rs` makes mistakes as people do and asks whether they are found; this makes nonsense. `LODE_DAMAGE=10000` makes as
//! many by hand.

use std::time::{Duration, Instant};

use motherlode::{Game, Match, Pack};

use crate::shipped::root;
use crate::twins::SplitMix64;

/// No pack may take longer to read, on a slow and busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

fn rounds() -> usize {
    std::env::var("LODE_DAMAGE").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(120)
}

/// What is put into files: pieces of the two languages, and what no file should hold.
const PIECES: [&str; 32] = [
    "[",
    "]",
    "[[",
    "{",
    "}",
    "\"",
    "'''",
    "= ",
    ".",
    ",",
    "\n",
    "-",
    "99999999999999999999",
    "-1",
    "0",
    "1e999",
    "nan",
    "true",
    "#",
    "like = \"",
    "per = [",
    "{1:",
    "product = { a = [1, 2], b = [1, 2] }",
    "min = 2147483647",
    "end ",
    "function() ",
    "while true do ",
    "return ",
    "or buffer ",
    "\0",
    "\u{1b}",
    "\u{202e}",
];

/// Damages a text in one place.
fn damage(text: &str, other: &str, random: &mut SplitMix64) -> String {
    let at = |text: &str, random: &mut SplitMix64| text.floor_char_boundary(random.below(text.len() + 1));
    let (mut from, mut to) = (at(text, random), at(text, random));
    if from > to {
        (from, to) = (to, from);
    }
    // Most damage is small.
    let near = text.floor_char_boundary((from + random.below(12)).min(text.len())).max(from);
    let piece = PIECES[random.below(PIECES.len())];
    let lines = |text: &str, random: &mut SplitMix64| {
        let all: Vec<&str> = text.lines().collect();
        all.get(random.below(all.len().max(1))).copied().unwrap_or_default().to_owned()
    };
    match random.below(9) {
        0 => format!("{}{piece}{}", &text[..from], &text[from..]),
        1 => format!("{}{}", &text[..from], &text[near..]),
        2 => format!("{}{piece}{}", &text[..from], &text[near..]),
        3 => text[..from].to_owned(),
        4 => format!("{}{}{}", &text[..to], &text[from..to], &text[to..]),
        5 => format!("{text}\n{}", lines(other, random)),
        6 => text.replace(&lines(text, random), &lines(other, random)),
        7 => format!("{}{}{}", &text[..from], piece.repeat(1 + random.below(2000)), &text[from..]),
        _ => text.replacen(char::is_numeric, piece, 1 + random.below(3)),
    }
}

#[test]
fn damaged_games_are_refused_or_played() {
    let packs: Vec<Pack> =
        motherlode::find_packs(root()).unwrap().iter().map(|id| Pack::open(root(), id).unwrap()).collect();
    for seed in 0..rounds() {
        let mut random = SplitMix64::new(seed as u64);
        let pack = &packs[seed % packs.len()];
        let mut files: Vec<(String, String)> =
            pack.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        for _ in 0..=random.below(3) {
            let (one, other) = (random.below(files.len()), random.below(files.len()));
            files[one].1 = damage(&files[one].1, &files[other].1, &mut random);
        }
        let begin = Instant::now();
        let read = std::panic::catch_unwind(|| {
            let pack = Pack::from_files(&pack.id, files.clone());
            let checked = motherlode_check::check(&pack).map(|checked| checked.game);
            let loaded = Game::load(&pack);
            assert!(checked.is_err() || loaded.is_ok(), "seed {seed}: what passes the check loads");
            if let Ok(game) = loaded {
                // A game that loads can be begun, or says why not.
                let setup = game.setup(None, &[], 1).unwrap();
                let _ = Match::new(&game.interpreted(), &setup).map(|mut m| m.answer(0));
            }
        });
        assert!(read.is_ok(), "seed {seed} of {}", pack.id);
        assert!(begin.elapsed() < PATIENCE, "seed {seed} of {} took {:?}", pack.id, begin.elapsed());
    }
}
