//! The history of a seat has nothing that the seat could not know, and does not depend on hidden facts.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use motherlode::{Entry, Game, Match, Observation, Replay, ZoneView};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{decks, die, peek, whisper};
use crate::cards::all;
use crate::shipped::{Player, Variant, load, load_texts, permuted, root};

fn duel() -> &'static Game {
    static GAME: LazyLock<Game> = LazyLock::new(|| load(&root().join("tests/fixtures/trading"), "duel"));
    &GAME
}

/// The games whose histories are compared.
fn variants() -> impl Iterator<Item = Variant> {
    let peeks: [&'static [(&str, &str)]; 3] = [&[("how", "drawn")], &[("how", "shown")], &[("how", "secret")]];
    let made = peeks.into_iter().map(|options| Variant::new(peek, 2, options));
    let others = [die, decks].into_iter().map(|game| Variant::new(game, 3, &[]));
    all().chain([Variant::new(duel, 2, &[]), Variant::new(whisper, 2, &[])]).chain(made).chain(others)
}

fn begin(variant: Variant, seed: u64) -> Match {
    let mut m = variant.begin(seed);
    m.record_history().unwrap();
    m
}

/// A seat's history as JSON, one text for each entry.
fn entries(m: &Match, seat: u8) -> Vec<String> {
    m.history(seat).unwrap().map(|entry| serde_json::to_string(entry).unwrap()).collect()
}

/// Focuses a random pending decision.
fn focus(m: &mut Match, player: &mut Player) {
    let pending = m.pending();
    m.focus(pending[player.below(pending.len())].seat).unwrap();
}

/// Permutes the state hidden from the asked seat, and gives the same answer in both matches. While the seat sees and
/// reads the same, its histories are equal. Returns whether the histories could be compared after the answer.
fn permute(m: &Match, rest: &mut [Match; 2], seed: u64) -> bool {
    let seat = m.decision().unwrap().seat;
    let [one, other] = rest;
    if permuted(m, other, seat, seed).is_none() {
        return false;
    }
    assert_eq!((entries(other, seat), other.history_key(seat)), (entries(m, seat), m.history_key(seat)));
    for hidden in (0..m.setup().players).filter(|hidden| *hidden != seat) {
        assert!(other.history(hidden).is_none(), "the redealt position does not fit the histories of others");
    }
    one.restore(&m.snapshot()).unwrap();
    for m in [&mut *one, &mut *other] {
        m.focus(seat).unwrap();
        m.take_log();
    }
    let index = seed as usize % one.choices().len();
    if one.answer(index).is_err() || other.answer(index).is_err() {
        return false;
    }
    let read = [&mut *one, &mut *other].map(|m| {
        let log = m.take_log();
        log.iter().filter_map(|line| line.seen_by(seat)).map(str::to_owned).collect::<Vec<_>>()
    });
    if read[0] != read[1] || one.observe(Some(seat)) != other.observe(Some(seat)) {
        return false;
    }
    assert_eq!(entries(one, seat), entries(other, seat), "{}, seat {seat}, seed {seed}", m.game().declarations().id);
    true
}

#[test]
fn histories_ignore_hidden_information() {
    let mut total = 0;
    for variant in variants() {
        let mut m = begin(variant, 1);
        let mut rest = [0; 2].map(|_| begin(variant, 1));
        let mut player = Player::new(1);
        for step in 0.. {
            if m.is_over() {
                break;
            }
            if step % 13 == 0 {
                total += usize::from(permute(&m, &mut rest, 1 + step));
            }
            focus(&mut m, &mut player);
            player.step(&mut m);
        }
    }
    assert!(total > 60, "{total}");
}

#[test]
fn histories_are_replayed_and_taken_back() {
    for variant in variants() {
        let mut m = begin(variant, 2);
        let seats = 0..variant.players;
        let mut player = Player::new(2);
        let mut back = Vec::new();
        for step in 0..60 {
            if m.is_over() {
                break;
            }
            if step % 9 == 0 {
                back.push((m.snapshot(), seats.clone().map(|seat| entries(&m, seat)).collect::<Vec<_>>()));
                let mut later = Replay::record(&m).play(variant.game(), None).unwrap();
                later.record_history().unwrap();
                for seat in seats.clone() {
                    assert_eq!(entries(&later, seat), entries(&m, seat), "{variant}, step {step}, seat {seat}");
                    assert_eq!(later.history_key(seat), m.history_key(seat));
                }
            }
            focus(&mut m, &mut player);
            player.step(&mut m);
        }
        for (snapshot, before) in back.iter().rev() {
            m.restore(snapshot).unwrap();
            assert_eq!(seats.clone().map(|seat| entries(&m, seat)).collect::<Vec<_>>(), *before, "{variant}");
        }
    }
}

/// Definition ids in an observation.
fn ids(seen: &Observation, ids: &mut BTreeSet<String>) {
    let zones = seen.zones.values().chain(seen.players.iter().flat_map(|player| player.zones.values()));
    ids.extend(zones.flat_map(|zone: &ZoneView| zone.tokens.iter().flatten().chain(&zone.known)).cloned());
    ids.extend(seen.gone.iter().cloned());
    ids.extend(seen.watched.iter().flat_map(|class| &class.tokens).cloned());
}

/// Whether a seat identifies every token in a place, or may if it lies face up.
fn is_open(m: &Match, seat: u8, place: &str) -> bool {
    use motherlode::declare::Visibility::{Face, Owner, Public, Secret};
    let (zone, player) = place.split_once('.').unwrap_or((place, "0"));
    match m.game().declarations().zones.get(place).or_else(|| m.game().declarations().zones.get(zone)) {
        Some(zone) if matches!(zone.visible, Public | Face) => true,
        Some(zone) => matches!(zone.visible, Owner | Secret) && player == (seat + 1).to_string(),
        None => place == "-",
    }
}

#[test]
fn a_history_names_no_token_that_its_seat_could_not_identify() {
    let (mut named, mut unnamed) = (0, 0);
    for variant in variants() {
        let mut m = begin(variant, 3);
        let mut player = Player::new(3);
        let seats = usize::from(variant.players);
        let (mut could, mut read) = (vec![BTreeSet::new(); seats], vec![1; seats]);
        loop {
            for seat in 0..variant.players {
                let could = &mut could[usize::from(seat)];
                ids(&m.observe(Some(seat)), could);
                let from = read[usize::from(seat)];
                for entry in m.history(seat).unwrap().skip(from) {
                    let (token, places) = match entry {
                        Entry::Move { token, from, to, .. } => (token.as_ref(), vec![from.as_str(), to.as_str()]),
                        Entry::Turned { token, .. } | Entry::Shown { token, .. } => (token.as_ref(), Vec::new()),
                        Entry::Reveal { token, .. } => (Some(token), Vec::new()),
                        Entry::Counter { token, .. } => (token.as_ref(), Vec::new()),
                        Entry::Answer { seat: other, prompt, .. } => {
                            let is_secret = m.game().declarations().prompts[prompt.as_str()].secret;
                            assert!(!is_secret || *other == seat, "{variant}: {entry:?}");
                            continue;
                        }
                        _ => continue,
                    };
                    let Some(token) = token else {
                        unnamed += 1;
                        continue;
                    };
                    named += 1;
                    if places.iter().any(|place| is_open(&m, seat, place)) {
                        could.insert(token.clone());
                    }
                    assert!(could.contains(token), "{variant}, seat {seat}: {entry:?}");
                }
                read[usize::from(seat)] = m.history(seat).unwrap().count();
            }
            if m.is_over() {
                break;
            }
            focus(&mut m, &mut player);
            player.step(&mut m);
        }
    }
    assert!(named > 1000 && unnamed > 200, "{named}, {unnamed}");
}

#[test]
fn redeals_for_two_seats_leave_no_history() {
    let mut m = begin(Variant::new(decks, 3, &[]), 1);
    m.redeal(1, &mut Pcg64Mcg::seed_from_u64(1)).unwrap();
    assert!(m.history(0).is_none() && m.history(1).is_some());
    m.redeal(0, &mut Pcg64Mcg::seed_from_u64(2)).unwrap();
    assert!(m.history(0).is_none() && m.history(1).is_none() && m.history_key(1).is_none());
}

const GAME: &str = r#"
name = "Drawing"
version = "1.0.0"
players = { min = 2, max = 2 }
rounds = 1
seats = [{ name = "A" }, { name = "B" }]
[outcome]
score = "points"
[counters]
points = { per = "player" }
purse = { per = "player", visible = "owner", redeal = "keep" }
[zones]
deck = { per = "game", holds = "cards", visible = "count" }
hand = { per = "player", holds = "cards", visible = "owner" }
pile = { per = "game", holds = "cards" }
[kinds.cards]
zone = "deck"
"#;
const CARDS: &str = "ace = { name = \"Ace\", copies = 4 }\n";
const PHASES: &str = "[playing]\nturns = \"TURNS\"\n";
const PROMPTS: &str = "[keep]\ntext = \"Keep it?\"\nlabels = { yes = \"Yes\", no = \"No\" }\nsecret = true\n";
const SCRIPT: &str = r#"
return {
    playing = {
        turn = function(player)
            gain(player, "purse", 2)
            if choose(player, "keep", { "yes", "no" }) == "yes" then gain(player, "points", 1) end
        end,
        finish = function()
            local drawn = draw("deck", game, "hand", 1)
            move(drawn, "pile")
        end,
    },
}
"#;

/// The histories of both seats without the start, after these answers of a seat with the index of a choice.
fn drawing(turns: &str, answers: &[(u8, usize)]) -> [Vec<String>; 2] {
    let phases = PHASES.replace("TURNS", turns);
    let content = [("game", GAME), ("cards", CARDS), ("phases", phases.as_str()), ("prompts", PROMPTS)];
    let game = load_texts("drawing", &content, &[("phases", SCRIPT)]);
    let mut m = Match::new(&game, &game.setup(None, &[], 1).unwrap()).unwrap();
    m.record_history().unwrap();
    for &(seat, index) in answers {
        m.answer_as(seat, index).unwrap();
    }
    [0, 1].map(|seat| entries(&m, seat).split_off(1))
}

#[test]
fn a_history_has_answers_moves_and_counters() {
    let [own, others] = drawing("once", &[(0, 0)]);
    let counter = |name: &str, seat: u8, from: u8, to: u8| {
        format!(r#"{{"type":"counter","counter":"{name}","seat":{seat},"from":{from},"to":{to}}}"#)
    };
    let turn = |seat: u8| format!(r#"{{"type":"turn","seat":{seat}}}"#);
    let begun = [r#"{"type":"round","round":1}"#, r#"{"type":"phase","phase":"playing"}"#].map(str::to_owned);
    let order = r#"{"type":"order","seats":[0,1]}"#.to_owned();
    let answer = r#"{"type":"answer","seat":0,"prompt":"keep","choice":"label:yes"}"#.to_owned();
    let mut expected = begun.to_vec();
    expected.extend([turn(0), counter("purse", 0, 0, 2), order, answer, turn(1), counter("points", 0, 0, 1)]);
    assert_eq!(own, expected);
    let answered = r#"{"type":"answered","seat":0}"#.to_owned();
    expected.retain(|entry| !entry.contains("purse"));
    expected[4] = answered;
    expected.push(counter("purse", 1, 0, 2));
    assert_eq!(others, expected);
    let [own, _] = drawing("once", &[(0, 0), (1, 1)]);
    assert!(own.contains(&r#"{"type":"move","token":"ace","from":"deck","to":"hand.1","count":1}"#.to_owned()));
    assert!(own.contains(&r#"{"type":"move","token":"ace","from":"hand.1","to":"pile","count":1}"#.to_owned()));
    assert_eq!(own.last().unwrap(), r#"{"type":"end"}"#);
}

/// A seat's history tells neither who answered first nor, before all have answered, that another has.
#[test]
fn the_order_of_simultaneous_answers_is_unknown() {
    let first = drawing("sealed", &[(0, 0), (1, 1)]);
    assert_eq!(first, drawing("sealed", &[(1, 1), (0, 0)]));
    let open = drawing("sealed", &[]);
    let [one, other] = drawing("sealed", &[(1, 1)]);
    assert_eq!(one, open[0]);
    assert_eq!(other[..open[1].len()], open[1]);
    assert_eq!(other.len(), open[1].len() + 1);
    assert!(first[1].starts_with(&other));
    let moved = |token: &str| format!(r#"{{"type":"move","token":{token},"from":"deck","to":"hand.1","count":1}}"#);
    assert!(first[0].contains(&moved("\"ace\"")) && first[1].contains(&moved("null")));
}
