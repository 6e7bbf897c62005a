//! The same packs, setup and answers give the same bytes, whatever plays them: any thread, machine code, interpreted
//! code, the careful VM that locates faults, a VM that has played thousands of games, or a fresh VM.
//!
//! A test run plays some games of each variant. `LODE_GAMES=100000 cargo test --release --test tests determinism --
//! --nocapture` plays that many of each game and prints a digest of all, which a development build must reproduce.
//! Fresh VMs play a hundredth of them, since loading takes as long as a hundred games.

use std::collections::BTreeMap;

use motherlode::{Game, Match};

use crate::shipped::{Player, VARIANTS, Variant};

/// Number of games to play of each game.
fn games() -> u64 {
    std::env::var("LODE_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(30)
}

/// A range of seeds of one game.
struct Games {
    game: Game,
    variants: Vec<Variant>,
}

impl Games {
    /// The shipped games.
    fn all() -> Vec<Self> {
        let mut by_id: BTreeMap<String, Vec<Variant>> = BTreeMap::new();
        for variant in VARIANTS {
            by_id.entry(variant.game().declarations().id.clone()).or_default().push(*variant);
        }
        by_id.into_values().map(|variants| Self { game: variants[0].game().clone(), variants }).collect()
    }

    fn variant(&self, seed: u64) -> Variant {
        self.variants[seed as usize % self.variants.len()]
    }

    /// A match of the first variant, run by the VM of this game.
    fn begin(&self, game: &Game) -> Match {
        Match::new(game, &self.variant(0).setup(0)).unwrap()
    }

    /// Plays the game of a seed and returns a hash of every state on the way.
    fn play(&self, m: &mut Match, seed: u64) -> u64 {
        self.variant(seed).again(m, seed);
        let mut player = Player::new(seed);
        let mut digest = m.state().hash();
        while !m.is_over() {
            player.step(m);
            digest = digest.rotate_left(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ m.state().hash();
        }
        digest
    }

    /// Plays these seeds in sequence in one VM.
    fn play_all(&self, game: &Game, seeds: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut m = self.begin(game);
        seeds.map(|seed| self.play(&mut m, seed)).collect()
    }

    #[track_caller]
    fn assert_equal(&self, what: &str, seeds: impl Iterator<Item = u64>, digests: &[u64], expected: &[u64]) {
        for (seed, digest) in seeds.zip(digests) {
            assert_eq!(*digest, expected[seed as usize], "{}, seed {seed}: {what}", self.variant(seed));
        }
    }
}

#[test]
fn every_way_to_play_gives_the_same_bytes() {
    for games in Games::all() {
        let all = 0..self::games();
        let half = |odd: u64| all.clone().filter(move |seed| seed % 2 == odd);
        let expected = games.play_all(&games.game, all.clone());
        std::thread::scope(|scope| {
            for odd in [0, 1] {
                let (games, expected) = (&games, &expected);
                let half = half(odd);
                // One VM has machine code from the start. The other compiles it during play.
                let game = if odd == 0 { games.game.clone() } else { games.game.native() };
                scope.spawn(move || {
                    let digests = games.play_all(&game, half.clone());
                    games.assert_equal("one of two threads", half, &digests, expected);
                });
            }
            let (games, expected, all) = (&games, &expected, &all);
            scope.spawn(move || {
                let digests = games.play_all(&games.game.interpreted(), all.clone());
                games.assert_equal("interpreted", all.clone(), &digests, expected);
            });
            scope.spawn(move || {
                let digests = games.play_all(&games.game.careful(), all.clone());
                games.assert_equal("careful", all.clone(), &digests, expected);
            });
        });
        // The reverse order makes each VM play different games first.
        let fresh = || all.clone().rev().step_by(if all.end > 1000 { 100 } else { 8 });
        let interpreted = games.game.interpreted();
        let digests: Vec<u64> = fresh().map(|seed| games.play(&mut games.begin(&interpreted), seed)).collect();
        games.assert_equal("a fresh VM", fresh(), &digests, &expected);
        let digest = expected.iter().fold(0_u64, |digest, game| digest.rotate_left(1) ^ game);
        println!(
            "{:16} {} games, {} in fresh VMs: {digest:016x}",
            games.game.declarations().id,
            all.end,
            digests.len()
        );
    }
}
