//! Random matches with undo and kills: every seat's transcript is the same after a restart.
//!
//! A test run plays a hundred matches. `LODE_COURSES=1000` plays as many by hand.

use std::fs;
use std::thread;

use motherlode::Game;
use motherlode_table::server::{Door, FILE, Hall, Journal, JournalHeader, Limits, MatchRecord, Role};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::Message;

use super::client::Client;
use super::durable::shared_memory;
use super::{rules, seat, token};
use crate::shipped::{Variant, load, root};
use crate::twins::SplitMix64;

/// Matches of one server.
const BATCH: usize = 25;
/// Restarts of a server.
const RESTARTS: usize = 3;
/// Maximum messages of people between two restarts.
const MESSAGES: usize = 16;

fn courses() -> usize {
    std::env::var("LODE_COURSES").ok().and_then(|courses| courses.parse().ok()).unwrap_or(60)
}

/// A server with saved matches.
struct Server {
    host: String,
    folder: TempDir,
}

impl Server {
    /// A server with new matches, and the link secrets of each.
    fn begin(game: &Game, people: &'static [u8], seeds: &[u64]) -> (Self, Vec<Vec<String>>) {
        let players = people.len() as u8;
        let (mut hall, mut door) = (Hall::new(rules(game, players, people)), Door::open(0).unwrap());
        let mut tokens = Vec::new();
        for &seed in seeds {
            let of = hall.add(MatchRecord::new(game.setup(Some(players), &[], seed).unwrap()));
            let roles = people.iter().map(|&one| seat(one)).chain([Role { seat: None, designer: false }]);
            tokens.push(roles.map(|role| token(&door.link(of, role).unwrap())).collect());
        }
        let folder = shared_memory();
        let head = JournalHeader::new(game, "", door.port());
        let journal = Journal::begin(folder.path(), head, hall.courses(), door.gate().keys()).unwrap();
        (Self::serve(door, hall.kept(journal), folder), tokens)
    }

    /// A second server that reads the disk at this moment, as after a kill.
    fn again(&self, game: &Game, people: &'static [u8]) -> Self {
        let folder = shared_memory();
        fs::copy(self.folder.path().join(FILE), folder.path().join(FILE)).unwrap();
        let (journal, kept) = Journal::open(folder.path()).unwrap().unwrap();
        let (mut hall, mut door) = (Hall::new(rules(game, people.len() as u8, people)), Door::open(0).unwrap());
        for course in kept.matches {
            hall.add(course);
        }
        for (key, of, role) in kept.links {
            door.gate().know(key, of, role);
        }
        Self::serve(door, hall.kept(journal), folder)
    }

    fn serve(door: Door, hall: Hall, folder: TempDir) -> Self {
        let host = format!("127.0.0.1:{}", door.port());
        let limits = Limits { burst: u32::MAX, ..Limits::default() };
        thread::spawn(move || door.serve(hall.limited(limits)).unwrap());
        Self { host, folder }
    }
}

/// A person with a socket.
struct Person {
    client: Client,
    decision: u64,
    choices: usize,
    request: Option<(u64, bool)>,
}

impl Person {
    fn join(game: &Game, host: &str, token: &str) -> Self {
        let client = Client::at(host, token, Some(game.fingerprint())).unwrap();
        let mut person = Self { client, decision: 0, choices: 0, request: None };
        person.hear();
        person
    }

    /// All messages sent to this person so far.
    fn hear(&mut self) -> Vec<String> {
        // The refusal of a nonexistent request marks the end.
        self.client.say(&json!({ "consent": { "request": u32::MAX, "agree": false } }));
        let mut heard = Vec::new();
        loop {
            let Ok(Message::Text(text)) = self.client.0.read() else { panic!("the table has closed the socket") };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["refused"]["code"] == "no_request" {
                return heard;
            }
            if message["presence"].is_object() {
                continue;
            }
            heard.push(text.to_string());
            let of = if message["table"].is_object() { &message["table"] } else { &message["patch"] };
            if !of.is_object() {
                continue;
            }
            self.decision = of["beside"]["decision"].as_u64().unwrap();
            if let Some(question) = of["view"].get("question") {
                self.choices = question["choices"].as_array().map_or(0, Vec::len);
            }
            let request = &of["beside"]["request"];
            self.request = request["number"].as_u64().map(|number| (number, request["waits"] == true));
        }
    }

    fn answer(&mut self, index: usize) {
        self.client.say(&json!({ "answer": { "decision": self.decision, "index": index } }));
    }

    fn undo(&mut self) {
        self.client.say(&json!({ "undo": {} }));
    }

    /// Sends a random message; returns whether it asks for an undo.
    fn act(&mut self, random: &mut SplitMix64) -> bool {
        match self.request {
            Some((request, true)) if random.below(3) > 0 => {
                self.client.say(&json!({ "consent": { "request": request, "agree": random.below(4) > 0 } }));
            }
            _ if self.choices > 0 && random.below(3) > 0 => self.answer(random.below(self.choices)),
            _ => {
                self.undo();
                return true;
            }
        }
        false
    }
}

/// The transcript and the view that each seat of a match receives on joining.
fn shown(game: &Game, server: &Server, tokens: &[String]) -> Vec<(Value, Value)> {
    let join = |token: &String| Client::at(&server.host, token, Some(game.fingerprint())).unwrap().hear().unwrap();
    let table = |token: &String| join(token)["table"].take();
    tokens.iter().map(table).map(|mut table| (table["beside"]["lines"].take(), table["view"].take())).collect()
}

/// Number of events by kind.
#[derive(Debug, Default)]
struct Count {
    secret: usize,
    open: usize,
    compared: usize,
}

/// Plays random matches of a game with restarts, and compares what all seats receive.
fn play(game: &Game, people: &'static [u8], seeds: &[u64], count: &mut Count) {
    let (mut server, tokens) = Server::begin(game, people, seeds);
    let mut random = SplitMix64::new(seeds[0]);
    for restart in 0..RESTARTS {
        let mut tables: Vec<Vec<Person>> = tokens
            .iter()
            .map(|all| all.iter().map(|token| Person::join(game, &server.host, token)).collect())
            .collect();
        for table in &mut tables {
            for _ in 0..random.below(MESSAGES) {
                let actor = random.below(people.len());
                let undo = table[actor].act(&mut random);
                let heard: Vec<Vec<String>> = table.iter_mut().map(Person::hear).collect();
                let told = |words: &str| heard[actor].iter().any(|text| text.contains(words));
                if undo && told(" undoes an answer.") {
                    count.secret += 1;
                    let others = heard.iter().enumerate().filter(|&(other, _)| other != actor);
                    others.for_each(|(_, heard)| assert!(heard.is_empty(), "{heard:?}"));
                }
                count.open += usize::from(told("all others agreed."));
            }
        }
        let before: Vec<_> = tokens.iter().map(|tokens| shown(game, &server, tokens)).collect();
        server = server.again(game, people);
        for ((tokens, before), seed) in tokens.iter().zip(before).zip(seeds) {
            let after = shown(game, &server, tokens);
            for (seat, (before, after)) in before.iter().zip(&after).enumerate() {
                let which = format!("{} from seed {seed}, seat {seat}, restart {restart}", game.declarations().id);
                assert_eq!(before.0, after.0, "the lines of {which}");
                assert_eq!(before.1, after.1, "the view of {which}");
                count.compared += 1;
            }
        }
    }
}

/// Games with the seats of people: phases of secret answers, and turns.
fn games() -> Vec<(Game, &'static [u8])> {
    vec![
        (Variant::of("photon", 3, &[]).game().clone(), &[0, 1, 2]),
        (Variant::of("krysis", 2, &[]).game().clone(), &[0, 1]),
        (Variant::of("atacama", 2, &[]).game().clone(), &[0, 1]),
        (load(&root().join("tests/fixtures/knowledge"), "die"), &[0, 1, 2]),
    ]
}

#[test]
fn a_restart_keeps_every_seats_transcript() {
    let mut count = Count::default();
    let games = games();
    for (batch, seeds) in (0..courses() as u64).collect::<Vec<_>>().chunks(BATCH).enumerate() {
        let (game, people) = &games[batch % games.len()];
        play(game, people, seeds, &mut count);
    }
    println!("{count:?}");
    assert!(count.secret >= courses() / 4 && count.open >= courses() / 4, "{count:?}");
}

/// A secret undo changes no byte sent to the others, before or after a restart.
#[test]
fn a_secret_take_back_leaves_no_trace() {
    let game = Variant::of("photon", 3, &[]).game();
    let people: &[u8] = &[0, 1, 2];
    let (mut secret, mut random) = (0, SplitMix64::new(3));
    for seed in 0..courses() as u64 / 10 {
        // Two equal matches. In one of them the first seat undoes answers in secret.
        let (mut server, tokens) = Server::begin(game, people, &[seed, seed]);
        for restart in 0..3 {
            let mut tables: Vec<Vec<Person>> = tokens
                .iter()
                .map(|all| all.iter().map(|token| Person::join(game, &server.host, token)).collect())
                .collect();
            for _ in 0..10 {
                let actor = random.below(people.len());
                let choices = tables[1][actor].choices;
                if choices == 0 {
                    continue;
                }
                let (index, first) = (random.below(choices), random.below(choices));
                let takes_back = actor == 0 && random.below(3) > 0;
                let between = random.below(3);
                let mut before: Vec<String> = Vec::new();
                if takes_back {
                    tables[0][0].answer(first);
                    let heard: Vec<Vec<String>> = tables[0].iter_mut().map(Person::hear).collect();
                    // The last answer of a phase is not secret.
                    if heard[1..].iter().any(|heard| !heard.is_empty()) {
                        tables[1][0].answer(first);
                        let other: Vec<Vec<String>> = tables[1].iter_mut().map(Person::hear).collect();
                        assert_eq!(heard[1..], other[1..]);
                        continue;
                    }
                    // Another seat may answer in between.
                    let waits = |seat: usize| tables[0][seat].choices > 0;
                    if between > 0 && waits(between) && waits(3 - between) {
                        for table in &mut tables {
                            table[between].answer(0);
                        }
                    }
                    let heard: Vec<Vec<String>> = tables[0].iter_mut().map(Person::hear).collect();
                    let other: Vec<Vec<String>> = tables[1].iter_mut().map(Person::hear).collect();
                    assert_eq!(heard[1..], other[1..]);
                    assert_eq!(heard[0], Vec::<String>::new(), "nobody hears of an answer in secret");
                    tables[0][0].undo();
                    before = tables[0][0].hear();
                }
                if before.iter().any(|text| text.contains(" undoes an answer.")) {
                    secret += 1;
                } else if takes_back {
                    panic!("{before:?}");
                }
                for table in &mut tables {
                    table[actor].answer(index);
                }
                let heard: Vec<Vec<String>> = tables[0].iter_mut().map(Person::hear).collect();
                let other: Vec<Vec<String>> = tables[1].iter_mut().map(Person::hear).collect();
                assert_eq!(heard[1..], other[1..], "seed {seed}, restart {restart}");
                // The first seat hears nothing of the others either.
                let secret = heard[people.len()].is_empty();
                assert!(!secret || actor == 0 || heard[0].is_empty(), "{:?}", heard[0]);
            }
            server = server.again(game, people);
            let [one, other] = [0, 1].map(|of| {
                tokens[of][1..].iter().map(|token| Client::join(&server.host, token).1.to_string()).collect::<Vec<_>>()
            });
            assert_eq!(one, other, "seed {seed}, after restart {restart}");
        }
    }
    assert!(secret > 3, "{secret}");
}
