//! One recorded match of each shipped variant, as a text to be read and compared: every decision with its choices, what
//! every seat knew then (as a digest), and the outcome. Whatever changes the rules, the order of choices, the use of chance or
//! what a seat sees shows up as a difference in `tests/golden/`.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use motherlode::Match;

use crate::shipped::{Player, VARIANTS, Variant, root};

/// Set to `1`, the recorded matches are written anew.
const WRITE: &str = "LODE_WRITE_GOLDEN";

/// Seed of the recorded matches and of their player.
const SEED: u64 = 20;

fn folder() -> PathBuf {
    root().join("tests/golden")
}

/// FNV-1a, 32 bits: short, and independent of every crate.
fn digest(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// What each seat sees, and the whole state last.
fn digests(m: &Match) -> String {
    let views = (0..m.setup().players).map(Some).chain([None]);
    let digests = views.map(|seat| {
        let seen = serde_json::to_string(&m.observe(seat)).expect("an observation is plain data");
        format!("{:08x}", digest(&seen))
    });
    digests.collect::<Vec<_>>().join(" ")
}

fn playthrough(variant: Variant) -> String {
    let (mut m, mut player) = (variant.begin(SEED), Player::new(SEED));
    let d = variant.game().declarations();
    let mut out = format!("{}, {} players, seed {SEED}\n", d.name, variant.players);
    for (name, value) in &m.setup().options {
        let _ = writeln!(out, "{name} = {}", motherlode::tools::shown(value));
    }
    let mut at = None;
    while let Some(decision) = m.decision() {
        if at != Some((m.round(), decision.phase_index())) {
            at = Some((m.round(), decision.phase_index()));
            let _ = writeln!(out, "\nround {}, {}", m.round(), m.phase());
        }
        let choices: Vec<String> = m.choices().iter().map(|&raw| m.describe(raw).id).collect();
        let index = player.choose(m.choices());
        let (prompt, seat) = (decision.prompt(m.game()), decision.seat + 1);
        let _ = writeln!(out, "player {seat} {prompt}: {} of {}", choices[index], choices.join(" "));
        let _ = writeln!(out, "    {}", digests(&m));
        m.answer(index).unwrap_or_else(|error| panic!("{variant}: {error}"));
    }
    let outcome = m.outcome().expect("the match is over");
    let _ = writeln!(out, "\nover: {} in round {}", outcome.reason, outcome.rounds);
    let _ = writeln!(out, "scores {:?}\nranks {:?}\n    {}", outcome.scores, outcome.ranks, digests(&m));
    out
}

/// The first line that differs, with its number, as it was recorded and as it is now.
fn first_difference(recorded: &str, now: &str) -> String {
    let (mut old, mut new) = (recorded.lines(), now.lines());
    for number in 1.. {
        let (old, new) = (old.next(), new.next());
        if old != new || old.is_none() {
            let shown = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
            return format!("line {number}\n  recorded: {}\n  now:      {}", shown(old), shown(new));
        }
    }
    String::new()
}

#[test]
fn matches_are_as_recorded() {
    let write = std::env::var(WRITE).is_ok_and(|value| value == "1");
    let mut faults = Vec::new();
    for &variant in VARIANTS {
        let path = folder().join(format!("{variant}.txt"));
        let shown = format!("tests/golden/{variant}.txt");
        let now = playthrough(variant);
        if write {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, &now).unwrap();
            continue;
        }
        match fs::read_to_string(&path) {
            Ok(recorded) if recorded.replace("\r\n", "\n") == now => {}
            Ok(recorded) => faults.push(format!("{shown} differs, {}", first_difference(&recorded, &now))),
            Err(error) => faults.push(format!("{shown} cannot be read: {error}")),
        }
    }
    assert!(!write, "the recorded matches were written anew: look at what changed, then test again without {WRITE}");
    assert!(
        faults.is_empty(),
        "{}\n\nIf this is meant to be, write them anew with {WRITE}=1, look at what changed, and test again without it.\n",
        faults.join("\n\n")
    );
}

#[test]
fn every_recorded_match_is_compared() {
    let known: Vec<String> = VARIANTS.iter().map(|variant| format!("{variant}.txt")).collect();
    for entry in fs::read_dir(folder()).expect("tests/golden is there") {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "tests/golden/{name} belongs to no variant");
    }
}

#[test]
fn every_shipped_game_has_recorded_matches() {
    for id in motherlode::find_packs(root()).unwrap() {
        let recorded = VARIANTS.iter().any(|variant| variant.game().declarations().id == id);
        assert!(recorded, "{id} has no variant in tests/shipped.rs");
    }
}
