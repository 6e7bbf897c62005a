//! Conservation laws of random Krysis games. They hold at every decision, so no single example proves them.

use motherlode::Match;

use crate::shipped::{Player, VARIANTS, Variant};

/// Number of crystals of each colour.
const CRYSTALS: [(&str, i32); 3] = [("red", 25), ("blue", 40), ("white", 60)];
const AGENTS: [&str; 6] = ["hand", "team", "discard", "transporter_stack", "fighter_stack", "off_duty"];
const RELICS_OF_PLAYERS: [&str; 3] = ["camp_relics", "home_relics", "gear"];
const RELICS_OF_ALL: [&str; 3] = ["relic_deck", "relics_gone", "carried"];

/// Maximum choices of a decision: one hand of cards, or the goods and labels of a question.
const MOST_CHOICES: usize = 25;

fn krysis() -> impl Iterator<Item = Variant> {
    VARIANTS.iter().copied().filter(|variant| variant.game().declarations().id == "krysis")
}

fn players(m: &Match) -> std::ops::RangeInclusive<i32> {
    1..=i32::from(m.setup().players)
}

/// The value of a named counter. Holder 0 is the game.
fn counter(m: &Match, name: &str, holder: i32) -> i32 {
    let index = m.game().declarations().counters.get_index_of(name).unwrap_or_else(|| panic!("no counter {name}"));
    m.counter(holder, index).unwrap_or_else(|| panic!("{holder} has no {name}"))
}

/// The number of tokens in a zone. Holder 0 is the game.
fn count(m: &Match, name: &str, holder: i32) -> usize {
    let index = m.game().declarations().zones.get_index_of(name).unwrap_or_else(|| panic!("no zone {name}"));
    m.zone(index, holder).unwrap_or_else(|| panic!("{holder} has no {name}")).len()
}

/// Red, blue and white crystals and relics at a player's home.
fn home(m: &Match, player: i32) -> [i32; 4] {
    let [red, blue, white] = CRYSTALS.map(|(colour, _)| counter(m, &format!("home.{colour}"), player));
    [red, blue, white, count(m, "home_relics", player) as i32]
}

/// Plays random games and passes every position to `look`, with the phase of the decision before it.
fn positions(mut look: impl FnMut(Variant, &str, &Match)) {
    let mut games = 0;
    for variant in krysis() {
        let mut m = variant.begin(0);
        for seed in 0..30 {
            variant.again(&mut m, seed);
            let mut player = Player::new(seed);
            let mut before = String::new();
            while !m.is_over() {
                look(variant, &before, &m);
                before = m.phase().to_owned();
                player.step(&mut m);
            }
            look(variant, &before, &m);
            games += 1;
        }
    }
    assert!(games > 100, "{games}");
}

#[test]
fn c_12_c_28_c_43_crystals_are_in_the_supply_in_homes_in_campsites_in_closed_hands_or_on_the_way() {
    positions(|variant, _, m| {
        check_crystals(m, variant.options.contains(&("speed", "true")), &variant.to_string());
    });
}

/// Checks that no crystal is lost. The short game has no white ones.
pub fn check_crystals(m: &Match, short: bool, what: &str) {
    for (colour, all) in CRYSTALS {
        let places = ["home", "camp", "bid"].map(|place| format!("{place}.{colour}"));
        let of_players: i32 = players(m).flat_map(|p| places.iter().map(move |place| counter(m, place, p))).sum();
        let of_all: i32 = ["supply", "carried"].map(|place| counter(m, &format!("{place}.{colour}"), 0)).iter().sum();
        let sum = of_players + of_all;
        assert_eq!(sum, if short && colour == "white" { 0 } else { all }, "{colour} in {what}");
    }
}

/// Checks that no relic is lost.
pub fn check_relics(m: &Match, what: &str) {
    let of_players: usize = players(m).flat_map(|p| RELICS_OF_PLAYERS.map(|zone| count(m, zone, p))).sum();
    let of_all: usize = RELICS_OF_ALL.map(|zone| count(m, zone, 0)).iter().sum();
    assert_eq!(of_players + of_all, 24, "{what}");
}

#[test]
fn c_51_c_63_relics_are_in_the_deck_with_players_or_gone() {
    positions(|variant, _, m| check_relics(m, &variant.to_string()));
}

#[test]
fn c_15_c_52_c_53_eighteen_agents_and_six_in_hand_when_a_round_begins() {
    positions(|variant, _, m| {
        for player in players(m) {
            let agents: usize = AGENTS.map(|zone| count(m, zone, player)).iter().sum();
            assert_eq!(agents, 18, "agents of player {player} in {variant}");
            if ["bidding", "mining"].contains(&m.phase()) {
                assert_eq!(count(m, "hand", player), 6, "hand of player {player} in {variant}");
            }
        }
    });
}

#[test]
fn c_10_c_46c_a_home_is_never_raided() {
    let mut homes: Vec<[i32; 4]> = Vec::new();
    positions(|variant, before, m| {
        let now: Vec<[i32; 4]> = players(m).map(|player| home(m, player)).collect();
        if !before.is_empty() && before != "bidding" {
            for (now, then) in now.iter().zip(&homes) {
                assert!(now.iter().zip(then).all(|(now, then)| now >= then), "{variant}: {then:?} to {now:?}");
            }
        }
        homes = now;
    });
}

#[test]
fn no_decision_offers_more_than_a_few_dozen_choices() {
    positions(|variant, _, m| assert!(m.choices().len() <= MOST_CHOICES, "{variant}: {}", m.choices().len()));
}
