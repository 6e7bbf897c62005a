//! Krysis beside its twin: every number of players, all combinations of options, and players of several minds.

use motherlode::declare::OptionValue;

use super::minds::{MINDS, Tried};
use super::{Seen, agree_on_game, games, happened};
use crate::shipped::{Player, Variant};
use crate::twins::Krysis;
use crate::twins::krysis::{self, Destinations};

/// Games of each test, in all its variants together.
const GAMES: u64 = 600;

/// The options of the long game, each with its values.
const OPTIONS: [(&str, &[&str]); 3] = [
    ("bid_measure", &["value", "number"]),
    ("single_destination", &["loading", "both", "none"]),
    ("relics_per_team", &["3", "0", "1", "9"]),
];

/// All combinations of the options for so many players.
fn variants(players: u8) -> Vec<Variant> {
    let mut all = vec![Vec::new()];
    for (name, values) in OPTIONS {
        let with =
            |options: &Vec<_>| values.iter().map(|&value| [options.as_slice(), &[(name, value)]].concat()).collect();
        all = all.iter().flat_map(|options| -> Vec<_> { with(options) }).collect();
    }
    all.into_iter().map(|options| Variant::of("krysis", players, options.leak())).collect()
}

/// The setup of the twin, read from the engine's.
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
        // The short game is for two only.
        speed_rounds: if setup.players == 2 { number("speed_rounds") } else { 3 },
    }
}

/// Plays the variants in turns, and each with all minds.
fn agree(variants: &[Variant]) -> Seen {
    let (mut seen, mut tried) = (Seen::new(), Tried::default());
    let games = games(GAMES);
    for (variant, number) in variants.iter().zip(0..) {
        let mut m = variant.begin(0);
        let mut twin = Krysis::new(setup(*variant), 0);
        for seed in (number..games).step_by(variants.len()) {
            variant.again(&mut m, seed);
            twin.reset(seed);
            let mind = MINDS[(seed / variants.len() as u64) as usize % MINDS.len()];
            let mut player = Player::new(seed);
            let what = format!("{variant}, {mind:?}, seed {seed}");
            let choose = |m: &motherlode::Match| mind.choose(m, &mut player, &mut tried);
            agree_on_game(&mut m, &mut twin, &mut seen, choose, &what);
        }
    }
    seen
}

fn agrees_for(players: u8) {
    let seen = agree(&variants(players));
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
        ("relic_bank", "done"),
        ("stack", "transporter"),
        ("stack", "fighter"),
    ];
    happened(&seen, &answers);
    // Cards, cells and numbers have no label.
    let numbers = ["bid", "space", "agent", "gear", "action", "take", "take_relic", "go_home", "go_to_bank"];
    let more = ["relic_home", "relic_bank", "overtime_red", "overtime_blue"];
    happened(&seen, &[&numbers[..], &more].concat().iter().map(|&prompt| (prompt, "")).collect::<Vec<_>>());
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

/// C-81
#[test]
fn krysis_agrees_in_the_short_game() {
    let rounds: [&[_]; 3] = [
        &[("speed", "true")],
        &[("speed", "true"), ("speed_rounds", "2")],
        &[("speed", "true"), ("speed_rounds", "1")],
    ];
    let seen = agree(&rounds.map(|options| Variant::of("krysis", 2, options)));
    happened(&seen, &[("agent", ""), ("steal_red", ""), ("load_red", ""), ("mine_red", "")]);
}
