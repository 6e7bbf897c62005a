//! All attacks in all places, or a sample.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fixture::Fixture;
use super::place::{FUNCTIONS, PLACES, Place, attack, places_of};
use super::*;

/// Minimum fixtures tried in each function place in every test run.
const LEAST: usize = 25;

/// The value of `LODE_HOSTILE`: everything, a part of the path, or `None` for a sample.
pub fn wanted() -> Option<String> {
    std::env::var("LODE_HOSTILE").ok().filter(|text| !text.is_empty())
}

/// A stable hash of a name.
pub fn number_of(name: &str) -> usize {
    name.bytes().fold(2_166_136_261_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619)) as usize >> 4
}

struct Case {
    fixture: Arc<Fixture>,
    place: Place,
    native: bool,
}

/// The cases to try: all requested ones, or each fixture in one place.
fn cases() -> Vec<Case> {
    let wanted = wanted();
    let mut cases = Vec::new();
    for (number, fixture) in Fixture::all().into_iter().map(Arc::new).enumerate() {
        let places = places_of(&fixture);
        assert!(!places.is_empty(), "{} has a place", fixture.name);
        let all = wanted.as_ref().is_some_and(|part| part == "all" || fixture.name.contains(part.as_str()));
        for (n, place) in places.iter().enumerate() {
            for native in [true, false] {
                // Rule tests have no machine code.
                if native && place.is_of_tests() {
                    continue;
                }
                let half = place.is_of_tests() || native == (number / places.len()).is_multiple_of(2);
                if all || wanted.is_none() && n == number % places.len() && half {
                    cases.push(Case { fixture: fixture.clone(), place: *place, native });
                }
            }
        }
    }
    cases
}

/// Runs one of two halves, so that they share the cores.
fn half(n: usize) {
    let (mut faults, mut slow, mut told) = (String::new(), Vec::new(), BTreeMap::<String, String>::new());
    for Case { fixture, place, native } in
        cases().into_iter().filter(|case| number_of(&case.fixture.name) / 64 % 2 == n)
    {
        let name = format!("{} in {}", fixture.name, place.name);
        let inside = fixture.clone();
        match guarded(move || attack(&inside, place, native)).and_then(|outcome| outcome) {
            Err(message) => writeln!(faults, "{name}, native {native}: {message}").unwrap(),
            Ok(report) => {
                if wanted().is_some() && report.slowest > LIMIT {
                    writeln!(faults, "{name}, native {native}: took {:?} of the processor", report.slowest).unwrap();
                }
                slow.push((report.slowest, format!("{name}{}", if native { ", native" } else { "" })));
                // Garbage collection decides which of the two errors comes first.
                let ends = ["ran out of memory", "spent its budget"];
                let is_end = |told: &str| ends.iter().any(|end| told.contains(end));
                let said = told.entry(name.clone()).or_insert_with(|| report.told.clone());
                if *said != report.told && !(is_end(said) && is_end(&report.told)) {
                    writeln!(faults, "{name}: machine code and interpreted code differ:\n{said}\n{}", report.told)
                        .unwrap();
                }
            }
        }
    }
    if wanted().is_some() {
        slow.sort();
        println!("{} runs; the slowest, in seconds of the processor:", slow.len());
        slow.iter().rev().take(40).for_each(|(took, name)| println!("{:6.2}  {name}", took.as_secs_f64()));
    }
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn attacks_end_well_1() {
    half(0);
}

#[test]
fn attacks_end_well_2() {
    half(1);
}

/// Two hundred long texts are garbage, but not yet collected, when the hooks of a sealed phase run again.
#[test]
fn a_snapshot_is_restored_despite_garbage() {
    let fixture = Fixture::all().into_iter().find(|fixture| fixture.name == "straight/joins").unwrap();
    let place = *PLACES.iter().find(|place| place.name == "sealed").unwrap();
    guarded(move || attack(&fixture, place, true)).and_then(|outcome| outcome).unwrap();
}

#[test]
fn every_place_is_attacked() {
    if wanted().is_some() {
        return;
    }
    let cases = cases();
    assert!(cases.len() >= 300, "{}", cases.len());
    for place in &PLACES[..FUNCTIONS] {
        let seen = cases.iter().filter(|case| case.place == *place).count();
        assert!(seen >= LEAST, "{}: {seen}", place.name);
    }
}
