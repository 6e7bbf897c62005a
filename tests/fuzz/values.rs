//! Damaged value files of trained bots. A file is refused, or a bot plays by it.

use motherlode::{Game, Match};
use motherlode_play::{Targets, Training, Value, bot};

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::{mangle, mangle_bytes};
use crate::cli::program::packs;
use crate::shipped::load;
use crate::twins::SplitMix64;

struct Values {
    folder: tempfile::TempDir,
    /// Games with trained value files.
    learned: Vec<(Game, String)>,
}

impl Values {
    /// Plays some decisions by a value file.
    fn play(&self, game: &Game, text: &str, seed: u32, seen: &mut Outcomes) -> Result<(), String> {
        let file = self.folder.path().join("learned.value");
        std::fs::write(&file, text).unwrap();
        let spec = if seed.is_multiple_of(2) { "learned" } else { "search:4+learned" };
        let setup = game.setup(None, &[], u64::from(seed)).unwrap();
        let mut bot = bot(&format!("{spec}:{}", file.display()), game, 1).map_err(|error| error.to_string())?;
        let mut m = Match::new(game, &setup).map_err(|error| error.to_string())?;
        for _ in 0..2 {
            let Some(decision) = m.decision() else { break };
            let index = bot.choose(&m, decision).map_err(|error| error.to_string())?;
            if m.answer(index).is_err() {
                return Err(format!("the bot answers with choice {index} of {}", m.choices().len()));
            }
        }
        seen.outcome("played");
        Ok(())
    }
}

impl Target for Values {
    const NAME: &'static str = "values";
    const GENES: std::ops::Range<usize> = 2..6;
    const INPUTS: u64 = 3000;

    fn new() -> Self {
        // Files wait for the disk, which this test does not measure.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let learned = ["harvest", "market"].map(|id| {
            let game = load(&packs(), id);
            let setup = game.setup(None, &[], 1).unwrap();
            let training = Training {
                games: 30,
                iterations: 1,
                search_iterations: 0,
                targets: Targets::default(),
                matches: 2,
                searches: 0,
                threads: 1,
                ..Training::new(&game, setup)
            };
            let text = training.run(|_| true).unwrap().text;
            (game, text)
        });
        Self { folder, learned: learned.into() }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let at = first as usize % self.learned.len();
        let (game, own) = &self.learned[at];
        let mut text = own.clone();
        for &gene in rest {
            let mut random = SplitMix64::new(u64::from(gene));
            let other = &self.learned[random.below(self.learned.len())].1;
            text = match random.below(8) {
                0 => {
                    let mut bytes = text.into_bytes();
                    mangle_bytes(&mut bytes, &mut random);
                    String::from_utf8_lossy(&bytes).into_owned()
                }
                // Joins two values in one file, as for several numbers of players.
                1 if text.len() < 1 << 16 => text + other,
                2 => digits(&text, &mut random),
                _ => mangle(&text, other, &mut random),
            };
        }
        let done = match Value::read(game, &text) {
            Err(error) => {
                seen.outcome(&error.to_string());
                Ok(())
            }
            Ok(_) if first & 0xF0 == 0 => self.play(game, &text, first >> 8, seen),
            Ok(value) => {
                seen.outcome(&format!("{} parts", "x".repeat(value.origins().count())));
                Ok(())
            }
        };
        seen.execution();
        done
    }
}

/// Changes a number in a Base64 line and keeps it valid Base64.
fn digits(text: &str, random: &mut SplitMix64) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let at = random.below(lines.len().max(1));
    let Some(old) = lines.get(at) else { return text.to_owned() };
    let mut line = old.as_bytes().to_vec();
    let end = old.find(' ').unwrap_or(0);
    if end > 0 {
        line[random.below(end)] = b"ABQf/+9z"[random.below(8)];
    }
    let line = String::from_utf8_lossy(&line).into_owned();
    let changed: Vec<&str> = lines.iter().enumerate().map(|(n, old)| if n == at { &*line } else { old }).collect();
    changed.join("\n") + "\n"
}

#[test]
fn damaged_values_are_refused_or_played() {
    fuzz::<Values>();
}
