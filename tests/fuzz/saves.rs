//! Saved matches, damaged as bytes, or as JSON with a recomputed checksum. A damaged file is refused, or replayed up to
//! the damage.

use std::path::PathBuf;

use motherlode::{Game, Match, Replay, ReplayError};
use serde_json::Value;

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::{change, mangle, mangle_bytes};
use crate::cards::all;
use crate::shipped::Variant;
use crate::twins::SplitMix64;

/// Maximum answers of a recorded match: the tests target the fields around the answers.
const ANSWERS: usize = 12;

struct Saves {
    folder: tempfile::TempDir,
    /// Saved matches with their games. Short matches play fastest without machine code.
    saved: Vec<(Game, String)>,
}

impl Saves {
    fn file(&self) -> PathBuf {
        self.folder.path().join("match.json")
    }

    /// A damaged file is refused, or equals the original.
    fn as_bytes(&self, text: &str, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let mut bytes = text.as_bytes().to_vec();
        for &gene in genes {
            mangle_bytes(&mut bytes, &mut SplitMix64::new(u64::from(gene)));
        }
        std::fs::write(self.file(), &bytes).unwrap();
        match Replay::load(&self.file()) {
            Ok(replay) if Some(&replay) == serde_json::from_str(text).ok().as_ref() => Ok(()),
            Ok(_) => Err("a damaged file is read as another match".to_owned()),
            Err(error) => check_error(&error, seen),
        }
    }

    /// An invented match with a correct checksum.
    fn as_json(&self, game: &Game, text: &str, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let mut text = text.to_owned();
        for &gene in genes {
            let mut random = SplitMix64::new(u64::from(gene));
            let other = &self.saved[random.below(self.saved.len())].1;
            text = match serde_json::from_str::<Value>(&text) {
                // Most text changes break the JSON.
                Ok(mut value) if random.below(4) > 0 => {
                    change(&mut value, &mut random);
                    value.to_string()
                }
                _ => mangle(&text, other, &mut random),
            };
        }
        let replay: Replay = match serde_json::from_str(&text) {
            Ok(replay) => replay,
            Err(_) => {
                std::fs::write(self.file(), &text).unwrap();
                return Replay::load(&self.file()).map_or_else(
                    |error| check_error(&error, seen),
                    |_| Err("an invalid replay was accepted".to_owned()),
                );
            }
        };
        if let Err(error) = replay.save(&self.file()) {
            return check_error(&error, seen);
        }
        let read = match Replay::load(&self.file()) {
            Ok(read) => read,
            Err(error) => return check_error(&error, seen),
        };
        if (Replay { checksum: String::new(), ..read.clone() }) != (Replay { checksum: String::new(), ..replay }) {
            return Err("saved and loaded as another match".to_owned());
        }
        let steps = genes.first().map_or(0, |&gene| gene as usize % 16);
        match read.verify(game) {
            Ok(verified) => {
                let played = read.play(game, Some(steps));
                seen.outcome(&format!("verified {} {} {}", verified.over, verified.changed, played.is_ok()));
                match played {
                    Err(error) if !verified.changed && steps <= verified.steps => {
                        Err(format!("verified, but not played: {error}"))
                    }
                    _ => Ok(()),
                }
            }
            Err(error) => {
                if steps == 0 {
                    seen.outcome(&format!("not verified {}", read.play(game, None).is_ok()));
                }
                check_error(&error, seen)
            }
        }
    }
}

fn check_error(error: &ReplayError, seen: &mut Outcomes) -> Result<(), String> {
    let text = error.to_string();
    seen.outcome(&text);
    if text.is_empty() || text.len() > 4000 {
        Err(format!("an error of {} bytes: {:.300}", text.len(), text))
    } else {
        Ok(())
    }
}

impl Target for Saves {
    const NAME: &'static str = "saves";
    const GENES: std::ops::Range<usize> = 2..5;
    const INPUTS: u64 = 100;

    fn new() -> Self {
        // Saving waits for the disk, which this test does not measure.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let record = |m: &Match| {
            let path = folder.path().join("match.json");
            Replay::record(m).save(&path).unwrap();
            std::fs::read_to_string(path).unwrap()
        };
        let mut saved = Vec::new();
        for variant in super::matches::WILD.into_iter().chain(all()).step_by(4) {
            let (mut m, mut random) = (variant.begin(3), SplitMix64::new(3));
            saved.push((variant.game().interpreted(), record(&m)));
            for _ in 0..ANSWERS {
                let count = m.choices().len();
                if count == 0 || m.answer(random.below(count)).is_err() {
                    break;
                }
            }
            saved.push((variant.game().interpreted(), record(&m)));
        }
        // A finished match.
        let connect_four = Variant::connect_four();
        let (mut m, mut random) = (connect_four.begin(1), SplitMix64::new(1));
        while !m.is_over() {
            m.answer(random.below(m.choices().len())).unwrap();
        }
        saved.push((connect_four.game().interpreted(), record(&m)));
        Self { folder, saved }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let (game, text) = &self.saved[(first >> 2) as usize % self.saved.len()];
        let done = match first % 4 {
            0 => self.as_bytes(text, rest, seen),
            _ => self.as_json(game, text, rest, seen),
        };
        seen.execution();
        done
    }
}

#[test]
fn damaged_saves_are_refused_or_played() {
    fuzz::<Saves>();
}
