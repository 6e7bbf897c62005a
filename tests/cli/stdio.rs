use motherlode::Match;
use motherlode_play::ObservationSpace;
use serde_json::{Value, json};

use super::program::{lode_with, packs};
use crate::shipped::load;

const BOTH: [&str; 4] = ["stdio", "harvest", "--seed", "5"];
const ONE: [&str; 6] = ["stdio", "harvest", "--seed", "5", "--seats", "program,first"];

fn session_bytes(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let run = lode_with(arguments, input).code(0);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn session(arguments: &[&str], input: &str) -> Vec<Value> {
    session_bytes(arguments, input.as_bytes())
}

fn of_type<'a>(messages: &'a [Value], name: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["type"] == name).collect()
}

/// The lines of the transcript.
fn logs(messages: &[Value]) -> Vec<&str> {
    of_type(messages, "log").iter().map(|message| message["text"].as_str().unwrap()).collect()
}

/// The message types, joined by spaces.
fn types(messages: &[Value]) -> String {
    messages.iter().map(|message| message["type"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn start_reports_the_setup_and_the_seats() {
    let messages = session(&ONE, "");
    let start = &messages[0];
    assert_eq!(start["type"], "start");
    assert_eq!(start["protocol"], 3);
    assert_eq!(start["game"], "harvest");
    assert_eq!(start["setup"], json!({ "players": 2, "options": { "rounds": 2, "weather": "calm" }, "seed": 5 }));
    assert_eq!(start["seats"][0], json!({ "seat": 0, "name": "North", "kind": "program" }));
    assert_eq!(start["seats"][1]["kind"], "first");
}

#[test]
fn a_decision_contains_its_choices_and_views() {
    let messages = session(&BOTH, "");
    let decision = &messages[1];
    assert_eq!(decision["type"], "decision");
    assert_eq!(decision["n"], 0);
    assert_eq!(decision["seat"], 0);
    assert_eq!(decision["phase"], "bidding");
    assert_eq!(decision["prompt"], "bid");
    assert_eq!(decision["text"], "How much do you bid?");
    assert_eq!(decision["pending"], json!([0, 1]));
    assert_eq!(decision["choices"][2], json!({ "i": 2, "id": "number:2", "label": "2", "number": 2 }));
    assert_eq!(decision["observation"]["seat"], 0);
    assert_eq!(decision["observation"]["players"][1]["zones"]["hand"]["tokens"], json!([null]));
    assert_ne!(decision["observation"]["players"][0]["zones"]["hand"]["tokens"], json!([null]));
}

/// The numbers are those of the vectors for Python, in the parts that the start of the match names.
#[test]
fn an_observation_may_be_a_list_of_numbers() {
    let messages = session(&["stdio", "harvest", "--seed", "5", "--observation", "tensor"], "{\"choose\":2}\n");
    let game = load(&packs(), "harvest");
    let space = ObservationSpace::new(&game);
    let parts = messages[0]["tensor"].as_array().unwrap();
    for (sent, part) in parts.iter().zip(space.parts()) {
        let bound = |bound: f32| if bound.is_finite() { json!(bound as i64) } else { Value::Null };
        assert_eq!(sent["name"], part.name);
        assert_eq!((&sent["shape"], &sent["offset"]), (&json!(part.shape), &json!(part.offset)));
        assert_eq!((&sent["low"], &sent["high"]), (&bound(part.low), &bound(part.high)));
    }
    assert_eq!(parts.len(), space.parts().len());
    let mut m = Match::new(&game, &game.setup(Some(2), &[], 5).unwrap()).unwrap();
    for (decision, answer) in of_type(&messages, "decision").into_iter().zip([2, 0]) {
        let seat = decision["seat"].as_u64().unwrap() as u8;
        let mut numbers = vec![0.0; space.len()];
        space.write(&m, seat, &mut numbers);
        let sent: Vec<f32> = serde_json::from_value(decision["tensor"].clone()).unwrap();
        assert_eq!(sent, numbers);
        assert!(sent.iter().any(|number| *number != 0.0));
        assert_eq!(decision["observation"], Value::Null);
        m.answer_as(seat, answer).unwrap();
    }
}

#[test]
fn a_whole_match_ends_with_the_outcome() {
    let lines = r#"{"choose":2}
{"choose":1}
{"choose":"cell:b2"}
{"choose":"label:rest"}
{"choose":0}
{"choose":0}
{"choose":"label:rest"}
{"choose":"label:rest"}
"#;
    let messages = session(&BOTH, lines);
    assert_eq!(
        types(&messages),
        "start decision decision log log log log decision log log decision log decision decision log log log log decision log decision log end"
    );
    let end = messages.last().unwrap();
    assert_eq!(end["outcome"]["scores"], json!([3, 1]));
    assert_eq!(end["outcome"]["ranks"], json!([1, 2]));
    assert!(end["outcome"]["reason"].is_string());
    assert_eq!(
        logs(&messages)[..3],
        ["North: How much do you bid? 2", "South: How much do you bid? 1", "North bids 2."]
    );
}

#[test]
fn bots_answer_by_themselves() {
    let messages = session(&ONE, "{\"choose\":0}\n{\"choose\":\"cell:c3\"}\n{\"quit\":true}\n");
    let players: Vec<&Value> = of_type(&messages, "decision").iter().map(|decision| &decision["seat"]).collect();
    assert_eq!(players, [0, 0, 0]);
}

#[test]
fn a_match_of_bots_needs_no_program() {
    let messages = session(&["stdio", "harvest", "--seats", "random"], "");
    assert_eq!(messages.last().unwrap()["type"], "end");
}

#[test]
fn rejected_lines_keep_the_decision_open() {
    let wrong: [(&[u8], &str); 25] = [
        (b"", "empty"),
        (b"choose 1", "the line is not valid JSON at column 1: use an object such as {\"choose\":0}"),
        (b"[1]", "JSON object"),
        (b"3", "JSON object"),
        (b"{\"choose\":3}", "there is no choice 3; choose a number from 0 to 2"),
        (b"{\"choose\":-1}", "there is no choice -1"),
        (b"{\"choose\":1.5}", "there is no choice 1.5"),
        (b"{\"choose\":99999999999999999999}", "there is no choice"),
        (b"{\"choose\":\"seven\"}", "there is no choice `seven`"),
        (b"{\"choose\":\"2\"}", "did you mean `number:2`?"),
        (b"{\"choose\":null}", "`choose` takes a number"),
        (b"{\"choos\":1}", "did you mean `choose`?"),
        (b"{}", "the line has no command: use one of"),
        (b"{\"choose\":1,\"undo\":1}", "need separate lines"),
        (b"{\"choose\":1,\"seat\":7}", "seat 7 has nothing to decide"),
        (b"{\"choose\":1,\"n\":4}", "this is decision 0, not 4"),
        (b"{\"undo\":1}", "there is nothing to undo"),
        (b"{\"observe\":2}", "`observe` takes a seat from 0 to 1"),
        (b"{\"history\":2}", "`history` takes a seat from 0 to 1"),
        (b"{\"history\":0,\"since\":-1}", "`since` takes a number of entries"),
        (b"{\"history\":0,\"n\":1}", "`history` takes no `n`: use it with `choose`"),
        (b"{\"observe\":0,\"since\":1}", "`observe` takes no `since`: use it with `history`"),
        (b"{\"restore\":0}", "there is no snapshot 0"),
        (b"{\"quit\":false}", "`quit` takes true"),
        (b"\xff\xfe", "UTF-8"),
    ];
    let mut input = Vec::new();
    for (line, _) in wrong {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"{\"choose\":2}\n");
    let messages = session_bytes(&BOTH, &input);
    let rejects = of_type(&messages, "reject");
    assert_eq!(rejects.len(), wrong.len());
    for ((line, reason), reject) in wrong.iter().zip(rejects) {
        let said = reject["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{}: {said}", String::from_utf8_lossy(line));
    }
    // The decision was not asked again, and still accepts an answer.
    let decisions = of_type(&messages, "decision");
    assert_eq!(decisions.len(), 2);
    assert_eq!(decisions[1]["seat"], 1);
}

#[test]
fn a_line_may_be_one_mebibyte_long_and_no_longer() {
    let pad = |length: usize| format!("{}{{\"choose\":0}}", " ".repeat(length - 12));
    let longest = 1 << 20;
    let messages = session(&BOTH, &format!("{}\n{}\n", pad(longest), pad(longest)));
    assert!(of_type(&messages, "reject").is_empty());
    let messages = session(&BOTH, &format!("{}\n{{\"choose\":0}}\n", pad(longest + 1)));
    assert!(of_type(&messages, "reject")[0]["reason"].as_str().unwrap().contains("longer than 1048576 bytes"));
    assert_eq!(of_type(&messages, "decision").len(), 2);
    let messages = session(&BOTH, &"x".repeat(5 * longest));
    assert_eq!(of_type(&messages, "reject").len(), 1);
}

#[test]
fn deeply_nested_json_is_rejected() {
    let messages = session(&BOTH, &format!("{}\n", "[".repeat(100_000)));
    assert_eq!(types(&messages), "start decision reject");
}

#[test]
fn seats_answer_in_any_order_in_a_sealed_phase() {
    let messages = session(&BOTH, "{\"ask\":1}\n{\"choose\":2,\"seat\":1}\n{\"choose\":1}\n");
    let decisions = of_type(&messages, "decision");
    assert_eq!(decisions[1]["seat"], 1);
    assert_eq!(decisions[2]["seat"], 0);
    assert_eq!(decisions[2]["pending"], json!([0]));
    assert_eq!(decisions[2]["n"], 1);
    let told = ["South: How much do you bid? 2", "North: How much do you bid? 1", "North bids 1.", "South bids 2."];
    assert_eq!(logs(&messages), told);
}

#[test]
fn nobody_sees_a_sealed_answer_before_the_reveal() {
    let before = session(&BOTH, "{\"observe\":1}\n");
    let after = session(&BOTH, "{\"choose\":2}\n{\"observe\":1}\n");
    assert_eq!(before.last().unwrap()["observation"], after.last().unwrap()["observation"]);
}

#[test]
fn undo_asks_the_decision_before_again() {
    let messages = session(&ONE, "{\"choose\":2}\n{\"choose\":\"cell:c3\"}\n{\"undo\":2}\n{\"choose\":0}\n");
    let decisions = of_type(&messages, "decision");
    assert_eq!(decisions[3], decisions[0]);
    assert_eq!(decisions[4]["prompt"], "plant");
    assert_eq!(decisions[4]["observation"]["players"][0]["counters"]["corn"], 0);
}

#[test]
fn undone_answers_are_not_logged() {
    let messages = session(&BOTH, "{\"choose\":2}\n{\"undo\":1}\n{\"choose\":0}\n{\"choose\":1}\n");
    assert_eq!(logs(&messages)[..2], ["North: How much do you bid? 0", "South: How much do you bid? 1"]);
    // A sealed answer of another seat is kept as well.
    let messages =
        session(&BOTH, "{\"choose\":2}\n{\"snapshot\":true}\n{\"choose\":1}\n{\"restore\":0}\n{\"choose\":0}\n");
    assert_eq!(logs(&messages)[4..6], ["North: How much do you bid? 2", "South: How much do you bid? 0"]);
}

#[test]
fn a_public_answer_is_logged_before_the_next_sealed_phase() {
    let messages = session(&ONE, "{\"choose\":0}\n{\"choose\":\"cell:b2\"}\n");
    assert_eq!(logs(&messages).last(), Some(&"South plants a1."));
    assert_eq!(messages.last().unwrap()["type"], "decision");
}

#[test]
fn snapshots_are_restored_and_the_decision_is_asked_again() {
    let lines = "{\"snapshot\":true}\n{\"choose\":2}\n{\"snapshot\":true}\n{\"choose\":\"cell:c3\"}\n{\"restore\":0}\n{\"restore\":1}\n{\"undo\":1}\n";
    let messages = session(&ONE, lines);
    let snapshots: Vec<&Value> = of_type(&messages, "snapshot").iter().map(|message| &message["snapshot"]).collect();
    assert_eq!(snapshots, [0, 1]);
    let decisions = of_type(&messages, "decision");
    assert_eq!(decisions.len(), 6);
    assert_eq!(decisions[3], decisions[0]);
    assert_eq!(decisions[4], decisions[1]);
    // Answers from before the snapshot can still be undone.
    assert_eq!(decisions[5], decisions[0]);
}

#[test]
fn observe_shows_a_seat_or_everything() {
    let messages = session(&BOTH, "{\"observe\":0}\n{\"observe\":\"all\"}\n");
    let seen = of_type(&messages, "observation");
    assert_eq!(seen[0]["seat"], 0);
    assert_eq!(seen[0]["observation"]["players"][1]["counters"]["bid"], Value::Null);
    assert_eq!(seen[1]["seat"], Value::Null);
    assert_eq!(seen[1]["observation"]["players"][1]["counters"]["bid"], 0);
    assert_ne!(seen[1]["observation"]["zones"]["deck"]["tokens"], json!([null, null]));
    assert_eq!(seen[1]["observation"]["grids"]["field"]["cells"]["a1"]["plot"], "none");
}

#[test]
fn a_history_is_told_by_seat_and_follows_undo() {
    let ask = r#"{"history":0}
{"history":1}
{"choose":2}
{"history":0,"since":1}
{"history":1}
{"undo":1}
{"history":0}
"#;
    let messages = session(&BOTH, ask);
    let histories = of_type(&messages, "history");
    assert_eq!(histories.len(), 5);
    assert_eq!(histories[0]["entries"][0]["type"], "start");
    assert_eq!(histories[0]["entries"][0]["observation"]["seat"], 0);
    assert_eq!((&histories[2]["seat"], &histories[2]["since"]), (&json!(0), &json!(1)));
    let answer = json!({ "type": "answer", "seat": 0, "prompt": "bid", "choice": "number:2" });
    assert!(histories[2]["entries"].as_array().unwrap().contains(&answer));
    assert_eq!(histories[3], histories[1], "the other bid is sealed");
    assert_eq!(histories[4], histories[0]);
    assert_ne!(histories[2]["key"], histories[0]["key"]);
}

#[test]
fn a_program_may_ask_why_it_does_not_have_a_choice() {
    let lines = "{\"why\":0}\n{\"why\":1}\n{\"why\":0,\"n\":1}\n";
    let root = env!("CARGO_MANIFEST_DIR");
    let options = ["--players", "2", "--option", "board=enhanced", "--seed", "1"];
    let messages = session(&[&["stdio", "atacama", "--root", root], &options[..]].concat(), lines);
    let refused = &of_type(&messages, "why")[0]["refused"];
    assert_eq!(refused[0]["id"], "decline");
    assert!(refused[0]["reason"].as_str().unwrap().ends_with("so nobody may pass."), "{refused}");
    assert_eq!(of_type(&messages, "reject").len(), 2, "seat 1 decides nothing, and `why` takes no `n`");
}

#[test]
fn after_the_end_a_program_may_observe_and_undo() {
    let mut lines = String::from("{\"choose\":0}\n{\"choose\":\"label:rest\"}\n");
    lines.push_str("{\"choose\":0}\n{\"choose\":\"label:rest\"}\n{\"choose\":0}\n{\"observe\":0}\n{\"undo\":1}\n{\"choose\":\"label:rest\"}\n{\"quit\":true}\n{\"observe\":0}\n");
    let messages = session(&ONE, &lines);
    assert!(
        types(&messages).contains("end reject observation decision log") && types(&messages).ends_with("log end"),
        "{}",
        types(&messages)
    );
    assert_eq!(of_type(&messages, "reject")[0]["reason"], "the match is over");
    assert_eq!(of_type(&messages, "end").len(), 2);
}

#[test]
fn a_failing_script_rejects_the_answer_and_keeps_the_decision() {
    let messages =
        session(&["stdio", "stumble"], "{\"choose\":\"label:pit\"}\n{\"observe\":0}\n{\"choose\":\"label:path\"}\n");
    assert_eq!(types(&messages), "start decision reject observation log decision");
    let reason = messages[2]["reason"].as_str().unwrap();
    assert!(reason.contains("fell into the pit"), "{reason}");
    assert_eq!(messages[3]["observation"]["players"][0]["counters"]["steps"], 0);
    assert_eq!(messages[5]["observation"]["players"][0]["counters"]["steps"], 1);
}

#[test]
fn private_lines_go_to_their_seat_alone() {
    let one = ["stdio", "secrets", "--seed", "5", "--seats", "program,first"];
    let messages = session(&one, "{\"choose\":\"label:wreck\"}\n{\"choose\":\"label:yes\"}\n");
    assert_eq!(
        logs(&messages),
        [
            "North: Where do you hide it? In the wreck",
            "It is worth 9.",
            "South has decided.",
            "North: Ready? Yes",
            "South: Ready? Yes"
        ]
    );
    let seats: Vec<&Value> = of_type(&messages, "log").iter().map(|message| &message["seat"]).collect();
    assert_eq!(seats, [&json!(0), &json!(0), &Value::Null, &Value::Null, &Value::Null]);
    let other = session(&["stdio", "secrets", "--seats", "first,program"], "{\"choose\":\"label:wreck\"}\n");
    assert_eq!(logs(&other)[0], "North has decided.");
    assert!(!logs(&other).iter().any(|line| line.contains("cave") || line.contains('7')), "{other:?}");
}

/// The decisions of the game `market`: first those of South, then those of North.
fn market(seed: &str, input: &str) -> Vec<Value> {
    let arguments = ["stdio", "market", "--seed", seed];
    session(&arguments, input).into_iter().filter(|message| message["type"] == "decision").collect()
}

#[test]
fn a_choice_names_its_kind_and_value() {
    let lines = "{\"choose\":\"label:none\"}\n{\"choose\":\"definition:wool\"}\n{\"choose\":\"cell:b1.2\"}\n{\"choose\":\"number:9\"}\n";
    let decisions = market("1", &[lines, &"{\"choose\":0}\n".repeat(4)].concat());
    let choices = |index: usize| &decisions[index]["choices"];
    assert_eq!(choices(0)[0], json!({ "i": 0, "id": "label:none", "label": "None of them" }));
    let mine = json!({ "i": 1, "id": "token:tools.rake@shed.2", "label": "Rake", "definition": "rake", "token": 1 });
    assert_eq!(choices(0)[1], mine);
    assert_eq!(choices(0)[2]["id"], "token:tools.rake@shop[wear=3]");
    assert_eq!(choices(1)[1], json!({ "i": 1, "id": "definition:wool", "label": "Wool", "definition": "wool" }));
    assert_eq!(choices(2)[1], json!({ "i": 1, "id": "cell:b1.2", "label": "b1", "cell": "b1", "seat": 1 }));
    assert_eq!(choices(3)[0], json!({ "i": 0, "id": "number:7", "label": "7", "number": 7 }));
    let friends = decisions.iter().find(|decision| decision["prompt"] == "friend").unwrap();
    assert_eq!(friends["choices"], json!([{ "i": 0, "id": "player:2", "label": "South", "seat": 1 }]));
}

#[test]
fn equal_copies_have_one_id_in_every_run() {
    let ids = |seed: &str| -> Vec<String> {
        let decisions = market(seed, "");
        let choices = decisions[0]["choices"].as_array().unwrap().iter();
        choices.map(|choice| choice["id"].as_str().unwrap().to_owned()).collect()
    };
    let expected = [
        "label:none",
        "token:tools.rake@shed.2",
        "token:tools.rake@shop[wear=3]",
        "token:tools.rake@shop",
        "token:tools.rake@shop",
        "token:tools.spade@shop",
    ];
    assert_eq!(ids("1"), expected);
    assert_eq!(ids("2"), expected);
}

#[test]
fn a_player_counter_shows_a_seat() {
    let messages = session(&["stdio", "market", "--seats", "first,first"], "");
    assert_eq!(messages.last().unwrap()["type"], "end");
    let messages = session(
        &["stdio", "market", "--seats", "program,first"],
        "{\"choose\":0}\n{\"choose\":0}\n{\"choose\":0}\n{\"choose\":0}\n{\"choose\":0}\n{\"observe\":\"all\"}\n",
    );
    let seen = &messages.last().unwrap()["observation"];
    assert_eq!(seen["game"]["starter"], json!({ "seat": 1 }));
    let friends: Vec<&Value> =
        seen["players"].as_array().unwrap().iter().map(|seat| &seat["counters"]["friend"]).collect();
    assert_eq!(friends, [&json!({ "seat": 1 }), &json!({ "seat": 0 })]);
    assert_eq!(
        of_type(&messages, "decision")[0]["observation"]["players"][0]["counters"]["friend"],
        json!({ "seat": null })
    );
}

#[test]
fn items_outside_the_setup_are_absent() {
    let observation = |more: &[&str]| session(&[&["stdio", "market"], more].concat(), "")[1]["observation"].clone();
    let dry = observation(&[]);
    assert_eq!(dry["grids"].as_object().unwrap().keys().collect::<Vec<_>>(), ["garden"]);
    assert_eq!(dry["grids"]["garden"][0]["cells"]["b1"], json!({ "crop": 4 }));
    assert_eq!(dry["zones"].as_object().unwrap().keys().collect::<Vec<_>>(), ["shop"]);
    assert_eq!(dry["game"].as_object().unwrap().keys().collect::<Vec<_>>(), ["starter"]);
    let wet = observation(&["--players", "3", "--option", "weather=wet"]);
    assert_eq!(wet["grids"].as_object().unwrap().keys().collect::<Vec<_>>(), ["garden", "well"]);
    assert_eq!(wet["zones"].as_object().unwrap().keys().collect::<Vec<_>>(), ["shop", "third_row"]);
    assert_eq!(wet["game"]["rain"], 1);
}
