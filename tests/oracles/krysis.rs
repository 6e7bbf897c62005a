//! Krysis beside its twin: every number of players, all combinations of options, and several kinds of players.

use motherlode::Match;
use motherlode::declare::OptionValue;

use super::minds::{ChoiceCounts, MINDS, counter};
use super::{Coverage, Places, agree_on_game, games, happened};
use crate::shipped::{Player, Variant};
use crate::twins::Krysis;
use crate::twins::krysis::{self, Destinations};

/// Games of each test, over all its variants.
const GAMES: u64 = 300;

/// The options of the long game, each with its values.
const OPTIONS: [(&str, &[&str]); 3] = [
    ("bid_measure", &["value", "number"]),
    ("single_destination", &["loading", "both", "none"]),
    ("relics_per_team", &["3", "0", "1", "9"]),
];

/// All combinations of the options for this number of players.
fn variants(players: u8) -> Vec<Variant> {
    let mut all = vec![Vec::new()];
    for (name, values) in OPTIONS {
        let with =
            |options: &Vec<_>| values.iter().map(|&value| [options.as_slice(), &[(name, value)]].concat()).collect();
        all = all.iter().flat_map(|options| -> Vec<_> { with(options) }).collect();
    }
    all.into_iter().map(|options| Variant::of("krysis", players, options.leak())).collect()
}

/// The twin's setup, read from the engine's.
fn setup(variant: Variant) -> krysis::Setup {
    let setup = variant.setup(0);
    let number = |name: &str| match setup.options[name] {
        OptionValue::Integer(number) => number as u8,
        ref other => panic!("option {name} is {other:?}"),
    };
    let name = |name: &str| match setup.options[name] {
        OptionValue::Name(ref name) => name.clone(),
        ref other => panic!("option {name} is {other:?}"),
    };
    krysis::Setup {
        players: setup.players.into(),
        bid_by_number: name("bid_measure") == "number",
        single_destination: match name("single_destination").as_str() {
            "both" => Destinations::Both,
            "none" => Destinations::None,
            _ => Destinations::Loading,
        },
        relics_per_team: number("relics_per_team"),
        speed: setup.options["speed"] == OptionValue::Bool(true),
        // The short game is for two players only.
        speed_rounds: if setup.players == 2 { number("speed_rounds") } else { 3 },
    }
}

/// Plays the variants in turn in one match, each with all kinds of players. Returns the answers, and the number of
/// decisions while the supply had no white crystals (Q13).
fn agree(variants: &[Variant]) -> (Coverage, u64) {
    let (mut seen, mut tried, mut places) = (Coverage::new(), ChoiceCounts::default(), Places::default());
    let mut m = variants[0].begin(0);
    let mut poor = 0;
    for seed in 0..games(GAMES) {
        let (round, variant) = (seed as usize / variants.len(), variants[seed as usize % variants.len()]);
        let mind = MINDS[round % MINDS.len()];
        variant.again(&mut m, seed);
        let mut twin = Krysis::new(setup(variant), seed);
        let mut player = Player::new(seed);
        let choose = |m: &Match| {
            poor += u64::from(counter(m, "supply.white", 0) == 0);
            mind.choose(m, &mut player, &mut tried)
        };
        agree_on_game(&mut m, &mut twin, &mut seen, &mut places, choose, &format!("{variant}, {mind:?}, seed {seed}"));
    }
    (seen, poor)
}

fn agrees_for(players: u8) {
    let (seen, poor) = agree(&variants(players));
    let answers = [
        ("gear", "done"),
        ("action", "load_home"),
        ("action", "load_bank"),
        ("action", "load_split"),
        ("action", "leave"),
        ("action", "overtime"),
        ("take_relic", "done"),
        ("loot", "home"),
        ("loot", "camp"),
        ("loot", "bank"),
        ("loot", "split"),
        ("relic_home", "done"),
        ("stack", "transporter"),
        ("stack", "fighter"),
    ];
    happened(&seen, &answers);
    // Cards and cells have no label.
    happened(&seen, &["space", "agent", "gear", "action", "take_relic", "relic_home"].map(|prompt| (prompt, "")));
    let numbers = ["bid", "take", "go_home", "go_to_bank", "overtime_red", "overtime_blue"];
    happened(&seen, &numbers.map(|prompt| (prompt, "1")));
    // Two players raid and dig less.
    if players > 2 {
        happened(&seen, &[("relic_bank", ""), ("relic_bank", "done"), ("overtime_blue", "3")]);
        assert!(poor > 0, "there were always white crystals");
    }
}

#[test]
fn krysis_agrees_for_two() {
    agrees_for(2);
}

#[test]
fn krysis_agrees_for_three() {
    agrees_for(3);
}

#[test]
fn krysis_agrees_for_four() {
    agrees_for(4);
}

/// Covers rule C-81.
#[test]
fn krysis_agrees_in_the_short_game() {
    let rounds: [&[_]; 3] = [
        &[("speed", "true")],
        &[("speed", "true"), ("speed_rounds", "2")],
        &[("speed", "true"), ("speed_rounds", "1")],
    ];
    let (seen, _) = agree(&rounds.map(|options| Variant::of("krysis", 2, options)));
    happened(&seen, &[("agent", ""), ("steal_red", "2"), ("load_red", "2"), ("mine_red", "2")]);
}
