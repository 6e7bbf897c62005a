//! Damaged files of the shipped games and test games. Loading gives a playable game, or faults with places, and the
//! result is always the same.
//!
//! `mutations.rs` makes human mistakes and measures how many the check finds. This module makes nonsense.

use std::path::Path;

use motherlode::{Diagnostics, Game, Match, MatchError, Pack, find_packs};

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::mangle;
use crate::shipped::root;
use crate::twins::SplitMix64;

/// Maximum answers in a match of a damaged game.
const ANSWERS: usize = 60;

struct Packs {
    packs: Vec<Pack>,
}

impl Target for Packs {
    const NAME: &'static str = "packs";
    const GENES: std::ops::Range<usize> = 2..6;
    const INPUTS: u64 = 150;

    fn new() -> Self {
        let open = |root: &Path| -> Vec<Pack> {
            find_packs(root).unwrap().iter().map(|id| Pack::open(root, id).unwrap()).collect()
        };
        let folders = ["", "tests/fixtures/fuzz", "tests/fixtures/knowledge", "tests/cli/packs"];
        let mut packs: Vec<Pack> = folders.iter().flat_map(|folder| open(&root().join(folder))).collect();
        packs.sort_by_key(|pack| pack.files.iter().map(|file| file.text.len()).sum::<usize>());
        Self { packs }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (first, rest) = genes.split_first().expect("an input has a gene");
        let mut random = SplitMix64::new(u64::from(*first));
        // Small games load fastest, and they come first.
        let of = random.below(self.packs.len()).min(random.below(self.packs.len()));
        let pack = &self.packs[of];
        let mut files: Vec<(String, String)> =
            pack.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        for &gene in rest {
            let mut random = SplitMix64::new(u64::from(gene));
            let at = random.below(files.len());
            // Takes the piece from another file of the game, or from another game.
            let from = if random.below(4) == 0 { &self.packs[random.below(self.packs.len())] } else { pack };
            let other = &from.files[random.below(from.files.len())].text;
            files[at].1 = mangle(&files[at].1, other, &mut random);
        }
        let pack = Pack::from_files(&pack.id, files);
        let done = load(&pack, u64::from(*first), seen);
        seen.execution();
        done
    }
}

/// Loads a pack and plays it if it loads.
pub fn load(pack: &Pack, seed: u64, seen: &mut Outcomes) -> Result<(), String> {
    let loaded = Game::load(pack);
    let checked = motherlode_check::check(pack);
    if let Err(faults) = &loaded {
        check_faults(faults, seen)?;
        if faults.list.is_empty() {
            return Err("refused without a fault".to_owned());
        }
    }
    match &checked {
        Ok(checked) => check_faults(&checked.warnings, seen)?,
        Err(faults) => check_faults(faults, seen)?,
    }
    if let (Ok(_), Err(faults)) = (&checked, &loaded) {
        return Err(format!("passes the check, but does not load: {faults}"));
    }
    if seed.is_multiple_of(8) {
        let text = |loaded: &Result<Game, Diagnostics>| match loaded {
            Ok(game) => game.fingerprint().to_owned(),
            Err(faults) => faults.to_string(),
        };
        let (one, two) = (text(&loaded), text(&Game::load(pack)));
        if one != two {
            return Err(format!("loads in two ways:\n{one}\n\n{two}"));
        }
    }
    match loaded {
        Ok(game) => play(&game.interpreted(), seed, seen),
        Err(_) => Ok(()),
    }
}

/// Checks that every fault names a place in a file and contains no terminal control characters.
pub fn check_faults(faults: &Diagnostics, seen: &mut Outcomes) -> Result<(), String> {
    for fault in &faults.list {
        seen.outcome(&format!("{} {}", fault.code, fault.message));
        let text = faults.source_of(fault).map(|source| source.text.as_str());
        let lines = text.map_or(1, |text| text.matches('\n').count() + 1);
        let range = text.is_none_or(|text| text.get(fault.start..fault.end).is_some());
        let shown = fault.to_string();
        if fault.file.is_empty() || fault.line == 0 || fault.column == 0 || fault.line as usize > lines || !range {
            let (start, end) = (fault.start, fault.end);
            return Err(format!("a fault without a place: {shown} ({start} to {end}, {lines} lines)"));
        }
        if fault.message.is_empty() || shown.chars().any(|c| c.is_control() && c != '\n') {
            return Err(format!("a fault that cannot be shown: {shown:?}"));
        }
    }
    Ok(())
}

/// Plays a random match. The match ends, reaches the limit, or fails cleanly with its position unchanged.
fn play(game: &Game, seed: u64, seen: &mut Outcomes) -> Result<(), String> {
    let setup = game.setup(None, &[], seed).map_err(|error| format!("the usual setup: {error}"))?;
    let mut m = match Match::new(game, &setup) {
        Ok(m) => m,
        Err(error) => return check_script_error(&error, seen),
    };
    let mut random = SplitMix64::new(seed);
    for _ in 0..ANSWERS {
        let count = m.choices().len();
        if (count == 0) != m.decision().is_none() {
            return Err(format!("a decision {:?} with {count} choices", m.decision()));
        }
        if count == 0 {
            seen.outcome("the end");
            return Ok(());
        }
        let before = (m.state().hash(), m.decision(), m.choices().to_vec(), m.answers().len());
        let kept = (random.below(4) == 0).then(|| m.snapshot());
        let index = random.below(count);
        let answered = m.answer(index);
        if let Err(error) = &answered {
            check_script_error(error, seen)?;
        }
        let after = (m.state().hash(), m.decision(), m.choices().to_vec(), m.answers().len());
        if answered.is_err() && after != before {
            return Err(format!("a refused answer left a trace: {before:?}, then {after:?}"));
        }
        if let Some(kept) = kept {
            m.restore(&kept).map_err(|error| format!("restore: {error}"))?;
            let back = (m.state().hash(), m.decision(), m.choices().to_vec(), m.answers().len());
            if back != before {
                return Err(format!("restored to something else: {before:?}, then {back:?}"));
            }
            let again = m.answer(index);
            let then = (m.state().hash(), m.decision(), m.choices().to_vec(), m.answers().len());
            if then != after || again != answered {
                return Err(format!("answered in two ways: {answered:?}, {after:?}, then {again:?}, {then:?}"));
            }
        }
        let _ = m.observe(Some(random.below(usize::from(setup.players)) as u8));
        if answered.is_err() {
            return Ok(());
        }
    }
    seen.outcome("no end yet");
    Ok(())
}

fn check_script_error(error: &MatchError, seen: &mut Outcomes) -> Result<(), String> {
    seen.outcome(&error.to_string());
    match error {
        MatchError::Script(fault) if fault.line == 0 || fault.file.is_empty() => {
            Err(format!("a fault without a place: {fault:?}"))
        }
        MatchError::Script(_) | MatchError::Memory | MatchError::Endless { .. } | MatchError::Unstable => Ok(()),
        other => Err(format!("not an error of a script: {other:?}")),
    }
}

#[test]
fn damaged_games_are_refused_or_played() {
    fuzz::<Packs>();
}
