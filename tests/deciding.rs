//! Deciding seats and winners in small games in `tests/fixtures/deciding/`.
//!
//! They use simultaneous questions (an attack on everybody), a reaction window, a shared result, teams, and ranks by
//! lowest score. Each game is checked, has rule tests, and is played at random by 3, 4 and 5 players.

use std::collections::BTreeSet;
use std::path::PathBuf;

use motherlode::{Game, Match, Pack, Replay, find_packs};
use motherlode_check::check;
use motherlode_play::Simulation;
use motherlode_play::rule_test::{TestFiles, TestFilter};

use crate::shipped::{Player, load, root};

/// Random games of each variant.
const GAMES: u64 = 10;

fn folder() -> PathBuf {
    root().join("tests/fixtures/deciding")
}

fn game(id: &str) -> Game {
    load(&folder(), id)
}

fn simulate(id: &str, players: u8, games: u64, bot: &str) -> motherlode_play::Report {
    let game = game(id);
    let setup = game.setup(Some(players), &[], 7).unwrap();
    let simulation = Simulation { games, threads: 1, bots: vec![bot.to_owned()], ..Simulation::new(&game, setup) };
    simulation.run(|_| {}).unwrap()
}

#[test]
fn the_small_games_pass_the_check_and_their_rule_tests() {
    let ids = find_packs(&folder()).unwrap();
    assert_eq!(ids, ["bluffers", "golf", "island", "partners", "raiders"]);
    for id in ids {
        let pack = Pack::open(&folder(), &id).unwrap_or_else(|faults| panic!("{faults}"));
        let checked = check(&pack).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(checked.warnings.is_empty(), "{}", checked.warnings);
        let results = TestFiles::read(&folder(), &id).unwrap().run(&game(&id), TestFilter::All);
        let failed: Vec<_> = results.iter().filter(|result| !result.passed).collect();
        assert!(!results.is_empty() && failed.is_empty(), "{id}: {failed:#?}");
    }
}

/// Each seat's observation and legal choices.
fn views(m: &Match) -> Vec<String> {
    (0..m.setup().players).map(|seat| format!("{:?} {:?}", m.observe(Some(seat)), m.legal_of(seat).ok())).collect()
}

/// Restores a snapshot and a fork, and checks that both have the same questions and state.
fn taken_up(m: &Match, other: &mut Match) {
    other.restore(&m.snapshot()).unwrap();
    assert_eq!((other.state().hash(), other.pending()), (m.state().hash(), m.pending()));
    assert_eq!(views(other), views(m));
}

#[test]
fn random_games_end_and_every_position_can_be_restored() {
    for id in find_packs(&folder()).unwrap() {
        for players in 3..=5 {
            let game = game(&id);
            let setup = |seed| game.setup(Some(players), &[], seed).unwrap();
            let mut m = Match::new(&game, &setup(0)).unwrap();
            let mut other = Match::new(&game, &setup(0)).unwrap();
            let mut together = 0;
            for seed in 0..GAMES {
                m.restart(&setup(seed)).unwrap();
                other.restart(&setup(seed)).unwrap();
                let mut player = Player::new(seed);
                while let Some(decision) = m.decision() {
                    // Simultaneous answers come in any order and stay hidden from the others.
                    let pending = m.pending();
                    let seat = pending[player.below(pending.len())].seat;
                    let before = views(&m);
                    taken_up(&m, &mut other);
                    m.focus(seat).unwrap();
                    let index = player.choose(m.choices());
                    m.answer(index).unwrap();
                    if m.is_simultaneous() && m.pending().len() == pending.len() - 1 && pending.len() > 1 {
                        together += 1;
                        let after = views(&m);
                        let others = (0..usize::from(players)).filter(|other| *other != usize::from(seat));
                        others.for_each(|other| assert_eq!(after[other], before[other], "{id}, {decision:?}"));
                    }
                }
                let outcome = m.outcome().unwrap();
                assert_eq!(outcome.ranks.len(), usize::from(players));
                Replay::record(&m).verify(&game).unwrap();
            }
            let asks = !matches!(id.as_str(), "golf" | "island");
            assert_eq!(together > 0, asks, "{id}, {players} players: {together} answers while others were asked");
        }
    }
}

/// The order of simultaneous answers does not change the result.
#[test]
fn answers_at_the_same_time_commute() {
    let game = game("raiders");
    let setup = game.setup(Some(5), &[], 11).unwrap();
    let reached: BTreeSet<u64> = (0..24)
        .map(|order| {
            let mut m = Match::new(&game, &setup).unwrap();
            let mut player = Player::new(order);
            for _ in 0..60 {
                if m.is_over() {
                    break;
                }
                let pending = m.pending();
                let seat = pending[player.below(pending.len())].seat;
                m.focus(seat).unwrap();
                m.answer(0).unwrap();
            }
            while !m.is_over() {
                m.answer(0).unwrap();
            }
            m.state().hash()
        })
        .collect();
    assert_eq!(reached.len(), 1);
}

#[test]
fn bots_finish_the_small_games() {
    for id in find_packs(&folder()).unwrap() {
        for (bot, games) in [("random", 60), ("rollout:2", 3)] {
            for players in 3..=5 {
                let report = simulate(&id, players, games, bot);
                assert!(report.aborted.is_empty(), "{id}, {players}, {bot}: {:?}", report.aborted);
                assert_eq!(report.won.is_some(), id == "island");
            }
        }
    }
}

/// The score of a cooperative game guides a bot: a few playouts already raise its win rate a lot.
#[test]
fn playouts_raise_the_win_rate_of_a_cooperative_game() {
    let won = |bot: &str, games| simulate("island", 4, games, bot).won.unwrap();
    let (random, rollout) = (won("random", 400), won("rollout:12", 40));
    assert!(random.interval.high < rollout.interval.low, "{random:?} {rollout:?}");
}

/// Teams of two win and lose together, so the even share of a seat is one half.
#[test]
fn teammates_have_equal_results() {
    let report = simulate("partners", 4, 400, "random");
    let seats = &report.seats;
    assert!((report.even_share.unwrap() - 0.5).abs() < 1e-9);
    for (one, other) in [(0, 2), (1, 3)] {
        assert_eq!((seats[one].places, &seats[one].scores), (seats[other].places, &seats[other].scores));
    }
    let wins = |seat: usize| seats[seat].places.unwrap().wins;
    assert_eq!(wins(0) + wins(1) + report.shared, 400);
}
