//! Undo among several people needs everyone's consent.

use std::time::{Duration, Instant};

use motherlode_table::server::{Limits, Role};
use serde_json::{Value, json};

use super::client::{Client, beside, decision};
use super::{Open, seat};
use crate::shipped::{load, load_texts, root};

/// A table of the dice game with seats and one spectator.
fn open(players: u8, people: &'static [u8], patience: Duration) -> (Open, Vec<Client>, Vec<Value>) {
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    let looks_on = Role { seat: None, designer: false };
    let roles: Vec<Role> = people.iter().map(|&one| seat(one)).chain([looks_on]).collect();
    let table = Open::of(&game, players, people, &roles, Limits { patience, ..Limits::default() });
    let (clients, tables) = table.tokens.iter().map(|token| Client::join(&table.host, token)).unzip();
    (table, clients, tables)
}

fn long() -> Duration {
    Duration::from_secs(600)
}

/// Skips messages until the table says something that contains this text, and returns that message.
fn await_line(client: &mut Client, wanted: &str) -> Value {
    loop {
        let message = client.hear().unwrap();
        assert!(message["refused"].is_null(), "{message}");
        if message["patch"].is_null() {
            continue;
        }
        let lines = beside(&message)["lines"].as_array().unwrap();
        let said = |line: &Value| line["by"] == "table" && line["text"].as_str().unwrap().contains(wanted);
        if lines.iter().any(said) {
            return message;
        }
    }
}

/// The next undo request that a seat receives, and whether the request waits for this seat.
fn request(client: &mut Client) -> (u64, bool, bool) {
    loop {
        let message = client.hear().unwrap();
        let request = &message["patch"]["beside"]["request"];
        if request.is_object() {
            return (
                request["number"].as_u64().unwrap(),
                request["waits"].as_bool().unwrap(),
                request["wiser"].as_bool().unwrap(),
            );
        }
    }
}

fn answer(client: &mut Client, number: u64) {
    client.say(&json!({ "answer": { "decision": number, "index": 2 } }));
}

/// The number of the seat's next question.
fn await_question(client: &mut Client) -> u64 {
    loop {
        let message = client.hear().unwrap();
        if message["patch"]["view"]["question"].is_object() {
            return decision(&message);
        }
    }
}

fn consent(client: &mut Client, number: u64, agree: bool) {
    client.say(&json!({ "consent": { "request": number, "agree": agree } }));
}

#[test]
fn an_undo_needs_all_others_to_agree() {
    let (table, mut all, first) = open(3, &[0, 1, 2], long());
    answer(&mut all[0], decision(&first[0]));
    let number = await_question(&mut all[1]);
    answer(&mut all[1], number);
    await_question(&mut all[2]);
    // Another seat has answered since, and the undo covers that answer, too. The die of the next round is not yet rolled.
    all[0].say(&json!({ "undo": {} }));
    for client in &mut all {
        let line = await_line(client, "asks to undo");
        let text = beside(&line)["lines"].as_array().unwrap().last().unwrap()["text"].as_str().unwrap().to_owned();
        let reach = "“Which number, A? 3” and 1 later answer (B 1)";
        assert_eq!(text, format!("A asks to undo {reach}; something may have been revealed since."));
    }
    let requests: Vec<_> = all.iter_mut().map(request).collect();
    assert_eq!(requests.iter().map(|one| one.1).collect::<Vec<_>>(), [false, true, true, false]);
    let number = requests[0].0;
    // Only the other people can agree, and only to the current request.
    for (client, request) in [(0, number), (3, number), (1, number + 1)] {
        consent(&mut all[client], request, true);
        assert_eq!(all[client].refusal(), "no_request");
    }
    all[1].say(&json!({ "undo": {} }));
    assert_eq!(all[1].refusal(), "asking");
    consent(&mut all[1], number, true);
    await_line(&mut all[2], "B agrees");
    // The requesting seat sees who is missing.
    let missing = loop {
        let heard = all[0].hear().unwrap();
        let request = &heard["patch"]["beside"]["request"];
        if request["missing"].as_array().is_some_and(|missing| missing.len() == 1) {
            break request["missing"].clone();
        }
    };
    assert_eq!(missing, json!([2]));
    consent(&mut all[1], number, true);
    await_line(&mut all[1], "B agrees");
    let again = loop {
        let heard = all[1].hear().unwrap();
        if heard["refused"].is_object() {
            break heard["refused"]["code"].clone();
        }
    };
    assert_eq!(again, "no_request");
    // A client that joins later receives the request.
    let (mut late, whole) = Client::join(&table.host, &table.tokens[2]);
    assert_eq!(beside(&whole)["request"]["waits"], true);
    consent(&mut late, number, true);
    for client in &mut all {
        let back = await_line(client, " and may have seen the result; all others agreed.");
        assert!(beside(&back)["request"].is_null());
    }
    let (_, whole) = Client::join(&table.host, &table.tokens[0]);
    assert_eq!(whole["table"]["view"], first[0]["table"]["view"], "the table is as it was");
}

#[test]
fn an_undo_across_a_reveal_is_announced() {
    let (_table, mut all, first) = open(2, &[0, 1], long());
    answer(&mut all[0], decision(&first[0]));
    let number = await_question(&mut all[1]);
    answer(&mut all[1], number);
    // The dice of the next round are rolled.
    all[1].say(&json!({ "undo": {} }));
    await_line(&mut all[0], "B asks to undo “Which number, B? 3”; something was revealed since.");
    let (number, waits, wiser) = request(&mut all[0]);
    assert!(waits && wiser);
    consent(&mut all[0], number, true);
    await_line(&mut all[1], "B undoes “Which number, B? 3” and has seen the result; all others agreed.");
}

#[test]
fn one_refusal_ends_a_request_for_good() {
    let (_table, mut all, first) = open(3, &[0, 1, 2], long());
    answer(&mut all[0], decision(&first[0]));
    await_question(&mut all[1]);
    all[0].say(&json!({ "undo": {} }));
    let (number, ..) = request(&mut all[2]);
    consent(&mut all[2], number, false);
    await_line(&mut all[1], "C refuses: the answer stays.");
    await_line(&mut all[0], "C refuses: the answer stays.");
    assert!(all[0].hear().unwrap()["patch"]["beside"]["request"].is_null());
    all[0].say(&json!({ "undo": {} }));
    assert_eq!(all[0].refusal(), "refused_already");
    consent(&mut all[1], number, true);
    assert_eq!(last_refusal(&mut all[1]), "no_request");
}

/// The reason of the next refusal, after any other messages.
fn last_refusal(client: &mut Client) -> String {
    loop {
        let heard = client.hear().unwrap();
        if let Some(code) = heard["refused"]["code"].as_str() {
            return code.to_owned();
        }
    }
}

#[test]
fn a_request_lapses() {
    // The request expires in time.
    let begin = Instant::now();
    let (table, mut all, first) = open(2, &[0, 1], Duration::from_millis(300));
    answer(&mut all[0], decision(&first[0]));
    await_question(&mut all[1]);
    all[0].say(&json!({ "undo": {} }));
    await_line(&mut all[1], "Not everybody agreed in time");
    assert!(begin.elapsed() >= Duration::from_millis(300));
    drop(table);
    // The request ends when the match goes on. The other seat's question stays open meanwhile.
    let (table, mut all, first) = open(2, &[0, 1], long());
    answer(&mut all[0], decision(&first[0]));
    let number = await_question(&mut all[1]);
    all[0].say(&json!({ "undo": {} }));
    request(&mut all[1]);
    answer(&mut all[1], number);
    await_line(&mut all[0], "B plays on, so the undo request is cancelled.");
    drop(table);
    // The request ends when its author has closed every window.
    let (table, mut all, first) = open(2, &[0, 1], long());
    let (second, _) = Client::join(&table.host, &table.tokens[0]);
    answer(&mut all[0], decision(&first[0]));
    await_question(&mut all[1]);
    all[0].say(&json!({ "undo": {} }));
    let (number, ..) = request(&mut all[1]);
    drop(all.remove(0));
    let (_, whole) = Client::join(&table.host, &table.tokens[1]);
    assert_eq!(beside(&whole)["request"]["number"], number);
    drop(second);
    await_line(&mut all[0], "The requesting player left the table");
    consent(&mut all[0], number, true);
    assert_eq!(last_refusal(&mut all[0]), "no_request");
}

#[test]
fn bots_agree_and_wait_during_a_request() {
    let (_table, mut all, first) = open(3, &[0, 1], long());
    answer(&mut all[0], decision(&first[0]));
    let number = await_question(&mut all[1]);
    answer(&mut all[1], number);
    // The bot has answered, and the next round has begun.
    await_question(&mut all[0]);
    all[1].say(&json!({ "undo": {} }));
    let (number, waits, _) = request(&mut all[0]);
    assert!(waits);
    consent(&mut all[0], number, true);
    await_line(&mut all[1], "B undoes “");
}

#[test]
fn a_secret_answer_is_taken_back_in_secret() {
    let game = crate::shipped::Variant::of("krysis", 2, &[]).game();
    let looks_on = Role { seat: None, designer: false };
    let table = Open::of(game, 2, &[0, 1], &[seat(0), seat(1), looks_on], Limits::default());
    let joined: Vec<(Client, Value)> = table.tokens.iter().map(|token| Client::join(&table.host, token)).collect();
    let (mut all, first): (Vec<Client>, Vec<Value>) = joined.into_iter().unzip();
    let both = first[..2].iter().all(|table| table["table"]["view"]["question"].is_object());
    assert!(both, "both choose at the same time");
    answer_with(&mut all[0], decision(&first[0]), 0);
    all[0].hear().unwrap();
    answer_with(&mut all[1], decision(&first[1]), 0);
    let own = all[1].hear().unwrap();
    all[0].say(&json!({ "undo": {} }));
    let back = await_line(&mut all[0], "undoes an answer.");
    assert!(back["patch"]["view"]["question"].is_object(), "{back} after {own}");
    // The others receive nothing: their next message answers an invalid one.
    for client in &mut all[1..] {
        client.say(&json!({ "consent": { "request": 1, "agree": true } }));
        assert_eq!(client.refusal(), "no_request");
    }
}

fn answer_with(client: &mut Client, number: u64, index: u64) {
    client.say(&json!({ "answer": { "decision": number, "index": index } }));
}

/// A game with sealed bids, which are then revealed, and a public answer of each player.
fn bids() -> motherlode::Game {
    let content = [
        (
            "game",
            "name = \"Bids\"\nversion = \"1.0.0\"\ntext = \"Bid.\"\nplayers = { min = 2, max = 2 }\nrounds = 3\n\
             seats = [{ name = \"A\" }, { name = \"B\" }]\n\
             [counters.gold]\nper = \"player\"\nstart = 3\n[counters.bid]\nper = \"player\"\n[counters.said]\nper = \"player\"\n[outcome]\nscore = \"bid\"\n",
        ),
        (
            "phases",
            "[bidding]\nturns = \"sealed\"\nasks = [{ prompt = \"bid\", choices = { upto = \"gold\" }, store = \"bid\" }]\n\
             [talking]\nturns = \"once\"\nprompt = \"talk\"\n",
        ),
        ("prompts", "[bid]\ntext = \"How much?\"\n[talk]\ntext = \"Well?\"\nchoices = \"number\"\n"),
    ];
    let script = "return {\n    talking = {\n        offer = function()\n            choice_numbers(1, 3)\n        end,\n\n\
             \x20       act = function(player, n)\n            set(player, \"said\", n)\n        end,\n    },\n}\n";
    load_texts("bids", &content, &[("phases", script)])
}

/// Two people at a table of this game.
fn two(game: &motherlode::Game) -> (Open, Vec<Client>) {
    let table = Open::of(game, 2, &[0, 1], &[seat(0), seat(1)], Limits { patience: long(), ..Limits::default() });
    let clients = table.tokens.iter().map(|token| Client::join(&table.host, token).0).collect();
    (table, clients)
}

/// Answers the next question for the seat of this token, through a socket of its own.
fn answer_now(table: &Open, of: usize) {
    for _ in 0..1000 {
        let (mut client, whole) = Client::join(&table.host, &table.tokens[of]);
        if whole["table"]["view"]["question"].is_object() {
            client.say(&json!({ "answer": { "decision": decision(&whole), "index": 1 } }));
            assert!(client.hear().unwrap()["refused"].is_null());
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("seat {of} is not asked");
}

#[test]
fn an_undo_request_says_whether_anything_was_revealed() {
    // Secret bids are revealed: no card and no random result differs.
    let (table, mut all) = two(&bids());
    answer_now(&table, 0);
    answer_now(&table, 1);
    all[0].say(&json!({ "undo": {} }));
    await_line(&mut all[1], "; something was revealed since.");
    let (number, _, wiser) = request(&mut all[1]);
    assert!(wiser);
    consent(&mut all[1], number, false);
    await_line(&mut all[0], "B refuses");
    // Everything is public from here on.
    answer_now(&table, 0);
    all[0].say(&json!({ "undo": {} }));
    await_line(&mut all[1], "A asks to undo “Well? 2”; nothing was revealed since.");
    let (number, _, wiser) = request(&mut all[1]);
    assert!(!wiser);
    consent(&mut all[1], number, true);
    await_line(&mut all[0], "A undoes “Well? 2”; all others agreed.");
    // A hook stores a secret answer in a variable, and a wrong guess reveals part of it.
    let (table, mut all) = two(&load(&root().join("tests/fixtures/knowledge"), "whisper"));
    answer_now(&table, 1);
    answer_now(&table, 0);
    all[0].say(&json!({ "undo": {} }));
    await_line(&mut all[1], "something may have been revealed since.");
}

#[test]
fn requests_at_one_position_are_limited() {
    // Several requests together delay bots no longer than one request may last.
    let (table, mut all, _) = open(3, &[0, 1], Duration::from_millis(300));
    answer_now(&table, 0);
    answer_now(&table, 1);
    all[1].say(&json!({ "undo": {} }));
    await_line(&mut all[0], "Not everybody agreed in time");
    all[1].say(&json!({ "undo": {} }));
    assert_eq!(last_refusal(&mut all[1]), "refused_already");
    all[0].say(&json!({ "undo": {} }));
    assert_eq!(last_refusal(&mut all[0]), "too_often");
    // The limit holds until the match goes on.
    answer_now(&table, 0);
    all[1].say(&json!({ "undo": {} }));
    await_line(&mut all[0], "B asks to undo");
    drop(table);
    // Players who always agree cannot replay one answer for ever.
    let (table, mut all) = two(&bids());
    answer_now(&table, 0);
    answer_now(&table, 1);
    let mut times = 0;
    let refused = loop {
        answer_now(&table, 0);
        all[0].say(&json!({ "undo": {} }));
        let heard = loop {
            let heard = all[0].hear().unwrap();
            if heard["refused"].is_object() || heard["patch"]["beside"]["request"].is_object() {
                break heard;
            }
        };
        if heard["refused"].is_object() {
            break heard["refused"]["code"].clone();
        }
        times += 1;
        assert!(times < 50, "endless requests");
        let (number, ..) = request(&mut all[1]);
        consent(&mut all[1], number, true);
        await_line(&mut all[0], "; all others agreed");
    };
    assert_eq!((times, refused), (8, json!("too_often")));
}
