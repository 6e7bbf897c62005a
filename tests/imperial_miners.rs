//! Imperial Miners: what its cards say is what they do, and what must hold in every random game of it.
//!
//! The rules themselves are proved in `tests/imperial_miners/`; here is what needs the declarations or many games.

use std::collections::BTreeMap;

use motherlode::declare::{AttributeType, Declarations, Definition, Value, VerbCall};
use motherlode::{CounterView, GridView, SeatView};
use motherlode::{Line, Match, Observation};

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

/// Puts together the sentences of verbs. In a verb's text, what stands in brackets is left out while its arguments have their
/// defaults.
struct Sentences<'d> {
    d: &'d Declarations,
}

impl Sentences<'_> {
    fn of(d: &Declarations, calls: &[VerbCall]) -> String {
        let sentences = calls.iter().map(|call| Sentences { d }.put(&d.verbs[&call.verb].text, call));
        sentences.collect::<Vec<_>>().join(" ")
    }

    fn put(&self, text: &str, call: &VerbCall) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['[', '{']) {
            out += &rest[..at];
            rest = &rest[at..];
            if let Some(inner) = rest.strip_prefix('[') {
                let (part, after) = inner.split_once(']').expect("a bracket is closed");
                if names(part).any(|name| !self.is_default(call, name)) {
                    out += &self.put(part, call);
                }
                rest = after;
            } else {
                let (placeholder, after) = rest[1..].split_once('}').expect("a brace is closed");
                out += &self.value(call, placeholder);
                rest = after;
            }
        }
        out + rest
    }

    fn is_default(&self, call: &VerbCall, name: &str) -> bool {
        self.d.verbs[&call.verb].args[name].default.as_ref() == Some(&call.args[name])
    }

    /// `n`, `n:coin|coins` or `n|coin|coins`.
    fn value(&self, call: &VerbCall, placeholder: &str) -> String {
        let name = name_in(placeholder);
        match (&call.args[name], &self.d.verbs[&call.verb].args[name].of) {
            (Value::Integer(number), _) => {
                let mut words = placeholder[name.len()..].split([':', '|']).skip(1);
                let word = if *number == 1 { words.next() } else { words.nth(1) };
                match (word, placeholder[name.len()..].starts_with('|')) {
                    (None, _) => number.to_string(),
                    (Some(word), true) => word.to_owned(),
                    (Some(word), false) => format!("{number} {word}"),
                }
            }
            (Value::Text(id), AttributeType::Id(kind)) => name_of(self.d, *kind, id).to_owned(),
            (value, of) => panic!("{name} of {}: {value:?} of type {of:?}", call.verb),
        }
    }
}

/// The names in braces.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| part.split('}').next()).map(name_in)
}

fn name_in(placeholder: &str) -> &str {
    placeholder.split([':', '|']).next().unwrap_or_default()
}

fn name_of<'d>(d: &'d Declarations, kind: usize, id: &str) -> &'d str {
    let found = d.definitions.iter().find(|x| x.kind == kind && x.id == id);
    &found.unwrap_or_else(|| panic!("{id} is a definition")).name
}

fn attribute<'d>(d: &Declarations, card: &'d Definition, name: &str) -> &'d Value {
    let kind = &d.kinds[card.kind];
    &card.attributes[kind.attributes.get_index_of(name).expect("the attribute is declared")]
}

/// What has to be paid for an effect, as it stands before its text.
fn price(d: &Declarations, card: &Definition, effect: &str) -> String {
    let Value::Integer(coins) = attribute(d, card, &format!("{effect}_price")) else { panic!("a price is a number") };
    let Value::Text(less) = attribute(d, card, "less") else { panic!("a measure has a name") };
    let (_, _, measures) = d.kinds.get_full("measures").expect("there are measures");
    match (*coins, less.as_str()) {
        (0, _) => String::new(),
        (coins, "") => format!("Pay {coins} coins: "),
        (coins, less) => {
            let measure = &d.definitions[measures.first..measures.first + measures.len];
            let name = &measure.iter().find(|x| x.id == less).expect("the measure is there").name;
            format!("Pay {coins} coins, 1 less for every {name}: ")
        }
    }
}

#[test]
fn m_5_the_text_of_a_card_is_what_its_verbs_say() {
    texts_are_what_verbs_say(declarations());
}

/// The same for the game with mods.
pub fn texts_are_what_verbs_say(d: &Declarations) {
    let (mut verbs_alone, mut designs, mut faults) = (0, 0, Vec::new());
    for card in LEVELS.iter().flat_map(|level| definitions(d, level)) {
        designs += 1;
        let mut alone = true;
        for (effect, text) in ["first", "second"].iter().zip(card.text.split(" / ")) {
            let Some(calls) = card.verbs.get(*effect) else {
                alone = false;
                continue;
            };
            let said = price(d, card, effect) + &Sentences::of(d, calls);
            if said != text {
                faults.push(format!("{}: `{text}`, but the verbs say `{said}`", card.id));
            }
        }
        if card.text.split(" / ").count() < card.verbs.len() {
            faults.push(format!("{}: an effect has no text", card.id));
        }
        verbs_alone += i32::from(alone);
    }
    for (kind, hook) in [("events", "resolve"), ("surface", "effect")] {
        for x in definitions(d, kind) {
            let said = Sentences::of(d, &x.verbs[hook]);
            if said != x.text {
                faults.push(format!("{}: `{}`, but the verbs say `{said}`", x.id, x.text));
            }
        }
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
    let decks = (1..=4).flat_map(|level| [format!("deck_{level}"), format!("discard_{level}")]);
    let common: usize = decks.map(|zone| seen.zones[&zone].tokens.len()).sum();
    let own =
        |seat: &SeatView| ["hand", "given_up", "chosen", "revealed", "mine"].map(|zone| seat.zones[zone].tokens.len());
    common + seen.players.iter().flat_map(own).sum::<usize>()
}

/// Row and column of `u1`: the column's letters and the row's digit.
fn place(name: &str) -> (i32, i32) {
    let (letters, row) = name.split_at(name.len() - 1);
    let column = letters.bytes().fold(0, |n, c| n * 26 + i32::from(c - b'a') + 1);
    (row.parse().expect("a row"), column)
}

fn check_mine(seen: &Observation, seat: usize, what: &str) {
    let GridView::Each(boards) = &seen.grids["mine"] else { panic!("every player has a mine") };
    let player = &seen.players[seat];
    let cell = |name: &str, counter: &str| number(&boards[seat].cells[name][counter]);
    let cards: BTreeMap<(i32, i32), &String> =
        boards[seat].cells.keys().filter(|name| cell(name, "card") > 0).map(|name| (place(name), name)).collect();
    assert_eq!(cards.len(), player.zones["mine"].tokens.len(), "{what}: the cards of the mine lie in it");
    let (mut machines, mut collapses, mut borders) = (0, 0, 0);
    for (&(row, column), name) in &cards {
        // Odd rows stand half a card to the right of even ones (I-51).
        let left = if row % 2 == 1 { column } else { column - 1 };
        let covered = row == 1 || [left, left + 1].iter().any(|column| cards.contains_key(&(row - 1, *column)));
        assert!(covered, "{what}: nothing lies above {name} (I-46)");
        assert!(cell(name, "stock") <= 3 && cell(name, "collapsed") <= 1, "{what}: tokens on {name} (I-70, I-72)");
        machines += cell(name, "stock");
        collapses += cell(name, "collapsed");
        borders += cell(name, "whole").count_ones();
    }
    assert_eq!(machines, counter(player, "machines"), "{what}: machines");
    assert_eq!(collapses, counter(player, "collapses"), "{what}: collapses");
    let score = counter(player, "vp") + counter(player, "carts");
    assert_eq!(score, counter(player, "score"), "{what}: the score is shown while playing (I-120)");
    assert_eq!(
        borders,
        2 * counter(player, "carts").cast_unsigned(),
        "{what}: a cart lies on the borders of two cards"
    );
}

/// What the transcript of a match has told.
#[derive(Default)]
struct Told {
    /// By player and card: the round in which it was activated last.
    activated: BTreeMap<String, i32>,
    /// By player: machines put on cards, less those removed.
    machines: BTreeMap<String, i32>,
}

impl Told {
    /// Reads the new lines.
    fn read(&mut self, m: &mut Match, round: i32, what: &str) {
        for line in m.take_log().iter().filter_map(Line::public) {
            assert!(!line.contains('_'), "{what}: an id is told, not a name: {line}");
            let activates = line.replace(" activate ", " come through ");
            // I-61: nobody activates the same card twice in a round. Level 4 is left out: its cards are alike.
            if activates.contains(" come through ") && !line.contains("King Seam") {
                let before = self.activated.insert(activates, round);
                assert_ne!(before, Some(round), "{what}: {line}");
            }
            for (verb, sign) in [(" put ", 1), (" remove ", -1)] {
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

/// That no card is lost, and that the mines are whole.
pub fn check_table(m: &Match, cards: usize, what: &str) {
    let seen = m.observe(None);
    assert_eq!(count(&seen), cards, "{what}: cards");
    (0..seen.players.len()).for_each(|seat| check_mine(&seen, seat, what));
}

#[test]
fn what_holds_in_every_random_game() {
    for players in 1..=5 {
        for options in [&[][..], &[("first_game", "true"), ("row1_gaps", "true"), ("reentry_effect", "true")]] {
            let variant = Variant::of("imperial_miners", players, options);
            let mut m = variant.begin(0);
            for seed in 0..4 {
                variant.again(&mut m, seed);
                m.set_logging(true);
                let (mut player, mut told, mut step) = (Player::new(seed), Told::default(), 0);
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
