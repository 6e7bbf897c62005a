//! Many matches in one server: none slows another, and none takes shared resources.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use motherlode::{Decision, Game, Match, MatchError};
use motherlode_table::server::{Door, Hall, MatchRecord, Players, Rules};
use serde_json::{Value, json};

use super::client::{Client, decision};
use super::{rules, seat, token};
use crate::cards::all;
use crate::shipped::{Player, load_texts};

/// A game for one player who works or idles. After an idle day, each of many hooks takes nearly all steps of its budget.
fn idlers() -> Game {
    const NIGHTS: usize = 12;
    let game = r#"
        name = "Idlers"
        version = "1.0.0"
        players = { min = 1, max = 2, default = 1 }
        rounds = 900
        seats = [{ name = "A" }, { name = "B" }]
        counters.idle = { per = "game", max = 1 }
        counters.done = { per = "player", max = 1000 }
        outcome = { score = "done" }
    "#;
    let nights = |night: fn(usize) -> String| (0..NIGHTS).map(night).collect::<String>();
    let phases =
        format!("[day]\nturns = \"once\"\nprompt = \"deed\"\n{}", nights(|night| format!("[night_{night}]\n")));
    let prompts = "[deed]\ntext = \"What now?\"\nlabels = { work = \"Work\", idle = \"Idle\" }\n";
    let day = r#"
        local function night()
            local n = 0
            for i = 1, get(game, "idle") * 110000 do
                n = (n * 31 + i) % 1000003
                n = (n * 37 + i) % 1000003
                n = (n * 41 + i) % 1000003
                n = (n * 43 + i) % 1000003
            end
        end
        return {
            day = {
                start = function()
                    set(game, "idle", 0)
                end,
                offer = function()
                    choice("work")
                    choice("idle")
                end,
                act = function(player, deed)
                    if deed == "idle" then
                        set(game, "idle", 1)
                    end
                    gain(player, "done", 1)
                end,
            },
    "#;
    let script = format!("{day}{} }}", nights(|night| format!("night_{night} = {{ run = night }},\n")));
    load_texts("idlers", &[("game", game), ("phases", &phases), ("prompts", prompts)], &[("phases", &script)])
}

/// An open server with this many matches, and the secrets of their seats.
fn open(rules: Rules, players: u8, people: &[u8], matches: usize) -> (String, Vec<Vec<String>>) {
    let game = rules.game.clone();
    let (mut hall, mut door) = (Hall::new(rules), Door::open(0).unwrap());
    let tokens = (0..matches).map(|seed| {
        let of = hall.add(MatchRecord::new(game.setup(Some(players), &[], seed as u64).unwrap()));
        people.iter().map(|&one| token(&door.link(of, seat(one)).unwrap())).collect()
    });
    let tokens = tokens.collect();
    let host = format!("127.0.0.1:{}", door.port());
    thread::spawn(move || door.serve(hall).unwrap());
    (host, tokens)
}

/// Gives an answer and receives its results.
fn answer(client: &mut Client, number: &mut u64, index: usize) {
    client.say(&json!({ "answer": { "decision": *number, "index": index } }));
    loop {
        let heard = client.hear().unwrap();
        assert!(heard["refused"].is_null(), "{heard}");
        let view = &heard["patch"]["view"];
        if view.get("question").is_some() || heard["patch"].is_object() && decision(&heard) != *number {
            *number = decision(&heard);
            return;
        }
    }
}

/// The test counts answers and not time, because all wait alike on a busy machine.
#[test]
fn a_hostile_script_in_one_match_does_not_slow_another() {
    let (host, tokens) = open(rules(&idlers(), 1, &[0]), 1, &[0], 5);
    let (mut client, whole) = Client::join(&host, &tokens[0][0]);
    let mut number = decision(&whole);
    let enough = Arc::new(AtomicBool::new(false));
    let idled: Vec<Arc<AtomicUsize>> = tokens[1..].iter().map(|_| Arc::default()).collect();
    let hostile = tokens[1..].iter().zip(&idled).map(|(tokens, idled)| {
        let (host, token, enough, idled) = (host.clone(), tokens[0].clone(), Arc::clone(&enough), Arc::clone(idled));
        thread::spawn(move || {
            let (mut client, whole) = Client::join(&host, &token);
            let mut number = decision(&whole);
            while !enough.load(Ordering::Relaxed) {
                answer(&mut client, &mut number, 1);
                idled.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    let hostile: Vec<_> = hostile.collect();
    let count = || idled.iter().map(|one| one.load(Ordering::Relaxed)).collect::<Vec<_>>();
    // The first answer tells the server how expensive a match is.
    while count().contains(&0) {
        assert!(!hostile.iter().any(thread::JoinHandle::is_finished), "idling is no fault");
        thread::sleep(Duration::from_millis(5));
    }
    let before: usize = count().iter().sum();
    // The limit of answers at once.
    for _ in 0..30 {
        answer(&mut client, &mut number, 0);
    }
    let beside = count().iter().sum::<usize>() - before;
    enough.store(true, Ordering::Relaxed);
    hostile.into_iter().for_each(|one| one.join().unwrap());
    println!("{beside} hostile answers while 30 others were given");
    // In a single queue, each of these answers would wait for a hostile one.
    assert!(beside < 20, "{beside} hostile answers while 30 others were given");
}

/// People at the first seat. At the others, bots think until the test lets them choose.
struct Thinkers {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    may: Arc<Mutex<Receiver<()>>>,
}

impl Players for Thinkers {
    fn is_person(&self, seat: u8) -> bool {
        seat == 0
    }

    fn choose(&mut self, _: &Match, _: Decision) -> Result<usize, MatchError> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.may.lock().unwrap().recv().unwrap();
        self.now.fetch_sub(1, Ordering::SeqCst);
        Ok(0)
    }

    fn names(&self) -> Vec<String> {
        vec!["human".into(), "thinker".into()]
    }
}

#[test]
fn bots_think_in_turn_without_delaying_people() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let of = Arc::clone(&most);
    let (choose, may) = channel();
    let may = Arc::new(Mutex::new(may));
    let invite = move || -> Result<Box<dyn Players>, String> {
        Ok(Box::new(Thinkers { now: Arc::clone(&now), most: Arc::clone(&of), may: Arc::clone(&may) }))
    };
    let (host, tokens) =
        open(Rules::new(&idlers(), 2, Arc::new(invite), Default::default(), Default::default()).unwrap(), 2, &[0], 8);
    let mut clients: Vec<(Client, Value)> = tokens.iter().map(|tokens| Client::join(&host, &tokens[0])).collect();
    // Every answer is received, although no bot may choose yet.
    for (client, whole) in &mut clients {
        client.say(&json!({ "answer": { "decision": decision(whole), "index": 0 } }));
        assert!(client.hear().unwrap()["patch"].is_object());
    }
    tokens.iter().for_each(|_| choose.send(()).unwrap());
    for (client, _) in &mut clients {
        while !client.hear().unwrap()["patch"]["view"]["question"].is_object() {}
    }
    assert_eq!(most.load(Ordering::SeqCst), 1, "bots think in a thread of their own");
}

#[test]
fn many_open_matches_stay_separate() {
    let game = idlers();
    let (host, tokens) = open(rules(&game, 1, &[0]), 1, &[0], 300);
    // More matches than the server keeps live, twice: each continues from its last position.
    for round in 1..=2 {
        for (index, tokens) in tokens.iter().enumerate() {
            let (mut client, whole) = Client::join(&host, &tokens[0]);
            assert_eq!(whole["table"]["view"]["round"], if index % 3 == 0 { round } else { 1 });
            if index % 3 == 0 {
                answer(&mut client, &mut decision(&whole), 0);
            }
        }
    }
}

#[test]
fn a_link_opens_only_its_own_match() {
    let (host, tokens) = open(rules(&idlers(), 2, &[0, 1]), 2, &[0, 1], 3);
    let (mut first, whole) = Client::join(&host, &tokens[0][0]);
    answer(&mut first, &mut decision(&whole), 0);
    for tokens in &tokens[1..] {
        let (_, whole) = Client::join(&host, &tokens[0]);
        assert!(whole["table"]["view"]["question"].is_object(), "nothing has happened here");
    }
}

/// One script host for several matches: each continues as if it had its own host.
#[test]
fn a_shared_host_keeps_matches_separate() {
    let mut games = BTreeSet::new();
    let mut lines = 0;
    for variant in all() {
        if !games.insert(variant.game().declarations().id.clone()) {
            continue;
        }
        let begin = |seed| Match::with_transcript(variant.game(), &variant.setup(seed)).unwrap();
        let mut own = [begin(1), begin(2)];
        let mut lent = begin(3);
        let mut kept = own.each_ref().map(Match::snapshot);
        let mut players = [1, 2].map(Player::new);
        // The transcript before the first decision stays in the first snapshots.
        for step in 0..120 {
            let at = step % 2;
            if own[at].is_over() {
                continue;
            }
            lent.resume(&variant.setup(at as u64 + 1), &kept[at]).unwrap();
            assert_eq!(lent.choices(), own[at].choices(), "{variant}, step {step}");
            // In sealed phases any pending seat may answer next.
            let pending = own[at].pending();
            let seat = pending[players[at].below(pending.len())].seat;
            own[at].focus(seat).unwrap();
            let index = players[at].choose(own[at].choices());
            own[at].answer(index).unwrap();
            lent.answer_as(seat, index).unwrap();
            let said = own[at].take_log();
            assert_eq!(lent.take_log(), said, "{variant}, step {step}");
            assert_eq!(lent.state().hash(), own[at].state().hash(), "{variant}, step {step}");
            lines += said.len();
            lent.snapshot_into(&mut kept[at]);
        }
    }
    assert!(games.len() >= 5 && lines > 300, "{games:?}, {lines}");
}
