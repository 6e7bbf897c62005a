//! One recorded match of each shipped variant, as readable text: every decision with its choices, the transcript lines
//! of the answer, and its changes, in words and for every seat. Any change of the rules, the order of choices, the use
//! of chance or the hidden information shows as a difference in `tests/golden/`.
//!
//! Unchanged values do not appear: a new counter that nothing changes moves no line. [`told`] explains the lines.

mod recording;
mod told;

use std::fs;
use std::path::PathBuf;

use similar::TextDiff;

use crate::shipped::{SHIPPED, VARIANTS, root};

/// The value `1` rewrites the recorded matches.
const WRITE: &str = "LODE_WRITE_GOLDEN";

/// Seed of the recorded matches and of their player.
const SEED: u64 = 20;

/// Maximum lines of a difference to show.
const MOST_SHOWN: usize = 40;

fn folder() -> PathBuf {
    root().join("tests/golden")
}

/// The first lines that differ between the recorded and the new text, with their context.
fn first_difference(recorded: &str, now: &str) -> String {
    let diff = TextDiff::from_lines(recorded, now);
    let mut unified = diff.unified_diff();
    let hunks = unified.context_radius(4).missing_newline_hint(false);
    let mut hunks = hunks.iter_hunks().map(|hunk| hunk.to_string());
    let first = hunks.next().unwrap_or_default();
    let mut shown: String = first.lines().take(MOST_SHOWN).map(|line| format!("    {line}\n")).collect();
    let (cut, more) = (first.lines().count().saturating_sub(MOST_SHOWN), hunks.count());
    if cut > 0 {
        shown += &format!("    ({cut} more lines here)\n");
    }
    if more > 0 {
        shown += &format!("    ({more} more places differ)\n");
    }
    shown
}

#[test]
fn matches_equal_their_recordings() {
    let write = std::env::var(WRITE).is_ok_and(|value| value == "1");
    let mut faults = Vec::new();
    for &variant in VARIANTS {
        let path = folder().join(format!("{variant}.txt"));
        let shown = format!("tests/golden/{variant}.txt");
        let now = recording::record(variant, SEED);
        if write {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, &now).unwrap();
            continue;
        }
        match fs::read_to_string(&path).map(|text| text.replace("\r\n", "\n")) {
            Ok(recorded) if recorded == now => {}
            Ok(recorded) => {
                let difference = first_difference(&recorded, &now);
                faults.push(format!("{shown} differs (-: recorded, +: now)\n{difference}"));
            }
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
    for id in SHIPPED {
        let recorded = VARIANTS.iter().any(|variant| variant.game().declarations().id == id);
        assert!(recorded, "{id} has no variant in tests/shipped.rs");
    }
}

#[test]
fn a_difference_is_shown_with_its_context() {
    let recorded: String = (1..=100).map(|n| format!("line {n}\n")).collect();
    let now = recorded.replace("line 50\n", "line fifty\n").replace("line 90\n", "");
    let shown = first_difference(&recorded, &now);
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    assert_eq!(lines[4..7], ["line 49", "-line 50", "+line fifty"], "{shown}");
    assert_eq!((lines.len(), lines.last()), (12, Some(&"(1 more places differ)")), "{shown}");
}
