//! Rematches: among several people, in saved files and in kept folders.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, beside, decision};
use super::program::{Program, links};
use super::{Open, seat};
use crate::cli::program::run;
use crate::shipped::root;

/// A browser of a seat, and the number of its question; `None`: it is not asked.
struct Player {
    client: Client,
    asked: Option<u64>,
    over: bool,
    /// All lines of the transcript.
    said: String,
}

impl Player {
    fn join(host: &str, token: &str) -> Self {
        let (client, whole) = Client::join(host, token);
        let mut player = Self { client, asked: None, over: false, said: String::new() };
        player.apply(&whole);
        player
    }

    fn apply(&mut self, message: &Value) {
        let view = if message["table"].is_object() { &message["table"]["view"] } else { &message["patch"]["view"] };
        if let Some(question) = view.get("question") {
            self.asked = question.is_object().then(|| decision(message));
        }
        self.over = beside(message)["outcome"].is_object();
        self.said += &beside(message)["lines"].to_string();
    }

    fn hear(&mut self) {
        let mut message = self.client.hear().expect("the table goes on");
        while message["place"].is_object() || message["skeleton"].is_object() {
            message = self.client.hear().expect("the table goes on");
        }
        self.apply(&message);
    }

    fn hear_until(&mut self, is_reached: impl Fn(&Self) -> bool) {
        while !is_reached(self) {
            self.hear();
        }
    }
}

/// Plays the match to its end, with first choices.
fn finish(players: &mut [Player]) {
    while !players.iter().all(|player| player.over) {
        if let Some(asked) = players.iter().position(|player| player.asked.is_some() && !player.over) {
            let number = players[asked].asked.take().unwrap();
            players[asked].client.say(&json!({ "answer": { "decision": number, "index": 0 } }));
        }
        players.iter_mut().for_each(Player::hear);
    }
}

#[test]
fn a_rematch_among_several_people_waits_for_everybody() {
    let table = Open::new(&[0, 1], &[seat(0), seat(1)]);
    let mut players: Vec<Player> = table.tokens.iter().map(|token| Player::join(&table.host, token)).collect();
    players[0].client.say(&json!({ "rematch": {} }));
    assert_eq!(players[0].client.refusal(), "no_rematch", "the match is not over");
    finish(&mut players);
    players[0].client.say(&json!({ "rematch": {} }));
    for player in &mut players {
        player.hear_until(|player| player.said.contains("asks for a rematch"));
        assert!(player.over, "the other player has not agreed");
    }
    players[1].client.say(&json!({ "rematch": {} }));
    for player in &mut players {
        player.hear_until(|player| player.said.contains("A rematch begins."));
        assert!(!player.over);
    }
    assert!(players.iter().any(|player| player.asked.is_some()));
    // The rematch is played to its end and can be followed by another one.
    finish(&mut players);
    players.iter_mut().for_each(|player| player.said.clear());
    players[1].client.say(&json!({ "rematch": {} }));
    players[0].hear_until(|player| player.said.contains("asks for a rematch"));
}

/// The seed and the number of answers of a saved match.
fn saved(file: &Path) -> (u64, usize) {
    let text = fs::read_to_string(file).unwrap();
    let replay: Value = serde_json::from_str(&text).unwrap();
    (replay["setup"]["seed"].as_u64().unwrap(), replay["answers"].as_array().unwrap().len())
}

#[test]
fn a_rematch_is_saved_beside_the_finished_match() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.json");
    let arguments = ["photon", "--players", "2", "--seats", "human,random", "--seed", "7", "--save"];
    let mut program = Program::start(root(), "", &[&arguments[..], &[file.to_str().unwrap()]].concat());
    let (host, tokens) = links(&program.said());
    let mut players = [Player::join(&host, &tokens[0])];
    finish(&mut players);
    let first = fs::read(&file).unwrap();
    players[0].client.say(&json!({ "rematch": {} }));
    players[0].hear_until(|player| !player.over && player.asked.is_some());
    finish(&mut players);
    program.kill();
    assert_eq!(fs::read(&file).unwrap(), first, "the finished match stays as it was");
    let second = folder.path().join("evening-2.json");
    assert_eq!(saved(&file).0 + 1, saved(&second).0, "the rematch has the next seed");
    assert!(saved(&second).1 > 0);
    for file in [&file, &second] {
        run(root(), &["replay", file.to_str().unwrap()], b"").code(0);
    }
}

#[test]
fn a_rematch_is_resumed_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let arguments = ["photon", "--players", "2", "--seats", "human,random", "--seed", "7", "--keep", path];
    let mut program = Program::start(root(), "", &arguments);
    let (host, tokens) = links(&program.said());
    let mut players = [Player::join(&host, &tokens[0])];
    finish(&mut players);
    players[0].client.say(&json!({ "rematch": {} }));
    players[0].hear_until(|player| !player.over && player.asked.is_some());
    let number = players[0].asked.take().unwrap();
    players[0].client.say(&json!({ "answer": { "decision": number, "index": 0 } }));
    players[0].hear_until(|player| player.asked.is_some());
    program.kill();
    let mut program = Program::start(root(), "", &["--keep", path]);
    assert!(program.said()[0].starts_with("photon resumes"), "the folder holds the match");
    let mut again = [Player::join(&host, &tokens[0])];
    assert!(!again[0].over && again[0].said.contains("A rematch begins."), "{}", again[0].said);
    finish(&mut again);
    program.kill();
}
