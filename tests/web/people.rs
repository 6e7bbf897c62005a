//! Several people at one table: each sees only their own information, and nobody can block the others.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use motherlode_table::View;
use motherlode_table::server::{LONGEST, Limits, Role};
use serde_json::{Value, json};
use tungstenite::Message;

use super::client::{Client, beside, decision};
use super::{Open, seat};
use crate::shipped::{load, root};

const LOOKS_ON: Role = Role { seat: None, designer: false };

/// Three people and one spectator.
fn three(limits: Limits) -> Open {
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    Open::of(&game, 3, &[0, 1, 2], &[seat(0), seat(1), seat(2), LOOKS_ON], limits)
}

/// A browser that stores the received state, as a page does.
struct Page {
    client: Client,
    view: View,
    lines: Vec<Value>,
    decision: u64,
    outcome: Value,
    /// All text ever received.
    heard: String,
}

impl Page {
    fn join(table: &Open, token: usize) -> Self {
        let (client, whole) = Client::join(&table.host, &table.tokens[token]);
        let view = serde_json::from_value(whole["table"]["view"].clone()).unwrap();
        let lines = beside(&whole)["lines"].as_array().unwrap().clone();
        let (number, outcome) = (decision(&whole), beside(&whole)["outcome"].clone());
        Self { client, view, lines, decision: number, outcome, heard: whole.to_string() }
    }

    /// Applies the next patch.
    fn hear(&mut self) {
        loop {
            let message = self.client.hear().expect("the table goes on");
            if message["place"].is_object() {
                continue;
            }
            self.heard += &message.to_string();
            let beside = beside(&message).clone();
            self.view.apply(serde_json::from_value(message["patch"]["view"].clone()).unwrap());
            self.lines.truncate(beside["kept"].as_u64().unwrap() as usize);
            self.lines.extend(beside["lines"].as_array().unwrap().iter().cloned());
            (self.decision, self.outcome) = (beside["decision"].as_u64().unwrap(), beside["outcome"].clone());
            return;
        }
    }

    fn answer(&mut self, index: u64) {
        self.client.say(&json!({ "answer": { "decision": self.decision, "index": index } }));
    }
}

/// Plays on, and everybody receives every answer. `each` runs before each answer.
fn play(pages: &mut [Page], answers: usize, mut each: impl FnMut(&mut [Page])) {
    for _ in 0..answers {
        let asked = pages.iter().position(|page| page.view.question.is_some());
        let Some(asked) = asked else { return };
        each(pages);
        pages[asked].answer(2);
        pages.iter_mut().for_each(Page::hear);
    }
}

#[test]
fn a_link_resumes_its_seat() {
    let table = three(Limits::default());
    let mut pages = [0, 1, 2, 3].map(|token| Page::join(&table, token));
    let mut compared = 0;
    play(&mut pages, 9, |pages| {
        for (token, page) in pages.iter().enumerate() {
            let again = Page::join(&table, token);
            assert_eq!(again.view, page.view);
            assert_eq!((&again.lines, again.decision), (&page.lines, page.decision));
            compared += 1;
        }
    });
    assert_eq!(compared, 36);
    assert!(pages[0].lines.len() >= 9 && pages[3].view.over);
}

#[test]
fn a_seat_may_ask_why_choices_are_missing() {
    let table = three(Limits::default());
    let mut pages = [0, 1, 3].map(|token| Page::join(&table, token));
    let why = |page: &mut Page, decision: u64| {
        page.client.say(&json!({ "why": { "decision": decision } }));
        page.client.hear().expect("the table answers")
    };
    for page in &mut pages {
        let (asked, decision) = (page.view.question.is_some(), page.decision);
        let told = why(page, decision);
        assert_eq!(told["reasons"].is_object(), asked, "{told}");
        if asked {
            assert_eq!((&told["reasons"]["decision"], &told["reasons"]["choices"]), (&json!(decision), &json!([])));
            assert_eq!(why(page, decision), told, "asked again");
        }
        assert_eq!(why(page, decision + 1)["refused"]["code"], "not_asked");
    }
}

#[test]
fn a_seat_may_ask_what_a_choice_changes() {
    let table = three(Limits::default());
    let mut pages = [0, 1, 3].map(|token| Page::join(&table, token));
    let preview = |page: &mut Page, decision: u64, index: u64| {
        page.client.say(&json!({ "preview": { "decision": decision, "index": index } }));
        page.client.hear().expect("the table answers")
    };
    for page in &mut pages {
        let (asked, decision) = (page.view.question.is_some(), page.decision);
        let told = preview(page, decision, 1);
        assert_eq!(told["preview"].is_object(), asked, "{told}");
        if asked {
            assert_eq!((&told["preview"]["decision"], &told["preview"]["index"]), (&json!(decision), &json!(1)));
            assert!(told["preview"]["of"]["certain"].is_array(), "{told}");
            assert_eq!(preview(page, decision, 1), told, "a preview changes nothing");
            assert_eq!(preview(page, decision, 99)["refused"]["code"], "no_choice");
        }
        assert_eq!(preview(page, decision + 1, 0)["refused"]["code"], "not_asked");
    }
    // The match goes on from where it was.
    play(&mut pages[..2], 1, |_| ());
}

#[test]
fn seats_learn_no_hidden_information_before_the_end() {
    let table = three(Limits::default());
    let mut pages = [0, 1, 2, 3].map(|token| Page::join(&table, token));
    let dice = |page: &Page| {
        let row = page.view.rows.iter().find(|row| row.id == "die").unwrap();
        row.values.iter().map(|value| value.text.clone()).collect::<Vec<_>>()
    };
    play(&mut pages, 8, |pages| {
        for (seat, page) in pages.iter().enumerate() {
            let known: Vec<usize> = (0..3).filter(|&other| dice(page)[other] != "?").collect();
            assert_eq!(known, if seat < 3 { vec![seat] } else { vec![] }, "a die is for its owner");
        }
    });
    for page in &mut pages {
        for word in ["seed", "hash", "answers", "state", "setup", "replay", "\"place\":{"] {
            assert!(!page.heard.contains(&format!("\"{word}")), "{word} in {}", page.heard);
        }
        for nosy in [json!({ "look": { "seat": 1, "step": 0 } }), json!({ "branch": { "step": 0 } })] {
            page.client.say(&nosy);
            assert_eq!(page.client.refusal(), "designer");
        }
    }
    play(&mut pages, 1, |_| {});
    assert!(pages.iter().all(|page| page.outcome.is_object()));
    // At the end every link shows the match, and nobody can change it.
    for (token, page) in pages.iter_mut().enumerate() {
        assert!(page.client.hear().unwrap()["place"].is_object());
        page.client.say(&json!({ "look": { "seat": 1, "step": 1 } }));
        let seen = page.client.hear().unwrap();
        assert_eq!(seen["table"]["view"]["seat"], 1);
        assert_eq!(seen["table"]["view"]["question"]["seat"], 1, "{token}");
        page.client.say(&json!({ "branch": { "step": 0 } }));
        assert_eq!(page.client.refusal(), "designer");
        page.client.say(&json!({ "undo": {} }));
        assert_eq!(page.client.refusal(), "no_undo");
    }
    let (_, whole) = Client::join(&table.host, &table.tokens[3]);
    let place = &whole["table"]["place"];
    assert_eq!(
        place,
        &json!({ "seat": 255, "step": 9, "steps": 9, "live": true, "differs": null, "designer": false, "older": false })
    );
}

#[test]
fn a_seat_answers_for_nobody_else() {
    let table = three(Limits::default());
    let mut pages = [0, 1, 2, 3].map(|token| Page::join(&table, token));
    let number = pages[0].decision;
    for page in &mut pages[1..] {
        for decision in [number, page.decision] {
            page.client.say(&json!({ "answer": { "decision": decision, "index": 0 } }));
            assert_eq!(page.client.refusal(), "not_asked");
        }
    }
    // A repeated answer counts once.
    pages[0].answer(3);
    pages[0].answer(3);
    pages[0].hear();
    assert_eq!(pages[0].client.refusal(), "not_asked");
    pages[1].hear();
    assert!(pages[1].view.question.is_some());
    // A second browser with the same link also sees the table and may answer.
    let mut second = Page::join(&table, 1);
    second.answer(0);
    second.hear();
    pages[1].hear();
    assert_eq!(second.view, pages[1].view);
}

#[test]
fn a_wrong_secret_opens_nothing() {
    let table = three(Limits::default());
    let right = &table.tokens[0];
    for wrong in
        [String::new(), "0".repeat(32), right[..31].to_owned(), right.chars().rev().collect(), right.repeat(200)]
    {
        let Err(error) = Client::at(&table.host, &wrong, None) else { panic!("`{wrong}` opens") };
        assert!(error.to_string().contains("403") || error.to_string().contains("431"), "{error}");
    }
}

/// Checks that the table still answers a person in time.
fn is_alive(table: &Open) {
    let (mut client, whole) = Client::join(&table.host, &table.tokens[1]);
    client.say(&json!({ "answer": { "decision": decision(&whole) + 7, "index": 0 } }));
    assert_eq!(client.refusal(), "not_asked");
}

#[test]
fn floods_and_huge_messages_close_only_their_connection() {
    // No client regains message credit while the machine is busy.
    let limits = Limits { one_more: Duration::from_secs(3600), ..Limits::default() };
    let table = three(limits);
    let mut pages = [0, 1].map(|token| Page::join(&table, token));
    let floods: [fn(usize) -> Message; 4] = [
        |_| Message::text(json!({ "undo": {} }).to_string()),
        |_| Message::Ping("again".into()),
        |n| Message::text("x".repeat(LONGEST + 1 + n)),
        |_| Message::text(" ".repeat(1 << 20)),
    ];
    for flood in floods {
        let (mut client, _) = Client::join(&table.host, &table.tokens[2]);
        for n in 0..500 {
            if client.0.send(flood(n)).is_err() {
                break;
            }
        }
        let mut heard = 0;
        while client.hear().is_some() {
            heard += 1;
        }
        assert!(heard <= limits.burst + 1, "{heard} messages are answered");
    }
    let (mut client, _) = Client::join(&table.host, &table.tokens[2]);
    client.0.send(Message::binary(vec![0_u8; 16])).unwrap();
    assert_eq!(client.refusal(), "unknown");
    assert!(client.hear().is_none(), "and the connection ends");
    pages[0].answer(1);
    pages.iter_mut().for_each(Page::hear);
    is_alive(&table);
}

/// Whether the other end closes a connection within this time.
fn is_closed(stream: &mut TcpStream, within: Duration) -> bool {
    stream.set_read_timeout(Some(within)).unwrap();
    let begin = Instant::now();
    let mut bytes = [0; 4096];
    while begin.elapsed() < within {
        match stream.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
    false
}

#[test]
fn silent_clients_are_dropped() {
    let silence = |of| {
        three(Limits { silence: Duration::from_millis(of), request: Duration::from_millis(600), ..Limits::default() })
    };
    let table = silence(600);
    // Nothing; half a request; a request without a successor; a socket that ignores pings.
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n", table.host);
    for sent in ["", "GET / HT", &head, &format!("{head}\r\n")] {
        let mut stream = table.connect();
        stream.write_all(sent.as_bytes()).unwrap();
        assert!(is_closed(&mut stream, Duration::from_secs(60)), "{sent:?}");
    }
    let (mut silent, _) = Client::join(&table.host, &table.tokens[0]);
    assert!(is_closed(silent.0.get_mut(), Duration::from_secs(60)), "a half-open socket");
    // A client that answers pings stays, even on a busy machine.
    let table = silence(3000);
    let mut page = Page::join(&table, 1);
    let begin = Instant::now();
    page.client.0.get_mut().set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    while begin.elapsed() < Duration::from_secs(4) {
        match page.client.0.read() {
            Ok(Message::Ping(_)) => {}
            Ok(Message::Text(text)) if text.contains("presence") => {}
            Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            other => panic!("{other:?}"),
        }
    }
    page.client.0.get_mut().set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    page.answer(0);
    assert_eq!(page.client.refusal(), "not_asked");
}

#[test]
fn a_slow_reader_is_dropped_and_the_others_play_on() {
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    let limits = Limits { one_more: Duration::from_micros(10), slow: Duration::from_secs(1), ..Limits::default() };
    let designer = Role { seat: None, designer: true };
    let table = Open::of(&game, 3, &[0, 1, 2], &[seat(0), seat(1), seat(2), designer], limits);
    let (mut slow, _) = Client::join(&table.host, &table.tokens[3]);
    let mut pages = [0, 1, 2].map(|token| Page::join(&table, token));
    let begin = Instant::now();
    // Whole tables that nobody reads, until the system's buffers are full.
    slow.0.get_mut().set_nonblocking(true).unwrap();
    let look = json!({ "look": { "seat": null, "step": null } }).to_string();
    loop {
        match slow.0.send(Message::text(look.clone())) {
            Ok(()) => {}
            Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(_) => break,
        }
        assert!(begin.elapsed() < Duration::from_secs(300), "a slow reader is never dropped");
    }
    is_alive(&table);
    pages[0].answer(1);
    pages.iter_mut().for_each(Page::hear);
    assert!(pages[1].view.question.is_some());
}

#[test]
fn everybody_sees_who_is_away() {
    let table = three(Limits::default());
    let mut first = Page::join(&table, 0);
    assert_eq!(first.client.hear_presence(), json!([0]));
    let mut onlooker = Page::join(&table, 3);
    assert_eq!(onlooker.client.hear_presence(), json!([0]));
    let third = Page::join(&table, 2);
    assert_eq!(onlooker.client.hear_presence(), json!([0, 2]));
    assert_eq!(first.client.hear_presence(), json!([0]), "the onlooker has come");
    assert_eq!(first.client.hear_presence(), json!([0, 2]));
    drop(third);
    assert_eq!(first.client.hear_presence(), json!([0]));
}
