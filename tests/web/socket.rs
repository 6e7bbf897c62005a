//! Messages through a socket.

use motherlode_table::server::{LONGEST, Role};
use serde_json::{Value, json};
use tungstenite::Message;

use super::client::{Client, beside, decision};
use super::{Open, seat};

#[test]
fn a_seat_receives_its_table_and_answers() {
    let table = Open::new(&[0, 1], &[seat(0), seat(1), Role { seat: None, designer: false }]);
    let [mut ann, mut ben, mut eve] = [0, 1, 2].map(|token| Client::new(&table, token, None));
    let skeleton = ann.hear().unwrap();
    let fingerprint = skeleton["skeleton"]["fingerprint"].as_str().unwrap().to_owned();
    let first = ann.hear().unwrap();
    assert_eq!(first["table"]["view"]["question"]["choices"].as_array().unwrap().len(), 6);
    assert_eq!(first["table"]["place"], Value::Null, "only a designer hears of other answers");
    for other in [&mut ben, &mut eve] {
        assert!(other.hear().unwrap()["skeleton"].is_object());
        assert_eq!(other.hear().unwrap()["table"]["view"]["question"], Value::Null);
    }
    // The table does not send known state again.
    assert!(Client::new(&table, 0, Some(&fingerprint)).hear().unwrap()["table"].is_object());

    let number = decision(&first);
    ann.say(&json!({ "answer": { "decision": number, "index": 6 } }));
    assert_eq!(ann.refusal(), "no_choice");
    ann.say(&json!({ "answer": { "decision": number + 1, "index": 0 } }));
    assert_eq!(ann.refusal(), "not_asked");
    ann.say(&json!({ "look": { "seat": 1, "step": 0 } }));
    assert_eq!(ann.refusal(), "designer");
    ann.say(&json!({ "branch": { "step": 0 } }));
    assert_eq!(ann.refusal(), "designer");
    ann.say(&json!({ "undo": {} }));
    assert_eq!(ann.refusal(), "no_undo");
    for client in [&mut ben, &mut eve] {
        client.say(&json!({ "answer": { "decision": number, "index": 0 } }));
        assert_eq!(client.refusal(), "not_asked");
    }
    ann.say(&json!({ "answer": { "decision": number, "index": 2 } }));
    let (answered, asked) = (ann.hear().unwrap(), ben.hear().unwrap());
    assert_eq!(answered["patch"]["view"].get("question"), Some(&Value::Null));
    assert_eq!(decision(&asked), number + 1);
    assert!(!beside(&asked)["lines"].as_array().unwrap().is_empty());
    assert!(eve.hear().unwrap()["patch"].is_object());
}

#[test]
fn an_answer_without_results_can_be_undone() {
    let table = Open::new(&[0], &[seat(0)]);
    let mut ann = Client::new(&table, 0, None);
    ann.hear().unwrap();
    let first = ann.hear().unwrap();
    let before = beside(&first)["lines"].as_array().unwrap().len();
    ann.say(&json!({ "answer": { "decision": decision(&first), "index": 2 } }));
    // The other seat is a bot: its answer arrives, then the next question.
    let mut last = ann.hear().unwrap();
    while last["patch"]["view"]["question"].is_null() {
        last = ann.hear().unwrap();
    }
    ann.say(&json!({ "undo": {} }));
    let back = ann.hear().unwrap();
    assert_eq!(beside(&back)["kept"], before);
    assert_eq!(beside(&back)["lines"][0]["by"], "table");
    let mut whole = Client::new(&table, 0, None);
    whole.hear().unwrap();
    assert_eq!(whole.hear().unwrap()["table"]["view"], first["table"]["view"], "the table is as it was");
    assert!(decision(&back) > decision(&last), "an answer to the question before does not fit");
}

#[test]
fn a_designer_sees_any_seat_and_any_step() {
    let table = Open::new(&[0, 1], &[Role { seat: Some(0), designer: true }]);
    let mut ann = Client::new(&table, 0, None);
    ann.hear().unwrap();
    let first = ann.hear().unwrap();
    ann.say(&json!({ "answer": { "decision": decision(&first), "index": 2 } }));
    ann.hear().unwrap();
    assert_eq!(ann.hear().unwrap()["place"]["steps"], 1);
    ann.say(&json!({ "look": { "seat": 1, "step": 0 } }));
    let seen = ann.hear().unwrap();
    assert_eq!(seen["table"]["view"]["seat"], 1);
    assert_eq!(
        seen["table"]["place"],
        json!({ "seat": 1, "step": 0, "steps": 1, "live": false, "differs": null, "designer": true, "older": false })
    );
    for nowhere in [json!({ "seat": 2, "step": 0 }), json!({ "seat": 0, "step": 2 })] {
        ann.say(&json!({ "look": nowhere }));
        assert_eq!(ann.refusal(), "no_step");
    }
    ann.say(&json!({ "look": { "seat": null, "step": null } }));
    assert_eq!(ann.hear().unwrap()["table"]["place"]["live"], true);
    ann.say(&json!({ "branch": { "step": 0 } }));
    assert!(ann.hear().unwrap()["skeleton"].is_object());
    let back = ann.hear().unwrap();
    assert_eq!(back["table"]["view"]["question"], first["table"]["view"]["question"], "the answer is forgotten");
    assert!(decision(&back) > decision(&first));
}

#[test]
fn invalid_messages_are_refused() {
    let table = Open::new(&[0, 1], &[seat(0)]);
    let mut ann = Client::new(&table, 0, None);
    ann.hear();
    ann.hear();
    let wrong = [
        "",
        "{}",
        "null",
        "[]",
        "undo",
        "{\"undo\":{\"all\":true}}",
        "{\"answer\":{\"decision\":1}}",
        "{\"answer\":{\"decision\":1,\"index\":-1}}",
        "{\"answer\":{\"decision\":1,\"index\":0,\"seat\":1}}",
        "{\"answer\":{\"decision\":1,\"index\":0},\"undo\":{}}",
        "{\"set\":{}}",
        &"[".repeat(LONGEST),
    ];
    for text in wrong {
        ann.send(text);
        assert_eq!(ann.refusal(), "unknown", "{text}");
    }
    ann.send(&" ".repeat(LONGEST + 1));
    assert_eq!(ann.refusal(), "oversize");
    assert_eq!(ann.hear(), None, "and the connection ends");

    let mut ann = Client::new(&table, 0, None);
    ann.hear();
    ann.hear();
    for _ in 0..200 {
        if ann.0.send(Message::text("{}")).is_err() {
            break;
        }
    }
    let mut codes = Vec::new();
    while let Some(heard) = ann.hear() {
        codes.push(heard["refused"]["code"].as_str().unwrap().to_owned());
    }
    // The close may overtake earlier messages.
    assert!(codes.len() < 150, "{}", codes.len());
    assert!(Client::new(&table, 0, None).hear().is_some(), "the table goes on");
}
