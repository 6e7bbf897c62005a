//! Items that exist in some setups only (`players` and `only` of counters, zones and grids) have no effect in the others.

use motherlode::Match;
use motherlode::declare::Holder;

use crate::shipped::{Player, VARIANTS};

/// The state words of all items absent from a match's setup, each with its name.
fn absent(m: &Match) -> Vec<(String, Vec<i32>)> {
    let (d, layout, setup) = (m.game().declarations(), m.game().layout(), m.setup());
    let words = m.state().words();
    let mut found = Vec::new();
    for ((name, counter), slot) in d.counters.iter().zip(&layout.counters) {
        let on_grid = match counter.per {
            Holder::Cell(grid) => !d.grids[grid].only.holds(setup.players, &setup.options),
            _ => false,
        };
        if on_grid || !counter.only.holds(setup.players, &setup.options) {
            found.push((format!("counter {name}"), words[slot.offset..slot.offset + slot.len].to_vec()));
        }
    }
    for ((name, zone), slot) in d.zones.iter().zip(&layout.zones) {
        if !zone.only.holds(setup.players, &setup.options) {
            let end = slot.offset + slot.len * (slot.capacity + 1);
            found.push((format!("zone {name}"), words[slot.offset..end].to_vec()));
        }
    }
    found
}

#[test]
fn items_outside_the_setup_never_change() {
    let mut found = 0;
    for variant in VARIANTS {
        let mut m = variant.begin(0);
        let start = absent(&m);
        found += start.len();
        if start.is_empty() {
            continue;
        }
        for seed in 0..3 {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            while !m.is_over() {
                player.step(&mut m);
            }
            for ((name, before), (_, after)) in start.iter().zip(absent(&m)) {
                // Tokens that stay in their first zone may have been shuffled there.
                let sorted = |words: &[i32]| {
                    let mut words = words.to_vec();
                    words.sort_unstable();
                    words
                };
                assert_eq!(sorted(&after), sorted(before), "{name} in {variant}, seed {seed}");
            }
        }
    }
    assert!(found > 20, "{found}");
}

#[test]
fn an_observation_contains_only_the_boards_of_its_setup() {
    let boards = |name: &str| -> Vec<String> {
        let variant = VARIANTS.iter().find(|variant| variant.to_string() == name).expect("a variant");
        let m = variant.begin(1);
        let mut all: Vec<Vec<String>> = (0..variant.players)
            .map(Some)
            .chain([None])
            .map(|seat| m.observe(seat).grids.keys().cloned().collect())
            .collect();
        all.dedup();
        assert_eq!(all.len(), 1, "every seat of {name} has the same boards");
        all.remove(0)
    };
    assert_eq!(boards("atacama_2"), ["square"]);
    assert_eq!(boards("atacama_3"), ["hexagon"]);
    assert_eq!(boards("krysis_2"), ["mine"]);
    assert_eq!(boards("krysis_2_speed"), [""; 0]);
}
