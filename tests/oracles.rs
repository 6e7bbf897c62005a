//! The engine with its content against hand-written games. At every step both must agree on the deciding seat, on the
//! ordered list of choices, and on scores and ranks.
//!
//! A test run plays 1,000 games of each variant (of Krysis, 300 for each number of players, over all variants).
//! `LODE_ORACLE_GAMES=20000` plays that many instead.

mod krysis;
mod minds;

use std::collections::BTreeMap;

use motherlode::Match;
use motherlode::declare::Domain;

use crate::shipped::{Player, Variant, root};
use crate::twins::{Atacama, ConnectFour, Maps, Photon, StateItem, Twin, atacama, photon};

/// Default number of games of each variant.
const GAMES: u64 = 1_000;

/// The number of games to play: `LODE_ORACLE_GAMES`, or this default.
fn games(usually: u64) -> u64 {
    match std::env::var("LODE_ORACLE_GAMES") {
        Ok(number) => number.parse().expect("LODE_ORACLE_GAMES is a number"),
        Err(_) => usually,
    }
}

/// Number of answers by prompt and label (`""`: no label), as proof of coverage.
type Coverage = BTreeMap<(String, String), u64>;

/// Plays games of a variant beside the twin that `begin` makes for a seed.
fn agree<T: Twin>(variant: Variant, mut begin: impl FnMut(u64) -> T) -> Coverage {
    let mut m = variant.begin(0);
    let (mut seen, mut places) = (Coverage::new(), Places::default());
    for seed in 0..games(GAMES) {
        variant.again(&mut m, seed);
        let mut player = Player::new(seed);
        let choose = |m: &Match| player.choose(m.choices());
        agree_on_game(&mut m, &mut begin(seed), &mut seen, &mut places, choose, &format!("{variant}, seed {seed}"));
    }
    seen
}

fn agree_on_game(
    m: &mut Match,
    twin: &mut impl Twin,
    seen: &mut Coverage,
    places: &mut Places,
    mut choose: impl FnMut(&Match) -> usize,
    what: &str,
) {
    let mut choices = Vec::new();
    let mut step = 0;
    while let Some(decision) = m.decision() {
        let prompt = decision.prompt(m.game());
        let at = || format!("{what}, step {step}, round {}, phase {}, prompt {prompt}", m.round(), m.phase());
        let engine = || m.choices().iter().map(|&raw| m.describe(raw).id).collect::<Vec<_>>();
        assert!(!twin.over(), "{}: over for the twin; the engine asks {}: {:?}", at(), decision.seat, engine());
        twin.choices(&mut choices);
        let same = choices.len() == m.choices().len()
            && m.choices().iter().enumerate().all(|(index, &raw)| m.describe(raw).id == twin.label(index));
        if !same || twin.seat() != decision.seat {
            let labels: Vec<String> = (0..choices.len()).map(|index| twin.label(index)).collect();
            let (engine, seats) = (engine(), (decision.seat, twin.seat()));
            panic!("{}\nengine, seat {}: {engine:?}\ntwin,   seat {}: {labels:?}", at(), seats.0, seats.1);
        }
        agree_on_position(m, twin, places, &at);
        let index = choose(m);
        // There are too many cells, tokens and players to count each. Labels, numbers and definitions are counted.
        let domain = m.game().declarations().prompts[decision.prompt_index()].domain;
        let by_name = m.choices()[index] < 0 || matches!(domain, Domain::Definition(_) | Domain::Number);
        let label = if by_name { m.describe(m.choices()[index]).id } else { String::new() };
        *seen.entry((prompt.to_owned(), label)).or_default() += 1;
        let answered = m.answer(index);
        answered.unwrap_or_else(|error| panic!("{what}, step {step}: {error}"));
        twin.apply(index);
        step += 1;
    }
    assert!(twin.over(), "{what}, step {step}: over for the engine, not for the twin");
    let outcome = m.outcome().expect("the match is over");
    assert_eq!(outcome.scores, twin.scores(), "{what}: scores of engine and twin after {step} steps");
    assert_eq!(outcome.ranks, twin.ranks(), "{what}: ranks of engine and twin after {step} steps");
    agree_on_position(m, twin, places, &|| format!("{what}, after {step} steps"));
}

/// Indices of the twin's counters and zones, in the twin's order. Names are looked up once.
type Places = Vec<usize>;

/// Compares all counters and zones that the twin has.
fn agree_on_position(m: &Match, twin: &impl Twin, places: &mut Places, at: &impl Fn() -> String) {
    let (d, layout) = (m.game().declarations(), m.game().layout());
    let mut shown = 0;
    twin.kept(&mut |kept| {
        if shown == places.len() {
            let index = match kept {
                StateItem::Counter { name, .. } => d.counters.get_index_of(name),
                StateItem::Zone { name, .. } => d.zones.get_index_of(name),
            };
            places.push(index.expect("the content has everything that the twin keeps"));
        }
        match kept {
            StateItem::Counter { name, holder, value } => {
                assert_eq!(m.counter(holder, places[shown]), Some(value), "{}: counter {name} of {holder}", at());
            }
            StateItem::Zone { name, holder, cards, names } => {
                let tokens = m.zone(places[shown], holder).unwrap_or_default();
                let id = |&token: &i32| d.definitions[layout.tokens[token as usize - 1].definition].id.as_str();
                let same =
                    tokens.len() == cards.len() && tokens.iter().map(id).eq(cards.iter().map(|&card| names(card)));
                if !same {
                    let engine: Vec<_> = tokens.iter().map(id).collect();
                    let twin: Vec<_> = cards.iter().map(|&card| names(card)).collect();
                    panic!("{}: zone {name} of {holder}\nengine: {engine:?}\ntwin:   {twin:?}", at());
                }
            }
        }
        shown += 1;
    });
}

/// Checks that each of these answers occurred. Otherwise the comparison would prove little.
fn happened(seen: &Coverage, what: &[(&str, &str)]) {
    for (prompt, label) in what {
        let often = seen.get(&((*prompt).to_owned(), (*label).to_owned())).copied().unwrap_or(0);
        assert!(often > 0, "`{prompt}` was never answered by `{label}`: {seen:?}");
    }
}

#[test]
fn connect_four_agrees() {
    agree(Variant::connect_four(), ConnectFour::new);
}

/// The twin's setup, read from the engine's.
fn photon_setup(variant: Variant) -> photon::Setup {
    let setup = variant.setup(0);
    let option = |name: &str| match setup.options[name] {
        motherlode::declare::OptionValue::Integer(number) => number,
        ref other => panic!("option {name} is {other:?}"),
    };
    photon::Setup {
        players: setup.players.into(),
        towers: option("towers"),
        deed_price: option("deed_price"),
        max_rounds: option("max_rounds"),
    }
}

fn photon_agrees(options: &'static [(&'static str, &'static str)]) {
    for players in 2..=6 {
        let variant = Variant::of("photon", players, options);
        let setup = photon_setup(variant);
        let seen = agree(variant, |seed| Photon::new(setup, seed));
        happened(
            &seen,
            &[
                ("build", "saloon"),
                ("build", "done"),
                ("action", "photon"),
                ("destroy", "saloon"),
                ("destroy", "mine"),
                ("destroy", "face_down"),
            ],
        );
        if players > 2 {
            happened(&seen, &[("target", "")]);
        }
    }
}

#[test]
fn photon_agrees_with_6_towers() {
    photon_agrees(&[]);
}

#[test]
fn photon_agrees_with_4_towers() {
    photon_agrees(&[("towers", "4")]);
}

#[test]
fn photon_agrees_with_12_towers() {
    photon_agrees(&[("towers", "12")]);
}

/// Long games that end at the limit of rounds.
#[test]
fn photon_agrees_with_an_expensive_deed_and_few_rounds() {
    photon_agrees(&[("towers", "12"), ("deed_price", "100"), ("max_rounds", "20")]);
}

fn atacama_agrees(players: u8, options: &'static [(&'static str, &'static str)]) -> Coverage {
    let maps = Maps::open(root()).unwrap_or_else(|error| panic!("{error}"));
    let on = |name: &str| options.iter().any(|(option, value)| *option == name && *value != "basic");
    let setup = atacama::Setup {
        players: players.into(),
        enhanced: on("board"),
        tactical: on("tactical"),
        claim_bonus_rig: on("claim_bonus_rig"),
    };
    agree(Variant::of("atacama", players, options), |seed| Atacama::new(setup, &maps, seed))
}

#[test]
fn atacama_agrees_for_two() {
    atacama_agrees(2, &[]);
}

#[test]
fn atacama_agrees_for_two_tactical() {
    happened(&atacama_agrees(2, &[("tactical", "true")]), &[("colour", "basic"), ("colour", "second")]);
}

#[test]
fn atacama_agrees_for_two_enhanced() {
    let seen = atacama_agrees(2, &[("board", "enhanced")]);
    happened(
        &seen,
        &[
            ("place", "claim turquoise_columns"),
            ("place", "claim turquoise_rows"),
            ("place", "claim orange_columns"),
            ("place", "claim orange_rows"),
            ("place", "decline"),
        ],
    );
}

#[test]
fn atacama_agrees_for_two_enhanced_tactical() {
    let seen = atacama_agrees(2, &[("board", "enhanced"), ("tactical", "true")]);
    happened(&seen, &[("place", "decline"), ("pay_rig", "basic"), ("pay_rig", "second"), ("colour", "second")]);
}

#[test]
fn atacama_agrees_for_two_enhanced_with_a_bonus_rig() {
    atacama_agrees(2, &[("board", "enhanced"), ("claim_bonus_rig", "true")]);
}

#[test]
fn atacama_agrees_for_two_enhanced_tactical_with_a_bonus_rig() {
    atacama_agrees(2, &[("board", "enhanced"), ("tactical", "true"), ("claim_bonus_rig", "true")]);
}

#[test]
fn atacama_agrees_for_three() {
    atacama_agrees(3, &[]);
}

#[test]
fn atacama_agrees_for_three_tactical() {
    happened(&atacama_agrees(3, &[("tactical", "true")]), &[("colour", "basic"), ("colour", "second")]);
}

#[test]
fn atacama_agrees_for_four() {
    atacama_agrees(4, &[]);
}

#[test]
fn atacama_agrees_for_four_tactical() {
    happened(&atacama_agrees(4, &[("tactical", "true")]), &[("colour", "basic"), ("colour", "second")]);
}
