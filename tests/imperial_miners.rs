//! Imperial Miners: card texts match their verbs, and invariants hold in random games.
//!
//! The rule tests in `tests/imperial_miners/` prove the rules. The tests here need the declarations or many games.

use std::collections::BTreeMap;

use motherlode::declare::{Declarations, Definition};
use motherlode::{CounterView, GridView, SeatView};
use motherlode::{Line, Match, Observation};
use motherlode_content::compose::sentences;
use motherlode_table::{Faces, View};

use crate::shipped::{Player, Variant};

const LEVELS: [&str; 4] = ["mine_level_1", "mine_level_2", "mine_level_3", "mine_level_4"];
const CARDS: usize = 136;

fn declarations() -> &'static Declarations {
    Variant::of("imperial_miners", 1, &[]).game().declarations()
}

fn definitions<'d>(d: &'d Declarations, kind: &str) -> &'d [Definition] {
    let kind = &d.kinds[kind];
    &d.definitions[kind.first..kind.first + kind.len]
}

#[test]
fn m_5_cards_say_what_their_verbs_say() {
    let d = declarations();
    cards_say_what_their_verbs_say(d);
    for (kind, id, text) in [
        (
            "mine_level_1",
            "peat_cellar",
            "Discard up to 2 cards and take 3 coins for each. / Pay 3 coins, 1 less for every Scottish card in your mine: draw 1 card. Score 1 VP.",
        ),
        (
            "mine_level_1",
            "pawn_drift",
            "Take 1 coin. Take 1 coin for every Scottish card in your mine, at most 3. / Pay 4 coins, 1 less for every Scottish card in your mine: score 1 VP. Draw 1 card.",
        ),
        ("mine_level_1", "scribes_nook", "Draw 1 Egyptian card. Take 1 coin. / Advance 1 space."),
        (
            "mine_level_2",
            "auction_hall",
            "Discard up to 3 cards and take 2 coins for each. / Up to 2 times, pay 3 coins and score 2 VP.",
        ),
        (
            "mine_level_2",
            "debt_collectors",
            "Take 8 coins. Place a collapse on this card. / Pay 5 coins, 1 less for every Scottish card in your mine: score 3 VP. Remove up to 1 collapse and score 1 VP for each.",
        ),
        (
            "mine_level_2",
            "crane_bridge",
            "Name a faction: score 1 VP for every card of it in your mine. / Name a faction and draw 1 card of it. Take 3 coins.",
        ),
        ("mine_level_3", "heart_of_the_mountain", "Score 7 VP."),
        (
            "events",
            "open_archives",
            "Take 1 coin. Whenever an effect lets you draw from the decks this round, draw 1 more card.",
        ),
        ("surface", "parade", "Advance 1 space."),
    ] {
        let said = &definitions(d, kind).iter().find(|one| one.id == id).expect("the card is there").text;
        assert_eq!(said, text, "{id}");
    }
}

/// Checks a game with mods: no card repeats its verbs, and each text contains the verbs' words.
pub fn cards_say_what_their_verbs_say(d: &Declarations) {
    let (mut verbs_alone, mut designs, mut faults) = (0, 0, Vec::new());
    let kinds = LEVELS.iter().chain(&["events", "surface"]);
    for card in kinds.flat_map(|kind| definitions(d, kind)) {
        let said = card.verbs.values().map(|calls| sentences(d, calls));
        faults.extend(said.filter(|said| !card.text.contains(said)).map(|said| format!("{}: `{said}`", card.id)));
        designs += 1;
        verbs_alone += i32::from(card.written.is_empty());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(verbs_alone * 5 >= designs * 4, "{verbs_alone} of {designs} cards are verbs alone");
}

fn number(view: &CounterView) -> i32 {
    match view {
        CounterView::Number(n) => *n,
        _ => panic!("{view:?} is no number"),
    }
}

fn counter(seat: &SeatView, name: &str) -> i32 {
    number(&seat.counters[name])
}

fn count(seen: &Observation) -> usize {
    let decks = (1..=4).flat_map(|level| [format!("deck.level_{level}"), format!("discard.level_{level}")]);
    let common: usize = decks.map(|zone| seen.zones[&zone].tokens.len()).sum();
    let own =
        |seat: &SeatView| ["hand", "given_up", "chosen", "revealed", "mine"].map(|zone| seat.zones[zone].tokens.len());
    common + seen.players.iter().flat_map(own).sum::<usize>()
}

/// Row and column of a cell name such as `u1`: letters for the column, a digit for the row.
fn place(name: &str) -> (i32, i32) {
    let (letters, row) = name.split_at(name.len() - 1);
    let column = letters.bytes().fold(0, |n, c| n * 26 + i32::from(c - b'a') + 1);
    (row.parse().expect("a row"), column)
}

fn check_mine(seen: &Observation, seat: usize, what: &str) {
    let GridView::Each(boards) = &seen.grids["mine"] else { panic!("every player has a mine") };
    let player = &seen.players[seat];
    let cell = |name: &str, counter: &str| number(&boards[seat].cells[name][counter]);
    let empty = CounterView::Name("none".to_owned());
    let cards: BTreeMap<(i32, i32), &String> =
        boards[seat].cells.iter().filter(|(_, at)| at["card"] != empty).map(|(name, _)| (place(name), name)).collect();
    assert_eq!(cards.len(), player.zones["mine"].tokens.len(), "{what}: the cards of the mine lie in it");
    let mut machines = 0;
    for (&(row, column), name) in &cards {
        // Odd rows are shifted right by half a card (I-51).
        let left = if row % 2 == 1 { column } else { column - 1 };
        let covered = row == 1 || [left, left + 1].iter().any(|column| cards.contains_key(&(row - 1, *column)));
        assert!(covered, "{what}: nothing lies above {name} (I-46)");
        assert!(cell(name, "stock") <= 3, "{what}: machines on {name} (I-70)");
        machines += cell(name, "stock");
    }
    let (mut collapses, mut borders, whole) = (0, 0, CounterView::Name("whole".to_owned()));
    for card in player.zones["mine"].numbers.iter().flatten() {
        let on_card = &seen.tokens[card];
        assert!(number(&on_card["collapsed"]) <= 1, "{what}: collapses on card {card} (I-72)");
        collapses += number(&on_card["collapsed"]);
        for (name, cart) in on_card {
            borders += i32::from(name.starts_with("cart.") && *cart == whole);
        }
    }
    assert_eq!(machines, counter(player, "machines"), "{what}: machines");
    assert_eq!(collapses, counter(player, "collapses"), "{what}: collapses");
    let score = counter(player, "vp") + counter(player, "carts");
    assert_eq!(score, counter(player, "score"), "{what}: the score is shown while playing (I-120)");
    assert_eq!(borders, 2 * counter(player, "carts"), "{what}: a cart lies on the borders of two cards");
}

/// Facts read from the transcript of a match.
#[derive(Default)]
struct TranscriptFacts {
    /// By player and card: the round of the last activation.
    activated: BTreeMap<String, i32>,
    /// By player: machines put on cards, less removed ones.
    machines: BTreeMap<String, i32>,
}

impl TranscriptFacts {
    /// Reads the new lines.
    fn read(&mut self, m: &mut Match, round: i32, what: &str) {
        for line in m.take_log().iter().filter_map(Line::public) {
            assert!(!line.contains('_'), "{what}: the line shows an id instead of a name: {line}");
            // I-61: nobody activates the same card twice in a round. Level 4 is left out, because its cards are alike.
            let activates = line.replace(": Which card do you activate? ", " activates ");
            if activates.contains(" activates ") && !line.contains("King Seam") {
                let before = self.activated.insert(activates.trim_end_matches('.').to_owned(), round);
                assert_ne!(before, Some(round), "{what}: {line}");
            }
            if let Some((player, _)) = line.split_once(": Where does the machine go? ") {
                *self.machines.entry(player.to_owned()).or_default() += 1;
            }
            for (verb, sign) in [(" puts ", 1), (" removes ", -1)] {
                let told = line.split_once(verb).and_then(|(player, rest)| {
                    let (number, _) = rest.split_once(" machine")?;
                    Some((player, number.parse::<i32>().ok()?))
                });
                if let Some((player, number)) = told {
                    *self.machines.entry(player.to_owned()).or_default() += sign * number;
                }
            }
        }
    }
}

/// Checks that no card is lost and that the mines are consistent.
pub fn check_table(m: &Match, cards: usize, what: &str) {
    let seen = m.observe(None);
    assert_eq!(count(&seen), cards, "{what}: cards");
    (0..seen.players.len()).for_each(|seat| check_mine(&seen, seat, what));
}

#[test]
fn random_games_keep_their_invariants() {
    for players in 1..=5 {
        for options in [&[][..], &[("first_game", "true"), ("row1_gaps", "true"), ("reentry_effect", "true")]] {
            let variant = Variant::of("imperial_miners", players, options);
            let mut m = variant.begin(0);
            for seed in 0..4 {
                variant.again(&mut m, seed);
                m.set_logging(true);
                let (mut player, mut told, mut step) = (Player::new(seed), TranscriptFacts::default(), 0);
                while !m.is_over() {
                    let what = format!("{variant}, seed {seed}, step {step}");
                    let round = m.round();
                    player.step(&mut m);
                    step += 1;
                    told.read(&mut m, round, &what);
                    if step % 8 == 0 {
                        check_table(&m, CARDS, &what);
                    }
                }
                let seen = m.observe(None);
                let outcome = m.outcome().expect("the match is over");
                assert_eq!(count(&seen), CARDS, "{variant}, seed {seed}: cards");
                for ((seat, score), place) in seen.players.iter().zip(outcome.scores).zip(&declarations().seats) {
                    assert_eq!(score, counter(seat, "vp") + counter(seat, "carts"), "{variant}, seed {seed} (I-120)");
                    let machines = told.machines.get(&place.name).copied().unwrap_or_default();
                    assert_eq!(machines, counter(seat, "machines"), "{variant}, seed {seed}: machines are told (I-70)");
                    // Four and more players may exhaust level 1 (Q27).
                    let cards = seat.zones["mine"].tokens.len();
                    assert!(
                        cards == 10 || players > 3 && cards < 10,
                        "{variant}, seed {seed}: {cards} cards in ten rounds"
                    );
                }
            }
        }
    }
}

#[test]
fn places_of_a_mine_have_names_that_count_from_the_middle() {
    let variant = Variant::of("imperial_miners", 1, &[]);
    let view = View::of(&variant.begin(1), &Faces::new(variant.game()), Some(0));
    let mine = view.board("mine", Some(0)).unwrap();
    assert!(!mine.named, "the terminal draws a wide board as a picture");
    for (id, name) in
        [("n1", "row 1, middle"), ("o1", "row 1, 1 right"), ("n2", "row 2, 1 left"), ("o2", "row 2, 1 right")]
    {
        assert_eq!(mine.cell(id).unwrap().name, name);
    }
    assert_eq!(mine.cell("m4").unwrap().name, "row 4, 2 left");
    // The names follow the drawing: half cells from the middle of the first row.
    let middle = i32::from(mine.cell("n1").unwrap().half);
    for cell in &mine.cells {
        let (count, side) = cell.name.rsplit_once(", ").unwrap().1.split_once(' ').unwrap_or(("0", "right"));
        let count: i32 = count.parse().unwrap();
        let off = (i32::from(cell.half) - middle).abs();
        assert_eq!((off + 1) / 2, count, "{}", cell.name);
        assert_eq!(i32::from(cell.half) < middle, side == "left", "{}", cell.name);
    }
}
